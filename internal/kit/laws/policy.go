package laws

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
)

// policyLaws are the laws of the readings that a policy chooses.
func policyLaws() []Law {
	return []Law{
		own("Y12", "L01", "a key is named ⇔ another value of it changes some record; first date and totals are those of the two forecasts", gen.Plans, namesWhatChanges),
	}
}

func namesWhatChanges(t *T, p gen.PlanCase) {
	until := p.Day(p.C)
	w := calendar.Through(p.AsOf, until)
	named := map[engine.Policy]engine.Sensitivity{}
	list, err := t.CompareReadings(p.Job, until)
	if err != nil {
		t.Fatalf("the readings are not compared: %v", err)
	}
	for _, s := range list {
		i := slices.Index(s.Clause.Entry().Values(), s.Value)
		if i < 0 {
			t.Fatalf("%v has no value %q", s.Clause, s.Value)
		}
		named[p.Policy.WithReading(s.Clause, i)] = s
	}
	was := t.forecast(p.Job)
	before, total := listed(was, w), was.Total(w)
	for c := range engine.Keys() {
		for i, value := range c.Entry().Values() {
			other := p.Job
			other.Policy = p.Policy.WithReading(c, i)
			if other.Policy == p.Policy {
				continue
			}
			s, found := named[other.Policy]
			delete(named, other.Policy)
			is, err := t.Forecast(other)
			if err != nil {
				if !found || s.Refused == "" || s.First != p.AsOf {
					t.Errorf("%s=%s refuses the profile, and is compared as if it did not", c.Entry().Key, value)
				}
				continue
			}
			first := firstDifference(before, listed(is, w), w)
			switch {
			case found == first.IsZero():
				t.Errorf("%s=%s differs first on %q, and is named: %v", c.Entry().Key, value, first, found)
			case found && (s.First != first || s.Refused != ""):
				t.Errorf("%s=%s differs first on %v, not on %v", c.Entry().Key, value, first, s.First)
			case found:
				t.Equal("the total before "+c.Entry().Key+"="+value, totalFrom(s.Old).plain(), total.plain())
				t.Equal("the total under "+c.Entry().Key+"="+value, totalFrom(s.New).plain(), is.Total(w).plain())
			}
		}
	}
	for _, s := range named {
		t.Errorf("%v=%s is named besides", s.Clause, s.Value)
	}
}

// A listing is what a forecast says about a window.
type listing struct {
	lines []engine.Charge
	end   End
}

func listed(f Forecast, w calendar.Window) listing {
	return listing{f.in(w), f.End(w.Last())}
}

// firstDifference is the first day of w on which two forecasts differ, found by listing
// both; the first day at all where only the repeat number does. Zero for none.
func firstDifference(a, b listing, w calendar.Window) calendar.Date {
	var days []calendar.Date
	x, y := a.lines, b.lines
	for i := range max(len(x), len(y)) {
		if i < len(x) && i < len(y) && x[i] == y[i] {
			continue
		}
		for _, list := range [][]engine.Charge{x, y} {
			if i < len(list) {
				days = append(days, list[i].Date)
			}
		}
		break
	}
	s, r := a.end, b.end
	if s.Stop.Date != r.Stop.Date || !slices.Equal(s.Stop.Reasons, r.Stop.Reasons) {
		days = append(days, s.Stop.Date, r.Stop.Date)
	}
	days = slices.DeleteFunc(days, calendar.Date.IsZero)
	if len(days) == 0 && s.Repeat != r.Repeat {
		return w.From
	}
	if len(days) == 0 {
		return calendar.Date{}
	}
	return slices.MinFunc(days, calendar.Date.Compare)
}
