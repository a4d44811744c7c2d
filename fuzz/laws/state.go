package laws

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// stateLaws are the laws of a stored profile: of applying events to it, of saving it, and of the ways that lead to the same life, which are events one by one, the daily
// runs at once, a simulation and a forecast.
func stateLaws() []Law {
	return []Law{
		law("E01", "3", "folding Apply over a log = over a prefix, saving, reading, over the rest, for every cut", gen.Logs, foldInParts),
		law("E02", "3", "Apply is pure: equal arguments, equal results; its arguments are unchanged", gen.Logs, pure),
		law("E05", "3", "update of a stopped profile leaves it stopped; upd(x);upd(x) ≡ upd(x)", gen.Logs, updates),
		law("E06", "3", "resume via API is refused in every state, state unchanged", gen.Logs, noResumeByAPI),
		law("E08", "L32b", "run(d);run(d) ≡ run(d); Apply over all days ≡ the forecast", gen.Plans, dailyRuns),
		law("E09", "L24", "an event dated before the last one is refused with an error, state unchanged", gen.Logs, inOrderOnly),
		law("E10", "3", "every (status, event) is accepted, ignored or refused; ignored and refused change nothing", gen.Logs, completeTable),
		law("E12", "1", "profiles are independent: interleaving two logs gives each its own result", gen.Logs, independent),
		law("E20", "3", "State → JSON line → State is the identity; unknown fields are errors", gen.Logs, stateLines),
		law("E21", "2.2.7 2.2.10", "stop and restart between any two steps: same final log", gen.Logs, restartAnywhere),
		law("E24", "2.2.7 L13", "outcomes given to Apply change nothing but the outcomes of the charges", gen.Logs, outcomesOfEvents),
		law("E25", "L71", "every charge, stop and end of fold, Advance, Simulate and forecast rests on the same clauses", gen.Plans, sameReasons).cites(),
		law("E26", "L32b", "Advance(s, d2) ≡ Advance(Advance(s, d1), d2) ≡ a run every day, stored and read back in between", gen.Plans, advances),
		law("E27", "2.1", "a broken Stored or policy is refused by Compile, Apply, Advance, Simulate and End with the same error, which names the field", gen.Plans, oneGate),
		law("E28", "L32", "the last days of the calendar are lived as the same days of the year 9998", gen.Logs, lastDays),
	}
}

// foldInParts saves before one event of the log, at its ends too, and goes on from there.
func foldInParts(t *T, l gen.LogCase) {
	events := log(l)
	start := t.stored(l.Job)
	whole, end := t.fold(start, events, l.Policy)
	for _, cut := range [...]int{l.A % (len(events) + 1), l.N % (len(events) + 1)} {
		front, middle := t.fold(start, events[:cut], l.Policy)
		middle.State = t.saved(middle.State)
		back, other := t.fold(middle, events[cut:], l.Policy)
		if !t.sameLife("saved and read back before event "+strconv.Itoa(cut+1), slices.Concat(front, back), whole, other.State, end.State) {
			return
		}
	}
}

