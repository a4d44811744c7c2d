package fuzz_test

import (
	"errors"
	"iter"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// The report does not depend on the number of workers, with many failures, with few, and with none.
func TestWorkersDoNotShow(t *testing.T) {
	wrong := fuzz.Ours()
	grid := wrong.NewGrid
	wrong.NewGrid = func(start calendar.Date, unit calendar.Unit, _ int, end calendar.MonthEnd) (laws.Grid, error) {
		return grid(start, unit, 1, end)
	}
	for _, impl := range []fuzz.Impl{fuzz.Ours(), wrong} {
		for _, failures := range []int{1, 3, 50} {
			o := fuzz.Options{Laws: []string{"C08", "C16", "C23", "C24", "A01"}, Cases: 150, Failures: failures, Seed: 3, Shrinks: 5}
			want := shown(fuzz.Run(impl, o))
			for _, o.Workers = range []int{2, 7, 1000} {
				if got := shown(fuzz.Run(impl, o)); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %d failures, %d workers: %s", impl.Name, failures, o.Workers, cmp.Diff(want, got))
				}
			}
		}
	}
}

// shown is what a report says.
func shown(r fuzz.Report) []any {
	list := []any{r.Missing()}
	for _, result := range r.Results {
		list = append(list, result.Law.ID, result.Cases, result.NotCovered, result.NotRun)
		for _, f := range result.Failures {
			list = append(list, f.Token, f.Message, f.Value, f.Shrinks)
		}
	}
	return list
}

// An iterator without an end fails the law, and no case goes on for ever.
func TestEndlessIterators(t *testing.T) {
	impl := fuzz.Ours()
	forecast := impl.Forecast
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		f, err := forecast(j)
		f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				for yield(engine.Charge{Date: w.From, Slot: w.From}) {
				}
			}
		}
		return f, err
	}
	r := fuzz.Run(impl, fuzz.Options{Laws: []string{"T05"}, Cases: 3, Shrinks: -1})
	if r.OK() || !strings.Contains(r.Results[0].Failures[0].Message, "Charges yields more than") {
		t.Errorf("endless charges give %+v", r.Results[0].Failures)
	}
}

// A case that does not come to an end fails its law; after three of them no more laws are run. The clock goes on when
// all wait, so that no case that is only slow is taken for one.
func TestStuckCases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		impl := fuzz.Impl{Name: "stuck", AmountImpl: fuzz.Ours().AmountImpl}
		var n atomic.Int64
		impl.ParseAmount = func(text string) (amount.Amount, error) {
			if n.Add(1)%10 == 0 {
				<-release
			}
			return amount.Amount{}, errors.New("no")
		}
		r := fuzz.Run(impl, fuzz.Options{Laws: []string{"A"}, Cases: 100, Shrinks: -1, Timeout: 50 * time.Millisecond, Failures: 1000})
		stuck, notRun := 0, 0
		for _, result := range r.Results {
			if result.NotRun {
				notRun++
			}
			for _, f := range result.Failures {
				if strings.HasPrefix(f.Message, "no answer within 50ms") {
					stuck++
				}
			}
		}
		if r.OK() || stuck == 0 || stuck > 3 || notRun == 0 {
			t.Errorf("%d cases are stuck, %d laws are not run: %v", stuck, notRun, shown(r))
		}
	})
}

// A function that ends the goroutine, as t.Fatal does, fails the law and not the run.
func TestEndedGoroutine(t *testing.T) {
	impl := fuzz.Ours()
	impl.ParseAmount = func(string) (amount.Amount, error) { runtime.Goexit(); return amount.Amount{}, nil }
	r := fuzz.Run(impl, fuzz.Options{Laws: []string{"A01"}, Cases: 5, Shrinks: -1})
	if r.OK() || !strings.Contains(r.Results[0].Failures[0].Message, "ended its goroutine") {
		t.Errorf("an ended goroutine gives %v", shown(r))
	}
}
