package engine

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A Total is what the charges of one currency in one period come to. Declined attempts bring no
// money and are counted apart: what was attempted is the sum of Approved and Declined.
type Total struct {
	// Period is the first day of the period, as [By.Period] returns it.
	Period      calendar.Date
	Currency    string
	Approved    amount.Total // every charge of a forecast counts as approved
	CardExpired amount.Total // those of Approved that are dated after the card's expiry (L31)
	Declined    amount.Total
	// Draws are the random amounts of Approved, in order of Lowest, then Values, if the [Scope]
	// keeps them; else nil.
	Draws []Draws
}

// Draws is a number of charges whose amounts are drawn independently from the same values: Lowest
// and those that follow in steps of the unit of its last decimal, each equally likely.
type Draws struct {
	Lowest  amount.Amount
	Values  uint64 // at least 2
	Charges uint64
}

// Totals yields the totals that have a charge, by day, week, month, quarter or weekday: in order of
// that, then currency. ByCharge and ByProfile are not periods and yield nothing. The work grows with
// the days of the window and not with the number of profiles. The sequence can be used any number of
// times; p must not be changed meanwhile.
func (p *Portfolio) Totals(by By) iter.Seq[Total] {
	return func(yield func(Total) bool) {
		if by.Period(calendar.First()).IsZero() {
			return
		}
		p.settle()
		currencies := slices.Sorted(maps.Keys(p.books))
		total := func(c cellOf, t *tally) bool { return yield(p.total(c.period, currencies[c.currency], t)) }
		if by == ByDay {
			p.days(currencies, func(d calendar.Date, currency int, t *tally) bool { return total(cellOf{d, currency}, t) })
			return
		}
		sum := periods{}
		ended := p.days(currencies, func(d calendar.Date, currency int, t *tally) bool {
			at := cellOf{by.Period(d), currency}
			return sum.passTo(at.period, by, total) && sum.add(at, t)
		})
		if ended {
			sum.flush(total)
		}
	}
}

// A cellOf is a period and the place of a currency in order.
type cellOf struct {
	period   calendar.Date
	currency int
}

// periods are the totals of the current period or, by weekday, of all.
type periods map[cellOf]*tally

func (p periods) add(at cellOf, t *tally) bool {
	if p[at] == nil {
		p[at] = new(tally)
	}
	p[at].merge(t)
	return true
}

// passTo yields the totals of the period before, once it is over.
func (p periods) passTo(period calendar.Date, by By, yield func(cellOf, *tally) bool) bool {
	if by == ByWeekday {
		return true
	}
	for at := range p {
		if at.period != period {
			return p.flush(yield)
		}
		break
	}
	return true
}

// flush yields all totals in order and forgets them.
func (p periods) flush(yield func(cellOf, *tally) bool) bool {
	for _, at := range slices.SortedFunc(maps.Keys(p), func(a, b cellOf) int {
		return cmp.Or(a.period.Compare(b.period), cmp.Compare(a.currency, b.currency))
	}) {
		if !yield(at, p[at]) {
			return false
		}
	}
	clear(p)
	return true
}

// total returns a tally as a Total.
func (p *Portfolio) total(c calendar.Date, currency string, t *tally) Total {
	t.settleAll()
	r := Total{
		Period: c, Currency: currency,
		Approved: t.total[partApproved], CardExpired: t.total[partExpired], Declined: t.total[partDeclined],
		Draws: p.drawsOf(t),
	}
	r.Approved.Merge(r.CardExpired)
	return r
}

// drawsOf returns the draws of a tally in order, those of equal values together.
func (p *Portfolio) drawsOf(t *tally) []Draws {
	var list []Draws
	for number, n := range t.draws {
		list = append(list, drawsOf(p.ranges[number-1], n))
	}
	slices.SortFunc(list, func(a, b Draws) int {
		return cmp.Or(a.Lowest.Compare(b.Lowest), cmp.Compare(a.Lowest.Scale(), b.Lowest.Scale()), cmp.Compare(a.Values, b.Values))
	})
	kept := list[:0]
	for _, d := range list {
		if n := len(kept); n > 0 && kept[n-1].Lowest == d.Lowest && kept[n-1].Values == d.Values {
			kept[n-1].Charges += d.Charges
			continue
		}
		kept = append(kept, d)
	}
	return kept
}

// drawsOf returns n draws of a range.
func drawsOf(r amount.Choice, n uint64) Draws {
	low, _ := r.Bounds(0)
	coefficient := low.Reduce()
	for units := coefficient.Scale(); units < r.Scale(); units++ {
		coefficient, _ = amount.FromMinor(10*coefficient.Coefficient(), units+1)
	}
	return Draws{Lowest: coefficient, Values: r.Values(), Charges: n}
}
