package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/program"
)

// A dayFlag is a day as a flag says it: 2026-06-30, 30.06.2026, and for a window also the month 2026-06, the quarter
// 2026-Q3, or a distance from the as-of date such as +90d. The zero value is a flag that was not given.
type dayFlag struct {
	text        string
	first, last calendar.Date // of the day, the month or the quarter; zero for a distance
	distance    int           // in units
	unit        calendar.Unit // UnitNone for no distance
	dayOnly     bool          // the flag is a day, and bounds no window
	mayEnd      bool          // it may be "end", of each profile
	isEnd       bool          // … and is
}

func (d *dayFlag) String() string { return d.text }
func (*dayFlag) Type() string     { return "DATE" }

func (d *dayFlag) isSet() bool { return d.text != "" }

// distanceUnits are the letters of a distance, in days or months.
var distanceUnits = [...]struct {
	letter byte
	unit   calendar.Unit
	of     int
}{
	{'d', calendar.UnitDay, 1},
	{'w', calendar.UnitDay, 7},
	{'m', calendar.UnitMonth, 1},
	{'y', calendar.UnitMonth, 12},
}

// maxDistance is more than the calendar has, in any unit.
const maxDistance = 9_999_999

func (d *dayFlag) Set(s string) error {
	of := dayFlag{text: s, dayOnly: d.dayOnly, mayEnd: d.mayEnd}
	var err error
	switch quarter, isQuarter := cutQuarter(s); {
	case d.mayEnd && s == "end":
		of.isEnd = true
	case d.dayOnly:
		of.first, err = parseDay(s)
		of.last = of.first
	case s != "" && s[0] == '+':
		err = of.setDistance(s[1:])
	case isQuarter:
		err = of.setMonths(s[:len("2026")]+quarter, 3)
	case len(s) == len("2026-06"):
		err = of.setMonths(s, 1)
	default:
		of.first, err = parseDay(s)
		of.last = of.first
	}
	switch {
	case errors.Is(err, calendar.ErrNotADay):
		return noSuchDay(isoOf(s), err)
	case err != nil && d.dayOnly:
		return usage("not a date", "write a day as 2026-01-31 or 31.01.2026")
	case err != nil:
		return usage("not a date", "write a day as 2026-01-31 or 31.01.2026, a month as 2026-01, a quarter as 2026-Q1, or a distance from the as-of date as +90d, +2w, +3m or +1y")
	}
	*d = of
	return nil
}

// cutQuarter returns the first month of a quarter, "2026-Q3", as "-07".
func cutQuarter(s string) (month string, ok bool) {
	if len(s) != len("2026-Q3") || s[4:6] != "-Q" || s[6] < '1' || s[6] > '4' {
		return "", false
	}
	return [...]string{"-01", "-04", "-07", "-10"}[s[6]-'1'], true
}

// setMonths sets so many months, of which the first is written 2026-06.
func (d *dayFlag) setMonths(month string, n int) (err error) {
	if d.first, err = calendar.Parse(month + "-01"); err != nil {
		return err
	}
	d.last = calendar.MaxDate()
	if next, ok := after(d.first, calendar.UnitMonth, n); ok {
		d.last = next.AddDays(-1)
	}
	return nil
}

// isoOf returns a day that is written as in payloads, 31.01.2026, or without zeros, 31.1.2026, in ISO form, and any other text as it is.
func isoOf(s string) string {
	day, rest, _ := strings.Cut(s, ".")
	month, year, ok := strings.Cut(rest, ".")
	if !ok || day == "" || len(day) > 2 || month == "" || len(month) > 2 {
		return s
	}
	return year + "-" + ("0" + month)[len(month)-1:] + "-" + ("0" + day)[len(day)-1:]
}

// parseDay reads a day in one of the two forms.
func parseDay(s string) (calendar.Date, error) { return calendar.Parse(isoOf(s)) }

// noSuchDay refuses a day that the calendar does not have, of which s is the text in ISO form: the
// help is about the part that is wrong.
func noSuchDay(s string, err error) error {
	help := "the calendar goes from 0001-01-01 to 9999-12-31"
	wrong, _ := errors.AsType[*calendar.Error](err)
	switch {
	case wrong == nil:
	case wrong.Part == "month":
		help = "months go from 01 to 12"
	case wrong.Part == "day":
		// The day alone is wrong, so that the month has a first one.
		if first, err := calendar.Parse(s[:len("2026-02-")] + "01"); err == nil {
			year, month, _ := first.Date()
			help = month.String() + " " + first.String()[:len("2026")] + " has " + strconv.Itoa(calendar.DaysIn(year, month)) + " days"
		}
	}
	return usage("no such day", help)
}

var errDistance = errors.New("not a distance")

func (d *dayFlag) setDistance(s string) error {
	if s == "" {
		return errDistance
	}
	n, ok := program.WholeNumber(s[:len(s)-1])
	for _, u := range distanceUnits {
		if ok && u.letter == s[len(s)-1] {
			d.distance, d.unit = int(min(n, maxDistance))*u.of, u.unit
			return nil
		}
	}
	return errDistance
}

// firstDay returns the day that the flag says, of a month the first.
func (d *dayFlag) firstDay(name string, asOf calendar.Date) (calendar.Date, error) {
	return d.resolve(name, d.first, asOf)
}

// lastDay returns the day that the flag says, of a month the last, and of a distance the day before its end, so that a
// year has no day twice; the zero Date if it was not given.
func (d *dayFlag) lastDay(name string, asOf calendar.Date) (calendar.Date, error) {
	end, err := d.resolve(name, d.last, asOf)
	switch {
	case err != nil || d.unit == calendar.UnitNone:
		return end, err
	case d.distance == 0:
		return end, usage("--"+name+" ends before it begins", "a distance from the as-of date is at least one day, such as +1d, which is that date")
	}
	return end.AddDays(-1), nil
}

func (d *dayFlag) resolve(name string, written, asOf calendar.Date) (calendar.Date, error) {
	switch {
	case d.unit == calendar.UnitNone:
		return written, nil
	case d.distance == 0:
		return asOf, nil
	}
	day, ok := after(asOf, d.unit, d.distance)
	if !ok {
		return day, usage("--"+name+" is after the last day of the calendar, 9999-12-31", "give a shorter distance from the as-of date, "+asOf.String())
	}
	return day, nil
}

// after returns the day so many units after another, clamped to the end of the month; false if it is
// after the calendar.
func after(d calendar.Date, unit calendar.Unit, distance int) (calendar.Date, bool) {
	steps, err := calendar.NewSchedule(d, unit, distance, calendar.MonthEndClamp)
	if err != nil {
		return calendar.Date{}, false
	}
	return steps.At(1)
}
