package gen

import (
	"iter"
	"math/bits"
	"math/rand"
	"reflect"
	"slices"

	"github.com/leanovate/gopter"
)

// Generator makes a gopter generator of values of one type. Draw makes valid values only;
// simpler proposes simpler ones, the boldest first, and valid sorts out those proposals
// that leave the domain (G04).
func Generator[V any](draw func(Chooser) V, simpler func(V) iter.Seq[V], valid func(V) bool) gopter.Gen {
	shrinker := func(v any) gopter.Shrink {
		proposals := slices.Collect(simpler(v.(V)))
		return func() (any, bool) {
			for len(proposals) > 0 {
				next := proposals[0]
				proposals = proposals[1:]
				if valid(next) {
					return next, true
				}
			}
			return nil, false
		}
	}
	sieve := func(v any) bool { return valid(v.(V)) }
	kind := reflect.TypeFor[V]()
	return func(p *gopter.GenParameters) *gopter.GenResult {
		return &gopter.GenResult{
			Result:     draw(Chooser{p.Rng}),
			ResultType: kind,
			Shrinker:   shrinker,
			Sieve:      sieve,
		}
	}
}

// A Chooser makes choices from a source of chance.
type Chooser struct{ *rand.Rand }

// ChooserOf draws from a source of chance.
func ChooserOf(source rand.Source) Chooser { return Chooser{RandOf(source)} }

// Below is a number from 0 to n−1. It uses the high bits, which a fuzzer's bytes are.
func (r Chooser) Below(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// In is a number from low to high, both included.
func (r Chooser) In(low, high int) int { return low + r.Below(high-low+1) }

// Chance is true n times in 100.
func (r Chooser) Chance(n int) bool { return r.Below(100) < n }

// weigh is an index, each as likely as its weight.
func (r Chooser) weigh(weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	x := r.Below(sum)
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return 0
}

// Pick is one of a list.
func Pick[V any](r Chooser, list ...V) V { return list[r.Below(len(list))] }
