package show

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// A Counterexample is a case as a user would meet it: what the implementation was asked.
type Counterexample struct {
	CSV     string // the payload; empty for a case without one
	Command string // what shows the right answer, the payload in payload.csv
}

// A Witness remembers what an implementation is asked during a case: laws change what their case
// holds before they ask.
type Witness struct {
	last  func() Counterexample // nil before the first question
	wrong func() Counterexample // the first question whose answer was not ours
}

// Asked remembers a question, and what shows it: a zero Counterexample where nothing can.
func (w *Witness) Asked(show func() Counterexample) { w.last = show }

// Differs remembers that the last answer is not ours.
func (w *Witness) Differs() {
	if w.wrong == nil {
		w.wrong = w.last
	}
}

// Broke remembers that the last question has no answer, which says more than a wrong one before it.
func (w *Witness) Broke() { w.wrong = w.last }

// Show is the question that tells most, or the command of a token.
func (w *Witness) Show(token string) Counterexample {
	tells := w.last
	if w.wrong != nil {
		tells = w.wrong
	}
	if tells != nil {
		if shown := tells(); shown != (Counterexample{}) {
			return shown
		}
	}
	return Token(token)
}

// repro is how a command that replays a token begins.
const repro = "chargecast-conform repro "

// Token is the counterexample of a case that only its token shows.
func Token(token string) Counterexample { return Counterexample{Command: repro + token} }

// Payload is a question about a payload.
func Payload(csv []byte) Counterexample {
	return Counterexample{string(csv), "chargecast validate payload.csv"}
}

// Show is a question about a profile: a forecast, or with lines of a script a simulation.
func (j *Question) Show(until calendar.Date, script *[]json.RawMessage) Counterexample {
	var files, line strings.Builder
	line.WriteString("chargecast forecast")
	if script != nil {
		line.Reset()
		line.WriteString("chargecast simulate")
	}
	line.WriteString(" --as-of " + j.AsOf.String() + " --until " + until.String())
	for i, key := range slices.Sorted(maps.Keys(j.Readings)) {
		line.WriteString([...]string{" --policy ", ","}[min(i, 1)] + key + "=" + j.Readings[key])
	}
	if j.State.Status != 0 {
		state, _ := engine.AppendStateLine(nil, j.Profile.ID, j.State)
		writeFile(&files, "state.jsonl", string(state))
		line.WriteString(" --state state.jsonl")
	}
	if script != nil && len(*script) > 0 {
		var all []string
		for _, l := range *script {
			all = append(all, string(l))
		}
		writeFile(&files, "script.jsonl", strings.Join(all, "\n"))
		line.WriteString(" --script script.jsonl")
	}
	return Counterexample{string(j.csv), files.String() + line.String() + " payload.csv"}
}

// writeFile writes the command of a shell that writes a file.
func writeFile(b *strings.Builder, name, content string) {
	b.WriteString("cat > " + name + " <<'EOF'\n" + content + "\nEOF\n")
}

// Watch is an implementation whose questions a witness remembers.
func Watch(i laws.Impl, w *Witness) laws.Impl {
	if forecast := i.Forecast; forecast != nil {
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			of, ok := NewQuestion(j, nil)
			f, err := forecast(j)
			if !ok || err != nil {
				return f, err
			}
			w.Asked(func() Counterexample { return of.Show(j.AsOf, nil) })
			return w.watch(f, of), nil
		}
	}
	if simulate := i.Simulate; simulate != nil {
		i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			of, ok := NewQuestion(gen.Job{Profile: s.Stored.Profile, State: s.Stored.State, AsOf: s.AsOf, Policy: p}, nil)
			if script, readable := ScriptOf(s.Script); ok && readable {
				w.Asked(func() Counterexample { return of.Show(s.Until, &script) })
			}
			return simulate(p, s, yield)
		}
	}
	return watchSigning(i, w)
}

// watchSigning watches what is asked about signatures.
func watchSigning(i laws.Impl, w *Witness) laws.Impl {
	if base := i.BaseString; base != nil {
		i.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
			answered := w.AskedBase(r, oauth)
			got, err := base(r, oauth)
			answered(got, err)
			return got, err
		}
	}
	if sign := i.Sign; sign != nil {
		i.Sign = func(r gen.SignRequest, c gen.SignChoices, key laws.SignKey) (string, error) {
			answered := w.AskedSign(r, c, key)
			got, err := sign(r, c, key)
			answered(got, err)
			return got, err
		}
	}
	if verify := i.Verify; verify != nil {
		i.Verify = func(r gen.SignRequest, key laws.SignKey, o laws.SignOptions) laws.SignVerdict {
			w.AskedOther()
			return verify(r, key, o)
		}
	}
	return i
}
