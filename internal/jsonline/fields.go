package jsonline

import (
	"errors"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// The values of a line.
type (
	Value = strictjson.Value
	Field = strictjson.Field
)

// The forms of a value.
const (
	KindNull   = strictjson.KindNull
	KindBool   = strictjson.KindBool
	KindNumber = strictjson.KindNumber
	KindString = strictjson.KindString
	KindArray  = strictjson.KindArray
	KindObject = strictjson.KindObject
)

// A Member is a name and what reads its value into a T.
type Member[T any] struct {
	Name string
	Read func(to *T, v *Value) error
}

// Members reads each field by the member of its name. A name that members does not have is an error
// that lists the right ones.
func Members[T any](fields []Field, members []Member[T], to *T) error {
	for i := range fields {
		f := &fields[i]
		m := slices.IndexFunc(members, func(m Member[T]) bool { return f.Name.Is(m.Name) })
		if m < 0 {
			return Fault(CodeUnknown, f.Name.At+1, "unknown field", strictjson.Use(f.Name.Text(), names(members)))
		}
		if err := members[m].Read(to, &f.Value); err != nil {
			return In(err, members[m].Name)
		}
	}
	return nil
}

func names[T any](members []Member[T]) []string {
	list := make([]string, len(members))
	for i, m := range members {
		list[i] = m.Name
	}
	return list
}

// Object reads an object by its members.
func Object[T any](v *Value, members []Member[T], to *T) error {
	if err := As(v, KindObject, "write an object in braces"); err != nil {
		return err
	}
	return Members(v.Fields, members, to)
}

// As returns an error unless v has the form kind.
func As(v *Value, kind strictjson.Kind, help string) error {
	if v.Kind != kind {
		return Fault(CodeType, v.At+1, "unexpected JSON type", help)
	}
	return nil
}

// String reads a string.
func String(v *Value, to *string) error {
	if err := As(v, KindString, "write a string in double quotes"); err != nil {
		return err
	}
	*to = v.Text()
	return nil
}

// Word reads a string that is one of words and stores its index. Empty words cannot be chosen.
func Word[T ~uint8](v *Value, to *T, code ledger.Code, words []string) error {
	if err := As(v, KindString, "write a string in double quotes"); err != nil {
		return err
	}
	for i, w := range words {
		if w != "" && v.Is(w) {
			*to = T(i)
			return nil
		}
	}
	possible := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
	return Fault(code, v.At+1, "unknown value", strictjson.Use(v.Text(), possible))
}

// Date reads a date in ISO form.
func Date(v *Value, to *calendar.Date) error {
	if err := As(v, KindString, "write a date in double quotes: YYYY-MM-DD"); err != nil {
		return err
	}
	text, plain := v.Plain()
	if !plain || len(text) == 0 {
		return Fault("date-syntax", v.At+1, "the date is not in ISO form", "write YYYY-MM-DD")
	}
	switch err := to.UnmarshalText(text); {
	case errors.Is(err, calendar.ErrNotADay):
		return Fault("date-not-a-day", v.At+1, "no such day", "check month and day")
	case err != nil:
		return Fault("date-syntax", v.At+1, "the date is not in ISO form", "write YYYY-MM-DD")
	}
	return nil
}

// Count reads a whole number from 0 to 2^63-1.
func Count(v *Value, to *uint64, code ledger.Code) error {
	if err := As(v, KindNumber, "write a number without quotes"); err != nil {
		return err
	}
	n, err := strconv.ParseUint(v.Text(), 10, 63)
	if err != nil {
		return Fault(code, v.At+1, "the number is out of range", "write a whole number from 0 to 9223372036854775807")
	}
	*to = n
	return nil
}

// Bool reads true or false.
func Bool(v *Value, to *bool) error {
	if err := As(v, KindBool, "write true or false without quotes"); err != nil {
		return err
	}
	*to = v.Raw[0] == 't'
	return nil
}
