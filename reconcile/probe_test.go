package reconcile_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

var everyPolicy = flag.Bool("policies", false, "try the experiments under each of the 61,440 policies")

func probe(t *testing.T, o reconcile.ProbeOptions) reconcile.Experiment {
	t.Helper()
	x, err := reconcile.Probe(o)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	return x
}

// charged returns what is charged on a row up to a day, each charge with its day and amount; "" where the policy refuses
// the row. It also returns the steps that were not accepted.
func charged(x *reconcile.Experiment, row int, through calendar.Date, p engine.Policy) (text string, refused []int) {
	sim := engine.Simulation{Stored: engine.Stored{Profile: x.Rows[row].Profile}, AsOf: x.AsOf, Until: through}
	var at []int
	for i, s := range x.Steps {
		if s.Line.Profile == sim.Stored.Profile.ID && !s.Line.Step.Date.After(through) {
			sim.Script.Steps, at = append(sim.Script.Steps, s.Line.Step), append(at, i)
		}
	}
	var b strings.Builder
	n := 0
	_, err := engine.New(p).Simulate(sim, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.ChargeAttempted:
			b.WriteString(e.Date.String() + " " + e.Charge.Min.String() + "\n")
		case engine.EventHandled:
			if e.Result != engine.ResultAccepted {
				refused = append(refused, at[n])
			}
			n++
		}
		return true
	})
	if err != nil {
		return "", at
	}
	return b.String(), refused
}

// policies yields policies of all keys, or so many that are drawn, if not all are asked for.
func policies(r *rand.Rand, draw int, yield func(engine.Policy)) {
	if *everyPolicy {
		product(slices.Collect(engine.Keys()), engine.Policy{}, yield)
		return
	}
	for range draw {
		yield(drawn(r))
	}
}

