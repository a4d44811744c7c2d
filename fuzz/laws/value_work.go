package laws

import (
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// constantWork compares questions about dates nearby with the same about dates far away. Where months
// have no date, going through them is allowed.
func constantWork(t *T) {
	for _, unit := range [...]calendar.Unit{calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth} {
		for end := calendar.MonthEndClamp; end <= calendar.MonthEndOverflow; end++ {
			start := gen.DateNumbered(oracle.DayOf(4, 1, 31))
			s, err := t.NewGrid(start, unit, 1, end)
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
			few, many := WorkOf(t.Impl, near), WorkOf(t.Impl, far)
			walks := unit == calendar.UnitMonth && end == calendar.MonthEndSkip
			if !walks && many.Exceeds(10, few) {
				t.Errorf("%v %v: %d steps for a date far away, %d for one near", unit, end, many.Steps, few.Steps)
				return
			}
			if allocs := testing.AllocsPerRun(20, far); allocs > 0 {
				t.Errorf("%v %v: %v allocations", unit, end, allocs)
				return
			}
		}
	}
}
