package laws

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// plainStart is the case with the readings under which no slot is caught up or counted, and none left to catch up.
func plainStart(p gen.PlanCase) gen.PlanCase {
	p.Policy.StartPast, p.Policy.RunMissed = engine.StartPastSkip, engine.MissedSkip
	p.State.Missed = nil
	return p
}

// firstRun is the day of the first run, or past the end of the calendar.
func firstRun(p gen.PlanCase) calendar.Date {
	if p.State.RanThrough == p.AsOf {
		return p.AsOf.AddDays(1)
	}
	return p.AsOf
}

// mayCharge reports whether neither M nor F forbids a charge on a day.
func mayCharge(p gen.PlanCase, d calendar.Date) bool {
	most, _ := capOf(p.Job)
	f := p.Profile.Finish
	return most > p.StartRepeat() && (f.IsZero() || d.Before(f) || d == f && p.Policy.FinishBound == engine.FinishBoundInclusive)
}

// inWords says when and why a profile is stopped.
func inWords(s Stop) string {
	switch {
	case s.Date.IsZero():
		return "never stopped"
	case len(s.Reasons) == 0:
		return "stopped on " + s.Date.String() + " without a reason"
	}
	return "stopped on " + s.Date.String() + " by " + strings.Join(s.Reasons, " and ")
}

// saved is a state that went through a file, where the implementation can do that.
func (t *T) saved(s engine.State) engine.State {
	if t.SaveState == nil || t.LoadState == nil {
		return s
	}
	_, back, err := t.LoadState(t.SaveState("order-1", s))
	if err != nil {
		t.Errorf("a saved state is not read back: %v", err)
	}
	return back
}

func later(a, b calendar.Date) calendar.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// capOf is the cap K, by the ledger: L08 and L09.
func capOf(j gen.Job) (n uint64, ok bool) {
	n, ok = j.Profile.MaxRepeats.Value()
	switch {
	case !ok || n == 0 && j.Policy.MaxZero == engine.MaxZeroUnlimited:
		return math.MaxUint64, false
	case n > 0 && j.Policy.MaxCounts == engine.MaxCountsRepeatsAfterFirst:
		return n + 1, true
	}
	return n, true
}

// A life is what a simulation gave.
type life struct {
	effects []engine.Effect
	end     engine.Stored
}

// live simulates a job up to a day.
func (t *T) live(j gen.Job, until calendar.Date, script engine.Script) life {
	var l life
	var err error
	sim := engine.Simulation{Stored: engine.Stored{Profile: j.Profile, State: j.State}, AsOf: j.AsOf, Until: until, Script: script, Seed: 1}
	l.end, err = t.Simulate(j.Policy, sim, func(e engine.Effect) bool {
		l.effects = append(l.effects, e)
		return true
	})
	if err != nil {
		t.Errorf("the simulation is refused: %v", err)
		panic("no simulation")
	}
	return l
}

// charges are the automatic charges of a life.
func (l life) charges() []line {
	var list []line
	for _, e := range l.effects {
		if e.Kind == engine.ChargeAttempted && !e.Charge.Manual {
			list = append(list, lineOf(e.Charge))
		}
	}
	return list
}

// slotsOf are the eligible slots from a day on, with a grid that the caller knows to be
// the right one: the days of the grid, unpaid, in front of finish-date.
func slotsOf(p gen.PlanCase, from, to calendar.Date) []calendar.Date {
	if p.Profile.Unit == 0 {
		return nil
	}
	anchor := p.State.Anchor
	if anchor.IsZero() {
		anchor = p.Profile.Start
	}
	if anchor.IsZero() {
		anchor = p.AsOf
	}
	g := gen.GridOf(p.Profile, anchor, p.Policy)
	var list []calendar.Date
	for c := oracle.At(gen.DayNumber(from)); c.Day <= gen.DayNumber(to); c = c.Next() {
		d := gen.DateNumbered(c.Day)
		f := p.Profile.Finish
		over := !f.IsZero() && (d.After(f) || d == f && p.Policy.FinishBound == engine.FinishBoundExclusive)
		if g.Due(c) && !over && !contains(p.State.Paid, d) {
			list = append(list, d)
		}
	}
	return list
}

