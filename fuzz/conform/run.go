package conform

import (
	"cmp"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// Cases is how many cases a law is judged on where the options do not say, as [fuzz.Options] have it as Effort.
const Cases = 300

// maxShrinks is how far a failing case is shrunk: each step asks the program several times.
const maxShrinks = 200

// Run runs laws against the program, as [fuzz.Run] does. The same options with a number of cases give the same report.
func (p *Program) Run(o fuzz.Options) fuzz.Report { return fuzz.Run(p.Impl(), p.begin(o)) }

// Replay judges the case of a token, as [fuzz.Replay] does.
func (p *Program) Replay(token string, o fuzz.Options) (fuzz.Result, fuzz.Counterexample, error) {
	return fuzz.Replay(p.Impl(), token, p.begin(o))
}

// begin begins a run: it completes the options. A reply has its own limit of time, so that a case needs none.
func (p *Program) begin(o fuzz.Options) fuzz.Options {
	p.restarts, p.asked = 0, askedOf(o.Policy, p.Asked)
	if o.Cases == 0 && o.Time == 0 {
		o.Effort = cmp.Or(o.Effort, Cases)
	}
	o.Shrinks, o.Timeout = cmp.Or(o.Shrinks, maxShrinks), -1
	o.Program = &fuzz.Program{Judges: p.judges, Ready: p.ready, Shown: p.shown}
	return o
}

// ready reports whether the program runs, for the next law.
func (p *Program) ready() bool {
	p.witness = laws.Witness{}
	return p.restart()
}

// shown is what a failing case asks, once more; a program that has failed is remembered as it was then.
func (p *Program) shown(token string, judge func()) fuzz.Counterexample {
	if p.running != nil {
		p.witness = laws.Witness{}
		judge()
	}
	return p.witness.Show(token)
}

func askedOf(policy *engine.Policy, keys []string) map[string]string {
	asked := map[string]string{}
	if policy != nil {
		for c := range engine.Keys() {
			if slices.Contains(keys, c.Key()) {
				asked[c.Key()] = policy.Reading(c).Value
			}
		}
	}
	return asked
}
