package amount

// Range is the strategy of the columns amount-from and amount-to: each charge has a random amount
// between the two, both included (2.2.5, L36d). A forecast uses the bounds, a simulation
// [Range.Draw]. The zero value is the range from 0 to 0. Ranges are == when their ends are equal as
// written and their draws have the same scale.
type Range struct {
	from, to Amount // as written
	low      int64  // from, in units of the grid
	span     uint64 // to - from in units of the grid: the number of values less one
	scale    uint8  // decimals of the grid
}

// NewRange returns the range between two amounts in a currency. The amounts of its charges are the
// multiples of the currency's minor unit or, where an end has more decimals or the currency is
// unknown, of a smaller power of ten, so that nothing is rounded and both ends can be drawn (L36c).
// Zeros at the end of an amount do not count as decimals: 1.000 EUR is a whole number of cents.
//
// Equal ends make a fixed amount (L33). The error is [ErrOrder] when from is above to. It is
// [ErrRange], for the part amount-to, when to has more than 9,223,372,036,854,775,807 of those
// units.
func NewRange(from, to Amount, currency string) (Range, error) {
	digits, _ := MinorUnits(currency)
	return newRange(from, to, uint8(digits))
}

// newRange is NewRange for a grid of so many decimals, or more where an end needs them.
func newRange(from, to Amount, digits uint8) (Range, error) {
	if from.Compare(to) > 0 {
		return Range{}, refuse(ErrOrder)
	}
	a, b := from.Reduce(), to.Reduce()
	scale := max(digits, a.scale, b.scale)
	low, _ := a.at(scale) // fits where the upper end does
	high, fits := b.at(scale)
	if !fits {
		return Range{}, within("amount-to", -1, refuse(ErrRange))
	}
	return Range{from: from, to: to, low: low, span: uint64(high - low), scale: scale}, nil
}

// Bounds returns the ends of the range as written, whatever the index.
func (r Range) Bounds(uint64) (low, high Amount) { return r.from, r.to }

// Values returns the number of different amounts that a charge can have: 1 when the ends are equal,
// and at most 2^63.
func (r Range) Values() uint64 { return r.span + 1 }

// Scale returns the number of decimals of every drawn amount.
func (r Range) Scale() int { return int(r.scale) }

// String returns the ends of the range as written: "1.00 to 5.00".
func (r Range) String() string { return r.from.String() + " to " + r.to.String() }
