package laws

import (
	"iter"
	"math"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// calendarLaws are the laws of single days and of recurring dates.
func calendarLaws() []Law {
	return []Law{
		ownOnce("C01", "2.1", "0001-01-01 … 9999-12-31 are 3,652,059 days, each made of its own parts", everyDay),
		once("C03", leapYears),
		ownOnce("C04", "2.1", "Parse(d.String()) = d; the order of texts is that of days", dateTexts),
		law("C05", gen.DateTexts, dottedTexts),
		own("C06", "2.1", "the zero Date is never made without an error, and starts no schedule", gen.Grids, zeroDate),
		own("C29", "L27", "Of(t) is t's civil date in t's own location", gen.Instants, civilDate),
		own("C19", "2.2.1", "Month repeats after lcm(i, 4800) months", gen.Grids, cycles),
		ownOnce("C24", "L32", "a window to the end of the calendar includes 9999-12-31", lastDayCounts),
		own("C25", "2.2.1", "From(k) = (k, At(k)), (k+1, At(k+1)), … to the end, and can be used again", gen.NearGrids, sequences),
		ownOnce("C26", "L32", "a series ends only past 9999-12-31: daily from 0001-01-01 has 3,652,059 dates", endsWithCalendar),
		own("C27", "L32", "for every int k and interval At, Index, Count equal exact arithmetic or report the end", gen.Grids, nothingWraps),
		own("C30", "2.2.1 L01", "closed form = day-by-day walk", gen.NearGrids, equalsWalk),
		own("C32", "L56b", "NewSchedule fails for interval < 1, no unit, zero start, and only then", gen.Grids, refusals),
	}
}

// everyDay walks the whole calendar. The loop compares without a call that could format, since it
// runs 3.6 million times.
func everyDay(t *T) {
	n := 0
	for c := oracle.At(oracle.First); c.Day <= oracle.Last; c = c.Next() {
		made, err := t.NewDate(int(c.Year), time.Month(c.Month), int(c.Date))
		if err != nil || made != gen.DateNumbered(c.Day) {
			t.Fatalf("day %d of the calendar is not made from its own parts", c.Day)
		}
		if c.Date == 1 && oracle.At(c.Day) != c {
			t.Fatalf("day %d is not what package time says", c.Day)
		}
		n++
	}
	if n != 3_652_059 {
		t.Errorf("%d days, want 3652059", n)
	}
}

func leapYears(t *T) {
	length := make([]int, 10_000)
	for y := 1; y <= 9999; y++ {
		leap := y%4 == 0 && (y%100 != 0 || y%400 == 0)
		if (t.DaysIn(y, time.February) == 29) != leap {
			t.Errorf("February %d: %d days", y, t.DaysIn(y, time.February))
		}
		for m := time.January; m <= time.December; m++ {
			want := time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day()
			if got := t.DaysIn(y, m); got != want {
				t.Errorf("%v %d: %d days, want %d", m, y, got, want)
			}
			length[y] += t.DaysIn(y, m)
		}
	}
	sum := 0
	for y := 1; y <= 9999; y++ {
		sum += length[y]
		if y > 400 {
			sum -= length[y-400]
		}
		if y >= 400 && sum != 146_097 {
			t.Errorf("the 400 years to %d have %d days", y, sum)
		}
	}
}

// dateTexts looks at every day of a leap cycle and of both ends of the calendar.
func dateTexts(t *T) {
	check := func(from, to oracle.Day) {
		before := ""
		for n := from; n <= to; n++ {
			d := gen.DateNumbered(n)
			text := t.FormatDate(d)
			back, err := t.ParseDate(text)
			if err != nil || back != d || text <= before {
				t.Fatalf("day %d is written %q, after %q, and read back as %v", n, text, before, back)
			}
			before = text
		}
	}
	check(oracle.First, 1500)
	check(oracle.DayOf(1999, 1, 1), oracle.DayOf(2030, 1, 1))
	check(oracle.DayOf(2096, 1, 1), oracle.DayOf(2104, 1, 1))
	check(oracle.Last-1500, oracle.Last)
}

func dottedTexts(t *T, text string) {
	got, err := t.ParseDotted(text)
	want := gen.DateNumbered(oracle.Dotted(text))
	bad := want.IsZero()
	if (err != nil) != bad || got != want {
		t.Errorf("ParseDotted(%q) is refused: %v, and gives %v; want %v and %v", text, err != nil, got, bad, want)
	}
	// Package time agrees, but that it takes the year 0000.
	if std, err := time.Parse("02.01.2006", text); !bad && (err != nil || std.Year() != int(oracle.At(gen.DayNumber(want)).Year)) {
		t.Errorf("package time reads %q otherwise", text)
	}
}

func zeroDate(t *T, g gen.GridCase) {
	if _, err := t.NewGrid(calendar.Date{}, g.Unit, g.Interval, g.End); err == nil {
		t.Errorf("a schedule without a start is accepted")
	}
	y, m, d := g.Start.Date()
	for _, parts := range [...][3]int{{0, int(m), d}, {10_000, int(m), d}, {y, 0, d}, {y, 13, d}, {y, int(m), 0}, {y, int(m), 32}, {y, 2, 30}, {-y, int(m), d}} {
		if made, err := t.NewDate(parts[0], time.Month(parts[1]), parts[2]); err == nil || !made.IsZero() {
			t.Errorf("%v makes %v without an error", parts, made)
		}
	}
}

func civilDate(t *T, v gen.Instant) {
	at := v.Time()
	y, m, d := at.Date()
	want := gen.DateNumbered(oracle.DayOf(y, int(m), d))
	if got := t.DateOf(at); got != want {
		t.Errorf("Of(%v) = %v, want %v", at, got, want)
	}
	if got := t.DateOf(at.Local()); got != t.DateOf(time.Date(at.Local().Year(), at.Local().Month(), at.Local().Day(), 12, 0, 0, 0, time.UTC)) {
		t.Errorf("Of heeds more than the civil date")
	}
}

// grid is the grid of a case, which must not be refused.
func (t *T) grid(g gen.GridCase) Grid {
	s, err := t.NewGrid(g.Start, g.Unit, g.Interval, g.End)
	if err != nil {
		t.Fatalf("start %v, unit %v and interval %d are refused: %v", g.Start, g.Unit, g.Interval, err)
	}
	return s
}

// exact is the date of number k by exact arithmetic; false past the calendar. It is no
// answer under skip.
func exact(g gen.GridCase, k int) (calendar.Date, bool) {
	d := gen.GridOf(g.Start, g.Unit, g.Interval, g.End).Exact(k)
	return gen.DateNumbered(d), d != 0
}

// sameDate asks for date number k of a series.
func (t *T) sameDate(what string, s Grid, k int, want calendar.Date, exists bool) bool {
	got, ok := s.At(k)
	if ok == exists && (!ok || got == want) {
		return true
	}
	t.Errorf("%s: date %d is %v, %v; want %v, %v", what, k, got, ok, want, exists)
	return false
}

// cycles looks for the number of dates in a whole cycle by the date that it leads to.
func cycles(t *T, g gen.GridCase) {
	g.Unit = calendar.UnitMonth
	months := 4800 * g.Interval / gcd(g.Interval, 4800)
	if g.Interval > 4800 || months > 4800*9 {
		return
	}
	days := months / 4800 * 146_097
	s := t.grid(g)
	after := g.Start.AddDays(days)
	if !after.IsDay() {
		return
	}
	n, on := s.Index(after)
	for _, k := range [...]int{0, 1, g.K % 1000} {
		d, ok := s.At(k)
		later, exists := s.At(k + n)
		if exists && (!on || !ok || later.Sub(d) != days) {
			t.Errorf("date %d is %v and date %d, one cycle later, %v", k, d, k+n, later)
		}
	}
	dates := map[int64]int{29: 4497, 30: 4400, 31: 2800}
	want, known := dates[oracle.At(gen.DayNumber(g.Start)).Date]
	if g.End == calendar.MonthEndSkip && g.Interval == 1 && known && on && n != want {
		t.Errorf("a cycle has %d dates under skip, want %d", n, want)
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func refusals(t *T, g gen.GridCase) {
	t.grid(g)
	for _, bad := range [...]struct {
		start    calendar.Date
		unit     calendar.Unit
		interval int
	}{{g.Start, g.Unit, 0}, {g.Start, g.Unit, -g.Interval}, {g.Start, 0, g.Interval}, {g.Start, g.Unit, math.MinInt}, {calendar.Date{}, g.Unit, g.Interval}, {g.Start, 4, g.Interval}} {
		if _, err := t.NewGrid(bad.start, bad.unit, bad.interval, g.End); err == nil {
			t.Errorf("start %v, unit %v and interval %d are accepted", bad.start, bad.unit, bad.interval)
		}
	}
}

func lastDayCounts(t *T) {
	for _, start := range [...]calendar.Date{calendar.MaxDate(), calendar.MaxDate().AddDays(-1), calendar.MaxDate().AddDays(-7)} {
		s := t.grid(gen.GridCase{Start: start, Unit: calendar.UnitDay, Interval: 1})
		want := calendar.MaxDate().Sub(start) + 1
		for _, w := range [...]calendar.Window{{From: start}, calendar.Through(start, calendar.MaxDate())} {
			if got := s.Count(w); got != want {
				t.Errorf("daily from %v: %d dates to the end, want %d", start, got, want)
			}
		}
		if d, ok := s.At(want - 1); !ok || d != calendar.MaxDate() {
			t.Errorf("daily from %v: the last date is %v", start, d)
		}
		if k, on := s.Index(calendar.MaxDate()); k != want-1 || !on {
			t.Errorf("daily from %v: Index of the last day is %d, %v", start, k, on)
		}
	}
}

func sequences(t *T, g gen.GridCase) {
	s := t.grid(g)
	dates := s.From(g.K)
	for range 2 { // and starting again gives the same
		runs(t, s, dates, g.K)
	}
	for k, d := range s.From(-1 - g.K) {
		t.Errorf("From(%d) gives %d, %v", -1-g.K, k, d)
		break
	}
}

// runs compares the first dates of a sequence with At.
func runs(t *T, s Grid, dates iter.Seq2[int, calendar.Date], k int) {
	n := 0
	for i, d := range dates {
		if at, ok := s.At(k); i != k || !ok || at != d {
			t.Fatalf("the sequence gives %d, %v where date %d is %v", i, d, k, at)
		}
		k++
		if n++; n == 12 {
			return // breaking off changes nothing
		}
	}
	if _, ok := s.At(k); ok {
		t.Errorf("the sequence ends before date %d", k)
	}
}

func endsWithCalendar(t *T) {
	if t.grid(gen.GridCase{Start: calendar.MinDate(), Unit: calendar.UnitDay, Interval: 1}).Count(calendar.Window{}) != int(oracle.Last) {
		t.Errorf("daily from the first day has not as many dates as there are days")
	}
	for _, at := range [...]struct{ year, month, day int }{{1926, 1, 31}, {1, 1, 31}, {2026, 1, 29}} {
		start := gen.DateNumbered(oracle.DayOf(at.year, at.month, at.day))
		for end := calendar.MonthEndClamp; end <= calendar.MonthEndOverflow; end++ {
			s := t.grid(gen.GridCase{Start: start, Unit: calendar.UnitMonth, Interval: 1, End: end})
			n := s.Count(calendar.Window{})
			last, ok := s.At(n - 1)
			if _, more := s.At(n); !ok || more || calendar.MaxDate().Sub(last) > 31 {
				t.Errorf("monthly from %v under %v: %d dates, the last %v", start, end, n, last)
			}
		}
	}
}

// nothingWraps compares with exact arithmetic, whatever the size of the numbers.
func nothingWraps(t *T, g gen.GridCase) {
	if g.Unit == calendar.UnitMonth && g.End == calendar.MonthEndSkip {
		g.End = calendar.MonthEndClamp
	}
	s := t.grid(g)
	for _, k := range [...]int{g.K, g.L, -g.L} {
		want, exists := exact(g, k)
		t.sameDate("exactly", s, k, want, exists && k >= 0)
	}
	n := s.Count(calendar.Window{From: g.Start})
	if _, ok := exact(g, n); n < 1 || ok {
		t.Errorf("%d dates in all, and one more exists", n)
	}
	if _, ok := exact(g, n-1); !ok {
		t.Errorf("%d dates in all, and the last does not exist", n)
	}
	if k, on := s.Index(calendar.MaxDate()); k > n || on != (k < n) {
		t.Errorf("Index of the last day is %d, %v of %d dates", k, on, n)
	}
}

// equalsWalk compares with the oracle, which looks at one day after the other.
func equalsWalk(t *T, g gen.GridCase) {
	s := t.grid(g)
	to := gen.DayNumber(gen.Moved(g.Start, 800))
	k, before := 0, oracle.Day(0)
	for day := range gen.GridOf(g.Start, g.Unit, g.Interval, g.End).Days() {
		if day > to {
			break
		}
		t.sameDate("walk", s, k, gen.DateNumbered(day), true)
		if i, on := s.Index(gen.DateNumbered(day)); i != k || !on {
			t.Errorf("walk: Index(%v) = %d, %v, want %d", gen.DateNumbered(day), i, on, k)
		}
		if between := gen.DateNumbered(before + 1); k > 0 && before+1 < day {
			if i, on := s.Index(between); i != k || on {
				t.Errorf("walk: Index(%v) = %d, %v, want %d and no date of the series", between, i, on, k)
			}
		}
		k, before = k+1, day
	}
	if got := s.Count(calendar.Through(g.Start, gen.DateNumbered(to))); got != k {
		t.Errorf("walk: %d dates to %v, counted %d", k, gen.DateNumbered(to), got)
	}
}
