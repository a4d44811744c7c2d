package reconcile_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// TestMatchTruth: charges of a gateway with policy π, reconciled, are all matched under π, and no
// value of π is refuted (L01).
func TestMatchTruth(t *testing.T) { gen.Hold(t, 1000, Gateways, truthHolds) }

// TestMatchReadingsByTrying: a key's value is observed if and only if some profile is explained
// whole only by policies that have it, and every profile explained at all by some: the same as
// trying every policy (L01).
func TestMatchReadingsByTrying(t *testing.T) { gen.Hold(t, 500, anyGateways, readingsByTrying) }

// TestMatchExplains: the observed policy explains every profile whose explaining policies no open
// key tells apart (L01).
func TestMatchExplains(t *testing.T) { gen.Hold(t, 300, Gateways, observedExplains) }

// TestMatchOneRecordEach: each line and each expected charge up to the last day is in exactly one
// record, whose kind is right; no order changes anything (L01).
func TestMatchOneRecordEach(t *testing.T) { gen.Hold(t, 1000, DisturbedGateways, oneRecordEach) }

// TestMatchNoise: with up to 10 % of the lines lost, doubled, moved or altered, no wrong value of a
// key is observed that an undisturbed profile decides (L01).
func TestMatchNoise(t *testing.T) { gen.Hold(t, 100, DisturbedBooks, noiseShowsNothing) }

// TestReadingsForecast: a forecast with readings is one with their policy but for the basis
// observed; where nothing observed matters, the same bytes (L01).
func TestReadingsForecast(t *testing.T) { gen.Hold(t, 1000, ObservedPlans, observedForecast) }

// TestProbeDecides: an experiment carried out under any π and reconciled: of each key that it
// decides, π's value is not refuted, each value of another group is; every step is accepted, or it
// says where not (L01 L24 L48).
func TestProbeDecides(t *testing.T) { gen.Hold(t, 50, Probes, probeDecides) }

// TestProbeSmall: an experiment has at most six rows, none of which can be left out, nor its last
// day, without a pair of values less told apart; every key but those it names is decided (L01).
func TestProbeSmall(t *testing.T) { gen.Hold(t, 25, Probes, probeIsSmall) }

// A reconciliation is what became of charges and lines, and what they show.
type reconciliation struct {
	Records     []record.Reconciled
	Unexplained []record.Unexplained
	Readings    []record.Reading
	Faults      []ledger.Code // of rows and lines that are left out
}

