package laws

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// Reference is the slow oracle as an implementation: it passes every law that it covers.
// The functions that it shares with [Ours] are those that no oracle could write in
// another way.
func Reference() Impl {
	return Impl{
		Name:          "reference",
		CalendarImpl:  referenceCalendar(),
		AmountImpl:    referenceAmounts(),
		EngineImpl:    ReferenceEngine(oracle.Right()),
		BookImpl:      referenceBooks(),
		SignatureImpl: referenceSignatures(),
	}
}

// referenceSignatures are the stage oracle's; it reads no header.
func referenceSignatures() SignatureImpl {
	return SignatureImpl{Encode: oracle.Encode, Decode: func(text string) (string, error) {
		out, err := oracle.Decode(text)
		if err != nil {
			return "", signature.FormEscape
		}
		return out, nil
	}}
}

// maxAmountText is the longest text that an implementation has to convert; a longer one
// may be refused unread (A20).
const maxAmountText = 64

// referenceAmounts are amounts by expressions, exact numbers and loops.
func referenceAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    parseByExpression,
		FormatAmount:   func(a amount.Amount) string { return decimalOf(a).String() },
		CompareAmounts: func(a, b amount.Amount) int { return decimalOf(a).Cmp(decimalOf(b)) },
		Sum:            sumByLoop,
		Bounds:         boundsByWalk,
		Draw:           ourAmounts().Draw, // the mixing is a promise, not a law
		TotalOf:        totalByLoop,
		MinorUnits:     amount.MinorUnits, // the table is data
	}
}

// decimalOf is an amount as the oracle has it.
func decimalOf(a amount.Amount) *oracle.Decimal {
	d := oracle.DecimalOf(a.Coefficient(), a.Scale())
	return &d
}

func parseByExpression(s string) (amount.Amount, error) {
	if len(s) > maxAmountText {
		return amount.Amount{}, errReference
	}
	d, ok := oracle.ParseDecimal(s)
	units, fits := d.Units()
	if !ok || !fits {
		return amount.Amount{}, errReference
	}
	return amount.FromMinor(units, d.Scale())
}

// boundsByWalk are the bounds of the element that the oracle walks to.
func boundsByWalk(s amount.Choice, repeat uint64) (min, max amount.Amount) {
	return s.Bounds(oracle.Element(s.Len(), repeat))
}

// sumByLoop adds amount after amount.
func sumByLoop(list []amount.Amount) string {
	var sum oracle.Decimal
	for _, a := range list {
		sum.Add(decimalOf(a))
	}
	return sum.String()
}

// totalByLoop adds charge after charge.
func totalByLoop(s amount.Choice, first, n uint64) Total {
	var t oracle.Total
	for i := range n {
		low, high := boundsByWalk(s, first+i)
		t.Add(decimalOf(low), decimalOf(high))
	}
	return totalFromOracle(&t)
}

// totalFromOracle is a total of the oracle in the words of the kit.
func totalFromOracle(t *oracle.Total) Total {
	return Total{t.Charges, t.Min.String(), t.Max.String(), t.Mean()}
}

var errReference = errors.New("refused by the reference")

// referenceCalendar is the calendar of the oracle.
func referenceCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn: func(year int, month time.Month) int {
			if year < 1 || year > 9999 || month < 1 || month > 12 {
				return 0
			}
			return int(oracle.DaysIn(int64(year), int64(month)))
		},
		NewDate: func(year int, month time.Month, day int) (calendar.Date, error) {
			return realDay(oracle.DayOf(year, int(month), day))
		},
		DateOf: func(t time.Time) calendar.Date {
			y, m, d := t.Date()
			return gen.DateNumbered(oracle.DayOf(y, int(m), d))
		},
		ParseDate:   func(text string) (calendar.Date, error) { return realDay(oracle.ISO(text)) },
		ParseDotted: func(text string) (calendar.Date, error) { return realDay(oracle.Dotted(text)) },
		FormatDate:  func(d calendar.Date) string { return gen.DayNumber(d).String() },
		NewGrid:     referenceGrid,
	}
}

