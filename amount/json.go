package amount

import (
	"encoding"
	"errors"

	"github.com/chargecast/chargecast/internal/strictjson"
)

// parseObject reads a text that is one JSON object.
func parseObject(b []byte) ([]strictjson.Field, error) {
	v, err := strictjson.Parse(b)
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		if e.Problem == strictjson.Duplicate {
			return nil, refuseAt(ErrMember, e.At)
		}
		return nil, refuseAt(ErrType, e.At)
	}
	if v.Kind != strictjson.KindObject {
		return nil, refuseAt(ErrType, v.At)
	}
	return v.Fields, nil
}

// readMembers calls read for each member of a JSON object. An [*Error] of read gets the name and
// the offset of the member; any other error means that the name is unknown.
func readMembers(b []byte, read func(name string, value []byte) error) error {
	fields, err := parseObject(b)
	if err != nil {
		return err
	}
	for i := range fields {
		f := &fields[i]
		name := f.Name.Text()
		if err := read(name, f.Value.Raw); errors.Is(err, ErrMember) {
			return refuseAt(ErrMember, f.Value.At) // without the name, which may be a card number
		} else if err != nil {
			return within(name, f.Value.At, err)
		}
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
	v, err := strictjson.Parse(b)
	if err != nil || v.Kind != strictjson.KindArray {
		return nil, refuseAt(ErrType, 0)
	}
	for i := range v.Items {
		var a Amount
		if err := a.UnmarshalJSON(v.Items[i].Raw); err != nil {
			return nil, within("", v.Items[i].At, err)
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