func pure(t *T, l gen.LogCase) {
	s := t.stored(l.Job)
	for _, e := range log(l) {
		before := copied(s.State)
		first, once, err1 := t.Apply(s, e, l.Policy)
		kept := copied(once.State)
		second, twice, err2 := t.Apply(s, e, l.Policy)
		if !before.Equal(s.State) {
			t.Fatalf("%v on %v changed its argument", e.Kind, e.Date)
		}
		if !once.State.Equal(twice.State) || len(first) != len(second) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%v on %v gives two results", e.Kind, e.Date)
		}
		// Writing to one result must show in nothing else.
		for i := range twice.State.Paid {
			twice.State.Paid[i] = calendar.MinDate()
		}
		for i := range twice.State.Missed {
			twice.State.Missed[i] = calendar.Window{}
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

func updates(t *T, l gen.LogCase) {
	s := t.stored(l.Job)
	_, s, _ = t.Apply(s, engine.Event{Date: l.Day(l.A), Kind: engine.EventStop}, l.Policy)
	for _, e := range log(l) {
		if e.Kind != engine.EventUpdate {
			continue
		}
		e.Date = l.Day(l.A)
		_, once, err := t.Apply(s, e, l.Policy)
		if once.State.Status != s.State.Status {
			t.Errorf("an update makes a stopped profile %v", once.State.Status)
		}
		if err != nil {
			continue
		}
		_, twice, err := t.Apply(once, e, l.Policy)
		if err != nil {
			t.Errorf("the same update again is refused: %v", err)
		}
		t.Equal("the state after the same update again", twice.State, once.State)
		t.Equal("the profile after the same update again", columnsOf(twice.Profile), columnsOf(once.Profile))
	}
}

func noResumeByAPI(t *T, l gen.LogCase) {
	s := t.stored(l.Job)
	for _, e := range log(l) {
		_, s, _ = t.Apply(s, e, l.Policy)
		for _, via := range [...]engine.Channel{engine.ChannelAPI, 0} {
			effects, after, err := t.Apply(s, engine.Event{Date: e.Date, Kind: engine.EventResume, Via: via}, l.Policy)
			if err == nil || !after.State.Equal(s.State) || len(effects) != 1 || effects[0].Result != engine.ResultRefused {
				t.Errorf("a resume via %q of a profile that is %v is not refused", via, s.State.Status)
			}
		}
	}
}

// dailyRuns runs every day twice and compares with the forecast.
func dailyRuns(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	s := t.stored(p.Job)
	var got []engine.Charge
	for n := range min(p.B, 60) + 1 {
		d := p.AsOf.AddDays(n)
		if !d.IsDay() {
			break
		}
		if s.State.RanThrough == d { // as-of had its run already
			continue
		}
		for range 2 {
			made := len(got)
			effects, next, err := t.Apply(s, engine.Event{Date: d, Kind: engine.EventRun}, p.Policy)
			if err != nil {
				t.Fatalf("the run of %v is refused: %v", d, err)
			}
			got, s = append(got, madeBy(effects)...), next
			if len(got) == made && n%8 != p.N%8 {
				break // of the days without a charge, some are run again
			}
		}
	}
	t.Equal("runs", got, f.in(p.Window(0, min(p.B, 60)+1)))
}

func inOrderOnly(t *T, l gen.LogCase) {
	_, s := t.fold(t.stored(l.Job), log(l), l.Policy)
	last := s.State.Last
	if last.IsZero() || last.AddDays(-1).IsZero() {
		return
	}
	for _, do := range [...]engine.EventKind{engine.EventRun, engine.EventNoRun, engine.EventStop, engine.EventCharge, engine.EventUpdate, engine.EventResume} {
		effects, after, err := t.Apply(s, engine.Event{Date: last.AddDays(-1), Kind: do, Via: engine.ChannelUI}, l.Policy)
		if err == nil || !after.State.Equal(s.State) || len(effects) == 0 || effects[0].Result != engine.ResultRefused {
			t.Errorf("%v on the day before the last event is not refused", do)
		}
	}
}

// completeTable tries every event on every status, the unborn one too.
func completeTable(t *T, l gen.LogCase) {
	born := t.stored(l.Job)
	_, stopped, _ := t.Apply(born, engine.Event{Date: l.AsOf, Kind: engine.EventStop}, l.Policy)
	for _, s := range [...]engine.Stored{{Profile: l.Profile}, born, stopped} {
		for do := engine.EventCreate; do <= engine.EventResume; do++ {
			for _, via := range [...]engine.Channel{0, engine.ChannelUI, engine.ChannelAPI} {
				effects, after, err := t.Apply(s, engine.Event{Date: l.Day(l.A), Kind: do, Via: via}, l.Policy)
				if len(effects) == 0 || effects[0].Kind != engine.EffectEvent || effects[0].Event != do || effects[0].Result == 0 {
					t.Errorf("%v of a profile that is %v has no result", do, s.State.Status)
					continue
				}
				result := effects[0].Result
				if (result == engine.ResultRefused) != (err != nil) {
					t.Errorf("%v of a profile that is %v is %v, with the error %v", do, s.State.Status, result, err)
				}
				if result != engine.ResultAccepted && (!after.State.Equal(s.State) || len(effects) > 1) {
					t.Errorf("%v of a profile that is %v is %v and changes something", do, s.State.Status, result)
				}
				if s.State.Status == 0 && do != engine.EventCreate && result == engine.ResultAccepted {
					t.Errorf("%v of a profile that is not created is accepted", do)
				}
			}
		}
	}
}

func independent(t *T, l gen.LogCase) {
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

func stateLines(t *T, l gen.LogCase) {
	s := t.stored(l.Job)
	for i, e := range log(l) {
		if _, s, _ = t.Apply(s, e, l.Policy); i%2 != l.N%2 {
			continue
		}
		first := t.SaveState("order-1", s.State)
		id, back, err := t.LoadState(first)
		if err != nil || id != "order-1" {
			t.Fatalf("a state is written %s and read back for %q: %v", first, id, err)
		}
		if !t.Equal("a state that is written "+string(first), back, s.State) {
			return
		}
		if again := t.SaveState(id, back); !bytes.Equal(first, again) {
			t.Errorf("a state is written %s, then %s", first, again)
		}
	}
	line := t.SaveState("order-1", s.State)
	worse := bytes.Replace(line, []byte(`"repeat"`), []byte(`"repat"`), 1)
	if _, _, err := t.LoadState(worse); err == nil && !bytes.Equal(worse, line) {
		t.Errorf("an unknown field is accepted: %s", worse)
	}
}

// restartAnywhere saves on the day of an event and goes on from there: of each log on two such
// days.
func restartAnywhere(t *T, l gen.LogCase) {
	want := plainEffects(t.life(l))
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
		job.Profile, job.State, job.AsOf = front.end.Profile, t.saved(front.end.State), cut
		script := l.Script()
		script.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s engine.Step) bool { return s.Date.Before(cut) })
		back := t.live(job, l.Until(), script)
		if !t.Equal("restarted on "+cut.String(), plainEffects(front, back), want) {
			return
		}
	}
}

