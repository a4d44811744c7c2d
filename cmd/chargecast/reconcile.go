package main

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
)

// A reconciling is the flags of reconcile.
type reconciling struct {
	selection
	asOf    program.Flag[calendar.Date]
	through dayFlag
	lag     program.Flag[int64]
	script  string
	policy  *policyFlag
	save    string
	format  *program.Flag[string]
	csv     *program.Flag[string]
	colour  *program.Flag[string]
	width   program.Flag[int64]

	actual   []string
	columns  columnsFlag
	forms    exportform.Forms
	encoding encodingFlag
}

// A columnsFlag is --columns.
type columnsFlag struct{ renames }

func (f *columnsFlag) Set(s string) error { return f.setColumns(s) }
func (*columnsFlag) Type() string         { return "COLUMN=NAME,..." }
func (*columnsFlag) Repeats()             {}

func newReconcile(a *app) *cobra.Command {
	q := new(reconciling)
	c := &cobra.Command{
		Use:   "reconcile --actual FILE... [FILE]...",
		Short: "Sets charges that took place against the forecast, and what they prove",
		Long: `reconcile sets charges that took place against those that the profiles of a payload were
to make, and says which readings of what the document leaves open they prove.

--actual is CSV with a header (separated by ; , or tab) or JSON lines with profile, date and
amount, and perhaps currency, outcome (approved, declined, or none for a day on which one
looked and nothing was charged), created (the day of the profile's creation) and id. Other
columns are ignored; --columns says what they are called. --through is the day up to which
the actual charges are complete.

Each charge and each line is matched, late (within --lag days), of another amount, missing,
extra, or unknown: of no profile, in another currency, a refund. A reading is observed where
some profile's lines agree with no other one and none speaks against it. The records are
those under --policy, else what was observed, else the defaults; --save-readings keeps what
was observed for --readings of other commands.

The exit code is 1 when anything is but matched or late. Files with their profiles in one
order need little memory; else the actual charges are kept, and so is what comes from a pipe.`,
		Example: `  chargecast reconcile --as-of 2026-01-10 --through 2026-06-30 --actual charges.csv payload.csv
  chargecast reconcile --through 2026-06-30 --lag 3 --actual bank.csv --encoding windows-1252 \
      --columns profile=Verwendungszweck,date=Buchungstag,amount=Betrag --decimal comma payload.csv
  chargecast reconcile --through 2026-06-30 --actual charges.csv --save-readings shown.json payload.csv`,
	}
	f := c.Flags()
	f.StringArrayVar(&q.actual, "actual", nil, "`FILE` with charges that took place; may be repeated")
	f.Var(&q.through, "through", "the day up to which --actual is complete")
	q.through.dayOnly = true
	q.asOf = newDate()
	f.Var(&q.asOf, "as-of", "the day on which profiles were created whose lines do not say it")
	q.lag = program.Number(0, 36_600)
	f.Var(&q.lag, "lag", "a charge may be up to `N` days late (default 0)")
	f.Var(&q.columns, "columns", "what columns of --actual are called, such as date='Value date'")
	f.TextVar(&q.forms.Dates, "dates", exportform.Dates(0), "`ORDER` of day, month and year in --actual: dmy, mdy or ymd")
	f.TextVar(&q.forms.Century, "century", exportform.Century(0), "first two digits of years that have two, such as `20`")
	f.TextVar(&q.forms.Decimal, "decimal", exportform.Decimal(0), "`MARK` before decimals in --actual, comma or point")
	f.Var(&q.encoding, "encoding", "encoding of --actual, a `NAME` of the web such as windows-1252")
	f.StringVar(&q.script, "script", "", "`FILE` with what happened to the profiles, JSON lines as for simulate")
	f.StringVar(&q.save, "save-readings", "", "write what was observed to this `FILE`, for --readings")
	q.selection.register(c)
	q.policy = policyVar(c)
	readingsVar(c, q.policy)
	q.format = program.Output(c, formatTable, "json", "ndjson", "csv", formatHTML)
	q.csv = csvFlag(c)
	q.colour = colourFlag(c)
	widthVar(c, &q.width)
	c.RunE = func(_ *cobra.Command, args []string) error { return q.run(a, arguments(args)) }
	return c
}

