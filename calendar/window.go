package calendar

// Window is the half-open range of days [From, To): From is inside, To is not. A zero From means from the first day; a zero
// To is the open end: to the end of the calendar, 9999-12-31 included (C24). So the zero Window holds every day. A To
// that does not lie after From makes the window empty.
type Window struct{ From, To Date }

// Through returns the window from the day from to the day last, both inside. A last of 9999-12-31 gives the open end, and so
// does the zero Date: no last day.
func Through(from, last Date) Window { return Window{From: from, To: last.AddDays(1)} }

// Contains reports whether d lies in the window. The zero Date lies in none.
func (w Window) Contains(d Date) bool {
	return d.n != 0 && d.n >= w.From.n && (w.To.n == 0 || d.n < w.To.n)
}

// IsEmpty reports whether the window holds no day.
func (w Window) IsEmpty() bool { return w.To.n != 0 && w.To.n <= max(w.From.n, firstDay) }

// First returns the first day inside, the zero Date when the window is empty.
func (w Window) First() Date {
	if w.IsEmpty() {
		return Date{}
	}
	return Date{max(w.From.n, firstDay)}
}

// Last returns the last day inside, the zero Date when the window is empty.
func (w Window) Last() Date {
	switch {
	case w.IsEmpty():
		return Date{}
	case w.To.n == 0:
		return Last()
	}
	return Date{w.To.n - 1}
}

// Intersect returns the window of the days that lie in both.
func (w Window) Intersect(v Window) Window {
	both := Window{From: Date{max(w.From.n, v.From.n)}, To: w.To}
	if w.To.n == 0 || v.To.n != 0 && v.To.n < w.To.n {
		both.To = v.To
	}
	return both
}
