package fuzz_test

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// A Profile is charged a price every so many days, weeks or months, counted from Start, or from Created where that is
// zero: up to Max times if Limited, and not after Finish, if there is one. Created is the first day with a charge.
type Profile struct {
	Created, Start, Finish time.Time
	Period                 string // "day", "week", "month", or "" for no schedule
	Interval               int
	Max                    uint64
	Limited                bool
	Price                  string
}

// A Charge has a number, counted from 0.
type Charge struct {
	Number uint64
	Day    time.Time
	Price  string
}

// Charges are the charges from a day to a day, both included.
func Charges(p Profile, from, to time.Time) []Charge {
	var list []Charge
	if p.Start.IsZero() {
		p.Start = p.Created
	}
	number := uint64(0)
	for k := 0; p.Period != "" && (!p.Limited || number < p.Max); k++ {
		day := due(p, k)
		if day.After(to) || !p.Finish.IsZero() && day.After(p.Finish) {
			break
		}
		if day.Before(p.Created) {
			continue
		}
		if !day.Before(from) {
			list = append(list, Charge{number, day, p.Price})
		}
		number++
	}
	return list
}

// due is the due day with a number, counted from the start. A month that lacks the day has it on its last one.
func due(p Profile, k int) time.Time {
	year, month, day := p.Start.Date()
	n := k * min(p.Interval, 4_000_000) // further than any calendar goes
	switch p.Period {
	case "day":
		day += n
	case "week":
		day += 7 * n
	case "month":
		month += time.Month(n)
		day = min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// A scheduler that knows nothing of chargecast is tested against the laws of its charges. In a test, [fuzz.Check] takes the place of
// [fuzz.Run].
func Example() {
	impl := fuzz.Impl{Name: "mine"}
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		if !j.Plain() || j.Profile.Amounts.Kind() != amount.KindFixed || j.Profile.Start == calendar.First() || j.Profile.Finish == calendar.First() {
			return fuzz.Forecast{}, fuzz.ErrNotSupported
		}
		p := Profile{Created: day(j.AsOf), Start: day(j.Profile.Start), Finish: day(j.Profile.Finish), Price: j.Profile.Amounts.String()}
		p.Period, p.Interval = j.Profile.Unit.String(), j.Profile.Interval
		p.Max, p.Limited = j.Profile.MaxRepeats.Value()
		return fuzz.Forecast{Charges: func(w calendar.Window) iter.Seq[engine.Charge] {
			var list []engine.Charge
			for _, c := range Charges(p, day(w.First()), day(w.Last())) {
				list = append(list, engine.Charge{Repeat: c.Number, Date: calendar.Of(c.Day), Min: amount.MustParse(c.Price), Max: amount.MustParse(c.Price)})
			}
			return slices.Values(list)
		}}, nil
	}
	report := fuzz.Run(impl, fuzz.Options{Laws: []string{"T0*"}, Cases: 100, Policy: new(engine.Policy)})
	fmt.Printf("%s", report.AppendText(nil, nil))
	// Output:
	// Law        cases  classes met    new    cases since  met once
	// T01          100   318 of 730    318              0    12.5 %
	// T02          100   321 of 730    321              1     8.4 %
	// T03          100   310 of 730    310              3    10.9 %
	// T04          100   308 of 730    308              2    11.3 %
	// T09          100   357 of 730    357              5    12.0 %
	// T05          100   322 of 730    322              5    15.8 %
	//
	// Held: T01 T02 T03 T04 T05 T09
	//
	// Not covered: T06 T07 T08
	//
	// mine: all laws that were judged hold; 6 judged, 3 not covered, seed 0
}

// day is a day as a time; the zero time for none.
func day(d calendar.Date) (t time.Time) { t, _ = time.Parse(time.DateOnly, d.String()); return t }
