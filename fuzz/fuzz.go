package fuzz

import (
	"iter"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/lawtext"
	"github.com/chargecast/chargecast/ledger"
)

// An Impl is an implementation under test: a set of optional functions, so that a literal with the ones that there are works. A
// law that needs one that is nil is not covered. A function that returns [ErrNotSupported], alone or wrapped, ends the case,
// which is not covered; one without an error result panics with it. Any other error is a refusal.
type Impl struct {
	// Name is how reports call the implementation.
	Name string
	// Cites promises that the implementation follows the ledger of chargecast also where an event leaves open what follows it and
	// the ledger assumes something (basis assumed). Without it a case in which only such a point differs is unspecified, and no
	// failure. Readings of policy keys are not among these points: say in [Options.Policy] which ones are followed.
	Cites bool

	// Forecast is the forecast of a profile.
	Forecast func(Job) (Forecast, error)
	// Simulate is the life of a profile, day by day, with the events of the simulation's steps.
	Simulate func(engine.Policy, engine.Simulation) (Life, error)

	// Validate is what is wrong with a payload, as CSV: code, severity, data row and column, "" for none, of each problem.
	// Errors alone are judged, by row and column.
	Validate func(csv []byte) ledger.Findings
	// Decode is the CSV in a form body, payload=BASE64.
	Decode func(form []byte) ([]byte, error)

	// Encode is a text, percent-encoded.
	Encode func(text string) string
	// BaseString is the base string of a request with the OAuth parameters of its header, realm left out.
	BaseString func(r Request, oauth []Param) (string, error)
	// Sign is the value of the Authorization header.
	Sign func(r Request, by Signer) (string, error)
	// Verify reports whether the signature in the Authorization header of a request is right.
	Verify func(r Request, by Signer) bool

	// DaysIn is the number of days of a month, January being 1.
	DaysIn func(year, month int) int
	// ParseDate reads a date as payloads have it, 31.01.2026.
	ParseDate func(string) (calendar.Date, error)
	// ParseAmount reads an amount, 10.50.
	ParseAmount func(string) (amount.Amount, error)
	// Sum adds amounts up and writes the sum.
	Sum func([]amount.Amount) string
}

// A Job is a profile of which a forecast is wanted, as of a day and under a policy. Its zero State is that of a profile that is
// created on that day.
type Job struct {
	Profile engine.Profile
	State   engine.State
	AsOf    calendar.Date
	Policy  engine.Policy
}

// Plain reports whether the job is what many schedulers offer: a profile that is created on as-of, under the default policy. One
// without a period, which is never charged by itself, is plain too: [engine.Profile.Automatic] tells them apart.
func (j Job) Plain() bool { return j.Policy == (engine.Policy{}) && j.State.Status == 0 }

// A Forecast says what will be charged when. Charges alone are enough for law T07.
type Forecast struct {
	// Charges are the charges dated within a window, by date. A zero Slot is the date.
	Charges func(calendar.Window) iter.Seq[engine.Charge]
	// Stop is the stop that the profile comes to; the zero Stop for none.
	Stop func() engine.Stop
	// End is where the profile is after the daily run of a day.
	End func(calendar.Date) engine.End
}

// A Life is what happened to a profile: charges and events in the order in which they happened, an event before what it
// brought about, perhaps stops, and where the profile was at the end.
type Life struct {
	Effects []engine.Effect
	End     engine.End
}

// A Request is a POST request: the parameters of its body, decoded, and its Authorization header, empty before it is signed.
type Request struct {
	URL           string
	Params        []Param
	Authorization string
}

// A Param is a parameter, name and value decoded.
type Param struct{ Name, Value string }

// A Signer is what signs or verifies: the secret of HMAC-SHA1, or a key of RSA-SHA256 in PEM, and what a signer puts into the
// header.
type Signer struct {
	Method, Secret, PEM           string
	ConsumerKey, Nonce, Timestamp string
	Realm                         *string // nil for none
}

// ErrNotSupported is what a function of an [Impl] returns, alone or wrapped, for what the implementation does not offer, such
// as a policy: the case is not covered.
var ErrNotSupported = laws.ErrNotSupported

// A Law is a statement about every input.
type Law struct {
	ID       string // "T07"; never reused
	Clause   string // the clauses of the document and the entries of the ledger that it rests on
	Sentence string // what holds
}

// Laws are the laws that an [Impl] can be asked, the strictest of each kind first.
func Laws() []Law {
	var list []Law
	for _, l := range laws.Laws() {
		if asked(l.ID) {
			list = append(list, lawOf(l))
		}
	}
	return list
}

func lawOf(l laws.Law) Law { return Law{l.ID, l.Clause, l.Sentence} }

// asked reports whether an [Impl] can be asked a law: those whose sentences package lawtext has.
func asked(id string) bool {
	_, ok := lawtext.Find(id)
	return ok
}
