package reconcile

import (
	"math/bits"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A trial is a draft under every policy of the keys that it rests on: which of them its charges tell apart by which day.
type trial struct {
	sim     engine.Simulation
	lines   []record.ScriptLine
	keys    []axis
	refused bool     // by some policy: the row is a request of its own (L48)
	results [][]bool // of each step, which policies do not accept it
	last    int      // the last day with a charge under any policy; -1 for none
	told    map[ledger.Clause]*telling
}

// An axis is a key of a trial. The policies of a trial are numbered: value v of the key is in force in policy n where
// n / stride % values is v.
type axis struct {
	clause         ledger.Clause
	values, stride int
}

func (a *axis) of(policy int) int { return policy / a.stride % a.values }

// A telling is what a trial tells of one key.
type telling struct {
	values int
	unless *condition
	// by is the first day on which each pair of values is told apart, 0 being as-of; never for none.
	by [maxValues][maxValues]int
}

// A condition is a reading under which a key has no effect.
type condition struct {
	key   int // the place of the key in the trial
	value int
}

const (
	maxValues = 8
	never     = 1 << 30
)

// levels of certainty with which a pair of values is told apart.
const (
	levelNone   = iota
	levelUnless // unless another key has a certain value
	levelAlways
)

// level returns how certainly the telling tells two values apart by a day.
func (t *telling) level(v, w, day int) int {
	switch {
	case t.by[v][w] > day:
		return levelNone
	case t.unless != nil:
		return levelUnless
	}
	return levelAlways
}

// tryOut simulates a draft over so many days; nil where the calendar does not have them.
func tryOut(d *draft, asOf calendar.Date, days int, sums []amount.Amount) *trial {
	t := &trial{last: -1, told: map[ledger.Clause]*telling{}}
	var ok bool
	if t.sim, t.lines, ok = d.simulation(asOf, min(days, d.days()), sums); !ok {
		return nil
	}
	for _, c := range PolicyKeys(&t.sim) {
		t.keys = append(t.keys, axis{c, len(c.Entry().Readings), t.policies()})
	}
	count := t.policies()
	charges := make([]map[int]string, count) // of each policy, what is charged on a day
	t.results = make([][]bool, len(t.lines))
	for i := range t.results {
		t.results[i] = make([]bool, count)
	}
	for n := range count {
		charges[n] = t.simulate(n)
	}
	t.tell(charges)
	return t
}

// policies returns how many policies there are.
func (t *trial) policies() int {
	if len(t.keys) == 0 {
		return 1
	}
	last := t.keys[len(t.keys)-1]
	return last.values * last.stride
}

// policy returns policy n of the trial.
func (t *trial) policy(n int) engine.Policy {
	var p engine.Policy
	for i := range t.keys {
		p = p.WithReading(t.keys[i].clause, t.keys[i].of(n))
	}
	return p
}

// simulate returns what is charged under policy n by day: nothing where it refuses the row.
func (t *trial) simulate(n int) map[int]string {
	days, step := map[int]string{}, 0
	_, err := engine.New(t.policy(n)).Simulate(t.sim, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.EffectEvent:
			t.results[step][n] = e.Result != engine.ResultAccepted
			step++
		case engine.EffectCharge:
			day := e.Date.Sub(t.sim.AsOf)
			days[day] += e.Charge.Min.String() + " "
			t.last = max(t.last, day)
		case engine.EffectStop:
		}
		return true
	})
	if err != nil {
		t.refused = true
		for i := range t.results {
			t.results[i][n] = true
		}
	}
	return days
}

