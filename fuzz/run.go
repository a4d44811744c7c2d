package fuzz

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
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
	// Policy holds the readings that every case asks for; nil leaves them to the generators. A law
	// about a reading still asks for that reading.
	Policy *engine.Policy
}

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
	Failures    []Failure
}

// A Report is the outcome of a run.
type Report struct {
	Impl    string
	Seed    uint64
	Results []Result
	hits    gen.Hits
}

// OK tells whether no law failed.
func (r Report) OK() bool {
	return !slices.ContainsFunc(r.Results, func(l Result) bool { return len(l.Failures) > 0 })
}

// Merge adds the results of another part of the same run.
func (r *Report) Merge(o Report) {
	r.Results = append(r.Results, o.Results...)
	r.hits.Merge(&o.hits)
}

// Run runs laws against an implementation and gives every law's result.
func Run(impl Impl, o Options) Report {
	report := Report{Impl: impl.Name, Seed: o.Seed}
	for _, l := range Laws() {
		if o.Wants(l.ID) {
			report.Results = append(report.Results, o.run(l, impl, &report.hits))
		}
	}
	return report
}

// Check runs laws against an implementation and reports each failure to t.
func Check(t T, impl Impl, o Options) Report {
	t.Helper()
	report := Run(impl, o)
	for _, r := range report.Results {
		for _, f := range r.Failures {
			t.Errorf("%s (%s): %s\n%s\ncase %s, after %d steps:\n%s", r.Law.ID, r.Law.Clause, r.Law.Formula, f.Message, f.Token, f.Shrinks, f.Value)
		}
	}
	return report
}

// Wants tells whether a law is among those asked for.
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

// cases is how many cases a law gets.
func (o Options) cases(l Law) int {
	switch {
	case l.Gen == nil:
		return 1
	case l.Slow:
		return cmp.Or(o.SlowCases, 500)
	case l.Heavy:
		return max(cmp.Or(o.Cases, 20_000)/4, 1)
	}
	return cmp.Or(o.Cases, 20_000)
}

func (o Options) run(l Law, impl Impl, hits *gen.Hits) Result {
	result := Result{Law: l}
	if !l.Needs(impl) {
		result.NotCovered = true
		return result
	}
	most := max(o.Failures, 1)
	for i := range uint64(o.cases(l)) {
		c := laws.NewCase(l, o.Seed, o.First+i)
		if o.Policy != nil {
			c = c.Under(*o.Policy)
		}
		classes := gen.ClassesOf(c.Value) // before the law changes it
		v := laws.Judge(l, c, impl)
		result.count(v)
		if !v.NotCovered {
			hits.Add(classes)
		}
		if v.Message != "" {
			result.Failures = append(result.Failures, shrink(l, c, impl, v.Message, o.Shrinks))
			if len(result.Failures) == most {
				break
			}
		}
	}
	if result.Cases == 0 {
		result.NotCovered = true
		return result
	}
	if slices.Contains(o.Skip, l.ID) {
		return result.skipped()
	}
	return result
}

// skipped turns the result of a law on the skip list round: passing is the failure.
func (r Result) skipped() Result {
	if len(r.Failures) > 0 {
		r.Failures, r.Skipped = nil, true
		return r
	}
	r.Failures = []Failure{{Message: "the law is on the skip list and holds: take it off"}}
	return r
}

// shrink looks for a simpler case that breaks the law too.
func shrink(l Law, c *Case, impl Impl, message string, most int) Failure {
	if most == 0 {
		most = laws.MaxShrinks
	}
	f := Failure{Token: c.Token(), Message: message}
	for f.Shrinks < most {
		next, report := c.Simpler(l, impl)
		if next == nil {
			break
		}
		c, f.Message = next, report
		f.Shrinks++
	}
	f.Case, f.Value = c, fmt.Sprintf("%+v", c.Value)
	return f
}

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
