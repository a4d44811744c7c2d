package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// An ObservedReading is a value of a policy key that charges which took place have shown.
type ObservedReading struct {
	Key     ledger.Clause // one of [engine.Keys]
	Value   int           // the place of the value among the readings of Key, 0 being the default
	Profile string        // the client-orderid that showed it, as it may be shown
	Date    calendar.Date // the day up to which no other value explains what was charged
}

// Readings are what was observed, at most one value for each key. They are an immutable value. The
// zero Readings are none.
type Readings struct{ list []ObservedReading }

// NewReadings returns readings in the order of the ledger. A clause without a key, a value that its
// key does not have, and a second reading of a key are an [*engine.Error] with the code
// [engine.ErrPolicyKey], [engine.ErrPolicyValue] or [engine.ErrPolicyTwice].
func NewReadings(list ...ObservedReading) (Readings, error) {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b ObservedReading) int { return cmp.Compare(a.Key, b.Key) })
	for i, r := range sorted {
		if r.Key.Key() == "" {
			return Readings{}, &engine.Error{Field: "key", Code: engine.ErrPolicyKey}
		}
		if _, ok := r.Key.Reading(r.Value); !ok {
			return Readings{}, &engine.Error{Field: r.Key.Key(), Code: engine.ErrPolicyValue}
		}
		if i > 0 && sorted[i-1].Key == r.Key {
			return Readings{}, &engine.Error{Field: r.Key.Key(), Code: engine.ErrPolicyTwice}
		}
	}
	return Readings{sorted}, nil
}

// All yields the readings in the order of the ledger.
func (r Readings) All() iter.Seq[ObservedReading] { return slices.Values(r.list) }

// IsZero reports whether nothing was observed.
func (r Readings) IsZero() bool { return len(r.list) == 0 }

// Equal reports whether r and o are the same readings, shown by the same profiles and days.
func (r Readings) Equal(o Readings) bool { return slices.Equal(r.list, o.list) }

// Policy returns base with the values that were observed.
func (r Readings) Policy(base engine.Policy) engine.Policy {
	for _, one := range r.list {
		base = base.WithReading(one.Key, one.Value)
	}
	return base
}

// Of returns the reading of a key that was observed.
func (r Readings) Of(c ledger.Clause) (ObservedReading, bool) {
	for _, one := range r.list {
		if one.Key == c {
			return one, true
		}
	}
	return ObservedReading{}, false
}

// Observed returns the reading of c where the value in force under p is the one that was observed.
func (r Readings) Observed(c ledger.Clause, p engine.Policy) (ObservedReading, bool) {
	one, ok := r.Of(c)
	value, _ := c.Reading(one.Value)
	return one, ok && p.Reading(c).Value == value.Value
}

// Basis returns the weakest basis among the clauses of b under p, as [ledger.Because.Basis] does:
// that of a key whose value in force was observed is [ledger.Observed].
func (r Readings) Basis(b ledger.Because, p engine.Policy) ledger.Basis {
	if r.IsZero() {
		return b.Basis()
	}
	var weakest ledger.Basis
	for c := range b.All() {
		weakest = max(weakest, r.BasisOf(c, p))
	}
	return weakest
}

// BasisOf returns the basis of one clause under p.
func (r Readings) BasisOf(c ledger.Clause, p engine.Policy) ledger.Basis {
	if _, ok := r.Observed(c, p); ok {
		return ledger.Observed
	}
	return c.Basis()
}

// A readingsJSON is Readings as they are written, in an object of their own.
type readingsJSON struct {
	Schema   readingsSchema `json:"schema" strict:"required"`
	Readings []observedJSON `json:"readings" strict:"required"`
}

// An observedJSON is an ObservedReading as it is written.
type observedJSON struct {
	Key     keyJSON   `json:"key" strict:"required"`
	Value   string    `json:"value" strict:"required"`
	ShownBy DecidedBy `json:"shown_by" strict:"required"`
}

