package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
)

// An input is a file of a shard. It counts and hashes what is read, and keeps an error of the file
// system, after which the work is repeated.
type input struct {
	name   string
	file   io.ReadCloser
	size   uint64
	sum    hash.Hash
	failed error // of the file system
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
	n, err := in.file.Read(p)
	in.size += uint64(n)
	_, _ = in.sum.Write(p[:n])
	if err != nil && err != io.EOF {
		in.failed = err
	}
	return n, err
}

// described returns what the file is, once it was read to its end.
func (in *input) described(form string) File {
	return File{Name: in.name, Size: in.size, SHA256: hex.EncodeToString(in.sum.Sum(nil)), Form: form}
}
