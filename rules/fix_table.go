package rules

import (
	"iter"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// The codes of the changes that a [Fixer] makes. [Repairs] lists them.
const (
	fixMark        ledger.Code = "byte-order-mark"
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
	fixComma       ledger.Code = "decimal-comma"
	refuseOrder    ledger.Code = "date-order"
	refuseDate     ledger.Code = "date-form"
	refuseCard     ledger.Code = "card-scientific"
	refuseTwice    ledger.Code = "column-ambiguous"
	refuseName     ledger.Code = "column-unknown"
	refuseHeader   ledger.Code = "header-unreadable"
	refuseRow      ledger.Code = "row-unreadable"
	refuseWidth    ledger.Code = "row-width"
	refuseEncoding ledger.Code = "encoding-mixed"
)

// A Repair is one kind of change that a [Fixer] lists.
type Repair struct {
	Code ledger.Code
	Text string // what is mended, or what is refused and why
	// Refused reports that the kind is never mended: it would need a guess. The others may be
	// refused in single places.
	Refused bool
}

// Repairs yields every kind of change.
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
	{Code: fixMark, Text: "a byte-order mark is removed"},
	{Code: fixUTF16, Text: "UTF-16 becomes UTF-8"},
	{Code: fixCP1252, Text: "Windows-1252 becomes UTF-8"},
	{Code: fixSeparator, Text: "commas or tabs between values become semicolons"},
	{Code: fixHint, Text: "a first line sep=, for a spreadsheet is removed"},
	{Code: fixBare, Text: "values without quotes get double quotes"},
	{Code: fixMarks, Text: "typographic quotes around values become double quotes"},
	{Code: fixName, Text: "a column name that differs by case, _, space, hyphen or one letter from exactly one column becomes that name"},
	{Code: fixAlias, Text: "a column name of the list of aliases becomes the name of the document"},
	{Code: fixSpaces, Text: "spaces around a value, or around the amounts of a sequence, are removed"},
	{Code: fixCase, Text: "rp_card_type, period and codes of currencies, countries and states get their upper or lower case"},
	{Code: fixISO, Text: "2026-02-01 becomes 01.02.2026"},
	{Code: fixOneDigit, Text: "1.2.2026 becomes 01.02.2026"},
	{Code: fixDateMark, Text: "31/12/2026 and 12-31-2026 become 31.12.2026, where only one order of day and month is possible"},
	{Code: fixComma, Text: "12,50 becomes 12.50; refused for 1,234 and for a sequence of amounts without any point, where a comma may be either mark"},
	{Code: refuseOrder, Refused: true, Text: "day and month can stand in either order, as in 03/04/2026"},
	{Code: refuseDate, Refused: true, Text: "a date in a form that is not read, such as one with two digits for the year"},
	{Code: refuseCard, Refused: true, Text: "a card number in scientific notation has lost digits"},
	{Code: refuseTwice, Refused: true, Text: "two columns can both be the same one of the document"},
	{Code: refuseName, Refused: true, Text: "a column name is not near any column of the document"},
	{Code: refuseHeader, Refused: true, Text: "the first line is not a header that can be read; nothing is changed after it"},
	{Code: refuseRow, Refused: true, Text: "the quotes of a row do not match, or it exceeds a limit"},
	{Code: refuseWidth, Refused: true, Text: "a row has another number of values than the header"},
	{Code: refuseEncoding, Refused: true, Text: "a row is not in the encoding of the rows before it"},
}

// Aliases yields the other names that a [Fixer] knows for columns, with the columns, in the
// document's order. They are compared without regard to case, _, spaces and hyphens.
func Aliases() iter.Seq2[string, Column] {
	return func(yield func(string, Column) bool) {
		for c := CardType; c <= columnCount; c++ {
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
	CardType:          "card-type profile-type",
	OrderID:           "order-id merchant-order-id order-number external-id",
	CardNumber:        "card-number pan cc-number",
	CVV2:              "cvc cvc2 security-code card-code",
	CardPrintedName:   "cardholder cardholder-name name-on-card",
	ExpireYear:        "expiry-year expiration-year exp-year",
	ExpireMonth:       "expiry-month expiration-month exp-month",
	Amount:            "sum price",
	AmountFrom:        "min-amount minimum-amount amount-min",
	AmountTo:          "max-amount maximum-amount amount-max",
	AmountSequence:    "amount-list amounts-list",
	Currency:          "currency-code",
	Country:           "country-code",
	City:              "town",
	ZipCode:           "zip postcode postal-code",
	Address1:          "street street-address",
	FirstName:         "given-name forename",
	LastName:          "surname family-name",
	Email:             "email-address mail",
	Period:            "frequency",
	Interval:          "every",
	OrderDesc:         "description order-description",
	CustomerIP:        "ip ip-address",
	SSN:               "social-security-number",
	Birthday:          "birth-date date-of-birth dob",
	Phone:             "telephone phone-number mobile",
	State:             "province region",
	StartDate:         "start first-charge first-charge-date",
	FinishDate:        "end-date last-charge-date",
	MaxRepeatsNumber:  "max-repeats repeats max-charges",
	Purpose:           "reason",
	NotifyURL:         "notification-url",
	ServerCallbackURL: "callback-url callback",
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
