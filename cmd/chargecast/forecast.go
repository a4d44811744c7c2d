package main

import (
	"errors"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
)

// forecastFlags are the flags that forecast and simulate share.
type forecastFlags struct {
	today
	horizon
	selection
	save    string
	policy  *policyFlag
	by      *program.Flag[string]
	explain bool
	format  *program.Flag[string]
	csv     *program.Flag[string]
	colour  *program.Flag[string]

	quantiles percentsFlag // of forecast
}

// register adds the flags of both commands.
func (q *forecastFlags) register(c *cobra.Command) {
	q.horizon.register(c)
	q.horizon.registerFrom(c)
	q.today.register(c)
	q.selection.register(c)
	c.Flags().StringVar(&q.save, "save-state", "", "write the states after the last day to `FILE`, for --state")
	q.policy = policyVar(c)
	readingsVar(c, q.policy)
	q.by = program.OneOf("charge", "day", "week", "month", "quarter", "weekday", "profile")
	c.Flags().Var(q.by, "by", "`UNIT`: charge, day, week, month, quarter, weekday, profile")
	c.Flags().Lookup("by").DefValue = "" // said in the text
	c.Flags().BoolVar(&q.explain, "explain", false, "add the clauses that each result depends on")
	q.format = program.Output(c, formatTable, "json", "ndjson", "csv", formatICS, formatHTML)
	q.csv = csvFlag(c)
	q.colour = colourFlag(c)
}

// header checks the flags and returns the header of the output.
func (q *forecastFlags) header(a *app, schema record.Schema) (*header, error) {
	a.log.quiet = q.quiet
	asOf, err := q.day(a)
	if err != nil {
		return nil, err
	}
	var by engine.By
	_ = by.UnmarshalText([]byte(q.by.V)) // a word of the flag
	if refused := noTotals(q.format.V); refused != "" && by != engine.ByCharge {
		return nil, usage(refused, "leave out --by, or ask for another format")
	}
	h := q.newHeader(record.Header{Schema: schema, AsOf: asOf, Zone: q.zone(a)})
	h.By = by
	if err := q.policy.settle(a, h); err != nil {
		return nil, err
	}
	if err := q.checkTotals(h); err != nil {
		return nil, err
	}
	if err := q.settle(h, q.format.V == formatTable); err != nil {
		return nil, err
	}
	return h, q.checkSave()
}

// checkTotals refuses what only totals can have.
func (q *forecastFlags) checkTotals(h *header) error {
	h.quantiles = q.quantiles
	switch {
	case csvUnused(q.csv, q.format):
		return errCSVUnused
	case q.until.isEnd && (len(h.quantiles) > 0 || h.By == engine.ByDay):
		return usage("--until end has no totals by day and no quantiles", "give a day, or --by month")
	case len(h.quantiles) > 0 && h.By == engine.ByCharge:
		return usage("--quantiles is for totals", "add --by, such as --by month")
	}
	return nil
}

// checkSave refuses --save-state where no day is the last for all profiles, or its file is not one.
func (q *forecastFlags) checkSave() error {
	switch {
	case q.save == "":
		return nil
	case q.next.V > 0:
		return usage("--save-state and --next exclude each other: profiles would be left on different days", "give --until alone")
	case q.until.isEnd:
		return usage("--save-state and --until end exclude each other: profiles would be left on different days", "give a day")
	case !q.until.isSet():
		return usage("--save-state needs --until, the day after whose run the states are saved", "such as --until +3m")
	case q.severity[rules.OrderIDDuplicate] == ledger.SeverityOff:
		return usage("--save-state: "+string(rules.OrderIDDuplicate)+" must not be off", "a state file has one line for each client-orderid")
	case slices.Contains([]string{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}, q.save):
		return usage("--save-state: stdout is for the forecast", "give a file")
	}
	return nil
}

func newForecast(a *app) *cobra.Command {
	q := new(forecastFlags)
	c := &cobra.Command{
		Use:   "forecast [FILE]...",
		Short: "Lists the charges that profiles will make",
		Long: `forecast lists what the profiles of a payload will be charged: each charge with its
date, repeat number and amount, and when and why the profile ends. FILE is CSV,
base64 of it, a form body or a captured request; without FILE, or with -, stdin is
read. Several files are one portfolio. Rows with errors are left out and reported
on stderr, and the exit code is 1.

A profile is new on the as-of day unless --state says otherwise. --until and --from
take a day, a month (2026-06), a quarter (2026-Q3), or +90d, +2w, +3m, +1y from
as-of; --until end goes to the end of each profile. --by adds the charges up. In the
table, results marked = were shown by actual charges, those marked ~ are inferred
from the document's wording and those marked ? are assumed where it is silent.

-o html is one page that needs no network, -o ics a file for calendar programs.`,
		Example: `  chargecast forecast --until +1y payload.csv
  chargecast forecast --from +1m --until +3m --by week -o csv payload.csv`,
	}
	q.register(c)
	c.Flags().Var(&q.quantiles, "quantiles", "with --by: percentiles of the sums, a `LIST` like 5,50,95")
	c.RunE = func(_ *cobra.Command, args []string) error { return q.forecast(a, arguments(args)) }
	return c
}

