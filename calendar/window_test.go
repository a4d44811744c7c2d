package calendar

import (
	"testing"
)

func TestWindow(t *testing.T) {
	type row struct {
		because
		w           Window
		first, last string // empty where the window is empty
		inside      string
		outside     string
	}
	each(t, []row{
		{because{"zero", "C24: every day"}, Window{}, "0001-01-01", "9999-12-31", "9999-12-31", ""},
		{because{"one day", "half-open"}, Window{day("2026-01-31"), day("2026-02-01")}, "2026-01-31", "2026-01-31", "2026-01-31", "2026-02-01"},
		{because{"day before", "half-open"}, Window{day("2026-01-31"), day("2026-02-01")}, "2026-01-31", "2026-01-31", "2026-01-31", "2026-01-30"},
		{because{"open end", "C24"}, Window{From: day("2026-01-31")}, "2026-01-31", "9999-12-31", "9999-12-31", "2026-01-30"},
		{because{"open beginning", "zero From"}, Window{To: day("2026-01-31")}, "0001-01-01", "2026-01-30", "0001-01-01", "2026-01-31"},
		{because{"last day alone", "C24"}, Window{From: MaxDate()}, "9999-12-31", "9999-12-31", "9999-12-31", "9999-12-30"},
		{because{"last day named", "C24: To is outside"}, Window{To: MaxDate()}, "0001-01-01", "9999-12-30", "9999-12-30", "9999-12-31"},
		{because{"nothing", "C23: b = a"}, Window{day("2026-01-31"), day("2026-01-31")}, "", "", "", "2026-01-31"},
		{because{"backwards", "C23: b < a"}, Window{day("2026-01-31"), day("2025-01-31")}, "", "", "", "2025-06-01"},
		{because{"before the first day", "C24: nothing lies there"}, Window{To: MinDate()}, "", "", "", "0001-01-01"},
		{because{"through", "inclusive end"}, Through(day("2026-01-01"), day("2026-01-31")), "2026-01-01", "2026-01-31", "2026-01-31", "2026-02-01"},
		{because{"through one day", "inclusive end"}, Through(day("2026-01-31"), day("2026-01-31")), "2026-01-31", "2026-01-31", "2026-01-31", "2026-01-30"},
		{because{"through the last day", "C24"}, Through(day("2026-01-31"), MaxDate()), "2026-01-31", "9999-12-31", "9999-12-31", "2026-01-30"},
		{because{"through no last day", "open end"}, Through(day("2026-01-31"), Date{}), "2026-01-31", "9999-12-31", "9999-12-31", "2026-01-30"},
		{because{"through the day before the last", "C24"}, Through(day("2026-01-31"), day("9999-12-30")), "2026-01-31", "9999-12-30", "9999-12-30", "9999-12-31"},
		{because{"through past the end", "open end"}, Through(day("2026-01-31"), pastEnd), "2026-01-31", "9999-12-31", "9999-12-31", "2026-01-30"},
		{because{"to past the end", "it bounds nothing"}, Window{To: pastEnd}, "0001-01-01", "9999-12-31", "9999-12-31", ""},
		{because{"from past the end", "no day lies there"}, Window{From: pastEnd}, "", "", "", "9999-12-31"},
		{because{"from and to past the end", "no day lies there"}, Window{pastEnd, pastEnd}, "", "", "", "0001-01-01"},
		{because{"through backwards", "C23: empty"}, Through(day("2026-01-31"), day("2026-01-30")), "", "", "", "2026-01-30"},
	}, func(t *testing.T, r row) {
		if r.w.First() != day(r.first) || r.w.Last() != day(r.last) || r.w.IsEmpty() != (r.first == "") {
			t.Errorf("%v to %v, empty %v; want %q to %q", r.w.First(), r.w.Last(), r.w.IsEmpty(), r.first, r.last)
		}
		if r.inside != "" && !r.w.Contains(day(r.inside)) {
			t.Errorf("%s is not inside", r.inside)
		}
		if r.w.Contains(day(r.outside)) || r.w.Contains(Date{}) || r.w.Contains(pastEnd) {
			t.Errorf("%q is inside, or a Date that is not a day is", r.outside)
		}
	})
}

func TestWindow_AgreesWithContains(t *testing.T) {
	// IsEmpty, First and Last agree with Contains for every pair of bounds near the limits.
	edges := []Date{{}, MinDate(), MinDate().AddDays(1), day("2026-01-31"), day("2026-02-01"), MaxDate().AddDays(-1), MaxDate(), pastEnd}
	for _, from := range edges {
		for _, to := range edges {
			w := Window{from, to}
			var first, last Date
			for _, d := range edges {
				if in := w.Contains(d); in && first.IsZero() {
					first = d
				} else if in && d.Before(last) {
					t.Fatal("the edges are not in order")
				}
				if w.Contains(d) {
					last = d
				}
			}
			if w.IsEmpty() != first.IsZero() || w.First() != first || w.Last().Before(last) || !w.IsEmpty() && !w.Contains(w.Last()) {
				t.Errorf("%#v: empty %v, %v to %v; want %v to at least %v", w, w.IsEmpty(), w.First(), w.Last(), first, last)
			}
		}
	}
}
