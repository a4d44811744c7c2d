package fuzz

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// A Failure is a case that breaks a law.
type Failure struct {
	Token   string // names the case after shrinking
	Found   string // names it as it was found
	Value   string // the case after shrinking
	Message string // what the law reports for it
	Shrinks int    // the steps from the one to the other
	Stuck   bool   // the case did not come to an end in its time; it is not shrunk
	// ShrinkStopped is why the search for a simpler case stopped while there may have been one; empty
	// when it came to its end, or none was wanted.
	ShrinkStopped string
	// Counterexample is the case after shrinking as a user would meet it: a payload, or a request,
	// and the command that shows the right answer.
	Counterexample Counterexample

	of *laws.Case // the case after shrinking; nil for a law that holds but is on the skip list
}

// A Result is what became of one law.
type Result struct {
	Law         Law
	Cases       int      // that were judged; those of a corpus are counted apart
	Again       int      // cases of the corpus that were judged again
	Unspecified int      // of both, those whose answer fits another reading of the ledger
	Keys        []string // the policy keys of those readings, sorted; the ledger entry where it has no key
	NotCovered  bool     // the implementation lacks what the law asks for, in every case that asks
	NotReached  bool     // the time was over before its turn
	Skipped     bool     // on the skip list, and it does fail
	NotRun      bool     // too many cases had not come to an end by then, or the program had failed too often
	Failures    []Failure
	Mended      []string // tokens of cases that failed in an earlier run of the corpus and hold now

	// What more cases may find. A case belongs to classes of input; one of a law whose input has none is classed by the
	// sizes of its first choices.
	Met      int // classes that some case met
	Possible int // classes that there are; 0 where nobody knows
	New      int // of those met, those that no case of the corpus had met
	Single   int // of those met, those that a single case met
	Since    int // cases since the last that met a new class, with those of the corpus's earlier runs

	spent time.Duration // on its cases, in a run by time
}

// A Report is the outcome of a run.
type Report struct {
	Impl        string
	Seed        uint64
	Results     []Result
	Unknown     []string // patterns of Options.Laws and ids of Options.Skip that name no law
	Interrupted bool     // by Options.Stop
	hits        gen.Hits
	took        time.Duration // of a run by time; else 0, since the same cases give the same report
}

// Failed reports whether the law fails, or could not be run.
func (r Result) Failed() bool { return r.NotRun || len(r.Failures) > 0 }

// Covered reports whether the law was judged.
func (r Result) Covered() bool { return !r.NotCovered && !r.NotRun && !r.NotReached }

// OK reports whether laws were judged and none failed. It is false where no law was judged, and where the options name a
// law that does not exist.
func (r Report) OK() bool {
	return r.Judged() > 0 && len(r.Unknown) == 0 && !slices.ContainsFunc(r.Results, Result.Failed)
}

// Judged is the number of laws that were judged.
func (r Report) Judged() int { return r.number(Result.Covered) }

// broken is the number of laws of which a case fails.
func (r Report) broken() int {
	return r.number(func(l Result) bool { return len(l.Failures) > 0 })
}

func (r Report) number(is func(Result) bool) (n int) {
	for _, l := range r.Results {
		if is(l) {
			n++
		}
	}
	return n
}

func (r *Report) hit(classes gen.Hits) {
	if r.hits == nil {
		r.hits = gen.Hits{}
	}
	r.hits.Merge(classes)
}

// failureOf is a case that breaks a law, before shrinking.
func failureOf(c *laws.Case, message string) Failure {
	token := c.Token()
	return Failure{Token: token, Found: token, Value: valueOf(c), Message: message, of: c}
}

// unasked is a failure whose case is not judged again to see what it asks.
func (f Failure) unasked() Failure {
	f.Counterexample = laws.TokenShown(f.Token)
	if shown, ok := f.of.Shown(); ok {
		f.Counterexample = shown
	}
	return f
}

func valueOf(c *laws.Case) string { return fmt.Sprintf("%+v", c.Value) }

// maxShrinks is how far a failing case is shrunk by default.
const maxShrinks = 1000

// shrinks is how many steps there may be to a simpler case.
func (o Options) shrinks() int { return max(cmp.Or(o.Shrinks, maxShrinks), 0) }

// shrinkTime is how long they may take; 0 for ever.
func (r *run) shrinkTime() time.Duration {
	limit := max(cmp.Or(r.ShrinkTime, time.Minute), 0)
	if r.Time > 0 {
		left := max(r.Time-time.Since(r.begun), r.Time/10)
		limit = min(cmp.Or(limit, left), left)
	}
	return limit
}

// judged is how many cases were judged.
func (r *Result) judged() int { return r.Cases + r.Again }

// count adds the verdict on one case, which may be one of the corpus.
func (r *Result) count(v laws.Verdict, again bool) {
	if v.NotCovered {
		return
	}
	if again {
		r.Again++
	} else {
		r.Cases++
	}
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
