package fuzz_test

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// follows is a scheduler that follows a policy and offers no choice.
func follows(t *testing.T, readings string) (fuzz.Impl, engine.Policy) {
	own, err := engine.ParsePolicy(readings)
	if err != nil {
		t.Fatal(err)
	}
	return fuzz.Impl{Name: readings, Forecast: func(j fuzz.Job) (fuzz.Forecast, error) {
		if !j.Plain() && j.Policy != own {
			return fuzz.Forecast{}, fuzz.ErrNotSupported
		}
		plan, err := engine.New(own).Compile(engine.Stored{Profile: j.Profile, State: j.State}, j.AsOf)
		if err != nil {
			return fuzz.Forecast{}, err
		}
		return fuzz.Forecast{Charges: plan.Charges}, nil
	}}, own
}

// TestAFailureNamesTheReadingThatFits: a scheduler that follows another reading of the ledger is told which one, and how to be
// judged by it, and then it holds. One that is wrong under every reading is told nothing of readings.
func TestAFailureNamesTheReadingThatFits(t *testing.T) {
	for readings, because := range map[string]string{"month-end=overflow": "(L01, inferred)", "month-end=skip": "(L01, inferred)", "finish-bound=exclusive": "(L05, stated)"} {
		impl, own := follows(t, readings)
		asked := fuzz.Options{Laws: []string{"T07"}, Cases: 400, Policy: new(engine.Policy)}
		r := fuzz.Run(impl, asked)
		if !r.Results[0].Failed() {
			t.Errorf("%s", r)
			continue
		}
		lines := strings.Split(r.Results[0].Failures[0].Message, "\n")
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "fits ") || !strings.Contains(last, readings+" "+because) || !strings.HasSuffix(last, "; if that is yours, set Options.Policy") {
			t.Errorf("%s: %q", readings, last)
		}
		asked.Policy = &own
		fuzz.Check(t, impl, asked)
	}
	r := fuzz.Run(naive(true), fuzz.Options{Laws: []string{"T07"}, Cases: 400, Policy: new(engine.Policy)})
	if !r.Results[0].Failed() || strings.Contains(r.String(), "fits") {
		t.Errorf("%s", r)
	}
}
