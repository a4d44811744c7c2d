package reconcile_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

var oracleCases = flag.Int("oracle", 60, "books of TestOracle")

// A book is some profiles with what a gateway with a secret policy charges of them, perhaps disturbed.
type book struct {
	rows  []*reconcile.Row
	lines []string
	true  engine.Policy
	o     reconcile.Options
	whole bool // nothing is disturbed
}

// bookOf draws a book.
func bookOf(r gen.Chooser) book {
	b := book{whole: r.Chance(50)}
	keys := slices.Collect(engine.Keys())
	for _, c := range keys {
		if r.Chance(50) {
			b.true = b.true.WithReading(c, r.Below(len(c.Entry().Readings)))
		}
	}
	b.o.AsOf, b.o.Through = day("2026-01-30"), day("2026-01-30").AddDays(r.In(0, 150))
	if r.Chance(40) {
		b.o.Lag = r.In(1, 9)
	}
	for n := range r.In(1, 4) {
		l := gen.Logs(r)
		shift := b.o.AsOf.Sub(l.AsOf)
		row := &reconcile.Row{ID: fmt.Sprint("p", n), Subject: record.Subject{Profile: fmt.Sprint("p", n), Row: n + 1, Currency: l.Profile.Currency}}
		row.Stored.Profile, row.Script = l.Profile, l.Script()
		row.Stored.Profile.ID = row.ID
		for _, d := range [...]*calendar.Date{&row.Stored.Profile.Start, &row.Stored.Profile.Finish} {
			if !d.IsZero() {
				*d = d.AddDays(shift)
			}
		}
		for i := range row.Script.Steps {
			row.Script.Steps[i].Date = row.Script.Steps[i].Date.AddDays(shift)
		}
		b.rows = append(b.rows, row)
		b.charge(r, row)
	}
	return b
}

// charge writes the lines of a profile.
func (b *book) charge(r gen.Chooser, row *reconcile.Row) {
	for _, c := range lifeOf(row, b, b.true) {
		date, text := c.Date, c.Min.String()
		if b.o.Lag > 0 && !b.whole && r.Chance(20) {
			date = date.AddDays(r.In(0, b.o.Lag))
		}
		if !b.whole {
			switch r.Below(40) {
			case 0:
				continue
			case 1:
				b.line(row, date, text, "")
			case 2:
				date = date.AddDays(r.In(-9, 9))
			case 3:
				text = "7.77"
			}
		}
		b.line(row, date, text, gen.Pick(r, "", c.Outcome.String()))
	}
}

func (b *book) line(row *reconcile.Row, date calendar.Date, amount, outcome string) {
	b.lines = append(b.lines, fmt.Sprintf("%s;%s;%s;%s", row.ID, date, amount, outcome))
}

// lifeOf is what a policy charges, the plain way.
func lifeOf(row *reconcile.Row, b *book, p engine.Policy) (list []engine.Charge) {
	s := engine.Simulation{Stored: row.Stored, AsOf: b.o.AsOf, Until: b.o.Through, Script: row.Script, Undrawn: true}
	_, err := engine.New(p).Simulate(s, func(f engine.Effect) bool {
		if f.Kind == engine.ChargeAttempted {
			list = append(list, f.Charge)
		}
		return true
	})
	if err != nil {
		return nil
	}
	return list
}

// explains is the contract of matching, written as it is said: every charge looks for its line, day by day.
func (b *book) explains(row *reconcile.Row, p engine.Policy, through calendar.Date) bool {
	charges := lifeOf(row, b, p)
	type line struct {
		date calendar.Date
		text string
		used bool
	}
	var lines []line
	for _, text := range b.lines {
		f := strings.Split(text, ";")
		if d := day(f[1]); f[0] == row.ID && !d.After(through) {
			lines = append(lines, line{date: d, text: f[2]})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(a.date.Compare(b.date), money(a.text).Compare(money(b.text)))
	})
	paid := make([]bool, len(charges))
	fits := func(c *engine.Charge, l *line) bool {
		return c.Min.Compare(money(l.text)) <= 0 && money(l.text).Compare(c.Max) <= 0
	}
	for _, late := range [...]bool{false, true} {
		for _, declined := range [...]bool{false, true} {
			order := make([]int, len(charges))
			for i := range order {
				order[i] = i
			}
			if !late { // of one day the charge with the narrowest choice first
				slices.SortStableFunc(order, func(x, y int) int {
					return cmp.Or(charges[x].Date.Compare(charges[y].Date), charges[x].Max.Compare(charges[y].Max), charges[y].Min.Compare(charges[x].Min))
				})
			}
			for _, i := range order {
				c := &charges[i]
				if paid[i] || c.Date.After(through) || (c.Outcome == engine.OutcomeDeclined) != declined {
					continue
				}
				for k := range lines {
					l := &lines[k]
					lag := l.date.Sub(c.Date)
					if !l.used && (lag == 0 || late && lag > 0 && lag <= b.o.Lag) && fits(c, l) {
						l.used, paid[i] = true, true
						break
					}
				}
			}
		}
	}
	for _, l := range lines {
		if !l.used {
			return false // extra, or of another amount
		}
	}
	for i, c := range charges {
		if !paid[i] && c.Outcome == engine.OutcomeApproved && !c.Date.AddDays(b.o.Lag).After(through) {
			return false
		}
	}
	return true
}

