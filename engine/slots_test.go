package engine

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// Goal: the due days of a plan, in spans around those that are paid and those that are caught up, are
// a list like any other. Method: random spans, compared with the list itself.

// anySlots returns the slots of a schedule in one to three windows, without some paid days, and the same as a list.
func anySlots(r *rand.Rand, grid calendar.Schedule) (s slots, list []calendar.Date) {
	s.grid = grid
	at := grid.Start().AddDays(r.IntN(40))
	for range 1 + r.IntN(3) {
		w := calendar.Window{From: at, To: at.AddDays(1 + r.IntN(200))}
		var paid []calendar.Date
		for d := range dates(grid, w) {
			if r.IntN(5) == 0 {
				paid = append(paid, d)
			} else {
				list = append(list, d)
			}
		}
		s.add(w, paid)
		at = w.To.AddDays(r.IntN(60))
	}
	return s, list
}

func dates(grid calendar.Schedule, w calendar.Window) func(yield func(calendar.Date) bool) {
	return func(yield func(calendar.Date) bool) {
		for k := range grid.Len() {
			d, _ := grid.At(k)
			if !d.Before(w.To) || w.Contains(d) && !yield(d) {
				return
			}
		}
	}
}

func TestSpansAreAList(t *testing.T) {
	r := rand.New(rand.NewPCG(402, 0))
	for range 500 {
		grid := mustSchedule(t, mustDate(t, 2024, time.January, 1+r.IntN(31)), calendar.UnitDay+calendar.Unit(r.IntN(3)), 1+r.IntN(2), calendar.MonthEnd(r.IntN(4)))
		s, list := anySlots(r, grid)
		if s.len() != len(list) {
			t.Fatalf("%v: %d slots, want %d", grid, s.len(), len(list))
		}
		for n, d := range list {
			if s.at(n) != d {
				t.Fatalf("%v: slot %d is %v, want %v", grid, n, s.at(n), d)
			}
		}
	}
}

// TestSpansApartAsListed: two plans part where their lists do, from any places on.
func TestSpansApartAsListed(t *testing.T) {
	r := rand.New(rand.NewPCG(403, 0))
	parted := 0
	for range 3000 {
		unit, interval, start := calendar.UnitDay+calendar.Unit(r.IntN(3)), 1+r.IntN(2), mustDate(t, 2024, time.January, 1+r.IntN(31))
		a, as := anySlots(r, mustSchedule(t, start, unit, interval, calendar.MonthEnd(r.IntN(4))))
		b, bs := anySlots(r, mustSchedule(t, start, unit, interval, calendar.MonthEnd(r.IntN(4))))
		if r.IntN(2) == 0 {
			b, bs = a, as
		}
		if len(as) == 0 || len(bs) == 0 {
			continue
		}
		k := r.IntN(len(as))
		l := min(k, len(bs)-1)
		for i := range bs {
			if bs[i] == as[k] {
				l = i
			}
		}
		n := min(len(as)-k, len(bs)-l)
		want := 0
		for want < n && as[k+want] == bs[l+want] {
			want++
		}
		if got := firstApart(&a, &b, k, l, n); got != want {
			t.Fatalf("from %d and %d of %v and %v: apart at %d, want %d", k, l, as, bs, got, want)
		}
		if 0 < want && want < n {
			parted++
		}
	}
	if parted < 50 {
		t.Errorf("only %d of the pairs part behind their beginning", parted)
	}
}

// TestPaidDayIsKeptOnce: the day that was charged is kept behind paid days that were missed, and once.
func TestPaidDayIsKeptOnce(t *testing.T) {
	on := func(n int) calendar.Date { return mustDate(t, 2026, time.January, n) }
	missed := []calendar.Window{calendar.Through(on(1), on(3))}
	for _, r := range []struct {
		reason  string
		paid    []calendar.Date
		charged bool
		want    []calendar.Date
	}{
		{"nothing paid", nil, true, []calendar.Date{on(9)}},
		{"nothing charged", nil, false, nil},
		{"paid on a missed day", []calendar.Date{on(2)}, true, []calendar.Date{on(2), on(9)}},
		{"paid on another day", []calendar.Date{on(5)}, true, []calendar.Date{on(9)}},
		{"paid already", []calendar.Date{on(2), on(9)}, true, []calendar.Date{on(2), on(9)}},
	} {
		if got := paidStillRelevant(r.paid, on(9), missed, r.charged); !slices.Equal(got, r.want) {
			t.Errorf("%s: %v, want %v", r.reason, got, r.want)
		}
	}
}

func mustDate(t *testing.T, year int, month time.Month, day int) calendar.Date {
	t.Helper()
	d, err := calendar.New(year, month, day)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustSchedule(t *testing.T, start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) calendar.Schedule {
	t.Helper()
	s, err := calendar.NewSchedule(start, unit, interval, end)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
