package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// TestFoldInParts: folding Handle and Advance over a log is folding over a prefix, saving, reading, and over the rest, for every
// cut (clause 3).
func TestFoldInParts(t *testing.T) { holds(t, 500, gen.Logs, foldInParts) }

// TestPure: Handle and Advance are pure: equal arguments, equal results; the arguments are unchanged (clause 3).
func TestPure(t *testing.T) { holds(t, 500, gen.Logs, pure) }

// TestUpdatesOfStopped: an update of a stopped profile leaves it stopped, and made twice changes what it changes once (clause 3).
func TestUpdatesOfStopped(t *testing.T) { holds(t, 500, gen.Logs, updates) }

// TestNoResumeByAPI: a resume through the API is refused in every state, the state unchanged (clause 3).
func TestNoResumeByAPI(t *testing.T) { holds(t, 300, gen.Logs, noResumeByAPI) }

// TestDailyRuns: a run of a day that had its run changes nothing; a run every day makes the charges of the forecast (L32b).
func TestDailyRuns(t *testing.T) { holds(t, 500, gen.Plans, dailyRuns) }

// TestInOrderOnly: an event dated before the last event or run is an error that names the date, the state unchanged (L24).
func TestInOrderOnly(t *testing.T) { holds(t, 500, gen.Logs, inOrderOnly) }

// TestCompleteTable: every event of every status is accepted, ignored or refused; ignored and refused change nothing (clause 3).
func TestCompleteTable(t *testing.T) { holds(t, 300, gen.Logs, completeTable) }

// TestIndependent: interleaving two logs gives each profile its own result (clause 1).
func TestIndependent(t *testing.T) { holds(t, 500, gen.Logs, independent) }

// TestStateLines: a state that is written as a line reads back as it was; an unknown field is an error (clause 3).
func TestStateLines(t *testing.T) { holds(t, 500, gen.Logs, stateLines) }

// TestRestartAnywhere: stopped and restarted between any two steps, the log ends the same (2.2.7 2.2.10).
func TestRestartAnywhere(t *testing.T) { holds(t, 500, gen.Logs, restartAnywhere) }

// TestOutcomesOfEvents: outcomes given to Simulate change nothing but the outcomes of the charges; without them nothing is known
// (2.2.7 L13).
func TestOutcomesOfEvents(t *testing.T) { holds(t, 500, gen.Logs, outcomesOfEvents) }

// TestAdvances: an advance is one in two parts and a run every day, stored and read back in between; a day that had its run
// changes nothing (L32b).
func TestAdvances(t *testing.T) { holds(t, 500, gen.Plans, advances) }

// TestBrokenFieldsAreNamed: a broken Stored or policy is refused by Compile, Handle, Advance, Simulate and End with the same error, which names
// the field (2.1).
func TestBrokenFieldsAreNamed(t *testing.T) { holds(t, 500, gen.Plans, oneGate) }

// TestLastDays: the last days of the calendar are lived as the same days of the year 9998 (L32).
func TestLastDays(t *testing.T) { holds(t, 500, gen.Logs, lastDays) }

// TestEventAfterItsRuns: an event lets the runs up to the day before it take place first; one that is ignored keeps these runs
// (L16b L24).
func TestEventAfterItsRuns(t *testing.T) { holds(t, 500, gen.Logs, madeUp) }

// TestNothingOnErrors: with an error the Stored is the one given, and there is no effect but a refused event's own (clause 3).
func TestNothingOnErrors(t *testing.T) { holds(t, 500, gen.Logs, nothingOnErrors) }

// TestBoundToPolicy: a state has the policy that made it, through JSON; an engine with another refuses it, and one without takes
// the first (L01).
func TestBoundToPolicy(t *testing.T) { holds(t, 300, gen.Logs, boundToPolicy) }

// TestOneChoice: of amount, amount-from with amount-to, and amount-sequence a profile has exactly one, whole (L34).
func TestOneChoice(t *testing.T) {
	holds(t, 1, func(gen.Chooser) struct{} { return struct{}{} }, oneChoice)
}

// TestNewStart: a start-date updated on an active profile moves the grid; the repeat number goes on, paid slots stay (L18).
func TestNewStart(t *testing.T) { holds(t, 500, gen.Plans, newStart) }

// TestNewAmounts: amounts that are replaced go on at the same repeat number (L26).
func TestNewAmounts(t *testing.T) { holds(t, 500, gen.Plans, newAmounts) }

// TestMissedByNewAnchor: under resume-anchor=resume-date, resume-missed decides the resume's own day alone, and only after its run
// (L16).
func TestMissedByNewAnchor(t *testing.T) { holds(t, 500, gen.Plans, missedByNewAnchor) }

// foldInParts saves before one event of the log, at its ends too, and goes on from there.
func foldInParts(t *prop, l gen.LogCase) {
	events := log(l)
	start := t.stored(l.Job)
	whole, end := t.fold(start, events, l.Policy)
	for _, cut := range [...]int{l.A % (len(events) + 1), l.N % (len(events) + 1)} {
		front, middle := t.fold(start, events[:cut], l.Policy)
		middle.State = t.saved(middle.State)
		back, other := t.fold(middle, events[cut:], l.Policy)
		other, end := other.Under(l.Policy), end.Under(l.Policy) // a file does not have it
		if !t.sameLife("saved and read back before event "+strconv.Itoa(cut+1), slices.Concat(front, back), whole, other.State, end.State) {
			return
		}
	}
}

