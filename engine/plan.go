package engine

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Plan answers what will be charged when for one profile, from one state, if nothing
// but the daily runs happens to it. It is immutable and safe for concurrent use.
type Plan struct {
	profile Profile
	policy  Policy
	asOf    calendar.Date
	state   State         // before the first run
	first   calendar.Date // the day of the first run; zero when none is left
	amounts amounts
	slots   slots
	created bool // on asOf: the profile is new
	charges int  // how many of the slots are charged
	stop    Stop
	common  ledger.Because // what every charge rests on
}

// Compile prepares the forecast of a profile as of a day. The zero State creates the
// profile on that day; any other continues from it, so that no run takes place up to
// and including RanThrough. All errors come from here: a [Fault] for a profile that
// breaks a rule of 2.1 or 2.2, for one that the policy refuses, and for a state that
// contradicts itself.
func Compile(p Profile, s State, asOf calendar.Date, pol Policy) (*Plan, error) {
	plan := new(Plan)
	if err := plan.Reset(p, s, asOf, pol); err != nil {
		return nil, err
	}
	return plan, nil
}

// Reset is [Compile] into the memory of p, for those who ask a few questions about each
// of many profiles. Nothing else may use p meanwhile. After an error p must not be used.
func (p *Plan) Reset(prof Profile, s State, asOf calendar.Date, pol Policy) error {
	if fault := p.compile(prof, s, asOf, pol); fault != 0 {
		return fault
	}
	return nil
}

func (p *Plan) compile(prof Profile, s State, asOf calendar.Date, pol Policy) Fault {
	if asOf.IsZero() {
		return ErrAsOf
	}
	if fault := prof.check(pol); fault != 0 {
		return fault
	}
	created := s.Status == 0
	s, fault := s.begin(prof, asOf, pol)
	if fault != 0 {
		return fault
	}
	first := asOf
	if s.RanThrough == asOf {
		first = asOf.AddDays(1)
	}
	p.prepare(prof, s, asOf, first, pol)
	p.created = created
	return 0
}

// prepare fills p for a valid profile and a complete state whose first run is on the
// day first (none when that is zero).
func (p *Plan) prepare(prof Profile, s State, asOf, first calendar.Date, pol Policy) {
	*p = Plan{profile: prof, policy: pol, asOf: asOf, state: s, first: first, amounts: amountsOf(prof.Amounts)}
	p.common = s.Because
	if prof.Automatic() && s.Status == Active && !first.IsZero() {
		p.addSlots()
	}
	p.judge()
}

// addSlots finds the slots from the first run on, the last of finish-date and the
// calendar's end left to judge.
func (p *Plan) addSlots() {
	grid, err := calendar.NewSchedule(p.state.Anchor, p.profile.Unit, p.profile.Interval, p.policy.MonthEnd)
	if err != nil {
		return // cannot be: prof.check and the anchor guarantee it
	}
	p.slots.grid = grid
	p.common = p.common.And(p.gridClauses())
	hit := false
	for _, w := range p.state.Missed {
		hit = p.slots.add(w, p.state.Paid) || hit
	}
	if p.slots.add(p.ahead(), p.state.Paid) || hit {
		p.state.Because = p.state.Because.And(ledger.On(ledger.Doc2210, ledger.L13))
	}
	p.common = p.common.And(p.state.Because)
}

// ahead are the days from the first run on that finish-date allows, but for one that is
// owed already: it is when that run is the second of its day.
func (p *Plan) ahead() calendar.Window {
	w := calendar.Window{From: p.first}
	if last := p.lastDay(); !last.IsZero() {
		w = calendar.Through(p.first, last)
	}
	n := len(p.state.Missed)
	if n == 0 {
		return w
	}
	end := p.state.Missed[n-1].To
	if end.IsZero() {
		return calendar.Window{From: p.first, To: p.first} // all the calendar's days are owed
	}
	w.From = later(w.From, end)
	return w
}

// gridClauses are what the due days rest on.
func (p *Plan) gridClauses() ledger.Because {
	b := ledger.On(ledger.Doc221)
	if p.profile.Interval > 1 {
		b = b.With(ledger.Doc222)
	}
	if _, _, day := p.state.Anchor.Date(); p.profile.Unit == calendar.UnitMonth && day > 28 {
		b = b.With(ledger.L01)
	}
	return b
}

