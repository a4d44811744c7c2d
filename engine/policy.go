package engine

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Policy chooses a reading for each silence of the document that has a key in the ledger. The
// zero value is the default reading of every one. A Policy is a comparable value.
type Policy struct {
	MonthEnd          calendar.MonthEnd // L01
	StartAbsent       StartAbsent       // L02
	StartPast         StartPast         // L03
	FinishBound       FinishBound       // L05
	MaxCounts         MaxCounts         // L08
	MaxZero           MaxZero           // L09
	ResumeCounter     ResumeCounter     // L14
	ResumeAnchor      ResumeAnchor      // L15
	ResumeMissed      Missed            // L16
	RunMissed         Missed            // L16b
	ManualCounts      ManualCounts      // L20
	ManualWhenStopped ManualWhenStopped // L21
	ManualTakesSlot   ManualTakesSlot   // L22
}

// The types of the keys. Their values are in the order of the ledger's readings, the default first, and
// the word of a value is its text, in JSON too.
type (
	StartAbsent       = value[startAbsentKey]       // what a schedule without start-date means (L02)
	StartPast         = value[startPastKey]         // what a start-date before the creation day means (L03)
	FinishBound       = value[finishBoundKey]       // whether a due day on finish-date is charged (L05)
	MaxCounts         = value[maxCountsKey]         // what max-repeats-number counts (L08)
	MaxZero           = value[maxZeroKey]           // what max-repeats-number 0 means (L09)
	ResumeCounter     = value[resumeCounterKey]     // whether a resume resets the repeat number (L14)
	ResumeAnchor      = value[resumeAnchorKey]      // whether a resume moves the due days (L15)
	Missed            = value[missedKey]            // what becomes of missed due days (L16, L16b)
	ManualCounts      = value[manualCountsKey]      // whether a manual charge counts as a repeat (L20)
	ManualWhenStopped = value[manualWhenStoppedKey] // whether a stopped profile takes a manual charge (L21)
	ManualTakesSlot   = value[manualTakesSlotKey]   // whether a manual charge takes its day's slot (L22)
)

// The values of the keys. [ledger.Lookup] has a text for each.
const (
	StartAbsentAsOf   StartAbsent = 0
	StartAbsentReject StartAbsent = 1

	StartPastSkip        StartPast = 0
	StartPastCatchUp     StartPast = 1
	StartPastCountMissed StartPast = 2
	StartPastReanchor    StartPast = 3
	StartPastReject      StartPast = 4

	FinishBoundInclusive FinishBound = 0
	FinishBoundExclusive FinishBound = 1

	MaxCountsCharges           MaxCounts = 0
	MaxCountsRepeatsAfterFirst MaxCounts = 1

	MaxZeroStop      MaxZero = 0
	MaxZeroUnlimited MaxZero = 1
	MaxZeroReject    MaxZero = 2

	ResumeCounterKeep  ResumeCounter = 0
	ResumeCounterReset ResumeCounter = 1

	ResumeAnchorKeep       ResumeAnchor = 0
	ResumeAnchorResumeDate ResumeAnchor = 1

	MissedSkip    Missed = 0
	MissedCatchUp Missed = 1

	ManualCountsYes ManualCounts = 0
	ManualCountsNo  ManualCounts = 1

	ManualWhenStoppedRefuse ManualWhenStopped = 0
	ManualWhenStoppedAllow  ManualWhenStopped = 1

	ManualTakesSlotNo  ManualTakesSlot = 0
	ManualTakesSlotYes ManualTakesSlot = 1
)

// A value is a reading of one key.
type value[K key] uint8

// A key names the entry of the ledger whose readings are the values of a type.
type key interface{ clause() ledger.Clause }

type (
	startAbsentKey       struct{}
	startPastKey         struct{}
	finishBoundKey       struct{}
	maxCountsKey         struct{}
	maxZeroKey           struct{}
	resumeCounterKey     struct{}
	resumeAnchorKey      struct{}
	missedKey            struct{}
	manualCountsKey      struct{}
	manualWhenStoppedKey struct{}
	manualTakesSlotKey   struct{}
)

func (startAbsentKey) clause() ledger.Clause       { return clause.L02 }
func (startPastKey) clause() ledger.Clause         { return clause.L03 }
func (finishBoundKey) clause() ledger.Clause       { return clause.L05 }
func (maxCountsKey) clause() ledger.Clause         { return clause.L08 }
func (maxZeroKey) clause() ledger.Clause           { return clause.L09 }
func (resumeCounterKey) clause() ledger.Clause     { return clause.L14 }
func (resumeAnchorKey) clause() ledger.Clause      { return clause.L15 }
func (missedKey) clause() ledger.Clause            { return clause.L16 }
func (manualCountsKey) clause() ledger.Clause      { return clause.L20 }
func (manualWhenStoppedKey) clause() ledger.Clause { return clause.L21 }
func (manualTakesSlotKey) clause() ledger.Clause   { return clause.L22 }

func clauseOf[K key]() ledger.Clause {
	var k K
	return k.clause()
}

// String returns the word, or a text such as "max-zero(9)" for a number without one.
func (v value[K]) String() string { return valueOf(clauseOf[K](), uint8(v)) }

