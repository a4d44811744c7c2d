package report

import "iter"

// stripBins is how many parts of the window a timeline tells apart.
const stripBins = 256

// The layers of a strip.
const (
	layerCharged = iota
	layerExpired // charged after the card's expiry
	layerDeclined
	layerStopped
	layerCount
)

// A strip is a timeline in a fixed size: for each of some equal parts of the window whether
// anything was charged, declined or stopped in it. A part has 2^shift days, and grows with the
// days.
type strip struct {
	shift  uint8
	layers [layerCount][stripBins / 64]uint64
}

// mark notes a day, counted from the first one.
func (s *strip) mark(layer, day int) {
	day = max(day, 0)
	for day>>s.shift >= stripBins {
		s.fold()
	}
	bin := day >> s.shift
	s.layers[layer][bin/64] |= 1 << (bin % 64)
}

// fold makes the parts twice as long.
func (s *strip) fold() {
	s.shift++
	for l := range s.layers {
		var folded [stripBins / 64]uint64
		for bin := range stripBins {
			folded[bin/128] |= (s.layers[l][bin/64] >> (bin % 64) & 1) << (bin / 2 % 64)
		}
		s.layers[l] = folded
	}
}

// runs yields where each run of marked parts begins, and its length.
func (s *strip) runs(layer int) iter.Seq2[int, int] {
	marked := func(bin int) bool { return bin < stripBins && s.layers[layer][bin/64]>>(bin%64)&1 == 1 }
	return func(yield func(int, int) bool) {
		for bin := 0; bin < stripBins; bin++ {
			if !marked(bin) {
				continue
			}
			from := bin
			for marked(bin) {
				bin++
			}
			if !yield(from, bin-from) {
				return
			}
		}
	}
}

// shiftFor returns how long parts must be for a number of days.
func shiftFor(days int) uint8 {
	shift := uint8(0)
	for (days-1)>>shift >= stripBins {
		shift++
	}
	return shift
}
