package fuzz_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// TestOurs: every law holds for chargecast through the public surface, and each is asked.
func TestOurs(t *testing.T) {
	r := fuzz.Check(t, fuzz.Ours(), fuzz.Options{Cases: 120})
	for _, l := range r.Results {
		if l.Verdict != fuzz.Holds {
			t.Errorf("%s: %v", l.Law.ID, l.Verdict)
		}
	}
	if r.Judged() != len(fuzz.Laws()) {
		t.Errorf("%d laws judged of %d", r.Judged(), len(fuzz.Laws()))
	}
}

func FuzzLaws(f *testing.F) { fuzz.Native(f, fuzz.Ours()) }

// naive is a scheduler that loops day by day and takes each date from the one before, so that the 31st drifts to the 28th.
func naive(drifts bool) fuzz.Impl {
	return fuzz.Impl{Name: "naive", Forecast: func(j fuzz.Job) (fuzz.Forecast, error) {
		p := j.Profile
		if !j.Plain() {
			return fuzz.Forecast{}, fuzz.ErrNotSupported
		}
		if p.Start.IsZero() {
			p.Start = j.AsOf
		}
		due := func(k int, before calendar.Date) (calendar.Date, bool) {
			if drifts && p.Unit == calendar.UnitMonth && k > 0 {
				s, err := calendar.NewSchedule(before, p.Unit, p.Interval, calendar.MonthEndClamp)
				if err != nil {
					return before, false
				}
				return s.At(1)
			}
			s, err := calendar.NewSchedule(p.Start, p.Unit, p.Interval, calendar.MonthEndClamp)
			if err != nil {
				return before, false
			}
			return s.At(k)
		}
		most, limited := p.MaxRepeats.Value()
		return fuzz.Forecast{Charges: func(w calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				n, k := uint64(0), 0
				next, ok := due(0, p.Start)
				for d := min(p.Start.Sub(calendar.MinDate()), j.AsOf.Sub(calendar.MinDate())); ok; d++ {
					day := calendar.MinDate().AddDays(d)
					if !day.IsDay() || !w.To.IsZero() && !day.Before(w.To) || limited && n >= most || !p.Finish.IsZero() && day.After(p.Finish) {
						return
					}
					if day != next {
						continue
					}
					if !day.Before(j.AsOf) {
						low, high := p.Amounts.Bounds(n)
						if !day.Before(w.From) && !yield(engine.Charge{Repeat: n, Date: day, Min: low, Max: high}) {
							return
						}
						n++
					}
					k++
					next, ok = due(k, day)
				}
			}
		}}, nil
	}}
}

// collected keeps what is reported.
type collected struct{ text string }

func (*collected) Helper()                          {}
func (c *collected) Errorf(format string, a ...any) { c.text += fmt.Sprintf(format, a...) + "\n" }

// TestNaiveScheduler: a scheduler that drifts fails at once, with a payload of these years and a token that repeats it; the right
// one passes, and with it the token.
func TestNaiveScheduler(t *testing.T) {
	begun := time.Now()
	var c collected
	r := fuzz.Check(&c, naive(true), fuzz.Options{Policy: new(engine.Policy)})
	if took := time.Since(begun); r.OK() || took > 5*time.Second {
		t.Fatalf("OK %v after %v", r.OK(), took)
	}
	i := slices.IndexFunc(r.Results, func(l fuzz.Result) bool { return l.Law.ID == "T07" })
	if r.Results[i].Verdict != fuzz.Fails {
		t.Fatalf("%s", r)
	}
	failure := r.Results[i].Failures[0]
	for _, year := range []string{".199", ".20", ".21"} {
		if n := strings.Count(failure.Payload, year); year == ".20" && n == 0 || year != ".20" && n > 0 {
			t.Errorf("the payload is not of these years:\n%s", failure.Payload)
		}
	}
	var again collected
	if fuzz.Again(&again, naive(true), failure.Token); again.text == "" {
		t.Errorf("%s holds", failure.Token)
	}
	fuzz.Again(t, naive(false), failure.Token)
	if right := fuzz.Run(naive(false), fuzz.Options{Policy: new(engine.Policy), Cases: 200}); !right.OK() || right.Judged() != 2 {
		t.Errorf("%s", right)
	}
}

// TestAgain: a token that names no case, and one that the implementation does not cover, are reported.
func TestAgain(t *testing.T) {
	for token, want := range map[string]string{
		"cc3:T25::0:0": "not covered", "cc2:T07:0:0": "another version", "cc3:T07::b64:!": "no base64", "x": "a token is written",
	} {
		var c collected
		if fuzz.Again(&c, naive(false), token); !strings.Contains(c.text, want) {
			t.Errorf("%s: %q", token, c.text)
		}
	}
}

// TestPanicsAreSaidOnce: a function that panics is reported with its place, once for all laws that meet it.
func TestPanicsAreSaidOnce(t *testing.T) {
	impl := fuzz.Impl{Name: "panics", Encode: func(string) string { panic(errors.New("boom")) }}
	var c collected
	fuzz.Check(&c, impl, fuzz.Options{})
	if strings.Count(c.text, "panic: boom at fuzz_test.go:") != 1 {
		t.Errorf("%s", c.text)
	}
}
