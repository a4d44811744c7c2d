package reconcile

import (
	"errors"
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// Options say what is reconciled. Only Through is required.
type Options struct {
	AsOf    calendar.Date // the as-of day: that of creation of profiles whose lines do not say theirs; zero for none
	Through calendar.Date // the day up to which the actual charges are complete
	Lag     int           // days that an actual charge may come after its forecast day
	// Policy has the values of the keys in Given for the records. Each other key has there the
	// value that was observed, else the one that it has in Policy. Deciding ignores both.
	Policy engine.Policy
	Given  []ledger.Clause
	// Wants reports whether lines of a profile that is not among the rows count; nil: they all do.
	Wants func(profile string) bool
	// IgnoreOthers passes over lines without a profile, and lines without an amount whose profile
	// is not among the rows.
	IgnoreOthers bool
	// Report receives what is wrong with lines and rows, once, as a [ledger.Finding]; nil for no
	// report.
	Report func(error)
}

// A Writer takes what [Match] finds, in the order of its methods: Begin once, with what was decided
// and all members of the summary that are known by then; for each row that is not left out, and
// each left out that has lines, Start, then Reconcile for each of its records, then Write if it is
// unexplained; then Write with unknown lines, readings, and the summary. A [record.Writer] that
// Begin makes has the other methods. Errors stay in the writer, for its user.
type Writer interface {
	Begin(Result)
	Start(p record.Profile)
	// Reconcile takes a record of the profile. What it points to is valid until the next call.
	Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error
	// Write takes a [record.Unexplained], [record.Reconciled], [record.Reading] or
	// [record.ReconcileSummary].
	Write(r record.Record) error
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

// Match sets actual charges against those that the rows are expected to make, and decides what they
// show. The rows are read three times, the lines once; what they yield need not outlive the next
// value. An error among them that is a [ledger.Finding] is reported, and the row or line is left
// out; any other ends the match, and is returned. What is yielded with the Finding of a line is
// what could be read of it, as [Actual] says: the line blocks the profiles that it may be about,
// all if it names none, from deciding anything, unless it is dated after the last day. A nil Writer
// is one that nobody reads: the Result has the counts.
func Match(rows iter.Seq2[*Row, error], actuals iter.Seq2[*Actual, error], o Options, w Writer) (Result, error) {
	if o.Through.IsZero() {
		return Result{}, errors.New("reconcile: Options.Through is missing: set the day up to which the actual charges are complete")
	}
	if w == nil {
		w = counted{}
	}
	m := &matching{o: o, rows: rows, w: w, subjects: subjects{byID: map[string]*subject{}, escaped: map[string]*subject{}}, profile: profile{o: &o}}
	if err := m.index(); err != nil {
		return Result{}, err
	}
	if err := m.readLines(actuals); err != nil {
		return Result{}, err
	}
	if err := m.decide(); err != nil {
		return Result{}, err
	}
	err := m.write()
	return m.result, err
}

// counted is a Writer that nobody reads.
type counted struct{}

func (counted) Begin(Result)                                                 {}
func (counted) Start(record.Profile)                                         {}
func (counted) Reconcile(record.Match, *engine.Charge, *record.Actual) error { return nil }
func (counted) Write(record.Record) error                                    { return nil }

// A matching is one run of Match.
type matching struct {
	o    Options
	rows iter.Seq2[*Row, error]
	w    Writer

	subjects  subjects
	kept      keptLines
	unmatched lineList // lines of no row
	unknown   []string // the profile that each of these names
	blocked   bool     // a line with a problem may be of any profile, so that none decides anything
	profile   profile
	result    Result
}

func (m *matching) report(err error) {
	if m.o.Report != nil {
		m.o.Report(err)
	}
}

func isFinding(err error) bool {
	_, ok := errors.AsType[ledger.Finding](err)
	return ok
}

// index finds the client-orderids of the rows.
func (m *matching) index() error {
	repeated := false
	for row, err := range m.rows {
		switch {
		case isFinding(err):
			m.report(err)
			m.result.Summary.LeftOut++
			continue
		case err != nil:
			return err
		}
		full, err := complete(row)
		if err != nil {
			return err
		}
		repeated = m.subjects.add(full.ID).rows > 1 || repeated
	}
	if !repeated {
		return nil
	}
	return m.each(func(row *Row, of *subject) {
		if of.rows > 1 {
			f := table.Finding(ProfileRepeated, "", "")
			f.Place = ledger.Place{File: row.File, Profile: row.Profile, Row: row.Row}
			m.report(f)
			m.result.Summary.LeftOut++
		}
	})
}

// each goes through the rows once more.
func (m *matching) each(do func(*Row, *subject)) error {
	for row, err := range m.rows {
		switch {
		case err == nil:
			full, err := complete(row)
			if err != nil {
				return err
			}
			do(&full, m.subjects.byID[full.ID])
		case !isFinding(err):
			return err
		}
	}
	return nil
}

// readLines keeps the lines of each row.
func (m *matching) readLines(actuals iter.Seq2[*Actual, error]) error {
	for a, err := range actuals {
		switch {
		case isFinding(err):
			m.problem(a, err)
		case err != nil:
			return err
		default:
			m.line(a)
		}
	}
	return nil
}

// line keeps a line where it belongs.
func (m *matching) line(a *Actual) {
	of := m.subjects.of(a.Profile)
	if of != nil && of.rows == 1 {
		m.kept.add(&of.lines, a)
		return
	}
	switch {
	case of == nil && m.subjects.near(a.Profile) != nil:
		f := table.Finding(ActualProfile, "the profile differs from one of the payload only in case, spaces or invisible characters", "")
		f.Help = "write the client-orderid exactly as its row has it"
		f.Kind, f.Subject = ledger.SubjectField, columnNames[columnProfile]
		f.Place = ledger.Place{File: a.File, Line: a.Line, Col: 1}
		a.Profiles = []string{a.Profile}
		m.problem(a, f)
	case of == nil && !m.wants(a.Profile):
	case of == nil && m.o.IgnoreOthers && a.NoAmount:
		m.result.Summary.Other++
	default:
		m.kept.add(&m.unmatched, a)
		m.unknown = append(m.unknown, a.Profile)
	}
}

func (m *matching) wants(profile string) bool {
	return m.o.Wants == nil || m.o.Wants(profile) && m.o.Wants(withoutApostrophe(profile))
}

// problem reports a line with a problem, and blocks the profiles that it may be about.
func (m *matching) problem(a *Actual, err error) {
	var named []*subject
	for _, name := range a.Profiles {
		named = append(named, m.subjects.named(name)...)
	}
	switch {
	case m.o.IgnoreOthers && (errors.Is(err, ActualProfile) && a.Profiles == nil || named == nil && len(a.Profiles) == 1 && a.NoAmount):
		m.result.Summary.Other++
		return
	case named == nil && a.Profiles != nil && !m.wants(a.Profiles[0]):
		return
	}
	m.report(err)
	m.result.Summary.Unreadable++
	switch {
	case a.Date.After(m.o.Through):
	case a.Profiles == nil:
		m.blocked = true
	default:
		for _, of := range named {
			of.blocked = true
		}
	}
}

// decide lets every profile decide.
func (m *matching) decide() error {
	d := newDecision()
	sum := &m.result.Summary
	err := m.joined(func(row *Row, of *subject) {
		if err := m.profile.take(row, &m.kept, of.lines, func(f error) {
			m.report(f)
			sum.Unreadable++
			of.blocked = true
		}); err != nil {
			sum.LeftOut++
			m.report(err)
		}
		if !m.blocked && !of.blocked {
			d.add(&m.profile)
		}
	})
	m.result.Verdicts, m.result.readings = d.records(), d.readings()
	m.result.Policy = m.o.inForce(m.result.readings)
	sum.Policy = observed(m.result.readings)
	return err
}

// joined goes through the rows that can be told apart.
func (m *matching) joined(do func(row *Row, of *subject)) error {
	return m.each(func(row *Row, of *subject) {
		if of.rows == 1 {
			do(row, of)
		}
	})
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
	m.w.Begin(m.result)
	sum := &m.result.Summary
	err := m.joined(func(row *Row, of *subject) {
		_ = m.profile.take(row, &m.kept, of.lines, func(error) {}) // was reported
		sum.After += m.profile.after
		m.writeProfile(m.blocked || of.blocked)
	})
	if err != nil {
		return err
	}
	profiles := m.unknown
	for of := range m.kept.all(m.unmatched) {
		profile := profiles[0]
		if profiles = profiles[1:]; of.date.After(m.o.Through) {
			sum.After++
			continue
		}
		sum.Count(record.Unknown)
		_ = m.w.Write(record.Reconciled{Profile: profile, Kind: record.Unknown, Actual: new(m.kept.actual(of))})
	}
	for _, r := range m.result.Verdicts {
		_ = m.w.Write(r)
	}
	_ = m.w.Write(*sum)
	return nil
}

// writeProfile writes the records of the profile at hand, and that it is unexplained unless a line
// may be missing.
func (m *matching) writeProfile(isBlocked bool) {
	p := &m.profile
	entries, fit := p.entries(m.result.Policy)
	if p.leftOut && len(entries) == 0 {
		return
	}
	m.w.Start(record.Profile{Subject: p.row.Subject})
	for i := range entries {
		e := &entries[i]
		m.result.Summary.Count(e.kind)
		_ = m.w.Reconcile(e.kind, e.charge, e.line)
	}
	if isBlocked || fit.isWhole() || !p.decides() {
		return
	}
	if u, ok := p.unexplained(); ok {
		m.result.Summary.Unexplained++
		_ = m.w.Write(u)
	}
}

// observed returns what was observed as the text of a policy.
func observed(r record.Readings) string {
	var keys []ledger.Clause
	for one := range r.All() {
		keys = append(keys, one.Key)
	}
	return policyOf(keys, r.Policy(engine.Policy{}))
}
