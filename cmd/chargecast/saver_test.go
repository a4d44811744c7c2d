package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/race"
)

// TestSavedStatesGoOn pauses a forecast once a week, also on the last days of January and February: what was listed before and what a
// forecast from the saved states lists afterwards are the charges, ends and stops of one that never
// paused, with the same reasons.
func TestSavedStatesGoOn(t *testing.T) {
	race.Skip(t)
	payload, err := filepath.Abs("../../testdata/payloads/demo.csv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("script.jsonl", []byte(`{"repeat":1,"outcome":"declined"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const begin, end = "2026-01-10", "2026-04-30"
	for _, c := range []struct {
		reason string
		args   []string
	}{
		{"by default", []string{"forecast"}},
		{"reasons", []string{"forecast", "--explain"}},
		{"catch-up", []string{"forecast", "--policy", "start-past=catch-up,run-missed=catch-up,resume-missed=catch-up"}},
		{"other due days", []string{"forecast", "--policy", "month-end=next-first,finish-bound=exclusive,max-counts=repeats-after-first"}},
		{"drawn amounts and declined attempts", []string{"simulate", "--seed", "5", "--script", "script.jsonl"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			of := func(args ...string) string {
				var out, log bytes.Buffer
				args = append(append(append([]string{}, c.args...), "-o", "ndjson", payload), args...)
				if code := run(args, strings.NewReader(""), &out, &log); code != 0 {
					t.Fatalf("%q: exit %d: %s", args, code, log.String())
				}
				return out.String()
			}
			whole := of("--as-of", begin, "--until", end)
			for d := calendar.MustParse(begin); d.Before(calendar.MustParse(end)); d = d.AddDays(7) {
				before := of("--as-of", begin, "--until", d.String(), "--save-state", "saved.jsonl")
				after := of("--as-of", d.AddDays(1).String(), "--until", end, "--state", "saved.jsonl")
				if got, want := byProfile(before, after), byProfile(whole, whole); got != want {
					t.Fatalf("paused after %s:\ngot\n%s\nwant\n%s", d, got, want)
				}
			}
		})
	}
}

var ofProfile = regexp.MustCompile(`"profile":"([^"]*)"`)

// byProfile joins the charges of two outputs, each once, and the ends of the second, profile by
// profile.
func byProfile(before, after string) string {
	charges, ends, ids := map[string]string{}, map[string]string{}, []string{}
	for _, line := range strings.SplitAfter(after, "\n") {
		if strings.HasPrefix(line, `{"type":"end"`) {
			id := ofProfile.FindStringSubmatch(line)[1]
			ends[id], ids = line, append(ids, id)
		}
	}
	for _, line := range strings.SplitAfter(before+after, "\n") {
		if strings.HasPrefix(line, `{"type":"charge"`) {
			if id := ofProfile.FindStringSubmatch(line)[1]; !strings.Contains(charges[id], line) {
				charges[id] += line
			}
		}
	}
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(charges[id] + ends[id])
	}
	return b.String()
}
