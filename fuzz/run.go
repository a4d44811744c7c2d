package fuzz

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/engine"
)

// Options say what to run. The zero value runs every law on 20,000 cases.
type Options struct {
	// Laws are ids or patterns of ids, such as "T05", "C" for a whole group, "B*".
	// None means all.
	Laws []string
	// Cases is the number of cases of a law, 20,000 when zero; a law marked heavy gets a
	// quarter of it, but one at least. SlowCases is the number of cases of a law marked
	// slow, 500 when zero.
	Cases, SlowCases int
	// First is the index of the first case, so that a campaign can be split.
	First uint64
	// Seed is the base of all chance.
	Seed uint64
	// Skip are ids of laws that are known to fail. One that would pass is a failure
	// (G05).
	Skip []string
	// Failures is how many failing cases of a law are reported before the next law; 1
	// when zero.
	Failures int
	// Shrinks is the most steps from a failing case to a simpler one; 1,000 when zero,
	// none when negative.
	Shrinks int
	// ShrinkTime is how long the search for a simpler case may take, for each failure; a minute when
	// zero, forever when negative. It does not stop within a case.
	ShrinkTime time.Duration
	// Workers is how many cases are judged at the same time; 1 when zero. The report is the same
	// for any number. An Impl that counts its Steps or Replies is asked one case after the other.
	Workers int
	// Timeout is how long a case may take before its law fails; a minute when zero, forever when
	// negative. The only case of a law without random input may take ten times as long.
	Timeout time.Duration
	// Policy holds the readings that every case asks for; nil leaves them to the generators. A law
	// about a reading still asks for that reading.
	Policy *engine.Policy
	// Given is the only case, such as that of a token; nil for those with a number.
	Given *Case
}

// Run runs laws against an implementation and gives every law's result.
func Run(impl Impl, o Options) Report {
	report := Report{Impl: impl.Name, Seed: o.Seed, Unknown: o.unknown()}
	r := run{Options: o, given: impl, impl: impl.Guarded(), hits: &report.hits}
	var outcomes []outcome
	for _, l := range Laws() {
		if o.Wants(l.ID) {
			outcomes = append(outcomes, r.law(l))
		}
	}
	for _, o := range outcomes {
		report.Results = append(report.Results, r.settle(o))
	}
	return report
}

// A Reporter is what [Check] reports to; *testing.T is one.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// Again judges one case of a law, such as that of a token, and makes it simpler where it fails.
func Again(impl Impl, l Law, c *Case, o Options) Result {
	o.Laws, o.Cases, o.SlowCases, o.First, o.Given = []string{l.ID}, 1, 1, 0, c
	return Run(impl, o).Results[0]
}

// Check runs laws against an implementation and reports each failure to t, and a run that judged no law. If t can log, as
// a test can, it logs which laws hold and which are not covered.
func Check(t Reporter, impl Impl, o Options) Report {
	t.Helper()
	report := Run(impl, o)
	for _, name := range report.Unknown {
		t.Errorf("no law has the id or pattern %q", name)
	}
	if report.judged() == 0 {
		t.Errorf("no law was judged: the implementation answers nothing that the laws of the options ask")
	}
	for _, r := range report.Results {
		if r.NotRun {
			t.Errorf("%s is not run: too many cases did not come to an end", r.Law.ID)
		}
		for _, f := range r.Failures {
			t.Errorf("%s (%s): %s\n%s\ncase %s, after %d steps%s:\n%s\n%s",
				r.Law.ID, r.Law.Clause, r.Law.Formula, f.Message, f.Token, f.Shrinks, f.stopped(), f.Value, f.Counterexample.AppendText(nil))
		}
	}
	if log, ok := t.(interface {
		Logf(format string, args ...any)
	}); ok {
		log.Logf("%s", report.Show().AppendSummary(nil))
	}
	return report
}

// stopped is why shrinking stopped, as part of a line.
func (f Failure) stopped() string {
	if f.ShrinkStopped == "" {
		return ""
	}
	return ", not shrunk further since " + f.ShrinkStopped
}

// Wants reports whether a law is among those asked for.
func (o Options) Wants(id string) bool {
	if len(o.Laws) == 0 {
		return true
	}
	return slices.ContainsFunc(o.Laws, func(pattern string) bool {
		if match, err := path.Match(pattern, id); err == nil && match {
			return true
		}
		// A group alone is its letters.
		return pattern == strings.TrimRight(id, "0123456789")
	})
}

// unknown are the patterns, and the ids of the skip list, that name no law.
func (o Options) unknown() (names []string) {
	for _, pattern := range o.Laws {
		if !Known(pattern) {
			names = append(names, pattern)
		}
	}
	for _, id := range o.Skip {
		if _, ok := Find(id); !ok {
			names = append(names, id)
		}
	}
	return names
}

// count is how many cases a law gets.
func (o Options) count(l Law) int {
	switch {
	case l.Once, o.Given != nil:
		return 1
	case l.Slow:
		return cmp.Or(o.SlowCases, 500)
	case l.Heavy:
		return max(cmp.Or(o.Cases, 20_000)/4, 1)
	}
	return cmp.Or(o.Cases, 20_000)
}
