package fuzz_test

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// A law whose cases ask nothing, or are refused, is not judged as held: not with few cases, of which
// none may ask, not with a policy, not with workers, and not on a skip list.
func TestNothingAnsweredIsNotHeld(t *testing.T) {
	refuse := func(fuzz.Job) (fuzz.Forecast, error) { return fuzz.Forecast{}, fuzz.ErrNotSupported }
	for _, row := range []struct {
		name     string
		forecast func(fuzz.Job) (fuzz.Forecast, error)
		o        fuzz.Options
	}{
		{"one case", refuse, fuzz.Options{Cases: 1}},
		{"three cases", refuse, fuzz.Options{Cases: 3, Seed: 5}},
		{"as found", refuse, fuzz.Options{Cases: 30, Policy: new(engine.Policy)}},
		{"workers", refuse, fuzz.Options{Cases: 30, Policy: new(engine.Policy), Workers: 3}},
		{"skip list", refuse, fuzz.Options{Cases: 20, Policy: new(engine.Policy), Skip: []string{"R04", "T09"}}},
		{"a forecast without answers", func(fuzz.Job) (fuzz.Forecast, error) { return fuzz.Forecast{}, nil }, fuzz.Options{Cases: 30}},
	} {
		impl := fuzz.Impl{Name: "refuses"}
		impl.Forecast = row.forecast
		r := fuzz.Run(impl, row.o)
		for _, l := range r.Results {
			if !l.NotCovered || l.Cases > 0 || l.Failed() {
				t.Errorf("%s: %s: %d cases, not covered %v, failed %v", row.name, l.Law.ID, l.Cases, l.NotCovered, l.Failed())
			}
		}
		if none := (fuzz.Report{}).Missing(); len(r.Missing()) != len(none) {
			t.Errorf("%s: %d of %d pairs of classes are missing, though no case counts", row.name, len(r.Missing()), len(none))
		}
		shown := r
		if text := string(shown.AppendText(nil, nil)); strings.Contains(text, "Held") || !strings.Contains(text, "refuses: no law was judged; 0 judged, ") {
			t.Errorf("%s: %s", row.name, text)
		}
		if n := strings.Count(string(shown.AppendJUnit(nil, nil)), `<skipped message="not covered"/>`); n != len(r.Results) {
			t.Errorf("%s: JUnit has %d of %d laws as not covered", row.name, n, len(r.Results))
		}
	}
}

// A law that holds had an answer, however few there are; and one with an answer in each case that is
// not refused is covered.
func TestFewAnswersAreEnough(t *testing.T) {
	ours := fuzz.Ours()
	for _, every := range []int{2, 40, 1000} {
		covered := 0
		for _, id := range []string{"R04", "T05", "T09", "T10", "T15", "T23", "Y07", "Y08"} {
			answers, refusals := 0, 0
			impl := fuzz.Impl{Name: "few"}
			impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
				if calendar.MaxDate().Sub(j.AsOf)%every != 0 {
					refusals++
					return fuzz.Forecast{}, fuzz.ErrNotSupported
				}
				answers++
				return ours.Forecast(j)
			}
			l := fuzz.Run(impl, fuzz.Options{Laws: []string{id}, Cases: 300}).Results[0]
			if refusals == 0 || l.Failed() || !l.NotCovered && answers == 0 {
				t.Errorf("%s, one in %d: %d answers, %d refusals: %+v", id, every, answers, refusals, l)
			}
			if !l.NotCovered {
				covered++
			}
		}
		if every == 2 && covered != 8 {
			t.Errorf("%d laws are covered by half of the answers", covered)
		}
	}
}
