package engine

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A Status is what a profile is doing. Only stopped is the document's word; active is ours for the
// rest (X14). The zero value means that the profile is not created yet.
type Status uint8

// The statuses of clause 3.
const (
	StatusActive Status = iota + 1
	StatusStopped
)

var statusWords = enum.Words{Type: "Status", Words: []string{"none", "active", "stopped"}}

// String returns the word that outputs use; "none" for the zero value.
func (s Status) String() string { return statusWords.String(uint8(s)) }

// MarshalText returns the word; a value that is not a Status is an error.
func (s Status) MarshalText() ([]byte, error) { return statusWords.Marshal(uint8(s)) }

// UnmarshalText reads what MarshalText writes.
func (s *Status) UnmarshalText(text []byte) error { return statusWords.Unmarshal(text, (*uint8)(s)) }

// Reasons is the set of reasons for a stop. The zero value is none.
type Reasons uint8

// The reasons, in the order in which outputs name them (L11).
const (
	ReasonMaxRepeats Reasons = 1 << iota // 2.2.8
	ReasonFinishDate                     // 2.2.9
	ReasonAPI                            // L23

	allReasons = ReasonMaxRepeats | ReasonFinishDate | ReasonAPI
)

var reasonWords = [...]string{"max-repeats", "finish-date", "stopped-by-api"}

// All yields the words of the set in the fixed order. Bits that are not reasons are left out.
func (r Reasons) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, word := range reasonWords {
			if r>>i&1 == 1 && !yield(word) {
				return
			}
		}
	}
}

// String returns the words of the set, separated by commas; bits that are not reasons as a number.
func (r Reasons) String() string {
	words := slices.Collect(r.All())
	if rest := r &^ allReasons; rest != 0 {
		words = append(words, "Reasons("+strconv.Itoa(int(rest))+")")
	}
	return strings.Join(words, ",")
}

// MarshalJSON returns the list of the words, such as ["max-repeats"]; bits that are not reasons are
// an error.
func (r Reasons) MarshalJSON() ([]byte, error) {
	if r&^allReasons != 0 {
		return nil, enum.ErrUnnamed
	}
	return json.Marshal(slices.AppendSeq([]string{}, r.All()))
}

// UnmarshalJSON reads what MarshalJSON writes. On an error r is unchanged.
func (r *Reasons) UnmarshalJSON(data []byte) error {
	var words []string
	if err := json.Unmarshal(data, &words); err != nil {
		return errReasons
	}
	var set Reasons
	for _, word := range words {
		i := slices.Index(reasonWords[:], word)
		if i < 0 {
			return &enum.Unknown{Possible: slices.Clone(reasonWords[:])}
		}
		set |= 1 << i
	}
	*r = set
	return nil
}

var errReasons = errors.New("engine: the reasons of a stop are a list of words")

// A Stop is the day on which a profile was or will be stopped, and why. The zero value means no
// stop, or one that is not known.
type Stop struct {
	Date    calendar.Date  `json:"date"`
	Reasons Reasons        `json:"reasons" strict:"code=state-conflict"`
	Because ledger.Because `json:"because,omitzero"`
}

// IsZero reports whether there is no known stop.
func (s Stop) IsZero() bool { return s.Date.IsZero() }

// A State is what changes in a stored profile. The zero State belongs to a
// profile that is not created yet.
//
// Days up to RanThrough have had their run and are over, except those in Missed. Under the default
// policy a State keeps at most one paid slot, however long the profile runs.
type State struct {
	Status Status
	// Repeat is the current repeat number, that of the next charge (2.2.7). It ends at 2^63-1.
	Repeat uint64
	// Anchor is the origin of the due days; zero means the start-date.
	Anchor calendar.Date
	// RanThrough is the last day whose run took place; zero means the day before as-of.
	RanThrough calendar.Date
	// Paid are the slots that 2.2.10 forbids to charge and that a run could still meet, in order
	// of date.
	Paid []calendar.Date
	// Missed are the days whose slots a catch-up policy still has to charge, in order of date and
	// disjoint.
	Missed []calendar.Window
	// Stop is the last stop, while the profile is stopped and if it is known.
	Stop Stop
	// Last is the day of the last event or run; nothing earlier is accepted after it. It is zero
	// in a hand-written state: a slot due on RanThrough is then treated as paid.
	Last calendar.Date
	// Manual is how many manual charges took place on the day Last, which [Charge.Key] numbers.
	Manual uint64
	// Because are the entries of the ledger that past events depend on: what comes later depends on
	// them too.
	Because ledger.Because

	policy Policy // that of the engine that made the state
	bound  bool   // … if it is known
}

// Most entries of State.Because concern charges, stops and ends alike. After an update, how its
// amounts take effect concerns charges alone, and how its finish-date or max-repeats-number does,
// like a resume while one of them holds, concerns stops and ends.
var (
	amountEntries = ledger.On(clause.L26)
	stopEntries   = ledger.On(clause.L10, clause.L17, clause.L19)
)

