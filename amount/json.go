package amount

import (
	"encoding"
	"errors"
)

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
