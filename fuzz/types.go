package fuzz

import (
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// The laws and what they judge.
type (
	// A Law is a statement about every input.
	Law = laws.Law
	// A Case is one input of a law.
	Case = laws.Case
	// T is what a law reports to; *testing.T is one.
	T = laws.T
	// An Impl is an implementation under test: a set of optional functions.
	Impl = subject.Impl
	// An Abort is the value that a function of an Impl without an error result panics with to end a
	// case.
	Abort = subject.Abort
)

// Why a function of an Impl ends a case.
const (
	AbortNotSupported = subject.AbortNotSupported
	AbortUnspecified  = subject.AbortUnspecified
)

// ErrNotSupported is what a function of an Impl returns, alone or wrapped, for what the
// implementation does not offer.
var ErrNotSupported = subject.ErrNotSupported

// The words of an Impl about dates, amounts and profiles.
type (
	Grid      = subject.Grid
	Total     = subject.Total
	RangeRun  = subject.RangeRun
	Bounds    = subject.Bounds
	Job       = subject.Job
	Forecast  = subject.Forecast
	Stop      = subject.Stop
	End       = subject.End
	Book      = subject.Book
	BookTotal = subject.BookTotal
)

// The words of an Impl about payloads.
type (
	Cells       = subject.Cells
	Finding     = subject.Finding
	PayloadRow  = subject.PayloadRow
	PayloadStep = subject.PayloadStep
	PayloadEnd  = subject.PayloadEnd
)

// The words of an Impl about signatures.
type (
	Pair          = subject.Pair
	SignRequest   = subject.SignRequest
	SignKey       = subject.SignKey
	SignChoices   = subject.SignChoices
	SignVerdict   = subject.SignVerdict
	SignOptions   = subject.SignOptions
	SignHeader    = subject.SignHeader
	SignTrace     = subject.SignTrace
	SignDiagnosis = subject.SignDiagnosis
)

// Ours is chargecast itself.
func Ours() Impl { return subject.Ours() }
