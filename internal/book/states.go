package book

import (
	"cmp"
	"errors"
	"io"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// States are the saved states of profiles. Memory grows with their number alone.
type States struct {
	join     *record.StateJoin
	monthEnd calendar.MonthEnd
	report   func(ledger.Finding) bool
}

// NewStates returns no states yet, for a forecast as of a day. What is wrong with one is reported, with the file and the
// line; reading ends when report returns false.
func NewStates(asOf calendar.Date, p engine.Policy, report func(ledger.Finding) (more bool)) *States {
	return &States{join: record.NewStateJoin(asOf), monthEnd: p.MonthEnd, report: report}
}

// Read adds the lines of a state file. It reports false if one of them is not known, so that nothing may be forecast: its
// profile would be taken as new. An error of src is not reported: it is for the caller, who has src.
func (s *States) Read(src io.Reader, file string) (whole bool) {
	whole = true
	for l, err := range record.ReadStates(src) {
		more := err == nil
		if err == nil {
			l.File = file
			more = s.Add(l)
		} else if f, ok := findingOf(err, file); ok {
			whole = whole && f.Severity != ledger.SeverityError
			more = s.report(f)
		}
		if !more {
			return false
		}
	}
	return whole
}

// Add adds a line, and returns what report does for what is wrong with it, else true.
func (s *States) Add(l record.StateLine) (more bool) {
	f, wrong := findingOf(s.join.Add(l), l.File)
	return !wrong || s.report(f)
}

// Fresh returns the same states, joined with no row, for another payload or to read one once more.
func (s *States) Fresh(report func(ledger.Finding) (more bool)) *States {
	if s == nil {
		return nil
	}
	return &States{join: s.join.Fresh(), monthEnd: s.monthEnd, report: report}
}

// Skip notes that the payload has a profile, though it is left out.
func (s *States) Skip(id string) {
	if s != nil {
		s.join.Skip(id)
	}
}

// Of returns the state of a row's profile: the zero State if it has no line. If it reports false, the state cannot be used,
// which has been reported. A nil States has none.
func (s *States) Of(p *Profile) (engine.State, bool) {
	if s == nil {
		return engine.State{}, true
	}
	l, ok, err := s.join.Join(p.OrderID(), ledger.Place{File: p.File, Row: p.Number})
	if f, wrong := findingOf(err, ""); wrong {
		s.report(f)
		return engine.State{}, false
	}
	if l.Line > 0 && !p.Left {
		for _, f := range l.CheckPaid(p.Stored.Profile, s.monthEnd) {
			s.report(f)
		}
	}
	return l.State, ok
}

// Finish warns of lines that are for no row.
func (s *States) Finish() {
	if s == nil {
		return
	}
	for f := range s.join.Unused() {
		s.report(f)
	}
}

// findingOf returns what is wrong with a line; false for nothing, and for an error that is not about the line.
func findingOf(err error, file string) (ledger.Finding, bool) {
	f, ok := errors.AsType[ledger.Finding](err)
	f.Place.File = cmp.Or(f.Place.File, file)
	return f, ok
}
