package laws

import (
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// calendarLaws are the laws of single days.
func calendarLaws() []Law {
	return []Law{
		once("C01", "2.1", "0001-01-01 … 9999-12-31 are 3,652,059 days, each made of its own parts", everyDay),
		once("C03", "2.2.1", "dim(y,2) = 29 ⇔ 4∣y ∧ (100∤y ∨ 400∣y); any 400 years have 146,097 days", leapYears),
		once("C04", "2.1", "Parse(d.String()) = d; the order of texts is that of days", dateTexts),
		law("C05", "X3", "ParseDotted accepts exactly DD.MM.YYYY naming a real day of year 0001…9999", gen.DateTexts, dottedTexts),
		law("C06", "2.1", "the zero Date is never made without an error, and starts no schedule", gen.Grids, zeroDate),
		law("C29", "L27", "Of(t) is t's civil date in t's own location", gen.Instants, civilDate),
	}
}

// everyDay walks the whole calendar. The loop compares without a call that could format, since it
// runs 3.6 million times.
func everyDay(t *T) {
	n := 0
	for c := oracle.At(oracle.First); c.Day <= oracle.Last; c = c.Next() {
		made, err := t.NewDate(int(c.Year), time.Month(c.Month), int(c.Date))
		if err != nil || made != gen.DateNumbered(c.Day) {
			t.Errorf("day %d of the calendar is not made from its own parts", c.Day)
			return
		}
		if c.Date == 1 && oracle.At(c.Day) != c {
			t.Errorf("day %d is not what package time says", c.Day)
			return
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
				t.Errorf("day %d is written %q, after %q, and read back as %v", n, text, before, back)
				return
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
	want, bad := ReferenceCalendar().ParseDotted(text)
	if (err != nil) != (bad != nil) || got != want {
		t.Errorf("ParseDotted(%q) is refused: %v, and gives %v; want %v and %v", text, err != nil, got, bad != nil, want)
	}
	// Package time agrees, but that it takes the year 0000.
	if std, err := time.Parse("02.01.2006", text); bad == nil && (err != nil || std.Year() != int(oracle.At(gen.DayNumber(want)).Year)) {
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
