package main

import (
	"bufio"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A merging is chargecast merge.
type merging struct {
	parts   countFlag
	repeats bool
	format  *choice
	colour  *choice
	width   *widthFlag
}

func newMerge(a *app) *cobra.Command {
	m := new(merging)
	c := &cobra.Command{
		Use:   "merge PART...",
		Short: "Adds up totals of several runs of forecast or simulate",
		Long: `merge adds up parts, which forecast and simulate write with -o partial, and prints what one
run over all their inputs would have printed, the header included. The order of the parts
changes nothing, except with --by profile: those totals are in the order of the parts.

The parts must be made with the same as-of day, window, zone, policy, --by, selection and
--quantiles, those of a simulation with the same seed and script as well. A part that is
damaged or cut off is refused. An input that is in two parts is refused unless
--allow-repeats is given; a missing part cannot be noticed unless --parts says how many
there are. Where rows with errors were left out of a part, the exit code is 1.

A part may be packed with gzip. Parts are read into memory, one after the other; by profile
all of them are kept.`,
		Example: `  chargecast forecast --as-of 2026-01-10 --until +1y --by day -o partial january.csv >1.part
  chargecast forecast --as-of 2026-01-10 --until +1y --by day -o partial february.csv >2.part
  chargecast merge --parts 2 1.part 2.part`,
	}
	c.Flags().Var(&m.parts, "parts", "refuse another number of parts than `N`")
	c.Flags().Lookup("parts").DefValue = "0"
	c.Flags().BoolVar(&m.repeats, "allow-repeats", false, "count an input that is in two parts twice")
	m.format = outputFlag(c, formatTable, "json", "ndjson", "csv", formatPartial)
	m.colour = colourFlag(c)
	m.width = widthVar(c)
	c.RunE = func(_ *cobra.Command, args []string) error { return m.run(a, args) }
	return c
}

func (m *merging) run(a *app, paths []string) error {
	switch {
	case len(paths) == 0:
		return usage("no part is given", "forecast --by day -o partial writes one; give the files that it wrote")
	case m.parts > 0 && len(paths) != int(m.parts):
		return usage("--parts: "+counted(strconv.Itoa(len(paths)), "part")+" given, "+strconv.Itoa(int(m.parts))+" expected", "give each part once")
	case m.format.value == formatPartial && a.outIsTerm:
		return usage("-o partial is not for a terminal", "send it to a file")
	}
	if err := oneStdin(paths...); err != nil {
		return err
	}
	sum := merged{repeats: m.repeats, seen: map[partSum]int{}}
	for i, path := range paths {
		if err := sum.read(a, path, i); err != nil {
			return err
		}
	}
	sum.write(a, newSink(a, m.format.value, false, report.Options{
		Width: a.width(*m.width), Color: a.colourful(m.colour.value), Quantiles: sum.first().Quantiles,
	}))
	if n := sum.end.LeftOut; n > 0 {
		a.log.line("chargecast: " + counted(strconv.FormatUint(n, 10), "row") + " with errors left out of the parts; see the messages of their runs")
		return errors.Join(a.out.err, errFindings)
	}
	return a.out.err
}

// merged is the sum of parts.
type merged struct {
	parts   []*record.Part // the portfolio of all is in the first
	end     record.PartEnd // of all
	repeats bool
	seen    map[partSum]int // the part, from 0
}

// A partSum is an input by what is in it.
type partSum struct {
	size uint64
	sum  string
}

func (m *merged) first() *record.Part { return m.parts[0] }

// read adds a part.
func (m *merged) read(a *app, path string, number int) error {
	part, err := readPart(a, path)
	if err != nil {
		return err
	}
	if len(m.parts) > 0 {
		if what := m.first().Differs(part); what != "" {
			return usage(quoted(path)+": another "+what+" than that of the first part", "make all parts with the same flags")
		}
	}
	for _, in := range part.Inputs {
		key := partSum{in.Size, in.SHA256}
		if before, twice := m.seen[key]; twice && before != number && !m.repeats {
			return usage(quoted(path)+": its input "+in.Name+" is in an earlier part too", "leave out one of them, or count it twice with --allow-repeats")
		}
		m.seen[key] = number
	}
	m.end.Inputs = append(m.end.Inputs, part.Inputs...)
	for _, in := range part.States {
		if !slices.Contains(m.end.States, in) {
			m.end.States = append(m.end.States, in)
		}
	}
	m.end.Scripts = part.Scripts // which are those of all
	if part.LeftOut > math.MaxUint64-m.end.LeftOut {
		return usage(quoted(path)+": too many rows", "merge fewer parts")
	}
	m.end.LeftOut += part.LeftOut
	m.parts = append(m.parts, part)
	if part.Portfolio == nil || part == m.first() {
		return nil
	}
	if err := m.first().Portfolio.Merge(part.Portfolio); err != nil {
		return usage(quoted(path)+": cannot be added: "+err.Error(), "merge fewer parts")
	}
	part.Portfolio = nil
	return nil
}

// maxPart is how long a part may be: that of ten million profiles by profile is shorter.
const maxPart = 1 << 30

func readPart(a *app, path string) (*record.Part, error) {
	in, err := a.openKept(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	// Another file is refused by how it begins: it may have no end.
	start := bufio.NewReader(in.file)
	in.file = start
	if text, err := start.Peek(len(record.PartStart)); string(text) != record.PartStart && (err == nil || err == io.EOF) {
		return nil, unreadable(in.name+": not a part, or one that is damaged or cut off", "make it again with -o partial")
	}
	a.collectOften()
	data, err := in.readAll(maxPart, limitBytes, "divide its inputs over more parts")
	if err != nil {
		return nil, err
	}
	part, err := record.ReadPart(data)
	switch {
	case errors.Is(err, record.ErrPartVersion):
		return nil, unreadable(in.name+": a part of another version of chargecast", "make it again with this one")
	case err != nil:
		return nil, unreadable(in.name+": not a part, or one that is damaged or cut off", "make it again with -o partial")
	}
	return part, nil
}

// write sends the totals to a sink.
func (m *merged) write(a *app, s sink) {
	h := m.header()
	s.begin(h)
	to, isPart := s.(*partSink)
	switch book := m.first().Portfolio; {
	case book == nil:
		m.writeProfiles(s)
	case isPart:
		to.book = book
	default:
		a.warnOfQuantiles(sendBook(s, book, nil, h.by, h.quantiles))
	}
	s.finish()
	if isPart {
		m.end.Quantiles = h.quantiles
		_ = to.w.Close(to.book, m.end)
	}
}

// writeProfiles sends the totals by profile, part after part. Where there are several inputs they name
// theirs.
func (m *merged) writeProfiles(s sink) {
	for _, part := range m.parts {
		for t := range part.Totals() {
			if t.File == "" && len(m.end.Inputs) > 1 {
				t.File = part.Inputs[0].Name
			}
			s.total(&t)
		}
	}
}

// header is that of one run over all inputs.
func (m *merged) header() *header {
	r := &m.first().Header
	h := &header{
		schema: r.Schema, asOf: r.AsOf, from: r.From, until: r.Until, next: r.Next, zone: r.Zone, by: r.By, seed: r.Seed,
		profiles: r.Profiles, excluded: r.Excluded, policy: r.Policy, quantiles: m.first().Quantiles,
	}
	for _, in := range m.end.Inputs {
		h.forms = append(h.forms, in.Form)
	}
	if h.by != engine.ByProfile || len(h.forms) == 1 {
		h.input = commonForm(h.forms)
	}
	return h
}
