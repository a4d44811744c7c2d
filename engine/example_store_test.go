package engine_test

import (
	"encoding/json"
	"fmt"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// How does a billing job keep profiles in a database of its own? Here a map of JSON texts is the
// database. The profile is created; the nightly job fails for two weeks, and a customer who stops the
// profile meanwhile loses no day; the bank declines a charge, which is kept beside the state; the program
// starts anew, forecasts, and says what its whole book may come to.
func Example_store() {
	e, day, database := engine.New(engine.Policy{}), calendar.MustParse, map[string][]byte{}
	save := func(s engine.Stored) { database[s.Profile.ID] = try(json.Marshal(s)) }
	load := func(id string) (s engine.Stored) { must(json.Unmarshal(database[id], &s)); return s }
	do := func(ev engine.Event) { // what a customer or the gateway says
		s, effects, err := e.Handle(load("gym-42"), ev)
		must(err)
		report(effects)
		save(s)
	}
	night := func(d calendar.Date) { // the job: all runs through this day
		s, effects, err := e.Advance(load("gym-42"), d)
		must(err)
		report(effects)
		save(s)
	}
	save(try(e.Create(engine.Profile{
		ID: "gym-42", Kind: engine.KindSource, Start: day("2026-01-05"), Unit: calendar.UnitWeek, Interval: 1, Currency: "EUR",
		Amounts: try(amount.Range(amount.MustParse("9.00"), amount.MustParse("9.90"), "EUR")), MaxRepeats: engine.AtMost(5),
	}, day("2026-01-02"))))
	night(day("2026-01-05"))
	do(engine.Event{Date: day("2026-01-20"), Kind: engine.EventStop}) // after an outage since the 6th
	do(engine.Event{Date: day("2026-01-25"), Kind: engine.EventResume})
	night(day("2026-01-26"))
	outcomes := map[string]engine.Outcome{"2026-01-26": engine.OutcomeDeclined} // the bank's answer, by the key of the charge

	fmt.Println("2026-01-26", outcomes["2026-01-26"])
	stored := load("gym-42") // the program was started anew
	plan := try(e.Compile(stored, day("2026-01-27")))
	for c := range plan.Charges(calendar.Window{}) {
		fmt.Println("next", c.Key(), c.Min, c.Max)
	}
	book := try(e.NewBook(engine.Scope{AsOf: day("2026-01-27"), Draws: true}))
	must(book.Add(stored))
	for t := range book.Totals(engine.ByMonth) {
		sums, err := t.Quantiles(5, 95)
		must(err)
		fmt.Println(engine.ByMonth.Value(t.Period), t.Tally.Total.String()+", in 90 of 100 cases", sums[0], "to", sums[1])
	}
	// Output:
	// 2026-01-05 charge 2026-01-05 unknown
	// 2026-01-12 charge 2026-01-12 unknown
	// 2026-01-19 charge 2026-01-19 unknown
	// 2026-01-20 stop accepted
	// 2026-01-20 stopped stopped-by-api
	// 2026-01-25 resume accepted
	// 2026-01-26 charge 2026-01-26 unknown
	// 2026-01-26 declined
	// next 2026-02-02 9.00 9.90
	// 2026-02 1 charge, 9.00 to 9.90, mean 9.45, in 90 of 100 cases 9.04 to 9.86
}

// report prints what happened.
func report(effects []engine.Effect) {
	for _, e := range effects {
		switch e.Kind {
		case engine.EffectEvent:
			fmt.Println(e.Date, e.Event, e.Result)
		case engine.EffectCharge:
			fmt.Println(e.Date, "charge", e.Charge.Key(), e.Charge.Outcome)
		case engine.EffectStop:
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
