package main

import (
	"bytes"
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
damaged or cut off is refused. An input that is in two parts, packed or not, is refused
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
	failed := sum.write(a, newSink(a, m.format.value, false, report.Options{
		Width: a.width(*m.width), Color: a.colourful(m.colour.value), Quantiles: sum.first().Quantiles,
	}))
	if failed != nil {
		return errors.Join(a.out.err, failed)
	}
	if n := sum.end.Overridden; n > 0 {
		a.log.line(overriddenNote(n))
	}
	if unmet := sum.unmet(); unmet != "" {
		if m.format.value != formatPartial {
			return errors.Join(a.out.err, unmetError(unmet, sum.end.LeftOut > sum.end.Overridden))
		}
		a.log.line("chargecast: note: " + unmet)
	}
	if n := sum.end.LeftOut - sum.end.Overridden; n > 0 {
		a.log.line("chargecast: " + counted(strconv.FormatUint(n, 10), "row") + " with errors left out of the parts; see the messages of their runs")
		return errors.Join(a.out.err, errFindings)
	}
	return a.out.err
}

// merged is the sum of parts.
type merged struct {
	parts   []mergedPart   // the portfolio of all is in the first
	end     record.PartEnd // of all
	repeats bool
	seen    map[partSum]int // the part, from 0
}

// unmet says that no row of any part has the first of the ids that none has; empty for none.
func (m *merged) unmet() string {
	switch {
	case len(m.end.Unmet) == 0:
		return ""
	case m.end.Unmet[0] < len(m.first().Header.Profiles):
		return noRow("--profile")
	}
	return noRow("--exclude")
}

// A partSum is an input by what is in it.
type partSum struct {
	size uint64
	sum  string
}

// A mergedPart is a part that was checked.
type mergedPart struct {
	*record.Part
	path string
	text []byte // by profile, where the part cannot be read again: all of it
}

func (m *merged) first() *record.Part { return m.parts[0].Part }

// read adds a part.
func (m *merged) read(a *app, path string, number int) error {
	part, err := checkPart(a, path)
	if err != nil {
		return err
	}
	if len(m.parts) > 0 {
		if what := m.first().Differs(part.Part); what != "" {
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
	m.end.Inputs = append(m.end.Inputs, part.Inputs...)
	for _, in := range part.States {
		if !slices.Contains(m.end.States, in) {
			m.end.States = append(m.end.States, in)
		}
	}
	m.end.Scripts = part.Scripts // which are those of all
	if part.LeftOut > math.MaxUint64-m.end.LeftOut {
		return usage(nameOf(path)+": too many rows", "merge fewer parts")
	}
	m.end.LeftOut += part.LeftOut
	m.end.Overridden += part.Overridden
	if m.parts = append(m.parts, part); number == 0 {
		m.end.Unmet = slices.Clone(part.Unmet)
	}
	m.end.Unmet = slices.DeleteFunc(m.end.Unmet, func(i int) bool {
		_, found := slices.BinarySearch(part.Unmet, i)
		return !found
	})
	if part.Portfolio == nil || len(m.parts) == 1 {
		return nil
	}
	if err := m.first().Portfolio.Merge(part.Portfolio); err != nil {
		return usage(nameOf(path)+": cannot be added: "+err.Error(), "merge fewer parts")
	}
	part.Portfolio = nil
	return nil
}

// checkPart reads a part to its end. Of one by profile the totals are for later.
func checkPart(a *app, path string) (mergedPart, error) {
	in, err := a.openText(path)
	if err != nil {
		return mergedPart{}, err
	}
	defer in.close()
	a.collectOften()
	var kept keptPart
	text := io.Reader(in)
	if isStdin(path) || !in.isFile() { // some systems go on with stdin where it was left
		text = io.TeeReader(in, &kept)
	}
	part, err := record.ReadPart(text, nil)
	if errors.Is(err, errPartLong) {
		return mergedPart{}, unreadable(in.name+": "+err.Error(), "write it to a file, and merge that")
	}
	if err := partError(in, err); err != nil {
		return mergedPart{}, err
	}
	of := mergedPart{Part: part, path: path}
	if part.Portfolio == nil {
		of.text = kept.Bytes()
	}
	return of, nil
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
	if err == nil && part.Sum != p.Sum {
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
	switch book := m.first().Portfolio; {
	case book == nil:
		if err := m.writeProfiles(a, s); err != nil {
			return err
		}
	case isPart:
		to.book = book
	default:
		sendBook(s, book, nil, h.by, h.quantiles)
	}
	s.finish()
	if isPart {
		m.end.Quantiles = h.quantiles
		_ = to.w.Close(to.book, m.end)
	}
	return nil
}

// writeProfiles sends the totals by profile, part after part. Where there are several inputs they name
// theirs.
func (m *merged) writeProfiles(a *app, s sink) error {
	for i := range m.parts {
		part := &m.parts[i]
		err := part.totals(a, func(t *record.Total) {
			if t.File == "" && len(m.end.Inputs) > 1 && len(part.Inputs) > 0 {
				t.File = part.Inputs[0].Name
			}
			s.total(t)
		})
		if err != nil {
			return err
		}
	}
	return nil
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
