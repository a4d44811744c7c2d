// Package sensitivity adds up what other readings of the document would change in the forecasts of
// many profiles.
package sensitivity

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A Reading is a value of a key that is not in force.
type Reading struct {
	Clause ledger.Clause
	Value  string
}

// Changes are what other readings would change, over all profiles.
type Changes map[Reading]*Change

// A Change is what a reading would change.
type Change struct {
	First    calendar.Date // the first day that it changes
	Profiles int           // that it changes
	Refused  int           // … of which it refuses these
	Money    map[string]*Money
}

// Money is what the profiles that a reading changes come to in one currency, as it is and as it
// would be.
type Money struct{ Was, Is amount.Total }

// MaxCurrencies is more than the world has: a column of junk must not fill the memory.
const MaxCurrencies = 1000

// Add counts what changes for a profile, as [engine.Engine.Sensitivities] returns it.
func (c Changes) Add(currency string, found []engine.Sensitivity) {
	for i := range found {
		s := &found[i]
		of := c[Reading{s.Clause, s.Value}]
		if of == nil {
			of = &Change{First: s.First, Money: map[string]*Money{}}
			c[Reading{s.Clause, s.Value}] = of
		}
		of.Profiles++
		if s.Refused != "" {
			of.Refused++
		}
		if s.First.Before(of.First) {
			of.First = s.First
		}
		m := of.Money[currency]
		if m == nil && len(of.Money) < MaxCurrencies {
			m = new(Money)
			of.Money[strings.Clone(currency)] = m
		}
		if m != nil {
			m.Was.Merge(s.Old.WithoutDraws())
			m.Is.Merge(s.New.WithoutDraws())
		}
	}
}

// Sorted returns the readings in the order of the ledger.
func (c Changes) Sorted() []Reading {
	index := func(r Reading) int { return slices.Index(r.Clause.Entry().Values(), r.Value) }
	return slices.SortedFunc(maps.Keys(c), func(a, b Reading) int {
		return cmp.Or(cmp.Compare(a.Clause, b.Clause), cmp.Compare(index(a), index(b)))
	})
}

// Currencies returns those whose money a reading may change, in order.
func (c *Change) Currencies() []string { return slices.Sorted(maps.Keys(c.Money)) }
