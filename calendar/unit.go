package calendar

// Unit is the period that an interval multiplies (2.2.1, 2.2.2). Its zero value is None: no automatic schedule.
type Unit uint8

// The units.
const (
	None  Unit = iota // no automatic schedule (2.2.3)
	Day               // every day
	Week              // every 7 days
	Month             // the same day of the month, counted from the start
)

// String returns the document's word, day, week or month; none for None, invalid for a value that is no Unit.
func (u Unit) String() string {
	return word(uint8(u), "none", "day", "week", "month")
}

// ParseUnit reads day, week or month, exactly so spelt. Anything else, the word none included, is a *[ScheduleError] that
// unwraps to [ErrUnit].
func ParseUnit(s string) (Unit, error) {
	switch s {
	case "day":
		return Day, nil
	case "week":
		return Week, nil
	case "month":
		return Month, nil
	}
	return None, &ScheduleError{Part: "unit", Err: ErrUnit}
}

// MonthEnd decides where a monthly date falls in a month that lacks the day (ledger L01). It changes nothing for days and
// weeks, nor for a start on the 28th or earlier (C15). Its zero value is Clamp, the default reading.
type MonthEnd uint8

// The month ends.
const (
	Clamp     MonthEnd = iota // the last day of the month (C09)
	Skip                      // no date at all, and no number used up (C11)
	NextFirst                 // the first day of the following month (C10)
	Overflow                  // as many days into the following month as are missing, as package time does (C10)
)

// String returns clamp, skip, next-first or overflow; invalid for a value that is no MonthEnd.
func (e MonthEnd) String() string {
	return word(uint8(e), "clamp", "skip", "next-first", "overflow")
}

// ParseMonthEnd reads clamp, skip, next-first or overflow, exactly so spelt. Anything else is a *[ScheduleError] that
// unwraps to [ErrMonthEnd].
func ParseMonthEnd(s string) (MonthEnd, error) {
	for e := Clamp; e <= Overflow; e++ {
		if e.String() == s {
			return e, nil
		}
	}
	return Clamp, &ScheduleError{Part: "month-end", Err: ErrMonthEnd}
}

func word(i uint8, words ...string) string {
	if int(i) >= len(words) {
		return "invalid"
	}
	return words[i]
}
