package reconcile_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
)

func probe(t *testing.T, o reconcile.ProbeOptions) reconcile.Experiment {
	t.Helper()
	x, err := reconcile.Probe(o)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	return x
}

// product yields a policy for each choice of values of some keys.
func product(keys []ledger.Clause, p engine.Policy, yield func(engine.Policy)) {
	if len(keys) == 0 {
		yield(p)
		return
	}
	for v := range keys[0].Entry().Readings {
		product(keys[1:], p.WithReading(keys[0], v), yield)
	}
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

// days on which an experiment begins: every 193 days of four years, and the ends of months and of the calendar.
func days() []calendar.Date {
	list := []calendar.Date{calendar.MinDate(), calendar.MinDate().AddDays(98), calendar.MaxDate(), calendar.MaxDate().AddDays(-1), calendar.MaxDate().AddDays(-40)}
	for _, text := range []string{"2026-01-10", "2026-01-28", "2026-01-29", "2026-01-31", "2026-02-01", "2027-12-31", "2028-01-30", "2028-02-29", "2026-07-01"} {
		list = append(list, calendar.MustParse(text))
	}
	if testing.Short() {
		return list
	}
	for n := 0; n < 1461; n += 193 {
		list = append(list, calendar.MustParse("2025-03-01").AddDays(n))
	}
	return list
}

// TestProbe: what laws Z06 and Z07 do not ask for. What stays open is told in the days that it says and not in fewer, and
// there is a look wherever something is to be seen.
func TestProbe(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 2))
	for i, asOf := range days() {
		o := reconcile.ProbeOptions{AsOf: asOf}
		if i%2 == 1 {
			o.Days = min(1+r.IntN(80), calendar.MaxDate().Sub(asOf)+1)
			for c := range engine.Keys() {
				if r.IntN(2) == 0 {
					o.Keys = append(o.Keys, c)
				}
			}
		}
		x := probe(t, o)
		if !x.Through.IsZero() && x.Through.Sub(x.AsOf) >= x.Days {
			t.Errorf("%v: %d days, through %v", asOf, x.Days, x.Through)
		}
		checkOpen(t, &x)
		checkLook(t, &x)
	}
}

// checkOpen asks for what is open in as many days as it takes, in a day less, and in many more.
func checkOpen(t *testing.T, x *reconcile.Experiment) {
	t.Helper()
	for _, open := range x.Open {
		if open.Days == 0 {
			continue
		}
		left := func(days int) (pairs int) {
			y := probe(t, reconcile.ProbeOptions{AsOf: x.AsOf, Days: days, Keys: []ledger.Clause{open.Key}})
			for _, together := range y.Open {
				n := 0
				for _, v := range together.Values {
					if slices.Contains(open.Values, v) {
						n++
					}
				}
				pairs += n * (n - 1) / 2
			}
			return pairs
		}
		if open.Days <= x.Days || left(open.Days) >= left(open.Days-1) || left(open.Days) > left(min(open.Days+500, calendar.MaxDate().Sub(x.AsOf)+1)) {
			t.Errorf("%v: %d days: %+v", x.AsOf, x.Days, open)
		}
	}
}

