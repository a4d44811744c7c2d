package rules

import (
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// The checks of the kinds of values, each of one value alone.

// cardType reads rp_card_type.
func (c *checker) cardType(spec *Spec, s string) {
	var ok bool
	if c.parsed.kind, ok = kindOf(s); !ok {
		c.refuse(CardTypeValue, spec.Column)
	}
}

// card checks the card number (L39c).
func (c *checker) card(spec *Spec, s string) {
	checked := checkDigit(s)
	switch {
	case !checked && !digitsOnly(s):
		c.report(CardNumberForm, spec.Column, wholeValue)
		return
	case len(s) > spec.Max:
		return // its length is reported
	case len(s) < 12:
		c.report(CardNumberShort, spec.Column, wholeValue)
	}
	if !checked {
		c.report(CardNumberCheck, spec.Column, wholeValue)
	}
}

func (c *checker) securityCode(spec *Spec, s string) {
	if _, ok := numberOf(s, 3, 4); !ok {
		c.report(CVV2Form, spec.Column, wholeValue)
	}
}

// year reads expire-year (L39).
func (c *checker) year(spec *Spec, s string) {
	n, ok := numberOf(s, 4, 4)
	if !ok {
		c.refuse(ExpireYearForm, spec.Column)
	}
	c.parsed.expireYear = n
}

// month reads expire-month (L39).
func (c *checker) month(spec *Spec, s string) {
	n, ok := numberOf(s, 1, 2)
	if !ok || n < 1 || n > 12 {
		c.refuse(ExpireMonthForm, spec.Column)
		return
	}
	c.parsed.expireMonth = n
	if len(s) == 1 {
		c.report(ExpireMonthOneDigit, spec.Column, wholeValue)
	}
}

// currency reads the code of the currency (L50, L56).
func (c *checker) currency(spec *Spec, s string) {
	listed := s == c.last.currency || amount.ListedCurrency(s)
	switch {
	case s == "€" && c.opts.ScheduleOnly:
		s, listed = "EUR", true
		f := c.report(CurrencyUnknown, spec.Column, wholeValue)
		f.Message, f.Help = "the currency is written as a sign and is read as EUR", "write EUR"
	case !listed && utf8.RuneCountInString(s) <= spec.Max:
		c.report(CurrencyUnknown, spec.Column, wholeValue)
	}
	if c.opts.Currency != "" && s != c.opts.Currency {
		if f := c.report(ProjectCurrency, spec.Column, wholeValue); amount.ListedCurrency(c.opts.Currency) {
			f.Message = "currency differs from that of the project, " + c.opts.Currency
		}
	}
	if s != c.last.currency {
		c.last.currency = strings.Clone(s) // so that it does not keep the text of its row
		if !listed {
			c.last.currency, c.parsed.currency = "", c.last.currency
			return
		}
	}
	c.parsed.currency = c.last.currency
}

// country reads the code of the country (L50).
func (c *checker) country(spec *Spec, s string) {
	if c.parsed.country = s; !isCountry(s) && utf8.RuneCountInString(s) <= spec.Max {
		c.report(CountryUnknown, spec.Column, wholeValue)
	}
}

// url checks an address, which is often that of the previous row (L54).
func (c *checker) url(spec *Spec, s string) {
	switch {
	case s == c.last.url:
	case isURL(s):
		c.last.url = s
	default:
		c.report(URLForm, spec.Column, wholeValue)
	}
}

func (c *checker) period(spec *Spec, s string) {
	c.parsed.unit = unitOf(s)
	if c.parsed.unit == calendar.UnitNone {
		c.refuse(PeriodValue, spec.Column)
	}
}

// date reads a date (L38, X3).
func (c *checker) date(spec *Spec, s string) {
	d, code := dateOf(s)
	if code != "" {
		c.refuse(code, spec.Column)
		return
	}
	switch spec.Column {
	case ColumnStartDate:
		c.parsed.start = d
	case ColumnFinishDate:
		c.parsed.finish = d
	case ColumnBirthday:
		if !c.opts.AsOf.IsZero() && d.After(c.opts.AsOf) {
			c.report(BirthdayFuture, spec.Column, wholeValue)
		}
	}
}

// dateOf reads DD.MM.YYYY; the code is why it cannot be read, or empty.
func dateOf(s string) (calendar.Date, ledger.Code) {
	if len(s) == len("DD.MM.YYYY") && s[2] == '.' && s[5] == '.' {
		day, ok := numberOf(s[:2], 2, 2)
		month, ok2 := numberOf(s[3:5], 2, 2)
		year, ok4 := numberOf(s[6:], 4, 4)
		if ok && ok2 && ok4 {
			d, err := calendar.New(year, time.Month(month), day)
			if err != nil {
				return d, DateNotADay
			}
			return d, ""
		}
	}
	return calendar.Date{}, DateSyntax
}

// integer reads interval and max-repeats-number (L56b).
func (c *checker) integer(spec *Spec, s string) {
	n, padded, code := integerOf(spec.Column, s)
	if padded {
		c.report(LeadingZero, spec.Column, wholeValue)
	}
	switch {
	case code != "":
		c.refuse(code, spec.Column)
	case spec.Column == ColumnMaxRepeatsNumber:
		c.parsed.maxRepeats = engine.AtMost(n)
	default: // any interval beyond the calendar means the same: one charge, then its end
		c.parsed.interval = int(min(n, uint64(^uint(0)>>1)))
	}
}

// integerOf reads a whole number for a column; the code is why it cannot be used, or empty. padded reports needless
// leading zeros.
func integerOf(col Column, s string) (n uint64, padded bool, c ledger.Code) {
	digits, negative := strings.CutPrefix(s, "-")
	switch {
	case !digitsOnly(digits):
		return 0, false, IntegerSyntax
	case negative && col == ColumnInterval:
		return 0, false, IntervalValue
	case negative:
		return 0, false, MaxNegative
	}
	significant := strings.TrimLeft(digits, "0")
	padded = len(significant) < len(digits) && len(digits) > 1
	n, ok := naturalOf(significant)
	switch {
	case !ok:
		return 0, padded, IntegerRange
	case n == 0 && col == ColumnInterval:
		return 0, padded, IntervalValue
	}
	return n, padded, ""
}

// naturalOf reads digits up to the largest signed 64-bit number; no digits are 0.
func naturalOf(digits string) (uint64, bool) {
	const largest = "9223372036854775807"
	if len(digits) > len(largest) || len(digits) == len(largest) && digits > largest {
		return 0, false
	}
	var n uint64
	for i := range len(digits) {
		n = 10*n + uint64(digits[i]-'0')
	}
	return n, true
}

func isDigit(c byte) bool { return c-'0' < 10 }

func digitsOnly(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// numberOf reads from least to most digits, at least one and at most nine.
func numberOf(s string, least, most int) (n int, ok bool) {
	if len(s) < least || len(s) > most {
		return 0, false
	}
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int(digit)
	}
	return n, true
}

// checkDigit reports whether s is digits, of which the last one is the check digit of the others: with every second digit
// from the right doubled, the digits of all add up to a multiple of ten.
func checkDigit(s string) bool {
	const doubled = "0246813579" // the sums of their digits
	sum := 0
	for i := len(s) - 1; i >= 0; i -= 2 {
		if !isDigit(s[i]) {
			return false
		}
		if sum += int(s[i] - '0'); i == 0 {
			break
		}
		if !isDigit(s[i-1]) {
			return false
		}
		sum += int(doubled[s[i-1]-'0'] - '0')
	}
	return s != "" && sum%10 == 0
}

// likeCard reports whether s has the form of a card number: 13 to 19 digits, the first of them 3 to 6,
// with the right check digit.
func likeCard(s string) bool {
	return 13 <= len(s) && len(s) <= 19 && '3' <= s[0] && s[0] <= '6' && checkDigit(s)
}

// plainText reads client-orderid and zip-code, and warns of texts that a program has changed.
func (c *checker) plainText(spec *Spec, s string) {
	switch spec.Column {
	case ColumnOrderID:
		c.parsed.orderID = s
	case ColumnZipCode:
		c.parsed.zip = s
	}
	form := ""
	if b := s[0]; b == '#' || b == '=' || isDigit(b) {
		form = spreadsheetForm(s)
	}
	if form != "" {
		c.report(SpreadsheetValue, spec.Column, wholeValue).Message = form
	} else if !c.plain && isGarbled(s) {
		c.report(TextGarbled, spec.Column, wholeValue)
	}
}

// spreadsheetForm returns what a spreadsheet has made of a text that begins with #, = or a digit; empty for other texts.
func spreadsheetForm(s string) string {
	switch {
	case s[0] == '#' && len(s) > 3 && (s == "#N/A" || strings.IndexByte("!?", s[len(s)-1]) > -1 && strings.ToUpper(s) == s && strings.IndexByte(s, ' ') < 0):
		return "the value is an error of a spreadsheet"
	case len(s) > 3 && s[:2] == `="` && s[len(s)-1] == '"':
		return "the value is a formula of a spreadsheet"
	case isScientific(s):
		return "a spreadsheet took the value for a number and wrote it with an exponent"
	}
	return ""
}

// isScientific reports whether s is digits, a point or comma, digits, E+ and digits.
func isScientific(s string) bool {
	whole := leadingDigits(s)
	if whole == 0 || whole == len(s) || s[whole] != '.' && s[whole] != ',' {
		return false
	}
	s = s[whole+1:]
	parts := leadingDigits(s)
	exponent, ok := strings.CutPrefix(s[parts:], "E+")
	return ok && parts > 0 && digitsOnly(exponent)
}

// isGarbled reports whether s looks like text of UTF-8 that was read in a Western encoding: Ã¼ for ü.
func isGarbled(s string) bool {
	for i := 0; i+2 < len(s); i++ {
		if s[i] != 0xC3 { // the first byte of À to ÿ
			continue
		}
		if lead := s[i+1]; lead != 0x82 && lead != 0x83 && lead != 0x84 && lead != 0x85 { // Â Ã Ä Å
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[i+2:])
		quoted := strings.ContainsRune("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", next) && s[i+1] == 0x83
		if 0xA1 <= next && next <= 0xBF || quoted {
			return true
		}
	}
	return false
}

// zipDigits is how many digits the postal codes of a country have, some of which begin with 0.
var zipDigits = map[string]int{"US": 5, "DE": 5, "FR": 5, "ES": 5, "IT": 5, "FI": 5, "EE": 5, "TR": 5, "UA": 5, "MX": 5, "AU": 4}

// longestZip is the most of zipDigits.
const longestZip = 5

// checkZip warns of a zip code whose first digits are missing: a spreadsheet drops zeros.
func (c *checker) checkZip() {
	zip := c.parsed.zip
	if len(zip) >= longestZip {
		return
	}
	if most := zipDigits[c.parsed.country]; most > 0 && len(zip) < most && len(zip) >= most-2 && digitsOnly(zip) {
		c.report(ZipCodeZero, ColumnZipCode, wholeValue).Message = "the zip code has " + count(int64(len(zip)), plural(int64(len(zip)), "digit")) +
			", those of the country " + count(int64(most), "digits")
	}
}

// isEmail reports whether s is a plain address: words with points between them, an @, and
// a domain of at least two labels (L54). Letters beyond ASCII are allowed.
func isEmail(s string) bool {
	name, domain, ok := strings.Cut(s, "@")
	return ok && isDotted(name, inAddress) && strings.IndexByte(domain, '.') >= 0 && isDotted(domain, inLabel) && hostForm(domain)
}

// isDotted reports whether s is one or more words of bytes of a kind with single points between them.
func isDotted(s string, kind uint8) bool {
	last := byte('.')
	for i := range len(s) {
		c := s[i]
		if byteKinds[c]&kind == 0 && (c != '.' || last == '.') {
			return false
		}
		last = c
	}
	return last != '.'
}

// Kinds of bytes, as bits.
const (
	inLabel   = 1 << iota // of a host name; bytes of characters beyond ASCII can be
	inHost                // of a host name in a URL, where _ is used too
	inAddress             // of the name in an address
	inPath                // of a path, query or fragment
)

// byteKinds is what each byte can be part of.
var byteKinds = func() (kinds [256]uint8) {
	for i := range kinds {
		c := byte(i)
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', isDigit(c), c == '-', c >= 0x80:
			kinds[i] = inLabel | inHost | inAddress | inPath
		case c == '_':
			kinds[i] = inHost | inAddress | inPath
		case strings.IndexByte("!#$%&'*+/=?~", c) >= 0:
			kinds[i] = inAddress | inPath
		case strings.IndexByte("^`{|}", c) >= 0:
			kinds[i] = inAddress
		case c > ' ' && c != 0x7F && strings.IndexByte("\"<>\\", c) < 0:
			kinds[i] = inPath
		}
	}
	return kinds
}()