func drawn(r *rand.Rand) engine.Policy {
	var p engine.Policy
	for c := range engine.Keys() {
		p = p.WithReading(c, r.IntN(len(c.Entry().Readings)))
	}
	return p
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

// restsOn returns the keys on which a row rests, found by trying: those with two values that charge differently under
// some policy of a sample, and those that may join them.
func restsOn(x *reconcile.Experiment, row int, through calendar.Date) []ledger.Clause {
	sim := engine.Simulation{Stored: engine.Stored{Profile: x.Rows[row].Profile}, AsOf: x.AsOf, Until: through}
	for _, s := range x.Steps {
		if s.Line.Profile == sim.Stored.Profile.ID {
			sim.Script.Steps = append(sim.Script.Steps, s.Line.Step)
		}
	}
	return sim.RestsOn()
}

func place(p engine.Policy, c ledger.Clause) int {
	v, _ := p.Place(c)
	return v
}

// has reports whether a reading such as "start-past=reject" is in force; none is not.
func has(p engine.Policy, reading string) bool {
	key, value, ok := strings.Cut(reading, "=")
	if !ok {
		return false
	}
	for k, v := range p.Values() {
		if k == key {
			return v == value
		}
	}
	return false
}

// days on which an experiment begins: every 193 days of four years, and the ends of months and of the calendar.
func days() []calendar.Date {
	list := []calendar.Date{calendar.First(), calendar.First().AddDays(98), calendar.Last(), calendar.Last().AddDays(-1), calendar.Last().AddDays(-40)}
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

// TestProbeDecides is law Z06 but for the payloads, which the command writes: whatever the gateway's readings are, the
// charges of a row leave of a decided key only values of the group that the gateway's is in; steps are accepted, or it is
// said where they are not.
func TestProbeDecides(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	all := days()
	draw := 500/len(all) + 1
	for _, asOf := range all {
		x := probe(t, reconcile.ProbeOptions{AsOf: asOf})
		for row := range x.Rows {
			id := x.Rows[row].Profile.ID
			keys := restsOn(&x, row, x.Through)
			explains := map[string][]engine.Policy{}
			product(keys, engine.Policy{}, func(p engine.Policy) {
				text, _ := charged(&x, row, x.Through, p)
				explains[text] = append(explains[text], p)
			})
			policies(r, draw, func(p engine.Policy) {
				text, refused := charged(&x, row, x.Through, p)
				if len(explains[text]) == 0 {
					t.Fatalf("%v %s: nothing explains what is charged under %v: another key matters", asOf, id, p)
				}
				for _, step := range refused {
					if !slices.ContainsFunc(x.Steps[step].Unless, func(r string) bool { return has(p, r) }) {
						t.Fatalf("%v: the step %+v is refused under %v", asOf, x.Steps[step], p)
					}
				}
				for _, d := range x.Decides {
					if d.Profile != id || has(p, d.Unless) {
						continue
					}
					group := slices.IndexFunc(d.Apart, func(g []int) bool { return slices.Contains(g, place(p, d.Key)) })
					for _, other := range explains[text] {
						if !slices.Contains(d.Apart[group], place(other, d.Key)) {
							t.Fatalf("%v %s: what is charged under %v would be charged under %v, too: %+v", asOf, id, p, other, d)
						}
					}
				}
			})
		}
	}
}

// A fact is a pair of values that a row tells apart.
type fact struct {
	key  ledger.Clause
	v, w int
}

// told returns which pairs a row tells apart by a day under a condition, by comparing every two policies; a value that is
// not told from a second one is not told from those that the second one is not told from.
func told(x *reconcile.Experiment, row int, through calendar.Date, key ledger.Clause, unless string) map[fact]bool {
	alike := map[string][]engine.Policy{} // by what they charge
	product(restsOn(x, row, x.Through), engine.Policy{}, func(p engine.Policy) {
		text, _ := charged(x, row, through, p)
		alike[text] = append(alike[text], p)
	})
	n := len(key.Entry().Readings)
	var same [8][8]bool
	for _, list := range alike {
		for _, a := range list {
			for _, b := range list {
				if !has(a, unless) {
					v, w := place(a, key), place(b, key)
					same[v][w], same[w][v] = true, true
				}
			}
		}
	}
	for m := range n { // closure
		for v := range n {
			for w := range n {
				same[v][w] = same[v][w] || same[v][m] && same[m][w]
			}
		}
	}
	facts := map[fact]bool{}
	for v := range n {
		for w := range v {
			if !same[v][w] {
				facts[fact{key, w, v}] = true
			}
		}
	}
	return facts
}

func factsOf(d *reconcile.Decision) map[fact]bool {
	facts := map[fact]bool{}
	for i, a := range d.Apart {
		for _, b := range d.Apart[:i] {
			for _, v := range a {
				for _, w := range b {
					facts[fact{d.Key, min(v, w), max(v, w)}] = true
				}
			}
		}
	}
	return facts
}

// best returns how certainly the rows, but for one of them, tell each pair apart.
func best(x *reconcile.Experiment, without string) map[fact]int {
	levels := map[fact]int{}
	for _, d := range x.Decides {
		level := 2
		if d.Unless != "" {
			level = 1
		}
		for f := range factsOf(&d) {
			if d.Profile != without {
				levels[f] = max(levels[f], level)
			}
		}
	}
	return levels
}

// TestProbeIsSmall is law Z07: without any of its rows, or a day earlier, a pair of values is less told apart. What each
// row tells is what comparing every two policies tells.
func TestProbeIsSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 2))
	all := slices.Collect(engine.Keys())
	for i, asOf := range days() {
		o := reconcile.ProbeOptions{AsOf: asOf}
		if i%2 == 1 {
			o.Days = min(1+r.IntN(80), calendar.Last().Sub(asOf)+1)
			for _, c := range all {
				if r.IntN(2) == 0 {
					o.Keys = append(o.Keys, c)
				}
			}
		}
		x := probe(t, o)
		whole := best(&x, "")
		if len(x.Rows) > 12 || !x.Through.IsZero() && x.Through.Sub(x.AsOf) >= x.Days {
			t.Errorf("%v: %d rows through %v", asOf, len(x.Rows), x.Through)
		}
		for _, row := range x.Rows {
			if reflect.DeepEqual(best(&x, row.Profile.ID), whole) {
				t.Errorf("%v: %s tells nothing that the others do not", asOf, row.Profile.ID)
			}
		}
		needed := len(x.Rows) == 0
		for _, d := range x.Decides {
			row := slices.IndexFunc(x.Rows, func(r reconcile.ProbeRow) bool { return r.Profile.ID == d.Profile })
			want := factsOf(&d)
			if got := told(&x, row, x.Through, d.Key, d.Unless); !reflect.DeepEqual(got, want) {
				t.Errorf("%v: %+v, but every two policies tell %v", asOf, d, got)
			}
			if got := told(&x, row, d.Date, d.Key, d.Unless); !reflect.DeepEqual(got, want) {
				t.Errorf("%v: %+v is not told by its day", asOf, d)
			}
			if d.Date.After(x.AsOf) && reflect.DeepEqual(told(&x, row, d.Date.AddDays(-1), d.Key, d.Unless), want) {
				t.Errorf("%v: %+v is told a day earlier", asOf, d)
			}
			needed = needed || d.Date == x.Through
			checkUnless(t, &x, row, &d)
		}
		if !needed {
			t.Errorf("%v: nothing needs %v", asOf, x.Through)
		}
		checkOpen(t, &x, o)
		checkLook(t, &x)
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
		{"2026-01-10", 62, []ledger.Clause{clause.L21}, 1, 1, "2026-01-10"},
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

// checkUnless: where the reading is in force without which a key is told, the key has no effect.
func checkUnless(t *testing.T, x *reconcile.Experiment, row int, d *reconcile.Decision) {
	t.Helper()
	product(restsOn(x, row, x.Through), engine.Policy{}, func(p engine.Policy) {
		if has(p, d.Unless) {
			text, _ := charged(x, row, x.Through, p)
			if other, _ := charged(x, row, x.Through, p.WithReading(d.Key, 0)); other != text {
				t.Fatalf("%v: %+v, but it has an effect under %v", x.AsOf, d, p)
			}
		}
	})
}

// checkOpen: what rows leave together is listed, and told in the days that it says and not in fewer.
func checkOpen(t *testing.T, x *reconcile.Experiment, o reconcile.ProbeOptions) {
	t.Helper()
	levels := best(x, "")
	for _, c := range x.Keys {
		isUndecidable := slices.ContainsFunc(x.Undecidable, func(u reconcile.Undecidable) bool { return u.Key == c })
		if isUndecidable != (c == clause.L16b || c == clause.L22) {
			t.Errorf("%v is undecidable: %v", c, isUndecidable)
		}
		for w := range c.Entry().Readings {
			for v := range w {
				isOpen := slices.ContainsFunc(x.Open, func(o reconcile.OpenReadings) bool {
					return o.Key == c && slices.Contains(o.Values, v) && slices.Contains(o.Values, w)
				})
				if !isUndecidable && isOpen != (levels[fact{c, v, w}] == 0) {
					t.Errorf("%v: %v %d and %d: open %v, told %d", x.AsOf, c, v, w, isOpen, levels[fact{c, v, w}])
				}
			}
		}
	}
	for _, open := range x.Open {
		if open.Days == 0 {
			continue
		}
		left := func(days int) int {
			y := probe(t, reconcile.ProbeOptions{AsOf: x.AsOf, Days: days, Keys: []ledger.Clause{open.Key}})
			n := 0
			levels := best(&y, "")
			for i, w := range open.Values {
				for _, v := range open.Values[:i] {
					if levels[fact{open.Key, v, w}] == 0 {
						n++
					}
				}
			}
			return n
		}
		if open.Days <= x.Days || left(open.Days) >= left(open.Days-1) || left(open.Days) > left(min(open.Days+500, calendar.Last().Sub(x.AsOf)+1)) {
			t.Errorf("%v: %d days: %+v", x.AsOf, x.Days, open)
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
		product(restsOn(x, row, x.Through), engine.Policy{}, func(p engine.Policy) {
			then, _ := charged(x, row, last, p)
			if now, _ := charged(x, row, x.Through, p); now != then {
				t.Errorf("%v: %s is charged after the last look", x.AsOf, x.Rows[row].Profile.ID)
			}
		})
	}
}

// TestProbeRequests: rows that no reading refuses are sent together, any other alone; steps come late in the day.
func TestProbeRequests(t *testing.T) {
	x := probe(t, reconcile.ProbeOptions{AsOf: calendar.MustParse("2026-01-10")})
	for i, row := range x.Rows {
		refused := false
		product(restsOn(&x, i, x.Through), engine.Policy{}, func(p engine.Policy) {
			refused = refused || engine.New(p).Check(engine.Stored{Profile: row.Profile}, x.AsOf) != nil
		})
		alone := !slices.ContainsFunc(x.Rows, func(o reconcile.ProbeRow) bool { return o.Request == row.Request && o.Profile.ID != row.Profile.ID })
		if refused && !alone || row.Request < 1 || i > 0 && row.Request < x.Rows[i-1].Request {
			t.Errorf("row %d is in request %d", i+1, row.Request)
		}
	}
	for _, s := range x.Steps {
		if !s.Line.Step.After || s.Line.Profile == "" {
			t.Errorf("%+v", s)
		}
	}
	if y := probe(t, reconcile.ProbeOptions{AsOf: x.AsOf}); !reflect.DeepEqual(x, y) {
		t.Error("the same options give another experiment")
	}
	if len(x.Rows) != 5 || x.Through.String() != "2026-03-02" || fmt.Sprint(x.Open) != "[{L09 [0 2] 0}]" {
		t.Errorf("%d rows through %v, open %v", len(x.Rows), x.Through, x.Open)
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
		"past the calendar": {AsOf: calendar.Last(), Days: 2},
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

// discard takes what is found, and keeps nothing.
type discard struct{}

func (discard) Begin(engine.Policy, engine.Readings)                    {}
func (discard) Profile(record.Subject)                                  {}
func (discard) Reconciled(record.Match, *engine.Charge, *record.Actual) {}
func (discard) Write(record.Record)                                     {}

// looked returns what is entered at the looks where the gateway has some readings: at each every charge since the last
// one with its own day, and none where there was none.
func looked(x *reconcile.Experiment, p engine.Policy) []reconcile.Actual {
	var lines []reconcile.Actual
	for i, row := range x.Rows {
		text, _ := charged(x, i, x.Through, p)
		charges := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for _, look := range x.Look {
			if look.Profile != row.Profile.ID {
				continue
			}
			some := false
			for len(charges) > 0 && charges[0] != "" {
				date, sum, _ := strings.Cut(charges[0], " ")
				if date > look.Date.String() {
					break
				}
				lines = append(lines, reconcile.Actual{Profile: look.Profile, Actual: record.Actual{Date: calendar.MustParse(date), Amount: amount.MustParse(sum)}})
				charges, some = charges[1:], true
			}
			if !some {
				lines = append(lines, reconcile.Actual{Profile: look.Profile, Actual: record.Actual{Date: look.Date, Outcome: record.ActualNone}})
			}
		}
	}
	return lines
}

// TestProbeReconciled is law Z06: what is entered at the looks, reconciled, refutes every value that an experiment says
// it tells from the gateway's, and never the gateway's.
func TestProbeReconciled(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 3))
	for _, asOf := range []string{"2026-01-10", "2026-02-10", "2026-04-10", "2026-07-01", "2028-01-31"} {
		x := probe(t, reconcile.ProbeOptions{AsOf: calendar.MustParse(asOf)})
		rows := func(yield func(*reconcile.Row, error) bool) {
			for _, row := range x.Rows {
				of := &reconcile.Row{Subject: record.Subject{Profile: row.Profile.ID, Row: 1, Currency: "EUR"}, ID: row.Profile.ID, Stored: engine.Stored{Profile: row.Profile}}
				of.Stored.Profile.Currency = "EUR"
				for _, s := range x.Steps {
					if s.Line.Profile == of.ID {
						of.Script.Steps = append(of.Script.Steps, s.Line.Step)
					}
				}
				if !yield(of, nil) {
					return
				}
			}
		}
		policies(r, 100, func(p engine.Policy) {
			lines := looked(&x, p)
			actuals := func(yield func(*reconcile.Actual, error) bool) {
				for i := range lines {
					line := lines[i]
					line.Line = i + 2
					if !yield(&line, nil) {
						return
					}
				}
			}
			result, err := reconcile.Match(rows, actuals, reconcile.Options{AsOf: x.AsOf, Through: x.Through, Report: func(err error) { t.Error(err) }}, discard{})
			if err != nil {
				t.Fatal(err)
			}
			verdict := func(c ledger.Clause, v int) string {
				reading, _ := c.Reading(v)
				i := slices.IndexFunc(result.Verdicts, func(r record.Reading) bool { return r.Key == c.Key() && r.Value == reading.Value })
				return result.Verdicts[i].Verdict.String()
			}
			for _, d := range x.Decides {
				if has(p, d.Unless) {
					continue
				}
				for _, group := range d.Apart {
					for _, v := range group {
						own := slices.Contains(group, place(p, d.Key))
						got := verdict(d.Key, v)
						if !own && got != "refuted" || v == place(p, d.Key) && (got == "refuted" || got == "contradicted") {
							t.Fatalf("%s: under %v %v %d is %s: %+v", asOf, p, d.Key.Key(), v, got, d)
						}
					}
				}
			}
		})
	}
}
