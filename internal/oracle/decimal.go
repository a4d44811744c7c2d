package oracle

import (
	"math/big"
	"regexp"
	"strings"
)

// mostDecimals is how many digits may follow the point of a [Decimal].
const mostDecimals = 18

// A Decimal is a number that is not negative, with the decimals that it is written with. The zero Decimal is 0.
type Decimal struct {
	atoms big.Int // units of the last digit that there may be
	scale int
}

// DecimalOf is so many units of 10^-scale.
func DecimalOf(units int64, scale int) Decimal {
	d := Decimal{scale: scale}
	ten := int64(1)
	for range mostDecimals - scale {
		ten *= 10
	}
	d.atoms.Mul(big.NewInt(units), big.NewInt(ten))
	return d
}

var decimalForm = regexp.MustCompile(`\A[0-9]+(\.[0-9]+)?\z`)

// ParseDecimal reads a number of digits, with a point among them or without one (L36); false for any other text.
func ParseDecimal(text string) (Decimal, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if !decimalForm.MatchString(text) || len(fraction) > mostDecimals {
		return Decimal{}, false
	}
	d := Decimal{scale: len(fraction)}
	d.atoms.SetString(whole+fraction+strings.Repeat("0", mostDecimals-len(fraction)), 10)
	return d, true
}

// Units are the number as units of its last decimal; false where they take more than 63 bits.
func (d *Decimal) Units() (units int64, ok bool) {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(mostDecimals-d.scale)), nil)
	n := unit.Quo(&d.atoms, unit)
	return n.Int64(), n.IsInt64()
}

// Cmp compares by value.
func (d *Decimal) Cmp(o *Decimal) int { return d.atoms.Cmp(&o.atoms) }

// Scale is how many decimals it is written with.
func (d *Decimal) Scale() int { return d.scale }

// Add adds o. A sum has the decimals of the longest number in it.
func (d *Decimal) Add(o *Decimal) {
	d.atoms.Add(&d.atoms, &o.atoms)
	d.scale = max(d.scale, o.scale)
}

// Rat is the number as a fraction.
func (d *Decimal) Rat() *big.Rat {
	return new(big.Rat).SetFrac(&d.atoms, new(big.Int).Exp(big.NewInt(10), big.NewInt(mostDecimals), nil))
}

// String is the number with all its decimals.
func (d *Decimal) String() string { return decimalText(&d.atoms, mostDecimals, d.scale) }

// decimalText is n units of 10^-of as a number with so many decimals; those behind them are zeros.
func decimalText(n *big.Int, of, decimals int) string {
	digits := n.String()
	if missing := of + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - of
	if decimals == 0 {
		return digits[:point]
	}
	return digits[:point] + "." + digits[point:point+decimals]
}

// A Total is what charges come to.
type Total struct {
	Charges  uint64
	Min, Max Decimal
}

// Add adds a charge.
func (t *Total) Add(low, high *Decimal) {
	t.Charges++
	t.Min.Add(low)
	t.Max.Add(high)
}

// AddTotal adds the charges of another total.
func (t *Total) AddTotal(o *Total) {
	t.Charges += o.Charges
	t.Min.Add(&o.Min)
	t.Max.Add(&o.Max)
}

// Mean is half of the sum of both bounds, with as many decimals as they have, or one more where it needs that (L36d).
func (t *Total) Mean() string {
	tenths := new(big.Int).Add(&t.Min.atoms, &t.Max.atoms)
	tenths.Mul(tenths, big.NewInt(5))
	scale := max(t.Min.scale, t.Max.scale)
	if text := decimalText(tenths, mostDecimals+1, scale+1); text[len(text)-1] != '0' {
		return text
	}
	return decimalText(tenths, mostDecimals+1, scale)
}
