package ledger

import (
	"encoding/json"
	"errors"
	"iter"
	"math/bits"
)

// A Because is the set of clauses that an output depends on. The zero value is the empty set. Sets
// are plain values: comparable with ==, and no operation on them but the texts allocates.
type Because struct{ lo, hi uint64 }

// On returns the set of the clauses cs. It panics as [Because.With] does.
func On(cs ...Clause) Because {
	var b Because
	for _, c := range cs {
		b = b.With(c)
	}
	return b
}

// With returns b and the clause c; b itself for the zero Clause. It panics if c is neither zero nor an
// entry of the ledger.
func (b Because) With(c Clause) Because {
	switch {
	case int(c) >= clauseCount:
		panic("ledger: a clause that names no entry")
	case c == 0:
	case c < 64:
		b.lo |= 1 << c
	default:
		b.hi |= 1 << (c - 64)
	}
	return b
}

// And returns the union of both sets.
func (b Because) And(o Because) Because { return Because{b.lo | o.lo, b.hi | o.hi} }

// Without returns the clauses of b that o does not have.
func (b Because) Without(o Because) Because { return Because{b.lo &^ o.lo, b.hi &^ o.hi} }

// Has reports whether b cites c.
func (b Because) Has(c Clause) bool {
	if c < 64 {
		return b.lo>>c&1 == 1
	}
	return b.hi>>(c-64)&1 == 1
}

// Equal reports whether both cite the same clauses, as == does.
func (b Because) Equal(o Because) bool { return b == o }

// IsZero reports whether b cites nothing.
func (b Because) IsZero() bool { return b == Because{} }

// All yields the clauses of b in the order of the ledger.
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

// Basis returns the weakest basis among the clauses of b: a set with an assumption is assumed. It
// is the zero Basis for the empty set.
func (b Because) Basis() Basis {
	var weakest Basis
	for c := range b.All() {
		weakest = max(weakest, c.Basis())
	}
	return weakest
}

// String returns the ids in the order of the ledger, separated by spaces: "2.1 2.2.1 L01".
func (b Because) String() string { return string(b.Append(nil)) }

// Append appends [Because.String] to dst.
func (b Because) Append(dst []byte) []byte { return b.join(dst, "", " ", "") }

// AppendJSON appends the ids as a JSON array: ["2.1","2.2.1","L01"].
func (b Because) AppendJSON(dst []byte) []byte {
	if b.IsZero() {
		return append(dst, "[]"...)
	}
	return b.join(dst, `["`, `","`, `"]`)
}

func (b Because) join(dst []byte, begin, between, end string) []byte {
	dst = append(dst, begin...)
	first := true
	for c := range b.All() {
		if !first {
			dst = append(dst, between...)
		}
		first = false
		dst = append(dst, c.String()...)
	}
	return append(dst, end...)
}

// MarshalJSON returns what [Because.AppendJSON] appends.
func (b Because) MarshalJSON() ([]byte, error) { return b.AppendJSON(nil), nil }

// UnmarshalJSON reads an array of ids, in any order; null is the empty set. An id that the ledger
// does not have is an error, and b is then unchanged.
func (b *Because) UnmarshalJSON(data []byte) error {
	var ids []string
	if err := json.Unmarshal(data, &ids); err != nil {
		return errors.New("ledger: because is a JSON array of ids such as \"2.2.6\"")
	}
	var set Because
	for _, id := range ids {
		c := find(id)
		if c == 0 {
			return errors.New("ledger: because names an id that the ledger does not have")
		}
		set = set.With(c)
	}
	*b = set
	return nil
}
