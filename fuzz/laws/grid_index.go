package laws

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

func indexIsFirst(t *T, g gen.GridCase) {
	s := grid(g, t)
	for _, d := range [...]calendar.Date{g.A, g.B, g.Start, g.Start.AddDays(-1)} {
		if d.IsZero() {
			continue
		}
		k, on := s.Index(d)
		at, exists := s.At(k)
		if on != (exists && at == d) || exists && at.Before(d) {
			t.Errorf("Index(%v) = %d, %v, but that date is %v", d, k, on, at)
		}
		if !d.After(g.Start) && k != 0 {
			t.Errorf("Index(%v) = %d on or before the start", d, k)
		}
		if before, ok := s.At(k - 1); k > 0 && (!ok || !before.Before(d)) {
			t.Errorf("Index(%v) = %d, but date %d is %v already", d, k, k-1, before)
		}
	}
	if at, ok := s.At(g.K); ok {
		if k, on := s.Index(at); k != g.K || !on {
			t.Errorf("Index(At(%d)) = %d, %v", g.K, k, on)
		}
	}
}

func galois(t *T, g gen.GridCase) {
	s := grid(g, t)
	i, _ := s.Index(g.A)
	j, _ := s.Index(g.B)
	if i > j {
		t.Errorf("Index(%v) = %d is above Index(%v) = %d", g.A, i, g.B, j)
	}
	if at, ok := s.At(g.K); ok && !at.Before(g.A) != (g.K >= i) {
		t.Errorf("date %d is %v, yet Index(%v) = %d", g.K, at, g.A, i)
	}
}

func counts(t *T, g gen.GridCase) {
	s := grid(g, t)
	i, _ := s.Index(g.A)
	j, _ := s.Index(g.B)
	ab := s.Count(calendar.Window{From: g.A, To: g.B})
	bc := s.Count(calendar.Window{From: g.B, To: g.C})
	ac := s.Count(calendar.Window{From: g.A, To: g.C})
	if g.A.Before(g.B) && ab != j-i || ab+bc != ac {
		t.Errorf("from %v to %v %d dates, to %v %d more, %d in all; Index %d and %d", g.A, g.B, ab, g.C, bc, ac, i, j)
	}
	if g.B.After(g.A) && s.Count(calendar.Window{From: g.B, To: g.A}) != 0 {
		t.Errorf("a window turned round has dates")
	}
	n := 0
	for _, d := range s.From(i) {
		if !d.Before(g.B) {
			break
		}
		n++
	}
	if g.A.Before(g.B) && n != ab {
		t.Errorf("%d dates from %v to %v, counted %d", n, g.A, g.B, ab)
	}
}

func lastDayCounts(t *T) {
	for _, start := range [...]calendar.Date{calendar.Last(), calendar.Last().AddDays(-1), calendar.Last().AddDays(-7)} {
		s, err := t.NewGrid(start, calendar.UnitDay, 1, calendar.MonthEndClamp)
		if err != nil {
			t.Errorf("a start at the end of the calendar is refused")
			continue
		}
		want := calendar.Last().Sub(start) + 1
		for _, w := range [...]calendar.Window{{From: start}, calendar.Through(start, calendar.Last())} {
			if got := s.Count(w); got != want {
				t.Errorf("daily from %v: %d dates to the end, want %d", start, got, want)
			}
		}
		if d, ok := s.At(want - 1); !ok || d != calendar.Last() {
			t.Errorf("daily from %v: the last date is %v", start, d)
		}
		if k, on := s.Index(calendar.Last()); k != want-1 || !on {
			t.Errorf("daily from %v: Index of the last day is %d, %v", start, k, on)
		}
	}
}

func sequences(t *T, g gen.GridCase) {
	s := grid(g, t)
	dates := s.From(g.K)
	for range 2 { // and starting again gives the same
		runs(t, s, dates, g.K)
	}
	for k, d := range s.From(-1 - g.K) {
		t.Errorf("From(%d) gives %d, %v", -1-g.K, k, d)
		break
	}
}

