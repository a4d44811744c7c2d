package oracle

import "slices"

// A Verb is what an event does. The zero value is none.
type Verb uint8

// The events of a script.
const (
	EventRun Verb = iota + 1
	EventNoRun
	EventCharge
	EventStop
	EventUpdate
	EventResume
)

// An Update sets columns: nil leaves one as it is, an empty value removes it.
type Update struct {
	Start, Finish    *Day
	Max              *uint64
	DropMax          bool
	Unit             *Unit
	Interval         *int64
	Amount, From, To *string
	Sequence         *[]string
	Unreadable       bool // some value could not be read
}

// over is p with the columns of u.
func (u Update) over(p Profile) Profile {
	set(&p.Start, u.Start)
	set(&p.Finish, u.Finish)
	set(&p.Max, u.Max)
	p.HasMax = (p.HasMax || u.Max != nil) && !u.DropMax
	set(&p.Unit, u.Unit)
	set(&p.Interval, u.Interval)
	set(&p.Amount, u.Amount)
	set(&p.From, u.From)
	set(&p.To, u.To)
	set(&p.Sequence, u.Sequence)
	return p
}

func set[T any](column *T, value *T) {
	if value != nil {
		*column = *value
	}
}

// An Event happens to a profile on one day, before its run or after it (L24).
type Event struct {
	Day   Day
	Do    Verb
	Via   string
	Set   Update
	After bool
}

// Live lets the days from as-of up to until pass with the events of a script between
// them. The events may come in any order of date.
func (m *Machine) Live(events []Event, until Day) {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b Event) int {
		if a.Day != b.Day {
			return int(a.Day - b.Day)
		}
		return rank(a) - rank(b)
	})
	for d := m.asOf; d <= until; d++ {
		var today []Event
		for len(events) > 0 && events[0].Day == d {
			today = append(today, events[0])
			events = events[1:]
		}
		m.day(d, today)
	}
}

func rank(e Event) int {
	if e.After {
		return 1
	}
	return 0
}

// day is one day: the events before the run, the run, the events after it. An event
// that runs comes on top of the day's own run.
func (m *Machine) day(d Day, events []Event) {
	run := d > m.ran
	for _, e := range events {
		run = run && e.Do != EventNoRun
	}
	for _, e := range events {
		if !e.After {
			m.Happen(e)
		}
	}
	if run {
		m.run(d)
	}
	for _, e := range events {
		if e.After {
			m.Happen(e)
		}
	}
}

// Happen lets one event happen and gives its result.
func (m *Machine) Happen(e Event) string {
	if e.Day < m.last || e.Day < m.ran {
		return m.note(e, "refused")
	}
	switch e.Do {
	case EventRun:
		result := m.note(e, "accepted")
		m.run(e.Day)
		return result
	case EventNoRun:
		m.pass(e.Day)
		m.last = e.Day
		return m.note(e, "accepted")
	case EventCharge:
		return m.manual(e)
	case EventStop:
		if m.Stopped {
			return m.note(e, "ignored")
		}
		if m.unjudged(e.Day) {
			m.leaveOpen("L23")
		}
		m.last = e.Day
		m.note(e, "accepted")
		m.stop(e.Day, "stopped-by-api")
		return "accepted"
	case EventUpdate:
		return m.update(e)
	case EventResume:
		return m.resume(e)
	}
	return m.note(e, "refused")
}

func (m *Machine) note(e Event, result string) string {
	m.Records = append(m.Records, Record{Day: e.Day, Do: e.Do, Via: e.Via, Result: result})
	return result
}

// manual is a charge by hand (L20 to L22). Where a stop condition already holds but was
// not judged, the charge is taken, and counted it stops the profile.
func (m *Machine) manual(e Event) string {
	if m.Stopped && !m.Policy.ManualWhenStopped {
		return m.note(e, "refused")
	}
	if !m.Stopped && m.unjudged(e.Day) {
		m.leaveOpen("L11")
	}
	m.last = e.Day
	m.note(e, "accepted")
	if m.Policy.ManualTakesTheSlot && m.due(m.at(e.Day)) {
		m.Paid[e.Day] = true
	}
	before := m.Repeat
	m.charge(Charge{Slot: e.Day, Day: e.Day, Manual: true})
	if m.Repeat > before && !m.Stopped && m.full() {
		m.stop(e.Day, "max-repeats")
	}
	return "accepted"
}

// unjudged reports whether an active profile is at its cap or its finish-date on a day, which no run has judged yet.
func (m *Machine) unjudged(d Day) bool {
	return m.full() || m.Profile.Finish != 0 && d >= m.Profile.Finish
}

// catchesUp reports whether slots of past days are charged, or may be later.
func (m *Machine) catchesUp() bool {
	p := m.Policy
	return p.StartPast == "catch-up" || p.ResumeCatchesUp || p.RunCatchesUp || len(m.Owed) > 0
}

// leaveOpen notes the first open event, before it is recorded.
func (m *Machine) leaveOpen(entry string) {
	if m.Open.Entry == "" {
		m.Open = Open{entry, len(m.Records)}
	}
}

func (m *Machine) update(e Event) string {
	p := e.Set.over(m.Profile)
	moves := e.Set.Start != nil || e.Set.Unit != nil || e.Set.Interval != nil
	if e.Set.Unreadable || !p.valid(m.Policy) {
		return m.note(e, "refused")
	}
	if removed := e.Set.Start != nil && *e.Set.Start == 0; removed || moves && m.catchesUp() {
		m.leaveOpen("L18")
	}
	if moves && p.Unit != 0 && p.Start == 0 && m.Policy.StartAbsentReject {
		return m.note(e, "refused")
	}
	m.last = e.Day
	m.Profile = p
	m.Rules.Updated(m, e.Set, e.Day)
	return m.note(e, "accepted")
}

func (m *Machine) resume(e Event) string {
	switch {
	case !m.Rules.Resumes(e.Via):
		return m.note(e, "refused")
	case !m.Stopped:
		return m.note(e, "ignored")
	}
	m.last = e.Day
	m.Stopped, m.Stop = false, Stop{}
	m.Rules.Resumed(m, e.Day)
	return m.note(e, "accepted")
}
