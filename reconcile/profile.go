package reconcile

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A Row is a profile of a payload. Only Stored is required: an empty ID, and an empty Currency of the
// Subject, are those of the profile, and an empty Profile of the Subject is the ID. An ID or a
// Currency that differs from that of the profile ends the match with an error.
type Row struct {
	record.Subject               // as it may be shown
	ID             string        // the client-orderid, which lines name
	Stored         engine.Stored // the zero State: it is created on the day that Options or its lines say
	Script         record.Script // what happened to it besides its runs
}

// complete returns a row with what the profile says too, or an error if both differ.
func complete(row *Row) (Row, error) {
	out, p := *row, &row.Stored.Profile
	out.ID, out.Currency = cmp.Or(out.ID, p.ID), cmp.Or(out.Currency, p.Currency)
	out.Profile = cmp.Or(out.Profile, out.ID)
	switch {
	case p.ID != "" && out.ID != p.ID:
		return out, errors.New("reconcile: Row.ID and Row.Stored.Profile.ID differ: leave out Row.ID")
	case p.Currency != "" && !strings.EqualFold(out.Currency, p.Currency):
		return out, errors.New("reconcile: Row.Currency and Row.Stored.Profile.Currency differ: leave out Row.Currency")
	}
	return out, nil
}

// A profile is a row with its lines. Its memory is used again.
type profile struct {
	o   *Options
	row *Row
	sim engine.Simulation

	paid    []record.Actual // charges up to the last day, in order of date and amount
	nones   []record.Actual // days on which there was none, in order of date
	unknown []record.Actual // lines that are no charges of the profile
	after   uint64          // lines after the last day
	leftOut bool            // the row is left out: all its lines are unknown

	charges []engine.Charge
	matcher matcher
	order   []entry
}

// take turns to a row and its lines. An error says why the row is left out; then its lines are
// unknown. report receives what is wrong with lines.
func (p *profile) take(row *Row, kept *keptLines, lines lineList, report func(error)) error {
	p.row, p.leftOut = row, false
	p.paid, p.nones, p.unknown, p.after = p.paid[:0], p.nones[:0], p.unknown[:0], 0
	p.sim = engine.Simulation{Stored: row.Stored.Under(engine.Policy{}), AsOf: p.o.AsOf, Until: p.o.Through, Steps: row.Script.Steps, Outcomes: row.Script.Outcomes, Undrawn: true}
	err := p.dated(kept.all(lines))
	if err == nil {
		err = p.simulable()
	}
	p.leftOut = err != nil
	for of := range kept.all(lines) {
		p.sort(kept.actual(of))
	}
	byAmount := func(a, b record.Actual) int { return cmp.Or(a.Date.Compare(b.Date), a.Amount.Compare(b.Amount)) }
	if !slices.IsSortedFunc(p.paid, byAmount) {
		slices.SortStableFunc(p.paid, byAmount)
	}
	byDate := func(a, b record.Actual) int { return a.Date.Compare(b.Date) }
	slices.SortStableFunc(p.nones, byDate)
	slices.SortStableFunc(p.unknown, byDate)
	p.dropNones(report)
	return err
}

// dated finds the day of the profile's creation.
func (p *profile) dated(lines iter.Seq[*keptLine]) error {
	p.sim.AsOf = p.o.AsOf
	if p.row.Stored.State.Status == 0 {
		var created calendar.Date
		for line := range lines {
			switch of := line.created; {
			case of.IsZero(), of == created:
			case created.IsZero():
				created = of
			default:
				f := p.fault(ProfileDay, "its lines have different days in the column created")
				f.Help = "keep the day that is right: it wins over the as-of day"
				return f
			}
		}
		if !created.IsZero() {
			p.sim.AsOf = created
		}
	}
	switch {
	case !p.sim.AsOf.IsZero():
		return nil
	case p.row.Stored.State.Status != 0:
		f := p.fault(ProfileDay, "the day from which its state goes on is not known")
		f.Help = "give the as-of day"
		return f
	}
	return p.fault(ProfileDay, "the day on which the profile was created is not known")
}

// simulable returns what keeps the profile from being simulated under any policy.
func (p *profile) simulable() error {
	if p.begins() {
		return nil
	}
	short := p.sim
	short.Until = short.AsOf
	_, err := engine.Engine{}.Simulate(short, func(engine.Effect) bool { return false })
	if err == nil {
		return nil
	}
	code, _ := errors.AsType[ledger.Code](err)
	f := p.fault(code, err.Error())
	f.Severity, f.Help = ledger.SeverityError, cmp.Or(f.Help, "correct the row, its state or the script")
	return f
}

// begins reports whether the profile is created only after the last day.
func (p *profile) begins() bool { return p.sim.AsOf.After(p.o.Through) }