func pure(t *prop, l gen.LogCase) {
	s := t.stored(l.Job)
	for _, e := range log(l) {
		before := copied(s.State)
		once, first, err1 := t.happen(s, e, l.Policy)
		kept := copied(once.State)
		twice, second, err2 := t.happen(s, e, l.Policy)
		if !before.Equal(s.State) {
			t.Fatalf("%v on %v changed its argument", e.Kind, e.Date)
		}
		if !once.State.Equal(twice.State) || len(first) != len(second) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%v on %v gives two results", e.Kind, e.Date)
		}
		// Writing to one result must show in nothing else. On an error it is the argument.
		for i := range twice.State.Paid {
			if err2 == nil {
				twice.State.Paid[i] = calendar.MinDate()
			}
		}
		for i := range twice.State.Missed {
			if err2 == nil {
				twice.State.Missed[i] = calendar.Window{}
			}
		}
		if !kept.Equal(once.State) || !before.Equal(s.State) {
			t.Fatalf("%v on %v shares memory with its result", e.Kind, e.Date)
		}
		s = once
	}
}

// copied is a state that shares no memory with s.
func copied(s engine.State) engine.State {
	s.Paid, s.Missed = slices.Clone(s.Paid), slices.Clone(s.Missed)
	return s
}

func updates(t *prop, l gen.LogCase) {
	s, _, _ := t.Handle(t.stored(l.Job), engine.Event{Date: l.Day(l.A), Kind: engine.EventStop}, l.Policy)
	for _, e := range log(l) {
		if e.Kind != engine.EventUpdate {
			continue
		}
		e.Date = l.Day(l.A)
		once, _, err := t.Handle(s, e, l.Policy)
		if once.State.Status != s.State.Status {
			t.Errorf("an update makes a stopped profile %v", once.State.Status)
		}
		if err != nil {
			continue
		}
		twice, _, err := t.Handle(once, e, l.Policy)
		if err != nil {
			t.Errorf("the same update again is refused: %v", err)
		}
		t.Equal("the state after the same update again", twice.State, once.State)
		t.Equal("the profile after the same update again", twice.Profile, once.Profile)
	}
}

// noResumeByAPI tries a resume through the API before and after each event of the log and that day's run: it must be refused,
// and leave the life as it is without.
func noResumeByAPI(t *prop, l gen.LogCase) {
	l.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s engine.Step) bool { return s.Kind == engine.EventResumeByAPI })
	want := t.life(l)
	tried := l
	tried.Steps = nil
	for _, s := range append(l.Steps, engine.Step{Event: engine.Event{Date: l.Day(l.A)}}) {
		try := engine.Step{Event: engine.Event{Date: s.Date, Kind: engine.EventResumeByAPI}, After: s.After}
		tried.Steps = append(tried.Steps, try)
		if s.Kind != 0 {
			tried.Steps = append(tried.Steps, s, try)
		}
	}
	got := t.life(tried)
	for _, e := range got.Effects {
		if e.Kind == engine.EffectEvent && e.Event == engine.EventResumeByAPI && (e.Result != engine.ResultRefused || e.Refusal == nil) {
			t.Fatalf("a resume through the API on %v is %v, refused for a reason: %v", e.Date, e.Result, e.Refusal != nil)
		}
	}
	got.Effects = slices.DeleteFunc(got.Effects, func(e engine.Effect) bool { return e.Kind == engine.EffectEvent && e.Event == engine.EventResumeByAPI })
	t.Equal("with resumes through the API, all refused", plain.EffectsOf(got), plain.EffectsOf(want))
	t.Equal("the state at the end with resumes through the API, all refused", got.End.State, want.End.State)
}

// dailyRuns simulates more runs on some days, and lets a run take place every day; both are compared with the forecast.
func dailyRuns(t *prop, p gen.PlanCase) {
	last := p.Day(min(p.B, 60))
	want := in(t.forecast(p.Job), calendar.Through(p.AsOf, last))
	var script record.Script
	for _, c := range want {
		for _, after := range [...]bool{false, true} {
			script.Steps = append(script.Steps, engine.Step{Event: engine.Event{Date: c.Date, Kind: engine.EventRun}, After: after})
		}
	}
	for n := p.N % 8; n <= min(p.B, 60); n += 8 { // of the days without a charge, some are run again
		if p.State.RanThrough == p.Day(n) {
			continue // what as-of still owes would be charged sooner
		}
		script.Steps = append(script.Steps, engine.Step{Event: engine.Event{Date: p.Day(n), Kind: engine.EventRun}, After: true})
	}
	got := madeBy(t.live(p.Job, last, script).Effects)
	t.Equal("run again", undrawn(got, want), want)

	s := t.stored(p.Job)
	if s.State.RanThrough.Before(p.AsOf.AddDays(-1)) || p.State.Status != 0 && p.State.Last.IsZero() && s.State.RanThrough == p.AsOf {
		return // days without a run, which a forecast looks back at; a slot that counts as paid
	}
	folded, _ := t.days(p, s, last)
	t.Equal("run day by day", madeBy(folded), want)
}

