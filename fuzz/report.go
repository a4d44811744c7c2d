package fuzz

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/show"
)

// A Failure is a case that breaks a law.
type Failure struct {
	Token   string // names the case as it was found
	Value   string // the case after shrinking
	Message string // what the law reports for it
	Shrinks int    // the steps from the one to the other
	Stuck   bool   // the case did not come to an end in its time; it is not shrunk
	// ShrinkStopped is why the search for a simpler case stopped while there may have been one; empty
	// when it came to its end, or none was wanted.
	ShrinkStopped string
	Case          *Case // the case after shrinking; nil for a law that holds but is on the skip list
	// Counterexample is the case after shrinking as a user would meet it: a payload, or a request,
	// and the command that shows the right answer.
	Counterexample show.Counterexample
}

// A Result is what became of one law.
type Result struct {
	Law         Law
	Cases       int      // that were judged
	Unspecified int      // of them, those whose answer fits another reading of the ledger
	Keys        []string // the policy keys of those readings, sorted
	NotCovered  bool     // the implementation lacks what the law asks for, in every case that asks
	Skipped     bool     // on the skip list, and it does fail
	NotRun      bool     // too many cases had not come to an end by then
	Failures    []Failure
}

// A Report is the outcome of a run.
type Report struct {
	Impl    string
	Seed    uint64
	Results []Result
	Unknown []string // patterns of Options.Laws and ids of Options.Skip that name no law
	hits    gen.Hits
}

// Failed reports whether the law fails, or could not be run.
func (r Result) Failed() bool { return r.NotRun || len(r.Failures) > 0 }

// OK reports whether laws were judged and none failed. It is false where no law was judged, and where the options name a
// law that does not exist.
func (r Report) OK() bool {
	return r.judged() > 0 && len(r.Unknown) == 0 && !slices.ContainsFunc(r.Results, Result.Failed)
}

// judged is the number of laws that were judged.
func (r Report) judged() (n int) {
	for _, result := range r.Results {
		if !result.NotCovered && !result.NotRun {
			n++
		}
	}
	return n
}

// Merge adds the results of another part of the same run.
func (r *Report) Merge(o Report) {
	r.Results = append(r.Results, o.Results...)
	r.Unknown = append(r.Unknown, o.Unknown...)
	r.hits.Merge(&o.hits)
}

// failureOf is a case that breaks a law, before shrinking.
func failureOf(c *Case, message string) Failure {
	return Failure{Token: c.Token(), Value: valueOf(c), Message: message, Case: c}
}

// unasked is a failure whose case is not judged again to see what it asks.
func (f Failure) unasked() Failure {
	if shown, ok := show.Value(f.Case.Value); ok {
		f.Counterexample = shown
	} else {
		f.Counterexample = show.Token(f.Token)
	}
	return f
}

func valueOf(c *Case) string { return fmt.Sprintf("%+v", c.Value) }

// maxShrinks is how far a failing case is shrunk by default.
const maxShrinks = 1000

// shrinks is how many steps there may be to a simpler case.
func (o Options) shrinks() int { return max(cmp.Or(o.Shrinks, maxShrinks), 0) }

// shrinkTime is how long they may take; 0 for ever.
func (o Options) shrinkTime() time.Duration { return max(cmp.Or(o.ShrinkTime, time.Minute), 0) }

// count adds the verdict on one case.
func (r *Result) count(v laws.Verdict) {
	if v.NotCovered {
		return
	}
	r.Cases++
	if v.Unspecified == "" {
		return
	}
	r.Unspecified++
	if i, found := slices.BinarySearch(r.Keys, v.Unspecified); !found {
		r.Keys = slices.Insert(r.Keys, i, v.Unspecified)
	}
}

// Missing are the pairs of classes that the run did not meet, as text.
func (r Report) Missing() []string { return r.hits.Missing() }

// skipped turns the result of a law on the skip list round: passing is the failure.
func (r Result) skipped() Result {
	if len(r.Failures) > 0 {
		r.Failures, r.Skipped = nil, true
		return r
	}
	r.Failures = []Failure{{Message: "the law is on the skip list and holds: take it off"}}
	return r
}

// maxMessage is how much of what a law reports is shown: the implementation may have chosen most of
// it.
const maxMessage = 8000

// Show is the result as reports have it.
func (r Result) Show() show.Law {
	l := show.Law{
		ID: r.Law.ID, Clause: r.Law.Clause, Formula: r.Law.Formula,
		Cases: r.Cases, Covered: !r.NotCovered && !r.NotRun, NotRun: r.NotRun, Skipped: r.Skipped, Unspecified: r.Unspecified, Keys: r.Keys,
	}
	for _, f := range r.Failures {
		l.Failures = append(l.Failures, show.Failure{Token: f.Token, Message: show.Cut(strings.TrimRight(f.Message, "\n"), maxMessage), Counterexample: f.Counterexample, ShrinkStopped: f.ShrinkStopped})
	}
	return l
}

// Show is the report to be written as text, JSON or JUnit.
func (r Report) Show() show.Report {
	out := show.Report{Name: r.Impl, Seed: r.Seed, Unknown: r.Unknown, Missed: r.Missing()}
	for _, result := range r.Results {
		out.Laws = append(out.Laws, result.Show())
	}
	return out
}
