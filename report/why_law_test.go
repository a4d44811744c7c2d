package report_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/report"
)

// TestNoFalseSentence: whatever the profile, its state, the policy and the script, each number, day
// and claim in the sentences about a day is what the effects of the simulation say.
func TestNoFalseSentence(t *testing.T) {
	seen := map[string]int{}
	for i := range uint64(1000) {
		l := gen.Logs(gen.ChooserOf(gen.NewSource("why", 1, i).Uint64()))
		truth, ok := truthOf(l.Policy, simulationOf(l), l.Day(l.C))
		if !ok {
			continue
		}
		for _, d := range truth.days(l) {
			truth.hold(t, d, seen)
			if t.Failed() {
				t.Fatalf("case %d, %v:\n%v\n%s", i, d, l, truth.text)
			}
		}
	}
	for _, claim := range []string{
		"first", "before", "state", "reset", "missed", "new", "manual", "month", "stopping", "since", "caught", "none", "skipped", "updated", "resumed", "several", "paid", "next", "no payment",
		"plain paused", "plain resumed", "plain changed", "plain stopped", "plain end",
	} {
		if seen[claim] < 5 {
			t.Errorf("%q was said %d times: the test is too tame", claim, seen[claim])
		}
	}
}

// TestNoFalseSentenceOfASavedState: the same of a state that the engine saved on some day, as of
// the day after: what it says of the past is what took place, if every due day since was charged.
func TestNoFalseSentenceOfASavedState(t *testing.T) {
	seen := map[string]int{}
	for i := range uint64(1000) {
		l := gen.Logs(gen.ChooserOf(gen.NewSource("why saved", 1, i).Uint64()))
		whole := simulationOf(l)
		saved := l.Day(l.A)
		first := whole
		first.Until = saved
		s, err := engine.New(l.Policy).Simulate(first, func(engine.Effect) bool { return true })
		if err != nil || saved == calendar.MaxDate() {
			continue
		}
		before, _ := truthOf(l.Policy, whole, saved)
		rest := engine.Simulation{Stored: s, AsOf: saved.AddDays(1)}
		rest.Outcomes = whole.Outcomes
		for _, step := range whole.Steps {
			if step.Date.After(saved) {
				rest.Steps = append(rest.Steps, step)
			}
		}
		truth, ok := truthOf(l.Policy, rest, l.Day(l.C))
		if !ok {
			t.Fatalf("case %d: the saved state is refused:\n%v", i, l)
		}
		for _, d := range truth.days(l) {
			truth.hold(t, d, seen)
			if d.Before(rest.AsOf) {
				truth.holdPast(t, d, before, seen)
			}
			if t.Failed() {
				t.Fatalf("case %d, saved on %v, %v:\n%v\n%s", i, saved, d, l, truth.text)
			}
		}
	}
	for _, claim := range []string{"we charged", "past", "past owed", "not all", "contradicts", "state", "caught"} {
		if seen[claim] < 5 {
			t.Errorf("%q was said %d times: the test is too tame", claim, seen[claim])
		}
	}
}

func simulationOf(l gen.LogCase) engine.Simulation {
	s := engine.Simulation{Stored: l.Stored(), AsOf: l.AsOf, Steps: l.Steps, Outcomes: map[uint64]engine.Outcome{}}
	for _, repeat := range l.Declined {
		s.Outcomes[repeat] = engine.OutcomeDeclined
	}
	return s
}

// A truth is what happens in a simulation, effect by effect.
type truth struct {
	policy  engine.Policy
	sim     engine.Simulation
	effects []engine.Effect
	until   calendar.Date // the last day that effects are known of
	text    string        // the sentences that were judged last
	plain   string        // … and those for a customer
}

