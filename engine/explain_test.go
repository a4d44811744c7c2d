package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// explain explains a day of a profile without a script.
func explain(t *testing.T, p engine.Profile, s engine.State, asOf string, pol engine.Policy, on string) engine.Explanation {
	t.Helper()
	e, err := engine.New(pol).Explain(engine.Simulation{Stored: engine.Stored{Profile: p, State: s}, AsOf: day(asOf), Undrawn: true}, day(on))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExplain: one leading reason for each day (X04).
func TestExplain(t *testing.T) {
	p := daily()
	p.Unit, p.Start, p.Finish = calendar.UnitWeek, day("2026-01-12"), day("2026-02-10")
	state := engine.State{Status: engine.StatusActive, Paid: []calendar.Date{day("2026-01-11")}, RanThrough: day("2026-01-11"), Anchor: day("2026-01-12")}
	unscheduled := p
	unscheduled.Unit, unscheduled.Interval = 0, 0
	later := daily()
	later.Start = day("2026-03-01")
	for _, r := range []struct {
		reason  string
		profile engine.Profile
		state   engine.State
		asOf    string
		day     string
		want    engine.Why
	}{
		{"the first due day", p, state, "2026-01-11", "2026-01-12", engine.WhyDue},
		{"between", p, state, "2026-01-11", "2026-01-13", engine.WhyNotDue},
		{"before as-of", p, state, "2026-01-11", "2026-01-10", engine.WhyBeforeAsOf},
		{"N01", p, state, "2026-01-11", "2026-01-11", engine.WhyBeforeStart},
		{"finish-date off the grid", p, state, "2026-01-11", "2026-02-10", engine.WhyNotDue},
		{"after the stop", p, state, "2026-01-11", "2026-02-16", engine.WhyStopped},
		{"R010", unscheduled, engine.State{}, "2026-01-11", "2026-01-12", engine.WhyNoSchedule},
		{"before the start", p, engine.State{}, "2026-01-01", "2026-01-05", engine.WhyBeforeStart},
		{"N02", p, engine.State{Status: engine.StatusActive, Paid: []calendar.Date{day("2026-01-12")}}, "2026-01-12", "2026-01-12", engine.WhyPaid},
		{"N05", p, engine.State{Status: engine.StatusStopped}, "2026-01-12", "2026-01-12", engine.WhyStopped},
		{"stopped, before the start", later, engine.State{Status: engine.StatusStopped}, "2026-01-10", "2026-02-01", engine.WhyBeforeStart},
		{"stopped, after the start", later, engine.State{Status: engine.StatusStopped}, "2026-01-10", "2026-03-02", engine.WhyStopped},
	} {
		e := explain(t, r.profile, r.state, r.asOf, engine.Policy{}, r.day)
		if e.Why != r.want || e.Because.IsZero() || e.Why.String() == "" || (len(e.Charges) > 0) != (e.Why == engine.WhyDue) {
			t.Errorf("%s: %v with %d charges, want %v", r.reason, e.Why, len(e.Charges), r.want)
		}
	}
}

// TestExplainRefusesADayOutsideTheCalendar: a day that does not exist is an error that names the field, and
// no explanation of a day without a name.
func TestExplainRefusesADayOutsideTheCalendar(t *testing.T) {
	sim := engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10")}
	for _, d := range []calendar.Date{{}, calendar.MaxDate().AddDays(1)} {
		var fault *engine.Error
		if e, err := engine.New(engine.Policy{}).Explain(sim, d); !errors.As(err, &fault) || fault.Field != "date" || e.Why != 0 || !e.Date.IsZero() {
			t.Errorf("%v: %v", err, e)
		}
	}
}

// TestExplanationHasNoJSON: encoding/json would write Go's names of its fields.
func TestExplanationHasNoJSON(t *testing.T) {
	if _, err := json.Marshal(explain(t, daily(), engine.State{}, "2026-01-10", engine.Policy{}, "2026-01-11")); err == nil || !strings.Contains(err.Error(), "record.Charge") {
		t.Errorf("%v", err)
	}
}

// TestOthers: the other values of keys under which a day is charged otherwise.
func TestOthers(t *testing.T) {
	p := daily()
	p.Unit, p.Start = calendar.UnitMonth, day("2026-01-31")
	for _, r := range []struct {
		on   string
		want string // the value and the charges of the day
	}{
		{"2026-02-28", "skip 0 next-first 0 overflow 0"}, {"2026-03-31", "skip 1"}, {"2026-03-03", "overflow 1"}, {"2026-03-01", "next-first 1"}, {"2026-01-31", ""}, {"2026-02-10", ""},
	} {
		var got []string
		for _, o := range explain(t, p, engine.State{}, "2026-01-10", engine.Policy{}, r.on).Others {
			got = append(got, fmt.Sprint(o.Value, " ", o.New.Charges))
			if o.Clause != clause.L01 || o.Refused != "" || o.First != day(r.on) || (o.New.Charges > 0) != (o.Charge.Date == day(r.on)) {
				t.Errorf("%s: %+v", r.on, o)
			}
		}
		if strings.Join(got, " ") != r.want {
			t.Errorf("%s: %q, want %q", r.on, got, r.want)
		}
	}
	p.MaxRepeats = engine.AtMost(0)
	for on, want := range map[string]int{"2026-01-31": 1, "2026-01-30": 0} {
		refused := 0
		for _, o := range explain(t, p, engine.State{}, "2026-01-10", engine.Policy{MaxZero: engine.MaxZeroUnlimited}, on).Others {
			if o.Refused == ledger.Code("max-zero") {
				refused++
			}
		}
		if refused != want {
			t.Errorf("%s: max-zero=reject refuses %d times, want %d", on, refused, want)
		}
	}
	if _, err := engine.New(engine.Policy{MaxZero: 9}).Explain(engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10")}, day("2026-01-31")); !errors.Is(err, engine.ErrPolicy) {
		t.Errorf("an invalid policy: %v", err)
	}
}
