package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A probing is the flags of probe.
type probing struct {
	asOf   program.Flag[calendar.Date]
	keys   program.Flag[[]ledger.Clause]
	days   program.Flag[int64]
	amount program.Flag[amount.Amount]
	row    string
	dir    string
	format *program.Flag[string]
	colour *program.Flag[string]
}

func newProbe(a *app) *cobra.Command {
	q := &probing{asOf: newDate(), days: program.Count()}
	c := &cobra.Command{
		Use:   "probe",
		Short: "Makes the smallest experiment that decides what is open",
		Long: `probe makes an experiment for the gateway's integration environment that decides what the
document leaves open: a payload of few rows, what a person does meanwhile, and the days on
which to look at what was charged. --as-of is the day on which the payloads are sent, and the
first of the --days: it decides which ends of months can be seen.

Every step is done late in the day, once the day's charges are there. A row that some reading
refuses is a request of its own, since a gateway may refuse a request as a whole (L48). Each
key is told by its row alone, whatever the values of the other keys, unless it says otherwise.

--dir writes payload-1.csv and so on, steps.md for people, script.jsonl, and look.csv with a
line for each look, to fill in: at each look every charge since the last one with its own day,
outcome none where there was none, also for a request that was refused. Then chargecast
reconcile says which readings the gateway has. --row takes the columns that do not matter from
a valid row; without it the card number is CARD-NUMBER, to be replaced.`,
		Example: `  chargecast probe --as-of 2026-01-10
  chargecast probe --as-of 2026-01-10 --row test-card.csv --dir experiment
  chargecast probe --as-of 2026-01-10 --keys month-end,max-counts --days 30
  chargecast probe --as-of 2026-01-10 -o json`,
		Args: noArguments,
	}
	c.Flags().Var(&q.asOf, "as-of", "the day on which the payloads are sent (required)")
	q.keys = program.NewFlag("KEY,...", "", nil, parseKeys)
	c.Flags().Var(&q.keys, "keys", "policy keys to decide (default all)")
	c.Flags().Var(&q.days, "days", "in which the experiment is over (default "+strconv.Itoa(reconcile.ProbeDays)+")")
	q.amount = program.NewFlag("AMOUNT", "1.00", amount.Amount{}, parseProbeAmount)
	c.Flags().Var(&q.amount, "amount", "of a charge; a sequence has multiples of it")
	c.Flags().StringVar(&q.row, "row", "", "`FILE` with a valid row, for the columns that do not matter")
	c.Flags().StringVar(&q.dir, "dir", "", "write payloads, steps, script and looks to this `DIRECTORY`")
	q.format = program.Output(c, formatTable, "json")
	q.colour = colourFlag(c)
	c.RunE = func(*cobra.Command, []string) error { return q.probe(a) }
	return c
}

// parseKeys reads policy keys with commas between them.
func parseKeys(s string) (keys []ledger.Clause, err error) {
	var names []string
	for c := range engine.Keys() {
		names = append(names, c.Key())
	}
	for name := range strings.SplitSeq(s, ",") {
		e, ok := entryOf(name)
		switch {
		case !ok || e.Key != name:
			return nil, usage("no such key"+didYouMean(name, names, ""), "use "+strings.Join(names, ", "))
		case slices.Contains(keys, e.Clause):
			return nil, usage(name+" is given twice", "keep one of the two")
		}
		keys = append(keys, e.Clause)
	}
	return keys, nil
}

func parseProbeAmount(s string) (amount.Amount, error) {
	a, err := amount.Parse(s)
	if err != nil || a.IsZero() {
		return a, errors.New("write an amount above zero, such as 1.00")
	}
	return a, nil
}

func (q *probing) probe(a *app) error {
	if q.asOf.V.IsZero() {
		return usage("probe needs --as-of, the day on which the payloads are sent", "such as --as-of 2026-01-10")
	}
	x, err := reconcile.Probe(reconcile.ProbeOptions{AsOf: q.asOf.V, Days: int(q.days.V), Keys: q.keys.V, Amount: q.amount.V})
	if err != nil {
		return usage(strings.TrimPrefix(err.Error(), "reconcile: "), "see: chargecast probe --help")
	}
	e := &experiment{Experiment: x}
	if err := q.readRow(a, e); err != nil {
		return err
	}
	if q.dir != "" {
		if err := e.write(q.dir); err != nil {
			return err
		}
	}
	if q.format.V == "json" {
		a.out.b = e.appendJSON(a.out.b)
	} else {
		a.out.b = e.appendText(a.out.b, a.text(q.colour.V))
	}
	a.out.endLine()
	return nil
}

// An experiment is one with the columns that do not matter.
type experiment struct {
	reconcile.Experiment
	row map[rules.Column]string // empty values are left out
	own bool                    // they are the user's, and are masked
}

