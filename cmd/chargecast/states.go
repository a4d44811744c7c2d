package main

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// states are the lines of --state by profile. Memory grows with that file alone.
type states struct {
	findings lineLog
	lines    record.States
	uses     []stateUse // by number of the line
	bad      bool       // a line, or the row that it is for, is at fault
	monthEnd calendar.MonthEnd
	files    []string // that rows were joined of
}

// A stateUse is what became of a line.
type stateUse struct {
	row    uint32 // the row that it was joined to; 0 for none
	file   uint32 // … and its file, by number among those of states
	read   bool   // the line has a state
	bad    bool   // it must not be used
	passed bool   // its row was left out by --profile
}

// readStates reads a state file; without a path there are none.
func readStates(a *app, path string, asOf calendar.Date) (*states, error) {
	s := &states{findings: lineLog{log: a.log}}
	if path == "" {
		return s, nil
	}
	in, err := a.openKept(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	a.collectOften()
	s.findings.file = in.name
	unread := false // a profile is not known, and would be forecast as if it were new
	for l, err := range record.ReadStates(in) {
		if err != nil && in.err == nil {
			before := s.findings.errors
			s.findings.report(err)
			unread = unread || s.findings.errors > before
		}
		if err == nil {
			s.add(l, asOf)
		}
		if s.findings.full() {
			unread = true
			break
		}
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	if s.bad = s.findings.errors > 0; unread {
		s.findings.finish()
		return nil, errFindings
	}
	return s, nil
}

func (s *states) add(l record.StateLine, asOf calendar.Date) {
	if err := s.lines.Add(l); err != nil {
		if first, ok := s.lines.Lookup(l.Profile); ok {
			s.uses[first.Line].bad = true
		}
		s.findings.report(err)
		return
	}
	use := stateUse{read: true}
	if conflict := stateConflict(&l.State, asOf); conflict != "" {
		use.bad = true
		s.findings.report(lineError(l.Line, record.StateConflict, conflict, "give the as-of date that the state was saved for, or a later one"))
	}
	s.uses = append(s.uses, make([]stateUse, l.Line+1-len(s.uses))...)
	s.uses[l.Line] = use
}

// stateConflict says in which way a state cannot be one as of a day.
func stateConflict(s *engine.State, asOf calendar.Date) string {
	if s.RanThrough.After(asOf) {
		return "ran_through is after the as-of date: a run that is still to come cannot have taken place"
	}
	if slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return d.After(asOf) }) {
		return "a paid date is after the as-of date"
	}
	return ""
}

// join returns the state for a row's profile: the zero State if there is no line. It fails if a line
// cannot be used, and reports that.
func (s *states) join(row *joined) (engine.State, bool) {
	l, ok := s.lines.Lookup(row.OrderID)
	if !ok {
		return engine.State{}, true
	}
	use := &s.uses[l.Line]
	if use.row > 0 {
		s.bad = true
		s.findings.report(lineError(l.Line, record.StateProfileAmbiguous, twoRows(use.row, s.files[use.file], row)+
			" have the same client-orderid, and one counter cannot serve two profiles; the later row is left out",
			"give every row its own client-orderid"))
		return engine.State{}, false
	}
	if len(s.files) == 0 || s.files[len(s.files)-1] != row.file {
		s.files = append(s.files, row.file)
	}
	use.row, use.file = uint32(row.Number), uint32(len(s.files)-1)
	if !row.left {
		s.warnOfPaid(l, row.Profile())
	}
	return l.State, !use.bad
}

// twoRows names the row of a file that a line was joined to, and another.
func twoRows(number uint32, file string, row *joined) string {
	first, second := strconv.Itoa(int(number)), strconv.Itoa(row.Number)
	if row.file == "" {
		return "rows " + first + " and " + second
	}
	return "row " + first + " of " + file + " and row " + second + " of " + row.file
}

// stored returns the state of a profile that has a line.
func (s *states) stored(id string) (engine.State, bool) {
	l, ok := s.lines.Lookup(id)
	return l.State, ok
}

// pass notes that the row of a profile is left out by --profile.
func (s *states) pass(id string) {
	if l, ok := s.lines.Lookup(id); ok {
		s.uses[l.Line].passed = true
	}
}

// finish warns of lines that are for no row.
func (s *states) finish() {
	for line, use := range s.uses {
		if use.read && use.row == 0 && !use.passed {
			s.findings.report(lineWarning(line, record.StateProfileUnknown, "no row of the payload that can be used has this profile as client-orderid", "compare it with the client-orderid of the rows"))
		}
	}
	s.findings.finish()
}
