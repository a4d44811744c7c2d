package main

import (
	"cmp"
	"errors"
	"iter"
	"maps"
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
	asOf    dayFlag
	through dayFlag
	lag     program.Flag[int64]
	script  string
	policy  *policyFlag
	save    string
	format  *program.Flag[string]
	colour  *program.Flag[string]

	actual         []string
	columns        columnsFlag
	outcomes       outcomesFlag
	forms          exportform.Forms
	encoding       encodingFlag
	skip, skipLast program.Flag[int64]
	ignoreOthers   bool
}

// A columnsFlag is --columns.
type columnsFlag struct{ renames }

func (f *columnsFlag) Set(s string) error { return f.setColumns(s) }
func (*columnsFlag) Type() string         { return "COLUMN=NAME,..." }
func (*columnsFlag) Repeats()             {}

// An outcomesFlag is --outcomes: other words, in lower case, for outcomes.
type outcomesFlag map[string]record.ActualOutcome

func (f *outcomesFlag) Set(s string) error {
	for one := range strings.SplitSeq(s, ",") {
		word, outcome, ok := strings.Cut(one, "=")
		word = strings.ToLower(strings.TrimSpace(word))
		var of record.ActualOutcome
		if !ok || word == "" || outcome == "" || of.UnmarshalText([]byte(strings.TrimSpace(outcome))) != nil {
			return errors.New("write it as WORD=OUTCOME,..., with approved, declined or none")
		}
		if other, ok := (*f)[word]; ok && other != of {
			return errors.New("one word is given two outcomes, and only one can count")
		}
		if new(record.ActualOutcome).UnmarshalText([]byte(word)) == nil && word != of.String() {
			return errors.New("approved, declined and none mean themselves")
		}
		if *f == nil {
			*f = outcomesFlag{}
		}
		(*f)[word] = of
	}
	return nil
}

func (f *outcomesFlag) String() string {
	var list []string
	for _, word := range slices.Sorted(maps.Keys(*f)) {
		list = append(list, word+"="+(*f)[word].String())
	}
	return strings.Join(list, ",")
}

func (*outcomesFlag) Type() string { return "WORD=OUTCOME,..." }
func (*outcomesFlag) Repeats()     {}

func newReconcile(a *app) *cobra.Command {
	q := new(reconciling)
	c := &cobra.Command{
		Use:   "reconcile --actual FILE... [FILE]...",
		Short: "Compares actual charges with the forecast",
		Long: `reconcile compares the actual charges with the forecast, and says which
interpretations of what the document leaves open they prove. --actual is CSV or
JSON lines with profile, date and amount, and perhaps currency, outcome (approved,
declined, or none for a day without a charge), created and id.

A profile that has a line with a problem proves nothing; a problem in a line that
names no profile keeps all of them from it. --ignore-others counts a line without a
profile as other, and one of a strange profile without an amount. The exit code is
1 when a line has a problem or anything is not matched.`,
		Example: `  chargecast reconcile --as-of 2026-01-10 --through 2026-06-30 \
    --actual charges.csv payload.csv
  chargecast reconcile --as-of 2026-01-10 --through 2026-06-30 --lag 3 \
    --columns profile=Zweck,date=Tag --actual bank.csv payload.csv`,
	}
	f := c.Flags()
	f.StringArrayVar(&q.actual, "actual", nil, "`FILE` of the actual charges; may be repeated")
	f.Var(&q.through, "through", "the day up to which --actual is complete")
	q.through.dayOnly = true
	q.asOf.dayOnly = true
	f.Var(&q.asOf, "as-of", "day of creation of the profiles that lack one")
	q.lag = program.Number(0, 36_600)
	f.Var(&q.lag, "lag", "a charge may be up to `N` days late (default 0)")
	f.Var(&q.columns, "columns", "names of the columns, such as date='Value date'")
	f.Var(&q.outcomes, "outcomes", "such as succeeded=approved; a refund is approved")
	q.skip, q.skipLast = program.Number(0, 10_000), program.Number(0, reconcile.MaxSkipLast)
	f.Var(&q.skip, "skip", "leave out `N` lines before the header")
	f.Var(&q.skipLast, "skip-last", "leave out the last `N` lines")
	f.BoolVar(&q.ignoreOthers, "ignore-others", false, "count lines that are not about profiles as other")
	formsVar(c, &q.forms)
	f.Var(&q.encoding, "encoding", "text encoding, a `NAME` such as windows-1252")
	f.StringVar(&q.script, "script", "", "`FILE` with events, JSON lines as for simulate")
	f.StringVar(&q.save, "save-readings", "", "write what the charges have shown to `FILE`")
	q.selection.register(c)
	q.policy = policyVar(c)
	readingsVar(c, q.policy)
	q.format = program.Output(c, formatTable, "json", "ndjson")
	q.colour = colourFlag(c)
	c.RunE = func(_ *cobra.Command, args []string) error { return q.run(a, arguments(args)) }
	return c
}

