package main

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/record"
)

func newSimulate(a *app) *cobra.Command {
	q, events := new(forecastFlags), new(eventFlags)
	c := &cobra.Command{
		Use:   "simulate [FILE]...",
		Short: "Plays a script of events and outcomes against profiles",
		Long: `simulate goes through the days of the profiles with one charging run a day, the
events and outcomes of a script, and random amounts drawn from --seed. Without a
script the charges are those of forecast; days are written as there.

A script is JSON lines, each for all profiles or for one "profile". "do" is stop,
update, resume, charge (by hand), run or no-run, before the day's run unless "when"
is "after"; what has no outcome is approved:

  {"date":"2026-01-12","do":"stop","profile":"rent-31"}
  {"date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026"}}
  {"repeat":1,"outcome":"declined"}

--stop (by an update), --resume (in the gateway's pages) and --decline are such
lines for every profile. Totals are those of the approved charges.`,
		Example: `  chargecast simulate --until +6m --script script.jsonl payload.csv
  chargecast simulate --until +6m --decline 2 -o ndjson payload.csv`,
	}
	q.register(c)
	events.register(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		return q.simulate(a, arguments(args), events)
	}
	return c
}

// eventFlags are the flags that say what happens in a simulation.
type eventFlags struct {
	lines  scriptFlags
	script string
	seed   program.Flag[uint64]
}

func (e *eventFlags) register(c *cobra.Command) {
	e.lines.register(c)
	c.Flags().StringVar(&e.script, "script", "", "`FILE` with events and outcomes, JSON lines")
	e.seed = program.Seed()
	c.Flags().Var(&e.seed, "seed", "draw random amounts from this number")
}

// A scriptFlag is a line of a script that a flag says.
type scriptFlag struct {
	name string // of the flag
	line record.ScriptLine
}

// scriptFlags are --stop, --resume and --decline, in the order in which they are given.
type scriptFlags []scriptFlag

func (s *scriptFlags) register(c *cobra.Command) {
	stop := record.ScriptLine{Step: engine.Step{Event: engine.Event{Kind: engine.EventStop}}}
	resume := record.ScriptLine{Step: engine.Step{Event: engine.Event{Kind: engine.EventResume}}}
	decline := record.ScriptLine{IsOutcome: true, Outcome: engine.OutcomeDeclined}
	c.Flags().Var(&lineFlag{s, scriptFlag{"stop", stop}}, "stop", "stop every profile on `DATE`; may be repeated")
	c.Flags().Var(&lineFlag{s, scriptFlag{"resume", resume}}, "resume", "resume every profile on `DATE`; may be repeated")
	c.Flags().Var(&lineFlag{s, scriptFlag{"decline", decline}}, "decline", "decline attempt `REPEAT`, from 0; may be repeated")
}

// A lineFlag adds a line to the list whenever it is given.
type lineFlag struct {
	list *scriptFlags
	as   scriptFlag
}

func (*lineFlag) String() string { return "" }
func (*lineFlag) Repeats()       {}

func (f *lineFlag) Type() string {
	if f.as.line.IsOutcome {
		return "REPEAT"
	}
	return "DATE"
}

func (f *lineFlag) Set(s string) error {
	add := f.as
	if add.line.IsOutcome {
		n, ok := program.WholeNumber(s)
		if !ok {
			return errors.New("must be a repeat number, a whole number from 0")
		}
		add.line.Repeat = n
	} else {
		day := dayFlag{dayOnly: true}
		if err := day.Set(s); err != nil {
			return err
		}
		add.line.Step.Date = day.first
	}
	*f.list = append(*f.list, add)
	return nil
}