// saved is a state that went through a file, where the implementation can do that.
func (t *T) saved(s engine.State) engine.State {
	back := s
	t.can(func() {
		var err error
		if _, back, err = t.LoadState(t.SaveState("order-1", s)); err != nil {
			t.Errorf("a saved state is not read back: %v", err)
		}
	})
	return back
}

func later(a, b calendar.Date) calendar.Date {
	return slices.MaxFunc([]calendar.Date{a, b}, calendar.Date.Compare)
}

// plainEnd is the end of a saved state in the same words.
func plainEnd(s engine.State) End {
	return End{Status: s.Status, Repeat: s.Repeat, Stop: StopFrom(s.Stop).plain()}
}

// stored is the case's profile on as-of, before its run. A state that came with it is
// completed as the requirements say.
func (t *T) stored(j gen.Job) engine.Stored {
	s := j.Stored()
	if j.State.Status != 0 {
		m := gen.MachineOf(j, oracle.Right())
		s.State.Anchor = gen.DateNumbered(m.Anchor)
		if s.State.RanThrough.IsZero() && !madeOnFirstDay(s.State) {
			s.State.RanThrough = j.AsOf.AddDays(-1)
		}
		return s
	}
	_, s, err := t.Apply(s, engine.Event{Date: j.AsOf, Kind: engine.EventCreate}, j.Policy)
	if err != nil {
		t.Fatalf("the profile is not created: %v", err)
	}
	return s
}

