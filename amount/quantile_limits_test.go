package amount

import (
	"math/big"
	"slices"
	"testing"
)

// Goal: which way a quantile is found, and with how much work, is decided where the comments say.
// Method: the limits themselves, met and passed by one.

// pilesOf returns draws of two values each, so many of each kind.
func pilesOf(counts ...uint64) (piles []pile) {
	for i, n := range counts {
		piles = append(piles, pile{big.NewInt(int64(2 + i)), n})
	}
	return piles
}

func TestClosedFormIsSmall(t *testing.T) {
	type row struct {
		because
		counts []uint64
		small  bool
	}
	each(t, []row{
		{because{"ten kinds, one draw each", "2^10 knots: ten draws are always few enough"}, []uint64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, true},
		{because{"eleven kinds, one draw each", "2^11 knots"}, []uint64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, false},
		{because{"2^14 factors", "8·4·4·2·2·2 knots of 16 draws"}, []uint64{7, 3, 3, 1, 1, 1}, true},
		{because{"just more than 2^14 factors", "128 knots of 127 draws are 16256, 129 of 128 are 16512"}, []uint64{128}, false},
		{because{"just fewer than 2^14 factors", "128 knots of 127 draws"}, []uint64{127}, true},
		{because{"few knots, more factors than it looks", "201 knots of 200 draws"}, []uint64{200}, false},
		{because{"more draws than an int of 32 bits", "nothing wraps"}, []uint64{1 << 63}, false},
	}, func(t *testing.T, r row) {
		if l := newLattice(pilesOf(r.counts...)); l.isClosed() != r.small {
			t.Errorf("%v draws: small is %v", r.counts, !r.small)
		}
	})
}

func TestSumsThatCanBeCounted(t *testing.T) {
	type row struct {
		because
		parts []grid
		size  int
	}
	draws := func(unit, v int64, n uint64) grid { return grid{big.NewInt(unit), []pile{{big.NewInt(v), n}}} }
	each(t, []row{
		{because{"nothing drawn", "one sum"}, nil, 1},
		{because{"a die", "six sums"}, []grid{draws(1, 6, 1)}, 6},
		{because{"two dice and a coin of ten", "2·5 + 10 + 1"}, []grid{draws(10, 2, 1), draws(1, 6, 2)}, 21},
		{because{"as much work as is done", "2^22 sums, one word each"}, []grid{draws(1, maxSteps, 1)}, maxSteps},
		{because{"one sum more", "too much work"}, []grid{draws(1, maxSteps+1, 1)}, 0},
		{because{"a unit that is wider than all the work", "too much work"}, []grid{draws(1<<62, 3, 1)}, 0},
		{because{"many coins", "Σ k·(k/64+1) words for k to 880 are 4.04 million"}, []grid{draws(1, 2, 880)}, 881},
		{because{"a few coins more", "Σ k·(k/64+1) words for k to 930 are 4.7 million"}, []grid{draws(1, 2, 930)}, 0},
	}, func(t *testing.T, r row) {
		if size, _ := (grids{parts: r.parts}).size(); size != r.size {
			t.Errorf("%d sums, want %d", size, r.size)
		}
	})
}

// One more draw makes the counts of the sums, and room for no more than them.
func TestTallyOfDice(t *testing.T) {
	die := tally{1, []uint64{1}}.plus(1, 6)
	if want := []uint64{1, 1, 1, 1, 1, 1}; !slices.Equal(die.list, want) {
		t.Errorf("a die: %v, want %v", die.list, want)
	}
	if two, want := die.plus(1, 6), []uint64{1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1}; !slices.Equal(two.list, want) {
		t.Errorf("two dice: %v, want %v", two.list, want)
	}
	if coin, want := die.plus(10, 2), []uint64{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}; !slices.Equal(coin.list, want) {
		t.Errorf("a die and a coin of ten: %v, want %v", coin.list, want)
	}
}

// A draw that has at most one value on the grid is left out.
func TestSidesHaveAChoice(t *testing.T) {
	fine := grid{one, []pile{{big.NewInt(4), 3}, {big.NewInt(15), 2}}}
	under, over := grids{parts: []grid{fine}}.on(big.NewInt(10))
	if len(under.piles) != 0 {
		t.Errorf("below, 4 and 15 tenths have the values %v", under.piles)
	}
	if len(over.piles) != 1 || over.piles[0].v.Int64() != 2 || over.piles[0].n != 2 {
		t.Errorf("above, 15 tenths are 2 values: %v", over.piles)
	}
	if under.shift.Sign() != 0 || over.shift.Int64() != 50 {
		t.Errorf("shifts of %v and %v, want 0 and 5 units of ten", under.shift, over.shift)
	}
}

