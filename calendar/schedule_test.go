package calendar

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// Goal: the first dates of each kind of schedule, in a form to read. Laws for all schedules are in
// grid_test.go.

func TestFirstDates(t *testing.T) {
	type row struct {
		because
		s    Schedule
		want string
	}
	each(t, []row{
		{because{"day", "2.2.1"}, schedule("2024-02-28", UnitDay, 1, MonthEndClamp), "2024-02-28 2024-02-29 2024-03-01"},
		{because{"every second day", "2.2.2"}, schedule("2026-01-31", UnitDay, 2, MonthEndClamp), "2026-01-31 2026-02-02 2026-02-04"},
		{because{"week", "2.2.1"}, schedule("2026-01-31", UnitWeek, 1, MonthEndClamp), "2026-01-31 2026-02-07 2026-02-14"},
		{because{"every third week", "2.2.2, C17"}, schedule("2026-01-31", UnitWeek, 3, MonthEndSkip), "2026-01-31 2026-02-21 2026-03-14"},
		{because{"month", "2.2.1"}, schedule("2026-01-15", UnitMonth, 1, MonthEndClamp), "2026-01-15 2026-02-15 2026-03-15"},
		{because{"every second month", "2.2.2"}, schedule("2026-11-15", UnitMonth, 2, MonthEndClamp), "2026-11-15 2027-01-15 2027-03-15"},
		{because{"clamp", "L01, C12: no drift"}, schedule("2026-01-31", UnitMonth, 1, MonthEndClamp), "2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31"},
		{because{"clamp, leap year", "C09"}, schedule("2024-01-30", UnitMonth, 1, MonthEndClamp), "2024-01-30 2024-02-29 2024-03-30"},
		{because{"skip", "L01, C11"}, schedule("2026-01-31", UnitMonth, 1, MonthEndSkip), "2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31"},
		{because{"next-first", "L01, C10"}, schedule("2026-01-31", UnitMonth, 1, MonthEndNextFirst), "2026-01-31 2026-03-01 2026-03-31 2026-05-01 2026-05-31"},
		{because{"next-first, day 29", "C10"}, schedule("2026-01-29", UnitMonth, 1, MonthEndNextFirst), "2026-01-29 2026-03-01 2026-03-29"},
		{because{"overflow", "L01, C10"}, schedule("2026-01-31", UnitMonth, 1, MonthEndOverflow), "2026-01-31 2026-03-03 2026-03-31 2026-05-01 2026-05-31"},
		{because{"overflow, leap year", "C10"}, schedule("2024-01-31", UnitMonth, 1, MonthEndOverflow), "2024-01-31 2024-03-02 2024-03-31"},
		{because{"leap day, clamp", "C09"}, schedule("2096-02-29", UnitMonth, 12, MonthEndClamp), "2096-02-29 2097-02-28 2098-02-28 2099-02-28 2100-02-28 2101-02-28"},
		{because{"leap day, skip", "C14: 48 or 96 months"}, schedule("2096-02-29", UnitMonth, 12, MonthEndSkip), "2096-02-29 2104-02-29 2108-02-29"},
		{because{"leap day, skip, century to century", "C19"}, schedule("2000-02-29", UnitMonth, 1200, MonthEndSkip), "2000-02-29 2400-02-29 2800-02-29"},
		{because{"day 30 from February's side", "C11: every twelfth slot lacks it"}, schedule("2026-08-30", UnitMonth, 6, MonthEndSkip), "2026-08-30 2027-08-30 2028-08-30"},
		{because{"across the year end", "C09"}, schedule("2025-12-31", UnitMonth, 2, MonthEndClamp), "2025-12-31 2026-02-28 2026-04-30"},
		{because{"to the end", "C26, L32"}, schedule("9999-10-31", UnitMonth, 1, MonthEndClamp), "9999-10-31 9999-11-30 9999-12-31 end"},
		{because{"to the end, next-first", "C26"}, schedule("9999-10-31", UnitMonth, 1, MonthEndNextFirst), "9999-10-31 9999-12-01 9999-12-31 end"},
		{because{"to the end, skip", "C26"}, schedule("9999-10-31", UnitMonth, 1, MonthEndSkip), "9999-10-31 9999-12-31 end"},
		{because{"never again", "C26: the start alone"}, schedule("9998-02-28", UnitMonth, 23, MonthEndClamp), "9998-02-28 end"},
		{because{"no leap year left", "C11"}, schedule("9996-02-29", UnitMonth, 12, MonthEndSkip), "9996-02-29 end"},
		{because{"last day", "C24"}, schedule("9999-12-31", UnitDay, 1, MonthEndClamp), "9999-12-31 end"},
	}, func(t *testing.T, r row) {
		want := strings.Fields(r.want)
		var got []string
		for k := range want {
			d, ok := r.s.At(k)
			if !ok {
				got = append(got, "end")
				break
			}
			got = append(got, d.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestLen(t *testing.T) {
	type row struct {
		because
		s    Schedule
		want int
	}
	const maxInt = int(^uint(0) >> 1)
	each(t, []row{
		{because{"every day there is", "C26"}, schedule("0001-01-01", UnitDay, 1, MonthEndClamp), 3_652_059},
		{because{"every month there is", "C26"}, schedule("0001-01-31", UnitMonth, 1, MonthEndClamp), 119_988},
		{because{"skip, day 31", "C19: 2,800 in 400 years"}, schedule("9600-01-31", UnitMonth, 1, MonthEndSkip), 2800},
		{because{"skip, day 30", "C19: 4,400 in 400 years"}, schedule("9600-01-30", UnitMonth, 1, MonthEndSkip), 4400},
		{because{"skip, day 29", "C19: 4,497 in 400 years"}, schedule("9600-01-29", UnitMonth, 1, MonthEndSkip), 4497},
		{because{"skip, leap days", "C19: 97 in 400 years"}, schedule("9600-02-29", UnitMonth, 12, MonthEndSkip), 97},
		{because{"interval 2^31-1 days", "C27, h055"}, schedule("0001-01-01", UnitDay, 1<<31-1, MonthEndClamp), 1},
		{because{"greatest interval of weeks", "C27: times 7"}, schedule("0001-01-01", UnitWeek, maxInt, MonthEndClamp), 1},
		{because{"greatest interval of months", "C27"}, schedule("0001-01-31", UnitMonth, maxInt, MonthEndSkip), 1},
		{because{"greatest interval on a leap day", "C27"}, schedule("0004-02-29", UnitMonth, maxInt, MonthEndSkip), 1},
		{because{"two days, ends of the calendar", "C24"}, schedule("0001-01-01", UnitDay, 3_652_058, MonthEndClamp), 2},
		{because{"one day further", "C27"}, schedule("0001-01-01", UnitDay, 3_652_059, MonthEndClamp), 1},
		{because{"two months, ends of the calendar", "C24"}, schedule("0001-01-31", UnitMonth, 119_987, MonthEndSkip), 2},
		{because{"zero schedule", "no date"}, Schedule{}, 0},
	}, func(t *testing.T, r row) {
		if got := r.s.Len(); got != r.want || r.s.Count(Window{}) != r.want {
			t.Errorf("%d dates, Count %d; want %d", got, r.s.Count(Window{}), r.want)
		}
		if _, ok := r.s.At(r.want); ok {
			t.Error("there is one more")
		}
		if _, ok := r.s.At(r.want - 1); ok != (r.want > 0) {
			t.Error("the last one is missing")
		}
	})
}

func TestNewScheduleRefuses(t *testing.T) {
	const maxInt = int(^uint(0) >> 1)
	start := day("2026-01-31")
	type row struct {
		because
		start    Date
		unit     Unit
		interval int
		end      MonthEnd
		err      error
		part     string
	}
	each(t, []row{
		{because{"no start", "C32, C06"}, Date{}, UnitDay, 1, MonthEndClamp, ErrStart, "start"},
		{because{"no unit", "C32, 2.2.3"}, start, UnitNone, 1, MonthEndClamp, ErrUnit, "unit"},
		{because{"strange unit", "C32"}, start, UnitMonth + 1, 1, MonthEndClamp, ErrUnit, "unit"},
		{because{"interval 0", "C32, L56b"}, start, UnitDay, 0, MonthEndClamp, ErrInterval, "interval"},
		{because{"interval -1", "C32, L56b"}, start, UnitMonth, -1, MonthEndSkip, ErrInterval, "interval"},
		{because{"least interval", "C27"}, start, UnitWeek, -maxInt - 1, MonthEndClamp, ErrInterval, "interval"},
		{because{"strange month end", "L01 names four"}, start, UnitMonth, 1, MonthEndOverflow + 1, ErrMonthEnd, "month-end"},
	}, func(t *testing.T, r row) {
		s, err := NewSchedule(r.start, r.unit, r.interval, r.end)
		e, ok := errors.AsType[*Error](err)
		if !ok || !errors.Is(err, r.err) || e.Part != r.part || s != (Schedule{}) {
			t.Errorf("got %v, %v; want %v", s, err, r.err)
		}
	})
}

func TestScheduleIsAValue(t *testing.T) {
	// A Schedule is small, comparable, and returns the arguments that it was made from.
	s := schedule("2024-02-29", UnitMonth, 36, MonthEndSkip)
	if s.Start() != day("2024-02-29") || s.Unit() != UnitMonth || s.Interval() != 36 || s.MonthEnd() != MonthEndSkip {
		t.Errorf("%v, %v, %d, %v", s.Start(), s.Unit(), s.Interval(), s.MonthEnd())
	}
	if s != schedule("2024-02-29", UnitMonth, 36, MonthEndSkip) || s == schedule("2024-02-29", UnitMonth, 24, MonthEndSkip) || s == schedule("2024-02-29", UnitMonth, 36, MonthEndClamp) || !s.Equal(s) || s.Equal(Schedule{}) {
		t.Error("== does not compare the arguments")
	}
	const maxInt = int(^uint(0) >> 1)
	if got := schedule("2024-02-29", UnitWeek, maxInt, MonthEndClamp).Interval(); got != maxInt {
		t.Errorf("a capped interval shows: %d", got)
	}
	if size := unsafe.Sizeof(s); size > 64 {
		t.Errorf("a schedule has %d bytes, more than a cache line", size)
	}
}

func TestZeroSchedule(t *testing.T) {
	// The zero Schedule can be used and has no dates.
	var s Schedule
	for _, d := range []Date{{}, MinDate(), MaxDate()} {
		if k, on := s.Index(d); k != 0 || on {
			t.Errorf("Index(%q) = %d, %v", d, k, on)
		}
	}
	if _, ok := s.At(0); ok || s.Count(Window{}) != 0 || !s.Start().IsZero() {
		t.Error("it has a date")
	}
	for k, d := range s.From(0) {
		t.Errorf("it yields %d, %v", k, d)
	}
}

func TestIndex(t *testing.T) {
	type row struct {
		because
		s  Schedule
		d  string // empty for the zero Date, "end" for past the end of the calendar
		k  int
		on bool
	}
	overflow, skip := schedule("2026-01-31", UnitMonth, 1, MonthEndOverflow), schedule("2026-01-31", UnitMonth, 1, MonthEndSkip)
	sparse := schedule("2026-01-31", UnitMonth, 3, MonthEndNextFirst)
	end := schedule("9999-10-31", UnitMonth, 1, MonthEndClamp)
	each(t, []row{
		{because{"no date", "C21: zero Date"}, skip, "", 0, false},
		{because{"long before", "C21"}, skip, "0001-01-01", 0, false},
		{because{"on the start", "C21"}, skip, "2026-01-31", 0, true},
		{because{"after the start", "C21"}, skip, "2026-02-01", 1, false},
		{because{"missing month", "C11, C21"}, skip, "2026-02-28", 1, false},
		{because{"next that exists", "C11, C21"}, skip, "2026-03-31", 1, true},
		{because{"short of a date of February", "C10, C21"}, overflow, "2026-03-02", 1, false},
		{because{"February's date in March", "C10, C21"}, overflow, "2026-03-03", 1, true},
		{because{"after February's date", "C10, C21"}, overflow, "2026-03-04", 2, false},
		{because{"April's date in May", "C10, C21"}, sparse, "2026-05-01", 1, true},
		{because{"after April's date", "C21"}, sparse, "2026-05-02", 2, false},
		{because{"before April's date", "C21"}, sparse, "2026-04-30", 1, false},
		{because{"the last date", "C21"}, end, "9999-12-31", 2, true},
		{because{"after the last date", "C21: N, false"}, schedule("9998-01-31", UnitMonth, 11, MonthEndClamp), "9999-12-31", 3, false},
		{because{"after the last date, skip", "C21: N, false"}, schedule("9996-02-29", UnitMonth, 12, MonthEndSkip), "9999-12-31", 1, false},
		{because{"past the end, day", "C21: N, false"}, schedule("9999-12-30", UnitDay, 2, MonthEndClamp), "end", 1, false},
		{because{"past the end, month", "C21: N, false"}, end, "end", 3, false},
		{because{"past the end, skip", "C21: N, false"}, schedule("9999-10-31", UnitMonth, 1, MonthEndSkip), "end", 2, false},
		{because{"after the last day counted", "C21: N, false"}, schedule("9999-12-30", UnitDay, 2, MonthEndClamp), "9999-12-31", 1, false},
	}, func(t *testing.T, r row) {
		d := pastEnd
		if r.d != "end" {
			d = day(r.d)
		}
		if k, on := r.s.Index(d); k != r.k || on != r.on {
			t.Errorf("got %d, %v; want %d, %v", k, on, r.k, r.on)
		}
	})
}

func TestCount(t *testing.T) {
	type row struct {
		because
		s    Schedule
		w    Window
		want int
	}
	monthly := schedule("2024-01-31", UnitMonth, 1, MonthEndClamp)
	each(t, []row{
		{because{"a year", "C23"}, monthly, Window{day("2025-01-01"), day("2026-01-01")}, 12},
		{because{"first and last inside", "C23"}, monthly, Through(day("2024-01-31"), day("2024-02-29")), 2},
		{because{"end outside", "C23: half-open"}, monthly, Window{day("2024-01-31"), day("2024-02-29")}, 1},
		{because{"before the start", "C23"}, monthly, Window{To: day("2024-01-31")}, 0},
		{because{"empty", "C23: b = a"}, monthly, Window{day("2024-01-31"), day("2024-01-31")}, 0},
		{because{"backwards", "C23: b < a"}, monthly, Window{day("2026-01-01"), day("2024-01-01")}, 0},
		{because{"last day by an open end", "C24"}, schedule("9999-12-31", UnitDay, 1, MonthEndClamp), Window{From: MaxDate()}, 1},
		{because{"last day through", "C24"}, schedule("9999-12-01", UnitDay, 1, MonthEndClamp), Through(MinDate(), MaxDate()), 31},
		{because{"to past the end", "C24"}, schedule("9999-12-01", UnitDay, 1, MonthEndClamp), Window{To: pastEnd}, 31},
		{because{"from past the end", "C24"}, schedule("9999-12-01", UnitDay, 1, MonthEndClamp), Window{From: pastEnd}, 0},
		{because{"last day named as the end", "C24: not in it"}, schedule("9999-12-01", UnitDay, 1, MonthEndClamp), Window{To: MaxDate()}, 30},
		{because{"far window", "P3: W5"}, schedule("2004-01-15", UnitMonth, 1, MonthEndClamp), Through(day("2024-01-01"), day("2024-12-31")), 12},
	}, func(t *testing.T, r row) {
		if got := r.s.Count(r.w); got != r.want {
			t.Errorf("%d dates, want %d", got, r.want)
		}
	})
}