func inOrderOnly(t *prop, l gen.LogCase) {
	_, s := t.fold(t.stored(l.Job), log(l), l.Policy)
	s, _ = t.ran(s, later(s.State.Last, s.State.RanThrough), l.Policy)
	last := later(s.State.Last, s.State.RanThrough)
	if last.IsZero() || last.AddDays(-1).IsZero() {
		return
	}
	for do := engine.EventStop; do <= engine.EventCharge; do++ {
		e := engine.Event{Date: last.AddDays(-1), Kind: do}
		after, effects, err := t.Handle(s, e, l.Policy)
		if err == nil || !after.Equal(s) || len(effects) > 0 {
			t.Errorf("%v on the day before the last event is not refused", do)
			continue
		}
		if why, ok := errors.AsType[*engine.Error](err); !ok || why.Code != engine.ErrEventOrder || why.Field != "date" || why.Day != e.Date || why.Last != last ||
			!strings.Contains(err.Error(), e.Date.String()) || !strings.Contains(err.Error(), last.String()) {
			t.Errorf("%v on %v, after %v, is refused for another reason than the order of the two days: %s", do, e.Date, last, errorText(err))
		}
	}
	if after, effects, err := t.Advance(s, last.AddDays(-1), l.Policy); err != nil || !after.Equal(s) || len(effects) > 0 {
		t.Errorf("an advance to %v, a day that is over, gives %d effects and %s", last.AddDays(-1), len(effects), errorText(err))
	}
}

func errorText(err error) string {
	if err == nil {
		return "no error"
	}
	return "the error " + strconv.Quote(err.Error())
}

// completeTable tries every event on both statuses.
func completeTable(t *prop, l gen.LogCase) {
	day := l.Day(l.A)
	born, _ := t.ran(t.stored(l.Job), day.AddDays(-1), l.Policy)
	if born.State.Last.IsZero() {
		born.State.Last = born.State.RanThrough // a state that was saved, so that nothing is filled in
	}
	born = born.Under(l.Policy)
	stopped, _, _ := t.Handle(born, engine.Event{Date: day, Kind: engine.EventStop}, l.Policy)
	for _, s := range [...]engine.Stored{born, stopped} {
		for do := engine.EventStop; do <= engine.EventCharge; do++ {
			after, effects, err := t.Handle(s, engine.Event{Date: day, Kind: do}, l.Policy)
			if len(effects) == 0 || effects[0].Kind != engine.EffectEvent || effects[0].Event != do || effects[0].Result == 0 {
				t.Errorf("%v of a profile that is %v has no result", do, s.State.Status)
				continue
			}
			result := effects[0].Result
			if (result == engine.ResultRefused) != (err != nil) || (effects[0].Refusal != nil) != (err != nil) {
				t.Errorf("%v of a profile that is %v is %v, with %s", do, s.State.Status, result, errorText(err))
			}
			if result != engine.ResultAccepted && (!after.Equal(s) || len(effects) > 1) {
				t.Errorf("%v of a profile that is %v is %v and changes something", do, s.State.Status, result)
			}
		}
	}
	// The events of scripts have a result too.
	for do := engine.EventStop; do <= engine.EventResumeByAPI; do++ {
		try := engine.Step{Event: engine.Event{Date: day, Kind: do}, After: l.N%2 == 0}
		script := record.Script{Steps: append(slices.Clone(l.Steps), try)}
		tried := 0
		for _, e := range t.live(l.Job, l.Until(), script).Effects {
			if e.Kind == engine.EffectEvent && e.Date == day && e.Event == do && e.Result != 0 {
				tried++
			}
		}
		for _, s := range script.Steps {
			if s.Date == day && s.Kind == do {
				tried--
			}
		}
		if tried != 0 {
			t.Errorf("%v of a script has no result on %v", do, day)
		}
	}
}

func independent(t *prop, l gen.LogCase) {
	one := t.stored(l.Job)
	other := l.Job
	other.Profile.ID, other.Profile.Amounts = "other", amount.Fixed(gen.Minor(777, 2))
	two := t.stored(other)
	events := log(l)
	wantOne, _ := t.fold(one, events, l.Policy)
	wantTwo, _ := t.fold(two, events, l.Policy)
	var gotOne, gotTwo []engine.Effect
	for _, e := range events {
		var effects []engine.Effect
		effects, one = t.fold(one, []engine.Event{e}, l.Policy)
		gotOne = append(gotOne, effects...)
		effects, two = t.fold(two, []engine.Event{e}, l.Policy)
		gotTwo = append(gotTwo, effects...)
	}
	t.Equal("beside another profile", gotOne, wantOne)
	t.Equal("the other profile beside this one", gotTwo, wantTwo)
}

func stateLines(t *prop, l gen.LogCase) {
	s := t.stored(l.Job)
	for i, e := range log(l) {
		if s, _, _ = t.happen(s, e, l.Policy); i%2 != l.N%2 {
			continue
		}
		first := stateLine(t, s.State)
		id, back, err := engine.ParseStateLine(first)
		if err != nil || id != "order-1" {
			t.Fatalf("a state is written %s and read back for %q: %v", first, id, err)
		}
		if !t.Equal("a state that is written "+string(first), back, withoutPolicy(s.State)) {
			return
		}
		if again := stateLine(t, back); !bytes.Equal(first, again) {
			t.Errorf("a state is written %s, then %s", first, again)
		}
	}
	line := stateLine(t, s.State)
	worse := bytes.Replace(line, []byte(`"repeat"`), []byte(`"repat"`), 1)
	if _, _, err := engine.ParseStateLine(worse); err == nil && !bytes.Equal(worse, line) {
		t.Errorf("an unknown field is accepted: %s", worse)
	}
}

