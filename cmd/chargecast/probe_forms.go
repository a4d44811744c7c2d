package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// An experimentJSON is the document of probe.
type experimentJSON struct {
	Header      probeHeaderJSON   `json:"header"`
	Rows        []json.RawMessage `json:"rows"`
	Steps       []json.RawMessage `json:"steps"`
	Look        []lookJSON        `json:"look"`
	Decides     []decisionJSON    `json:"decides"`
	Open        []openJSON        `json:"open"`
	Undecidable []undecidableJSON `json:"undecidable"`
}

type probeHeaderJSON struct {
	Type    string        `json:"type"`
	Schema  string        `json:"schema"`
	AsOf    calendar.Date `json:"as_of"`
	Days    int           `json:"days"`
	Through calendar.Date `json:"through"`
}

type lookJSON struct {
	Profile string        `json:"profile"`
	Date    calendar.Date `json:"date"`
}

type decisionJSON struct {
	Key     string        `json:"key"`
	Profile string        `json:"profile"`
	Date    calendar.Date `json:"date"`
	Apart   [][]string    `json:"apart"`
	Unless  *string       `json:"unless"`
}

type openJSON struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
	Days   *int     `json:"days"`
}

type undecidableJSON struct {
	Key string `json:"key"`
	Why string `json:"why"`
}

var experimentForm = strictjson.FormOf[experimentJSON]()

func (e *experiment) appendJSON(dst []byte) []byte {
	out := experimentJSON{Header: probeHeaderJSON{Type: "header", Schema: "chargecast.probe/1", AsOf: e.AsOf, Days: e.Days, Through: e.Through}}
	for _, row := range e.Rows {
		out.Rows = append(out.Rows, e.rowJSON(row))
	}
	for _, step := range e.Steps {
		line, _ := record.AppendScriptLine(nil, step.Line)
		out.Steps = append(out.Steps, line)
	}
	for _, l := range e.Look {
		out.Look = append(out.Look, lookJSON(l))
	}
	for _, d := range e.Decides {
		to := decisionJSON{Key: d.Key.Key(), Profile: d.Profile, Date: d.Date}
		for _, group := range d.Apart {
			to.Apart = append(to.Apart, valuesOf(d.Key, group))
		}
		if d.Unless != "" {
			to.Unless = &d.Unless
		}
		out.Decides = append(out.Decides, to)
	}
	for _, o := range e.Open {
		to := openJSON{Key: o.Key.Key(), Values: valuesOf(o.Key, o.Values)}
		if o.Days > 0 {
			to.Days = &o.Days
		}
		out.Open = append(out.Open, to)
	}
	for _, u := range e.Undecidable {
		out.Undecidable = append(out.Undecidable, undecidableJSON{u.Key.Key(), u.Why})
	}
	return append(experimentForm.Append(dst, &out), '\n')
}

// rowJSON is a row by column. What may be about somebody is masked; the payload of --dir has it.
func (e *experiment) rowJSON(row reconcile.ProbeRow) json.RawMessage {
	dst := strconv.AppendInt([]byte(`{"request":`), int64(row.Request), 10)
	cells := e.cells(&row.Profile)
	for s := range rules.Columns() {
		value := cells[s.Column]
		if value == "" {
			continue
		}
		if e.own {
			value = rules.Mask(s.Column, value)
		}
		dst = append(strictjson.AppendString(append(dst, ','), s.Name), ':')
		dst = strictjson.AppendString(dst, value)
	}
	return append(dst, '}')
}

// valuesOf returns values of a key by their places.
func valuesOf(c ledger.Clause, places []int) []string {
	var values []string
	for _, v := range places {
		r, _ := c.Reading(v)
		values = append(values, r.Value)
	}
	return values
}

