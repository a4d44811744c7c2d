package calendar

// Unit is the period that an interval multiplies (2.2.1, 2.2.2). Its zero value is UnitNone: no automatic schedule.
type Unit uint8

// The units.
const (
	UnitNone  Unit = iota // no automatic schedule (2.2.3)
	UnitDay               // every day
	UnitWeek              // every 7 days
	UnitMonth             // the same day of the month, counted from the start
)

// String returns the document's word, day, week or month; none for UnitNone, invalid for a value that is no Unit.
func (u Unit) String() string {
	return word(uint8(u), "none", "day", "week", "month")
}

// ParseUnit reads day, week or month, exactly so spelt. Anything else, the word none included, is a *[ScheduleError] that
// unwraps to [ErrUnit].
func ParseUnit(s string) (Unit, error) {
	switch s {
	case "day":
		return UnitDay, nil
	case "week":
		return UnitWeek, nil
	case "month":
		return UnitMonth, nil
	}
	return UnitNone, &ScheduleError{Part: "unit", Err: ErrUnit}
}

// MonthEnd decides where a monthly date falls in a month that lacks the day (ledger L01). It changes nothing for days and
// weeks, nor for a start on the 28th or earlier (C15). Its zero value is MonthEndClamp, the default reading.
type MonthEnd uint8

// The month ends.
const (
	MonthEndClamp     MonthEnd = iota // the last day of the month (C09)
	MonthEndSkip                      // no date at all, and no number used up (C11)
	MonthEndNextFirst                 // the first day of the following month (C10)
	MonthEndOverflow                  // as many days into the following month as are missing, as package time does (C10)
)

// String returns clamp, skip, next-first or overflow; invalid for a value that is no MonthEnd.
func (e MonthEnd) String() string {
	return word(uint8(e), "clamp", "skip", "next-first", "overflow")
}

// ParseMonthEnd reads clamp, skip, next-first or overflow, exactly so spelt. Anything else is a *[ScheduleError] that
// unwraps to [ErrMonthEnd].
func ParseMonthEnd(s string) (MonthEnd, error) {
	for e := MonthEndClamp; e <= MonthEndOverflow; e++ {
		if e.String() == s {
			return e, nil
		}
	}
	return MonthEndClamp, &ScheduleError{Part: "month-end", Err: ErrMonthEnd}
}

func word(i uint8, words ...string) string {
	if int(i) >= len(words) {
		return "invalid"
	}
	return words[i]
}
