package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A merging is chargecast merge.
type merging struct {
	parts   program.Flag[int64]
	repeats bool
	format  *program.Flag[string]
	csv     *program.Flag[string]
	colour  *program.Flag[string]
	width   program.Flag[int64]
}

func newMerge(a *app) *cobra.Command {
	m := new(merging)
	c := &cobra.Command{
		Use:   "merge PART...",
		Short: "Adds up totals of several runs of forecast or simulate",
		Long: `merge adds up parts, which forecast and simulate write with -o partial, and prints what one
run over all their inputs would have printed, the header included. The order of the parts
changes nothing, except with --by profile: those totals are in the order of the parts.

The parts must be made with the same as-of day, window, zone, policy, --by, selection,
--quantiles and --explain, those of a simulation with the same seed and script as well. A
part that is damaged or cut off is refused. An input that is in two parts, packed or not, is refused
unless --allow-repeats is given. A missing part cannot be noticed unless --parts says how
many there are. If no part has a row for a client-orderid of --profile or --exclude, the
exit code is 2, after the totals; -o partial only notes it. Where rows with errors were
left out of a part, the exit code is 1; rows whose errors --severity made warnings or off
are noted, as by one run.

A part may be packed with gzip. Parts are read into memory, one after the other; by profile
they are checked first and then read again, and only one that is not a file, such as
stdin, is kept.`,
		Example: `  chargecast forecast --as-of 2026-01-10 --until +1y --by day -o partial january.csv >1.part
  chargecast forecast --as-of 2026-01-10 --until +1y --by day -o partial february.csv >2.part
  chargecast merge --parts 2 1.part 2.part`,
	}
	m.parts = program.Count()
	c.Flags().Var(&m.parts, "parts", "refuse another number of parts than `N`")
	c.Flags().BoolVar(&m.repeats, "allow-repeats", false, "count an input that is in two parts twice")
	m.format = program.Output(c, formatTable, "json", "ndjson", "csv", formatPartial)
	m.csv = csvFlag(c)
	m.colour = colourFlag(c)
	widthVar(c, &m.width)
	c.RunE = func(_ *cobra.Command, args []string) error { return m.run(a, args) }
	return c
}