// runs compares the first dates of a sequence with At.
func runs(t *T, s Grid, dates iter.Seq2[int, calendar.Date], k int) {
	n := 0
	for i, d := range dates {
		if at, ok := s.At(k); i != k || !ok || at != d {
			t.Errorf("the sequence gives %d, %v where date %d is %v", i, d, k, at)
			return
		}
		k++
		if n++; n == 12 {
			return // breaking off changes nothing
		}
	}
	if _, ok := s.At(k); ok {
		t.Errorf("the sequence ends before date %d", k)
	}
}

func endsWithCalendar(t *T) {
	s, err := t.NewGrid(calendar.First(), calendar.UnitDay, 1, calendar.MonthEndClamp)
	if err != nil || s.Count(calendar.Window{}) != int(oracle.Last) {
		t.Errorf("daily from the first day has not as many dates as there are days")
	}
	for _, at := range [...]struct{ year, month, day int }{{1926, 1, 31}, {1, 1, 31}, {2026, 1, 29}} {
		start := gen.DateNumbered(oracle.DayOf(at.year, at.month, at.day))
		for end := calendar.MonthEndClamp; end <= calendar.MonthEndOverflow; end++ {
			s, err := t.NewGrid(start, calendar.UnitMonth, 1, end)
			if err != nil {
				t.Errorf("monthly from %v is refused", start)
				continue
			}
			n := s.Count(calendar.Window{})
			last, ok := s.At(n - 1)
			if _, more := s.At(n); !ok || more || calendar.Last().Sub(last) > 31 {
				t.Errorf("monthly from %v under %v: %d dates, the last %v", start, end, n, last)
			}
		}
	}
}

// nothingWraps compares with exact arithmetic, whatever the size of the numbers.
func nothingWraps(t *T, g gen.GridCase) {
	if g.Unit == calendar.UnitMonth && g.End == calendar.MonthEndSkip {
		g.End = calendar.MonthEndClamp
	}
	s := grid(g, t)
	for _, k := range [...]int{g.K, g.L, -g.L} {
		got, ok := s.At(k)
		want, exists := exact(g, k)
		sameDate(t, "exactly", k, got, ok, want, exists && k >= 0)
	}
	n := s.Count(calendar.Window{From: g.Start})
	if _, ok := exact(g, n); n < 1 || ok {
		t.Errorf("%d dates in all, and one more exists", n)
	}
	if _, ok := exact(g, n-1); !ok {
		t.Errorf("%d dates in all, and the last does not exist", n)
	}
	if k, on := s.Index(calendar.Last()); k > n || on != (k < n) {
		t.Errorf("Index of the last day is %d, %v of %d dates", k, on, n)
	}
}

// equalsWalk compares with the oracle, which looks at one day after the other.
func equalsWalk(t *T, g gen.GridCase) {
	s := grid(g, t)
	ref, err := ReferenceCalendar().NewGrid(g.Start, g.Unit, g.Interval, g.End)
	if err != nil {
		t.Errorf("the reference refuses start %v, unit %v and interval %d", g.Start, g.Unit, g.Interval)
		return
	}
	to := gen.DayNumber(gen.Moved(g.Start, 800))
	k := 0
	for day := range ref.(Walk).Days {
		if day > to {
			break
		}
		d, ok := s.At(k)
		sameDate(t, "walk", k, d, ok, gen.DateNumbered(day), true)
		if i, on := s.Index(gen.DateNumbered(day)); i != k || !on {
			t.Errorf("walk: Index(%v) = %d, %v, want %d", gen.DateNumbered(day), i, on, k)
		}
		k++
	}
	if got := s.Count(calendar.Through(g.Start, gen.DateNumbered(to))); got != k {
		t.Errorf("walk: %d dates to %v, counted %d", k, gen.DateNumbered(to), got)
	}
}
