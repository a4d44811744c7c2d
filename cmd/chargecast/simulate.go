package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A seedFlag is the number that random amounts are drawn from.
type seedFlag struct {
	text string
	n    uint64
}

func (s *seedFlag) String() string { return s.text }
func (*seedFlag) Type() string     { return "N" }

func (s *seedFlag) Set(text string) error {
	n, ok := wholeNumber(text)
	if !ok {
		return errors.New("must be a whole number from 0 to 18446744073709551615")
	}
	s.text, s.n = text, n
	return nil
}

func newSimulate(a *app) *cobra.Command {
	q, seed, path := new(forecastFlags), &seedFlag{text: "0"}, ""
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

Totals are those of the approved charges, with the declined ones beside them. A script takes its size
and up to 400 bytes a line of memory, and some 400 bytes for each event of the profile at hand.`,
		Example: `  chargecast simulate --as-of 2026-01-10 --until 2026-06-30 --script script.jsonl payload.csv
  chargecast simulate --until +6m --seed 7 -o ndjson payload.csv`,
	}
	q.register(c, formatPartial)
	c.Flags().StringVar(&path, "script", "", "`FILE` with events and outcomes, JSON lines")
	c.Flags().Var(seed, "seed", "random amounts are drawn from this number; the same number gives the same amounts")
	c.RunE = func(_ *cobra.Command, args []string) error {
		return q.simulate(a, arguments(args), path, seed.n)
	}
	return c
}

func (q *forecastFlags) simulate(a *app, paths []string, scriptPath string, seed uint64) error {
	h, err := q.header(a, record.SchemaSimulate)
	if err != nil {
		return err
	}
	if err := oneStdin(append(paths, q.state, scriptPath)...); err != nil {
		return err
	}
	if err := overwrites(q.save, scriptPath); err != nil {
		return err
	}
	h.seed = seed
	events, err := readScript(a, scriptPath, h)
	if err != nil {
		return err
	}
	a.sums.scriptsSoFar()
	s := &simulation{script: events}
	err = q.run(a, paths, h, s.one, events.pass)
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
	sim := engine.Simulation{
		Stored: row.stored(), AsOf: h.asOf, Until: h.window().Last(), Seed: h.seed,
		Script: s.script.forProfile(row.OrderID),
	}
	// A fault shows before anything is written.
	before, err := attemptedBefore(sim, h)
	if err != nil {
		return err
	}
	l := life{forecastRun: f, script: s.script, id: row.OrderID, left: row.left}
	l.of = profile{Subject: row.subject(), kind: row.Kind, last: sim.Until, before: before}
	if !l.left {
		f.start(&l.of)
	}
	after, err := engine.New(h.policy).Simulate(sim, l.effect)
	row.cardMatters = l.cardExpired
	if err != nil {
		return err
	}
	if !l.left {
		end, err := engine.New(h.policy).End(after, l.of.last)
		if err != nil {
			return err
		}
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
		if e.Kind == engine.ChargeAttempted {
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

	cardExpired bool // before a charge of the window
}

// effect shows one effect and reports whether the simulation is to go on.
func (l *life) effect(e engine.Effect) bool {
	switch e.Kind {
	case engine.EventHandled, engine.ProfileStopped:
		l.updated = l.updated || e.Event == engine.DoUpdate && e.Result == engine.ResultAccepted
		if !l.left {
			l.event(&e)
		}
	case engine.ChargeAttempted:
		l.script.attempted(l.id, e.Charge.Repeat)
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
	l.cardExpired = l.cardExpired || c.CardExpired
	l.charge(&l.of, c)
	if l.made == l.header.next {
		l.of.last = c.Date
	}
}
