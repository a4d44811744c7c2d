package main

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// states are the lines of --state by profile. Memory grows with that file alone.
type states struct {
	file string
	log  *messages
	of   map[string]*savedState
	bad  bool // a line or a match of one is at fault
	// unread tells that a line could not be read, so that its profile is not known.
	unread bool
}

type savedState struct {
	engine.State
	line int
	row  int  // the row that it was joined to; 0 for none
	bad  bool // it must not be used
	// passed tells that its row is there, but not asked for.
	passed bool
}

// readStates reads a state file; without a path there are none.
func readStates(a *app, path string, asOf calendar.Date) (*states, error) {
	s := &states{log: a.log, of: map[string]*savedState{}}
	if path == "" {
		return s, nil
	}
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	s.file = in.name
	tooLong := false
	for number, line := range jsonLines(in, func(line int, code, text string) {
		tooLong = tooLong || code == "limit-line"
		severity := "warning"
		if tooLong {
			severity = "error"
		}
		a.log.line(lineProblem(s.file, line, 0, severity, code, text))
	}) {
		s.add(number, line, asOf)
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	if s.bad = s.bad || tooLong; s.unread || tooLong {
		// Without its state a profile would be forecast as if it were new.
		return nil, errFindings
	}
	return s, nil
}

func (s *states) add(number int, line []byte, asOf calendar.Date) {
	id, state, err := engine.ParseStateLine(line)
	if err != nil {
		s.bad, s.unread = true, true
		s.log.tellLineError(s.file, number, err)
		return
	}
	if repeated(state.Paid) {
		s.log.line(lineProblem(s.file, number, 0, "warning", "state-paid-repeated", "a paid date is listed more than once: keep one"))
	}
	saved := &savedState{State: state, line: number}
	if old := s.of[id]; old != nil {
		old.bad = true
		s.error(number, "state-profile-duplicate", "the profile has a line already, line "+strconv.Itoa(old.line)+": keep one; the profile is left out")
		return
	}
	if conflict := stateConflict(&state, asOf); conflict != "" {
		saved.bad = true
		s.error(number, "state-conflict", conflict)
	}
	s.of[id] = saved
}

// repeated reports whether a date is in list more than once.
func repeated(list []calendar.Date) bool {
	list = slices.Clone(list)
	slices.SortFunc(list, calendar.Date.Compare)
	n := len(list)
	return len(slices.Compact(list)) < n
}

// stateConflict tells in which way a state cannot be one as of a day.
func stateConflict(s *engine.State, asOf calendar.Date) string {
	if s.RanThrough.After(asOf) {
		return "ran_through lies after the as-of date: a run that is still to come cannot have taken place"
	}
	if slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return d.After(asOf) }) {
		return "a paid date lies after the as-of date"
	}
	return ""
}

func (s *states) error(line int, code, text string) {
	s.bad = true
	s.log.line(lineProblem(s.file, line, 0, "error", code, text))
}

// join gives the state for a row's profile: the zero State where there is no line. It
// fails where a line cannot be used, and says so on stderr.
func (s *states) join(id string, row int) (engine.State, bool) {
	saved := s.of[id]
	switch {
	case saved == nil:
		return engine.State{}, true
	case saved.row > 0:
		s.error(saved.line, "state-profile-ambiguous", "rows "+strconv.Itoa(saved.row)+" and "+strconv.Itoa(row)+
			" have the same client-orderid, and one counter cannot serve two profiles; the later row is left out")
		return engine.State{}, false
	}
	saved.row = row
	return saved.State, !saved.bad
}

// stored is the state of a profile that has a line.
func (s *states) stored(id string) (engine.State, bool) {
	if saved := s.of[id]; saved != nil {
		return saved.State, true
	}
	return engine.State{}, false
}

// pass notes that the row of a profile is left out by --profile.
func (s *states) pass(id string) {
	if saved := s.of[id]; saved != nil {
		saved.passed = true
	}
}

// finish warns of lines that no row has asked for.
func (s *states) finish() {
	var unused []int
	for _, saved := range s.of {
		if saved.row == 0 && !saved.passed {
			unused = append(unused, saved.line)
		}
	}
	slices.Sort(unused)
	for _, line := range unused {
		s.log.line(lineProblem(s.file, line, 0, "warning", "state-profile-unknown", "no row of the payload that can be used has this profile as client-orderid"))
	}
}
