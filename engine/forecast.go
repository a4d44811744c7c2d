package engine

import (
	"iter"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// at is the charge with ordinal n, which must be below p.charges.
func (p *Plan) at(n int) Charge {
	c := Charge{Repeat: p.state.Repeat + uint64(n), Slot: p.slots.at(n)}
	p.complete(&c)
	return c
}

// complete fills c from its slot and repeat.
func (p *Plan) complete(c *Charge) {
	c.Date = c.Slot
	c.Min, c.Max, c.Because = p.amounts.at(c.Repeat)
	c.Because = c.Because.And(p.common)
	if c.Slot.Before(p.first) {
		c.Date = p.first
		c.Because = c.Because.With(ledger.L32b)
	}
	switch {
	case c.Date == p.profile.Finish:
		c.Because = c.Because.And(ledger.On(ledger.L05, ledger.X8))
	case c.Repeat == 0:
		c.Because = c.Because.With(ledger.Doc227)
	}
	switch {
	case c.Slot != p.profile.Start:
	case p.created && c.Slot == p.asOf:
		c.Because = c.Because.With(ledger.Doc224)
	default:
		c.Because = c.Because.With(ledger.Doc21)
	}
	if n, ok := p.profile.MaxRepeats.Value(); ok && c.Repeat >= n {
		c.Because = c.Because.With(p.beyond(n))
	}
}

// beyond is what allows a charge with a repeat from the number n of
// max-repeats-number on.
func (p *Plan) beyond(n uint64) ledger.Clause {
	if n == 0 {
		return ledger.L09
	}
	return ledger.L08
}

// ordinals are the charges of the window w, as ordinals from … to-1.
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

// Charges gives the charges dated in w, in order of date and repeat. Nothing is
// collected: a window far away costs no more than one near. The sequence can be used
// again.
func (p *Plan) Charges(w calendar.Window) iter.Seq[Charge] {
	from, to := p.ordinals(w)
	return p.list(from, to)
}

// Next gives the first n charges of the forecast; none for n below 1, all of them
// when there are fewer.
func (p *Plan) Next(n int) iter.Seq[Charge] {
	return p.list(0, min(max(n, 0), p.charges))
}

// list walks the ordinals from … to-1, span by span.
func (p *Plan) list(from, to int) iter.Seq[Charge] {
	return func(yield func(Charge) bool) {
		for n := from; n < to; {
			sp := p.slots.find(n)
			k := sp.from + n - sp.before
			for ; n < min(sp.end(), to); n, k = n+1, k+1 {
				c := Charge{Repeat: p.state.Repeat + uint64(n)}
				c.Slot, _ = p.slots.grid.At(k)
				p.complete(&c)
				if !yield(c) {
					return
				}
			}
		}
	}
}

// Count is the number of charges dated in w, in closed form.
func (p *Plan) Count(w calendar.Window) int {
	from, to := p.ordinals(w)
	return to - from
}

// Total adds up the charges dated in w, in closed form: only the elements of a
// sequence are met one by one.
func (p *Plan) Total(w calendar.Window) amount.Total {
	var t amount.Total
	if from, to := p.ordinals(w); from < to {
		t.AddRun(p.profile.Amounts, p.state.Repeat+uint64(from), uint64(to-from))
	}
	return t
}

// Stop is the day on which the profile will be stopped and why; the zero Stop when it
// never is, or when it came in stopped and the day is not known.
func (p *Plan) Stop() Stop { return p.stop }

// An End is where a profile stands after the run of a day.
type End struct {
	Status Status
	Repeat uint64 // the current repeat number (2.2.7)
	Stop   Stop   // zero while active, and where it is not known
	// LastDay tells that the series was cut by the end of the calendar, 9999-12-31,
	// which is no stop (L32).
	LastDay bool
	Because ledger.Because
}

// End is where the profile stands after the run of day d; before the first run that
// is the state it came with.
func (p *Plan) End(d calendar.Date) End {
	n := p.through(d)
	e := End{Status: p.state.Status, Repeat: p.state.Repeat + uint64(n), Because: p.common.With(ledger.Doc227)}
	if !p.stop.IsZero() && !p.stop.Date.After(d) {
		e.Status = Stopped
		e.Stop = p.stop
		e.Because = e.Because.And(p.stop.Because)
	}
	if e.Status == Active {
		e.Because = e.Because.With(ledger.X14)
	}
	if !p.profile.Automatic() {
		e.Because = e.Because.With(ledger.L25)
	}
	if e.Status == Active && p.profile.Automatic() && n == p.slots.len() && d == calendar.Last() {
		e.LastDay = true
		e.Because = e.Because.With(ledger.L32)
	}
	return e
}
