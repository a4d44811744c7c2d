package reconcile

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// MaxReadings is more than the text of all readings has: a longer one is no file of them.
const MaxReadings = 64 << 10

// AppendReadings appends the text of a file of readings, chargecast.readings/1, as [ParseReadings] reads it.
// It fails where a profile that showed one has a name that is not UTF-8, or a reading is none of its key's.
func AppendReadings(dst []byte, r engine.Readings) ([]byte, error) {
	text, err := r.MarshalJSON()
	if err != nil {
		return dst, err
	}
	var lines bytes.Buffer
	_ = json.Indent(&lines, text, "", "  ") // what MarshalJSON wrote
	return append(append(dst, lines.Bytes()...), '\n'), nil
}

// ParseReadings reads a file of readings. What is not exactly such a file is a [ledger.Finding]: with line and column
// damaged JSON, an unknown schema, member or key, and without them an unknown value or a key that is given twice.
func ParseReadings(text []byte) (r engine.Readings, err error) {
	err = r.UnmarshalJSON(text)
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok || f.Place.Col == 0 {
		return r, err
	}
	before := text[:min(f.Place.Col-1, len(text))]
	f.Place.Line = bytes.Count(before, []byte("\n")) + 1
	f.Place.Col -= bytes.LastIndexByte(before, '\n') + 1
	return r, f
}