func (q *forecastFlags) forecast(a *app, paths []string) error {
	h, err := q.header(a, record.SchemaForecast)
	if err != nil {
		return err
	}
	return q.run(a, paths, h, q.forecastOne, nil, func(p *book.Profile) bool {
		plan, err := engine.New(h.Policy).Compile(p.Stored, h.AsOf)
		return err == nil && neverEnds(p.Stored.Profile, plan)
	})
}

// neverEnds reports whether only the calendar ends the charges of a profile.
func neverEnds(p engine.Profile, plan *engine.Plan) bool {
	if !p.Automatic() || !plan.Stop().IsZero() {
		return false
	}
	for range plan.Next(1) {
		return true
	}
	return false
}

// refuseEndless returns a reading of the payload before that of the output, which refuses --until end where a profile never
// ends and its charges would be listed.
func (q *forecastFlags) refuseEndless(h *header, endless func(*book.Profile) bool) func(*book.Reader, []payloadFile) error {
	if !h.ToEnd || h.By != engine.ByCharge {
		return nil
	}
	return func(r *book.Reader, files []payloadFile) error {
		const most = 20
		var names []string
		n := 0
		for _, f := range files {
			r.Open(f, "", f.options)
			for p := range r.Profiles() {
				if p.Left || !endless(p) {
					continue
				}
				if n++; n <= most {
					names = append(names, visible(p.ShownID))
				}
			}
		}
		if n == 0 {
			return nil
		}
		if n > most {
			names = append(names, "and "+strconv.Itoa(n-most)+" more")
		}
		never := " never end: "
		if n == 1 {
			never = " never ends: "
		}
		return usage("--until end: "+counted(strconv.Itoa(n), "profile")+never+strings.Join(names, ", "), "give a day, such as --until +1y, or leave them out with --exclude")
	}
}

// forecastOne writes the forecast of a profile, or adds it up.
func (q *forecastFlags) forecastOne(f *forecastRun, row *book.Profile) error {
	f.stored = row.Stored
	if f.book != nil && f.header.Next == 0 && f.saver == nil {
		err := f.book.Add(f.stored)
		switch {
		case errors.Is(err, engine.ErrBookFull):
			f.fail(err)
			return nil
		case err == nil:
			f.count(nil)
		}
		return err
	}
	plan := &f.plan
	if err := engine.New(f.header.Policy).Recompile(plan, f.stored, f.header.AsOf); err != nil {
		return err
	}
	if !row.Left {
		if err := q.write(f, row, plan); err != nil {
			return err
		}
	}
	if f.saver == nil {
		return nil
	}
	return f.saver.add(row, plan.State(f.header.Until))
}

// write writes the charges and the end of a profile.
func (q *forecastFlags) write(f *forecastRun, row *book.Profile, plan *engine.Plan) error {
	if f.book != nil && f.header.Next == 0 {
		f.count(nil)
		f.fail(f.book.Add(f.stored))
		return nil
	}
	charges, p := f.header.charges(row, plan)
	f.start(&p)
	if err := f.compare(p.Through); err != nil {
		return err
	}
	f.count(&p.Total)
	end := plan.End(p.Through)
	switch {
	case f.header.By != engine.ByProfile:
		var c engine.Charge // one for all of them, since its address is passed on
		for c = range charges {
			f.charge(&p, &c)
			if f.out.err != nil {
				return nil
			}
		}
	case q.explain:
		for c := range charges {
			p.because = p.because.And(c.Because)
		}
	}
	f.end(&p, &end)
	return nil
}