// header settles what is asked.
func (q *reconciling) header(a *app) (*header, error) {
	a.log.quiet = q.quiet
	h := &header{schema: record.SchemaReconcile, asOf: q.asOf.V, lag: int(q.lag.V), profiles: q.profiles, excluded: q.excluded}
	if err := q.policy.settle(a, h); err != nil {
		return nil, err
	}
	switch {
	case len(q.actual) == 0:
		return nil, usage("--actual is missing", "give the file of the charges that took place")
	case !q.through.isSet():
		return nil, usage("--through is missing", "give the day up to which the actual charges are complete")
	case q.save == "-":
		return nil, usage("--save-readings: stdout is for the records", "give a file")
	case csvUnused(q.csv, q.format):
		return nil, errCSVUnused
	}
	var err error
	if h.until, err = q.through.lastDay("through", h.asOf); err != nil {
		return nil, err
	}
	if h.until.Before(h.asOf) {
		return nil, usage("--through lies before the as-of date", "as of "+h.asOf.String()+", through "+h.until.String())
	}
	for _, r := range q.columns.renames {
		if !slices.Contains(reconcile.Columns(), r.Column) {
			return nil, usage("--columns: what is before the equals sign is not a column"+didYouMean(r.Column, reconcile.Columns(), ""), "use "+strings.Join(reconcile.Columns(), ", "))
		}
	}
	return h, nil
}

// run reconciles.
func (q *reconciling) run(a *app, paths []string) error {
	h, err := q.header(a)
	if err != nil {
		return err
	}
	if err := oneStdin(slices.Concat(paths, q.actual, q.states, []string{q.script, q.policy.readings})...); err != nil {
		return err
	}
	if err := overwrites("--save-readings", q.save, slices.Concat(paths, q.actual, q.states, []string{q.script, q.policy.readings})...); err != nil {
		return err
	}
	scriptHeader := *h
	events, err := readScript(a, q.script, nil, &scriptHeader)
	if err != nil {
		return err
	}
	book := &bookRows{reconciling: q, app: a, header: h, script: events, selector: newSelector(q.profiles, q.excluded)}
	if book.files, err = a.openAgain(paths); err != nil {
		return err
	}
	asOf := h.asOf
	if asOf.IsZero() {
		asOf = calendar.MaxDate() // a profile without a day is a problem of its own
	}
	if book.saved, err = q.readStates(a, asOf, h.policy); err != nil {
		return err
	}
	actuals := &actualLines{app: a, log: lineLog{log: a.log}, several: len(q.actual) > 1, payload: book.files[0].name}
	actuals.options = reconcile.ReadOptions{Forms: q.forms, Names: map[string]string{}}
	for _, r := range q.columns.renames {
		actuals.options.Names[r.Name] = r.Column
	}
	actuals.decode = q.encoding.of
	if actuals.files, err = a.openAgain(q.actual); err != nil {
		return err
	}
	o := reconcile.Options{
		AsOf: h.asOf, Through: h.until, Lag: h.lag, Policy: h.policy, Wants: book.selector.wants, Report: actuals.report,
		Kept: func() {
			a.log.line("chargecast: note: the actual charges are not in the order of the payload's profiles, and are kept in memory")
		},
	}
	for c := range q.policy.named.All() {
		o.Given = append(o.Given, c)
	}
	for r := range h.observed.All() {
		if !slices.Contains(o.Given, r.Key) {
			o.Given = append(o.Given, r.Key)
		}
	}
	w := &reconcileOutput{book: book}
	result, err := reconcile.Match(book.all(), actuals.all(), o, w)
	book.saved.finish()
	if err == nil {
		err = w.close()
	}
	actuals.log.finish()
	ended := book.finish(err)
	switch {
	case ended == nil:
		events.finish()
	case !errors.Is(ended, errFindings):
		return ended
	}
	if failed := q.saveReadings(a, result.Readings()); failed != nil {
		return failed
	}
	if ended != nil || !result.Summary.Agrees() || book.bad() || actuals.log.errors > 0 || events.findings.errors > 0 {
		return errFindings
	}
	return nil
}

