package laws

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// probeLaws are the laws of experiments.
func probeLaws() []Law {
	return []Law{
		own("Z06", "L01 L24 L48", "an experiment carried out under any π and reconciled: of each key that it decides π's value is not refuted, each value of another group is; every step is accepted, or it says where not", gen.Probes, probeDecides).slow(),
		own("Z07", "L01", "an experiment has at most six rows, none of which can be left out, nor its last day, without a pair of values less told apart; every key but those it names is decided", gen.Probes, probeIsSmall).slow(),
	}
}

func (t *T) experiment(c gen.ProbeCase) reconcile.Experiment {
	x, err := t.Probe(c.AsOf)
	if err != nil {
		t.Fatalf("Probe failed: %v", err)
	}
	return x
}

// carriedOut is an experiment as a gateway with a policy sees it, without what it charged.
func carriedOut(x *reconcile.Experiment, p engine.Policy) gen.GatewayCase {
	c := gen.GatewayCase{AsOf: x.AsOf, Through: x.Through, Policy: p}
	for _, row := range x.Rows {
		r := gen.GatewayRow{Job: gen.Job{Profile: row.Profile, AsOf: x.AsOf}}
		r.Profile.Currency = "EUR"
		for _, s := range x.Steps {
			if s.Line.Profile == row.Profile.ID {
				r.Steps = append(r.Steps, s.Line.Step)
			}
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

// inForce reports whether a reading such as start-past=reject is in force.
func inForce(p engine.Policy, reading string) bool {
	return slices.Contains(strings.Split(p.String(), ","), reading)
}

// looked are the lines of somebody who looks on the days that an experiment says: what was charged since the last look, or
// that nothing was.
func looked(x *reconcile.Experiment, c *gen.GatewayCase) (lines []gen.GatewayLine) {
	add := func(l gen.GatewayLine) {
		l.Number = len(lines) + 1
		lines = append(lines, l)
	}
	for i := range c.Rows {
		id, charges := c.Rows[i].Profile.ID, c.Charges(&c.Rows[i], c.Policy)
		since := x.AsOf
		for _, look := range x.Look {
			if look.Profile != id {
				continue
			}
			seen := len(lines)
			for _, e := range charges {
				if !e.Date.Before(since) && !e.Date.After(look.Date) {
					add(gen.GatewayLine{Profile: id, Date: e.Date, Amount: e.Min})
				}
			}
			if len(lines) == seen {
				add(gen.GatewayLine{Profile: id, Date: look.Date, None: true})
			}
			since = look.Date.AddDays(1)
		}
	}
	return lines
}

func probeDecides(t *T, p gen.ProbeCase) {
	x := t.experiment(p)
	if len(x.Rows) == 0 {
		return
	}
	c := carriedOut(&x, p.Policy)
	c.Lines = looked(&x, &c)
	for i, row := range c.Rows {
		if err := t.Check(engine.Stored{Profile: row.Profile}, x.AsOf, engine.Policy{}); err != nil {
			t.Errorf("%s is refused under the defaults: %v", row.Profile.ID, err)
		}
		t.stepsAccepted(&x, &c, i)
	}
	r := t.reconciled(c, nil)
	for _, d := range x.Decides {
		if inForce(p.Policy, d.Unless) {
			continue
		}
		right := placeOf(p.Policy, d.Key)
		for _, group := range d.Apart {
			for _, v := range group {
				isOwn := slices.Contains(group, right)
				of := r.readingOf(d.Key, v)
				switch {
				case v == right && of.Against > 0:
					t.Errorf("%s is true, and %s after the experiment", readingText(d.Key, v), of.Verdict)
				case !isOwn && of.Verdict != record.VerdictRefuted:
					t.Errorf("%s is wrong, which %s is to show, and %s after the experiment", readingText(d.Key, v), d.Profile, of.Verdict)
				}
			}
		}
	}
}

// stepsAccepted asks whether the experiment names a reading in force for each step that is not.
func (t *T) stepsAccepted(x *reconcile.Experiment, c *gen.GatewayCase, row int) {
	id := c.Rows[row].Profile.ID
	j := c.Rows[row].Job
	j.Policy = c.Policy
	var results []string
	for _, r := range c.Life(&c.Rows[row], c.Policy) {
		if r.Do != 0 {
			results = append(results, r.Result)
		}
	}
	refused := gen.MachineOf(j, oracle.Right()) == nil
	if alone := slices.IndexFunc(x.Rows, func(o reconcile.ProbeRow) bool {
		return o.Request == x.Rows[row].Request && o.Profile.ID != id
	}) < 0; refused && !alone {
		t.Errorf("%s is refused, and takes other rows of its request with it", id)
	}
	n := 0
	for _, s := range x.Steps {
		if s.Line.Profile != id {
			continue
		}
		if !s.Line.Step.After {
			t.Errorf("a step of %s comes before its day's run", id)
		}
		isSaid := slices.ContainsFunc(s.Unless, func(r string) bool { return inForce(c.Policy, r) })
		if isRefused := refused || n >= len(results) || results[n] != "accepted"; isRefused && !isSaid {
			t.Errorf("the step of %s on %v is not accepted, and no reading says so", id, s.Line.Step.Date)
		}
		n++
	}
}

// told has, for each value of a key, the set of values that are distinguished from it, one bit per value.
type told []uint

// toldBy returns what a decision claims to distinguish.
func toldBy(d *reconcile.Decision) told {
	list := make(told, len(d.Key.Entry().Readings))
	for i, group := range d.Apart {
		for k, other := range d.Apart {
			if i == k {
				continue
			}
			for _, v := range group {
				list[v] |= bitsOf(other)
			}
		}
	}
	return list
}

func bitsOf(values []int) (bits uint) {
	for _, v := range values {
		bits |= 1 << v
	}
	return bits
}

// alike is a set of values of a key under which the same is charged: all of them, and those for which the excepting reading is
// not in force.
type alike struct{ all, sure uint }

// charged groups the values of a key by what is charged under them, over all values of the other keys.
func charged(c *gen.GatewayCase, r *gen.GatewayRow, keys []ledger.Clause, key ledger.Clause, unless string) map[string]alike {
	by := map[string]alike{}
	everyPolicy(keys, engine.Policy{}, func(p engine.Policy) {
		var text strings.Builder
		for _, e := range c.Charges(r, p) {
			text.WriteString(e.Date.String() + " " + e.Min.String() + "\n")
		}
		m := by[text.String()]
		bit := uint(1) << placeOf(p, key)
		if m.all |= bit; !inForce(p, unless) {
			m.sure |= bit
		}
		by[text.String()] = m
	})
	return by
}

// distinguished returns which values of a key a row distinguishes up to a day: two values for which no choice of the other keys
// leads to the same charges. Choices in which the reading unless is in force for both do not count. Not being distinguished is
// transitive: values that cannot be told from a common third one are in one group.
func distinguished(c gen.GatewayCase, row int, through calendar.Date, key ledger.Clause, unless string) told {
	list := make(told, len(key.Entry().Readings))
	s := c.Simulation(&c.Rows[row])
	keys := reconcile.PolicyKeys(&s)
	if !slices.Contains(keys, key) {
		return list
	}
	c.Through = through
	by := charged(&c, &c.Rows[row], keys, key, unless)
	group := make([]uint, len(list)) // for each value those that it is not told from
	for v := range group {
		group[v] = 1 << v
	}
	for range group {
		for _, m := range by {
			if m.sure == 0 {
				continue
			}
			for v := range group {
				if group[v]&m.all != 0 {
					m.all |= group[v]
				}
			}
			for v := range group {
				if m.all>>v&1 == 1 {
					group[v] |= m.all
				}
			}
		}
	}
	for v := range list {
		list[v] = (1<<len(list) - 1) &^ group[v]
	}
	return list
}

// toldByAll is what all decisions of an experiment but those of one row tell apart, by key.
func toldByAll(x *reconcile.Experiment, but string) map[ledger.Clause]told {
	list := map[ledger.Clause]told{}
	for i := range x.Decides {
		d := &x.Decides[i]
		if d.Profile == but {
			continue
		}
		if list[d.Key] == nil {
			list[d.Key] = make(told, len(d.Key.Entry().Readings))
		}
		for v, from := range toldBy(d) {
			list[d.Key][v] |= from
		}
	}
	return list
}

func probeIsSmall(t *T, p gen.ProbeCase) {
	x := t.experiment(p)
	if len(x.Rows) == 0 || len(x.Rows) > 6 {
		t.Fatalf("it has %d rows", len(x.Rows))
	}
	all := toldByAll(&x, "")
	for _, row := range x.Rows {
		without, isLess := toldByAll(&x, row.Profile.ID), false
		for key, of := range all {
			isLess = isLess || without[key] == nil || !slices.Equal(without[key], of)
		}
		if !isLess {
			t.Errorf("%s can be left out", row.Profile.ID)
		}
	}
	t.allNamed(&x, all)
	if last := slices.MaxFunc(x.Decides, func(a, b reconcile.Decision) int { return a.Date.Compare(b.Date) }); last.Date != x.Through {
		t.Errorf("all is told by %v, and it ends on %v", last.Date, x.Through)
	}
	t.tellsAll(&x, carriedOut(&x, engine.Policy{}), int(p.Row%uint64(len(x.Rows))))
}

// allNamed checks that every key is decided or named as one that nothing decides, and that every pair of values of the
// others is told apart or left open.
func (t *T) allNamed(x *reconcile.Experiment, all map[ledger.Clause]told) {
	for key := range engine.Keys() {
		not := slices.ContainsFunc(x.Undecidable, func(u reconcile.Undecidable) bool { return u.Key == key })
		if decided := all[key] != nil; decided == not {
			t.Errorf("%s is decided: %v, and is said to be undecidable: %v", key.Key(), decided, not)
		}
		if all[key] == nil {
			continue
		}
		for w := range key.Entry().Readings {
			for v := range w {
				isTold := all[key][v]>>w&1 == 1
				isOpen := slices.ContainsFunc(x.Open, func(o reconcile.OpenReadings) bool {
					return o.Key == key && slices.Contains(o.Values, v) && slices.Contains(o.Values, w)
				})
				if isOpen == isTold {
					t.Errorf("%s and %s: open %v, told apart %v", readingText(key, v), readingText(key, w), isOpen, isTold)
				}
			}
		}
	}
}

// tellsAll compares what the experiment says of a row with what trying every policy on it tells.
func (t *T) tellsAll(x *reconcile.Experiment, c gen.GatewayCase, row int) {
	id := c.Rows[row].Profile.ID
	for key := range engine.Keys() {
		i := slices.IndexFunc(x.Decides, func(d reconcile.Decision) bool { return d.Key == key && d.Profile == id })
		if i < 0 {
			if slices.Max(distinguished(c, row, x.Through, key, "")) > 0 {
				t.Errorf("%s tells values of %s apart, and the experiment says nothing of it", id, key.Key())
			}
			continue
		}
		d := &x.Decides[i]
		is := toldBy(d)
		t.Equal(id+" tells of "+key.Key(), is, distinguished(c, row, x.Through, key, d.Unless))
		t.Equal(id+" tells of "+key.Key()+" by "+d.Date.String(), is, distinguished(c, row, d.Date, key, d.Unless))
		if early := d.Date.AddDays(-1); !early.Before(x.AsOf) && slices.Equal(is, distinguished(c, row, early, key, d.Unless)) {
			t.Errorf("%s tells of %s before %v", id, key.Key(), d.Date)
		}
	}
}
