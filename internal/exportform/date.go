package exportform

import (
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// A DateForm is how a date is written, or why it is not read.
type DateForm uint8

// The forms that are read, and from DateMalformed on those that are not.
const (
	DateDotted     DateForm = iota // DD.MM.YYYY
	DateISO                        // the year first, with four digits
	DateOneDigit                   // day first, with points and less than two digits
	DateOtherMark                  // day first, certainly, with other marks
	DateMonthFirst                 // month first, certainly
	DateInOrder                    // in the given order
	DateShortYear                  // a year of two digits, its century given

	DateMalformed // nothing that is read, or no day
	DateUnordered // no order is given, or the date is not in it
	DateCentury   // no century is given
)

// Date reads a date. The day is zero for a form that is not read, and for a text of the form DD.MM.YYYY that is not
// a day.
func (f Forms) Date(s string) (calendar.Date, DateForm) {
	i := strings.IndexAny(s, "-/.")
	if i < 0 || strings.Count(s, s[i:i+1]) != 2 {
		return calendar.Date{}, DateMalformed
	}
	parts := strings.Split(s, s[i:i+1])
	a, b, c := parts[0], parts[1], parts[2]
	switch {
	case s[i] == '.' && len(a) == 2 && len(b) == 2 && len(c) == 4 && digits(a+b+c):
		return day(c, b, a), DateDotted
	case len(a) == 4:
		return orMalformed(day(a, b, c), DateISO)
	case len(c) == 4:
		return f.yearLast(a, b, c, s[i] == '.')
	case max(len(a), len(b), len(c)) <= 2 && digits(a) && digits(b) && digits(c):
		return f.shortYear(a, b, c)
	}
	return calendar.Date{}, DateMalformed
}

// yearLast reads a date whose last number is the year. With points the day comes first, unless another order is given.
func (f Forms) yearLast(a, b, year string, points bool) (calendar.Date, DateForm) {
	dayFirst, monthFirst := day(year, b, a), day(year, a, b)
	either := !dayFirst.IsZero() && !monthFirst.IsZero() && dayFirst != monthFirst
	switch {
	case dayFirst.IsZero() && monthFirst.IsZero():
		return calendar.Date{}, DateMalformed
	case f.Dates == MonthFirst && (monthFirst.IsZero() || points && either), f.Dates == DayFirst && dayFirst.IsZero():
		return calendar.Date{}, DateUnordered // not in the given order
	case f.Dates == MonthFirst && either:
		return monthFirst, DateInOrder
	case f.Dates == DayFirst && either && !points:
		return dayFirst, DateInOrder
	case points && f.Dates != MonthFirst:
		return orMalformed(dayFirst, DateOneDigit)
	case either:
		return calendar.Date{}, DateUnordered
	case dayFirst.IsZero():
		return monthFirst, DateMonthFirst
	}
	return dayFirst, DateOtherMark
}

// shortYear reads a date whose year has two digits: the only day that the order, or any order if none is given,
// makes of it.
func (f Forms) shortYear(a, b, c string) (calendar.Date, DateForm) {
	century := f.Century.String()
	if century == "" {
		return calendar.Date{}, DateCentury
	}
	full := func(year string) string {
		if len(year) != 2 {
			return ""
		}
		return century + year
	}
	days := [...]calendar.Date{DayFirst: day(full(c), b, a), MonthFirst: day(full(c), a, b), YearFirst: day(full(a), b, c)}
	if f.Dates != 0 {
		return orMalformed(days[f.Dates], DateShortYear)
	}
	var only calendar.Date
	for _, d := range days {
		switch {
		case d.IsZero() || d == only:
		case !only.IsZero():
			return calendar.Date{}, DateUnordered
		default:
			only = d
		}
	}
	return orMalformed(only, DateShortYear)
}

func orMalformed(d calendar.Date, form DateForm) (calendar.Date, DateForm) {
	if d.IsZero() {
		return d, DateMalformed
	}
	return d, form
}

// day is the day of a year of four digits, and a month and a day of one or two; zero for none.
func day(year, month, ofMonth string) calendar.Date {
	y, ok1 := number(year, 4, 4)
	m, ok2 := number(month, 1, 2)
	d, ok3 := number(ofMonth, 1, 2)
	if !ok1 || !ok2 || !ok3 {
		return calendar.Date{}
	}
	date, err := calendar.New(y, time.Month(m), d)
	if err != nil {
		return calendar.Date{}
	}
	return date
}