// rowInWords says what a row is.
func rowInWords(p *engine.Profile) string {
	var parts []string
	switch {
	case !p.Automatic():
		parts = append(parts, "no schedule")
	case p.Interval == 1:
		parts = append(parts, "every "+p.Unit.String())
	default:
		parts = append(parts, "every "+strconv.Itoa(p.Interval)+" "+p.Unit.String()+"s")
	}
	if p.Automatic() && p.Start.IsZero() {
		parts = append(parts, "no start-date")
	} else if p.Automatic() {
		parts = append(parts, "from "+p.Start.String())
	}
	if !p.Finish.IsZero() {
		parts = append(parts, "to "+p.Finish.String())
	}
	if n, ok := p.MaxRepeats.Value(); ok {
		parts = append(parts, "max-repeats-number "+strconv.FormatUint(n, 10))
	}
	if p.Amounts.Kind() == amount.KindSequence {
		return strings.Join(append(parts, "amounts "+strings.ReplaceAll(amountsOf(p), ",", " ")), ", ")
	}
	return strings.Join(append(parts, "amount "+amountsOf(p)), ", ")
}

// stepInWords says what is to be done.
func stepInWords(s *reconcile.ProbeStep) string {
	text := ""
	switch s.Line.Step.Kind {
	case engine.EventStop:
		text = "stop it through the update operation"
	case engine.EventResume:
		text = "resume it in the web UI"
	case engine.EventCharge:
		text = "charge it by hand"
	case engine.EventUpdate:
		cell := s.Line.Cells[0]
		text = "update it: " + cell.Column + " is " + cell.Value + " now"
		if cell.Value == "" {
			text = "update it: remove " + cell.Column
		}
	case engine.EventRun, engine.EventNoRun, engine.EventResumeByAPI:
	}
	if len(s.Unless) > 0 {
		text += " (a gateway with " + strings.Join(s.Unless, " or ") + " refuses it, which is an answer)"
	}
	return text
}

// apartInWords says which values a decision tells apart: "clamp | skip | next-first or overflow".
func apartInWords(d *reconcile.Decision) string {
	var groups []string
	for _, group := range d.Apart {
		groups = append(groups, strings.Join(valuesOf(d.Key, group), " or "))
	}
	text := strings.Join(groups, " | ")
	if d.Unless != "" {
		text += ", unless " + d.Unless
	}
	return text
}

func openInWords(o *reconcile.OpenReadings) string {
	text := strings.Join(valuesOf(o.Key, o.Values), " or ")
	if o.Days == 0 {
		return text + ": no charge ever tells"
	}
	return text + ": it takes " + strconv.Itoa(o.Days) + " days to tell, more than the experiment has"
}

// summary is what the experiment takes.
func (e *experiment) summary() string {
	return counted(strconv.Itoa(len(e.Rows)), "row") + " in " + counted(strconv.Itoa(e.Rows[len(e.Rows)-1].Request), "request") + ", " +
		counted(strconv.Itoa(len(e.Steps)), "step") + ", over on " + e.Through.String() + " (day " + strconv.Itoa(e.Through.Sub(e.AsOf)+1) + " of " + strconv.Itoa(e.Days) + ")"
}

// A probeSection is what the experiment says about keys, each with a text.
type probeSection struct {
	heading string
	items   [][2]string
}

// sections are what it decides and what it does not.
func (e *experiment) sections() []probeSection {
	decides, open, undecidable := probeSection{heading: "What it decides"}, probeSection{heading: "What stays open"}, probeSection{heading: "What no experiment decides"}
	for _, d := range e.Decides {
		decides.items = append(decides.items, [2]string{d.Key.Key(), apartInWords(&d) + " (" + d.Profile + ", " + d.Date.String() + ")"})
	}
	for _, o := range e.Open {
		open.items = append(open.items, [2]string{o.Key.Key(), openInWords(&o)})
	}
	for _, u := range e.Undecidable {
		undecidable.items = append(undecidable.items, [2]string{u.Key.Key(), u.Why})
	}
	return []probeSection{decides, open, undecidable}
}

// A probeDay is a day with steps or looks.
type probeDay struct {
	calendar.Date
	steps []reconcile.ProbeStep
	look  []string // the profiles to look at, after the steps
}