// A keyJSON is the clause of a policy key, by its name.
type keyJSON ledger.Clause

// MarshalText returns the name of the key.
func (k keyJSON) MarshalText() ([]byte, error) { return []byte(ledger.Clause(k).Key()), nil }

// UnmarshalText reads the name of a key.
func (k *keyJSON) UnmarshalText(text []byte) error {
	var names []string
	for c := range engine.Keys() {
		if c.Key() == string(text) {
			*k = keyJSON(c)
			return nil
		}
		names = append(names, c.Key())
	}
	f := table.Finding(engine.ErrPolicyKey, "", strictjson.Use(string(text), names))
	f.Place.Col = 1
	return f
}

// A readingsSchema is the name of the form of readings and its version.
type readingsSchema string

const schemaReadings readingsSchema = "chargecast.readings/1"

// MarshalText returns the name.
func (s readingsSchema) MarshalText() ([]byte, error) { return []byte(s), nil }

// UnmarshalText accepts the one name that there is.
func (s *readingsSchema) UnmarshalText(text []byte) error {
	if string(text) != string(schemaReadings) {
		return jsonline.Fault(jsonline.CodeUnknown, 1, "the schema is not one that this version reads", "write the readings again with this version")
	}
	*s = schemaReadings
	return nil
}

var readingsForm = strictjson.FormOf[readingsJSON]()

// MarshalJSON returns the readings as reconcile saves them, an object with the schema
// chargecast.readings/1. A profile whose name is not UTF-8 or has a NUL character is a
// [ledger.Finding].
func (r Readings) MarshalJSON() ([]byte, error) {
	out := readingsJSON{Schema: schemaReadings}
	for _, one := range r.list {
		if err := checkText(one.Profile); err != nil {
			return nil, err
		}
		value, _ := one.Key.Reading(one.Value)
		out.Readings = append(out.Readings, observedJSON{keyJSON(one.Key), value.Value, DecidedBy{one.Profile, one.Date}})
	}
	return readingsForm.Append(nil, &out), nil
}

// UnmarshalJSON reads what MarshalJSON writes. What is not in this form is a [ledger.Finding] with
// the column: an unknown schema, key, value or member, a member or a key that is given twice or is
// missing. r is then unchanged.
func (r *Readings) UnmarshalJSON(data []byte) error {
	in, err := read(readingsForm, data)
	if err != nil {
		return err
	}
	list := make([]ObservedReading, len(in.Readings))
	for i, one := range in.Readings {
		key := ledger.Clause(one.Key)
		values := key.Entry().Values()
		list[i] = ObservedReading{key, slices.Index(values, one.Value), one.ShownBy.Profile, one.ShownBy.Date}
		if list[i].Value < 0 {
			return jsonline.In(table.Finding(engine.ErrPolicyValue, "", strictjson.Use(one.Value, values)), key.Key())
		}
	}
	read, err := NewReadings(list...)
	if err != nil {
		return jsonline.In(table.Finding(engine.ErrPolicyTwice, "", ""), "key")
	}
	*r = read
	return nil
}

// MaxReadings is more than the text of all readings takes: a longer text is not a file of readings.
const MaxReadings = 64 << 10

// AppendReadings appends the text of a file of readings, chargecast.readings/1, as [ParseReadings]
// reads it. Errors are those of [Readings.MarshalJSON].
func AppendReadings(dst []byte, r Readings) ([]byte, error) {
	text, err := r.MarshalJSON()
	if err != nil {
		return dst, err
	}
	var lines bytes.Buffer
	_ = json.Indent(&lines, text, "", "  ") // what MarshalJSON wrote
	return append(append(dst, lines.Bytes()...), '\n'), nil
}

// ParseReadings reads a file of readings. What is not exactly such a file is a [ledger.Finding]:
// with line and column damaged JSON, an unknown schema, member or key, and without them an unknown
// value or a key that is given twice.
func ParseReadings(text []byte) (r Readings, err error) {
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
