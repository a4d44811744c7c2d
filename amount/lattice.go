package amount

import (
	"math/big"
	"slices"
)

// A pile is n draws, each a whole number from 0 to v-1 with equal chances.
type pile struct {
	v *big.Int // at least 2
	n uint64   // at least 1
}

// A lattice is the sum of independent draws of one unit: every whole number from 0 to top, of which
// none is impossible, symmetric about the middle.
type lattice struct {
	piles  []pile   // by v, the largest first
	draws  *big.Int // how many
	top    *big.Int // Σ (v-1)
	spread *big.Int // Σ (v²-1), twelve times the variance
}

func newLattice(piles []pile) *lattice {
	slices.SortFunc(piles, func(a, b pile) int { return b.v.Cmp(a.v) })
	l := &lattice{piles: piles, draws: new(big.Int), top: new(big.Int), spread: new(big.Int)}
	for _, p := range piles {
		n := new(big.Int).SetUint64(p.n)
		l.draws.Add(l.draws, n)
		less := new(big.Int).Sub(p.v, one)
		l.spread.Add(l.spread, p.spread())
		l.top.Add(l.top, less.Mul(less, n))
	}
	return l
}

// spread returns Σ (v²-1) of the pile.
func (p pile) spread() *big.Int {
	s := new(big.Int).Mul(p.v, p.v)
	s.Sub(s, one)
	return s.Mul(s, new(big.Int).SetUint64(p.n))
}

// one is never written.
var one = big.NewInt(1)

// A bracket is what is known of a quantile: it is above low, and at most high. It is exact when the
// two differ by one.
type bracket struct{ low, high *big.Int }

func exactly(t *big.Int) bracket { return bracket{new(big.Int).Sub(t, one), t} }

func (b bracket) isExact() bool { return new(big.Int).Sub(b.high, b.low).Cmp(one) <= 0 }

// A verdict says whether a sum is at most t with probability p or more.
type verdict uint8

const (
	unsure verdict = iota
	below
	reached
)

// narrow searches a bracket for the least t that is reached, by halves. What is unsure stays in it.
func (b bracket) narrow(judge func(t *big.Int) verdict) bracket {
	for !b.isExact() {
		t := b.middle()
		switch judge(t) {
		case below:
			b.low = t
		case reached:
			b.high = t
		case unsure:
			first := bracket{b.low, t}.edge(func(t *big.Int) bool { return judge(t) == below })
			last := bracket{t, b.high}.edge(func(t *big.Int) bool { return judge(t) != reached })
			return bracket{first.low, last.high}
		}
	}
	return b
}

// edge searches for two neighbours of which only the first is passed.
func (b bracket) edge(passed func(t *big.Int) bool) bracket {
	for !b.isExact() {
		if t := b.middle(); passed(t) {
			b.low = t
		} else {
			b.high = t
		}
	}
	return b
}

func (b bracket) middle() *big.Int {
	t := new(big.Int).Add(b.low, b.high)
	return t.Rsh(t, 1)
}

// start returns what is known of a quantile without any work: the middle by symmetry, the ends.
func (l *lattice) start(p fraction) bracket {
	switch {
	case p.num.Sign() == 0:
		return exactly(new(big.Int))
	case p.num.Cmp(p.denom) >= 0:
		return exactly(new(big.Int).Set(l.top))
	case p.isHalf():
		return exactly(new(big.Int).Rsh(l.top, 1))
	}
	return bracket{big.NewInt(-1), new(big.Int).Set(l.top)}
}

// fewDraws is the number of draws up to which the closed form is always small enough.
const fewDraws = 10

// quantiles returns the quantiles of the sum, each as narrow as bounded work makes it.
func (l *lattice) quantiles(ps []fraction) []bracket {
	list, ok := l.solve(ps)
	if ok {
		return list
	}
	// The draws with fewest values are left out: what they add is between 0 and their top.
	for out := 1; out < len(l.piles); out *= 2 {
		kept := newLattice(slices.Clone(l.piles[:len(l.piles)-out]))
		inner, ok := kept.solve(ps)
		if !ok {
			continue
		}
		rest := new(big.Int).Sub(l.top, kept.top)
		for i, b := range inner {
			if !list[i].isExact() {
				list[i] = bracket{b.low, b.high.Add(b.high, rest)}
			}
		}
		break
	}
	return list
}

// solve returns the quantiles of the sum. It returns false, and what is known without work, if they
// are too much work.
func (l *lattice) solve(ps []fraction) ([]bracket, bool) {
	list := make([]bracket, len(ps))
	for i, p := range ps {
		list[i] = l.start(p)
	}
	inverted := l.draws.Cmp(big.NewInt(fewDraws)) > 0 && !allExact(list) && l.invertAll(ps, list)
	if allExact(list) || !l.isClosed() {
		return list, inverted || allExact(list)
	}
	form := newClosedForm(l)
	for i, p := range ps {
		list[i] = list[i].narrow(form.judge(p))
	}
	return list, true
}

func allExact(list []bracket) bool {
	return !slices.ContainsFunc(list, func(b bracket) bool { return !b.isExact() })
}

// invertAll narrows the brackets by [inversion], with more digits for those that are left. It
// returns false if that is too much work.
func (l *lattice) invertAll(ps []fraction, list []bracket) bool {
	const attempts = 3
	digits := 0
	for i, p := range ps {
		if !list[i].isExact() {
			digits = max(digits, 48+l.spread.BitLen()/2+p.digits())
		}
	}
	for n := range attempts {
		inv, ok := l.invert(uint(digits << n))
		if !ok {
			return n > 0
		}
		for i, p := range ps {
			if !list[i].isExact() {
				list[i] = inv.narrow(p, list[i])
			}
		}
		if allExact(list) {
			break
		}
	}
	return true
}

// digits returns how many bits p or 1-p begins with that are zero.
func (f fraction) digits() int {
	rest := new(big.Int).Sub(f.denom, f.num)
	return f.denom.BitLen() - min(f.num.BitLen(), rest.BitLen())
}
