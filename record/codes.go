package record

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of lines of whatever kind. Beside them the readers of this package give
// byte-order-mark, invalid-utf8, nul-character, date-syntax, date-not-a-day and amount-syntax,
// which payloads can break as well.
const (
	JSONSyntax             = jsonline.CodeSyntax    // not one JSON object
	codeJSONType           = jsonline.CodeType      // a value of another kind than its member takes
	codeJSONUnknownField   = jsonline.CodeUnknown   // a member, or a schema, that does not exist
	codeJSONDuplicateField = jsonline.CodeDuplicate // a member that is given twice

	LimitLine ledger.Code = "limit-line" // a line longer than [MaxLine]
)

// The codes of saved states.
const (
	codeStateStatus           ledger.Code = "state-status"
	codeStateRepeat           ledger.Code = "state-repeat"
	codeStateConflict         ledger.Code = "state-conflict"
	codeStatePaidRepeated     ledger.Code = "state-paid-repeated"
	codeStateProfileDuplicate ledger.Code = "state-profile-duplicate"
	StateProfileAmbiguous     ledger.Code = "state-profile-ambiguous" // given by users of states, as the next
	codeStateProfileUnknown   ledger.Code = "state-profile-unknown"
	codeStatePaidOffSchedule  ledger.Code = "state-paid-off-schedule"
	codeStatePaidUncounted    ledger.Code = "state-paid-uncounted"
)

// The codes of events and outcomes of a script.
const (
	codeScriptVerb           ledger.Code = "script-verb"
	codeScriptVia            ledger.Code = "script-via"
	codeScriptWhen           ledger.Code = "script-when"
	codeScriptOutcome        ledger.Code = "script-outcome"
	codeScriptOutcomeTwice   ledger.Code = "script-outcome-twice"
	ScriptBeforeAsOf         ledger.Code = "script-before-as-of" // given by users of scripts
	codeScriptProfileUnknown ledger.Code = "script-profile-unknown"
)

// The codes of outputs.
const (
	RecordSchema     ledger.Code = "record-schema"
	codeRecordType   ledger.Code = "record-type"
	codeRecordMember ledger.Code = "record-member"
	RecordCut        ledger.Code = "record-cut"    // given by users of outputs, as the next
	codeRecordTotals ledger.Code = "record-totals" // charges are needed
)

// Rules yields the rules about lines. Their basis is assumed: the document knows nothing of these
// files.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

// ofLines completes the rules about lines with what holds for all of them.
func ofLines(rules []ledger.Rule) []ledger.Rule {
	for i := range rules {
		rules[i].Basis, rules[i].Note = ledger.Assumed, "in states, scripts and outputs; cannot be overridden"
	}
	return rules
}

