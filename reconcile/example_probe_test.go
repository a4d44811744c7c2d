package reconcile_test

import (
	"fmt"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// What is the smallest experiment that shows how the gateway takes the end of a month?
func ExampleProbe() {
	monthEnd, _ := ledger.Lookup("L01")
	x, err := reconcile.Probe(reconcile.ProbeOptions{AsOf: calendar.MustParse("2026-04-10"), Keys: []ledger.Clause{monthEnd.Clause}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range x.Rows {
		fmt.Println("create", row.Profile.ID, "every", row.Profile.Unit, "from", row.Profile.Start)
	}
	for _, s := range x.Steps {
		fmt.Println(s.Line.Step.Date, s.Line.Step.Kind, s.Line.Cells)
	}
	for _, d := range x.Decides {
		fmt.Println("by", d.Date, d.Key.Key(), d.Apart)
	}
	for _, o := range x.Open {
		fmt.Println("open", o.Values, "for", o.Days, "days")
	}
	// Output:
	// create probe-20260410-1 every month from 2026-04-11
	// 2026-04-10 update [{start-date 31.03.2026 0}]
	// by 2026-05-01 month-end [[0] [1] [2 3]]
	// open [2 3] for 326 days
}

// Which readings has a gateway shown, and what is the policy with them?
func ExampleParseReadings() {
	r, err := record.ParseReadings([]byte(`{"schema":"chargecast.readings/1","readings":[
		{"key":"month-end","value":"skip","shown_by":{"profile":"rent-31","date":"2026-02-28"}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for reading := range r.All() {
		fmt.Println(reading.Key.Key(), "is shown by", reading.Profile, "on", reading.Date)
	}
	fmt.Println(r.Policy(engine.Policy{}).MonthEnd)
	// Output:
	// month-end is shown by rent-31 on 2026-02-28
	// skip
}
