package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
)

// TestWrite: every seed of every target is a file, byte for byte.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	for _, target := range fuzz.Targets() {
		want := map[string]bool{}
		for _, s := range target.Seeds {
			want[s.Data] = true
		}
		files, err := os.ReadDir(filepath.Join(dir, target.Name))
		if err != nil || len(files) != len(want) {
			t.Errorf("%s has %d files, want %d: %v", target.Name, len(files), len(want), err)
		}
		for _, f := range files {
			if text, err := os.ReadFile(filepath.Join(dir, target.Name, f.Name())); err != nil || !want[string(text)] {
				t.Errorf("%s: %q, %v", target.Name, text, err)
			}
		}
	}
}
