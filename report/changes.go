package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
)

// A reading is another value of a key.
type reading struct {
	clause ledger.Clause
	value  string
}

// mostNamed is how many currencies a day of the heat map and another reading name.
const mostNamed = 3

// changes are what other readings would change, over all profiles; nil if they were not compared.
type changes map[reading]*change

// A change is what a reading would change.
type change struct {
	first    calendar.Date
	profiles int
	refused  int // … of which it refuses
	money    map[string]*moneyChange
}

// A moneyChange is what is charged in one currency, as it is and as it would be.
type moneyChange struct{ was, is amount.Total }

// add counts what changes for a profile.
func (c changes) add(currency string, list []engine.Sensitivity) {
	for i := range list {
		s := &list[i]
		other := reading{s.Clause, s.Value}
		at := c[other]
		if at == nil {
			at = &change{first: s.First, money: map[string]*moneyChange{}}
			c[other] = at
		}
		at.profiles++
		if s.Refused != "" {
			at.refused++
		}
		if s.First.Before(at.first) {
			at.first = s.First
		}
		m := at.money[currency]
		if m == nil && len(at.money) < maxCurrencies {
			m = new(moneyChange)
			at.money[strings.Clone(currency)] = m
		}
		if m != nil {
			m.was.Merge(s.Old)
			m.is.Merge(s.New)
		}
	}
}

// sorted returns the readings in the order of the ledger.
func (c changes) sorted() []reading {
	valueIndex := func(r reading) int { return slices.Index(r.clause.Entry().Values(), r.value) }
	return slices.SortedFunc(maps.Keys(c), func(a, b reading) int {
		return cmp.Or(cmp.Compare(a.clause, b.clause), cmp.Compare(valueIndex(a), valueIndex(b)))
	})
}

// profilesInWords says how many profiles would change.
func (c *change) profilesInWords() string {
	switch c.refused {
	case 0:
		return count(c.profiles)
	case c.profiles:
		return count(c.profiles) + ", all refused"
	}
	return count(c.profiles) + ", of which " + count(c.refused) + " refused"
}

// moneyInWords says how the sums of the first currencies would change, each on a line.
func (c *change) moneyInWords(places map[string]int) markup {
	var m markup
	for i, currency := range slices.Sorted(maps.Keys(c.money)) {
		if i > 0 {
			m.put("<br>")
		}
		if i == mostNamed {
			m.put("and %", others(len(c.money)-i))
			break
		}
		m.put("%", c.money[currency].inWords(currency, places[currency]))
	}
	return m
}

// others names so many currencies that are not listed.
func others(n int) string {
	if n == 1 {
		return "1 more currency"
	}
	return count(n) + " more currencies"
}

// inWords says how a sum changes: "+10.00 EUR, 1 more charge".
func (m *moneyChange) inWords(currency string, places int) string {
	is, was := scaled(m.is, places), m.was
	low, high := difference(is.Min, was.Min), difference(is.Max, was.Max)
	s := words.Between(low, high, low == high) + " " + code(currency)
	switch more, fewer := m.is.Charges-m.was.Charges, m.was.Charges-m.is.Charges; {
	case m.is.Charges > m.was.Charges:
		return s + ", " + termtext.Counted(count64(more), "more charge")
	case m.is.Charges < m.was.Charges:
		return s + ", " + termtext.Counted(count64(fewer), "fewer charge")
	case m.is.Charges == 0:
		return s + ", another stop or number"
	case low == "0" && high == "0":
		return s + ", on other days or with other numbers"
	}
	return s
}

// difference returns a minus b with its sign; "0" if both are the same.
func difference(a, b amount.Sum) string {
	switch a.Compare(b) {
	case 1:
		_ = a.Sub(b) // a is the larger one
		return "+" + grouped(a.String())
	case -1:
		_ = b.Sub(a)
		return "−" + grouped(b.String())
	}
	return "0"
}
