package vectortest

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// schema is the form of a line.
const schema = "chargecast.vector/1"

// The verdicts of a vector.
const (
	Valid       = "valid"       // the input is accepted and Expect comes of it
	Invalid     = "invalid"     // the input is refused as Expect says
	Unspecified = "unspecified" // the document is silent: Readings has one expectation per value of Key
)

//go:embed testdata/*.jsonl testdata/rows.json
var files embed.FS

// A Vector is a line of a file: one case, with what it rests on and where it comes from.
type Vector struct {
	Schema  string   `json:"schema"`
	ID      string   `json:"id"`
	Op      string   `json:"op"`      // what is done with Input, as README.md lists them
	Reason  string   `json:"reason"`  // the one fault or idea
	Clauses []string `json:"clauses"` // of the document and the ledger
	Basis   string   `json:"basis"`   // the weakest basis of the clauses: stated, inferred, assumed
	Verdict string   `json:"verdict"` // Valid, Invalid or Unspecified
	Source  string   `json:"source"`  // where the expectation comes from
	Licence string   `json:"licence"` // of that source

	Input    json.RawMessage            `json:"input"`
	Expect   json.RawMessage            `json:"expect,omitempty"`
	Key      string                     `json:"key,omitempty"`      // the policy key that decides
	Readings map[string]json.RawMessage `json:"readings,omitempty"` // by value of Key
}

// ErrLine is the error of a line that is not a vector; the error that wraps it names the line.
var ErrLine = errors.New("not a vector")

// Files are the files of this package: lines of vectors, and rows.json with the rows that payload
// vectors change.
func Files() fs.FS {
	sub, err := fs.Sub(files, "testdata")
	if err != nil { // the path is a constant
		panic(err)
	}
	return sub
}

// Family are the vectors of one embedded file by its name without extension, in order.
func Family(t *testing.T, name string) []Vector {
	t.Helper()
	text, err := fs.ReadFile(Files(), name+".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	list, err := Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(name, err)
	}
	return list
}

// All are the vectors of every embedded file.
func All(t *testing.T) (all []Vector) {
	t.Helper()
	names, err := fs.Glob(Files(), "*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		all = append(all, Family(t, strings.TrimSuffix(name, ".jsonl"))...)
	}
	return all
}

// Read reads vectors, one a line. Members that it does not know are ignored; a line of another schema,
// or without one of the members that every vector has, is an error that wraps [ErrLine].
func Read(r io.Reader) ([]Vector, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var list []Vector
	for line := range bytes.Lines(text) {
		var v Vector
		if json.Unmarshal(line, &v) != nil || !v.whole() {
			return nil, errors.Join(ErrLine, errors.New("line "+strconv.Itoa(len(list)+1)))
		}
		list = append(list, v)
	}
	return list, nil
}

// whole reports whether every member is there that a vector with this verdict needs.
func (v *Vector) whole() bool {
	if slices.Contains([]string{v.ID, v.Op, v.Reason, v.Basis, v.Source, v.Licence, string(v.Input)}, "") {
		return false
	}
	if v.Schema != schema || len(v.Clauses) == 0 {
		return false
	}
	switch v.Verdict {
	case Valid, Invalid:
		return v.Expect != nil && v.Key == "" && v.Readings == nil
	case Unspecified:
		return v.Expect == nil && v.Key != "" && len(v.Readings) > 1
	}
	return false
}

// Input is the input of a vector.
func Input[T any](t *testing.T, v Vector) T {
	t.Helper()
	return decoded[T](t, v.Input)
}

// Expect is what must come of a vector; the zero T where it has none.
func Expect[T any](t *testing.T, v Vector) T {
	t.Helper()
	return decoded[T](t, v.Expect)
}

func decoded[T any](t *testing.T, text json.RawMessage) (value T) {
	t.Helper()
	if text == nil {
		return value
	}
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}