func realDay(d oracle.Day) (calendar.Date, error) {
	if d == 0 {
		return calendar.Date{}, errReference
	}
	return gen.DateNumbered(d), nil
}

func referenceGrid(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
	if start.IsZero() || unit == 0 || unit > calendar.UnitMonth || interval < 1 || end > calendar.MonthEndOverflow {
		return nil, errReference
	}
	return Walk{gen.GridOf(start, unit, interval, end).Days()}, nil
}

// A Walk is a grid that knows nothing but how to go through its dates from the first.
type Walk struct{ Days iter.Seq[oracle.Day] }

// At walks to date k.
func (w Walk) At(k int) (calendar.Date, bool) {
	if k < 0 {
		return calendar.Date{}, false
	}
	for d := range w.Days {
		if k == 0 {
			return gen.DateNumbered(d), true
		}
		k--
	}
	return calendar.Date{}, false
}

// Index walks to the first date from d on.
func (w Walk) Index(d calendar.Date) (k int, on bool) {
	target := gen.DayNumber(d)
	for day := range w.Days {
		if day >= target {
			return k, day == target
		}
		k++
	}
	return k, false
}

// Count walks through the window.
func (w Walk) Count(v calendar.Window) int {
	n := 0
	from, to := gen.DayNumber(v.From), gen.DayNumber(v.To)
	for day := range w.Days {
		if to != 0 && day >= to {
			break
		}
		if day >= from {
			n++
		}
	}
	return n
}

// From walks from date k to the end.
func (w Walk) From(k int) iter.Seq2[int, calendar.Date] {
	return func(yield func(int, calendar.Date) bool) {
		n := 0
		for day := range w.Days {
			if k >= 0 && n >= k && !yield(n, gen.DateNumbered(day)) {
				return
			}
			n++
		}
	}
}

// ReferenceEngine is the day-by-day oracle as an engine, with some rules: those of
// [oracle.Right], or wrong ones for the gallery.
func ReferenceEngine(rules oracle.Rules) EngineImpl {
	return EngineImpl{
		Forecast: func(j gen.Job) (Forecast, error) {
			w := walk{j, rules}
			if w.machine() == nil {
				return Forecast{}, errReference
			}
			return w.forecast(), nil
		},
		Simulate: func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			return simulateByWalk(p, s, rules, yield)
		},
		Create: func(profile engine.Profile, day calendar.Date, p engine.Policy) (engine.Stored, error) {
			return createByWalk(profile, day, p, rules)
		},
		Advance: func(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			return advanceByWalk(s, through, p, rules)
		},
		Handle: func(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			return handleByWalk(s, e, p, rules)
		},
		SaveState: ourEngine().SaveState, // a form, not a rule
		LoadState: ourEngine().LoadState,
	}
}

// A walk is a forecast that lives through the days again for every question.
type walk struct {
	job   gen.Job
	rules oracle.Rules
}

func (w walk) forecast() Forecast {
	return Forecast{Charges: w.Charges, Next: w.Next, Count: w.Count, Total: w.Total, Stop: w.Stop, End: w.End, State: w.State}
}

// machine is the profile on as-of, before its run; nil where it is refused.
func (w walk) machine() *oracle.Machine {
	return gen.MachineOf(w.job, w.rules)
}

// lastDay is the last day of a window, as the oracle counts.
func lastDay(w calendar.Window) oracle.Day {
	if w.To.IsZero() {
		return oracle.Last
	}
	return gen.DayNumber(w.To) - 1
}

func (w walk) Charges(v calendar.Window) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		m := w.machine()
		m.UntilStopped(lastDay(v))
		for _, c := range gen.ChargesFromOracle(m.Records) {
			if !c.Date.Before(v.From) && !yield(c) {
				return
			}
		}
	}
}

