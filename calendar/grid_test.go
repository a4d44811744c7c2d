package calendar

import (
	"os"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/race"
)

// Goal: the closed forms agree with the walk of reference_test.go over a whole cycle of 400 years
// (C21, C25, C30). Method: walk once and compare each date. The start months are 307 months apart;
// 307 has no factor in common with 4,800, so they cover the months of the year and the phases of
// the leap years evenly.

// whole says that the slowest tests walk from all their starts, which takes seconds: the gate sets CHARGECAST_GATE.
var whole = os.Getenv("CHARGECAST_GATE") != "" && !race.Enabled

var monthEnds = []MonthEnd{MonthEndClamp, MonthEndSkip, MonthEndNextFirst, MonthEndOverflow}

func TestGrid_DaysAndWeeks(t *testing.T) {
	for anchor := 1; anchor <= 31; anchor += 5 { // the day of the month has no say here
		start, _ := New(1896, time.January, anchor)
		for interval := 1; interval <= 36; interval++ {
			for _, unit := range []Unit{UnitDay, UnitWeek} {
				last := start.AddDays(2000 + 50*interval)
				checkAgainstWalk(t, start, unit, interval, monthEnds[(anchor+interval)%4], last)
			}
		}
	}
	checkAgainstWalk(t, MinDate(), UnitDay, 1, MonthEndClamp, MaxDate())
	checkAgainstWalk(t, MinDate(), UnitWeek, 5, MonthEndClamp, MaxDate())
}

func TestGrid_MonthsEveryAnchor(t *testing.T) {
	for anchor := 1; anchor <= 31; anchor++ {
		start, _ := New(1896, time.January, anchor)
		for interval := 1; interval <= 36; interval++ {
			for _, end := range monthEnds {
				years := 13 // enough for a century without a leap day
				if interval == 1 {
					years = 400
				}
				checkAgainstWalk(t, start, UnitMonth, interval, end, start.AddDays(366*years))
			}
		}
	}
}

func TestGrid_MonthsLateAnchors(t *testing.T) {
	phases := 2
	if whole {
		phases = 6
	}
	for phase := range phases {
		month := 12*1600 + 307*phase
		for anchor := 28 + phase%2; anchor <= 31; anchor += 2 {
			start, err := New(month/12, time.Month(month%12+1), anchor)
			if err != nil {
				continue
			}
			for interval := 1; interval <= 36; interval++ {
				end := monthEnds[(phase+interval)%4]
				checkAgainstWalk(t, start, UnitMonth, interval, MonthEndSkip, start.AddDays(146_097))
				if interval%6 == phase%6 && end != MonthEndSkip {
					checkAgainstWalk(t, start, UnitMonth, interval, end, start.AddDays(146_097))
				}
			}
		}
	}
}

// checkAgainstWalk compares At, Index, Count and From with the walk.
func checkAgainstWalk(t *testing.T, start Date, unit Unit, interval int, end MonthEnd, last Date) {
	t.Helper()
	s := scheduleFrom(start, unit, interval, end)
	dates := referenceWalk(start, unit, interval, end, last)
	next, stop := 0, false
	for k, d := range s.From(0) {
		if stop = k >= len(dates); stop {
			break
		}
		if k != next || d != dates[k] {
			t.Fatalf("%v %v×%d %v: From yields %d, %v; the walk %d, %v", start, unit, interval, end, k, d, next, dates[next])
		}
		next++
	}
	if next != len(dates) || !stop && s.Len() != len(dates) {
		t.Fatalf("%v %v×%d %v: From yields %d dates, the walk %d", start, unit, interval, end, next, len(dates))
	}
	for k, want := range dates {
		if d, ok := s.At(k); d != want || !ok {
			t.Fatalf("%v %v×%d %v: At(%d) = %v, %v; the walk says %v", start, unit, interval, end, k, d, ok, want)
		}
		checkIndex(t, s, k, want, true)
		if k > 0 && want.Sub(dates[k-1]) > 1 {
			// The index changes right after each date, so the first and the last day of a gap
			// stand for all of it.
			checkIndex(t, s, k, dates[k-1].AddDays(1), false)
			checkIndex(t, s, k, want.AddDays(-1), false)
		}
	}
	if w := Through(start, last); s.Count(w) != len(dates) {
		t.Fatalf("%v %v×%d %v: Count %d, the walk %d", start, unit, interval, end, s.Count(w), len(dates))
	}
}

