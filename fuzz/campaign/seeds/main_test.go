package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chargecast/chargecast/fuzz/campaign"
)

// TestWrite: every seed of every target is a file, byte for byte.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	for _, of := range campaign.Targets() {
		want := map[string]bool{}
		for _, s := range of.Seeds {
			want[s.Data] = true
		}
		files, err := os.ReadDir(filepath.Join(dir, of.Name))
		if err != nil || len(files) != len(want) {
			t.Errorf("%s has %d files, want %d: %v", of.Name, len(files), len(want), err)
		}
		for _, f := range files {
			if text, err := os.ReadFile(filepath.Join(dir, of.Name, f.Name())); err != nil || !want[string(text)] {
				t.Errorf("%s: %q, %v", of.Name, text, err)
			}
		}
	}
}
