package fuzz_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// onlyDefault is an implementation of the default readings alone.
func onlyDefault() fuzz.Impl {
	impl := fuzz.Ours()
	forecast := impl.Forecast
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		if j.Policy != (engine.Policy{}) {
			return fuzz.Forecast{}, fmt.Errorf("policy %v: %w", j.Policy, fuzz.ErrNotSupported)
		}
		return forecast(j)
	}
	return impl
}

// TestNotSupportedIsNotCovered: an implementation of the default reading alone fails no law, a law about other readings is not
// covered, and a case that is refused is not counted.
func TestNotSupportedIsNotCovered(t *testing.T) {
	r := fuzz.Run(onlyDefault(), fuzz.Options{Laws: []string{"T0*", "R01", "Y03"}, Effort: 40})
	for _, l := range r.Results {
		if len(l.Failures) > 0 {
			t.Errorf("%s: %s", l.Law.ID, l.Failures[0].Message)
		}
		if other := l.Law.ID == "Y03"; l.NotCovered != other || (l.Cases == 0) != other || l.Cases == 40 {
			t.Errorf("%s: %d cases, not covered %v", l.Law.ID, l.Cases, l.NotCovered)
		}
	}
}

// TestChargesAlone: a scheduler that only lists its charges is judged by the laws of charges. No law that asks for more is held,
// by cases that ask less neither.
func TestChargesAlone(t *testing.T) {
	ours := fuzz.Ours()
	impl := fuzz.Impl{Name: "lists"}
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		f, err := ours.Forecast(j)
		return fuzz.Forecast{Charges: f.Charges}, err
	}
	r := fuzz.Run(impl, fuzz.Options{Cases: 200})
	var judged []string
	for _, l := range r.Results {
		if !l.NotCovered {
			judged = append(judged, l.Law.ID)
		}
	}
	want := []string{"T01", "T02", "T03", "T04", "T09", "T05", "T18", "T20", "T21", "Y08", "R01", "R04", "A11"}
	slices.Sort(judged)
	slices.Sort(want)
	if !r.OK() || !slices.Equal(judged, want) {
		t.Errorf("OK %v, judged %v, want %v", r.OK(), judged, want)
	}
}

// TestSlotIsTheDate: a charge without a slot is for its date.
func TestSlotIsTheDate(t *testing.T) {
	ours := fuzz.Ours()
	impl := fuzz.Impl{Name: "no slots"}
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		f, err := ours.Forecast(j)
		charges := f.Charges
		f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				for c := range charges(w) {
					if c.Slot == c.Date {
						c.Slot = calendar.Date{}
					}
					if !yield(c) {
						return
					}
				}
			}
		}
		return f, err
	}
	if r := fuzz.Run(impl, fuzz.Options{Laws: []string{"T01", "T05", "T18"}, Cases: 300}); !r.OK() {
		t.Errorf("%+v", r.Results)
	}
}

// TestAbort: what a function panics with decides about the case, and any other panic is a failure.
func TestAbort(t *testing.T) {
	law, ok := laws.Find("P02")
	if !ok {
		t.Fatal("no law P02")
	}
	for _, tt := range []struct {
		with any
		want laws.Verdict
	}{
		{fuzz.ErrNotSupported, laws.Verdict{NotCovered: true}},
		{fmt.Errorf("a reading: %w", fuzz.ErrNotSupported), laws.Verdict{NotCovered: true}},
		{errors.New("broken"), laws.Verdict{Message: "panic: broken"}},
		{laws.Abort{Kind: laws.AbortUnspecified, Text: "max-zero"}, laws.Verdict{Unspecified: "max-zero"}},
		{laws.Abort{Kind: laws.AbortFailed, Text: "gone"}, laws.Verdict{Message: "gone"}},
		{"oops", laws.Verdict{Message: "panic: oops"}},
	} {
		var impl fuzz.Impl
		impl.Encode = func(string) string { panic(tt.with) }
		if got := laws.Judge(law, laws.Source{Seed: 1}.Case(law, 0), impl); got != tt.want {
			t.Errorf("%v: %+v, want %+v", tt.with, got, tt.want)
		}
		r := fuzz.Run(impl, fuzz.Options{Laws: []string{"P02"}}).Results[0]
		if tt.want.Unspecified != "" && (r.Unspecified != 1 || !slices.Equal(r.Keys, []string{"max-zero"})) || r.NotCovered != tt.want.NotCovered {
			t.Errorf("%v: %+v", tt.with, r)
		}
	}
}

// TestReportBeforeAbort: a law that has reported fails, even if it cannot go on.
func TestReportBeforeAbort(t *testing.T) {
	law, _ := laws.Find("P02")
	calls := 0
	var impl fuzz.Impl
	impl.Encode = func(string) string {
		if calls++; calls > 1 {
			panic(fuzz.ErrNotSupported)
		}
		return "wrong"
	}
	if v := laws.Judge(law, laws.Source{Seed: 1}.Case(law, 0), impl); v.Message == "" || v.NotCovered {
		t.Errorf("%+v", v)
	}
}

// TestCaseWithoutReply: an implementation that counts its replies is not judged by a case that asks
// for none.
func TestCaseWithoutReply(t *testing.T) {
	law, _ := laws.Find("P02")
	replies := uint64(0)
	ours := fuzz.Ours()
	impl := fuzz.Impl{Replies: func() uint64 { return replies }}
	impl.Encode = ours.Encode
	if v := laws.Judge(law, laws.Source{Seed: 1}.Case(law, 0), impl); !v.NotCovered {
		t.Errorf("%+v", v)
	}
	impl.Encode = func(s string) string { replies++; return ours.Encode(s) }
	if v := laws.Judge(law, laws.Source{Seed: 1}.Case(law, 0), impl); v != (laws.Verdict{}) {
		t.Errorf("%+v", v)
	}
}

// TestFixedPolicy: every case and every simpler case asks for the readings of the options.
func TestFixedPolicy(t *testing.T) {
	p, err := engine.ParsePolicy("month-end=skip")
	if err != nil {
		t.Fatal(err)
	}
	impl, asked := fuzz.Ours(), 0
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		if asked++; j.Policy != p {
			t.Errorf("asked for %v", j.Policy)
		}
		return fuzz.Forecast{}, fmt.Errorf("refused")
	}
	r := fuzz.Run(impl, fuzz.Options{Laws: []string{"R01"}, Cases: 20, Policy: &p}).Results[0]
	if len(r.Failures) != 1 || asked < 2 || !strings.Contains(r.Failures[0].Value, "month-end=skip") {
		t.Errorf("asked %d times: %+v", asked, r)
	}
}
