package fuzz

import (
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// The laws and what they judge.
type (
	// A Law is a statement about every input.
	Law = laws.Law
	// An Impl is an implementation under test: a set of optional functions. The zero Impl has none, and
	// no law covers it.
	Impl = laws.Impl
	// A Counterexample is a case as a user would meet it: a payload, and the command that shows the right answer.
	Counterexample = laws.Counterexample
)

// The words of a scheduler: it gets a Job and gives a Forecast. The words of series, books, payloads and
// signatures are in package laws.
type (
	// A Job is a profile of which a forecast is wanted.
	Job = gen.Job
	// A Forecast answers what will be charged when.
	Forecast = laws.Forecast
	// An End is where a profile stands after the run of a day.
	End = laws.End
	// A Stop is the day of a stop and its reasons; the zero Stop is none.
	Stop = laws.Stop
	// A Total is what charges come to.
	Total = laws.Total
)

// ErrNotSupported is what a function of an Impl returns, alone or wrapped, for what the implementation
// does not offer: the case is not covered. A function without an error result panics with it.
var ErrNotSupported = laws.ErrNotSupported

// Ours is chargecast itself.
func Ours() Impl { return laws.Ours() }

// Laws are all laws, in the order of their groups.
func Laws() []Law { return laws.Laws() }

// Elsewhere names the tests of a law that no implementation can be asked, such as C02: a test of package calendar. It is empty
// for any other id.
func Elsewhere(id string) string { return laws.Elsewhere(id) }
