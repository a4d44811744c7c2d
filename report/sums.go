package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// The limits of a book keep its memory to some ten megabytes, whatever it is fed with.
const (
	maxCurrencies = 1000 // more than the world has: a column of junk must not fill the memory
	maxAccounts   = 40   // currencies with days and months; others have only their total
	maxMonths     = 1200 // beyond them charges are added up as one sum
)

// A book adds charges up by currency. One with days adds them up by day and by month, too.
type book struct {
	first    calendar.Date // the first day
	days     int           // how many days have sums of their own; 0 for totals only
	last     calendar.Date // of the last charge
	accounts []*account    // in the order in which they came
	of       map[string]*account
	more     bool            // there are currencies beyond the limit
	list     []*amount.Tally // what tallies returned last
}

// An account is the charges of one currency.
type account struct {
	currency string
	basis    [ledger.Assumed + 1]amount.Tally
	cells    map[calendar.Date]*cell // days, and behind them months by their last day; nil for totals only
	beyond   cell                    // before the first day, or after the last month
}

// A cell is what is charged on a day or in a month, and how firm that is.
type cell struct {
	amount.Tally
	basis ledger.Basis
}

// merge counts the charges of another cell.
func (c *cell) merge(o *cell) {
	c.Merge(o.Tally)
	c.basis = max(c.basis, o.basis)
}

// account returns that of a currency; nil beyond the limit.
func (b *book) account(currency string) *account {
	a := b.of[currency]
	if a != nil {
		return a
	}
	if len(b.accounts) == maxCurrencies {
		b.more = true
		return nil
	}
	a = &account{currency: strings.Clone(currency)}
	if b.days > 0 && len(b.accounts) < maxAccounts {
		a.cells = map[calendar.Date]*cell{}
	}
	if b.of == nil {
		b.of = map[string]*account{}
	}
	b.of[a.currency] = a
	b.accounts = append(b.accounts, a)
	return a
}

// add counts a charge with its basis.
func (b *book) add(currency string, c *engine.Charge, basis ledger.Basis) {
	for _, t := range b.tallies(currency, c.Date, basis) {
		c.AddTo(t)
	}
}

// merge counts a total of the charges of a day.
func (b *book) merge(currency string, d calendar.Date, total *record.Total, basis ledger.Basis) {
	if total.IsZero() {
		return
	}
	for _, t := range b.tallies(currency, d, basis) {
		t.Merge(total.Tally)
	}
}

// tallies returns what charges of a day count in, until it is called again.
func (b *book) tallies(currency string, d calendar.Date, basis ledger.Basis) []*amount.Tally {
	b.last = later(b.last, d)
	a := b.account(currency)
	if a == nil {
		return nil
	}
	b.list = append(b.list[:0], &a.basis[basis])
	if a.cells != nil {
		c := b.cell(a, d)
		c.basis = max(c.basis, basis)
		b.list = append(b.list, &c.Tally)
	}
	return b.list
}

// cell returns the sums that a day is counted among.
func (b *book) cell(a *account, d calendar.Date) *cell {
	day := d.Sub(b.first)
	if !d.IsDay() || day < 0 || monthsBetween(b.first, d) >= maxMonths {
		return &a.beyond
	}
	if day >= b.days {
		year, month, n := d.Date()
		d = d.AddDays(calendar.DaysIn(year, month) - n)
	}
	return at(a.cells, d)
}

// at returns the cell of a key.
func at[K comparable](cells map[K]*cell, key K) *cell {
	c := cells[key]
	if c == nil {
		c = new(cell)
		cells[key] = c
	}
	return c
}

func later(d, e calendar.Date) calendar.Date {
	if e.After(d) {
		return e
	}
	return d
}

// monthsBetween returns how many months after that of one day the month of another is.
func monthsBetween(d, e calendar.Date) int {
	year0, month0, _ := d.Date()
	year, month, _ := e.Date()
	return 12*(year-year0) + int(month-month0)
}

// timesThrough returns the days of a window, or the first days of its months, at most so many.
func timesThrough(by engine.By, first, last calendar.Date, most int) []calendar.Date {
	step := 1
	if by == engine.ByMonth {
		step = 31
	}
	var list []calendar.Date
	for d := by.Period(first); len(list) < most && !d.After(last) && d.IsDay(); d = by.Period(d.AddDays(step)) {
		list = append(list, d)
	}
	return list
}

// total returns what all charges of the currency come to.
func (a *account) total() amount.Tally {
	var t amount.Tally
	for _, part := range a.basis {
		t.Merge(part)
	}
	return t
}

// sums returns what is charged at each of some times, by day or by month.
func (a *account) sums(by engine.By, times []calendar.Date) []cell {
	cells, list := map[calendar.Date]*cell{}, make([]cell, len(times))
	for d, c := range a.cells {
		at(cells, by.Period(d)).merge(c)
	}
	for i, d := range times {
		if c := cells[d]; c != nil {
			list[i] = *c
		}
	}
	return list
}

// dated returns the accounts that have days and months, in order of currency, and others the rest.
func (b *book) dated() []*account  { return byCurrency(b.accounts[:min(len(b.accounts), maxAccounts)]) }
func (b *book) others() []*account { return byCurrency(b.accounts[min(len(b.accounts), maxAccounts):]) }

func byCurrency(accounts []*account) []*account {
	return slices.SortedFunc(slices.Values(accounts), func(x, y *account) int { return cmp.Compare(x.currency, y.currency) })
}

// A period is the charges of a currency in a month, or a year.
type period struct {
	name, currency string // "2026-01", or "2026"
	*cell
	running amount.Total // up to its end
	largest amount.Sum   // of the periods of the currency
}

// periods returns the months that have charges, or the years, in order, each with its currencies.
func (b *book) periods(years bool) []period {
	type key struct{ name, currency string }
	cells := map[key]*cell{}
	for _, a := range b.dated() {
		for d, c := range a.cells {
			name := engine.ByMonth.Value(d)
			if years {
				name = name[:len("2026")]
			}
			at(cells, key{name, a.currency}).merge(c)
		}
	}
	var list []period
	for k, c := range cells {
		list = append(list, period{name: k.name, currency: k.currency, cell: c})
	}
	slices.SortFunc(list, func(x, y period) int {
		return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.currency, y.currency))
	})
	running, largest := map[string]amount.Total{}, map[string]amount.Sum{}
	for i, p := range list {
		sum := running[p.currency]
		sum.Merge(p.Total)
		running[p.currency], list[i].running = sum, sum
		if largest[p.currency].Compare(p.Max) < 0 {
			largest[p.currency] = p.Max
		}
	}
	for i, p := range list {
		list[i].largest = largest[p.currency]
	}
	return list
}
