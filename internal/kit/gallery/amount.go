package gallery

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
)

// amountRows are wrong about amounts.
func amountRows() []Member {
	return []Member{
		{"sequence-wraps", "index modulo n", by("T07"), "3 elements, k = 3", elements(func(k, n uint64) uint64 { return k % n })},
		{"sequence-clamps-early", "last element one early", by("T07"), "3 elements: k = 1 gives the third", elements(func(k, n uint64) uint64 {
			if k+2 >= n {
				return n - 1
			}
			return k
		})},
		{"sequence-skips-first", "element k+1", by("T07"), "k = 0", elements(func(k, n uint64) uint64 { return min(k+1, n-1) })},
		{"sequence-by-approved", "moves on only after an approval", by("E23"), "first declined", ruled(func(r *oracle.Rules) { r.Element = byApproved })},
		{"sequence-restarts-at-resume", "element 0 after a resume", by("E23"), "stop, resume", ruled(func(r *oracle.Rules) { r.Element = sinceResume })},
		{"range-half-open", "upper bound never drawn", by("A13"), "1.00…1.01", draws(func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount {
			a := laws.Ours().Draw(r, seed, profile, repeat)
			if from, to := r.Bounds(0); a.Compare(to) == 0 {
				return from
			}
			return a
		})},
		{"range-modulo", "a 32-bit draw modulo the span", by("A16"), "0.01…30000000.00", draws(func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount {
			from, _ := r.Bounds(0)
			word := gen.NewSource(profile, seed, repeat).Uint64() >> 32
			return above(from, word%r.Values(), r.Scale())
		})},
		{"range-whole-units", "draws whole units", by("A13", "A16"), "1.00…1.99", draws(func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount {
			whole, _, _ := strings.Cut(laws.Ours().Draw(r, seed, profile, repeat).String(), ".")
			return amount.MustParse(whole)
		})},
		{"range-drawn-once", "one draw per profile", by("A16"), "two charges", draws(func(r amount.Choice, seed uint64, profile string, _ uint64) amount.Amount {
			return laws.Ours().Draw(r, seed, profile, 0)
		})},
		{"range-in-order", "draws from one stream", by("A14"), "window split", inOrder},
		{"mean-truncated", "mean cut to the currency's digits", by("A17"), "0.01…0.02", func(i *laws.Impl) {
			patch(&i.TotalOf, func(right totalOf) totalOf {
				return func(s amount.Choice, first, n uint64) plain.Total {
					t := right(s, first, n)
					if whole, fraction, ok := strings.Cut(t.Mean, "."); ok {
						t.Mean = whole + "." + fraction[:min(2, len(fraction))]
					}
					return t
				}
			})
		}},
		{"total-float", "sums in float64", by("A04"), "10 × 0.10", func(i *laws.Impl) { i.Sum = floatSum }},
		{"total-wraps", "64-bit minor units wrap", by("A07"), "10^6 profiles × 10 charges of 9999999999 EUR", func(i *laws.Impl) { i.Sum = wrappingSum }},
		{"scale-lost", "1.50 printed 1.5", by("A02"), "1.50", func(i *laws.Impl) {
			i.FormatAmount = func(a amount.Amount) string { return a.Reduce().String() }
		}},
		{"compare-by-text", "10.0 ≠ 10.00", by("A03"), "from 10.0 to 10.00", func(i *laws.Impl) {
			i.CompareAmounts = func(a, b amount.Amount) int { return cmp.Compare(a.String(), b.String()) }
		}},
		{"accepts-exponent", "1e3 is an amount", by("A01"), "1e3", func(i *laws.Impl) { patch(&i.ParseAmount, withExponent) }},
		{"rounds-to-minor", "1.005 becomes 1.01", by("A19"), "EUR 1.005", func(i *laws.Impl) { patch(&i.ParseAmount, rounded) }},
		{"two-digits-everywhere", "JPY and KWD with 2 digits", by("A19"), "JPY range 1…5", func(i *laws.Impl) {
			i.MinorUnits = func(currency string) (int, bool) {
				_, ok := amount.MinorUnits(currency)
				return map[bool]int{true: 2}[ok], ok
			}
		}},
		{"host-globals", "text form follows shopspring's variables", by("A06"), "TrimTrailingZeros changed", func(i *laws.Impl) {
			i.FormatAmount = func(a amount.Amount) string { return a.Decimal().String() }
		}},
	}
}

