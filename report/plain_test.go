package report_test

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/report"
)

// TestPlain: what a support agent can send. It names no charge as made that the state does not
// count, and says nothing where nothing is known.
func TestPlain(t *testing.T) {
	steps, err := amount.Sequence([]amount.Amount{amount.MustParse("9.90"), amount.MustParse("29.90")})
	if err != nil {
		t.Fatal(err)
	}
	plan := profile("cust-7781", "EUR", steps, calendar.UnitMonth, 1, "2025-08-31")
	capped := profile("capped", "EUR", fixed("5.00"), calendar.UnitWeek, 2, "2026-03-06")
	capped.MaxRepeats = engine.AtMost(2)
	byHand := engine.Profile{ID: "hand", Kind: engine.KindSource, Amounts: fixed("1.00"), Currency: "EUR"}
	charged := func(n uint64) engine.State {
		return engine.State{Status: engine.StatusActive, Repeat: n, RanThrough: date("2026-03-01"), Anchor: date("2025-08-31")}
	}
	stopped := charged(7)
	stopped.Status, stopped.Stop = engine.StatusStopped, engine.Stop{Date: date("2026-02-10"), Reasons: engine.ReasonAPI}
	event := func(day string, kind engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: date(day), Kind: kind}}
	}
	pause := []engine.Step{event("2026-03-10", engine.EventStop), event("2026-04-10", engine.EventResume)}
	for _, c := range []struct {
		reason  string
		profile engine.Profile
		state   engine.State
		steps   []engine.Step
		on      string
		want    string
	}{
		{"the state counts every due day", plan, charged(7), nil, "2026-02-28",
			"On 28 February 2026 we charged 29.90 EUR: your plan is billed monthly since 31 August 2025, and February has no 31st. The next payment is due on 31 March 2026."},
		{"the state counts fewer", plan, charged(5), nil, "2026-02-28",
			"A payment was due on 28 February 2026: your plan is billed monthly since 31 August 2025, and February has no 31st. The next payment is due on 31 March 2026."},
		{"the state counts more", plan, charged(9), nil, "2026-02-28",
			"A payment was due on 28 February 2026: your plan is billed monthly since 31 August 2025, and February has no 31st. The next payment is due on 31 March 2026."},
		{"the state counts fewer, of one amount", profile("rent", "EUR", fixed("850.00"), calendar.UnitMonth, 1, "2025-08-31"), charged(5), nil, "2026-02-28",
			"On 28 February 2026, 850.00 EUR was due: your plan is billed monthly since 31 August 2025, and February has no 31st. The next payment is due on 31 March 2026."},
		{"a day to come", plan, charged(7), nil, "2026-03-31",
			"On 31 March 2026, 29.90 EUR will be charged: your plan is billed monthly since 31 August 2025. The next payment is due on 30 April 2026."},
		{"a past day of a profile taken as new", plan, engine.State{}, nil, "2026-02-28", ""},
		{"an amount that depends on what was charged", plan, engine.State{}, nil, "2026-03-31", ""},
		{"not a due day", plan, charged(7), nil, "2026-03-15",
			"No payment is due on 15 March 2026: your plan is billed monthly since 31 August 2025. The next payment is due on 31 March 2026."},
		{"a past day that was none", plan, charged(7), nil, "2026-02-15",
			"No payment was due on 15 February 2026: your plan is billed monthly since 31 August 2025. The next payment is due on 31 March 2026."},
		{"stopped", plan, stopped, nil, "2026-03-31", "No payment is due on 31 March 2026: your plan was stopped on 10 February 2026."},
		{"before the start", capped, engine.State{}, nil, "2026-03-04", "No payment is due on 4 March 2026: your plan begins on 6 March 2026."},
		{"the first", capped, engine.State{}, nil, "2026-03-06",
			"On 6 March 2026, 5.00 EUR will be charged: your plan is billed every 2 weeks from 6 March 2026 on. The next payment is due on 20 March 2026."},
		{"the last", capped, engine.State{}, nil, "2026-03-20",
			"On 20 March 2026, 5.00 EUR will be charged: your plan is billed every 2 weeks from 6 March 2026 on. It is the last payment of your plan."},
		{"after the last", capped, engine.State{}, nil, "2026-04-03", "No payment is due on 3 April 2026: your plan will end on 20 March 2026."},
		{"no schedule", byHand, engine.State{}, nil, "2026-03-20", "No payment is due on 20 March 2026: your plan has no fixed billing days."},
		{"paused and resumed", plan, charged(7), pause, "2026-04-30",
			"On 30 April 2026, 29.90 EUR will be charged: your plan is billed monthly since 31 August 2025, and April has no 31st. Your plan will be resumed on 10 April 2026; the next payment is due on 31 May 2026."},
		{"within a pause to come", plan, charged(7), pause, "2026-03-31",
			"No payment is due on 31 March 2026: your plan will be paused on 10 March 2026, and will be resumed on 10 April 2026. The next payment is due on 30 April 2026."},
		{"within a pause that has begun", plan, stopped, pause[1:], "2026-03-31",
			"No payment is due on 31 March 2026: your plan was paused on 10 February 2026, and will be resumed on 10 April 2026. The next payment is due on 30 April 2026."},
		{"a stop to come", plan, charged(7), pause[:1], "2026-03-31", "No payment is due on 31 March 2026: your plan will be stopped on 10 March 2026."},
		{"a stop on the as-of day", plan, charged(7), []engine.Step{event("2026-03-02", engine.EventStop)}, "2026-03-31",
			"No payment is due on 31 March 2026: your plan will be stopped on 2 March 2026."},
	} {
		e, err := engine.New(engine.Policy{}).Explain(engine.Simulation{Stored: engine.Stored{Profile: c.profile, State: c.state}, AsOf: date("2026-03-02"), Steps: c.steps, Undrawn: true}, date(c.on))
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		if got := strings.Join(report.Plain(&e), " "); got != c.want {
			t.Errorf("%s: %q\nwant %q", c.reason, got, c.want)
		}
	}
}
