package reconcile_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
)

func probe(t *testing.T, asOf calendar.Date) reconcile.Experiment {
	t.Helper()
	x, err := reconcile.Probe(asOf)
	if err != nil {
		t.Fatalf("%v: %v", asOf, err)
	}
	return x
}

// simulation returns a row with its steps.
func simulation(x *reconcile.Experiment, row int) engine.Simulation {
	sim := engine.Simulation{Stored: engine.Stored{Profile: x.Rows[row].Profile}, AsOf: x.AsOf, Until: x.Through}
	for _, s := range x.Steps {
		if s.Line.Profile == sim.Stored.Profile.ID {
			sim.Steps = append(sim.Steps, s.Line.Step)
		}
	}
	return sim
}

// A course is what a policy makes of a row: what it charges, and which of its steps it does not
// accept.
type course struct {
	policy  engine.Policy
	days    []calendar.Date
	charges []string
	refused []bool
}

// courses tries every policy that matters to a row.
func courses(sim engine.Simulation) (list []course) {
	keys := reconcile.PolicyKeys(&sim)
	var try func(keys []ledger.Clause, p engine.Policy)
	try = func(keys []ledger.Clause, p engine.Policy) {
		if len(keys) > 0 {
			for v := range keys[0].Entry().Readings {
				try(keys[1:], p.WithReading(keys[0], v))
			}
			return
		}
		c := course{policy: p}
		_, err := engine.New(p).Simulate(sim, func(e engine.Effect) bool {
			switch e.Kind {
			case engine.EffectCharge:
				c.days = append(c.days, e.Date)
				c.charges = append(c.charges, fmt.Sprint(e.Date, e.Charge.Min))
			case engine.EffectEvent:
				c.refused = append(c.refused, e.Result != engine.ResultAccepted)
			case engine.EffectStop:
			}
			return true
		})
		if err != nil { // the row is refused, and so is each of its steps
			c = course{policy: p, refused: slices.Repeat([]bool{true}, len(sim.Steps))}
		}
		list = append(list, c)
	}
	try(keys, engine.Policy{})
	return list
}

// apart groups the values of a key: in one group are those under which the same is charged up to a
// day, whatever the values of the other keys are.
func apart(list []course, key ledger.Clause, through calendar.Date) (groups [][]int) {
	values := len(key.Entry().Readings)
	group := make([]int, values)
	for v := range group {
		group[v] = v
	}
	first := map[string]int{} // a value under which this is charged
	for _, c := range list {
		n, _ := slices.BinarySearchFunc(c.days, through.AddDays(1), calendar.Date.Compare)
		text := fmt.Sprint(c.charges[:n])
		v := slices.Index(key.Entry().Values(), c.policy.Reading(key).Value)
		w, ok := first[text]
		if !ok {
			first[text] = v
			continue
		}
		from, to := max(group[v], group[w]), min(group[v], group[w])
		for i := range group {
			if group[i] == from {
				group[i] = to
			}
		}
	}
	for v := range group {
		var with []int
		for w := range group {
			if group[w] == v {
				with = append(with, w)
			}
		}
		if with != nil {
			groups = append(groups, with)
		}
	}
	return groups
}

// TestProbe: for every day of four years on which it may begin, the experiment decides every key
// that one can decide, tells exactly what trying every policy tells, and not a day earlier; there
// is a look wherever something is to be seen, and a step that may be refused says so. Ordinarily
// some of the days are tried, and all of them with CHARGECAST_GATE.
func TestProbe(t *testing.T) {
	every := 61
	if os.Getenv("CHARGECAST_GATE") != "" {
		every = 1
	}
	for n := 0; n < 1461; n += every {
		x := probe(t, calendar.MustParse("2026-01-01").AddDays(n))
		if len(x.Rows) > 6 || x.Through.Sub(x.AsOf) >= x.Days || x.Days != 62 && x.Days != 92 {
			t.Errorf("%v: %d rows, %d days, through %v", x.AsOf, len(x.Rows), x.Days, x.Through)
		}
		for key := range engine.Keys() {
			decided := slices.ContainsFunc(x.Decides, func(d reconcile.Decision) bool { return d.Key == key })
			if not := slices.ContainsFunc(x.Undecidable, func(u reconcile.Undecidable) bool { return u.Key == key }); decided == not {
				t.Errorf("%v: %s is decided: %v", x.AsOf, key.Key(), decided)
			}
		}
		for i := range x.Rows {
			checkRow(t, &x, i, courses(simulation(&x, i)))
		}
	}
}