func (q *forecastFlags) simulate(a *app, paths []string, flags *eventFlags) error {
	h, err := q.header(a, record.SchemaSimulate)
	if err != nil {
		return err
	}
	if err := oneStdin(slices.Concat(paths, []string{flags.script}, q.states)...); err != nil {
		return err
	}
	if err := overwrites("--save-state", q.save, flags.script); err != nil {
		return err
	}
	h.Seed = flags.seed.V
	events, err := readScript(a, flags.script, flags.lines, h)
	if err != nil {
		return err
	}
	h.unused = events.UnusedLines
	s := &simulation{script: events}
	err = q.run(a, paths, h, s.one, events.Skip, func(p *book.Profile) bool { return s.neverEnds(p, h) })
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

// neverEnds reports whether only the calendar ends the charges of a profile once the script is through with it.
func (s *simulation) neverEnds(p *book.Profile, h *header) bool {
	script := s.script.Of(p.OrderID())
	last := h.AsOf
	for _, step := range script.Steps {
		if step.Date.After(last) {
			last = step.Date
		}
	}
	after, err := engine.New(h.Policy).Simulate(engine.Simulation{
		Stored: p.Stored, AsOf: h.AsOf, Until: last, Seed: h.Seed, Steps: script.Steps, Outcomes: script.Outcomes,
	}, func(engine.Effect) bool { return true })
	if next := last.AddDays(1); err == nil && next.IsDay() {
		plan, err := engine.New(h.Policy).Compile(after, next)
		return err == nil && neverEnds(after.Profile, plan)
	}
	return false
}

// one writes the simulation of a profile.
func (s *simulation) one(f *forecastRun, row *book.Profile) error {
	h := f.header
	f.stored = row.Stored
	script := s.script.Of(row.OrderID())
	sim := engine.Simulation{
		Stored: f.stored, AsOf: h.AsOf, Until: h.window().Last(), Seed: h.Seed,
		Steps: script.Steps, Outcomes: script.Outcomes,
	}
	// A fault shows before anything is written.
	before, err := attemptedBefore(sim, h)
	if err != nil {
		return err
	}
	l := profileRun{forecastRun: f, script: s.script, id: row.OrderID(), left: row.Left}
	l.of = profile{Profile: record.Profile{Subject: subjectOf(row), Through: sim.Until, Before: before}, cardExpires: row.Stored.Profile.CardExpires}
	if !l.left {
		f.start(&l.of)
	}
	after, err := engine.New(h.Policy).Simulate(sim, l.effect)
	if err != nil {
		return err
	}
	if !l.left {
		end, err := engine.New(h.Policy).End(after, l.of.Through)
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
		_, err = engine.New(h.Policy).Compile(sim.Stored, sim.AsOf)
		return before, err
	}
	sim.Until = w.Last()
	_, err = engine.New(h.Policy).Simulate(sim, func(e engine.Effect) bool {
		if e.Kind == engine.EffectCharge {
			e.Charge.AddTo(&before)
		}
		return true
	})
	return before, err
}

// A profileRun is the simulation of one profile.
type profileRun struct {
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
func (l *profileRun) effect(e engine.Effect) bool {
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
	return l.header.Next == 0 || l.made < l.header.Next
}

// attempt shows a charge of the window.
func (l *profileRun) attempt(c *engine.Charge) {
	if l.left || !l.header.window().Contains(c.Date) {
		return
	}
	l.made++
	c.AddTo(&l.sum)
	l.charge(&l.of, c)
	if l.made == l.header.Next {
		l.of.Through = c.Date
	}
}

// A script is the lines of --script and of the flags that are such lines.
type script struct {
	*book.Script
	findings lineLog
}

// readScript reads a script, of which flags say the first lines; without any nothing happens but the daily runs. An error
// in it ends the command before anything is simulated.
func readScript(a *app, path string, flags []scriptFlag, h *header) (*script, error) {
	s := &script{findings: lineLog{log: a.log}}
	s.Script = book.NewScript(h.AsOf, h.window().Last(), s.findings.more)
	for _, f := range flags {
		if err := f.add(s.Script, h.AsOf); err != nil {
			return nil, err
		}
	}
	if path == "" {
		return s, nil
	}
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	s.findings.file, s.findings.in, s.findings.flag = in.name, in, "--script"
	s.Read(in, in.name)
	if in.failed() != nil {
		return nil, in.failed()
	}
	if s.findings.errors > 0 {
		s.findings.finish()
		return nil, errFindings
	}
	return s, nil
}

// add adds the line of a flag to a script.
func (f scriptFlag) add(s *book.Script, asOf calendar.Date) error {
	switch {
	case !f.line.IsOutcome && f.line.Step.Date.Before(asOf):
		return usage("--"+f.name+": "+f.line.Step.Date.String()+" is before today (as-of "+asOf.String()+")", "give a later day, or put the past into --state")
	case s.Line(f.line, "") != nil:
		return usage("--"+f.name+" "+strconv.FormatUint(f.line.Repeat, 10)+" is given twice", "give it once")
	}
	return nil
}

// finish reports the lines that had no effect.
func (s *script) finish() {
	s.Finish(s.findings.file)
	s.findings.finish()
	if s.Later > 0 {
		s.findings.log.line(cmp.Or(s.findings.file, "chargecast") + ": note: " + counted(strconv.Itoa(s.Later), "event") + " after the last day not applied")
	}
}
