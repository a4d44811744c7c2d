package reconcile

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// fits reports whether an amount is one of the charge.
func fits(c *engine.Charge, a amount.Amount) bool {
	return c.Min == a || c.Min.Compare(a) <= 0 && a.Compare(c.Max) <= 0
}

func isDeclined(c *engine.Charge) bool { return c.Outcome == engine.OutcomeDeclined }

// none is where a charge has no line, or a line no charge.
const none = -1

// A matcher matches the charges of one profile, in order of date, with its lines, in order of date
// and amount. Its memory is used again.
type matcher struct {
	lag     int
	through calendar.Date
	charges []engine.Charge
	lines   []record.Actual // in order of date, then amount; without those that say none

	ofCharge []int // the line of each charge
	ofLine   []int // the charge of each line
	narrow   []int // the charges of a day, by their greatest amounts
}

// match matches charges and lines.
func (m *matcher) match(charges []engine.Charge, lines []record.Actual) {
	m.charges, m.lines = charges, lines
	m.ofCharge, m.ofLine = unmatched(m.ofCharge, len(charges)), unmatched(m.ofLine, len(lines))
	m.days(m.sameDay)
	if m.lag > 0 {
		m.late(false)
		m.late(true)
	}
	m.days(m.otherAmount)
}

func unmatched(list []int, n int) []int {
	list = slices.Grow(list[:0], n)[:n]
	for i := range list {
		list[i] = none
	}
	return list
}

// days calls do for each day that has charges and lines: from … to are its charges, and the others
// its lines.
func (m *matcher) days(do func(from, to, line, last int)) {
	for c, l := 0, 0; c < len(m.charges) && l < len(m.lines); {
		switch day := m.charges[c].Date; m.lines[l].Date.Compare(day) {
		case -1:
			l++
		case 1:
			c++
		default:
			from, line := c, l
			for c < len(m.charges) && m.charges[c].Date == day {
				c++
			}
			for l < len(m.lines) && m.lines[l].Date == day {
				l++
			}
			do(from, c, line, l)
		}
	}
}

func (m *matcher) pair(charge, line int) { m.ofCharge[charge], m.ofLine[line] = line, charge }

// sameDay matches lines of a day with charges that have their amounts, approved ones first.
func (m *matcher) sameDay(from, to, line, last int) {
	m.fitting(from, to, line, last, false)
	m.fitting(from, to, line, last, true)
}

// fitting matches as many lines of a day as there can be: in order of their amounts, each with the
// charge that fits and whose greatest amount is the least.
func (m *matcher) fitting(from, to, line, last int, declined bool) {
	m.narrow = m.narrow[:0]
	for c := from; c < to; c++ {
		if isDeclined(&m.charges[c]) == declined {
			m.narrow = append(m.narrow, c)
		}
	}
	slices.SortStableFunc(m.narrow, func(a, b int) int { return m.charges[a].Max.Compare(m.charges[b].Max) })
	left := m.narrow
	for ; line < last; line++ {
		if m.ofLine[line] != none {
			continue
		}
		a := m.lines[line].Amount
		for len(left) > 0 && (m.ofCharge[left[0]] != none || m.charges[left[0]].Max.Compare(a) < 0) {
			left = left[1:] // no line to come fits
		}
		for _, c := range left {
			if m.ofCharge[c] == none && fits(&m.charges[c], a) {
				m.pair(c, line)
				break
			}
		}
	}
}

// late matches charges with lines up to the lag after their day: the oldest charge first, each with
// its nearest line, and of those of one day with the one of the least amount.
func (m *matcher) late(declined bool) {
	line := 0
	for c := range m.charges {
		e := &m.charges[c]
		if m.ofCharge[c] != none || isDeclined(e) != declined {
			continue
		}
		for line < len(m.lines) && !m.lines[line].Date.After(e.Date) {
			line++
		}
		for l := line; l < len(m.lines) && m.lines[l].Date.Sub(e.Date) <= m.lag; l++ {
			if m.ofLine[l] == none && fits(e, m.lines[l].Amount) {
				m.pair(c, l)
				break
			}
		}
	}
}

// otherAmount pairs what is left of a day, approved charges first.
func (m *matcher) otherAmount(from, to, line, last int) {
	for _, declined := range [...]bool{false, true} {
		for c := from; c < to; c++ {
			if m.ofCharge[c] != none || isDeclined(&m.charges[c]) != declined {
				continue
			}
			for line < last && m.ofLine[line] != none {
				line++
			}
			if line == last {
				return
			}
			m.pair(c, line)
		}
	}
}

// of returns what became of a charge; none of the matches for one that has no record, since its
// line may still come.
func (m *matcher) of(charge int) record.Match {
	e, l := &m.charges[charge], m.ofCharge[charge]
	switch {
	case l == none && e.Date.AddDays(m.lag).After(m.through):
		return 0
	case l == none && isDeclined(e):
		return record.Matched
	case l == none:
		return record.Missing
	case !fits(e, m.lines[l].Amount):
		return record.MatchedAmount
	case m.lines[l].Date != e.Date:
		return record.MatchedLate
	}
	return record.Matched
}

// A fit is how well charges explain lines.
type fit struct {
	faults int           // records that are neither matched nor late
	first  calendar.Date // that of the first of them
	known  calendar.Date // the day on which the first of them was certain
}

// isWhole reports whether everything is explained.
func (f *fit) isWhole() bool { return f.faults == 0 }

func (f *fit) fault(first, known calendar.Date) {
	if f.faults == 0 || first.Before(f.first) {
		f.first = first
	}
	if f.faults == 0 || known.Before(f.known) {
		f.known = known
	}
	f.faults++
}

// fit matches charges and lines, and returns how well they agree.
func (m *matcher) fit(charges []engine.Charge, lines []record.Actual) (f fit) {
	m.match(charges, lines)
	for c := range charges {
		switch m.of(c) {
		case record.Missing:
			f.fault(charges[c].Date, charges[c].Date.AddDays(m.lag))
		case record.MatchedAmount:
			f.fault(charges[c].Date, charges[c].Date)
		}
	}
	for l := range lines {
		if m.ofLine[l] == none {
			f.fault(lines[l].Date, lines[l].Date)
		}
	}
	return f
}