// MarshalText returns the word; a number that has none is an error.
func (v value[K]) MarshalText() ([]byte, error) { return marshalValue(clauseOf[K](), uint8(v)) }

// UnmarshalText reads what MarshalText writes. On an error v is unchanged.
func (v *value[K]) UnmarshalText(text []byte) error {
	return unmarshalValue(clauseOf[K](), 1, text, (*uint8)(v))
}

// valueOf returns the word of reading i of a key, or a text such as "max-zero(9)".
func valueOf(c ledger.Clause, i uint8) string {
	if r, ok := c.Reading(int(i)); ok {
		return r.Value
	}
	return c.Key() + "(" + strconv.Itoa(int(i)) + ")"
}

func marshalValue(c ledger.Clause, i uint8) ([]byte, error) {
	r, ok := c.Reading(int(i))
	if !ok {
		return nil, refuse(c.Key(), ErrPolicy)
	}
	return []byte(r.Value), nil
}

func unmarshalValue(c ledger.Clause, item int, text []byte, to *uint8) error {
	values := c.Entry().Values()
	i := slices.Index(values, string(text))
	if i < 0 {
		return &PolicyError{Code: ErrPolicyValue, Item: item, Key: c.Key(), Choices: values}
	}
	*to = uint8(i)
	return nil
}

// field returns the place of the key of clause c in p, as a plain number that indexes the readings
// of the clause; nil for a clause without a key.
func (p *Policy) field(c ledger.Clause) *uint8 {
	switch c {
	case clause.L01:
		return (*uint8)(&p.MonthEnd)
	case clause.L02:
		return (*uint8)(&p.StartAbsent)
	case clause.L03:
		return (*uint8)(&p.StartPast)
	case clause.L05:
		return (*uint8)(&p.FinishBound)
	case clause.L08:
		return (*uint8)(&p.MaxCounts)
	case clause.L09:
		return (*uint8)(&p.MaxZero)
	case clause.L14:
		return (*uint8)(&p.ResumeCounter)
	case clause.L15:
		return (*uint8)(&p.ResumeAnchor)
	case clause.L16:
		return (*uint8)(&p.ResumeMissed)
	case clause.L16b:
		return (*uint8)(&p.RunMissed)
	case clause.L20:
		return (*uint8)(&p.ManualCounts)
	case clause.L21:
		return (*uint8)(&p.ManualWhenStopped)
	case clause.L22:
		return (*uint8)(&p.ManualTakesSlot)
	}
	return nil
}

// Keys yields the clauses that have a policy key, in the order of the ledger.
func Keys() iter.Seq[ledger.Clause] {
	return func(yield func(ledger.Clause) bool) {
		for c := clause.L01; c <= clause.L22; c++ {
			if !yield(c) {
				return
			}
		}
	}
}

// Reading returns the reading of c under p: for a clause without a key its only one, and the zero
// Reading if the field of p has no such value.
func (p Policy) Reading(c ledger.Clause) ledger.Reading {
	i := 0
	if f := p.field(c); f != nil {
		i = int(*f)
	}
	r, _ := c.Reading(i)
	return r
}

// Place returns the place of the value of a key among the readings of its clause, 0 being the default; false
// for a clause without a key.
func (p Policy) Place(c ledger.Clause) (int, bool) {
	f := p.field(c)
	if f == nil {
		return 0, false
	}
	return int(*f), true
}

// WithReading returns p with reading i of c. It panics if c has no key or no such reading.
func (p Policy) WithReading(c ledger.Clause, i int) Policy {
	f := p.field(c)
	if _, ok := c.Reading(i); f == nil || !ok {
		panic("engine: a clause without a policy key, or a reading that it does not have")
	}
	*f = uint8(i)
	return p
}

// others yields the readings of the key of c that are not in force, with p under each.
func (p Policy) others(c ledger.Clause) iter.Seq2[string, Policy] {
	return func(yield func(string, Policy) bool) {
		for i := 0; ; i++ {
			r, ok := c.Reading(i)
			if !ok || i != int(*p.field(c)) && !yield(r.Value, p.WithReading(c, i)) {
				return
			}
		}
	}
}

// firstDifference returns the first key in which p and o differ.
func (p Policy) firstDifference(o Policy) string {
	for c := range Keys() {
		if *p.field(c) != *o.field(c) {
			return c.Key()
		}
	}
	return ""
}

// check returns the first field of p with a value that its key does not have.
func (p *Policy) check() *Error {
	if *p == (Policy{}) {
		return nil
	}
	for c := range Keys() {
		if _, ok := c.Reading(int(*p.field(c))); !ok {
			return refuse(c.Key(), ErrPolicy)
		}
	}
	return nil
}

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
	object, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	var read Policy
	var seen ledger.Because
	number := 0
	for key, value := range object.Members() {
		number++
		if err := jsonline.As(&value, jsonline.KindString, "write a value in double quotes"); err != nil {
			return jsonline.In(err, key.Text())
		}
		if err := read.set(key.Text(), value.Text(), number, &seen); err != nil {
			return err
		}
	}
	*p = read
	return nil
}
