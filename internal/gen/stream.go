// Package gen makes the cases of laws: generators for gopter over one stream of choices, which is what is shrunk, and the
// classes of input that a case belongs to.
//
// A [Chooser] draws from a [Stream], whose choices come from law, seed and index, from a token, or from a fuzzer's bytes. Values
// are valid by construction, so that nothing is drawn and thrown away, and more often than chance would they lie on edges: the
// ends of months, leap days, both ends of the calendar, limits of types.
package gen

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/engine"
)

// A Stream is the choices of one case, in the order in which they are made. A case is what its choices
// decode to, so that they name it, and simpler choices make a simpler case that is valid too.
type Stream struct {
	given []uint64 // made before, to be made again
	made  []uint64
	// What follows those given: the numbers of a mixer, or zeros, the simplest.
	rest  Source
	zeros bool
	// Ordinary makes the case an ordinary one, if its generator knows such: what merchants send, and never an extreme.
	Ordinary bool
}

// NewStream is the choices of a case of a law.
func NewStream(law string, seed, index uint64) *Stream {
	return &Stream{rest: *NewSource(law, seed, index)}
}

// Again makes choices once more. After the last one it returns zeros.
func Again(choices []uint64) *Stream { return &Stream{given: choices, zeros: true} }

// FromBytes reads choices as [Bytes] writes them, from any bytes. After the last one it goes on with a varied
// sequence, which hides nothing that a fuzzer could find.
func FromBytes(data []byte) *Stream {
	s := &Stream{rest: Source{uint64(len(data))}}
	for len(data) > 0 {
		x, n := binary.Uvarint(data)
		if n == 0 { // the last one is cut
			n = len(data)
		}
		s.given = append(s.given, x)
		data = data[max(n, -n):]
	}
	return s
}

// Bytes writes choices as tokens, corpora and fuzz inputs hold them: each as a uvarint.
func Bytes(choices []uint64) []byte {
	var data []byte
	for _, x := range choices {
		data = binary.AppendUvarint(data, x)
	}
	return data
}

// Choices are those that were made.
func (s *Stream) Choices() []uint64 { return s.made }

// below is the next choice, a number below n; of all 64 bits for n = 0.
func (s *Stream) below(n uint64) uint64 {
	var x uint64
	switch at := len(s.made); {
	case at < len(s.given):
		if x = s.given[at]; n > 0 && x >= n {
			x %= n
		}
	case !s.zeros:
		if x = s.rest.Uint64(); n > 0 {
			x, _ = bits.Mul64(x, n)
		}
	}
	s.made = append(s.made, x)
	return x
}

// A Chooser draws a value. Its choices are such that the smaller number is the simpler choice.
type Chooser struct {
	*Stream
	// Policy holds the readings that every case asks for; nil leaves them to the choices.
	Policy *engine.Policy

	ordinary bool // the case is an ordinary one
}

// ChooserOf draws choices that no shrinking knows of, such as those of a law for its case.
func ChooserOf(seed uint64) Chooser { return Chooser{Stream: &Stream{rest: Source{seed}}} }

// drawOrdinary reports whether the case is an ordinary one: the simpler choice, and one of four.
func (r Chooser) drawOrdinary() bool {
	if r.Ordinary {
		r.made = append(r.made, 0)
		return true
	}
	return r.below(4) == 0
}

// Uint64 is any number.
func (r Chooser) Uint64() uint64 { return r.below(0) }

// Below is a number from 0 to n−1.
func (r Chooser) Below(n int) int { return int(r.below(uint64(n))) }

// In is a number from low to high, both included; low is the simplest.
func (r Chooser) In(low, high int) int { return low + r.Below(high-low+1) }

// Around is a number from low to high, both included; 0 is the simplest, then those close to it.
func (r Chooser) Around(low, high int) int {
	n := r.Below(high - low + 1)
	near := min(-low, high)
	switch {
	case n > 2*near && -low > high:
		return -(n - near)
	case n > 2*near:
		return n - near
	case n%2 == 1:
		return n/2 + 1
	}
	return -n / 2
}

// Chance is true n times in 100; false is the simpler one.
func (r Chooser) Chance(n int) bool { return r.Below(100) >= 100-n }

// Weigh is an index, each as likely as its weight; the first is the simplest.
func (r Chooser) Weigh(weights ...int) int {
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

// Pick is one of a list; the first is the simplest.
func Pick[V any](r Chooser, list ...V) V { return list[r.Below(len(list))] }

// Times goes through a list of low to high elements, each length as likely. A choice before each element behind
// low lets shrinking leave it out.
func (r Chooser) Times(low, high int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < low || i < high && r.Below(high-i+1) > 0; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// More decides, with n % probability, whether a list gets another element, until it has most. A choice before each element lets
// shrinking leave it out.
func (r Chooser) More(have, most, n int) bool { return have < most && r.Chance(n) }

// A Source is a sequence of numbers without visible order: a counter through a mixer. It costs nothing to seed,
// unlike that of math/rand, whose Source64 it is.
type Source struct{ state uint64 }

// NewSource is the source of one case of a law.
func NewSource(law string, seed, index uint64) *Source {
	s := mix(seed)
	for i := range len(law) {
		s = mix(s ^ uint64(law[i]))
	}
	return &Source{mix(s ^ index)}
}

// Uint64 is the next 64 bits.
func (s *Source) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	return mix(s.state)
}

// Int63 is the next 63 bits.
func (s *Source) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed starts the source again.
func (s *Source) Seed(seed int64) { s.state = uint64(seed) }

// mix spreads every bit of x over the result (the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

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
func Gopter(draw func(Chooser) any) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(Draw(draw, &Stream{rest: Source{p.Rng.Uint64()}}, Chooser{}), func(v any) gopter.Shrink {
			next := v.(*Drawn).Simpler(draw, Chooser{})
			return func() (any, bool) { return next() }
		})
	}
}

// Simpler proposes simpler values, one a call, those with fewer choices first and then those with smaller ones; false where
// there are no more. It goes on where the search for the value itself ended, once around all proposals.
func (of *Drawn) Simpler(draw func(Chooser) any, as Chooser) func() (*Drawn, bool) {
	proposals := proposals(len(of.Choices))
	tried := 0
	return func() (*Drawn, bool) {
		for tried < len(proposals) {
			at := (of.next + tried) % len(proposals)
			tried++
			p := proposals[at]
			choices := p.way(of.Choices, p.at, p.size)
			if choices == nil {
				continue
			}
			if d := Draw(draw, Again(choices), as); Simpler(d.Choices, of.Choices) {
				d.next = at
				return d, true
			}
		}
		return nil, false
	}
}

// Simpler reports whether choices are simpler than others: they take fewer bits, a choice one bit more than its number has;
// of as many, those with the smaller first numbers. The order is well-founded, so shrinking ends.
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
		for bits := 4; bits < 64; bits += 4 {
			list = append(list, proposal{lowBits, at, bits})
		}
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

// lowBits leaves so many bits of a choice from which a law may draw more than one number: those that it does not need are many.
func lowBits(choices []uint64, at, size int) []uint64 {
	high := choices[at] >> size << size
	if high == 0 || choices[at] < 1<<16 {
		return nil
	}
	choices = slices.Clone(choices)
	choices[at] -= high
	return choices
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
