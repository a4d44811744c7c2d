package laws

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// stateLaws are the laws of single events and of saved states.
func stateLaws() []Law {
	return []Law{
		law("E01", "3", "folding Apply over a log = over a prefix, saving, reading, over the rest, for every cut", gen.Logs, foldInParts),
		law("E02", "3", "Apply is pure: equal arguments, equal results; its arguments are unchanged", gen.Logs, pure),
		law("E05", "3", "update of a stopped profile leaves it stopped; upd(x);upd(x) ≡ upd(x)", gen.Logs, updates),
		law("E06", "3", "resume via API is refused in every state, state unchanged", gen.Logs, noResumeByAPI),
		law("E08", "L32b", "run(d);run(d) ≡ run(d); Apply over all days ≡ the forecast", gen.Plans, dailyRuns),
		law("E09", "L24", "an event dated before the last one is refused with an error, state unchanged", gen.Logs, inOrderOnly),
		law("E10", "3", "every (status, event) is accepted, ignored or refused; ignored and refused change nothing", gen.Logs, completeTable),
		law("E11", "L17 X11", "resume while a stop condition holds: active, then stopped again in that day's run, no charge", gen.Plans, resumeAtStop),
		law("E12", "1", "profiles are independent: interleaving two logs gives each its own result", gen.Logs, independent),
		law("E13", "L14 L15 L16", "resume keeps counter, anchor and paid slots; days missed while stopped are not charged", gen.Plans, resumeKeeps).presuming("resume-counter", "resume-anchor", "resume-missed"),
		law("E14", "L18", "start-date updated on an active profile: grid from the new anchor, repeat goes on, paid slots stay", gen.Plans, newStart),
		law("E15", "L10 L19", "finish-date or M updated acts at the next run; M at or under the counter stops there", gen.Plans, newLimits),
		law("E16", "L26", "amounts replaced: new strategy at the same repeat number", gen.Plans, newAmounts),
		law("E17", "L20 L21 L22", "manual charge: accepted when active, refused when stopped, takes no slot, stops at K", gen.Plans, manualCharge).presuming("manual-counts", "manual-when-stopped", "manual-takes-slot"),
		law("E18", "L23 L24", "stop before the run: no charge that day; after it: one; reason stopped-by-api", gen.Plans, stopThatDay),
		law("E20", "3", "State → JSON line → State is the identity; unknown fields are errors", gen.Logs, stateLines),
		law("E21", "2.2.7 2.2.10", "stop and restart between any two steps: same final log", gen.Logs, restartAnywhere),
		law("E29", "L16", "resume-anchor=resume-date: resume-missed decides the resume's own day alone, and only after its run", gen.Plans, missedByNewAnchor),
	}
}

func uintText(n uint64) string { return strconv.FormatUint(n, 10) }

// stored is the case's profile on as-of, before its run. A state that came with it is
// completed as the requirements say.
func stored(j gen.Job, t *T) engine.Stored {
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

// fold lets events happen one after the other, each run as a day's own. The effects are plain.
func fold(s engine.Stored, events []engine.Event, p engine.Policy, impl Impl) ([]engine.Effect, engine.Stored) {
	var all []engine.Effect
	for _, e := range events {
		effects, next, _ := impl.Apply(s, e, p)
		for _, f := range effects {
			all = append(all, plainEffect(f))
		}
		s = next
	}
	return all, s
}

// log is the case's events in order of date, each followed by that day's run.
func log(l gen.LogCase) []engine.Event {
	steps := slices.Clone(l.Steps)
	slices.SortStableFunc(steps, func(a, b engine.Step) int { return a.Date.Compare(b.Date) })
	var events []engine.Event
	for _, s := range steps {
		events = append(events, s.Event)
		if !s.After {
			events = append(events, engine.Event{Date: s.Date, Do: engine.DoRun})
		}
	}
	return events
}

// foldInParts saves before one event of the log, at its ends too, and goes on from there.
func foldInParts(t *T, l gen.LogCase) {
	events := log(l)
	start := stored(l.Job, t)
	whole, end := fold(start, events, l.Policy, t.Impl)
	for _, cut := range [...]int{l.A % (len(events) + 1), l.N % (len(events) + 1)} {
		front, middle := fold(start, events[:cut], l.Policy, t.Impl)
		middle.State = saved(t, middle.State)
		back, other := fold(middle, events[cut:], l.Policy, t.Impl)
		if both := slices.Concat(front, back); !slices.Equal(whole, both) || !SameState(end.State, other.State) {
			differently(t, "saved and read back before event "+strconv.Itoa(cut+1), both, whole, other.State, end.State, nil)
			return
		}
	}
}

func pure(t *T, l gen.LogCase) {
	s := stored(l.Job, t)
	for _, e := range log(l) {
		before := s.State
		before.Paid, before.Missed = slices.Clone(s.State.Paid), slices.Clone(s.State.Missed)
		first, once, err1 := t.Apply(s, e, l.Policy)
		kept := once.State
		kept.Paid, kept.Missed = slices.Clone(kept.Paid), slices.Clone(kept.Missed)
		second, twice, err2 := t.Apply(s, e, l.Policy)
		if !SameState(before, s.State) {
			t.Errorf("%v on %v changed its argument", e.Do, e.Date)
			return
		}
		if !SameState(once.State, twice.State) || len(first) != len(second) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%v on %v gives two results", e.Do, e.Date)
		}
		// Writing to one result must show in nothing else.
		for i := range twice.State.Paid {
			twice.State.Paid[i] = calendar.First()
		}
		for i := range twice.State.Missed {
			twice.State.Missed[i] = calendar.Window{}
		}
		if !SameState(once.State, kept) || !SameState(before, s.State) {
			t.Errorf("%v on %v shares memory with its result", e.Do, e.Date)
			return
		}
		s = once
	}
}

