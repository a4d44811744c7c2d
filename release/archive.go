package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// A tree is what an archive holds: files by name, of which the programs can be run.
type tree struct{ files []file }

type file struct {
	name string // with slashes
	mode os.FileMode
	data []byte
}

func (t *tree) add(name string, data []byte) { t.files = append(t.files, file{name, 0o644, data}) }

func (t *tree) addProgram(name string, data []byte) {
	t.files = append(t.files, file{name, 0o755, data})
}

// addFile adds a file of the disk.
func (t *tree) addFile(name, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	t.add(name, data)
	return nil
}

// sorted are the files in the order of their names, below the directory dir.
func (t *tree) sorted(dir string) []file {
	list := slices.Clone(t.files)
	for i := range list {
		list[i].name = path.Join(dir, list[i].name)
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return list
}

// writeTar writes a tar.gz of the files, all of one time, owned by nobody.
func (t *tree) writeTar(w io.Writer, dir string, at time.Time) error {
	zw, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	for _, f := range t.sorted(dir) {
		head := &tar.Header{
			Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: f.name,
			Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: at,
		}
		if err := tw.WriteHeader(head); err != nil {
			return err
		}
		if _, err := tw.Write(f.data); err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return zw.Close()
}

// writeZip writes a zip of the files, all of one time.
func (t *tree) writeZip(w io.Writer, dir string, at time.Time) error {
	zw := zip.NewWriter(w)
	for _, f := range t.sorted(dir) {
		head := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		head.SetMode(f.mode)
		fw, err := zw.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := fw.Write(f.data); err != nil {
			return err
		}
	}
	return zw.Close()
}
