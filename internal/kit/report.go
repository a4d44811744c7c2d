package kit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/kit/laws"
)

// A Counterexample is a case as a user would meet it: a payload, and the command that shows the right answer.
type Counterexample = laws.Counterexample

// A Failure is a case that breaks a law.
type Failure struct {
	Token          string // names the case, as simple as it was made
	Value          string // the case
	Message        string // what the law reports for it
	Advice         string // which other reading the answer fits, as found and as simple as it was made; empty for none
	Shrinks        int    // the steps from the case that was found to this one
	Counterexample Counterexample
}

// Text is the message and the advice.
func (f Failure) Text() string {
	text := laws.Cut(f.Message, maxMessage)
	if f.Advice != "" {
		text += "\n" + f.Advice
	}
	return text
}

// An Unspecified case is one whose answer fits another reading of a silence of the document.
type Unspecified struct {
	Token string
	laws.Unspecified
}

// A Result is what became of one law.
type Result struct {
	Law         laws.Law
	Cases       int           // that were judged
	Unspecified int           // of them, those whose answer fits another reading of the ledger
	Readings    []Unspecified // the first of these for each policy key, or entry of the ledger where it has no key
	NotCovered  bool          // the implementation lacks what the law asks for, in every case that asks
	NotReached  bool          // the time was over before its turn
	NotRun      bool          // the run ended before its turn
	Skipped     bool          // on the skip list, and it does fail
	Failures    []Failure

	unsupported int // cases that asked for what is not supported
}

// A Report is the outcome of a run.
type Report struct {
	Impl        string
	Seed        uint64
	Results     []Result
	Mended      []string // of Options.First, the tokens of cases that hold now
	Unknown     []string // patterns of Options.Laws and ids of Options.Skip that name no law
	Interrupted bool     // by Options.Stop
	Ended       string   // why the run ended before all cases were judged; empty where it did not
	Restarts    int      // how often the program was started again
	Mistakes    []string // of the protocol, that the program makes
}

// Failed reports whether the law fails, or could not be run.
func (r Result) Failed() bool { return r.NotRun || len(r.Failures) > 0 }

// Covered reports whether the law was judged.
func (r Result) Covered() bool { return !r.NotCovered && !r.NotRun && !r.NotReached }

// OK reports whether laws were judged and none failed. It is false where no law was judged, and where the options name a
// law that does not exist.
func (r Report) OK() bool {
	return r.Judged() > 0 && len(r.Unknown) == 0 && r.Ended == "" && !slices.ContainsFunc(r.Results, Result.Failed)
}

// Judged is the number of laws that were judged.
func (r Report) Judged() int { return r.number(Result.Covered) }

func (r Report) number(is func(Result) bool) (n int) {
	for _, l := range r.Results {
		if is(l) {
			n++
		}
	}
	return n
}

// failureOf is a case that breaks a law.
func failureOf(c *laws.Case, message string) Failure {
	return Failure{Token: c.Token(), Value: fmt.Sprintf("%+v", c.Value), Message: strings.TrimRight(message, "\n"), Counterexample: c.Shown()}
}

// unspecified counts a case whose answer fits another reading.
func (r *Result) unspecified(c *laws.Case, u *laws.Unspecified) {
	r.Unspecified++
	if !slices.ContainsFunc(r.Readings, func(o Unspecified) bool { return o.Key == u.Key }) {
		r.Readings = append(r.Readings, Unspecified{c.Token(), *u})
	}
}

// skipped inverts the result of a skipped law: it fails if the law passes.
func (r Result) skipped() Result {
	if len(r.Failures) > 0 {
		r.Failures, r.Skipped = nil, true
		return r
	}
	r.Failures = []Failure{{Message: "the law is on the skip list and holds: take it off"}}
	return r
}
