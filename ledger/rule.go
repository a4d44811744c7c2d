package ledger

import (
	"cmp"
	"iter"
)

// A Rule is what a code means: what is wrong with an input that breaks it, and what to do.
type Rule struct {
	Code     Code
	Severity Severity // of most of its findings
	Basis    Basis    // that of the clause, or weaker where the rule is only ours
	Clause   Clause   // the clause or ledger entry that the rule comes from; zero for none
	Text     string   // what is wrong, in general
	Help     string   // what to do; may be empty
	Good     string   // an example that passes; may be empty
	Bad      string   // one that does not
	Note     string   // where else the rule applies, or where its findings differ; usually empty
}

// Rules are the rules of one package. The zero value has none. Rules do not change: they may be used
// from several goroutines at once.
type Rules struct {
	list  []Rule
	own   int // how many of list the package explains
	index map[Code]int
}

// NewRules returns the rules of a package: those that it explains, and those that it finds broken as
// well but another package explains, in its own words. A rule without a Basis gets that of its
// clause. It panics if a rule has no code or two rules have the same one.
func NewRules(own, shared []Rule) Rules {
	t := Rules{make([]Rule, 0, len(own)+len(shared)), len(own), make(map[Code]int, len(own)+len(shared))}
	t.list = append(append(t.list, own...), shared...)
	for i := range t.list {
		r := &t.list[i]
		if _, twice := t.index[r.Code]; twice || r.Code == "" {
			panic("ledger: a rule without a code, or a second one of the code " + string(r.Code))
		}
		t.index[r.Code] = i
		r.Basis = cmp.Or(r.Basis, r.Clause.Basis())
	}
	return t
}

// All yields the rules that the package explains.
func (t Rules) All() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for _, r := range t.list[:t.own] {
			if !yield(r) {
				return
			}
		}
	}
}

// Lookup returns the rule with a code, also one that another package explains.
func (t Rules) Lookup(c Code) (Rule, bool) {
	i, ok := t.index[c]
	if !ok {
		return Rule{}, false
	}
	return t.list[i], true
}

// Finding returns the finding that the rule with a code is broken, without a place. An empty message
// or help is that of the rule.
func (t Rules) Finding(c Code, message, help string) Finding {
	r, _ := t.Lookup(c)
	return Finding{
		Code: c, Severity: r.Severity, Basis: r.Basis, Clause: r.Clause,
		Message: cmp.Or(message, r.Text), Help: cmp.Or(help, r.Help),
	}
}
