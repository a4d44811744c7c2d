package laws

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// An entry is one charge in the books of the reference.
type entry struct {
	currency string
	date     calendar.Date
	low      amount.Amount
	high     amount.Amount
	declined bool
	expired  bool
}

// entries are a list of charges: a book that keeps every single one.
type entries struct {
	scope engine.Scope
	list  []entry
}

// ReferencePortfolios are books of single charges, which the day-by-day oracle makes.
func ReferencePortfolios() PortfolioImpl {
	return PortfolioImpl{NewBook: func(s engine.Scope) (Book, error) {
		if s.AsOf.IsZero() {
			return Book{}, errReference
		}
		return (&entries{scope: s}).book(), nil
	}}
}

func (e *entries) book() Book {
	return Book{
		Add: e.add,
		AddCharge: func(currency string, c engine.Charge) error {
			e.note(entry{currency, c.Date, c.Min, c.Max, c.Outcome == engine.OutcomeDeclined, c.CardExpired})
			return nil
		},
		Merge: func(o Book) error {
			if o.Self.(*entries).scope != e.scope {
				return errReference
			}
			e.list = append(e.list, o.Self.(*entries).list...)
			return nil
		},
		Totals: e.totals,
		Self:   e,
	}
}

func (e *entries) note(one entry) {
	if e.scope.Window.Contains(one.date) {
		e.list = append(e.list, one)
	}
}

// add lives through the days of the window.
func (e *entries) add(j gen.Job) error {
	j.AsOf, j.Policy = e.scope.AsOf, e.scope.Policy
	m := gen.MachineOf(j, oracle.Right())
	if m == nil {
		return errReference
	}
	m.UntilStopped(lastDay(e.scope.Window))
	for _, r := range m.Records {
		if r.Charge == nil {
			continue
		}
		c := gen.ChargeFromOracle(*r.Charge)
		low, high := boundsByWalk(j.Profile.Amounts, c.Repeat)
		expires := j.Profile.CardExpires
		e.note(entry{j.Profile.Currency, c.Date, low, high, false, !expires.IsZero() && c.Date.After(expires)})
	}
	return nil
}

// SameEntries reports whether two books of the reference hold the same charges in the same order, so that
// their totals are the same too. It is false for other books.
func SameEntries(a, b Book) bool {
	x, okA := a.Self.(*entries)
	y, okB := b.Self.(*entries)
	return okA && okB && x.scope == y.scope && slices.Equal(x.list, y.list)
}

func (e *entries) totals(by engine.By) []BookTotal {
	cells := map[[2]string][]entry{}
	for _, one := range e.list {
		at := [2]string{periodOf(one.date, by), one.currency}
		cells[at] = append(cells[at], one)
	}
	var list []BookTotal
	for at, charges := range cells {
		t := BookTotal{Value: at[0], Currency: at[1]}
		t.Approved = totalOfEntries(charges, func(c entry) bool { return !c.declined })
		t.Expired = totalOfEntries(charges, func(c entry) bool { return !c.declined && c.expired })
		t.Declined = totalOfEntries(charges, func(c entry) bool { return c.declined })
		if e.scope.Draws {
			t.Draws = drawsByCount(charges)
		}
		list = append(list, t)
	}
	slices.SortFunc(list, InOrderOfPeriod)
	return list
}

// InOrderOfPeriod compares two totals by period and currency, as records are in order.
func InOrderOfPeriod(a, b BookTotal) int {
	return cmp.Or(strings.Compare(sortKey(a.Value), sortKey(b.Value)), strings.Compare(a.Currency, b.Currency))
}

// InOrderOfDraws compares draws by what is drawn.
func InOrderOfDraws(a, b Draws) int {
	return cmp.Or(cmp.Compare(a.Scale, b.Scale), cmp.Compare(a.Values, b.Values))
}

// periodOf is the text of a day's period.
func periodOf(d calendar.Date, by engine.By) string { return gen.DayNumber(d).Period(by.String()) }

// sortKey is a text by which the values of a period sort.
func sortKey(value string) string {
	for i, name := range [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if value == name {
			return fmt.Sprint(i)
		}
	}
	return value
}

// totalOfEntries adds up some of the charges.
func totalOfEntries(list []entry, counts func(entry) bool) Total {
	var t oracle.Total
	for _, c := range list {
		if counts(c) {
			t.Add(decimalOf(c.low), decimalOf(c.high))
		}
	}
	return totalFromOracle(&t)
}

// rangeOf is the range of a random amount.
func rangeOf(c entry) amount.Choice {
	r, err := amount.Range(c.low, c.high, c.currency)
	if err != nil {
		panic(err) // generators make no such charge
	}
	return r
}

// drawsByCount counts the random amounts by what they are drawn from.
func drawsByCount(list []entry) []Draws {
	var found []Draws
	for _, c := range list {
		if c.declined || c.low.Compare(c.high) == 0 {
			continue
		}
		r := rangeOf(c)
		i := slices.IndexFunc(found, func(d Draws) bool { return d.Values == r.Values() && d.Scale == r.Scale() })
		if i < 0 {
			found = append(found, Draws{Values: r.Values(), Scale: r.Scale()})
			i = len(found) - 1
		}
		found[i].Charges++
	}
	slices.SortFunc(found, InOrderOfDraws)
	return found
}