// truthOf simulates up to a year after a day.
func truthOf(pol engine.Policy, sim engine.Simulation, last calendar.Date) (*truth, bool) {
	sim.Undrawn = true
	tr := &truth{policy: pol, sim: sim, until: gen.Moved(last, 400)}
	sim.Until = tr.until
	if sim.Until.Before(sim.AsOf) {
		return nil, false
	}
	_, err := engine.New(pol).Simulate(sim, func(e engine.Effect) bool {
		tr.effects = append(tr.effects, e)
		return true
	})
	return tr, err == nil
}

// days are the days that are asked about: those of events and charges and those beside them, and
// some before as-of.
func (tr *truth) days(l gen.LogCase) []calendar.Date {
	set := map[calendar.Date]bool{}
	add := func(d calendar.Date) {
		for n := -1; n <= 1; n++ {
			if m := gen.Moved(d, n); !m.After(gen.Moved(l.AsOf, l.C)) {
				set[m] = true
			}
		}
	}
	add(tr.sim.AsOf)
	add(gen.Moved(tr.sim.AsOf, -7))
	add(l.Day(l.B))
	n := 0
	for _, e := range tr.effects {
		if n++; n <= 12 {
			add(e.Date)
			if e.Kind == engine.EffectCharge {
				add(e.Charge.Slot)
			}
		}
	}
	for _, w := range tr.sim.Stored.State.Missed {
		add(w.First())
	}
	var list []calendar.Date
	for d := range set {
		list = append(list, d)
	}
	slices.SortFunc(list, calendar.Date.Compare)
	return list
}

