package engine_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// choiceSeeds are inputs that are read as choices: none, the first ones, the last ones, rising ones.
var choiceSeeds = []string{"", strings.Repeat("\x00", 64), strings.Repeat("\xff", 64), "\x10\x20\x30\x40\x50\x60\x70\x80\x90\xa0\xb0\xc0\xd0\xe0\xf0\x00\x08\x18\x28"}

func bare(c engine.Charge) engine.Charge {
	return engine.Charge{Repeat: c.Repeat, Slot: c.Slot, Date: c.Date, Min: c.Min.Reduce(), Max: c.Max.Reduce(), Manual: c.Manual}
}

// FuzzForecast_Charges_Walk: the charges of any profile are those of the oracle, which walks day by day.
func FuzzForecast_Charges_Walk(f *testing.F) {
	for _, s := range choiceSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := gen.Plans(gen.Chooser{Stream: gen.FromBytes(data)})
		plan, err := engine.New(p.Policy).Compile(p.Stored(), p.AsOf)
		if err != nil {
			t.Fatalf("refused: %v\n%v", err, p)
		}
		m := gen.MachineOf(p.Job, oracle.Right())
		m.UntilStopped(gen.DayNumber(p.Day(p.C)))
		var got, want []engine.Charge
		for c := range plan.Charges(p.Window(0, p.C+1)) {
			got = append(got, bare(c))
		}
		for _, c := range gen.ChargesFromOracle(m.Records) {
			want = append(want, bare(c))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v\n%v", got, want, p)
		}
	})
}

// FuzzSimulate_Effects_Walk: what happens in any life, and when, is what happens in the oracle's.
func FuzzSimulate_Effects_Walk(f *testing.F) {
	for _, s := range choiceSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := gen.Logs(gen.Chooser{Stream: gen.FromBytes(data)})
		script := l.Script()
		sim := engine.Simulation{Stored: l.Stored(), AsOf: l.AsOf, Until: l.Until(), Steps: script.Steps, Outcomes: script.Outcomes, Seed: 1}
		type effect struct {
			kind  engine.EffectKind
			date  calendar.Date
			other any
		}
		plain := func(e engine.Effect) effect {
			switch e.Kind {
			case engine.EffectCharge:
				return effect{e.Kind, e.Date, [...]any{e.Charge.Repeat, e.Charge.Slot, e.Charge.Manual, e.Charge.Outcome}}
			case engine.EffectStop:
				return effect{e.Kind, e.Date, [...]any{e.Stop.Date, e.Stop.Reasons}}
			}
			return effect{e.Kind, e.Date, [...]any{e.Event, e.Result}}
		}
		var got, want []effect
		_, err := engine.New(l.Policy).Simulate(sim, func(e engine.Effect) bool {
			got = append(got, plain(e))
			return true
		})
		if err != nil {
			t.Fatalf("refused: %v\n%v", err, l)
		}
		for _, r := range gen.Lived(l.Policy, sim, oracle.Right()).Records {
			want = append(want, plain(gen.EffectFromOracle(r)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v\n%v", got, want, l)
		}
	})
}

// FuzzPolicy_Parse_String: a policy is written and read again to the same; one that is refused leaves none.
func FuzzPolicy_Parse_String(f *testing.F) {
	for _, s := range []string{"", ",", "month-end", "month-end=", "=clamp", "month-end=drift", "month-end=clamp,month-end=skip"} {
		f.Add(s)
	}
	for c := range engine.Keys() {
		for _, value := range c.Entry().Values() {
			f.Add(c.Entry().Key + "=" + value)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := engine.ParsePolicy(text)
		if err != nil {
			if p != (engine.Policy{}) {
				t.Errorf("%q is refused and leaves %v", text, p)
			}
			return
		}
		if again, err := engine.ParsePolicy(p.String()); err != nil || again != p {
			t.Errorf("%q is %v, then %v, %v", text, p, again, err)
		}
	})
}

// FuzzStateLine_Parse_Append: a state line that is read is JSON, and is written and read again to the same.
func FuzzStateLine_Parse_Append(f *testing.F) {
	for _, s := range []string{
		`{"profile":"order-1"}`, `{"profile":"order-1","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}`,
		`{"schema":"chargecast.state/1","profile":"é","status":"stopped","missed":[{"from":"2026-01-01","through":"2026-01-05"}],"stop":{"date":"2026-01-05","reasons":["max-repeats","finish-date"],"because":["2.2.8"]},"last":"2026-01-05","because":["L16"]}`,
		`{"profile":"a","repat":1}`, `{"profile":"a","profile":"b"}`, `{"profile":"a"}{}`, `null`, `[]`, `{"profile":"\ud800"}`, `{"profile":"a","repeat":-1}`, `{"profile":"a","repeat":1.0}`,
		`{"profile":"a","repeat":9223372036854775808}`, `{"profile":"a","paid":["2026-02-30"]}`, `{"profile":"a","missed":[{"from":"2026-01-05","through":"2026-01-01"}]}`, `{"Profile":"a"}`, `{"profile":"a",}`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		id, s, err := engine.ParseStateLine(data)
		if err != nil {
			return
		}
		first, err := engine.AppendStateLine(nil, id, s)
		again, back, parsed := engine.ParseStateLine(first)
		second, _ := engine.AppendStateLine(nil, again, back)
		if !json.Valid(data) || err != nil || parsed != nil || again != id || !back.Equal(s) || !bytes.Equal(first, second) {
			t.Errorf("%q is written %q, then %q: %v, %v", data, first, second, err, parsed)
		}
	})
}
