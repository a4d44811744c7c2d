package main

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine/sqlvalue"
)

// step runs the program, which must print what is wanted.
func step(t *testing.T, path, day, stop, declined, want string) {
	t.Helper()
	var out bytes.Buffer
	if err := run(&out, path, day, stop, declined); err != nil || out.String() != want {
		t.Errorf("%s %s%s: %q, %v, want %q", day, stop, declined, out.String(), err, want)
	}
}

// TestLife: a second run of a day charges nothing, nor does one of an earlier day; after an outage
// each charge is dated on its due day; a stop lets the runs before it take place; a decline that is
// told later is kept beside the charge.
func TestLife(t *testing.T) {
	path := filepath.Join(t.TempDir(), "billing.db")
	step(t, path, "2026-01-10", "", "", "")
	step(t, path, "2026-01-31", "", "", "rent-31 2026-01-31 850.00 EUR repeat 0\n")
	step(t, path, "2026-01-31", "", "", "")
	step(t, path, "2026-01-15", "", "", "")
	step(t, path, "2026-03-01", "", "", strings.Join([]string{ // the job was out for a month
		"rent-31 2026-02-28 850.00 EUR repeat 1",
		"usage 2026-02-10 3.45 EUR repeat 0",
		"usage 2026-02-17 9.80 EUR repeat 1",
		"usage 2026-02-24 8.34 EUR repeat 2", "",
	}, "\n"))
	step(t, path, "", "", "rent-31=2026-02-28", "")
	step(t, path, "2026-03-20", "usage", "", "usage 2026-03-03 9.30 EUR repeat 3\nusage 2026-03-10 3.82 EUR repeat 4\nusage 2026-03-17 6.66 EUR repeat 5\nusage stopped on 2026-03-20\n")
	step(t, path, "2026-04-01", "", "", "rent-31 2026-03-31 850.00 EUR repeat 2\n")

	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT day, outcome FROM charges WHERE profile = 'rent-31' ORDER BY day`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var day calendar.Date
		var outcome string
		if err := rows.Scan(sqlvalue.Of(&day), &outcome); err != nil {
			t.Fatal(err)
		}
		got = append(got, day.String()+" "+outcome)
	}
	if want := "2026-01-31 unknown, 2026-02-28 declined, 2026-03-31 unknown"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRefused: a day that is none, and a charge that is not there, change nothing.
func TestRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "billing.db")
	step(t, path, "2026-01-31", "", "", "rent-31 2026-01-31 850.00 EUR repeat 0\n")
	for _, c := range [][3]string{{"31.01.2026"}, {""}, {"2026-01-10", "usage"}, {"", "", "rent-31=2026-03-31"}} {
		if err := run(new(bytes.Buffer), path, c[0], c[1], c[2]); err == nil {
			t.Errorf("%q is no error", c)
		}
	}
}
