package engine

import (
	"errors"
	"iter"
	"slices"
	"sort"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A Plan answers what will be charged when for one profile, from one state, if nothing but the
// daily runs happens to it. It is immutable, but for [Engine.Recompile], shares no memory with its
// arguments or its answers, and is safe for concurrent use. The zero Plan has no charge and no
// stop.
type Plan struct {
	profile Profile
	policy  Policy
	asOf    calendar.Date
	given   State // as it was given to Compile
	created bool  // the profile is new on the as-of day
	state   State // before the first run
	dueCharges
	charger charger
	stop    Stop
	common  ledger.Because // what every charge depends on
}

// Compile prepares the forecast of a stored profile as of a day. With the zero State the profile is
// created on that day; any other State is continued, so that no run takes place up to and including
// RanThrough. The days from then to asOf had no run and follow Policy.RunMissed (L16b), which
// leaves their charges out by default: let [Engine.Advance] make up the runs that a program's own
// job missed first. The error is that of [Engine.Check], or an [*Error] for a creation that the
// policy refuses.
func (e Engine) Compile(s Stored, asOf calendar.Date) (*Plan, error) {
	plan := new(Plan)
	if err := e.Recompile(plan, s, asOf); err != nil {
		return nil, err
	}
	return plan, nil
}

// Recompile is [Engine.Compile] into the memory of p, for callers with a few questions about each
// of many profiles. Nothing else may use p meanwhile. After an error p is the zero Plan.
func (e Engine) Recompile(p *Plan, s Stored, asOf calendar.Date) error {
	if err := p.compile(&s, asOf, e.policy); err != nil {
		*p = Plan{}
		return err
	}
	p.given.Paid, p.given.Missed = slices.Clone(p.given.Paid), slices.Clone(p.given.Missed)
	return nil
}

func (p *Plan) compile(s *Stored, asOf calendar.Date, pol Policy) *Error {
	if err := s.check(asOf, pol); err != nil {
		return err
	}
	state, err := s.State.begin(&s.Profile, asOf, pol)
	if err != nil {
		return err
	}
	first := asOf
	if state.RanThrough == asOf {
		first = asOf.AddDays(1)
	}
	state.Paid, state.Missed = slices.Clone(state.Paid), slices.Clone(state.Missed)
	p.prepare(&s.Profile, state, asOf, first, pol)
	p.given, p.created = s.State, s.State.Status == 0
	return nil
}

// prepare fills p for a valid profile and a complete state whose first run is on the day first
// (none if that is past the end of the calendar). The plan retains the slices of the state.
func (p *Plan) prepare(prof *Profile, s State, asOf, first calendar.Date, pol Policy) {
	*p = Plan{profile: *prof, policy: pol, asOf: asOf, state: s}
	p.dueCharges.find(&p.profile, &p.state, first, pol)
	if p.paid {
		p.state.Because = p.state.Because.And(paidClauses)
	}
	p.common = p.state.Because.Without(stopEntries.And(amountEntries)).And(gridClauses(prof, s.Anchor))
	p.charger = newCharger(&p.profile, p.common.And(among(p.state.Because, amountEntries)))
	switch {
	case s.Status == StatusStopped:
		p.stop = s.Stop
	case p.why != 0:
		p.stopOn(p.stopDay, p.why)
	}
}

func (p *Plan) stopOn(d calendar.Date, why Reasons) {
	p.stop = newStop(&p.profile, d, why, p.state.Repeat)
	p.stop.Because = p.stop.Because.And(p.state.ofStops(why))
	if why&ReasonFinishDate != 0 {
		p.stop.Because = p.stop.Because.And(p.finishClauses(d))
	}
	if why&ReasonMaxRepeats != 0 {
		p.stop.Because = p.stop.Because.And(p.common)
	}
}

// through counts the charges up to and including day d.
func (p *Plan) through(d calendar.Date) int {
	if p.charges == 0 || d.Before(p.first) {
		return 0
	}
	return min(p.charges, p.slots.before(d.AddDays(1)))
}

// at returns the charge with ordinal n, which must be below p.charges.
func (p *Plan) at(n int) Charge {
	c := Charge{Repeat: p.state.Repeat + uint64(n), Slot: p.slots.at(n)}
	p.charger.automatic(&c, later(c.Slot, p.first))
	return c
}

// ordinals returns the charges of the window w, as ordinals from … to-1.
func (p *Plan) ordinals(w calendar.Window) (from, to int) {
	if p.charges == 0 || w.IsEmpty() {
		return 0, 0
	}
	if w.From.After(p.first) {
		from = p.through(w.From.AddDays(-1))
	}
	to = p.charges
	if !w.To.IsZero() {
		to = p.through(w.To.AddDays(-1))
	}
	return from, max(from, to)
}

// Charges yields the charges dated in w, in order of date and repeat. Nothing is collected: a
// window far away costs no more than one near. The sequence can be used any number of times.
func (p *Plan) Charges(w calendar.Window) iter.Seq[Charge] {
	from, to := p.ordinals(w)
	return p.sequence(from, to)
}

// Next yields the first n charges of the forecast; none for n below 1, all of them if there are
// fewer. The sequence can be used any number of times.
func (p *Plan) Next(n int) iter.Seq[Charge] {
	return p.sequence(0, min(max(n, 0), p.charges))
}

// sequence yields the charges with the ordinals from … to-1. It keeps a copy of the plan, so that
// [Engine.Recompile] does not change it.
func (p *Plan) sequence(from, to int) iter.Seq[Charge] {
	plan := *p
	return func(yield func(Charge) bool) { plan.each(from, to, yield) }
}

// each walks the ordinals from … to-1, span by span. Most charges are like the one before, which is
// copied as long as that holds.
func (p *Plan) each(from, to int, yield func(Charge) bool) {
	var c Charge
	var like alikeUntil
	for n := from; n < to; {
		sp := p.slots.find(n)
		end := min(sp.end(), to)
		for _, slot := range p.slots.grid.From(sp.from + n - sp.before) {
			if n == end {
				break
			}
			repeat := p.state.Repeat + uint64(n)
			n++
			if like.includes(repeat, slot) {
				c.Repeat, c.Slot, c.Date = repeat, slot, slot
			} else {
				c = Charge{Repeat: repeat, Slot: slot}
				p.charger.automatic(&c, later(slot, p.first))
				like = p.charger.alikeUntil(&c)
			}
			if !yield(c) {
				return
			}
		}
	}
}

// Count returns the number of charges dated in w, in closed form.
func (p *Plan) Count(w calendar.Window) int {
	from, to := p.ordinals(w)
	return to - from
}

// Total adds up the charges dated in w, in closed form: only the elements of a sequence are added
// one by one.
func (p *Plan) Total(w calendar.Window) amount.Total {
	from, to := p.ordinals(w)
	return p.total(from, to)
}

// Tally is [Plan.Total] with the charges after the card's expiry, of the first most charges of w; 0
// for all of them.
func (p *Plan) Tally(w calendar.Window, most int) amount.Tally {
	from, to := p.ordinals(w)
	if most > 0 {
		to = min(to, from+most)
	}
	t := amount.Tally{Total: p.total(from, to)}
	if !p.profile.CardExpires.IsZero() {
		t.CardExpired = p.total(max(from, p.through(p.profile.CardExpires)), to)
	}
	return t
}

// total adds up the charges with the ordinals from … to-1.
func (p *Plan) total(from, to int) (t amount.Total) {
	if from < to {
		t.AddRun(p.profile.Amounts, p.state.Repeat+uint64(from), uint64(to-from))
	}
	return t
}

// Stop returns the day on which the profile will be stopped and why; the zero Stop if it never is,
// or if it was stopped already on a day that is not known.
func (p *Plan) Stop() Stop { return p.stop }

var errPlan = errors.New("engine: a Plan has no JSON form: store the Stored that it was compiled from")

// MarshalJSON returns an error: a Plan cannot be stored. Store its Stored and compile it again.
func (p Plan) MarshalJSON() ([]byte, error) { return nil, errPlan }

// UnmarshalJSON returns an error, as MarshalJSON does.
func (p *Plan) UnmarshalJSON([]byte) error { return errPlan }

// gridOf returns the due days of a profile counted from an anchor; the zero Schedule, which has no
// date, without an automatic schedule.
func gridOf(p *Profile, anchor calendar.Date, pol Policy) calendar.Schedule {
	grid, _ := calendar.NewSchedule(anchor, p.Unit, p.Interval, pol.MonthEnd)
	return grid
}

// hasDueDayIn reports whether a profile has a due day in w.
func hasDueDayIn(p *Profile, s *State, w calendar.Window, pol Policy) bool {
	return p.Automatic() && gridOf(p, s.Anchor, pol).Count(w) > 0
}

// gridClauses are what the due days of a profile depend on; L25 without an automatic schedule.
func gridClauses(p *Profile, anchor calendar.Date) ledger.Because {
	if !p.Automatic() {
		return ledger.On(clause.L25)
	}
	b := ledger.On(clause.Doc221)
	if p.Interval > 1 {
		b = b.With(clause.Doc222)
	}
	if _, _, day := anchor.Date(); p.Unit == calendar.UnitMonth && day > 28 {
		b = b.With(clause.L01)
	}
	return b
}

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

// add appends the grid's dates in w without the paid days. Windows are in order and disjoint, and
// paid is in order; it returns the paid days after w, and whether one in it was left out.
func (s *slots) add(w calendar.Window, paid []calendar.Date) (rest []calendar.Date, hit bool) {
	from, _ := s.grid.Index(w.From)
	to := s.grid.Len()
	if !w.To.IsZero() {
		to, _ = s.grid.Index(w.To)
	}
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

// before counts the slots earlier than d, which lies after the first run and so after all early
// slots.
func (s *slots) before(d calendar.Date) int {
	k, _ := s.grid.Index(d)
	return s.tail.before + max(0, min(k, s.tail.to)-s.tail.from)
}
