package oracle

import (
	"maps"
	"slices"
)

// A Stop is the day of a stop and its reasons, in the order of L11.
type Stop struct {
	Day     Day
	Reasons []string
}

// A Charge is one attempt to charge.
type Charge struct {
	Repeat   uint64
	Slot     Day
	Day      Day
	Min, Max string
	Manual   bool
	Declined bool
}

// A Record is one thing that happened: an event with its result, a charge, or a stop.
// One of the pointers is set, or Do.
type Record struct {
	Day    Day
	Do     Verb
	Via    string // of a resume
	Result string
	Charge *Charge
	Stop   *Stop
}

// A Span is the days From … To, both included.
type Span struct{ From, To Day }

// A State is what a stored profile remembers (the requirements' "State").
type State struct {
	Stopped    bool
	Repeat     uint64
	Anchor     Day // zero: the start-date
	RanThrough Day // zero: the day before as-of, or none if Last is the first day of all
	Paid       []Day
	Owed       []Span // days whose slots a catch-up policy still has to charge
	Stop       Stop
	Last       Day // the day of the last event or run
}

// An Open event is one that nothing but an assumption decides. The zero Open is none.
type Open struct {
	Entry   string // of the ledger: what is assumed
	Records int    // how many come before the event
}

// A Machine is one profile's life, one day after the other.
type Machine struct {
	Profile Profile
	Policy  Policy
	Rules   Rules

	Stopped bool
	Repeat  uint64
	Anchor  Day
	Paid    map[Day]bool
	Owed    []Span
	Stop    Stop

	// Declined are the repeat numbers whose attempts are declined.
	Declined map[uint64]bool
	// Records are what happened so far.
	Records []Record
	// Open is the first event of which the requirements leave open what follows.
	Open Open

	ran   Day // the last day that is over
	last  Day // the day of the last event or run
	today Civil
	grid  Grid
	asOf  Day
}

// New creates a profile on the day as-of, or restores it from a state. It is nil where
// the profile or the policy forbids that.
func New(p Profile, s *State, asOf Day, pol Policy, rules Rules) *Machine {
	if !p.valid(pol) {
		return nil
	}
	m := &Machine{Profile: p, Policy: pol, Rules: rules, Paid: map[Day]bool{}, asOf: asOf, ran: asOf - 1, today: At(asOf)}
	m.Anchor = p.Start
	if m.Anchor == 0 {
		m.Anchor = asOf
		if p.Unit != 0 && pol.StartAbsentReject && (s == nil || s.Anchor == 0) {
			return nil
		}
	}
	if s != nil {
		m.restore(*s)
		return m
	}
	if p.Unit != 0 && m.Anchor < asOf && !rules.StartPast(m) {
		return nil
	}
	return m
}

// startPast is what a start-date before the day of creation means (L03); false refuses.
func startPast(m *Machine) bool {
	switch m.Policy.StartPast {
	case "catch-up":
		m.Owed = []Span{{m.Anchor, m.asOf - 1}}
	case "reanchor":
		m.Anchor = m.asOf
	case "reject":
		return false
	case "count-missed":
		for c := At(m.Anchor); c.Day < m.asOf; c = c.Next() {
			if m.due(c) {
				m.Repeat++
			}
		}
	}
	return true
}

// restore takes over a saved state; the days since its last run had none (L16b).
func (m *Machine) restore(s State) {
	m.Stopped, m.Repeat, m.Stop, m.last = s.Stopped, s.Repeat, s.Stop, s.Last
	m.Owed = slices.Clone(s.Owed)
	for _, d := range s.Paid {
		m.Paid[d] = true
	}
	if s.Anchor != 0 {
		m.Anchor = s.Anchor
	}
	if s.RanThrough != 0 || s.Last == First { // made on the first day: no day before it can be named
		m.ran = s.RanThrough
	}
	m.Rules.Restored(m)
	m.pass(m.asOf - 1)
	// A state without a last event was written by hand: what is due on the day of its last
	// run counts as charged then.
	if s.Last == 0 && !s.Stopped && s.RanThrough == m.asOf && m.due(At(m.asOf)) && !m.isOwed(m.asOf) {
		m.Paid[m.asOf] = true
	}
}

// Save is the state after what happened so far.
func (m *Machine) Save() State {
	return State{m.Stopped, m.Repeat, m.Anchor, m.ran, slices.Sorted(maps.Keys(m.Paid)), slices.Clone(m.Owed), m.Stop, m.last}
}

