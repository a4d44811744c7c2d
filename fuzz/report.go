package fuzz

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// A Failure is a case that breaks a law.
type Failure struct {
	Token   string // names the case as it was found
	Value   string // the case after shrinking
	Message string // what the law reports for it
	Shrinks int    // the steps from the one to the other
	Case    *Case  // the case after shrinking; nil for a law that holds but is on the skip list
}

// A Result is what became of one law.
type Result struct {
	Law         Law
	Cases       int      // that were judged
	Unspecified int      // of them, those whose answer fits another reading of the ledger
	Keys        []string // the policy keys of those readings, sorted
	NotCovered  bool     // the implementation lacks what the law asks for, in every case
	Skipped     bool     // on the skip list, and it does fail
	NotRun      bool     // too many cases had not come to an end by then
	Failures    []Failure
}

// A Report is the outcome of a run.
type Report struct {
	Impl    string
	Seed    uint64
	Results []Result
	hits    gen.Hits
}

// Failed tells whether the law fails, or could not be run.
func (r Result) Failed() bool { return r.NotRun || len(r.Failures) > 0 }

// OK tells whether no law failed.
func (r Report) OK() bool { return !slices.ContainsFunc(r.Results, Result.Failed) }

// Merge adds the results of another part of the same run.
func (r *Report) Merge(o Report) {
	r.Results = append(r.Results, o.Results...)
	r.hits.Merge(&o.hits)
}

// failureOf is a case that breaks a law, before shrinking.
func failureOf(c *Case, message string) Failure {
	return Failure{Token: c.Token(), Value: valueOf(c), Message: message, Case: c}
}

func valueOf(c *Case) string { return fmt.Sprintf("%+v", c.Value) }

// shrinks is how many steps there may be to a simpler case.
func (o Options) shrinks() int { return max(cmp.Or(o.Shrinks, laws.MaxShrinks), 0) }

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