// TestProbeSmallest: what was larger once. A month's end that has begun takes an update alone; the row that tells most need
// not be one of the smallest choice; and for a few keys there are rows with fewer steps than the one that tells most.
func TestProbeSmallest(t *testing.T) {
	for _, c := range []struct {
		asOf    string
		days    int
		keys    []ledger.Clause
		rows    int
		steps   int
		through string
	}{
		{"2026-02-19", 90, nil, 5, 5, "2026-03-10"},
		{"2026-02-19", 90, []ledger.Clause{clause.L01}, 1, 1, "2026-03-02"},
		{"2026-01-10", 62, []ledger.Clause{clause.L01, clause.L20}, 1, 1, "2026-03-02"},
		{"2026-01-31", 62, nil, 5, 4, "2026-03-03"},
		{"2029-01-30", 35, nil, 5, 4, "2029-03-02"},
		{"2026-01-06", 5, nil, 5, 3, "2026-01-09"},
		{"2026-01-10", 62, []ledger.Clause{clause.L14}, 1, 1, "2026-01-13"},
		{"2026-01-10", 62, []ledger.Clause{clause.L20}, 1, 1, "2026-01-11"},
		{"2026-01-10", 62, []ledger.Clause{clause.L21}, 1, 1, "2026-01-11"},
		{"2026-01-10", 62, []ledger.Clause{clause.L20, clause.L21}, 1, 2, "2026-01-13"},
		{"2026-01-10", 62, []ledger.Clause{clause.L14, clause.L15, clause.L16, clause.L20}, 1, 3, "2026-01-16"},
	} {
		x := probe(t, reconcile.ProbeOptions{AsOf: calendar.MustParse(c.asOf), Days: c.days, Keys: c.keys})
		if len(x.Rows) != c.rows || len(x.Steps) != c.steps || x.Through.String() != c.through {
			t.Errorf("%s, %d days, %v: %d rows and %d steps through %v, want %d, %d and %s",
				c.asOf, c.days, c.keys, len(x.Rows), len(x.Steps), x.Through, c.rows, c.steps, c.through)
		}
		for _, d := range x.Decides {
			if d.Key == clause.L01 && (d.Unless != "" || len(d.Apart) != 4) {
				t.Errorf("%s: %+v", c.asOf, d)
			}
		}
	}
}

// checkLook: on the last day of each decision one looks at its row, and on the last of all at every row that may have been
// charged since.
func checkLook(t *testing.T, x *reconcile.Experiment) {
	t.Helper()
	for _, d := range x.Decides {
		if !slices.Contains(x.Look, reconcile.Look{Profile: d.Profile, Date: d.Date}) {
			t.Errorf("%v: nobody looks when %+v is told", x.AsOf, d)
		}
	}
	for row := range x.Rows {
		var last calendar.Date
		for _, l := range x.Look {
			if l.Profile == x.Rows[row].Profile.ID && l.Date.After(last) {
				last = l.Date
			}
		}
		sim := simulation(x, row)
		product(reconcile.PolicyKeys(&sim), engine.Policy{}, func(p engine.Policy) {
			_, _ = engine.New(p).Simulate(sim, func(e engine.Effect) bool { // a row that is refused has no charges
				if e.Kind == engine.EffectCharge && e.Date.After(last) {
					t.Errorf("%v: %s is charged after the last look", x.AsOf, sim.Stored.Profile.ID)
				}
				return true
			})
		})
	}
}

// TestProbeDefault: the rows that no reading refuses are sent together, and the same options give the same experiment.
func TestProbeDefault(t *testing.T) {
	x := probe(t, reconcile.ProbeOptions{AsOf: calendar.MustParse("2026-01-10")})
	var requests []int
	for _, row := range x.Rows {
		requests = append(requests, row.Request)
	}
	if !slices.Equal(requests, []int{1, 1, 2, 3, 4}) || x.Through.String() != "2026-03-02" || fmt.Sprint(x.Open) != "[{L09 [0 2] 0}]" {
		t.Errorf("rows of the requests %v through %v, open %v", requests, x.Through, x.Open)
	}
	if y := probe(t, reconcile.ProbeOptions{AsOf: x.AsOf, Days: reconcile.ProbeDays}); !reflect.DeepEqual(x, y) {
		t.Error("the same options give another experiment")
	}
}

// TestProbeRefuses: options without a meaning are refused.
func TestProbeRefuses(t *testing.T) {
	asOf := calendar.MustParse("2026-01-10")
	big, err := amount.Parse("9999999999")
	if err != nil {
		t.Fatal(err)
	}
	zero, _ := amount.Parse("0.00")
	for reason, o := range map[string]reconcile.ProbeOptions{
		"no day":            {},
		"days before as-of": {AsOf: asOf, Days: -1},
		"past the calendar": {AsOf: calendar.MaxDate(), Days: 2},
		"no key":            {AsOf: asOf, Keys: []ledger.Clause{clause.L07}},
		"no clause":         {AsOf: asOf, Keys: []ledger.Clause{0}},
		"too much":          {AsOf: asOf, Amount: big},
		"nothing":           {AsOf: asOf, Amount: zero},
	} {
		if x, err := reconcile.Probe(o); err == nil || len(x.Rows) > 0 {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
