package conform

import (
	"cmp"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/show"
)

// Cases is the default number of cases of a law.
const Cases = 300

// Options say what to run. The zero value runs every law on [Cases] cases.
type Options struct {
	Laws  []string // ids or patterns of ids, as [fuzz.Options] has them; none means all
	Cases int      // of a law; laws that read whole payloads get a quarter
	First uint64   // the index of the first case
	// Given is the only case, such as that of a token.
	Given *fuzz.Case
	Seed  uint64
	// Policy holds the readings that the program follows: every case asks for them. Nil leaves the
	// readings to the cases.
	Policy *engine.Policy
	// Asked are the keys of Policy that every request names, their values the default included.
	Asked []string
	Skip  []string // ids of laws that are known to fail; one that would pass is a failure
	Codes bool     // refusals and problems must have our codes
	// Shrinks is the most steps from a failing case to a simpler one; 200 when zero, none when
	// negative.
	Shrinks int
}

// Run runs laws against the program. The same options give the same report.
func (p *Program) Run(o Options) Report {
	p.codes, p.asked, p.restarts = o.Codes, askedOf(o), 0
	report := Report{Name: p.Name, Seed: o.Seed}
	var merged fuzz.Report
	for _, l := range fuzz.Laws() {
		if !(fuzz.Options{Laws: o.Laws}).Wants(l.ID) {
			continue
		}
		if !p.judges(l.ID) {
			report.Laws = append(report.Laws, Law{ID: l.ID, Clause: l.Clause, Formula: l.Formula})
			continue
		}
		if !p.restart() {
			report.Laws = append(report.Laws, Law{ID: l.ID, Clause: l.Clause, Formula: l.Formula, NotRun: true})
			continue
		}
		p.witness = show.Witness{}
		part := fuzz.Run(p.Impl(), o.law(l.ID))
		merged.Merge(part)
		one := part.Results[0].Show()
		for i, f := range part.Results[0].Failures {
			if f.Case == nil {
				continue
			}
			// Once more, for what it asks; a program that has failed is remembered as it was then.
			if p.running != nil {
				p.witness = show.Witness{}
				laws.Judge(l, f.Case, p.Impl())
			}
			if shown := p.witness.Show(f.Token); shown != show.Token(f.Token) {
				one.Failures[i].Counterexample = shown
			}
		}
		report.Laws = append(report.Laws, one)
	}
	report.Missed = missed(merged)
	return report
}

// law are the options for one law.
func (o Options) law(id string) fuzz.Options {
	cases := cmp.Or(o.Cases, Cases)
	return fuzz.Options{Laws: []string{id}, Cases: cases, SlowCases: min(cases, 20), First: o.First, Given: o.Given, Seed: o.Seed, Skip: o.Skip, Policy: o.Policy, Shrinks: cmp.Or(o.Shrinks, maxShrinks)}
}

// maxShrinks is how far a failing case is shrunk: each step asks the program several times.
const maxShrinks = 200

func askedOf(o Options) map[string]string {
	asked := map[string]string{}
	if o.Policy != nil {
		for key, value := range o.Policy.Values() {
			if slices.Contains(o.Asked, key) {
				asked[key] = value
			}
		}
	}
	return asked
}

// Replay judges the case of a token in process. It shows what the law asks about it, if it holds too. A case
// that does not come to an end fails, after the time that [fuzz.Options] give it.
func Replay(impl laws.Impl, l fuzz.Law, c *fuzz.Case, o Options) (Law, Counterexample) {
	one := fuzz.Again(impl, l, c, o.law(l.ID)).Show()
	if len(one.Failures) > 0 {
		return one, one.Failures[0].Counterexample
	}
	if shown, ok := show.Value(c.Value); ok {
		return one, shown
	}
	// Once more, for what it asks. Who does not come to an end may still ask.
	var w show.Witness
	o.Shrinks = -1
	if fuzz.Again(show.Watch(impl, &w), l, c, o.law(l.ID)).Failed() {
		return one, show.Token(c.Token())
	}
	return one, w.Show(c.Token())
}

// missed are the pairs of classes that no case met, of the kinds of classes that cases had at all.
func missed(r fuzz.Report) []string {
	kinds := func(pair string) string {
		part := strings.Split(pair, " · ")
		return part[0] + " · " + part[2]
	}
	left := map[string]int{}
	for _, pair := range (fuzz.Report{}).Missing() {
		left[kinds(pair)]++
	}
	all := r.Missing()
	for _, pair := range all {
		left[kinds(pair)]--
	}
	return slices.DeleteFunc(all, func(pair string) bool { return left[kinds(pair)] == 0 })
}
