package fuzz

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A lifeModel is what the oracle makes of the events so far. It is never changed: each
// event makes a new one.
type lifeModel struct {
	plan   PlanCase
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
	for _, e := range effects {
		h.effects += effectText(e) + "\n"
	}
	return h
}

// apply lets one event happen in an implementation.
func (m lifeModel) apply(e engine.Event, impl Impl) lifeModel {
	effects, after, err := impl.Apply(m.stored, e, m.plan.Policy)
	if err == nil {
		m.stored = after
	}
	m.last = happeningOf(effects, m.stored, err)
	return m
}

// nextEvent is an event on the day of the last one or up to a month later; half of them
// are runs.
func (m lifeModel) nextEvent(r chooser) engine.Event {
	e := engine.Event{Do: engine.DoRun}
	if !r.chance(50) {
		e = r.event(LogCase{PlanCase: m.plan})
	}
	if m.stored.State.Status == 0 || r.chance(1) {
		e.Do = engine.DoCreate
	}
	last := m.plan.AsOf
	for _, d := range [...]calendar.Date{m.stored.State.Last, m.stored.State.RanThrough} {
		if d.After(last) {
			last = d
		}
	}
	e.Date = moved(last, pick(r, 0, 0, 1, 1, 1, r.in(0, 30)))
	if r.chance(5) {
		e.Outcome = engine.OutcomeDeclined
	}
	return e
}

// A lifeCommand is one event as gopter's commands have it.
type lifeCommand struct{ event engine.Event }

func (c lifeCommand) String() string                   { return fmt.Sprintf("%+v", c.event) }
func (c lifeCommand) PreCondition(commands.State) bool { return true }
func (c lifeCommand) NextState(s commands.State) commands.State {
	return s.(lifeModel).apply(c.event, Reference())
}

// Run lets the event happen to our own profile, which is saved and restored before.
func (c lifeCommand) Run(sut commands.SystemUnderTest) commands.Result {
	ours := sut.(*lifeModel)
	if ours.stored.State.Status != 0 {
		line, err := engine.AppendStateLine(nil, "order-1", ours.stored.State)
		if err != nil {
			return happening{effects: err.Error()}
		}
		if _, ours.stored.State, err = engine.ParseStateLine(line); err != nil {
			return happening{effects: err.Error()}
		}
	}
	*ours = ours.apply(c.event, Ours())
	return ours.last
}

func (c lifeCommand) PostCondition(s commands.State, r commands.Result) *gopter.PropResult {
	if want := s.(lifeModel).last; r != want {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{fmt.Sprintf("%+v, want %+v", r, want)}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

// TestLifeByCommands drives our state machine and the oracle through the same 20,000
// sequences of events, each event chosen in view of what came before, with a restart
// between any two.
func TestLifeByCommands(t *testing.T) {
	t.Parallel()
	var met [engine.DoResume + 1][2]int
	model := &commands.ProtoCommands{
		InitialStateGen: func(p *gopter.GenParameters) *gopter.GenResult {
			plan := chooser{p.Rng}.planCase()
			plan.State = engine.State{}
			return gopter.NewGenResult(lifeModel{plan: plan, stored: engine.Stored{Profile: plan.Profile}}, gopter.NoShrinker)
		},
		NewSystemUnderTestFunc: func(s commands.State) commands.SystemUnderTest {
			ours := s.(lifeModel)
			return &ours
		},
		GenCommandFunc: func(s commands.State) gopter.Gen {
			return func(p *gopter.GenParameters) *gopter.GenResult {
				m := s.(lifeModel)
				e := m.nextEvent(chooser{p.Rng})
				met[e.Do][min(int(m.stored.State.Status), 1)]++
				return &gopter.GenResult{Result: lifeCommand{e}, ResultType: reflect.TypeFor[commands.Command](), Shrinker: gopter.NoShrinker}
			}
		},
	}
	o := gopter.DefaultTestParametersWithSeed(1)
	o.MinSuccessfulTests, o.MaxSize = 20_000, 6
	properties := gopter.NewProperties(o)
	properties.Property("our life = the oracle's life (E01, E04, E07)", commands.Prop(model))
	properties.TestingRun(t)
	if slices.Contains(met[engine.DoCreate:], [2]int{}) {
		t.Errorf("some event was never tried: %v", met)
	}
}
