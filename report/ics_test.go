package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/report"
)

// An icsEvent is a component of a calendar, with its properties unescaped.
type icsEvent map[string]string

// parseICS reads a calendar as strictly as RFC 5545 is written: lines end in CRLF, have at most 75
// bytes and are folded between characters; properties have a name and a value; every event has what
// 3.6.1 requires, once.
func parseICS(t *testing.T, b []byte) (properties map[string]string, events []icsEvent) {
	t.Helper()
	text := string(b)
	if !strings.HasSuffix(text, "\r\n") {
		t.Fatal("the last line has no end")
	}
	var lines []string
	for physical := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(physical) > 75 || strings.ContainsAny(physical, "\r\n") || !utf8.ValidString(physical) {
			t.Fatalf("a line of %d bytes: %q", len(physical), physical)
		}
		if rest, folded := strings.CutPrefix(physical, " "); folded && len(lines) > 0 {
			lines[len(lines)-1] += rest
			continue
		}
		lines = append(lines, physical)
	}
	properties = map[string]string{}
	var event icsEvent
	for i, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Fatalf("line %d: %q", i+1, line)
		}
		name, _, _ = strings.Cut(name, ";")
		switch {
		case line == "BEGIN:VEVENT" && event == nil:
			event = icsEvent{}
		case line == "END:VEVENT" && event != nil:
			checkEvent(t, event)
			events, event = append(events, event), nil
		case name == "BEGIN" || name == "END":
			if wrong := event != nil || i != 0 && i != len(lines)-1; wrong || value != "VCALENDAR" {
				t.Fatalf("line %d: %q", i+1, line)
			}
		default:
			into := properties
			if event != nil {
				into = event
			}
			if _, twice := into[name]; twice {
				t.Fatalf("%s comes twice", name)
			}
			into[name] = value
			if name == "SUMMARY" || name == "DESCRIPTION" || name == "NAME" {
				into[name] = unescapeICS(t, value)
			}
		}
	}
	for _, required := range []string{"VERSION", "PRODID"} {
		if properties[required] == "" {
			t.Errorf("the calendar has no %s", required)
		}
	}
	if len(events) == 0 {
		t.Error("a calendar needs a component (3.6)")
	}
	return properties, events
}

func checkEvent(t *testing.T, e icsEvent) {
	t.Helper()
	for _, required := range []string{"UID", "DTSTAMP", "DTSTART", "SUMMARY"} {
		if e[required] == "" {
			t.Errorf("%v has no %s", e, required)
		}
	}
	day := e["DTSTART"]
	if len(day) != 8 {
		t.Fatalf("DTSTART %q", day)
	}
	if _, err := calendar.Parse(day[:4] + "-" + day[4:6] + "-" + day[6:]); err != nil {
		t.Errorf("DTSTART %q: %v", day, err)
	}
}