var (
	sentence = func(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

	saysRepeat      = sentence(`It has repeat number (\d+): (.*)\.`)
	saysBefore      = sentence(`^(\d+) charges? came before it`)
	saysBetween     = sentence(`(\d+) charges? came between`)
	saysState       = sentence(`^the state says (\d+) on the as-of date`)
	saysBegan       = sentence(`^it began with (\d+) on (\S+), the due days before`)
	saysReset       = sentence(`^the resume of (\S+) set it to 0`)
	saysNew         = sentence(`^the profile is taken as new on (\S+),`)
	saysManual      = sentence(`; (\d+) manual charges? (?:was|were) not counted`)
	saysAfter       = sentence(`(\S+) is due: it is the (\d+)\w\w (day|week|month) after (\S+?)[:;,.\n]`)
	saysCounted     = sentence(`(\S+) is due: it is (\d+) (day|week|month)s? after (\S+?), counted`)
	saysStopping    = sentence(`The profile will be stopped on (\S+), (\d+) days? and (\d+) charges? later: (.*)\.`)
	saysSince       = sentence(`The profile is stopped since (\S+): (.*)\.`)
	saysCaught      = sentence(`It is kept for a run that catches up: that of (\S+) charges it`)
	saysUpdated     = sentence(`It was (updated|stopped|resumed) on (\d{4}-\d\d-\d\d)`)
	saysSeveral     = sentence(`(\d+) due days are charged on this day`)
	saysContradicts = sentence(`by its repeat number (\d+) charges? (?:was|were) made, and there (?:was|were) (\d+) due days?`)
	saysPast        = sentence(`If every due day since then was charged, it had repeat number (\d+)`)
)

// hold judges what is said of a day.
func (tr *truth) hold(t *testing.T, d calendar.Date, seen map[string]int) {
	t.Helper()
	e, err := engine.New(tr.policy).Explain(tr.sim, d)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	var b strings.Builder
	for _, s := range report.Sentences(&e) {
		b.WriteString(s.Text + "\n")
		if s.Because.IsZero() {
			t.Errorf("%q depends on nothing", s.Text)
		}
	}
	tr.text = e.Why.String() + ": " + report.Headline(&e) + "\n" + b.String()
	tr.holdDays(t, &e)
	tr.holdRepeat(t, &e, b.String(), seen)
	tr.holdSlot(t, &e, b.String(), seen)
	tr.holdStop(t, &e, b.String(), seen)
	tr.holdPlain(t, &e, seen)
	for _, m := range saysUpdated.FindAllStringSubmatch(b.String(), -1) {
		kind := map[string]engine.EventKind{"updated": engine.EventUpdate, "stopped": engine.EventStop, "resumed": engine.EventResume}[m[1]]
		if !slices.ContainsFunc(tr.effects, func(f engine.Effect) bool {
			return f.Kind == engine.EffectEvent && f.Event == kind && f.Result == engine.ResultAccepted && f.Date == date(m[2]) && !f.Date.After(d)
		}) {
			t.Errorf("%s: no such event was accepted", m[0])
		}
		seen[m[1]]++
	}
}

// holdPlain judges what a customer is sent about a day.
func (tr *truth) holdPlain(t *testing.T, e *engine.Explanation, seen map[string]int) {
	t.Helper()
	list := report.Plain(e)
	if tr.plain = strings.Join(list, " "); tr.plain == "" {
		return
	}
	tr.text += tr.plain + "\n"
	var sum amount.Total
	var declined bool
	var next calendar.Date
	for _, f := range tr.effects {
		switch c := f.Charge; {
		case f.Kind != engine.EffectCharge:
		case c.Date == e.Date:
			sum.Add(c.Min, c.Max)
			declined = declined || c.Outcome == engine.OutcomeDeclined
		case c.Date.After(e.Date) && next.IsZero():
			next = c.Date
		}
	}
	will, none := strings.Contains(list[0], " will be charged"), strings.HasPrefix(list[0], "No payment ")
	caught := strings.HasPrefix(list[0], "The payment that ")
	switch {
	case len(list) > 2:
		t.Error("more than two sentences")
	case sum.Charges > 0 && none, sum.Charges > 0 && !will && !declined, sum.Charges == 0 && will && !caught, e.Date.Before(tr.sim.AsOf) && will && !caught:
		t.Errorf("%d charges on the day", sum.Charges)
	case sum.Charges > 0 && !strings.Contains(list[0], sum.Max.String()+" "):
		t.Errorf("the amount is %v", sum)
	case caught && !strings.Contains(list[0], "on "+longDay(e.CaughtUp)+"."):
		t.Error("another day")
	}
	if m := saysNext.FindStringSubmatch(tr.plain); m != nil {
		if seen["next"]++; m[1] != longDay(next) && (!next.IsZero() || !e.After.After(tr.until)) {
			t.Errorf("the next charge is on %v", next)
		}
	}
	if strings.Contains(tr.plain, "the last payment") && !next.IsZero() {
		t.Errorf("there is one on %v", next)
	}
	late := strings.Contains(tr.plain, "The card on file")
	if known := strings.HasSuffix(tr.plain, longDay(next)+"."); !next.IsZero() && !known && !late {
		t.Errorf("the next charge, on %v, is not said", next)
	}
	if strings.Contains(tr.plain, "No payment is due on") {
		seen["no payment"]++
	}
	tr.holdEvents(t, e, seen)
}

// holdEvents judges what a customer is sent about events: each took place on its day, or will from
// as-of on.
func (tr *truth) holdEvents(t *testing.T, e *engine.Explanation, seen map[string]int) {
	t.Helper()
	took := func(d calendar.Date, kind engine.EffectKind, event engine.EventKind) bool {
		return slices.ContainsFunc(tr.effects, func(f engine.Effect) bool {
			return f.Date == d && f.Kind == kind && (kind == engine.EffectStop || f.Event == event && f.Result == engine.ResultAccepted)
		})
	}
	resumed := func(stop calendar.Date) (first calendar.Date) { // the first resume after a stop
		stopped := stop.Before(tr.sim.AsOf)
		for _, f := range tr.effects {
			stopped = stopped || f.Kind == engine.EffectStop && f.Date == stop
			if stopped && first.IsZero() && f.Kind == engine.EffectEvent && f.Event == engine.EventResume && f.Result == engine.ResultAccepted {
				first = f.Date
			}
		}
		return first
	}
	for _, m := range saysEvent.FindAllStringSubmatch(tr.plain, -1) {
		verb := m[1]
		at, err := time.Parse("2 January 2006", m[2]+strings.Repeat("0", 4-len(m[3]))+m[3])
		if err != nil {
			t.Errorf("%s: %v", m[0], err)
			continue
		}
		day := date(at.Format(time.DateOnly))
		if future := strings.HasPrefix(verb, "will "); future == day.Before(tr.sim.AsOf) {
			t.Errorf("%q, as of %v", m[0], tr.sim.AsOf)
		}
		verb = verb[strings.LastIndex(verb, " ")+1:]
		seen["plain "+verb]++
		known := tr.sim.Stored.State.Stop.Date == day || day.After(tr.until)
		switch verb {
		case "changed":
			known = known || took(day, engine.EffectEvent, engine.EventUpdate)
		case "resumed":
			known = known || took(day, engine.EffectEvent, engine.EventResume)
		default:
			known = known || took(day, engine.EffectStop, 0)
		}
		if !known {
			t.Errorf("%q: it did not take place", m[0])
		}
		if verb == "stopped" && resumed(day).After(e.Date) {
			t.Errorf("%q: it is resumed", m[0])
		}
	}
}

var (
	saysNext  = regexp.MustCompile(`(?:The|the) next payment is due on (.*)\.`)
	saysEvent = regexp.MustCompile(`((?:was|will be) (?:paused|stopped|resumed|changed)|ended|will end) on (\d+ \w+ )(\d+)`)
)

// longDay is a date as "28 February 2026".
func longDay(d calendar.Date) string {
	year, month, day := d.Date()
	return strconv.Itoa(day) + " " + month.String() + " " + strconv.Itoa(year)
}

// holdDays judges the charges of the day and the nearest days with one.
func (tr *truth) holdDays(t *testing.T, e *engine.Explanation) {
	t.Helper()
	var before, after calendar.Date
	var automatic, manual []string
	for _, f := range tr.effects {
		switch c := f.Charge; {
		case f.Kind != engine.EffectCharge:
		case c.Date.Before(e.Date):
			before = c.Date
		case c.Date.After(e.Date):
			if after.IsZero() {
				after = c.Date
			}
		case c.Manual:
			manual = append(manual, c.Key())
		default:
			automatic = append(automatic, c.Key())
		}
	}
	keys := func(charges []engine.Charge) (list []string) {
		for _, c := range charges {
			list = append(list, c.Key())
		}
		return list
	}
	if e.Before != before || e.After != after && (!after.IsZero() || !e.After.After(tr.until)) {
		t.Errorf("nearest %v and %v, want %v and %v", e.Before, e.After, before, after)
	}
	if !slices.Equal(keys(e.Charges), automatic) || !slices.Equal(keys(e.Manual), manual) {
		t.Errorf("charges %v and %v, want %v and %v", keys(e.Charges), keys(e.Manual), automatic, manual)
	}
	if (e.Why == engine.WhyDue) != (len(automatic) > 0) || (e.Why == engine.WhyBeforeAsOf) && !e.Date.Before(e.AsOf) {
		t.Errorf("%v with %d charges", e.Why, len(automatic))
	}
}

// holdRepeat judges the repeat number and what came before.
func (tr *truth) holdRepeat(t *testing.T, e *engine.Explanation, text string, seen map[string]int) {
	t.Helper()
	m := saysRepeat.FindStringSubmatch(text)
	if m == nil {
		if len(e.Charges) > 0 {
			t.Error("no repeat number")
		}
		return
	}
	c := e.Charges[len(e.Charges)-1]
	if m[1] != strconv.FormatUint(c.Repeat, 10) {
		t.Errorf("repeat %s, want %d", m[1], c.Repeat)
	}
	all, since := 0, 0 // charges before it, and those of them since the last resume
	var resumed calendar.Date
	for _, f := range tr.effects {
		if f.Kind == engine.EffectEvent && f.Event == engine.EventResume && f.Result == engine.ResultAccepted {
			resumed, since = f.Date, 0
		}
		if f.Kind == engine.EffectCharge {
			if f.Charge.Key() == c.Key() {
				break
			}
			all++
			since++
		}
	}
	asNew := tr.sim.Stored.State.Status == 0
	early := asNew && tr.sim.Stored.Profile.Automatic() && !tr.sim.Stored.Profile.Start.IsZero() && tr.sim.Stored.Profile.Start.Before(tr.sim.AsOf)
	said := m[2]
	counted, left := number(saysBetween, said), number(saysManual, said)
	want := all
	switch {
	case strings.HasPrefix(said, "it is the first charge"):
		seen["first"]++
		if all != 0 || !asNew || early || c.Repeat != 0 {
			t.Errorf("the first charge, after %d; new: %v, start before as-of: %v", all, asNew, early)
		}
		return
	case saysBefore.MatchString(said):
		seen["before"]++
		if n := number(saysBefore, said); n != all || !asNew || early {
			t.Errorf("%d charges before it, want %d; new: %v, start before as-of: %v", n, all, asNew, early)
		}
		return
	case saysState.MatchString(said):
		seen["state"]++
		if n := saysState.FindStringSubmatch(said)[1]; asNew || n != strconv.FormatUint(tr.sim.Stored.State.Repeat, 10) {
			t.Errorf("the state says %s", n)
		}
	case saysBegan.MatchString(said):
		seen["missed"]++
		if !early || tr.policy.StartPast != engine.StartPastCountMissed {
			t.Error("nothing was counted before as-of")
		}
	case saysReset.MatchString(said):
		seen["reset"]++
		want = since
		if on := saysReset.FindStringSubmatch(said)[1]; tr.policy.ResumeCounter != engine.ResumeCounterReset || date(on) != resumed {
			t.Errorf("reset on %s, resumed on %v", on, resumed)
		}
	case saysNew.MatchString(said):
		seen["new"]++
		if !early {
			t.Error("it does not start before as-of")
		}
	default:
		t.Errorf("%q is not judged", said)
	}
	if left > 0 {
		seen["manual"]++
	}
	if counted+left != want {
		t.Errorf("%d charges counted, %d not, want %d in all", counted, left, want)
	}
}

// holdSlot judges how the due day was counted, and what becomes of one that is not charged.
func (tr *truth) holdSlot(t *testing.T, e *engine.Explanation, text string, seen map[string]int) {
	t.Helper()
	for _, pattern := range []*regexp.Regexp{saysAfter, saysCounted} {
		if m := pattern.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[2])
			slot, from := date(m[1]), date(m[4])
			nominal := from.AddDays(n)
			switch m[3] {
			case "week":
				nominal = from.AddDays(7 * n)
			case "month":
				seen["month"]++
				nominal = from.AddMonths(n)
			}
			over := slot.Sub(nominal) // month-end moves a day by up to three
			_, _, day := nominal.Date()
			_, _, first := from.Date()
			if over != 0 && (m[3] != "month" || day >= first || over < 0 || over > 3 || tr.policy.MonthEnd != calendar.MonthEndNextFirst && tr.policy.MonthEnd != calendar.MonthEndOverflow) {
				t.Errorf("%s: that is %v", m[0], nominal)
			}
		}
	}
	if n := number(saysSeveral, text); n > 0 {
		seen["several"]++
		if n != len(e.Charges) {
			t.Errorf("%d due days, want %d", n, len(e.Charges))
		}
	}
	var charged calendar.Date // a later day on which this one is charged
	earlier := false
	for _, f := range tr.effects {
		if c := f.Charge; f.Kind == engine.EffectCharge && c.Slot == e.Date {
			if c.Date.After(e.Date) && charged.IsZero() && !c.Manual {
				charged = c.Date
			}
			earlier = earlier || !c.Manual || tr.policy.ManualTakesSlot == engine.ManualTakesSlotYes
		}
	}
	switch m := saysCaught.FindStringSubmatch(text); {
	case m != nil && !date(m[1]).After(tr.until):
		seen["caught"]++
		if charged != date(m[1]) {
			t.Errorf("charged by the run of %v", charged)
		}
	case m != nil:
	case strings.Contains(text, "but none charges it"), strings.Contains(text, "is skipped"), strings.Contains(text, "no later run does"),
		e.Why == engine.WhyStopped, e.Why == engine.WhyMissed:
		seen["none"]++
		if strings.Contains(text, "is skipped") {
			seen["skipped"]++
		}
		if !charged.IsZero() && strings.Contains(text, e.Date.String()+" is ") && !strings.Contains(text, "is not a due day") {
			t.Errorf("it is charged on %v", charged)
		}
	case !charged.IsZero() && e.Why == engine.WhyBeforeAsOf && strings.Contains(text, " is due") && !slices.ContainsFunc(tr.sim.Steps, moves):
		t.Errorf("it is charged on %v", charged)
	}
	if e.Why == engine.WhyPaid {
		seen["paid"]++
		if s := tr.sim.Stored.State; !earlier && !slices.Contains(s.Paid, e.Date) && !(s.Last.IsZero() && s.RanThrough == e.Date) {
			t.Error("it was not charged before")
		}
	}
}