func same[V comparable](t *gen.Report, what string, got, want []V) {
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func chargeText(c engine.Charge) string {
	return fmt.Sprintf("%d on %v for %v, manual %v: %v to %v", c.Repeat, c.Date, c.Slot, c.Manual, c.Min.Reduce(), c.Max.Reduce())
}

func match(c GatewayCase, under *engine.Policy) (reconciliation, error) {
	var w collected
	o := reconcile.Options{AsOf: c.AsOf, Through: c.Through, Lag: c.Lag, Report: func(err error) {
		code, _ := errors.AsType[ledger.Code](err)
		w.Faults = append(w.Faults, code)
	}}
	if under != nil {
		o.Policy, o.Given = *under, slices.Collect(engine.Keys())
	}
	_, err := reconcile.Match(gatewayRows(&c), gatewayLines(&c), o, &w)
	return w.reconciliation, err
}

func gatewayRows(c *GatewayCase) iter.Seq2[*reconcile.Row, error] {
	return func(yield func(*reconcile.Row, error) bool) {
		for i := range c.Rows {
			r := &c.Rows[i]
			row := reconcile.Row{ID: r.Profile.ID, Script: r.Script(), Subject: record.Subject{Profile: r.Profile.ID, Row: i + 1, Currency: r.Profile.Currency}}
			row.Stored = r.Stored()
			if !yield(&row, nil) {
				return
			}
		}
	}
}

func gatewayLines(c *GatewayCase) iter.Seq2[*reconcile.Actual, error] {
	return func(yield func(*reconcile.Actual, error) bool) {
		for _, l := range c.Lines {
			a := reconcile.Actual{Profile: l.Profile, Actual: record.Actual{
				Line: l.Number, Date: l.Date, Amount: l.Amount, Negative: l.Negative, Currency: l.Currency,
			}}
			switch {
			case l.None:
				a.Outcome = record.ActualNone
			case l.Declined:
				a.Outcome = record.ActualDeclined
			}
			if !yield(&a, nil) {
				return
			}
		}
	}
}

// collected is a reconcile.Writer that keeps everything.
type collected struct {
	reconciliation
	of record.Subject
}

func (w *collected) Begin(reconcile.Result) {}

func (w *collected) Start(p record.Profile) { w.of = p.Subject }

func (w *collected) Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error {
	r := record.Reconciled{Profile: w.of.Profile, Row: w.of.Row, Kind: kind}
	if expected != nil {
		r.Expected = &record.Charge{Charge: *expected}
	}
	if actual != nil {
		r.Actual = new(*actual)
	}
	w.Records = append(w.Records, r)
	return nil
}

func (w *collected) Write(r record.Record) error {
	switch r := r.(type) {
	case record.Reconciled:
		w.Records = append(w.Records, r)
	case record.Unexplained:
		w.Unexplained = append(w.Unexplained, r)
	case record.Reading:
		w.Readings = append(w.Readings, r)
	default: // the summary
	}
	return nil
}

func showObserved(j gen.Job, w calendar.Window, observed record.Readings) ([]byte, error) {
	policy := observed.Policy(j.Policy)
	plan, err := engine.New(policy).Compile(j.Stored(), j.AsOf)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	out := record.NewWriter(&text, record.Header{Schema: record.SchemaForecast, AsOf: j.AsOf, Policy: policy, Observed: observed}, record.Options{Explain: true})
	out.Start(record.Profile{Subject: record.Subject{Profile: j.Profile.ID, Row: 1, Currency: j.Profile.Currency}})
	for c := range plan.Charges(w) {
		if err := out.Charge(&c); err != nil {
			return nil, err
		}
	}
	end := plan.End(w.Last())
	err = errors.Join(out.End(&end), out.Close())
	return text.Bytes(), err
}

func anyGateways(r gen.Chooser) GatewayCase {
	if r.Chance(50) {
		return DisturbedGateways(r)
	}
	return Gateways(r)
}

func reconciled(t *gen.Report, c GatewayCase, under *engine.Policy) reconciliation {
	r, err := match(c, under)
	if err != nil {
		t.Fatalf("it is not reconciled: %v", err)
	}
	for _, code := range r.Faults {
		t.Fatalf("a row or line is left out: %s", string(code))
	}
	return r
}

// readingOf is the verdict on a value of a key.
func (r *reconciliation) readingOf(c ledger.Clause, value int) record.Reading {
	one, _ := c.Reading(value)
	i := slices.IndexFunc(r.Readings, func(of record.Reading) bool { return of.Key == c.Key() && of.Value == one.Value })
	if i < 0 {
		return record.Reading{}
	}
	return r.Readings[i]
}

func placeOf(p engine.Policy, c ledger.Clause) int {
	return slices.Index(c.Entry().Values(), p.Reading(c).Value)
}

func readingText(c ledger.Clause, value int) string {
	one, _ := c.Reading(value)
	return c.Key() + "=" + one.Value
}

// tookPlace reports whether a record is of a charge that took place as it was expected.
func tookPlace(r *record.Reconciled) bool {
	return r.Kind == record.Matched || r.Kind == record.MatchedLate
}

func truthHolds(t *gen.Report, c GatewayCase) {
	r := reconciled(t, c, &c.Policy)
	for i := range r.Records {
		if !tookPlace(&r.Records[i]) {
			t.Errorf("under the gateway's own policy: %s", recordText(&r.Records[i]))
		}
	}
	for _, u := range r.Unexplained {
		t.Errorf("%s is unexplained", u.Profile)
	}
	for key := range engine.Keys() {
		v := placeOf(c.Policy, key)
		if of := r.readingOf(key, v); of.Verdict == 0 || of.Against > 0 {
			t.Errorf("%s is true, and %q, with %d profiles against it", readingText(key, v), of.Verdict.String(), of.Against)
		}
	}
}

// recordText is a record without its row and the number of its line.
func recordText(r *record.Reconciled) string {
	text := r.Profile + " " + r.Kind.String()
	if r.Expected != nil {
		text += ", expected " + chargeText(r.Expected.Charge)
	}
	if a := r.Actual; a != nil {
		text += ", on " + a.Date.String()
		if a.Outcome == record.ActualNone {
			return text + " none"
		}
		if text += " "; a.Negative {
			text += "-"
		}
		text += a.Amount.Reduce().String()
	}
	return text
}

// A trialled is a row that was tried under every policy that matters to it.
type trialled struct {
	keys  []ledger.Clause
	tries []triedPolicy
	whole int // of the tries
}

type triedPolicy struct {
	policy  engine.Policy
	charges []engine.Charge
	whole   bool
}

// try tries the policies on a row: the keys on which it can rest, and one more that the case draws.
func try(c *GatewayCase, r *GatewayRow) (of trialled) {
	s := c.Simulation(r)
	of.keys = reconcile.PolicyKeys(&s)
	extra := slices.Collect(engine.Keys())[c.Extra]
	if !slices.Contains(of.keys, extra) && len(of.keys) < 4 {
		of.keys = append(of.keys, extra)
	}
	everyPolicy(of.keys, engine.Policy{}, func(p engine.Policy) {
		one := triedPolicy{policy: p, charges: c.Charges(r, p)}
		if one.whole = agreesWith(c, r, one.charges, c.Through); one.whole {
			of.whole++
		}
		of.tries = append(of.tries, one)
	})
	return of
}

// everyPolicy yields a policy for each choice of values of some keys.
func everyPolicy(keys []ledger.Clause, p engine.Policy, yield func(engine.Policy)) {
	if len(keys) == 0 {
		yield(p)
		return
	}
	for v := range keys[0].Entry().Readings {
		everyPolicy(keys[1:], p.WithReading(keys[0], v), yield)
	}
}

// concerns reports whether a line is one of a charge of a row, up to a day.
func concerns(l *GatewayLine, r *GatewayRow, through calendar.Date) bool {
	known := l.Currency == "" || l.Currency == r.Profile.Currency
	return l.Profile == r.Profile.ID && !l.Date.After(through) && known && (l.None || !l.Negative && !l.Amount.IsZero())
}

// agreesWith reports whether charges and the lines of a row agree up to a day. It lets one charge
// after the other look for its line: on its own day first, approved ones before those that were
// declined.
func agreesWith(c *GatewayCase, r *GatewayRow, charges []engine.Charge, through calendar.Date) bool {
	var lines []GatewayLine
	for i := range c.Lines {
		if l := &c.Lines[i]; concerns(l, r, through) && !l.None {
			lines = append(lines, *l)
		}
	}
	slices.SortStableFunc(lines, func(a, b GatewayLine) int {
		return cmp.Or(a.Date.Compare(b.Date), a.Amount.Compare(b.Amount))
	})
	charges = slices.DeleteFunc(slices.Clone(charges), func(e engine.Charge) bool { return e.Date.After(through) })
	narrow := slices.SortedStableFunc(slices.Values(charges), func(a, b engine.Charge) int {
		return cmp.Or(a.Date.Compare(b.Date), a.Max.Compare(b.Max), b.Min.Compare(a.Min))
	})
	charges = looking(looking(narrow, &lines, 0, false), &lines, 0, true)
	slices.SortStableFunc(charges, func(a, b engine.Charge) int { return a.Date.Compare(b.Date) })
	charges = looking(looking(charges, &lines, c.Lag, false), &lines, c.Lag, true)
	unpaid := slices.ContainsFunc(charges, func(e engine.Charge) bool {
		return e.Outcome == engine.OutcomeApproved && !e.Date.AddDays(c.Lag).After(through)
	})
	return len(lines) == 0 && !unpaid
}

// looking returns the charges that find no line up to a lag after their day; lines that are found
// are taken away.
func looking(charges []engine.Charge, lines *[]GatewayLine, lag int, declined bool) (left []engine.Charge) {
	for _, e := range charges {
		at := -1
		if (e.Outcome == engine.OutcomeDeclined) == declined {
			at = slices.IndexFunc(*lines, func(l GatewayLine) bool {
				late := l.Date.Sub(e.Date)
				return (lag == 0 && late == 0 || late > 0 && late <= lag) && fits(&e, l.Amount)
			})
		}
		if at < 0 {
			left = append(left, e)
			continue
		}
		*lines = slices.Delete(*lines, at, at+1)
	}
	return left
}

// readingsByTrying counts for each value the profiles that speak for it and against it.
func readingsByTrying(t *gen.Report, c GatewayCase) {
	got := reconciled(t, c, nil)
	want := map[string]*record.Reading{}
	for key := range engine.Keys() {
		for _, one := range key.Entry().Readings {
			want[key.Key()+"="+one.Value] = &record.Reading{Verdict: record.VerdictOpen}
		}
	}
	var unexplained []string
	for i := range c.Rows {
		r := &c.Rows[i]
		if !slices.ContainsFunc(c.Lines, func(l GatewayLine) bool { return concerns(&l, r, c.Through) }) {
			continue
		}
		of := try(&c, r)
		if of.whole == 0 {
			unexplained = append(unexplained, r.Profile.ID)
			continue
		}
		for _, key := range of.keys {
			for v := range key.Entry().Readings {
				of.speak(key, v, want[readingText(key, v)], r.Profile.ID)
			}
		}
	}
	var told []string
	for _, u := range got.Unexplained {
		told = append(told, u.Profile)
	}
	same(t, "the unexplained profiles", told, unexplained)
	for key := range engine.Keys() {
		for v := range key.Entry().Readings {
			one := got.readingOf(key, v)
			if by := want[readingText(key, v)]; verdictText(one) != verdictText(*by) {
				t.Errorf("%s is %s, by trying every policy %s", readingText(key, v), verdictText(one), verdictText(*by))
			} else if one.Decided != nil {
				decidedInTime(t, &c, key, v, *one.Decided)
			}
		}
	}
}

// speak lets a row that some policies explain speak for a value or against it.
func (of *trialled) speak(key ledger.Clause, value int, say *record.Reading, profile string) {
	with := 0
	for _, one := range of.tries {
		if one.whole && placeOf(one.policy, key) == value {
			with++
		}
	}
	switch with {
	case 0:
		say.Against++
	case of.whole:
		if say.For++; say.For == 1 {
			say.Decided = &record.DecidedBy{Profile: profile}
		}
	}
	switch {
	case say.For > 0 && say.Against > 0:
		say.Verdict = record.VerdictContradicted
	case say.For > 0:
		say.Verdict = record.VerdictObserved
	case say.Against > 0:
		say.Verdict = record.VerdictRefuted
	}
}

func verdictText(r record.Reading) string {
	text := fmt.Sprintf("%s, with %d profiles for it and %d against it", r.Verdict, r.For, r.Against)
	if r.Verdict == record.VerdictObserved && r.Decided != nil {
		text += ", decided by " + r.Decided.Profile
	}
	return text
}

// decidedInTime asks for the earliest day up to which no policy with another value explains the
// profile.
func decidedInTime(t *gen.Report, c *GatewayCase, key ledger.Clause, value int, by record.DecidedBy) {
	row := &c.Rows[slices.IndexFunc(c.Rows, func(r GatewayRow) bool { return r.Profile.ID == by.Profile })]
	of := try(c, row)
	for _, through := range [...]calendar.Date{by.Date, by.Date.AddDays(-1)} {
		left := slices.ContainsFunc(of.tries, func(one triedPolicy) bool {
			return placeOf(one.policy, key) != value && agreesWith(c, row, one.charges, through)
		})
		if isEarly := through != by.Date; left != isEarly && through.IsDay() {
			t.Errorf("%s is decided by %s up to %v, and up to %v another value explains it: %v", readingText(key, value), by.Profile, by.Date, through, left)
		}
	}
}

// observedExplains walks the policies that agree with the gateway's but in open keys, where a
// profile is not explained.
func observedExplains(t *gen.Report, c GatewayCase) {
	r := reconciled(t, c, nil)
	var open []ledger.Clause
	for key := range engine.Keys() {
		shown := func(of record.Reading) bool { return of.Key == key.Key() && of.Verdict == record.VerdictObserved }
		if !slices.ContainsFunc(r.Readings, shown) {
			open = append(open, key)
		}
	}
	excused := map[string]bool{}
	for i := range r.Records {
		of := &r.Records[i]
		at := slices.IndexFunc(c.Rows, func(row GatewayRow) bool { return row.Profile.ID == of.Profile })
		if at < 0 || tookPlace(of) || excused[of.Profile] {
			continue
		}
		row := &c.Rows[at]
		s := c.Simulation(row)
		keys := slices.DeleteFunc(reconcile.PolicyKeys(&s), func(key ledger.Clause) bool { return !slices.Contains(open, key) })
		apart := false
		everyPolicy(keys, c.Policy, func(p engine.Policy) {
			apart = apart || !agreesWith(&c, row, c.Charges(row, p), c.Through)
		})
		if !apart {
			t.Errorf("under the observed policy: %s; no open key tells its policies apart", recordText(of))
		}
		excused[of.Profile] = true
	}
}

func oneRecordEach(t *gen.Report, c GatewayCase) {
	r := reconciled(t, c, &c.Policy)
	lines := map[int]int{}
	charges := map[string]int{}
	for i := range r.Records {
		of := &r.Records[i]
		if why := wrongKind(&c, of); why != "" {
			t.Errorf("%s: %s", recordText(of), why)
		}
		if of.Actual != nil {
			lines[of.Actual.Line]++
		}
		if of.Expected != nil {
			charges[of.Profile+" "+chargeText(of.Expected.Charge)]++
		}
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		want := 1
		if l.Date.After(c.Through) {
			want = 0
		}
		if lines[l.Number] != want {
			t.Errorf("line %d, %v, is in %d records, want %d", l.Number, l, lines[l.Number], want)
		}
	}
	for i := range c.Rows {
		row := &c.Rows[i]
		for _, e := range c.Charges(row, c.Policy) {
			text := row.Profile.ID + " " + chargeText(e)
			if charges[text]--; charges[text] < 0 && !e.Date.AddDays(c.Lag).After(c.Through) {
				t.Errorf("%s is in no record", text)
			}
		}
	}
	for text, n := range charges {
		if n > 0 {
			t.Errorf("%s is in %d records too many", text, n)
		}
	}
	nothingLeft(t, &c, r.Records)
	same(t, "in another order", reconciled(t, shuffled(c), &c.Policy).unordered(), r.unordered())
}

// wrongKind says why a record cannot be of its kind; empty where it can.
func wrongKind(c *GatewayCase, r *record.Reconciled) string {
	e, a := r.Expected, r.Actual
	isNone := a != nil && a.Outcome == record.ActualNone
	if e == nil || a == nil || isNone {
		switch {
		case r.Kind == record.Matched && (e == nil) == isNone && (isNone || e.Charge.Outcome == engine.OutcomeDeclined),
			r.Kind == record.Missing && e != nil && (a == nil || a.Date == e.Charge.Date),
			(r.Kind == record.Extra || r.Kind == record.Unknown) && e == nil:
			return ""
		}
		return "it has not the sides of its kind"
	}
	fit, late := fits(&e.Charge, a.Amount), a.Date.Sub(e.Charge.Date)
	switch {
	case r.Kind == record.Matched && (late != 0 || !fit):
		return "the line has another day or amount"
	case r.Kind == record.MatchedLate && (late < 1 || late > c.Lag || !fit):
		return "the line is not late, or too late, or has another amount"
	case r.Kind == record.MatchedAmount && (late != 0 || fit):
		return "the line has another day, or the right amount"
	case r.Kind == record.Missing, r.Kind == record.Extra, r.Kind == record.Unknown:
		return "it has both sides"
	}
	return ""
}

func fits(e *engine.Charge, a amount.Amount) bool {
	return e.Min.Compare(a) <= 0 && a.Compare(e.Max) <= 0
}

// nothingLeft looks for a missing charge and an extra line that belong together.
func nothingLeft(t *gen.Report, c *GatewayCase, records []record.Reconciled) {
	for i := range records {
		for k := range records {
			e, l := &records[i], &records[k]
			if e.Kind != record.Missing || l.Kind != record.Extra || e.Profile != l.Profile {
				continue
			}
			if late := l.Actual.Date.Sub(e.Expected.Charge.Date); late == 0 || late > 0 && late <= c.Lag && fits(&e.Expected.Charge, l.Actual.Amount) {
				t.Errorf("%s, and %s", recordText(e), recordText(l))
			}
		}
	}
}

// shuffled is the case in another order of rows and lines.
func shuffled(c GatewayCase) GatewayCase {
	r := gen.ChooserOf(c.Shuffle)
	c.Rows, c.Lines = slices.Clone(c.Rows), slices.Clone(c.Lines)
	for i := range c.Rows {
		k := r.Below(i + 1)
		c.Rows[i], c.Rows[k] = c.Rows[k], c.Rows[i]
	}
	for i := range c.Lines {
		k := r.Below(i + 1)
		c.Lines[i], c.Lines[k] = c.Lines[k], c.Lines[i]
	}
	return c
}

// unordered is what no order of rows and lines may change.
func (r reconciliation) unordered() []string {
	var list []string
	for i := range r.Records {
		list = append(list, recordText(&r.Records[i]))
	}
	for _, u := range r.Unexplained {
		list = append(list, u.Profile+" is unexplained, nearest "+u.Nearest)
	}
	for _, one := range r.Readings {
		list = append(list, one.Key+"="+one.Value+" "+one.Verdict.String()+" "+strconv.Itoa(one.For)+" "+strconv.Itoa(one.Against))
	}
	slices.Sort(list)
	return list
}

// noiseShowsNothing reconciles the undisturbed profiles alone, and then all.
func noiseShowsNothing(t *gen.Report, c GatewayCase) {
	quiet := c
	quiet.Rows, quiet.Lines = nil, nil
	disturbed := map[string]bool{}
	for _, row := range c.Rows {
		if disturbed[row.Profile.ID] = row.Disturbed; !row.Disturbed {
			quiet.Rows = append(quiet.Rows, row)
		}
	}
	for _, l := range c.Lines {
		if !disturbed[l.Profile] {
			quiet.Lines = append(quiet.Lines, l)
		}
	}
	alone, all := reconciled(t, quiet, nil), reconciled(t, c, nil)
	for key := range engine.Keys() {
		right := placeOf(c.Policy, key)
		if alone.readingOf(key, right).Verdict != record.VerdictObserved {
			continue
		}
		for v := range key.Entry().Readings {
			switch verdict := all.readingOf(key, v).Verdict; {
			case v == right && verdict == record.VerdictRefuted:
				t.Errorf("%s is true and shown by undisturbed profiles, and refuted", readingText(key, v))
			case v != right && verdict == record.VerdictObserved:
				t.Errorf("%s is observed, and wrong", readingText(key, v))
			}
		}
	}
}

// observedForecast compares records member by member.
func observedForecast(t *gen.Report, c ObservedCase) {
	under := c.Job
	for one := range c.Observed.All() {
		under.Policy = under.Policy.WithReading(one.Key, one.Value)
	}
	w := c.Window(0, c.C+1)
	if w.To.IsZero() {
		w = calendar.Through(w.From, calendar.MaxDate())
	}
	got, err := showObserved(c.Job, w, c.Observed)
	want, bad := showObserved(under, w, record.Readings{})
	if err != nil || bad != nil {
		t.Fatalf("with readings: %v; with their policy: %v", err, bad)
	}
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	if len(a) != len(b) {
		t.Fatalf("%d lines with readings, %d with their policy", len(a), len(b))
	}
	for i := range a {
		sameButBasis(t, a[i], b[i], c.Observed, under.Policy)
	}
}

// sameButBasis compares two records: a reason that was observed says so, and all else is the same.
func sameButBasis(t *gen.Report, got, want []byte, observed record.Readings, p engine.Policy) {
	var with, plain struct {
		Because []struct {
			Clause, Basis string
			ShownBy       *struct{ Profile, Date string } `json:"shown_by"`
		} `json:"because"`
	}
	if len(got) == 0 || json.Unmarshal(got, &with) != nil || json.Unmarshal(want, &plain) != nil || len(with.Because) != len(plain.Because) {
		if !bytes.Equal(got, want) {
			t.Errorf("with readings %q, with their policy %q", got, want)
		}
		return
	}
	rest := string(got)
	for i, why := range with.Because {
		shown, isShown := record.ObservedReading{}, false
		if clause, ok := ledger.Lookup(why.Clause); ok {
			shown, isShown = observed.Of(clause.Clause)
		}
		if !isShown {
			continue
		}
		if why.Basis != ledger.Observed.String() || why.ShownBy == nil || why.ShownBy.Profile != shown.Profile || why.ShownBy.Date != shown.Date.String() {
			t.Fatalf("%s was observed, and its basis is %q", why.Clause, why.Basis)
		}
		rest = strings.Replace(rest, `"basis":"observed"`, `"basis":"`+plain.Because[i].Basis+`"`, 1)
		rest = strings.Replace(rest, fmt.Sprintf(`,"shown_by":{"profile":%q,"date":%q}`, shown.Profile, shown.Date.String()), "", 1)
	}
	if rest != string(want) {
		t.Errorf("with readings %q, with their policy %q", rest, want)
	}
}

func experiment(t *gen.Report, c ProbeCase) reconcile.Experiment {
	x, err := reconcile.Probe(c.AsOf)
	if err != nil {
		t.Fatalf("Probe failed: %v", err)
	}
	return x
}

// carriedOut is an experiment as a gateway with a policy sees it, without what it charged.
func carriedOut(x *reconcile.Experiment, p engine.Policy) GatewayCase {
	c := GatewayCase{AsOf: x.AsOf, Through: x.Through, Policy: p}
	for _, row := range x.Rows {
		r := GatewayRow{Job: gen.Job{Profile: row.Profile, AsOf: x.AsOf}}
		r.Profile.Currency = "EUR"
		for _, s := range x.Steps {
			if s.Line.Profile == row.Profile.ID {
				r.Steps = append(r.Steps, s.Line.Step)
			}
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

// inForce reports whether a reading such as start-past=reject is in force.
func inForce(p engine.Policy, reading string) bool {
	return slices.Contains(strings.Split(p.String(), ","), reading)
}

// looked are the lines of somebody who looks on the days that an experiment says: what was charged
// since the last look, or that nothing was.
func looked(x *reconcile.Experiment, c *GatewayCase) (lines []GatewayLine) {
	add := func(l GatewayLine) {
		l.Number = len(lines) + 1
		lines = append(lines, l)
	}
	for i := range c.Rows {
		id, charges := c.Rows[i].Profile.ID, c.Charges(&c.Rows[i], c.Policy)
		since := x.AsOf
		for _, look := range x.Look {
			if look.Profile != id {
				continue
			}
			seen := len(lines)
			for _, e := range charges {
				if !e.Date.Before(since) && !e.Date.After(look.Date) {
					add(GatewayLine{Profile: id, Date: e.Date, Amount: e.Min})
				}
			}
			if len(lines) == seen {
				add(GatewayLine{Profile: id, Date: look.Date, None: true})
			}
			since = look.Date.AddDays(1)
		}
	}
	return lines
}

func probeDecides(t *gen.Report, p ProbeCase) {
	x := experiment(t, p)
	if len(x.Rows) == 0 {
		return
	}
	c := carriedOut(&x, p.Policy)
	c.Lines = looked(&x, &c)
	for i, row := range c.Rows {
		if err := engine.New(engine.Policy{}).Check(engine.Stored{Profile: row.Profile}, x.AsOf); err != nil {
			t.Errorf("%s is refused under the defaults: %v", row.Profile.ID, err)
		}
		stepsAccepted(t, &x, &c, i)
	}
	r := reconciled(t, c, nil)
	for _, d := range x.Decides {
		if inForce(p.Policy, d.Unless) {
			continue
		}
		right := placeOf(p.Policy, d.Key)
		for _, group := range d.Apart {
			for _, v := range group {
				isOwn := slices.Contains(group, right)
				of := r.readingOf(d.Key, v)
				switch {
				case v == right && of.Against > 0:
					t.Errorf("%s is true, and %s after the experiment", readingText(d.Key, v), of.Verdict)
				case !isOwn && of.Verdict != record.VerdictRefuted:
					t.Errorf("%s is wrong, which %s is to show, and %s after the experiment", readingText(d.Key, v), d.Profile, of.Verdict)
				}
			}
		}
	}
}

// stepsAccepted asks whether the experiment names a reading in force for each step that is not.
func stepsAccepted(t *gen.Report, x *reconcile.Experiment, c *GatewayCase, row int) {
	id := c.Rows[row].Profile.ID
	j := c.Rows[row].Job
	j.Policy = c.Policy
	var results []string
	for _, r := range c.Life(&c.Rows[row], c.Policy) {
		if r.Do != 0 {
			results = append(results, r.Result)
		}
	}
	refused := gen.MachineOf(j, oracle.Right()) == nil
	if alone := slices.IndexFunc(x.Rows, func(o reconcile.ProbeRow) bool {
		return o.Request == x.Rows[row].Request && o.Profile.ID != id
	}) < 0; refused && !alone {
		t.Errorf("%s is refused, and takes other rows of its request with it", id)
	}
	n := 0
	for _, s := range x.Steps {
		if s.Line.Profile != id {
			continue
		}
		if !s.Line.Step.After {
			t.Errorf("a step of %s comes before its day's run", id)
		}
		isSaid := slices.ContainsFunc(s.Unless, func(r string) bool { return inForce(c.Policy, r) })
		if isRefused := refused || n >= len(results) || results[n] != "accepted"; isRefused && !isSaid {
			t.Errorf("the step of %s on %v is not accepted, and no reading says so", id, s.Line.Step.Date)
		}
		n++
	}
}

// told has, for each value of a key, the set of values that are distinguished from it, one bit per
// value.
type told []uint

// toldBy returns what a decision claims to distinguish.
func toldBy(d *reconcile.Decision) told {
	list := make(told, len(d.Key.Entry().Readings))
	for i, group := range d.Apart {
		for k, other := range d.Apart {
			if i == k {
				continue
			}
			for _, v := range group {
				list[v] |= bitsOf(other)
			}
		}
	}
	return list
}

func bitsOf(values []int) (bits uint) {
	for _, v := range values {
		bits |= 1 << v
	}
	return bits
}

// alike is a set of values of a key under which the same is charged: all of them, and those for
// which the excepting reading is not in force.
type alike struct{ all, sure uint }

// charged groups the values of a key by what is charged under them, over all values of the other
// keys.
func charged(c *GatewayCase, r *GatewayRow, keys []ledger.Clause, key ledger.Clause, unless string) map[string]alike {
	by := map[string]alike{}
	everyPolicy(keys, engine.Policy{}, func(p engine.Policy) {
		var text strings.Builder
		for _, e := range c.Charges(r, p) {
			text.WriteString(e.Date.String() + " " + e.Min.String() + "\n")
		}
		m := by[text.String()]
		bit := uint(1) << placeOf(p, key)
		if m.all |= bit; !inForce(p, unless) {
			m.sure |= bit
		}
		by[text.String()] = m
	})
	return by
}

// distinguished returns which values of a key a row distinguishes up to a day: two values for which
// no choice of the other keys leads to the same charges. Choices in which the reading unless is in
// force for both do not count. Not being distinguished is transitive: values that cannot be told
// from a common third one are in one group.
func distinguished(c GatewayCase, row int, through calendar.Date, key ledger.Clause, unless string) told {
	list := make(told, len(key.Entry().Readings))
	s := c.Simulation(&c.Rows[row])
	keys := reconcile.PolicyKeys(&s)
	if !slices.Contains(keys, key) {
		return list
	}
	c.Through = through
	by := charged(&c, &c.Rows[row], keys, key, unless)
	group := make([]uint, len(list)) // for each value those that it is not told from
	for v := range group {
		group[v] = 1 << v
	}
	for range group {
		for _, m := range by {
			if m.sure == 0 {
				continue
			}
			for v := range group {
				if group[v]&m.all != 0 {
					m.all |= group[v]
				}
			}
			for v := range group {
				if m.all>>v&1 == 1 {
					group[v] |= m.all
				}
			}
		}
	}
	for v := range list {
		list[v] = (1<<len(list) - 1) &^ group[v]
	}
	return list
}

// toldByAll is what all decisions of an experiment but those of one row tell apart, by key.
func toldByAll(x *reconcile.Experiment, but string) map[ledger.Clause]told {
	list := map[ledger.Clause]told{}
	for i := range x.Decides {
		d := &x.Decides[i]
		if d.Profile == but {
			continue
		}
		if list[d.Key] == nil {
			list[d.Key] = make(told, len(d.Key.Entry().Readings))
		}
		for v, from := range toldBy(d) {
			list[d.Key][v] |= from
		}
	}
	return list
}

func probeIsSmall(t *gen.Report, p ProbeCase) {
	x := experiment(t, p)
	if len(x.Rows) == 0 || len(x.Rows) > 6 {
		t.Fatalf("it has %d rows", len(x.Rows))
	}
	all := toldByAll(&x, "")
	for _, row := range x.Rows {
		without, isLess := toldByAll(&x, row.Profile.ID), false
		for key, of := range all {
			isLess = isLess || without[key] == nil || !slices.Equal(without[key], of)
		}
		if !isLess {
			t.Errorf("%s can be left out", row.Profile.ID)
		}
	}
	allNamed(t, &x, all)
	if last := slices.MaxFunc(x.Decides, func(a, b reconcile.Decision) int { return a.Date.Compare(b.Date) }); last.Date != x.Through {
		t.Errorf("all is told by %v, and it ends on %v", last.Date, x.Through)
	}
	tellsAll(t, &x, carriedOut(&x, engine.Policy{}), int(p.Row%uint64(len(x.Rows))))
}

// allNamed checks that every key is decided or named as one that nothing decides, and that every
// pair of values of the others is told apart or left open.
func allNamed(t *gen.Report, x *reconcile.Experiment, all map[ledger.Clause]told) {
	for key := range engine.Keys() {
		not := slices.ContainsFunc(x.Undecidable, func(u reconcile.Undecidable) bool { return u.Key == key })
		if decided := all[key] != nil; decided == not {
			t.Errorf("%s is decided: %v, and is said to be undecidable: %v", key.Key(), decided, not)
		}
		if all[key] == nil {
			continue
		}
		for w := range key.Entry().Readings {
			for v := range w {
				isTold := all[key][v]>>w&1 == 1
				isOpen := slices.ContainsFunc(x.Open, func(o reconcile.OpenReadings) bool {
					return o.Key == key && slices.Contains(o.Values, v) && slices.Contains(o.Values, w)
				})
				if isOpen == isTold {
					t.Errorf("%s and %s: open %v, told apart %v", readingText(key, v), readingText(key, w), isOpen, isTold)
				}
			}
		}
	}
}

// tellsAll compares what the experiment says of a row with what trying every policy on it tells.
func tellsAll(t *gen.Report, x *reconcile.Experiment, c GatewayCase, row int) {
	id := c.Rows[row].Profile.ID
	for key := range engine.Keys() {
		i := slices.IndexFunc(x.Decides, func(d reconcile.Decision) bool { return d.Key == key && d.Profile == id })
		if i < 0 {
			if slices.Max(distinguished(c, row, x.Through, key, "")) > 0 {
				t.Errorf("%s tells values of %s apart, and the experiment says nothing of it", id, key.Key())
			}
			continue
		}
		d := &x.Decides[i]
		is := toldBy(d)
		same(t, id+" tells of "+key.Key(), is, distinguished(c, row, x.Through, key, d.Unless))
		same(t, id+" tells of "+key.Key()+" by "+d.Date.String(), is, distinguished(c, row, d.Date, key, d.Unless))
		if early := d.Date.AddDays(-1); !early.Before(x.AsOf) && slices.Equal(is, distinguished(c, row, early, key, d.Unless)) {
			t.Errorf("%s tells of %s before %v", id, key.Key(), d.Date)
		}
	}
}

// TestTruthHoldsOfEveryPolicy: TestMatchTruth of every policy, where CHARGECAST_POLICIES=61440 says
// so, in seventeen cases each, more than a million; else of some.
func TestTruthHoldsOfEveryPolicy(t *testing.T) {
	t.Parallel()
	const cases, step = 17, 25_903
	n := 60
	if text := os.Getenv("CHARGECAST_POLICIES"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	policies := everyPolicyOfAll()
	for i := range n {
		p := policies[i*step%len(policies)]
		for k := range cases {
			seed := uint64(i*cases + k)
			r := gen.ChooserOf(seed)
			r.Policy = &p
			if wrong := gen.Judge(Gateways(r), truthHolds); wrong != "" {
				t.Errorf("policy %v, seed %d: %s", p, seed, wrong)
			}
		}
	}
}

func everyPolicyOfAll() (list []engine.Policy) {
	everyPolicy(slices.Collect(engine.Keys()), engine.Policy{}, func(p engine.Policy) { list = append(list, p) })
	return list
}
