package rules

import (
	"iter"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// The codes of the changes that a [Fixer] makes. [Repairs] lists them.
const (
	fixMark        ledger.Code = "encoding-mark"
	fixUTF16       ledger.Code = "encoding-utf16"
	fixCP1252      ledger.Code = "encoding-cp1252"
	fixSeparator   ledger.Code = "separator"
	fixHint        ledger.Code = "separator-line"
	fixBare        ledger.Code = "quotes-missing"
	fixMarks       ledger.Code = "quotes-typographic"
	fixName        ledger.Code = "header-name"
	fixAlias       ledger.Code = "header-alias"
	fixSpaces      ledger.Code = "spaces"
	fixCase        ledger.Code = "case"
	fixISO         ledger.Code = "date-iso"
	fixOneDigit    ledger.Code = "date-one-digit"
	fixDateMark    ledger.Code = "date-separator"
	fixMonthFirst  ledger.Code = "date-month-first"
	fixThousands   ledger.Code = "thousands-mark"
	fixComma       ledger.Code = "decimal-comma"
	fixCardGroups  ledger.Code = "card-groups"
	refuseOrder    ledger.Code = "date-order"
	refuseDate     ledger.Code = "date-form"
	refuseAmount   ledger.Code = "amount-form"
	refuseCard     ledger.Code = "card-scientific"
	refuseTwice    ledger.Code = "column-ambiguous"
	refuseName     ledger.Code = "header-unknown"
	refuseHeader   ledger.Code = "header-unreadable"
	refuseRow      ledger.Code = "row-unreadable"
	refuseWidth    ledger.Code = "row-width"
	refuseShift    ledger.Code = "row-shifted"
	refuseEncoding ledger.Code = "encoding-mixed"
)

// A Repair is one kind of change that a [Fixer] reports.
type Repair struct {
	Code    ledger.Code
	Text    string // what is mended; empty for what is always refused
	Refusal string // why it may be refused; empty for what never is
	Example string // "before → after", or what is refused
}

// Repairs yields every kind of change: those that are mended first, then those that are always
// refused.
func Repairs() iter.Seq[Repair] {
	return func(yield func(Repair) bool) {
		for _, r := range repairs {
			if !yield(r) {
				return
			}
		}
	}
}

var repairs = []Repair{
	{Code: fixMark, Text: "the byte-order mark was removed", Example: "EF BB BF → nothing"},
	{Code: fixUTF16, Text: "UTF-16 became UTF-8", Example: "61 00 → 61"},
	{Code: fixCP1252, Text: "Windows-1252 became UTF-8", Example: "E9 → C3 A9"},
	{Code: fixSeparator, Text: "values are separated by semicolons", Example: `"SRC","order-1" → "SRC";"order-1"`},
	{Code: fixHint, Text: "the line for a spreadsheet was removed", Example: "sep=, → nothing"},
	{Code: fixBare, Text: "values are in double quotes", Example: `SRC → "SRC"`},
	{Code: fixMarks, Text: "typographic quotes became double quotes", Refusal: "the quotes may be part of the text", Example: `“SRC” → "SRC", and “12,50” between commas → "12,50"`},
	{Code: fixName, Text: "the name differed by case, _, space, hyphen or one letter", Example: "Finish_Date → finish-date"},
	{Code: fixAlias, Text: "the name was another one for this column", Example: "Order Number → client-orderid"},
	{Code: fixSpaces, Text: "spaces around the value, or around amounts of a sequence, were removed", Example: `" EUR" → "EUR"`},
	{Code: fixCase, Text: "upper and lower case are those of the code", Example: "eur → EUR, Month → month"},
	{Code: fixISO, Text: "the date was written with the year first", Example: "2026-02-01 → 01.02.2026"},
	{Code: fixOneDigit, Text: "day and month have two digits", Example: "1.2.2026 → 01.02.2026"},
	{Code: fixDateMark, Text: "day, month and year are separated by points", Example: "31/12/2026, 12-31-2026 → 31.12.2026"},
	{Code: fixMonthFirst, Text: "day and month changed places: the second number is too large for a month", Example: "12/31/2026 → 31.12.2026"},
	{Code: fixThousands, Text: "the marks between thousands were removed", Refusal: "the point may separate thousands: the currency does not have three decimals, another amount has a decimal comma or several points, or the value also has spaces or marks to remove", Example: "1,234.50, 1'234.50, 1 234.50 → 1234.50, 1.234,50 → 1234.50; refused: 1.234 in EUR, or in KWD where another amount is 12,50, or with a space in front"},
	{Code: fixComma, Text: "the decimal comma became a point", Refusal: "the comma may be a decimal mark or another one", Example: "12,50 → 12.50; refused: 1,234, and 10,20 in amount-sequence"},
	{Code: fixCardGroups, Text: "the spaces or hyphens between groups of the card number were removed", Refusal: "it is not certain which digits are the card number: the check digit does not fit, the groups are not those of one, or a group may be a security code", Example: "4111 1111 … → 41111111…"},
	{Code: refuseOrder, Refusal: "day and month may stand in either order", Example: "03/04/2026"},
	{Code: refuseDate, Refusal: "the date is in a form that is not read, or its month does not have that day: write DD.MM.YYYY, the year with four digits", Example: "01.02.26"},
	{Code: refuseAmount, Refusal: "the amount is in a form that is not read", Example: "€12.50, 12.50 EUR, +12.50, 1.2e3, 1,,5"},
	{Code: refuseCard, Refusal: "the card number is in scientific notation and has lost digits", Example: "4.11111E+15"},
	{Code: refuseTwice, Refusal: "two columns can both be this one", Example: "amount and Amount"},
	{Code: refuseName, Refusal: "the name is not near that of any column", Example: "color"},
	{Code: refuseHeader, Refusal: "the first line is not a header that can be read, so nothing after it is changed", Example: "a row of data"},
	{Code: refuseRow, Refusal: "the quotes of the row do not match, or it exceeds a limit", Example: `"12" disc"`},
	{Code: refuseWidth, Refusal: "the row has another number of values than the header", Example: "an amount 12,50 without quotes in a row with commas"},
	{Code: refuseShift, Refusal: "a separator inside a value, as in a decimal comma without quotes, may have moved the values after it by a column", Example: "12,50 for amount and currency, or for amount and a last column max-repeats-number"},
	{Code: refuseEncoding, Refusal: "the row is not in one encoding with the rows before it, or in none that is known", Example: "E9 after a row with C3 A9"},
}

// Aliases yields the other names that a [Fixer] knows for columns, with the columns, in the
// document's order. They are compared without regard to case, _, spaces and hyphens.
func Aliases() iter.Seq2[string, Column] {
	return func(yield func(string, Column) bool) {
		for c := ColumnCardType; c <= columnCount; c++ {
			for alias := range strings.SplitSeq(aliases[c], " ") {
				if alias != "" && !yield(alias, c) {
					return
				}
			}
		}
	}
}

// aliases are usual names in exports, none of them near a name of the document.
var aliases = [columnCount + 1]string{
	ColumnCardType:          "card-type profile-type",
	ColumnOrderID:           "order-id merchant-order-id order-number external-id",
	ColumnCardNumber:        "card-number pan cc-number",
	ColumnCVV2:              "cvc cvc2 security-code card-code",
	ColumnCardPrintedName:   "cardholder cardholder-name name-on-card",
	ColumnExpireYear:        "expiry-year expiration-year exp-year",
	ColumnExpireMonth:       "expiry-month expiration-month exp-month",
	ColumnAmount:            "sum price",
	ColumnAmountFrom:        "min-amount minimum-amount amount-min",
	ColumnAmountTo:          "max-amount maximum-amount amount-max",
	ColumnAmountSequence:    "amount-list amounts-list",
	ColumnCurrency:          "currency-code",
	ColumnCountry:           "country-code",
	ColumnCity:              "town",
	ColumnZipCode:           "zip postcode postal-code",
	ColumnAddress1:          "street street-address",
	ColumnFirstName:         "given-name forename",
	ColumnLastName:          "surname family-name",
	ColumnEmail:             "email-address mail",
	ColumnPeriod:            "frequency",
	ColumnInterval:          "every",
	ColumnOrderDesc:         "description order-description",
	ColumnCustomerIP:        "ip ip-address",
	ColumnSSN:               "social-security-number",
	ColumnBirthday:          "birth-date date-of-birth dob",
	ColumnPhone:             "telephone phone-number mobile",
	ColumnState:             "province region",
	ColumnStartDate:         "start first-charge first-charge-date",
	ColumnFinishDate:        "end-date last-charge-date",
	ColumnMaxRepeatsNumber:  "max-repeats repeats max-charges",
	ColumnPurpose:           "reason",
	ColumnNotifyURL:         "notification-url",
	ColumnServerCallbackURL: "callback-url callback",
}

// nameKey is a column name without what exports change: case, _, spaces and hyphens.
func nameKey(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || isSpace(r):
			return -1
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// nameKeys are the keys of names, aliasKeys those of aliases.
var (
	nameKeys = func() map[string]Column {
		keys := map[string]Column{}
		for s := range Columns() {
			keys[nameKey(s.Name)] = s.Column
		}
		return keys
	}()
	aliasKeys = func() map[string]Column {
		keys := map[string]Column{}
		for alias, c := range Aliases() {
			keys[nameKey(alias)] = c
		}
		return keys
	}()
)

// meantColumn returns the column that a name in a header means, and the code of the change that
// writes it so; no code for an exact name, and no column where none is meant, or more than one.
func meantColumn(name string) (Column, ledger.Code) {
	if c, ok := ColumnOf(name); ok {
		return c, ""
	}
	const longest = 64 // longer names resemble nothing
	key := nameKey(name)
	if key == "" || len(key) > longest {
		return 0, ""
	}
	if c := nameKeys[key]; c != 0 {
		return c, fixName
	}
	if c := aliasKeys[key]; c != 0 {
		return c, fixAlias
	}
	var near Column
	for s := range Columns() {
		if oneLetter(key, nameKey(s.Name)) {
			if near != 0 {
				return 0, ""
			}
			near = s.Column
		}
	}
	return near, fixName
}

// oneLetter reports whether a becomes b when one letter is added, removed or replaced.
func oneLetter(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}
