package main

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A diffing is the flags of diff.
type diffing struct {
	today
	horizon
	selection
	policy *policyFlag
	format *choice
	colour *choice

	summary bool
}

func newDiff(a *app) *cobra.Command {
	q := new(diffing)
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Shows which charges differ between two forecasts",
		Long: `diff shows which charges differ between OLD and NEW. Each is a payload, which is forecast
with the flags given, or the output of forecast or simulate in NDJSON or JSON: so two payloads
can be compared, two policies, two states, or a simulation with the plain forecast.

Profiles are matched by client-orderid, charges by due day and then by repeat number. A
charge is added, removed, moved to another day, or changed in amount, repeat or outcome.
The exit code is 1 when anything differs. Both sides are kept in memory.`,
		Example: `  chargecast diff --until 2026-12-31 old.csv new.csv
  chargecast diff before.ndjson after.ndjson
  chargecast diff --as-of 2026-01-10 --until 2026-12-31 payload.csv simulated.ndjson -o ndjson`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("diff compares two files, OLD and NEW", "see: "+c.CommandPath()+" --help")
			}
			return nil
		},
	}
	q.horizon.register(c)
	q.today.register(c)
	q.input = inputFlag(c)
	q.policy = policyVar(c)
	q.format = outputFlag(c, formatTable, "json", "ndjson")
	q.colour = colourFlag(c)
	c.Flags().BoolVar(&q.summary, "summary", false, "leave out the differences: only how many there are, and the money")
	c.RunE = func(_ *cobra.Command, args []string) error { return q.diff(a, args[0], args[1]) }
	return c
}

func (q *diffing) diff(a *app, oldPath, newPath string) error {
	asOf, err := q.day(a)
	if err != nil {
		return err
	}
	h := &header{schema: record.SchemaDiff, asOf: asOf, zone: q.zone, until: q.until.Date, next: int(q.next), policy: q.policy.policy}
	if !h.until.IsZero() && h.until.Before(asOf) {
		return q.settle(h, true) // which says so
	}
	if err := oneStdin(oldPath, newPath); err != nil {
		return err
	}
	was, err := q.timelines(a, oldPath, h)
	if was == nil {
		return err
	}
	is, err2 := q.timelines(a, newPath, h)
	if is == nil {
		return err2
	}
	if was.reach() != is.reach() {
		a.log.line("chargecast: note: OLD reaches " + was.reach() + ", NEW " + is.reach() + "; what only one of them reaches differs for that alone")
	}
	var w differences = &differenceRecords{out: a.out, options: recordOptions(a, q.format.value, false), brief: q.summary}
	if q.format.value == formatTable {
		w = &differenceText{out: a.out, paint: paint(a.colourful(q.colour.value)), brief: q.summary}
	}
	w.begin(h)
	differ := compareTimelines(was, is, w)
	w.finish()
	if a.out.err != nil {
		return a.out.err
	}
	if differ || err != nil || err2 != nil {
		return errFindings
	}
	return nil
}

// differences is a form of the answer of diff.
type differences interface {
	begin(h *header)
	charges(was, is *timeline, list []engine.Difference)
	ends(was, is *timeline) // which differ
	money(m record.Money)
	finish()
}

// compareTimelines matches profiles and reports whether anything differs. Those of NEW come
// in its order, then those that only OLD has.
func compareTimelines(was, is *timelines, w differences) bool {
	type key struct {
		id  string
		nth int
	}
	old := map[key]*timeline{}
	for _, c := range was.list {
		old[key{c.id, c.nth}] = c
	}
	differ, sums := false, balance{}
	for _, c := range is.list {
		k := key{c.id, c.nth}
		sums.add(old[k], oldSide)
		sums.add(c, newSide)
		differ = compareTimeline(old[k], c, w) || differ
		delete(old, k)
	}
	for _, c := range was.list {
		if old[key{c.id, c.nth}] != nil {
			sums.add(c, oldSide)
			differ = compareTimeline(c, nil, w) || differ
		}
	}
	sums.writeTo(w)
	return differ
}

