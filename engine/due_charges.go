package engine

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Outline answers in closed form, for a profile that is created on the as-of day: is anything
// charged, and which condition stops it first, or which two on the same day; 0 if none does. It
// agrees with the plan of [Engine.Compile], whose errors it returns, and costs a fraction of it.
func (e Engine) Outline(p *Profile, asOf calendar.Date) (charged bool, stop Reasons, err error) {
	if err := checkBasis(asOf, &e.policy); err != nil {
		return false, 0, err
	}
	if err := p.check(&e.policy); err != nil {
		return false, 0, err
	}
	if charged, stop, ok := plainly(p, asOf, &e.policy); ok {
		return charged, stop, nil
	}
	s, refused := create(p, asOf, e.policy)
	if refused != nil {
		return false, 0, refused
	}
	var r dueCharges
	r.find(p, &s, asOf, e.policy)
	return r.charges > 0, r.why, nil
}

// plainly is Outline where it is plain without the due days: charge number n, from 1, comes at most
// n intervals of the longest months after the start, or after the as-of day if that is later,
// however months end. It is not ok where that does not answer, or where the policy may make it
// wrong.
func plainly(p *Profile, asOf calendar.Date, pol *Policy) (charged bool, stop Reasons, ok bool) {
	const longestMonth, overflow, farthest = 31, 3, 1 << 20
	most, capped := p.MaxRepeats.Value()
	if !p.Automatic() || p.Start.IsZero() || *pol != (Policy{}) || capped && (most == 0 || most > farthest) || p.Interval > farthest {
		return false, 0, false
	}
	step := p.Interval * [...]int{calendar.UnitDay: 1, calendar.UnitWeek: 7, calendar.UnitMonth: longestMonth}[p.Unit]
	last := calendar.MaxDate()
	if !p.Finish.IsZero() {
		last = p.Finish
	}
	left := last.Sub(later(p.Start, asOf)) - overflow
	switch {
	case left <= step:
		return false, 0, false
	case capped && int64(left) >= int64(step+1)*int64(most): // by far quicker than to divide
		return true, ReasonMaxRepeats, true
	case !capped && !p.Finish.IsZero():
		return true, ReasonFinishDate, true
	}
	return true, 0, !capped
}

// dueCharges holds the due days that will be charged, and the stop, if nothing but the daily runs
// happens to the profile.
type dueCharges struct {
	first   calendar.Date // the day of the first run; past the end of the calendar if none is left
	slots   slots
	charges int  // how many of the slots are charged
	paid    bool // a due day among them was charged before

	stopDay calendar.Date
	why     Reasons // of the stop on that day; 0 if there is none
}

// find fills r for a valid profile and a complete state, from the run of day first on.
func (r *dueCharges) find(p *Profile, s *State, first calendar.Date, pol Policy) {
	r.first = first
	if s.Status == StatusStopped || !first.IsDay() {
		return
	}
	if p.Automatic() {
		r.addSlots(p, s, pol)
	}
	r.findStop(p, s.Repeat, pol)
}

// addSlots finds the slots from the first run on.
func (r *dueCharges) addSlots(p *Profile, s *State, pol Policy) {
	r.slots.grid = gridOf(p, s.Anchor, pol)
	paid := s.Paid
	for _, w := range s.Missed {
		var hit bool
		paid, hit = r.slots.add(w, paid)
		r.paid = r.paid || hit
	}
	_, hit := r.slots.add(r.ahead(p, s, pol), paid)
	r.paid = r.paid || hit
}

// ahead returns the days from the first run on that finish-date allows, without one that is missed
// already, as it is if that run is the second of its day.
func (r *dueCharges) ahead(p *Profile, s *State, pol Policy) calendar.Window {
	w := calendar.Window{From: r.first}
	if last := lastChargeDay(p, pol); !last.IsZero() {
		w = calendar.Through(r.first, last)
	}
	n := len(s.Missed)
	if n == 0 {
		return w
	}
	end := s.Missed[n-1].To
	if end.IsZero() {
		return calendar.Window{From: r.first, To: r.first} // all days of the calendar are missed
	}
	w.From = later(w.From, end)
	return w
}

// findStop finds how many slots are charged, and the stop.
func (r *dueCharges) findStop(p *Profile, repeat uint64, pol Policy) {
	most, capped := capOf(p.MaxRepeats, pol)
	if capped && repeat >= most {
		r.stopDay, r.why = r.first, ReasonMaxRepeats
	}
	if finishOver(p, r.first, pol) {
		r.stopDay = r.first
		r.why |= ReasonFinishDate
	}
	if r.why != 0 {
		return
	}
	room := lastRepeat - repeat
	if capped {
		room = min(room, most-repeat)
	}
	r.charges = int(min(uint64(r.slots.len()), room))
	switch {
	case capped && repeat+uint64(r.charges) == most:
		r.stopDay, r.why = r.dateOf(r.charges-1), ReasonMaxRepeats
		if r.stopDay == p.Finish {
			r.why |= ReasonFinishDate
		}
	case !p.Finish.IsZero():
		r.stopDay, r.why = p.Finish, ReasonFinishDate
	}
}

// dateOf returns the day on which the slot with ordinal n is charged: the first run catches up with
// those before it.
func (r *dueCharges) dateOf(n int) calendar.Date { return later(r.slots.at(n), r.first) }

// paidClauses are what leaving out a due day depends on that was charged before.
var paidClauses = ledger.On(clause.Doc2210, clause.L13)
