package engine

import (
	"errors"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A Charge is one attempt to charge a profile, forecast or simulated.
type Charge struct {
	Repeat uint64        // the repeat index; the first charge of a profile has 0 (2.2.7)
	Slot   calendar.Date // the due day, which 2.2.10 charges once
	Date   calendar.Date // the day of the run that charges it; after the slot only in a catch-up
	// Min and Max bound the amount; they are equal unless it is random (2.2.5). [Charge.Amount] is
	// what is charged.
	Min, Max amount.Amount
	Manual   bool    // a manual charge, not one of a run (2.2.10)
	Nth      uint64  // of a manual charge: how many the profile had before it on the same day
	Outcome  Outcome // how it ended; unknown but in a simulation (2.2.7)
	// CardExpired reports whether Date is after the last day of the card's expiry month (L31).
	CardExpired bool
	Because     ledger.Because // what the charge depends on

	grid uint8 // of different bounds: one more than the decimals of the amounts between them (L36d)
}

// Amount returns what is charged: the amount, or for a random one that which the seed draws, the
// same for the same seed, profile and repeat number (L36d). It is for a simulation of the gateway,
// whose own draw nobody knows; a charge of [Engine.Simulate] has been drawn already.
//
// A charge with different bounds that was put together from its fields, or read from a file, does
// not know on which grid to draw: Amount panics, and [amount.Choice.Draw] draws on the grid of a
// currency.
func (c Charge) Amount(seed amount.Seed) amount.Amount {
	if c.Min.Compare(c.Max) == 0 {
		return c.Min
	}
	choice, err := c.choice("")
	if c.grid == 0 || err != nil {
		panic("engine: a Charge put together from fields has no grid to draw on: use amount.Choice.Draw")
	}
	return choice.Draw(seed, c.Repeat)
}

// choice returns the range of different bounds, on the grid of the profile or, where that is not
// known, of a currency.
func (c *Charge) choice(currency string) (amount.Choice, error) {
	if c.grid == 0 {
		return amount.Range(c.Min, c.Max, currency)
	}
	return amount.RangeOn(c.Min, c.Max, int(c.grid)-1)
}

var errCharge = errors.New("engine: a Charge has no JSON form: use record.Charge")

// MarshalJSON returns an error: package record has the JSON form of a charge, record.Charge.
func (c Charge) MarshalJSON() ([]byte, error) { return nil, errCharge }

// UnmarshalJSON returns an error, as MarshalJSON does. On it c is unchanged.
func (c *Charge) UnmarshalJSON([]byte) error { return errCharge }

// Key returns a text that no other charge of the same profile has, under every policy: the due day
// of an automatic charge, which 2.2.10 charges once, such as "2026-01-31"; the day and the number
// of a manual one, such as "2026-01-31#0". The repeat number would not do: manual charges need
// not count, and after a resume it may begin again (L14, L20).
func (c Charge) Key() string {
	if c.Manual {
		return c.Date.String() + "#" + strconv.FormatUint(c.Nth, 10)
	}
	return c.Slot.String()
}

// AddTo counts the charge in a tally, by its outcome.
func (c *Charge) AddTo(t *amount.Tally) {
	if c.Outcome == OutcomeDeclined {
		t.Declined.Add(c.Min, c.Max)
		return
	}
	t.Add(c.Min, c.Max)
	if c.CardExpired {
		t.CardExpired.Add(c.Min, c.Max)
	}
}

// A charger completes the charges of one profile. Only it sets the amount and the reasons of a
// charge.
type charger struct {
	because  ledger.Because // of every charge
	elements uint64         // of a sequence; 0 for the other choices
	min, max amount.Amount
	grid     uint8          // of a range with different ends
	amounts  ledger.Because // what the amount depends on
	cap      uint64         // max-repeats-number; the repeat from which a charge needs a reason
	capped   bool

	choice                 amount.Choice
	start, finish, expires calendar.Date
}

func newCharger(p *Profile, because ledger.Because) charger {
	c := charger{because: because, expires: p.CardExpires, start: p.Start, finish: p.Finish, choice: p.Amounts}
	c.min, c.max = p.Amounts.Bounds(0)
	c.cap, c.capped = p.MaxRepeats.Value()
	c.amounts = ledger.On(clause.Doc225)
	switch p.Amounts.Kind() {
	case amount.KindRange:
		c.amounts = c.amounts.With(clause.L36d)
		if p.Amounts.Values() > 1 {
			c.grid = uint8(p.Amounts.Scale()) + 1
		}
	case amount.KindSequence:
		c.elements = uint64(p.Amounts.Len())
		c.amounts = c.amounts.With(clause.Doc226)
	}
	return c
}

// complete fills in the amount and the reasons of a charge that has its repeat, slot and date.
func (c *charger) complete(to *Charge) {
	to.Min, to.Max, to.grid = c.min, c.max, c.grid
	why := c.because.And(c.amounts)
	if c.elements > 0 {
		to.Min, to.Max = c.choice.Bounds(to.Repeat)
		if to.Repeat >= c.elements {
			why = why.With(clause.X7)
		}
	}
	if to.Repeat == 0 {
		why = why.With(clause.Doc227)
	}
	if to.Date == c.finish && !to.Manual {
		why = why.And(ledger.On(clause.L05, clause.X8))
	}
	if c.capped && to.Repeat >= c.cap {
		why = why.With(beyondCap(c.cap))
	}
	if !c.expires.IsZero() && to.Date.After(c.expires) {
		to.CardExpired = true
		why = why.With(clause.L31)
	}
	to.Because = to.Because.And(why)
}

// beyondCap returns what allows a charge with a repeat from the max-repeats-number n on.
func beyondCap(n uint64) ledger.Clause {
	if n == 0 {
		return clause.L09
	}
	return clause.L08
}

// automatic completes the charge of a slot by the run of a day.
func (c *charger) automatic(to *Charge, run calendar.Date) {
	to.Date = run
	if to.Slot != run {
		to.Because = ledger.On(clause.L32b)
	}
	if to.Slot == c.start {
		to.Because = to.Because.With(clause.Doc21)
		if to.Slot == run {
			to.Because = to.Because.With(clause.Doc224)
		}
	}
	c.complete(to)
}

// alikeUntil is the end of a span of charges that differ only in repeat number and date, each on
// its due day. The zero value includes none.
type alikeUntil struct {
	repeat uint64        // the last one
	day    calendar.Date // the last one
}

func (s *alikeUntil) includes(repeat uint64, slot calendar.Date) bool {
	return repeat <= s.repeat && !slot.After(s.day)
}

// alikeUntil returns the end of the span that begins with a charge that automatic completed: before
// the next repeat number or day that automatic and complete treat differently.
func (c *charger) alikeUntil(of *Charge) alikeUntil {
	s := alikeUntil{of.Repeat, of.Date}
	if of.Slot != of.Date || of.Repeat == 0 || of.Repeat < c.elements {
		return s
	}
	if s.repeat = lastRepeat; c.capped && of.Repeat < c.cap {
		s.repeat = c.cap - 1
	}
	s.day = calendar.MaxDate()
	for _, last := range [...]calendar.Date{c.start, c.finish, c.expires} {
		for _, turn := range [...]calendar.Date{last, last.AddDays(1)} {
			if turn.After(of.Date) && !turn.After(s.day) {
				s.day = turn.AddDays(-1)
			}
		}
	}
	return s
}

// nextDifferent returns the ordinal of the next charge that differs from c, the one with ordinal n,
// in more than repeat number and date; to if there is none before it. Clauses are compared only
// with why.
func (p *Plan) nextDifferent(c *Charge, n, to int, why bool) int {
	switch {
	case c.Repeat+1 < p.charger.elements:
		return n + 1
	case why:
		s := p.charger.alikeUntil(c)
		if more := s.repeat - c.Repeat; more < uint64(to-n) {
			to = n + int(more) + 1
		}
		return min(to, max(n+1, p.through(s.day)))
	case c.Slot != c.Date:
		return min(to, p.slots.before(p.first))
	case !c.CardExpired && !p.profile.CardExpires.IsZero():
		return min(to, p.through(p.profile.CardExpires))
	}
	return to
}
