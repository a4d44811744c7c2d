package engine

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// walkApart is schedulesApart, date by date.
func walkApart(a calendar.Schedule, k int, b calendar.Schedule, l, n int) int {
	for i := range n {
		x, _ := a.At(k + i)
		y, _ := b.At(l + i)
		if x != y {
			return i
		}
	}
	return n
}

// TestSchedulesApartAsWalked: where two schedules part is where a walk over their dates finds it, for
// all month ends and anchors near each other, with the short interval and the long, to 9999 (Y12).
func TestSchedulesApartAsWalked(t *testing.T) {
	r := rand.New(rand.NewPCG(401, 0))
	intervals := []int{1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 13, 18, 24, 36, 48, 48, 96, 144, 240, 300, 600, 1200, 1212, 4800}
	units := []calendar.Unit{calendar.UnitMonth, calendar.UnitMonth, calendar.UnitMonth, calendar.UnitWeek, calendar.UnitDay}
	years := []int{1, 1890, 1999, 2023, 2024, 2096, 9900}
	parted, late := 0, 0
	for range 50_000 {
		start := mustDate(t, years[r.IntN(len(years))]+r.IntN(6), time.Month(1+r.IntN(12)), 1).AddDays(r.IntN(31))
		unit, interval := units[r.IntN(len(units))], intervals[r.IntN(len(intervals))]
		if r.IntN(4) == 0 { // leap days, of years that are far apart
			start = mustDate(t, 4*(1+r.IntN(24))+400*r.IntN(20), time.February, 29)
			interval = 12 * (1 + r.IntN(60))
		}
		other := start
		switch r.IntN(4) {
		case 0:
			other = start.AddDays(r.IntN(70) - 35)
		case 1:
			other, _ = mustSchedule(t, start, calendar.UnitMonth, 1+r.IntN(13), calendar.MonthEndNextFirst).At(1)
		}
		if start.IsZero() || other.IsZero() {
			continue
		}
		a := mustSchedule(t, start, unit, interval, calendar.MonthEnd(r.IntN(4)))
		b := mustSchedule(t, other, unit, interval, calendar.MonthEnd(r.IntN(4)))
		k, l := 0, 0
		if r.IntN(2) == 0 {
			k = r.IntN(a.Len())
			d, _ := a.At(k)
			l, _ = b.Index(d)
		}
		n := max(0, min(a.Len()-k, b.Len()-l))
		if n > 400 && r.IntN(100) > 0 {
			n = 1 + r.IntN(400)
		}
		want := walkApart(a, k, b, l, n)
		if got := schedulesApart(a, k, b, l, n); got != want {
			t.Fatalf("%v from %d and %v from %d, %d dates: apart at %d, want %d", a, k, b, l, n, got, want)
		}
		if want < n {
			parted++
		}
		if want > 3 && want < n {
			late++
		}
	}
	if parted < 10_000 || late < 300 {
		t.Errorf("only %d of the pairs part, %d of them late", parted, late)
	}
}

// TestFebruaryWait: no two kinds of years wait longer for each other than is assumed.
func TestFebruaryWait(t *testing.T) {
	leap := func(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }
	most := 0
	for step := range 400 {
		for year := range 400 {
			wait := 0
			for wait < 400 && leap(year+(wait+1)*step) == leap(year) {
				wait++
			}
			if wait < 400 {
				most = max(most, wait+1)
			}
		}
	}
	if most > februaryWait || most < februaryWait-1 {
		t.Errorf("the longest wait is %d years, and %d are looked at", most, februaryWait)
	}
}

func mustDate(t *testing.T, year int, month time.Month, day int) calendar.Date {
	d, err := calendar.New(year, month, day)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustSchedule(t *testing.T, start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) calendar.Schedule {
	s, err := calendar.NewSchedule(start, unit, interval, end)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
