package calendar

import "iter"

// From returns the dates from number k on, each with its number, to the end of the calendar. It
// yields nothing where [Schedule.At] has no date: for a negative k and past the last date. The
// sequence can be used any number of times.
func (s Schedule) From(k int) iter.Seq2[int, Date] {
	// The loop moves from slot to slot and takes the day from the start each time, so dates do not
	// drift. It calls yield in one place only, so that the compiler can inline the caller's loop
	// body here and keep its variables in registers: a second call of yield, or passing yield on,
	// makes a date twice as slow.
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

// passGaps returns the month of the first slot with a date from the given one on. Fewer than 16
// slots in a row have none.
func (s *Schedule) passGaps(month int32) int32 {
	for lengthOf(int(month)) < int(s.day) {
		month += s.step
	}
	return month
}

// Backward returns the dates from number k down to the start, each with its number. It yields
// nothing where [Schedule.At] has no date. The sequence can be used any number of times.
func (s Schedule) Backward(k int) iter.Seq2[int, Date] {
	return func(yield func(int, Date) bool) {
		for i := k; ; i-- {
			if d, ok := s.At(i); !ok || !yield(i, d) {
				return
			}
		}
	}
}
