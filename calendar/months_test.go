package calendar

import (
	"math"
	"testing"
	"time"
)

// Goal: AddMonths keeps the day of the month, takes the last one of a shorter month, and never wraps.
// Method: every day of a cycle of 400 years against package time, and a table for the ends.

func TestAddMonthsAgainstTime(t *testing.T) {
	for d := day("1800-01-01"); d.Before(day("2201-01-01")); d = d.AddDays(17) {
		year, month, dayOfMonth := d.Date()
		for _, n := range []int{-4803, -25, -12, -1, 0, 1, 2, 3, 11, 12, 13, 4800, 90000} {
			first := time.Date(year, month+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
			last := first.AddDate(0, 1, -1).Day()
			want := Of(first.AddDate(0, 0, min(dayOfMonth, last)-1))
			if first.Year() > 9999 {
				want = pastEnd
			}
			if got := d.AddMonths(n); got != want {
				t.Fatalf("%v and %d months: %v, want %v", d, n, got, want)
			}
		}
	}
}

func TestAddMonthsAtTheEnds(t *testing.T) {
	for _, r := range []struct {
		from   string
		months int
		want   Date
		reason string
	}{
		{"2026-01-31", 1, day("2026-02-28"), "clamped to the month's end"},
		{"2028-01-31", 1, day("2028-02-29"), "a leap day is a month's end"},
		{"2026-01-31", 2, day("2026-03-31"), "counted from the day itself, without drift"},
		{"2026-03-31", -1, day("2026-02-28"), "backwards"},
		{"2026-01-15", -12, day("2025-01-15"), "a year back"},
		{"0001-01-31", -1, Date{}, "before the calendar"},
		{"0001-12-31", -11, day("0001-01-31"), "the first month"},
		{"9999-11-30", 1, day("9999-12-30"), "the last month"},
		{"9999-12-01", 1, pastEnd, "past the calendar"},
		{"2026-01-31", math.MaxInt, pastEnd, "no wrap"},
		{"2026-01-31", math.MinInt, Date{}, "no wrap backwards"},
	} {
		if got := day(r.from).AddMonths(r.months); got != r.want {
			t.Errorf("%s and %d months: %v, want %v (%s)", r.from, r.months, got, r.want, r.reason)
		}
	}
	for _, d := range []Date{{}, pastEnd} {
		if got := d.AddMonths(7); got != d {
			t.Errorf("%v moved to %v", d, got)
		}
	}
}
