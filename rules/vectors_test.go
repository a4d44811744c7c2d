package rules

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vectortest"
)

// TestVectors runs every vector about payloads.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "rules", map[string]vectortest.Judge{"validate": judgePayload})
}

func judgePayload(t *testing.T, v vectortest.Vector) {
	p := v.Payload(t)
	o := Options{AsOf: calendar.MustParse(p.AsOf), Currency: p.Currency}
	if p.Input != "" {
		o.Input = map[string]Input{"csv": InputCSV, "base64": InputBase64, "form": InputForm}[p.Input]
	}
	reader := NewReader(bytes.NewReader(p.Bytes()), o)
	var got vectortest.Judged
	for row, found := range reader.Rows() {
		if row != nil {
			got.Valid++
		}
		for _, f := range found {
			got.Problems = append(got.Problems, vectortest.Problem{Severity: f.Severity.String(), Code: string(f.Code), Column: f.Subject})
		}
	}
	got.Rows = reader.Summary().Rows
	p.Same(t, got)
}

// TestForecastVectors: a row of a life that nothing will ever be charged for is told so, and no other (V20).
func TestForecastVectors(t *testing.T) {
	cases := 0
	for _, c := range vectortest.Simulations(t, "forecast-public") {
		o := Options{AsOf: calendar.MustParse(c.AsOf)}
		var policy []string
		for k, v := range c.Policy {
			policy = append(policy, k+"="+v)
		}
		var err error
		if o.Policy, err = engine.ParsePolicy(strings.Join(policy, ",")); err != nil {
			t.Fatal(err)
		}
		j := judge(string(c.Payload().Bytes()), o)
		if c.Expect.Rejected || len(c.State) > 0 {
			continue
		}
		cases++
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
	if cases < 80 {
		t.Errorf("%d cases", cases)
	}
}
