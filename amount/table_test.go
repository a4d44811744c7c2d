package amount

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// because names a row of a table and says which clause, ledger entry or law it checks.
type because struct{ name, reason string }

func (b because) about() because { return b }

// each runs the rows of a table. It refuses a row without a reason and a name used twice.
func each[T interface{ about() because }](t *testing.T, table []T, check func(*testing.T, T)) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range table {
		b := row.about()
		if b.reason == "" || b.name == "" || seen[b.name] {
			t.Fatalf("row %q: no reason, no name, or the name is used twice", b.name)
		}
		seen[b.name] = true
		t.Run(b.name, func(t *testing.T) { check(t, row) })
	}
}

// rat returns the value of an amount as a fraction, the oracle for all that concerns values.
func rat(a Amount) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(a.Coefficient()), tenTo(a.Scale()))
}

// ratText returns the value of a decimal text as a fraction.
func ratText(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is not a number", s)
	}
	return r
}

func tenTo(n int) *big.Int {
	p := big.NewInt(1)
	for range n {
		p.Mul(p, big.NewInt(10))
	}
	return p
}

// source returns the same random numbers on every run; each test has a number of its own.
func source(test uint64) *rand.Rand { return rand.New(rand.NewPCG(test, 0)) }

// anyAmount returns a small amount, a large one, or one at a limit, at any scale.
func anyAmount(r *rand.Rand) Amount {
	edges := [...]int64{0, 1, 9, 10, 99, 100, 1<<31 - 1, 1 << 32, 1e18, 1<<63 - 1}
	scale := uint8(r.IntN(MaxScale + 1))
	switch r.IntN(3) {
	case 0:
		return Amount{edges[r.IntN(len(edges))], scale}
	case 1:
		return Amount{int64(r.Uint64N(100_000)), uint8(r.IntN(4))}
	default:
		return Amount{int64(r.Uint64() >> (1 + r.IntN(63))), scale}
	}
}

func mustRange(t testing.TB, from, to, currency string) Choice {
	t.Helper()
	r, err := Range(MustParse(from), MustParse(to), currency)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustSequence(t testing.TB, texts ...string) Choice {
	t.Helper()
	q, err := Sequence(parsed(texts))
	if err != nil {
		t.Fatal(err)
	}
	return q
}