// restartAnywhere saves on the day of an event and goes on from there: of each log on two such
// days.
func restartAnywhere(t *prop, l gen.LogCase) {
	want := plain.EffectsOf(t.life(l))
	for _, i := range [...]int{l.A, l.N} {
		if len(l.Steps) == 0 {
			return
		}
		cut := l.Steps[i%len(l.Steps)].Date
		if !cut.After(l.AsOf) || l.State.RanThrough == l.AsOf && cut == l.AsOf.AddDays(1) {
			continue
		}
		front := t.live(l.Job, cut.AddDays(-1), l.Script())
		job := l.Job
		job.Profile, job.State, job.AsOf = front.End.Profile, t.saved(front.End.State), cut
		script := l.Script()
		script.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s engine.Step) bool { return s.Date.Before(cut) })
		back := t.live(job, l.Until(), script)
		if !t.Equal("restarted on "+cut.String(), plain.EffectsOf(front, back), want) {
			return
		}
	}
}

// withoutPolicy is a state without the policy that made it, as a line of a file has it.
func withoutPolicy(s engine.State) engine.State {
	return engine.State{
		Status: s.Status, Repeat: s.Repeat, Anchor: s.Anchor, RanThrough: s.RanThrough, Paid: s.Paid, Missed: s.Missed,
		Stop: s.Stop, Last: s.Last, Manual: s.Manual, Because: s.Because,
	}
}

func outcomesOfEvents(t *prop, l gen.LogCase) {
	mixed := l.Script()
	mixed.Outcomes = map[uint64]engine.Outcome{}
	for i := range uint64(64) {
		if (uint64(l.A)+i)%3 != 0 {
			mixed.Outcomes[i] = engine.OutcomeDeclined
		}
	}
	want := t.live(l.Job, l.Until(), record.Script{Steps: l.Steps})
	got := t.live(l.Job, l.Until(), mixed)
	for i := range got.Effects {
		c := &got.Effects[i].Charge
		told := engine.OutcomeApproved
		if o, ok := mixed.Outcomes[c.Repeat]; ok {
			told = o
		}
		if got.Effects[i].Kind == engine.EffectCharge && c.Outcome != told {
			t.Errorf("the charge with repeat %d on %v is %v, the simulation said %v", c.Repeat, c.Date, c.Outcome, told)
		}
	}
	if !t.Equal("with other outcomes than approved", withoutOutcomes(got.Effects, engine.OutcomeApproved), withoutOutcomes(want.Effects, engine.OutcomeApproved)) ||
		!t.Equal("the state at the end with other outcomes than approved", got.End.State, want.End.State) {
		return
	}
	s := t.stored(l.Job)
	for _, e := range log(l) {
		after, effects, _ := t.happen(s, e, l.Policy)
		for _, f := range effects {
			if f.Kind == engine.EffectCharge && f.Charge.Outcome != engine.OutcomeUnknown {
				t.Errorf("nobody asked the bank about the charge of %v, and it is %v", f.Charge.Date, f.Charge.Outcome)
			}
		}
		s = after
	}
}

// withoutOutcomes are effects whose charges all have the same outcome. What a refusal says is left out.
func withoutOutcomes(list []engine.Effect, o engine.Outcome) []engine.Effect {
	list = slices.Clone(list)
	for i := range list {
		list[i].Refusal = nil
		if list[i].Kind == engine.EffectCharge {
			list[i].Charge.Outcome = o
		}
	}
	return list
}

// lastRun is the last day of a case that is still walked day by day.
func lastRun(p gen.PlanCase) calendar.Date { return p.Day(min(p.C, 90)) }

func advances(t *prop, p gen.PlanCase) {
	s := t.given(p.Job)
	last := lastRun(p)
	if s.State.RanThrough.IsZero() || last.Before(s.State.Last) {
		return
	}
	if n := len(s.State.Paid); n > 0 && s.State.Paid[n-1].After(later(s.State.RanThrough.AddDays(1), s.State.Last)) && s.State.RanThrough.Before(last) {
		if _, _, err := t.Advance(s, last, p.Policy); !errors.Is(err, engine.ErrStateConflict) {
			t.Errorf("a slot paid after the first run is not refused as a conflict of the state")
		}
		return
	}
	want, end := t.days(p, s, last)
	end = end.Under(p.Policy) // without a day, none was bound to it
	after, got, err := t.Advance(s, last, p.Policy)
	if err != nil {
		t.Fatalf("advanced to %v: refused: %v", last, err)
	}
	if !t.sameLife("advanced to "+last.String(), got, want, after.State, end.State) {
		return
	}
	for _, cut := range [...]calendar.Date{p.Day(p.A), [...]calendar.Date{p.AsOf, p.Day(p.B)}[p.N%2]} {
		if cut.Before(s.State.Last) || cut.Before(s.State.RanThrough) || cut.After(last) {
			continue
		}
		middle, front, err := t.Advance(s, cut, p.Policy)
		if err != nil {
			t.Fatalf("advanced to %v: %v", cut, err)
		}
		middle.State = t.saved(middle.State)
		other, back, err := t.Advance(middle, last, p.Policy)
		if err != nil {
			t.Fatalf("advanced to %v and then to %v: refused: %v", cut, last, err)
		}
		if !t.sameLife("advanced to "+cut.String()+" and then to "+last.String(), slices.Concat(front, back), want, other.State, end.State) {
			return
		}
	}
	for _, day := range [...]calendar.Date{last, p.AsOf} { // a job that is started twice
		if again, effects, err := t.Advance(end, day, p.Policy); err != nil || !again.Equal(end) || len(effects) > 0 {
			t.Errorf("advanced to %v, and again to %v: %d effects, %s", last, day, len(effects), errorText(err))
		}
	}
}

