package main

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
)

// A diffing is the flags of diff.
type diffing struct {
	today
	horizon
	selection
	policy *policyFlag
	script string
	lines  scriptFlags
	// oldPolicy and newPolicy are for one payload, with policy left out.
	oldPolicy, newPolicy *policyFlag
	format               *program.Flag[string]
	colour               *program.Flag[string]

	summary  bool
	selector *selector // of both files
	saved    *states   // of both
	events   *script   // of NEW; nil for none
}

func newDiff(a *app) *cobra.Command {
	q := new(diffing)
	c := &cobra.Command{
		Use:   "diff OLD [NEW]",
		Short: "Shows which charges differ between two forecasts",
		Long: `diff shows which charges differ between OLD and NEW: payloads, which are forecast
with the flags given, or outputs of forecast or simulate with -o ndjson. With one
payload it compares two policies, or the forecast with and without --stop,
--resume, --decline and --script. It begins with the money and why it differs:
profiles that are new, gone, repriced, rescheduled or left out for errors.

Profiles are matched by client-orderid, charges by due day and repeat number. A
charge is added, removed, moved to another day, or changed in amount, repeat or
outcome. Two outputs are compared as they were made, in the window of NEW. The
exit code is 1 when anything differs. Profiles in the same order in both files
need little memory.`,
		Example: `  chargecast diff --until +1y old.csv new.csv
  chargecast diff --as-of 2026-01-10 --until +1y --stop 2026-03-10 payload.csv`,
		Args: func(c *cobra.Command, args []string) error {
			policies := firstSet(c, "old-policy", "new-policy") != ""
			script := firstSet(c, "script", "stop", "resume", "decline") != ""
			switch {
			case policies && len(args) > 1:
				return usage("diff with two policies reads one payload", "see: "+c.CommandPath()+" --help")
			case policies && firstSet(c, "policy") != "":
				return usage("--policy is for two files", "give --old-policy and --new-policy in full")
			case len(args) != 2 && !policies && (!script || len(args) > 1):
				return usage("diff compares two files, OLD and NEW, or one with itself: under --old-policy and --new-policy, or with --stop, --resume, --decline or --script", "see: "+c.CommandPath()+" --help")
			}
			return nil
		},
	}
	q.horizon.register(c)
	q.today.register(c)
	q.lines.register(c)
	c.Flags().StringVar(&q.script, "script", "", "`FILE` with events and outcomes of NEW, JSON lines")
	q.selection.register(c)
	q.policy = policyVar(c)
	readingsVar(c, q.policy)
	q.oldPolicy, q.newPolicy = new(policyFlag), new(policyFlag)
	c.Flags().Var(q.oldPolicy, "old-policy", "with one payload: interpretations of OLD")
	c.Flags().Var(q.newPolicy, "new-policy", "with one payload: interpretations of NEW")
	q.format = program.Output(c, formatTable, "json", "ndjson")
	q.colour = colourFlag(c)
	c.Flags().BoolVar(&q.summary, "summary", false, "only the number of differences, and the money")
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedName() == "by" {
			return usage("diff has no --by: it adds up the whole window", "compare two outputs of one span: chargecast forecast --from 2026-Q3 --until 2026-Q3 -o ndjson")
		}
		return c.Parent().FlagErrorFunc()(c, err)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		h, err := q.head(a)
		switch {
		case err != nil:
			return err
		case len(args) < 2:
			return q.diffItself(a, argument(args), h)
		}
		return q.diff(a, args[0], args[1], h, firstSet(c, "next", "policy", "readings", "input", "severity", "state", "charged", "script", "stop", "resume", "decline"))
	}
	return c
}

// head checks the flags and returns the header of the output.
func (q *diffing) head(a *app) (*header, error) {
	a.log.quiet = q.quiet
	asOf, err := q.day(a)
	if err != nil {
		return nil, err
	}
	h := q.newHeader(record.Header{Schema: record.SchemaDiff, AsOf: asOf, Zone: q.zone(a)})
	if err := q.policy.settle(a, h); err != nil {
		return nil, err
	}
	q.selector = newSelector(q.profiles, q.excluded)
	return h, nil
}

// A compared is one of the two files that are compared: a payload, which is forecast, or an output.
type compared struct {
	record.Side
	in       *input
	header   record.Header // of an output its own, once it is read
	isOutput bool
	profiles iter.Seq[*record.Timeline] // in the order of the file
	// finish says after the last profile how reading ended; usable is false if what was read must not
	// be compared.
	finish func() (usable bool, err error)
	// leftOut is how many rows with errors are left out, and unreadable that the file cannot be read
	// as a payload; both are known at the end.
	leftOut    uint64
	unreadable bool
	// broken reports that what is read must not be compared, before the end.
	broken func() bool
}