var table = ledger.NewRules(ofLines([]ledger.Rule{
	{Code: JSONSyntax, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "the line is not one JSON object",
		Help: "write one object on a line, names and strings in double quotes",
		Good: `{"date":"2026-01-12","do":"stop"}`, Bad: "{'date':'2026-01-12','do':'stop'}"},
	{Code: codeJSONType, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "the value of a field is of another kind than the field takes",
		Help: "give strings in double quotes, numbers without, lists in square brackets",
		Good: `{"profile":"order-1","repeat":5}`, Bad: `{"profile":"order-1","repeat":"5"}`},
	{Code: codeJSONUnknownField, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "the line has a field that does not exist, or a schema of another version",
		Help: "use the names that the message lists; nothing is guessed",
		Good: `{"profile":"order-1","repeat":5}`, Bad: `{"profile":"order-1","repeats":5}`},
	{Code: codeJSONDuplicateField, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "a field is there twice in one line",
		Help: "keep one of the two",
		Good: `{"date":"2026-01-12","do":"stop"}`, Bad: `{"date":"2026-01-12","do":"stop","do":"run"}`},
	{Code: LimitLine, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "the line is longer than 16 MiB",
		Help: "write each event or state on a line of its own",
		Good: "up to 16 MiB, a limit of ours", Bad: "a longer line"},

	{Code: codeStateStatus, Severity: ledger.SeverityError, Clause: clause.X14,
		Text: "status is neither active nor stopped",
		Help: "write one of the two in lower case, or leave it out for active",
		Good: `{"profile":"order-1","status":"stopped"}`, Bad: `{"profile":"order-1","status":"Stopped"}`},
	{Code: codeStateRepeat, Severity: ledger.SeverityError, Clause: clause.Doc227,
		Text: "repeat is not a whole number from 0 to 9223372036854775807",
		Help: "write the current repeat number in digits, without sign, point and exponent",
		Good: `{"profile":"order-1","repeat":5}`, Bad: `{"profile":"order-1","repeat":-1}`},
	{Code: codeStateConflict, Severity: ledger.SeverityError, Clause: clause.Doc2210,
		Text: "the state contradicts itself or the as-of date",
		Help: "check that nothing in it lies after the as-of date and that each span ends after its beginning",
		Good: `{"profile":"order-1","missed":[{"from":"2026-01-31","through":"2026-02-28"}]}`, Bad: `{"profile":"order-1","missed":[{"from":"2026-02-28","through":"2026-01-31"}]}`},
	{Code: codeStatePaidRepeated, Severity: ledger.SeverityWarning, Clause: clause.L13,
		Text: "a paid date is there more than once",
		Help: "name it once; once is enough",
		Good: `{"profile":"order-1","repeat":1,"paid":["2026-01-31"]}`, Bad: `{"profile":"order-1","repeat":1,"paid":["2026-01-31","2026-01-31"]}`},
	{Code: codeStateProfileDuplicate, Severity: ledger.SeverityError, Clause: clause.L47,
		Text: "the profile has two lines in the state file",
		Help: "keep one; until then the profile is left out",
		Good: "a line for each profile", Bad: "two lines with the same profile"},
	{Code: StateProfileAmbiguous, Severity: ledger.SeverityError, Clause: clause.L47,
		Text: "one line of the state file is for two rows with the same client-orderid",
		Help: "give every row its own client-orderid; one counter cannot serve two profiles",
		Good: "each client-orderid in one row", Bad: "two rows with the client-orderid of the line"},
	{Code: codeStateProfileUnknown, Severity: ledger.SeverityWarning, Clause: clause.L47,
		Text: "a line of the state file is for no row of the payload",
		Help: "check the profile: it is compared with client-orderid exactly",
		Good: "a profile that a row has as client-orderid", Bad: "one that no row has"},
	{Code: codeStatePaidOffSchedule, Severity: ledger.SeverityWarning, Clause: clause.L13,
		Text: "a paid date of a state written by hand is not a due day of the profile",
		Help: "name the due day that was charged, not the day of the attempt; a date of an earlier schedule may stay",
		Good: `{"profile":"order-1","repeat":1,"paid":["2026-01-31"]} with start-date 31.01.2026`, Bad: `{"profile":"order-1","repeat":1,"paid":["2026-01-30"]} with start-date 31.01.2026`},
	{Code: codeStatePaidUncounted, Severity: ledger.SeverityWarning, Clause: clause.Doc227,
		Text: "a state written by hand has paid dates, but its repeat number is 0",
		Help: "write repeat, the number of charges attempted so far; without it the next charge counts as the first",
		Good: `{"profile":"order-1","repeat":1,"paid":["2026-01-31"]}`, Bad: `{"profile":"order-1","paid":["2026-01-31"]}`},

	{Code: codeScriptVerb, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "the event is not one that a profile knows, or a field does not belong to it",
		Help: "write one of stop, update, resume, charge, run, no-run with its own fields, and outcomes on lines of their own",
		Good: `{"date":"2026-01-12","do":"stop"}`, Bad: `{"date":"2026-01-12","do":"halt"}`},
	{Code: codeScriptVia, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "a resume does not say where it comes from, or another event does",
		Help: `add "via":"ui" to a resume, or "via":"api" to see it refused`,
		Good: `{"date":"2026-01-14","do":"resume","via":"ui"}`, Bad: `{"date":"2026-01-14","do":"resume"}`},
	{Code: codeScriptWhen, Severity: ledger.SeverityError, Clause: clause.L24,
		Text: "when is neither before nor after",
		Help: "write one of the two in lower case, or leave it out for before the day's run",
		Good: `{"date":"2026-01-14","do":"stop","when":"after"}`, Bad: `{"date":"2026-01-14","do":"stop","when":"After"}`},
	{Code: codeScriptOutcome, Severity: ledger.SeverityError, Clause: clause.L13,
		Text: "an outcome is neither approved nor declined, or names no repeat",
		Help: "write one of the two in lower case, and the repeat number of the attempt",
		Good: `{"repeat":1,"outcome":"declined"}`, Bad: `{"outcome":"declined"}`},
	{Code: codeScriptOutcomeTwice, Severity: ledger.SeverityError, Clause: clause.L13,
		Text: "an attempt has two outcomes",
		Help: "keep one",
		Good: "one outcome for each repeat of a profile", Bad: "two outcomes for repeat 1 of one profile"},
	{Code: ScriptBeforeAsOf, Severity: ledger.SeverityError, Clause: clause.L27,
		Text: "an event lies before the as-of date",
		Help: "put the past into the state file, or give an earlier as-of date",
		Good: "an event on or after the as-of date", Bad: "one the day before"},
	{Code: codeScriptProfileUnknown, Severity: ledger.SeverityError, Clause: clause.L47,
		Text: "an event or outcome is for a profile that no row has",
		Help: "check the profile: it is compared with client-orderid exactly; without one the line is for all",
		Good: "a profile that a row has as client-orderid", Bad: "one that no row has"},

	{Code: RecordSchema, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "an output does not begin with a header, or with one of another version",
		Help: "give the output as it was written, and write it again if another version wrote it",
		Good: `{"type":"header","schema":"chargecast.forecast/1",…}`, Bad: `{"type":"charge",…} as the first record`},
	{Code: codeRecordType, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "a record of an output has a type that does not exist, or is a second header",
		Help: "give one output in a file, as it was written",
		Good: `{"type":"end","profile":"order-1","row":1,"status":"active","repeat":6,"stop":null}`, Bad: `{"type":"ending","profile":"order-1"}`},
	{Code: codeRecordMember, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "a field of a record is missing or has a value that it cannot have",
		Help: "give the output as it was written; unknown fields are ignored, known ones are not",
		Good: `{"type":"end","profile":"order-1","row":1,"status":"active","repeat":6,"stop":null}`, Bad: `{"type":"end","profile":"order-1","row":1,"status":"paused","repeat":6,"stop":null}`},
	{Code: RecordCut, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "a profile of an output has no end, or records after its end; or an output has no summary at its end",
		Help: "write the output again: it is cut off or out of order",
		Good: "the charges of each profile, then its end; at the end the summary", Bad: "an output that was interrupted"},
	{Code: codeRecordTotals, Severity: ledger.SeverityError, Clause: clause.Doc3,
		Text: "an output has no charges that could be compared",
		Help: "compare outputs of forecast and simulate, written without totals",
		Good: "two outputs with charges", Bad: "an output with totals by month"},
}), slices.Collect(engine.Rules())) // those about policies