// lookInWords says at what to look, after the steps of the day.
func (d *probeDay) lookInWords() string {
	if len(d.steps) > 0 {
		return "then look at " + strings.Join(d.look, ", ")
	}
	return "look at " + strings.Join(d.look, ", ")
}

// days returns the days with something to do, in order.
func (e *experiment) days() []probeDay {
	var all []calendar.Date
	for _, s := range e.Steps {
		all = append(all, s.Line.Step.Date)
	}
	for _, l := range e.Look {
		all = append(all, l.Date)
	}
	slices.SortFunc(all, calendar.Date.Compare)
	var days []probeDay
	for _, d := range slices.Compact(all) {
		day := probeDay{Date: d}
		for _, s := range e.Steps {
			if s.Line.Step.Date == d {
				day.steps = append(day.steps, s)
			}
		}
		for _, l := range e.Look {
			if l.Date == d {
				day.look = append(day.look, l.Profile)
			}
		}
		days = append(days, day)
	}
	return days
}

func (e *experiment) appendText(dst []byte, p paint) []byte {
	dst = append(p.bold(dst, "Experiment"), " as of "+e.AsOf.String()+"\n"...)
	dst = p.wrapped(dst, "  ", e.summary())
	heading := func(text string) { dst = append(p.bold(append(dst, '\n'), text), '\n') }
	item := func(lead, text string) {
		dst = append(append(dst, "  "...), pad(lead, 22)...)
		dst = p.hanging(append(dst, "  "...), 26, text)
	}
	heading("Rows, by request")
	for _, row := range e.Rows {
		item(strconv.Itoa(row.Request)+"  "+row.Profile.ID, rowInWords(&row.Profile))
	}
	heading("Steps and looks, late in the day, once the day's charges are there")
	for _, d := range e.days() {
		for _, s := range d.steps {
			item(string(appendDay(nil, d.Date)), s.Line.Profile+": "+stepInWords(&s))
		}
		if len(d.look) > 0 {
			item(string(appendDay(nil, d.Date)), d.lookInWords())
		}
	}
	for _, s := range e.sections() {
		heading(s.heading)
		for _, of := range s.items {
			item(of[0], of[1])
		}
	}
	return dst
}

// steps is the page for people.
func (e *experiment) steps() []byte {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("# Experiment as of ", e.AsOf.String(), "\n")
	line(e.summary(), ". Everything is done late in the day, once the day's charges are there; what is done before them proves nothing (L24).\n")
	e.stepsOfDays(line)
	for _, s := range e.sections() {
		line("## ", s.heading, "\n")
		for _, of := range s.items {
			line("- `", of[0], "`: ", of[1])
		}
		line("")
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

func (e *experiment) stepsOfDays(line func(...string)) {
	var payloads []string
	for _, row := range e.Rows {
		if name := payloadName(row.Request); !slices.Contains(payloads, name) {
			payloads = append(payloads, name)
		}
	}
	line("## ", string(appendDay(nil, e.AsOf)), ": create the profiles\n")
	if !e.own {
		line("- Before: put a card number of the integration environment in place of `", placeholder, "`, and make the other columns of the card, the payer and the currency yours. `chargecast validate --as-of ", e.AsOf.String(), "` has no error then.")
	}
	line("- Send each of ", strings.Join(payloads, ", "), " as a request of its own. That one is refused is an answer, too: `none` is what its profile is charged.")
	line("- Each look goes into `look.csv`: every charge since the last look of the profile on a line with its own day and amount; where there was none, `none` as the outcome of the line.\n")
	for _, d := range e.days() {
		line("## ", string(appendDay(nil, d.Date)), "\n")
		for _, s := range d.steps {
			line("- ", s.Line.Profile, ": ", stepInWords(&s))
		}
		if len(d.look) > 0 {
			line("- ", d.lookInWords())
		}
		line("")
	}
	line("## Then\n")
	line("```\nchargecast reconcile --as-of ", e.AsOf.String(), " --through ", e.Through.String(), " --script script.jsonl --actual look.csv \\\n  --save-readings readings.json ", strings.Join(payloads, " "), "\n```\n")
}