// diff compares two files. Set is a flag that was given and says how payloads are forecast.
func (q *diffing) diff(a *app, oldPath, newPath string, h *header, set string) error {
	if err := q.begin(a, h, oldPath, newPath); err != nil {
		return err
	}
	was, err := q.open(a, oldPath, h, nil)
	if err != nil {
		return err
	}
	defer was.in.close()
	is, err := q.open(a, newPath, h, q.events)
	if err != nil {
		return err
	}
	defer is.in.close()
	if set != "" && was.isOutput && is.isOutput {
		return usage("--"+set+" is for payloads, and both files are outputs", "leave it out: outputs are compared as they were made")
	}
	to := q.writer(a, func() record.Header {
		if was.isOutput && is.isOutput {
			of := &is.header
			h.AsOf, h.From, h.Until, h.Next, h.ToEnd, h.Zone, h.Policy = of.AsOf, of.From, of.Until, of.Next, of.ToEnd, of.Zone, of.Policy
		}
		return h.Header
	})
	d := record.NewDiff(&was.Side, &is.Side, to)
	d.Brief = q.summary
	d.Match(was.profiles, is.profiles, func() bool { return !was.broken() && !is.broken() && a.out.err == nil })
	if a.out.err != nil {
		return a.out.err
	}
	bad := false
	var unreadable []string
	for _, s := range [...]*compared{was, is} {
		if (was.broken() || is.broken()) && !s.broken() {
			continue // it was not read to its end
		}
		usable, err := s.finish()
		if !usable {
			return err
		}
		if s.unreadable {
			unreadable = append(unreadable, s.in.name)
		}
		bad = bad || err != nil
	}
	if err := q.selector.failed(); err != nil {
		return err
	}
	if old, now := was.header.Extent(), is.header.Extent(); old != now {
		a.log.line("chargecast: note: OLD goes " + old + ", NEW " + now + "; what only one of them covers is different for that alone")
	}
	d.OldLeftOut, d.NewLeftOut = was.leftOut, is.leftOut
	if len(unreadable) == 0 { // else the profiles of the other file are neither new nor gone
		d.CompareUnmatched()
	}
	return to.finish(a, d, bad, unreadable...)
}

// begin reads the states, and the script of NEW.
func (q *diffing) begin(a *app, h *header, paths ...string) (err error) {
	if err := oneStdin(slices.Concat(paths, q.states, []string{q.script})...); err != nil {
		return err
	}
	if q.saved, err = q.readStates(a, h.AsOf, h.Policy); err != nil {
		return err
	}
	q.saved.findings.finish()
	if q.script == "" && len(q.lines) == 0 {
		return nil
	}
	if err := q.needsEnd(h); err != nil {
		return err
	}
	q.events, err = readScript(a, q.script, q.lines, h)
	return err
}

// simulated returns a profile of NEW with what the script makes of it.
func (q *diffing) simulated(row *book.Profile, policy engine.Policy, h *header) (*record.Timeline, error) {
	t := timelineOf(row)
	t.Stored = nil
	script, last := q.events.Of(row.OrderID()), h.window().Last()
	after, err := engine.New(policy).Simulate(engine.Simulation{
		Stored: row.Stored, AsOf: h.AsOf, Until: last, Steps: script.Steps, Outcomes: script.Outcomes, Undrawn: true,
	}, func(e engine.Effect) bool {
		if e.Kind != engine.EffectCharge {
			return true
		}
		q.events.Attempted(row.OrderID(), e.Charge.Repeat)
		t.Charges = append(t.Charges, e.Charge)
		if h.Next > 0 && len(t.Charges) == h.Next {
			last = e.Charge.Date
			return false
		}
		return true
	})
	if err == nil {
		t.End, err = engine.New(policy).End(after, last)
	}
	return t, err
}

