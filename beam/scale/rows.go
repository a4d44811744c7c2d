//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chargecast/chargecast/internal/workload"
)

// writeBook writes a book of rows, divided evenly into files.
func writeBook(dir string, rows, files int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for file := range files {
		if err := writeShard(filepath.Join(dir, fmt.Sprintf("%05d.csv", file)), file*(rows/files), (file+1)*(rows/files)); err != nil {
			return err
		}
	}
	return nil
}

func writeShard(name string, from, to int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	_, _ = w.Write(workload.Plain.AppendHeader(nil))
	var line []byte
	for i := from; i < to; i++ {
		line = workload.Plain.AppendRow(line[:0], uint64(i))
		_, _ = w.Write(line)
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
