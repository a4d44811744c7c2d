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
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// ProbeOptions say what an experiment is to decide, and in which days.
type ProbeOptions struct {
	AsOf   calendar.Date   // the day on which the payloads are sent, the first of the days; required
	Days   int             // in which it is over; 0 for 62
	Keys   []ledger.Clause // the policy keys to decide; none for all
	Amount amount.Amount   // of a charge, and of the first element of a sequence, whose others are multiples of it; zero for 1.00
}

// ProbeDays is how many days an experiment takes at most where nothing else is said: with any two months there is mostly
// a short one.
const ProbeDays = 62

// An Experiment is a few profiles to create, what a person does with them, the days on which to look at what was charged,
// and what that tells.
type Experiment struct {
	AsOf        calendar.Date
	Days        int
	Keys        []ledger.Clause // in the order of the ledger
	Amount      amount.Amount
	Through     calendar.Date // the last day to look; zero where there are no rows
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

// A Decision is what one row tells of one key.
type Decision struct {
	Key     ledger.Clause
	Profile string
	Date    calendar.Date // the last day that is needed
	Apart   [][]int       // values by their places; those within a group are not told from each other
	// Unless is a reading of another key under which Key has no effect on the row, such as "start-past=reject"; empty for none.
	Unless string
}

// OpenReadings are values of a key that no row tells apart.
type OpenReadings struct {
	Key    ledger.Clause
	Values []int // by their places
	Days   int   // in which an experiment tells them apart as far as charges can; 0: no charge ever does
}

// An Undecidable is a key that no experiment decides.
type Undecidable struct {
	Key ledger.Clause
	Why string
}

// undecidable are the keys that no step of a person shows.
var undecidable = []Undecidable{
	{clause.L16b, "only a day that passes without its charging run shows it, an outage, and no step makes one"},
	{clause.L22, "only a manual charge before the charging run of its day shows it, and nobody can see to that: the order within a day is unknown (L24)"},
}

var (
	errProbeAsOf   = errors.New("reconcile: the day of an experiment is missing or not in the calendar")
	errProbeDays   = errors.New("reconcile: an experiment takes at least one day, and ends in the calendar")
	errProbeKeys   = errors.New("reconcile: a clause to decide has no policy key")
	errProbeAmount = errors.New("reconcile: the amount of an experiment is zero, or seven times it has more than ten characters")
)

// Probe returns the smallest experiment for the keys that rows of a table make: the fewest rows that tell all that any of
// them tells, of those the ones with the fewest steps, then those that are over first. A row tells two values apart where
// no values of the other keys make both charge alike, so that what Match observes of it does not rest on a guess. Equal
// options give equal experiments. It fails where an option has no meaning.
func Probe(o ProbeOptions) (Experiment, error) {
	sums, err := o.settle()
	if err != nil {
		return Experiment{}, err
	}
	x := Experiment{AsOf: o.AsOf, Days: o.Days, Keys: o.Keys, Amount: o.Amount}
	for _, u := range undecidable {
		if slices.Contains(o.Keys, u.Key) {
			x.Undecidable = append(x.Undecidable, u)
		}
	}
	s := newSearch(tryAll(o.AsOf, o.Days, sums), o.Keys, o.Days-1)
	rows := s.rows()
	through := s.through(rows)
	rows = slices.Concat(only(rows, false), only(rows, true))
	x.list(rows, through)
	x.decide(rows, through)
	x.leaveOpen(rows, through, func() []*trial {
		return tryAll(o.AsOf, min(o.Days+2*aYear, calendar.MaxDate().Sub(o.AsOf)+1), sums)
	})
	return x, nil
}

// only returns those of some trials that a policy refuses, or the others.
func only(trials []*trial, refused bool) []*trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t *trial) bool { return t.refused != refused })
}

// settle puts the defaults in place, and returns the amounts of a sequence.
func (o *ProbeOptions) settle() ([]amount.Amount, error) {
	if !o.AsOf.IsDay() {
		return nil, errProbeAsOf
	}
	most := calendar.MaxDate().Sub(o.AsOf) + 1
	o.Days = cmp.Or(o.Days, min(ProbeDays, most))
	if o.Days < 1 || o.Days > most {
		return nil, errProbeDays
	}
	asked := o.Keys
	o.Keys = nil
	for c := range engine.Keys() {
		if len(asked) == 0 || slices.Contains(asked, c) {
			o.Keys = append(o.Keys, c)
		}
	}
	for _, c := range asked {
		if !slices.Contains(o.Keys, c) {
			return nil, errProbeKeys
		}
	}
	if o.Amount == (amount.Amount{}) {
		o.Amount, _ = amount.FromMinor(100, 2)
	}
	var sums []amount.Amount
	for n := range int64(mostSums) {
		sum, err := amount.FromMinor(o.Amount.Coefficient()*(n+1), o.Amount.Scale())
		if err != nil || o.Amount.IsZero() || o.Amount.Coefficient() > 1e10 || len(sum.String()) > 10 {
			return nil, errProbeAmount
		}
		sums = append(sums, sum)
	}
	return sums, nil
}

