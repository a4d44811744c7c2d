package main

import (
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A script is the lines of --script: what happens to every profile, and what happens to
// one. Memory grows with that file alone.
type script struct {
	file string
	log  *messages
	asOf calendar.Date

	all    scripted
	of     map[string]*scripted // by profile
	bad    bool
	later  int // events after the last day of the output
	lastly calendar.Date
}

// scripted is what a script says about one profile, or about all of them.
type scripted struct {
	steps    []placed
	outcomes map[uint64]*scriptOutcome
	line     int  // the first line about it
	met      bool // a row had this profile
	passed   bool // … but --profile left it out
}

// A placed step knows its place in the file, by which steps of one day are ordered.
type placed struct {
	engine.Step
	line int
}

type scriptOutcome struct {
	engine.Outcome
	line int
	used bool
}

// readScript reads a script; without a path nothing happens but the daily runs. A fault
// in it is told, and ends the command before anything is simulated.
func readScript(a *app, path string, h *header) (*script, error) {
	s := &script{log: a.log, asOf: h.asOf, of: map[string]*scripted{}, lastly: h.window().Last()}
	if path == "" {
		return s, nil
	}
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	s.file = in.name
	for number, line := range jsonLines(in, s.aboutFile) {
		s.add(number, line)
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	if s.bad {
		return nil, errFindings
	}
	return s, nil
}

func (s *script) aboutFile(line int, code, text string) {
	if code == "limit-line" {
		s.error(line, code, text)
		return
	}
	s.warn(line, code, text)
}

func (s *script) error(line int, code, text string) {
	s.bad = true
	s.log.line(lineProblem(s.file, line, 0, "error", code, text))
}

func (s *script) warn(line int, code, text string) {
	s.log.line(lineProblem(s.file, line, 0, "warning", code, text))
}

func (s *script) add(number int, line []byte) {
	l, err := record.ParseScriptLine(line)
	if err != nil {
		s.bad = true
		s.log.tellLineError(s.file, number, err)
		return
	}
	to := &s.all
	if l.Profile != "" {
		if s.of[l.Profile] == nil {
			s.of[l.Profile] = &scripted{line: number}
		}
		to = s.of[l.Profile]
	}
	if l.IsOutcome {
		s.addOutcome(to, number, &l)
		return
	}
	s.addStep(to, number, &l)
}

func (s *script) addOutcome(to *scripted, number int, l *record.ScriptLine) {
	if old := to.outcomes[l.Repeat]; old != nil {
		s.error(number, "script-outcome-twice", "this attempt has an outcome already, on line "+strconv.Itoa(old.line)+": keep one")
		return
	}
	if to.outcomes == nil {
		to.outcomes = map[uint64]*scriptOutcome{}
	}
	to.outcomes[l.Repeat] = &scriptOutcome{Outcome: l.Outcome, line: number}
}

func (s *script) addStep(to *scripted, number int, l *record.ScriptLine) {
	if l.Step.Date.Before(s.asOf) {
		s.error(number, "script-before-as-of", "the event lies before the as-of date: the past belongs into --state")
		return
	}
	if l.Step.Do == engine.DoUpdate {
		update, problems := rules.ParseUpdate(cellsOf(l.Cells))
		l.Step.Set = update
		for _, p := range problems {
			s.tellUpdate(number, p)
		}
	}
	if l.Step.Date.After(s.lastly) {
		s.later++
	}
	to.steps = append(to.steps, placed{l.Step, number})
}

// tellUpdate tells a problem of an update's columns. A column that no update can have is
// a fault of the script; a value that cannot be read makes the update be refused, which
// is what the script is to show.
func (s *script) tellUpdate(number int, p ledger.Finding) {
	severity := ledger.SeverityWarning
	if p.Code == rules.ColumnUnknown || p.Code == rules.ScriptColumn {
		severity = ledger.SeverityError
		s.bad = true
	}
	text := p.Message
	if p.Subject != "" {
		text = p.Subject + ": " + text
	}
	s.log.line(lineProblem(s.file, number, 0, severity.String(), string(p.Code), visible(text)))
	if p.Help != "" {
		s.log.line("  help: " + visible(p.Help))
	}
}

func cellsOf(cells []record.Cell) iter.Seq2[string, string] {
	return func(yield func(column, value string) bool) {
		for _, c := range cells {
			if !yield(c.Column, c.Value) {
				return
			}
		}
	}
}

// forProfile is the script of one profile: the lines about all and about it, in the
// order of the file. An outcome that names the profile wins.
func (s *script) forProfile(id string) engine.Script {
	own := s.of[id]
	if own == nil {
		own = new(scripted)
	}
	own.met = true
	steps := slices.Concat(s.all.steps, own.steps)
	slices.SortStableFunc(steps, func(a, b placed) int { return a.line - b.line })
	of := engine.Script{Outcomes: map[uint64]engine.Outcome{}}
	for _, step := range steps {
		of.Steps = append(of.Steps, step.Step)
	}
	for _, outcomes := range [...]map[uint64]*scriptOutcome{s.all.outcomes, own.outcomes} {
		for repeat, o := range outcomes {
			of.Outcomes[repeat] = o.Outcome
		}
	}
	return of
}

// pass notes that the row of a profile is left out by --profile.
func (s *script) pass(id string) {
	if own := s.of[id]; own != nil {
		own.passed = true
	}
}

// attempted notes that a profile had an attempt with this repeat number.
func (s *script) attempted(id string, repeat uint64) {
	if own := s.of[id]; own != nil && own.outcomes[repeat] != nil {
		own.outcomes[repeat].used = true
	}
	if o := s.all.outcomes[repeat]; o != nil {
		o.used = true // an outcome of the profile's own may stand before it
	}
}

// finish tells which lines had no effect.
func (s *script) finish() {
	var unknown, unused []int
	for _, own := range s.of {
		switch {
		case own.met:
			unused = appendUnused(unused, own.outcomes)
		case !own.passed:
			unknown = append(unknown, own.line)
		}
	}
	unused = appendUnused(unused, s.all.outcomes)
	slices.Sort(unknown)
	slices.Sort(unused)
	for _, line := range unknown {
		s.error(line, "script-profile-unknown", "no row of the payload that can be used has this profile as client-orderid")
	}
	for _, line := range unused {
		s.warn(line, "script-outcome-unused", "no attempt had this repeat number")
	}
	if s.later > 0 {
		s.log.line(s.file + ": note: " + counted(strconv.Itoa(s.later), "event") + " after the last day not applied")
	}
}

func appendUnused(lines []int, outcomes map[uint64]*scriptOutcome) []int {
	for o := range maps.Values(outcomes) {
		if !o.used {
			lines = append(lines, o.line)
		}
	}
	return lines
}
