package reconcile

import (
	"errors"
	"iter"
	"math"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// Options say what is reconciled. Only Through is required.
type Options struct {
	AsOf    calendar.Date // the day of creation of profiles whose lines do not say theirs; zero for none
	Through calendar.Date // the day up to which the actual charges are complete
	Lag     int           // days that an actual charge may come after its forecast day
	// Policy has the values of the keys in Given for the records. Each other key has there the value that was observed,
	// else the one that it has in Policy. Deciding ignores both.
	Policy engine.Policy
	Given  []ledger.Clause
	// Wants reports whether lines of a profile count at all; nil: they all do.
	Wants func(profile string) bool
	// Report receives what is wrong with lines and rows, once, as a [ledger.Finding]; nil for no report.
	Report func(error)
	// Kept is called when the actual charges are in another order than the rows, and are kept in memory; nil: nobody
	// wants to know.
	Kept func()
}

// A Writer takes what [Match] finds, in the order of its methods: Begin once; for each row that is not left out, and each
// left out that has lines, Profile, then Reconciled for each of its records, then Write if it is unexplained; then Write with
// unknown lines, readings, and the summary.
type Writer interface {
	Begin(policy engine.Policy, observed record.Readings)
	Profile(s record.Subject)
	// Reconciled takes a record of the profile. What it points to is valid until the next call.
	Reconciled(kind record.Match, expected *engine.Charge, actual *record.Actual)
	// Write takes a [record.Unexplained], [record.Reconciled], [record.Reading] or [record.ReconcileSummary].
	Write(record.Record)
}

// A Result is what a reconciliation comes to.
type Result struct {
	Summary  record.ReconcileSummary
	Verdicts []record.Reading // on every value of every key
	Policy   engine.Policy    // the one in force for the records
	readings record.Readings
}

// Readings returns the values that were observed.
func (r Result) Readings() record.Readings { return r.readings }

// Match sets actual charges against those that the rows are expected to make, and decides what they show. Both sequences
// are read several times, and what they yield need not outlive the next value; where a profile's lines are together, and in
// the order of the rows, little of them is kept. An error among the rows or the lines that is a [ledger.Finding] is reported, and the row or line is left out; any
// other ends the match, and is returned.
func Match(rows iter.Seq2[*Row, error], actuals iter.Seq2[*Actual, error], o Options, w Writer) (Result, error) {
	m := &matching{o: o, rows: rows, actuals: actuals, w: w, ids: map[string]int{}, profile: profile{o: &o}}
	if err := m.index(); err != nil {
		return Result{}, err
	}
	if err := m.decide(); err != nil {
		return Result{}, err
	}
	err := m.write()
	return m.result, err
}

// A matching is one run of Match.
type matching struct {
	o       Options
	rows    iter.Seq2[*Row, error]
	actuals iter.Seq2[*Actual, error]
	w       Writer

	ids       map[string]int      // the place of each row, from 0; repeated for rows that cannot be told apart
	kept      map[string][]Actual // the lines of each profile; nil where they are in the order of the rows
	strangers bool                // there are lines of no row
	told      int                 // findings about lines that are reported, whichever reading found them
	profile   profile
	result    Result
}

// repeated is the place of rows with the same client-orderid.
const repeated = -1

var errDisorder = errors.New("reconcile: the lines are in another order than the rows")

func (m *matching) report(err error) {
	if m.o.Report != nil {
		m.o.Report(err)
	}
}

func isFinding(err error) bool {
	_, ok := errors.AsType[ledger.Finding](err)
	return ok
}

// index finds the places of the rows.
func (m *matching) index() error {
	n := 0
	for row, err := range m.rows {
		switch {
		case isFinding(err):
			m.report(err)
			m.result.Summary.LeftOut++
			continue
		case err != nil:
			return err
		}
		if _, again := m.ids[row.ID]; again {
			m.ids[row.ID] = repeated
		} else {
			m.ids[strings.Clone(row.ID)] = n
		}
		n++
	}
	if len(m.ids) == n {
		return nil
	}
	return m.each(func(row *Row) {
		if m.ids[row.ID] == repeated {
			f := table.Finding(ProfileRepeated, "", "")
			f.Place = ledger.Place{File: row.File, Profile: row.Profile, Row: row.Row}
			m.report(f)
			m.result.Summary.LeftOut++
		}
	})
}

// each goes through the rows once more.
func (m *matching) each(do func(*Row)) error {
	for row, err := range m.rows {
		switch {
		case err == nil:
			do(row)
		case !isFinding(err):
			return err
		}
	}
	return nil
}

// lines yields the lines that count.
func (m *matching) lines() iter.Seq2[*Actual, error] {
	return func(yield func(*Actual, error) bool) {
		found := 0
		for a, err := range m.actuals {
			switch {
			case isFinding(err):
				if found++; found > m.told {
					m.told = found
					m.report(err)
				}
			case err != nil:
				yield(nil, err)
				return
			case (m.o.Wants == nil || m.o.Wants(a.Profile)) && !yield(a, nil):
				return
			}
		}
	}
}

// joined goes through the rows with their lines.
func (m *matching) joined(do func(row *Row, lines []Actual)) error {
	if m.kept != nil {
		return m.each(func(row *Row) {
			if m.ids[row.ID] != repeated {
				do(row, m.kept[row.ID])
			}
		})
	}
	next, stop := iter.Pull2(m.rows)
	defer stop()
	at, more := 0, true // the place of the next row
	through := func(place int, lines []Actual) error {
		for more && at <= place {
			var row *Row
			var err error
			switch row, err, more = next(); {
			case !more, isFinding(err):
				continue
			case err != nil:
				return err
			case m.ids[row.ID] == repeated:
			case at == place:
				do(row, lines)
			default:
				do(row, nil)
			}
			at++
		}
		return nil
	}
	err := m.groups(func(lines []Actual) error {
		place, known := m.ids[lines[0].Profile]
		switch {
		case !known || place == repeated:
			m.strangers = true
			return nil
		case place < at:
			return errDisorder
		}
		return through(place, lines)
	})
	if err != nil {
		return err
	}
	return through(math.MaxInt, nil)
}

// groups yields neighbouring lines of one profile. They are valid until the next call.
func (m *matching) groups(do func([]Actual) error) error {
	var group []Actual
	for a, err := range m.lines() {
		if err != nil {
			return err
		}
		if len(group) > 0 && group[0].Profile != a.Profile {
			if err := do(group); err != nil {
				return err
			}
			group = group[:0]
		}
		group = append(group, *a)
	}
	if len(group) == 0 {
		return nil
	}
	return do(group)
}

// keep keeps the lines of all profiles.
func (m *matching) keep() error {
	if m.o.Kept != nil {
		m.o.Kept()
	}
	m.kept = map[string][]Actual{}
	for a, err := range m.lines() {
		if err != nil {
			return err
		}
		if place, known := m.ids[a.Profile]; known && place != repeated {
			m.kept[a.Profile] = append(m.kept[a.Profile], *a)
		} else {
			m.strangers = true
		}
	}
	return nil
}

// mostFound is how many findings about profiles are kept until it is certain that the lines are in the order of the rows.
const mostFound = 1000

// decide lets every profile decide.
func (m *matching) decide() error {
	var d *decision
	var found []error
	var leftOut uint64
	all := func() error {
		d, found, leftOut = newDecision(), nil, 0
		find := func(err error) {
			if len(found) < mostFound {
				found = append(found, err)
			}
		}
		return m.joined(func(row *Row, lines []Actual) {
			if err := m.profile.take(row, lines, find); err != nil {
				leftOut++
				find(err)
			}
			d.add(&m.profile)
		})
	}
	err := all()
	if err == errDisorder {
		if err = m.keep(); err == nil {
			err = all()
		}
	}
	for _, f := range found {
		m.report(f)
	}
	m.result.Summary.LeftOut += leftOut
	m.result.Verdicts, m.result.readings = d.records(), d.readings()
	m.result.Policy = m.o.inForce(m.result.readings)
	return err
}

// inForce returns the policy of the records.
func (o *Options) inForce(r record.Readings) engine.Policy {
	p := r.Policy(o.Policy)
	for _, c := range o.Given {
		p = p.WithReading(c, placeOf(o.Policy, c))
	}
	return p
}

// write writes all records.
func (m *matching) write() error {
	m.w.Begin(m.result.Policy, m.result.readings)
	sum := &m.result.Summary
	if err := m.joined(func(row *Row, lines []Actual) {
		_ = m.profile.take(row, lines, func(error) {}) // was reported
		sum.After += m.profile.after
		m.writeProfile()
	}); err != nil {
		return err
	}
	if err := m.writeStrangers(); err != nil {
		return err
	}
	for _, r := range m.result.Verdicts {
		m.w.Write(r)
	}
	sum.Policy = observed(m.result.readings)
	m.w.Write(*sum)
	return nil
}

func (m *matching) writeProfile() {
	p := &m.profile
	entries, fit := p.entries(m.result.Policy)
	if p.outcast && len(entries) == 0 {
		return
	}
	m.w.Profile(p.row.Subject)
	for i := range entries {
		e := &entries[i]
		m.result.Summary.Count(e.kind)
		var actual *record.Actual
		if e.line != nil {
			actual = &e.line.Actual
		}
		m.w.Reconciled(e.kind, e.charge, actual)
	}
	if fit.isWhole() || !p.decides() {
		return
	}
	if u, ok := p.unexplained(); ok {
		m.result.Summary.Unexplained++
		m.w.Write(u)
	}
}

// writeStrangers writes the lines of no row, in their order.
func (m *matching) writeStrangers() error {
	if !m.strangers {
		return nil
	}
	for a, err := range m.lines() {
		if err != nil {
			return err
		}
		place, known := m.ids[a.Profile]
		switch {
		case known && place != repeated:
		case a.Date.After(m.o.Through):
			m.result.Summary.After++
		default:
			m.result.Summary.Count(record.Unknown)
			m.w.Write(record.Reconciled{Profile: a.Profile, Kind: record.Unknown, Actual: new(a.Actual)})
		}
	}
	return nil
}

// observed returns what was observed as the text of a policy.
func observed(r record.Readings) string {
	var keys []ledger.Clause
	for one := range r.All() {
		keys = append(keys, one.Key)
	}
	return policyOf(keys, r.Policy(engine.Policy{}))
}
