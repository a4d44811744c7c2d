package engine_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
)

const seedOfLives, casesOfLives = 1, 2000

// A lifeModel is what the oracle makes of the events so far. It is never changed: each
// event makes a new one.
type lifeModel struct {
	plan   gen.PlanCase
	stored engine.Stored
	last   happening
}

// A happening is what became of one event: its effects, and where the profile is.
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
	case engine.EffectCharge:
		c := e.Charge
		for _, a := range [...]amount.Amount{c.Min, c.Max} {
			b.WriteString(" " + a.Reduce().String())
		}
		fmt.Fprintf(b, " slot=%v repeat=%d manual=%t %v", c.Slot, c.Repeat, c.Manual, c.Outcome)
	case engine.EffectStop:
		b.WriteString(" stopped " + e.Stop.Date.String())
		for why := range e.Stop.Reasons.All() {
			b.WriteString(" " + why)
		}
	case engine.EffectEvent:
		b.WriteString(" " + e.Event.String() + " " + e.Result.String())
	}
	b.WriteByte('\n')
}

// A lifeEngine is an engine that lives event by event: our own, or the oracle.
type lifeEngine struct {
	Create  func(engine.Profile, calendar.Date, engine.Policy) (engine.Stored, error)
	Advance func(engine.Stored, calendar.Date, engine.Policy) (engine.Stored, []engine.Effect, error)
	Handle  func(engine.Stored, engine.Event, engine.Policy) (engine.Stored, []engine.Effect, error)
}

func ourLife() lifeEngine {
	var t *prop
	return lifeEngine{t.Create, t.Advance, t.Handle}
}

func referenceLife() lifeEngine { return lifeEngine{createByWalk, advanceByWalk, handleByWalk} }

// creation is the event that creates the profile, in place of a kind.
const creation engine.EventKind = 0

// apply lets one event happen in an implementation: the creation, the daily runs up to a day, or what a program handles.
func (m lifeModel) apply(e engine.Event, impl lifeEngine) lifeModel {
	var (
		after   engine.Stored
		effects []engine.Effect
		err     error
	)
	switch e.Kind {
	case creation:
		after, err = impl.Create(m.stored.Profile, e.Date, m.plan.Policy)
	case engine.EventRun:
		after, effects, err = impl.Advance(m.stored, e.Date, m.plan.Policy)
	default:
		after, effects, err = impl.Handle(m.stored, e, m.plan.Policy)
	}
	m.stored = after
	m.last = happeningOf(effects, m.stored, err)
	return m
}

