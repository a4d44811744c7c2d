// Package exportform reads dates, amounts and names of columns in the forms that exports have, by what a user knows about
// the file: the order of day, month and year, the century of a year of two digits, the decimal mark, and the columns
// that other names stand for.
//
// What can be read in one way only is read so; what can be read in two is read as the user's Forms have it,
// and is refused where they have nothing, or where the value contradicts them. So a value is never read by what other
// values of the file look like. [Forms.Date] never reads DD.MM.YYYY in another way, and an amount as [Forms.Amount]
// writes it is read as the same amount again, under the same Forms.
package exportform

import (
	"errors"

	"github.com/chargecast/chargecast/internal/enum"
)

// Forms are how the dates and amounts of a file are written. The zero value decides nothing.
type Forms struct {
	Dates   Dates
	Century Century
	Decimal Decimal
}

// Dates is the order of day, month and year in dates. The zero value decides nothing.
type Dates uint8

// The orders.
const (
	DayFirst   Dates = iota + 1 // dmy
	MonthFirst                  // mdy
	YearFirst                   // ymd
)

var orders = enum.Words{Type: "Dates", Words: []string{"", "dmy", "mdy", "ymd"}}

// String returns "dmy", "mdy" or "ymd", and the empty string for the zero value.
func (d Dates) String() string { return orders.String(uint8(d)) }

// MarshalText returns the word; a value that is not an order is an error.
func (d Dates) MarshalText() ([]byte, error) { return orders.Marshal(uint8(d)) }

// UnmarshalText reads what MarshalText writes. On an error d is unchanged.
func (d *Dates) UnmarshalText(text []byte) error { return orders.Unmarshal(text, (*uint8)(d)) }

// Decimal is the mark before the decimals of amounts. The zero value decides nothing.
type Decimal uint8

// The decimal marks.
const (
	Comma Decimal = iota + 1
	Point
)

var marks = enum.Words{Type: "Decimal", Words: []string{"", "comma", "point"}}

// String returns "comma" or "point", and the empty string for the zero value.
func (d Decimal) String() string { return marks.String(uint8(d)) }

// MarshalText returns the word; a value that is not a mark is an error.
func (d Decimal) MarshalText() ([]byte, error) { return marks.Marshal(uint8(d)) }

// UnmarshalText reads what MarshalText writes. On an error d is unchanged.
func (d *Decimal) UnmarshalText(text []byte) error { return marks.Unmarshal(text, (*uint8)(d)) }

// Century is the first two digits of the years that are written with the last two: 20 for 2026. The zero value decides
// nothing.
type Century uint8

// String returns the two digits, and the empty string for the zero value.
func (c Century) String() string {
	if c < 10 || c > 99 {
		return ""
	}
	return string([]byte{'0' + byte(c/10), '0' + byte(c%10)})
}

// MarshalText returns the two digits; it is empty for the zero value.
func (c Century) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes. On an error c is unchanged.
func (c *Century) UnmarshalText(text []byte) error {
	n, ok := number(string(text), 2, 2)
	switch {
	case len(text) == 0:
		*c = 0
	case !ok || n < 10:
		return errors.New("the century is the first two digits of a year, such as 20")
	default:
		*c = Century(n)
	}
	return nil
}

// number reads decimal digits, as many as allowed, and nothing else.
func number(s string, least, most int) (n int, ok bool) {
	if len(s) < least || len(s) > most || !digits(s) {
		return 0, false
	}
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// digits reports whether s is decimal digits and at least one.
func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
