package fuzz_test

import (
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/ledger"
)

// TestContract: each name that tests of other modules rely on, in its shape. What it refers to is compiled and not run, but for
// what became of laws.
func TestContract(t *testing.T) {
	_, _, _ = everyFunction, checked, func(f *testing.F) { fuzz.Native(f, fuzz.Ours()) }
	var none fuzz.Impl
	none.Name = "none"
	results := fuzz.Run(none, fuzz.Options{Laws: []string{"T07"}, Cases: 1}).Results
	if len(results) != 1 || results[0].Law.ID != "T07" || results[0].Failed() {
		t.Errorf("%+v", results)
	}
	wrong := fuzz.Impl{Name: "wrong", DaysIn: func(int, int) int { return 30 }}
	if r := fuzz.Run(wrong, fuzz.Options{Laws: []string{"C*"}}); !failed(r) || r.OK() {
		t.Errorf("nothing fails: %s", r)
	}
}

func failed(r fuzz.Report) bool {
	return slices.ContainsFunc(r.Results, fuzz.Result.Failed)
}

// is compiles where values have, or can be assigned to, a type.
func is[T any](...T) {}

func everyFunction() fuzz.Impl {
	return fuzz.Impl{
		Name: "mine", Cites: true,
		Forecast: func(j fuzz.Job) (fuzz.Forecast, error) {
			is[engine.Profile](j.Profile)
			is[engine.State](j.State)
			is[engine.Policy](j.Policy)
			is[calendar.Date](j.AsOf)
			return fuzz.Forecast{
				Charges: func(calendar.Window) iter.Seq[engine.Charge] { return nil },
				Stop:    func() engine.Stop { return engine.Stop{} },
				End:     func(calendar.Date) engine.End { return engine.End{} },
			}, fuzz.ErrNotSupported
		},
		Simulate: func(engine.Policy, engine.Simulation) (fuzz.Life, error) {
			return fuzz.Life{Effects: nil, End: engine.End{}}, nil
		},
		Validate:    func([]byte) ledger.Findings { return nil },
		Decode:      func([]byte) ([]byte, error) { return nil, nil },
		Encode:      func(string) string { return "" },
		BaseString:  func(fuzz.Request, []fuzz.Param) (string, error) { return "", nil },
		Sign:        func(fuzz.Request, fuzz.Signer) (string, error) { return "", nil },
		Verify:      func(fuzz.Request, fuzz.Signer) bool { return false },
		DaysIn:      func(int, int) int { return 0 },
		ParseDate:   calendar.Parse,
		ParseAmount: amount.Parse,
		Sum:         func([]amount.Amount) string { return "" },
	}
}

func checked(t fuzz.Reporter) {
	r := fuzz.Check(t, everyFunction(), fuzz.Options{Cases: 3, Timeout: 5 * time.Second})
	fuzz.Again(t, fuzz.Ours(), "cc3:T07::17:4")
	is[fuzz.Report](r)
	is[int](r.Judged())
	for _, l := range r.Results {
		is[string](l.Law.ID)
		is[bool](l.Failed())
	}
}