func (m *merging) run(a *app, paths []string) error {
	switch {
	case len(paths) == 0:
		return usage("no part is given", "forecast --by day -o partial writes one; give the files that it wrote")
	case m.parts.V > 0 && len(paths) != int(m.parts.V):
		return usage("--parts: "+counted(strconv.Itoa(len(paths)), "part")+" given, "+m.parts.String()+" expected", "give each part once")
	case csvUnused(m.csv, m.format):
		return errCSVUnused
	case m.format.V == formatPartial && a.outIsTerm:
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
	failed := sum.write(a, newSink(a, m.format.V, sum.Explain, report.Options{
		Width: a.width(m.width.V), Color: a.colourful(m.colour.V), Quantiles: sum.Quantiles, Excel: m.csv.V == csvExcel,
	}))
	if failed != nil {
		return errors.Join(a.out.err, failed)
	}
	if n := sum.Overridden; n > 0 {
		a.log.line(overriddenNote(n))
	}
	if unmet := sum.unmet(); unmet != "" {
		if m.format.V != formatPartial {
			return errors.Join(a.out.err, unmetError(unmet, sum.Summary.LeftOut > sum.Overridden))
		}
		a.log.line("chargecast: note: " + unmet)
	}
	if n := sum.Summary.LeftOut - sum.Overridden; n > 0 {
		a.log.line("chargecast: " + counted(strconv.FormatUint(n, 10), "row") + " with errors left out of the parts; see the messages of their runs")
		return errors.Join(a.out.err, errFindings)
	}
	return a.out.err
}

// merged is the sum of parts.
type merged struct {
	*record.Part
	parts   []mergedPart
	repeats bool
	seen    map[partSum]int // the part, from 0
}

// unmet says that no row of any part has the first of the ids that none has; empty for none.
func (m *merged) unmet() string {
	switch {
	case len(m.Unmet) == 0:
		return ""
	case m.Unmet[0] < len(m.Header.Profiles):
		return noRow("--profile")
	}
	return noRow("--exclude")
}

// A partSum is an input by what is in it.
type partSum struct {
	size uint64
	sum  string
}

// A mergedPart is a part that was checked, by profile to be read again.
type mergedPart struct {
	path string
	text []byte // all of it, where it cannot be read again
	sum  [sha256.Size]byte
	file string // its first input
}

// read adds a part.
func (m *merged) read(a *app, path string, number int) error {
	part, text, err := checkPart(a, path)
	if err != nil {
		return err
	}
	if m.Part != nil {
		if what := m.Differs(part); what != "" {
			return usage(nameOf(path)+": another "+what+" than that of the first part", "make all parts with the same flags")
		}
	}
	for _, in := range part.Inputs {
		key := partSum{in.Size, in.SHA256}
		if before, twice := m.seen[key]; twice && before != number && !m.repeats {
			return usage(nameOf(path)+": its input "+visible(in.Name)+" is in an earlier part too", "leave out one of them, or count it twice with --allow-repeats")
		}
		m.seen[key] = number
	}
	of := mergedPart{path: path, text: text, sum: part.Sum}
	if len(part.Inputs) > 0 {
		of.file = part.Inputs[0].Name
	}
	m.parts = append(m.parts, of)
	if m.Part == nil {
		m.Part = part
		return nil
	}
	if err := m.Merge(part); err != nil {
		return usage(nameOf(path)+": cannot be added: "+err.Error(), "merge fewer parts")
	}
	return nil
}

// checkPart reads a part to its end. The totals by profile are for later: the text is that of a part which
// cannot be read again.
func checkPart(a *app, path string) (part *record.Part, text []byte, err error) {
	in, err := a.openText(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.close()
	var kept keptPart
	from := io.Reader(in)
	if isStdin(path) || !in.isFile() { // some systems go on with stdin where it was left
		from = io.TeeReader(in, &kept)
	}
	part, err = record.ReadPart(from, nil)
	if errors.Is(err, errPartLong) {
		return nil, nil, unreadable(in.name+": "+err.Error(), "write it to a file, and merge that")
	}
	if err := partError(in, err); err != nil {
		return nil, nil, err
	}
	if part.Header.By == engine.ByProfile {
		text = kept.Bytes()
	}
	return part, text, nil
}

// A keptPart is the text of a part that cannot be read again, up to a limit.
type keptPart struct{ bytes.Buffer }

var errPartLong = errors.New("it has more than 256 MiB and can be read only once")

func (k *keptPart) Write(p []byte) (int, error) {
	if k.Len()+len(p) > maxUnpacked {
		return 0, errPartLong
	}
	return k.Buffer.Write(p)
}

// totals sends the totals of a part by profile, which were checked, to total.
func (p *mergedPart) totals(a *app, total func(*record.Total)) error {
	if p.text != nil {
		_, err := record.ReadPart(bytes.NewReader(p.text), total)
		return err
	}
	in, err := a.openText(p.path)
	if err != nil {
		return err
	}
	defer in.close()
	part, err := record.ReadPart(in, total)
	if err == nil && part.Sum != p.sum {
		return unreadable(in.name+": changed while it was read", "merge again")
	}
	return partError(in, err)
}

// partError is why a part was not read.
func partError(in *input, err error) error {
	switch failed := in.failed(); {
	case failed != nil:
		return failed
	case errors.Is(err, record.ErrPartVersion):
		return usage(in.name+": a part of another version of chargecast", "make it again with this one")
	case err != nil:
		return unreadable(in.name+": not a part, or one that is damaged or cut off", "make it again with -o partial")
	}
	return nil
}

// write sends the totals to a sink. It ends early where a part that was checked cannot be read again.
func (m *merged) write(a *app, s sink) error {
	h := m.header()
	s.begin(h)
	to, isPart := s.(*partSink)
	switch {
	case h.by == engine.ByProfile:
		if err := m.writeProfiles(a, s, h); err != nil {
			return err
		}
	case isPart:
		_ = to.w.Days(slices.Values(m.Days))
	default:
		sendTotals(s, h, m.Days.Totals(h.by))
	}
	s.finish(&m.Summary)
	if isPart {
		_ = to.w.Close(m.PartEnd)
	}
	a.note(beside(s, h, &m.Summary))
	return nil
}

// writeProfiles sends the totals by profile, part after part. Where there are several inputs they name
// theirs.
func (m *merged) writeProfiles(a *app, s sink, h *header) error {
	for i := range m.parts {
		part := &m.parts[i]
		err := part.totals(a, func(t *record.Total) {
			if t.File == "" && len(m.Inputs) > 1 {
				t.File = part.file
			}
			sendTotal(s, h, t)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// header is that of one run over all inputs.
func (m *merged) header() *header {
	r := &m.Part.Header
	return &header{
		schema: r.Schema, asOf: r.AsOf, from: r.From, until: r.Until, next: r.Next, zone: r.Zone, by: r.By, seed: r.Seed, input: r.Input,
		profiles: r.Profiles, excluded: r.Excluded, policy: r.Policy, quantiles: m.Quantiles,
	}
}
