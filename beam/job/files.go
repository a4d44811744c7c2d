package job

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// joined is the path of a file in a directory of any file system.
func joined(dir, name string) string { return strings.TrimRight(dir, "/") + "/" + name }

// base is the name of a file without its directory and its endings: that of a shard and of its
// states.
func base(file string) string {
	name := path.Base(filepath.ToSlash(file))
	name, _, _ = strings.Cut(name, ".")
	return name
}

// write writes a whole file or none: an earlier file stays until it is replaced. Attempts that run
// at the same time use temporary files of their own, and write the same bytes.
func write(ctx context.Context, name string, fill func(io.Writer) error) (err error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fs.Close()) }()
	temporary := name
	renamer, renames := fs.(filesystem.Renamer)
	renames = renames && !strings.Contains(name, "://") // object stores show a file once it is closed
	if renames {
		dir, last := path.Split(name)
		temporary = dir + "." + last + "." + rand.Text() + ".tmp"
	}
	// Cancelling the context keeps an object store from storing a partial file.
	writing, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := fs.OpenWrite(writing, temporary)
	if err != nil {
		return err
	}
	if err = fill(w); err != nil {
		cancel()
		_ = w.Close()
	} else if err = w.Close(); err == nil && renames {
		err = renamer.Rename(ctx, temporary, name)
	}
	if remover, ok := fs.(filesystem.Remover); err != nil && renames && ok {
		_ = remover.Remove(ctx, temporary)
	}
	return err
}

// list returns the files that a pattern names, in order.
func list(ctx context.Context, pattern string) ([]string, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return fs.List(ctx, pattern)
}

// open opens a file for reading; the file system is closed with it.
func open(ctx context.Context, name string) (io.ReadCloser, error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	file, err := fs.OpenRead(ctx, name)
	if err != nil {
		return nil, errors.Join(err, fs.Close())
	}
	return &opened{file, fs}, nil
}

type opened struct {
	io.ReadCloser
	fs filesystem.Interface
}

func (o *opened) Close() error { return errors.Join(o.ReadCloser.Close(), o.fs.Close()) }

// readAll reads a small file.
func readAll(ctx context.Context, name string) ([]byte, error) {
	file, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
