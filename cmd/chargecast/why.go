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
		return &failure{exitFindings, "--profile: " + counted(strconv.Itoa(w.found), "row") + " have this client-orderid", "give every row its own"}
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
	life := lifeOf{
		stored: row.stored(), asOf: w.header.asOf, on: w.on, policy: w.header.policy, seed: w.header.seed, scripted: w.scripted,
	}
	if w.scripted {
		life.script = w.script.forProfile(row.OrderID)
	}
	day, err := life.day()
	if err != nil {
		w.refused++
		return err
	}
	w.found++
	row.cardMatters = slices.ContainsFunc(day.charges, func(c engine.Charge) bool { return c.CardExpired })
	w.result = whyDay{subject: row.subject(), life: life, day: day, kind: row.Kind}
	w.result.explain()
	return nil
}