func contains(list []calendar.Date, d calendar.Date) bool {
	return slices.Contains(list, d)
}

// EffectText is a plain effect in words.
func EffectText(e engine.Effect) string {
	var text []byte
	switch c := e.Charge; e.Kind {
	case engine.ChargeAttempted:
		if text = append(text, "a charge with repeat "...); c.Manual {
			text = append(text[:0], "a manual charge with repeat "...)
		}
		text = append(strconv.AppendUint(text, c.Repeat, 10), " of "...)
		if text = c.Min.Reduce().Append(text); c.Min.Compare(c.Max) != 0 {
			text = c.Max.Reduce().Append(append(text, " to "...))
		}
		if c.Slot != e.Date && !c.Slot.IsZero() {
			text = c.Slot.Append(append(text, " for "...))
		}
		text = append(append(text, ", "...), c.Outcome.String()...)
	case engine.ProfileStopped:
		text = append(text, "a stop"...)
		if e.Stop.Date != e.Date {
			text = append(append(text, " dated "...), e.Stop.Date.String()...)
		}
		join := " by "
		for why := range e.Stop.Reasons.All() {
			text = append(append(text, join...), why...)
			join = " and "
		}
	case engine.EventHandled:
		text = append(append(append(text, e.Event.String()...), ' '), e.Result.String()...)
	default:
		return "none"
	}
	return string(append(append(text, " on "...), e.Date.String()...))
}

// SameState compares two states but for the order in which they say why.
func SameState(a, b engine.State) bool {
	return a.Status == b.Status && a.Repeat == b.Repeat && a.Anchor == b.Anchor && a.RanThrough == b.RanThrough && a.Last == b.Last &&
		slices.Equal(a.Paid, b.Paid) && slices.Equal(a.Missed, b.Missed) && a.Stop == b.Stop && a.Because == b.Because
}

// forecast is the forecast of a job that must not be refused.
func (t *T) forecast(j gen.Job) Forecast {
	f, err := t.Forecast(j)
	if err != nil {
		t.Errorf("%v as of %v is refused: %v", j.Policy, j.AsOf, err)
		panic("no forecast")
	}
	return f
}

// sameEnd compares where two forecasts stand, but for what they rest on.
func sameEnd(t *T, what string, got, want End) {
	if got.Status != want.Status || got.Repeat != want.Repeat || !sameStop(got.Stop, want.Stop) {
		t.Errorf("%s: ends %v with repeat %d, %s; want %v with repeat %d, %s", what, got.Status, got.Repeat, inWords(got.Stop), want.Status, want.Repeat, inWords(want.Stop))
	}
}

func sameStop(a, b Stop) bool { return a.Date == b.Date && slices.Equal(a.Reasons, b.Reasons) }

// walkTo is the oracle's life of a job up to a day.
func walkTo(j gen.Job, d calendar.Date) *oracle.Machine {
	m := gen.MachineOf(j, oracle.Right())
	if m != nil {
		m.UntilStopped(gen.DayNumber(d))
	}
	return m
}

// machineLines are the charges that a machine made.
func machineLines(m *oracle.Machine) []line {
	var list []line
	for _, r := range m.Records {
		if r.Charge != nil {
			list = append(list, lineOf(gen.ChargeFromOracle(*r.Charge)))
		}
	}
	return list
}

// A line is a charge without what it rests on: what a user sees.
type line struct {
	repeat     uint64
	slot, date calendar.Date
	min, max   amount.Amount
}

