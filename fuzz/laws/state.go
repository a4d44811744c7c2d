package laws

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// stateLaws are the laws of applying events to a stored profile, and of saved states.
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
			t.Errorf("%v on %v changed its argument", e.Do, e.Date)
			return
		}
		if !once.State.Equal(twice.State) || len(first) != len(second) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%v on %v gives two results", e.Do, e.Date)
		}
		// Writing to one result must show in nothing else.
		for i := range twice.State.Paid {
			twice.State.Paid[i] = calendar.First()
		}
		for i := range twice.State.Missed {
			twice.State.Missed[i] = calendar.Window{}
		}
		if !kept.Equal(once.State) || !before.Equal(s.State) {
			t.Errorf("%v on %v shares memory with its result", e.Do, e.Date)
			return
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
	_, s, _ = t.Apply(s, engine.Event{Date: l.Day(l.A), Do: engine.DoStop}, l.Policy)
	for _, e := range log(l) {
		if e.Do != engine.DoUpdate {
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
			effects, after, err := t.Apply(s, engine.Event{Date: e.Date, Do: engine.DoResume, Via: via}, l.Policy)
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
			effects, next, err := t.Apply(s, engine.Event{Date: d, Do: engine.DoRun}, p.Policy)
			if err != nil {
				t.Errorf("the run of %v is refused: %v", d, err)
				return
			}
			for _, e := range effects {
				if e.Kind == engine.ChargeAttempted {
					got = append(got, plainCharge(e.Charge))
				}
			}
			s = next
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
	for _, do := range [...]engine.Verb{engine.DoRun, engine.DoNoRun, engine.DoStop, engine.DoCharge, engine.DoUpdate, engine.DoResume} {
		effects, after, err := t.Apply(s, engine.Event{Date: last.AddDays(-1), Do: do, Via: engine.ChannelUI}, l.Policy)
		if err == nil || !after.State.Equal(s.State) || len(effects) == 0 || effects[0].Result != engine.ResultRefused {
			t.Errorf("%v on the day before the last event is not refused", do)
		}
	}
}

// completeTable tries every event on every status, the unborn one too.
func completeTable(t *T, l gen.LogCase) {
	born := t.stored(l.Job)
	_, stopped, _ := t.Apply(born, engine.Event{Date: l.AsOf, Do: engine.DoStop}, l.Policy)
	for _, s := range [...]engine.Stored{{Profile: l.Profile}, born, stopped} {
		for do := engine.DoCreate; do <= engine.DoResume; do++ {
			for _, via := range [...]engine.Channel{0, engine.ChannelUI, engine.ChannelAPI} {
				effects, after, err := t.Apply(s, engine.Event{Date: l.Day(l.A), Do: do, Via: via}, l.Policy)
				if len(effects) == 0 || effects[0].Kind != engine.EventHandled || effects[0].Event != do || effects[0].Result == 0 {
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
				if s.State.Status == 0 && do != engine.DoCreate && result == engine.ResultAccepted {
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
