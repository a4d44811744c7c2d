package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// The snippets of docs/embed.md and docs/upgrade.md are parts of these examples, word for word.

// gym costs 29.90 a month from the 31st of January on.
var gym = engine.Profile{
	ID: "gym-42", Kind: engine.KindSource, Start: calendar.MustParse("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1,
	Amounts: amount.Fixed(amount.MustParse("29.90")), Currency: "EUR",
}

// What will be charged within a year?
func Example_forecast() {
	profile, today := gym, calendar.MustParse("2026-01-10")

	e := engine.New(engine.Policy{})
	plan, err := e.Compile(engine.Stored{Profile: profile}, today)
	if err != nil {
		fmt.Println(err)
		return
	}
	year := calendar.Window{From: today, To: today.AddMonths(12)} // the day To is left out
	for c := range plan.Charges(year) {
		if c.Repeat < 2 {
			fmt.Println(c.Date, c.Repeat, c.Min, c.Max, c.Because)
		}
	}
	total := plan.Total(year)
	fmt.Println(total.Charges, total.Min)
	// Output:
	// 2026-01-31 0 29.90 29.90 2.1 2.2.1 2.2.4 2.2.5 2.2.7 L01
	// 2026-02-28 1 29.90 29.90 2.2.1 2.2.5 L01
	// 12 358.80
}

// Why is there no charge on a day?
func Example_explain() {
	profile, today, e := gym, calendar.MustParse("2026-01-10"), engine.New(engine.Policy{})

	why, err := e.Explain(engine.Simulation{Stored: engine.Stored{Profile: profile}, AsOf: today}, calendar.MustParse("2026-02-15"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(why.Why, "between", why.Before, "and", why.After)
	// Output:
	// not-due between 2026-01-31 and 2026-02-28
}

// How does a program let time pass, and what does it do with events?
func Example_life() {
	e, day := engine.New(engine.Policy{}), calendar.MustParse
	charge := func(id string, c engine.Charge) { fmt.Println(id, c.Key(), c.Amount(amount.NewSeed(2026, id))) }

	s, err := e.Create(gym, day("2026-01-10"))
	if err != nil {
		fmt.Println(err)
		return
	}
	// The nightly job: every daily run up to and including a day.
	s, effects, err := e.Advance(s, day("2026-02-28"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, effect := range effects {
		switch effect.Kind {
		case engine.EffectCharge:
			charge(s.Profile.ID, effect.Charge)
		case engine.EffectStop:
			fmt.Println(s.Profile.ID, "stopped on", effect.Date)
		}
	}
	// A customer stops: the runs up to the day before come first.
	stopped, effects, err := e.Handle(s, engine.Event{Date: day("2026-04-10"), Kind: engine.EventStop})
	fmt.Println(len(effects), stopped.State.Status, stopped.State.Repeat, err)

	// A manual charge of a stopped profile is refused: nothing happened, and the error says why.
	same, effects, err := e.Handle(stopped, engine.Event{Date: day("2026-04-11"), Kind: engine.EventCharge})
	fmt.Println(same.Equal(stopped), len(effects), effects[0].Result)
	fmt.Println(err)
	// Output:
	// gym-42 2026-01-31 29.90
	// gym-42 2026-02-28 29.90
	// 3 stopped 3 <nil>
	// true 1 refused
	// charge refused while stopped: a stopped profile is not charged, unless the policy manual-when-stopped allows it
}

// In what order does a program without transactions write?
func Example_commit() {
	e, today := engine.New(engine.Policy{}), calendar.MustParse("2026-02-28")
	created, err := e.Create(gym, calendar.MustParse("2026-01-10"))
	must(err)
	profiles := map[string]engine.Stored{gym.ID: created}
	charges := map[string]string{} // by profile and key: a unique key
	crash := errors.New("the machine stops here")
	insert := func(profile, key, amount string) error {
		if _, there := charges[profile+" "+key]; !there {
			charges[profile+" "+key] = amount
		}
		return nil
	}
	fails := true
	update := func(s engine.Stored) error {
		if fails {
			return crash
		}
		profiles[s.Profile.ID] = s
		return nil
	}

	night := func(id string) error {
		s, effects, err := e.Advance(profiles[id], today)
		if err != nil {
			return err
		}
		seed := amount.NewSeed(2026, id) // of random amounts
		for _, effect := range effects {
			if effect.Kind == engine.EffectCharge { // the charges first, each under its key
				if err := insert(id, effect.Charge.Key(), effect.Charge.Amount(seed).String()); err != nil {
					return err
				}
			}
		}
		return update(s) // then the state
	}

	fmt.Println(night(gym.ID))
	fails = false
	fmt.Println(night(gym.ID), len(charges), profiles[gym.ID].State.Repeat)
	// Output:
	// the machine stops here
	// <nil> 2 2
}

// How are amounts changed, and random ones drawn?
func Example_amounts() {
	e, day := engine.New(engine.Policy{}), calendar.MustParse
	s, err := e.Create(gym, day("2026-01-10"))
	must(err)

	usage, err := amount.Range(amount.MustParse("5.00"), amount.MustParse("15.00"), s.Profile.Currency)
	must(err)
	s, _, err = e.Handle(s, engine.Event{Date: day("2026-02-01"), Kind: engine.EventUpdate, Update: engine.SetAmounts(usage)})
	must(err)

	seed := amount.NewSeed(2026, s.Profile.ID) // once for a profile, not for each charge
	_, effects, err := e.Advance(s, day("2026-03-31"))
	must(err)
	for _, effect := range effects {
		c := effect.Charge
		fmt.Println(c.Date, "forecast as", c.Min, "to", c.Max, "and charged as", c.Amount(seed))
	}
	// Output:
	// 2026-02-28 forecast as 5.00 to 15.00 and charged as 7.34
	// 2026-03-31 forecast as 5.00 to 15.00 and charged as 5.16
}

// What does a whole book come to, and in which bounds?
func Example_book() {
	e, today := engine.New(engine.Policy{}), calendar.MustParse("2026-01-10")
	random := gym
	random.ID = "usage-7"
	random.Amounts, _ = amount.Range(amount.MustParse("5.00"), amount.MustParse("15.00"), "EUR")
	stored := []engine.Stored{{Profile: gym}, {Profile: random}}

	book, err := e.NewBook(engine.Scope{AsOf: today, Window: calendar.Window{From: today, To: today.AddMonths(6)}, Draws: true})
	must(err)
	for _, s := range stored {
		must(book.Add(s))
	}
	for t := range book.Totals(engine.ByQuarter) {
		sums, err := t.Quantiles(5, 95)
		must(err)
		fmt.Println(t.Period, t.Currency, t.Charges, t.Min, t.Max, "in 9 of 10 cases", sums[0], "to", sums[1])
	}
	// Output:
	// 2026-01-01 EUR 6 104.70 134.70 in 9 of 10 cases 111.39 to 128.01
	// 2026-04-01 EUR 6 104.70 134.70 in 9 of 10 cases 111.39 to 128.01
}

// What shows that a new version reads a stored profile as the old one did?
func Example_upgrade() {
	// What the old version stored, and the forecast that it kept.
	texts := map[string]string{
		"gym-42": `{"schema":"chargecast.stored/1","profile":{"client-orderid":"gym-42","rp_card_type":"SRC","start-date":"2026-01-31","period":"month","interval":1,"amount":"29.90","currency":"EUR"},"state":{"status":"active","repeat":2,"ran_through":"2026-02-28","anchor":"2026-01-31","last":"2026-02-28","paid":["2026-02-28"],"policy":{}}}`,
		"gym-43": `{"schema":"chargecast.stored/1","profile":{"client-orderid":"gym-43","rp_card_type":"SRC","start-date":"2026-01-31","period":"month","interval":1,"amount":"29.90","currency":"EUR"},"state":{"status":"active","repeat":1,"ran_through":"2026-02-28","anchor":"2026-01-31","last":"2026-02-28","policy":{"month-end":"skip"}}}`,
	}
	before := map[string][]string{"gym-42": {"2026-03-31", "2026-04-30"}, "gym-43": {"2026-03-31", "2026-05-31"}}
	today := calendar.MustParse("2026-03-01")

	for _, id := range []string{"gym-42", "gym-43"} {
		var s engine.Stored
		if err := json.Unmarshal([]byte(texts[id]), &s); err != nil {
			fmt.Println(id, err) // "schema-later": written by a version that this program is older than
			continue
		}
		policy, _ := s.Policy() // the one that the profile was made under, whatever the defaults are now
		plan, err := engine.New(policy).Compile(s, today)
		must(err)
		var keys []string
		for c := range plan.Next(2) {
			keys = append(keys, c.Key())
		}
		fmt.Println(id, slices.Equal(keys, before[id]))

		_, err = engine.New(engine.Policy{}).Compile(s, today)
		if e, ok := errors.AsType[*engine.Error](err); ok && errors.Is(err, engine.ErrPolicyDiffers) {
			fmt.Println(id, "was made under", e.Have, "and this program has", e.Want)
		}
	}
	// Output:
	// gym-42 true
	// gym-43 true
	// gym-43 was made under month-end=skip and this program has month-end=clamp
}
