package calendar

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
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

func TestWindow_DaysEndOnTheLastDay(t *testing.T) {
	// E20: a loop with AddDays up to 9999-12-31 does not end, since the zero Date sorts before
	// every day.
	days := slices.Collect(Window{From: Last().AddDays(-2)}.Days())
	if want := []Date{Last().AddDays(-2), Last().AddDays(-1), Last()}; !slices.Equal(days, want) {
		t.Errorf("got %v, want %v", days, want)
	}
}

func TestWindow_Days(t *testing.T) {
	// Days yields the days that the window contains, in order, any number of times.
	edges := []Date{{}, First(), First().AddDays(1), day("2026-01-31"), day("2026-02-03"), Last().AddDays(-1), Last()}
	for _, from := range edges {
		for _, to := range edges {
			w := Window{from, to}
			days := w.Days()
			for range 2 {
				n, before := 0, Date{}
				for d := range days {
					if n++; !w.Contains(d) || !d.After(before) || n > 1 && d != before.AddDays(1) {
						t.Fatalf("%v: %v after %v", w, d, before)
					}
					if before = d; n == 5 {
						break // a loop that ends early does not affect the next one
					}
				}
				want := 0
				if !w.IsEmpty() {
					want = min(5, w.Last().Sub(w.First())+1)
				}
				if n != want {
					t.Fatalf("%v: %d days, want %d", w, n, want)
				}
			}
		}
	}
	n := 0
	for range (Window{}).Days() {
		n++
	}
	if n != 3_652_059 {
		t.Errorf("all days are %d", n)
	}
}

func TestWindow_FromPastTheEndIsNoBound(t *testing.T) {
	// E20: the documentation of Window and AddDays warns of this.
	if w := (Window{From: Last().AddDays(1)}); w != (Window{}) || w.IsEmpty() || !w.Contains(First()) {
		t.Errorf("%v", w)
	}
}

func TestWindow_Forms(t *testing.T) {
	type row struct {
		because
		w    Window
		text string
		json string
	}
	each(t, []row{
		{because{"both ends", "cli.md: missed"}, Through(day("2026-01-01"), day("2026-01-31")), "2026-01-01 through 2026-01-31", `{"from":"2026-01-01","through":"2026-01-31"}`},
		{because{"one day", "inclusive end"}, Through(day("2026-01-31"), day("2026-01-31")), "2026-01-31 through 2026-01-31", `{"from":"2026-01-31","through":"2026-01-31"}`},
		{because{"zero", "C24: every day"}, Window{}, "all days", `{}`},
		{because{"open end", "C24"}, Window{From: day("2026-01-31")}, "from 2026-01-31", `{"from":"2026-01-31"}`},
		{because{"open beginning", "zero From"}, Window{To: day("2026-02-01")}, "through 2026-01-31", `{"through":"2026-01-31"}`},
		{because{"the first day named", "not the zero Date"}, Window{From: First()}, "from 0001-01-01", `{"from":"0001-01-01"}`},
		{because{"last day outside", "C24"}, Window{To: Last()}, "through 9999-12-30", `{"through":"9999-12-30"}`},
		{because{"empty", "C23: b = a"}, Window{day("2026-01-31"), day("2026-01-31")}, "no days", `{"from":"2026-01-31","through":"2026-01-30"}`},
		{because{"backwards", "C23: b < a"}, Window{day("2026-01-31"), day("2025-01-31")}, "no days", `{"from":"2026-01-31","through":"2025-01-30"}`},
		{because{"before the first day", "no day to name"}, Window{To: First()}, "no days", `{"before":"0001-01-01"}`},
		{because{"backwards to the first day", "no day to name"}, Window{day("2026-01-31"), First()}, "no days", `{"from":"2026-01-31","before":"0001-01-01"}`},
	}, func(t *testing.T, r row) {
		if r.w.String() != r.text {
			t.Errorf("String: %q, want %q", r.w, r.text)
		}
		text, err := json.Marshal(r.w)
		if err != nil || string(text) != r.json {
			t.Errorf("JSON: %s, %v; want %s", text, err, r.json)
		}
		back := Through(First(), First())
		if err := json.Unmarshal(text, &back); err != nil || back != r.w {
			t.Errorf("%s comes back as %v, %v", text, back, err)
		}
	})
}