func checkIndex(t *testing.T, s Schedule, k int, d Date, on bool) {
	if gotK, gotOn := s.Index(d); gotK != k || gotOn != on {
		t.Helper() // here, because it takes longer than an index
		t.Fatalf("%v %v×%d %v: Index(%v) = %d, %v; the walk says %d, %v", s.Start(), s.Unit(), s.Interval(), s.MonthEnd(), d, gotK, gotOn, k, on)
	}
}

func TestIndex_EveryDay(t *testing.T) {
	// C21, C22: the index of every single day over a leap year and a century without one.
	for anchor := 28; anchor <= 31; anchor++ {
		for _, interval := range []int{1, 2, 3, 5, 6, 12, 13} {
			for _, end := range monthEnds {
				start, _ := New(2095, time.December, anchor)
				last := start.AddDays(10 * 366)
				s := scheduleFrom(start, UnitMonth, interval, end)
				dates := referenceWalk(start, UnitMonth, interval, end, last.AddDays(9*366))
				k := 0
				for d := start.AddDays(-40); d != last; d = d.AddDays(1) {
					if dates[k].Before(d) {
						k++
					}
					checkIndex(t, s, k, d, d == dates[k])
				}
			}
		}
	}
}

func TestSkip_EveryIntervalToTheEnd(t *testing.T) {
	// C11, C19, C27: under MonthEndSkip any interval, from one of the starts all over the calendar, where whole from three,
	// to the last date. The months are visited one by one and identified by their number.
	starts := []string{"0001-01-31", "0004-02-29", "0196-02-29", "0400-02-29", "1600-02-29", "1999-12-29", "1997-11-30", "2096-02-29", "2101-07-29"}
	stride := 13
	if whole {
		stride = 3
	}
	for i, start := range starts {
		for interval := 1 + i%stride; interval <= 5000; interval += stride {
			checkSkip(t, MustParse(start), interval)
		}
		for _, interval := range []int{9600, 57_600, 118_800, 119_987, 119_988, maxStep - 1, maxStep, maxStep + 1, 1<<31 - 1, int(^uint(0) >> 1)} {
			checkSkip(t, MustParse(start), interval)
		}
	}
}

func checkSkip(t *testing.T, start Date, interval int) {
	t.Helper()
	s := scheduleFrom(start, UnitMonth, interval, MonthEndSkip)
	p := civilOf(start)
	const last = 12*9999 + 11
	month, step, n := int(12*p.Year+p.Month-1), min(interval, last), 0
	lacksDay := func() bool { return oracle.DaysIn(int64(month/12), int64(month%12+1)) < p.Date }
	for k, d := range s.From(0) {
		for month <= last && lacksDay() {
			month += step
		}
		if y, m, dd := d.Date(); k != n || y != month/12 || int(m) != month%12+1 || int64(dd) != p.Date {
			t.Fatalf("%v×%d: From yields %d, %v; want %d, %d-%d", start, interval, k, d, n, month/12, month%12+1)
		}
		if k%89 == 0 || k == s.Len()-1 {
			if at, ok := s.At(k); !ok || at != d {
				t.Fatalf("%v×%d: At(%d) = %v, %v; want %v", start, interval, k, at, ok, d)
			}
			checkIndex(t, s, k, d, true)
		}
		month += step
		n++
	}
	for month <= last && lacksDay() {
		month += step
	}
	if month <= last || s.Len() != n {
		t.Fatalf("%v×%d: %d dates, Len %d; the next would be %d-%d", start, interval, n, s.Len(), month/12, month%12+1)
	}
}