// among returns the clauses of b that entries has.
func among(b, entries ledger.Because) ledger.Because { return b.Without(b.Without(entries)) }

// Equal reports whether two states are the same, the policy that made them included; a nil list
// equals an empty one.
func (s State) Equal(o State) bool {
	if !slices.Equal(s.Paid, o.Paid) || !slices.Equal(s.Missed, o.Missed) {
		return false
	}
	return s.Status == o.Status && s.Repeat == o.Repeat && s.Anchor == o.Anchor && s.RanThrough == o.RanThrough &&
		s.Stop == o.Stop && s.Last == o.Last && s.Manual == o.Manual && s.Because == o.Because &&
		s.policy == o.policy && s.bound == o.bound
}

// pass moves Last to the day of an event or a run.
func (s *State) pass(d calendar.Date) {
	if s.Last != d {
		s.Last, s.Manual = d, 0
	}
}

// IsZero reports whether s is the zero State: a profile that is not created, without a policy.
func (s State) IsZero() bool {
	return s.Status == 0 && s.Repeat == 0 && s.Anchor.IsZero() && s.RanThrough.IsZero() && s.Last.IsZero() &&
		s.Manual == 0 && len(s.Paid) == 0 && len(s.Missed) == 0 && s.Stop == Stop{} && s.Because.IsZero() && !s.bound
}

// withoutPolicy returns s as if it was put together from its fields.
func (s State) withoutPolicy() State {
	s.policy, s.bound = Policy{}, false
	return s
}

// A Stored is a profile as a database keeps it: its columns and its state. The zero State means
// that the profile is not created yet (clause 1). Its JSON form carries a schema version and reads
// back exactly.
type Stored struct {
	Profile Profile
	State   State
}

// Policy returns the policy under which the state was made, by [Engine.Create], [Engine.Advance]
// and [Engine.Handle], and whether it is known: that of a State that was put together from its
// fields, or read from a line without one, is not.
func (s Stored) Policy() (p Policy, known bool) { return s.State.policy, s.State.bound }

// Equal reports whether two stored profiles are the same: columns, state, and the policy as far as
// it is known.
func (s Stored) Equal(o Stored) bool { return s.Profile == o.Profile && s.State.Equal(o.State) }

// Under returns s with its policy replaced by p. Nothing else changes: counters, due days and
// missed days that the old policy made stay as they are.
func (s Stored) Under(p Policy) Stored {
	s.State.policy, s.State.bound = p, true
	return s
}

// The lists of a State: paid dates in order, missed windows in order and disjoint. None of these
// functions writes to its arguments.

// later returns the later of two dates.
func later(a, b calendar.Date) calendar.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// sortedDates returns list in order and without repetition; list itself if it is so already.
func sortedDates(list []calendar.Date) []calendar.Date {
	for i := 1; i < len(list); i++ {
		if !list[i-1].Before(list[i]) {
			list = slices.Clone(list)
			slices.SortFunc(list, calendar.Date.Compare)
			return slices.Compact(list)
		}
	}
	return list
}

// withDate returns list, which is in order, and the day d.
func withDate(list []calendar.Date, d calendar.Date) []calendar.Date {
	at, found := slices.BinarySearchFunc(list, d, calendar.Date.Compare)
	if found {
		return list
	}
	return slices.Insert(slices.Clip(list), at, d)
}

// withWindow returns list and the window w, which ends after all of it.
func withWindow(list []calendar.Window, w calendar.Window) []calendar.Window {
	n := len(list)
	switch {
	case n == 0 || list[n-1].To.Before(w.From) && !list[n-1].To.IsZero():
		return append(slices.Clip(list), w)
	case list[n-1].To.IsZero(): // an open end holds every day there is
		return list
	}
	list = slices.Clone(list)
	list[n-1].To = w.To
	return list
}

// windowsAfter returns the part of windows after day d.
func windowsAfter(windows []calendar.Window, d calendar.Date) []calendar.Window {
	var rest []calendar.Window
	for _, w := range windows {
		w.From = later(w.From, d.AddDays(1))
		if !w.IsEmpty() {
			rest = append(rest, w)
		}
	}
	return rest
}

// paidStillRelevant returns the paid slots that a run after that of day d could still meet: those
// from d on, d itself if it was charged, and those on a missed day. Both lists are in order, and no
// paid slot is later than d. The result is a new slice.
func paidStillRelevant(paid []calendar.Date, d calendar.Date, missed []calendar.Window, charged bool) []calendar.Date {
	var list []calendar.Date
	add := func(p calendar.Date) {
		if list == nil {
			list = make([]calendar.Date, 0, len(paid)+1)
		}
		list = append(list, p)
	}
	for _, p := range paid {
		for len(missed) > 0 && !missed[0].To.IsZero() && !p.Before(missed[0].To) {
			missed = missed[1:] // it ends before p, and so before all that follow
		}
		if !p.Before(d) || len(missed) > 0 && missed[0].Contains(p) {
			add(p)
		}
	}
	if charged && (len(list) == 0 || list[len(list)-1] != d) {
		add(d)
	}
	return list
}