func (w walk) Next(n int) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		m := w.machine()
		m.ThroughCharges(n)
		for i, c := range gen.ChargesFromOracle(m.Records) {
			if i >= n || !yield(c) {
				return
			}
		}
	}
}

func (w walk) Count(v calendar.Window) int {
	n := 0
	for range w.Charges(v) {
		n++
	}
	return n
}

func (w walk) Total(v calendar.Window) Total {
	var n, first uint64
	for c := range w.Charges(v) {
		if n == 0 {
			first = c.Repeat
		}
		n++
	}
	return totalByLoop(w.job.Profile.Amounts, first, n)
}

// Stop walks to the stop, unless nothing could ever stop the profile.
func (w walk) Stop() Stop {
	m := w.machine()
	if _, capped := w.rules.Cap(m); capped || m.Profile.Finish != 0 {
		m.UntilStopped(oracle.Last)
	}
	return stopFromOracle(m.Stop)
}

func (w walk) End(d calendar.Date) End {
	m := w.machine()
	m.UntilStopped(gen.DayNumber(d))
	e := End{Status: engine.StatusActive, Repeat: m.Repeat, Stop: stopFromOracle(m.Stop)}
	if m.Stopped {
		e.Status = engine.StatusStopped
	}
	e.LastDay = d == calendar.MaxDate() && !m.Stopped && w.job.Profile.Automatic()
	return e
}

func (w walk) State(d calendar.Date) engine.State {
	m := w.machine()
	m.Through(gen.DayNumber(d))
	return gen.StateFromOracle(m.Save())
}

// stopFromOracle is a stop of the oracle in the words of the kit.
func stopFromOracle(s oracle.Stop) Stop {
	return Stop{Date: gen.DateNumbered(s.Day), Reasons: s.Reasons}
}

func simulateByWalk(p engine.Policy, s engine.Simulation, rules oracle.Rules, yield func(engine.Effect) bool) (engine.Stored, error) {
	m := gen.Lived(p, s, rules)
	if m == nil {
		return s.Stored, errReference
	}
	for _, r := range m.Records {
		e := gen.EffectFromOracle(r)
		if c := &e.Charge; e.Kind == engine.EffectCharge && c.Min != c.Max {
			drawn := gen.RangeOf(c.Min, c.Max, s.Stored.Profile.Currency)
			c.Min = drawn.Draw(amount.NewSeed(s.Seed, s.Stored.Profile.ID), c.Repeat)
			c.Max = c.Min
		}
		if !yield(e) {
			break
		}
	}
	return engine.Stored{Profile: gen.ProfileFromOracle(m.Profile, s.Stored.Profile), State: gen.StateFromOracle(m.Save())}.Under(p), nil
}

// refusedWith is an error of the reference with a code, as laws ask for it.
func refusedWith(field string, code ledger.Code) error {
	return &engine.Error{Field: field, Code: code}
}

func createByWalk(profile engine.Profile, day calendar.Date, p engine.Policy, rules oracle.Rules) (engine.Stored, error) {
	s := engine.Stored{Profile: profile}
	if !day.IsDay() {
		return s, refusedWith("date", engine.ErrEventOrder)
	}
	m := gen.MachineOf(gen.Job{Profile: profile, AsOf: day, Policy: p}, rules)
	if m == nil {
		return s, errReference
	}
	s.State = gen.StateFromOracle(m.Save())
	s.State.Last = day
	return s.Under(p), nil
}