// bookRows are the rows of a payload, as often as they are read. Only the first reading says what is wrong with them.
type bookRows struct {
	*reconciling
	app      *app
	header   *header
	files    []againFile
	saved    *states
	script   *script
	selector *selector
	first    *rows           // the first reading
	unusable map[string]bool // rows whose state cannot be used
}

// all yields the rows that count.
func (b *bookRows) all() iter.Seq2[*reconcile.Row, error] {
	return func(yield func(*reconcile.Row, error) bool) {
		again := b.first != nil
		r, saved := newRows(b.app, b.selector), b.saved.States
		if again {
			r.Report, r.Each = func(ledger.Finding) {}, nil
			saved = saved.Fresh(func(ledger.Finding) bool { return true })
		} else {
			r.advise = b.format.V == formatTable
			b.first, b.unusable = r, map[string]bool{}
		}
		options := b.options(b.header.asOf, b.header.until, engine.Policy{}, b.saved)
		if options.AsOf.IsZero() { // each profile has a day of its own, and none is in the past
			options.AsOf, options.Horizon = calendar.MinDate(), calendar.Date{}
		}
		var out reconcile.Row
		for _, f := range b.files {
			in, form, err := f.payload(b.app, options)
			if err != nil {
				yield(nil, err)
				return
			}
			name := ""
			if len(b.files) > 1 {
				name = typed(f.path)
			}
			r.open(in, name, form)
			stopped := false
			for row := range r.Profiles() {
				if lost := b.app.out.err; lost != nil {
					in.close()
					yield(nil, lost)
					return
				}
				if !b.usable(row, saved, again) {
					continue
				}
				out = reconcile.Row{Subject: subjectOf(row), ID: row.OrderID(), Stored: row.Stored, Script: b.script.Of(row.OrderID())}
				if stopped = !yield(&out, nil); stopped {
					break
				}
			}
			if stopped {
				in.close()
				return
			}
			if b.header.input = ""; len(b.files) == 1 {
				b.header.input = r.Payload().Summary().Input.String()
			}
			err = r.endOfFile(in)
			in.close()
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// usable joins a row with its state, and reports whether the row counts.
func (b *bookRows) usable(row *book.Profile, saved *book.States, again bool) bool {
	if row.Left {
		if !again {
			saved.Skip(row.OrderID())
			b.script.Skip(row.OrderID())
		}
		return false
	}
	state, ok := saved.Of(row)
	if row.Stored.State = state; !ok && !row.Repeated {
		b.unusable[strings.Clone(row.OrderID())] = true
		if !again {
			b.first.LeftOut++
		}
	}
	if b.unusable[row.OrderID()] {
		return false
	}
	if !again {
		b.first.unsent.count(row, b.first.log.file)
	}
	return true
}

// bad reports whether there was an error in a row or its state.
func (b *bookRows) bad() bool { return b.first.bad || b.saved.findings.errors > 0 }

// finish reports what is left to say of the rows, with the error that ended the match.
func (b *bookRows) finish(ended error) error {
	if b.first == nil {
		return ended
	}
	return b.first.finish(ended)
}

// actualLines are the lines of --actual, as often as they are read.
type actualLines struct {
	app     *app
	log     lineLog
	files   []againFile
	payload string // what findings about rows have as their file, where there is one
	several bool
	options reconcile.ReadOptions
	decode  encoding.Encoding // nil: not said
}

// report reports a finding about a line, or about a row.
func (l *actualLines) report(err error) {
	f := err.(ledger.Finding) // as Match says
	switch l.log.file = f.Place.File; {
	case f.Place.Line == 0: // about a row
		l.log.file = cmp.Or(f.Place.File, l.payload)
		f.Message = "row " + strconv.Itoa(f.Place.Row) + ": " + f.Message
	case l.log.file == "": // the only one
		l.log.file = l.files[0].name
	}
	f.Place.File = ""
	l.log.report(f)
}

// A batch is lines that are read ahead, each with its error.
type batch struct {
	lines  []reconcile.Actual
	errors []error
}

// The lines of a batch, and how many batches may wait.
const (
	batchLines = 512
	mostAhead  = 4
)

// all yields the lines of all files. They are read ahead while what was read is matched.
func (l *actualLines) all() iter.Seq2[*reconcile.Actual, error] {
	return func(yield func(*reconcile.Actual, error) bool) {
		full, free, enough := make(chan batch, mostAhead), make(chan batch, mostAhead), make(chan struct{})
		go l.readAhead(full, free, enough)
		defer func() {
			close(enough)
			for range full { // until the files are closed
			}
		}()
		for b := range full {
			for i, err := range b.errors {
				if errors.Is(err, reconcile.ActualEmpty) || errors.Is(err, reconcile.ActualHeader) {
					l.report(err) // the file cannot be read as charges, so it must not mean that nothing was charged
					yield(nil, errFindings)
					return
				}
				if !yield(&b.lines[i], err) {
					return
				}
			}
			select {
			case free <- b:
			default:
			}
		}
	}
}

// readAhead sends the lines in batches until there are enough.
func (l *actualLines) readAhead(full chan<- batch, free <-chan batch, enough <-chan struct{}) {
	defer close(full)
	var b batch
	send := func() bool {
		select {
		case <-enough:
			return false
		case full <- b:
		}
		select {
		case b = <-free:
			b.lines, b.errors = b.lines[:0], b.errors[:0]
		default:
			b = batch{}
		}
		return true
	}
	for a, err := range l.read() {
		if a == nil {
			a = new(reconcile.Actual)
		}
		b.lines, b.errors = append(b.lines, *a), append(b.errors, err)
		if len(b.lines) == batchLines && !send() {
			return
		}
	}
	if len(b.lines) > 0 {
		send()
	}
}

// read yields the lines of all files.
func (l *actualLines) read() iter.Seq2[*reconcile.Actual, error] {
	return func(yield func(*reconcile.Actual, error) bool) {
		for _, f := range l.files {
			in, err := f.open(l.app)
			if err != nil {
				yield(nil, err)
				return
			}
			more, err := l.file(in, f.path, yield)
			failed := in.failed()
			in.close()
			switch {
			case !more:
				return
			case failed != nil:
				yield(nil, failed)
				return
			case err != nil:
				yield(nil, unreadable(in.name+": cannot be read", ""))
				return
			}
		}
	}
}

// file yields the lines of one file, and reports whether more are wanted. The error is that of the source.
func (l *actualLines) file(in *input, path string, yield func(*reconcile.Actual, error) bool) (bool, error) {
	o := l.options
	if o.File = in.name; l.several {
		o.File = typed(path)
	}
	fallback := encoding.Nop
	if l.decode != nil {
		fallback = l.decode
	}
	text := transform.NewReader(in, unicode.BOMOverride(fallback.NewDecoder()))
	r := reconcile.NewReader(text, o)
	var a reconcile.Actual
	for {
		err := r.Read(&a)
		if err == io.EOF {
			return true, nil
		}
		if _, ok := err.(ledger.Finding); err != nil && !ok {
			return true, err
		}
		if !l.several {
			a.File = ""
		}
		if !yield(&a, err) {
			return false, nil
		}
	}
}

// An againFile is a file that is read several times: what can be read only once is kept.
type againFile struct {
	path string
	name string
	kept []byte // nil for a file
}

// maxPiped is how much is kept of what can be read only once.
const maxPiped = 256 << 20

// openAgain looks at files, and keeps what can be read only once.
func (a *app) openAgain(paths []string) (files []againFile, err error) {
	for _, path := range paths {
		in, err := a.openText(path)
		if err != nil {
			return nil, err
		}
		f := againFile{path: path, name: in.name}
		if !in.isFile() {
			a.log.line(in.name + ": note: this can be read only once, and is kept in memory")
			f.kept, err = in.readAll(maxPiped, limitBytes, "give a file")
		}
		in.close()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// open opens the file from its beginning.
func (f againFile) open(a *app) (*input, error) {
	if f.kept == nil {
		return a.openText(f.path)
	}
	return &input{name: f.name, file: bytes.NewReader(f.kept)}, nil
}

// payload opens the file as a payload, with the options that fit its form.
func (f againFile) payload(a *app, o rules.Options) (*input, rules.Options, error) {
	if f.kept == nil {
		in, err := a.openPayload(f.path, &o)
		return in, o, err
	}
	in, err := (&input{name: f.name, file: bytes.NewReader(f.kept)}).asPayload(&o)
	return in, o, err
}

// saveReadings writes what was observed.
func (q *reconciling) saveReadings(a *app, r record.Readings) error {
	if q.save == "" {
		return nil
	}
	text, err := record.AppendReadings(nil, r)
	if err != nil {
		return internal("--save-readings: "+err.Error(), "")
	}
	return a.replaceFile("--save-readings", q.save, text)
}

// A reconcileOutput writes what a match finds.
type reconcileOutput struct {
	book    *bookRows
	id      string
	records *record.Writer // one of the two
	people  *report.ReconcileWriter
}

// Begin implements [reconcile.Writer].
func (w *reconcileOutput) Begin(policy engine.Policy, observed record.Readings) {
	q, a := w.book.reconciling, w.book.app
	w.book.header.policy, w.book.header.observed = policy, observed
	h := w.book.header.record()
	if format := q.format.V; format == "json" || format == "ndjson" {
		w.records = record.NewWriter(a.out, h, recordOptions(a, format, false))
		return
	}
	o := report.Options{Width: a.width(q.width.V), Color: a.colourful(q.colour.V), Excel: q.csv.V == csvExcel, Buffer: a.out.limit}
	_ = o.Form.UnmarshalText([]byte(q.format.V)) // a word of the flag
	w.people = report.NewReconcileWriter(a.out, h, o)
}

// Profile implements [reconcile.Writer].
func (w *reconcileOutput) Profile(s record.Subject) {
	w.id = s.Profile
	if w.records != nil {
		w.records.Start(s)
		return
	}
	w.people.Profile(s)
}

// Reconciled implements [reconcile.Writer].
func (w *reconcileOutput) Reconciled(kind record.Match, expected *engine.Charge, actual *record.Actual) {
	if actual != nil && actual.ID != "" {
		actual.ID = rules.Mask(0, actual.ID)
	}
	if w.records != nil {
		_ = w.records.Reconcile(kind, expected, actual)
		return
	}
	w.people.Reconciled(kind, expected, actual)
}

// Write implements [reconcile.Writer].
func (w *reconcileOutput) Write(r record.Record) {
	switch of := r.(type) {
	case record.Reconciled: // of a profile that nobody knows: its name may be anything
		of.Profile, of.Actual.ID = rules.Mask(0, of.Profile), rules.Mask(0, of.Actual.ID)
		r = of
	case record.ReconcileSummary:
		of.LeftOut += w.book.first.LeftOut
		r = of
	default:
	}
	if w.records != nil {
		_ = w.records.Write(r)
		return
	}
	w.people.Write(r)
}

// close writes what is collected.
func (w *reconcileOutput) close() error {
	if w.records != nil {
		_ = w.records.Close()
	} else {
		_ = w.people.Close()
	}
	return w.book.app.out.err
}
