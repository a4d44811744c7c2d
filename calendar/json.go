package calendar

import (
	"encoding"
	"errors"
	"strconv"

	"github.com/chargecast/chargecast/internal/strictjson"
)

// appendMember appends a member whose value is a text without quotes and backslashes.
func appendMember(b []byte, name, text string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, `":"`...)
	b = append(b, text...)
	return append(b, '"')
}

// readMembers calls read for each member of a JSON object. An [*Error] of read gets the name and
// the offset of the member; any other error means that the name is unknown.
func readMembers(b []byte, read func(name string, value []byte) error) error {
	v, err := strictjson.Parse(b)
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		if e.Problem == strictjson.Duplicate {
			return &Error{Fault: ErrMember, Offset: e.At}
		}
		return &Error{Fault: ErrType, Offset: e.At}
	}
	if v.Kind != strictjson.KindObject {
		return &Error{Fault: ErrType, Offset: v.At}
	}
	for i := range v.Fields {
		f := &v.Fields[i]
		name := f.Name.Text()
		if err := read(name, f.Value.Raw); err != nil {
			if e, ok := errors.AsType[*Error](err); ok {
				return &Error{Fault: e.Fault, Part: name, Form: e.Form, Offset: f.Value.At}
			}
			// An unknown name is not repeated: it may be a value in the wrong place.
			return &Error{Fault: ErrMember, Offset: f.Value.At}
		}
	}
	return nil
}

// readText reads a JSON string into a value that has a text form.
func readText(value []byte, to encoding.TextUnmarshaler) error {
	v, err := strictjson.Parse(value)
	if err != nil || v.Kind != strictjson.KindString {
		return refuse(ErrType, "")
	}
	return to.UnmarshalText([]byte(v.Text()))
}

// readNumber reads a JSON number without sign, point and exponent.
func readNumber(value []byte, to *int) error {
	if value[0] < '0' || value[0] > '9' {
		return refuse(ErrType, "")
	}
	n, err := strconv.Atoi(string(value))
	if err != nil {
		return refuse(ErrInterval, "")
	}
	*to = n
	return nil
}
