package amount

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
)

// Draws is the random part of a total: how many charges have a random amount, and from how many
// values each is drawn. It keeps no sum; [Draws.Quantiles] adds that of the least amounts, the Min
// of a [Total]. The draws are uniform and independent of each other (L36d). The zero value is no
// draws, ready to use.
//
// Its memory grows with the number of different ranges, not of charges. Counts are exact for fewer
// than 2^64 charges. A copy shares its memory with the original: [Draws.Clone] does not.
type Draws struct {
	counts map[drawClass]uint64
}

// A drawClass is draws that are alike: span+1 values, each a unit of 10^-scale from the next.
type drawClass struct {
	span  uint64 // 1 … 2^63-1
	scale uint8
}

// Add adds n charges of a choice. Only a range with different ends has anything random.
func (d *Draws) Add(r Choice, n uint64) {
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

// IsZero reports whether there are no draws.
func (d Draws) IsZero() bool { return len(d.counts) == 0 }

var errDraws = errors.New("amount: draws have no JSON form: store the portfolio that they come from")

// MarshalJSON returns an error: Draws cannot be stored.
func (d Draws) MarshalJSON() ([]byte, error) { return nil, errDraws }

// classes returns the classes in order of scale, then span.
func (d Draws) classes() []drawClass {
	return slices.SortedFunc(maps.Keys(d.counts), drawClass.compare)
}

func (c drawClass) compare(o drawClass) int {
	return cmp.Or(cmp.Compare(c.scale, o.scale), cmp.Compare(c.span, o.span))
}
