package laws

import (
	"math/rand"
	"strconv"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// Version is the version of the generators. A change to what they make of a seed
// changes it, since tokens of the old one name other cases then.
const Version = "cc1"

// A Case is one input of a law.
type Case struct {
	Law   string
	Seed  uint64
	Index uint64
	// Value is what the law's generator made; nil for a law without one.
	Value any

	shrinker gopter.Shrinker
	sieve    func(any) bool
	fixed    *engine.Policy // the policy of Under; nil without
}

// NewCase makes the case of a law with a seed and an index: always the same one.
func NewCase(l Law, seed, index uint64) *Case {
	c := &Case{Law: l.ID, Seed: seed, Index: index}
	if l.Gen != nil {
		c.draw(l.Gen, gen.NewSource(l.ID, seed, index))
	}
	return c
}

// CaseOf makes a case of a law from a source of chance, such as a fuzzer's bytes. It has
// no token.
func CaseOf(l Law, source rand.Source) *Case {
	c := &Case{Law: l.ID}
	if l.Gen != nil {
		c.draw(l.Gen, source)
	}
	return c
}

func (c *Case) draw(from gopter.Gen, source rand.Source) {
	r := from(&gopter.GenParameters{MaxSize: 100, MaxShrinkCount: MaxShrinks, Rng: gen.RandOf(source)})
	c.shrinker, c.sieve = r.Shrinker, r.Sieve
	// Generators make valid values only, so that nothing is ever thrown away.
	c.Value, _ = r.Retrieve()
}

// with is the case with another value.
func (c *Case) with(v any) *Case {
	o := *c
	o.Value = v
	if c.fixed != nil {
		o.Value = fixedPolicy(v, *c.fixed)
	}
	return &o
}

// Token names the case: "cc1:<law>:<seed>:<index>".
func (c *Case) Token() string {
	return Version + ":" + c.Law + ":" + strconv.FormatUint(c.Seed, 10) + ":" + strconv.FormatUint(c.Index, 10)
}

// Again checks a law on one case and gives what it reports; empty when it holds or
// cannot be judged. A panic is a report.
func Again(l Law, c *Case, impl subject.Impl) string {
	return Judge(l, c, impl).Message
}

// MaxShrinks is how far a failing case is shrunk by default.
const MaxShrinks = 1000

// Simpler is the first of the shrinker's proposals for a failing case that breaks the law too, and
// what the law reports for it; nil where none does. It asks before each proposal whether to go on, and
// returns nil if not.
func (c *Case) Simpler(l Law, impl subject.Impl, goOn func() bool) (*Case, string) {
	if c.shrinker == nil {
		return nil, ""
	}
	propose := c.shrinker(c.Value)
	for v, ok := propose(); ok && goOn(); v, ok = propose() {
		if c.sieve != nil && !c.sieve(v) {
			continue
		}
		next := c.with(v)
		if next.unchanged(c) {
			continue
		}
		if report := Again(l, next, impl); report != "" {
			return next, report
		}
	}
	return nil, ""
}

// OnPlan is a check of a profile that no engine may refuse.
func OnPlan(check func(t T, p gen.PlanCase, impl subject.Impl)) func(T, *Case, subject.Impl) {
	return func(t T, c *Case, impl subject.Impl) { check(t, c.Value.(gen.PlanCase), impl) }
}
