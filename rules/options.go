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

// Options say how a payload is checked. The zero value is the default of everything; nothing is read
// from a clock or the environment.
type Options struct {
	// AsOf is the current date (L27). With the zero Date nothing is compared with it:
	// start-past, card-expired, birthday-future and what needs a forecast are left out.
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
	// Currency is that of the project; empty means unknown and not checked (L56).
	Currency string
	// File is the name of the input, which findings are to have as their place; empty for none.
	File string
	// Input is the form in which the payload arrives. A value other than the named ones makes every
	// payload one that cannot be read: not-a-payload.
	Input Input
	// Severity overrides severities by code. A row that cannot be read or forecast is
	// left out all the same.
	Severity map[ledger.Code]ledger.Severity
	// Strict turns every warning into an error, after Severity.
	Strict bool
	// States replaces the list of state codes: by country, in upper case (L50). It
	// does not change which countries need one. Nil means our list.
	States map[string][]string

	// The limits are ours (L56d); 0 means the default, which is in brackets.
	MaxBytes    int64 // bytes of the input as sent (none)
	MaxRows     int   // data rows (none)
	MaxRow      int   // bytes of a row (1 MiB)
	MaxCell     int   // bytes between the quotes of a value (512 KiB)
	MaxColumns  int   // values of a row (128)
	MaxElements int   // elements of amount-sequence (10,000)
	// MaxFindings is how many findings of each code [Validate] keeps (100); negative: none.
	MaxFindings int
	// MaxOrderIDs is how many rows the check for a repeated client-orderid remembers (250,000); negative: none. Rows
	// whose ids rise need not be remembered. What is not compared is told, as limit-order-ids and in [Summary].
	MaxOrderIDs int

	// Workers is on how many goroutines the rows of a long payload are read, at most 32; with 0 and 1
	// there are none but the caller's. Rows, findings and their order are the same for any number.
	// With more than one, State is called by all of them at once, and a few MiB of the payload are
	// read ahead.
	Workers int

	chunk int // how many bytes a worker takes at a time; 0: what is good for their number
}

// The defaults of the limits (L56d).
const (
	defaultMaxRow      = 1 << 20
	defaultMaxCell     = 512 << 10
	defaultMaxColumns  = 128
	defaultMaxElements = 10_000
	defaultMaxOrderIDs = 250_000
)

// defaultHorizon is how many years ahead the expiry of a card is looked for.
const defaultHorizon = 3

// yearsAfter is the same day so many years later, the last of February where there is no 29th, and the last day of
// the calendar past its end.
func yearsAfter(d calendar.Date, years int) calendar.Date {
	s, err := calendar.NewSchedule(d, calendar.UnitMonth, 12*years, calendar.MonthEndClamp)
	if err != nil {
		return d
	}
	if later, ok := s.At(1); ok {
		return later
	}
	return calendar.MaxDate()
}

// noLimit is what MaxBytes is where it sets no limit.
const noLimit = 1<<63 - 1

// mostOfRow keeps places within a row in 32 bits.
const mostOfRow = 1<<31 - 1<<20

// withDefaults is o with every limit set; no limit is the largest number.
func (o Options) withDefaults() Options {
	o.MaxBytes = positiveOr(o.MaxBytes, noLimit)
	o.MaxRows = positiveOr(o.MaxRows, int(^uint(0)>>1))
	o.MaxRow = min(positiveOr(o.MaxRow, defaultMaxRow), mostOfRow)
	o.MaxCell = positiveOr(o.MaxCell, defaultMaxCell)
	o.MaxColumns = positiveOr(o.MaxColumns, defaultMaxColumns)
	o.MaxElements = positiveOr(o.MaxElements, defaultMaxElements)
	if o.MaxFindings == 0 {
		o.MaxFindings = 100
	}
	if o.MaxOrderIDs == 0 {
		o.MaxOrderIDs = defaultMaxOrderIDs
	}
	if o.Horizon.IsZero() && !o.AsOf.IsZero() {
		o.Horizon = yearsAfter(o.AsOf, defaultHorizon)
	}
	o.Workers = min(max(o.Workers, 1), mostWorkers)
	return o
}

func positiveOr[T int | int64](n, otherwise T) T {
	if n > 0 {
		return n
	}
	return otherwise
}
