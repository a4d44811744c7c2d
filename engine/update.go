package engine

import (
	"errors"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// update changes columns (clause 3 and the ledger).
func (m *machine) update(e *Event) error {
	u, s := &e.Update, &m.stored.State
	if len(u.Unreadable) > 0 {
		return m.refuseUnreadable(e)
	}
	p, err := u.over(m.stored.Profile, m.policy)
	if err != nil {
		return m.refuseFor(e, m.row(e, invalid), err)
	}
	var why ledger.Because
	for _, change := range [...]struct {
		given bool
		when  situation
	}{
		{u.Start.Given, setStart},
		{u.Finish.Given, setFinish},
		{u.MaxRepeats.Given, setMax},
		{u.changesAmounts(), setAmounts},
		{u.Unit.Given || u.Interval.Given, setSchedule},
	} {
		if change.given {
			why = why.And(m.row(e, change.when).why)
		}
	}
	if len(s.Missed) > 0 && u.movesDueDays() {
		why = why.And(ledger.On(clause.L16, clause.L16b)) // missed days are looked up in the new grid
	}
	anchor, absent := u.anchorAfter(s.Anchor, e.Date)
	if u.movesDueDays() && p.Automatic() && p.Start.IsZero() {
		absent = ledger.On(clause.L02)
	}
	m.stored.Profile, s.Anchor = p, anchor
	s.Because = s.Because.And(absent).And(among(why, updateEntries))
	m.handle(e, m.row(e, plain), why.And(absent))
	return nil
}

// updateEntries are the entries by which an update takes effect: later charges, stops and ends
// depend on them.
var updateEntries = ledger.On(clause.L10, clause.L16, clause.L16b, clause.L18, clause.L19, clause.L26)

// refuseUnreadable refuses an update for the first of its values that could not be read.
func (m *machine) refuseUnreadable(e *Event) error {
	t, first := m.row(e, invalid), &e.Update.Unreadable[0]
	why := t.why
	for i := range e.Update.Unreadable {
		why = why.With(e.Update.Unreadable[i].Clause)
	}
	text := t.text + ": "
	if !strings.HasPrefix(first.Message, first.Subject) {
		text += first.Subject + ": "
	}
	text += first.Message
	if first.Clause != 0 {
		text += " (" + first.Clause.String() + ")"
	}
	return m.refused(e, &Error{Field: first.Subject, Code: first.Code, text: text, Because: why})
}

func (u *Update) changesAmounts() bool {
	return u.Amount.Given || u.AmountFrom.Given || u.AmountTo.Given || u.Sequence.Given
}

func (u *Update) movesDueDays() bool { return u.Start.Given || u.Unit.Given || u.Interval.Given }

// over returns p with the columns of u, or the first rule that the result breaks.
func (u *Update) over(p Profile, pol Policy) (Profile, *Error) {
	p.Start = u.Start.over(p.Start)
	p.Finish = u.Finish.over(p.Finish)
	p.MaxRepeats = u.MaxRepeats.over(p.MaxRepeats)
	p.Unit = u.Unit.over(p.Unit)
	p.Interval = u.Interval.over(p.Interval)
	if u.changesAmounts() {
		choice, err := u.amounts(&p)
		if err != nil {
			return p, err
		}
		p.Amounts = choice
	}
	if err := p.check(&pol); err != nil {
		return p, err
	}
	if u.movesDueDays() && p.Automatic() && p.Start.IsZero() && pol.StartAbsent == StartAbsentReject {
		return p, refuse("start-date", errStartAbsent)
	}
	return p, nil
}

// amounts returns the amount choice that p has after u: exactly one of the three (2.2.5).
func (u *Update) amounts(p *Profile) (amount.Choice, *Error) {
	c := columnsOf(p.Amounts)
	u.Amount.column(&c.fixed)
	u.AmountFrom.column(&c.from)
	u.AmountTo.column(&c.to)
	c.sequence = u.Sequence.over(c.sequence)
	choice, err := c.choice(p.Currency)
	if err != nil && err.Code == errAmountModes {
		err.text = "more than one amount choice, since an update removes none that it does not name"
	}
	return choice, err
}

// column sets a column that is absent where it is nil.
func (c Change[T]) column(to **T) {
	switch {
	case !c.Given:
	case c.Removed:
		*to = nil
	default:
		*to = &c.Value
	}
}

// amountColumns are the columns of the amount choice, as the document has them; nil is absent.
type amountColumns struct {
	fixed, from, to *amount.Amount
	sequence        []amount.Amount
}

// columnsOf returns the columns that a choice is made of.
func columnsOf(c amount.Choice) (columns amountColumns) {
	low, high := c.Bounds(0)
	switch c.Kind() {
	case amount.KindFixed:
		columns.fixed = &low
	case amount.KindRange:
		columns.from, columns.to = &low, &high
	case amount.KindSequence:
		columns.sequence = c.Elements()
	}
	return columns
}

// none reports whether all columns are absent.
func (c *amountColumns) none() bool {
	return c.fixed == nil && c.from == nil && c.to == nil && len(c.sequence) == 0
}

// choice returns the one amount choice (2.2.5) of the columns: exactly one of the three must be
// given.
func (c *amountColumns) choice(currency string) (amount.Choice, *Error) {
	modes := 0
	for _, given := range [...]bool{c.fixed != nil, c.from != nil || c.to != nil, len(c.sequence) > 0} {
		if given {
			modes++
		}
	}
	switch {
	case modes == 0:
		return amount.Choice{}, refuse("amount", errAmountMissing)
	case modes > 1:
		return amount.Choice{}, refuse("amount", errAmountModes)
	case c.fixed != nil:
		return amount.Fixed(*c.fixed), nil
	case len(c.sequence) > 0:
		s, _ := amount.Sequence(c.sequence) // fails for an empty list only
		return s, nil
	case c.from == nil:
		return amount.Choice{}, refuse("amount-from", errAmountHalfRange)
	case c.to == nil:
		return amount.Choice{}, refuse("amount-to", errAmountHalfRange)
	}
	s, err := amount.Range(*c.from, *c.to, currency)
	switch {
	case errors.Is(err, amount.ErrOrder):
		return amount.Choice{}, refuse("amount-from", errAmountOrder)
	case err != nil:
		return amount.Choice{}, refuse("amount-to", errAmountRange)
	}
	return s, nil
}

// anchorAfter returns where the due days begin after the update u on day d: a new start-date moves
// them (L18), a removed one leaves them to L02.
func (u *Update) anchorAfter(anchor, d calendar.Date) (calendar.Date, ledger.Because) {
	switch {
	case !u.Start.Given:
		return anchor, ledger.Because{}
	case u.Start.over(calendar.Date{}).IsZero():
		return d, ledger.On(clause.L02)
	}
	return u.Start.over(calendar.Date{}), ledger.Because{}
}
