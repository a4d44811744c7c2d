package browser

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	ical "github.com/emersion/go-ical"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// TestCalendarForPrograms reads the iCalendar form with a library that did not write it: every charge and stop is an
// event of its own on its day, texts are what was put into them whatever is in the client-orderid, and the library
// finds nothing missing when it writes the calendar again.
func TestCalendarForPrograms(t *testing.T) {
	for _, until := range []string{"2026-01-10", "2026-06-30", "2027-12-31"} {
		h := record.Header{Schema: record.SchemaForecast, AsOf: calendar.MustParse("2026-01-10"), Until: calendar.MustParse(until), Zone: "UTC"}
		var b bytes.Buffer
		w := report.NewWriter(&b, h, report.Options{Form: report.FormICS})
		var want []string // a day and what is in the summary
		for i, p := range append(book(), oddIDs()...) {
			plan, err := engine.New(h.Policy).Compile(engine.Stored{Profile: p}, h.AsOf)
			if err != nil {
				t.Fatal(err)
			}
			w.Start(record.Profile{Subject: record.Subject{Profile: p.ID, Row: i + 1, Currency: p.Currency}})
			for c := range plan.Charges(calendar.Through(h.AsOf, h.Until)) {
				want = append(want, c.Date.String()+" "+p.ID)
				_ = w.Charge(&c)
			}
			end := plan.End(h.Until)
			if !end.Stop.Date.IsZero() {
				want = append(want, end.Stop.Date.String()+" "+p.ID)
			}
			_ = w.End(&end)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got := eventsOf(t, b.Bytes())
		if len(want) == 0 {
			continue // one event says that there are none
		}
		if len(got) != len(want) {
			t.Fatalf("to %s: %d events, want %d", until, len(got), len(want))
		}
		for _, x := range want {
			day, id, _ := strings.Cut(x, " ")
			i := slices.IndexFunc(got, func(e [2]string) bool { return e[0] == day && strings.Contains(e[1], id) })
			if i < 0 {
				t.Fatalf("to %s: no event for %q", until, x)
			}
			got = slices.Delete(got, i, i+1)
		}
	}
}

// oddIDs are profiles whose client-orderids have what iCalendar escapes or folds.
func oddIDs() []engine.Profile {
	list := book()[:4]
	for i, id := range []string{`a;b,c\n\\d:"e"`, strings.Repeat("ü", 64), "BEGIN:VEVENT", "x;VALUE=DATE:20260101"} {
		list[i].ID = id
	}
	return list
}

// eventsOf returns the day and the summary of each event.
func eventsOf(t *testing.T, text []byte) (list [][2]string) {
	t.Helper()
	cal, err := ical.NewDecoder(bytes.NewReader(text)).Decode()
	if err != nil {
		t.Fatal(err)
	}
	uids := map[string]bool{}
	for _, e := range cal.Events() {
		start, err := e.DateTimeStart(time.UTC)
		if err != nil || e.Props.Get(ical.PropDateTimeStart).ValueType() != ical.ValueDate {
			t.Fatalf("the event begins at %v, %v", start, err)
		}
		if end, err := e.DateTimeEnd(time.UTC); err != nil || end.Sub(start) != 24*time.Hour {
			t.Fatalf("the event of %v ends at %v, %v", start, end, err)
		}
		summary, err := e.Props.Text(ical.PropSummary)
		if err != nil {
			t.Fatal(err)
		}
		uid, err := e.Props.Text(ical.PropUID)
		if err != nil || uids[uid] {
			t.Fatalf("the id %q is there twice, or not a text: %v", uid, err)
		}
		uids[uid] = true
		list = append(list, [2]string{start.Format(time.DateOnly), summary})
	}
	if name, err := cal.Props.Text("NAME"); err != nil || name == "" {
		t.Errorf("the calendar has no name: %v", err)
	}
	var again bytes.Buffer
	if err := ical.NewEncoder(&again).Encode(cal); err != nil {
		t.Errorf("cannot be written again: %v", err)
	}
	if n := bytes.Count(again.Bytes(), []byte("\r\nBEGIN:VEVENT\r\n")); n != len(list) {
		t.Errorf("%d events were written again, of %d", n, len(list))
	}
	return list
}
