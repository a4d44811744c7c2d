package fuzz

import (
	"runtime"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// A work is what calls cost, counted rather than timed.
type work struct {
	steps uint64 // by the implementation's own count; 0 where it keeps none
	bytes uint64 // allocated
}

// workOf counts what a call costs.
func (i Impl) workOf(call func()) work {
	if i.Steps == nil {
		return work{bytes: allocated(call)}
	}
	before := i.Steps()
	bytes := allocated(call)
	return work{i.Steps() - before, bytes}
}

// allocated is how many bytes are allocated in a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// exceeds reports whether the work is more than some times another, with an allowance for
// what comes once.
func (w work) exceeds(times uint64, other work) bool {
	const steps, bytes = 100, 64 << 10
	return w.steps > times*other.steps+steps || w.bytes > times*other.bytes+bytes
}

// constantWork compares questions about dates nearby with the same about dates far away.
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
			few, many := impl.workOf(near), impl.workOf(far)
			if many.exceeds(10, few) {
				t.Errorf("%v %v: %d steps for a date far away, %d for one near", unit, end, many.steps, few.steps)
				return
			}
			if allocs := testing.AllocsPerRun(20, far); allocs > 0 {
				t.Errorf("%v %v: %v allocations", unit, end, allocs)
				return
			}
		}
	}
}