// hostForm reports whether no label of a dotted name begins or ends with a dash.
func hostForm(host string) bool {
	if strings.IndexByte(host, '-') < 0 {
		return true
	}
	last := byte('.')
	for i := range len(host) {
		c := host[i]
		if c == '-' && last == '.' || c == '.' && last == '-' {
			return false
		}
		last = c
	}
	return last != '-'
}

// isIP reports whether s is an IPv4 or IPv6 address and nothing else, no zone either
// (L54).
func isIP(s string) bool {
	const longest = 45
	switch {
	case strings.IndexByte(s, ':') < 0:
		return isIPv4(s)
	case len(s) > longest || strings.IndexByte(s, '%') >= 0:
		return false // netip would accept a zone of any length
	}
	_, err := netip.ParseAddr(s) // the error repeats the value and is dropped
	return err == nil
}

// isIPv4 reports whether s is four numbers up to 255 with points between them, without zeros before others.
func isIPv4(s string) bool {
	points, n, digits := 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c) && (n > 0 || digits == 0):
			n, digits = 10*n+int(c-'0'), 1
			if n > 255 {
				return false
			}
		case c == '.' && digits > 0:
			points, n, digits = points+1, 0, 0
		default:
			return false
		}
	}
	return points == 3 && digits > 0
}

