package gen

import "math/rand"

// A Source is a source of chance for one case: a counter through a mixer. It costs
// nothing to seed, unlike that of math/rand.
type Source struct{ state uint64 }

var _ rand.Source64 = (*Source)(nil)

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

// RandOf is a source as gopter's generators take it.
func RandOf(source rand.Source) *rand.Rand { return rand.New(source) }

// mix spreads every bit of x over the result (the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// A ByteSource reads chance from the bytes of a fuzzer, so that its mutations become
// mutations of a generated value. When the bytes end it goes on with a varied sequence:
// loops that reject values never end on a constant one.
type ByteSource struct {
	data []byte
	rest Source
}

var _ rand.Source64 = (*ByteSource)(nil)

// NewByteSource reads data, which it does not change.
func NewByteSource(data []byte) *ByteSource {
	return &ByteSource{data: data, rest: Source{uint64(len(data))}}
}

// Uint64 takes two bytes at a time, into the high bits: the generators choose among few
// values and use those.
func (s *ByteSource) Uint64() uint64 {
	if len(s.data) == 0 {
		return s.rest.Uint64()
	}
	x := uint64(s.data[0]) << 56
	if s.data = s.data[1:]; len(s.data) > 0 {
		x |= uint64(s.data[0]) << 48
		s.data = s.data[1:]
	}
	return x | mix(x)>>16
}

// Int63 is the next 63 bits.
func (s *ByteSource) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed does nothing: the bytes are the seed.
func (s *ByteSource) Seed(int64) {}
