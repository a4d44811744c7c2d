package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// Goal: periods and their texts are those of package time. Method: the days of 40 years, and the
// first and the last days of the calendar.
func TestPeriods(t *testing.T) {
	windows := []calendar.Window{
		calendar.Through(day("1996-12-20"), day("2037-01-10")),
		calendar.Through(calendar.MinDate(), day("0002-02-01")),
		calendar.Through(day("9998-12-20"), calendar.MaxDate()),
	}
	for _, w := range windows {
		for d := w.First(); w.Contains(d); d = d.AddDays(1) {
			year, month, n := d.Date()
			clock := time.Date(year, month, n, 12, 0, 0, 0, time.UTC)
			weekYear, week := clock.ISOWeek()
			want := map[engine.By]string{
				engine.ByCharge:  "",
				engine.ByDay:     clock.Format(time.DateOnly),
				engine.ByWeek:    fmt.Sprintf("%04d-W%02d", weekYear, week),
				engine.ByMonth:   clock.Format("2006-01"),
				engine.ByQuarter: fmt.Sprintf("%04d-Q%d", year, (month+2)/3),
				engine.ByWeekday: strings.ToLower(clock.Weekday().String()),
				engine.ByProfile: "",
			}
			for by, text := range want {
				if got := by.Value(d); got != text {
					t.Fatalf("by %v: %v is in %q, want %q", by, d, got, text)
				}
				first := by.Period(d)
				if first.IsZero() != (text == "") || by.Value(first) != text {
					t.Fatalf("by %v: the period of %v begins on %v, which is in %q", by, d, first, by.Value(first))
				}
				if before := first.AddDays(-1); by != engine.ByWeekday && !before.IsZero() && by.Value(before) == text {
					t.Fatalf("by %v: the period of %v begins on %v, but the day before is in it", by, d, first)
				}
			}
		}
	}
}

func TestWeekdaysAreInOrderFromMonday(t *testing.T) {
	var list []string
	for d := day("2026-01-05"); d.Before(day("2026-01-12")); d = d.AddDays(1) {
		list = append(list, engine.ByWeekday.Period(d).String()+" "+engine.ByWeekday.Value(d))
	}
	want := []string{
		"0001-01-01 monday", "0001-01-02 tuesday", "0001-01-03 wednesday", "0001-01-04 thursday",
		"0001-01-05 friday", "0001-01-06 saturday", "0001-01-07 sunday",
	}
	if !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
}

func TestNoPeriodOfNoDate(t *testing.T) {
	for by := range engine.ByProfile + 2 {
		if p, v := by.Period(calendar.Date{}), by.Value(calendar.Date{}); !p.IsZero() || v != "" {
			t.Errorf("%v: %v, %q", by, p, v)
		}
	}
}

func TestMembersOfTotals(t *testing.T) {
	want := []string{"", "date", "week", "month", "quarter", "weekday", "profile"}
	for by, member := range want {
		if got := engine.By(by).Member(); got != member {
			t.Errorf("%v: %q, want %q", engine.By(by), got, member)
		}
	}
}
