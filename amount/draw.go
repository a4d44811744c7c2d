package amount

import "math/bits"

// A Seed is what makes the random amounts of one profile: two profiles under one seed
// have unrelated amounts, and so has one profile under two seeds. The zero value is a
// seed like any other.
type Seed struct{ key uint64 }

// NewSeed mixes a seed with the identifier of a profile, which may be empty. It is done
// once for each profile, not for each charge.
func NewSeed(seed uint64, profile string) Seed {
	key := mix(seed)
	for i := 0; i < len(profile); i += 8 {
		var word uint64
		for j := range min(8, len(profile)-i) {
			word |= uint64(profile[i+j]) << (8 * j)
		}
		key = mix(key ^ word)
	}
	// The length parts "a" from "a\x00".
	return Seed{mix(key ^ uint64(len(profile)))}
}

// Draw is the amount of the charge with this repeat index: one of the values of the
// range, each equally likely, both ends included (A13, A16). It depends on the seed, the
// profile, the index and the range alone, so charges may be drawn in any order, in any
// window, by any number of workers (A14). The scale is that of the grid.
//
// The answers are frozen (A15). They are for simulations: the gateway draws its own
// amounts, and nothing here is fit to be a secret.
func (r Range) Draw(s Seed, repeat uint64) Amount {
	// The high half of word × values is the draw; a low half below 2^64 mod values
	// marks the words that would favour some values. That remainder is below values,
	// so most draws need no division.
	word := mix(s.key + repeat*golden)
	hi, lo := bits.Mul64(word, r.span+1)
	if lo <= r.span {
		hi = fair(word, r.span+1)
	}
	return Amount{r.low + int64(hi), r.scale}
}

// fair is the draw of a value below n for a word that may have to be thrown away.
func fair(word, n uint64) uint64 {
	biased := -n % n
	hi, lo := bits.Mul64(word, n)
	for lo < biased {
		word = mix(word)
		hi, lo = bits.Mul64(word, n)
	}
	return hi
}

// golden is 2^64 divided by the golden ratio, made odd: its multiples are far apart.
const golden = 0x9e3779b97f4a7c15

// mix is the output function of SplitMix64: a bijection in which every bit of x has a
// say in every bit of the result.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