// breaks are the fields that oneGate breaks, each in one way that no profile may have.
var breaks = []struct {
	field string
	with  func(*engine.Stored)
}{
	{"rp_card_type", func(s *engine.Stored) { s.Profile.Kind = 9 }},
	{"period", func(s *engine.Stored) { s.Profile.Unit = 9; s.Profile.Interval = 1 }},
	{"interval", func(s *engine.Stored) { s.Profile.Unit, s.Profile.Interval = calendar.UnitDay, 0 }},
	{"interval", func(s *engine.Stored) { s.Profile.Unit, s.Profile.Interval = calendar.UnitDay, -1 }},
	{"amount", func(s *engine.Stored) { s.Profile.Amounts = amount.Choice{} }},
	{"client-orderid", func(s *engine.Stored) { s.Profile.ID = "\xff" }},
	{"currency", func(s *engine.Stored) { s.Profile.Currency = "\x00" }},
	{"state.status", func(s *engine.Stored) { s.State.Status = 9 }},
	{"state.repeat", func(s *engine.Stored) { s.State.Repeat = math.MaxInt64 + 1 }},
	{"state.paid", func(s *engine.Stored) { s.State.Paid = []calendar.Date{{}} }},
	{"state.missed", func(s *engine.Stored) { s.State.Missed = []calendar.Window{{}} }},
	{"state.stop", func(s *engine.Stored) { s.State.Stop.Reasons |= 64 }},
}

func oneGate(t *prop, p gen.PlanCase) {
	sound := t.stored(p.Job)
	day := later(p.AsOf, later(sound.State.Last, sound.State.RanThrough))
	if day == calendar.MinDate() {
		return // no day lies before it that had its run
	}
	sound.State.RanThrough = day.AddDays(-1)
	sound.State.Paid = slices.DeleteFunc(sound.State.Paid, func(d calendar.Date) bool { return d.After(sound.State.RanThrough) })
	check := func(field string, s engine.Stored, pol engine.Policy) {
		plan := func() error {
			_, err := engine.New(pol).Compile(s, day)
			return err
		}
		handled, _, err := t.Handle(s, engine.Event{Date: day, Kind: engine.EventStop}, pol)
		advanced, _, err2 := t.Advance(s, day, pol)
		_, err3 := engine.New(pol).Simulate(engine.Simulation{Stored: s, AsOf: day, Until: day}, func(engine.Effect) bool { return true })
		_, err4 := engine.New(pol).End(s, day)
		want, ok := errors.AsType[*engine.Error](engine.New(pol).Check(s, day))
		if !ok || want.Field != field {
			t.Fatalf("%s: Check says %v", field, want)
		}
		for _, err := range [...]error{plan(), err, err2, err3, err4} {
			if got, ok := errors.AsType[*engine.Error](err); !ok || *got != *want {
				t.Errorf("%s: Check says %v, another door %v", field, want, err)
			}
		}
		if !handled.State.Equal(s.State) || !advanced.State.Equal(s.State) {
			t.Errorf("%s: something changed", field)
		}
	}
	b := breaks[(p.A+p.B+p.N)%len(breaks)]
	s := sound
	b.with(&s)
	check(b.field, s, p.Policy)

	keys := slices.Collect(engine.Keys())
	n := (p.A + p.C + p.N) % len(keys)
	reflect.ValueOf(&p.Policy).Elem().Field(n).SetUint(99) // the fields of a policy are in the order of its keys
	check(keys[n].Key(), sound, p.Policy)
}

// lastDays lives the last days of 9999 and the same days of 9998. From March 9997 on no leap day
// lies between a day and the same one a year later.
func lastDays(t *prop, l gen.LogCase) {
	const year = 365
	l.C = min(l.C, 40, calendar.MaxDate().Sub(l.AsOf))
	l.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s engine.Step) bool { return s.Date.After(l.Until()) })
	before := moved(l, calendar.MaxDate().AddDays(-year).Sub(l.Until()))
	first := calendar.MustParse("9997-03-01")
	if before.Profile.Start.Before(first) && !before.Profile.Start.IsZero() || before.AsOf.Before(first) ||
		!before.State.Anchor.IsZero() && before.State.Anchor.Before(first) || reachesBeyond(before) {
		return
	}
	for _, w := range before.State.Missed {
		if w.From.Before(first) {
			return
		}
	}
	after := moved(before, year)
	lived := func(l gen.LogCase, back int) []string {
		life := t.life(l)
		var list []string
		for _, e := range life.Effects {
			e.Date = e.Date.AddDays(back)
			e.Charge.Slot, e.Stop.Date = e.Charge.Slot.AddDays(back), e.Stop.Date.AddDays(back)
			list = append(list, plain.EffectText(e))
		}
		return append(list, life.End.State.Status.String()+" "+fmt.Sprint(life.End.State.Repeat))
	}
	t.Equal("lived in 9999, with the days of 9998", lived(after, -year), lived(before, 0))
}

