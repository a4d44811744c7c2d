package amount

// Strategy is the way in which a profile chooses the amount of each charge (2.2.5). It is a
// [Fixed], a [Range] or a [Sequence]; other packages cannot add a fourth. Strategies are immutable
// values that may be shared. They can be compared by ==, which does not panic and distinguishes 1.5
// from 1.50.
//
// [StrategyFromJSON] and [StrategyFromBinary] read what the methods write.
//
//sumtype:decl
type Strategy interface {
	// Bounds returns the least and the greatest amount that the charge with this repeat index can
	// have. The first charge of a profile has the index 0 (2.2.7).
	Bounds(repeat uint64) (low, high Amount)
	// String returns the amounts as the columns of a payload have them.
	String() string
	// MarshalJSON returns an object with the names of the columns.
	MarshalJSON() ([]byte, error)
	// AppendBinary appends a compact form that begins with a version.
	AppendBinary(b []byte) ([]byte, error)

	strategy()
}

func (Fixed) strategy()    {}
func (Range) strategy()    {}
func (Sequence) strategy() {}

// Fixed is the strategy of the column amount: every charge has the same amount. The zero value
// charges 0.
type Fixed struct{ amount Amount }

// NewFixed returns the strategy that charges a each time. It accepts zero, which a payload may not
// contain (L36).
func NewFixed(a Amount) Fixed { return Fixed{a} }

// Amount returns the amount of every charge.
func (f Fixed) Amount() Amount { return f.amount }

// Bounds returns the amount twice, whatever the index.
func (f Fixed) Bounds(uint64) (low, high Amount) { return f.amount, f.amount }

// String returns the amount as written: "9.99".
func (f Fixed) String() string { return f.amount.String() }

// Sequence is the strategy of the column amount-sequence: the elements in order, then the last one
// for all later charges (2.2.6, X7). The zero value has no elements; it charges 0 and cannot be
// stored.
type Sequence struct {
	// packed has nine bytes for each element, so that a Sequence is comparable and immutable.
	packed string
}

// packedSize is the length of an element: the coefficient, its lowest byte first, and the scale.
const packedSize = 9

// NewSequence returns the strategy that charges the elements in order. It copies them. Without any
// element the error is [ErrEmpty].
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

// Len returns the number of elements. Every charge whose repeat index is Len()-1 or more has the
// amount of the last one.
func (q Sequence) Len() int { return len(q.packed) / packedSize }

// Bounds returns the amount of the charge twice: the element with this number, counted from 0, or
// the last element where there is none (2.2.6, X7).
func (q Sequence) Bounds(repeat uint64) (low, high Amount) {
	if q.packed == "" {
		return Amount{}, Amount{}
	}
	a := q.element(int(min(repeat, uint64(q.Len()-1))))
	return a, a
}

func (q Sequence) element(i int) Amount {
	e := q.packed[i*packedSize:][:packedSize]
	c := uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24 |
		uint64(e[4])<<32 | uint64(e[5])<<40 | uint64(e[6])<<48 | uint64(e[7])<<56
	return Amount{int64(c), e[8]}
}

// String returns the elements as written, separated by commas: "1.00,9.99". The zero Sequence is
// the empty string.
func (q Sequence) String() string {
	var text []byte
	for i := range q.Len() {
		if i > 0 {
			text = append(text, ',')
		}
		text = q.element(i).Append(text)
	}
	return string(text)
}