// diffItself compares two forecasts of one payload, row by row: under two policies, or without and with the script.
func (q *diffing) diffItself(a *app, path string, h *header) error {
	if err := q.needsEnd(h); err != nil {
		return err
	}
	if err := q.begin(a, h, path); err != nil {
		return err
	}
	oldPolicy, newPolicy := q.oldPolicy.over(h.Policy), q.newPolicy.over(h.Policy)
	in, text, options, err := q.openText(a, path, h, accepting(oldPolicy))
	if err != nil {
		return err
	}
	defer in.close()
	if isOutput(text) {
		return usage("an output was made under one policy", "give the payload that it was made from")
	}
	rows := newRows(a, q.selector)
	rows.open(&input{name: in.name, file: text}, "", options)
	rows.States = q.saved.States
	old, now := q.side(h, oldPolicy), q.side(h, newPolicy)
	if h.Policy = now.Policy; q.oldPolicy.text != "" || q.newPolicy.text != "" {
		h.OldPolicy = &old.Policy
	}
	to := q.writer(a, func() record.Header { return h.Header })
	d := record.NewDiff(&old, &now, to)
	d.Brief = q.summary
	var plan engine.Plan
	var left [2]uint64 // rows that one side refuses
	for row := range rows.Profiles() {
		if row.Left {
			continue
		}
		t := timelineOf(row)
		refused := &record.Timeline{Subject: t.Subject, LeftOut: true}
		sides := [2]*record.Timeline{refused, refused}
		for i, s := range [...]*record.Side{&old, &now} {
			if err := engine.New(s.Policy).Recompile(&plan, *t.Stored, h.AsOf); err != nil {
				rows.Refuse(row, err)
				left[i]++
				continue
			}
			sides[i] = t
			if i == 1 && q.events != nil {
				if sides[1], err = q.simulated(row, newPolicy, h); err != nil {
					rows.Refuse(row, err)
					sides[1] = refused
					left[1]++
				}
			}
		}
		if sides[0] != refused || sides[1] != refused {
			rows.unsent.count(row, rows.log.file)
			d.Compare(sides[0], sides[1])
		}
		if a.out.err != nil {
			return a.out.err
		}
	}
	if err := rows.finish(rows.endOfFile(in)); err != nil {
		return err
	}
	rows.noteLeftOut(a)
	both := rows.LeftOut - left[0] - left[1]
	d.OldLeftOut, d.NewLeftOut = both+left[0], both+left[1]
	if rows.isUnreadable() {
		return to.finish(a, d, true, in.name)
	}
	return to.finish(a, d, rows.hasError)
}

// side is how a payload is forecast.
func (q *diffing) side(h *header, policy engine.Policy) record.Side {
	return record.Side{AsOf: h.AsOf, Policy: policy, Window: h.window(), Next: h.Next}
}

// open reads one side: a payload, or the output of forecast or simulate, recognised by its first
// byte.
func (q *diffing) open(a *app, path string, h *header, events *script) (*compared, error) {
	in, text, options, err := q.openText(a, path, h, h.Policy)
	switch {
	case err != nil:
		return nil, err
	case isOutput(text):
		return sideOfOutput(a, in, text, q.selector), nil
	}
	if err := q.needsEnd(h); err != nil {
		in.close()
		return nil, err
	}
	options.Horizon = cmp.Or(h.Until, h.AsOf)
	return q.sideOfPayload(a, in, text, options, h, events), nil
}

// openText opens a file of either kind, and returns the options to read it with if it is a payload.
func (q *diffing) openText(a *app, path string, h *header, policy engine.Policy) (*input, *bufio.Reader, rules.Options, error) {
	options := q.options(h.AsOf, cmp.Or(h.Until, h.AsOf), policy, q.saved)
	in, err := a.openPayload(path, &options)
	if err != nil {
		return nil, nil, options, err
	}
	return in, bufio.NewReader(in), options, nil
}

// needsEnd records in the header the last day of the forecasts. Two outputs need none.
func (q *diffing) needsEnd(h *header) error {
	if err := q.bound(h); err != nil || !h.Until.IsZero() || h.Next > 0 {
		return err
	}
	return usage("--until or --next is needed to forecast a payload, since some profiles never end", "such as --next 12")
}

// isOutput reports whether a text begins with a brace, as no payload does.
func isOutput(text *bufio.Reader) bool {
	start, _ := text.Peek(3)
	if string(start) == "\ufeff" {
		start, _ = text.Peek(4)
		start = start[3:]
	}
	return len(start) > 0 && start[0] == '{'
}

func (q *diffing) sideOfPayload(a *app, in *input, text *bufio.Reader, o rules.Options, h *header, events *script) *compared {
	rows := newRows(a, q.selector)
	rows.log.name = in.name // of two
	rows.open(&input{name: in.name, file: text}, "", o)
	rows.States = q.saved.Fresh(q.saved.findings.more)
	s := &compared{Side: q.side(h, h.Policy), in: in, header: h.Header, broken: func() bool { return false }}
	s.finish = func() (bool, error) {
		if err := rows.finish(rows.endOfFile(in)); err != nil {
			return false, err
		}
		s.leftOut, s.unreadable = rows.LeftOut, rows.isUnreadable()
		rows.noteLeftOut(a)
		if rows.hasError {
			return true, errFindings
		}
		return true, nil
	}
	var plan engine.Plan
	s.profiles = func(yield func(*record.Timeline) bool) {
		rows.Omit = func(profile string, row int) bool {
			return !rows.selector.wants(profile) ||
				yield(&record.Timeline{Subject: record.Subject{Profile: strings.Clone(profile), Row: row}, LeftOut: true})
		}
		for row := range rows.Profiles() {
			if row.Left {
				continue
			}
			t := timelineOf(row)
			if err := engine.New(h.Policy).Recompile(&plan, *t.Stored, h.AsOf); err != nil {
				rows.Refuse(row, err)
				if !rows.Omit(row.ShownID, row.Number) {
					return
				}
				continue
			}
			if events != nil {
				var err error
				if t, err = q.simulated(row, h.Policy, h); err != nil {
					rows.Refuse(row, err)
					if !rows.Omit(row.ShownID, row.Number) {
						return
					}
					continue
				}
			}
			rows.unsent.count(row, rows.log.file)
			if !yield(t) {
				return
			}
		}
	}
	return s
}