// tryAll tries all drafts that so many days have room for.
func tryAll(asOf calendar.Date, days int, sums []amount.Amount) []*trial {
	var list []*trial
	for _, d := range drafts(asOf, days) {
		if t := tryOut(&d, asOf, days, sums); t != nil {
			list = append(list, t)
		}
	}
	return list
}

// list names the rows, and lists them with their steps.
func (x *Experiment) list(rows []*trial, through int) {
	requests := 0
	for i, t := range rows {
		if i == 0 || t.refused {
			requests++
		}
		p := t.sim.Stored.Profile
		p.ID = "probe-" + strings.ReplaceAll(x.AsOf.String(), "-", "") + "-" + strconv.Itoa(i+1)
		t.sim.Stored.Profile.ID = p.ID
		x.Rows = append(x.Rows, ProbeRow{requests, p})
		for n, line := range t.lines {
			if line.Step.Date.Sub(x.AsOf) > through {
				continue // nobody looks any more
			}
			line.Profile = p.ID
			x.Steps = append(x.Steps, ProbeStep{line, t.refusals(n)})
		}
	}
	slices.SortStableFunc(x.Steps, func(a, b ProbeStep) int { return a.Line.Step.Date.Compare(b.Line.Step.Date) })
	if len(rows) > 0 {
		x.Through = x.AsOf.AddDays(through)
	}
}

// decide lists what the rows tell up to a day, and when to look at them.
func (x *Experiment) decide(rows []*trial, through int) {
	for _, t := range rows {
		id, days, final := t.sim.Stored.Profile.ID, []int{}, -1
		for _, c := range x.Keys {
			told, ok := t.told[c]
			if !ok {
				continue
			}
			d := Decision{Key: c, Profile: id}
			if told.unless != nil {
				d.Unless = reading(t.keys[told.unless.key].clause, told.unless.value)
			}
			var last int
			if d.Apart, last = told.groups(through); len(d.Apart) < 2 {
				continue
			}
			d.Date = x.AsOf.AddDays(last)
			x.Decides, days, final = append(x.Decides, d), append(days, last), max(final, last)
		}
		if t.chargedBetween(final, through) {
			days = append(days, through)
		}
		slices.Sort(days)
		for _, day := range slices.Compact(days) {
			x.Look = append(x.Look, Look{id, x.AsOf.AddDays(day)})
		}
	}
	slices.SortStableFunc(x.Decides, func(a, b Decision) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortStableFunc(x.Look, func(a, b Look) int { return a.Date.Compare(b.Date) })
}

// chargedBetween reports whether any policy has a charge after a day and up to another.
func (t *trial) chargedBetween(day, through int) bool {
	t.sim.Until = t.sim.AsOf.AddDays(through)
	t.last = -1
	for n := range t.policies() {
		t.simulate(n)
	}
	return t.last > day
}

// groups returns the values by what is told apart by a day, and the last day that this takes.
func (t *telling) groups(day int) (groups [][]int, last int) {
	for v := range t.values {
		of := slices.IndexFunc(groups, func(group []int) bool { return t.by[group[0]][v] > day })
		if of < 0 {
			of = len(groups)
			groups = append(groups, nil)
		}
		groups[of] = append(groups[of], v)
		for w := range v {
			if by := t.by[v][w]; by <= day {
				last = max(last, by)
			}
		}
	}
	return groups, last
}

// leaveOpen lists the values that the rows leave together, with the days that would do: those in which one of the trials
// over many more days tells them apart.
func (x *Experiment) leaveOpen(rows []*trial, through int, over func() []*trial) {
	var far []*trial
	for _, c := range x.Keys {
		if slices.ContainsFunc(x.Undecidable, func(u Undecidable) bool { return u.Key == c }) {
			continue
		}
		for _, values := range together(rows, c, through) {
			if far == nil {
				far = over()
			}
			x.Open = append(x.Open, OpenReadings{c, values, daysFor(far, c, values)})
		}
	}
}

// together returns the groups of two values or more of a key that rows leave together.
func together(rows []*trial, c ledger.Clause, day int) [][]int {
	var groups [][]int
	for v := range c.Entry().Readings {
		var with []int
		groups = slices.DeleteFunc(groups, func(group []int) bool {
			isNear := slices.ContainsFunc(group, func(w int) bool { return bestLevel(rows, pair{c, w, v}, day) == levelNone })
			if isNear {
				with = append(with, group...)
			}
			return isNear
		})
		groups = append(groups, append(with, v))
	}
	groups = slices.DeleteFunc(groups, func(group []int) bool { return len(group) < 2 })
	for _, group := range groups {
		slices.Sort(group)
	}
	slices.SortFunc(groups, slices.Compare)
	return groups
}

// daysFor returns the days in which trials tell values apart as far as any does; 0 where none does.
func daysFor(trials []*trial, c ledger.Clause, values []int) (days int) {
	for i, w := range values {
		for _, v := range values[:i] {
			first := never
			for _, t := range trials {
				first = min(first, t.day(pair{c, v, w}))
			}
			if first != never {
				days = max(days, first+1)
			}
		}
	}
	return days
}
