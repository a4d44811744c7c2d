package amount

// A Strategy is how a profile chooses the amount of each charge (2.2.5). It is one of
// [Fixed], [Range] and [Sequence]; no other package can add a fourth. Strategies are
// values: they never change, they may be shared, and == compares them as written
// without ever panicking.
//
//sumtype:decl
type Strategy interface {
	// Bounds are the least and the greatest amount that the charge with this
	// repeat index can have. The first charge of a profile has index 0 (2.2.7).
	Bounds(repeat uint64) (min, max Amount)
	strategy()
}

func (Fixed) strategy()    {}
func (Range) strategy()    {}
func (Sequence) strategy() {}

// Fixed is the strategy of the column amount: every charge has the same amount. The zero
// value charges 0.
type Fixed struct{ amount Amount }

// NewFixed charges a each time. That a is above zero is for the caller to demand (L36).
func NewFixed(a Amount) Fixed { return Fixed{a} }

// Amount is the amount of every charge.
func (f Fixed) Amount() Amount { return f.amount }

// Bounds are the amount twice, whatever the index (A09).
func (f Fixed) Bounds(uint64) (min, max Amount) { return f.amount, f.amount }

// Sequence is the strategy of the column amount-sequence: the elements in order, then the
// last one for ever (2.2.6, X7). The zero value has no elements and charges 0.
type Sequence struct {
	// Packed, nine bytes an element, so that a sequence is a comparable value that
	// nobody else can write to.
	packed string
}

// packedSize is the length of an element: the coefficient from its low byte up, then
// the scale.
const packedSize = 9

// NewSequence charges the elements in order. It copies them. Without any the error is
// [ErrEmpty].
func NewSequence(elements []Amount) (Sequence, error) {
	if len(elements) == 0 {
		return Sequence{}, refuse(ErrEmpty)
	}
	buf := make([]byte, 0, len(elements)*packedSize)
	for _, a := range elements {
		c := uint64(a.coef)
		buf = append(buf, byte(c), byte(c>>8), byte(c>>16), byte(c>>24),
			byte(c>>32), byte(c>>40), byte(c>>48), byte(c>>56), a.scale)
	}
	return Sequence{string(buf)}, nil
}

// Len is the number of elements; every charge whose repeat index is Len()−1 or more has
// the amount of the last one.
func (q Sequence) Len() int { return len(q.packed) / packedSize }

// Bounds are the amount of the charge, twice: element number repeat, counted from 0, or
// the last element when there is none of that number (A10).
func (q Sequence) Bounds(repeat uint64) (min, max Amount) {
	if q.packed == "" {
		return Amount{}, Amount{}
	}
	a := q.element(int(lesser(repeat, uint64(q.Len()-1))))
	return a, a
}

func (q Sequence) element(i int) Amount {
	e := q.packed[i*packedSize:][:packedSize]
	c := uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24 |
		uint64(e[4])<<32 | uint64(e[5])<<40 | uint64(e[6])<<48 | uint64(e[7])<<56
	return Amount{int64(c), e[8]}
}

// lesser is min, which the results of Bounds hide.
func lesser(a, b uint64) uint64 { return min(a, b) }
