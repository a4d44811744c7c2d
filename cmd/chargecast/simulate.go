package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
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
		return errors.New("a whole number from 0 to 18446744073709551615 is wanted, in digits")
	}
	s.text, s.n = text, n
	return nil
}

func newSimulate(a *app) *cobra.Command {
	q, seed, path := new(question), &seedFlag{text: "0"}, ""
	c := &cobra.Command{
		Use:   "simulate [FILE]",
		Short: "Plays a script of events and outcomes against profiles",
		Long: `simulate lets the days pass for the profiles of a payload, with a charging run a day, the
events and outcomes of a script, and random amounts drawn from --seed. Without a script
it makes the charges of forecast.

The script is JSON lines, applied in order of date; those of one day in order of the
file, before that day's run unless "when":"after" says otherwise. A line with "profile"
is for that client-orderid alone:

  {"date":"2026-01-12","do":"stop"}
  {"date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026"}}
  {"date":"2026-01-14","do":"resume","via":"ui"}
  {"date":"2026-01-11","do":"charge"}                  a manual charge
  {"date":"2026-01-15","do":"no-run"}                  a day without its run
  {"date":"2026-01-16","do":"run","when":"after"}      one more run
  {"repeat":1,"outcome":"declined"}                    an attempt, else approved

Declined attempts are not among the totals but stand beside them. A script takes up to 4
times its size in memory, and some 400 bytes for each event of the profile at hand.`,
		Example: `  chargecast simulate --until 2026-06-30 --script script.jsonl payload.csv
  chargecast simulate --until 2026-06-30 --seed 7 -o ndjson payload.csv`,
		Args: atMostOne,
	}
	q.register(c)
	c.Flags().StringVar(&path, "script", "", "`FILE` with events and outcomes, JSON lines")
	c.Flags().Var(seed, "seed", "what random amounts are drawn from")
	c.RunE = func(_ *cobra.Command, args []string) error {
		return q.simulate(a, argument(args), path, seed.n)
	}
	return c
}

func (q *question) simulate(a *app, path, scriptPath string, seed uint64) error {
	h, err := q.header(a, record.SchemaSimulate)
	if err != nil {
		return err
	}
	if err := oneStdin(path, q.state, scriptPath); err != nil {
		return err
	}
	h.seed = seed
	events, err := readScript(a, scriptPath, h)
	if err != nil {
		return err
	}
	s := &simulation{script: events}
	err = q.answer(a, path, h, s.one, events.pass)
	if err == nil || err == errFindings {
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
func (s *simulation) one(f *answer, row *rules.Row, state engine.State) error {
	h := f.header
	sim := engine.Simulation{
		Stored: engine.Stored{Profile: row.Profile(), State: state},
		AsOf:   h.asOf, Until: h.window().Last(), Policy: h.policy, Seed: h.seed,
		Script: s.script.forProfile(row.OrderID),
	}
	// A fault shows before anything is written.
	if _, err := engine.Compile(sim.Stored, sim.AsOf, sim.Policy); err != nil {
		return err
	}
	p := profile{Subject: subjectOf(row), kind: row.Kind, last: sim.Until}
	f.start(&p)
	made := 0
	after, err := engine.Simulate(sim, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.EventHandled, engine.ProfileStopped:
			f.event(&e)
		case engine.ChargeAttempted:
			s.script.attempted(row.OrderID, e.Charge.Repeat)
			if !h.window().Contains(e.Date) {
				p.before.Add(&e.Charge)
				return true
			}
			made++
			f.charge(&p, &e.Charge)
			if made == h.next {
				p.last = e.Date
			}
		}
		return f.out.err == nil && (h.next == 0 || made < h.next)
	})
	if err != nil {
		return err
	}
	end, err := after.End(p.last, h.policy)
	if err != nil {
		return err
	}
	f.end(&p, &end)
	return nil
}
