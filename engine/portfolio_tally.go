package engine

import "github.com/chargecast/chargecast/amount"

// A tally adds up the charges of a period. Known amounts of one scale stay a [known] as long as
// possible, since that is faster to add to.
type tally struct {
	total [parts]amount.Total
	known [parts]known
	scale [parts]uint8
	draws map[uint32]uint64 // approved charges by the number of their range, where draws are kept
	used  bool
}

// addTo adds the charges to a tally.
func (c *known) addTo(t *tally, s shape) {
	if t.scale[s.part] != s.low {
		t.settle(s.part)
		t.scale[s.part] = s.low
	}
	t.known[s.part].add(c)
}

// addTo adds the charges to a tally.
func (c *random) addTo(t *tally, s shape) {
	t.total[s.part].Merge(c.Total)
	if s.draws > 0 && s.part != partDeclined {
		t.addDraws(s.draws, c.charges())
	}
}

func (t *tally) addDraws(number uint32, n uint64) {
	if t.draws == nil {
		t.draws = map[uint32]uint64{}
	}
	t.draws[number] += n
}

// settle brings all charges of a part into its total.
func (t *tally) settle(i part) {
	t.known[i].settle(&t.total[i], t.scale[i])
	t.known[i] = known{}
}

func (t *tally) settleAll() {
	for i := range parts {
		t.settle(i)
	}
}

// merge adds the charges of o, which it settles.
func (t *tally) merge(o *tally) {
	o.settleAll()
	for i := range parts {
		t.total[i].Merge(o.total[i])
	}
	for number, n := range o.draws {
		t.addDraws(number, n)
	}
}
