package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/chargecast/chargecast/amount"
)

// drawRows are P12: one random amount.
func drawRows() []row {
	return []row{
		{id: "P12", ours: "keyed bounded draw", against: "rand/v2 PCG Uint64N", goal: within(1.5), possible: "0.5–0.9×",
			note:  "gives other amounts when the order changes",
			ready: readyDraw(sequentialDraw)},
		{id: "P12", ours: "keyed bounded draw", against: "rand.New for each draw", goal: faster(3), possible: "6–10×",
			ready: readyDraw(freshDraw)},
		{id: "P12", ours: "keyed bounded draw", against: "allocations", goal: allocs(0, "a draw"), possible: "0",
			count: drawAllocated},
	}
}

// The sides of P12 draw sixty charges for each of the first thousand profiles of W2.
const (
	drawProfiles = 1_000
	drawCharges  = 60
	drawSeed     = 42
	drawFrom     = 100 // minor units
)

// A drawable is what the sides need of a profile.
type drawable struct {
	seed   amount.Seed
	amount amount.Choice
	width  uint64 // how many values the range has
}

func drawables() []drawable {
	list, book := make([]drawable, drawProfiles), portfolioBook(drawProfiles, true)
	for i := range list {
		list[i] = drawable{amount.NewSeed(drawSeed, book[i].ID), book[i].Amounts, uint64(portfolioProfile(uint64(i)).minor-drawFrom) + 1}
	}
	return list
}

func oursDraw(list []drawable) side {
	return side{drawProfiles * drawCharges, func() (sum uint64) {
		for i := range list {
			d := &list[i]
			for k := range uint64(drawCharges) {
				sum += uint64(d.amount.Draw(d.seed, k).Coefficient())
			}
		}
		return sum
	}}
}

func sequentialDraw(list []drawable) side {
	source := rand.New(rand.NewPCG(drawSeed, drawSeed))
	return side{drawProfiles * drawCharges, func() (sum uint64) {
		for i := range list {
			d := &list[i]
			for range drawCharges {
				sum += drawFrom + source.Uint64N(d.width)
			}
		}
		return sum
	}}
}

// freshDraw makes a generator for each draw, which is how a keyed draw is commonly had.
func freshDraw(list []drawable) side {
	return side{drawProfiles * drawCharges, func() (sum uint64) {
		for i := range list {
			d := &list[i]
			for k := range uint64(drawCharges) {
				sum += drawFrom + rand.New(rand.NewPCG(uint64(i), k)).Uint64N(d.width)
			}
		}
		return sum
	}}
}

// readyDraw compares no answers, for chance has none: both sums must lie within 2 % of
// the expected one, eight standard deviations.
func readyDraw(theirs func([]drawable) side) func() contest {
	return func() contest {
		list := drawables()
		c := contest{ours: oursDraw(list), theirs: theirs(list)}
		var twice uint64
		for _, d := range list {
			twice += drawCharges * (2*drawFrom + d.width - 1)
		}
		c.differ = func() error {
			for _, sum := range []uint64{c.ours.run(), c.theirs.run()} {
				if 2*sum < twice-twice/50 || 2*sum > twice+twice/50 {
					return fmt.Errorf("a side draws %d, far from the mean of %d", sum, twice/2)
				}
			}
			return nil
		}
		return c
	}
}

func drawAllocated() float64 { return allocated(oursDraw(drawables())) }
