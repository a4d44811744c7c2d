package rules

import "github.com/chargecast/chargecast/ledger"

// Lines of a state or script file, of whatever kind. Package engine and the command find
// these; they have no place in a payload.
const (
	JSONSyntax         ledger.Code = "json-syntax"
	JSONType           ledger.Code = "json-type"
	JSONUnknownField   ledger.Code = "json-unknown-field"
	JSONDuplicateField ledger.Code = "json-duplicate-field"
	LimitLine          ledger.Code = "limit-line"
)

// Saved states.
const (
	StateStatus           ledger.Code = "state-status"
	StateRepeat           ledger.Code = "state-repeat"
	StateConflict         ledger.Code = "state-conflict"
	StatePaidRepeated     ledger.Code = "state-paid-repeated"
	StateProfileDuplicate ledger.Code = "state-profile-duplicate"
	StateProfileAmbiguous ledger.Code = "state-profile-ambiguous"
	StateProfileUnknown   ledger.Code = "state-profile-unknown"
)

// Events and outcomes of a script.
const (
	ScriptVerb           ledger.Code = "script-verb"
	ScriptVia            ledger.Code = "script-via"
	ScriptWhen           ledger.Code = "script-when"
	ScriptOutcome        ledger.Code = "script-outcome"
	ScriptOutcomeTwice   ledger.Code = "script-outcome-twice"
	ScriptOutcomeUnused  ledger.Code = "script-outcome-unused"
	ScriptBeforeAsOf     ledger.Code = "script-before-as-of"
	ScriptProfileUnknown ledger.Code = "script-profile-unknown"
)

