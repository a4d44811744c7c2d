package laws

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
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
	return TokenShown(token)
}

// repro is how a command that replays a token begins.
const repro = "chargecast-conform repro "

// TokenShown is the counterexample of a case that only its token shows.
func TokenShown(token string) Counterexample { return Counterexample{Command: repro + token} }

// PayloadShown is a question about a payload.
func PayloadShown(csv []byte) Counterexample {
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
func Watch(i Impl, w *Witness) Impl {
	if forecast := i.Forecast; forecast != nil {
		i.Forecast = func(j gen.Job) (Forecast, error) {
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
func watchSigning(i Impl, w *Witness) Impl {
	if base := i.BaseString; base != nil {
		i.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
			answered := w.AskedBase(r, oauth)
			got, err := base(r, oauth)
			answered(got, err)
			return got, err
		}
	}
	if sign := i.Sign; sign != nil {
		i.Sign = func(r gen.SignRequest, c gen.SignChoices, key SignKey) (string, error) {
			answered := w.AskedSign(r, c, key)
			got, err := sign(r, c, key)
			answered(got, err)
			return got, err
		}
	}
	if verify := i.Verify; verify != nil {
		i.Verify = func(r gen.SignRequest, key SignKey, o SignOptions) SignVerdict {
			w.AskedOther()
			return verify(r, key, o)
		}
	}
	return i
}

// watch is a forecast whose windows and days the witness remembers. It lacks what the forecast lacks.
func (w *Witness) watch(f Forecast, of *Question) Forecast {
	note := func(until calendar.Date) {
		if until.IsDay() && !until.Before(of.AsOf) {
			w.Asked(func() Counterexample { return of.Show(until, nil) })
		}
	}
	watched := f
	if f.Charges != nil {
		watched.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
			note(w.To.AddDays(-1))
			return f.Charges(w)
		}
	}
	if f.End != nil {
		watched.End = func(d calendar.Date) End {
			note(d)
			return f.End(d)
		}
	}
	if f.Explain != nil {
		watched.Explain = func(d calendar.Date) engine.Explanation {
			note(d)
			return f.Explain(d)
		}
	}
	return watched
}

// Marshal writes a request as one line, with < and > as they are.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Cut shortens a text that another program chose.
func Cut(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// AppendText appends the payload and the command; nothing for a case that only its token shows.
func (c Counterexample) AppendText(dst []byte) []byte {
	if c.CSV == "" && (c.Command == "" || strings.HasPrefix(c.Command, repro)) {
		return dst
	}
	if c.CSV != "" {
		dst = append(dst, "  payload.csv:\n"...)
		dst = AppendIndented(dst, "    ", c.CSV)
	}
	dst = append(dst, "  the right answer:\n"...)
	return AppendIndented(dst, "    ", c.Command)
}

// AppendIndented appends the lines of a text, each behind an indent, without control characters.
func AppendIndented(dst []byte, indent, text string) []byte {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		dst = append(append(append(dst, indent...), Visible(line)...), '\n')
	}
	return dst
}

// Visible is a text with control characters written as escapes, so that no terminal obeys them.
func Visible(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), `\\`, `\`)
}
