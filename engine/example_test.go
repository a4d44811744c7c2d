package engine_test

import (
	"encoding/json"
	"fmt"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// subscription is charged 10.00 EUR on the last day of each month, six times.
func subscription() engine.Profile {
	return engine.Profile{
		ID:         "order-1",
		Kind:       engine.KindSource,
		Start:      calendar.MustParse("2026-01-31"),
		Unit:       calendar.UnitMonth,
		Interval:   1,
		MaxRepeats: engine.AtMost(6),
		Amounts:    amount.Fixed(amount.MustParse("10.00")),
		Currency:   "EUR",
	}
}

// What will this customer pay, and on which days?
func ExamplePlan_Charges() {
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: subscription()}, calendar.MustParse("2026-01-10"))
	if err != nil {
		fmt.Println(err)
		return
	}
	window := calendar.Through(calendar.MustParse("2026-01-10"), calendar.MustParse("2026-04-30"))
	for c := range plan.Charges(window) {
		fmt.Println(c.Repeat, c.Date, c.Min, c.Because.Basis())
	}
	total := plan.Total(window)
	fmt.Println(total.Charges, "charges,", total.Min, "EUR")
	// Output:
	// 0 2026-01-31 10.00 inferred
	// 1 2026-02-28 10.00 inferred
	// 2 2026-03-31 10.00 inferred
	// 3 2026-04-30 10.00 inferred
	// 4 charges, 40.00 EUR
}

// When and why does it end?
func ExamplePlan_Stop() {
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: subscription()}, calendar.MustParse("2026-01-10"))
	if err != nil {
		fmt.Println(err)
		return
	}
	stop := plan.Stop()
	for reason := range stop.Reasons.All() {
		fmt.Println(stop.Date, reason)
	}
	for c := range stop.Because.All() {
		e := c.Entry()
		fmt.Printf("%s (%v) %s\n", e.Clause.String(), e.Basis, e.Question)
	}
	// Output:
	// 2026-06-30 max-repeats
	// 2.2.1 (stated) period
	// 2.2.8 (stated) max-repeats-number
	// 8 (stated) Limits
	// L01 (inferred) A monthly charge on a day that the month lacks
	// L08 (inferred) How many charges max-repeats-number N allows
	// L32b (inferred) The order of one day's run
}

// Why is there no charge on this day?
func ExampleEngine_Explain() {
	sim := engine.Simulation{Stored: engine.Stored{Profile: subscription()}, AsOf: calendar.MustParse("2026-01-10")}
	for _, day := range []string{"2026-01-30", "2026-02-15", "2026-02-28", "2026-07-31"} {
		e, err := engine.New(engine.Policy{}).Explain(sim, calendar.MustParse(day))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Date, e.Why, "before:", e.Before, "after:", e.After, "stop:", e.Stop.Date)
	}
	// Output:
	// 2026-01-30 before-start before:  after: 2026-01-31 stop: 2026-06-30
	// 2026-02-15 not-due before: 2026-01-31 after: 2026-02-28 stop: 2026-06-30
	// 2026-02-28 due before: 2026-01-31 after: 2026-03-31 stop: 2026-06-30
	// 2026-07-31 stopped before: 2026-06-30 after:  stop: 2026-06-30
}

// How is a forecast continued another day?
func ExamplePlan_State() {
	p := subscription()
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: p}, calendar.MustParse("2026-01-10"))
	if err != nil {
		fmt.Println(err)
		return
	}
	state := plan.State(calendar.MustParse("2026-03-15"))
	again, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: p, State: state}, calendar.MustParse("2026-03-16"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for c := range again.Next(2) {
		fmt.Println(c.Repeat, c.Date)
	}
	// Output:
	// 2 2026-03-31
	// 3 2026-04-30
}

// What if the customer stops on 12 March and support resumes the profile in May?
func ExampleEngine_Simulate() {
	on := func(date string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: calendar.MustParse(date), Kind: do}}
	}
	s := engine.Simulation{
		Stored:   engine.Stored{Profile: subscription()},
		AsOf:     calendar.MustParse("2026-01-10"),
		Until:    calendar.MustParse("2026-06-30"),
		Steps:    []engine.Step{on("2026-03-12", engine.EventStop), on("2026-05-02", engine.EventResume)},
		Outcomes: map[uint64]engine.Outcome{1: engine.OutcomeDeclined},
	}
	_, err := engine.New(engine.Policy{}).Simulate(s, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.EffectEvent:
			fmt.Println(e.Date, e.Event, e.Result)
		case engine.EffectCharge:
			fmt.Println(e.Date, "charge", e.Charge.Repeat, e.Charge.Min, e.Charge.Outcome)
		case engine.EffectStop:
			fmt.Println(e.Date, "stopped")
		}
		return true
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2026-01-31 charge 0 10.00 approved
	// 2026-02-28 charge 1 10.00 declined
	// 2026-03-12 stop accepted
	// 2026-03-12 stopped
	// 2026-05-02 resume accepted
	// 2026-05-31 charge 2 10.00 approved
	// 2026-06-30 charge 3 10.00 approved
}

