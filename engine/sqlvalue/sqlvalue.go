// Package sqlvalue keeps the values of this module in databases through database/sql. It is
// separate from their packages, so that a program without a database does not link
// database/sql/driver.
package sqlvalue

import (
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// A Value is a value of type T as an argument of a query and as what [database/sql.Rows.Scan] scans
// into. The form in the database is the text of T, such as "2026-01-31" or "9.99", or else its
// JSON, such as that of an [engine.Stored]; NULL is a value whose text is empty, such as the zero
// Date, or whose JSON is null, such as the zero [engine.State]. A [calendar.Date] fits a column of
// type date as well, which drivers give back as a time.Time at midnight.
type Value[T any] struct{ to *T }

// Of returns *v for database/sql: Scan writes to *v.
func Of[T any](v *T) Value[T] { return Value[T]{v} }

// Value implements [driver.Valuer].
func (v Value[T]) Value() (driver.Value, error) {
	text, none, err := v.text()
	if err != nil || string(text) == none {
		return nil, err
	}
	return string(text), nil
}

// text returns the text of the value, and that of a value that is none.
func (v Value[T]) text() (text []byte, none string, err error) {
	if m, ok := any(*v.to).(encoding.TextMarshaler); ok {
		text, err = m.MarshalText()
		return text, "", err
	}
	text, err = json.Marshal(*v.to)
	return text, "null", err
}

// Scan implements [database/sql.Scanner]. NULL is the zero value. A time.Time is the day of a
// [calendar.Date], in its own location; one that is not at midnight is an error, and so is a time
// for any other type. On an error *v is unchanged; the error names the type and does not show the
// value.
func (v Value[T]) Scan(src any) error {
	var text []byte
	switch s := src.(type) {
	case nil:
		*v.to = *new(T)
		return nil
	case string:
		text = []byte(s)
	case []byte:
		text = s
	case time.Time:
		return v.scanTime(s)
	default:
		return fmt.Errorf("sqlvalue: cannot scan %T into %T: it is neither text nor NULL", src, *v.to)
	}
	var read T
	err := error(nil)
	if u, ok := any(&read).(encoding.TextUnmarshaler); ok {
		err = u.UnmarshalText(text)
	} else {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		return fmt.Errorf("sqlvalue: %T: %w", read, err)
	}
	*v.to = read
	return nil
}

// scanTime scans the time of a column of type date.
func (v Value[T]) scanTime(t time.Time) error {
	to, ok := any(v.to).(*calendar.Date)
	if !ok {
		return fmt.Errorf("sqlvalue: cannot scan time.Time into %T", *v.to)
	}
	if hour, minute, second := t.Clock(); hour != 0 || minute != 0 || second != 0 || t.Nanosecond() != 0 {
		return errors.New("sqlvalue: calendar.Date: the time is not at midnight: use a column of type date")
	}
	d := calendar.Of(t)
	if !d.IsDay() {
		return fmt.Errorf("sqlvalue: calendar.Date: %w", calendar.ErrNotADay)
	}
	*to = d
	return nil
}
