package exportform

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Amount is what was read of an amount.
type Amount struct {
	Text      string // digits, or digits, a point and digits; empty for an amount that is not read
	Sign      bool   // a sign or a code of the currency was left out
	Thousands bool   // marks between thousands were left out
	Comma     bool   // the decimal mark was a comma
	Fault     AmountFault
}

// An AmountFault is why an amount is not read.
type AmountFault uint8

// The faults.
const (
	AmountMalformed AmountFault = iota + 1 // nothing that is read
	AmountUndecided                        // no decimal mark is given, or the mark may be another one
	AmountCurrency                         // the sign or the code is not that of the currency
)

// Amount reads an amount of a currency (empty: not known). Without a decimal mark in Forms it reads digits, with
// a point or, where that cannot be between thousands, a comma before the decimals. With one it also reads marks between
// thousands (the other mark, apostrophes, spaces) and leaves out a sign or code of the currency at either end.
func (f Forms) Amount(s, currency string) Amount {
	if f.Decimal == 0 {
		return undecided(s, currency)
	}
	core, mark := CutCurrency(s)
	a := f.number(core)
	if a.Fault != 0 || mark == "" {
		return a
	}
	if a.Sign = true; !slices.Contains(Currencies(mark), strings.ToUpper(currency)) {
		return Amount{Fault: AmountCurrency}
	}
	return a
}

// undecided reads an amount where no decimal mark is given.
func undecided(s, currency string) Amount {
	if isPlain(s) {
		return Amount{Text: s}
	}
	if whole, part, ok := strings.Cut(s, ","); ok && digits(whole) && digits(part) && !mayGroup(whole, part) {
		return Amount{Text: whole + "." + part, Comma: true}
	}
	for _, d := range [...]Decimal{Comma, Point} {
		if (Forms{Decimal: d}).Amount(s, currency).Fault != AmountMalformed {
			return Amount{Fault: AmountUndecided}
		}
	}
	return Amount{Fault: AmountMalformed}
}

// number reads an amount without a currency whose decimal mark is given.
func (f Forms) number(s string) Amount {
	decimal, other := ".", ","
	if f.Decimal == Comma {
		decimal, other = other, decimal
	}
	if whole, grouped := ungroup(s, other); whole != "" && (s[0] != '0' || !grouped) {
		return Amount{Text: whole, Thousands: grouped}
	}
	if isPlain(s) {
		return Amount{Text: s}
	}
	whole, part, _ := strings.Cut(s, decimal)
	plain, grouped := ungroup(whole, other)
	switch {
	case plain == "" || !digits(part) || grouped && whole[0] == '0':
		if whole, part, ok := strings.Cut(s, ","); ok && digits(whole) && digits(part) {
			return Amount{Fault: AmountUndecided} // 12,50 where a point is given
		}
		return Amount{Fault: AmountMalformed}
	case f.Decimal == Comma && !grouped && mayGroup(whole, part):
		return Amount{Fault: AmountUndecided} // 1.234, which it would become, is 1234
	}
	return Amount{Text: plain + "." + part, Thousands: grouped, Comma: f.Decimal == Comma}
}

// mayGroup reports whether a mark between these digits may be one between thousands.
func mayGroup(whole, part string) bool { return len(part) == 3 && len(whole) <= 3 && whole[0] != '0' }

// isPlain reports whether s is digits, or digits, a point and digits.
func isPlain(s string) bool {
	whole, part, ok := strings.Cut(s, ".")
	return digits(whole) && (!ok || digits(part))
}

// ungroup returns digits without the marks between their thousands, if there are any: all the same, apostrophes or
// spaces of any width, or the one that is given. It returns the empty string for another text.
func ungroup(s, mark string) (plain string, grouped bool) {
	if i := strings.IndexAny(s, "'’ \u00a0\u2009\u202f"); i >= 0 {
		_, size := utf8.DecodeRuneInString(s[i:])
		mark = s[i : i+size]
	}
	groups := strings.Split(s, mark)
	grouped = len(groups) > 1
	for i, g := range groups {
		if !digits(g) || grouped && (len(g) > 3 || i > 0 && len(g) < 3) {
			return "", false
		}
	}
	return strings.Join(groups, ""), grouped
}

// signs are the currencies of signs that are not letters of a code.
var signs = map[string][]string{
	"€": {"EUR"}, "£": {"GBP", "EGP", "FKP", "GIP", "LBP", "SHP", "SSP", "SDG", "SYP"}, "¥": {"JPY", "CNY"}, "￥": {"JPY", "CNY"},
	"$":   {"USD", "ARS", "AUD", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "CLP", "COP", "FJD", "GYD", "HKD", "JMD", "KYD", "LRD", "MXN", "NAD", "NZD", "SBD", "SGD", "SRD", "TTD", "TWD", "UYU", "XCD"},
	"US$": {"USD"}, "A$": {"AUD"}, "C$": {"CAD"}, "₴": {"UAH"}, "₽": {"RUB"}, "₹": {"INR"}, "₩": {"KRW", "KPW"}, "₺": {"TRY"}, "₪": {"ILS"}, "₫": {"VND"}, "₸": {"KZT"}, "₦": {"NGN"}, "฿": {"THB"}, "₱": {"PHP"}, "₼": {"AZN"}, "₾": {"GEL"},
	"zł": {"PLN"}, "Kč": {"CZK"}, "Ft": {"HUF"}, "kr": {"SEK", "NOK", "DKK", "ISK"}, "kr.": {"DKK", "NOK"}, "Fr.": {"CHF"}, "lei": {"RON", "MDL"}, "лв": {"BGN"}, "лв.": {"BGN"}, "руб.": {"RUB"}, "грн": {"UAH"},
}

// CutCurrency returns an amount without the sign or the code of a currency at one end and the spaces next to it, and that mark,
// of which [Currencies] says the currency. Without one it returns s and an empty mark.
func CutCurrency(s string) (core, mark string) {
	space := func(r rune) bool { return r == ' ' || unicode.Is(unicode.Zs, r) }
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	first, last := strings.IndexFunc(s, isDigit), strings.LastIndexFunc(s, isDigit)
	if first < 0 {
		return s, ""
	}
	before, after := s[:first], s[last+1:]
	if before == "" == (after == "") { // neither, or both
		return s, ""
	}
	mark = strings.TrimFunc(before+after, space)
	if Currencies(mark) == nil {
		return s, ""
	}
	return s[first : last+1], mark
}

// Currencies returns the currencies that a sign or a code may mean, such as all that have $; nil for another text. The list is
// not to be changed.
func Currencies(mark string) []string {
	if of, ok := signs[mark]; ok {
		return of
	}
	if code := strings.ToUpper(mark); len(mark) == 3 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return []string{code}
	}
	return nil
}