// String is the charge in words: repeat 3 on 2026-04-01: 10.5.
func (l line) String() string {
	text := "repeat " + strconv.FormatUint(l.repeat, 10) + " on " + l.date.String()
	if l.slot != l.date {
		text += " for " + dayInWords(l.slot)
	}
	if text += ": " + l.min.String(); l.max != l.min {
		text += " to " + l.max.String()
	}
	return text
}

func dayInWords(d calendar.Date) string {
	if d.IsZero() {
		return "no day"
	}
	return d.String()
}

func lineOf(c engine.Charge) line {
	return line{c.Repeat, c.Slot, c.Date, c.Min.Reduce(), c.Max.Reduce()}
}

func linesOf(charges iter.Seq[engine.Charge]) []line {
	var list []line
	for c := range charges {
		list = append(list, lineOf(c))
	}
	return list
}

// lines are the charges of a window.
func lines(f Forecast, w calendar.Window) []line { return linesOf(f.Charges(w)) }

// sameLines compares two lists of charges.
func sameLines(t *T, what string, got, want []line) bool {
	if slices.Equal(got, want) {
		return true
	}
	t.Errorf("%s: %s", what, difference(got, want))
	return false
}

// sameStart compares the charges of a plan with the first ones of the same plan changed, which may only
// append to them.
func sameStart(t *T, what string, before, changed []line) {
	if first := changed[:min(len(changed), len(before))]; !slices.Equal(first, before) {
		t.Errorf("%s: %s", what, difference(first, before))
	}
}

// difference says in which charge two lists differ first, with a few around it.
func difference(got, want []line) string {
	return differenceBy(got, want, func(a, b line) bool { return a == b })
}

// differenceBy is difference for those who count other charges as the same.
func differenceBy(got, want []line, same func(a, b line) bool) string {
	at := 0
	for at < len(got) && at < len(want) && same(got[at], want[at]) {
		at++
	}
	return "charge " + strconv.Itoa(at+1) + " is " + nth(got, at) + ", want " + nth(want, at) +
		"\n" + around("got", got, at) + "\n" + around("want", want, at)
}

// nth is a charge of a list in words.
func nth(list []line, at int) string {
	if at >= len(list) {
		return "none"
	}
	return list[at].String()
}

// around shows the charges near one, on a line of its own.
func around(title string, list []line, at int) string {
	from, to := max(at-1, 0), min(at+3, len(list))
	title += ", " + strconv.Itoa(len(list)) + " in all: "
	if from >= to {
		return title + "none"
	}
	var near []string
	for _, l := range list[from:to] {
		near = append(near, l.String())
	}
	if from > 0 {
		near[0] = "…, " + near[0]
	}
	if to < len(list) {
		near = append(near, "…")
	}
	return title + strings.Join(near, ", ")
}

// effectsDifference says in which effect two lists differ first, and in what.
func effectsDifference(got, want []engine.Effect) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	text := "effect " + strconv.Itoa(at+1) + " of " + strconv.Itoa(len(got)) + " is " + nthEffect(got, at) + ", want " + nthEffect(want, at)
	if at >= len(got) || at >= len(want) || nthEffect(got, at) != nthEffect(want, at) {
		return text + " of " + strconv.Itoa(len(want))
	}
	if a, b := because(got[at]), because(want[at]); a != b {
		return "effect " + strconv.Itoa(at+1) + ", " + nthEffect(got, at) + ", is because of " + a + ", want because of " + b
	}
	return "effect " + strconv.Itoa(at+1) + ", " + nthEffect(got, at) + ", has another scale, refusal or note of the card"
}

func nthEffect(list []engine.Effect, at int) string {
	if at >= len(list) {
		return "none"
	}
	return EffectText(list[at])
}

// because is what an effect rests on, its charge and its stop too.
func because(e engine.Effect) string {
	var texts []string
	for _, b := range [...]string{e.Because.String(), e.Charge.Because.String(), e.Stop.Because.String()} {
		if b != "" && !slices.Contains(texts, b) {
			texts = append(texts, b)
		}
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, " and ")
}

