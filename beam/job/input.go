package job

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"
)

// An input is a file of a shard, decompressed if it is gzip. It counts and hashes the text that is
// read, and tells errors of the file system, after which the work is repeated, from damaged
// contents.
type input struct {
	name   string
	file   io.ReadCloser
	text   io.Reader
	size   uint64
	sum    hash.Hash
	failed error // of the file system
	broken bool  // the gzip data is damaged or cut off
}

func openInput(ctx context.Context, name string) (*input, error) {
	file, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &input{name: name, file: file, sum: sha256.New()}, nil
}

func (in *input) close() { _ = in.file.Close() } // it was only read

func (in *input) Read(p []byte) (int, error) {
	if in.text == nil {
		in.begin()
	}
	n, err := in.text.Read(p)
	in.size += uint64(n)
	_, _ = in.sum.Write(p[:n])
	if err != nil && err != io.EOF && in.failed == nil {
		in.broken = true
	}
	return n, err
}

// begin looks at the first bytes.
func (in *input) begin() {
	src := bufio.NewReader(packed{in})
	in.text = src
	if start, _ := src.Peek(2); string(start) != "\x1f\x8b" {
		if strings.HasSuffix(in.name, ".gz") {
			in.text = errReader{errors.New("its name ends with .gz, and it is not gzip")}
		}
		return
	}
	if z, err := gzip.NewReader(src); err == nil {
		in.text = z
	} else {
		in.text = errReader{err}
	}
}

// packed is the file as it is.
type packed struct{ *input }

func (p packed) Read(b []byte) (int, error) {
	n, err := p.file.Read(b)
	if err != nil && err != io.EOF {
		p.failed = err
	}
	return n, err
}

// An errReader is a reader that returns an error only.
type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

// described returns what the file is, once it was read to its end.
func (in *input) described(form string) File {
	return File{Name: in.name, Size: in.size, SHA256: hex.EncodeToString(in.sum.Sum(nil)), Form: form}
}
