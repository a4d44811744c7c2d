package laws

import (
	"iter"
	"math"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// calendarLaws are the laws of single days and of recurring dates.
func calendarLaws() []Law {
	return []Law{
		once("C01", "2.1", "0001-01-01 … 9999-12-31 are 3,652,059 days, each made of its own parts", everyDay),
		once("C03", "2.2.1", "dim(y,2) = 29 ⇔ 4∣y ∧ (100∤y ∨ 400∣y); any 400 years have 146,097 days", leapYears),
		once("C04", "2.1", "Parse(d.String()) = d; the order of texts is that of days", dateTexts),
		law("C05", "X3", "the parser of payload dates accepts exactly DD.MM.YYYY naming a real day of year 0001…9999", gen.DateTexts, dottedTexts),
		law("C06", "2.1", "the zero Date is never made without an error, and starts no schedule", gen.Grids, zeroDate),
		law("C29", "L27", "Of(t) is t's civil date in t's own location", gen.Instants, civilDate),
		law("C07", "2.2.1", "At(0) = S under every month end", gen.Grids, firstIsStart),
		law("C08", "2.2.1 2.2.2", "Day: At(k) = S + k·i days; Week: S + 7·k·i days", gen.Grids, stepsOfDays),
		law("C09", "L01", "Month, clamp: At(k) = (y', m', min(day(S), dim(y',m'))) with 12y'+m' = 12y+m+k·i", gen.Grids, clampedMonths),
		law("C10", "L01", "next-first gives the first of the following month; overflow = S.AddDate(0, k·i, 0)", gen.Grids, overflowingMonths),
		law("C11", "L01", "Month, skip: exactly the months k·i that have day(S), renumbered", gen.NearGrids, skippingMonths),
		law("C12", "2.2.1", "no drift: under clamp day(At(k)) = min(day(S), dim of its month), over 49 months", gen.NearGrids, noDrift),
		law("C13", "2.2.1", "k < l ⇒ At(k) < At(l); At(k) false ⇒ At(l) false; k < 0 ⇒ false", gen.Grids, increasing),
		law("C14", "L01", "28·i ≤ At(k+1) − At(k) ≤ 31·i days; under skip 1 or 2 months, for 29.02 48 or 96", gen.Grids, gaps),
		law("C15", "L01", "clamp ≤ next-first ≤ overflow, by at most 1 and 3 days; all equal for a day up to 28", gen.Grids, monthEndsInOrder),
		law("C16", "2.2.2", "At_i(k) = At_1(k·i); under skip as sets", gen.NearGrids, intervalsNest),
		law("C17", "2.2.1", "(Week, i) = (Day, 7·i)", gen.Grids, weeksAreDays),
		law("C18", "2.2.1", "S + 400 years: every date + 146,097 days", gen.Grids, fourHundredYears),
		law("C19", "2.2.1", "Month repeats after lcm(i, 4800) months", gen.Grids, cycles),
		law("C20", "2.2.1", "Day, Week: S + δ moves every date by δ", gen.Grids, translation),
		law("C21", "2.2.1", "Index(d) = (min{k : At(k) ≥ d}, At(k) = d)", gen.Grids, indexIsFirst),
		law("C22", "2.2.1", "At(k) ≥ d ⇔ k ≥ Index(d).k; d ≤ e ⇒ Index(d).k ≤ Index(e).k", gen.Grids, galois),
		law("C23", "2.2.1", "Count([a,b)) = Index(b).k − Index(a).k, adds up, and is the number of dates", gen.NearGrids, counts),
		once("C24", "L32", "a window to the end of the calendar includes 9999-12-31", lastDayCounts),
		law("C25", "2.2.1", "From(k) = (k, At(k)), (k+1, At(k+1)), … to the end, and can be used again", gen.NearGrids, sequences),
		once("C26", "L32", "a series ends only past 9999-12-31: daily from 0001-01-01 has 3,652,059 dates", endsWithCalendar),
		law("C27", "L32", "for every int k and interval At, Index, Count equal exact arithmetic or report the end", gen.Grids, nothingWraps),
		once("C28", "L32", "At, Index, Count allocate nothing, and their work does not grow with k or d; with skip and a day 29–31 it is linear in the months walked", constantWork).alone().prompt(),
		law("C30", "2.2.1 L01", "closed form = day-by-day walk", gen.NearGrids, equalsWalk),
		law("C31", "L01", "overflow = time.AddDate from S; clamp = the last day where AddDate overflows", gen.Grids, equalsAddDate),
		law("C32", "L56b", "NewSchedule fails for interval < 1, no unit, zero start, and only then", gen.Grids, refusals),
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

func firstIsStart(t *T, g gen.GridCase) {
	t.sameDate("start", t.grid(g), 0, g.Start, true)
}

func stepsOfDays(t *T, g gen.GridCase) {
	if g.Unit == calendar.UnitMonth {
		g.Unit = calendar.UnitWeek
	}
	s := t.grid(g)
	for _, k := range [...]int{1, g.K, g.L} {
		want, exists := exact(g, k)
		t.sameDate("days", s, k, want, exists)
	}
}

func clampedMonths(t *T, g gen.GridCase) {
	g.Unit, g.End = calendar.UnitMonth, calendar.MonthEndClamp
	exactMonths(t, g)
}

func overflowingMonths(t *T, g gen.GridCase) {
	g.Unit = calendar.UnitMonth
	for _, end := range [...]calendar.MonthEnd{calendar.MonthEndNextFirst, calendar.MonthEndOverflow} {
		g.End = end
		exactMonths(t, g)
	}
}

func exactMonths(t *T, g gen.GridCase) {
	s := t.grid(g)
	for _, k := range [...]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, g.K, g.L} {
		if want, exists := exact(g, k); !t.sameDate("months", s, k, want, exists) {
			return
		}
	}
}

// skippingMonths goes through the months one by one.
func skippingMonths(t *T, g gen.GridCase) {
	g.Unit, g.End = calendar.UnitMonth, calendar.MonthEndSkip
	s := t.grid(g)
	c := oracle.At(gen.DayNumber(g.Start))
	k := 0
	for months := 12*c.Year + c.Month - 1; months < 120_000 && k < 8; months += int64(g.Interval) {
		if oracle.DaysIn(months/12, months%12+1) < c.Date {
			continue
		}
		t.sameDate("skip", s, k, gen.DateNumbered(oracle.DayOf(int(months/12), int(months%12+1), int(c.Date))), true)
		k++
	}
}

func noDrift(t *T, g gen.GridCase) {
	g.Unit, g.End = calendar.UnitMonth, calendar.MonthEndClamp
	s := t.grid(g)
	anchor := oracle.At(gen.DayNumber(g.Start)).Date
	for k := range 49/min(g.Interval, 12) + 2 {
		d, ok := s.At(k)
		if !ok {
			return
		}
		c := oracle.At(gen.DayNumber(d))
		if c.Date != min(anchor, oracle.DaysIn(c.Year, c.Month)) {
			t.Errorf("date %d is %v: it drifted from day %d", k, d, anchor)
		}
	}
}

func increasing(t *T, g gen.GridCase) {
	s := t.grid(g)
	if _, ok := s.At(-1 - g.K); ok {
		t.Errorf("date %d exists", -1-g.K)
	}
	k, ok := s.At(g.K)
	for _, n := range [...]int{g.K + min(1, math.MaxInt-g.K), g.L} {
		l, later := s.At(n)
		if n > g.K && (later && !ok || later && !k.Before(l)) {
			t.Errorf("date %d is %v, %v and date %d is %v, %v", g.K, k, ok, n, l, later)
		}
	}
}

func gaps(t *T, g gen.GridCase) {
	g.Unit, g.K = calendar.UnitMonth, g.K%120_000
	s := t.grid(g)
	a, _ := s.At(g.K)
	b, ok := s.At(g.K + 1)
	if !ok {
		return
	}
	days := int64(b.Sub(a))
	x, y := oracle.At(gen.DayNumber(a)), oracle.At(gen.DayNumber(b))
	months := 12*(y.Year-x.Year) + y.Month - x.Month
	start := oracle.At(gen.DayNumber(g.Start))
	switch i := int64(g.Interval); {
	case g.End != calendar.MonthEndSkip:
		if days < 28*i || days > 31*i {
			t.Errorf("%d days from %v to %v", days, a, b)
		}
	case i == 1 && months != 1 && months != 2:
		t.Errorf("%d months from %v to %v", months, a, b)
	case i == 12 && start.Month == 2 && start.Date == 29 && months != 48 && months != 96:
		t.Errorf("%d months from leap day %v to %v", months, a, b)
	}
}

func monthEndsInOrder(t *T, g gen.GridCase) {
	var at [4]calendar.Date
	for end := range at {
		g.End = calendar.MonthEnd(end)
		d, ok := t.grid(g).At(g.K)
		if !ok {
			return
		}
		at[end] = d
	}
	clamp, skip, first, over := at[calendar.MonthEndClamp], at[calendar.MonthEndSkip], at[calendar.MonthEndNextFirst], at[calendar.MonthEndOverflow]
	if x, y := first.Sub(clamp), over.Sub(first); x < 0 || x > 1 || y < 0 || y+x > 3 {
		t.Errorf("date %d: clamp %v, next-first %v, overflow %v", g.K, clamp, first, over)
	}
	if _, _, day := g.Start.Date(); (g.Unit != calendar.UnitMonth || day <= 28) && (clamp != skip || clamp != first || clamp != over) {
		t.Errorf("date %d: the month ends differ without a short month: %v", g.K, at)
	}
}

func intervalsNest(t *T, g gen.GridCase) {
	one := g
	one.Interval = 1
	fine, coarse := t.grid(one), t.grid(g)
	if g.Unit == calendar.UnitMonth && g.End == calendar.MonthEndSkip {
		got, ok := coarse.At(g.K)
		if _, on := fine.Index(got); ok && !on {
			t.Errorf("date %d, %v, is no date of interval 1", g.K, got)
		}
		return
	}
	want, exists := fine.At(g.K * g.Interval)
	t.sameDate("every i-th", coarse, g.K, want, exists)
}

func weeksAreDays(t *T, g gen.GridCase) {
	if g.Interval > math.MaxInt/7 {
		return
	}
	days := g
	g.Unit, days.Unit, days.Interval = calendar.UnitWeek, calendar.UnitDay, 7*g.Interval
	for _, k := range [...]int{1, g.K, g.L} {
		want, exists := t.grid(days).At(k)
		t.sameDate("weeks", t.grid(g), k, want, exists)
	}
}

func fourHundredYears(t *T, g gen.GridCase) {
	const cycle = 146_097
	moved := g
	if moved.Start = g.Start.AddDays(cycle); !moved.Start.IsDay() {
		return
	}
	for _, k := range [...]int{1, 2, g.K, g.L} {
		d, ok := t.grid(g).At(k)
		later, exists := t.grid(moved).At(k)
		if exists && (!ok || later.Sub(d) != cycle) {
			t.Errorf("date %d: %v becomes %v", k, d, later)
		}
	}
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

func translation(t *T, g gen.GridCase) {
	if g.Unit == calendar.UnitMonth {
		g.Unit = calendar.UnitDay
	}
	by := g.B.Sub(g.A)
	shifted := g
	if shifted.Start = g.Start.AddDays(by); !shifted.Start.IsDay() {
		return
	}
	for _, k := range [...]int{1, g.K} {
		d, _ := t.grid(g).At(k)
		later, ok := t.grid(shifted).At(k)
		if ok && later.Sub(d) != by {
			t.Errorf("date %d is %v and becomes %v, not %d days later", k, d, later, by)
		}
	}
}

func equalsAddDate(t *T, g gen.GridCase) {
	g.Unit, g.K = calendar.UnitMonth, g.K%2000
	if g.Interval > 5000 {
		return
	}
	c := oracle.At(gen.DayNumber(g.Start))
	start := time.Date(int(c.Year), time.Month(c.Month), int(c.Date), 0, 0, 0, 0, time.UTC)
	y, m, d := start.AddDate(0, g.K*g.Interval, 0).Date()
	want := gen.DateNumbered(oracle.DayOf(y, int(m), d))
	g.End = calendar.MonthEndOverflow
	t.sameDate("overflow", t.grid(g), g.K, want, !want.IsZero())
	if want.IsZero() {
		return
	}
	if int64(d) != c.Date { // AddDate ran over: the month's last day lies d days back
		want = want.AddDays(-d)
	}
	g.End = calendar.MonthEndClamp
	t.sameDate("clamp", t.grid(g), g.K, want, true)
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

// constantWork compares questions about dates nearby with the same about dates far away. Where months
// have no date, going through them is allowed.
func constantWork(t *T) {
	for _, unit := range [...]calendar.Unit{calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth} {
		for end := calendar.MonthEndClamp; end <= calendar.MonthEndOverflow; end++ {
			start := gen.DateNumbered(oracle.DayOf(4, 1, 31))
			s := t.grid(gen.GridCase{Start: start, Unit: unit, Interval: 1, End: end})
			n, _ := s.Index(calendar.MaxDate())
			ask := func(k int, d calendar.Date) func() {
				return func() {
					s.At(k)
					s.Index(d)
					s.Count(calendar.Window{From: start, To: d})
				}
			}
			near, far := ask(1, start.AddDays(40)), ask(n-1, calendar.MaxDate())
			few, many := t.work(near), t.work(far)
			walks := unit == calendar.UnitMonth && end == calendar.MonthEndSkip
			if !walks && many.exceeds(10, few) {
				t.Fatalf("%v %v: %d steps for a date far away, %d for one near", unit, end, many.Steps, few.Steps)
			}
			if allocs := testing.AllocsPerRun(20, far); allocs > 0 {
				t.Fatalf("%v %v: %v allocations", unit, end, allocs)
			}
		}
	}
}

func indexIsFirst(t *T, g gen.GridCase) {
	s := t.grid(g)
	for _, d := range [...]calendar.Date{g.A, g.B, g.Start, g.Start.AddDays(-1)} {
		if d.IsZero() {
			continue
		}
		k, on := s.Index(d)
		at, exists := s.At(k)
		if on != (exists && at == d) || exists && at.Before(d) {
			t.Errorf("Index(%v) = %d, %v, but that date is %v", d, k, on, at)
		}
		if !d.After(g.Start) && k != 0 {
			t.Errorf("Index(%v) = %d on or before the start", d, k)
		}
		if before, ok := s.At(k - 1); k > 0 && (!ok || !before.Before(d)) {
			t.Errorf("Index(%v) = %d, but date %d is %v already", d, k, k-1, before)
		}
	}
	if at, ok := s.At(g.K); ok {
		if k, on := s.Index(at); k != g.K || !on {
			t.Errorf("Index(At(%d)) = %d, %v", g.K, k, on)
		}
	}
}

func galois(t *T, g gen.GridCase) {
	s := t.grid(g)
	i, _ := s.Index(g.A)
	j, _ := s.Index(g.B)
	if i > j {
		t.Errorf("Index(%v) = %d is above Index(%v) = %d", g.A, i, g.B, j)
	}
	if at, ok := s.At(g.K); ok && !at.Before(g.A) != (g.K >= i) {
		t.Errorf("date %d is %v, yet Index(%v) = %d", g.K, at, g.A, i)
	}
}

func counts(t *T, g gen.GridCase) {
	s := t.grid(g)
	i, _ := s.Index(g.A)
	j, _ := s.Index(g.B)
	ab := s.Count(calendar.Window{From: g.A, To: g.B})
	bc := s.Count(calendar.Window{From: g.B, To: g.C})
	ac := s.Count(calendar.Window{From: g.A, To: g.C})
	if g.A.Before(g.B) && ab != j-i || ab+bc != ac {
		t.Errorf("from %v to %v %d dates, to %v %d more, %d in all; Index %d and %d", g.A, g.B, ab, g.C, bc, ac, i, j)
	}
	if g.B.After(g.A) && s.Count(calendar.Window{From: g.B, To: g.A}) != 0 {
		t.Errorf("a window turned round has dates")
	}
	n := 0
	for _, d := range s.From(i) {
		if !d.Before(g.B) {
			break
		}
		n++
	}
	if g.A.Before(g.B) && n != ab {
		t.Errorf("%d dates from %v to %v, counted %d", n, g.A, g.B, ab)
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
	k := 0
	for day := range gen.GridOf(g.Start, g.Unit, g.Interval, g.End).Days() {
		if day > to {
			break
		}
		t.sameDate("walk", s, k, gen.DateNumbered(day), true)
		if i, on := s.Index(gen.DateNumbered(day)); i != k || !on {
			t.Errorf("walk: Index(%v) = %d, %v, want %d", gen.DateNumbered(day), i, on, k)
		}
		k++
	}
	if got := s.Count(calendar.Through(g.Start, gen.DateNumbered(to))); got != k {
		t.Errorf("walk: %d dates to %v, counted %d", k, gen.DateNumbered(to), got)
	}
}
