package calendar

import (
	"encoding/json"
	"errors"
	"testing"
	"time"
	"unsafe"

	"github.com/chargecast/chargecast/internal/oracle"
)

// Goal: the civil calendar is right on each of its days. Method: all 3,652,059 of them, compared
// with package time, and a table for what is outside.

func TestEveryDayAgainstTime(t *testing.T) {
	// C01, C02, C04: one pass over the whole calendar.
	d, clock := MinDate(), time.Date(1, time.January, 1, 23, 59, 59, 0, time.UTC)
	days, before := 0, ""
	var room [16]byte
	for ; d.IsDay(); d = d.AddDays(1) {
		year, month, day := d.Date()
		if y, m, dd := clock.Date(); y != year || m != month || dd != day || d.Weekday() != clock.Weekday() {
			t.Fatalf("day %d is %04d-%02d-%02d, %v; time says %v", d.n, year, month, day, d.Weekday(), clock)
		}
		if same, err := New(year, month, day); same != d || err != nil || Of(clock) != d {
			t.Fatalf("day %d does not come back: New %d, %v; Of %d", d.n, same.n, err, Of(clock).n)
		}
		text := string(d.Append(room[:0]))
		if parsed, err := Parse(text); parsed != d || err != nil || text <= before {
			t.Fatalf("%s after %s: parsed as %v, %v", text, before, parsed, err)
		}
		if d.Dotted() != dotted(text) {
			t.Fatalf("%s, dotted: %s", text, d.Dotted())
		}
		before = text
		clock = clock.Add(24 * time.Hour)
		days++
	}
	if days != 3_652_059 || before != "9999-12-31" {
		t.Errorf("%d days, the last %s", days, before)
	}
}

func TestCivilOfFourCenturies(t *testing.T) {
	// C01, C03, C30: the 146,097 days of a cycle, compared with a calendar that is turned page by
	// page, and the same days 400 years later.
	const cycle = 146_097
	p := civilOf(MustParse("1600-01-01"))
	for range cycle {
		d := Date{int32(p.Day)}
		if year, month, day := d.civil(); int64(year) != p.Year || int64(month) != p.Month || int64(day) != p.Date {
			t.Fatalf("day %d is %d-%d-%d, want %+v", d.n, year, month, day, p)
		}
		if y, m, dd := d.AddDays(cycle).Date(); int64(y) != p.Year+400 || int64(m) != p.Month || int64(dd) != p.Date {
			t.Fatalf("400 years after %v: %d-%d-%d", d, y, m, dd)
		}
		p = p.Next()
	}
	if p != civilOf(MustParse("2000-01-01")) {
		t.Errorf("after the cycle: %+v", p)
	}
}

