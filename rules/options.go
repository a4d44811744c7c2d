package rules

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// An Input is the form in which a payload arrives. The zero value recognises it.
type Input uint8

// The forms of a payload (clause 4.1).
const (
	InputAuto   Input = iota // recognise the form by its first bytes
	InputCSV                 // the CSV text itself
	InputBase64              // base64 of it; one line end after it is not a fault
	InputForm                // a form body with payload=; one line end after it is not a fault
)

var inputs = enum.Words{Type: "Input", Words: []string{"auto", "csv", "base64", "form"}}

// String returns "auto", "csv", "base64" or "form", and a text such as "Input(7)" for a value that is
// none of these.
func (i Input) String() string { return inputs.String(uint8(i)) }

// MarshalText returns the word; a value that is not an Input is an error.
func (i Input) MarshalText() ([]byte, error) { return inputs.Marshal(uint8(i)) }

// UnmarshalText reads what MarshalText writes. On an error i is unchanged.
func (i *Input) UnmarshalText(text []byte) error { return inputs.Unmarshal(text, (*uint8)(i)) }

// Options say how a payload is checked. Nothing is read from a clock or the environment.
type Options struct {
	// AsOf is the current date (L27). [Validate], a [Reader] and a [Writer] need it: without one they end with
	// the code as-of-missing. Decode, Encode and a Fixer do not look at it.
	AsOf calendar.Date
	// Horizon is the last day whose charges are compared with the expiry of the card (L31). The zero Date is
	// three years after AsOf: nearly every card expires before a schedule without an end does.
	Horizon calendar.Date
	// Policy chooses the readings under which a row is forecast.
	Policy engine.Policy
	// State looks up the saved state of an existing profile by its client-orderid; nil means that
	// all profiles are new. For an existing profile the forecast goes on from the state, and what
	// is about its creation is not checked: start-past, start-absent, never-charges and
	// first-charge-today. Whether the state fits its row is not checked either.
	State func(orderID string) (s engine.State, stored bool)
	// ScheduleOnly reads a payload for its schedule alone, as a forecast does, which needs no card (L48b): only the
	// columns are checked that a charge depends on (client-orderid, rp_card_type, the amounts, currency, period, interval,
	// the two dates, max-repeats-number). The others may be absent, empty or wrong: such a row is usable, and counted
	// in [Summary.Unsendable]. An absent or empty rp_card_type is SRC, the currency € is EUR with a warning.
	ScheduleOnly bool
	// Currency is that of the project; empty means unknown and not checked (L56).
	Currency string
	// File is the name of the input in the places of findings; empty for none.
	File string
	// IDs are the client-orderids of payloads read before, to which those of this one are added (L47); nil for a
	// payload of its own.
	IDs *OrderIDs
	// Input is the form in which the payload arrives.
	Input Input
	// Severity overrides severities by code. A row that cannot be read or forecast is left out all the same, and a
	// finding that ended the reading keeps its severity.
	Severity map[ledger.Code]ledger.Severity
	// Strict turns every warning into an error, after Severity.
	Strict bool
	// States replaces the list of state codes: by country, in upper case (L50). It
	// does not change which countries need one. Nil means our list.
	States map[string][]string

	// The limits are ours (L56d); 0 means the default, which is in brackets.
	MaxBytes int64 // bytes of the input as sent (none)
	MaxRows  int   // data rows (none)
	MaxRow   int   // bytes of a row (1 MiB)
	// MaxFindings is how many findings of each code [Validate] keeps (100); negative: none.
	MaxFindings int
	// MaxOrderIDs is how many rows the check for a repeated client-orderid remembers (250,000); negative: none. Rows
	// whose ids rise need not be remembered. When the limit is reached, limit-order-ids is reported; [Summary] says how
	// far the check went.
	MaxOrderIDs int
}

// The defaults of the limits (L56d).
const (
	defaultMaxRow      = 1 << 20
	defaultMaxOrderIDs = 250_000
)

// defaultHorizon is the default of Horizon, in years after AsOf.
const defaultHorizon = 3

// noLimit is MaxBytes without a limit.
const noLimit = 1<<63 - 1

// longestRow keeps offsets within a row in 32 bits.
const longestRow = 1<<31 - 1<<20

// withDefaults returns o with every limit set; no limit is the largest number.
func (o Options) withDefaults() Options {
	o.MaxBytes = positiveOr(o.MaxBytes, noLimit)
	o.MaxRows = positiveOr(o.MaxRows, int(^uint(0)>>1))
	o.MaxRow = min(positiveOr(o.MaxRow, defaultMaxRow), longestRow)
	if o.MaxFindings == 0 {
		o.MaxFindings = 100
	}
	if o.MaxOrderIDs == 0 {
		o.MaxOrderIDs = defaultMaxOrderIDs
	}
	if o.Horizon.IsZero() && !o.AsOf.IsZero() {
		if o.Horizon = o.AsOf.AddMonths(12 * defaultHorizon); o.Horizon.After(calendar.MaxDate()) {
			o.Horizon = calendar.MaxDate()
		}
	}
	return o
}

func positiveOr[T int | int64](n, otherwise T) T {
	if n > 0 {
		return n
	}
	return otherwise
}

// fault returns why rows cannot be checked under the options; nil if they can.
func (o *Options) fault() error {
	fault := func(text string) error { return table.Finding(OptionValue, text, "") }
	if o.AsOf.IsZero() {
		return table.Finding(AsOfMissing, "", "")
	}
	if !inputs.Has(uint8(o.Input)) {
		return fault("Options.Input is none of the forms of a payload")
	}
	for _, s := range o.Severity {
		if s > ledger.SeverityError {
			return fault("Options.Severity has a value that is not a severity")
		}
	}
	if _, err := o.Policy.MarshalJSON(); err != nil {
		return fault("Options.Policy has a value that its key does not have")
	}
	if o.AsOf.After(calendar.MaxDate()) {
		return fault("Options.AsOf is not a day")
	}
	return nil
}
