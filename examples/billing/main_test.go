package main

import (
	"bytes"
	"path/filepath"
	"testing"
)

// TestEachDayIsChargedOnce: a second run of a day charges nothing, and the state survives the program.
func TestEachDayIsChargedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "billing.db")
	for _, c := range []struct{ day, want string }{
		{"2026-01-10", ""},
		{"2026-01-31", "rent-31 2026-01-31 850.00 EUR repeat 0\n"},
		{"2026-01-31", ""},
		{"2026-02-27", ""},
		{"2026-02-28", "rent-31 2026-02-28 850.00 EUR repeat 1\n"},
		{"2026-04-01", "rent-31 2026-03-31 850.00 EUR repeat 2\n"},
	} {
		var out bytes.Buffer
		if err := run(&out, path, c.day); err != nil || out.String() != c.want {
			t.Errorf("%s: %q, %v, want %q", c.day, out.String(), err, c.want)
		}
	}
	if err := run(new(bytes.Buffer), path, "2026-03-01"); err == nil {
		t.Error("a day before the last run is charged")
	}
}
