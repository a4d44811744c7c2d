package fuzz

import (
	"iter"
	"math/bits"
	"math/rand"
	"reflect"
	"slices"

	"github.com/leanovate/gopter"
)

// generator makes a gopter generator of values of one type. Draw makes valid values only;
// simpler proposes simpler ones, the boldest first, and valid sorts out those proposals
// that leave the domain (G04).
func generator[V any](draw func(chooser) V, simpler func(V) iter.Seq[V], valid func(V) bool) gopter.Gen {
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
			Result:     draw(chooser{p.Rng}),
			ResultType: kind,
			Shrinker:   shrinker,
			Sieve:      sieve,
		}
	}
}

// A chooser makes choices from a source of chance.
type chooser struct{ *rand.Rand }

// below is a number from 0 to n−1. It uses the high bits, which a fuzzer's bytes are.
func (r chooser) below(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// in is a number from low to high, both included.
func (r chooser) in(low, high int) int { return low + r.below(high-low+1) }

// chance is true n times in 100.
func (r chooser) chance(n int) bool { return r.below(100) < n }

// weigh is an index, each as likely as its weight.
func (r chooser) weigh(weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	x := r.below(sum)
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return 0
}

// pick is one of a list.
func pick[V any](r chooser, list ...V) V { return list[r.below(len(list))] }