// charges are those asked for: all of the window, or the first so many of it. Their
// total and the day that ends them are known before any is made.
func (h *header) charges(row *book.Profile, plan *engine.Plan) (iter.Seq[engine.Charge], profile) {
	w, n := h.window(), h.Next
	p := profile{Profile: record.Profile{Subject: subjectOf(row), Through: w.Last()}, cardExpires: row.Stored.Profile.CardExpires}
	charges := plan.Charges(w)
	if n > 0 && plan.Count(w) >= n {
		// Nothing but the first run charges more than once a day.
		charges, p.Through = first(n, charges), dayOf(plan, w, n)
	}
	p.Before.Total, p.Total = plan.Total(h.before()), plan.Tally(w, n)
	if p.Total.IsZero() {
		p.NoCharge = words.NoCharge(row.Stored.Profile, plan, p.Through)
	}
	return charges, p
}

// first cuts a sequence off after n charges.
func first(n int, charges iter.Seq[engine.Charge]) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		left := n
		for c := range charges {
			if left--; !yield(c) || left == 0 {
				return
			}
		}
	}
}

// dayOf is the day of charge number n, counted from 1, of those in a window. There are
// that many.
func dayOf(plan *engine.Plan, w calendar.Window, n int) calendar.Date {
	first := w.First()
	days := sort.Search(w.Last().Sub(first), func(days int) bool {
		return plan.Count(calendar.Through(first, first.AddDays(days))) >= n
	})
	return first.AddDays(days)
}

// A forecastRun is one run of forecast or simulate over a payload: it writes what is made of each row, or adds it up.
type forecastRun struct {
	flags  *forecastFlags
	header *header
	app    *app
	out    *output
	to     record.Output  // nil before begin
	page   *report.Writer // it, where it is a page
	book   *engine.Book   // of days, weeks and so on; nil for charges and profiles
	failed error          // of book
	sum    record.ForecastSummary

	unreadExpiry words.UnreadExpiry

	early     []ledger.Finding // problems before begin, for a page
	uncounted int              // more of them

	stored engine.Stored // the profile at hand
	plan   engine.Plan   // … of one profile after the other
	saver  *saver        // nil without --save-state

	changes []engine.Sensitivity // of the profile, for a page
}

// run reads a payload and calls one for each row. passed, which may be nil, is called for the rows
// that --profile leaves out.
func (q *forecastFlags) run(a *app, paths []string, h *header, one func(*forecastRun, *book.Profile) error, passed func(id string), endless func(*book.Profile) bool) error {
	f := &forecastRun{flags: q, header: h, app: a, out: a.out}
	var err error
	if f.book, err = newBook(h, q.explain); err != nil {
		return err
	}
	if err := overwrites("--save-state", q.save, slices.Concat(paths, []string{q.policy.readings})...); err != nil {
		return err
	}
	if f.saver, err = newSaver(a, q.save); err != nil {
		return err
	}
	note := ""
	err = q.read(a, paths, h, rowHandler{
		advise:  q.format.V == formatTable,
		problem: f.problem,
		begin: func() {
			if f.book == nil {
				f.begin()
			}
		},
		row: func(row *book.Profile) error {
			err := one(f, row)
			if err == nil && !row.Left {
				f.noteExpiry(row)
			}
			return err
		},
		passed: passed,
		before: q.refuseEndless(h, endless),
		all:    f.saver != nil,
		end: func(whole bool) {
			switch {
			case f.failed != nil:
			case whole:
				f.finishOutput()
				note = f.omitted()
			case f.book == nil:
				f.abort()
			}
		},
	})
	a.note(note)
	if text := f.unreadExpiry.String(); text != "" && !a.log.quiet {
		a.log.line(text)
	}
	return f.finish(err)
}

// noteExpiry notes a profile whose card has an expiry that cannot be read. Nothing is known of its card, and it is forecast all
// the same.
func (f *forecastRun) noteExpiry(row *book.Profile) {
	if !row.Stored.Profile.CardExpires.IsZero() || row.Cell(rules.ColumnExpireMonth).IsEmpty() && row.Cell(rules.ColumnExpireYear).IsEmpty() {
		return
	}
	code, column := rules.ExpireMonthForm, rules.ColumnExpireMonth
	if row.ExpireMonth > 0 {
		code, column = rules.ExpireYearForm, rules.ColumnExpireYear
	}
	f.unreadExpiry.Add(row.ShownID)
	f.problem(ledger.Finding{
		Code: code, Severity: ledger.SeverityWarning, Kind: ledger.SubjectColumn, Subject: column.String(), Message: "the card's expiry cannot be read",
		Place: ledger.Place{File: row.File, Profile: row.ShownID, Row: row.Number, Line: row.Line, Col: 1},
	})
}

