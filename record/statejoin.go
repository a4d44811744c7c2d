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
// with [NewStateJoin], Add every line of one or several files, then Join every row, then ask for
// the lines that are Unused. All its errors are a [ledger.Finding] with the line of the state file.
type StateJoin struct {
	asOf   calendar.Date
	states map[string]*joinedState // by profile
	order  []*joinedState          // in which they were added
	files  []string                // with rows that were joined
	saved  []string                // the files that lines are from
}

// A joinedState is the line of a profile and what became of it.
type joinedState struct {
	state   packedState
	offset  int64
	line    uint32
	row     uint32 // the row that it was joined to; 0 for none
	file    uint32 // … and the number of its file
	from    uint32 // the number of the file that the line is from
	bad     bool   // it must not be used
	skipped bool
}

// A packedState is a state in the memory that most need: a file may have millions, and few of them
// have lists or reasons.
type packedState struct {
	repeat, manual           uint64
	rest                     *engine.State // the other members; nil if they are zero
	anchor, ranThrough, last calendar.Date
	status                   engine.Status
}

func pack(s *engine.State) packedState {
	p := packedState{repeat: s.Repeat, manual: s.Manual, anchor: s.Anchor, ranThrough: s.RanThrough, last: s.Last, status: s.Status}
	if rest := (engine.State{Paid: s.Paid, Missed: s.Missed, Stop: s.Stop, Because: s.Because}); !rest.IsZero() {
		p.rest = &rest
	}
	return p
}

func (p *packedState) unpack() engine.State {
	var s engine.State
	if p.rest != nil {
		s = *p.rest
	}
	s.Repeat, s.Manual, s.Anchor, s.RanThrough, s.Last, s.Status = p.repeat, p.manual, p.anchor, p.ranThrough, p.last, p.status
	return s
}

// NewStateJoin returns a join without states, for a forecast as of a day.
func NewStateJoin(asOf calendar.Date) *StateJoin {
	return &StateJoin{asOf: asOf, states: map[string]*joinedState{}}
}

// Len returns the number of profiles with a state.
func (j *StateJoin) Len() int { return len(j.states) }

// Add keeps a line. Of two lines for one profile neither can be used, and the second one is
// state-profile-duplicate; nor can a line that runs ahead of the as-of date (2.2.10): it is
// state-conflict.
func (j *StateJoin) Add(l StateLine) error {
	if first, ok := j.states[l.Profile]; ok {
		first.bad = true
		at := "line " + strconv.Itoa(int(first.line))
		if file := j.saved[first.from]; file != l.File {
			at += " of " + file
		}
		return duplicate(l, at)
	}
	if n := len(j.saved); n == 0 || j.saved[n-1] != l.File {
		j.saved = append(j.saved, l.File)
	}
	conflict := conflictAsOf(&l.State, j.asOf)
	s := &joinedState{state: pack(&l.State), offset: l.Offset, line: uint32(l.Line), from: uint32(len(j.saved) - 1), bad: conflict != ""}
	j.states[l.Profile], j.order = s, append(j.order, s)
	if conflict != "" {
		return l.finding(codeStateConflict, conflict, "give the as-of date that the state was saved for, or a later one")
	}
	return nil
}

func duplicate(l StateLine, first string) error {
	f := table.Finding(codeStateProfileDuplicate, "the profile has a line already, "+first, "keep one line for each profile")
	f.Place, f.Kind, f.Subject = ledger.Place{File: l.File, Line: l.Line, Col: 1, Offset: l.Offset}, ledger.SubjectField, "profile"
	return f
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

// State returns the state of a profile, whether it can be used or not. It may be called from
// several goroutines, while another one calls Join and Skip.
func (j *StateJoin) State(profile string) (engine.State, bool) {
	s, ok := j.states[profile]
	if !ok {
		return engine.State{}, false
	}
	return s.state.unpack(), true
}

// Join returns the line for the row of a profile: the zero StateLine if it has none, which makes
// the profile a new one. Of the place, File and Row count; the file is empty where there is one
// payload.
//
// With ok false the row must be left out. The error says why, and is nil if Add has said so: then
// the line is returned. A second row for a line is state-profile-ambiguous.
func (j *StateJoin) Join(profile string, at ledger.Place) (l StateLine, ok bool, err error) {
	use, found := j.states[profile]
	if !found {
		return StateLine{}, true, nil
	}
	l = StateLine{File: j.saved[use.from], Line: int(use.line), Offset: use.offset, Profile: profile, State: use.state.unpack()}
	if use.row > 0 {
		first := ledger.Place{File: j.files[use.file], Row: int(use.row)}
		return StateLine{}, false, l.finding(StateProfileAmbiguous,
			twoRows(first, at)+" have the same client-orderid, and one counter cannot serve two profiles; the later row is left out",
			"give every row its own client-orderid")
	}
	if len(j.files) == 0 || j.files[len(j.files)-1] != at.File {
		j.files = append(j.files, at.File)
	}
	use.row, use.file = uint32(at.Row), uint32(len(j.files)-1)
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
	if s, ok := j.states[profile]; ok {
		s.skipped = true
	}
}

// Fresh returns a join with the same lines and without rows, to read the rows once more or those of
// another payload.
func (j *StateJoin) Fresh() *StateJoin {
	fresh := &StateJoin{asOf: j.asOf, states: make(map[string]*joinedState, len(j.states)), saved: j.saved}
	profiles := make(map[*joinedState]string, len(j.states))
	for profile, s := range j.states {
		profiles[s] = profile
	}
	for _, s := range j.order {
		again := *s
		again.row, again.file, again.skipped = 0, 0, false
		fresh.states[profiles[s]] = &again
		fresh.order = append(fresh.order, &again)
	}
	return fresh
}

// Unused yields a warning, state-profile-unknown, for each line that was neither joined nor
// skipped, in the order in which they were added.
func (j *StateJoin) Unused() iter.Seq[ledger.Finding] {
	return func(yield func(ledger.Finding) bool) {
		for _, use := range j.order {
			if use.row > 0 || use.skipped {
				continue
			}
			l := StateLine{File: j.saved[use.from], Line: int(use.line)}
			if !yield(l.finding(codeStateProfileUnknown, "no row of the payload that can be used has this profile as client-orderid", "compare it with the client-orderid of the rows")) {
				return
			}
		}
	}
}
