package engine

import "iter"

// A Reading is one way to read a point that the document leaves open.
type Reading struct {
	Value string // the policy value that asks for it; empty where there is no choice
	Text  string // what it does
}

// An Entry is one line of the [Ledger]: a clause of the document, or one of its
// silences with our readings of it.
type Entry struct {
	ID       string    // "2.2.6", "L01", "X7"
	Where    string    // the clauses of the document that it concerns
	Basis    Basis     // how firmly the first reading stands
	Key      string    // the policy key that chooses the reading; empty where it is fixed
	Question string    // the point in a few words
	Readings []Reading // the default first
}

// Default is the policy value of the default reading; empty without a key.
func (e Entry) Default() string { return e.Readings[0].Value }

// Ledger gives every clause with its entry: the clauses of the document first, then
// its contradictions (X), then its silences (L). The command, the documentation and
// the tests all read this one table. An Entry's Readings must not be changed.
func Ledger() iter.Seq2[Clause, Entry] {
	return func(yield func(Clause, Entry) bool) {
		for c := 1; c < len(ledger); c++ {
			if !yield(Clause(c), ledger[c]) {
				return
			}
		}
	}
}

// ClauseOf finds the clause with an id such as "2.2.6" or "L36b".
func ClauseOf(id string) (Clause, bool) {
	for c, e := range Ledger() {
		if e.ID == id {
			return c, true
		}
	}
	return 0, false
}

// Values are the policy values of the entry's key, the default first; nil without a
// key.
func (e Entry) Values() []string {
	if e.Key == "" {
		return nil
	}
	values := make([]string, len(e.Readings))
	for i, r := range e.Readings {
		values[i] = r.Value
	}
	return values
}
