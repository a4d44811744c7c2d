package engine

import (
	"sort"

	"github.com/chargecast/chargecast/calendar"
)

// slots are the due days that a plan may charge, in order of date, as spans of consecutive indexes
// into the grid: those that a catch-up still has to charge and those up to a paid slot come early,
// the rest is the tail. Most plans have the tail alone, so that nothing is allocated. Equal
// sequences of slots have equal spans.
//
// An ordinal counts the slots of a plan from 0.
type slots struct {
	grid  calendar.Schedule
	early []span
	tail  span
}

// A span is the indexes from … to-1 of the grid; before counts the slots ahead of it.
type span struct{ from, to, before int }

// end returns the ordinal after the span's last.
func (s span) end() int { return s.before + s.to - s.from }

// add appends the grid's dates in w without the paid days. Windows come in order and apart, and
// paid is in order; it returns the paid days after w, and whether one in it was left out.
func (s *slots) add(w calendar.Window, paid []calendar.Date) (rest []calendar.Date, hit bool) {
	from, _ := s.grid.Index(w.From)
	to := from + s.grid.Count(w)
	for ; len(paid) > 0 && (w.To.IsZero() || paid[0].Before(w.To)); paid = paid[1:] {
		if k, on := s.grid.Index(paid[0]); on && from <= k && k < to {
			s.push(from, k)
			from, hit = k+1, true
		}
	}
	s.push(from, to)
	return paid, hit
}

func (s *slots) push(from, to int) {
	if from >= to {
		return
	}
	before := s.len()
	switch {
	case before > 0 && from == s.tail.to:
		s.tail.to = to
		return
	case before > 0:
		s.early = append(s.early, s.tail)
	}
	s.tail = span{from, to, before}
}

// len returns the number of slots.
func (s *slots) len() int { return s.tail.end() }

// find returns the span with ordinal n, which must be below len.
func (s *slots) find(n int) span {
	if n >= s.tail.before {
		return s.tail
	}
	return s.early[sort.Search(len(s.early), func(i int) bool { return n < s.early[i].end() })]
}

// at returns the slot with ordinal n, which must be below len.
func (s *slots) at(n int) calendar.Date {
	sp := s.find(n)
	d, _ := s.grid.At(sp.from + n - sp.before)
	return d
}

// before counts the slots earlier than d, which lies after the first run and so after all early slots.
func (s *slots) before(d calendar.Date) int {
	k, _ := s.grid.Index(d)
	return s.tail.before + max(0, min(k, s.tail.to)-s.tail.from)
}