// machineFrom is a stored profile from which days go on up to one.
func machineFrom(s engine.Stored, d calendar.Date, p engine.Policy, rules oracle.Rules) (*oracle.Machine, error) {
	made, known := s.Policy()
	switch {
	case !d.IsDay():
		return nil, refusedWith("date", engine.ErrEventOrder)
	case known && made != p:
		return nil, refusedWith("", engine.ErrPolicyDiffers)
	case s.State.Status == 0:
		return nil, refusedWith("state.status", engine.ErrNotCreated)
	case s.State.RanThrough.IsZero() && !madeOnFirstDay(s.State):
		return nil, refusedWith("state.ran_through", engine.ErrStateConflict)
	}
	next := gen.Moved(s.State.RanThrough, 1)
	if s.State.Last.After(next) {
		next = s.State.Last // days that an event jumped over have no run
	}
	m := gen.MachineOf(gen.Job{Profile: s.Profile, State: s.State, AsOf: next, Policy: p}, rules)
	if m == nil {
		return nil, errReference
	}
	return m, nil
}

// effectsOf are what happened, of which no outcome is known.
func effectsOf(records []oracle.Record) []engine.Effect {
	var effects []engine.Effect
	for _, r := range records {
		e := gen.EffectFromOracle(r)
		e.Charge.Outcome = engine.OutcomeUnknown
		effects = append(effects, e)
	}
	return effects
}

func storedFrom(m *oracle.Machine, s engine.Stored, p engine.Policy) engine.Stored {
	return engine.Stored{Profile: gen.ProfileFromOracle(m.Profile, s.Profile), State: gen.StateFromOracle(m.Save())}.Under(p)
}

func advanceByWalk(s engine.Stored, through calendar.Date, p engine.Policy, rules oracle.Rules) (engine.Stored, []engine.Effect, error) {
	m, err := machineFrom(s, through, p, rules)
	switch {
	case err != nil:
		return s, nil, err
	case through.Before(s.State.Last):
		return s.Under(p), nil, nil
	}
	m.Through(gen.DayNumber(through))
	return storedFrom(m, s, p), effectsOf(m.Records), nil
}

func handleByWalk(s engine.Stored, e engine.Event, p engine.Policy, rules oracle.Rules) (engine.Stored, []engine.Effect, error) {
	if e.Kind == 0 || e.Kind > engine.EventCharge {
		return s, nil, refusedWith("kind", "event-kind")
	}
	m, err := machineFrom(s, e.Date, p, rules)
	if err != nil {
		return s, nil, err
	}
	if last := later(s.State.Last, s.State.RanThrough); e.Date.Before(last) {
		return s, nil, &engine.Error{Field: "date", Code: engine.ErrEventOrder, Day: e.Date, Last: last}
	}
	if before := gen.DayNumber(e.Date) - 1; before >= gen.DayNumber(s.State.Last) {
		m.Through(before)
	}
	ran := len(m.Records)
	result := m.Happen(gen.EventToOracle(e))
	effects := effectsOf(m.Records)
	if result == "refused" {
		return s, effects[ran : ran+1], errReference
	}
	return storedFrom(m, s, p), effects, nil
}

// An entry is one charge in the books of the reference.
type entry struct {
	currency string
	date     calendar.Date
	low      amount.Amount
	high     amount.Amount
	declined bool
	expired  bool
}

// entries are a list of charges: a book that keeps every single one.
type entries struct {
	policy engine.Policy
	scope  engine.Scope
	list   []entry
}

// referenceBooks are books of single charges, which the day-by-day oracle makes.
func referenceBooks() BookImpl {
	return BookImpl{NewBook: func(p engine.Policy, s engine.Scope) (Book, error) {
		if s.AsOf.IsZero() {
			return Book{}, errReference
		}
		return (&entries{policy: p, scope: s}).book(), nil
	}}
}

func (e *entries) book() Book {
	return Book{
		Add: e.add,
		AddCharge: func(currency string, c engine.Charge) error {
			e.note(entry{currency, c.Date, c.Min, c.Max, c.Outcome == engine.OutcomeDeclined, c.CardExpired})
			return nil
		},
		Merge: func(o Book) error {
			if other := o.Self.(*entries); other.scope != e.scope || other.policy != e.policy {
				return errReference
			}
			e.list = append(e.list, o.Self.(*entries).list...)
			return nil
		},
		Totals: e.totals,
		Self:   e,
	}
}