// TestOracle: readings are decided as if every policy of the keys that the book is about were tried on every profile; a
// whole book refutes nothing that is true (Z01, Z02, Z03).
func TestOracle(t *testing.T) {
	verdicts := map[string]int{}
	for i := range *oracleCases {
		b := bookOf(gen.ChooserOf(gen.NewSource("reconcile", 7, uint64(i)).Uint64()))
		text := "profile;date;amount;outcome\n" + strings.Join(b.lines, "\n")
		var s sheet
		result, found := s.run(t, b.o, text, b.rows...)
		if len(found) > 0 {
			t.Fatalf("case %d: %v", i, found)
		}
		type tally struct{ pro, contra int }
		want := map[string]tally{}
		decided := map[string]record.DecidedBy{}
		unexplained := 0
		for _, row := range b.rows {
			if !slices.ContainsFunc(b.lines, func(line string) bool {
				f := strings.Split(line, ";")
				return f[0] == row.ID && !day(f[1]).After(b.o.Through)
			}) {
				continue
			}
			sim := engine.Simulation{Stored: row.Stored, AsOf: b.o.AsOf, Until: b.o.Through, Script: row.Script}
			whole := map[engine.Policy]bool{}
			keys := sim.RestsOn() // which has a law of its own
			walk(keys, func(p engine.Policy) { whole[p] = b.explains(row, p, b.o.Through) })
			n := 0
			for _, ok := range whole {
				if ok {
					n++
				}
			}
			if n == 0 {
				unexplained++
				continue
			}
			for _, c := range keys {
				for v, reading := range c.Entry().Readings {
					with := 0
					for p, ok := range whole {
						if place, _ := p.Place(c); place == v && ok {
							with++
						}
					}
					name := c.Key() + "=" + reading.Value
					tally := want[name]
					switch {
					case with == n:
						if tally.pro++; tally.pro == 1 {
							decided[name] = record.DecidedBy{Profile: row.ID, Date: b.decidedBy(row, whole, c, v)}
						}
					case with == 0:
						tally.contra++
					}
					want[name] = tally
				}
			}
		}
		if int(result.Summary.Unexplained) != unexplained {
			t.Errorf("case %d: %d profiles unexplained, want %d", i, result.Summary.Unexplained, unexplained)
		}
		for _, r := range result.Verdicts {
			name := r.Key + "=" + r.Value
			w := want[name]
			verdicts[r.Verdict.String()]++
			if r.For != w.pro || r.Against != w.contra {
				t.Errorf("case %d: %s has %d for it and %d against, want %+v\n%s\n%v", i, name, r.For, r.Against, w, text, b.o)
			}
			if r.Decided != nil && *r.Decided != decided[name] {
				t.Errorf("case %d: %s decided by %+v, want %+v\n%s\n%+v", i, name, *r.Decided, decided[name], text, b.o)
			}
			if place, _ := b.true.Place(keyOf(r.Key)); b.whole && r.Against > 0 && r.Value == keyOf(r.Key).Entry().Readings[place].Value {
				t.Errorf("case %d: %s is true, and %v", i, name, r)
			}
		}
		if b.whole { // under the true policy all is matched
			o := b.o
			o.Policy, o.Given = b.true, slices.Collect(engine.Keys())
			var s sheet
			if result, _ := s.run(t, o, text, b.rows...); !result.Summary.Agrees() {
				t.Errorf("case %d: %+v\n%s\n%s", i, result.Summary, text, strings.Join(s.lines, "\n"))
			}
		}
	}
	t.Log(verdicts)
	if len(verdicts) < 3 && *oracleCases >= 60 {
		t.Errorf("not every verdict was met: %v", slices.Sorted(maps.Keys(verdicts)))
	}
}

// decidedBy is the earliest day up to which no policy with another value explains the profile.
func (b *book) decidedBy(row *reconcile.Row, whole map[engine.Policy]bool, c ledger.Clause, value int) calendar.Date {
	for d := b.o.AsOf.AddDays(-60); ; d = d.AddDays(1) {
		none := true
		for p := range whole {
			if place, _ := p.Place(c); place != value && b.explains(row, p, d) {
				none = false
				break
			}
		}
		if none || d == b.o.Through {
			return d
		}
	}
}

func keyOf(name string) ledger.Clause {
	for c := range engine.Keys() {
		if c.Key() == name {
			return c
		}
	}
	return 0
}

// walk yields the policies that differ in some keys alone.
func walk(keys []ledger.Clause, yield func(engine.Policy)) {
	var next func(p engine.Policy, keys []ledger.Clause)
	next = func(p engine.Policy, keys []ledger.Clause) {
		if len(keys) == 0 {
			yield(p)
			return
		}
		for i := range keys[0].Entry().Readings {
			next(p.WithReading(keys[0], i), keys[1:])
		}
	}
	next(engine.Policy{}, keys)
}
