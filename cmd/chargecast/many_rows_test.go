package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/race"
)

// manyDaily writes a payload of so many profiles that charge 1.50 every day from 1 January 2026 on.
func manyDaily(to io.WriteCloser, profiles int) {
	one := payloadOf(map[string]string{
		"rp_card_type": "SRC", "amount": "1.50", "currency": "EUR", "period": "day", "interval": "1", "start-date": "01.01.2026",
	})
	header, row, _ := strings.Cut(one, "\n")
	w := bufio.NewWriter(to)
	_, _ = w.WriteString(header + "\n")
	for i := range profiles {
		_, _ = w.WriteString(strings.Replace(row, vectorID, vectorID+strconv.Itoa(i), 1))
	}
	_ = w.Flush()
	_ = to.Close()
}

// TestDailyProfilesForAHundredYears (h295): totals by month of daily profiles do not enumerate their charges,
// of which a million profiles have 36,525,000,000. It takes 2,000 profiles, or as many as CHARGECAST_PROFILES
// says.
func TestDailyProfilesForAHundredYears(t *testing.T) {
	profiles := 2_000
	if text := os.Getenv("CHARGECAST_PROFILES"); text != "" {
		var err error
		if profiles, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	payload, to := io.Pipe()
	go manyDaily(to, profiles)
	var out, messages strings.Builder
	args := []string{"forecast", "--as-of", "2026-01-01", "--until", "2125-12-31", "--by", "month", "-o", "ndjson"}
	if code := run(args, payload, &out, &messages); code != 0 {
		t.Fatalf("exit %d: %s", code, &messages)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")[1:]
	lines = lines[:len(lines)-1] // but for the summary
	if len(lines) != 1200 {
		t.Fatalf("%d totals, want 1200", len(lines))
	}
	month := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for _, line := range lines {
		var got struct {
			Month, Max string
			Charges    int
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		next := month.AddDate(0, 1, 0)
		charges := profiles * int(next.Sub(month).Hours()/24)
		if cents := charges * 150; got.Month != month.Format("2006-01") || got.Charges != charges || got.Max != fmt.Sprintf("%d.%02d", cents/100, cents%100) {
			t.Fatalf("%s: want %d charges", line, charges)
		}
		month = next
	}
}

// TestRepeatedIDsOfSeveralFiles: that not all rows were compared is said once, of all files; a warning and a note said it,
// and the note named the last file, which has fewer rows.
func TestRepeatedIDsOfSeveralFiles(t *testing.T) {
	race.Skip(t)
	last := filepath.Join(t.TempDir(), "last.csv")
	if err := os.WriteFile(last, []byte(payloadOf(map[string]string{"rp_card_type": "DST", "amount": "1.50", "currency": "EUR"})), 0o600); err != nil {
		t.Fatal(err)
	}
	payload, to := io.Pipe()
	go manyDaily(to, inGate(251_000, 700_000))
	var messages strings.Builder
	if code := run([]string{"forecast", "--as-of", "2026-01-01", "--until", "2026-01-01", "--by", "month", "-", last}, payload, io.Discard, &messages); code != 0 {
		t.Fatalf("exit %d: %s", code, &messages)
	}
	if got := messages.String(); strings.Count(got, "limit-order-ids") != 1 || !strings.Contains(got, "(limit: 250000 rows)") || strings.Contains(got, "note:") {
		t.Errorf("got %q, want one warning", got)
	}
}
