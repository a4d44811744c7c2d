package calendar

import "strconv"

// Unit is the period that an interval multiplies (2.2.1, 2.2.2). The zero value is UnitNone, no
// automatic schedule.
type Unit uint8

// The units.
const (
	UnitNone  Unit = iota // no automatic schedule (2.2.3)
	UnitDay               // every day
	UnitWeek              // every 7 days
	UnitMonth             // the same day of the month, counted from the start
)

// ParseUnit returns the unit of the word day, week or month, in this spelling. Anything else, the
// word none included, is an [*Error] that unwraps to [ErrUnit].
func ParseUnit(s string) (Unit, error) {
	switch s { // a search of the words takes several times as long
	case "day":
		return UnitDay, nil
	case "week":
		return UnitWeek, nil
	case "month":
		return UnitMonth, nil
	}
	return UnitNone, refuse(ErrUnit, "unit")
}

// String returns the document's word, day, week or month; "none" for UnitNone; and a text such as
// "Unit(9)" for a value outside the list.
func (u Unit) String() string { return word("Unit", uint8(u), "none", "day", "week", "month") }

// MarshalText returns the text of [Unit.String]. A value outside the list is an [*Error] that
// unwraps to [ErrUnit].
func (u Unit) MarshalText() ([]byte, error) {
	if u > UnitMonth {
		return nil, refuse(ErrUnit, "unit")
	}
	return []byte(u.String()), nil
}

// UnmarshalText reads what [Unit.MarshalText] writes: the words of [ParseUnit], and none for
// UnitNone. On an error u stays as it was.
func (u *Unit) UnmarshalText(text []byte) error {
	if string(text) == UnitNone.String() {
		*u = UnitNone
		return nil
	}
	parsed, err := ParseUnit(string(text))
	if err == nil {
		*u = parsed
	}
	return err
}

// MonthEnd decides where a monthly date falls in a month that lacks the day (ledger L01). It has no
// effect on days and weeks, nor on a start on the 28th or earlier. The zero value is MonthEndClamp,
// the default reading.
type MonthEnd uint8

// The month ends.
const (
	MonthEndClamp     MonthEnd = iota // the last day of the month
	MonthEndSkip                      // no date, and no number used up
	MonthEndNextFirst                 // the first day of the following month
	MonthEndOverflow                  // as many days into the following month as are missing
)

// ParseMonthEnd returns the month end of the word clamp, skip, next-first or overflow, in this
// spelling. Anything else is an [*Error] that unwraps to [ErrMonthEnd].
func ParseMonthEnd(s string) (MonthEnd, error) {
	for e := MonthEndClamp; e <= MonthEndOverflow; e++ {
		if e.String() == s {
			return e, nil
		}
	}
	return MonthEndClamp, refuse(ErrMonthEnd, "month-end")
}

// String returns clamp, skip, next-first or overflow, and a text such as "MonthEnd(9)" for a value
// outside the list.
func (e MonthEnd) String() string {
	return word("MonthEnd", uint8(e), "clamp", "skip", "next-first", "overflow")
}

// MarshalText returns the text of [MonthEnd.String]. A value outside the list is an [*Error] that
// unwraps to [ErrMonthEnd].
func (e MonthEnd) MarshalText() ([]byte, error) {
	if e > MonthEndOverflow {
		return nil, refuse(ErrMonthEnd, "month-end")
	}
	return []byte(e.String()), nil
}

// UnmarshalText reads what [MonthEnd.MarshalText] writes, the words of [ParseMonthEnd]. On an error
// e stays as it was.
func (e *MonthEnd) UnmarshalText(text []byte) error {
	parsed, err := ParseMonthEnd(string(text))
	if err == nil {
		*e = parsed
	}
	return err
}

// word returns word number i, or the name of the type with the number when there is none.
func word(name string, i uint8, words ...string) string {
	if int(i) < len(words) {
		return words[i]
	}
	return name + "(" + strconv.Itoa(int(i)) + ")"
}
