package gen

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