// How does a program that keeps profiles in a database follow them, event by event?
func ExampleEngine_Handle() {
	e := engine.New(engine.Policy{})
	stored, err := e.Create(subscription(), calendar.MustParse("2026-01-31"))
	if err != nil {
		fmt.Println(err)
		return
	}
	on := func(date string, kind engine.EventKind) engine.Event {
		return engine.Event{Date: calendar.MustParse(date), Kind: kind}
	}
	for _, event := range []engine.Event{
		on("2026-02-03", engine.EventStop),   // the runs up to 2 February come first
		on("2026-02-04", engine.EventCharge), // a manual charge, which a stopped profile refuses (L21)
	} {
		next, effects, err := e.Handle(stored, event)
		if err != nil {
			fmt.Println(err)
		}
		for _, e := range effects {
			if e.Kind == engine.EffectCharge {
				fmt.Println("charge", e.Charge.Repeat, e.Charge.Date, e.Charge.Min)
			}
		}
		stored = next // what to save
	}
	fmt.Println(stored.State.Status, stored.State.Repeat)
	// Output:
	// charge 0 2026-01-31 10.00
	// charge refused while stopped: a stopped profile is not charged, unless the policy manual-when-stopped allows it
	// stopped 1
}

// Which open question of the document would change this forecast?
func ExampleEngine_Sensitivities() {
	asOf, until := calendar.MustParse("2026-01-10"), calendar.MustParse("2026-06-30")
	list, _, err := engine.New(engine.Policy{}).Sensitivities(nil, engine.Stored{Profile: subscription()}, asOf, calendar.Through(asOf, until))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range list {
		fmt.Println(s.Clause.Key(), s.Value, s.First, s.Old.Min, s.New.Min)
	}
	// Output:
	// month-end skip 2026-02-28 60.00 30.00
	// month-end next-first 2026-02-28 60.00 50.00
	// month-end overflow 2026-02-28 60.00 50.00
	// max-counts repeats-after-first 2026-06-30 60.00 60.00
}

// What happened in January, if the daily runs took place and nothing else happened?
func ExampleEngine_Advance() {
	stored, err := engine.New(engine.Policy{}).Create(subscription(), calendar.MustParse("2026-01-10"))
	if err != nil {
		fmt.Println(err)
		return
	}
	stored, effects, err := engine.New(engine.Policy{}).Advance(stored, calendar.MustParse("2026-03-01"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range effects {
		fmt.Println(e.Kind, e.Date, e.Charge.Min)
	}
	fmt.Println("next repeat number", stored.State.Repeat, "after", stored.State.RanThrough)
	// Output:
	// charge 2026-01-31 10.00
	// charge 2026-02-28 10.00
	// next repeat number 2 after 2026-03-01
}

// Can this profile be used, and if not, which field is at fault?
func ExampleEngine_Check() {
	stored := engine.Stored{Profile: subscription()}
	stored.Profile.Interval = 0
	fmt.Println(engine.New(engine.Policy{}).Check(stored, calendar.MustParse("2026-01-10")))
	// Output:
	// interval: period and interval belong together: give both or neither (2.2.3)
}

// What will be collected, by month and currency? Two workers count their profiles, and one of them
// sends its book.
func ExampleBook() {
	asOf := calendar.MustParse("2026-01-10")
	scope := engine.Scope{AsOf: asOf, Window: calendar.Through(asOf, calendar.MustParse("2026-03-31"))}
	bookOf := func(profiles ...engine.Profile) *engine.Book {
		b, err := engine.New(engine.Policy{}).NewBook(scope)
		if err != nil {
			panic(err)
		}
		for _, p := range profiles {
			if err := b.Add(engine.Stored{Profile: p}); err != nil {
				panic(err)
			}
		}
		return b
	}
	weekly := subscription()
	weekly.Unit, weekly.Amounts = calendar.UnitWeek, amount.Fixed(amount.MustParse("2.5"))
	sent, err := json.Marshal(bookOf(weekly))
	if err != nil {
		panic(err)
	}
	var received engine.Book
	if err := json.Unmarshal(sent, &received); err != nil {
		panic(err)
	}
	whole := bookOf(subscription())
	if err := whole.Merge(&received); err != nil {
		panic(err)
	}
	for t := range whole.Totals(engine.ByMonth) {
		fmt.Println(engine.ByMonth.Value(t.Period), t.Currency, t.Charges, t.Max)
	}
	// Output:
	// 2026-01 EUR 2 12.50
	// 2026-02 EUR 5 20.00
	// 2026-03 EUR 2 12.50
}
