package conform

import (
	"cmp"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// Cases is the number of cases of a law when nothing else is asked for.
const Cases = 100

// Options say what to run. The zero value runs every law on [Cases] cases.
type Options struct {
	Laws  []string // ids or patterns of ids, as [fuzz.Options] has them; none means all
	Cases int      // of a law; laws that read whole payloads get a quarter
	First uint64   // the index of the first case
	Seed  uint64
	// Policy holds the readings that the program follows: every case asks for them. Nil leaves the
	// readings to the cases.
	Policy *engine.Policy
	// Asked are the keys of Policy that every request names, their values the default included.
	Asked []string
	Skip  []string // ids of laws that are known to fail; one that would pass is a failure
	Codes bool     // refusals and problems must have our codes
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
		part := fuzz.Run(p.Impl(), o.law(l.ID))
		merged.Merge(part)
		report.Laws = append(report.Laws, lawOf(part.Results[0]))
	}
	report.Missed = merged.Missing()
	return report
}

// law are the options for one law.
func (o Options) law(id string) fuzz.Options {
	cases := cmp.Or(o.Cases, Cases)
	return fuzz.Options{Laws: []string{id}, Cases: cases, SlowCases: min(cases, 20), First: o.First, Seed: o.Seed, Skip: o.Skip, Policy: o.Policy, Shrinks: maxShrinks}
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

// Run runs laws against an implementation in process, with the same report.
func Run(impl fuzz.Impl, o Options) Report {
	report := Report{Name: impl.Name, Seed: o.Seed}
	var merged fuzz.Report
	for _, l := range fuzz.Laws() {
		if (fuzz.Options{Laws: o.Laws}).Wants(l.ID) {
			part := fuzz.Run(impl, o.law(l.ID))
			merged.Merge(part)
			report.Laws = append(report.Laws, lawOf(part.Results[0]))
		}
	}
	report.Missed = merged.Missing()
	return report
}

// Known tells whether a pattern of ids names any law.
func Known(pattern string) bool {
	return slices.ContainsFunc(fuzz.Laws(), func(l fuzz.Law) bool {
		return fuzz.Options{Laws: []string{pattern}}.Wants(l.ID)
	})
}