// nextEvent is an event on the day of the last one or up to a month later; half of them
// are runs, and most profiles are created first.
func (m lifeModel) nextEvent(r gen.Chooser) engine.Event {
	e := engine.Event{Kind: engine.EventRun}
	if r.Chance(50) {
		e = gen.Events(r, m.plan)
	}
	if e.Kind > engine.EventCharge {
		e.Kind = engine.EventRun
	}
	if m.stored.State.Status == 0 && r.Chance(80) {
		e.Kind = creation
	}
	e.Date = m.plan.AsOf
	for _, d := range [...]calendar.Date{m.stored.State.Last, m.stored.State.RanThrough} {
		if d.After(e.Date) {
			e.Date = d
		}
	}
	if d := e.Date.AddDays(gen.Pick(r, 0, 0, 1, 1, 1, r.In(0, 30))); d.IsDay() {
		e.Date = d
	}
	return e
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

// String is the profile.
func (m lifeModel) String() string { return m.plan.String() }

// A lifeCommand lets an event happen: in our state machine, which is saved and restored before, and in the oracle.
type lifeCommand struct {
	engine.Event
	ours, reference lifeEngine
}

func (c lifeCommand) Run(of commands.SystemUnderTest) commands.Result {
	ours := of.(*lifeModel)
	restored, err := ours.restarted()
	if err != nil {
		return err
	}
	*ours = restored.apply(c.Event, c.ours)
	return ours.last
}

func (c lifeCommand) NextState(s commands.State) commands.State {
	return s.(lifeModel).apply(c.Event, c.reference)
}

func (c lifeCommand) PreCondition(commands.State) bool { return true }

func (c lifeCommand) PostCondition(s commands.State, got commands.Result) *gopter.PropResult {
	if want := s.(lifeModel).last; got != commands.Result(want) {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{fmt.Sprintf("%+v, want %+v", got, want)}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

func (c lifeCommand) String() string { return fmt.Sprintf("%+v", c.Event) }

// lifeCommands are lives of profiles that are made on as-of, each event chosen in view of what came before.
func lifeCommands(met *[engine.EventRun + 1][2]int) commands.Commands {
	ours, reference := ourLife(), referenceLife()
	draw := func(p *gopter.GenParameters) gen.Chooser { return gen.ChooserOf(p.Rng.Uint64()) }
	return &commands.ProtoCommands{
		NewSystemUnderTestFunc: func(s commands.State) commands.SystemUnderTest { return new(s.(lifeModel)) },
		InitialStateGen: func(p *gopter.GenParameters) *gopter.GenResult {
			plan := gen.FreshPlans(draw(p))
			return gopter.NewGenResult(lifeModel{plan: plan, stored: engine.Stored{Profile: plan.Profile}}, gopter.NoShrinker)
		},
		GenCommandFunc: func(s commands.State) gopter.Gen {
			return func(p *gopter.GenParameters) *gopter.GenResult {
				m := s.(lifeModel)
				e := m.nextEvent(draw(p))
				met[e.Kind][min(int(m.stored.State.Status), 1)]++
				return gopter.NewGenResult(lifeCommand{e, ours, reference}, gopter.NoShrinker)
			}
		},
	}
}

// TestLifeByCommands drives our state machine and the oracle through the same sequences of events, with a restart
// between any two (E01, E04, E07).
func TestLifeByCommands(t *testing.T) {
	t.Parallel()
	var met [engine.EventRun + 1][2]int
	p := gopter.DefaultTestParametersWithSeed(int64(seedOfLives))
	p.MinSuccessfulTests, p.Workers, p.MaxSize = casesOfLives, 1, 6
	p.Rng = rand.New(gen.NewSource("life by commands", seedOfLives, 0))
	var said strings.Builder
	properties := gopter.NewProperties(p)
	properties.Property("E01 E04 E07", commands.Prop(lifeCommands(&met)))
	if !properties.Run(gopter.NewFormatedReporter(false, 200, &said)) {
		t.Errorf("%s", said.String())
	}
	if slices.Contains(met[:], [2]int{}) {
		t.Errorf("some event was never tried: %v", met)
	}
}

// refusedWith is an error of the reference with a code, as laws ask for it.
func refusedWith(field string, code ledger.Code) error {
	return &engine.Error{Field: field, Code: code}
}

func createByWalk(profile engine.Profile, day calendar.Date, p engine.Policy) (engine.Stored, error) {
	s := engine.Stored{Profile: profile}
	if !day.IsDay() {
		return s, refusedWith("date", engine.ErrEventOrder)
	}
	m := gen.MachineOf(gen.Job{Profile: profile, AsOf: day, Policy: p}, oracle.Right())
	if m == nil {
		return s, errReference
	}
	s.State = gen.StateFromOracle(m.Save())
	s.State.Last = day
	return s.Under(p), nil
}

// machineFrom is a stored profile from which days go on up to one.
func machineFrom(s engine.Stored, d calendar.Date, p engine.Policy) (*oracle.Machine, error) {
	made, known := s.Policy()
	switch {
	case !d.IsDay():
		return nil, refusedWith("date", engine.ErrEventOrder)
	case known && made != p:
		return nil, refusedWith("", engine.ErrPolicyDiffers)
	case s.State.Status == 0:
		return nil, refusedWith("state.status", engine.ErrNotCreated)
	case s.State.RanThrough.IsZero() && !plain.MadeOnFirstDay(s.State):
		return nil, refusedWith("state.ran_through", engine.ErrStateConflict)
	}
	next := gen.Moved(s.State.RanThrough, 1)
	if s.State.Last.After(next) {
		next = s.State.Last // days that an event jumped over have no run
	}
	m := gen.MachineOf(gen.Job{Profile: s.Profile, State: s.State, AsOf: next, Policy: p}, oracle.Right())
	if m == nil {
		return nil, errReference
	}
	return m, nil
}

// effectsOfWalk are what happened, of which no outcome is known.
func effectsOfWalk(records []oracle.Record) []engine.Effect {
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

func advanceByWalk(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
	m, err := machineFrom(s, through, p)
	switch {
	case err != nil:
		return s, nil, err
	case through.Before(s.State.Last):
		return s.Under(p), nil, nil
	}
	m.Through(gen.DayNumber(through))
	return storedFrom(m, s, p), effectsOfWalk(m.Records), nil
}

func handleByWalk(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
	if e.Kind == 0 || e.Kind > engine.EventCharge {
		return s, nil, refusedWith("kind", "event-kind")
	}
	m, err := machineFrom(s, e.Date, p)
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
	effects := effectsOfWalk(m.Records)
	if result == "refused" {
		return s, effects[ran : ran+1], errReference
	}
	return storedFrom(m, s, p), effects, nil
}
