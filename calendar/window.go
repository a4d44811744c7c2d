package calendar

import "iter"

// Window is the half-open range of days [From, To): From is inside, To is not.
//
// The zero Date means "no bound" here. A zero From begins the window on the first day of the
// calendar. A zero To is the open end: the window includes every later day up to 9999-12-31, which
// no To can do, since no day lies after it. The zero Window therefore contains every day. A To on
// or before From makes the window empty.
//
// A bound that was moved past the end of the calendar by [Date.AddDays] is also the zero Date, and
// so no bound: Window{From: Last().AddDays(1)} contains every day, not none. Check such a date with
// [Date.IsZero] first.
type Window struct{ From, To Date }

// Through returns the window whose first day is first and whose last day is last, both inside. A
// zero first means from the beginning of the calendar. A last of 9999-12-31 or the zero Date gives
// the open end.
func Through(first, last Date) Window { return Window{From: first, To: last.AddDays(1)} }

// Contains reports whether d lies in the window. No window contains the zero Date.
func (w Window) Contains(d Date) bool {
	return d.n != 0 && d.n >= w.From.n && (w.To.n == 0 || d.n < w.To.n)
}

// IsEmpty reports whether the window contains no day.
func (w Window) IsEmpty() bool { return w.To.n != 0 && w.To.n <= max(w.From.n, firstDay) }

// First returns the first day inside, or the zero Date when the window is empty.
func (w Window) First() Date {
	if w.IsEmpty() {
		return Date{}
	}
	return Date{max(w.From.n, firstDay)}
}

// Last returns the last day inside, or the zero Date when the window is empty.
func (w Window) Last() Date {
	switch {
	case w.IsEmpty():
		return Date{}
	case w.To.n == 0:
		return Last()
	}
	return Date{w.To.n - 1}
}

// Days returns the days of the window in order, 9999-12-31 included where the end is open. It
// yields nothing for an empty window. The sequence can be used any number of times.
func (w Window) Days() iter.Seq[Date] {
	return func(yield func(Date) bool) {
		if w.IsEmpty() {
			return
		}
		last := w.Last()
		for d := w.First(); d.n <= last.n; d.n++ {
			if !yield(d) {
				return
			}
		}
	}
}

// String returns the window in words with its last day, as "2026-01-01 through 2026-01-31",
// "from 2026-01-01", "through 2026-01-31", "all days" or "no days".
func (w Window) String() string {
	switch {
	case w.IsEmpty():
		return "no days"
	case w == Window{}:
		return "all days"
	case w.To.n == 0:
		return "from " + w.From.String()
	case w.From.n == 0:
		return "through " + w.Last().String()
	}
	return w.From.String() + " through " + w.Last().String()
}

// MarshalJSON returns an object with the first and the last day, both inside:
//
//	{"from":"2026-01-01","through":"2026-01-31"}
//
// A zero From and an open end are left out, so the zero Window is {}. An empty window keeps its
// bounds; where To is 0001-01-01 no day lies before it, and "before", the first day outside, takes
// the place of "through". The error is always nil.
func (w Window) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	if w.From.n != 0 {
		b = appendMember(b, "from", w.From.String())
	}
	switch {
	case w.To.n == firstDay:
		b = appendMember(b, "before", w.To.String())
	case w.To.n != 0:
		b = appendMember(b, "through", w.To.AddDays(-1).String())
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads what [Window.MarshalJSON] writes. Every member may be left out or be the
// empty string, through may be 9999-12-31 for the open end, and before may name any day. It refuses
// other members, a member given twice, and through beside before ([ErrMember]), values that are not
// text ([ErrType]), and texts that [Parse] refuses. On an error w stays as it was.
func (w *Window) UnmarshalJSON(b []byte) error {
	var from, last, to Date
	bounded := false
	err := readMembers(b, func(name string, value []byte) error {
		switch {
		case name == "from":
			return readText(value, &from)
		case name == "through" && !bounded:
			bounded = true
			return readText(value, &last)
		case name == "before" && !bounded:
			bounded = true
			return readText(value, &to)
		}
		return ErrMember
	})
	if err != nil {
		return err
	}
	*w = Window{From: from, To: to}
	if !last.IsZero() {
		*w = Through(from, last)
	}
	return nil
}
