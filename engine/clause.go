package engine

import (
	"iter"
	"math/bits"
)

// A Basis says how firmly a reading stands. The zero value is no basis.
type Basis uint8

// From the firmest to the weakest.
const (
	Stated   Basis = iota + 1 // the document says so
	Inferred                  // it follows from the document's wording
	Assumed                   // the document is silent and the ledger decides
)

// String is the word that outputs use; it is empty for the zero Basis.
func (b Basis) String() string {
	return [...]string{"", "stated", "inferred", "assumed"}[min(b, 4)%4]
}

// A Clause names one entry of the [Ledger]: a clause of the document or a
// decision about one of its silences. The zero value names none.
type Clause uint8

// Entry is the line of the [Ledger] that c names; the zero Entry for none.
func (c Clause) Entry() Entry {
	if c == 0 || int(c) >= len(ledger) {
		return Entry{}
	}
	return ledger[c]
}

// String is the entry's id, such as "2.2.6", "L01" or "X7".
func (c Clause) String() string { return c.Entry().ID }

// Because is the set of clauses that an output rests on. The zero value is the
// empty set; sets are plain values, comparable, and cost no allocation.
type Because struct{ lo, hi uint64 }

// On is the set of the clauses cs.
func On(cs ...Clause) Because {
	var b Because
	for _, c := range cs {
		b = b.With(c)
	}
	return b
}

// With is b and the clause c.
func (b Because) With(c Clause) Because {
	if c < 64 {
		b.lo |= 1 << c
	} else {
		b.hi |= 1 << (c - 64)
	}
	b.lo &^= 1 // the zero Clause is none
	return b
}

// And is the union of both sets.
func (b Because) And(o Because) Because { return Because{b.lo | o.lo, b.hi | o.hi} }

// Has tells whether b cites c.
func (b Because) Has(c Clause) bool {
	if c < 64 {
		return b.lo>>c&1 == 1
	}
	return b.hi>>(c-64)&1 == 1
}

// IsEmpty tells whether b cites nothing.
func (b Because) IsEmpty() bool { return b == Because{} }

// All gives the clauses of b in the order of the ledger.
func (b Because) All() iter.Seq[Clause] {
	return func(yield func(Clause) bool) {
		for lo := b.lo; lo != 0; lo &= lo - 1 {
			if !yield(Clause(bits.TrailingZeros64(lo))) {
				return
			}
		}
		for hi := b.hi; hi != 0; hi &= hi - 1 {
			if !yield(Clause(64 + bits.TrailingZeros64(hi))) {
				return
			}
		}
	}
}

// Basis is the weakest basis among the clauses of b: an output that rests on an
// assumption is never stated as a whole. It is the zero Basis for the empty set.
func (b Because) Basis() Basis {
	var weakest Basis
	for c := range b.All() {
		weakest = max(weakest, ledger[c].Basis)
	}
	return weakest
}
