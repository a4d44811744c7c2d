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

// maxCurrencies bounds the memory for a column of junk; the charges beyond it are counted only.
const maxCurrencies = 100

// currencySums adds charges up by currency.
type currencySums struct {
	accounts []*account // in the order in which they came
	of       map[string]*account
	left     uint64 // charges in other currencies
}

// An account is the charges of one currency.
type account struct {
	currency string
	basis    [ledger.Assumed + 1]amount.Tally
	// Of a page: what is charged on each of the first days and in each of the first months, and
	// later.
	days, months map[calendar.Date]*cell
	beyond       cell
}

// A cell is what is charged on a day or in a month, and how firm that is.
type cell struct {
	amount.Total
	basis ledger.Basis
}

func (c *cell) add(charge *engine.Charge, basis ledger.Basis) {
	c.Add(charge.Min, charge.Max)
	c.basis = max(c.basis, basis)
}

func (c *cell) merge(o *cell) {
	c.Merge(o.Total)
	c.basis = max(c.basis, o.basis)
}

// account returns that of a currency; nil beyond the limit.
func (s *currencySums) account(currency string, charges uint64) *account {
	a := s.of[currency]
	if a != nil {
		return a
	}
	if len(s.accounts) == maxCurrencies {
		s.left += charges
		return nil
	}
	a = &account{currency: strings.Clone(currency), days: map[calendar.Date]*cell{}, months: map[calendar.Date]*cell{}}
	if s.of == nil {
		s.of = map[string]*account{}
	}
	s.of[a.currency] = a
	s.accounts = append(s.accounts, a)
	return a
}

// add counts a charge with its basis, and returns the account of its currency; nil beyond the limit.
func (s *currencySums) add(currency string, c *engine.Charge, basis ledger.Basis) *account {
	a := s.account(currency, 1)
	if a != nil {
		c.AddTo(&a.basis[basis])
	}
	return a
}

// merge counts a total.
func (s *currencySums) merge(total *record.Total, basis ledger.Basis) {
	if total.IsZero() {
		return
	}
	if a := s.account(total.Currency, total.Charges); a != nil {
		a.basis[basis].Merge(total.Tally)
	}
}

// total returns the sum of all charges of the currency.
func (a *account) total() amount.Tally {
	var t amount.Tally
	for _, part := range a.basis {
		t.Merge(part)
	}
	return t
}

// sorted returns the accounts in order of currency.
func (s *currencySums) sorted() []*account {
	return slices.SortedFunc(slices.Values(s.accounts), func(x, y *account) int { return cmp.Compare(x.currency, y.currency) })
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

// A period is the charges of a currency in a month or a quarter.
type period struct {
	name, currency string // "2026-01" or "2026-Q1"
	cell
	largest amount.Sum // of the months of the currency; zero for a quarter
}

// periods returns the months that have charges, in order, each with its currencies, and behind the
// months of each quarter their sums.
func (s *currencySums) periods() []period {
	type key struct {
		first    calendar.Date // of the quarter
		name     string        // "2026-Q1" comes behind "2026-01"
		currency string
	}
	cells, largest := map[key]*cell{}, map[string]amount.Sum{}
	for _, a := range s.accounts {
		for month, c := range a.months {
			quarter := engine.ByQuarter.Period(month)
			at(cells, key{quarter, engine.ByMonth.Value(month), a.currency}).merge(c)
			at(cells, key{quarter, engine.ByQuarter.Value(month), a.currency}).merge(c)
			if largest[a.currency].Compare(c.Max) < 0 {
				largest[a.currency] = c.Max
			}
		}
	}
	var list []period
	keys := make([]key, 0, len(cells))
	for k := range cells {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y key) int {
		return cmp.Or(x.first.Compare(y.first), cmp.Compare(x.name, y.name), cmp.Compare(x.currency, y.currency))
	})
	for _, k := range keys {
		p := period{name: k.name, currency: k.currency, cell: *cells[k]}
		if !strings.Contains(k.name, "Q") {
			p.largest = largest[k.currency]
		}
		list = append(list, p)
	}
	return list
}