// isURL reports whether s is an absolute http or https URL: scheme, host, perhaps port,
// and visible characters after it (L54).
func isURL(s string) bool {
	rest, ok := cutScheme(s)
	if !ok {
		return false
	}
	end := strings.IndexAny(rest, "/?#")
	authority, path := rest, ""
	if end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	return isAuthority(authority) && isVisible(path)
}

// cutScheme returns s after http:// or https://, in any case.
func cutScheme(s string) (rest string, ok bool) {
	for _, scheme := range [...]string{"https://", "http://"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return s[len(scheme):], true
		}
	}
	return "", false
}

// isAuthority reports whether s is a host name or address, perhaps with a port.
func isAuthority(s string) bool {
	host, port := s, ""
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") {
		host, port = s[:i], s[i+1:]
		if n, ok := numberOf(port, 1, 5); !ok || n == 0 || n > 65535 {
			return false
		}
	}
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		return strings.Contains(host, ":") && isIP(host[1:len(host)-1])
	}
	return isDotted(host, inHost) && hostForm(host)
}

// isVisible reports whether s has no space, control character or other byte that a URL
// must escape.
func isVisible(s string) bool {
	for i := range len(s) {
		if byteKinds[s[i]]&inPath == 0 {
			return false
		}
	}
	return true
}
