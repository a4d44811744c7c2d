package rules

import (
	"iter"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of the changes that a [Fixer] makes or refuses. [Repairs] explains them.
const (
	fixEncoding    ledger.Code = "encoding"
	fixMark        ledger.Code = "encoding-mark"
	fixUTF16       ledger.Code = "encoding-utf16"
	fixSeparator   ledger.Code = "separator"
	fixHint        ledger.Code = "separator-line"
	fixLineEnds    ledger.Code = "line-ends"
	fixBare        ledger.Code = "quotes-missing"
	fixCurly       ledger.Code = "quotes-typographic"
	fixName        ledger.Code = "header-name"
	fixAlias       ledger.Code = "header-alias"
	fixRename      ledger.Code = "header-rename"
	fixUnknown     ledger.Code = "header-unknown"
	fixAdded       ledger.Code = "column-added"
	fixEmpty       ledger.Code = "row-empty"
	fixExtra       ledger.Code = "value-extra"
	fixSet         ledger.Code = "value-set"
	fixMapped      ledger.Code = "value-mapped"
	fixSpaces      ledger.Code = "spaces"
	fixApostrophe  ledger.Code = "apostrophe"
	fixFormula     ledger.Code = "formula-text"
	fixCase        ledger.Code = "case"
	fixPeriod      ledger.Code = "period-word"
	fixWhole       ledger.Code = "whole-number"
	fixISO         ledger.Code = "date-iso"
	fixOneDigit    ledger.Code = "date-one-digit"
	fixDateMark    ledger.Code = "date-separator"
	fixMidnight    ledger.Code = "date-midnight"
	fixMonthFirst  ledger.Code = "date-month-first"
	fixOrder       ledger.Code = "date-order"
	fixCentury     ledger.Code = "date-century"
	fixExpiry      ledger.Code = "expiry-padded"
	fixComma       ledger.Code = "decimal-comma"
	fixThousands   ledger.Code = "thousands-mark"
	fixZeros       ledger.Code = "final-zeros"
	fixSign        ledger.Code = "currency-sign"
	fixGroups      ledger.Code = "card-groups"
	refuseDate     ledger.Code = "date-form"
	refuseAmount   ledger.Code = "amount-form"
	refuseSequence ledger.Code = "sequence-comma"
	refuseNumber   ledger.Code = "number-form"
	refuseWord     ledger.Code = "word-unknown"
	refuseLonger   ledger.Code = "period-longer"
	refuseCard     ledger.Code = "card-scientific"
	refuseTwice    ledger.Code = "column-ambiguous"
	refuseHeader   ledger.Code = "header-unreadable"
	refuseRow      ledger.Code = "row-unreadable"
)

// Repairs yields what each code of a [Change] means: Text is what was mended or, where the severity is error, why it is
// always refused. Note is why the others may be refused, and Help what to do then ([Fixer]). Good and Bad are a value
// after and before, or one that needs no mending and one that is refused.
func Repairs() iter.Seq[ledger.Rule] { return repairs.All() }

var repairs = func() ledger.Rules {
	const mended, never, nothing = ledger.SeverityWarning, ledger.SeverityError, "nothing to do"
	return ledger.NewRules([]ledger.Rule{
		{Code: fixEncoding, Severity: mended, Clause: clause.L44, Text: "the text became UTF-8",
			Note: "the text is not in UTF-8, in UTF-16 with its mark, or in the encoding that was given",
			Help: "give the encoding of the text, such as windows-1252; UTF-8 needs none", Good: "é as C3 A9", Bad: "é as E9"},
		{Code: fixMark, Severity: mended, Clause: clause.L44, Text: "the byte-order mark was removed", Help: "save as UTF-8 without the mark", Good: `"amount"`, Bad: `EF BB BF "amount"`},
		{Code: fixUTF16, Severity: mended, Clause: clause.L44, Text: "UTF-16 became UTF-8", Help: "save as UTF-8", Good: "61", Bad: "FF FE 61 00"},
		{Code: fixSeparator, Severity: mended, Clause: clause.L43, Text: "semicolons separate the values",
			Note: "with semicolons a row that is refused would have as many values as the header",
			Help: "correct the rows that are refused", Good: `"SRC";"order-1"`, Bad: `"SRC","order-1"`},
		{Code: fixHint, Severity: mended, Clause: clause.L43, Text: "the line for a spreadsheet was removed", Help: nothing, Good: `"rp_card_type";"client-orderid"`, Bad: "sep=,"},
		{Code: fixLineEnds, Severity: mended, Clause: clause.L43, Text: "lines end with a line feed, not with a carriage return", Help: nothing, Good: "0A", Bad: "0D"},
		{Code: fixBare, Severity: mended, Clause: clause.L43, Text: "values are in double quotes", Help: nothing, Good: `"SRC"`, Bad: "SRC"},
		{Code: fixCurly, Severity: mended, Clause: clause.L43, Text: "typographic quotes became double quotes", Help: nothing, Good: `"SRC"`, Bad: "“SRC”"},
		{Code: fixName, Severity: mended, Clause: clause.L42, Text: "the name differed in case, _, space or hyphen", Help: nothing, Good: "finish-date", Bad: "Finish_Date"},
		{Code: fixAlias, Severity: mended, Clause: clause.L42, Text: "another name for the column, and its values fit", Help: nothing, Good: "client-orderid", Bad: "Order Number"},
		{Code: fixRename, Severity: mended, Clause: clause.L42, Text: "the name that was given for the column", Help: nothing, Good: "client-orderid", Bad: "Vertrag"},
		{Code: fixUnknown, Severity: mended, Clause: clause.L42, Text: "the column was removed: the document does not have it, or it was to go", Note: "the document does not have this column",
			Help: "give the column that it is, or have unknown columns removed", Good: "city", Bad: "color"},
		{Code: fixAdded, Severity: mended, Clause: clause.L42, Text: "the column was added",
			Note: "with one more column a row that is refused would have as many values as the header", Help: "correct the rows that are refused", Good: `"rp_card_type"`, Bad: "no such column"},
		{Code: fixEmpty, Severity: mended, Clause: clause.L43, Text: "a row without a value, or a blank line, was removed", Note: "the row has no value",
			Help: "have such rows removed", Good: `"SRC";"order-1"`, Bad: `"";""`},
		{Code: fixExtra, Severity: mended, Clause: clause.L43, Text: "empty values after the last column were removed", Help: nothing, Good: `"SRC";"order-1"`, Bad: `"SRC";"order-1";`},
		{Code: fixSet, Severity: mended, Clause: clause.L42, Text: "the empty value became the one that was given for the column", Help: nothing, Good: "SRC", Bad: `""`},
		{Code: fixMapped, Severity: mended, Clause: clause.L42, Text: "the value became the one that was given for it", Help: nothing, Good: "DE", Bad: "Deutschland"},
		{Code: fixSpaces, Severity: mended, Clause: clause.L46, Text: "white space or characters that cannot be seen were removed", Help: "remove the spaces, and characters that cannot be seen", Good: `"EUR"`, Bad: `" EUR"`},
		{Code: fixApostrophe, Severity: mended, Clause: clause.L43, Text: "the apostrophe that marks text in a spreadsheet was removed", Help: "remove the apostrophe", Good: "4111…", Bad: "'4111…"},
		{Code: fixFormula, Severity: mended, Clause: clause.L43, Text: "the text of the spreadsheet's formula took its place", Help: "write the text of the formula alone", Good: "01067", Bad: `="01067"`},
		{Code: fixCase, Severity: mended, Clause: clause.L50, Text: "upper and lower case are those of the code", Help: "write the code exactly so", Good: "EUR, month", Bad: "eur, Month"},
		{Code: fixPeriod, Severity: mended, Clause: clause.Doc21, Text: "the word for the period is the document's, with its number as the interval", Help: "write day, week or month, and the number as the interval", Good: "month", Bad: "monatlich, alle 2 Monate"},
		{Code: fixWhole, Severity: mended, Clause: clause.Doc21, Text: "a whole number without decimals", Help: "write a whole number: no decimals and no mark between thousands", Good: "12", Bad: "12.0"},
		{Code: fixISO, Severity: mended, Clause: clause.L38, Text: "the date had the year first", Help: "payload columns take DD.MM.YYYY, not the ISO form", Good: "01.02.2026", Bad: "2026-02-01"},
		{Code: fixOneDigit, Severity: mended, Clause: clause.L38, Text: "day and month have two digits", Help: "write two digits for day and month and four for the year: DD.MM.YYYY", Good: "01.02.2026", Bad: "1.2.2026"},
		{Code: fixDateMark, Severity: mended, Clause: clause.L38, Text: "points separate day, month and year", Help: "separate day, month and year by points: DD.MM.YYYY", Good: "31.12.2026", Bad: "31/12/2026"},
		{Code: fixMidnight, Severity: mended, Clause: clause.L38, Text: "midnight after the date was removed", Help: "write the day alone, without a time", Good: "01.02.2026", Bad: "01.02.2026 00:00:00"},
		{Code: fixMonthFirst, Severity: mended, Clause: clause.L38, Text: "day and month changed places: the second number is too large for a month", Help: "the day comes before the month: DD.MM.YYYY", Good: "31.12.2026", Bad: "12/31/2026"},
		{Code: fixOrder, Severity: mended, Clause: clause.L38, Text: "day, month and year are in the order that was given", Note: "the order of day and month is not certain, or not the one that was given",
			Help: "separate day, month and year by points, the day before the month: DD.MM.YYYY", Good: "03.04.2026", Bad: "03/04/2026"},
		{Code: fixCentury, Severity: mended, Clause: clause.L38, Text: "the year has four digits, the first two as given", Note: "the year has two digits",
			Help: "write two digits for day and month and four for the year: DD.MM.YYYY", Good: "01.02.2026", Bad: "1.2.26"},
		{Code: fixExpiry, Severity: mended, Clause: clause.L39, Text: "month and year of expiry are apart, the year with four digits, the month with two", Help: "write the year with four digits and the month with two", Good: "2029, 06", Bad: "29, 6, 6/29"},
		{Code: fixComma, Severity: mended, Clause: clause.L36, Text: "the decimal comma became a point", Note: "1,234 or 1.234,50: which mark is the decimal one is not certain",
			Help: "use a decimal point, and no mark between thousands", Good: "12.50", Bad: "12,50; refused: 1,234 and 1.234,50"},
		{Code: fixThousands, Severity: mended, Clause: clause.L36, Text: "the marks between thousands were removed", Help: "write no mark between thousands", Good: "1234.50", Bad: "1.234,50"},
		{Code: fixZeros, Severity: mended, Clause: clause.L36, Text: "zeros after the decimals of the currency were removed", Help: "write no more decimals than the currency has", Good: "49.99", Bad: "49.9900"},
		{Code: fixSign, Severity: mended, Clause: clause.L36, Text: "the currency was removed from the amount, or its sign became its code", Note: "the sign or code is not that of the row's currency",
			Help: "correct the currency of the row, or the amount", Good: "12.50", Bad: "12,50 €"},
		{Code: fixGroups, Severity: mended, Clause: clause.L39c, Text: "the groups of the card number were joined; its check digit is right", Note: "the card number is in groups and its check digit is wrong: a security code may be among them",
			Help: "write its digits alone, without a security code", Good: "41111111…", Bad: "4111 1111 …"},
		{Code: refuseDate, Severity: never, Clause: clause.L38, Text: "the date cannot be read, or its month does not have that day", Help: "write DD.MM.YYYY, the year with four digits", Good: "31.01.2026", Bad: "31/02/2026, 20260131"},
		{Code: refuseAmount, Severity: never, Clause: clause.L36, Text: "the amount cannot be read", Help: "write digits, with a point before the decimals", Good: "12.50", Bad: "+12.50, 1.2e3, 1,,5"},
		{Code: refuseSequence, Severity: never, Clause: clause.L36b, Text: "the commas of the sequence may be decimal commas: 9,99,19,99 would be four amounts", Help: "where the commas are decimal marks, write points: a comma is between amounts", Good: "9.99,19.99", Bad: "9,99,19,99"},
		{Code: refuseNumber, Severity: never, Clause: clause.Doc21, Text: "the whole number, year or month cannot be read, or is out of range", Help: "write digits alone", Good: "12", Bad: "NULL, 1e3, 12/27"},
		{Code: refuseWord, Severity: never, Clause: clause.L50, Text: "the value is none of the words or codes that the column takes", Help: "give the one that it means", Good: "DE", Bad: "Deutschland"},
		{Code: refuseLonger, Severity: never, Clause: clause.Doc21, Text: "the word is a period that the document does not have", Help: "write day, week or month, and how many of them as the interval", Good: "month", Bad: "jährlich"},
		{Code: refuseCard, Severity: never, Clause: clause.L39c, Text: "the card number is in scientific notation and has lost digits", Help: "export the column as text", Good: "4111…", Bad: "4.11111E+15"},
		{Code: refuseTwice, Severity: never, Clause: clause.L42, Text: "two columns can both be this one", Help: "give the column that one of them is, or remove it", Good: "amount", Bad: "Betrag and Preis"},
		{Code: refuseHeader, Severity: never, Clause: clause.L42, Text: "the first line is not a header that can be read, so nothing after it is changed", Help: "begin with a row of column names, at most 128", Good: `"rp_card_type";"client-orderid"`, Bad: `"SRC";"order-1"`},
		{Code: refuseRow, Severity: never, Clause: clause.L43, Text: "the row has more or fewer values than the header, its quotes do not match, or it repeats the header", Help: "quote values with a separator or quote inside, and double that quote; remove a second header", Good: `"12"" disc"`, Bad: `"12" disc"`},
	}, nil)
}()

// repairOf returns what a code of [Repairs] means.
func repairOf(c ledger.Code) ledger.Rule {
	rule, _ := repairs.Lookup(c)
	return rule
}
