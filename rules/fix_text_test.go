package rules

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// TestSurrogates: every text of up to three units, the first and last of each half of the surrogates among
// them, is read in either order and however its bytes come; half a character and an odd byte at
// the end become U+FFFD.
func TestSurrogates(t *testing.T) {
	kinds := []uint16{'x', 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000}
	var units []uint16
	var check func()
	check = func() {
		for _, big := range []bool{false, true} {
			var b []byte
			for _, u := range units {
				if big {
					b = append(b, byte(u>>8), byte(u))
				} else {
					b = append(b, byte(u), byte(u>>8))
				}
			}
			text := string(utf16.Decode(units))
			for odd, want := range map[string]string{"": text, "y": text + "\ufffd"} {
				for name, src := range map[string]io.Reader{
					"whole": strings.NewReader(string(b) + odd), "byte by byte": iotest.OneByteReader(strings.NewReader(string(b) + odd)),
					"with its end": iotest.DataErrReader(strings.NewReader(string(b) + odd)),
				} {
					got, err := io.ReadAll(&utf16Reader{src: src, big: big})
					if string(got) != want || err != nil {
						t.Fatalf("%x and %q, big %v, %s: %q, %v; want %q", units, odd, big, name, got, err, want)
					}
				}
			}
		}
		if len(units) == 3 {
			return
		}
		for _, u := range kinds {
			units = append(units, u)
			check()
			units = units[:len(units)-1]
		}
	}
	check()
}

// TestUTF16Breaks: of a source that breaks off, what came before is read and nothing is made up.
func TestUTF16Breaks(t *testing.T) {
	broken := errors.New("broken")
	for text, want := range map[string]string{"": "", "x": "", "x\x00": "x", "x\x00y": "x", "\x00\xd8": ""} {
		got, err := io.ReadAll(&utf16Reader{src: io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))})
		if string(got) != want || !errors.Is(err, broken) {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// A pausing source gives one byte, then nothing so many times, and so on.
type pausing struct {
	text        string
	pause, left int
}

func (p *pausing) Read(b []byte) (int, error) {
	if p.left > 0 {
		p.left--
		return 0, nil
	}
	p.left = p.pause
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b[:1], p.text)
	p.text = p.text[n:]
	return n, nil
}

// TestUTF16Waits: a source may give nothing for a while, and not for ever.
func TestUTF16Waits(t *testing.T) {
	const text = "a\x00b\x00c\x00"
	for pause, want := range map[int]error{0: nil, 1: nil, maxIdleReads - 1: nil, maxIdleReads + 1: io.ErrNoProgress} {
		got, err := io.ReadAll(&utf16Reader{src: &pausing{text: text, pause: pause}})
		if !errors.Is(err, want) || (want == nil) != (string(got) == "abc") {
			t.Errorf("%d times nothing: %q, %v", pause, got, err)
		}
	}
}

// TestColumnsBehindAMark: the columns of the first line count the bytes of a mark in UTF-8, and none of one in UTF-16, which is not in the text.
func TestColumnsBehindAMark(t *testing.T) {
	text := strings.Replace(document(source(nil)), "client-orderid", "client_orderid", 1)
	at := strings.Index(text, "client_orderid")
	for name, c := range map[string]struct {
		in  string
		col int
	}{"no mark": {text, at}, "a mark": {mark + text, at + len(mark)}, "two marks": {mark + mark + text, at + 2*len(mark)}, "UTF-16": {wide(mark+text, false), at}} {
		var cols []int
		fixer := Fixer{Report: func(c Change) {
			if c.Code == fixName {
				cols = append(cols, c.Col)
			}
		}}
		if _, err := fixer.Fix(io.Discard, strings.NewReader(c.in)); err != nil {
			t.Fatal(err)
		}
		if len(cols) != 1 || cols[0] != c.col {
			t.Errorf("%s: %v, want %d", name, cols, c.col)
		}
	}
}
