package book

import (
	"io"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A Script is what happens in a simulation: the lines for every profile, and those for one. Memory grows with it alone.
type Script struct {
	record.ScriptJoin

	Later int // events after the last day, which are not applied

	asOf, last calendar.Date
	report     func(ledger.Finding) bool
}

var codes = ledger.NewRules(slices.Collect(record.Rules()), nil)

// NewScript returns a script without lines, for a simulation from a day to another. What is wrong with a line is reported;
// reading ends when report returns false.
func NewScript(asOf, last calendar.Date, report func(ledger.Finding) (more bool)) *Script {
	return &Script{asOf: asOf, last: last, report: report}
}

// Read adds the lines of a script. An error of src is not reported: it is for the caller, who has src.
func (s *Script) Read(src io.Reader, file string) {
	for l, err := range record.ReadScript(src) {
		if err == nil {
			err = s.Line(l, file)
		}
		if f, ok := findingOf(err, file); ok && !s.report(f) {
			return
		}
	}
}

// Line adds a line. What is wrong with an update is reported; the error is a [ledger.Finding] and says why the line cannot
// be used.
func (s *Script) Line(l record.ScriptLine, file string) error {
	if l.IsOutcome {
		return s.Add(l)
	}
	if l.Step.Date.Before(s.asOf) {
		f := codes.Finding(record.ScriptBeforeAsOf, "the event is before the as-of date", "put the past into --state")
		f.Place = ledger.Place{Line: l.Line, Col: 1, Offset: l.Offset}
		return f
	}
	if l.Step.Kind == engine.EventUpdate {
		s.checkUpdate(l, file)
	}
	if l.Step.Date.After(s.last) {
		s.Later++
	}
	return s.Add(l)
}

// checkUpdate reports what is wrong with an update, of a column at its name: each is judged alone. A column that no update
// can have is an error of the script; for a value that cannot be read the update is refused, which is what the script shows.
func (s *Script) checkUpdate(l record.ScriptLine, file string) {
	for i := range max(1, len(l.Cells)) { // or none
		at := ledger.Place{File: file, Line: l.Line, Col: 1, Offset: l.Offset}
		cells := l.Cells[i:min(i+1, len(l.Cells))]
		if len(cells) > 0 && cells[0].Col > 0 {
			at.Col, at.Offset = cells[0].Col, l.Offset+int64(cells[0].Col-1)
		}
		_, found := rules.ParseUpdate(valuesOf(cells), rules.UpdateOptions{})
		for _, f := range found {
			f.Place, f.Severity = at, ledger.SeverityWarning
			if f.Code == rules.ColumnUnknown || f.Code == rules.ScriptColumn {
				f.Severity = ledger.SeverityError
			}
			s.report(f)
		}
	}
}

func valuesOf(cells []record.Cell) iter.Seq2[string, string] {
	return func(yield func(column, value string) bool) {
		for _, c := range cells {
			if !yield(c.Column, c.Value) {
				return
			}
		}
	}
}

// Of returns the script of one profile. A nil Script is nothing.
func (s *Script) Of(id string) record.Script {
	if s == nil {
		return record.Script{}
	}
	return s.Join(id, func(cells []record.Cell) engine.Update {
		set, _ := rules.ParseUpdate(valuesOf(cells), rules.UpdateOptions{}) // what is wrong has been reported
		return set
	})
}

// Finish warns of lines for profiles that no row has.
func (s *Script) Finish(file string) {
	for f := range s.Unused() {
		f.Place.File = file
		s.report(f)
	}
}
