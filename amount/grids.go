package amount

import (
	"math/big"
	"math/bits"
	"slices"
)

// Draws of different grids: the sum of 1.00 to 5.00 EUR and of 1.000 to 1.005 EUR has holes. Few
// values are counted one by one, many are bounded by sums of one grid.

// maxSteps bounds the work of counting, in additions of words.
const maxSteps = 1 << 22

// count counts the outcomes of each sum, if there are few sums: adding a draw of v values, u units
// apart, makes of the counts old the counts new with new[k] = new[k-u] + old[k] - old[k-u·v].
func (g grids) count(ps []fraction) ([]bracket, bool) {
	size, outcomes := g.size()
	if size == 0 {
		return nil, false
	}
	words := outcomes.BitLen()/64 + 1
	counts := tally{words: words, list: make([]uint64, words)}
	counts.list[0] = 1
	for _, part := range g.parts {
		for _, p := range part.piles {
			for range p.n {
				counts = counts.plus(int(part.unit.Int64()), int(p.v.Int64()))
			}
		}
	}
	list := make([]bracket, len(ps))
	for i, p := range ps {
		list[i] = exactly(big.NewInt(int64(counts.reach(p, outcomes))))
	}
	return list, true
}

// size returns the number of different sums at most, holes included, and of outcomes; a size of 0
// if counting them is more than maxSteps.
func (g grids) size() (size int, outcomes *big.Int) {
	outcomes = big.NewInt(1)
	size, steps := 1, 0
	for _, part := range g.parts {
		for _, p := range part.piles {
			more := new(big.Int).Sub(p.v, one)
			if more.Mul(more, part.unit); !more.IsInt64() || more.Int64() > maxSteps {
				return 0, outcomes
			}
			for range p.n {
				outcomes.Mul(outcomes, p.v)
				size += int(more.Int64())
				if steps += size * (outcomes.BitLen()/64 + 1); steps > maxSteps {
					return 0, outcomes
				}
			}
		}
	}
	return size, outcomes
}

// A tally holds numbers of outcomes, each in so many words, the lowest first.
type tally struct {
	words int
	list  []uint64
}

func (t tally) at(k int) []uint64 { return t.list[k*t.words : (k+1)*t.words] }

func (t tally) size() int { return len(t.list) / t.words }

// plus returns the counts with one more draw of v values, unit apart.
func (t tally) plus(unit, v int) tally {
	next := tally{t.words, make([]uint64, len(t.list)+unit*(v-1)*t.words)}
	for k := range next.size() {
		to := next.at(k)
		if k >= unit {
			copy(to, next.at(k-unit))
		}
		if k < t.size() {
			var carry uint64
			for i, w := range t.at(k) {
				to[i], carry = bits.Add64(to[i], w, carry)
			}
		}
		if gone := k - unit*v; gone >= 0 { // and below the size of t
			var borrow uint64
			for i, w := range t.at(gone) {
				to[i], borrow = bits.Sub64(to[i], w, borrow)
			}
		}
	}
	return next
}

// reach returns the least sum that at least p of the outcomes do not exceed; 0 for p = 0.
func (t tally) reach(p fraction, outcomes *big.Int) int {
	want := new(big.Int).Mul(outcomes, p.num)
	have, part := new(big.Int), new(big.Int)
	for k := 0; ; k++ {
		have.Add(have, bigOf(t.at(k)...)) // in the end all outcomes
		if part.Mul(have, p.denom).Cmp(want) >= 0 {
			return k
		}
	}
}

// bound returns the narrowest of the bounds that sums of one of the grids give.
func (g grids) bound(ps []fraction) []bracket {
	top := new(big.Int)
	for _, part := range g.parts {
		top.Add(top, new(big.Int).Mul(newLattice(slices.Clone(part.piles)).top, part.unit))
	}
	list := make([]bracket, len(ps))
	for i := range list {
		list[i] = bracket{big.NewInt(-1), new(big.Int).Set(top)}
		switch p := ps[i]; {
		case p.num.Sign() == 0:
			list[i] = exactly(new(big.Int))
		case p.num.Cmp(p.denom) >= 0:
			list[i] = exactly(new(big.Int).Set(top))
		}
	}
	for _, part := range g.parts {
		under, over := g.on(part.unit)
		low, high := newLattice(under.piles).quantiles(ps), newLattice(over.piles).quantiles(ps)
		for i, b := range list {
			if b.isExact() {
				continue
			}
			// Below are the sums at most low, and so the finest ones before the next.
			least := low[i].low.Add(low[i].low, one)
			least.Mul(least, part.unit).Sub(least, under.shift).Sub(least, one)
			most := high[i].high.Mul(high[i].high, part.unit)
			list[i] = bracket{larger(b.low, least), smaller(b.high, most.Add(most, over.shift))}
		}
	}
	return list
}

// A side is draws of one grid whose sum is, but for a shift in finest units, in distribution below or
// above that of draws of several grids.
type side struct {
	piles []pile
	shift *big.Int // to take off below, to add above
}

// on returns draws on the grid of a unit that bound the sum from below and from above.
//
// A draw of v values of a coarser grid, m units apart, is at most a draw of m·v values one unit
// apart, and at least that less m-1. A draw of v values of a finer grid, m to the unit, is at least
// a draw of v/m values, rounded down, and at most a draw of v/m values, rounded up, plus a unit.
func (g grids) on(unit *big.Int) (under, over side) {
	under.shift, over.shift = new(big.Int), new(big.Int)
	for _, part := range g.parts {
		for _, p := range part.piles {
			n := new(big.Int).SetUint64(p.n)
			low, high := new(big.Int).Set(p.v), new(big.Int).Set(p.v)
			switch part.unit.Cmp(unit) {
			case +1:
				m := new(big.Int).Quo(part.unit, unit)
				low.Mul(low, m)
				high.Set(low)
				loss := m.Sub(m, one)
				under.shift.Add(under.shift, loss.Mul(loss, n).Mul(loss, unit))
			case -1:
				m := new(big.Int).Quo(unit, part.unit)
				low.Quo(low, m)
				high.Add(high, m).Sub(high, one).Quo(high, m)
				over.shift.Add(over.shift, n.Mul(n, unit))
			}
			under.add(low, p.n)
			over.add(high, p.n)
		}
	}
	return under, over
}

// add adds n draws of v values, unless they have no choice.
func (s *side) add(v *big.Int, n uint64) {
	if v.Cmp(one) > 0 {
		s.piles = append(s.piles, pile{v, n})
	}
}