// lastDay is the last day on which finish-date allows a charge; zero for no end. It
// may lie before the first run.
func (p *Plan) lastDay() calendar.Date {
	f := p.profile.Finish
	if f.IsZero() || p.policy.FinishBound == FinishInclusive {
		return f
	}
	if f == calendar.First() {
		return f // judge stops such a profile before any charge
	}
	return f.AddDays(-1)
}

// overBy tells whether a run on day d finds finish-date passed before it charges.
func (p *Plan) overBy(d calendar.Date) bool {
	f := p.profile.Finish
	if f.IsZero() {
		return false
	}
	return d.After(f) || d == f && p.policy.FinishBound == FinishExclusive
}

// limit is the number of charges that max-repeats-number allows in all (L08, L09).
func limit(l Limit, pol Policy) (n uint64, ok bool) {
	n, ok = l.Value()
	switch {
	case !ok, n == 0 && pol.MaxZero == MaxZeroUnlimited:
		return 0, false
	case n > 0 && pol.MaxCounts == MaxCountsRepeatsAfterFirst:
		return n + 1, true
	}
	return n, true
}

// judge finds how many slots are charged, and the stop.
func (p *Plan) judge() {
	if p.state.Status == Stopped {
		p.stop = p.state.Stop
		return
	}
	if p.first.IsZero() {
		return
	}
	most, capped := limit(p.profile.MaxRepeats, p.policy)
	spent := capped && p.state.Repeat >= most
	over := p.overBy(p.first)
	if spent || over {
		p.stop = p.stopOn(p.first, spent, over)
		return
	}
	p.charges = p.slots.len()
	if capped && uint64(p.charges) >= most-p.state.Repeat {
		p.charges = int(most - p.state.Repeat)
		day := p.dateOf(p.charges - 1)
		p.stop = p.stopOn(day, true, day == p.profile.Finish)
		return
	}
	if !p.profile.Finish.IsZero() {
		p.stop = p.stopOn(p.profile.Finish, false, true)
	}
}

// dateOf is the day on which the slot with ordinal n is charged: a slot from before
// the first run is caught up in it.
func (p *Plan) dateOf(n int) calendar.Date {
	if d := p.slots.at(n); d.After(p.first) {
		return d
	}
	return p.first
}

// through counts the charges up to and including day d.
func (p *Plan) through(d calendar.Date) int {
	if p.charges == 0 || d.Before(p.first) {
		return 0
	}
	return min(p.charges, p.slots.before(d.AddDays(1)))
}

// stopOn is a stop with the clauses behind it.
func (p *Plan) stopOn(d calendar.Date, byMax, byFinish bool) Stop {
	s := Stop{Date: d, Because: ledger.On(ledger.L32b)}
	if byMax {
		s.Reasons |= ByMaxRepeats
		s.Because = s.Because.And(p.maxClauses()).And(p.common)
	}
	if byFinish {
		s.Reasons |= ByFinishDate
		s.Because = s.Because.And(p.finishClauses(d))
	}
	if byMax && byFinish {
		s.Because = s.Because.With(ledger.L11)
	}
	if !p.profile.Automatic() {
		s.Because = s.Because.With(ledger.L25)
	}
	return s
}

func (p *Plan) maxClauses() ledger.Because {
	n, _ := p.profile.MaxRepeats.Value()
	if n == 0 {
		return ledger.On(ledger.Doc228, ledger.L09, ledger.L32a)
	}
	b := ledger.On(ledger.Doc228, ledger.Doc8, ledger.L08)
	if p.state.Repeat > n {
		b = b.With(ledger.L10)
	}
	return b
}

func (p *Plan) finishClauses(d calendar.Date) ledger.Because {
	f := p.profile.Finish
	b := ledger.On(ledger.Doc229, ledger.L05)
	switch {
	case d.After(f), f.Before(p.profile.Start):
		return b.With(ledger.L32a)
	case p.charges > 0 && p.dateOf(p.charges-1) == f:
		return b.With(ledger.X8)
	}
	return b.With(ledger.L07)
}
