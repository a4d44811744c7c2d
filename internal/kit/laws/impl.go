package laws

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/rules"
)

// An Impl is an implementation under test: a set of optional functions. A law that asks
// for one that is nil is not covered.
type Impl struct {
	Name string
	// Replies returns how many questions the implementation has answered so far. With it a case
	// that asks nothing is not covered; nil means that every case counts, except those of a law without any
	// answer where something was refused.
	Replies func() uint64

	guarded bool // by Guarded

	CalendarImpl
	AmountImpl
	EngineImpl
	SignatureImpl
	PayloadImpl
}

// A Grid is a series of recurring dates under test.
type Grid interface {
	At(k int) (calendar.Date, bool)
	Index(d calendar.Date) (k int, on bool)
	Count(w calendar.Window) int
	From(k int) iter.Seq2[int, calendar.Date]
}

// A CalendarImpl is the calendar of an implementation.
type CalendarImpl struct {
	DaysIn      func(year int, month time.Month) int
	NewDate     func(year int, month time.Month, day int) (calendar.Date, error)
	DateOf      func(time.Time) calendar.Date
	ParseDate   func(string) (calendar.Date, error) // 2026-01-31
	ParseDotted func(string) (calendar.Date, error) // 31.01.2026
	FormatDate  func(calendar.Date) string
	NewGrid     func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error)
}

// An AmountImpl is the amounts of an implementation.
type AmountImpl struct {
	ParseAmount    func(string) (amount.Amount, error)
	FormatAmount   func(amount.Amount) string
	CompareAmounts func(a, b amount.Amount) int
	Sum            func([]amount.Amount) string
	// Bounds are those of the charge with a repeat number.
	Bounds func(s amount.Choice, repeat uint64) (min, max amount.Amount)
	// Draw is the amount of one charge in a simulation.
	Draw func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount
	// TotalOf is the total of the n charges from a repeat number on.
	TotalOf    func(s amount.Choice, first, n uint64) plain.Total
	MinorUnits func(currency string) (digits int, ok bool)
	// FromDecimal is a value of shopspring/decimal as an amount.
	FromDecimal func(decimal.Decimal) (amount.Amount, error)
	// Quantiles gives, for each percentage, the least sum that the charges of the runs do not
	// exceed with that probability, less 10^-12; the least and the greatest of all for 0 and 100.
	// normal is true where a normal distribution approximates the probability.
	Quantiles func(runs []gen.RangeRun, percents []string) (sums []string, normal bool)
}

// An End is where a profile is after the run of a day.
type End struct {
	Status engine.Status
	Repeat uint64
	Stop   plain.Stop
}

// String is the end in words.
func (e End) String() string {
	return e.Status.String() + " with repeat " + strconv.FormatUint(e.Repeat, 10) + ", " + e.Stop.String()
}

// A Forecast answers what will be charged when: a set of optional functions. A case that asks for one
// that is nil is not covered, so that the zero Forecast covers nothing.
type Forecast struct {
	// Charges are the charges dated within a window, by date. A zero Slot is the date.
	Charges func(w calendar.Window) iter.Seq[engine.Charge]
	// Stop is the stop that the profile comes to, the zero Stop for none.
	Stop func() plain.Stop
	// End is where the profile is after the run of a day.
	End func(d calendar.Date) End
}

// An EngineImpl is the engine of an implementation.
type EngineImpl struct {
	// Forecast is a profile's forecast, or an error where the profile, the state or
	// the policy forbids it.
	Forecast func(gen.Job) (Forecast, error)
	// Simulate yields the effects of a profile's life in order, and gives where it
	// is at the end.
	Simulate func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error)
	// Cites promises that outputs name their clauses, in the words of our ledger and
	// policies; laws about these ask nothing else of an implementation.
	Cites bool
}

// A PayloadImpl reads, judges and writes payloads and responses.
type PayloadImpl struct {
	// ReadPayload judges a payload in steps, until yield is false. It reads no further
	// than it must.
	ReadPayload func(src io.Reader, o rules.Options, yield func(plain.PayloadStep) bool) plain.PayloadEnd
	// DecodePayload is the CSV in a form body or base64: no text beside an error.
	DecodePayload func(wire []byte, o rules.Options) ([]byte, []plain.Finding)
}

// A SignatureImpl is the signatures of an implementation. What it is handed and what it returns are
// plain data, so that a program in any language can be one; an error that wraps a ledger.Code, such
// as signature.HeaderSyntax, says which rule was broken.
type SignatureImpl struct {
	Encode       func(text string) string
	Decode       func(text string) (string, error)
	BaseString   func(r gen.SignRequest, oauth []gen.Pair) (string, error)
	FormatHeader func(SignHeader) string
	ParseHeader  func(string) (SignHeader, error)
	// Sign returns the value of the Authorization header.
	Sign   func(r gen.SignRequest, c gen.SignChoices, key SignKey) (string, error)
	Verify func(r gen.SignRequest, key SignKey, o SignOptions) SignVerdict
}

// A SignKey is a key: of HMAC-SHA1 the secret, of RSA-SHA256 the private or the public half in
// PEM.
type SignKey struct {
	Method, Secret, PEM string
}

// SignOptions say what a verifier asks of timestamp and nonce. A zero is not asked.
type SignOptions struct {
	Now, Window        int64 // seconds
	NonceMin, NonceMax int
}

// String is what a verifier is asked about time and nonce.
func (o SignOptions) String() string {
	switch {
	case o.Window != 0:
		return fmt.Sprintf("at %d within %d seconds", o.Now, o.Window)
	case o.NonceMin != 0 || o.NonceMax != 0:
		return fmt.Sprintf("for a nonce of %d to %d bytes (0: any)", o.NonceMin, o.NonceMax)
	}
	return "for nothing about time or nonce"
}

// A SignVerdict is what a verifier says.
type SignVerdict struct {
	Signature  string // "ok", "mismatch" or "unreadable"; empty if the request cannot be used
	Acceptable bool
	Stale      bool
	Consumer   string // the authenticated consumer key; empty if the request is not acceptable
	Codes      []string
}

// String is what a verifier says: the signature is ok, but the request is not acceptable (nonce-length).
func (v SignVerdict) String() string {
	text := "the signature is " + v.Signature
	if v.Signature == "" {
		text = "the request is unusable"
	}
	if v.Stale {
		text += ", stale"
	}
	if v.Acceptable {
		text += ", the request is acceptable"
	} else {
		text += ", the request is not acceptable"
	}
	if v.Consumer != "" {
		text += " from " + strconv.Quote(v.Consumer)
	}
	if len(v.Codes) > 0 {
		text += " (" + strings.Join(v.Codes, ", ") + ")"
	}
	return text
}

// A SignHeader is the content of an Authorization header.
type SignHeader struct {
	Realm  *string
	Params []gen.Pair
}
