package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

func gzipOf(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil || z.Close() != nil {
		t.Fatal("a buffer failed")
	}
	return b.Bytes()
}

func TestGunzip(t *testing.T) {
	const text = "some text that is read"
	packed := gzipOf(t, text)
	for _, c := range []struct {
		reason string
		in     gunzip
		want   string
		err    error
	}{
		{"what is not gzip is read as it is", gunzip{file: strings.NewReader(text)}, text, nil},
		{"nothing, too", gunzip{file: strings.NewReader("")}, "", nil},
		{"one byte of the two", gunzip{file: strings.NewReader("\x1f")}, "\x1f", nil},
		{"gzip by its first bytes", gunzip{file: bytes.NewReader(packed)}, text, nil},
		{"one byte at a time", gunzip{file: iotest.OneByteReader(bytes.NewReader(packed))}, text, nil},
		{"several members are one text", gunzip{file: bytes.NewReader(append(bytes.Clone(packed), packed...))}, text + text, nil},
		{"a name that is not true", gunzip{file: strings.NewReader(text), named: true}, "", errNotGzip},
		{"a limit that is kept", gunzip{file: bytes.NewReader(packed), most: int64(len(text))}, text, nil},
		{"a limit that is not", gunzip{file: bytes.NewReader(packed), most: int64(len(text)) - 1}, "", errUnpacked},
		{"the error of the file", gunzip{file: io.MultiReader(bytes.NewReader(packed[:20]), iotest.ErrReader(syscall.EIO))}, "", syscall.EIO},
		{"an error before the first byte", gunzip{file: iotest.ErrReader(syscall.EIO), named: true}, "", syscall.EIO},
	} {
		got, err := io.ReadAll(&c.in)
		if !errors.Is(err, c.err) || err == nil && string(got) != c.want {
			t.Errorf("%s: %q, %v", c.reason, got, err)
		}
	}
	for n := 2; n < len(packed); n++ {
		if _, err := io.ReadAll(&gunzip{file: bytes.NewReader(packed[:n])}); err != errDamaged {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
}

// A reader that looks ahead may drop an error, and ask again: the answer must be the same.
func TestGunzipKeepsItsError(t *testing.T) {
	for name, g := range map[string]gunzip{
		"cut in its first bytes": {file: strings.NewReader("\x1f\x8b\x08\x00\x00")},
		"the same by name":       {file: strings.NewReader("\x1f\x8b\x08\x00\x00"), named: true},
	} {
		for range 3 {
			if n, err := g.Read(make([]byte, 10)); n != 0 || err != errDamaged {
				t.Errorf("%s: %d bytes, %v", name, n, err)
			}
		}
	}
}