func TestWindow_JSONAccepts(t *testing.T) {
	type row struct {
		because
		json string
		want Window
	}
	each(t, []row{
		{because{"order and space", "JSON"}, " {\n\"through\" : \"2026-01-31\" , \"from\":\"2026-01-01\" } ", Through(day("2026-01-01"), day("2026-01-31"))},
		{because{"through the last day", "C24: the open end"}, `{"through":"9999-12-31"}`, Window{}},
		{because{"any day after", "half-open"}, `{"from":"2026-01-01","before":"2026-02-01"}`, Through(day("2026-01-01"), day("2026-01-31"))},
		{because{"empty texts", "no date"}, `{"from":"","through":""}`, Window{}},
		{because{"escapes", "JSON"}, `{"fr\u006fm":"2026\u002d01-01"}`, Window{From: day("2026-01-01")}},
	}, func(t *testing.T, r row) {
		var w Window
		if err := w.UnmarshalJSON([]byte(r.json)); err != nil || w != r.want {
			t.Errorf("got %v, %v; want %v", w, err, r.want)
		}
	})
}

func TestWindow_JSONRefuses(t *testing.T) {
	type row struct {
		because
		json   string
		fault  Fault
		part   string
		offset int
	}
	each(t, []row{
		{because{"nothing", "JSON"}, ``, ErrType, "", 0},
		{because{"null", "it would read as every day"}, `null`, ErrType, "", 0},
		{because{"array", "an object"}, `["2026-01-01"]`, ErrType, "", 0},
		{because{"text", "an object"}, `"2026-01-01"`, ErrType, "", 0},
		{because{"number", "text only"}, `{"from":20260101}`, ErrType, "from", 8},
		{because{"null inside", "text only"}, `{"from":null}`, ErrType, "from", 8},
		{because{"object inside", "text only"}, `{"from": {"from":""}}`, ErrType, "from", 9},
		{because{"unknown", "cli.md: to is not a member"}, `{"from":"2026-01-01","to":"2026-01-31"}`, ErrMember, "", 26},
		{because{"upper case", "names are exact"}, `{"From":"2026-01-01"}`, ErrMember, "", 8},
		{because{"twice", "the last would win"}, `{"from":"2026-01-01","from":"2026-01-02"}`, ErrMember, "", 21},
		{because{"two ends", "they may contradict"}, `{"through":"2026-01-01","before":"2026-01-02"}`, ErrMember, "", 33},
		{because{"two ends, other order", "they may contradict"}, `{"before":"2026-01-01","through":"2026-01-02"}`, ErrMember, "", 33},
		{because{"no such day", "C06"}, `{"from":"2026-02-30"}`, ErrNotADay, "from", 8},
		{because{"dotted", "L38: the column's form only"}, `{"through":"31.01.2026"}`, ErrSyntax, "through", 11},
		{because{"before, not a date", "C06"}, `{"before":"soon"}`, ErrSyntax, "before", 10},
		{because{"cut", "JSON"}, `{"from":"2026-01-01"`, ErrType, "", 20},
		{because{"cut in a name", "JSON"}, `{"fr`, ErrType, "", 4},
		{because{"cut in a value", "JSON"}, `{"from":"20`, ErrType, "", 11},
		{because{"name without quotes", "JSON"}, `{1:"2026-01-01"}`, ErrType, "", 1},
		{because{"comma at the end", "JSON"}, `{"from":"2026-01-01",}`, ErrType, "", 21},
		{because{"more after it", "JSON"}, `{} {}`, ErrType, "", 3},
		{because{"bracket after it", "JSON"}, `{}]`, ErrType, "", 2},
		{because{"deep", "no recursion of ours"}, `{"from":` + strings.Repeat("[", 1e5), ErrType, "", 14},
	}, func(t *testing.T, r row) {
		w := Through(First(), Last())
		err := w.UnmarshalJSON([]byte(r.json))
		e, ok := errors.AsType[*Error](err)
		if !ok || !errors.Is(err, r.fault) || e.Part != r.part || e.Offset != r.offset || w != Through(First(), Last()) {
			t.Errorf("got %v, %#v; want %v, part %q, offset %d", w, err, r.fault, r.part, r.offset)
		}
	})
}

func TestWindow_AgreesWithContains(t *testing.T) {
	// IsEmpty, First and Last agree with Contains for every pair of bounds near the limits.
	edges := []Date{{}, First(), First().AddDays(1), day("2026-01-31"), day("2026-02-01"), Last().AddDays(-1), Last()}
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