// pass lets the days up to d go by without a run. They are owed under
// run-missed=catch-up, whatever the status (L16b).
func (m *Machine) pass(d Day) {
	if d <= m.ran {
		return
	}
	if m.Policy.RunCatchesUp {
		m.owe(m.ran+1, d)
	}
	m.ran = d
}

// isOwed reports whether a missed day is still to be charged.
func (m *Machine) isOwed(d Day) bool {
	return slices.ContainsFunc(m.Owed, func(s Span) bool { return s.From <= d && d <= s.To })
}

func (m *Machine) owe(from, to Day) {
	if n := len(m.Owed); n > 0 && m.Owed[n-1].To+1 >= from {
		m.Owed[n-1].To = max(m.Owed[n-1].To, to)
		return
	}
	m.Owed = append(m.Owed, Span{from, to})
}

// due reports whether the grid has a day.
func (m *Machine) due(c Civil) bool {
	if m.Profile.Unit == 0 {
		return false
	}
	if m.grid.Anchor.Day != m.Anchor {
		m.grid.Anchor = At(m.Anchor)
	}
	m.grid.Unit, m.grid.Interval, m.grid.End = m.Profile.Unit, m.Profile.Interval, m.Policy.MonthEnd
	return m.Rules.Due(m.grid, c)
}

// at is the day d with its parts.
func (m *Machine) at(d Day) Civil {
	switch d {
	case m.today.Day:
	case m.today.Day + 1:
		m.today = m.today.Next()
	default:
		m.today = At(d)
	}
	return m.today
}

// Through lets the days up to d pass, each with its run.
func (m *Machine) Through(d Day) {
	for m.ran < d {
		m.run(m.ran + 1)
	}
}

// UntilStopped is Through that leaves off when the profile is stopped.
func (m *Machine) UntilStopped(d Day) {
	for m.ran < d && !m.Stopped {
		m.run(m.ran + 1)
	}
}

// run is the charging run of a day, in the order of L32b.
func (m *Machine) run(d Day) {
	m.last = max(m.last, d)
	m.pass(d - 1)
	m.ran = d
	if m.Stopped {
		if m.Policy.ResumeCatchesUp {
			m.owe(d, d)
		}
		return
	}
	if m.judge(d, m.Rules.Over(m, d)) {
		return
	}
	m.charges(d)
	m.judge(d, d == m.Profile.Finish)
}

// charges are the charges of a run: the slots that are owed, oldest first, and the
// day's own. What the cap leaves off stays owed, but for the day itself: its run took
// place.
func (m *Machine) charges(d Day) {
	owed := m.Owed
	m.Owed = nil
	for i, span := range owed {
		for c := At(span.From); c.Day <= span.To; c = c.Next() {
			if m.slot(c, d) && m.full() {
				if c.Day < span.To {
					m.Owed = append(m.Owed, Span{c.Day + 1, span.To})
				}
				m.Owed = append(m.Owed, owed[i+1:]...)
				return
			}
		}
	}
	m.slot(m.at(d), d)
}

// slot charges the slot of day c in the run of day d, if it is due and unpaid (2.2.10).
func (m *Machine) slot(c Civil, d Day) bool {
	if !m.due(c) || m.Rules.Paid(m, c.Day) {
		return false
	}
	m.Paid[c.Day] = true
	m.charge(Charge{Slot: c.Day, Day: d})
	return true
}

// charge is one attempt, automatic or manual, with the current repeat number.
func (m *Machine) charge(c Charge) {
	c.Repeat = m.Repeat
	c.Min, c.Max = m.Profile.bounds(m.Rules.Element(m, m.Repeat))
	c.Declined = m.Declined[m.Repeat]
	m.Records = append(m.Records, Record{Day: c.Day, Charge: &c})
	if m.Rules.Counts(m, c) {
		m.Repeat++
	}
}

// full reports whether the cap is reached.
func (m *Machine) full() bool {
	n, ok := m.Rules.Cap(m)
	return ok && m.Rules.Full(m.Repeat, n)
}

// judge stops the profile when a stop condition holds: max-repeats first (L11).
func (m *Machine) judge(d Day, finished bool) bool {
	var why []string
	if m.full() {
		why = append(why, "max-repeats")
	}
	if finished {
		why = append(why, "finish-date")
	}
	if len(why) > 0 {
		m.stop(d, why...)
	}
	return m.Stopped
}

func (m *Machine) stop(d Day, why ...string) {
	stop := Stop{d, why}
	m.Stopped, m.Stop = true, stop
	m.Records = append(m.Records, Record{Day: d, Stop: &stop})
}
