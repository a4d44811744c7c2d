package amount

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
)

// Draws is the random part of a total: how many charges have a random amount, and from how many
// values each is drawn. It keeps no sum; [Draws.Quantiles] adds that of the least amounts, the Min
// of a [Total]. The draws are uniform and independent of each other (L36d). The zero value is no
// draws, ready to use.
//
// Its memory grows with the number of different ranges, not of charges. Counts are exact for fewer
// than 2^64 charges. A copy shares its memory with the original: [Draws.Clone] does not.
type Draws struct {
	// counts is nil without draws, so that equal Draws are equal for reflect.DeepEqual.
	counts map[drawClass]uint64
}

// A drawClass is draws that are alike: span+1 values, each a unit of 10^-scale from the next.
type drawClass struct {
	span  uint64 // 1 … 2^63-1
	scale uint8
}

// Add adds n charges of a range. A range with equal ends has nothing random and adds nothing.
func (d *Draws) Add(r Range, n uint64) {
	if r.span > 0 && n > 0 {
		d.add(drawClass{r.span, r.scale}, n)
	}
}

func (d *Draws) add(c drawClass, n uint64) {
	if d.counts == nil {
		d.counts = make(map[drawClass]uint64)
	}
	d.counts[c] += min(n, math.MaxUint64-d.counts[c])
}

// Merge adds the draws of another total. The order and the grouping of merges do not affect the
// result.
func (d *Draws) Merge(o Draws) {
	for c, n := range o.counts {
		d.add(c, n)
	}
}

// Sub removes the draws of another total: after d.Merge(o), d.Sub(o) restores d. The error is
// [ErrNotPart] where o has draws that d has not; d is then as it was.
func (d *Draws) Sub(o Draws) error {
	for c, n := range o.counts {
		if d.counts[c] < n {
			return refuse(ErrNotPart)
		}
	}
	if len(d.counts) == len(o.counts) && maps.Equal(d.counts, o.counts) {
		d.counts = nil
		return nil
	}
	for c, n := range o.counts {
		if d.counts[c] -= n; d.counts[c] == 0 {
			delete(d.counts, c)
		}
	}
	return nil
}

// Clone returns equal draws that share no memory with d.
func (d Draws) Clone() Draws { return Draws{maps.Clone(d.counts)} }

// IsZero reports whether there are no draws.
func (d Draws) IsZero() bool { return len(d.counts) == 0 }

// Charges returns the number of charges with a random amount.
func (d Draws) Charges() (n uint64) {
	for _, m := range d.counts {
		n += m
	}
	return n
}

// String returns the draws in words: "60 random charges".
func (d Draws) String() string {
	n := d.Charges()
	if n == 1 {
		return "1 random charge"
	}
	return strconv.FormatUint(n, 10) + " random charges"
}

// classes returns the classes in order of scale, then span.
func (d Draws) classes() []drawClass {
	return slices.SortedFunc(maps.Keys(d.counts), drawClass.compare)
}

func (c drawClass) compare(o drawClass) int {
	return cmp.Or(cmp.Compare(c.scale, o.scale), cmp.Compare(c.span, o.span))
}
