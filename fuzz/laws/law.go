package laws

import (
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/chargecast/chargecast/fuzz/gen"
)

// A Law is a statement about every input.
type Law struct {
	ID      string // "T05"; never reused
	Formula string // what holds
	Clause  string // what it rests on: a clause of the document or an entry of the ledger
	// Presumes are the policy keys whose default the law needs; its generator keeps
	// to them.
	Presumes []string
	// Heavy marks a law that reads a whole payload or adds up whole books in each case: it runs on
	// a quarter of the cases.
	Heavy bool
	// Slow marks a law that runs on few cases.
	Slow bool
	// Alone marks a law that measures allocations or work: nothing else may run
	// meanwhile. All others may be checked at the same time.
	Alone bool
	// Once marks a law without random input: its only case is judged once.
	Once bool

	draw     func(gen.Chooser) any
	check    func(*T, any)
	promised func(Impl) bool // nil: nothing
}

// law states a law: check reports to its T what breaks it for a value that draw makes.
func law[V any](id, clause, formula string, draw func(gen.Chooser) V, check func(*T, V)) Law {
	return Law{
		ID: id, Clause: clause, Formula: formula,
		draw:  func(r gen.Chooser) any { return draw(r) },
		check: func(t *T, v any) { check(t, v.(V)) },
	}
}

// once states a law without random input.
func once(id, clause, formula string, check func(*T)) Law {
	l := law(id, clause, formula, func(gen.Chooser) struct{} { return struct{}{} }, func(t *T, _ struct{}) { check(t) })
	l.Once = true
	return l
}

func (l Law) presuming(keys ...string) Law { l.Presumes = keys; return l }

func (l Law) heavy() Law { l.Heavy = true; return l }

func (l Law) slow() Law { l.Slow = true; return l }

func (l Law) alone() Law { l.Alone = true; return l }

// prompt and cites ask for a promise of the implementation.
func (l Law) prompt() Law { l.promised = func(i Impl) bool { return i.Prompt }; return l }

func (l Law) cites() Law { l.promised = func(i Impl) bool { return i.Cites }; return l }

// Covers reports whether the implementation promises what the law is about.
func (l Law) Covers(i Impl) bool { return l.promised == nil || l.promised(i) }

// Prop is the law as a gopter property. It calls seen, which may be nil, with each case that it judges, those of the search
// for a simpler one included. Put one law in a Properties: all properties of one share a random stream.
func (l Law) Prop(from gopter.Gen, impl Impl, seen func(*Case, Verdict)) gopter.Prop {
	return prop.ForAll1(from, func(v any) (any, error) {
		d := v.(*gen.Drawn)
		c := &Case{Law: l.ID, Value: d.Value, Choices: d.Choices}
		verdict := Judge(l, c, impl)
		if seen != nil {
			seen(c, verdict)
		}
		if verdict.Message != "" {
			return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{verdict.Message}}, nil
		}
		return true, nil // one that is not covered, too: gopter looks for simpler cases of what is undecided
	})
}

// Gen generates the law's values, of type *gen.Drawn.
func (l Law) Gen() gopter.Gen { return gen.Gopter(l.draw, gen.Chooser{}) }