// moves reports whether a step can make other days due.
func moves(s engine.Step) bool {
	return s.Kind == engine.EventUpdate || s.Kind == engine.EventResume
}

// holdStop judges the stop that is near.
func (tr *truth) holdStop(t *testing.T, e *engine.Explanation, text string, seen map[string]int) {
	t.Helper()
	state := tr.sim.Stored.State
	stopped, last := state.Status == engine.StatusStopped, state.Stop
	var since []calendar.Date // the stops that can come before the charge of the day
	if stopped {
		since = append(since, last.Date)
	}
	charges := 0
	var next engine.Stop
	for _, f := range tr.effects {
		resumed := f.Kind == engine.EffectEvent && f.Event == engine.EventResume && f.Result == engine.ResultAccepted
		switch {
		case f.Date.After(e.Date) || e.Date.Before(e.AsOf):
			if stopped || !next.IsZero() {
				break
			}
			if f.Kind == engine.EffectCharge {
				charges++
			}
			if f.Kind == engine.EffectStop {
				next = f.Stop
			}
		case f.Kind == engine.EffectStop:
			stopped, last = true, f.Stop
			since = append(since, f.Date)
		case resumed:
			stopped, last = false, engine.Stop{}
			if f.Date.Before(e.Date) {
				since = nil
			}
		}
	}
	if !stopped {
		last = next
	}
	if e.Stop.Date != last.Date && (!last.IsZero() || !e.Stop.Date.After(tr.until)) || last.Date == e.Stop.Date && e.Stop.Reasons != last.Reasons {
		t.Errorf("stop on %v by %v, want %v by %v", e.Stop.Date, e.Stop.Reasons, last.Date, last.Reasons)
	}
	if m := saysStopping.FindStringSubmatch(text); m != nil && !date(m[1]).After(tr.until) {
		seen["stopping"]++
		days, _ := strconv.Atoi(m[2])
		n, _ := strconv.Atoi(m[3])
		if stopped || date(m[1]) != next.Date || days != next.Date.Sub(e.Date) || n != charges {
			t.Errorf("%s: want %v, %d days and %d charges", m[0], next.Date, next.Date.Sub(e.Date), charges)
		}
	}
	if m := saysSince.FindStringSubmatch(text); m != nil {
		seen["since"]++
		if !date(m[1]).Before(e.Date) && e.Why != engine.WhyStopped && !date(m[1]).Before(e.AsOf) || e.Why == engine.WhyStopped && !slices.Contains(since, date(m[1])) {
			t.Errorf("%s: want %v", m[0], since)
		}
	}
	if strings.Contains(text, "No stop is in sight") && (stopped || !next.IsZero()) {
		t.Errorf("there is a stop on %v", last.Date)
	}
}

