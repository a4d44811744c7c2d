package conform

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
)

// simulate is a profile's life by the program: its charges and events, and where it ends. Of stops, records have the last alone.
func (p *Program) simulate(pol engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
	of, ok := laws.NewQuestion(gen.JobOf(pol, s))
	script, readable := laws.ScriptOf(s.Steps, s.Outcomes)
	if !ok || !readable || mixesDraws(s) || s.Until.Before(s.AsOf) || s.Until.Sub(s.AsOf) > farthest {
		return s.Stored, laws.ErrNotSupported
	}
	r := forecastRequest{Columns: of.Columns, AsOf: s.AsOf.String(), Until: s.Until.String(), Policy: of.Readings, State: of.StateText, Script: &script}
	got, refusal := p.life(&r)
	got.nameResumes(s.Steps)
	if s.Stored.Profile.Amounts.Kind() == amount.KindRange && refusal == "" {
		again, _ := p.life(&r)
		again.nameResumes(s.Steps)
		if !reflect.DeepEqual(got, again) {
			p.broken("the same simulation gave two answers")
		}
	}
	ours, err := ourLife(pol, s)
	if refusal != "" {
		if err != nil {
			return s.Stored, err
		}
		of.Unspecified("refused", "a simulation", func(q engine.Policy) bool {
			_, err := ourLife(q, s)
			return err != nil
		})
		return s.Stored, errors.Join(errRefused, errors.New("code "+laws.Cut(refusal, 100)))
	}
	if err != nil || !got.like(ours) {
		of.Unspecified(got.String(), recorded{ours.effects, laws.End{Status: ours.stored.State.Status, Repeat: ours.stored.State.Repeat, Stop: plain.StopOf(ours.stored.State.Stop)}, true}.String(), func(q engine.Policy) bool {
			other, err := ourLife(q, s)
			return err == nil && got.like(other)
		})
	}
	for _, e := range got.effects {
		if !yield(e) {
			break
		}
	}
	end := s.Stored
	end.State = engine.State{Status: got.end.Status, Repeat: got.end.Repeat, Stop: engine.Stop{Date: got.end.Stop.Date}}
	for _, one := range [...]engine.Reasons{engine.ReasonMaxRepeats, engine.ReasonFinishDate, engine.ReasonAPI} {
		if slices.Contains(got.end.Stop.Reasons, one.String()) {
			end.State.Stop.Reasons |= one
		}
	}
	return end, nil
}

// A life is what happened, and where the profile was at the end.
type life struct {
	effects []engine.Effect
	stored  engine.Stored
}

// ourLife is the life under a policy, whichever one the state was made under.
func ourLife(p engine.Policy, s engine.Simulation) (l life, err error) {
	s.Stored = s.Stored.Under(p)
	l.stored, err = engine.New(p).Simulate(s, func(e engine.Effect) bool {
		l.effects = append(l.effects, e)
		return true
	})
	return l, err
}

// A recorded life is what the records of a program say.
type recorded struct {
	effects []engine.Effect
	end     laws.End
	ended   bool // the records have an end
}

// String is the life in words: what happens first, and the end.
func (t recorded) String() string {
	var words []string
	for _, e := range t.effects[:min(len(t.effects), 3)] {
		words = append(words, plain.EffectText(e))
	}
	return strings.Join(append(words, "…", t.end.String()), "; ")
}

// life asks for a simulation.
func (p *Program) life(r *forecastRequest) (t recorded, refusal string) {
	var got simulateReply
	if refusal := p.must("simulate", r, &got); refusal != "" {
		return t, refusal
	}
	if got.Records == nil {
		p.mistaken("the reply lacks records")
	}
	for _, rec := range *got.Records {
		var err error
		switch rec.Type {
		case "charge":
			err = t.addCharge(rec)
		case "event":
			err = t.addEvent(rec)
		case "end":
			t.ended = true
			t.end, err = rec.end()
		}
		if err != nil {
			p.mistaken(err.Error())
		}
	}
	if !t.ended {
		p.mistaken("the records have no end")
	}
	return t, ""
}