// header checks the flags and returns the header of the output.
func (q *reconciling) header(a *app) (*header, error) {
	a.log.quiet = q.quiet
	h := q.newHeader(record.Header{Schema: record.SchemaReconcile, AsOf: q.asOf.first, Lag: int(q.lag.V)})
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
	}
	var err error
	if h.Until, err = q.through.lastDay("through", h.AsOf); err != nil {
		return nil, err
	}
	if h.Until.Before(h.AsOf) {
		return nil, usage("--through lies before the as-of date", "as of "+h.AsOf.String()+", through "+h.Until.String())
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
	if book.files, err = a.openAgain(paths, false); err != nil {
		return err
	}
	asOf := h.AsOf
	if asOf.IsZero() {
		asOf = calendar.MaxDate() // a profile without a day is a problem of its own
	}
	if book.saved, err = q.readStates(a, asOf, h.Policy); err != nil {
		return err
	}
	actuals := &actualLines{app: a, log: lineLog{log: a.log}, paths: q.actual, payload: book.files[0].name}
	actuals.options = reconcile.ReadOptions{
		Forms: q.forms, Names: map[string]string{}, Outcomes: q.outcomes, Skip: int(q.skip.V), SkipLast: int(q.skipLast.V),
	}
	for _, r := range q.columns.renames {
		actuals.options.Names[r.Name] = r.Column
	}
	actuals.decode = q.encoding.of
	o := reconcile.Options{
		AsOf: h.AsOf, Through: h.Until, Lag: h.Lag, Policy: h.Policy, Wants: book.selector.wants, IgnoreOthers: q.ignoreOthers, Report: actuals.report,
	}
	for c := range q.policy.named.All() {
		o.Given = append(o.Given, c)
	}
	for r := range h.Observed.All() {
		if !slices.Contains(o.Given, r.Key) {
			o.Given = append(o.Given, r.Key)
		}
	}
	w := &reconcileOutput{book: book}
	result, err := reconcile.Match(book.all(), actuals.all(), o, w)
	book.saved.finish()
	if err == nil {
		_ = w.Close()
		err = a.out.err
	}
	actuals.finish()
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

// bookRows are the rows of a payload, as often as they are read. Only the first reading says what
// is wrong with them.
type bookRows struct {
	*reconciling
	app      *app
	header   *header
	files    []rereadable
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
		options := b.options(b.header.AsOf, b.header.Until, engine.Policy{}, b.saved)
		if options.AsOf.IsZero() { // each profile has a day of its own, and none is in the past
			options.AsOf, options.Horizon = calendar.MinDate(), calendar.Date{}
		}
		for _, f := range b.files {
			more, err := b.file(f, r, saved, options, again, yield)
			if err != nil {
				yield(nil, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// file yields the rows of one file that count, and reports whether more are wanted. The error is
// one of the file as a whole, or of the output.
func (b *bookRows) file(f rereadable, r *rows, saved *book.States, o rules.Options, again bool, yield func(*reconcile.Row, error) bool) (more bool, err error) {
	in, err := f.payload(b.app, o)
	if err != nil {
		return false, err
	}
	defer in.close()
	name := ""
	if len(b.files) > 1 {
		name = typed(f.path)
	}
	r.open(in.input, name, in.options)
	var out reconcile.Row
	for row := range r.Profiles() {
		if lost := b.app.out.err; lost != nil {
			return false, lost
		}
		if !b.usable(row, saved, again) {
			continue
		}
		out = reconcile.Row{Subject: subjectOf(row), ID: row.OrderID(), Stored: row.Stored, Script: b.script.Of(row.OrderID())}
		if !yield(&out, nil) {
			return false, nil
		}
	}
	if b.header.Input = ""; len(b.files) == 1 {
		b.header.Input = r.Payload().Summary().Input.String()
	}
	return true, r.endOfFile(in.input)
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
func (b *bookRows) bad() bool { return b.first.hasError || b.saved.findings.errors > 0 }

// finish reports what is left to say of the rows, with the error that ended the match.
func (b *bookRows) finish(ended error) error {
	if b.first == nil {
		return ended
	}
	return b.first.finish(ended)
}

// actualLines are the lines of --actual.
type actualLines struct {
	app     *app
	log     lineLog
	paths   []string
	payload string // the file in findings about rows, unless these name one
	options reconcile.ReadOptions
	decode  encoding.Encoding // nil: not given
	kept    int               // bytes of memory that its lines take

	outcomes []outcomeWord // unknown ones
	outcome  string        // the place of the first
}

// An outcomeWord is a word in the column of outcomes that means none of them.
type outcomeWord struct {
	text  string // empty for all that are not shown
	times int
}

// mostOutcomes is how many of them are shown.
const mostOutcomes = 10

// unknownOutcome counts the word of a line, which is reported with the others once all are read.
func (l *actualLines) unknownOutcome(f ledger.Finding) {
	if l.log.errors++; l.outcome == "" {
		l.outcome = cmp.Or(f.Place.File, nameOf(l.paths[0])) + ":" + strconv.Itoa(f.Place.Line) + ":" + strconv.Itoa(f.Place.Col)
	}
	word := string(f.Hint)
	at := slices.IndexFunc(l.outcomes, func(o outcomeWord) bool { return o.text == word })
	if at < 0 && len(l.outcomes) >= mostOutcomes {
		word = ""
		at = slices.IndexFunc(l.outcomes, func(o outcomeWord) bool { return o.text == "" })
	}
	if at < 0 {
		at = len(l.outcomes)
		l.outcomes = append(l.outcomes, outcomeWord{text: word})
	}
	l.outcomes[at].times++
}

// finish reports what is said once.
func (l *actualLines) finish() {
	l.log.finish()
	if len(l.outcomes) == 0 {
		return
	}
	slices.SortStableFunc(l.outcomes, func(a, b outcomeWord) int {
		if (a.text == "") != (b.text == "") {
			return strings.Compare(b.text, a.text) // the others come last
		}
		return b.times - a.times
	})
	var list []string
	for _, o := range l.outcomes {
		list = append(list, cmp.Or(visible(o.text), "others, not shown")+" ("+strconv.Itoa(o.times)+")")
	}
	help := "WORD=approved,…"
	if word := l.outcomes[0].text; word != "" {
		help = program.ShellWord(word+"=approved") + ",…"
	}
	l.log.log.line(l.outcome + ": error: " + string(reconcile.ActualOutcome) + ": unknown outcomes: " + strings.Join(list, ", ") + "; --outcomes " + help)
}

// report reports a finding about a line, or about a row.
func (l *actualLines) report(err error) {
	f := inCommand(err.(ledger.Finding)) // as Match says
	if f.Code == reconcile.ActualOutcome {
		l.unknownOutcome(f)
		return
	}
	switch l.log.file = f.Place.File; {
	case f.Place.Line == 0: // about a row
		l.log.file = cmp.Or(f.Place.File, l.payload)
		f.Message = "row " + strconv.Itoa(f.Place.Row) + ": " + f.Message
	case l.log.file == "": // the only one
		l.log.file = nameOf(l.paths[0])
	}
	f.Place.File = ""
	l.log.report(f)
}

// all yields the lines of all files. One that cannot be read as charges ends it: it must not mean
// that nothing was charged.
func (l *actualLines) all() iter.Seq2[*reconcile.Actual, error] {
	return func(yield func(*reconcile.Actual, error) bool) {
		for _, path := range l.paths {
			in, err := l.app.open(path)
			if err != nil {
				yield(nil, err)
				return
			}
			more, err := l.file(in, path, yield)
			if failed := in.failed(); failed != nil {
				err = failed
			}
			in.close()
			if err != nil {
				yield(nil, err)
			}
			if !more || err != nil {
				return
			}
		}
	}
}

// file yields the lines of one file, and reports whether more are wanted. The error is one of the
// file as a whole.
func (l *actualLines) file(in *input, path string, yield func(*reconcile.Actual, error) bool) (bool, error) {
	o := l.options
	if len(l.paths) > 1 {
		o.File = typed(path)
	}
	fallback := encoding.Nop
	if l.decode != nil {
		fallback = l.decode
	}
	for a, err := range reconcile.Actuals(transform.NewReader(in, unicode.BOMOverride(fallback.NewDecoder())), o) {
		_, isFinding := err.(ledger.Finding)
		switch {
		case errors.Is(err, reconcile.ActualEmpty), errors.Is(err, reconcile.ActualHeader):
			l.report(err)
			return false, errFindings
		case err != nil && !isFinding:
			return false, unreadable(in.name+": cannot be read", "")
		case err == nil && !in.isFile():
			if l.kept += lineBytes + len(a.Profile) + len(a.ID); l.kept > maxLines {
				return false, unreadable(in.name+": its lines take more than "+strconv.Itoa(maxLines)+" bytes of memory ("+limitBytes+")", "give a file")
			}
		}
		if !yield(a, err) {
			return false, nil
		}
	}
	return true, nil
}

// lineBytes is the memory that a line takes besides its texts: 48 bytes, and the places of an id
// and of an unknown profile.
const lineBytes = 80

// maxLines is the memory that the lines of all pipes may take.
const maxLines = 4 * maxKept

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

// A reconcileOutput is a [reconcile.Writer] of the command: it masks what may be anything.
type reconcileOutput struct {
	book *bookRows
	reconcileWriter
}

// A reconcileWriter is a form of the output.
type reconcileWriter interface {
	record.WriteCloser
	Start(p record.Profile)
	Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error
}

// Begin implements [reconcile.Writer].
func (w *reconcileOutput) Begin(r reconcile.Result) {
	q, a := w.book.reconciling, w.book.app
	w.book.header.Policy, w.book.header.Observed = r.Policy, r.Readings()
	h := w.book.header.Header
	if format := q.format.V; format != formatTable {
		w.reconcileWriter = record.NewWriter(a.out, h, recordOptions(a, format, false))
		return
	}
	o := report.Options{Width: a.width(), Color: a.colourful(q.colour.V), Buffer: a.out.limit}
	w.reconcileWriter = report.NewReconcileWriter(a.out, h, r.Summary, o)
}

// Reconcile implements [reconcile.Writer].
func (w *reconcileOutput) Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error {
	return w.reconcileWriter.Reconcile(kind, expected, book.MaskActual(actual))
}

// Write implements [reconcile.Writer].
func (w *reconcileOutput) Write(r record.Record) error {
	switch of := r.(type) {
	case record.Reconciled:
		r = book.MaskUnknown(of)
	case record.ReconcileSummary:
		of.LeftOut += w.book.first.LeftOut
		r = of
	default:
	}
	return w.reconcileWriter.Write(r)
}