// unescapeICS reads a TEXT value (3.3.11).
func unescapeICS(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ',', ';':
			t.Fatalf("%q stands alone in %q", s[i], s)
		case '\\':
			if i++; i == len(s) || !strings.ContainsRune(`\;,nN`, rune(s[i])) {
				t.Fatalf("a bad escape in %q", s)
			}
			if s[i] == 'n' || s[i] == 'N' {
				b.WriteByte('\n')
				continue
			}
			fallthrough
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

var icsOptions = report.Options{Form: report.FormICS}

// TestICS: the charges and the stops of a forecast are events on their days.
func TestICS(t *testing.T) {
	properties, events := parseICS(t, write(t, header("2026-01-10", "2026-03-31"), icsOptions, demo()...))
	if got := properties["NAME"]; got != "Forecast of charges, from 2026-01-10 to 2026-03-31" {
		t.Errorf("NAME %q", got)
	}
	var days []string
	for _, e := range events {
		if strings.HasPrefix(e["SUMMARY"], "lessons: ") {
			days = append(days, e["DTSTART"]+" "+e["SUMMARY"]+" ("+e["DESCRIPTION"]+")")
		}
	}
	want := []string{
		"20260116 lessons: 1500 JPY (repeat 0; stated)",
		"20260130 lessons: 1500 JPY (repeat 1; stated)",
		"20260213 lessons: 1500 JPY (repeat 2; stated)",
		"20260227 lessons: 1500 JPY (repeat 3; stated)",
		"20260227 lessons: stopped (max-repeats-number is reached; inferred)",
	}
	if !slices.Equal(days, want) {
		t.Errorf("got %q", days)
	}
}

// TestICSIdsAreUnique within a calendar: also after resumes that begin again, manual charges that
// do not count.
func TestICSIdsAreUnique(t *testing.T) {
	script := steps()
	for d := date("2026-03-01"); d.Before(date("2026-06-01")); d = d.AddDays(9) {
		script = append(script,
			engine.Step{Event: engine.Event{Date: d, Kind: engine.EventCharge}},
			engine.Step{Event: engine.Event{Date: d, Kind: engine.EventCharge}},
			engine.Step{Event: engine.Event{Date: d.AddDays(1), Kind: engine.EventStop}},
			engine.Step{Event: engine.Event{Date: d.AddDays(2), Kind: engine.EventResume}})
	}
	for _, policy := range []string{"", "resume-counter=reset", "manual-counts=no", "resume-counter=reset,manual-counts=no", "manual-when-stopped=allow,resume-missed=catch-up"} {
		h := header("2026-01-10", "2026-06-30")
		var err error
		if h.Policy, err = engine.ParsePolicy(policy); err != nil && policy != "" {
			t.Fatal(err)
		}
		profiles := demo()
		_, events := parseICS(t, simulate(t, h, icsOptions, script, profiles...))
		seen := map[string]string{}
		for _, e := range events {
			if first, twice := seen[e["UID"]]; twice {
				t.Errorf("%s: %q and %q have the id %s", policy, first, e["SUMMARY"], e["UID"])
			}
			seen[e["UID"]] = e["DTSTART"] + " " + e["SUMMARY"] + " " + e["DESCRIPTION"]
		}
	}
}

// TestICSIdsStay: ids do not depend on the order of the rows, on the window or on the day on which
// the forecast is made, and two payloads share none. A forecast made later numbers charges from
// that day on, and gave each another id.
func TestICSIdsStay(t *testing.T) {
	idsAsOf := func(asOf, h string, profiles ...engine.Profile) map[string]string {
		_, events := parseICS(t, write(t, header(asOf, h), icsOptions, profiles...))
		m := map[string]string{}
		for _, e := range events {
			m[e["DTSTART"]+e["SUMMARY"]] = e["UID"]
		}
		return m
	}
	ids := func(h string, profiles ...engine.Profile) map[string]string {
		return idsAsOf("2026-01-10", h, profiles...)
	}
	first := ids("2026-03-31", demo()...)
	turned := demo()
	slices.Reverse(turned)
	for _, again := range []map[string]string{ids("2026-06-30", turned...), idsAsOf("2026-02-10", "2026-03-31", demo()...)} {
		known := 0
		for what, id := range again {
			if before, there := first[what]; there {
				if known++; before != id {
					t.Errorf("%s has the ids %s and %s", what, before, id)
				}
			}
		}
		if known == 0 {
			t.Error("no charge is in both calendars")
		}
	}
	others := demo()
	for i := range others {
		others[i].ID += "x"
	}
	known := map[string]bool{}
	for _, id := range first {
		known[id] = true
	}
	for what, id := range ids("2026-03-31", others...) {
		if known[id] {
			t.Errorf("%s has an id of another payload", what)
		}
	}
}

// TestICSWithoutCharges has one event that says so.
func TestICSWithoutCharges(t *testing.T) {
	for _, profiles := range [][]engine.Profile{nil, demo()[:1]} {
		_, events := parseICS(t, write(t, header("2026-01-10", "2026-01-12"), icsOptions, profiles...))
		if len(events) != 1 || events[0]["SUMMARY"] != "No charges from 2026-01-10 to 2026-01-12" {
			t.Errorf("%v", events)
		}
	}
}

// TestICSEvents: a simulation has its events and each stop, also one that a resume followed.
func TestICSEvents(t *testing.T) {
	_, events := parseICS(t, simulate(t, header("2026-01-10", "2026-03-31"), icsOptions, steps(), demo()[0]))
	var got []string
	for _, e := range events {
		got = append(got, e["DTSTART"][4:]+strings.TrimPrefix(e["SUMMARY"], "rent-31"))
	}
	want := []string{
		"0122: charge accepted", "0122: 850.00 EUR", "0122: charge accepted", "0122: 850.00 EUR, declined", "0129: stop accepted", "0129: stopped",
		"0130: resume refused", "0202: resume accepted", "0220: stop accepted", "0220: stopped",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestICSText: every text comes back from escaping and folding as it was.
func TestICSText(t *testing.T) {
	for _, id := range []string{`a;b,c\d`, `\n`, strings.Repeat("界", 60), strings.Repeat("a", 70) + "é" + strings.Repeat(",", 80), "BEGIN:VEVENT", "a\r\nEND:VCALENDAR"} {
		p := demo()[0]
		p.ID = id
		_, events := parseICS(t, write(t, header("2026-01-10", "2026-01-31"), icsOptions, p))
		want := strings.NewReplacer("\r", `\u000d`, "\n", `\u000a`).Replace(id) + ": 850.00 EUR"
		if len(events) != 1 || events[0]["SUMMARY"] != want {
			t.Errorf("%q became %q", id, events)
		}
	}
}

// TestICSWritesWholeLines: writes end with a whole line.
func TestICSWritesWholeLines(t *testing.T) {
	var w lineChecker
	r := report.NewWriter(&w, header("2026-01-10", "2026-06-30"), report.Options{Form: report.FormICS, Buffer: 100})
	h := header("2026-01-10", "2026-06-30")
	for i, p := range demo() {
		forecast(t, r, h, &p, i+1)
	}
	if err := r.Close(); err != nil || w.cut || w.n < 5 {
		t.Errorf("%v, %d writes", err, w.n)
	}
}

// A lineChecker notes whether a write ends within a line.
type lineChecker struct {
	n   int
	cut bool
}

func (w *lineChecker) Write(p []byte) (int, error) {
	w.n++
	w.cut = w.cut || !bytes.HasSuffix(p, []byte("\n"))
	return len(p), nil
}
