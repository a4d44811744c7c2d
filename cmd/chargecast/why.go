package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/whyday"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A whyFlags is the flags of why.
type whyFlags struct {
	today
	selection
	eventFlags
	id     string
	on     dayFlag
	policy *policyFlag
	plain  bool
	format *program.Flag[string]
	colour *program.Flag[string]
}

func newWhy(a *app) *cobra.Command {
	q := &whyFlags{on: dayFlag{dayOnly: true}}
	c := &cobra.Command{
		Use:   "why [FILE]",
		Short: "Explains why a profile is charged on a day, or is not",
		Long: `why explains one day of one profile: the due day and how it is counted from the
start date, the repeat number, the amount, what was paid or missed before, and which
stop is near; or why there is no charge on that day. Each sentence names its
clauses. At the end are the policy values under which the day would differ.

A day before as-of is answered from --state or --charged. Without them nothing is
known of that time; give the start date as --as-of. With --script the day is that of
a simulation, and the events that it depends on are named.`,
		Example: `  chargecast why --as-of 2026-01-10 --profile rent-31 \
    --on 2026-02-28 payload.csv
  chargecast why --as-of 2026-01-10 --profile rent-31 \
    --on 2026-02-28 --script script.jsonl payload.csv`,
		Args: atMostOne,
	}
	c.Flags().StringVar(&q.id, "profile", "", "the client-orderid `ID`; a file of one row needs none")
	c.Flags().Var(&q.on, "on", "the day: 2026-06-30 or 30.06.2026")
	q.today.register(c)
	q.registerPayload(c)
	q.eventFlags.register(c)
	q.policy = policyVar(c)
	readingsVar(c, q.policy)
	c.Flags().BoolVar(&q.plain, "plain", false, "at most two sentences, which a customer can be sent")
	q.format = program.Output(c, "text", "json")
	q.colour = colourFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case !c.Flags().Changed("profile") && !q.on.isSet():
			return usage("why needs --profile and --on", "such as --profile order-1 --on 2026-02-28")
		case !q.on.isSet():
			return usage("why needs --on", "such as --on 2026-02-28")
		}
		return q.why(a, argument(args))
	}
	return c
}

func (q *whyFlags) why(a *app, path string) error {
	a.log.quiet = q.quiet || q.plain
	asOf, err := q.day(a)
	if err != nil {
		return err
	}
	on, err := q.on.firstDay("on", asOf)
	if err != nil {
		return err
	}
	if err := oneStdin(slices.Concat([]string{path, q.script}, q.states)...); err != nil {
		return err
	}
	h := &header{Header: record.Header{Schema: record.SchemaForecast, AsOf: asOf, Zone: q.zone(a), Seed: q.seed.V}}
	if err := q.policy.settle(a, h); err != nil {
		return err
	}
	events, err := readScript(a, q.script, q.lines, h)
	if err != nil {
		return err
	}
	if q.id != "" {
		q.profiles = idsFlag{q.id}
	}
	w := &whyRun{header: h, on: on, script: events, scripted: q.script != "" || len(q.lines) > 0, id: q.id}
	end := func(whole bool) {
		if whole && w.found == 1 {
			a.out.b = q.append(a, a.out.b, &w.result)
			a.out.endLine()
		}
	}
	var before func(*book.Reader, []payloadFile) error
	switch {
	case q.id == "":
		before = oneRow
	case (&wanted{text: q.id}).isGlob():
		before = q.oneID
	}
	err = q.read(a, []string{path}, h, rowHandler{row: w.row, passed: events.Skip, before: before, end: end, through: on, advise: q.format.V == "text"})
	events.findings.finish()
	switch {
	case q.id == "" && err == nil && w.found == 0:
		return usage("the file has no row", "")
	case q.id == "":
	case wasRead(err) && w.found == 0 && w.refused == 0:
		return (&wanted{text: q.id}).noRow("--profile: ", false)
	case wasRead(err) && w.found > 1:
		return &failure{Code: exitFindings, Text: "--profile: " + counted(strconv.Itoa(w.found), "row") + " have this client-orderid", Help: "give every row its own"}
	}
	if q.plain && w.found == 1 && wasRead(err) && len(report.Plain(&w.result.Explanation)) == 0 {
		return &failure{Code: exitFindings, Text: "--plain: what was charged is not known", Help: cmp.Or(w.result.Ask(), "give --charged N, how often it was charged before "+asOf.String())}
	}
	return err
}

