package job

import (
	"errors"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// states are the saved states of the profiles of a shard. A nil *states has none.
type states struct {
	file string
	join *record.StateJoin
}

// readStates reads the states of the shard. With a line that cannot be read nothing is forecast:
// its profile is not known, and would be taken for new.
func (r *reading) readStates() error {
	if r.shard.States == "" {
		return nil
	}
	in, err := openInput(r.ctx, r.shard.States)
	if err != nil {
		return err
	}
	defer in.close()
	s := &states{file: r.shard.States, join: record.NewStateJoin(r.query.AsOf)}
	r.states = s
	for l, err := range record.ReadStates(in) {
		if in.failed != nil {
			return in.failed
		}
		if err != nil {
			r.tally.Incomplete = s.report(r, err) || r.tally.Incomplete
			continue
		}
		if err := s.join.Add(l); err != nil {
			s.report(r, err)
		}
	}
	if in.failed != nil {
		return in.failed
	}
	if in.broken {
		r.tally.Incomplete = true
		s.report(r, ledger.Finding{
			Code: "gzip", Severity: ledger.SeverityError, Place: ledger.Place{Col: 1},
			Message: "the gzip data is damaged or cut off", Help: "write the file of states again",
		})
	}
	return nil
}

// of returns the state for a row's profile: the zero State if there is no line. It fails if a line
// cannot be used, and reports that.
func (s *states) of(r *reading, row *rules.Row, p engine.Profile) (engine.State, bool) {
	l, ok, err := s.join.Join(row.OrderID(), ledger.Place{Row: row.Number})
	if err != nil {
		s.report(r, err)
		return engine.State{}, false
	}
	for _, f := range l.CheckPaid(p, r.query.Policy.MonthEnd) {
		s.report(r, f)
	}
	return l.State, ok
}

// finish warns of lines that are for no row.
func (s *states) finish(r *reading) {
	if s == nil {
		return
	}
	for f := range s.join.Unused() {
		s.report(r, f)
	}
}

// report reports a finding about a line and whether it is an error.
func (s *states) report(r *reading, err error) bool {
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: record.JSONSyntax, Severity: ledger.SeverityError, Message: "the line cannot be read"}
	}
	f.Place.File = s.file
	r.report(f)
	return f.Severity == ledger.SeverityError
}
