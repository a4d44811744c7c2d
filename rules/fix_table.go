package rules

import (
	"iter"
	"strings"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of the changes that a [Fixer] makes or refuses. [Repairs] explains them.
const (
	fixEncoding   ledger.Code = "encoding"
	fixMark       ledger.Code = "encoding-mark"
	fixUTF16      ledger.Code = "encoding-utf16"
	fixSeparator  ledger.Code = "separator"
	fixHint       ledger.Code = "separator-line"
	fixBare       ledger.Code = "quotes-missing"
	fixCurly      ledger.Code = "quotes-typographic"
	fixName       ledger.Code = "header-name"
	fixAlias      ledger.Code = "header-alias"
	fixRename     ledger.Code = "header-rename"
	fixUnknown    ledger.Code = "header-unknown"
	fixEmpty      ledger.Code = "row-empty"
	fixSpaces     ledger.Code = "spaces"
	fixApostrophe ledger.Code = "apostrophe"
	fixCase       ledger.Code = "case"
	fixISO        ledger.Code = "date-iso"
	fixOneDigit   ledger.Code = "date-one-digit"
	fixDateMark   ledger.Code = "date-separator"
	fixMonthFirst ledger.Code = "date-month-first"
	fixOrder      ledger.Code = "date-order"
	fixCentury    ledger.Code = "date-century"
	fixExpiry     ledger.Code = "expiry-padded"
	fixComma      ledger.Code = "decimal-comma"
	fixThousands  ledger.Code = "thousands-mark"
	fixSign       ledger.Code = "currency-sign"
	refuseDate    ledger.Code = "date-form"
	refuseAmount  ledger.Code = "amount-form"
	refuseCard    ledger.Code = "card-scientific"
	refuseGroups  ledger.Code = "card-groups"
	refuseTwice   ledger.Code = "column-ambiguous"
	refuseHeader  ledger.Code = "header-unreadable"
	refuseRow     ledger.Code = "row-unreadable"
)

// Repairs yields what each code of a [Change] means: Text is what was mended, or for what is never mended, of
// severity error, why it is refused. Note is why a place of the others may be refused; Help is what to do then, and
// what may be said ([Fixer]). Good and Bad are a value after and before, or one that needs no mending and one that is
// refused.
func Repairs() iter.Seq[ledger.Rule] { return repairs.All() }

var repairs = func() ledger.Rules {
	const mended, never, tell = ledger.SeverityWarning, ledger.SeverityError, "nothing is to be done"
	return ledger.NewRules([]ledger.Rule{
		{Code: fixEncoding, Severity: mended, Clause: clause.L44, Text: "the text, in the encoding that was said, became UTF-8",
			Note: "the text is not in UTF-8, in UTF-16 with its mark, or in the encoding that was said",
			Help: "say the encoding", Good: "é as C3 A9", Bad: "é as E9"},
		{Code: fixMark, Severity: mended, Clause: clause.L44, Text: "the byte-order mark was removed", Help: tell, Good: `"amount"`, Bad: `EF BB BF "amount"`},
		{Code: fixUTF16, Severity: mended, Clause: clause.L44, Text: "UTF-16 became UTF-8", Help: tell, Good: "61", Bad: "FF FE 61 00"},
		{Code: fixSeparator, Severity: mended, Clause: clause.L43, Text: "values are separated by semicolons", Help: tell, Good: `"SRC";"order-1"`, Bad: `"SRC","order-1"`},
		{Code: fixHint, Severity: mended, Clause: clause.L43, Text: "the line for a spreadsheet was removed", Help: tell, Good: `"rp_card_type";"client-orderid"`, Bad: "sep=,"},
		{Code: fixBare, Severity: mended, Clause: clause.L43, Text: "values are in double quotes", Help: tell, Good: `"SRC"`, Bad: "SRC"},
		{Code: fixCurly, Severity: mended, Clause: clause.L43, Text: "typographic quotes became double quotes", Help: tell, Good: `"SRC"`, Bad: "“SRC”"},
		{Code: fixName, Severity: mended, Clause: clause.L42, Text: "the name differed by case, _, space, hyphen or one letter", Help: tell, Good: "finish-date", Bad: "Finish_Date"},
		{Code: fixAlias, Severity: mended, Clause: clause.L42, Text: "the name was another one for this column", Help: tell, Good: "client-orderid", Bad: "Order Number"},
		{Code: fixRename, Severity: mended, Clause: clause.L42, Text: "the name was said to be that of this column", Help: tell, Good: "client-orderid", Bad: "Kundennr"},
		{Code: fixUnknown, Severity: mended, Clause: clause.L42, Text: "the column is none of the document's and was removed", Note: "the name is not near that of any column",
			Help: "say which column it is, or that unknown columns are to be removed", Good: "city", Bad: "color"},
		{Code: fixEmpty, Severity: mended, Clause: clause.L43, Text: "a row without a value, or a blank line, was removed", Note: "the row has no value",
			Help: "say that such rows are to be removed", Good: `"SRC";"order-1"`, Bad: `"";""`},
		{Code: fixSpaces, Severity: mended, Clause: clause.L46, Text: "spaces around the value, or around amounts of a sequence, were removed", Help: tell, Good: `"EUR"`, Bad: `" EUR"`},
		{Code: fixApostrophe, Severity: mended, Clause: clause.L43, Text: "the apostrophe that marks text in a spreadsheet was removed", Help: tell, Good: "4111…", Bad: "'4111…"},
		{Code: fixCase, Severity: mended, Clause: clause.L50, Text: "upper and lower case are those of the code", Help: tell, Good: "EUR, month", Bad: "eur, Month"},
		{Code: fixISO, Severity: mended, Clause: clause.L38, Text: "the date was written with the year first", Help: tell, Good: "01.02.2026", Bad: "2026-02-01"},
		{Code: fixOneDigit, Severity: mended, Clause: clause.L38, Text: "day and month have two digits", Help: tell, Good: "01.02.2026", Bad: "1.2.2026"},
		{Code: fixDateMark, Severity: mended, Clause: clause.L38, Text: "day, month and year are separated by points", Help: tell, Good: "31.12.2026", Bad: "31/12/2026"},
		{Code: fixMonthFirst, Severity: mended, Clause: clause.L38, Text: "day and month changed places: the second number is too large for a month", Help: tell, Good: "31.12.2026", Bad: "12/31/2026"},
		{Code: fixOrder, Severity: mended, Clause: clause.L38, Text: "day, month and year are in the order that was said", Note: "the order of day and month is not certain, or not the one that was said",
			Help: "say the order of day, month and year", Good: "03.04.2026", Bad: "03/04/2026"},
		{Code: fixCentury, Severity: mended, Clause: clause.L38, Text: "the year has four digits, the first two as was said", Note: "the year has two digits",
			Help: "say the century, and the order of day, month and year", Good: "01.02.2026", Bad: "1.2.26"},
		{Code: fixExpiry, Severity: mended, Clause: clause.L39, Text: "the year of expiry has four digits, the month two", Help: tell, Good: "2026, 06", Bad: "26, 6"},
		{Code: fixComma, Severity: mended, Clause: clause.L36, Text: "the decimal comma became a point", Note: "the decimal mark is not certain, or not the one that was said",
			Help: "say whether it is a comma or a point; 1,234 with a decimal comma, and amounts of a sequence, write out with points", Good: "12.50", Bad: "12,50; refused: 1,234 and 1.234,50"},
		{Code: fixThousands, Severity: mended, Clause: clause.L36, Text: "the marks between thousands were removed", Help: tell, Good: "1234.50", Bad: "1.234,50"},
		{Code: fixSign, Severity: mended, Clause: clause.L36, Text: "the currency was removed from the amount", Note: "the sign or code is not that of the row's currency",
			Help: "correct the currency of the row, or the amount", Good: "12.50", Bad: "12,50 €"},
		{Code: refuseDate, Severity: never, Clause: clause.L38, Text: "the date is in a form that is not read, or its month does not have that day", Help: "write DD.MM.YYYY, the year with four digits", Good: "31.01.2026", Bad: "31/02/2026, 20260131"},
		{Code: refuseAmount, Severity: never, Clause: clause.L36, Text: "the amount is in a form that is not read", Help: "write digits, with a point before the decimals", Good: "12.50", Bad: "+12.50, 1.2e3, 1,,5"},
		{Code: refuseCard, Severity: never, Clause: clause.L39c, Text: "the card number is in scientific notation and has lost digits", Help: "export the column as text", Good: "4111…", Bad: "4.11111E+15"},
		{Code: refuseGroups, Severity: never, Clause: clause.L39c, Text: "the card number is in groups, and which digits belong to it is not certain", Help: "write its digits alone, without a security code", Good: "41111111…", Bad: "4111 1111 …"},
		{Code: refuseTwice, Severity: never, Clause: clause.L42, Text: "two columns can both be this one", Help: "say which column one of them is, or remove it", Good: "amount", Bad: "amount and Amount"},
		{Code: refuseHeader, Severity: never, Clause: clause.L42, Text: "the first line is not a header that can be read, so nothing after it is changed", Help: "begin with a row of column names", Good: `"rp_card_type";"client-orderid"`, Bad: `"SRC";"order-1"`},
		{Code: refuseRow, Severity: never, Clause: clause.L43, Text: "the row has more or fewer values than the header, or its quotes do not match", Help: "quote values with a separator or quote inside, and double that quote", Good: `"12"" disc"`, Bad: `"12" disc"`},
	}, nil)
}()

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

// meant returns the column that a name in a header means, and the code of the change that writes it so; no code for an
// exact name, and no column where none is meant, or more than one.
func (x *fixing) meant(name string) (Column, ledger.Code) {
	c, exact := ColumnOf(name)
	if said := x.Rename[name]; said != 0 && said != c {
		return said, fixRename
	}
	if exact {
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
