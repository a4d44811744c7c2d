package campaign

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// TestStepsNoticeAnotherSeries: a series with another start, unit, interval or month end than the one
// that is stepped through is noticed, wherever the two differ within the first dates.
func TestStepsNoticeAnotherSeries(t *testing.T) {
	noticed := map[string]int{}
	for i := range uint64(2000) {
		one := newSteps(gen.ChooserOf(gen.NewSource("steps", 1, i).Uint64()))
		start := gen.DateNumbered(one.day)
		right := series(t, start, one.unit, one.interval, one.end)
		for _, other := range []struct {
			what string
			calendar.Schedule
		}{
			{"start", series(t, gen.Moved(start, 1), one.unit, one.interval, one.end)},
			{"unit", series(t, start, one.unit%3+1, one.interval, one.end)},
			{"interval", series(t, start, one.unit, one.interval+1, one.end)},
			{"month end", series(t, start, one.unit, one.interval, (one.end+1)%4)},
		} {
			s := *one
			got := fails(func() { s.hold(other.Schedule, 16) })
			if want := differ(right, other.Schedule, 16); got != want {
				t.Fatalf("%s: %v held to %v: noticed %v, want %v", other.what, other.Schedule, right, got, want)
			}
			if got {
				noticed[other.what]++
			}
		}
	}
	for _, what := range []string{"start", "unit", "interval", "month end"} {
		if noticed[what] < 100 {
			t.Errorf("another %s is noticed %d times", what, noticed[what])
		}
	}
}

func series(t *testing.T, start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) calendar.Schedule {
	t.Helper()
	s, err := calendar.NewSchedule(start, unit, interval, end)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// differ reports whether two series differ in their first dates, as long as the first has any.
func differ(right, other calendar.Schedule, n int) bool {
	for k := range n {
		a, exists := right.At(k)
		b, also := other.At(k)
		if a != b || exists != also {
			return true
		}
		if !exists {
			return false
		}
	}
	return false
}

// fails reports whether a body panics.
func fails(body func()) (failed bool) {
	defer func() { failed = recover() != nil }()
	body()
	return false
}

// TestStepsReachTheirCases: the inputs of a fuzzer's beginning lead to every unit and month end, to
// months that lack the day, to leap days and past the end of the calendar.
func TestStepsReachTheirCases(t *testing.T) {
	seen := map[string]bool{}
	for i := range uint64(20_000) {
		s := newSteps(gen.ChooserOf(gen.NewSource("steps", 2, i).Uint64()))
		seen[s.unit.String()], seen[s.end.String()] = true, true
		for range 15 {
			if !s.next() {
				seen["past the end"] = true
				break
			}
			if s.unit != calendar.UnitMonth {
				continue
			}
			if s.anchor > oracle.DaysIn(s.year, s.month) {
				seen["short month, "+s.end.String()] = true
			}
			if s.end == calendar.MonthEndSkip && s.month == 2 && s.anchor == 29 {
				seen["leap day, skip"] = true
			}
		}
	}
	for _, want := range []string{"day", "week", "month", "past the end", "short month, clamp", "short month, next-first", "short month, overflow", "leap day, skip"} {
		if !seen[want] {
			t.Errorf("never met: %s", want)
		}
	}
}

// TestColumns: what is added by hand is what package big adds, in one text with the right scale.
func TestColumns(t *testing.T) {
	r := gen.ChooserOf(gen.NewSource("columns", 1, 0).Uint64())
	for range 200 {
		var c columns
		want, scale := new(big.Rat), 0
		for range cases {
			coefficient, places := r.Uint64()>>(1+r.Below(63)), r.Below(amount.MaxScale+1)
			text := string(c.write(nil, coefficient, places))
			x := new(big.Rat).SetFrac(new(big.Int).SetUint64(coefficient), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
			if got := x.FloatString(places); got != text {
				t.Fatalf("%d with %d decimals is written %s, want %s", coefficient, places, text, got)
			}
			want.Add(want, x)
			scale = max(scale, places)
		}
		if got := c.total(); got != want.FloatString(scale) {
			t.Fatalf("the sum by hand is %s, want %s", got, want.FloatString(scale))
		}
	}
	var c columns
	for range cases { // the largest sum fits
		c.write(nil, 1<<63-1, 0)
		c.write(nil, 1<<63-1, amount.MaxScale)
	}
	if got := c.total(); got != "2361183241434822608953.183241434822606592" {
		t.Errorf("the largest sum is %s", got)
	}
}

// TestStepsOfSeeds: the seeds of dates lead where their reasons say.
func TestStepsOfSeeds(t *testing.T) {
	seen := map[string]string{}
	for _, one := range manyTargets()[0].Seeds {
		s := newSteps(chooser([]byte(one.Data)))
		seen[one.Why] = fmt.Sprintf("every %d %v from %v, %v", s.interval, s.unit, gen.DateNumbered(s.day), s.end)
	}
	for why, want := range map[string]string{
		"C26: weekly, to the end of the calendar": "every 1 week from 9999-12-27, clamp",
		"C11: yearly on 29 February, skipped":     "every 12 month from 2004-02-29, skip",
	} {
		if seen[why] != want {
			t.Errorf("%s: %s, want %s", why, seen[why], want)
		}
	}
}
