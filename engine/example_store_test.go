package engine_test

import (
	"encoding/json"
	"fmt"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// How does a billing job keep profiles in a database of its own? Here a map of JSON texts is the
// database. The profile is created, lives through January day by day with a declined charge and a
// stop, survives a restart of the program, is resumed, and is forecast.
func Example_store() {
	database := map[string][]byte{}
	load := func(id string) (s engine.Stored) { must(json.Unmarshal(database[id], &s)); return s }
	save := func(s engine.Stored) { database[s.Profile.ID] = try(json.Marshal(s)) }
	apply := func(e engine.Event) {
		effects, s, err := engine.New(engine.Policy{}).Apply(nil, load("gym-42"), e)
		must(err)
		report(effects)
		save(s)
	}
	day, pol := calendar.MustParse, engine.Policy{}
	save(engine.Stored{Profile: engine.Profile{
		ID: "gym-42", Kind: engine.KindSource, Start: day("2026-01-05"), Unit: calendar.UnitWeek, Interval: 1,
		Amounts: amount.Fixed(amount.MustParse("9.90")), Currency: "EUR", MaxRepeats: engine.AtMost(5),
	}})
	apply(engine.Event{Date: day("2026-01-02"), Do: engine.DoCreate})
	for d := range calendar.Through(day("2026-01-02"), day("2026-01-31")).Days() {
		switch d {
		case day("2026-01-12"): // this day's attempt was declined
			apply(engine.Event{Date: d, Do: engine.DoRun, Outcome: engine.OutcomeDeclined})
		case day("2026-01-21"):
			apply(engine.Event{Date: d, Do: engine.DoStop})
		}
		effects, s, err := engine.New(pol).Advance(nil, load("gym-42"), d) // nothing, if the day had its run
		must(err)
		report(effects)
		save(s)
	}
	apply(engine.Event{Date: day("2026-02-01"), Do: engine.DoResume, Via: engine.ChannelUI})
	plan := try(engine.New(pol).Compile(load("gym-42"), day("2026-02-01")))
	for c := range plan.Charges(calendar.Window{}) {
		fmt.Println("next", c.Date, c.Repeat, c.Min)
	}
	// Output:
	// 2026-01-02 create accepted
	// 2026-01-05 charge 0 9.90 approved
	// 2026-01-12 run accepted
	// 2026-01-12 charge 1 9.90 declined
	// 2026-01-19 charge 2 9.90 approved
	// 2026-01-21 stop accepted
	// 2026-01-21 stopped stopped-by-api
	// 2026-02-01 resume accepted
	// next 2026-02-02 3 9.90
	// next 2026-02-09 4 9.90
}

// report prints what happened.
func report(effects []engine.Effect) {
	for _, e := range effects {
		switch e.Kind {
		case engine.EventHandled:
			fmt.Println(e.Date, e.Event, e.Result)
		case engine.ChargeAttempted:
			fmt.Println(e.Date, "charge", e.Charge.Repeat, e.Charge.Min, e.Charge.Outcome)
		case engine.ProfileStopped:
			fmt.Println(e.Date, "stopped", e.Stop.Reasons)
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func try[T any](v T, err error) T {
	must(err)
	return v
}