func (p *profile) fault(code ledger.Code, message string) ledger.Finding {
	f := table.Finding(code, message, "")
	f.Place = ledger.Place{File: p.row.File, Profile: strings.Clone(p.row.Profile), Row: p.row.Row}
	return f
}

// sort puts a line where it belongs.
func (p *profile) sort(a record.Actual) {
	own := strings.ToUpper(p.row.Currency)
	currency := a.Currency != "" && a.Currency != own && !slices.Contains(exportform.Currencies(a.Currency), own)
	switch {
	case a.Date.After(p.o.Through):
		p.after++
	case p.leftOut, currency, a.Outcome != record.ActualNone && (a.Negative || a.Amount.IsZero()):
		p.unknown = append(p.unknown, a)
	case a.Outcome == record.ActualNone:
		p.nones = append(p.nones, a)
	default:
		p.paid = append(p.paid, a)
	}
}

// dropNones drops the days without a charge that are contradicted by another line, or said twice.
func (p *profile) dropNones(report func(error)) {
	if len(p.nones) == 0 {
		return
	}
	var last calendar.Date
	byDay := func(a record.Actual, d calendar.Date) int { return a.Date.Compare(d) }
	p.nones = slices.DeleteFunc(p.nones, func(a record.Actual) bool {
		_, paid := slices.BinarySearchFunc(p.paid, a.Date, byDay)
		_, other := slices.BinarySearchFunc(p.unknown, a.Date, byDay)
		if !paid && !other && a.Date != last {
			last = a.Date
			return false
		}
		f := table.Finding(ActualNone, "", "")
		f.Place = ledger.Place{File: a.File, Line: a.Line, Col: 1, Profile: strings.Clone(p.row.Profile)}
		report(f)
		return true
	})
}

// decides reports whether the lines can say anything of the profile.
func (p *profile) decides() bool { return !p.leftOut && len(p.paid)+len(p.nones) > 0 }

// under finds the charges up to the last day under a policy; none where it does not take the
// profile.
func (p *profile) under(policy engine.Policy) {
	p.charges = p.charges[:0]
	if p.leftOut || p.begins() {
		return
	}
	sim := p.sim
	sim.Stored = sim.Stored.Under(policy)
	_, err := engine.New(policy).Simulate(sim, func(e engine.Effect) bool {
		if e.Kind == engine.EffectCharge {
			p.charges = append(p.charges, e.Charge)
		}
		return true
	})
	if err != nil {
		p.charges = p.charges[:0]
	}
}

// fit returns how well a policy explains the lines.
func (p *profile) fit(policy engine.Policy) fit {
	p.under(policy)
	p.matcher.lag, p.matcher.through = p.o.Lag, p.o.Through
	return p.matcher.fit(p.charges, p.paid)
}

// A try is a policy and how well it explains the lines of a profile.
type try struct {
	policy engine.Policy
	fit
}

// tries tries the policies that differ in the keys on which the profile depends. The others have
// the default value.
func (p *profile) tries(list []try) ([]ledger.Clause, []try) {
	keys := p.keys()
	for policy := range policiesOf(keys) {
		list = append(list, try{policy, p.fit(policy)})
	}
	return keys, list
}

// keys returns the keys that can affect the profile, in the order of the ledger.
func (p *profile) keys() []ledger.Clause {
	if p.begins() {
		return nil
	}
	return PolicyKeys(&p.sim)
}

// An entry is a record of the profile: a charge, a line, or both.
type entry struct {
	date   calendar.Date
	kind   record.Match
	charge *engine.Charge
	line   *record.Actual
}

// entries returns the records of the profile under a policy, in order of date, charges before
// lines, and how well it explains the lines. They are valid until the next call.
func (p *profile) entries(policy engine.Policy) ([]entry, fit) {
	f := p.fit(policy)
	m := &p.matcher
	p.order = p.order[:0]
	for c := range p.charges {
		e := entry{date: p.charges[c].Date, kind: m.of(c), charge: &p.charges[c]}
		if l := m.ofCharge[c]; l != none {
			e.line = &p.paid[l]
		}
		if e.kind != 0 {
			p.order = append(p.order, e)
		}
	}
	charges := len(p.order)
	for l := range p.paid {
		if m.ofLine[l] == none {
			p.order = append(p.order, entry{p.paid[l].Date, record.Extra, nil, &p.paid[l]})
		}
	}
	for i := range p.nones {
		if e := p.missingOn(p.nones[i].Date, charges); e != nil {
			e.line = &p.nones[i]
			continue
		}
		p.order = append(p.order, entry{p.nones[i].Date, record.Matched, nil, &p.nones[i]})
	}
	for i := range p.unknown {
		p.order = append(p.order, entry{p.unknown[i].Date, record.Unknown, nil, &p.unknown[i]})
	}
	if len(p.order) > charges {
		slices.SortStableFunc(p.order, func(a, b entry) int { return a.date.Compare(b.date) })
	}
	return p.order, f
}

