package calendar

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
)

// encoding/json alone would take names in any case, the last of two equal names and null for
// nothing, so objects are read member by member here.

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

// readMembers calls read for each member of a JSON object and refuses a name given twice. An
// [*Error] of read gets the name and the offset of the member; any other error means that the name
// is unknown.
func readMembers(b []byte, read func(name string, value []byte) error) error {
	d := json.NewDecoder(bytes.NewReader(b))
	malformed := func() error { return &Error{Fault: ErrType, Offset: int(d.InputOffset())} }
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return &Error{Fault: ErrType}
	}
	var names []string
	for d.More() {
		token, _ := d.Token() // nil on an error
		name, ok := token.(string)
		if !ok {
			return malformed()
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return malformed()
		}
		offset := int(d.InputOffset()) - len(value)
		if slices.Contains(names, name) {
			return &Error{Fault: ErrMember, Part: name, Offset: offset}
		}
		names = append(names, name)
		if err := read(name, value); err != nil {
			if e, ok := errors.AsType[*Error](err); ok {
				return &Error{Fault: e.Fault, Part: name, Form: e.Form, Offset: offset}
			}
			// An unknown name is not repeated: it may be a value in the wrong place.
			return &Error{Fault: ErrMember, Offset: offset}
		}
	}
	if _, err := d.Token(); err != nil {
		return malformed()
	}
	if _, err := d.Token(); err != io.EOF {
		return malformed()
	}
	return nil
}

// readText reads a JSON string into a value that has a text form.
func readText(value []byte, to encoding.TextUnmarshaler) error {
	var text string
	if value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return refuse(ErrType, "")
	}
	return to.UnmarshalText([]byte(text))
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