func timelineOf(row *book.Profile) *record.Timeline {
	p := row.Profile()
	return &record.Timeline{Subject: record.Subject{Profile: strings.Clone(row.ShownID), Row: row.Number, Currency: p.Currency}, Stored: new(row.Stored)}
}

// sideOfOutput is an output in NDJSON.
func sideOfOutput(a *app, in *input, text io.Reader, of *selector) *compared {
	findings := lineLog{log: a.log, file: in.name}
	s := &compared{in: in, isOutput: true}
	records := func(yield func(record.Record, error) bool) {
		for r, err := range record.Read(text) {
			if header, ok := r.(record.Header); ok {
				s.header = header
			}
			if summary, ok := r.(record.ForecastSummary); ok {
				s.leftOut = summary.LeftOut
			}
			if !yield(r, err) {
				return
			}
		}
	}
	s.profiles = func(yield func(*record.Timeline) bool) {
		for t, err := range record.Timelines(records) {
			if err != nil && in.err == nil {
				findings.report(err)
			}
			if t != nil && !of.selectsID(t.Profile, func() string { return t.Profile }) {
				t = nil
			}
			if findings.full() || t != nil && !yield(t) {
				return
			}
		}
	}
	s.broken = func() bool { return findings.errors > 0 || in.err != nil }
	s.finish = func() (bool, error) {
		if err := in.failed(); err != nil {
			return false, err
		}
		if findings.finish(); findings.errors > 0 {
			return false, errFindings
		}
		return true, nil
	}
	return s
}

// A diffOutput is the output of diff, which begins with the first record: then all is known that its header says.
type diffOutput struct {
	record.WriteCloser
	open func() record.WriteCloser
}

func (q *diffing) writer(a *app, header func() record.Header) *diffOutput {
	return &diffOutput{open: func() record.WriteCloser {
		if q.format.V != formatTable {
			return record.NewWriter(a.out, header(), recordOptions(a, q.format.V, false))
		}
		o := report.Options{Width: a.width(), Color: a.colourful(q.colour.V)}
		return report.NewDiffWriter(a.out, header(), o)
	}}
}

func (d *diffOutput) begin() {
	if d.WriteCloser == nil {
		d.WriteCloser = d.open()
	}
}

// Profile implements [record.DiffWriter].
func (d *diffOutput) Profile(old, now *record.Timeline) {
	d.begin()
	if table, ok := d.WriteCloser.(*report.DiffWriter); ok {
		table.Profile(old, now)
	}
}

// Write implements [record.DiffWriter].
func (d *diffOutput) Write(r record.Record) error {
	d.begin()
	return d.WriteCloser.Write(r)
}

// finish writes what all profiles come to, and returns how the command ends. Unreadable are the files that cannot be read as
// payloads, where nothing was compared.
func (d *diffOutput) finish(a *app, of *record.Diff, bad bool, unreadable ...string) error {
	differs := !of.Finish().IsZero()
	if _, isTable := d.WriteCloser.(*report.DiffWriter); isTable && len(unreadable) > 0 {
		unreadable = slices.Compact(unreadable)
		text := " cannot be read as a payload"
		if len(unreadable) > 1 {
			text = " cannot be read as payloads"
		}
		a.out.b = append(a.out.b, "Nothing was compared: "+visible(strings.Join(unreadable, " and "))+text+".\n"...)
		a.out.endLine()
		return errFindings
	}
	_ = d.Close()
	switch {
	case a.out.err != nil:
		return a.out.err
	case differs || bad:
		return errFindings
	}
	return nil
}

// accepting returns a policy without the readings that refuse a row: a profile that one of two
// policies refuses is a difference.
func accepting(p engine.Policy) engine.Policy {
	for _, c := range [...]ledger.Clause{clause.L02, clause.L03, clause.L09} {
		if p.Reading(c).Value == "reject" {
			p = p.WithReading(c, 0)
		}
	}
	return p
}
