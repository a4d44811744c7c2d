package amount

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"
)

// workload returns the 65,536 texts of the amounts workload, from 1.00 to 999.99.
func workload() []string {
	texts := make([]string, 1<<16)
	for i := range texts {
		texts[i] = Amount{int64(100 + mix(uint64(i))%99900), 2}.String()
	}
	return texts
}

func parsed(texts []string) []Amount {
	amounts := make([]Amount, len(texts))
	for i, s := range texts {
		amounts[i] = MustParse(s)
	}
	return amounts
}

// Each benchmark runs over the whole workload, ours beside a peer or a limit.

func BenchmarkParse(b *testing.B) {
	texts := workload()
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			for _, s := range texts {
				if _, err := Parse(s); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("shopspring", func(b *testing.B) {
		for b.Loop() {
			for _, s := range texts {
				if _, err := decimal.NewFromString(s); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	amounts := parsed(workload())
	b.Run("ours", func(b *testing.B) {
		var buf []byte
		for b.Loop() {
			for _, a := range amounts {
				buf = a.Append(buf[:0])
			}
		}
	})
	b.Run("shopspring", func(b *testing.B) {
		decimals := make([]decimal.Decimal, len(amounts))
		for i, a := range amounts {
			decimals[i] = a.Decimal()
		}
		n := 0
		for b.Loop() {
			for _, d := range decimals {
				n += len(d.String())
			}
		}
	})
}

func BenchmarkSum(b *testing.B) {
	amounts := parsed(workload())
	b.Run("Add", func(b *testing.B) {
		var s Sum
		for b.Loop() {
			for _, a := range amounts {
				s.Add(a)
			}
		}
	})
	b.Run("limit", func(b *testing.B) {
		coefs := make([]int64, len(amounts))
		for i, a := range amounts {
			coefs[i] = a.Coefficient()
		}
		var hi, lo, carry uint64
		for b.Loop() {
			for _, c := range coefs {
				lo, carry = bits.Add64(lo, uint64(c), 0)
				hi += carry
			}
		}
		if hi != 0 {
			b.Fatal("carried")
		}
	})
	b.Run("shopspring", func(b *testing.B) {
		decimals := make([]decimal.Decimal, len(amounts))
		for i, a := range amounts {
			decimals[i] = a.Decimal()
		}
		for b.Loop() {
			var d decimal.Decimal
			for _, x := range decimals {
				d = d.Add(x)
			}
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	r, err := Range(MustParse("1.00"), MustParse("400.00"), "EUR")
	if err != nil {
		b.Fatal(err)
	}
	const n = 1 << 16
	b.Run("ours", func(b *testing.B) {
		seed := NewSeed(1, "order-1")
		var total int64
		for b.Loop() {
			for k := range uint64(n) {
				total += r.Draw(seed, k).Coefficient()
			}
		}
	})
	b.Run("pcg", func(b *testing.B) {
		rnd := rand.New(rand.NewPCG(1, 2))
		var total uint64
		for b.Loop() {
			for range n {
				total += rnd.Uint64N(r.Values())
			}
		}
	})
	b.Run("pcg anew", func(b *testing.B) {
		var total uint64
		for b.Loop() {
			for k := range uint64(n) {
				total += rand.New(rand.NewPCG(1, k)).Uint64N(r.Values())
			}
		}
	})
}

func BenchmarkMinorUnits(b *testing.B) {
	codes := []string{"EUR", "USD", "GBP", "CHF"}
	n := 0
	for b.Loop() {
		for _, c := range codes {
			d, _ := MinorUnits(c)
			n += d
		}
	}
}
