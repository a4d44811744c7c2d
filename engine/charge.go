package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Charge is one attempt to charge a profile, forecast or simulated.
type Charge struct {
	Repeat uint64        // its repeat index; the first charge of a profile has 0 (2.2.7)
	Slot   calendar.Date // the due day; 2.2.10 charges it once
	Date   calendar.Date // the day of the run that makes it: the slot, but for a catch-up
	// Min and Max bound the amount; they are equal unless it is random (2.2.5).
	Min, Max amount.Amount
	Manual   bool           // made by hand, not by a run (2.2.10)
	Outcome  Outcome        // how it ended; a forecast takes it as approved (2.2.7)
	Because  ledger.Because // what the charge rests on
}

// amounts answers what a strategy gives for a repeat, with the interface left out of
// the loop where the answer is the same for every repeat.
type amounts struct {
	strategy amount.Strategy
	elements uint64 // of a sequence; 0 for the others
	min, max amount.Amount
	because  ledger.Because
}

func amountsOf(s amount.Strategy) amounts {
	a := amounts{strategy: s}
	a.min, a.max = s.Bounds(0)
	switch s := s.(type) {
	case amount.Fixed:
		a.because = ledger.On(ledger.Doc225)
	case amount.Range:
		a.because = ledger.On(ledger.Doc225, ledger.L36d)
	case amount.Sequence:
		a.elements = uint64(s.Len())
		a.because = ledger.On(ledger.Doc225, ledger.Doc226)
	}
	return a
}

// at gives bounds and clauses for one repeat.
func (a *amounts) at(repeat uint64) (min, max amount.Amount, why ledger.Because) {
	if a.elements == 0 {
		return a.min, a.max, a.because
	}
	min, max = a.strategy.Bounds(repeat)
	if repeat >= a.elements {
		return min, max, a.because.With(ledger.X7)
	}
	return min, max, a.because
}
