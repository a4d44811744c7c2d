package rules

import (
	"strings"
	"unicode/utf8"
)

// plainText reads client-orderid and zip-code, and warns where a program that wrote the file has changed a text.
func (c *checker) plainText(spec *Spec, s string) {
	switch spec.Column {
	case ColumnOrderID:
		c.read.orderID = s
	case ColumnZipCode:
		c.read.zip = s
	}
	if form := spreadsheetForm(s); form != "" {
		c.report(SpreadsheetValue, spec.Column, wholeValue).Message = form
	} else if !c.plain && isGarbled(s) {
		c.report(TextGarbled, spec.Column, wholeValue)
	}
}

// spreadsheetForm says what a spreadsheet has made of a text; empty for any other text.
func spreadsheetForm(s string) string {
	switch {
	case s[0] != '#' && s[0] != '=' && !isDigit(s[0]):
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

// checkZip warns of a zip code whose first digits are missing: a spreadsheet drops zeros.
func (c *checker) checkZip() {
	zip := c.read.zip
	if most := zipDigits[c.read.country]; most > 0 && len(zip) < most && len(zip) >= most-2 && digitsOnly(zip) {
		c.report(ZipCodeZero, ColumnZipCode, wholeValue).Message = "the zip code has " + count(int64(len(zip)), plural(int64(len(zip)), "digit")) +
			", those of the country " + count(int64(most), "digits")
	}
}