// madeOnFirstDay reports whether a state is that of a profile made on the first day of the calendar, which
// had no run: no day before it can be named.
func madeOnFirstDay(s engine.State) bool {
	return s.RanThrough.IsZero() && s.Last == calendar.MinDate()
}

func outcomesOfEvents(t *T, l gen.LogCase) {
	events := log(l)
	mixed := slices.Clone(events)
	for i := range mixed {
		if (l.A+i)%3 != 0 {
			mixed[i].Outcome = engine.OutcomeDeclined
		}
	}
	approved, declined := t.stored(l.Job), t.stored(l.Job)
	for i := range events {
		want, next, err1 := t.Apply(approved, events[i], l.Policy)
		got, other, err2 := t.Apply(declined, mixed[i], l.Policy)
		for n := range got {
			c := &got[n].Charge
			if got[n].Kind == engine.EffectCharge && c.Outcome != mixed[i].Outcome {
				t.Errorf("the charge of %v is %v, the event said %v", c.Date, c.Outcome, mixed[i].Outcome)
			}
			c.Outcome = engine.OutcomeApproved
			got[n].Refusal = nil
		}
		for n := range want {
			want[n].Refusal = nil
		}
		what := fmt.Sprintf("%v on %v with the outcome %v instead of approved", events[i].Kind, events[i].Date, mixed[i].Outcome)
		if (err1 == nil) != (err2 == nil) {
			t.Fatalf("%s is refused: %v, want %v", what, err2 != nil, err1 != nil)
		}
		if !t.sameLife(what, got, want, other.State, next.State) {
			return
		}
		approved, declined = next, other
	}
}

// days is the daily runs of a case after its creation, or from its state on, one by one.
func (t *T) days(p gen.PlanCase, s engine.Stored, through calendar.Date) ([]engine.Effect, engine.Stored) {
	var effects []engine.Effect
	first := later(s.State.RanThrough.AddDays(1), s.State.Last)
	if s.State.RanThrough.IsZero() {
		first = p.AsOf // the first day of the calendar
	}
	for d := first; !d.After(through); d = d.AddDays(1) {
		list, next, err := t.Apply(s, engine.Event{Date: d, Kind: engine.EventRun}, p.Policy)
		if err != nil {
			t.Errorf("the run of %v is refused: %v", d, err)
			return nil, s
		}
		effects, s = append(effects, withoutHandled(list)...), next
	}
	return effects, s
}

func withoutHandled(list []engine.Effect) []engine.Effect {
	return slices.DeleteFunc(list, func(e engine.Effect) bool { return e.Kind == engine.EffectEvent })
}

// lastRun is the last day of a case that is still walked day by day.
func lastRun(p gen.PlanCase) calendar.Date { return p.Day(min(p.C, 90)) }

func sameReasons(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	last := lastRun(p)
	s := t.stored(p.Job)
	if s.State.RanThrough.Before(p.AsOf.AddDays(-1)) || p.State.Status != 0 && p.State.Anchor.IsZero() {
		return // days without a run, which a forecast looks back at; an anchor that the case filled in
	}
	folded, end := t.days(p, s, last)
	at := 0
	for c := range f.Charges(calendar.Through(p.AsOf, last)) {
		for at < len(folded) && folded[at].Kind != engine.EffectCharge {
			at++
		}
		of := []engine.Effect{{Kind: engine.EffectCharge, Date: c.Date, Because: c.Because, Charge: c}}
		if !t.Equal("the charges of the runs and of the forecast", folded[min(at, len(folded)):min(at+1, len(folded))], of) {
			return
		}
		at++
	}
	for _, e := range folded {
		stop := f.Stop()
		if e.Kind == engine.EffectStop && (e.Stop.Date != stop.Date || e.Stop.Because != stop.Because || e.Because != e.Stop.Because) {
			t.Errorf("the run stops it on %v because of %v; the forecast on %v because of %v", e.Stop.Date, e.Stop.Because, stop.Date, stop.Because)
		}
	}
	want := f.End(last)
	folds, err := t.End(end, last, p.Policy)
	if err != nil || folds.Because != want.Because {
		t.Errorf("the runs end because of %q, refused: %v; the forecast because of %q", folds.Because, err != nil, want.Because)
	}
	simulated, err := lifeBy(t.EngineImpl, p.Policy, engine.Simulation{Stored: p.Stored(), AsOf: p.AsOf, Until: last})
	if err != nil {
		t.Fatalf("not simulated: %v", err)
	}
	if p.Profile.Amounts.Kind() != amount.KindRange {
		t.Equal("simulated and run", simulated.effects, folded)
	}
	if ends, err := t.End(simulated.end, last, p.Policy); err != nil || ends.Because != want.Because {
		t.Errorf("the simulation ends because of %q, refused: %v; the forecast because of %q", ends.Because, err != nil, want.Because)
	}
}

