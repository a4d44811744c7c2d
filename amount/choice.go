package amount

import "errors"

// A Choice is the way in which a profile chooses the amount of each charge (2.2.5): a fixed amount, a
// range or a sequence. [Fixed], [Range] and [Sequence] make one. It is an immutable value that may be
// shared; == distinguishes 1.5 from 1.50. The zero value chooses nothing, and no profile may have it; it
// charges 0.
type Choice struct {
	kind ChoiceKind

	from, to Amount // as written; of a fixed amount both are the amount

	// The grid of a range.
	low   int64  // from, in units of the grid
	span  uint64 // to - from in units of the grid: the number of values less one
	scale uint8  // decimals of the grid

	// packed has nine bytes for each element of a sequence, so that a Choice is comparable.
	packed string
}

// A ChoiceKind says which of the three ways of 2.2.5 a [Choice] is. The zero value is none.
type ChoiceKind uint8

// The kinds.
const (
	KindFixed    ChoiceKind = iota + 1 // the column amount
	KindRange                          // the columns amount-from and amount-to
	KindSequence                       // the column amount-sequence
)

// Fixed returns the choice of the same amount for every charge. It accepts zero, which a payload may
// not contain (L36).
func Fixed(a Amount) Choice { return Choice{kind: KindFixed, from: a, to: a} }

// Range returns the choice of a random amount between two, both included, for each charge, in a
// currency (L36d). The amounts of its charges are the multiples of the currency's minor unit or, where
// an end has more decimals or the currency is unknown, of a smaller power of ten, so that nothing is
// rounded and both ends can be drawn (L36c). Zeros at the end of an amount do not count as decimals:
// 1.000 EUR is a whole number of cents.
//
// Equal ends make every charge alike (L33): each has the amount from as it is written. The error is
// [ErrOrder] when from is above to. It is [ErrRange], for the part amount-to, when to has more than
// 9,223,372,036,854,775,807 of those units.
func Range(from, to Amount, currency string) (Choice, error) {
	digits, _ := MinorUnits(currency)
	return RangeOn(from, to, digits)
}

// RangeOn is [Range] with the number of decimals that the amounts have at least, in place of a currency. It
// is [ErrRange] for decimals outside 0 to [MaxScale], too.
func RangeOn(from, to Amount, decimals int) (Choice, error) {
	switch {
	case from.Compare(to) > 0:
		return Choice{}, refuse(ErrOrder)
	case decimals < 0 || decimals > MaxScale:
		return Choice{}, refuse(ErrRange)
	}
	a, b := from.Reduce(), to.Reduce()
	scale := max(uint8(decimals), a.scale, b.scale)
	low, _ := a.rescale(scale) // fits where the upper end does
	high, fits := b.rescale(scale)
	if !fits {
		return Choice{}, within("amount-to", -1, refuse(ErrRange))
	}
	return Choice{kind: KindRange, from: from, to: to, low: low, span: uint64(high - low), scale: scale}, nil
}

// elementSize is the length of an element in packed: the coefficient, its lowest byte first, and the
// scale.
const elementSize = 9

// Sequence returns the choice of the elements in order, then of the last one for all later charges
// (2.2.6, X7). It copies them. Without any element the error is [ErrEmpty].
func Sequence(elements []Amount) (Choice, error) {
	if len(elements) == 0 {
		return Choice{}, refuse(ErrEmpty)
	}
	buf := make([]byte, 0, len(elements)*elementSize)
	for _, a := range elements {
		c := uint64(a.coef)
		buf = append(buf, byte(c), byte(c>>8), byte(c>>16), byte(c>>24),
			byte(c>>32), byte(c>>40), byte(c>>48), byte(c>>56), a.scale)
	}
	return Choice{kind: KindSequence, packed: string(buf)}, nil
}

// Fits reports whether the amounts of c are drawn on the grid of a currency: whether a range is the one
// that [Range] makes of its ends in that currency. Other choices fit any.
func (c Choice) Fits(currency string) bool {
	if c.kind != KindRange {
		return true
	}
	again, err := Range(c.from, c.to, currency)
	return err == nil && again.scale == c.scale
}

// Kind returns which of the three ways c is, or 0 for the zero Choice.
func (c Choice) Kind() ChoiceKind { return c.kind }

// IsZero reports whether c is the zero Choice.
func (c Choice) IsZero() bool { return c.kind == 0 }

// Equal reports whether c and o are the same choice, as == does.
func (c Choice) Equal(o Choice) bool { return c == o }

// Len returns the number of elements of a sequence, and 0 for any other choice. Every charge whose
// repeat index is Len()-1 or more has the amount of the last one.
func (c Choice) Len() int { return len(c.packed) / elementSize }

// Bounds returns the least and the greatest amount that the charge with this repeat index can have.
// The first charge of a profile has the index 0 (2.2.7). They differ for a range alone.
func (c Choice) Bounds(repeat uint64) (low, high Amount) {
	if c.kind != KindSequence {
		return c.from, c.to
	}
	a := c.element(int(min(repeat, uint64(c.Len()-1))))
	return a, a
}

func (c *Choice) element(i int) Amount {
	e := c.packed[i*elementSize:][:elementSize]
	coef := uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24 |
		uint64(e[4])<<32 | uint64(e[5])<<40 | uint64(e[6])<<48 | uint64(e[7])<<56
	return Amount{int64(coef), e[8]}
}

// Values returns the number of different amounts that one charge can have: 1, unless c is a range with
// different ends, and at most 2^63.
func (c Choice) Values() uint64 { return c.span + 1 }

// Scale returns the number of decimals of the amounts that are drawn from a range; 0 for any other
// choice.
func (c Choice) Scale() int { return int(c.scale) }

var errChoice = errors.New("amount: a Choice has no JSON form: a profile has its columns")

// MarshalJSON returns an error: a choice is stored as the columns of its profile.
func (c Choice) MarshalJSON() ([]byte, error) { return nil, errChoice }

// String returns the amounts as the columns of a payload have them: "9.99", "1.00 to 5.00" or
// "1.00,9.99". It is empty for the zero Choice.
func (c Choice) String() string {
	switch c.kind {
	case KindFixed:
		return c.from.String()
	case KindRange:
		return c.from.String() + " to " + c.to.String()
	}
	var text []byte
	for i := range c.Len() {
		if i > 0 {
			text = append(text, ',')
		}
		text = c.element(i).Append(text)
	}
	return string(text)
}

// Elements returns the elements of a sequence, and nil for any other choice. The caller owns the
// result.
func (c Choice) Elements() []Amount {
	var list []Amount
	for i := range c.Len() {
		list = append(list, c.element(i))
	}
	return list
}
