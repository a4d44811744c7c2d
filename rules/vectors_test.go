package rules

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vector"
)

// TestForecastVectors holds the rows of the forecast vectors against what the vectors
// say of them: refused, or usable and compiling under their policy (V20).
func TestForecastVectors(t *testing.T) {
	list, err := vector.Lives("forecast-public")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, c := range list {
		cases++
		row := destination(nil)
		if c.Columns["rp_card_type"] != "DST" {
			row = source(values{ColumnStartDate: "", ColumnFinishDate: "", ColumnMaxRepeatsNumber: "", ColumnPeriod: "", ColumnInterval: ""})
		}
		row[ColumnAmount], row[ColumnCurrency] = "", "EUR"
		for name, v := range c.Columns {
			col, ok := ColumnOf(name)
			if !ok {
				t.Fatalf("%s: no column %s", c.ID, name)
			}
			row[col] = v
		}
		o := Options{AsOf: calendar.MustParse(c.AsOf)}
		var policy []string
		for k, v := range c.Policy {
			policy = append(policy, k+"="+v)
		}
		if o.Policy, err = engine.ParsePolicy(strings.Join(policy, ",")); err != nil {
			t.Fatal(err)
		}
		j := judge(document(row), o)
		if rejected := len(j.rows) == 0; rejected != c.Expect.Rejected {
			t.Errorf("%s: rejected %v, want %v: %v", c.ID, rejected, c.Expect.Rejected, j.problems.Unwrap())
			continue
		}
		if c.Expect.Rejected || len(c.State) > 0 {
			continue
		}
		plan, err := engine.New(o.Policy).Compile(engine.Stored{Profile: j.rows[0].Profile()}, o.AsOf)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		never := plan.Count(calendar.Window{}) == 0 && j.rows[0].Profile().Automatic()
		if never != j.problems.Has(NeverCharges) {
			t.Errorf("%s: never charged %v, reported %v", c.ID, never, !never)
		}
	}
	if cases < 100 {
		t.Errorf("%d cases", cases)
	}
}