func updates(t *T, l gen.LogCase) {
	s := stored(l.Job, t)
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
		if err != nil || !SameState(once.State, twice.State) || !sameProfile(gen.ProfileToOracle(once.Profile), gen.ProfileToOracle(twice.Profile)) {
			t.Errorf("the same update again changes something: %v", err)
		}
	}
}

func noResumeByAPI(t *T, l gen.LogCase) {
	s := stored(l.Job, t)
	for _, e := range log(l) {
		_, s, _ = t.Apply(s, e, l.Policy)
		for _, via := range [...]engine.Channel{engine.ChannelAPI, 0} {
			effects, after, err := t.Apply(s, engine.Event{Date: e.Date, Do: engine.DoResume, Via: via}, l.Policy)
			if err == nil || !SameState(after.State, s.State) || len(effects) != 1 || effects[0].Result != engine.ResultRefused {
				t.Errorf("a resume via %q of a profile that is %v is not refused", via, s.State.Status)
			}
		}
	}
}

// dailyRuns runs every day twice and compares with the forecast.
func dailyRuns(t *T, p gen.PlanCase) {
	f := forecast(p.Job, t)
	s := stored(p.Job, t)
	var got []line
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
					got = append(got, lineOf(e.Charge))
				}
			}
			s = next
			if len(got) == made && n%8 != p.N%8 {
				break // of the days without a charge, some are run again
			}
		}
	}
	sameLines(t, "runs", got, lines(f, p.Window(0, min(p.B, 60)+1)))
}

func inOrderOnly(t *T, l gen.LogCase) {
	_, s := fold(stored(l.Job, t), log(l), l.Policy, t.Impl)
	last := s.State.Last
	if last.IsZero() || last.AddDays(-1).IsZero() {
		return
	}
	for _, do := range [...]engine.Verb{engine.DoRun, engine.DoNoRun, engine.DoStop, engine.DoCharge, engine.DoUpdate, engine.DoResume} {
		effects, after, err := t.Apply(s, engine.Event{Date: last.AddDays(-1), Do: do, Via: engine.ChannelUI}, l.Policy)
		if err == nil || !SameState(after.State, s.State) || len(effects) == 0 || effects[0].Result != engine.ResultRefused {
			t.Errorf("%v on the day before the last event is not refused", do)
		}
	}
}

// completeTable tries every event on every status, the unborn one too.
func completeTable(t *T, l gen.LogCase) {
	born := stored(l.Job, t)
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
				if result != engine.ResultAccepted && (!SameState(after.State, s.State) || len(effects) > 1) {
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
	one := stored(l.Job, t)
	other := l.Job
	other.Profile.ID, other.Profile.Amounts = "other", amount.Fixed(gen.Minor(777, 2))
	two := stored(other, t)
	events := log(l)
	wantOne, _ := fold(one, events, l.Policy, t.Impl)
	wantTwo, _ := fold(two, events, l.Policy, t.Impl)
	var gotOne, gotTwo []engine.Effect
	for _, e := range events {
		var effects []engine.Effect
		effects, one = fold(one, []engine.Event{e}, l.Policy, t.Impl)
		gotOne = append(gotOne, effects...)
		effects, two = fold(two, []engine.Event{e}, l.Policy, t.Impl)
		gotTwo = append(gotTwo, effects...)
	}
	if !slices.Equal(gotOne, wantOne) || !slices.Equal(gotTwo, wantTwo) {
		if slices.Equal(gotOne, wantOne) {
			gotOne, wantOne = gotTwo, wantTwo
		}
		t.Errorf("beside another profile: %s", effectsDifference(gotOne, wantOne))
	}
}

func stateLines(t *T, l gen.LogCase) {
	s := stored(l.Job, t)
	for i, e := range log(l) {
		if _, s, _ = t.Apply(s, e, l.Policy); i%2 != l.N%2 {
			continue
		}
		first := t.SaveState("order-1", s.State)
		id, back, err := t.LoadState(first)
		if err != nil || id != "order-1" || !SameState(back, s.State) {
			if err != nil {
				t.Errorf("a state is written %s and not read back: %v", first, err)
				return
			}
			t.Errorf("a state is written %s and read back for %q: %s", first, id, stateDifference(back, s.State))
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
	want := plainEffects(lifeOf(l, t))
	for _, i := range [...]int{l.A, l.N} {
		if len(l.Steps) == 0 {
			return
		}
		cut := l.Steps[i%len(l.Steps)].Date
		if !cut.After(l.AsOf) || l.State.RanThrough == l.AsOf && cut == l.AsOf.AddDays(1) {
			continue
		}
		front := live(l.Job, t, cut.AddDays(-1), l.Script())
		job := l.Job
		job.Profile, job.State, job.AsOf = front.end.Profile, saved(t, front.end.State), cut
		script := l.Script()
		script.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s engine.Step) bool { return s.Date.Before(cut) })
		back := live(job, t, l.Until(), script)
		if got := plainEffects(front, back); !slices.Equal(got, want) {
			t.Errorf("restarted on %v: %s", cut, effectsDifference(got, want))
			return
		}
	}
}

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