// holdPast judges what a saved state says of a day before: the charge that took place, if every due
// day since was charged.
func (tr *truth) holdPast(t *testing.T, d calendar.Date, before *truth, seen map[string]int) {
	t.Helper()
	if strings.Contains(tr.text, "It is kept for a run") {
		seen["past owed"]++
	}
	var of *engine.Charge
	slots := map[calendar.Date]bool{}
	for i := range before.effects {
		f := &before.effects[i]
		switch {
		case f.Date.After(tr.sim.AsOf.AddDays(-1)):
		case f.Kind == engine.EffectCharge && !f.Charge.Manual && f.Charge.Slot == d:
			of = &f.Charge
		case f.Kind == engine.EffectCharge && !f.Charge.Manual:
			slots[f.Charge.Slot] = true
		}
	}
	if strings.Contains(tr.text, "It was not charged") && of != nil && of.Date == d {
		t.Errorf("it was charged, with repeat %d", of.Repeat)
	}
	// A state that was written by hand, or that counts days before the creation, can count what was
	// not charged.
	counted := !before.sim.Stored.State.IsZero() || before.policy.StartPast == engine.StartPastCountMissed && d.Before(before.sim.AsOf)
	if strings.Contains(tr.plain, "we charged") && !counted && !happened(before, d, tr.sim.AsOf) {
		if seen["we charged"]++; of == nil || !strings.Contains(tr.plain, "we charged "+of.Min.String()) && !strings.Contains(tr.plain, " to "+of.Max.String()) {
			t.Errorf("%q: that was %v", tr.plain, of)
		}
	}
	s := tr.sim.Stored.State
	grid, err := calendar.NewSchedule(s.Anchor, tr.sim.Stored.Profile.Unit, tr.sim.Stored.Profile.Interval, tr.policy.MonthEnd)
	if err != nil {
		return
	}
	last := s.RanThrough
	if s.Status == engine.StatusStopped {
		last = s.Stop.Date
	}
	all := true // every due day since was charged
	for k := range grid.Count(calendar.Through(d.AddDays(1), last)) {
		from, _ := grid.Index(d.AddDays(1))
		slot, _ := grid.At(from + k)
		all = all && slots[slot]
	}
	if m := saysContradicts.FindStringSubmatch(tr.text); m != nil {
		seen["contradicts"]++
		made, _ := strconv.Atoi(m[1])
		if days, _ := strconv.Atoi(m[2]); made <= days || days > grid.Count(calendar.Through(s.Anchor, last)) {
			t.Errorf("%s: %d due days", m[0], grid.Count(calendar.Through(s.Anchor, last)))
		}
	}
	if strings.Contains(tr.text, "not every due day was charged") {
		seen["not all"]++
		if all && of != nil && of.Date == d && !happened(before, d, tr.sim.AsOf) {
			t.Error("every due day was charged")
		}
	}
	m := saysPast.FindStringSubmatch(tr.text)
	if m == nil || of == nil || of.Date != d || !all || happened(before, d, tr.sim.AsOf) {
		return
	}
	seen["past"]++
	if m[1] != strconv.FormatUint(of.Repeat, 10) {
		t.Errorf("repeat %s, it was %d", m[1], of.Repeat)
	}
}

// happened reports whether from a day on anything but runs took place that changes repeat numbers
// or due days, or a day before was charged.
func happened(tr *truth, from, asOf calendar.Date) bool {
	for _, f := range tr.effects {
		if !f.Date.Before(from) && f.Date.Before(asOf) && (f.Kind == engine.EffectEvent && f.Event != engine.EventRun && f.Event != engine.EventNoRun && f.Event != engine.EventStop || f.Kind == engine.EffectCharge && (f.Charge.Manual || f.Charge.Slot.Before(from))) {
			return true
		}
	}
	return false
}

// number is the first group of a pattern, a number; 0 where it is not said.
func number(pattern *regexp.Regexp, text string) int {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