// missingOn returns the first charge that is missing on a day, of those at the beginning of the
// order.
func (p *profile) missingOn(day calendar.Date, charges int) *entry {
	i, _ := slices.BinarySearchFunc(p.order[:charges], day, func(e entry, d calendar.Date) int { return e.date.Compare(d) })
	for ; i < charges && p.order[i].date == day; i++ {
		if p.order[i].kind == record.Missing {
			return &p.order[i]
		}
	}
	return nil
}

// unexplained returns the record of a profile that no policy explains whole; false where one does.
func (p *profile) unexplained() (u record.Unexplained, ok bool) {
	keys := p.keys()
	charged := map[engine.Policy][sha256.Size]byte{} // what each policy charges
	var nearest try
	for policy := range policiesOf(keys) {
		t := try{policy, p.fit(policy)}
		if t.isWhole() {
			return u, false
		}
		charged[policy] = p.digest()
		if len(charged) == 1 || t.nearerThan(&nearest) {
			nearest = t
		}
	}
	keys = slices.DeleteFunc(keys, func(c ledger.Clause) bool {
		for policy, digest := range charged {
			if digest != charged[policy.WithReading(c, 0)] {
				return false
			}
		}
		return true
	})
	u.Profile, u.Nearest = p.row.Profile, policyOf(keys, nearest.policy)
	entries, _ := p.entries(nearest.policy)
	i := slices.IndexFunc(entries, func(e entry) bool {
		return e.kind == record.Missing || e.kind == record.Extra || e.kind == record.MatchedAmount
	})
	u.First = p.reconciled(&entries[i])
	return u, true
}

// nearerThan reports whether the policy comes nearer to the lines than another one.
func (t *try) nearerThan(other *try) bool {
	return cmp.Or(other.first.Compare(t.first), cmp.Compare(t.faults, other.faults), cmp.Compare(others(&t.policy), others(&other.policy))) < 0
}

// digest returns a checksum of the charges, which differs from that of other charges.
func (p *profile) digest() [sha256.Size]byte {
	var text []byte
	for i := range p.charges {
		c := &p.charges[i]
		text = append(c.Slot.Append(append(c.Date.Append(text), ' ')), ' ')
		text = append(strconv.AppendUint(text, c.Repeat, 10), ' ')
		text = append(c.Max.Append(append(c.Min.Append(text), ' ')), '\n')
	}
	return sha256.Sum256(text)
}

// policiesOf yields a policy for each choice of values of some keys; the others have the default
// value.
func policiesOf(keys []ledger.Clause) iter.Seq[engine.Policy] {
	return func(yield func(engine.Policy) bool) {
		var walk func(policy engine.Policy, keys []ledger.Clause) bool
		walk = func(policy engine.Policy, keys []ledger.Clause) bool {
			if len(keys) == 0 {
				return yield(policy)
			}
			for i := range keys[0].Entry().Readings {
				if !walk(policy.WithReading(keys[0], i), keys[1:]) {
					return false
				}
			}
			return true
		}
		walk(engine.Policy{}, keys)
	}
}

// others is how many keys do not have their default.
func others(p *engine.Policy) (n int) {
	for c := range engine.Keys() {
		if placeOf(*p, c) != 0 {
			n++
		}
	}
	return n
}

// placeOf returns the place of the value of a key among the readings of its clause, 0 being the
// default.
func placeOf(p engine.Policy, key ledger.Clause) int {
	for value, i := p.Reading(key), 0; ; i++ {
		if r, ok := key.Reading(i); !ok || r == value {
			return i
		}
	}
}

// policyOf returns some keys with their values, KEY=VALUE,….
func policyOf(keys []ledger.Clause, p engine.Policy) string {
	var list []string
	for _, c := range keys {
		list = append(list, c.Key()+"="+p.Reading(c).Value)
	}
	return strings.Join(list, ",")
}

// reconciled returns an entry as a record, with copies of its sides.
func (p *profile) reconciled(e *entry) record.Reconciled {
	r := record.Reconciled{Profile: p.row.Profile, File: p.row.File, Row: p.row.Row, Kind: e.kind}
	if e.charge != nil {
		s := record.Subject{Currency: p.row.Currency, Callback: p.row.Callback}
		r.Expected = &record.Charge{Subject: s, Charge: *e.charge}
	}
	if e.line != nil {
		r.Actual = new(*e.line)
	}
	return r
}
