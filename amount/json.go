package amount

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// encoding/json alone would take names in any case, the last of two equal names and null for
// nothing, so objects are read member by member here.

// readMembers calls read for each member of a JSON object and refuses a name given twice. An
// [*Error] of read gets the name and the offset of the member; any other error means that the name
// is unknown.
func readMembers(b []byte, read func(name string, value []byte) error) error {
	d := json.NewDecoder(bytes.NewReader(b))
	malformed := func() error { return refuseAt(ErrType, int(d.InputOffset())) }
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return refuseAt(ErrType, 0)
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
			return within(name, offset, refuse(ErrMember))
		}
		names = append(names, name)
		if err := read(name, value); errors.Is(err, ErrMember) {
			return refuseAt(ErrMember, offset) // without the name, which may be a card number
		} else if err != nil {
			return within(name, offset, err)
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

// readText reads a JSON string without escapes into a value that has a text form.
func readText(b []byte, to encoding.TextUnmarshaler) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return refuseAt(ErrType, 0)
	}
	err := to.UnmarshalText(b[1 : len(b)-1])
	if e, ok := errors.AsType[*Error](err); ok && e.Offset >= 0 {
		return refuseAt(e.Fault, e.Offset+1)
	}
	return err
}

// readAmounts reads a JSON array of amounts.
func readAmounts(b []byte) (amounts []Amount, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return nil, refuseAt(ErrType, 0)
	}
	for d.More() {
		var element json.RawMessage
		if err := d.Decode(&element); err != nil {
			return nil, refuseAt(ErrType, int(d.InputOffset()))
		}
		var a Amount
		if err := a.UnmarshalJSON(element); err != nil {
			return nil, within("", int(d.InputOffset())-len(element), err)
		}
		amounts = append(amounts, a)
	}
	return amounts, nil
}

// readCount reads a JSON number without sign, point and exponent that is at most limit.
func readCount(b []byte, limit uint64) (n uint64, err error) {
	for i, c := range b {
		d := uint64(c - '0')
		if d > 9 {
			return 0, refuseAt(ErrType, i)
		}
		if n > (limit-d)/10 {
			return 0, refuse(ErrRange)
		}
		n = n*10 + d
	}
	return n, nil
}
