package calendar

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/oracle"
)

// Goal: no interval, number or date makes the arithmetic wrap (C08 to C10, C27). Method: the
// formulas of the laws in math/big, with numbers near the limits of the types and of the
// calendar.

// anyNumber returns an int of any size from 0, often at a limit.
func anyNumber(r *rand.Rand) int {
	const maxInt = int(^uint(0) >> 1)
	edges := [...]int{
		0, 1, 2, 7, 11, 12, 28, 31, 4800, 119_987, 119_988, lastDay / 7, lastDay - 1, lastDay, lastDay + 1,
		1 << 15, 1 << 16, 1 << 30, 1<<31 - 1, maxInt / 31, maxInt / 12, maxInt / 7, maxInt / 2, maxInt - 1, maxInt,
	}
	switch r.IntN(3) {
	case 0:
		return edges[r.IntN(len(edges))]
	case 1:
		return r.IntN(maxInt) >> r.IntN(60)
	}
	return r.IntN(500)
}

func TestEdges_DaysAndWeeksAgainstBig(t *testing.T) {
	r := source(1)
	for range 100_000 {
		start, unit, interval := anyStart(r), UnitDay+Unit(r.IntN(2)), max(1, anyNumber(r))
		s := scheduleFrom(start, unit, interval, MonthEnd(r.IntN(4)))
		step := big.NewInt(int64(interval))
		if unit == UnitWeek {
			step.Mul(step, big.NewInt(7))
		}
		k := anyNumber(r)
		want := new(big.Int).Mul(step, big.NewInt(int64(k)))
		want.Add(want, big.NewInt(int64(start.n)))
		checkEdge(t, s, k, want)

		// Index: the quotient rounded up, and at the end the number of dates.
		d := anyStart(r)
		days := big.NewInt(max(0, int64(d.n)-int64(start.n)))
		quotient, rest := new(big.Int).QuoRem(days, step, new(big.Int))
		on := rest.Sign() == 0 && !d.Before(start)
		if rest.Sign() > 0 {
			quotient.Add(quotient, big.NewInt(1))
		}
		if gotK, gotOn := s.Index(d); int64(gotK) != quotient.Int64() || gotOn != on {
			t.Fatalf("%v %v×%d: Index(%v) = %d, %v; want %v, %v", start, unit, interval, d, gotK, gotOn, quotient, on)
		}
	}
}

func TestEdges_MonthsAgainstBig(t *testing.T) {
	r := source(2)
	for range 20_000 {
		start, interval := anyStart(r), max(1, anyNumber(r))
		end := []MonthEnd{MonthEndClamp, MonthEndNextFirst, MonthEndOverflow}[r.IntN(3)]
		s := scheduleFrom(start, UnitMonth, interval, end)
		k := anyNumber(r)
		p := civilOf(start)
		month := new(big.Int).Mul(big.NewInt(int64(interval)), big.NewInt(int64(k)))
		month.Add(month, big.NewInt(12*p.Year+p.Month-1))
		if !month.IsInt64() || month.Int64() > 12*9999+11 {
			checkEdge(t, s, k, big.NewInt(lastDay+1))
			continue
		}
		year, m := int(month.Int64()/12), int(month.Int64()%12)+1
		clock := time.Date(year, time.Month(m), int(p.Date), 0, 0, 0, 0, time.UTC) // carries over, as C10 says
		length := oracle.DaysIn(int64(year), int64(m))
		if missing := p.Date > length; missing && end == MonthEndClamp {
			clock = time.Date(year, time.Month(m), int(length), 0, 0, 0, 0, time.UTC)
		} else if missing && end == MonthEndNextFirst {
			clock = time.Date(year, time.Month(m)+1, 1, 0, 0, 0, 0, time.UTC)
		}
		checkEdge(t, s, k, big.NewInt(int64(Of(clock).n)))
	}
}

// checkEdge compares date k with the day number that the formula gives, which may lie outside the
// calendar.
func checkEdge(t *testing.T, s Schedule, k int, want *big.Int) {
	t.Helper()
	exists := want.Cmp(big.NewInt(lastDay)) <= 0
	d, ok := s.At(k)
	if ok != exists || ok && int64(d.n) != want.Int64() || !ok && !d.IsZero() || exists != (k < s.Len()) {
		t.Fatalf("%v %v×%d %v: At(%d) = %v, %v; want day %v of %d; Len %d", s.Start(), s.Unit(), s.Interval(), s.MonthEnd(), k, d, ok, want, lastDay, s.Len())
	}
	if !exists {
		return
	}
	if back, on := s.Index(d); back != k || !on {
		t.Fatalf("%v %v×%d %v: Index(At(%d)) = %d, %v", s.Start(), s.Unit(), s.Interval(), s.MonthEnd(), k, back, on)
	}
}

func TestEdges_NoDateBeforeTheFirst(t *testing.T) {
	// C13: a negative k has no date.
	const maxInt = int(^uint(0) >> 1)
	for _, s := range []Schedule{schedule("2026-01-31", UnitDay, 1, MonthEndClamp), schedule("2026-01-31", UnitMonth, 1, MonthEndSkip), {}} {
		for _, k := range []int{-1, -2, -1 << 31, -maxInt, -maxInt - 1} {
			if d, ok := s.At(k); ok || !d.IsZero() {
				t.Errorf("At(%d) = %v", k, d)
			}
		}
	}
}

func TestEdges_TheLastDayCounts(t *testing.T) {
	// C24: every unit can end on 9999-12-31, and only a window with an open end
	// contains that day.
	for _, s := range []Schedule{schedule("9999-12-25", UnitDay, 2, MonthEndClamp), schedule("9999-12-10", UnitWeek, 3, MonthEndClamp), schedule("9990-07-31", UnitMonth, 1, MonthEndSkip)} {
		last, ok := s.At(s.Len() - 1)
		if !ok || last != MaxDate() || s.Count(Through(MaxDate(), MaxDate())) != 1 || s.Count(Window{From: MaxDate()}) != 1 || s.Count(Window{To: MaxDate()}) != s.Len()-1 {
			t.Errorf("%v: the last of %d dates is %v", s.Unit(), s.Len(), last)
		}
	}
}