// tell fills what the charges tell of each key. From day to day the policies fall into more classes, those within one
// having charged the same so far.
func (t *trial) tell(charges []map[int]string) {
	class := make([]int, len(charges))
	type step struct {
		day   int
		class []int
	}
	var steps []step
	classes := 1
	for day := range t.last + 1 {
		type key struct {
			before int
			today  string
		}
		seen := map[key]int{}
		next := make([]int, len(class))
		for n, before := range class {
			k := key{before, charges[n][day]}
			if _, ok := seen[k]; !ok {
				seen[k] = len(seen)
			}
			next[n] = seen[k]
		}
		if class = next; len(seen) > classes {
			classes = len(seen)
			steps = append(steps, step{day, class})
		}
	}
	if len(steps) == 0 {
		return
	}
	for k := range t.keys {
		unless, ok := t.unless(k, class)
		if !ok {
			continue
		}
		told := &telling{values: t.keys[k].values, unless: unless}
		for v := range told.by {
			for w := range told.by[v] {
				told.by[v][w] = never
			}
		}
		for _, s := range steps {
			group := t.groups(k, unless, s.class)
			for v := range told.values {
				for w := range told.values {
					if group[v] != group[w] {
						told.by[v][w] = min(told.by[v][w], s.day)
					}
				}
			}
		}
		t.told[t.keys[k].clause] = told
	}
}

// unless returns the reading without which the classes tell values of key k apart: nil where they always do. It is the
// one with which they tell most; false where there is none.
func (t *trial) unless(k int, class []int) (*condition, bool) {
	most := apart(t.groups(k, nil, class), t.keys[k].values)
	if most > 0 {
		return nil, true
	}
	var best *condition
	for other := range t.keys {
		for v := range t.keys[other].values {
			c := &condition{other, v}
			if other == k || !t.idle(k, c, class) {
				continue
			}
			if n := apart(t.groups(k, c, class), t.keys[k].values); n > most {
				best, most = c, n
			}
		}
	}
	return best, best != nil
}

// holds reports whether a condition holds under a policy; nil never does.
func (t *trial) holds(c *condition, policy int) bool {
	return c != nil && t.keys[c.key].of(policy) == c.value
}

// idle reports whether key k has no effect where a condition holds.
func (t *trial) idle(k int, c *condition, class []int) bool {
	a := &t.keys[k]
	for n := range class {
		if t.holds(c, n) && class[n] != class[n-a.of(n)*a.stride] {
			return false
		}
	}
	return true
}

// groups returns for each value of key k the least value that the classes do not tell from it: two are told apart only
// where no values of the other keys make them charge alike, one of the two at least being in force where the condition
// does not hold.
func (t *trial) groups(k int, c *condition, class []int) (group [maxValues]int) {
	type masks struct{ all, sure uint }
	of := map[int]masks{}
	for n, in := range class {
		m := of[in]
		bit := uint(1) << t.keys[k].of(n)
		m.all |= bit
		if !t.holds(c, n) {
			m.sure |= bit
		}
		of[in] = m
	}
	for v := range group {
		group[v] = v
	}
	for again := true; again; {
		again = false
		for _, m := range of {
			if m.sure == 0 {
				continue
			}
			low := bits.Len(m.all)
			for v := range t.keys[k].values {
				if m.all>>v&1 == 1 {
					low = min(low, group[v])
				}
			}
			for v := range t.keys[k].values {
				if m.all>>v&1 == 1 && group[v] != low {
					group[v], again = low, true
				}
			}
		}
	}
	return group
}

// apart counts the pairs of values in different groups.
func apart(group [maxValues]int, values int) (n int) {
	for v := range values {
		for w := range v {
			if group[v] != group[w] {
				n++
			}
		}
	}
	return n
}

// refusals returns the readings under each of which a step is not accepted, whatever the others are.
func (t *trial) refusals(step int) []string {
	var list []string
	for i := range t.keys {
		a := &t.keys[i]
		for v := range a.values {
			isSure := true
			for n, refused := range t.results[step] {
				isSure = isSure && (refused || a.of(n) != v)
			}
			if isSure {
				list = append(list, reading(a.clause, v))
			}
		}
	}
	return list
}

// reading is a value of a key as --policy takes it.
func reading(c ledger.Clause, v int) string {
	r, _ := c.Reading(v)
	return c.Key() + "=" + r.Value
}
