package record

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A Record is one record of an output: a [Header], [Charge], [End], [Event], [Total], [Difference],
// [EndDifference], [Money], [Problem], [Summary] or [DifferenceSummary].
//
//sumtype:decl
type Record interface {
	// AppendJSON appends the record as a JSON object on one line. MarshalJSON of the same type
	// also checks that it can be read back.
	AppendJSON(dst []byte) []byte
	// texts are the strings of the record, which JSON carries only if they are UTF-8.
	texts() []string
}

// A Schema is the kind and the version of an output. The number grows when a member changes its
// meaning; records may gain members without that.
type Schema string

// The schemas.
const (
	SchemaForecast Schema = "chargecast.forecast/1"
	SchemaSimulate Schema = "chargecast.simulate/1"
	SchemaDiff     Schema = "chargecast.diff/1"
	SchemaCompare  Schema = "chargecast.compare/1"
	SchemaValidate Schema = "chargecast.validate/1"
)

var schemas = []Schema{SchemaForecast, SchemaSimulate, SchemaDiff, SchemaCompare, SchemaValidate}

// A Header is the first record of an output: what it answers. Members without a value are left out.
type Header struct {
	Schema   Schema
	AsOf     calendar.Date
	From     calendar.Date // the first day of the window; zero for AsOf
	Until    calendar.Date // the last day of the window; zero for none
	Next     int           // the charges of each profile at most; 0 for all
	Zone     string        // the time zone of AsOf; empty if it was taken in none, as from a clock that is set
	Input    string        // the form in which the payload came: "csv", "base64" or "form"
	By       engine.By
	Profiles []string      // the profiles that were selected, ids or patterns of them, masked as needed
	Excluded []string      // those that were left out, in the same way
	Seed     uint64        // of SchemaSimulate alone
	Strict   bool          // of SchemaValidate alone: warnings count as errors
	Policy   engine.Policy // the readings in force
	// OldPolicy, of SchemaDiff alone, are the readings of the old side where one payload is compared
	// under two policies; else nil.
	OldPolicy *engine.Policy
}

// A Subject is the profile that a record is about.
type Subject struct {
	Profile  string // the client-orderid, as it may be shown
	File     string // the input, where there are several; else empty
	Row      int    // the data row in its file, from 1
	Currency string
	Callback string // the address that the gateway calls for each final status (6); empty for none
}

// A Charge is a charge, forecast or simulated. Slot is written where it differs from Date, and one
// amount where both bounds have the same value.
type Charge struct {
	Subject
	engine.Charge
	Simulated bool           // with kind, outcome and callback
	Explain   *engine.Policy // with Because in the words of this policy's readings; nil: without
}

// An End is where a profile is after the last day of an output. Profile, File and Row of the Subject
// are written. What Stop.Because cites is among Because.
type End struct {
	Subject
	engine.End
	Explain *engine.Policy // with Because in the words of this policy's readings; nil: without
}

// An Event is what became of an event of a simulation. It always says why. Of the Subject the profile
// and the file are written.
type Event struct {
	Subject
	Date    calendar.Date
	Do      engine.Verb
	Result  engine.Result
	Code    ledger.Code // the rule that a refused event or its result would break; empty if the status decides
	Because ledger.Because
	Explain *engine.Policy // the readings whose words Because is written in; nil for the default ones
}

// EventOf returns the record of an effect of kind [engine.EventHandled].
func EventOf(s Subject, e *engine.Effect, explain *engine.Policy) Event {
	v := Event{Subject: s, Date: e.Date, Do: e.Event, Result: e.Result, Because: e.Because, Explain: explain}
	if e.Refusal != nil {
		v.Code = e.Refusal.Code
	}
	return v
}

// A Total is what the charges of one currency come to on a day, in a month, of a profile and so on.
type Total struct {
	By       engine.By // what it is for; ByCharge is not possible
	Value    string    // "2026-01-31", "2026-W05", "2026-01", "2026-Q1", "monday" or a client-orderid
	File     string    // of a total by profile, where there are several inputs; else empty
	Currency string
	Tally
	// Quantiles are those that were asked for, of a total with random amounts; else nil.
	Quantiles []Quantile
	Normal    bool // the quantiles are those of a normal approximation
	Because   ledger.Because
	Explain   *engine.Policy // with Because in the words of this policy's readings; nil: without
}

// A Quantile is the smallest sum that a total does not exceed with a probability in percent (L36d).
type Quantile struct {
	Percent amount.Percent
	Sum     amount.Sum
}

// A Difference is a charge in which two outputs differ. Profile, Row and File of the charges are not
// written; the Subject has the profile.
type Difference struct {
	Profile  string
	Kind     engine.DifferenceKind
	Old, New *Charge // nil if there is none
}

// An EndDifference is a profile whose end differs between two outputs.
type EndDifference struct {
	Profile  string
	Old, New *engine.End // nil if the output does not have the profile
}

// A Money is what the charges of a currency come to in both outputs of a comparison.
type Money struct {
	Currency string
	Old, New Tally
}

// A Problem is a finding about an input.
type Problem struct{ ledger.Finding }

// A Summary is the last record of a validation.
type Summary struct {
	Rows, Valid, Errors, Warnings int
	CurrencyChecked               bool // currencies were compared with the project's
	OrderIDsChecked               int  // rows among which a repeated client-orderid was looked for
	OrderIDsComplete              bool // … which are all
	CutOff                        bool // the input could not be read to its end, which is one of the Errors
}

// A DifferenceSummary is the last record of a comparison.
type DifferenceSummary struct {
	Added, Removed, Moved, Changed int // charges
	Ends                           int // profiles whose end differs
}
