package calendar

import "iter"

// From yields (k, At(k)), (k+1, At(k+1)) … to the end of the calendar (C25). It yields nothing where At(k) is false: for a
// negative k and past the last date. The sequence can be used any number of times.
func (s Schedule) From(k int) iter.Seq2[int, Date] {
	// The loop keeps its place in the grid rather than asking At anew; the anchor's day stays, and nothing drifts. It stands
	// here, with one call of yield, so that the compiler can put it into the caller's loop and the caller's variables into
	// registers: a second call of yield, or handing it on, makes a date twice as dear (P1, P2).
	return func(yield func(int, Date) bool) {
		if k < 0 || k >= int(s.count) {
			return
		}
		place := s.place(k)
		for i := k; i < int(s.count); i++ {
			date := Date{place}
			if s.unit == UnitMonth {
				date = s.inMonth(place)
			}
			if !yield(i, date) {
				return
			}
			place += s.step
			if s.gaps.period != 0 {
				place = s.passGaps(place)
			}
		}
	}
}

// passGaps goes from a slot to the next one with a date, which may be itself; fewer than 16 without follow one another.
func (s *Schedule) passGaps(month int32) int32 {
	for lengthOf(int(month)) < int(s.day) {
		month += s.step
	}
	return month
}

// Backward yields (k, At(k)), (k-1, At(k-1)) … down to (0, the start) (C25). It yields nothing where At(k) is false. The
// sequence can be used any number of times.
func (s Schedule) Backward(k int) iter.Seq2[int, Date] {
	return func(yield func(int, Date) bool) {
		for i := k; ; i-- {
			if d, ok := s.At(i); !ok || !yield(i, d) {
				return
			}
		}
	}
}
