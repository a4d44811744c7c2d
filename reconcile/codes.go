package reconcile

import (
	"iter"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of files of actual charges, and of profiles that cannot be reconciled. Beside them a
// [Reader] gives those of JSON lines, which package record explains.
const (
	ActualEmpty    ledger.Code = "actual-empty"
	ActualHeader   ledger.Code = "actual-header"
	ActualLine     ledger.Code = "actual-line"
	ActualLimit    ledger.Code = "actual-limit"
	ActualEncoding ledger.Code = "actual-encoding"
	ActualProfile  ledger.Code = "actual-profile"
	ActualDate     ledger.Code = "actual-date"
	ActualAmount   ledger.Code = "actual-amount"
	ActualCurrency ledger.Code = "actual-currency"
	ActualOutcome  ledger.Code = "actual-outcome"
	ActualNone     ledger.Code = "actual-none"

	ProfileDay      ledger.Code = "profile-day"
	ProfileRepeated ledger.Code = "profile-repeated"
)

// Rules yields the rules about actual charges. Their basis is assumed: the document knows nothing
// of these files.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

// ofActuals completes the rules with what holds for all of them.
func ofActuals(rules []ledger.Rule) []ledger.Rule {
	for i := range rules {
		rules[i].Basis, rules[i].Severity = ledger.Assumed, ledger.SeverityError
		rules[i].Note = "in files of actual charges, and of the profiles that they are set against; cannot be overridden"
	}
	return rules
}

var table = ledger.NewRules(ofActuals([]ledger.Rule{
	{Code: ActualEmpty, Clause: clause.L45, Text: "the file is empty",
		Help: "write the header at least: alone it says that nothing was charged",
		Good: "profile;date;amount", Bad: "nothing"},
	{Code: ActualHeader, Clause: clause.L42, Text: "the first line does not name the columns profile, date and amount, each once",
		Help: "begin the file with their names, or say with --columns which names stand for them, and with --skip how many lines come before them",
		Good: "profile;date;amount", Bad: "order;day;amount"},
	{Code: ActualLine, Clause: clause.L43, Text: "the line has fewer or more values than the header, or its quotes do not match",
		Help: "quote values with a separator inside, such as a decimal comma, or a quote, and double that quote",
		Good: "order-1;2026-01-31;10.00", Bad: "order-1;2026-01-31"},
	{Code: ActualLimit, Clause: clause.L56d, Text: "the line is longer than 1 MiB",
		Help: "write each charge on a line of its own",
		Good: "up to 1 MiB, a limit of ours", Bad: "a longer line"},
	{Code: ActualEncoding, Clause: clause.L44, Text: "the value is not UTF-8",
		Help: "say the encoding of the file, such as --encoding windows-1252",
		Good: "a file in UTF-8, or in UTF-16 with its mark", Bad: "one in Windows-1252 without a word about it"},
	{Code: ActualProfile, Clause: clause.L47, Text: "the line does not say which profile was charged",
		Help: "write the client-orderid of its row, or pass over lines of others with --ignore-others",
		Good: "order-1;2026-01-31;10.00", Bad: ";2026-01-31;10.00, ORDER-1;2026-01-31;10.00"},
	{Code: ActualDate, Clause: clause.L38, Text: "the date is in a form that is not read, or its month does not have that day",
		Help: "write YYYY-MM-DD or DD.MM.YYYY, with a time behind it or without",
		Good: "2026-01-31", Bad: "2026-02-31, 20260131"},
	{Code: ActualAmount, Clause: clause.L36, Text: "the amount is missing, or in a form that is not read",
		Help: "write digits, with a point before the decimals; a day without a charge has the outcome none",
		Good: "12.50", Bad: "1.2e3"},
	{Code: ActualCurrency, Clause: clause.L36c, Text: "the currency is not three letters",
		Help: "write a code such as EUR, or say with --columns which column has the currency",
		Good: "EUR", Bad: "euro"},
	{Code: ActualOutcome, Clause: clause.L13, Text: "the outcome is none of approved, declined and none",
		Help: "write one of the three, say with --outcomes what another word means, or leave it empty where it is not known",
		Good: "approved", Bad: "ok"},
	{Code: ActualNone, Clause: clause.L13, Text: "the line says that nothing was charged on the day, and it has an amount or is not the only one of its profile on that day",
		Help: "keep the line with the amount, or one line with the outcome none",
		Good: "order-1;2026-01-31;;none", Bad: "order-1;2026-01-31;10.00;none"},
	{Code: ProfileDay, Clause: clause.L27, Text: "the day on which the profile was created is not known, or there are two",
		Help: "give the as-of day, or the column created of its lines",
		Good: "one day in the column created, or the as-of day", Bad: "lines of one profile with different days in the column created"},
	{Code: ProfileRepeated, Clause: clause.L47, Text: "rows with the same client-orderid cannot be told apart by what was charged",
		Help: "give every row its own client-orderid; until then they are left out",
		Good: "each client-orderid in one row", Bad: "two rows with one client-orderid"},
}), nil)