// stateDifference names the first member of two states that differs, with its values.
func stateDifference(got, want engine.State) string {
	for _, member := range [...][3]string{
		{"status", got.Status.String(), want.Status.String()},
		{"repeat", uintText(got.Repeat), uintText(want.Repeat)},
		{"anchor", dayInWords(got.Anchor), dayInWords(want.Anchor)},
		{"ran_through", dayInWords(got.RanThrough), dayInWords(want.RanThrough)},
		{"last", dayInWords(got.Last), dayInWords(want.Last)},
		{"paid", daysInWords(got.Paid), daysInWords(want.Paid)},
		{"missed", windowsInWords(got.Missed), windowsInWords(want.Missed)},
		{"stop", inWords(StopFrom(got.Stop)), inWords(StopFrom(want.Stop))},
		{"because", got.Because.String() + "; " + got.Stop.Because.String(), want.Because.String() + "; " + want.Stop.Because.String()},
	} {
		if member[1] != member[2] {
			return "the state has " + member[0] + " " + member[1] + ", want " + member[2]
		}
	}
	return "the states are equal"
}

func daysInWords(list []calendar.Date) string {
	if len(list) == 0 {
		return "none"
	}
	var texts []string
	for _, d := range list[:min(len(list), 10)] {
		texts = append(texts, dayInWords(d))
	}
	if len(list) > 10 {
		texts = append(texts, strconv.Itoa(len(list)-10)+" more")
	}
	return strings.Join(texts, ", ")
}

func windowsInWords(list []calendar.Window) string {
	var texts []string
	for _, w := range list {
		texts = append(texts, dayInWords(w.From)+" to "+dayInWords(w.Last()))
	}
	if len(texts) == 0 {
		return "none"
	}
	return strings.Join(texts, ", ")
}

func (t *T) life(l gen.LogCase) life {
	return t.live(l.Job, l.Until(), l.Script())
}

// plainEffect is what two implementations must agree on: an effect without what it rests on.
func plainEffect(e engine.Effect) engine.Effect {
	plain := engine.Effect{Kind: e.Kind, Date: e.Date}
	switch c := &e.Charge; e.Kind {
	case engine.ChargeAttempted:
		plain.Charge = engine.Charge{Min: c.Min.Reduce(), Max: c.Max.Reduce(), Slot: c.Slot, Repeat: c.Repeat, Manual: c.Manual, Outcome: c.Outcome}
	case engine.ProfileStopped:
		plain.Stop = engine.Stop{Date: e.Stop.Date, Reasons: e.Stop.Reasons}
	case engine.EventHandled:
		plain.Event, plain.Result = e.Event, e.Result
	}
	return plain
}

// stored is the case's profile on as-of, before its run. A state that came with it is
// completed as the requirements say.
func (t *T) stored(j gen.Job) engine.Stored {
	s := engine.Stored{Profile: j.Profile, State: j.State}
	if j.State.Status != 0 {
		m := gen.MachineOf(j, oracle.Right())
		s.State.Anchor = gen.DateNumbered(m.Anchor)
		if s.State.RanThrough.IsZero() && !madeOnFirstDay(s.State) {
			s.State.RanThrough = j.AsOf.AddDays(-1)
		}
		return s
	}
	_, s, err := t.Apply(s, engine.Event{Date: j.AsOf, Do: engine.DoCreate}, j.Policy)
	if err != nil {
		t.Errorf("the profile is not created: %v", err)
		panic("no profile")
	}
	return s
}

// madeOnFirstDay reports whether a state is that of a profile made on the first day of the calendar, which
// had no run: no day before it can be named.
func madeOnFirstDay(s engine.State) bool { return s.RanThrough.IsZero() && s.Last == calendar.First() }

// plainEffects are the plain effects of the parts of a life.
func plainEffects(parts ...life) []engine.Effect {
	var all []engine.Effect
	for _, p := range parts {
		for _, e := range p.effects {
			all = append(all, plainEffect(e))
		}
	}
	return all
}