func (q *whyFlags) append(a *app, dst []byte, w *whyDay) []byte {
	switch {
	case q.format.V == "json":
		return append(w.AppendJSON(dst, q.plain), '\n')
	case q.plain:
		_ = a.text(q.colour.V) // which fits the terminal
		return w.appendPlain(dst)
	}
	return w.appendText(dst, a.text(q.colour.V))
}

// A whyRun finds the row and explains its day.
type whyRun struct {
	header         *header
	on             calendar.Date
	script         *script
	scripted       bool
	id             string // empty for the one row of the file
	found, refused int    // rows with the client-orderid
	result         whyDay
}

// oneRow refuses a payload of several rows.
func oneRow(r *book.Reader, files []payloadFile) error {
	first := ""
	for _, f := range files {
		r.Open(f, "", f.options)
		for p := range r.Profiles() {
			if first != "" {
				return usage("why needs --profile: the file has several rows", "such as --profile "+program.ShellWord(visible(first)))
			}
			first = strings.Clone(p.ShownID)
		}
	}
	return nil
}

// oneID refuses a --profile that is a pattern, unless it is the id of a row all the same.
func (q *whyFlags) oneID(r *book.Reader, files []payloadFile) error {
	for _, f := range files {
		r.Open(f, "", f.options)
		for p := range r.Profiles() {
			if p.OrderID() == q.id {
				return nil
			}
		}
	}
	return usage("why takes one id, not a pattern", "such as --profile order-1")
}

func (w *whyRun) row(row *book.Profile) error {
	if w.id != "" && row.OrderID() != w.id { // but the id is a pattern of this one
		return nil
	}
	sim := engine.Simulation{Stored: row.Stored, AsOf: w.header.AsOf, Seed: w.header.Seed}
	if w.scripted {
		script := w.script.Of(row.OrderID())
		sim.Steps, sim.Outcomes = script.Steps, script.Outcomes
	}
	sim.Undrawn = !w.scripted
	e, err := engine.New(w.header.Policy).Explain(sim, w.on)
	if err != nil {
		w.refused++
		return err
	}
	w.found++
	w.result = whyDay{whyday.Day{Explanation: e, Subject: subjectOf(row), Policy: w.header.Policy, Observed: w.header.Observed}}
	return nil
}

// A whyDay is the result of why.
type whyDay struct{ whyday.Day }

// appendPlain appends what a customer can be sent, if anything.
func (w *whyDay) appendPlain(dst []byte) []byte {
	if list := report.Plain(&w.Explanation); list != nil {
		dst = append(dst, visible(strings.Join(list, " "))+"\n"...)
	}
	return dst
}

// appendText appends the result for people.
func (w *whyDay) appendText(dst []byte, p paint) []byte {
	dst = p.bold(dst, visible(w.Subject.Profile))
	dst = appendDay(append(dst, " on "...), w.Date)
	dst = append(append(dst, ", as of "...), w.AsOf.String()...)
	dst = append(dst, ": "...)
	dst = append(p.bold(dst, visible(report.Headline(&w.Explanation))), "\n\n"...)
	if list := report.Plain(&w.Explanation); list != nil {
		dst = append(p.wrapped(dst, "  ", visible(strings.Join(list, " "))), '\n')
	}
	for _, s := range w.Sentences() {
		why := ""
		if !s.Because.IsZero() {
			why = " [" + s.Because.String() + ", " + w.Observed.Basis(s.Because, w.Policy).String() + "]"
		}
		dst = p.wrapped(dst, "  ", visible(s.Text)+why)
	}
	dst = append(dst, "\n  Charges nearest to it: "+orNone(w.Before)+" before, "+orNone(w.After)+" after\n"...)
	return w.appendOthers(dst)
}

func orNone(d calendar.Date) string {
	if d.IsZero() {
		return "none"
	}
	return d.String()
}

func (w *whyDay) appendOthers(dst []byte) []byte {
	if len(w.Others) == 0 {
		return append(dst, "  No other reading changes this day.\n"...)
	}
	dst = append(dst, "\n  Other readings under which the day differs:\n"...)
	width := 0
	for _, o := range w.Others {
		width = max(width, len(o.Clause.Key()+"="+o.Value))
	}
	for _, o := range w.Others {
		text := "no charge"
		switch {
		case o.Refused != "":
			text = "the profile is refused"
		case !o.Charge.Date.IsZero():
			text = words.Charge(&o.Charge, w.Subject.Currency)
		}
		dst = append(append(dst, "    "+pad(o.Clause.Key()+"="+o.Value, width)+"  "...), text...)
		dst = append(dst, '\n')
	}
	return dst
}
