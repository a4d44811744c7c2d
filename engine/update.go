package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

func (u Update) changesAmounts() bool {
	return u.Amount.Given || u.AmountFrom.Given || u.AmountTo.Given || u.Sequence.Given
}

// clauses are what the acceptance of u on a profile with a status rests on.
func (u Update) clauses(s Status) ledger.Because {
	var b ledger.Because
	if u.Start.Given || u.Unit.Given || u.Interval.Given {
		b = b.With(ledger.L18)
	}
	if u.Finish.Given || u.MaxRepeats.Given {
		b = b.With(ledger.L19)
	}
	if u.MaxRepeats.Given {
		b = b.With(ledger.L10)
	}
	if u.changesAmounts() {
		b = b.With(ledger.L26)
	}
	if s == Stopped {
		return b.With(ledger.Doc3)
	}
	return b.With(ledger.X14)
}

// over is p with the columns of u, or the first Fault that the result has.
func (u Update) over(p Profile, pol Policy) (Profile, Fault) {
	p.Start = u.Start.over(p.Start)
	p.Finish = u.Finish.over(p.Finish)
	p.MaxRepeats = u.MaxRepeats.over(p.MaxRepeats)
	p.Unit = u.Unit.over(p.Unit)
	p.Interval = u.Interval.over(p.Interval)
	if u.changesAmounts() {
		strategy, fault := u.amounts(p)
		if fault != 0 {
			return p, fault
		}
		p.Amounts = strategy
	}
	if fault := p.check(pol); fault != 0 {
		return p, fault
	}
	if u.Start.Given && p.Automatic() && p.Start.IsZero() && pol.StartAbsent == StartAbsentReject {
		return p, ErrStartAbsent
	}
	return p, 0
}

// amounts is the amount choice that p has after u: exactly one of the three (2.2.5).
func (u Update) amounts(p Profile) (amount.Strategy, Fault) {
	var fixed, from, to amount.Amount
	var list []amount.Amount
	switch s := p.Amounts.(type) {
	case amount.Fixed:
		fixed = s.Amount()
	case amount.Range:
		from, to = s.Bounds(0)
	case amount.Sequence:
		for i := range uint64(s.Len()) {
			element, _ := s.Bounds(i)
			list = append(list, element)
		}
	}
	fixed, from, to = u.Amount.over(fixed), u.AmountFrom.over(from), u.AmountTo.over(to)
	list = u.Sequence.over(list)
	return oneOf(fixed, from, to, list, p.Currency)
}

// Amounts is the one amount choice (2.2.5) among a fixed amount, the two ends of a
// range and a sequence, of which exactly one must be given; a zero amount and an empty
// list are absent. The error is [ErrAmountMissing], [ErrAmountModes],
// [ErrAmountHalfRange] or [ErrAmountOrder].
func Amounts(fixed, from, to amount.Amount, list []amount.Amount, currency string) (amount.Strategy, error) {
	s, fault := oneOf(fixed, from, to, list, currency)
	if fault != 0 {
		return nil, fault
	}
	return s, nil
}

func oneOf(fixed, from, to amount.Amount, list []amount.Amount, currency string) (amount.Strategy, Fault) {
	modes := 0
	for _, given := range [...]bool{!fixed.IsZero(), !from.IsZero() || !to.IsZero(), len(list) > 0} {
		if given {
			modes++
		}
	}
	switch {
	case modes == 0:
		return nil, ErrAmountMissing
	case modes > 1:
		return nil, ErrAmountModes
	case !fixed.IsZero():
		return amount.NewFixed(fixed), 0
	case len(list) > 0:
		if s, err := amount.NewSequence(list); err == nil {
			return s, 0
		}
		return nil, ErrAmountMissing
	case from.IsZero() || to.IsZero():
		return nil, ErrAmountHalfRange
	}
	s, err := amount.NewRange(from, to, currency)
	if err != nil {
		return nil, ErrAmountOrder
	}
	return s, 0
}

// anchorAfter is where the grid starts after the update u on day d: a new start-date
// moves it (L18), a removed one leaves it to L02.
func (u Update) anchorAfter(anchor, d calendar.Date) (calendar.Date, ledger.Because) {
	switch {
	case !u.Start.Given:
		return anchor, ledger.Because{}
	case u.Start.Value.IsZero():
		return d, ledger.On(ledger.L02)
	}
	return u.Start.Value, ledger.Because{}
}
