package calendar

// Window is the half-open range of days [From, To): From is inside, To is not.
//
// The zero Date means "no bound" here. A zero From begins the window on the first day of the
// calendar. A zero To is the open end: the window includes every later day up to 9999-12-31. The
// zero Window therefore contains every day. A To on or before From makes the window empty, and so
// does a From past the end of the calendar, such as MaxDate().AddDays(1). A To past the end bounds
// nothing.
type Window struct{ From, To Date }

// Through returns the window whose first day is first and whose last day is last, both inside. A
// zero first means from the beginning of the calendar. A last of 9999-12-31, past it, or the zero
// Date gives the open end.
func Through(first, last Date) Window {
	to := last.AddDays(1)
	if to.n > lastDay {
		to = Date{} // so that windows with an open end are equal by ==
	}
	return Window{From: first, To: to}
}

// bounds returns the numbers of the first day inside and of the first day after it that is outside.
func (w Window) bounds() (from, to int32) {
	if w.To.n == 0 {
		return max(w.From.n, firstDay), lastDay + 1
	}
	return max(w.From.n, firstDay), w.To.n
}

// Contains reports whether d lies in the window. No window contains a Date that is not a day.
func (w Window) Contains(d Date) bool {
	from, to := w.bounds()
	return from <= d.n && d.n < to
}

// IsEmpty reports whether the window contains no day.
func (w Window) IsEmpty() bool {
	from, to := w.bounds()
	return to <= from
}

// First returns the first day inside, or the zero Date when the window is empty.
func (w Window) First() Date {
	from, to := w.bounds()
	if to <= from {
		return Date{}
	}
	return Date{from}
}

// Last returns the last day inside, or the zero Date when the window is empty.
func (w Window) Last() Date {
	from, to := w.bounds()
	if to <= from {
		return Date{}
	}
	return Date{to - 1}
}
