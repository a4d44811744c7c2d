package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// changes add up what other readings would change, over all profiles.
type changes struct {
	compared bool
	list     []*change
}

// A change is what another value of one key would change.
type change struct {
	clause   ledger.Clause
	value    string
	first    calendar.Date
	profiles int
	refused  int // … of which the value refuses
	money    []moneyChange
}

// A moneyChange is what is charged in one currency, as it is and as it would be.
type moneyChange struct {
	currency string
	was, is  record.Sums
}

// add counts what changes for a profile.
func (c *changes) add(currency string, list []engine.Sensitivity) {
	c.compared = true
	for i := range list {
		s := &list[i]
		at := c.of(s.Clause, s.Value)
		at.profiles++
		if s.Refused != "" {
			at.refused++
		}
		if at.first.IsZero() || s.First.Before(at.first) {
			at.first = s.First
		}
		m := at.in(currency)
		if m == nil {
			continue
		}
		m.was.Merge(record.SumsOf(s.Old))
		m.is.Merge(record.SumsOf(s.New))
	}
}

func (c *changes) of(clause ledger.Clause, value string) *change {
	for _, known := range c.list {
		if known.clause == clause && known.value == value {
			return known
		}
	}
	c.list = append(c.list, &change{clause: clause, value: value})
	return c.list[len(c.list)-1]
}

// in returns the sums of a currency; nil beyond the limit.
func (c *change) in(currency string) *moneyChange {
	for i := range c.money {
		if c.money[i].currency == currency {
			return &c.money[i]
		}
	}
	if len(c.money) == maxAccounts {
		return nil
	}
	c.money = append(c.money, moneyChange{currency: strings.Clone(currency)})
	return &c.money[len(c.money)-1]
}

// sorted returns the changes in the order of the ledger.
func (c *changes) sorted() []*change {
	slices.SortFunc(c.list, func(a, b *change) int {
		return cmp.Or(cmp.Compare(a.clause, b.clause), cmp.Compare(valueIndex(a), valueIndex(b)))
	})
	for _, x := range c.list {
		slices.SortFunc(x.money, func(a, b moneyChange) int { return cmp.Compare(a.currency, b.currency) })
	}
	return c.list
}

func valueIndex(c *change) int { return slices.Index(c.clause.Entry().Values(), c.value) }

// moved says how a sum changes: "+10.00 EUR, 1 more charge".
func (m *moneyChange) moved() string {
	low, high := difference(m.is.Min, m.was.Min), difference(m.is.Max, m.was.Max)
	s := words.Between(low, high, low == high) + " " + code(m.currency)
	switch more, fewer := m.is.Charges-m.was.Charges, m.was.Charges-m.is.Charges; {
	case m.is.Charges > m.was.Charges:
		return s + ", " + termtext.Counted(count64(more), "more charge")
	case m.is.Charges < m.was.Charges:
		return s + ", " + termtext.Counted(count64(fewer), "fewer charge")
	case m.is.Charges == 0 && m.was.Charges == 0:
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

// grouped writes the digits in front of the point in groups of three, with narrow spaces that do
// not break.
func grouped(s string) string {
	point := len(s)
	for i := range len(s) {
		if s[i] == '.' {
			point = i
			break
		}
	}
	if point <= 3 {
		return s
	}
	b := make([]byte, 0, 2*len(s))
	for i := range point {
		if i > 0 && (point-i)%3 == 0 {
			b = append(b, "\u202f"...)
		}
		b = append(b, s[i])
	}
	return string(append(b, s[point:]...))
}
