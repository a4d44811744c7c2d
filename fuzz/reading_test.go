package fuzz_test

import (
	"errors"
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

// TestARefusalNamesTheReadingsThatDiffer: a profile that is refused is shown with the readings that differ from the defaults, not
// with all of them.
func TestARefusalNamesTheReadingsThatDiffer(t *testing.T) {
	refuses := fuzz.Impl{Name: "refuses", Forecast: func(fuzz.Job) (fuzz.Forecast, error) { return fuzz.Forecast{}, errors.New("no") }}
	for readings, want := range map[string]string{"": "under the default policy it is refused: no", "month-end=skip,max-zero=unlimited": "under month-end=skip,max-zero=unlimited it is refused: no"} {
		policy, err := engine.ParsePolicy(readings)
		if err != nil {
			t.Fatal(err)
		}
		r := fuzz.Run(refuses, fuzz.Options{Laws: []string{"T07"}, Cases: 1, Policy: &policy})
		if got := r.Results[0].Failures; len(got) != 1 || !strings.Contains(got[0].Message, want) || strings.Contains(got[0].Message, "start-past=skip") {
			t.Errorf("%s", r)
		}
	}
}
