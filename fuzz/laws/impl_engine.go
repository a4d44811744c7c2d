package laws

import (
	"iter"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/ledger"
)

// A Stop is the day of a stop and its reasons, in the order in which they are reported. The
// zero Stop is none, or one that is not known.
type Stop struct {
	Date    calendar.Date
	Reasons []string
	Because ledger.Because
}

// An End is where a profile stands after the run of a day.
type End struct {
	Status  engine.Status
	Repeat  uint64
	Stop    Stop
	LastDay bool // the series was cut by the end of the calendar (L32)
	Because ledger.Because
}

// A Forecast answers what will be charged when: a set of optional functions. A case that asks for one
// that is nil is not covered, so that the zero Forecast covers nothing.
type Forecast struct {
	// Charges are the charges dated within a window, by date. A zero Slot is the date.
	Charges func(w calendar.Window) iter.Seq[engine.Charge]
	// Next are the first n charges, fewer where there are no more; none for n below 1.
	Next func(n int) iter.Seq[engine.Charge]
	// Count and Total are how many charges a window has, and what they come to.
	Count func(w calendar.Window) int
	Total func(w calendar.Window) Total
	// Stop is the stop that the profile comes to, the zero Stop for none.
	Stop func() Stop
	// End and State are where the profile is after the run of a day, and what is saved of it then.
	End   func(d calendar.Date) End
	State func(d calendar.Date) engine.State
	// Explain tells why a day has a charge or none.
	Explain func(d calendar.Date) engine.Explanation
}

// An EngineImpl is the engine of an implementation.
type EngineImpl struct {
	// Forecast is a profile's forecast, or an error where the profile, the state or
	// the policy forbids it.
	Forecast func(gen.Job) (Forecast, error)
	// Simulate yields the effects of a profile's life in order, and gives where it
	// stands at the end.
	Simulate func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error)
	// Apply lets one event happen.
	Apply func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error)
	// Advance lets the daily runs up to a day take place.
	Advance func(s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error)
	// Check reports whether a stored profile can be used, and End where it is on a day.
	Check func(s engine.Stored, asOf calendar.Date, p engine.Policy) error
	End   func(s engine.Stored, d calendar.Date, p engine.Policy) (engine.End, error)
	// SaveState and LoadState are a state as a line of a file and back.
	SaveState func(profile string, s engine.State) []byte
	LoadState func(line []byte) (profile string, s engine.State, err error)
	// Cites promises that outputs name the clauses that they rest on, in the words of our ledger and
	// policies; laws about these ask nothing else of an implementation.
	Cites bool
}

func ourEngine() EngineImpl {
	return EngineImpl{
		Cites:    true,
		Forecast: ourForecast,
		Simulate: func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			return engine.New(p).Simulate(s, yield)
		},
		Apply: func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			return engine.New(p).Apply(nil, s, e)
		},
		Advance: func(s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			return engine.New(p).Advance(nil, s, through)
		},
		Check: func(s engine.Stored, asOf calendar.Date, p engine.Policy) error { return engine.New(p).Check(s, asOf) },
		End: func(s engine.Stored, d calendar.Date, p engine.Policy) (engine.End, error) {
			return engine.New(p).End(s, d)
		},
		SaveState: func(profile string, s engine.State) []byte {
			line, _ := engine.AppendStateLine(nil, profile, s)
			return line
		},
		LoadState: engine.ParseStateLine,
	}
}

// ourForecast is a plan of the library in the words of the kit.
func ourForecast(j gen.Job) (Forecast, error) {
	plan, err := engine.New(j.Policy).Compile(engine.Stored{Profile: j.Profile, State: j.State}, j.AsOf)
	if err != nil {
		return Forecast{}, err
	}
	return Forecast{
		Charges: plan.Charges,
		Next:    plan.Next,
		Count:   plan.Count,
		Total:   func(w calendar.Window) Total { return TotalFrom(plan.Total(w)) },
		Stop:    func() Stop { return StopFrom(plan.Stop()) },
		End: func(d calendar.Date) End {
			e := plan.End(d)
			return End{e.Status, e.Repeat, StopFrom(e.Stop), e.LastDay, e.Because}
		},
		State:   plan.State,
		Explain: plan.Explain,
	}, nil
}

// StopFrom is a stop of the library in the words of the kit.
func StopFrom(s engine.Stop) Stop {
	if s.IsZero() {
		return Stop{}
	}
	return Stop{s.Date, slices.Collect(s.Reasons.All()), s.Because}
}

// A CompareImpl tells what other readings of the document would change.
type CompareImpl struct {
	// CompareReadings gives every other value of a policy key that changes a forecast up to a
	// day, with the first day of the change and the totals of both.
	CompareReadings func(j gen.Job, until calendar.Date) ([]engine.Sensitivity, error)
}

func ourCompare() CompareImpl {
	return CompareImpl{CompareReadings: func(j gen.Job, until calendar.Date) ([]engine.Sensitivity, error) {
		list, _, err := engine.New(j.Policy).Sensitivities(nil, engine.Stored{Profile: j.Profile, State: j.State}, j.AsOf, calendar.Through(j.AsOf, until))
		return list, err
	}}
}

// EffectText is a plain effect in words.
func EffectText(e engine.Effect) string {
	var text []byte
	switch c := e.Charge; e.Kind {
	case engine.ChargeAttempted:
		if text = append(text, "a charge with repeat "...); c.Manual {
			text = append(text[:0], "a manual charge with repeat "...)
		}
		text = append(strconv.AppendUint(text, c.Repeat, 10), " of "...)
		if text = c.Min.Reduce().Append(text); c.Min.Compare(c.Max) != 0 {
			text = c.Max.Reduce().Append(append(text, " to "...))
		}
		if c.Slot != e.Date && !c.Slot.IsZero() {
			text = c.Slot.Append(append(text, " for "...))
		}
		text = append(append(text, ", "...), c.Outcome.String()...)
	case engine.ProfileStopped:
		text = append(text, "a stop"...)
		if e.Stop.Date != e.Date {
			text = append(append(text, " dated "...), e.Stop.Date.String()...)
		}
		join := " by "
		for why := range e.Stop.Reasons.All() {
			text = append(append(text, join...), why...)
			join = " and "
		}
	case engine.EventHandled:
		text = append(append(append(text, e.Event.String()...), ' '), e.Result.String()...)
	default:
		return "none"
	}
	return string(append(append(text, " on "...), e.Date.String()...))
}

// SameState compares two states but for the order in which they say why.
func SameState(a, b engine.State) bool {
	return a.Status == b.Status && a.Repeat == b.Repeat && a.Anchor == b.Anchor && a.RanThrough == b.RanThrough && a.Last == b.Last &&
		slices.Equal(a.Paid, b.Paid) && slices.Equal(a.Missed, b.Missed) && a.Stop == b.Stop && a.Because == b.Because
}