// elements is the reference with another element for repeat k of n elements.
func elements(at func(k, n uint64) uint64) damage {
	return func(i *laws.Impl) {
		ruled(func(r *oracle.Rules) {
			r.Element = func(m *oracle.Machine, repeat uint64) uint64 {
				if n := uint64(len(m.Profile.Sequence)); n > 0 {
					return at(repeat, n)
				}
				return 0
			}
		})(i)
		i.Bounds = func(s amount.Choice, repeat uint64) (min, max amount.Amount) {
			if s.Kind() == amount.KindSequence {
				return s.Bounds(at(repeat, uint64(s.Len())))
			}
			return s.Bounds(repeat)
		}
	}
}

// byApproved counts the approvals so far.
func byApproved(m *oracle.Machine, repeat uint64) uint64 {
	declined := uint64(0)
	for _, r := range m.Records {
		if r.Charge != nil && r.Charge.Declined {
			declined++
		}
	}
	return oracle.Right().Element(m, repeat-min(repeat, declined))
}

// sinceResume counts the charges since the last resume.
func sinceResume(m *oracle.Machine, repeat uint64) uint64 {
	n, resumed := uint64(0), false
	for _, r := range m.Records {
		switch {
		case r.Do == oracle.EventResume && r.Result == engine.ResultAccepted.String():
			n, resumed = 0, true
		case r.Charge != nil:
			n++
		}
	}
	if !resumed {
		n = repeat
	}
	return oracle.Right().Element(m, n)
}

func draws(draw func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount) damage {
	return func(i *laws.Impl) { i.Draw = draw }
}

type totalOf = func(s amount.Choice, first, n uint64) plain.Total

// above is the amount n steps of a scale above from.
func above(from amount.Amount, n uint64, scale int) amount.Amount {
	coef := from.Coefficient()
	for range scale - from.Scale() {
		coef *= 10
	}
	a, err := amount.FromMinor(coef+int64(n), scale)
	if err != nil {
		return from
	}
	return a
}

// inOrder draws the next amount of a stream, whatever is asked.
func inOrder(i *laws.Impl) {
	right, next := i.Draw, uint64(0)
	i.Draw = func(r amount.Choice, seed uint64, profile string, _ uint64) amount.Amount {
		next++
		return right(r, seed, profile, next)
	}
}

func floatSum(list []amount.Amount) string {
	sum, scale := 0.0, 0
	for _, a := range list {
		x, _ := strconv.ParseFloat(a.String(), 64)
		sum += x
		scale = max(scale, a.Scale())
	}
	return strconv.FormatFloat(sum, 'f', max(scale, 17), 64)[:len(strconv.FormatFloat(sum, 'f', scale, 64))]
}

// wrappingSum adds 64-bit numbers at the largest scale.
func wrappingSum(list []amount.Amount) string {
	scale := 0
	for _, a := range list {
		scale = max(scale, a.Scale())
	}
	var sum int64
	for _, a := range list {
		coef := a.Coefficient()
		for range scale - a.Scale() {
			coef *= 10
		}
		sum += coef
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return new(big.Rat).SetFrac(big.NewInt(sum), unit).FloatString(scale)
}

type parse = func(string) (amount.Amount, error)

func withExponent(right parse) parse {
	return func(s string) (amount.Amount, error) {
		number, exponent, ok := strings.Cut(s, "e")
		zeros, err := strconv.ParseUint(exponent, 10, 4)
		if !ok || err != nil {
			return right(s)
		}
		return right(number + strings.Repeat("0", int(zeros)))
	}
}

func rounded(right parse) parse {
	return func(s string) (amount.Amount, error) {
		a, err := right(s)
		if err != nil || a.Scale() <= 2 {
			return a, err
		}
		x, _ := new(big.Rat).SetString(a.String())
		return right(x.FloatString(2))
	}
}
