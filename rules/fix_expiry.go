package rules

import (
	"slices"
	"strings"
)

// expiryAliases are names of a column with month and year of expiry in one value.
const expiryAliases = "Expiry, Expiry Date, Expires, Exp, Exp Date, Expiration, Expiration Date, Card Expiry, Card Expiry Date, Valid Until, Valid Thru, MM/YY, MM/YYYY, " +
	"Ablauf, Ablaufdatum, Gültig bis, Gültigkeit, Karte gültig bis, Verfallsdatum, MM/JJ, MM/JJJJ"

var expiryKeys = func() map[string]bool {
	keys := map[string]bool{}
	for alias := range strings.SplitSeq(expiryAliases, ", ") {
		keys[aliasKey(alias)] = true
	}
	return keys
}()

// expiryOf cuts month and year of expiry: 03/27, 3/2027, 08.27, 2027-03, or 0327. With two numbers of at most 12 the order
// is not certain.
func expiryOf(s string) (month, year string, ok bool) {
	m := repair{text: s}
	m.unwrap(valueMonth)
	s = m.text
	month, year = s, ""
	if i := strings.IndexAny(s, "/.-"); i > 0 {
		month, year = s[:i], s[i+1:]
	} else if len(s) == 4 {
		month, year = s[:2], s[2:]
	}
	if len(month) == 4 && len(s) > 4 {
		month, year = year, month
	}
	if len(month) > 2 || len(year) != 2 && len(year) != 4 || !digitsOnly(month) || !digitsOnly(year) {
		return "", "", false
	}
	if n, valid := numberOf(month, 1, 2); !valid || n < 1 || n > 12 {
		return "", "", false
	}
	if len(year) == 4 {
		return month, year, year[0] == '2'
	}
	return month, year, year > "12"
}

// isExpiry reports whether a name was given for a column with month and year of expiry.
func (x *fixing) isExpiry(name string) bool {
	return slices.Contains(x.Expiry, name) || len(x.Expiry) > 0 && slices.Contains(x.Expiry, inOneLine(name))
}

// freeExpiry makes the name of a column with month and year of expiry unknown where another column has one of them.
func (x *fixing) freeExpiry() {
	has := func(n headerName) bool {
		return !n.expiry && (n.column == ColumnExpireMonth || n.column == ColumnExpireYear || n.rival == ColumnExpireMonth || n.rival == ColumnExpireYear)
	}
	if !slices.ContainsFunc(x.names, has) {
		return
	}
	for i := range x.names {
		if x.names[i].expiry {
			x.names[i].noExpiry()
		}
	}
}

// noExpiry makes the name unknown.
func (n *headerName) noExpiry() { n.column, n.rival, n.means, n.expiry = 0, 0, nil, false }

// expiryColumn is the place of the column with month and year of expiry; negative where there is none.
func (x *fixing) expiryColumn() int {
	return slices.IndexFunc(x.names, func(n headerName) bool { return n.expiry && n.column != 0 })
}

// mendExpiry returns what becomes of a value with month and year of expiry.
func (x *fixing) mendExpiry(s string) (month, year repair) {
	year = x.mend(ColumnExpireYear, "")
	if trimmedUnseen(s) == "" {
		return x.mend(ColumnExpireMonth, s), year
	}
	if given, ok := x.given(ColumnExpireMonth, s, s); ok {
		return given, year
	}
	mm, yy, ok := expiryOf(s)
	if !ok {
		month = repair{text: s}
		month.refuse(refuseNumber)
		return month, repair{}
	}
	month, year = x.mend(ColumnExpireMonth, mm), x.mend(ColumnExpireYear, yy)
	for _, m := range [...]*repair{&month, &year} {
		if len(m.codes) == 0 {
			m.codes = append(m.codes, fixExpiry)
		}
	}
	return month, year
}
