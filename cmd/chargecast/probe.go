package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A probing is the flags of probe.
type probing struct {
	asOf   dayFlag
	row    string
	dir    string
	format *program.Flag[string]
	colour *program.Flag[string]
}

func newProbe(a *app) *cobra.Command {
	q := &probing{asOf: dayFlag{dayOnly: true}}
	c := &cobra.Command{
		Use:   "probe",
		Short: "Plans a test that shows how the gateway behaves",
		Long: `probe plans an experiment in the gateway's integration environment that decides
what the document leaves open: payloads of five rows, what a person does meanwhile,
late in the day, and the days on which to look at what was charged, within 62 days
of --as-of, or 92 if no end of a short month is seen in fewer. --dir writes the
payloads, steps.md for people, script.jsonl, and look.csv to fill in; then
chargecast reconcile says which interpretation is the gateway's. Without --row the
card number is CARD-NUMBER, which is to be replaced.`,
		Example: `  chargecast probe --as-of 2026-01-10
  chargecast probe --as-of 2026-01-10 --row test-card.csv --dir experiment`,
		Args: noArguments,
	}
	c.Flags().Var(&q.asOf, "as-of", "the day on which the payloads are sent (required)")
	c.Flags().StringVar(&q.row, "row", "", "`FILE` with a valid row, for the columns that do not matter")
	c.Flags().StringVar(&q.dir, "dir", "", "write payloads, steps, script and looks to this `DIRECTORY`")
	q.format = program.Output(c, formatTable, "json")
	q.colour = colourFlag(c)
	c.RunE = func(*cobra.Command, []string) error { return q.probe(a) }
	return c
}

func (q *probing) probe(a *app) error {
	if !q.asOf.isSet() {
		return usage("probe needs --as-of, the day on which the payloads are sent", "such as --as-of 2026-01-10")
	}
	x, err := reconcile.Probe(q.asOf.first)
	if err != nil {
		return usage("--as-of: the experiment would end after 9999-12-31", "give a day of this century")
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

// readRow takes the columns that do not matter from the row of --row, or from an example without a
// card number.
func (q *probing) readRow(a *app, e *experiment) error {
	e.row = map[rules.Column]string{}
	if q.row == "" {
		values := exampleRow()
		for s := range rules.Columns() {
			e.row[s.Column] = values[s.Column-1]
		}
		e.row[rules.ColumnCardNumber] = placeholder
		year, _, _ := q.asOf.first.Date()
		e.row[rules.ColumnExpireYear] = strconv.Itoa(max(year+1, 2099))
		return nil
	}
	o := rules.Options{AsOf: q.asOf.first}
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
				a.reportFinding(in.name, f)
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
	cells[rules.ColumnStartDate], cells[rules.ColumnFinishDate] = p.Start.Dotted(), p.Finish.Dotted()
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

// write writes the files to a directory that is not there or has nothing in it: a filled look.csv
// would be lost.
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
