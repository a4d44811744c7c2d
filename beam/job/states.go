package job

import (
	"errors"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// states are the saved states of the profiles of a shard. A nil *states has none.
type states struct {
	file  string
	lines record.States
	uses  map[int]*stateUse // by number of the line
}

// A stateUse is what became of a line.
type stateUse struct {
	row int  // the row that it was joined to; 0 for none
	bad bool // it must not be used
}

// readStates reads the states of the shard. With a line that cannot be read nothing is forecast: its
// profile is not known, and would be taken for new.
func (r *reading) readStates() error {
	if r.shard.States == "" {
		return nil
	}
	in, err := openInput(r.ctx, r.shard.States)
	if err != nil {
		return err
	}
	defer in.close()
	s := &states{file: r.shard.States, uses: map[int]*stateUse{}}
	r.states = s
	for l, err := range record.ReadStates(in) {
		if in.failed != nil {
			return in.failed
		}
		if err != nil {
			r.tally.Incomplete = s.report(r, err) || r.tally.Incomplete
			continue
		}
		s.add(r, l)
	}
	if in.failed != nil {
		return in.failed
	}
	if in.broken {
		r.tally.Incomplete = true
		s.report(r, s.finding(ledger.SeverityError, 0, "gzip", "the gzip data is damaged or cut off", "write the file of states again"))
	}
	part := in.part("")
	r.tally.States = &part
	return nil
}

func (s *states) add(r *reading, l record.StateLine) {
	if err := s.lines.Add(l); err != nil {
		if first, ok := s.lines.Lookup(l.Profile); ok {
			s.uses[first.Line].bad = true
		}
		s.report(r, err)
		return
	}
	s.uses[l.Line] = &stateUse{}
	if text := conflict(&l.State, r.question.AsOf); text != "" {
		s.uses[l.Line].bad = true
		s.report(r, s.finding(ledger.SeverityError, l.Line, record.StateConflict, text, "give the as-of date that the state was saved for, or a later one"))
	}
}

// conflict says in which way a state cannot be one as of a day.
func conflict(s *engine.State, asOf calendar.Date) string {
	if s.RanThrough.After(asOf) {
		return "ran_through is after the as-of date: a run that is still to come cannot have taken place"
	}
	if slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return d.After(asOf) }) {
		return "a paid date is after the as-of date"
	}
	return ""
}

// stored returns the state of a profile that has a line.
func (s *states) stored(id string) (engine.State, bool) {
	l, ok := s.lines.Lookup(id)
	return l.State, ok
}

// join returns the state for a row's profile: the zero State if there is no line. It fails if a line
// cannot be used, and reports that.
func (s *states) join(r *reading, row *rules.Row) (engine.State, bool) {
	l, ok := s.lines.Lookup(row.OrderID)
	if !ok {
		return engine.State{}, true
	}
	of := s.uses[l.Line]
	if of.row > 0 {
		s.report(r, s.finding(ledger.SeverityError, l.Line, record.StateProfileAmbiguous,
			"rows "+strconv.Itoa(of.row)+" and "+strconv.Itoa(row.Number)+" have the same client-orderid, and one counter cannot serve two profiles; the later row is left out",
			"give every row its own client-orderid"))
		return engine.State{}, false
	}
	of.row = row.Number
	s.warnOfPaid(r, l, row.Profile())
	return l.State, !of.bad
}

// warnOfPaid reports paid dates that are probably wrong in a state written by hand.
func (s *states) warnOfPaid(r *reading, l record.StateLine, p engine.Profile) {
	if len(l.State.Paid) == 0 || !l.State.Last.IsZero() {
		return
	}
	if l.State.Repeat == 0 {
		s.warn(r, l.Line, record.StatePaidUncounted, "a state with paid dates has the repeat number 0: the next charge counts as the first")
	}
	anchor := l.State.Anchor
	if anchor.IsZero() {
		anchor = p.Start
	}
	days, err := calendar.NewSchedule(anchor, p.Unit, p.Interval, r.question.Policy.MonthEnd)
	if err != nil {
		return // without an automatic schedule, or counted from an unknown day
	}
	for _, d := range l.State.Paid {
		if _, due := days.Index(d); !due {
			s.warn(r, l.Line, record.StatePaidOffSchedule, "the paid date "+d.String()+" is not a due day of the profile")
			return
		}
	}
}

func (s *states) warn(r *reading, line int, code ledger.Code, message string) {
	help := ""
	for rule := range record.Rules() {
		if rule.Code == code {
			help = rule.Help
		}
	}
	s.report(r, s.finding(ledger.SeverityWarning, line, code, message, help))
}

// finish warns of lines that are for no row.
func (s *states) finish(r *reading) {
	if s == nil {
		return
	}
	for l := range s.lines.All() {
		if s.uses[l.Line].row == 0 {
			s.report(r, s.finding(ledger.SeverityWarning, l.Line, record.StateProfileUnknown,
				"no row of the payload that can be used has this profile as client-orderid", "compare it with the client-orderid of the rows"))
		}
	}
}

func (s *states) finding(severity ledger.Severity, line int, code ledger.Code, message, help string) ledger.Finding {
	return ledger.Finding{Code: code, Severity: severity, Place: ledger.Place{Line: line, Col: 1}, Message: message, Help: help}
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
