package laws

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// reconcileLaws are the laws of what really happened.
func reconcileLaws() []Law {
	return []Law{
		own("Z01", "L01", "charges of a gateway with policy π, reconciled: all matched under π, and no value of π is refuted", gen.Gateways, truthHolds),
		own("Z02", "L01", "a key's value is observed ⇔ some profile is explained whole only by policies that have it, and every profile explained at all by some: = trying every policy", anyGateways, readingsByTrying).slow(),
		own("Z03", "L01", "actuals of one policy, undisturbed: the observed policy explains every profile whose explaining policies no open key tells apart", gen.Gateways, observedExplains).heavy(),
		own("Z04", "L01", "each line and each expected charge up to the last day in exactly one record, whose kind is right; no order changes anything", gen.DisturbedGateways, oneRecordEach),
		own("Z05", "L01", "with up to 10 % of the lines lost, doubled, moved or altered, no wrong value of a key is observed that an undisturbed profile decides", gen.DisturbedBooks, noiseShowsNothing).slow(),
		own("Z08", "L01", "a forecast with readings = one with their policy but for the basis observed; where nothing observed matters, the same bytes", gen.ObservedPlans, observedForecast),
	}
}

func anyGateways(r gen.Chooser) gen.GatewayCase {
	if r.Chance(50) {
		return gen.DisturbedGateways(r)
	}
	return gen.Gateways(r)
}

func (t *T) reconciled(c gen.GatewayCase, under *engine.Policy) Reconciliation {
	r, err := t.Reconcile(c, under)
	if err != nil {
		t.Fatalf("it is not reconciled: %v", err)
	}
	for _, code := range r.Faults {
		t.Fatalf("a row or line is left out: %s", string(code))
	}
	return r
}

// readingOf is the verdict on a value of a key.
func (r *Reconciliation) readingOf(c ledger.Clause, value int) record.Reading {
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

func truthHolds(t *T, c gen.GatewayCase) {
	r := t.reconciled(c, &c.Policy)
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
		text += ", expected " + ChargeText(r.Expected.Charge)
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
func try(c *gen.GatewayCase, r *gen.GatewayRow) (of trialled) {
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
func concerns(l *gen.GatewayLine, r *gen.GatewayRow, through calendar.Date) bool {
	known := l.Currency == "" || l.Currency == r.Profile.Currency
	return l.Profile == r.Profile.ID && !l.Date.After(through) && known && (l.None || !l.Negative && !l.Amount.IsZero())
}

// agreesWith reports whether charges and the lines of a row agree up to a day. It lets one charge after the other look for
// its line: on its own day first, approved ones before those that were declined.
func agreesWith(c *gen.GatewayCase, r *gen.GatewayRow, charges []engine.Charge, through calendar.Date) bool {
	var lines []gen.GatewayLine
	for i := range c.Lines {
		if l := &c.Lines[i]; concerns(l, r, through) && !l.None {
			lines = append(lines, *l)
		}
	}
	slices.SortStableFunc(lines, func(a, b gen.GatewayLine) int {
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

// looking returns the charges that find no line up to a lag after their day; lines that are found are taken away.
func looking(charges []engine.Charge, lines *[]gen.GatewayLine, lag int, declined bool) (left []engine.Charge) {
	for _, e := range charges {
		at := -1
		if (e.Outcome == engine.OutcomeDeclined) == declined {
			at = slices.IndexFunc(*lines, func(l gen.GatewayLine) bool {
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
func readingsByTrying(t *T, c gen.GatewayCase) {
	got := t.reconciled(c, nil)
	want := map[string]*record.Reading{}
	for key := range engine.Keys() {
		for _, one := range key.Entry().Readings {
			want[key.Key()+"="+one.Value] = &record.Reading{Verdict: record.VerdictOpen}
		}
	}
	var unexplained []string
	for i := range c.Rows {
		r := &c.Rows[i]
		if !slices.ContainsFunc(c.Lines, func(l gen.GatewayLine) bool { return concerns(&l, r, c.Through) }) {
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
	t.Equal("the unexplained profiles", told, unexplained)
	for key := range engine.Keys() {
		for v := range key.Entry().Readings {
			one := got.readingOf(key, v)
			if by := want[readingText(key, v)]; verdictText(one) != verdictText(*by) {
				t.Errorf("%s is %s, by trying every policy %s", readingText(key, v), verdictText(one), verdictText(*by))
			} else if one.Decided != nil {
				t.decidedInTime(&c, key, v, *one.Decided)
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

// decidedInTime asks for the earliest day up to which no policy with another value explains the profile.
func (t *T) decidedInTime(c *gen.GatewayCase, key ledger.Clause, value int, by record.DecidedBy) {
	row := &c.Rows[slices.IndexFunc(c.Rows, func(r gen.GatewayRow) bool { return r.Profile.ID == by.Profile })]
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

// observedExplains walks the policies that agree with the gateway's but in open keys, where a profile is not explained.
func observedExplains(t *T, c gen.GatewayCase) {
	r := t.reconciled(c, nil)
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
		at := slices.IndexFunc(c.Rows, func(row gen.GatewayRow) bool { return row.Profile.ID == of.Profile })
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

func oneRecordEach(t *T, c gen.GatewayCase) {
	r := t.reconciled(c, &c.Policy)
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
			charges[of.Profile+" "+ChargeText(of.Expected.Charge)]++
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
			text := row.Profile.ID + " " + ChargeText(e)
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
	t.nothingLeft(&c, r.Records)
	t.Equal("in another order", t.reconciled(shuffled(c), &c.Policy).unordered(), r.unordered())
}

// wrongKind says why a record cannot be of its kind; empty where it can.
func wrongKind(c *gen.GatewayCase, r *record.Reconciled) string {
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
func (t *T) nothingLeft(c *gen.GatewayCase, records []record.Reconciled) {
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
func shuffled(c gen.GatewayCase) gen.GatewayCase {
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
func (r Reconciliation) unordered() []string {
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
func noiseShowsNothing(t *T, c gen.GatewayCase) {
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
	alone, all := t.reconciled(quiet, nil), t.reconciled(c, nil)
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
func observedForecast(t *T, c gen.ObservedCase) {
	under := c.Job
	for one := range c.Observed.All() {
		under.Policy = under.Policy.WithReading(one.Key, one.Value)
	}
	w := c.Window(0, c.C+1)
	if w.To.IsZero() {
		w = calendar.Through(w.From, calendar.MaxDate())
	}
	got, err := t.ShowObserved(c.Job, w, c.Observed)
	want, bad := t.ShowObserved(under, w, record.Readings{})
	if err != nil || bad != nil {
		t.Fatalf("with readings: %v; with their policy: %v", err, bad)
	}
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	if len(a) != len(b) {
		t.Fatalf("%d lines with readings, %d with their policy", len(a), len(b))
	}
	for i := range a {
		t.sameButBasis(a[i], b[i], c.Observed, under.Policy)
	}
}

// sameButBasis compares two records: a reason that was observed says so, and all else is the same.
func (t *T) sameButBasis(got, want []byte, observed record.Readings, p engine.Policy) {
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
