package engine

import (
	"errors"
	"iter"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Policy chooses a reading for each silence of the document that has a key in the
// [Ledger]. The zero value is the default reading of every one.
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

// The values of each key, the default first, in the order of the ledger's readings.
type (
	StartAbsent       uint8 // what a schedule without start-date means (L02)
	StartPast         uint8 // what a start-date before the creation day means (L03)
	FinishBound       uint8 // whether a due day on finish-date is charged (L05)
	MaxCounts         uint8 // what max-repeats-number counts (L08)
	MaxZero           uint8 // what max-repeats-number 0 means (L09)
	ResumeCounter     uint8 // whether a resume resets the repeat number (L14)
	ResumeAnchor      uint8 // whether a resume moves the grid (L15)
	Missed            uint8 // what becomes of missed due days (L16, L16b)
	ManualCounts      uint8 // whether a manual charge counts as a repeat (L20)
	ManualWhenStopped uint8 // whether a stopped profile takes a manual charge (L21)
	ManualTakesSlot   uint8 // whether a manual charge takes its day's slot (L22)
)

// The named values; their texts are in the [Ledger].
const (
	StartAtAsOf       StartAbsent = 0
	StartAbsentReject StartAbsent = 1

	StartPastSkip        StartPast = 0
	StartPastCatchUp     StartPast = 1
	StartPastCountMissed StartPast = 2
	StartPastReanchor    StartPast = 3
	StartPastReject      StartPast = 4

	FinishInclusive FinishBound = 0
	FinishExclusive FinishBound = 1

	MaxCountsCharges           MaxCounts = 0
	MaxCountsRepeatsAfterFirst MaxCounts = 1

	MaxZeroStop      MaxZero = 0
	MaxZeroUnlimited MaxZero = 1
	MaxZeroReject    MaxZero = 2

	ResumeCounterKeep  ResumeCounter = 0
	ResumeCounterReset ResumeCounter = 1

	ResumeAnchorKeep ResumeAnchor = 0
	ResumeAnchorDate ResumeAnchor = 1

	MissedSkip    Missed = 0
	MissedCatchUp Missed = 1

	ManualCountsYes ManualCounts = 0
	ManualCountsNo  ManualCounts = 1

	ManualRefuse ManualWhenStopped = 0
	ManualAllow  ManualWhenStopped = 1

	ManualTakesNoSlot ManualTakesSlot = 0
	ManualTakesASlot  ManualTakesSlot = 1
)

// field gives the place of key clause c in p, as a plain number that indexes the
// readings of the clause; nil for a clause without a key.
func (p *Policy) field(c ledger.Clause) *uint8 {
	switch c {
	case ledger.L01:
		return (*uint8)(&p.MonthEnd)
	case ledger.L02:
		return (*uint8)(&p.StartAbsent)
	case ledger.L03:
		return (*uint8)(&p.StartPast)
	case ledger.L05:
		return (*uint8)(&p.FinishBound)
	case ledger.L08:
		return (*uint8)(&p.MaxCounts)
	case ledger.L09:
		return (*uint8)(&p.MaxZero)
	case ledger.L14:
		return (*uint8)(&p.ResumeCounter)
	case ledger.L15:
		return (*uint8)(&p.ResumeAnchor)
	case ledger.L16:
		return (*uint8)(&p.ResumeMissed)
	case ledger.L16b:
		return (*uint8)(&p.RunMissed)
	case ledger.L20:
		return (*uint8)(&p.ManualCounts)
	case ledger.L21:
		return (*uint8)(&p.ManualWhenStopped)
	case ledger.L22:
		return (*uint8)(&p.ManualTakesSlot)
	}
	return nil
}

// Keys gives the clauses that have a policy key, in the order of the ledger.
func Keys() iter.Seq[ledger.Clause] {
	return func(yield func(ledger.Clause) bool) {
		for c := ledger.L01; c <= ledger.L22; c++ {
			if !yield(c) {
				return
			}
		}
	}
}

// Reading is the reading of c under p; for a clause without a key its only one.
func (p Policy) Reading(c ledger.Clause) ledger.Reading {
	i := 0
	if f := p.field(c); f != nil {
		i = int(*f)
	}
	r, _ := c.Reading(i)
	return r
}

// Values gives every key with its value under p, in the order of the ledger.
func (p Policy) Values() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for c := range Keys() {
			if !yield(c.Key(), p.Reading(c).Value) {
				return
			}
		}
	}
}

// String is p as [ParsePolicy] reads it, every key named: "month-end=clamp,…".
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

// What a policy text can be refused for.
var (
	ErrPolicyKey   = errors.New("unknown policy key")
	ErrPolicyValue = errors.New("unknown policy value")
	ErrPolicyTwice = errors.New("policy key given twice")
	ErrPolicyForm  = errors.New("policy is not written KEY=VALUE,…")
)

// A PolicyError tells which item of a policy text is wrong and what is possible
// instead. It does not show the text.
type PolicyError struct {
	Item    int    // the item's place, from 1
	Key     string // the key, where it is a known one
	Choices []string
	Err     error
}

// Error names the item, the rule and the possible keys or values.
func (e *PolicyError) Error() string {
	s := e.Err.Error()
	if e.Key != "" {
		s += " for " + e.Key
	}
	if e.Err == ErrPolicyForm {
		return s + "; the keys are " + strings.Join(e.Choices, ", ")
	}
	return s + ": use " + strings.Join(e.Choices, ", ")
}

// Unwrap is the sentinel.
func (e *PolicyError) Unwrap() error { return e.Err }

// ParsePolicy reads "KEY=VALUE,…" with the keys and values of the [Ledger]. Keys that
// are left out have their default; the empty text is the zero Policy. An unknown key
// or value, a key given twice and an empty item are a [*PolicyError].
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
			return Policy{}, &PolicyError{Item: item, Choices: keyNames(), Err: ErrPolicyForm}
		}
		c, ok := keyClause(key)
		if !ok {
			return Policy{}, &PolicyError{Item: item, Choices: keyNames(), Err: ErrPolicyKey}
		}
		if seen.Has(c) {
			return Policy{}, &PolicyError{Item: item, Key: key, Choices: []string{"it once"}, Err: ErrPolicyTwice}
		}
		seen = seen.With(c)
		if !p.set(c, value) {
			return Policy{}, &PolicyError{Item: item, Key: key, Choices: c.Entry().Values(), Err: ErrPolicyValue}
		}
	}
	return p, nil
}

// set gives the key of c the value named; false when there is no such value.
func (p *Policy) set(c ledger.Clause, value string) bool {
	for i, r := range c.Entry().Readings {
		if r.Value == value {
			*p.field(c) = uint8(i)
			return true
		}
	}
	return false
}

// WithReading is p with the i-th reading of c; p itself where c has no such reading.
func (p Policy) WithReading(c ledger.Clause, i int) Policy {
	if f := p.field(c); f != nil && i >= 0 && i < len(c.Entry().Readings) {
		*f = uint8(i)
	}
	return p
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

// valid tells whether every field of p names a reading.
func (p Policy) valid() bool {
	if p == (Policy{}) {
		return true
	}
	for c := range Keys() {
		if int(*p.field(c)) >= len(c.Entry().Readings) {
			return false
		}
	}
	return true
}
