package engine

import (
	"cmp"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Reading is a value of a policy key that charges which took place have shown.
type Reading struct {
	Key     ledger.Clause // one of [Keys]
	Value   int           // the place of the value among the readings of Key, 0 being the default
	Profile string        // the client-orderid that showed it, as it may be shown
	Date    calendar.Date // the day up to which no other value explains what was charged
}

// Readings are what was observed, at most one value for each key. They are an immutable value. The zero
// Readings are none.
type Readings struct{ list []Reading }

// NewReadings returns readings in the order of the ledger. A clause without a key, a value that its key
// does not have, and a second reading of a key are the errors [ErrPolicyKey], [ErrPolicyValue] and
// [ErrPolicyTwice].
func NewReadings(list ...Reading) (Readings, error) {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b Reading) int { return cmp.Compare(a.Key, b.Key) })
	for i, r := range sorted {
		if r.Key.Key() == "" {
			return Readings{}, refuse("key", ErrPolicyKey)
		}
		if _, ok := r.Key.Reading(r.Value); !ok {
			return Readings{}, refuse(r.Key.Key(), ErrPolicyValue)
		}
		if i > 0 && sorted[i-1].Key == r.Key {
			return Readings{}, refuse(r.Key.Key(), ErrPolicyTwice)
		}
	}
	return Readings{sorted}, nil
}

// All yields the readings in the order of the ledger.
func (r Readings) All() iter.Seq[Reading] { return slices.Values(r.list) }

// IsZero reports whether nothing was observed.
func (r Readings) IsZero() bool { return len(r.list) == 0 }

// Equal reports whether r and o are the same readings, shown by the same profiles and days.
func (r Readings) Equal(o Readings) bool { return slices.Equal(r.list, o.list) }

// Policy returns base with the values that were observed.
func (r Readings) Policy(base Policy) Policy {
	for _, one := range r.list {
		base = base.WithReading(one.Key, one.Value)
	}
	return base
}

// Of returns the reading of a key that was observed.
func (r Readings) Of(c ledger.Clause) (Reading, bool) {
	for _, one := range r.list {
		if one.Key == c {
			return one, true
		}
	}
	return Reading{}, false
}

// Observed returns the reading of c where the value in force under p is the one that was observed.
func (r Readings) Observed(c ledger.Clause, p Policy) (Reading, bool) {
	one, ok := r.Of(c)
	return one, ok && int(*p.field(c)) == one.Value
}

// Basis returns the weakest basis among the clauses of b under p, as [ledger.Because.Basis] does: that of
// a key whose value in force was observed is [ledger.Observed].
func (r Readings) Basis(b ledger.Because, p Policy) ledger.Basis {
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
func (r Readings) BasisOf(c ledger.Clause, p Policy) ledger.Basis {
	if _, ok := r.Observed(c, p); ok {
		return ledger.Observed
	}
	return c.Basis()
}

// A readingJSON is a Reading as it is written.
type readingJSON struct {
	Key     keyJSON   `json:"key" strict:"required"`
	Value   string    `json:"value" strict:"required"`
	ShownBy shownJSON `json:"shown_by" strict:"required"`
}

type shownJSON struct {
	Profile string        `json:"profile" strict:"required"`
	Date    calendar.Date `json:"date" strict:"required"`
}

// A keyJSON is the clause of a policy key, by its name.
type keyJSON ledger.Clause

// MarshalText returns the name of the key.
func (k keyJSON) MarshalText() ([]byte, error) { return []byte(ledger.Clause(k).Key()), nil }

// UnmarshalText reads the name of a key.
func (k *keyJSON) UnmarshalText(text []byte) error {
	c, ok := keyClause(string(text))
	if !ok {
		f := table.Finding(ErrPolicyKey, "", strictjson.Use(string(text), keyNames()))
		f.Place.Col = 1
		return f
	}
	*k = keyJSON(c)
	return nil
}

// A readingsJSON is Readings as they are written, in an object of their own.
type readingsJSON struct {
	Schema   readingsSchema `json:"schema" strict:"required"`
	Readings []readingJSON  `json:"readings" strict:"required"`
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

// MarshalJSON returns the readings as reconcile saves them, an object with the schema chargecast.readings/1.
func (r Readings) MarshalJSON() ([]byte, error) {
	out := readingsJSON{Schema: schemaReadings, Readings: []readingJSON{}}
	for _, one := range r.list {
		if err := checkText(one.Profile, "profile"); err != nil {
			return nil, err
		}
		out.Readings = append(out.Readings, readingJSON{keyJSON(one.Key), valueOf(one.Key, uint8(one.Value)), shownJSON{one.Profile, one.Date}})
	}
	return readingsForm.Append(nil, &out), nil
}

// UnmarshalJSON reads what MarshalJSON writes. What is not in this form is a [ledger.Finding] with the column: an
// unknown schema, key, value or member, a member or a key that is given twice or is missing. r is then unchanged.
func (r *Readings) UnmarshalJSON(data []byte) error {
	var in readingsJSON
	if err := jsonline.Read(readingsForm, data, &in); err != nil {
		return err
	}
	list := make([]Reading, len(in.Readings))
	for i, one := range in.Readings {
		key := ledger.Clause(one.Key)
		values := key.Entry().Values()
		list[i] = Reading{key, slices.Index(values, one.Value), one.ShownBy.Profile, one.ShownBy.Date}
		if list[i].Value < 0 {
			return jsonline.In(table.Finding(ErrPolicyValue, "", strictjson.Use(one.Value, values)), key.Key())
		}
	}
	read, err := NewReadings(list...)
	if err != nil {
		return jsonline.In(table.Finding(ErrPolicyTwice, "", ""), "key")
	}
	*r = read
	return nil
}
