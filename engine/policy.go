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

// The types of the keys. Their values are in the order of the ledger's readings, the default first.
// The words of the values are those of the whole Policy, which prints them and reads them.
type (
	StartAbsent       uint8 // what a schedule without start-date means (L02)
	StartPast         uint8 // what a start-date before the creation day means (L03)
	FinishBound       uint8 // whether a due day on finish-date is charged (L05)
	MaxCounts         uint8 // what max-repeats-number counts (L08)
	MaxZero           uint8 // what max-repeats-number 0 means (L09)
	ResumeCounter     uint8 // whether a resume resets the repeat number (L14)
	ResumeAnchor      uint8 // whether a resume moves the due days (L15)
	Missed            uint8 // what becomes of missed due days (L16, L16b)
	ManualCounts      uint8 // whether a manual charge counts as a repeat (L20)
	ManualWhenStopped uint8 // whether a stopped profile takes a manual charge (L21)
	ManualTakesSlot   uint8 // whether a manual charge takes its day's slot (L22)
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

// valueOf returns the word of reading i of a key, or a text such as "max-zero(9)".
func valueOf(c ledger.Clause, i uint8) string {
	if r, ok := c.Reading(int(i)); ok {
		return r.Value
	}
	return c.Key() + "(" + strconv.Itoa(int(i)) + ")"
}

// item returns a key with its value under p, such as "month-end=clamp".
func (p Policy) item(c ledger.Clause) string { return c.Key() + "=" + valueOf(c, *p.field(c)) }

// field returns the place of the key of clause c in p, as a plain number that indexes the readings
// of the clause; nil for a clause without a key.
func (p *Policy) field(c ledger.Clause) *uint8 {
	fields := [...]*uint8{ // in the order of Keys
		(*uint8)(&p.MonthEnd), (*uint8)(&p.StartAbsent), (*uint8)(&p.StartPast), (*uint8)(&p.FinishBound),
		(*uint8)(&p.MaxCounts), (*uint8)(&p.MaxZero), (*uint8)(&p.ResumeCounter), (*uint8)(&p.ResumeAnchor),
		(*uint8)(&p.ResumeMissed), (*uint8)(&p.RunMissed), (*uint8)(&p.ManualCounts),
		(*uint8)(&p.ManualWhenStopped), (*uint8)(&p.ManualTakesSlot),
	}
	if c < clause.L01 || c > clause.L22 {
		return nil
	}
	return fields[c-clause.L01]
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

// String returns p as [ParsePolicy] reads it, with every key: "month-end=clamp,…".
func (p Policy) String() string {
	var items []string
	for c := range Keys() {
		items = append(items, p.item(c))
	}
	return strings.Join(items, ",")
}

// ParsePolicy reads "KEY=VALUE,…" with the keys and values of the ledger. A key that is left out
// has its default; the empty text is the zero Policy. An unknown key or value, a key given twice
// and an empty item are an [*Error]. It names the key, or the place of the item where there is no
// such key, and does not show the text.
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
			return Policy{}, &Error{Field: itemName(item), Code: ErrPolicyForm, Want: keyNames()}
		}
		if err := p.set(key, value, item, &seen); err != nil {
			return Policy{}, err
		}
	}
	return p, nil
}

// itemName names an item of the text of a policy by its place from 1.
func itemName(item int) string { return "item " + strconv.Itoa(item) }

// set gives a key the value named.
func (p *Policy) set(key, value string, item int, seen *ledger.Because) *Error {
	c, ok := keyClause(key)
	switch {
	case !ok:
		return &Error{Field: itemName(item), Code: ErrPolicyKey, Want: keyNames()}
	case seen.Has(c):
		return refuse(key, ErrPolicyTwice)
	}
	*seen = seen.With(c)
	values := c.Entry().Values()
	i := slices.Index(values, value)
	if i < 0 {
		return &Error{Field: key, Code: ErrPolicyValue, Want: strings.Join(values, ",")}
	}
	*p.field(c) = uint8(i)
	return nil
}

func keyClause(key string) (ledger.Clause, bool) {
	for c := range Keys() {
		if c.Key() == key {
			return c, true
		}
	}
	return 0, false
}

// keyNames returns the keys, separated by commas.
func keyNames() string {
	var names []string
	for c := range Keys() {
		names = append(names, c.Key())
	}
	return strings.Join(names, ",")
}

// appendKeys appends an object with the keys whose value is not that of base; all of them for a nil
// base.
func (p *Policy) appendKeys(dst []byte, base *Policy) []byte {
	dst = append(dst, '{')
	sep := ""
	for c := range Keys() {
		if base == nil || *p.field(c) != *base.field(c) {
			dst = strictjson.AppendString(append(dst, sep...), c.Key())
			dst = strictjson.AppendString(append(dst, ':'), valueOf(c, *p.field(c)))
			sep = ","
		}
	}
	return append(dst, '}')
}

// MarshalJSON returns an object with every key: {"month-end":"clamp",…}. A field with a value that
// its key does not have is an [*Error].
func (p Policy) MarshalJSON() ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return p.appendKeys(nil, nil), nil
}

// UnmarshalJSON reads an object of keys and values; a key that is left out has its default. An
// unknown key or value is an [*Error], and what is not an object of distinct keys with text a
// [ledger.Finding].
func (p *Policy) UnmarshalJSON(data []byte) error { return p.read(data, Policy{}) }

// read reads an object of keys and values; a key that is left out has the value of base.
func (p *Policy) read(data []byte, base Policy) error {
	object, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	read := base
	var seen ledger.Because
	number := 0
	for key, value := range object.Members() {
		number++
		if value.Kind != strictjson.KindString {
			return jsonline.In(jsonline.Fault(jsonline.CodeType, value.At+1, "unexpected JSON type", "write a value in double quotes"), key.Text())
		}
		if err := read.set(key.Text(), value.Text(), number, &seen); err != nil {
			return err
		}
	}
	*p = read
	return nil
}

// version1 are the defaults of version 1 of the JSON form of a State, in words: the values of the
// keys that are left out there. They never change, whatever the defaults of the program become, so
// that what was stored reads the same for ever. A key that a later version adds gets the value by
// which version 1 computed.
const version1 = "month-end=clamp,start-absent=as-of,start-past=skip,finish-bound=inclusive,max-counts=charges,max-zero=stop," +
	"resume-counter=keep,resume-anchor=keep,resume-missed=skip,run-missed=skip,manual-counts=yes,manual-when-stopped=refuse," +
	"manual-takes-slot=no"

var policyOfVersion1 = func() Policy {
	p, err := ParsePolicy(version1)
	if err != nil {
		panic(err)
	}
	return p
}()