func (e *entries) note(one entry) {
	if e.scope.Window.Contains(one.date) {
		e.list = append(e.list, one)
	}
}

// add lives through the days of the window.
func (e *entries) add(j gen.Job) error {
	j.AsOf, j.Policy = e.scope.AsOf, e.policy
	m := gen.MachineOf(j, oracle.Right())
	if m == nil {
		return errReference
	}
	m.UntilStopped(lastDay(e.scope.Window))
	for _, c := range gen.ChargesFromOracle(m.Records) {
		low, high := boundsByWalk(j.Profile.Amounts, c.Repeat)
		expires := j.Profile.CardExpires
		e.note(entry{j.Profile.Currency, c.Date, low, high, false, !expires.IsZero() && c.Date.After(expires)})
	}
	return nil
}

// sameEntries reports whether two books of the reference hold the same charges in the same order, so that
// their totals are the same too. It is false for other books.
func sameEntries(a, b Book) bool {
	x, okA := a.Self.(*entries)
	y, okB := b.Self.(*entries)
	return okA && okB && x.scope == y.scope && x.policy == y.policy && slices.Equal(x.list, y.list)
}

func (e *entries) totals(by engine.By) []BookTotal {
	cells := map[[2]string][]entry{}
	for _, one := range e.list {
		at := [2]string{periodOf(one.date, by), one.currency}
		cells[at] = append(cells[at], one)
	}
	var list []BookTotal
	for at, charges := range cells {
		t := BookTotal{Value: at[0], Currency: at[1]}
		t.Approved = totalOfEntries(charges, func(c entry) bool { return !c.declined })
		t.Expired = totalOfEntries(charges, func(c entry) bool { return !c.declined && c.expired })
		t.Declined = totalOfEntries(charges, func(c entry) bool { return c.declined })
		if e.scope.Draws {
			t.Draws = drawsByCount(charges)
		}
		list = append(list, t)
	}
	slices.SortFunc(list, inOrderOfPeriod)
	return list
}

// inOrderOfPeriod compares two totals by period and currency, as records are in order.
func inOrderOfPeriod(a, b BookTotal) int {
	return cmp.Or(strings.Compare(sortKey(a.Value), sortKey(b.Value)), strings.Compare(a.Currency, b.Currency))
}

// inOrderOfDraws compares draws by what is drawn.
func inOrderOfDraws(a, b amount.Draws) int {
	return cmp.Or(cmp.Compare(a.Scale, b.Scale), cmp.Compare(a.Values, b.Values))
}

// periodOf is the text of a day's period.
func periodOf(d calendar.Date, by engine.By) string { return gen.DayNumber(d).Period(by.String()) }

// sortKey is a text by which the values of a period sort.
func sortKey(value string) string {
	for i, name := range [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if value == name {
			return fmt.Sprint(i)
		}
	}
	return value
}

// totalOfEntries adds up some of the charges.
func totalOfEntries(list []entry, counts func(entry) bool) Total {
	var t oracle.Total
	for _, c := range list {
		if counts(c) {
			t.Add(decimalOf(c.low), decimalOf(c.high))
		}
	}
	return totalFromOracle(&t)
}

// drawsByCount counts the random amounts by what they are drawn from.
func drawsByCount(list []entry) []amount.Draws {
	var found []amount.Draws
	for _, c := range list {
		if c.declined || c.low.Compare(c.high) == 0 {
			continue
		}
		r := gen.RangeOf(c.low, c.high, c.currency)
		i := slices.IndexFunc(found, func(d amount.Draws) bool { return d.Values == r.Values() && d.Scale == r.Scale() })
		if i < 0 {
			found = append(found, amount.Draws{Values: r.Values(), Scale: r.Scale()})
			i = len(found) - 1
		}
		found[i].Charges++
	}
	slices.SortFunc(found, inOrderOfDraws)
	return found
}
