package calendar

import "testing"

func TestWindow(t *testing.T) {
	type row struct {
		because
		w           Window
		first, last string // empty: the window is
		inside      string
		outside     string
	}
	each(t, []row{
		{because{"zero", "C24: every day"}, Window{}, "0001-01-01", "9999-12-31", "9999-12-31", ""},
		{because{"one day", "half-open"}, Window{day("2026-01-31"), day("2026-02-01")}, "2026-01-31", "2026-01-31", "2026-01-31", "2026-02-01"},
		{because{"day before", "half-open"}, Window{day("2026-01-31"), day("2026-02-01")}, "2026-01-31", "2026-01-31", "2026-01-31", "2026-01-30"},
		{because{"open end", "C24"}, Window{From: day("2026-01-31")}, "2026-01-31", "9999-12-31", "9999-12-31", "2026-01-30"},
		{because{"open beginning", "zero From"}, Window{To: day("2026-01-31")}, "0001-01-01", "2026-01-30", "0001-01-01", "2026-01-31"},
		{because{"last day alone", "C24"}, Window{From: Last()}, "9999-12-31", "9999-12-31", "9999-12-31", "9999-12-30"},
		{because{"last day named", "C24: To is outside"}, Window{To: Last()}, "0001-01-01", "9999-12-30", "9999-12-30", "9999-12-31"},
		{because{"nothing", "C23: b = a"}, Window{day("2026-01-31"), day("2026-01-31")}, "", "", "", "2026-01-31"},
		{because{"backwards", "C23: b < a"}, Window{day("2026-01-31"), day("2025-01-31")}, "", "", "", "2025-06-01"},
		{because{"before the first day", "C24: nothing lies there"}, Window{To: First()}, "", "", "", "0001-01-01"},
		{because{"through", "inclusive end"}, Through(day("2026-01-01"), day("2026-01-31")), "2026-01-01", "2026-01-31", "2026-01-31", "2026-02-01"},
		{because{"through one day", "inclusive end"}, Through(day("2026-01-31"), day("2026-01-31")), "2026-01-31", "2026-01-31", "2026-01-31", "2026-01-30"},
		{because{"through the last day", "C24"}, Through(day("2026-01-31"), Last()), "2026-01-31", "9999-12-31", "9999-12-31", "2026-01-30"},
		{because{"through no last day", "open end"}, Through(day("2026-01-31"), Date{}), "2026-01-31", "9999-12-31", "9999-12-31", "2026-01-30"},
		{because{"through backwards", "C23: empty"}, Through(day("2026-01-31"), day("2026-01-30")), "", "", "", "2026-01-30"},
	}, func(t *testing.T, r row) {
		if r.w.First() != day(r.first) || r.w.Last() != day(r.last) || r.w.IsEmpty() != (r.first == "") {
			t.Errorf("%v to %v, empty %v; want %q to %q", r.w.First(), r.w.Last(), r.w.IsEmpty(), r.first, r.last)
		}
		if r.inside != "" && !r.w.Contains(day(r.inside)) {
			t.Errorf("%s is not inside", r.inside)
		}
		if r.w.Contains(day(r.outside)) || r.w.Contains(Date{}) {
			t.Errorf("%q is inside, or the zero Date is", r.outside)
		}
	})
}

func TestWindow_Intersect(t *testing.T) {
	// Every pair of windows over a few days and the edges: a day lies in the intersection when it lies in both, and IsEmpty,
	// First and Last say of each window what asking day by day says.
	edges := []Date{{}, First(), First().AddDays(1), day("2026-01-31"), day("2026-02-01"), Last().AddDays(-1), Last()}
	var windows []Window
	for _, from := range edges {
		for _, to := range edges {
			windows = append(windows, Window{from, to})
		}
	}
	for _, w := range windows {
		for _, v := range windows {
			both := w.Intersect(v)
			var first, last Date
			for _, d := range edges {
				in := w.Contains(d) && v.Contains(d)
				if both.Contains(d) != in {
					t.Fatalf("%v and %v: %v is wrongly in or out", w, v, d)
				}
				if in && first.IsZero() {
					first = d
				}
				if in {
					last = d
				}
			}
			if !first.IsZero() && (both.IsEmpty() || both.First() != first || both.Last().Before(last)) {
				t.Fatalf("%v and %v: %v to %v, want at least %v to %v", w, v, both.First(), both.Last(), first, last)
			}
			if both != v.Intersect(w) && !both.IsEmpty() {
				t.Fatalf("%v and %v: the order matters", w, v)
			}
		}
	}
}
