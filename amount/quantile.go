package amount

import "math/big"

// A Quantile is the sum that a total does not exceed with a given probability, or the bounds that are
// known of it.
type Quantile struct {
	// Low and High are on the grid of the total. They are equal where the quantile is known, and
	// otherwise it is one of them or between them.
	Low  Sum `json:"low"`
	High Sum `json:"high"`
}

// Exact reports whether the quantile is known.
func (q Quantile) Exact() bool { return q.Low.Compare(q.High) == 0 }

// String returns the quantile, "12.34", or its bounds where it is not known: "12.30 to 12.50".
func (q Quantile) String() string {
	if q.Exact() {
		return q.Low.String()
	}
	return q.Low.String() + " to " + q.High.String()
}

// Quantiles returns, for each percentage q, the smallest sum t on the grid with P(total ≤ t) ≥ q/100,
// of a total that is min plus these draws; for 0 it is min itself (L36d). The grid is that of the
// ranges with the most decimals, from min on.
//
// A quantile is given only where it is proved: probabilities are computed in whole numbers with a
// bound on their error, and with more digits while that does not decide. So every machine gives the
// same result. Otherwise Low and High bound it:
//   - where ranges have different numbers of decimals, and more sums than can be counted: apart by
//     at most 2n+2 of the coarsest units for n draws;
//   - where some ranges have far more values than others, of more than a few kinds: apart by the
//     width of the other ranges in all;
//   - where a probability of many draws equals q/100, or nearly: apart by a unit or two.
//
// The work is bounded. It grows with the number of different ranges and hardly with that of draws.
func (d Draws) Quantiles(min Sum, q ...Percent) []Quantile {
	ps := make([]fraction, len(q))
	for i, p := range q {
		ps[i] = p.probability()
	}
	g := d.grids()
	list := make([]Quantile, len(q))
	for i, b := range g.quantiles(ps) {
		list[i] = Quantile{g.sum(b.low.Add(b.low, one), min), g.sum(b.high, min)}
	}
	return list
}

// grids are draws by the power of ten that is their unit.
type grids struct {
	scale uint8 // of the finest
	parts []grid
}

// A grid is the draws of one unit, of so many finest units.
type grid struct {
	unit  *big.Int
	piles []pile
}

func (d Draws) grids() grids {
	var g grids
	classes := d.classes()
	for _, c := range classes {
		g.scale = c.scale // the last is the finest
	}
	for i, c := range classes {
		if i == 0 || c.scale != classes[i-1].scale {
			g.parts = append(g.parts, grid{unit: power(int64(g.scale - c.scale))})
		}
		last := &g.parts[len(g.parts)-1]
		last.piles = append(last.piles, pile{new(big.Int).SetUint64(c.span + 1), d.counts[c]})
	}
	return g
}

// sum returns the least sum plus t finest units.
func (g grids) sum(t *big.Int, min Sum) Sum {
	s := Sum{scale: g.scale}
	words := t.Bytes()
	words = words[max(0, len(words)-24):] // fewer than 2^64 charges fit
	for i, b := range words {
		place := len(words) - 1 - i
		*[...]*uint64{&s.lo, &s.mid, &s.hi}[place/8] |= uint64(b) << (8 * (place % 8))
	}
	s.AddSum(min)
	return s
}

func (g grids) quantiles(ps []fraction) []bracket {
	switch len(g.parts) {
	case 0:
		return newLattice(nil).quantiles(ps)
	case 1:
		return newLattice(g.parts[0].piles).quantiles(ps)
	}
	if list, ok := g.count(ps); ok {
		return list
	}
	return g.bound(ps)
}
