package gen

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/leanovate/gopter"
)

// A Drawn is a value and the choices that made it.
type Drawn struct {
	Value   any
	Choices []uint64

	next int // where the search for simpler choices goes on
}

// Format writes nothing: gopter has every value formatted, even those of cases that hold.
func (*Drawn) Format(fmt.State, rune) {}

// Draw draws a value.
func Draw(draw func(Chooser) any, s *Stream, as Chooser) *Drawn {
	as.Stream = s
	v := draw(as)
	return &Drawn{Value: v, Choices: s.made}
}

// Gopter is a generator as gopter has it, of values of type *[Drawn], which shrink by their choices.
func Gopter(draw func(Chooser) any, as Chooser) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		return Result(draw, &Stream{rest: Source{p.Rng.Uint64()}}, as)
	}
}

// Result is what [Gopter] generates from a stream.
func Result(draw func(Chooser) any, s *Stream, as Chooser) *gopter.GenResult {
	return gopter.NewGenResult(Draw(draw, s, as), func(v any) gopter.Shrink { return simpler(draw, v.(*Drawn), as) })
}

// simpler proposes simpler values, those with fewer choices first and then those with smaller ones. It goes on
// where the search for the value itself ended, once around all proposals.
func simpler(draw func(Chooser) any, of *Drawn, as Chooser) gopter.Shrink {
	proposals := proposals(len(of.Choices))
	tried := 0
	return func() (any, bool) {
		for tried < len(proposals) {
			at := (of.next + tried) % len(proposals)
			tried++
			p := proposals[at]
			choices := p.way(of.Choices, p.at, p.size)
			if choices == nil {
				continue
			}
			d := Draw(draw, Again(choices), as)
			if !Simpler(d.Choices, of.Choices) {
				continue
			}
			d.next = at
			return d, true
		}
		return nil, false
	}
}

// Simpler reports whether choices are simpler than others: they take fewer bits, a choice one bit more than its number has;
// of as many, those with the smaller first numbers. No choices have simpler ones without end.
func Simpler(a, b []uint64) bool {
	if c := cmp.Compare(bitsOf64(a), bitsOf64(b)); c != 0 {
		return c < 0
	}
	return slices.Compare(a, b) < 0
}

func bitsOf64(choices []uint64) int {
	n := len(choices)
	for _, x := range choices {
		n += bits.Len64(x)
	}
	return n
}

// A proposal is a way to make choices simpler.
type proposal struct {
	way      func(choices []uint64, at, size int) []uint64 // nil where it says nothing about them
	at, size int
}

// proposals are the ways for so many choices, the boldest first.
func proposals(n int) []proposal {
	var list []proposal
	add := func(way func([]uint64, int, int) []uint64, sizes ...int) {
		for _, size := range sizes {
			for at := n - size; at >= 0; at-- {
				list = append(list, proposal{way, at, size})
			}
		}
	}
	add(leftOut, 256, 128, 64, 48, 32)
	add(zeroed, 32, 16, 8, 4, 2, 1)
	for size := 24; size > 0; size-- {
		add(leftOut, size)
	}
	add(oneFewer, 9, 8, 7, 6, 5, 4, 3, 2)
	for at := range n {
		for shift := range 6 {
			list = append(list, proposal{lowered, at, shift + 1})
		}
		for bit := 15; bit >= 0; bit-- {
			list = append(list, proposal{without, at, bit})
		}
		list = append(list, proposal{less, at, 2}, proposal{less, at, 1})
	}
	return list
}

// leftOut is without size choices.
func leftOut(choices []uint64, at, size int) []uint64 {
	return slices.Delete(slices.Clone(choices), at, at+size)
}

// zeroed has zeros in their place.
func zeroed(choices []uint64, at, size int) []uint64 {
	if !slices.ContainsFunc(choices[at:at+size], func(x uint64) bool { return x != 0 }) {
		return nil
	}
	choices = slices.Clone(choices)
	clear(choices[at : at+size])
	return choices
}

// oneFewer lowers a choice, which may be a number of things, and leaves out those behind it, which may be one of them.
func oneFewer(choices []uint64, at, size int) []uint64 {
	if x := choices[at]; x == 0 || x > 64 {
		return nil
	}
	choices = leftOut(choices, at+1, size-1)
	choices[at]--
	return choices
}

// lowered takes a part from a choice: a half, a quarter, and so on.
func lowered(choices []uint64, at, shift int) []uint64 {
	return less(choices, at, int(choices[at]>>shift))
}

// without clears a bit of a choice, which may be one of several numbers in it.
func without(choices []uint64, at, bit int) []uint64 {
	if choices[at]>>bit&1 == 0 {
		return nil
	}
	return less(choices, at, 1<<bit)
}

// less takes so much from a choice.
func less(choices []uint64, at, by int) []uint64 {
	if by <= 0 || choices[at] < uint64(by) {
		return nil
	}
	choices = slices.Clone(choices)
	choices[at] -= uint64(by)
	return choices
}
