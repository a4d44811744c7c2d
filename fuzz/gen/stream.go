package gen

import (
	"encoding/binary"
	"iter"
	"math/bits"

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
}

// NewStream is the choices of a case of a law.
func NewStream(law string, seed, index uint64) *Stream {
	return &Stream{rest: *NewSource(law, seed, index)}
}

// Again makes choices once more. Behind their end it makes the simplest ones.
func Again(choices []uint64) *Stream { return &Stream{given: choices, zeros: true} }

// FromBytes reads choices as [Bytes] writes them, from any bytes. Behind their end it goes on with a varied
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
}

// ChooserOf draws choices that no shrinking knows of, such as those of a law for its case.
func ChooserOf(seed uint64) Chooser { return Chooser{Stream: &Stream{rest: Source{seed}}} }

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

// weigh is an index, each as likely as its weight; the first is the simplest.
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

// Pick is one of a list; the first is the simplest.
func Pick[V any](r Chooser, list ...V) V { return list[r.Below(len(list))] }

// times goes through a list of low to high elements, each length as likely. A choice before each element behind
// low lets shrinking leave it out.
func (r Chooser) times(low, high int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < low || i < high && r.Below(high-i+1) > 0; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// more goes on with a list with a chance of n in 100, until it has most elements. A choice before each element lets
// shrinking leave it out.
func (r Chooser) more(have, most, n int) bool { return have < most && r.Chance(n) }
