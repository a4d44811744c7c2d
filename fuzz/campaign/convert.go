package campaign

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// goHeader is the first line of a file of the Go engine.
const goHeader = "go test fuzz v1\n"

// errGoInput is a file that is not an input of the Go engine for a target of one []byte.
var errGoInput = errors.New("not an input of go test -fuzz with one []byte")

// goInput is an input of a target as a file of the Go engine; rawInput is the inverse.
func goInput(raw []byte) []byte {
	return append(strconv.AppendQuote([]byte(goHeader+"[]byte("), string(raw)), ")\n"...)
}

// rawInput reads a file of the Go engine.
func rawInput(file []byte) ([]byte, error) {
	text := strings.ReplaceAll(string(file), "\r\n", "\n") // as git may leave it on Windows
	line, header := strings.CutPrefix(text, goHeader)
	line, opened := strings.CutPrefix(strings.TrimSpace(line), "[]byte(")
	quoted, closed := strings.CutSuffix(line, ")")
	if !header || !opened || !closed || quoted == "" || quoted[0] == '\'' {
		return nil, errGoInput
	}
	raw, err := strconv.Unquote(quoted)
	if err != nil {
		return nil, errGoInput
	}
	return []byte(raw), nil
}

func identity(raw []byte) []byte { return raw }

// carry copies the inputs of each engine to the other. Each input is one file, named by the
// checksum of its bytes.
func (s *Store) carry(target string) error {
	if s == nil {
		return nil
	}
	native, raw := filepath.Join(s.dir, nativeDir, target), filepath.Join(s.dir, rawDir, target)
	ours, err := named(native, rawInput)
	if err != nil {
		return because(ErrKeep, err)
	}
	theirs, err := named(raw, func(file []byte) ([]byte, error) { return file, nil })
	if err != nil {
		return because(ErrKeep, err)
	}
	if err := errors.Join(s.add(raw, ours, theirs, identity), s.add(native, theirs, ours, goInput)); err != nil {
		return because(ErrKeep, err)
	}
	return nil
}

// named renames every input of a directory to the checksum of its bytes, so that equal inputs
// become one file, and returns them by name. Other files stay as they are; a missing directory is
// empty.
func named(dir string, read func(file []byte) ([]byte, error)) (map[string][]byte, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	inputs := map[string][]byte{}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if !f.Type().IsRegular() {
			continue
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		raw, err := read(file)
		if err != nil {
			continue
		}
		name := checkSum(raw)
		inputs[name] = raw
		if name != f.Name() {
			if err := os.Rename(path, filepath.Join(dir, name)); err != nil {
				return nil, err
			}
		}
	}
	return inputs, err
}

// add writes the inputs that a directory lacks. Each is written outside the directories that
// engines read, and renamed, so that no engine sees a part of one.
func (s *Store) add(dir string, inputs, there map[string][]byte, as func(raw []byte) []byte) error {
	for name, raw := range inputs {
		if _, ok := there[name]; ok {
			continue
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		if err := placeFile(s.path(halfInput), filepath.Join(dir, name), as(raw)); err != nil {
			return err
		}
	}
	return nil
}