// placeholder is what a card number is until somebody puts one there.
const placeholder = "CARD-NUMBER"

// readRow takes the columns that do not matter from the row of --row, or from an example without a card number.
func (q *probing) readRow(a *app, e *experiment) error {
	e.row = map[rules.Column]string{}
	if q.row == "" {
		values := exampleRow()
		for s := range rules.Columns() {
			e.row[s.Column] = values[s.Column-1]
		}
		e.row[rules.ColumnCardNumber] = placeholder
		year, _, _ := q.asOf.V.Date()
		e.row[rules.ColumnExpireYear] = strconv.Itoa(max(year, 2099))
		return nil
	}
	o := rules.Options{AsOf: q.asOf.V}
	in, err := a.openPayload(q.row, &o)
	if err != nil {
		return err
	}
	defer in.close()
	o.File = in.name
	reader := rules.NewReader(in, o)
	var row *rules.Row
	bad := false
	for r, found := range reader.Rows() {
		for _, f := range found {
			if f.Severity == ledger.SeverityError {
				a.tellFinding(in.name, f, "")
				bad = true
			}
		}
		if row == nil {
			row = r
		}
	}
	if err := in.failed(); err != nil {
		return err
	}
	switch sum := reader.Summary(); {
	case sum.Unreadable:
		return &failure{Code: exitUnreadable}
	case bad:
		return errFindings
	case sum.Rows != 1:
		return usage("--row takes a file with one row", "it has "+counted(strconv.Itoa(sum.Rows), "row"))
	case row.Kind != engine.KindSource:
		return usage("--row takes a row that is SRC", "only SRC has a schedule (1)")
	}
	e.own = true
	for s := range rules.Columns() {
		e.row[s.Column] = row.Cell(s.Column).Reveal()
	}
	return nil
}

// cells returns the row of a profile by column.
func (e *experiment) cells(p *engine.Profile) map[rules.Column]string {
	cells := maps.Clone(e.row)
	for _, c := range [...]rules.Column{rules.ColumnAmount, rules.ColumnAmountFrom, rules.ColumnAmountTo, rules.ColumnAmountSequence} {
		cells[c] = ""
	}
	cells[rules.ColumnCardType], cells[rules.ColumnOrderID] = p.Kind.String(), p.ID
	cells[rules.ColumnStartDate], cells[rules.ColumnFinishDate] = dotted(p.Start), dotted(p.Finish)
	cells[rules.ColumnPeriod], cells[rules.ColumnInterval], cells[rules.ColumnMaxRepeatsNumber] = "", "", ""
	if p.Automatic() {
		cells[rules.ColumnPeriod], cells[rules.ColumnInterval] = p.Unit.String(), strconv.Itoa(p.Interval)
	}
	if n, ok := p.MaxRepeats.Value(); ok {
		cells[rules.ColumnMaxRepeatsNumber] = strconv.FormatUint(n, 10)
	}
	if p.Amounts.Kind() == amount.KindSequence {
		cells[rules.ColumnAmountSequence] = amountsOf(p)
	} else {
		cells[rules.ColumnAmount] = amountsOf(p)
	}
	return cells
}

// amountsOf returns the amounts of a profile with commas between them.
func amountsOf(p *engine.Profile) string {
	var texts []string
	for n := range max(1, p.Amounts.Len()) {
		a, _ := p.Amounts.Bounds(uint64(n))
		texts = append(texts, a.String())
	}
	return strings.Join(texts, ",")
}

// dotted is a day as payloads have it; empty for none.
func dotted(d calendar.Date) string {
	if d.IsZero() {
		return ""
	}
	iso := d.String()
	return iso[8:] + "." + iso[5:7] + "." + iso[:4]
}

// A probeFile is one of the files of --dir.
type probeFile struct {
	name string
	mode os.FileMode
	text []byte
}

// files are those of --dir. A payload has card data, and is for nobody else.
func (e *experiment) files() []probeFile {
	var list []probeFile
	columns := e.columns()
	for _, row := range e.Rows {
		name := payloadName(row.Request)
		if n := len(list); n == 0 || list[n-1].name != name {
			var names []string
			for _, c := range columns {
				names = append(names, c.String())
			}
			list = append(list, probeFile{name, 0o600, rules.AppendRecord(nil, names...)})
		}
		var values []string
		for _, c := range columns {
			values = append(values, e.cells(&row.Profile)[c])
		}
		last := &list[len(list)-1]
		last.text = rules.AppendRecord(last.text, values...)
	}
	var script []byte
	for _, step := range e.Steps {
		script, _ = record.AppendScriptLine(script, step.Line) // which has what its verb needs
		script = append(script, '\n')
	}
	look := []byte("profile,date,amount,outcome\n")
	for _, l := range e.Look {
		look = append(look, l.Profile+","+l.Date.String()+",,\n"...)
	}
	return append(list, probeFile{"steps.md", 0o666, e.steps()}, probeFile{"script.jsonl", 0o666, script}, probeFile{"look.csv", 0o666, look})
}

