package reconcile_test

import (
	"fmt"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// Which experiment shows how the gateway takes the end of a month, beside ten other keys?
func ExampleProbe() {
	x, err := reconcile.Probe(calendar.MustParse("2026-04-10"))
	if err != nil {
		fmt.Println(err)
		return
	}
	monthly := x.Rows[1].Profile
	fmt.Println("create", monthly.ID, "every", monthly.Unit, "from", monthly.Start)
	for _, s := range x.Steps {
		if s.Line.Profile == monthly.ID {
			fmt.Println(s.Line.Step.Date, s.Line.Step.Kind, s.Line.Cells)
		}
	}
	for _, d := range x.Decides {
		if d.Profile == monthly.ID {
			fmt.Println("by", d.Date, d.Key.Key(), d.Apart)
		}
	}
	fmt.Println("open", x.Open[0].Values, "for", x.Open[0].Days, "days")
	// Output:
	// create probe-20260410-2 every month from 2026-04-11
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
