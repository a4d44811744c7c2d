package amount

// Range is the strategy of the columns amount-from and amount-to: each charge has a random
// amount between the two, both included (2.2.5, L36d). A forecast gives the bounds; a
// simulation draws. The zero value is the range from 0 to 0.
type Range struct {
	from, to Amount // as written
	low      int64  // from, in units of the grid
	span     uint64 // to − from in units of the grid: one less than the number of values
	scale    uint8  // decimals of the grid
}

// NewRange is the range from … to in a currency. The amounts that a charge can have are
// the multiples of the currency's minor unit, or of a smaller power of ten where an end
// has more decimals than the currency or the currency is unknown: nothing is rounded and
// both ends can be drawn (A13, L36c). Written zeros do not make the grid finer: 1.000 EUR
// is on cents.
//
// Equal ends are a fixed amount (L33). The error is [ErrOrder] when from is above to, and
// [ErrRange] when an end does not fit at the decimals of the grid.
func NewRange(from, to Amount, currency string) (Range, error) {
	if from.Compare(to) > 0 {
		return Range{}, refuse(ErrOrder)
	}
	a, b := from.Reduce(), to.Reduce()
	digits, _ := MinorUnits(currency)
	scale := max(uint8(digits), a.scale, b.scale)
	low, lowFits := a.at(scale)
	high, highFits := b.at(scale)
	if !lowFits || !highFits {
		return Range{}, refuse(ErrRange)
	}
	return Range{from: from, to: to, low: low, span: uint64(high - low), scale: scale}, nil
}

// Bounds are the ends of the range as written, whatever the index (A12).
func (r Range) Bounds(uint64) (min, max Amount) { return r.from, r.to }

// Values is how many different amounts a charge can have: 1 when the ends are equal,
// and at most 2^63.
func (r Range) Values() uint64 { return r.span + 1 }

// Scale is the number of decimals of every drawn amount.
func (r Range) Scale() int { return int(r.scale) }
