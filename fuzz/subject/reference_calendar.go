package subject

import (
	"errors"
	"iter"
	"regexp"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// Moved is the day n days later, or the end of the calendar in that direction.
func Moved(d calendar.Date, n int) calendar.Date {
	return DateNumbered(min(max(DayNumber(d)+oracle.Day(n), oracle.First), oracle.Last))
}

// DayOrNone is d if it is a day, and the zero Date past the end of the calendar.
func DayOrNone(d calendar.Date) calendar.Date {
	if !d.IsDay() {
		return calendar.Date{}
	}
	return d
}

var errReference = errors.New("refused by the reference")

// DayNumber is a date as the oracle counts days; 0 for the zero Date.
func DayNumber(d calendar.Date) oracle.Day {
	if d.IsZero() {
		return 0
	}
	return oracle.Day(d.Sub(calendar.First()) + 1)
}

// DateNumbered is the date with a day number; the zero Date where there is none.
func DateNumbered(d oracle.Day) calendar.Date {
	if d < oracle.First || d > oracle.Last {
		return calendar.Date{}
	}
	return calendar.First().AddDays(int(d - oracle.First))
}

// ReferenceCalendar is the calendar of the oracle, with texts read by expressions.
func ReferenceCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn: func(year int, month time.Month) int {
			if year < 1 || year > 9999 || month < 1 || month > 12 {
				return 0
			}
			return int(oracle.DaysIn(int64(year), int64(month)))
		},
		NewDate: func(year int, month time.Month, day int) (calendar.Date, error) {
			return realDay(oracle.DayOf(year, int(month), day))
		},
		DateOf: func(t time.Time) calendar.Date {
			y, m, d := t.Date()
			return DateNumbered(oracle.DayOf(y, int(m), d))
		},
		ParseDate:   parseWith(isoDate, 1, 2, 3),
		ParseDotted: parseWith(dottedDate, 3, 2, 1),
		FormatDate: func(d calendar.Date) string {
			if d.IsZero() {
				return ""
			}
			c := oracle.At(DayNumber(d))
			return time.Date(int(c.Year), time.Month(c.Month), int(c.Date), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		},
		NewGrid: referenceGrid,
	}
}

var (
	isoDate    = regexp.MustCompile(`\A([0-9]{4})-([0-9]{2})-([0-9]{2})\z`)
	dottedDate = regexp.MustCompile(`\A([0-9]{2})\.([0-9]{2})\.([0-9]{4})\z`)
)

// parseWith reads a date whose year, month and day are the groups of an expression.
func parseWith(form *regexp.Regexp, year, month, day int) func(string) (calendar.Date, error) {
	return func(s string) (calendar.Date, error) {
		part := form.FindStringSubmatch(s)
		if part == nil {
			return calendar.Date{}, errReference
		}
		return realDay(oracle.DayOf(number(part[year]), number(part[month]), number(part[day])))
	}
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func realDay(d oracle.Day) (calendar.Date, error) {
	if d == 0 {
		return calendar.Date{}, errReference
	}
	return DateNumbered(d), nil
}

func referenceGrid(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
	if start.IsZero() || unit == 0 || unit > calendar.UnitMonth || interval < 1 || end > calendar.MonthEndOverflow {
		return nil, errReference
	}
	g := oracle.Grid{
		Anchor:   oracle.At(DayNumber(start)),
		Unit:     oracle.Unit(unit),
		Interval: int64(interval),
		End:      oracle.MonthEnd(end),
	}
	return Walk{g.Days()}, nil
}

// A Walk is a grid that knows nothing but how to go through its dates from the first.
type Walk struct{ Days iter.Seq[oracle.Day] }

// At walks to date k.
func (w Walk) At(k int) (calendar.Date, bool) {
	if k < 0 {
		return calendar.Date{}, false
	}
	for d := range w.Days {
		if k == 0 {
			return DateNumbered(d), true
		}
		k--
	}
	return calendar.Date{}, false
}

// Index walks to the first date from d on.
func (w Walk) Index(d calendar.Date) (k int, on bool) {
	target := DayNumber(d)
	for day := range w.Days {
		if day >= target {
			return k, day == target
		}
		k++
	}
	return k, false
}

// Count walks through the window.
func (w Walk) Count(v calendar.Window) int {
	n := 0
	from, to := DayNumber(v.From), DayNumber(v.To)
	for day := range w.Days {
		if to != 0 && day >= to {
			break
		}
		if day >= from {
			n++
		}
	}
	return n
}

// From walks from date k to the end.
func (w Walk) From(k int) iter.Seq2[int, calendar.Date] {
	return func(yield func(int, calendar.Date) bool) {
		n := 0
		for day := range w.Days {
			if k >= 0 && n >= k && !yield(n, DateNumbered(day)) {
				return
			}
			n++
		}
	}
}
