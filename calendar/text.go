package calendar

import "strings"

// A form is a pattern for dates: Y, M and D are digits of the year, the month and the day, and any
// other byte is itself.
type form string

const (
	isoForm    form = "YYYY-MM-DD"
	dottedForm form = "DD.MM.YYYY"

	formLength = len(isoForm)
)

// Parse returns the date of a text of the form 2026-01-31: four, two and two ASCII digits. Anything
// else is an [*Error] that unwraps to [ErrSyntax], or to [ErrNotADay] where the form is right but
// the day does not exist; the Date is then the zero Date.
func Parse(s string) (Date, error) { return parse(s, isoForm) }

// ParseDotted returns the date of a text of the form 31.01.2026, which the columns of a payload
// have (2.1, ledger L38): two, two and four ASCII digits. Its errors are those of [Parse].
func ParseDotted(s string) (Date, error) { return parse(s, dottedForm) }

// MustParse is [Parse] for hard-coded strings in tests and examples; it panics on an error.
func MustParse(s string) Date {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

func parse[text string | []byte](s text, f form) (Date, error) {
	var year, month, day int
	for i := range min(len(s), formLength) {
		digit := int(s[i] - '0')
		pattern := f[i]
		if pattern < 'D' && s[i] != pattern || pattern >= 'D' && digit > 9 {
			return Date{}, &Error{Fault: ErrSyntax, Form: string(f), Offset: i}
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
		return Date{}, &Error{Fault: ErrSyntax, Form: string(f), Offset: min(len(s), formLength)}
	}
	d, part := fromParts(year, month, day)
	if part != "" {
		return Date{}, &Error{Fault: ErrNotADay, Part: part, Form: string(f), Offset: f.offsetOf(part)}
	}
	return d, nil
}

func (f form) offsetOf(part string) int {
	switch part {
	case "year":
		return strings.IndexByte(string(f), 'Y')
	case "month":
		return strings.IndexByte(string(f), 'M')
	}
	return strings.IndexByte(string(f), 'D')
}

// String returns the date in the form 2026-01-31. Dates in this form sort as [Date.Compare] does.
// The zero Date is the empty string.
func (d Date) String() string {
	var b [formLength]byte
	return string(d.Append(b[:0]))
}

// Append appends the text of [Date.String]: 10 bytes, none for the zero Date.
func (d Date) Append(b []byte) []byte {
	if d.n == 0 {
		return b
	}
	year, month, day := d.civil()
	c, y := year/100, year%100
	return append(b, tens(c), ones(c), tens(y), ones(y), '-', tens(month), ones(month), '-', tens(day), ones(day))
}

// AppendDotted appends the date in the form 31.01.2026: 10 bytes, none for the zero Date.
func (d Date) AppendDotted(b []byte) []byte {
	if d.n == 0 {
		return b
	}
	year, month, day := d.civil()
	c, y := year/100, year%100
	return append(b, tens(day), ones(day), '.', tens(month), ones(month), '.', tens(c), ones(c), tens(y), ones(y))
}

func tens(n int) byte { return '0' + byte(n)/10 }

func ones(n int) byte { return '0' + byte(n)%10 }

// AppendText implements encoding.TextAppender. It is [Date.Append]; the error is always nil.
func (d Date) AppendText(b []byte) ([]byte, error) { return d.Append(b), nil }

// MarshalText implements encoding.TextMarshaler. It returns the text of [Date.String]; the error is
// always nil. In JSON a date is a string, and the zero Date the empty one.
func (d Date) MarshalText() ([]byte, error) { return d.Append(make([]byte, 0, formLength)), nil }

// UnmarshalText reads what [Date.MarshalText] writes: the form of [Parse], or an empty text for the
// zero Date. On an error d stays as it was.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := parse(text, isoForm)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}
