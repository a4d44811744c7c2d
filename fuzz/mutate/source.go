package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// A source is a package with its types, and the mutants that were found in it so far.
type source struct {
	dir     string
	pkg     *types.Package
	info    *types.Info
	set     *token.FileSet
	files   []*ast.File
	text    map[*ast.File]string
	sum     string // of all files but tests: verdicts of other sources are not those of this one
	mutants []*mutant
}

// load reads the package that the pattern names, with the export data of what it imports.
func load(pattern string) (*source, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-json=Dir,ImportPath,Export,GoFiles,DepOnly", pattern)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pattern, err)
	}
	s := &source{set: token.NewFileSet(), text: map[*ast.File]string{}}
	exports := map[string]string{}
	path, names, err := s.packages(out, exports)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return nil, err
		}
		sum.Write(text)
		file, err := parser.ParseFile(s.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, file)
		s.text[file] = string(text)
	}
	s.sum = hex.EncodeToString(sum.Sum(nil))
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	conf := types.Config{Importer: importer.ForCompiler(s.set, "gc", lookup)}
	s.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	s.pkg, err = conf.Check(path, s.set, s.files, s.info)
	return s, err
}

// packages reads what go list wrote: the export data of all, and the one package that was meant.
func (s *source) packages(list []byte, exports map[string]string) (path string, names []string, err error) {
	for rest := json.NewDecoder(bytes.NewReader(list)); ; {
		var p struct {
			Dir, ImportPath, Export string
			GoFiles                 []string
			DepOnly                 bool
		}
		if err := rest.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.DepOnly {
			continue
		}
		if path != "" {
			return "", nil, errors.New("one package at a time: its tests alone are run")
		}
		s.dir, path, names = p.Dir, p.ImportPath, p.GoFiles
	}
	return path, names, nil
}
