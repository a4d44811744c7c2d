package laws

import (
	"fmt"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// eventLaws are the laws of single events.
func eventLaws() []Law {
	return []Law{
		law("E11", "L17 X11", "resume while a stop condition holds: active, then stopped again in that day's run, no charge", gen.Plans, resumeAtStop),
		law("E13", "L14 L15 L16", "resume keeps counter, anchor and paid slots; days missed while stopped are not charged", gen.Plans, resumeKeeps).presuming("resume-counter", "resume-anchor", "resume-missed"),
		law("E14", "L18", "start-date updated on an active profile: grid from the new anchor, repeat goes on, paid slots stay", gen.Plans, newStart),
		law("E15", "L10 L19", "finish-date or M updated acts at the next run; M at or under the counter stops there", gen.Plans, newLimits),
		law("E16", "L26", "amounts replaced: new strategy at the same repeat number", gen.Plans, newAmounts),
		law("E17", "L20 L21 L22", "manual charge: accepted when active, refused when stopped, takes no slot, stops at K", gen.Plans, manualCharge).presuming("manual-counts", "manual-when-stopped", "manual-takes-slot"),
		law("E18", "L23 L24", "stop before the run: no charge that day; after it: one; reason stopped-by-api", gen.Plans, stopThatDay),
		law("E29", "L16", "resume-anchor=resume-date: resume-missed decides the resume's own day alone, and only after its run", gen.Plans, missedByNewAnchor),
	}
}

// happened lets one event happen that must be accepted.
func (t *T) happened(s engine.Stored, e engine.Event, p engine.Policy) engine.Stored {
	_, next, err := t.Apply(s, e, p)
	if err != nil {
		t.Errorf("%v on %v is refused: %v", e.Do, e.Date, err)
	}
	return next
}

// stoppedOn is the case's profile, stopped on a day through the update operation.
func (t *T) stoppedOn(p gen.PlanCase, n int) engine.Stored {
	s := t.stored(p.Job)
	if s.State.Status == engine.StatusActive {
		s = t.happened(s, engine.Event{Date: p.Day(n), Do: engine.DoStop}, p.Policy)
	}
	return s
}

// madeBy are the automatic charges of one event's effects.
func madeBy(effects []engine.Effect) []engine.Charge {
	return life{effects: effects}.charges()
}

// keptOf is what a change of a profile's status or columns leaves alone.
func keptOf(s engine.State) engine.State {
	return engine.State{Repeat: s.Repeat, Anchor: s.Anchor, Paid: s.Paid}
}

// resumeAtStop caps the profile at the repeat number that it has.
func resumeAtStop(t *T, p gen.PlanCase) {
	p.Policy.ResumeCounter, p.Policy.MaxCounts, p.Policy.MaxZero = engine.ResumeCounterKeep, engine.MaxCountsCharges, engine.MaxZeroStop
	p.Profile.MaxRepeats = engine.AtMost(p.StartRepeat())
	s := t.stoppedOn(p, p.A)
	day := p.Day(p.B)
	s = t.happened(s, engine.Event{Date: day, Do: engine.DoResume, Via: engine.ChannelUI}, p.Policy)
	if s.State.Status != engine.StatusActive {
		t.Errorf("a resumed profile is %v", s.State.Status)
	}
	effects, s, err := t.Apply(s, engine.Event{Date: day, Do: engine.DoRun}, p.Policy)
	if err != nil || s.State.Status != engine.StatusStopped || len(madeBy(effects)) > 0 || s.State.Stop.Date != day {
		t.Errorf("resumed at the cap, the run of %v leaves it %v, %s, with %d charges; refused: %v", day, s.State.Status, StopFrom(s.State.Stop), len(madeBy(effects)), err != nil)
	}
}

func resumeKeeps(t *T, p gen.PlanCase) {
	p.Policy.ResumeCounter, p.Policy.ResumeAnchor, p.Policy.ResumeMissed = 0, 0, 0
	p.Policy.RunMissed, p.Policy.StartPast = 0, 0
	p.State.Missed = nil
	s := t.stoppedOn(p, p.A)
	s = t.happened(s, engine.Event{Date: p.Day(p.A), Do: engine.DoRun}, p.Policy)
	day := p.Day(p.B)
	after := t.happened(s, engine.Event{Date: day, Do: engine.DoResume, Via: engine.ChannelUI}, p.Policy)
	t.Equal("what a resume keeps", keptOf(after.State), keptOf(s.State))
	effects, _, _ := t.Apply(after, engine.Event{Date: day, Do: engine.DoRun}, p.Policy)
	for _, c := range madeBy(effects) {
		if c.Slot != day || c.Repeat != s.State.Repeat {
			t.Errorf("the run after a resume on %v charges slot %v with repeat %d", day, c.Slot, c.Repeat)
		}
	}
}

// missedByNewAnchor resumes before and after the run of a day, with a new anchor and both values of
// resume-missed, and compares what that day's run and the next one charge.
func missedByNewAnchor(t *T, p gen.PlanCase) {
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
		s, run, runs := s.Under(policy), engine.Event{Date: day, Do: engine.DoRun}, []calendar.Date{day, next}
		if ran {
			s, runs = t.happened(s, run, policy), runs[1:]
		}
		s = t.happened(s, engine.Event{Date: day, Do: engine.DoResume, Via: engine.ChannelUI}, policy)
		for _, run.Date = range runs {
			effects, after, err := t.Apply(s, run, policy)
			if err != nil {
				t.Errorf("the run of %v is refused: %v", run.Date, err)
			}
			for _, c := range madeBy(effects) {
				slots = append(slots, c.Slot)
			}
			s = after
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

func newStart(t *T, p gen.PlanCase) {
	s := t.stored(p.Job)
	if s.State.Status != engine.StatusActive || p.Profile.Unit == 0 || s.State.RanThrough == p.AsOf {
		return
	}
	run := engine.Event{Date: p.AsOf, Do: engine.DoRun}
	before := t.happened(s, run, p.Policy)
	start := p.Day(p.A - p.N)
	after := t.happened(before, engine.Event{Date: p.AsOf, Do: engine.DoUpdate, Set: engine.Update{Start: engine.To(start)}}, p.Policy)
	kept := keptOf(before.State)
	kept.Anchor = start
	t.Equal("what a new start-date keeps", keptOf(after.State), kept)
	t.Equal("the status under a new start-date", after.State.Status, before.State.Status)
	// What the run charged is not charged again, whatever the grid.
	back := t.happened(after, engine.Event{Date: p.AsOf, Do: engine.DoUpdate, Set: engine.Update{Start: engine.To(p.AsOf)}}, p.Policy)
	effects, _, _ := t.Apply(back, run, p.Policy)
	for _, c := range madeBy(effects) {
		if slices.Contains(before.State.Paid, c.Slot) {
			t.Errorf("the paid slot %v is charged again", c.Slot)
		}
	}
}

func newLimits(t *T, p gen.PlanCase) {
	p.Policy.MaxCounts = engine.MaxCountsCharges
	s := t.stored(p.Job)
	if s.State.Status != engine.StatusActive || s.State.Repeat == 0 {
		return
	}
	lower := engine.Update{MaxRepeats: engine.To(engine.AtMost(1 + (s.State.Repeat-1)/2))}
	past := engine.Update{Finish: engine.To(p.AsOf.AddDays(-1))}
	for _, u := range [...]engine.Update{lower, past} {
		if past.Finish.Value.IsZero() {
			continue
		}
		after := t.happened(s, engine.Event{Date: p.AsOf, Do: engine.DoUpdate, Set: u}, p.Policy)
		if after.State.Status != engine.StatusActive {
			t.Errorf("an update stops at once")
		}
		effects, ran, _ := t.Apply(after, engine.Event{Date: p.AsOf, Do: engine.DoRun}, p.Policy)
		if len(madeBy(effects)) > 0 || ran.State.Status != engine.StatusStopped || ran.State.Stop.Date != p.AsOf {
			t.Errorf("the next run leaves it %v, with %d charges", ran.State.Status, len(madeBy(effects)))
		}
	}
}

func newAmounts(t *T, p gen.PlanCase) {
	s := t.stored(p.Job)
	list := []amount.Amount{gen.Minor(11, 2), gen.Minor(22, 2), gen.Minor(33, 2), gen.Minor(44, 2)}
	none := engine.Remove[amount.Amount]()
	u := engine.Update{Amount: none, AmountFrom: none, AmountTo: none, Sequence: engine.To(list)}
	day := p.Day(p.A)
	after := t.happened(s, engine.Event{Date: day, Do: engine.DoUpdate, Set: u}, p.Policy)
	if after.State.Repeat != s.State.Repeat || after.State.Status != s.State.Status {
		t.Errorf("new amounts change repeat %d to %d", s.State.Repeat, after.State.Repeat)
	}
	effects, _, _ := t.Apply(after, engine.Event{Date: day, Do: engine.DoRun}, p.Policy)
	for i, c := range madeBy(effects) {
		repeat := s.State.Repeat + uint64(i)
		if want := list[min(repeat, 3)]; c.Repeat != repeat || c.Min.Compare(want) != 0 {
			t.Errorf("charge with repeat %d of %v, want %d of %v", c.Repeat, c.Min, repeat, want)
		}
	}
}

func manualCharge(t *T, p gen.PlanCase) {
	p.Policy.ManualCounts, p.Policy.ManualWhenStopped, p.Policy.ManualTakesSlot = 0, 0, 0
	s := t.stored(p.Job)
	if s.State.Last.IsZero() {
		s.State.Last = s.State.RanThrough // a state that was saved, so that nothing is filled in
	}
	e := engine.Event{Date: p.AsOf, Do: engine.DoCharge}
	effects, after, err := t.Apply(s, e, p.Policy)
	if s.State.Status == engine.StatusStopped {
		if err == nil || !after.State.Equal(s.State) {
			t.Errorf("a manual charge on a stopped profile is not refused")
		}
		return
	}
	if err != nil {
		t.Fatalf("a manual charge is refused: %v", err)
	}
	kept := keptOf(s.State)
	kept.Repeat++
	t.Equal("after a manual charge", keptOf(after.State), kept)
	most, capped := capOf(p.Job)
	if reached := capped && after.State.Repeat >= most; reached != (after.State.Status == engine.StatusStopped) {
		t.Errorf("with %d of at most %d repeats the profile is %v", after.State.Repeat, most, after.State.Status)
	}
	for _, f := range effects {
		if f.Kind == engine.ChargeAttempted && (!f.Charge.Manual || f.Charge.Repeat != s.State.Repeat || f.Charge.Date != p.AsOf) {
			t.Errorf("the manual charge is %s, want repeat %d on %v", EffectText(f), s.State.Repeat, p.AsOf)
		}
	}
}

// stopThatDay stops on the day of the first charge, before its run and after it.
func stopThatDay(t *T, p gen.PlanCase) {
	plain := t.live(p.Job, p.Day(p.C), engine.Script{}).charges()
	if len(plain) == 0 {
		return
	}
	day := plain[0].Date
	for _, after := range [...]bool{false, true} {
		step := engine.Step{Event: engine.Event{Date: day, Do: engine.DoStop}, After: after}
		l := t.live(p.Job, p.Day(p.C), engine.Script{Steps: []engine.Step{step, step}})
		var want []engine.Charge
		if after {
			want = slices.DeleteFunc(slices.Clone(plain), func(c engine.Charge) bool { return c.Date.After(day) })
		}
		t.Equal("stopped on "+day.String(), l.charges(), want)
		stop := StopFrom(l.end.State.Stop)
		if l.end.State.Status != engine.StatusStopped || stop.Date != day {
			t.Errorf("stopped on %v, it ends %v since %v", day, l.end.State.Status, stop.Date)
		}
		if !after && !slices.Equal(stop.Reasons, []string{"stopped-by-api"}) {
			t.Errorf("after a stop through the update operation it is %s", stop)
		}
	}
}
