// Package sqlvalue keeps the values of this module in databases through database/sql. It stands apart
// from their packages, so that a program without a database does not link database/sql/driver.
package sqlvalue

import (
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"errors"
)

// A Value is a value of type T as an argument of a query and as what [database/sql.Rows.Scan] scans
// into. The form in the database is the text of T, such as "2026-01-31" or "9.99", or else its JSON,
// such as that of an [engine.Stored]; NULL is a value whose text
// is empty, such as the zero Date, or whose JSON is null, such as the zero [engine.State].
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

// Scan implements [database/sql.Scanner]. NULL is the zero value. On an error *v is unchanged; the
// error does not show the value.
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
	default:
		return errors.New("sqlvalue: neither text nor NULL")
	}
	var read T
	err := error(nil)
	if u, ok := any(&read).(encoding.TextUnmarshaler); ok {
		err = u.UnmarshalText(text)
	} else {
		err = json.Unmarshal(text, &read)
	}
	if err == nil {
		*v.to = read
	}
	return err
}
