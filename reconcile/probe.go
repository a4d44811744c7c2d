package reconcile

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// An Experiment is a few profiles to create, what a person does with them, the days on which to
// look at what was charged, and what that tells about the policy keys.
type Experiment struct {
	AsOf        calendar.Date // the day on which the payloads are sent
	Days        int           // in which it is over: 62, or 92 if no end of a short month is seen in fewer
	Through     calendar.Date // the last day to look
	Rows        []ProbeRow
	Steps       []ProbeStep // in order of date
	Look        []Look      // in order of date, then of the rows
	Decides     []Decision  // in order of the keys, then of the rows
	Open        []OpenReadings
	Undecidable []Undecidable
}

// A ProbeRow is a profile to create.
type ProbeRow struct {
	Request int            // from 1: rows of one request are sent together; one that some reading refuses has a request of its own (L48)
	Profile engine.Profile // without currency and card
}

// A ProbeStep is what a person does on a day, once the day's charges are there (L24).
type ProbeStep struct {
	Line   record.ScriptLine
	Unless []string // readings under which it is ignored or refused, such as "manual-when-stopped=refuse"
}

// A Look is a day on which to note what has been charged since the last one.
type Look struct {
	Profile string
	Date    calendar.Date
}

// A Decision is what one row tells about one key, whatever the values of the other keys are.
type Decision struct {
	Key     ledger.Clause
	Profile string
	Date    calendar.Date // the last day that is needed
	Apart   [][]int       // values by their places; those within a group are not distinguished
	// Unless is a reading of another key under which Key has no effect on the row, such as
	// "start-past=reject"; empty for none.
	Unless string
}

// OpenReadings are values of a key that no row distinguishes.
type OpenReadings struct {
	Key    ledger.Clause
	Values []int // by their places
	Days   int   // in which an experiment would distinguish them; 0: no charge ever does
}

// An Undecidable is a key that no experiment decides.
type Undecidable struct {
	Key ledger.Clause
	Why string
}

var errProbeAsOf = errors.New("reconcile: the day of an experiment is missing, or the experiment would leave the calendar")

// Probe returns the experiment that begins on a day: a table relative to it, but for the row that
// shows the end of a month. Values are distinguished where no values of the other keys make the
// gateway charge alike, so that what [Match] observes does not depend on a guess. It fails for the
// first 99 and the last 800 days of the calendar.
func Probe(asOf calendar.Date) (Experiment, error) {
	if !asOf.IsDay() || !asOf.AddDays(-experimentBefore).IsDay() || !asOf.AddDays(2*aYear).IsDay() {
		return Experiment{}, errProbeAsOf
	}
	x := Experiment{AsOf: asOf, Undecidable: slices.Clone(undecidable)}
	ends := monthEndsAfter(asOf)
	table := slices.Insert(slices.Clone(probeTable), 1, ends.row(&x))
	request := 0
	for i := range table {
		if i != 1 { // the monthly row goes with the first one
			request++
		}
		x.add(&table[i], request)
	}
	slices.SortStableFunc(x.Steps, func(a, b ProbeStep) int { return a.Line.Step.Date.Compare(b.Line.Step.Date) })
	slices.SortStableFunc(x.Decides, func(a, b Decision) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortStableFunc(x.Look, func(a, b Look) int { return a.Date.Compare(b.Date) })
	x.Through = x.Look[len(x.Look)-1].Date
	x.Open = append(x.Open, noChargeTells)
	return x, nil
}

// add adds a row with its steps, and what it tells.
func (x *Experiment) add(r *probeRow, request int) {
	p := r.profile(x.AsOf)
	p.ID = "probe-" + strings.ReplaceAll(x.AsOf.String(), "-", "") + "-" + strconv.Itoa(len(x.Rows)+1)
	x.Rows = append(x.Rows, ProbeRow{request, p})
	for _, s := range r.steps {
		line := s.line(x.AsOf)
		line.Profile = p.ID
		x.Steps = append(x.Steps, ProbeStep{line, slices.Clone(s.unless)})
	}
	var days []int
	for _, t := range r.tells {
		d := Decision{Key: t.key, Profile: p.ID, Date: x.AsOf.AddDays(t.by)}
		for _, group := range t.apart {
			d.Apart = append(d.Apart, slices.Clone(group))
		}
		x.Decides, days = append(x.Decides, d), append(days, t.by)
	}
	slices.Sort(days)
	for _, day := range slices.Compact(days) {
		x.Look = append(x.Look, Look{p.ID, x.AsOf.AddDays(day)})
	}
}

// profile returns the profile of a row.
func (r *probeRow) profile(asOf calendar.Date) engine.Profile {
	p := engine.Profile{Kind: engine.KindSource, Unit: r.unit, Interval: r.every}
	if r.start != absent {
		p.Start = asOf.AddDays(r.start)
	}
	if r.finish != absent {
		p.Finish = asOf.AddDays(r.finish)
	}
	if r.max != absent {
		p.MaxRepeats = engine.AtMost(uint64(r.max))
	}
	var sums []amount.Amount
	for n := range int64(max(1, r.sums)) {
		sum, _ := amount.FromMinor(100*(n+1), 2) // 1.00 and so on
		sums = append(sums, sum)
	}
	p.Amounts = amount.Fixed(sums[0])
	if r.sums > 0 {
		p.Amounts, _ = amount.Sequence(sums) // of at least one
	}
	return p
}

// line returns a step as a line of a script.
func (s *probeStep) line(asOf calendar.Date) record.ScriptLine {
	line := record.ScriptLine{Step: engine.Step{Event: engine.Event{Date: asOf.AddDays(s.day), Kind: s.do}, After: true}}
	switch {
	case s.do != engine.EventUpdate:
	case s.start == absent:
		line.Step.Update.Finish = engine.Remove[calendar.Date]()
		line.Cells = []record.Cell{{Column: "finish-date"}}
	default:
		start := asOf.AddDays(s.start)
		line.Step.Update.Start = engine.To(start)
		line.Cells = []record.Cell{{Column: "start-date", Value: start.Dotted()}}
	}
	return line
}