// lineRules are the rules about lines of state and script files. Package engine and the command
// give these findings, which have no place in a payload.
var lineRules = []Rule{
	{Code: JSONSyntax, Severity: ledger.SeverityError, Clause: ledger.Doc3, Basis: ours,
		Text: "the line is not one JSON object",
		Help: "write one object on a line, names and strings in double quotes",
		Good: `{"date":"2026-01-12","do":"stop"}`, Bad: "{'date':'2026-01-12','do':'stop'}"},
	{Code: JSONType, Severity: ledger.SeverityError, Clause: ledger.Doc3, Basis: ours,
		Text: "the value of a field is of another kind than the field takes",
		Help: "give strings in double quotes, numbers without, lists in square brackets",
		Good: `{"profile":"order-1","repeat":5}`, Bad: `{"profile":"order-1","repeat":"5"}`},
	{Code: JSONUnknownField, Severity: ledger.SeverityError, Clause: ledger.Doc3, Basis: ours,
		Text: "the line has a field that does not exist, or a schema of another version",
		Help: "use the names that the message lists; nothing is guessed",
		Good: `{"profile":"order-1","repeat":5}`, Bad: `{"profile":"order-1","repeats":5}`},
	{Code: JSONDuplicateField, Severity: ledger.SeverityError, Clause: ledger.Doc3, Basis: ours,
		Text: "a field is there twice in one line",
		Help: "keep one of the two",
		Good: `{"date":"2026-01-12","do":"stop"}`, Bad: `{"date":"2026-01-12","do":"stop","do":"run"}`},
	{Code: LimitLine, Severity: ledger.SeverityError, Clause: ledger.L56d, Basis: ours,
		Text: "the line is longer than 16 MiB",
		Help: "write each event or state on a line of its own",
		Good: "up to 16 MiB, a limit of ours", Bad: "a longer line"},

	{Code: StateStatus, Severity: ledger.SeverityError, Clause: ledger.X14, Basis: ours,
		Text: "status is neither active nor stopped",
		Help: "write one of the two in lower case, or leave it out for active",
		Good: `{"profile":"order-1","status":"stopped"}`, Bad: `{"profile":"order-1","status":"Stopped"}`},
	{Code: StateRepeat, Severity: ledger.SeverityError, Clause: ledger.Doc227, Basis: ours,
		Text: "repeat is not a whole number from 0 to 9223372036854775807",
		Help: "write the current repeat number in digits, without sign, point and exponent",
		Good: `{"profile":"order-1","repeat":5}`, Bad: `{"profile":"order-1","repeat":-1}`},
	{Code: StateConflict, Severity: ledger.SeverityError, Clause: ledger.Doc2210, Basis: ours,
		Text: "the state contradicts itself or the as-of date",
		Help: "check that nothing in it lies after the as-of date and that each span ends after its beginning",
		Good: `{"profile":"order-1","missed":[{"from":"2026-01-31","through":"2026-02-28"}]}`, Bad: `{"profile":"order-1","missed":[{"from":"2026-02-28","through":"2026-01-31"}]}`},
	{Code: StatePaidRepeated, Severity: ledger.SeverityWarning, Clause: ledger.L13, Basis: ours,
		Text: "a paid date is there more than once",
		Help: "name it once; once is enough",
		Good: `{"profile":"order-1","paid":["2026-01-31"]}`, Bad: `{"profile":"order-1","paid":["2026-01-31","2026-01-31"]}`},
	{Code: StateProfileDuplicate, Severity: ledger.SeverityError, Clause: ledger.L47, Basis: ours,
		Text: "the profile has two lines in the state file",
		Help: "keep one; until then the profile is left out",
		Good: "a line for each profile", Bad: "two lines with the same profile"},
	{Code: StateProfileAmbiguous, Severity: ledger.SeverityError, Clause: ledger.L47, Basis: ours,
		Text: "one line of the state file is for two rows with the same client-orderid",
		Help: "give every row its own client-orderid; one counter cannot serve two profiles",
		Good: "each client-orderid in one row", Bad: "two rows with the client-orderid of the line"},
	{Code: StateProfileUnknown, Severity: ledger.SeverityWarning, Clause: ledger.L47, Basis: ours,
		Text: "a line of the state file is for no row of the payload",
		Help: "check the profile: it is compared with client-orderid exactly",
		Good: "a profile that a row has as client-orderid", Bad: "one that no row has"},

	{Code: ScriptVerb, Severity: ledger.SeverityError, Clause: ledger.Doc3, Basis: ours,
		Text: "the event is not one that a profile knows, or a field does not belong to it",
		Help: "write one of stop, update, resume, charge, run, no-run with its own fields, and outcomes on lines of their own",
		Good: `{"date":"2026-01-12","do":"stop"}`, Bad: `{"date":"2026-01-12","do":"halt"}`},
	{Code: ScriptVia, Severity: ledger.SeverityError, Clause: ledger.Doc3, Basis: ours,
		Text: "a resume does not say where it comes from, or another event does",
		Help: `add "via":"ui" to a resume, or "via":"api" to see it refused`,
		Good: `{"date":"2026-01-14","do":"resume","via":"ui"}`, Bad: `{"date":"2026-01-14","do":"resume"}`},
	{Code: ScriptWhen, Severity: ledger.SeverityError, Clause: ledger.L24, Basis: ours,
		Text: "when is neither before nor after",
		Help: "write one of the two in lower case, or leave it out for before the day's run",
		Good: `{"date":"2026-01-14","do":"stop","when":"after"}`, Bad: `{"date":"2026-01-14","do":"stop","when":"After"}`},
	{Code: ScriptOutcome, Severity: ledger.SeverityError, Clause: ledger.L13, Basis: ours,
		Text: "an outcome is neither approved nor declined, or names no repeat",
		Help: "write one of the two in lower case, and the repeat number of the attempt",
		Good: `{"repeat":1,"outcome":"declined"}`, Bad: `{"outcome":"declined"}`},
	{Code: ScriptOutcomeTwice, Severity: ledger.SeverityError, Clause: ledger.L13, Basis: ours,
		Text: "an attempt has two outcomes",
		Help: "keep one",
		Good: "one outcome for each repeat of a profile", Bad: "two outcomes for repeat 1 of one profile"},
	{Code: ScriptOutcomeUnused, Severity: ledger.SeverityWarning, Clause: ledger.L13, Basis: ours,
		Text: "no attempt has the repeat number of an outcome",
		Help: "check the number, which begins at 0, and the last day of the output",
		Good: "an outcome for a repeat that is charged", Bad: "one for repeat 100 of 12 charges"},
	{Code: ScriptBeforeAsOf, Severity: ledger.SeverityError, Clause: ledger.L27, Basis: ours,
		Text: "an event lies before the as-of date",
		Help: "put the past into the state file, or give an earlier as-of date",
		Good: "an event on or after the as-of date", Bad: "one the day before"},
	{Code: ScriptProfileUnknown, Severity: ledger.SeverityError, Clause: ledger.L47, Basis: ours,
		Text: "an event or outcome is for a profile that no row has",
		Help: "check the profile: it is compared with client-orderid exactly; without one the line is for all",
		Good: "a profile that a row has as client-orderid", Bad: "one that no row has"},
}
