package calendar

import "github.com/chargecast/chargecast/internal/enum"

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

var unitWords = enum.Words{Type: "Unit", Words: []string{"", "day", "week", "month"}}

// ParseUnit returns the unit of the word day, week or month, in this spelling, and UnitNone for the
// empty text. Anything else is an error that lists the words.
func ParseUnit(s string) (Unit, error) {
	var u Unit
	err := u.UnmarshalText([]byte(s))
	return u, err
}

// String returns the document's word, day, week or month; the empty text for UnitNone; and a text
// such as "Unit(9)" for a value outside the list.
func (u Unit) String() string { return unitWords.String(uint8(u)) }

// MarshalText returns the text of [Unit.String]. A value outside the list is an error.
func (u Unit) MarshalText() ([]byte, error) { return unitWords.Marshal(uint8(u)) }

// UnmarshalText is [ParseUnit]. On an error u stays as it was.
func (u *Unit) UnmarshalText(text []byte) error { return unitWords.Unmarshal(text, (*uint8)(u)) }

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

var monthEndWords = enum.Words{Type: "MonthEnd", Words: []string{"clamp", "skip", "next-first", "overflow"}}

// String returns clamp, skip, next-first or overflow, and a text such as "MonthEnd(9)" for a value
// outside the list.
func (e MonthEnd) String() string { return monthEndWords.String(uint8(e)) }

// MarshalText returns the text of [MonthEnd.String]. A value outside the list is an error.
func (e MonthEnd) MarshalText() ([]byte, error) { return monthEndWords.Marshal(uint8(e)) }

// UnmarshalText reads what [MonthEnd.MarshalText] writes. Anything else is an error that lists the words;
// e then stays as it was.
func (e *MonthEnd) UnmarshalText(text []byte) error {
	return monthEndWords.Unmarshal(text, (*uint8)(e))
}
