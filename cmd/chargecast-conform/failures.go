package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/program"
)

// failures are the tokens of cases that fail, one a line of the file failing.txt in --dir.
type failures struct {
	path   string
	tokens []string // of earlier runs, and those found in this one
}

// openFailures reads the tokens of a directory, which is made where it is missing.
func openFailures(dir string) (*failures, error) {
	f := &failures{path: filepath.Join(dir, "failing.txt")}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, program.Unreadable("--dir: the directory cannot be made: "+program.Reason(err), "give a directory, or a path where one can be made")
	}
	text, err := os.ReadFile(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, program.Unreadable("--dir: failing.txt cannot be read: "+program.Reason(err), "give the directory of an earlier run, or an empty one")
	}
	f.tokens = strings.Fields(string(text))
	return f, nil
}

// found writes a token before its case is made simpler, so that a run that is killed keeps it.
func (f *failures) found(token string) {
	if !slices.Contains(f.tokens, token) {
		_ = f.write(append(slices.Clone(f.tokens), token)) // the last time decides
	}
}

// save writes the tokens of the failures of a run, and those of an earlier one that were not judged.
func (f *failures) save(r kit.Report) error {
	var now []string
	for _, l := range r.Results {
		for _, failed := range l.Failures {
			if failed.Token != "" {
				now = append(now, failed.Token)
			}
		}
	}
	for _, token := range f.tokens {
		if !slices.Contains(r.Mended, token) && !slices.Contains(now, token) {
			now = append(now, token)
		}
	}
	if err := f.write(now); err != nil {
		return program.Internal("--dir: failing.txt cannot be written: "+program.Reason(err), "check the directory and the space on its disk")
	}
	return nil
}

func (f *failures) write(tokens []string) error {
	text := strings.Join(tokens, "\n")
	if text != "" {
		text += "\n"
	}
	if err := os.WriteFile(f.path+".tmp", []byte(text), 0o666); err != nil {
		return err
	}
	return os.Rename(f.path+".tmp", f.path)
}
