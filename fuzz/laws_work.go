package fuzz

import (
	"math"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// constantWork counts allocations, and compares near with far by the time that they
// take: a loop over the distance would be a thousand times slower.
func constantWork(t T, _ *Case, impl Impl) {
	for _, unit := range [...]calendar.Unit{calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth} {
		for end := calendar.MonthEndClamp; end <= calendar.MonthEndOverflow; end++ {
			start := DateNumbered(oracle.DayOf(4, 1, 31))
			s, err := impl.NewGrid(start, unit, 1, end)
			if err != nil {
				t.Errorf("a plain schedule is refused")
				return
			}
			n, _ := s.Index(calendar.Last())
			ask := func(k int, d calendar.Date) func() {
				return func() {
					s.At(k)
					s.Index(d)
					s.Count(calendar.Window{From: start, To: d})
				}
			}
			near, far := ask(1, start.AddDays(40)), ask(n-1, calendar.Last())
			if allocs := testing.AllocsPerRun(20, far); allocs > 0 {
				t.Errorf("%v %v: %v allocations", unit, end, allocs)
			}
			if ratio(near, far) > 100 {
				t.Errorf("%v %v: a date far away costs over a hundred times one near", unit, end)
			}
		}
	}
}

// ratio is how many times longer far takes than near; the best of several tries, so that
// a busy machine does not count. One that is beyond all measure is tried once.
func ratio(near, far func()) int64 {
	const hopeless = 10_000
	base := max(best(near, 5), 5)
	if once := best(far, 1) / base; once > hopeless {
		return once
	}
	return best(far, 5) / base
}

// best is the shortest time of one call, over some tries of twenty calls; a single try is
// one call.
func best(f func(), tries int) int64 {
	const calls = 20
	least := int64(math.MaxInt64)
	for range tries {
		begin := time.Now()
		for range min(calls, 1+calls*(tries-1)) {
			f()
		}
		least = min(least, int64(time.Since(begin)))
	}
	if tries > 1 {
		least /= calls
	}
	return least
}
