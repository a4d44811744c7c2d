package chargecast_test

import (
	"fmt"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// What will a profile charge, when, and how sure is that?
func Example() {
	rent := engine.Profile{ID: "rent-31", Kind: engine.KindSource, Start: calendar.MustParse("2026-01-31"), Unit: calendar.UnitMonth,
		Interval: 1, Amounts: amount.Fixed(amount.MustParse("850.00")), Currency: "EUR"}
	asOf := calendar.MustParse("2026-01-10")
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: rent}, asOf)
	if err != nil {
		panic(err)
	}
	for c := range plan.Charges(calendar.Through(asOf, calendar.MustParse("2026-03-31"))) {
		fmt.Println(c.Date, c.Min, rent.Currency, c.Because.Basis())
	}
	// Output:
	// 2026-01-31 850.00 EUR inferred
	// 2026-02-28 850.00 EUR inferred
	// 2026-03-31 850.00 EUR inferred
}
