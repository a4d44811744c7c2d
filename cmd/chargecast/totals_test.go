package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// TestSpans compares the name of every day's span with what package time makes of it, at both ends
// of the calendar and over a whole cycle of 400 years.
func TestSpans(t *testing.T) {
	ranges := []calendar.Window{
		calendar.Through(calendar.First(), calendar.First().AddDays(800)),
		calendar.Through(calendar.MustParse("1900-01-01"), calendar.MustParse("2300-12-31")),
		calendar.Through(calendar.Last().AddDays(-800), calendar.Last()),
	}
	for _, w := range ranges {
		for d := range w.Days() {
			year, month, day := d.Date()
			when := time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
			weekYear, week := when.ISOWeek()
			for by, want := range map[engine.By]string{
				engine.ByDay:     when.Format("2006-01-02"),
				engine.ByWeek:    fmt.Sprintf("%04d-W%02d", weekYear, week),
				engine.ByMonth:   when.Format("2006-01"),
				engine.ByQuarter: fmt.Sprintf("%04d-Q%d", year, (month+2)/3),
				engine.ByWeekday: strings.ToLower(when.Weekday().String()),
			} {
				s := spans[by]
				if got := s.name(s.begin(d)); got != want {
					t.Fatalf("%s by %s: got %s, want %s", d, by, got, want)
				}
			}
		}
	}
}
