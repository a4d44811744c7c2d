package main

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
)

// TestCheckedIn: the program writes what is checked in, byte for byte and so the same each time, and every file that is checked in
// has an author: the program, or the people who worked the public ones out.
func TestCheckedIn(t *testing.T) {
	out, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range out {
		have, err := fs.ReadFile(vector.Files(), name)
		if err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s is not what the program writes: go run ./fuzz/vector/generate (%v)", name, err)
		}
	}
	for _, name := range vector.Names() {
		if _, ours := out[name+".jsonl"]; !ours && !strings.HasSuffix(name, "-public") {
			t.Errorf("%s has no author", name)
		}
	}
}

// TestSheetRefuses: two vectors with one input, and a clause that does not exist, are errors.
func TestSheetRefuses(t *testing.T) {
	d := draft{id: "a", op: "encode", reason: "r", clauses: "5.2", input: "x", expect: "x"}
	again, unknown := d, d
	again.id = "b"
	unknown.input, unknown.clauses = "y", "5.2 L999"
	for _, second := range []draft{again, unknown} {
		s := sheet{source: "s"}
		s.add(d)
		if s.err != nil {
			t.Fatal(s.err)
		}
		if s.add(second); s.err == nil {
			t.Errorf("%s: no error", second.id)
		}
	}
}