func TestDaysIn(t *testing.T) {
	// C03, for every month of the calendar.
	for year := 1; year <= 9999; year++ {
		for month := time.January; month <= time.December; month++ {
			if got, want := DaysIn(year, month), oracle.DaysIn(int64(year), int64(month)); int64(got) != want {
				t.Fatalf("%d-%d has %d days, want %d", year, month, got, want)
			}
		}
	}
	type row struct {
		because
		year  int
		month time.Month
		days  int
	}
	each(t, []row{
		{because{"leap", "C03: 4 divides"}, 2024, time.February, 29},
		{because{"century", "C03: 100 divides"}, 2100, time.February, 28},
		{because{"fourth century", "C03: 400 divides"}, 2000, time.February, 29},
		{because{"year 0", "C01: no such year"}, 0, time.January, 0},
		{because{"year 10000", "C01: no such year"}, 10000, time.January, 0},
		{because{"negative year", "C01: no such year"}, -4, time.February, 0},
		{because{"month 0", "C01: no such month"}, 2024, 0, 0},
		{because{"month 13", "C01: no such month"}, 2024, 13, 0},
	}, func(t *testing.T, r row) {
		if got := DaysIn(r.year, r.month); got != r.days {
			t.Errorf("%d days, want %d", got, r.days)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	const maxInt = int(^uint(0) >> 1)
	type row struct {
		because
		year  int
		month time.Month
		day   int
		part  string
	}
	each(t, []row{
		{because{"year 0", "C06, h041"}, 0, 1, 1, "year"},
		{because{"year 10000", "C06, h042"}, 10000, 1, 1, "year"},
		{because{"least year", "C27"}, -maxInt - 1, 1, 1, "year"},
		{because{"greatest year", "C27"}, maxInt, 1, 1, "year"},
		{because{"month 0", "C06, h038"}, 2025, 0, 1, "month"},
		{because{"month 13", "C06, h038: time would carry it over"}, 2025, 13, 1, "month"},
		{because{"greatest month", "C27"}, 2025, time.Month(maxInt), 1, "month"},
		{because{"day 0", "C06, h038"}, 2025, 1, 0, "day"},
		{because{"31 February", "C06, h038"}, 2025, 2, 31, "day"},
		{because{"29 February 2100", "C03, h038"}, 2100, 2, 29, "day"},
		{because{"31 April", "C06, h038"}, 2025, 4, 31, "day"},
		{because{"greatest day", "C27"}, 2025, 1, maxInt, "day"},
	}, func(t *testing.T, r row) {
		d, err := New(r.year, r.month, r.day)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Part != r.part || e.Offset != -1 || !errors.Is(err, ErrNotADay) || !d.IsZero() {
			t.Errorf("got %v, %v; want an error about the %s", d, err, r.part)
		}
	})
}

// dotted returns a text of the form YYYY-MM-DD as DD.MM.YYYY.
func dotted(iso string) string { return iso[8:] + "." + iso[5:7] + "." + iso[:4] }

// pastEnd is what a day becomes that is moved past the end of the calendar.
var pastEnd = MaxDate().AddDays(1)

func TestAddDaysNeverWraps(t *testing.T) {
	const maxInt = int(^uint(0) >> 1)
	type row struct {
		because
		from string
		days int
		want string
	}
	each(t, []row{
		{because{"none", "C06"}, "2026-01-31", 0, "2026-01-31"},
		{because{"over a leap day", "C01"}, "2024-02-28", 2, "2024-03-01"},
		{because{"back over a leap day", "C01"}, "2024-03-01", -2, "2024-02-28"},
		{because{"the whole calendar", "C01"}, "0001-01-01", 3_652_058, "9999-12-31"},
		{because{"the whole calendar back", "C01"}, "9999-12-31", -3_652_058, "0001-01-01"},
		{because{"past the end", "C06"}, "9999-12-31", 1, "end"},
		{because{"two days past the end", "it is the same Date"}, "9999-12-31", 2, "end"},
		{because{"past the beginning", "C06"}, "0001-01-01", -1, ""},
		{because{"2^31-1", "C06"}, "2026-01-31", 1<<31 - 1, "end"},
		{because{"-2^31", "C06"}, "2026-01-31", -1 << 31, ""},
		{because{"greatest", "C06"}, "9999-12-31", maxInt, "end"},
		{because{"least", "C06"}, "0001-01-01", -maxInt - 1, ""},
		{because{"from no date", "C06"}, "", 1, ""},
		{because{"from no date, none", "C06"}, "", 0, ""},
	}, func(t *testing.T, r row) {
		want := pastEnd
		if r.want != "end" {
			want = day(r.want)
		}
		if got := day(r.from).AddDays(r.days); got != want {
			t.Errorf("got %d, want %q", got.n, r.want)
		}
	})
	if ^uint(0)>>32 != 0 { // 2^32 + 1 days must not become one day
		wide := 1
		wide += wide << 31 << 1
		if got := day("2026-01-31").AddDays(wide); got != pastEnd {
			t.Errorf("2^32+1 days later: %d", got.n)
		}
	}
}

func TestOrder(t *testing.T) {
	// C01: Compare, Before, After, Equal and == agree on one order, with the zero Date first and the
	// end of the calendar last.
	dates := []Date{{}, MinDate(), day("2025-12-31"), day("2026-01-01"), MaxDate(), pastEnd}
	for i, d := range dates {
		for j, e := range dates {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if d.Compare(e) != want || d.Before(e) != (want < 0) || d.After(e) != (want > 0) || (d == e) != (want == 0) || d.Equal(e) != (want == 0) {
				t.Errorf("%q and %q: Compare %d, want %d", d, e, d.Compare(e), want)
			}
			if d.Sub(e) != -e.Sub(d) || e.IsDay() && i > 0 && e.AddDays(d.Sub(e)) != d {
				t.Errorf("%v - %v = %d", d, e, d.Sub(e))
			}
		}
	}
}

func TestZeroDate(t *testing.T) {
	// C06: the zero Date has no year, month and day, and no text.
	var d Date
	if y, m, dd := d.Date(); y != 0 || m != 0 || dd != 0 || !d.IsZero() || d.String() != "" {
		t.Errorf("the zero Date: %d-%d-%d, %q", y, m, dd, d)
	}
	if MinDate().IsZero() || unsafe.Sizeof(d) != 4 {
		t.Errorf("0001-01-01 is a day, and a Date has 4 bytes, not %d", unsafe.Sizeof(d))
	}
}

func TestPastTheEnd(t *testing.T) {
	// G11: a Date past the end of the calendar is neither a day nor "no date": it has no parts and no text,
	// cannot be stored, stays where it is, and starts no schedule.
	if y, m, dd := pastEnd.Date(); y != 0 || m != 0 || dd != 0 || pastEnd.IsZero() || pastEnd.IsDay() || pastEnd.String() != "" {
		t.Errorf("past the end: %d-%d-%d, %q", y, m, dd, pastEnd)
	}
	if year, week := pastEnd.ISOWeek(); year != 0 || week != 0 || pastEnd.Quarter() != 0 {
		t.Errorf("week %d of %d, quarter %d", week, year, pastEnd.Quarter())
	}
	for _, days := range []int{-1, 0, 1, -lastDay} {
		if got := pastEnd.AddDays(days); got != pastEnd {
			t.Errorf("%d days from there: %v", days, got)
		}
	}
	if text, err := pastEnd.AppendText([]byte("x")); string(text) != "x" || !errors.Is(err, ErrNotADay) {
		t.Errorf("AppendText: %q, %v", text, err)
	}
	if text, err := json.Marshal(Window{From: pastEnd}); err == nil {
		t.Errorf("it is stored as %s", text)
	}
	if s, err := NewSchedule(pastEnd, UnitDay, 1, MonthEndClamp); !errors.Is(err, ErrStart) {
		t.Errorf("it starts %v", s)
	}
	if (Date{}).IsDay() || !MinDate().IsDay() || !MaxDate().IsDay() {
		t.Error("IsDay takes no day for a day, or a day for none")
	}
	visited := 0
	for d := MinDate(); !d.After(MaxDate()); d = d.AddDays(1000) {
		visited++
	}
	if visited != 3653 {
		t.Errorf("a loop to the last day of the calendar visits %d days in steps of 1000", visited)
	}
}

func TestOf(t *testing.T) {
	// C29: the location of the time decides, and no other.
	zone := func(seconds int) *time.Location { return time.FixedZone("", seconds) }
	utc := func(year int, month time.Month, day, hour, minute, second int) time.Time {
		return time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	}
	noon := utc(2026, 1, 31, 12, 0, 0)
	type row struct {
		because
		at   time.Time
		want string
	}
	each(t, []row{
		{because{"utc", "C29"}, noon, "2026-01-31"},
		{because{"a day ahead", "C29"}, noon.In(zone(14 * 3600)), "2026-02-01"},
		{because{"a day behind", "C29"}, noon.In(zone(-12*3600 - 1)), "2026-01-30"},
		{because{"last second", "C29"}, utc(2026, 1, 31, 23, 59, 59), "2026-01-31"},
		{because{"before 1970", "C29: rounding goes down"}, utc(1969, 12, 31, 23, 59, 59), "1969-12-31"},
		{because{"zero time", "C01: it is a day"}, time.Time{}, "0001-01-01"},
		{because{"first day reached from before", "C29"}, utc(0, 12, 31, 23, 0, 0).In(zone(3600)), "0001-01-01"},
		{because{"first day left", "C06"}, utc(1, 1, 1, 0, 0, 0).In(zone(-1)), ""},
		{because{"year 0", "C06, h041"}, utc(0, 12, 31, 23, 59, 59), ""},
		{because{"last day", "C24"}, utc(9999, 12, 31, 23, 59, 59), "9999-12-31"},
		{because{"last day left", "C06"}, utc(9999, 12, 31, 23, 59, 59).In(zone(1)), ""},
		{because{"year 10000", "C06"}, utc(10000, 1, 1, 0, 0, 0), ""},
		{because{"year -1", "C06"}, utc(-1, 6, 1, 0, 0, 0), ""},
		{because{"far future", "C06: no wrap on 32 bits"}, time.Unix(1<<60, 0), ""},
		{because{"far past", "C06: no wrap on 32 bits"}, time.Unix(-1<<60, 0), ""},
		{because{"end of time", "C06"}, time.Unix(1<<63-1, 0).In(zone(1<<31 - 1)), ""},
		{because{"wild zone", "C29: 68 years ahead"}, utc(1970, 1, 1, 0, 0, 0).In(zone(1<<31 - 1)), "2038-01-19"},
	}, func(t *testing.T, r row) {
		if got := Of(r.at); got != day(r.want) {
			t.Errorf("got %v, want %q", got, r.want)
		}
	})
}

func TestWeekAndQuarterOfEveryDay(t *testing.T) {
	// Weeks are those of ISO 8601, compared with package time; the oracle for a quarter is a table.
	quarters := [...]int{0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}
	clock := time.Date(1, time.January, 1, 12, 0, 0, 0, time.UTC)
	for d := MinDate(); d.IsDay(); d = d.AddDays(1) {
		year, week := d.ISOWeek()
		if y, w := clock.ISOWeek(); y != year || w != week {
			t.Fatalf("%v is in week %d of %d, time says %d of %d", d, week, year, w, y)
		}
		if got, want := d.Quarter(), quarters[clock.Month()]; got != want {
			t.Fatalf("%v is in quarter %d, want %d", d, got, want)
		}
		clock = clock.Add(24 * time.Hour)
	}
}

func TestZeroDateHasNoWeekAndNoQuarter(t *testing.T) {
	if year, week := (Date{}).ISOWeek(); year != 0 || week != 0 || (Date{}).Quarter() != 0 {
		t.Errorf("week %d of %d, quarter %d", week, year, (Date{}).Quarter())
	}
}