func (t *recorded) addCharge(r recordReply) error {
	c, err := r.charge()
	if err != nil {
		return err
	}
	if err := c.Outcome.UnmarshalText([]byte(r.Outcome)); err != nil || r.Kind != "automatic" && r.Kind != "manual" {
		return errors.New("a charge lacks its kind, automatic or manual, or its outcome, approved or declined")
	}
	c.Manual = r.Kind == "manual"
	t.effects = append(t.effects, engine.Effect{Kind: engine.EffectCharge, Date: c.Date, Charge: c})
	return nil
}

func (t *recorded) addEvent(r recordReply) error {
	e := engine.Effect{Kind: engine.EffectEvent}
	var err error
	e.Date, err = calendar.Parse(r.Date)
	if err != nil || eventOf(r.Do, &e.Event) != nil || e.Result.UnmarshalText([]byte(r.Result)) != nil {
		return errors.New("an event lacks its date, do or result")
	}
	t.effects = append(t.effects, e)
	return nil
}

// eventOf reads the word of an event. No record says where a resume comes from: see nameResumes.
func eventOf(word string, e *engine.EventKind) error {
	for k := engine.EventStop; k <= engine.EventNoRun; k++ {
		if k.String() == word {
			*e = k
			return nil
		}
	}
	return errors.New("an unknown event")
}

// nameResumes names the resumes through the API, as the steps of the script have them, in order.
func (t *recorded) nameResumes(steps []engine.Step) {
	steps = slices.Clone(steps)
	slices.SortStableFunc(steps, func(a, b engine.Step) int {
		after := func(s engine.Step) int {
			if s.After {
				return 1
			}
			return 0
		}
		return cmp.Or(a.Date.Compare(b.Date), after(a)-after(b))
	})
	for i := range t.effects {
		e := &t.effects[i]
		if e.Kind != engine.EffectEvent || len(steps) == 0 {
			continue
		}
		if e.Event == engine.EventResume && steps[0].Kind == engine.EventResumeByAPI {
			e.Event = engine.EventResumeByAPI
		}
		steps = steps[1:]
	}
}

// like reports whether the records are those of a life, random amounts by their bounds.
func (t recorded) like(l life) bool {
	same := func(a, b engine.Effect) bool { return sameEffect(a, b, l.stored.Profile.Amounts) }
	if !slices.EqualFunc(t.effects, withoutStops(l.effects), same) {
		return false
	}
	s := l.stored.State
	return t.end.Status == s.Status && t.end.Repeat == s.Repeat && sameStop(t.end.Stop, plain.StopOf(s.Stop))
}

func sameEffect(a, b engine.Effect, s amount.Choice) bool {
	if a.Kind != b.Kind || a.Date != b.Date {
		return false
	}
	if a.Kind == engine.EffectEvent {
		return a.Event == b.Event && a.Result == b.Result
	}
	return sameAttempt(a.Charge, b.Charge, s)
}

// sameAttempt compares two attempts, drawn amounts by the bounds that both must keep.
func sameAttempt(a, b engine.Charge, s amount.Choice) bool {
	if a.Repeat != b.Repeat || a.Manual != b.Manual || a.Outcome != b.Outcome || !a.Manual && a.Slot != b.Slot {
		return false
	}
	if s.Kind() == amount.KindRange {
		low, high := s.Bounds(0)
		return low.Compare(a.Min) <= 0 && a.Min == a.Max && a.Max.Compare(high) <= 0
	}
	return a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0
}

// mixesDraws reports whether a script may change what random amounts are drawn from: the bounds of a
// charge are not known then.
func mixesDraws(s engine.Simulation) bool {
	random := s.Stored.Profile.Amounts.Kind() == amount.KindRange
	return slices.ContainsFunc(s.Steps, func(step engine.Step) bool {
		u := step.Update
		return u.AmountFrom.Given || u.AmountTo.Given || random && (u.Amount.Given || u.Sequence.Given)
	})
}

func withoutStops(list []engine.Effect) []engine.Effect {
	return slices.DeleteFunc(slices.Clone(list), func(e engine.Effect) bool { return e.Kind == engine.EffectStop })
}
