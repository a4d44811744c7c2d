package main

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A whyFlags is the flags of why.
type whyFlags struct {
	today
	selection
	id     string
	on     dayFlag
	script string
	seed   seedFlag
	policy *policyFlag
	format *choice
	colour *choice
}

func newWhy(a *app) *cobra.Command {
	q := &whyFlags{seed: seedFlag{text: "0"}, on: dayFlag{noMonth: true}}
	c := &cobra.Command{
		Use:   "why [FILE]",
		Short: "Explains why a profile is charged on a day, or is not",
		Long: `why explains the arithmetic of one day for one profile: the due day and how it was counted
from the start date, the repeat number, the amount, what was paid or missed before, and
which stop is near; or why there is no charge on that day. Each sentence names the clauses
that it rests on. At the end are the policy values under which the day would differ.

With --script the day is that of a simulation, such as one in which the profile is stopped
and resumed: chargecast simulate --help shows the lines of a script.`,
		Example: `  chargecast why --profile rent-31 --on 2026-02-28 payload.csv
  chargecast why --profile rent-31 --on 2026-02-28 --script what-if.jsonl payload.csv
  chargecast why --profile rent-31 --on +30d --state states.jsonl -o json payload.csv`,
		Args: atMostOne,
	}
	c.Flags().StringVar(&q.id, "profile", "", "the client-orderid `ID` of the profile")
	c.Flags().Var(&q.on, "on", "the day: 2026-06-30, or +90d, +2w, +3m, +1y from as-of")
	q.today.register(c)
	q.registerPayload(c)
	c.Flags().StringVar(&q.script, "script", "", "`FILE` with events and outcomes, JSON lines, as for simulate")
	c.Flags().Var(&q.seed, "seed", "with --script: random amounts are drawn from this number")
	q.policy = policyVar(c)
	q.format = outputFlag(c, "text", "json")
	q.colour = colourFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if !c.Flags().Changed("profile") || !q.on.isSet() {
			return usage("why needs --profile and --on", "such as --profile order-1 --on 2026-02-28")
		}
		return q.why(a, argument(args))
	}
	return c
}

func (q *whyFlags) why(a *app, path string) error {
	a.log.quiet = q.quiet
	asOf, err := q.day(a)
	if err != nil {
		return err
	}
	on, err := q.on.firstDay("on", asOf)
	if err != nil {
		return err
	}
	if err := oneStdin(path, q.state, q.script); err != nil {
		return err
	}
	h := &header{schema: record.SchemaForecast, asOf: asOf, zone: q.zone, policy: q.policy.policy, seed: q.seed.n}
	events, err := readScript(a, q.script, h)
	if err != nil {
		return err
	}
	q.profiles = idsFlag{q.id}
	w := &whyRun{header: h, on: on, script: events, scripted: q.script != "", id: q.id}
	end := func() {
		if w.found == 1 {
			a.out.b = q.append(a, a.out.b, &w.result)
			a.out.endLine()
		}
	}
	err = q.read(a, []string{path}, h, reading{row: w.row, passed: events.pass, end: end, advise: q.format.value == "text"})
	events.findings.finish()
	switch {
	case wasRead(err) && w.found == 0 && w.refused == 0:
		return usage("--profile: no row that can be used has this client-orderid", "")
	case wasRead(err) && w.found > 1:
		return &failure{Code: exitFindings, Text: "--profile: " + counted(strconv.Itoa(w.found), "row") + " have this client-orderid", Help: "give every row its own"}
	}
	return err
}

func (q *whyFlags) append(a *app, dst []byte, w *whyDay) []byte {
	if q.format.value == "json" {
		return w.appendJSON(dst)
	}
	return w.appendText(dst, a.text(q.colour.value))
}

// A whyRun finds the row and explains its day.
type whyRun struct {
	header         *header
	on             calendar.Date
	script         *script
	scripted       bool
	id             string
	found, refused int // rows with the client-orderid
	result         whyDay
}

func (w *whyRun) row(row *joined) error {
	if row.OrderID != w.id { // but the id is a pattern of this one
		return nil
	}
	sim := engine.Simulation{Stored: row.stored(), AsOf: w.header.asOf, Seed: w.header.seed}
	if w.scripted {
		sim.Script = w.script.forProfile(row.OrderID)
	}
	result, err := explained(engine.New(w.header.policy), sim, w.scripted, w.on)
	if err != nil {
		w.refused++
		return err
	}
	w.found++
	row.cardMatters = slices.ContainsFunc(result.Charges, func(c engine.Charge) bool { return c.CardExpired })
	result.subject, result.header, result.scripted = row.subject(), w.header, w.scripted
	result.hasState = row.state.Status != 0
	w.result = *result
	return nil
}

// A whyDay is the result of why.
type whyDay struct {
	engine.Explanation
	other    []engine.OtherReading
	subject  record.Subject
	header   *header
	scripted bool
	hasState bool
}

// explained explains a day of the forecast or, with a script, of the simulation.
func explained(e engine.Engine, sim engine.Simulation, scripted bool, on calendar.Date) (*whyDay, error) {
	w := new(whyDay)
	if !scripted {
		plan, err := e.Compile(sim.Stored, sim.AsOf)
		if err == nil {
			w.Explanation, w.other = plan.Explain(on), plan.Others(on)
		}
		return w, err
	}
	var err error
	if w.Explanation, err = e.Explain(sim, on); err == nil {
		w.other, err = e.Others(sim, on)
	}
	return w, err
}

// charge is the charge of the day, of several the last; nil for none.
func (w *whyDay) charge() *engine.Charge { return lastOf(w.Charges) }

func lastOf(charges []engine.Charge) *engine.Charge {
	if n := len(charges); n > 0 {
		return &charges[n-1]
	}
	return nil
}
