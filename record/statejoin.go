package record

import (
	"iter"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A StateJoin gives each row of one or several payloads the saved state of its profile, and finds
// what makes the two not fit together: a state for two rows, for none, or of another day. Make one
// with [NewStateJoin], Add every line, then Join every row, then ask for the lines that are Unused.
// All its errors are a [ledger.Finding] with the line of the state file.
type StateJoin struct {
	states States
	asOf   calendar.Date
	uses   []stateUse // by number of the state
	files  []string   // with rows that were joined
}

// A stateUse is what became of a state.
type stateUse struct {
	row     int    // the row that it was joined to; 0 for none
	file    uint32 // … and the number of its file
	bad     bool   // it must not be used
	skipped bool
}

// NewStateJoin returns a join without states, for a forecast as of a day.
func NewStateJoin(asOf calendar.Date) *StateJoin { return &StateJoin{asOf: asOf} }

// Len returns the number of profiles with a state.
func (j *StateJoin) Len() int { return j.states.Len() }

// Add keeps a line, as [States.Add] does. Of two lines for one profile neither can be used, and so
// cannot a line that runs ahead of the as-of date (2.2.10): it is state-conflict.
func (j *StateJoin) Add(l StateLine) error {
	if n, ok := j.states.lines.find(l.Profile); ok {
		j.uses[n].bad = true
	}
	if err := j.states.Add(l); err != nil {
		return err
	}
	conflict := conflictAsOf(&l.State, j.asOf)
	j.uses = append(j.uses, stateUse{bad: conflict != ""})
	if conflict != "" {
		return l.finding(StateConflict, conflict, "give the as-of date that the state was saved for, or a later one")
	}
	return nil
}

// conflictAsOf says why a state cannot be one as of a day; empty if it can.
func conflictAsOf(s *engine.State, asOf calendar.Date) string {
	if s.RanThrough.After(asOf) {
		return "ran_through is after the as-of date: a run that is still to come cannot have taken place"
	}
	if slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return d.After(asOf) }) {
		return "a paid date is after the as-of date"
	}
	return ""
}

// State returns the state of a profile, whether it can be used or not. It may be called from several
// goroutines, while another one calls Join and Skip.
func (j *StateJoin) State(profile string) (engine.State, bool) {
	l, ok := j.states.Lookup(profile)
	return l.State, ok
}

// Join returns the line for the row of a profile: the zero StateLine if it has none, which makes the
// profile a new one. Of the place, File and Row count; the file is empty where there is one payload.
//
// With ok false the row must be left out. The error says why, and is nil if Add has said so: then the
// line is returned. A second row for a line is state-profile-ambiguous.
func (j *StateJoin) Join(profile string, at ledger.Place) (l StateLine, ok bool, err error) {
	n, found := j.states.lines.find(profile)
	if !found {
		return StateLine{}, true, nil
	}
	l = j.states.at(n)
	use := &j.uses[n]
	if use.row > 0 {
		first := ledger.Place{File: j.files[use.file], Row: use.row}
		return StateLine{}, false, l.finding(StateProfileAmbiguous,
			twoRows(first, at)+" have the same client-orderid, and one counter cannot serve two profiles; the later row is left out",
			"give every row its own client-orderid")
	}
	if len(j.files) == 0 || j.files[len(j.files)-1] != at.File {
		j.files = append(j.files, at.File)
	}
	use.row, use.file = at.Row, uint32(len(j.files)-1)
	return l, !use.bad, nil
}

// twoRows names two rows, by their files where there are several.
func twoRows(a, b ledger.Place) string {
	first, second := strconv.Itoa(a.Row), strconv.Itoa(b.Row)
	if b.File == "" {
		return "rows " + first + " and " + second
	}
	return "row " + first + " of " + a.File + " and row " + second + " of " + b.File
}

// Skip notes that the payload has the profile, though its row is not joined.
func (j *StateJoin) Skip(profile string) {
	if n, ok := j.states.lines.find(profile); ok {
		j.uses[n].skipped = true
	}
}

// Unused yields a warning, state-profile-unknown, for each line that was neither joined nor skipped,
// in the order in which they were added.
func (j *StateJoin) Unused() iter.Seq[ledger.Finding] {
	return func(yield func(ledger.Finding) bool) {
		for n, use := range j.uses {
			if use.row > 0 || use.skipped {
				continue
			}
			if !yield(j.states.at(n).finding(StateProfileUnknown,
				"no row of the payload that can be used has this profile as client-orderid", "compare it with the client-orderid of the rows")) {
				return
			}
		}
	}
}

// MarshalJSON returns an error: states are written by [WriteStates].
func (j *StateJoin) MarshalJSON() ([]byte, error) { return nil, errWhole }

// UnmarshalJSON returns an error, as MarshalJSON does.
func (j *StateJoin) UnmarshalJSON([]byte) error { return errWhole }
