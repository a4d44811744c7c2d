package main

import (
	"strconv"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// ordinal is a number as 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// days is a distance in days.
func days(n int) string { return counted(strconv.Itoa(n), "day") }

// schedule is how often days are due: "month", "3 months".
func schedule(grid calendar.Schedule) string {
	if grid.Interval() == 1 {
		return grid.Unit().String()
	}
	return strconv.Itoa(grid.Interval()) + " " + grid.Unit().String() + "s"
}

// gridClauses are what the counting of due days rests on.
func gridClauses(grid calendar.Schedule) ledger.Because {
	why := ledger.On(clause.Doc221)
	if grid.Interval() > 1 {
		why = why.With(clause.Doc222)
	}
	if _, _, day := grid.Start().Date(); grid.Unit() == calendar.UnitMonth && day > 28 {
		why = why.With(clause.L01)
	}
	return why
}

// lacking says what a due day is in the month that lacks the day of the start: the month so many
// months after it.
func lacking(grid calendar.Schedule, months int, slot calendar.Date) string {
	year, month, day := grid.Start().Date()
	if grid.Unit() != calendar.UnitMonth || day <= 28 {
		return ""
	}
	if grid.MonthEnd() == calendar.MonthEndSkip {
		return "; months without a " + ordinal(day) + " are left out"
	}
	n := int(month) - 1 + months
	year, month = year+n/12, time.Month(n%12+1)
	length := calendar.DaysIn(year, month)
	if length >= day {
		return ", on the " + ordinal(day) + " like the first"
	}
	_, _, of := slot.Date()
	text := ": " + month.String() + " " + strconv.Itoa(year) + " has " + strconv.Itoa(length) + " days, so it is "
	switch grid.MonthEnd() {
	case calendar.MonthEndNextFirst:
		return text + "the 1st of the next month"
	case calendar.MonthEndOverflow:
		return text + "the " + ordinal(of) + " of the next month, as many days on as are lacking"
	}
	return text + "the " + ordinal(of)
}
