package amount

import "math/big"

// Percent is a percentage from 0 to 100 with at most [MaxScale] decimals, exact: which quantile of
// a total is meant. The zero value is 0 %. Percents of equal value are equal by ==.
type Percent struct{ value Amount } // reduced, at most 100

// hundred is a whole, in percent.
const hundred = 100

// ParsePercent returns the percentage of a text: "5", "97.5", without a sign for percent. Its form
// is that of [Parse]. Anything else, or a value above 100, is [ErrPercent].
func ParsePercent(s string) (Percent, error) { return parsePercent(s) }

func parsePercent[T string | []byte](s T) (Percent, error) {
	a, err := parse(s)
	if err != nil || a.Compare(Amount{coef: hundred}) > 0 {
		return Percent{}, refuse(ErrPercent)
	}
	return Percent{a.Reduce()}, nil
}

// String returns the percentage without zeros at its end: "97.5" for 97.50.
func (p Percent) String() string { return p.value.String() }

// Compare returns -1, 0 or +1 as p is below, equal to or above q.
func (p Percent) Compare(q Percent) int { return p.value.Compare(q.value) }

// AppendText implements encoding.TextAppender. It appends the text of [Percent.String]; the error
// is always nil.
func (p Percent) AppendText(dst []byte) ([]byte, error) { return p.value.Append(dst), nil }

// MarshalText implements encoding.TextMarshaler. It returns the text of [Percent.String]; the error
// is always nil.
func (p Percent) MarshalText() ([]byte, error) { return p.value.Append(nil), nil }

// UnmarshalText reads what [ParsePercent] reads, with its errors. After an error p is as it was.
func (p *Percent) UnmarshalText(text []byte) error {
	v, err := parsePercent(text)
	if err == nil {
		*p = v
	}
	return err
}

// probability returns p as a fraction, which need not be in lowest terms.
func (p Percent) probability() fraction {
	denom := power(int64(p.value.scale))
	return fraction{big.NewInt(p.value.coef), denom.Mul(denom, big.NewInt(hundred))}
}

// A fraction is a probability as a quotient of whole numbers.
type fraction struct{ num, denom *big.Int }

// isHalf reports whether the fraction is one half.
func (f fraction) isHalf() bool { return new(big.Int).Lsh(f.num, 1).Cmp(f.denom) == 0 }