// compareTimeline compares one profile, which one of the two sides may not have.
func compareTimeline(was, is *timeline, w differences) bool {
	var before, after []engine.Charge
	if was != nil {
		before = was.charges
	}
	if is != nil {
		after = is.charges
	}
	var list []engine.Difference
	if was != nil && is != nil && len(before) > 0 && len(after) > 0 && was.currency != is.currency {
		list = append(engine.Diff(slices.Values(before), slices.Values([]engine.Charge{})), engine.Diff(slices.Values([]engine.Charge{}), slices.Values(after))...)
	} else {
		list = engine.Diff(slices.Values(before), slices.Values(after))
	}
	if len(list) > 0 {
		w.charges(was, is, list)
	}
	ends := was == nil || is == nil || was.end.Status != is.end.Status || was.end.Repeat != is.end.Repeat ||
		was.end.Stop.Date != is.end.Stop.Date || was.end.Stop.Reasons != is.end.Stop.Reasons
	if ends {
		w.ends(was, is)
	}
	return ends || len(list) > 0
}

// either is a timeline that is there.
func either(was, is *timeline) *timeline {
	if is != nil {
		return is
	}
	return was
}

// differenceText is the answer for people.
type differenceText struct {
	out *output
	paint
	of     *timeline // the profile whose name is written
	brief  bool      // without the differences
	counts record.DifferenceSummary

	currencies int // that money was called for
}

func (d *differenceText) begin(*header) {}

func (d *differenceText) head(was, is *timeline) []byte {
	c := either(was, is)
	if d.of == c || d.brief {
		d.of = c
		return d.out.b
	}
	b := d.out.b
	if d.of != nil {
		b = append(b, '\n')
	}
	d.of = c
	b = d.bold(b, c.name())
	switch {
	case was == nil:
		b = append(b, "  only in NEW"...)
	case is == nil:
		b = append(b, "  only in OLD"...)
	}
	return append(b, '\n')
}

func (d *differenceText) charges(was, is *timeline, list []engine.Difference) {
	for _, x := range list {
		count(&d.counts, x.Kind)
	}
	b := d.head(was, is)
	if d.brief {
		return
	}
	for _, x := range list {
		b = append(b, "  "+pad(x.Kind.String(), 8)...)
		switch x.Kind {
		case engine.DifferenceAdded:
			b = appendCharge(b, &x.New, is.currency)
		case engine.DifferenceRemoved:
			b = appendCharge(b, &x.Old, was.currency)
		default:
			b = append(appendCharge(b, &x.Old, was.currency), " -> "...)
			b = appendCharge(b, &x.New, is.currency)
		}
		b = append(b, '\n')
	}
	d.out.b = b
	d.out.endLine()
}

// appendCharge is a charge in a line of text.
func appendCharge(dst []byte, c *engine.Charge, currency string) []byte {
	dst = appendDay(dst, c.Date)
	dst = append(dst, " no. "+strconv.FormatUint(c.Repeat, 10)+" "+between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0)+" "+visible(currency)...)
	if c.Slot != c.Date {
		dst = append(dst, " due on "+c.Slot.String()...)
	}
	if c.Manual {
		dst = append(dst, " manual"...)
	}
	if c.Outcome == engine.OutcomeDeclined {
		dst = append(dst, " declined"...)
	}
	return dst
}

func (d *differenceText) ends(was, is *timeline) {
	b := d.head(was, is)
	if d.counts.Ends++; d.brief {
		return
	}
	b = append(b, "  "+pad("end", 8)...)
	if was != nil {
		b = append(b, endInWords(&was.end)...)
	}
	if was != nil && is != nil {
		b = append(b, " -> "...)
	}
	if is != nil {
		b = append(b, endInWords(&is.end)...)
	}
	d.out.b = append(b, '\n')
	d.out.endLine()
}

func endInWords(e *engine.End) string {
	s := e.Status.String()
	if !e.Stop.IsZero() {
		s += " on " + e.Stop.Date.String() + " (" + reasonsInWords(e.Stop.Reasons) + ")"
	}
	return s + ", next repeat " + strconv.FormatUint(e.Repeat, 10)
}

func (d *differenceText) finish() {
	if d.of == nil {
		d.out.b = append(d.out.b, "No difference.\n"...)
	} else {
		n := &d.counts
		d.out.b = append(d.out.b, "\nadded "+strconv.Itoa(n.Added)+", removed "+strconv.Itoa(n.Removed)+", moved "+strconv.Itoa(n.Moved)+
			", changed "+strconv.Itoa(n.Changed)+", ends that differ "+strconv.Itoa(n.Ends)+"\n"...)
	}
	d.out.endLine()
}
