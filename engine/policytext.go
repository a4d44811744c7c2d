package engine

import (
	"iter"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// Values yields every key with its value under p, in the order of the ledger.
func (p Policy) Values() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for c := range Keys() {
			if !yield(c.Key(), valueOf(c, *p.field(c))) {
				return
			}
		}
	}
}

// String returns p as [ParsePolicy] reads it, with every key: "month-end=clamp,…".
func (p Policy) String() string {
	var b strings.Builder
	for key, value := range p.Values() {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(key + "=" + value)
	}
	return b.String()
}

// A PolicyError says which item of the text of a policy is wrong and what is possible instead. It
// does not show the text.
type PolicyError struct {
	Code    ledger.Code
	Item    int      // the item's place, from 1
	Key     string   // the key, if it is a known one
	Choices []string // the keys or values that are possible; nil for a duplicate key
}

// Error names the item, the rule and the possible keys or values.
func (e *PolicyError) Error() string {
	s := "item " + strconv.Itoa(e.Item) + ": " + table.Finding(e.Code, "", "").Message
	if e.Key != "" {
		s += " for " + e.Key
	}
	if len(e.Choices) == 0 {
		return s + ": keep one"
	}
	return s + ": use " + strings.Join(e.Choices, ", ")
}

// Unwrap returns the Code.
func (e *PolicyError) Unwrap() error { return e.Code }

// ParsePolicy reads "KEY=VALUE,…" with the keys and values of the ledger. A key that is left out
// has its default; the empty text is the zero Policy. An unknown key or value, a key given twice
// and an empty item are a [*PolicyError].
func ParsePolicy(s string) (Policy, error) {
	var p Policy
	if s == "" {
		return p, nil
	}
	var seen ledger.Because
	item := 0
	for part := range strings.SplitSeq(s, ",") {
		item++
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return Policy{}, &PolicyError{Code: ErrPolicyForm, Item: item, Choices: keyNames()}
		}
		if err := p.set(key, value, item, &seen); err != nil {
			return Policy{}, err
		}
	}
	return p, nil
}

// set gives a key the value named.
func (p *Policy) set(key, value string, item int, seen *ledger.Because) error {
	c, ok := keyClause(key)
	switch {
	case !ok:
		return &PolicyError{Code: ErrPolicyKey, Item: item, Choices: keyNames()}
	case seen.Has(c):
		return &PolicyError{Code: ErrPolicyTwice, Item: item, Key: key}
	}
	*seen = seen.With(c)
	return unmarshalValue(c, item, []byte(value), p.field(c))
}

func keyClause(key string) (ledger.Clause, bool) {
	for c := range Keys() {
		if c.Key() == key {
			return c, true
		}
	}
	return 0, false
}

func keyNames() []string {
	var names []string
	for c := range Keys() {
		names = append(names, c.Key())
	}
	return names
}

// AppendJSON appends p as an object with every key: {"month-end":"clamp",…}.
func (p Policy) AppendJSON(dst []byte) []byte {
	return p.appendKeys(dst, func(ledger.Clause) bool { return true })
}

// appendKeys appends an object with some of the keys.
func (p *Policy) appendKeys(dst []byte, has func(ledger.Clause) bool) []byte {
	dst = append(dst, '{')
	sep := ""
	for c := range Keys() {
		if has(c) {
			dst = strictjson.AppendString(append(dst, sep...), c.Key())
			dst = strictjson.AppendString(append(dst, ':'), valueOf(c, *p.field(c)))
			sep = ","
		}
	}
	return append(dst, '}')
}

// MarshalJSON returns what [Policy.AppendJSON] appends; a field with a value that its key does
// not have is an [*Error].
func (p Policy) MarshalJSON() ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return p.AppendJSON(nil), nil
}

// UnmarshalJSON reads an object of keys and values; a key that is left out has its default. An
// unknown key or value is a [*PolicyError], and what is not an object of distinct keys with text a
// [ledger.Finding].
func (p *Policy) UnmarshalJSON(data []byte) error {
	fields, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	var read Policy
	var seen ledger.Because
	for i := range fields {
		f := &fields[i]
		if err := jsonline.As(&f.Value, jsonline.KindString, "write a value in double quotes"); err != nil {
			return jsonline.In(err, f.Name.Text())
		}
		if err := read.set(f.Name.Text(), f.Value.Text(), i+1, &seen); err != nil {
			return err
		}
	}
	*p = read
	return nil
}