// finishOutput ends the output of an input that was read as a whole.
func (f *forecastRun) finishOutput() {
	if f.book != nil {
		f.header.Input = commonForm(f.header.forms)
		f.begin()
		for t := range f.book.Totals(engine.ByDay) {
			f.sum.Charges += t.Charges
			f.sum.CardExpired += t.CardExpired.Charges
		}
		for t := range f.book.Totals(f.header.By) {
			r := record.TotalOf(f.header.By, &t)
			f.writeTotal(&r)
		}
	}
	f.sum.LeftOut, f.sum.Unsendable = f.header.leftOut, f.header.unsendable
	if f.header.unused != nil {
		f.sum.Unused = new(f.header.unused())
	}
	_ = f.to.Write(f.sum)
	_ = f.to.Close()
}

// remedies are what can be done about profiles that are taken as new.
const remedies = "--state FILE, or --policy start-past=count-missed"

// omitted says what an answer leaves out whose form has no place for that; --quiet does not suppress it.
func (f *forecastRun) omitted() string {
	if format := f.flags.format.V; format != "csv" && format != formatICS {
		return ""
	}
	asNew := f.sum.TakenAsNew
	if f.header.saysNew { // there is a message about them already
		asNew = 0
	}
	return words.OmittedNote(f.sum.LeftOut, asNew, f.sum.CardExpired, f.header.AsOf, remedies)
}

func (a *app) note(text string) {
	if text != "" {
		a.log.line("chargecast: note: " + text)
	}
}

// finish ends with the state file, which is about every row without errors or not there at all: it is
// written once the output has been, whose reader may have gone.
func (f *forecastRun) finish(err error) error {
	if f.failed != nil {
		err = errors.Join(internal("the totals cannot be added up: "+f.failed.Error(), "split the payload into several files"), err)
	}
	if f.saver == nil {
		return err
	}
	if flushed := f.out.flush(); flushed != nil {
		err = errors.Join(flushed, err)
	}
	if failed := f.saver.finish(wasRead(err)); failed != nil {
		return errors.Join(failed, err)
	}
	return err
}

// wasRead reports whether the end of a reading is that of the input, whether or not there were
// findings and somebody to read the output.
func wasRead(err error) bool {
	var f *failure
	var write *writeError
	return (!errors.As(err, &f) || f == errFindings) && (!errors.As(err, &write) || write.ClosedPipe())
}

// count counts a profile of the answer. What its charges come to is given where no portfolio adds them up.
func (f *forecastRun) count(charges *amount.Tally) {
	if f.book == nil {
		f.sum.Count(charges)
	} else {
		f.sum.Profiles++
	}
	if engine.New(f.header.Policy).TakesAsNew(f.stored, f.header.AsOf) {
		f.sum.TakenAsNew++
	}
}

func (f *forecastRun) fail(err error) { f.failed = errors.Join(f.failed, err) }

// start turns to a profile; its charges and events follow, then its end.
func (f *forecastRun) start(p *profile) {
	if f.header.By == engine.ByCharge {
		f.to.Start(p.Profile)
	}
}

// compare gives a page what other readings would change for the profile.
func (f *forecastRun) compare(last calendar.Date) error {
	if f.page == nil {
		return nil
	}
	var err error
	f.changes, _, err = engine.New(f.header.Policy).Sensitivities(f.changes[:0], f.stored, f.header.AsOf, calendar.Through(f.header.window().First(), last))
	if err == nil {
		_ = f.page.Compare(f.changes)
	}
	return err
}

// charge sends a charge on, or adds it up.
func (f *forecastRun) charge(p *profile, c *engine.Charge) {
	switch {
	case f.header.By == engine.ByCharge:
		_ = f.to.Charge(c)
	case f.book != nil:
		f.fail(f.book.AddCharge(p.Currency, *c))
	default:
		c.AddTo(&p.Total)
		if f.flags.explain {
			p.because = p.because.And(c.Because)
		}
	}
}

func (f *forecastRun) event(e *engine.Effect) {
	if f.header.By == engine.ByCharge {
		_ = f.to.Event(e)
	}
}

func (f *forecastRun) end(p *profile, e *engine.End) {
	switch {
	case f.header.By == engine.ByCharge:
		_ = f.to.End(e)
	case f.header.By == engine.ByProfile && !p.Total.IsZero():
		f.writeTotal(&record.Total{
			By: engine.ByProfile, Value: p.Subject.Profile, File: p.File, Currency: p.Currency, Tally: p.Total, CardExpires: p.cardExpires, Because: p.because,
		})
	}
}

// A profile is a row in an output.
type profile struct {
	record.Profile
	cardExpires calendar.Date  // the last day of the card's expiry month; zero: not known
	because     ledger.Because // what the charges depend on, where they are added up
}