func checkRow(t *testing.T, x *reconcile.Experiment, row int, list []course) {
	t.Helper()
	id := x.Rows[row].Profile.ID
	sim := simulation(x, row)
	for key := range engine.Keys() {
		i := slices.IndexFunc(x.Decides, func(d reconcile.Decision) bool { return d.Key == key && d.Profile == id })
		is := apart(list, key, x.Through)
		if !slices.Contains(reconcile.PolicyKeys(&sim), key) {
			is = nil
		}
		if i < 0 {
			if len(is) > 1 {
				t.Errorf("%s tells %v of %s, and does not say so", id, is, key.Key())
			}
			continue
		}
		d := &x.Decides[i]
		if d.Unless != "" || !reflect.DeepEqual(d.Apart, is) || !reflect.DeepEqual(apart(list, key, d.Date), is) {
			t.Errorf("%s tells %v of %s by %v, and says %+v", id, is, key.Key(), d.Date, d)
		}
		if before := apart(list, key, d.Date.AddDays(-1)); reflect.DeepEqual(before, is) {
			t.Errorf("%s tells all of %s before %v", id, key.Key(), d.Date)
		}
		if !slices.Contains(x.Look, reconcile.Look{Profile: id, Date: d.Date}) {
			t.Errorf("%s: nobody looks when %s is told", id, key.Key())
		}
	}
	var last calendar.Date
	for _, l := range x.Look {
		if l.Profile == id {
			last = l.Date
		}
	}
	for _, c := range list {
		if n := len(c.days); n > 0 && c.days[n-1].After(last) {
			t.Errorf("%s is charged on %v, after the last look, under %v", id, c.days[n-1], c.policy)
		}
		n := 0
		for _, s := range x.Steps {
			if s.Line.Profile != id {
				continue
			}
			isSaid := slices.ContainsFunc(s.Unless, func(r string) bool { return slices.Contains(strings.Split(c.policy.String(), ","), r) })
			if !s.Line.Step.After || c.refused[n] != isSaid {
				t.Errorf("%s: the step on %v is refused: %v, under %v", id, s.Line.Step.Date, c.refused[n], c.policy)
			}
			n++
		}
	}
}

// TestProbeMonthEnd: the monthly row where the month is kind to it, where it takes an update, and
// where no short month is near; what stays open would be told in as many days as it says.
func TestProbeMonthEnd(t *testing.T) {
	for _, c := range []struct {
		asOf, start, moved string
		days               int
		apart, open        string
	}{
		{"2026-01-10", "2026-01-30", "", 62, "[[0] [1] [2] [3]] by 2026-03-02", "[{L09 [0 2] 0}]"},
		{"2026-02-19", "2026-02-20", "30.01.2026", 62, "[[0] [1] [2] [3]] by 2026-03-02", "[{L09 [0 2] 0}]"},
		{"2026-04-10", "2026-04-11", "31.03.2026", 62, "[[0] [1] [2 3]] by 2026-05-01", "[{L01 [2 3] 326} {L09 [0 2] 0}]"},
		{"2026-07-01", "2026-07-31", "", 92, "[[0] [1 2 3]] by 2026-09-30", "[{L01 [1 2 3] 244} {L09 [0 2] 0}]"},
		{"2028-01-20", "2028-01-31", "", 62, "[[0] [1] [2] [3]] by 2028-03-02", "[{L09 [0 2] 0}]"},
	} {
		x := probe(t, calendar.MustParse(c.asOf))
		p, moved := x.Rows[1].Profile, ""
		for _, s := range x.Steps {
			if s.Line.Profile == p.ID {
				moved = s.Line.Cells[0].Value
			}
		}
		i := slices.IndexFunc(x.Decides, func(d reconcile.Decision) bool { return d.Key.Key() == "month-end" })
		d := x.Decides[i]
		if got := fmt.Sprint(d.Apart, " by ", d.Date); p.Start.String() != c.start || moved != c.moved || x.Days != c.days || got != c.apart || fmt.Sprint(x.Open) != c.open {
			t.Errorf("%s: from %v, moved to %q, %d days, %s, open %v", c.asOf, p.Start, moved, x.Days, got, x.Open)
		}
	}
}

// TestProbeRequests: the rows that no reading refuses are sent together, and the same day gives the
// same experiment.
func TestProbeRequests(t *testing.T) {
	x := probe(t, calendar.MustParse("2026-01-10"))
	var requests []int
	for _, row := range x.Rows {
		requests = append(requests, row.Request)
	}
	if !slices.Equal(requests, []int{1, 1, 2, 3, 4}) {
		t.Errorf("rows of the requests %v", requests)
	}
	if !reflect.DeepEqual(x, probe(t, x.AsOf)) {
		t.Error("the same day gives another experiment")
	}
	for _, asOf := range []calendar.Date{{}, calendar.MinDate(), calendar.MaxDate(), calendar.MaxDate().AddDays(-100)} {
		if y, err := reconcile.Probe(asOf); err == nil || len(y.Rows) > 0 {
			t.Errorf("%v: %v", asOf, err)
		}
	}
}