// What is unsure stays in the bracket, and nothing more.
func TestNarrowKeepsWhatIsUnsure(t *testing.T) {
	for _, unknown := range [][2]int64{{40, 59}, {0, 99}, {50, 50}, {49, 50}, {0, 49}, {50, 99}} {
		got := bracket{big.NewInt(-1), big.NewInt(100)}.narrow(func(t *big.Int) verdict {
			switch x := t.Int64(); {
			case x < unknown[0]:
				return below
			case x > unknown[1]:
				return reached
			}
			return unsure
		})
		if got.low.Int64() != unknown[0]-1 || got.high.Int64() != unknown[1]+1 {
			t.Errorf("unsure from %d to %d: above %v, at most %v", unknown[0], unknown[1], got.low, got.high)
		}
	}
}

// All terms are added where they are few, although they do not decay; and no more than maxTerms.
func TestTermsThatDoNotDecay(t *testing.T) {
	coin := newLattice(pilesOf(1))
	for _, r := range []struct {
		nodes int64
		ok    bool
	}{{3, true}, {2*maxTerms + 1, true}, {2*maxTerms + 2, true}, {2*maxTerms + 3, false}} {
		terms, ok := coin.termsFor(big.NewInt(r.nodes), 100)
		if want := int(r.nodes-1) / 2; ok != r.ok || ok && terms != want {
			t.Errorf("N = %d: %d terms, %v", r.nodes, terms, ok)
		}
	}
}

// The number of terms is the least for which the bound of the factors, exp(-Σ(v²-1)·(πj/N)²/6), is
// below 2^-need, but for the rounding of the bound.
func TestTermsDecayAsTheNormalDoes(t *testing.T) {
	l := newLattice([]pile{{big.NewInt(10_000), 100_000}})
	for _, need := range []uint{20, 68, 128, 500} {
		nodes := l.window(need)
		terms, ok := l.termsFor(nodes, need)
		// j² ≥ need·6·ln 2·N²/(π²·spread), where 6·ln 2/π² = 0.421382…
		square := new(big.Int).Mul(nodes, nodes)
		square.Mul(square, big.NewInt(421382*int64(need)))
		square.Quo(square, new(big.Int).Mul(l.spread, big.NewInt(1_000_000)))
		if least := int(square.Sqrt(square).Int64()); !ok || terms < least || terms > least+2+least/100 {
			t.Errorf("%d bits: %d terms, and %d are enough", need, terms, least)
		}
	}
}

// Rounding stays below 2^-digits by the bounds that are stated for each factor and term.
func TestPrecisionCoversTheRounding(t *testing.T) {
	l := newLattice(pilesOf(3, 20, 1))
	for _, terms := range []int{1, 2, 100} {
		for wide := range 4 {
			v := &inversion{digits: 48, nodes: big.NewInt(1001)}
			bits := l.precision(v, wide, terms)
			own := uint64(0)
			for _, p := range l.piles[:wide] {
				own += p.n
			}
			wrong := uint64(terms) * (own*(8*1001+4) + (24-own)<<15 + 5*1001 + 4)
			if room := uint64(1) << (bits - v.digits); wrong >= room {
				t.Errorf("%d terms, %d piles: rounding of %d units in %d", terms, wide, wrong, room)
			}
		}
	}
}

// The series for draws of few values and the factors themselves are two ways to the same terms.
func TestSeriesAgreesWithFactors(t *testing.T) {
	for _, piles := range [][]pile{
		{{big.NewInt(2), 4000}},
		{{big.NewInt(401), 3000}, {big.NewInt(30), 500}, {big.NewInt(2), 7}},
		{{big.NewInt(1 << 40), 900}, {big.NewInt(1 << 39), 900}},
	} {
		l := newLattice(piles)
		inv, ok := l.invert(60)
		if !ok || l.wide(inv.nodes, len(inv.terms)) != 0 {
			t.Fatalf("%v have no series", piles)
		}
		const finer = 64 // bits, for the rounding of so many factors
		series := &inversion{digits: 60, bits: inv.bits + finer, nodes: inv.nodes, circle: newCircle(inv.bits + finer)}
		factors := &inversion{digits: 60, bits: series.bits, nodes: inv.nodes, circle: series.circle}
		series.prepare(l, 0, len(inv.terms))
		factors.prepare(l, len(piles), len(inv.terms))
		for j, term := range series.terms {
			if wrong := new(big.Int).Sub(term, factors.terms[j]); wrong.BitLen() > int(series.bits)-60 {
				t.Fatalf("%v: term %d differs by %v of 2^%d", piles, j+1, wrong, series.bits)
			}
		}
	}
}