// reachesBeyond reports whether a start-date of the case lies after its last day, where a year
// later there is none.
func reachesBeyond(l gen.LogCase) bool {
	return l.Profile.Start.After(l.Until()) || slices.ContainsFunc(l.Steps, func(s engine.Step) bool {
		return s.Update.Start.Given && (s.Update.Start.Value.After(l.Until()) || s.Update.Start.Value.Before(calendar.MustParse("9997-03-01")) && !s.Update.Start.Value.IsZero())
	})
}

// moved is the case so many days later. Dates past the calendar are lost.
func moved(l gen.LogCase, days int) gen.LogCase {
	move := func(d calendar.Date) calendar.Date { return gen.DayOrNone(d.AddDays(days)) }
	l.ChangeDays(move)
	l.Steps = slices.Clone(l.Steps)
	for i := range l.Steps {
		s := &l.Steps[i]
		s.Date, s.Update.Start.Value, s.Update.Finish.Value = move(s.Date), move(s.Update.Start.Value), move(s.Update.Finish.Value)
	}
	return l
}

// madeUp lets the runs up to the day before each event take place by themselves, and compares with the event alone.
func madeUp(t *prop, l gen.LogCase) {
	s := t.stored(l.Job)
	for _, e := range log(l) {
		if e.Kind == engine.EventRun {
			continue
		}
		after, effects, err := t.Handle(s, e, l.Policy)
		ran, runs := t.ran(s, e.Date.AddDays(-1), l.Policy)
		want, own, again := t.Handle(ran, e, l.Policy)
		what := fmt.Sprintf("%v on %v, and the runs before it first", e.Kind, e.Date)
		if (err == nil) != (again == nil) {
			t.Fatalf("%s: refused is %v, want %v", what, err != nil, again != nil)
		}
		if err != nil { // nothing happened, the runs neither
			t.Equal(what, effects, own)
			continue
		}
		if !t.sameLife(what, effects, slices.Concat(runs, own), after.State, want.State) {
			return
		}
		t.Equal(what+": the profile", after.Profile, want.Profile)
		if own[0].Result == engine.ResultIgnored && !ran.State.Last.IsZero() && !t.Equal(what+", and ignored: the state", after.State, ran.State) {
			return
		}
		s = after
	}
}

// nothingOnErrors looks at the results of the log that are errors, and makes some more.
func nothingOnErrors(t *prop, l gen.LogCase) {
	same := func(what string, got, given engine.Stored, effects []engine.Effect) {
		if !got.Equal(given) || len(effects) > 0 {
			t.Errorf("%s is an error, and changes something or has %d effects", what, len(effects))
		}
	}
	fails := func(what string, code ledger.Code, s engine.Stored, e engine.Event) {
		after, effects, err := t.Handle(s, e, l.Policy)
		if !errors.Is(err, code) {
			t.Errorf("%s: %s, want the code %s", what, errorText(err), string(code))
		}
		same(what, after, s, effects)
	}
	s := t.stored(l.Job)
	unmade, open := engine.Stored{Profile: s.Profile}, s
	open.State.RanThrough = calendar.Date{}
	if open.State.Last == calendar.MinDate() {
		open.State.Last = calendar.Date{} // no day before it can be named
	}
	for _, e := range log(l) {
		if e.Kind == engine.EventRun {
			continue
		}
		for kind := engine.EventRun; kind <= engine.EventResumeByAPI+1; kind++ {
			fails(kind.String(), "event-kind", s, engine.Event{Date: e.Date, Kind: kind})
		}
		fails("an event without a kind", "event-kind", s, engine.Event{Date: e.Date})
		fails("an event without a date", engine.ErrEventOrder, s, engine.Event{Kind: e.Kind, Update: e.Update})
		fails("an event of a profile that is not created", engine.ErrNotCreated, unmade, e)
		fails("an event of a state without its last run", engine.ErrStateConflict, open, e)

		after, effects, err := t.Handle(s, e, l.Policy)
		if err != nil {
			if len(effects) != 1 || effects[0].Kind != engine.EffectEvent || effects[0].Event != e.Kind || effects[0].Date != e.Date || effects[0].Result != engine.ResultRefused ||
				effects[0].Refusal == nil {
				t.Fatalf("%v on %v is refused, and its effects are not its own refusal alone: %s, %v", e.Kind, e.Date, plain.Texts(effects, plain.EffectText), errorText(err))
			}
			same(fmt.Sprintf("%v on %v", e.Kind, e.Date), after, s, effects[1:])
		}
		s = after
	}
	for _, c := range [...]struct {
		what    string
		code    ledger.Code
		s       engine.Stored
		through calendar.Date
	}{
		{"an advance to no day", engine.ErrEventOrder, s, calendar.Date{}},
		{"an advance of a profile that is not created", engine.ErrNotCreated, unmade, l.Until()},
		{"an advance of a state without its last run", engine.ErrStateConflict, open, l.Until()},
	} {
		after, effects, err := t.Advance(c.s, c.through, l.Policy)
		if !errors.Is(err, c.code) {
			t.Errorf("%s: %s, want the code %s", c.what, errorText(err), string(c.code))
		}
		same(c.what, after, c.s, effects)
	}
	if after, err := t.Create(l.Profile, calendar.Date{}, l.Policy); !errors.Is(err, engine.ErrEventOrder) || !after.State.IsZero() {
		t.Errorf("created on no day: %s, and the profile is %v", errorText(err), after.State.Status)
	}
}

