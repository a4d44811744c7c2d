package engine

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// An Outline is what the forecast of a new profile comes to.
type Outline struct {
	Charges int     // how many automatic charges there are, up to the end of the calendar
	Stop    Reasons // which condition stops the profile first, or which two on the same day; 0 if none does
}

// Outline answers in closed form, for a profile that is created on the as-of day: is anything charged, and which
// stop comes first. It agrees with the plan of [Engine.Compile], whose errors it returns, costs a fraction of it
// and, but for a catch-up, allocates nothing.
func (e Engine) Outline(p *Profile, asOf calendar.Date) (Outline, error) {
	if err := checkBasis(asOf, e.policy); err != nil {
		return Outline{}, err
	}
	if err := p.check(e.policy); err != nil {
		return Outline{}, err
	}
	s, err := create(p, asOf, e.policy)
	if err != nil {
		return Outline{}, err
	}
	var r reach
	r.find(p, &s, asOf, e.policy)
	return Outline{r.charges, r.why}, nil
}

// A reach is how far the charges of a profile go if nothing but the daily runs happens to it: what a [Plan] and an
// [Outline] both rest on.
type reach struct {
	first   calendar.Date // the day of the first run; past the end of the calendar if none is left
	slots   slots
	charges int  // how many of the slots are charged
	paid    bool // a due day among them was charged before

	stopDay calendar.Date
	why     Reasons // of the stop on that day; 0 if there is none
}

// find finds the reach of a valid profile and a complete state from the run of day first on.
func (r *reach) find(p *Profile, s *State, first calendar.Date, pol Policy) {
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
func (r *reach) addSlots(p *Profile, s *State, pol Policy) {
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
func (r *reach) ahead(p *Profile, s *State, pol Policy) calendar.Window {
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
func (r *reach) findStop(p *Profile, repeat uint64, pol Policy) {
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
func (r *reach) dateOf(n int) calendar.Date { return later(r.slots.at(n), r.first) }

// paidClauses are what leaving out a due day rests on that was charged before.
var paidClauses = ledger.On(clause.Doc2210, clause.L13)
