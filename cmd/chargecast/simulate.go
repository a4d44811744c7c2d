package main

import (
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

func newSimulate(a *app) *cobra.Command {
	q, seed, path := new(forecastFlags), program.Seed(), ""
	var lines []string // of the script, which flags say
	c := &cobra.Command{
		Use:   "simulate [FILE]...",
		Short: "Plays a script of events and outcomes against profiles",
		Long: `simulate goes through the days of the profiles of a payload, with one charging run a day,
the events and outcomes of a script, and random amounts drawn from --seed. Without a script
the charges are those of forecast.

The script is JSON lines, applied in order of date; those of one day in order of the
file, before that day's run unless "when":"after" says otherwise. A line with "profile"
is for that client-orderid alone:

  {"date":"2026-01-12","do":"stop"}
  {"date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026"}}
  {"date":"2026-01-14","do":"resume","via":"ui"}
  {"date":"2026-01-11","do":"charge"}                  a manual charge
  {"date":"2026-01-15","do":"no-run"}                  a day without its run
  {"date":"2026-01-16","do":"run","when":"after"}      one more run
  {"repeat":1,"outcome":"declined"}                    an outcome; the others are approved

--stop, --resume and --decline are such lines without the file, for every profile.

Totals are those of the approved charges, with the declined ones beside them. A script takes its size
and up to 600 bytes a line of memory, and some 400 bytes for each event of the profile at hand.`,
		Example: `  chargecast simulate --as-of 2026-01-10 --until 2026-06-30 --script script.jsonl payload.csv
  chargecast simulate --until +6m --stop 2026-03-01 --resume 2026-05-01 --decline 2 payload.csv
  chargecast simulate --until +6m --seed 7 -o ndjson payload.csv`,
	}
	q.register(c)
	c.Flags().StringVar(&path, "script", "", "`FILE` with events and outcomes, JSON lines")
	c.Flags().Var(&lineFlag{"DATE", &lines, stopLine}, "stop", "stop every profile on this `DATE`, through the update operation; may be repeated")
	c.Flags().Var(&lineFlag{"DATE", &lines, resumeLine}, "resume", "resume every profile on this `DATE`, in the gateway's pages; may be repeated")
	c.Flags().Var(&lineFlag{"REPEAT", &lines, declineLine}, "decline", "decline the attempt with this `REPEAT` number, from 0; may be repeated")
	c.Flags().Var(&seed, "seed", "random amounts are drawn from this number; the same number gives the same amounts")
	c.RunE = func(_ *cobra.Command, args []string) error {
		return q.simulate(a, arguments(args), path, lines, seed.V)
	}
	return c
}

// A lineFlag is a line of a script, without the file.
type lineFlag struct {
	kind  string
	lines *[]string // in the order in which they are given
	line  func(value string) (string, error)
}

func (*lineFlag) String() string { return "" }
func (f *lineFlag) Type() string { return f.kind }

func (f *lineFlag) Set(s string) error {
	line, err := f.line(s)
	*f.lines = append(*f.lines, line)
	return err
}

func stopLine(s string) (string, error) {
	d := newDate()
	err := d.Set(s)
	return `{"date":"` + d.V.String() + `","do":"stop"}`, err
}

func resumeLine(s string) (string, error) {
	d := newDate()
	err := d.Set(s)
	return `{"date":"` + d.V.String() + `","do":"resume","via":"ui"}`, err
}

func declineLine(s string) (string, error) {
	n, ok := program.WholeNumber(s)
	if !ok {
		return "", errors.New("must be a repeat number, a whole number from 0")
	}
	return `{"repeat":` + strconv.FormatUint(n, 10) + `,"outcome":"declined"}`, nil
}

func (q *forecastFlags) simulate(a *app, paths []string, scriptPath string, lines []string, seed uint64) error {
	h, err := q.header(a, record.SchemaSimulate)
	if err != nil {
		return err
	}
	if err := oneStdin(slices.Concat(paths, []string{scriptPath}, q.states)...); err != nil {
		return err
	}
	if err := overwrites("--save-state", q.save, scriptPath); err != nil {
		return err
	}
	h.seed = seed
	events, err := readScript(a, scriptPath, lines, h)
	if err != nil {
		return err
	}
	h.unused = events.UnusedLines
	s := &simulation{script: events}
	err = q.run(a, paths, h, s.one, events.Skip)
	if wasRead(err) {
		events.finish()
	}
	if err == nil && events.findings.errors > 0 {
		return errFindings
	}
	return err
}

// A simulation plays a script against one profile after the other.
type simulation struct{ script *script }

// one writes the simulation of a profile.
func (s *simulation) one(f *forecastRun, row *joined) error {
	h := f.header
	f.stored = row.stored()
	script := s.script.forProfile(row.OrderID())
	sim := engine.Simulation{
		Stored: f.stored, AsOf: h.asOf, Until: h.window().Last(), Seed: h.seed,
		Steps: script.Steps, Outcomes: script.Outcomes,
	}
	// A fault shows before anything is written.
	before, err := attemptedBefore(sim, h)
	if err != nil {
		return err
	}
	l := life{forecastRun: f, script: s.script, id: row.OrderID(), left: row.left}
	l.of = profile{Subject: row.subject(), kind: row.Kind, last: sim.Until, before: before}
	if !l.left {
		f.start(&l.of)
	}
	after, err := engine.New(h.policy).Simulate(sim, l.effect)
	if err != nil {
		return err
	}
	if !l.left {
		end, err := engine.New(h.policy).End(after, l.of.last)
		if err != nil {
			return err
		}
		f.count(&l.sum)
		f.end(&l.of, &end)
	}
	if f.saver == nil {
		return nil
	}
	if l.updated {
		f.saver.noteUpdate(row)
	}
	return f.saver.add(row, after.State)
}

// attemptedBefore returns what is attempted before the window, or the fault that keeps a profile from
// being simulated.
func attemptedBefore(sim engine.Simulation, h *header) (before amount.Tally, err error) {
	w := h.before()
	if w.IsEmpty() {
		_, err = engine.New(h.policy).Compile(sim.Stored, sim.AsOf)
		return before, err
	}
	sim.Until = w.Last()
	_, err = engine.New(h.policy).Simulate(sim, func(e engine.Effect) bool {
		if e.Kind == engine.EffectCharge {
			e.Charge.AddTo(&before)
		}
		return true
	})
	return before, err
}

// A life is what a simulation shows of one profile.
type life struct {
	*forecastRun
	script  *script
	id      string
	of      profile
	left    bool // nothing: only the state after it matters
	made    int  // charges of the window
	updated bool // columns of the profile have changed

	sum amount.Tally // of the window
}

// effect shows one effect and reports whether the simulation is to go on.
func (l *life) effect(e engine.Effect) bool {
	switch e.Kind {
	case engine.EffectEvent, engine.EffectStop:
		l.updated = l.updated || e.Event == engine.EventUpdate && e.Result == engine.ResultAccepted
		if !l.left {
			l.event(&e)
		}
	case engine.EffectCharge:
		l.script.Attempted(l.id, e.Charge.Repeat)
		l.attempt(&e.Charge)
	}
	if l.out.err != nil && l.saver == nil {
		return false
	}
	return l.header.next == 0 || l.made < l.header.next
}

// attempt shows a charge of the window.
func (l *life) attempt(c *engine.Charge) {
	if l.left || !l.header.window().Contains(c.Date) {
		return
	}
	l.made++
	c.AddTo(&l.sum)
	l.charge(&l.of, c)
	if l.made == l.header.next {
		l.of.last = c.Date
	}
}

// A script is the lines of --script: what happens to every profile, and what happens to
// one. Memory grows with that file alone.
type script struct {
	findings lineLog
	asOf     calendar.Date
	lastly   calendar.Date // the last day of the output
	last     int           // the line that was read last
	file     int           // the last line of the file; those after it are flags
	later    int           // events after the last day
	record.ScriptJoin
}

// readScript reads a script, of which flags say the last lines; without any nothing happens but the daily runs. An error
// in it ends the command before anything is simulated.
func readScript(a *app, path string, lines []string, h *header) (*script, error) {
	s := &script{findings: lineLog{log: a.log, file: theFlags}, asOf: h.asOf, lastly: h.window().Last()}
	if path != "" {
		in, err := a.openKept(path)
		if err != nil {
			return nil, err
		}
		defer in.close()
		s.findings.file, s.file = in.name, math.MaxInt
		if s.read(in); in.failed() != nil {
			return nil, in.failed()
		}
		s.file = s.last
	}
	s.read(strings.NewReader(strings.Join(lines, "\n")))
	if s.findings.errors > 0 {
		s.findings.finish()
		return nil, errFindings
	}
	return s, nil
}

// theFlags is where lines come from that no file has.
const theFlags = "the flags"

// report reports a finding about a line of the file, or of the flags.
func (s *script) report(f ledger.Finding) {
	if f.Place.Line > s.file {
		f.Place.Line -= s.file
		f.Place.File = theFlags
	}
	s.findings.report(f)
}

// read reads lines, which come after those that were read before.
func (s *script) read(from io.Reader) {
	before := s.last
	for l, err := range record.ReadScript(from) {
		if err == nil {
			l.Line += before
			s.last = l.Line
			err = s.take(l)
		}
		if f, isFinding := errors.AsType[ledger.Finding](err); err != nil && isFinding {
			s.report(f)
		}
		if s.findings.full() {
			break
		}
	}
}

func (s *script) take(l record.ScriptLine) error {
	if l.IsOutcome {
		return s.Add(l)
	}
	if l.Step.Date.Before(s.asOf) {
		return lineFinding(l.Line, record.ScriptBeforeAsOf, "the event is before the as-of date", "put the past into --state")
	}
	if l.Step.Kind == engine.EventUpdate {
		s.checkUpdate(l)
	}
	if l.Step.Date.After(s.lastly) {
		s.later++
	}
	return s.Add(l)
}

// checkUpdate reports the problems of an update, those of a column at its name.
func (s *script) checkUpdate(l record.ScriptLine) {
	for i := range max(1, len(l.Cells)) { // one column at a time, as each is judged alone; or none
		at := ledger.Place{Line: l.Line, Col: 1, Offset: l.Offset}
		cells := l.Cells[i:min(i+1, len(l.Cells))]
		if len(cells) > 0 && cells[0].Col > 0 {
			at.Col, at.Offset = cells[0].Col, l.Offset+int64(cells[0].Col-1)
		}
		_, problems := rules.ParseUpdate(cellsOf(cells), rules.UpdateOptions{})
		for _, p := range problems {
			p.Place = at
			s.reportUpdate(p)
		}
	}
}

// reportUpdate reports a problem of an update's columns. A column that no update can have is an error
// of the script; a value that cannot be read makes the update be refused, which is what the script is
// to show.
func (s *script) reportUpdate(f ledger.Finding) {
	f.Severity = ledger.SeverityWarning
	if f.Code == rules.ColumnUnknown || f.Code == rules.ScriptColumn {
		f.Severity = ledger.SeverityError
	}
	s.report(f)
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

// forProfile returns the script of one profile.
func (s *script) forProfile(id string) record.Script {
	return s.Join(id, func(cells []record.Cell) engine.Update {
		set, _ := rules.ParseUpdate(cellsOf(cells), rules.UpdateOptions{}) // its problems are reported
		return set
	})
}

// finish reports the lines that had no effect.
func (s *script) finish() {
	for f := range s.Unused() {
		s.report(f)
	}
	s.findings.finish()
	if s.later > 0 {
		s.findings.log.line(s.findings.file + ": note: " + counted(strconv.Itoa(s.later), "event") + " after the last day not applied")
	}
}
