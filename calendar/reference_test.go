package calendar

import "github.com/chargecast/chargecast/internal/oracle"

// The reference is the oracle's grid, which asks each day whether it is a date of the schedule. It never computes
// "date k", and it shares no arithmetic with the package.

// civilOf is a day as the oracle has it. Both number the days from 0001-01-01 on.
func civilOf(d Date) oracle.Civil { return oracle.At(oracle.Day(d.n)) }

// gridOf is a schedule as the oracle has it.
func gridOf(start Date, unit Unit, interval int, end MonthEnd) oracle.Grid {
	return oracle.Grid{
		Anchor: civilOf(start), Interval: int64(interval),
		Unit: map[Unit]oracle.Unit{UnitDay: oracle.ByDay, UnitWeek: oracle.ByWeek, UnitMonth: oracle.ByMonth}[unit],
		End: map[MonthEnd]oracle.MonthEnd{MonthEndClamp: oracle.Clamp, MonthEndSkip: oracle.Skip, MonthEndNextFirst: oracle.NextFirst,
			MonthEndOverflow: oracle.Overflow}[end],
	}
}

// referenceWalk returns the dates of a schedule up to a last day by visiting each day.
func referenceWalk(start Date, unit Unit, interval int, end MonthEnd, last Date) []Date {
	var dates []Date
	for day := range gridOf(start, unit, interval, end).Days() {
		if int64(day) > int64(last.n) {
			break
		}
		dates = append(dates, Date{int32(day)})
	}
	return dates
}