// boundToPolicy asks an engine with another policy, and one with the same after a file and without the policy.
func boundToPolicy(t *prop, l gen.LogCase) {
	keys := slices.Collect(engine.Keys())
	key := keys[(l.A+l.N)%len(keys)]
	other := l.Policy.WithReading(key, (slices.Index(key.Entry().Values(), l.Policy.Reading(key).Value)+1)%len(key.Entry().Values()))
	first := t.stored(l.Job)
	loose := first
	loose.State = withoutPolicy(first.State)
	for _, e := range append(log(l), engine.Event{Date: l.Until(), Kind: engine.EventRun}) {
		s, effects, err := t.happen(first, e, l.Policy)
		if err != nil {
			continue
		}
		if made, known := s.Policy(); !known || made != l.Policy {
			t.Fatalf("after %v on %v the state has the policy %v, known: %v", e.Kind, e.Date, made, known)
		}
		unbound, again, err := t.happen(loose, e, l.Policy)
		if err != nil || !unbound.Equal(s) || !t.Equal("of a state without a policy", again, effects) {
			t.Fatalf("%v on %v of a state without a policy gives another one; refused: %v", e.Kind, e.Date, err != nil)
		}
		text, err := json.Marshal(s)
		var back engine.Stored
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || !back.Equal(s) {
			t.Fatalf("written and read back it is another one, or an error: %v", err != nil)
		}
		for _, do := range [...]engine.Event{e, {Date: l.Until(), Kind: engine.EventRun}} {
			after, effects, err := t.happen(back, do, other)
			if !errors.Is(err, engine.ErrPolicyDiffers) || !after.Equal(s) || len(effects) > 0 {
				t.Fatalf("under another value of %s, %v has %d effects and %s", key.Key(), do.Kind, len(effects), errorText(err))
			}
		}
		first, loose = s, s
		loose.State = withoutPolicy(s.State)
	}
	unmade := engine.Stored{Profile: l.Profile}.Under(l.Policy)
	text, err := json.Marshal(unmade)
	var back engine.Stored
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || !back.Equal(unmade) {
		t.Errorf("not created, written and read back it is another one, or an error: %v", err != nil)
	}
	_, _, err = t.Advance(back, l.AsOf, other)
	if !errors.Is(err, engine.ErrPolicyDiffers) {
		t.Fatalf("not created, under another value of %s: %s", key.Key(), errorText(err))
	}
	have, want := key.Key()+"="+l.Policy.Reading(key).Value, key.Key()+"="+other.Reading(key).Value
	why, ok := errors.AsType[*engine.Error](err)
	if !ok || why.Field != key.Key() || why.Have != have || why.Want != want || strings.Count(err.Error(), key.Key()) != 1 || !strings.Contains(err.Error(), "Stored.Under") ||
		!strings.Contains(err.Error(), l.Policy.Reading(key).Value) || !strings.Contains(err.Error(), other.Reading(key).Value) {
		t.Errorf("a state of %s under %s: %s", have, want, errorText(err))
	}
}

// stoppedOn is the case's profile, stopped on a day through the update operation.
func (t *prop) stoppedOn(p gen.PlanCase, n int) engine.Stored {
	s := t.stored(p.Job)
	if s.State.Status == engine.StatusActive {
		s = t.happened(s, engine.Event{Date: p.Day(n), Kind: engine.EventStop}, p.Policy)
	}
	return s
}

// keptOf is what a change of a profile's status or columns leaves alone.
func keptOf(s engine.State) engine.State {
	return engine.State{Repeat: s.Repeat, Anchor: s.Anchor, Paid: s.Paid}
}

// missedByNewAnchor resumes before and after the run of a day, with a new anchor and both values of
// resume-missed, and compares what that day's run and the next one charge.
func missedByNewAnchor(t *prop, p gen.PlanCase) {
	p.Policy.ResumeAnchor = engine.ResumeAnchorResumeDate
	p.Policy.ResumeMissed, p.Policy.RunMissed, p.Policy.StartPast = engine.MissedSkip, engine.MissedSkip, engine.StartPastSkip
	p.Profile.MaxRepeats, p.Profile.Finish = engine.Limit{}, calendar.Date{}
	p.State.Missed = nil
	s := t.stoppedOn(p, p.A)
	day := p.Day(p.B)
	next := day.AddDays(1)
	if !next.IsDay() || s.State.RanThrough == day {
		return
	}
	charged := func(missed engine.Missed, ran bool) (slots []calendar.Date) {
		policy := p.Policy
		policy.ResumeMissed = missed
		s := s.Under(policy)
		if ran {
			s, _ = t.ran(s, day, policy)
		}
		s = t.happened(s, engine.Event{Date: day, Kind: engine.EventResume}, policy)
		_, effects := t.ran(s, next, policy)
		for _, c := range madeBy(effects) {
			slots = append(slots, c.Slot)
		}
		return slots
	}
	skip, catchUp := charged(engine.MissedSkip, false), charged(engine.MissedCatchUp, false)
	t.Equal(fmt.Sprintf("resumed on %v before its run, the slots of resume-missed=catch-up and of skip", day), catchUp, skip)
	skip, catchUp = charged(engine.MissedSkip, true), charged(engine.MissedCatchUp, true)
	if p.Profile.Unit != 0 && !slices.Contains(s.State.Paid, day) && s.State.Repeat < 1<<62 {
		skip = append([]calendar.Date{day}, skip...)
	}
	t.Equal(fmt.Sprintf("resumed on %v after its run, the slots of resume-missed=catch-up", day), catchUp, skip)
}

