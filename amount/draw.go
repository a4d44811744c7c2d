package amount

import "math/bits"

// Seed determines the random amounts of one profile. Two profiles under one seed have unrelated
// amounts, as does one profile under two seeds. The zero value is a seed like any other.
type Seed struct{ key uint64 }

// NewSeed returns the seed of a profile: a number for the whole simulation, mixed with the
// identifier of the profile, which may be empty. Call it once for each profile, not for each
// charge.
func NewSeed(seed uint64, profile string) Seed {
	key := mix(seed)
	for i := 0; i < len(profile); i += 8 {
		var word uint64
		for j := range min(8, len(profile)-i) {
			word |= uint64(profile[i+j]) << (8 * j)
		}
		key = mix(key ^ word)
	}
	// The length distinguishes "a" from "a\x00".
	return Seed{mix(key ^ uint64(len(profile)))}
}

// Draw returns the amount of the charge with this repeat index: one of the values of a range, each
// equally likely, both ends included (L36d), with the scale of [Choice.Scale]; of any other choice, and of
// a range with equal ends (L33), the lower amount of [Choice.Bounds]. It depends only on the seed, the index and the choice, so charges may be
// drawn in any order, in any window and by any number of workers.
//
// The result for given arguments never changes. It is meant for simulations: the gateway draws its
// own amounts, and the draws are not fit for cryptography.
func (c Choice) Draw(s Seed, repeat uint64) Amount {
	if c.span == 0 {
		a, _ := c.Bounds(repeat)
		return a
	}
	// The high half of word × values is the draw. Words whose low half is below 2^64 mod values
	// would favour some values and are replaced. Since that remainder is below values, most draws
	// need no division.
	word := mix(s.key + repeat*golden)
	hi, lo := bits.Mul64(word, c.span+1)
	if lo <= c.span {
		hi = fair(word, c.span+1)
	}
	return Amount{c.low + int64(hi), c.scale}
}

// fair returns the draw of a value below n from a word that may have to be replaced.
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

// mix is the output function of SplitMix64: a bijection in which each bit of x affects all bits of
// the result.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