func advances(t *T, p gen.PlanCase) {
	s := t.stored(p.Job)
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
	got, after, err := t.Advance(s, last, p.Policy)
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
		front, middle, err := t.Advance(s, cut, p.Policy)
		if err != nil {
			t.Fatalf("advanced to %v: %v", cut, err)
		}
		middle.State = t.saved(middle.State)
		back, other, err := t.Advance(middle, last, p.Policy)
		if err != nil {
			t.Fatalf("advanced to %v and then to %v: refused: %v", cut, last, err)
		}
		if !t.sameLife("advanced to "+cut.String()+" and then to "+last.String(), slices.Concat(front, back), want, other.State, end.State) {
			return
		}
	}
}

// sameLife compares two ways to live the same days.
func (t *T) sameLife(what string, got, want []engine.Effect, state, wanted engine.State) bool {
	return t.Equal(what, got, want) && t.Equal(what+": the state", state, wanted)
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

func oneGate(t *T, p gen.PlanCase) {
	sound := t.stored(p.Job)
	day := later(p.AsOf, later(sound.State.Last, sound.State.RanThrough))
	if day == calendar.MinDate() {
		return // no day lies before it that had its run
	}
	sound.State.RanThrough = day.AddDays(-1)
	sound.State.Paid = slices.DeleteFunc(sound.State.Paid, func(d calendar.Date) bool { return d.After(sound.State.RanThrough) })
	check := func(field string, s engine.Stored, pol engine.Policy) {
		plan := func() error {
			_, err := t.Forecast(gen.Job{Profile: s.Profile, State: s.State, AsOf: day, Policy: pol})
			return err
		}
		_, applied, err := t.Apply(s, engine.Event{Date: day, Kind: engine.EventRun}, pol)
		_, advanced, err2 := t.Advance(s, day, pol)
		_, err3 := t.Simulate(pol, engine.Simulation{Stored: s, AsOf: day, Until: day}, func(engine.Effect) bool { return true })
		_, err4 := t.End(s, day, pol)
		want, ok := errors.AsType[*engine.Error](t.Check(s, day, pol))
		if !ok || want.Field != field {
			t.Fatalf("%s: Check says %v", field, want)
		}
		for _, err := range [...]error{plan(), err, err2, err3, err4} {
			if got, ok := errors.AsType[*engine.Error](err); !ok || *got != *want {
				t.Errorf("%s: Check says %v, another door %v", field, want, err)
			}
		}
		if !applied.State.Equal(s.State) || !advanced.State.Equal(s.State) {
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
func lastDays(t *T, l gen.LogCase) {
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
		for _, e := range life.effects {
			e.Date = e.Date.AddDays(back)
			e.Charge.Slot, e.Stop.Date = e.Charge.Slot.AddDays(back), e.Stop.Date.AddDays(back)
			list = append(list, EffectText(e))
		}
		return append(list, life.end.State.Status.String()+" "+fmt.Sprint(life.end.State.Repeat))
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