func newStart(t *prop, p gen.PlanCase) {
	s := t.stored(p.Job)
	if s.State.Status != engine.StatusActive || p.Profile.Unit == 0 || s.State.RanThrough == p.AsOf {
		return
	}
	before, _ := t.ran(s, p.AsOf, p.Policy)
	start := p.Day(p.A - p.N)
	after := t.happened(before, engine.Event{Date: p.AsOf, Kind: engine.EventUpdate, Update: engine.Update{Start: engine.To(start)}}, p.Policy)
	kept := keptOf(before.State)
	kept.Anchor = start
	t.Equal("what a new start-date keeps", keptOf(after.State), kept)
	t.Equal("the status under a new start-date", after.State.Status, before.State.Status)
	// What the run charged is not charged again, whatever the grid: not by the next run, nor by a second one of the day.
	back := t.happened(after, engine.Event{Date: p.AsOf, Kind: engine.EventUpdate, Update: engine.Update{Start: engine.To(p.AsOf)}}, p.Policy)
	job := p.Job
	job.Profile, job.State = back.Profile, back.State
	again := engine.Step{Event: engine.Event{Date: p.AsOf, Kind: engine.EventRun}}
	for _, c := range madeBy(t.live(job, p.Day(1), record.Script{Steps: []engine.Step{again}}).Effects) {
		if slices.Contains(before.State.Paid, c.Slot) {
			t.Errorf("the paid slot %v is charged again", c.Slot)
		}
	}
}

func newAmounts(t *prop, p gen.PlanCase) {
	day := p.Day(p.A)
	s, _ := t.ran(t.stored(p.Job), day.AddDays(-1), p.Policy)
	list := []amount.Amount{gen.Minor(11, 2), gen.Minor(22, 2), gen.Minor(33, 2), gen.Minor(44, 2)}
	u := engine.SetAmounts(gen.SequenceOf(list))
	after := t.happened(s, engine.Event{Date: day, Kind: engine.EventUpdate, Update: u}, p.Policy)
	if after.State.Repeat != s.State.Repeat || after.State.Status != s.State.Status {
		t.Errorf("new amounts change repeat %d to %d", s.State.Repeat, after.State.Repeat)
	}
	_, effects := t.ran(after, day, p.Policy)
	for i, c := range madeBy(effects) {
		repeat := s.State.Repeat + uint64(i)
		if want := list[min(repeat, 3)]; c.Repeat != repeat || c.Min.Compare(want) != 0 {
			t.Errorf("charge with repeat %d of %v, want %d of %v", c.Repeat, c.Min, repeat, want)
		}
	}
}

// undrawn are charges of a simulation with the bounds of those of a forecast, where what was drawn keeps to them.
func undrawn(list, of []engine.Charge) []engine.Charge {
	list = slices.Clone(list)
	for i, c := range first(of, list) {
		if c.Min.Compare(list[i].Min) <= 0 && list[i].Max.Compare(c.Max) <= 0 {
			list[i].Min, list[i].Max = c.Min, c.Max
		}
	}
	return list
}

// stateLine is a state as a line of a file.
func stateLine(t *prop, s engine.State) []byte {
	line, err := engine.AppendStateLine(nil, "order-1", s)
	if err != nil {
		t.Fatalf("a state is not written: %v", err)
	}
	return line
}

// oneChoice tries every subset of the amount columns on a stored profile.
func oneChoice(t *prop, _ struct{}) {
	profile := gen.PlainProfile()
	stored, err := t.Create(profile, profile.Start, engine.Policy{})
	if err != nil {
		t.Fatalf("a plain profile is not created: %v", err)
	}
	one := gen.Minor(100, 2)
	for subset := range 16 {
		u := engine.Update{Amount: engine.Remove[amount.Amount]()}
		groups := 0
		if subset&1 != 0 {
			u.Amount = engine.To(one)
			groups++
		}
		if subset&2 != 0 {
			u.AmountFrom = engine.To(one)
		}
		if subset&4 != 0 {
			u.AmountTo = engine.To(one)
		}
		if subset&6 != 0 {
			groups++
		}
		if subset&8 != 0 {
			u.Sequence = engine.To([]amount.Amount{one, one})
			groups++
		}
		half := subset&6 == 2 || subset&6 == 4
		_, _, err := t.Handle(stored, engine.Event{Date: profile.Start, Kind: engine.EventUpdate, Update: u}, engine.Policy{})
		if want := groups == 1 && !half; (err == nil) != want {
			t.Errorf("amount %v, from %v, to %v, sequence %v: accepted is %v", subset&1 != 0, subset&2 != 0, subset&4 != 0, subset&8 != 0, err == nil)
		}
	}
}
