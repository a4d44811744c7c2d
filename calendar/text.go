package calendar

import (
	"strings"

	"github.com/chargecast/chargecast/internal/fault"
)

// The form of dates: Y, M and D are digits of the year, the month and the day, and any other byte is
// itself.
const (
	dateForm   = "YYYY-MM-DD"
	formLength = len(dateForm)
)

// Parse returns the date of a text of the form 2026-01-31: four, two and two ASCII digits. Anything
// else is an [*Error] that unwraps to [ErrSyntax], or to [ErrNotADay] where the form is right but
// the day does not exist; the Date is then the zero Date.
func Parse(s string) (Date, error) { return parse(s) }

// Dotted returns the day as the columns of a payload have it (2.1, ledger L38): 31.01.2026. It is empty for a
// Date that is not a day.
func (d Date) Dotted() string {
	if !d.IsDay() {
		return ""
	}
	iso := d.String()
	return iso[8:] + "." + iso[5:7] + "." + iso[:4]
}

// MustParse is [Parse] for hard-coded strings in tests and examples; it panics on an error.
func MustParse(s string) Date {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

func parse[text string | []byte](s text) (Date, error) {
	var year, month, day int
	for i := range min(len(s), formLength) {
		digit := int(s[i] - '0')
		pattern := dateForm[i]
		if pattern < 'D' && s[i] != pattern || pattern >= 'D' && digit > 9 {
			return Date{}, &Error{Fault: ErrSyntax, Offset: i}
		}
		switch pattern {
		case 'Y':
			year = 10*year + digit
		case 'M':
			month = 10*month + digit
		case 'D':
			day = 10*day + digit
		}
	}
	if len(s) != formLength {
		return Date{}, &Error{Fault: ErrSyntax, Offset: min(len(s), formLength)}
	}
	d, part := fromParts(year, month, day)
	if part != "" {
		return Date{}, &Error{Fault: ErrNotADay, Part: part, Offset: strings.Index(dateForm, strings.ToUpper(part[:1]))}
	}
	return d, nil
}

// String returns the date in the form 2026-01-31. Dates in this form sort as [Date.Compare] does. The
// text is empty for a Date that is not a day.
func (d Date) String() string {
	var b [formLength]byte
	return string(d.Append(b[:0]))
}

// Append appends the text of [Date.String]: 10 bytes, none for a Date that is not a day.
func (d Date) Append(b []byte) []byte {
	if !d.IsDay() {
		return b
	}
	year, month, day := d.civil()
	c, y := year/100, year%100
	return append(b, tens(c), ones(c), tens(y), ones(y), '-', tens(month), ones(month), '-', tens(day), ones(day))
}

func tens(n int) byte { return '0' + byte(n)/10 }

func ones(n int) byte { return '0' + byte(n)%10 }

// AppendText implements encoding.TextAppender. It appends the text of [Date.String]; a Date past the
// end of the calendar, which has none, is an [*Error] that unwraps to [ErrNotADay].
func (d Date) AppendText(b []byte) ([]byte, error) {
	if d.n > lastDay {
		return b, fault.Refuse(ErrNotADay, "")
	}
	return d.Append(b), nil
}

// MarshalText implements encoding.TextMarshaler, as [Date.AppendText] does. In JSON a date is a
// string, and the zero Date the empty one.
func (d Date) MarshalText() ([]byte, error) { return d.AppendText(make([]byte, 0, formLength)) }

// UnmarshalText reads what [Date.MarshalText] writes: the form of [Parse], or an empty text for the
// zero Date. On an error d stays as it was.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := parse(text)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}
