package main

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// states are the lines of --state by profile. Memory grows with that file alone.
type states struct {
	findings lineLog
	join     *record.StateJoin
	bad      bool // a line, or the row that it is for, is at fault
	monthEnd calendar.MonthEnd
}

// readStates reads a state file; without a path there are none.
func readStates(a *app, path string, asOf calendar.Date) (*states, error) {
	s := &states{findings: lineLog{log: a.log}, join: record.NewStateJoin(asOf)}
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
			s.report(s.join.Add(l))
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

// report reports a finding, if there is one.
func (s *states) report(err error) {
	if err != nil {
		s.findings.report(err)
	}
}

// of returns the state for a row's profile: the zero State if there is no line. It fails if a line
// cannot be used, and reports that.
func (s *states) of(row *joined) (engine.State, bool) {
	l, ok, err := s.join.Join(row.OrderID, ledger.Place{File: row.file, Row: row.Number})
	if err != nil {
		s.bad = true
		s.report(err)
		return engine.State{}, false
	}
	if l.Line > 0 && !row.left {
		for _, f := range l.CheckPaid(row.Profile(), s.monthEnd) {
			s.report(f)
		}
	}
	return l.State, ok
}

// finish warns of lines that are for no row.
func (s *states) finish() {
	for f := range s.join.Unused() {
		s.report(f)
	}
	s.findings.finish()
}
