package main

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/record"
)

// A whyFlags is the flags of why.
type whyFlags struct {
	today
	selection
	id     string
	on     dayFlag
	script string
	seed   program.Flag[uint64]
	policy *policyFlag
	format *program.Flag[string]
	colour *program.Flag[string]
}

func newWhy(a *app) *cobra.Command {
	q := &whyFlags{seed: program.Seed(), on: dayFlag{dayOnly: true}}
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
  chargecast why --profile rent-31 --on 2026-03-31 --state states.jsonl -o json payload.csv`,
		Args: atMostOne,
	}
	c.Flags().StringVar(&q.id, "profile", "", "the client-orderid `ID` of the profile")
	c.Flags().Var(&q.on, "on", "the day: 2026-06-30 or 30.06.2026")
	q.today.register(c)
	q.registerPayload(c)
	c.Flags().StringVar(&q.script, "script", "", "`FILE` with events and outcomes, JSON lines, as for simulate")
	c.Flags().Var(&q.seed, "seed", "with --script: random amounts are drawn from this number")
	q.policy = policyVar(c)
	readingsVar(c, q.policy)
	q.format = program.Output(c, "text", "json")
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
	if err := oneStdin(slices.Concat([]string{path, q.script}, q.states)...); err != nil {
		return err
	}
	h := &header{schema: record.SchemaForecast, asOf: asOf, zone: q.zone, seed: q.seed.V}
	if err := q.policy.settle(a, h); err != nil {
		return err
	}
	events, err := readScript(a, q.script, nil, h)
	if err != nil {
		return err
	}
	q.profiles = idsFlag{q.id}
	w := &whyRun{header: h, on: on, script: events, scripted: q.script != "", id: q.id}
	end := func(whole bool) {
		if whole && w.found == 1 {
			a.out.b = q.append(a, a.out.b, &w.result)
			a.out.endLine()
		}
	}
	err = q.read(a, []string{path}, h, reading{row: w.row, passed: events.Skip, end: end, through: on, advise: q.format.V == "text"})
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
	if q.format.V == "json" {
		return w.appendJSON(dst)
	}
	return w.appendText(dst, a.text(q.colour.V))
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
	result.subject, result.header, result.scripted = row.subject(), w.header, w.scripted
	result.hasState = !row.state.IsZero()
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

// A whyJSON is the record of why.
type whyJSON struct {
	Type      string            `json:"type"`
	Profile   string            `json:"profile"`
	Date      calendar.Date     `json:"date"`
	Charge    json.RawMessage   `json:"charge"`
	Charges   []json.RawMessage `json:"charges,omitzero"` // where there are several
	Reason    engine.Why        `json:"reason"`
	Slot      *calendar.Date    `json:"slot"`
	Nearest   nearestJSON       `json:"nearest"`
	Sentences []sentenceJSON    `json:"sentences"`
	Other     []otherJSON       `json:"other"`
}

type nearestJSON struct {
	Before *calendar.Date `json:"before"`
	After  *calendar.Date `json:"after"`
}

type sentenceJSON struct {
	Text    string          `json:"text"`
	Because json.RawMessage `json:"because"`
}

type otherJSON struct {
	Policy  string          `json:"policy"`
	Charge  json.RawMessage `json:"charge"`
	Refused bool            `json:"refused,omitzero"`
}

var whyForm = strictjson.FormOf[whyJSON]()

// appendJSON appends the record of why.
func (w *whyDay) appendJSON(dst []byte) []byte {
	out := whyJSON{
		Type: "why", Profile: w.subject.Profile, Date: w.Date, Charge: w.chargeJSON(w.charge()), Reason: w.Why,
		Nearest: nearestJSON{dateOrNull(w.Before), dateOrNull(w.After)},
	}
	if c := w.charge(); c != nil {
		out.Slot = dateOrNull(c.Slot)
	}
	if len(w.Charges) > 1 {
		for i := range w.Charges {
			out.Charges = append(out.Charges, w.chargeJSON(&w.Charges[i]))
		}
	}
	for _, s := range w.Sentences {
		out.Sentences = append(out.Sentences, sentenceJSON{s.Text, record.AppendBecause(nil, s.Because, w.header.policy, w.header.observed)})
	}
	for _, o := range w.other {
		out.Other = append(out.Other, otherJSON{o.Clause.Key() + "=" + o.Value, w.chargeJSON(lastOf(o.Charges)), o.Refused})
	}
	return append(whyForm.Append(dst, &out), '\n')
}

func dateOrNull(d calendar.Date) *calendar.Date {
	if d.IsZero() {
		return nil
	}
	return &d
}

// chargeJSON is a charge record, or null.
func (w *whyDay) chargeJSON(c *engine.Charge) json.RawMessage {
	if c == nil {
		return json.RawMessage("null")
	}
	return record.Charge{Subject: w.subject, Charge: *c, Simulated: w.scripted}.AppendJSON(nil)
}

// headlines are the reasons in words.
var headlines = map[engine.Why]string{
	engine.WhyNoSchedule:  "no charge, it has no schedule",
	engine.WhyBeforeAsOf:  "no charge, before the as-of date",
	engine.WhyBeforeStart: "no charge, before the first due day",
	engine.WhyStopped:     "no charge, the profile is stopped",
	engine.WhyNotDue:      "no charge, not a due day",
	engine.WhyPaid:        "no charge, already charged",
	engine.WhyMissed:      "no charge, due but not run",
}

// appendText appends the result for people.
func (w *whyDay) appendText(dst []byte, p paint) []byte {
	dst = p.bold(dst, visible(w.subject.Profile))
	dst = appendDay(append(dst, " on "...), w.Date)
	dst = append(append(dst, ", as of "...), w.header.asOf.String()...)
	dst = append(dst, ": "...)
	dst = append(p.bold(dst, w.headline(w.charge(), headlines[w.Why])), "\n\n"...)
	for _, s := range w.Sentences {
		why := ""
		if !s.Because.IsZero() {
			why = " [" + s.Because.String() + ", " + w.header.observed.Basis(s.Because, w.header.policy).String() + "]"
		}
		dst = p.wrapped(dst, "  ", visible(s.Text)+why)
	}
	if w.Why == engine.WhyBeforeAsOf && !w.hasState {
		dst = append(dst, "\n  To look at this day as it was then, give --as-of "+w.Date.String()+" or an earlier day.\n"...)
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

// headline is a charge in a few words, or else none.
func (w *whyDay) headline(c *engine.Charge, none string) string {
	if c == nil {
		return none
	}
	text := between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0) + " " + visible(w.subject.Currency) + ", repeat " + strconv.FormatUint(c.Repeat, 10)
	if c.Slot != c.Date {
		text += ", due on " + c.Slot.String()
	}
	if c.Outcome == engine.OutcomeDeclined {
		text += ", declined"
	}
	return text
}

func (w *whyDay) appendOthers(dst []byte) []byte {
	if len(w.other) == 0 {
		return append(dst, "  No other reading changes this day.\n"...)
	}
	dst = append(dst, "\n  Other readings under which the day differs:\n"...)
	width := 0
	for _, o := range w.other {
		width = max(width, len(o.Clause.Key()+"="+o.Value))
	}
	for _, o := range w.other {
		text := w.headline(lastOf(o.Charges), "no charge")
		if o.Refused {
			text = "the profile is refused"
		}
		dst = append(append(dst, "    "+pad(o.Clause.Key()+"="+o.Value, width)+"  "...), text...)
		dst = append(dst, '\n')
	}
	return dst
}