func payloadName(request int) string { return "payload-" + strconv.Itoa(request) + ".csv" }

// columns are those that some row has a value in, in the document's order.
func (e *experiment) columns() []rules.Column {
	var list []rules.Column
	for s := range rules.Columns() {
		if slices.ContainsFunc(e.Rows, func(r reconcile.ProbeRow) bool { return e.cells(&r.Profile)[s.Column] != "" }) {
			list = append(list, s.Column)
		}
	}
	return list
}

// write writes the files to a directory that is not there or has nothing in it: a filled look.csv would be lost.
func (e *experiment) write(dir string) error {
	failed := func(err error) error {
		return internal("--dir: "+quoted(dir)+" cannot be written: "+reason(err), "check the directory")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return failed(err)
	}
	if there, err := os.ReadDir(dir); err != nil {
		return failed(err)
	} else if len(there) > 0 {
		return usage("--dir: "+quoted(dir)+" is not empty", "give a new directory, so that no experiment is mixed with another")
	}
	for _, f := range e.files() {
		file, err := os.OpenFile(filepath.Join(dir, f.name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode)
		if err != nil {
			return failed(err)
		}
		_, err = file.Write(f.text)
		if err := errors.Join(err, file.Close()); err != nil {
			return failed(err)
		}
	}
	return nil
}

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
	Type    string         `json:"type"`
	Schema  string         `json:"schema"`
	AsOf    calendar.Date  `json:"as_of"`
	Days    int            `json:"days"`
	Through *calendar.Date `json:"through"`
	Keys    []string       `json:"keys"`
	Amount  amount.Amount  `json:"amount"`
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
	out := experimentJSON{Header: probeHeaderJSON{
		Type: "header", Schema: "chargecast.probe/1", AsOf: e.AsOf, Days: e.Days, Through: dateOrNull(e.Through), Amount: e.Amount,
	}}
	for _, c := range e.Keys {
		out.Header.Keys = append(out.Header.Keys, c.Key())
	}
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
	switch s.Line.Step.Do {
	case engine.DoStop:
		text = "stop it through the update operation"
	case engine.DoResume:
		text = "resume it in the web UI"
	case engine.DoCharge:
		text = "charge it by hand"
	case engine.DoUpdate:
		cell := s.Line.Cells[0]
		text = "update it: " + cell.Column + " is " + cell.Value + " now"
		if cell.Value == "" {
			text = "update it: remove " + cell.Column
		}
	case engine.DoCreate, engine.DoRun, engine.DoNoRun:
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
	return text + ": --days " + strconv.Itoa(o.Days) + " would tell"
}

// summary is what the experiment takes.
func (e *experiment) summary() string {
	if len(e.Rows) == 0 {
		return "There is nothing to try."
	}
	requests := e.Rows[len(e.Rows)-1].Request
	return counted(strconv.Itoa(len(e.Rows)), "row") + " in " + counted(strconv.Itoa(requests), "request") + ", " +
		counted(strconv.Itoa(len(e.Steps)), "step") + ", over on " + e.Through.String() + " (day " + strconv.Itoa(e.Through.Sub(e.AsOf)+1) + " of " + strconv.Itoa(e.Days) + ")"
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
	if len(e.Rows) > 0 {
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
		heading("What it decides")
		for _, d := range e.Decides {
			item(d.Key.Key(), apartInWords(&d)+" ("+d.Profile+", "+d.Date.String()+")")
		}
	}
	if len(e.Open) > 0 {
		heading("What stays open")
		for _, o := range e.Open {
			item(o.Key.Key(), openInWords(&o))
		}
	}
	if len(e.Undecidable) > 0 {
		heading("What no experiment decides")
		for _, u := range e.Undecidable {
			item(u.Key.Key(), u.Why)
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
	if len(e.Rows) > 0 {
		e.stepsOfDays(line)
		line("## What it decides\n")
		for _, d := range e.Decides {
			line("- `", d.Key.Key(), "`: ", apartInWords(&d), " (", d.Profile, ", ", d.Date.String(), ")")
		}
		line("")
	}
	if len(e.Open) > 0 {
		line("## What stays open\n")
		for _, o := range e.Open {
			line("- `", o.Key.Key(), "`: ", openInWords(&o))
		}
		line("")
	}
	if len(e.Undecidable) > 0 {
		line("## What no experiment decides\n")
		for _, u := range e.Undecidable {
			line("- `", u.Key.Key(), "`: ", u.Why)
		}
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
