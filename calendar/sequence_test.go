package calendar

import (
	"slices"
	"testing"
)

// Goal: the sequences yield what At returns, from any number, any number of times
// (C25).

func TestSequences_AreAt(t *testing.T) {
	r := source(3)
	for range 2000 {
		s := scheduleFrom(anyStart(r), UnitDay+Unit(r.IntN(3)), 1+r.IntN(40), MonthEnd(r.IntN(4)))
		k := r.IntN(s.Len())
		if r.IntN(2) == 0 {
			k = s.Len() - 1 - r.IntN(min(s.Len(), 100))
		}
		checkSequence(t, s, k)
	}
}

// checkSequence compares at most 200 dates of a sequence with At, and its end where it is reached.
func checkSequence(t *testing.T, s Schedule, k int) {
	t.Helper()
	left := 200
	for got, d := range s.From(k) {
		if want, ok := s.At(k); got != k || d != want || !ok {
			t.Fatalf("%v %v×%d %v: yields %d, %v; At(%d) = %v, %v", s.Start(), s.Unit(), s.Interval(), s.MonthEnd(), got, d, k, want, ok)
		}
		k++
		if left--; left == 0 {
			return
		}
	}
	if _, more := s.At(k); more {
		t.Fatalf("%v %v×%d %v: ends before date %d", s.Start(), s.Unit(), s.Interval(), s.MonthEnd(), k)
	}
}

func TestSequences_StartAgain(t *testing.T) {
	// C25: a loop that ends early does not affect the next one.
	for _, s := range []Schedule{schedule("2026-01-31", UnitDay, 3, MonthEndClamp), schedule("2026-01-31", UnitMonth, 1, MonthEndClamp), schedule("2024-02-29", UnitMonth, 12, MonthEndSkip)} {
		dates := s.From(2)
		for _, stopAfter := range []int{1, 3, 2} {
			var got []int
			for k := range dates {
				if got = append(got, k); len(got) == stopAfter {
					break
				}
			}
			if want := []int{2, 3, 4}[:stopAfter]; !slices.Equal(got, want) {
				t.Errorf("%v: %v, want %v", s.Unit(), got, want)
			}
		}
	}
}

func TestSequences_EmptyWhereAtIsFalse(t *testing.T) {
	// C13, C25: nothing is yielded where At has no date.
	const maxInt = int(^uint(0) >> 1)
	for _, s := range []Schedule{{}, schedule("9999-12-01", UnitDay, 1, MonthEndClamp), schedule("9999-01-31", UnitMonth, 1, MonthEndClamp), schedule("9999-01-31", UnitMonth, 1, MonthEndSkip)} {
		for _, k := range []int{-1, -maxInt - 1, s.Len(), maxInt} {
			for got, d := range s.From(k) {
				t.Errorf("From(%d) yields %d, %v", k, got, d)
			}
		}
	}
}
