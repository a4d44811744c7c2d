package main

import (
	"errors"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
)

// A dayFlag is a day as a flag says it: 2026-06-30, the month 2026-06, or a distance from the as-of
// date such as +90d. The zero value is a flag that was not given.
type dayFlag struct {
	text        string
	first, last calendar.Date // of the day or the month; zero for a distance
	distance    int           // in units
	unit        calendar.Unit // UnitNone for no distance
	noMonth     bool          // the flag is a day and not a month
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
	var err error
	of := dayFlag{text: s, noMonth: d.noMonth}
	switch {
	case s != "" && s[0] == '+':
		err = of.setDistance(s[1:])
	case len(s) == len("2026-06") && !d.noMonth:
		if of.first, err = calendar.Parse(s + "-01"); err == nil {
			year, month, _ := of.first.Date()
			of.last = of.first.AddDays(calendar.DaysIn(year, month) - 1)
		}
	default:
		of.first, err = calendar.Parse(s)
		of.last = of.first
	}
	switch {
	case errors.Is(err, calendar.ErrNotADay):
		return noSuchDay(s, err)
	case err != nil && d.noMonth:
		return usage("not a date", "write a day as 2026-01-31, or a distance from the as-of date as +90d, +2w, +3m or +1y")
	case err != nil:
		return usage("not a date", "write a day as 2026-01-31, a month as 2026-01, or a distance from the as-of date as +90d, +2w, +3m or +1y")
	}
	*d = of
	return nil
}

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
	n, ok := wholeNumber(s[:len(s)-1])
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

// lastDay returns the day that the flag says, of a month the last; the zero Date if it was not given.
func (d *dayFlag) lastDay(name string, asOf calendar.Date) (calendar.Date, error) {
	return d.resolve(name, d.last, asOf)
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
