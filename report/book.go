package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// The limits of a book keep its memory to some ten megabytes, whatever it is fed with.
const (
	maxAccounts = 40   // currencies with days and months; others have only their total
	maxMonths   = 1200 // beyond them charges are added up as one sum
)

// A book adds charges up by currency and by day, and by month after the days that it has room for.
type book struct {
	first    calendar.Date // the first day
	days     int           // how many days have sums of their own
	accounts []*account    // in the order in which they came
	others   grandTotals   // of currencies beyond the limit
	last     calendar.Date // of the last charge
	at       *account      // that of the last currency
	why      ledger.Because
	basis    ledger.Basis // of why
}

// An account is the charges of one currency.
type account struct {
	currency string
	days     []cell // from the first day on
	months   []cell // from the month of the first day on; without what is among the days
	beyond   cell   // before the first day, or after the last month
	basis    [ledger.Assumed + 1]record.Tally
}

// A cell is what is charged on a day or in a month, and how firm that is.
type cell struct {
	record.Tally
	basis ledger.Basis
}

// add counts a charge.
func (c *cell) add(charge *engine.Charge, basis ledger.Basis) {
	c.Add(charge)
	c.basis = max(c.basis, basis)
}

// merge counts the charges of another cell.
func (c *cell) merge(o cell) {
	c.Merge(o.Tally)
	c.basis = max(c.basis, o.basis)
}

// account returns that of a currency; nil beyond the limit.
func (b *book) account(currency string) *account {
	if b.at != nil && b.at.currency == currency {
		return b.at
	}
	for _, a := range b.accounts {
		if a.currency == currency {
			b.at = a
			return a
		}
	}
	if len(b.accounts) == maxAccounts {
		return nil
	}
	b.at = &account{currency: strings.Clone(currency)}
	b.accounts = append(b.accounts, b.at)
	return b.at
}

// add counts a charge.
func (b *book) add(currency string, c *engine.Charge) {
	if c.Date.After(b.last) {
		b.last = c.Date
	}
	if c.Because != b.why {
		b.why, b.basis = c.Because, c.Because.Basis()
	}
	a := b.account(currency)
	if a == nil {
		b.others.add(currency, c)
		return
	}
	a.basis[b.basis].Add(c)
	b.cell(a, c.Date).add(c, b.basis)
}

// merge counts the charges of a day.
func (b *book) merge(currency string, d calendar.Date, t *record.Tally, why ledger.Because) {
	if d.After(b.last) {
		b.last = d
	}
	a := b.account(currency)
	if a == nil {
		b.others.merge(currency, *t)
		return
	}
	a.basis[why.Basis()].Merge(*t)
	b.cell(a, d).merge(cell{*t, why.Basis()})
}

// cell returns the sums that a day is counted among.
func (b *book) cell(a *account, d calendar.Date) *cell {
	day := d.Sub(b.first)
	if day < 0 || !d.IsDay() {
		return &a.beyond
	}
	if day < b.days {
		return grown(&a.days, day)
	}
	if month := b.month(d); month < maxMonths {
		return grown(&a.months, month)
	}
	return &a.beyond
}

// grown returns the element i of a list that grows as needed.
func grown(list *[]cell, i int) *cell {
	if i >= len(*list) {
		*list = append(*list, make([]cell, i+1-len(*list))...)
	}
	return &(*list)[i]
}

// month returns the number of the month of a day, counted from that of the first day.
func (b *book) month(d calendar.Date) int {
	y0, m0, _ := b.first.Date()
	y, m, _ := d.Date()
	return 12*(y-y0) + int(m-m0)
}

// monthStart returns the first day of month i.
func (b *book) monthStart(i int) calendar.Date {
	y, m, _ := b.first.Date()
	n := 12*y + int(m) - 1 + i
	d, err := calendar.New(n/12, time.Month(n%12+1), 1)
	if err != nil {
		return calendar.Last()
	}
	return d
}

// total returns what all charges of the currency come to.
func (a *account) total() record.Tally {
	var t record.Tally
	for _, part := range a.basis {
		t.Merge(part)
	}
	return t
}

// day returns the sums of day i.
func (a *account) day(i int) cell {
	if i < len(a.days) {
		return a.days[i]
	}
	return cell{}
}

// byMonth returns the sums of the months up to the last one.
func (b *book) byMonth(a *account) []cell {
	months := slices.Clone(a.months)
	for i := range a.days {
		if !a.days[i].IsZero() {
			grown(&months, b.month(b.first.AddDays(i))).merge(a.days[i])
		}
	}
	return months
}

// sorted returns the accounts in order of currency.
func (b *book) sorted() []*account {
	list := slices.Clone(b.accounts)
	slices.SortFunc(list, func(x, y *account) int { return cmp.Compare(x.currency, y.currency) })
	return list
}

// totals returns what all charges come to, by currency.
func (b *book) totals() *grandTotals {
	g := &grandTotals{more: b.others.more}
	for _, a := range b.accounts {
		g.merge(a.currency, a.total())
	}
	for currency, t := range b.others.of {
		g.merge(currency, *t)
	}
	return g
}
