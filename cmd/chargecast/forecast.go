package main

import (
	"errors"
	"iter"
	"slices"
	"sort"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
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
	width   program.Flag[int64]

	quantiles percentsFlag // of forecast
}

// register adds the flags of both commands.
func (q *forecastFlags) register(c *cobra.Command) {
	q.horizon.register(c)
	q.horizon.registerFrom(c)
	q.today.register(c)
	q.selection.register(c)
	c.Flags().StringVar(&q.save, "save-state", "", "write the states after the last day to this `FILE`, for a later --state")
	q.policy = policyVar(c)
	q.by = program.OneOf("charge", "day", "week", "month", "quarter", "weekday", "profile")
	c.Flags().Var(q.by, "by", "totals by `UNIT`: day, week, month, quarter, weekday or profile; charge lists charges")
	c.Flags().Lookup("by").DefValue = "" // said in the text
	c.Flags().BoolVar(&q.explain, "explain", false, "add to each result the clauses of the document that it rests on")
	q.format = program.Output(c, formatTable, formatCalendar, "json", "ndjson", "csv", formatICS, formatHTML, formatPartial)
	q.csv = csvFlag(c)
	q.colour = colourFlag(c)
	widthVar(c, &q.width)
}

// header settles what is asked.
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
	h := &header{schema: schema, asOf: asOf, zone: q.zone, by: by, policy: q.policy.policy, profiles: q.profiles, excluded: q.excluded}
	if err := q.checkTotals(a, h); err != nil {
		return nil, err
	}
	if err := q.settle(h, q.format.V == formatTable); err != nil {
		return nil, err
	}
	return h, q.checkSave()
}

// checkTotals refuses what only totals can have.
func (q *forecastFlags) checkTotals(a *app, h *header) error {
	h.quantiles = q.quantiles
	partial := q.format.V == formatPartial
	switch {
	case q.csv.V == csvExcel && q.format.V != "csv":
		return usage("--csv is for -o csv", "add -o csv")
	case len(h.quantiles) > 0 && h.by == engine.ByCharge:
		return usage("--quantiles is for totals", "add --by, such as --by month")
	case !partial:
		return nil
	case h.by == engine.ByCharge:
		return usage("-o partial is for totals", "add --by, such as --by month")
	case a.outIsTerm:
		return usage("-o partial is not for a terminal", "send it to a file, which chargecast merge reads")
	}
	a.sums = new(checkSums)
	return nil
}

// checkSave refuses --save-state where no day is the last for all profiles, or its file is not one.
func (q *forecastFlags) checkSave() error {
	switch {
	case q.save == "":
		return nil
	case q.next.V > 0:
		return usage("--save-state and --next exclude each other: profiles would be left on different days", "give --until alone")
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
		Long: `forecast reads a payload, a CSV with one profile a row, and lists what will be charged
when: each charge with its date, repeat number and amount, and where the profile stands
at the end. FILE is CSV, base64 of it, a form body or a captured request, packed with gzip
or not; without FILE, or with -, stdin is read. Several files are one portfolio, and each
charge then names its file.

A row with errors is reported on stderr and left out, and the exit code is 1.

--from leaves out the charges before it; numbers, stops and running totals are those of
the whole forecast. --profile and --exclude take client-orderids or patterns, in which *
is any text, ? any character, [a-z] one of these, and a backslash takes the next character
as it is; a client-orderid that equals the pattern itself always matches. --save-state
writes the states after the last day, of all rows without errors, those left out too: a
later forecast goes on from them with --state, and with the day after as --as-of.

A profile is new on the as-of day unless --state says otherwise. Where the document leaves
something open, chargecast assumptions shows how it is read, and --policy selects other
readings. In a table of charges ~ marks what is inferred from the document's wording and ?
what is assumed where it is silent; --explain names the clauses and marks totals too.

-o calendar prints months as grids, shaded by what is charged on each day; -o html is one
page with totals, timelines, cards that expire and what other readings would change, and
loads nothing from the network. -o ics is a file for calendar programs.

The table, ndjson, csv and ics stream; calendar and html keep sums. They need the same
little memory for any number of rows; json keeps the ends of all profiles, and a state file takes
its size and up to 600 bytes a line; one packed with gzip may have 256 MiB unpacked.
With --by, -o partial writes totals that chargecast merge adds up.`,
		Example: `  chargecast forecast --until +1y payload.csv
  chargecast forecast --next 3 --explain payload.csv
  chargecast forecast --as-of 2026-01-10 --until 2026-06-30 -o ndjson payload.csv
  chargecast forecast --from +1m --until +3m --by week -o csv january.csv february.csv.gz
  chargecast forecast --until +1y -o html payload.csv >forecast.html
  chargecast forecast --until +1y --policy month-end=skip,max-counts=repeats-after-first payload.csv
  chargecast forecast --next 1 --state states.jsonl --profile 'order-*' payload.csv
  chargecast forecast --until +1m --by day --save-state next-month.jsonl payload.csv`,
	}
	q.register(c)
	c.Flags().Var(&q.quantiles, "quantiles", "with --by, the sums not exceeded in these `PERCENTAGES` of cases, such as 5,50,95")
	c.RunE = func(_ *cobra.Command, args []string) error { return q.forecast(a, arguments(args)) }
	return c
}

func (q *forecastFlags) forecast(a *app, paths []string) error {
	h, err := q.header(a, record.SchemaForecast)
	if err != nil {
		return err
	}
	return q.run(a, paths, h, q.forecastOne, nil)
}

// forecastOne writes the forecast of a profile, or adds it up.
func (q *forecastFlags) forecastOne(f *forecastRun, row *joined) error {
	f.stored = row.stored()
	if f.book != nil && f.header.next == 0 && f.saver == nil {
		err := f.book.Add(f.stored)
		switch {
		case errors.Is(err, engine.ErrPortfolioFull):
			f.fail(err)
			return nil
		case err == nil:
			f.count(nil)
		}
		return err
	}
	plan := &f.plan
	if err := engine.New(f.header.policy).Recompile(plan, f.stored, f.header.asOf); err != nil {
		return err
	}
	if !row.left {
		if err := q.write(f, row, plan); err != nil {
			return err
		}
	}
	if f.saver == nil {
		return nil
	}
	return f.saver.add(row, plan.State(f.header.until))
}

// write writes the charges and the end of a profile.
func (q *forecastFlags) write(f *forecastRun, row *joined, plan *engine.Plan) error {
	if f.book != nil && f.header.next == 0 {
		f.count(nil)
		f.fail(f.book.AddPlan(plan))
		return nil
	}
	charges, p := f.header.charges(row, plan)
	f.start(&p)
	if err := f.compare(p.last); err != nil {
		return err
	}
	f.count(&p.total)
	end := plan.End(p.last)
	switch {
	case f.header.by != engine.ByProfile:
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
func (h *header) charges(row *joined, plan *engine.Plan) (iter.Seq[engine.Charge], profile) {
	w, n := h.window(), h.next
	p := profile{Subject: row.subject(), kind: row.Kind, plan: plan, last: w.Last()}
	charges := plan.Charges(w)
	if n > 0 && plan.Count(w) >= n {
		// Nothing but the first run charges more than once a day.
		charges, p.last = first(n, charges), dayOf(plan, w, n)
	}
	p.before.Total, p.total = plan.Total(h.before()), plan.Tally(w, n)
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
