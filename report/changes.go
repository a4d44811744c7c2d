package report

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/sensitivity"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
)

// mostNamed is how many currencies a day of the heat map and another reading name.
const mostNamed = 3

// profilesInWords says how many profiles would change.
func profilesInWords(c *sensitivity.Change) string {
	switch c.Refused {
	case 0:
		return count(c.Profiles)
	case c.Profiles:
		return count(c.Profiles) + ", all refused"
	}
	return count(c.Profiles) + ", of which " + count(c.Refused) + " refused"
}

// moneyInWords says how the sums of the first currencies would change, each on a line.
func moneyInWords(c *sensitivity.Change, places map[string]int) markup {
	var m markup
	for i, currency := range c.Currencies() {
		if i > 0 {
			m.put("<br>")
		}
		if i == mostNamed {
			m.put("and %", others(len(c.Money)-i))
			break
		}
		m.put("%", changeInWords(c.Money[currency], currency, places[currency]))
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

// changeInWords says how a sum changes: "+10.00 EUR, 1 more charge".
func changeInWords(m *sensitivity.Money, currency string, places int) string {
	is, was := scaled(m.Is, places), m.Was
	low, high := difference(is.Min, was.Min), difference(is.Max, was.Max)
	s := words.Between(low, high, low == high) + " " + code(currency)
	switch more, fewer := m.Is.Charges-m.Was.Charges, m.Was.Charges-m.Is.Charges; {
	case m.Is.Charges > m.Was.Charges:
		return s + ", " + termtext.Counted(count64(more), "more charge")
	case m.Is.Charges < m.Was.Charges:
		return s + ", " + termtext.Counted(count64(fewer), "fewer charge")
	case m.Is.Charges == 0:
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
