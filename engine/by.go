package engine

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
)

// A By is what charges are added up by. The zero value is ByCharge: charges and no totals.
type By uint8

// The ways to add charges up.
const (
	ByCharge By = iota
	ByDay
	ByWeek // of ISO 8601, which begins on Monday
	ByMonth
	ByQuarter
	ByWeekday
	ByProfile
)

var byWords = enum.Words{Type: "By", Words: []string{"charge", "day", "week", "month", "quarter", "weekday", "profile"}}

// String returns the word: "charge", "day", "week", "month", "quarter", "weekday" or "profile".
func (b By) String() string { return byWords.String(uint8(b)) }

// MarshalText returns the word; a value that is not a By is an error.
func (b By) MarshalText() ([]byte, error) { return byWords.Marshal(uint8(b)) }

// UnmarshalText reads what MarshalText writes. On an error b is unchanged.
func (b *By) UnmarshalText(text []byte) error { return byWords.Unmarshal(text, (*uint8)(b)) }

// Member returns the member of a total that says what it is for: "date", "week", "month",
// "quarter", "weekday" or "profile"; it is empty for ByCharge.
func (b By) Member() string {
	switch b {
	case ByCharge:
		return ""
	case ByDay:
		return "date"
	}
	return b.String()
}

// Period returns the first day of the day, week, month or quarter that d is in. A weekday is
// represented by its first day in the calendar, so that Monday is before Tuesday. The result is the
// zero Date for a Date that is not a day, and for ByCharge and ByProfile, which are not periods.
func (b By) Period(d calendar.Date) calendar.Date {
	if !d.IsDay() {
		return calendar.Date{}
	}
	year, _, day := d.Date()
	monday := (int(d.Weekday()) + 6) % 7 // days since the last Monday
	switch b {
	case ByDay:
		return d
	case ByWeek:
		return d.AddDays(-monday)
	case ByMonth:
		return d.AddDays(1 - day)
	case ByQuarter:
		first, _ := calendar.New(year, time.Month(3*d.Quarter()-2), 1)
		return first
	case ByWeekday:
		return calendar.MinDate().AddDays(monday) // the calendar begins on a Monday
	}
	return calendar.Date{}
}

// Value returns the text of the period that d is in: "2026-01-31", "2026-W05", "2026-01", "2026-Q1"
// or "monday". It is empty where [By.Period] is the zero Date.
func (b By) Value(d calendar.Date) string {
	if b.Period(d).IsZero() {
		return ""
	}
	text := d.String()
	switch b {
	case ByWeek:
		year, week := d.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case ByMonth:
		return text[:len("2026-01")]
	case ByQuarter:
		return text[:len("2026-")] + "Q" + strconv.Itoa(d.Quarter())
	case ByWeekday:
		return strings.ToLower(d.Weekday().String())
	}
	return text
}
