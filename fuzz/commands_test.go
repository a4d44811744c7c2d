package fuzz_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// A lifeModel is what the oracle makes of the events so far. It is never changed: each
// event makes a new one.
type lifeModel struct {
	plan   gen.PlanCase
	stored engine.Stored
	last   happening
}

// A happening is what became of one event: its effects, and where the profile stands.
type happening struct {
	effects string
	refused bool
	status  engine.Status
	repeat  uint64
	anchor  calendar.Date
	stop    calendar.Date
}

func happeningOf(effects []engine.Effect, after engine.Stored, err error) happening {
	h := happening{
		refused: err != nil,
		status:  after.State.Status, repeat: after.State.Repeat, anchor: after.State.Anchor, stop: after.State.Stop.Date,
	}
	var b strings.Builder
	for _, e := range effects {
		writeEffect(&b, e)
	}
	h.effects = b.String()
	return h
}

// writeEffect writes what the oracle knows of an effect: all but what it rests on.
func writeEffect(b *strings.Builder, e engine.Effect) {
	b.WriteString(e.Date.String())
	switch e.Kind {
	case engine.ChargeAttempted:
		c := e.Charge
		for _, a := range [...]amount.Amount{c.Min, c.Max} {
			b.WriteString(" " + a.Reduce().String())
		}
		fmt.Fprintf(b, " slot=%v repeat=%d manual=%t %v", c.Slot, c.Repeat, c.Manual, c.Outcome)
	case engine.ProfileStopped:
		b.WriteString(" stopped " + e.Stop.Date.String())
		for why := range e.Stop.Reasons.All() {
			b.WriteString(" " + why)
		}
	case engine.EventHandled:
		b.WriteString(" " + e.Event.String() + " " + e.Result.String())
	}
	b.WriteByte('\n')
}

// apply lets one event happen in an implementation.
func (m lifeModel) apply(e engine.Event, impl subject.EngineImpl) lifeModel {
	effects, after, err := impl.Apply(m.stored, e, m.plan.Policy)
	if err == nil {
		m.stored = after
	}
	m.last = happeningOf(effects, m.stored, err)
	return m
}

// nextEvent is an event on the day of the last one or up to a month later; half of them
// are runs.
func (m lifeModel) nextEvent(r *rand.Rand, events gopter.Gen) engine.Event {
	e := engine.Event{Do: engine.DoRun}
	if r.Intn(2) == 0 {
		e = drawn[engine.Event](events, r)
	}
	if m.stored.State.Status == 0 || r.Intn(100) == 0 {
		e.Do = engine.DoCreate
	}
	e.Date = m.plan.AsOf
	for _, d := range [...]calendar.Date{m.stored.State.Last, m.stored.State.RanThrough} {
		if d.After(e.Date) {
			e.Date = d
		}
	}
	ahead := [...]int{0, 0, 1, 1, 1, r.Intn(31)}
	if d := e.Date.AddDays(ahead[r.Intn(len(ahead))]); d.IsDay() {
		e.Date = d
	}
	if r.Intn(20) == 0 {
		e.Outcome = engine.OutcomeDeclined
	}
	return e
}

// drawn is a value of a generator.
func drawn[V any](gen gopter.Gen, r *rand.Rand) V {
	return gen(&gopter.GenParameters{MaxSize: 100, Rng: r}).Result.(V)
}

// restarted is the profile saved and restored.
func (m lifeModel) restarted() (lifeModel, error) {
	if m.stored.State.Status == 0 {
		return m, nil
	}
	line, err := engine.AppendStateLine(nil, "order-1", m.stored.State)
	if err != nil {
		return m, err
	}
	_, m.stored.State, err = engine.ParseStateLine(line)
	return m, err
}

// TestLifeByCommands drives our state machine and the oracle through the same 20,000
// sequences of events, each event chosen in view of what came before, with a restart
// between any two (E01, E04, E07).
func TestLifeByCommands(t *testing.T) {
	t.Parallel()
	ours, reference := fuzz.Ours().EngineImpl, subject.Reference().EngineImpl
	plans := gen.FreshPlans()
	var met [engine.DoResume + 1][2]int
	for i := range uint64(20_000) {
		r := gen.RandOf(gen.NewSource("life by commands", *baseSeed, i))
		plan := drawn[gen.PlanCase](plans, r)
		right := lifeModel{plan: plan, stored: engine.Stored{Profile: plan.Profile}}
		stands, events := right, gen.Events(plan)
		var log []engine.Event
		for range 1 + r.Intn(6) {
			e := right.nextEvent(r, events)
			log = append(log, e)
			met[e.Do][min(int(right.stored.State.Status), 1)]++
			var err error
			if stands, err = stands.restarted(); err != nil {
				t.Errorf("sequence %d: %v\n%v\nafter %+v", i, err, plan, log)
				break
			}
			right, stands = right.apply(e, reference), stands.apply(e, ours)
			if stands.last != right.last {
				t.Errorf("sequence %d: %+v, want %+v\n%v\nafter %+v", i, stands.last, right.last, plan, log)
				break
			}
		}
		if t.Failed() {
			return
		}
	}
	if slices.Contains(met[engine.DoCreate:], [2]int{}) {
		t.Errorf("some event was never tried: %v", met)
	}
}
