package amount

import "cmp"

// Percent is a percentage from 0 to 100 with at most two decimals: which quantile of a total is
// meant. The zero value is 0 %. Percents of equal value are equal by ==.
type Percent struct{ hundredths uint16 }

// hundred is 100 %.
const hundred = 100_00

// ParsePercent returns the percentage of a text: "5", "97.5", without a sign for percent. Its form
// is that of [Parse]. Anything else, a value above 100, or one that needs a third decimal is
// [ErrPercent].
func ParsePercent(s string) (Percent, error) { return parsePercent(s) }

func parsePercent[T string | []byte](s T) (Percent, error) {
	a, err := parse(s)
	if a = a.Reduce(); err != nil || a.scale > 2 || a.Compare(Amount{coef: 100}) > 0 {
		return Percent{}, refuse(ErrPercent)
	}
	hundredths, _ := a.at(2)
	return Percent{uint16(hundredths)}, nil
}

func (p Percent) amount() Amount { return Amount{int64(p.hundredths), 2}.Reduce() }

// String returns the percentage without zeros at its end: "97.5" for 97.50.
func (p Percent) String() string { return p.amount().String() }

// Compare returns -1, 0 or +1 as p is below, equal to or above q.
func (p Percent) Compare(q Percent) int { return cmp.Compare(p.hundredths, q.hundredths) }

// AppendText implements encoding.TextAppender. It appends the text of [Percent.String]; the error
// is always nil.
func (p Percent) AppendText(dst []byte) ([]byte, error) { return p.amount().Append(dst), nil }

// MarshalText implements encoding.TextMarshaler. It returns the text of [Percent.String]; the error
// is always nil.
func (p Percent) MarshalText() ([]byte, error) { return p.amount().Append(nil), nil }

// UnmarshalText reads what [ParsePercent] reads, with its errors. After an error p is as it was.
func (p *Percent) UnmarshalText(text []byte) error {
	v, err := parsePercent(text)
	if err == nil {
		*p = v
	}
	return err
}
