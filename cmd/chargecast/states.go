package main

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/record"
)

// states are the lines of --state by profile. Memory grows with these files alone.
type states struct {
	*book.States // nil without --state and --charged
	findings     lineLog
}

// readStates reads the state files, or takes the state that --charged says.
func (q *selection) readStates(a *app, asOf calendar.Date, p engine.Policy) (*states, error) {
	s := &states{findings: lineLog{log: a.log}}
	if q.hasStates() {
		s.States = book.NewStates(asOf, p, s.findings.more)
	}
	if q.charged.String() != "" {
		return s, s.charged(q)
	}
	for _, path := range q.states {
		if err := s.read(a, path); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// charged says of the one profile selected how many charges it has had.
func (s *states) charged(q *selection) error {
	switch {
	case len(q.states) > 0:
		return usage("--charged and --state exclude each other", "put the number into the state file, as repeat")
	case len(q.profiles) != 1 || (&wanted{text: q.profiles[0]}).isGlob():
		return usage("--charged is for one profile", "give its client-orderid with --profile")
	}
	s.Add(record.StateLine{Profile: q.profiles[0], State: engine.State{Status: engine.StatusActive, Repeat: q.charged.V}})
	return nil
}

// read reads one state file.
func (s *states) read(a *app, path string) error {
	in, err := a.open(path)
	if err != nil {
		return err
	}
	defer in.close()
	s.findings.file, s.findings.in, s.findings.flag = in.name, in, "--state"
	whole := s.Read(in, in.name)
	if err := in.failed(); err != nil {
		return err
	}
	if !whole {
		s.findings.finish()
		return errFindings
	}
	return nil
}

// finish warns of lines that are for no row.
func (s *states) finish() {
	s.Finish()
	s.findings.finish()
}
