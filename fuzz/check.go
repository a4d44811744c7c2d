package fuzz

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// Options say what to run. The zero value judges every law on 2,000 cases, those whose cases are expensive on fewer.
type Options struct {
	// Laws are ids such as "T07", groups such as "T", or patterns such as "B*"; none means all.
	Laws []string
	// Cases is how many cases each law is judged on, exactly; zero leaves it to Time.
	Cases int
	// Time is how long the run takes, about, all laws in turns; zero for no limit.
	Time time.Duration
	// Seed is the base of all chance. The same seed with a number of cases gives the same report.
	Seed uint64
	// Policy is the policy that every case asks for; nil leaves it to the case.
	Policy *engine.Policy
	// Ordinary keeps to what merchants send, and to no extreme. Every run begins with such cases.
	Ordinary bool
	// Skip are ids of laws that are known to fail. One that holds is a failure.
	Skip []string
	// Timeout is how long a case may take before its law fails; 5 seconds when zero.
	Timeout time.Duration
	// MemoryLimit is how many bytes of the heap may be in use before the run ends with the case that uses them; 1 GiB when zero.
	MemoryLimit uint64
}

// A Reporter is what [Check] and [Again] report to; *testing.T is one.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// A Verdict is what became of a law.
type Verdict uint8

// The verdicts.
const (
	NotCovered  Verdict = iota // the implementation lacks what the law needs, or was not asked
	Holds                      // in all cases that were judged
	Unspecified                // holds, and in some cases the answer fits another reading of a silence of the document
	Fails                      // in some case
)

// String is the verdict in words.
func (v Verdict) String() string {
	return [...]string{"not covered", "holds", "unspecified", "fails"}[min(v, Fails)]
}

// MarshalText returns the words of [Verdict.String].
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// A Failure is a case that breaks a law.
type Failure struct {
	Token   string // names the case: give it to Again
	Message string // what came, and what was wanted
	Payload string // the profile or the payload of the case as CSV; empty for a case without one
	Command string // what shows the right answer, with the payload in payload.csv
}

// A Result is what became of one law.
type Result struct {
	Law      Law
	Verdict  Verdict
	Cases    int // that were judged
	Failures []Failure
}

// Failed reports whether the law fails, which [Fails] says too.
func (r Result) Failed() bool { return r.Verdict == Fails }

// A Report is the outcome of a run.
type Report struct {
	Results []Result

	of kit.Report
}

// Judged is the number of laws that were judged.
func (r Report) Judged() int { return r.of.Judged() }

// OK reports whether laws were judged and none failed.
func (r Report) OK() bool { return r.of.OK() }

// String is the report for people: what fails, which laws hold, and the verdict.
func (r Report) String() string { return string(r.of.AppendText(nil, nil)) }

// Run judges laws, and returns what became of each.
func Run(impl Impl, o Options) Report {
	limit := o.MemoryLimit
	if limit == 0 {
		limit = 1 << 30
	}
	options := kit.Options{
		Laws: o.Laws, Cases: o.Cases, Time: o.Time, Seed: o.Seed, Policy: o.Policy, Ordinary: o.Ordinary, Skip: o.Skip, Timeout: o.Timeout, Memory: limit, Asked: asked,
	}
	if o.Cases == 0 && o.Time == 0 {
		options.Effort = 2000
	}
	r := Report{of: kit.Run(adapted(impl), options)}
	for _, l := range r.of.Results {
		r.Results = append(r.Results, resultOf(l))
	}
	return r
}

func resultOf(l kit.Result) Result {
	r := Result{Law: lawOf(l.Law), Cases: l.Cases}
	switch {
	case l.Failed():
		r.Verdict = Fails
	case !l.Covered():
	case l.Unspecified > 0:
		r.Verdict = Unspecified
	default:
		r.Verdict = Holds
	}
	for _, f := range l.Failures {
		r.Failures = append(r.Failures, Failure{f.Token, f.Text(), f.Counterexample.CSV, f.Counterexample.Command})
	}
	return r
}

// Check judges laws and reports each failure to t, and a run that judged no law. If t can log, as a test can, the laws that
// hold are logged.
func Check(t Reporter, impl Impl, o Options) Report {
	t.Helper()
	r := Run(impl, o)
	log, logs := t.(interface {
		Logf(format string, args ...any)
	})
	switch text := strings.TrimRight(r.String(), "\n"); {
	case r.Judged() == 0:
		t.Errorf("no law was judged: the implementation answers nothing that the laws of the options ask\n%s", text)
	case !r.OK():
		t.Errorf("%s", text)
	case logs:
		log.Logf("%s", text)
	}
	return r
}

// Again judges the case that a token names, under the policy of the token. It reports a case that fails, one that the
// implementation does not cover, and a token that names no case.
func Again(t Reporter, impl Impl, token string) {
	t.Helper()
	result, shown, err := kit.Again(adapted(impl), token, kit.Options{})
	switch {
	case err != nil:
		t.Errorf("%q: %v", token, err)
	case result.Failed():
		for _, f := range result.Failures {
			t.Errorf("%s (clause %s): %s\n%s\n%s", result.Law.ID, result.Law.Clause, result.Law.Sentence, f.Text(), shown.AppendText(nil))
		}
	case !result.Covered():
		t.Errorf("%s is not covered by %s: a function that it needs is missing, or does not support the case", result.Law.ID, impl.Name)
	}
}

// Native makes a native fuzz target of all laws that the implementation covers: go test -fuzz looks for a case that breaks one.
func Native(f *testing.F, impl Impl) {
	f.Helper()
	under := adapted(impl).Guarded()
	var covered []laws.Law
	for _, l := range laws.Laws() {
		if asked(l.ID) && !l.Once && !laws.Judge(l, laws.Source{}.Case(l, 0), under).Absent {
			covered = append(covered, l)
		}
	}
	if len(covered) == 0 {
		f.Fatal("the implementation has no function that a law asks for")
	}
	for i := range covered {
		f.Add([]byte{byte(i)})
		f.Add(append([]byte{byte(i)}, slices.Repeat([]byte{0}, 40)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		l := covered[int(data[0])%len(covered)]
		c := l.Drawn(gen.FromBytes(data[1:]), nil)
		if v := laws.Judge(l, c, under); v.Message != "" {
			t.Errorf("%s (clause %s): %s\n%s\n%s\nfuzz.Again repeats it: %s", l.ID, l.Clause, l.Sentence, v.Message, c.Shown().AppendText(nil), c.Token())
		}
	})
}
