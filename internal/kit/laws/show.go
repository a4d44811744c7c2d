package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A Counterexample is a case as a user would meet it: what the implementation was asked.
type Counterexample struct {
	CSV     string // the payload; empty for a case without one
	Command string // what shows the right answer, the payload in payload.csv
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
		dst = append(append(append(dst, indent...), termtext.Visible(line)...), '\n')
	}
	return dst
}

// A Question is a profile as a program is asked about it.
type Question struct {
	gen.Job

	Columns   map[string]string
	csv       []byte
	Readings  map[string]string
	StateText json.RawMessage
}

// NewQuestion writes a profile as a row. False if no payload can hold it.
func NewQuestion(j gen.Job) (*Question, bool) {
	if j.Profile.ID == "" {
		j.Profile.ID = "order-1"
	}
	cells, ok := cellsOf(j.Profile)
	if year, month, _ := j.Expires.Date(); !j.Expires.IsZero() && j.Profile.Kind == engine.KindSource {
		cells[rules.ColumnExpireYear], cells[rules.ColumnExpireMonth] = fmt.Sprintf("%04d", year), fmt.Sprintf("%02d", int(month))
	}
	if !ok {
		return nil, false
	}
	o := &Question{Job: j, Columns: plain.ByColumn(cells), Readings: policyOf(j.Policy), csv: csvOf(cells)}
	report, err := rules.Validate(bytes.NewReader(o.csv), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV})
	if err != nil || report.Errors > 0 {
		return nil, false
	}
	o.StateText, ok = stateOf(j.State)
	return o, ok
}

// csvOf is a payload of one row, with the columns that have a value.
func csvOf(cells gen.Cells) []byte {
	var names, values []string
	for i, value := range cells {
		if value != "" {
			names, values = append(names, rules.Column(i).String()), append(values, value)
		}
	}
	return rules.AppendRecord(rules.AppendRecord(nil, names...), values...)
}

// cellsOf writes a profile as the cells of a row. False if no payload can hold it.
func cellsOf(p engine.Profile) (cells gen.Cells, ok bool) {
	cells = plain.FaultlessRow(p.Kind.String())
	cells[rules.ColumnAmount] = ""
	for column, value := range plain.ProfileCells(p) {
		if value != "" {
			cells[column] = value
		}
	}
	cells[rules.ColumnCurrency] = p.Currency
	return cells, !p.Amounts.IsZero()
}

// policyOf is a policy as a request has it: the readings that are not the default.
func policyOf(p engine.Policy) map[string]string {
	policy := map[string]string{}
	var plain engine.Policy
	for c := range engine.Keys() {
		value := p.Reading(c).Value
		if value != plain.Reading(c).Value {
			policy[c.Key()] = value
		}
	}
	return policy
}

// stateOf is a state as a request has it: null for a profile that is created on as-of.
func stateOf(s engine.State) (json.RawMessage, bool) {
	if s.Status == 0 {
		return json.RawMessage("null"), true
	}
	line, err := engine.AppendStateLine(nil, "order-1", s)
	if err != nil {
		return nil, false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil {
		return nil, false
	}
	for _, name := range [...]string{"profile", "schema", "because"} {
		delete(members, name)
	}
	line, err = Marshal(members)
	return bytes.TrimSpace(line), err == nil
}

// otherReadings are the policies that differ from a job's in one key that the ledger calls assumed
// and that the request did not name.
func (j *Question) otherReadings(yield func(key string, p engine.Policy) bool) {
	for c := range engine.Keys() {
		entry := c.Entry()
		if _, named := j.Readings[entry.Key]; named || entry.Basis != ledger.Assumed {
			continue
		}
		for i, r := range entry.Readings {
			if r.Value != j.Policy.Reading(c).Value && !yield(entry.Key, j.Policy.WithReading(c, i)) {
				return
			}
		}
	}
}

// Unspecified ends the case if the answer fits another reading. Got and want are the two answers in words.
func (j *Question) Unspecified(got, want string, fits func(engine.Policy) bool) {
	for key, p := range j.otherReadings {
		if fits(p) {
			panic(Abort{Kind: AbortUnspecified, Text: key, Got: got, Want: want})
		}
	}
}

// ScriptOf is the steps and outcomes of a simulation as lines of a script. False if no script can hold them.
func ScriptOf(steps []engine.Step, outcomes map[uint64]engine.Outcome) ([]json.RawMessage, bool) {
	lines := []json.RawMessage{}
	add := func(l record.ScriptLine) bool {
		text, err := record.AppendScriptLine(nil, l)
		lines = append(lines, bytes.TrimSpace(text))
		return err == nil
	}
	for _, repeat := range slices.Sorted(maps.Keys(outcomes)) {
		if !add(record.ScriptLine{IsOutcome: true, Repeat: repeat, Outcome: outcomes[repeat]}) {
			return nil, false
		}
	}
	for _, step := range steps {
		l := record.ScriptLine{Step: step}
		for _, c := range gen.SetOf(step.Update) {
			l.Cells = append(l.Cells, record.Cell{Column: c.Column.String(), Value: c.Value})
		}
		l.Step.Update = engine.Update{}
		if step.Kind == engine.EventUpdate && !canSay(l.Cells, step.Update) || !add(l) {
			return nil, false
		}
	}
	return lines, true
}

// canSay reports whether columns say what an update does.
func canSay(cells []record.Cell, u engine.Update) bool {
	read, found := rules.ParseUpdate(func(yield func(string, string) bool) {
		for _, c := range cells {
			if !yield(c.Column, c.Value) {
				return
			}
		}
	}, rules.UpdateOptions{})
	if len(u.Unreadable) > 0 {
		return len(read.Unreadable) > 0
	}
	return found.Err() == nil && slices.Equal(gen.SetOf(read), gen.SetOf(u))
}

// Shown is the case as a user would meet it: what shows the right answer.
func (c *Case) Shown() Counterexample {
	switch v := c.Value.(type) {
	case gen.PayloadCase:
		return PayloadShown(v.Text())
	case gen.PlanCase:
		if q, ok := NewQuestion(v.Job); ok {
			return q.Show(v.Day(v.C), nil)
		}
	case gen.LogCase:
		script, readable := ScriptOf(v.Steps, v.Script().Outcomes)
		if q, ok := NewQuestion(v.Job); ok && readable {
			return q.Show(v.Until(), &script)
		}
	}
	return TokenShown(c.Token())
}

// Chosen is what a signer puts into the header in front of the signature.
func Chosen(c gen.SignChoices, method string) []gen.Pair {
	var list []gen.Pair
	if c.Realm != nil {
		list = append(list, gen.Pair{Name: "realm", Value: *c.Realm})
	}
	return append(list, gen.Pair{Name: "oauth_consumer_key", Value: c.ConsumerKey}, gen.Pair{Name: "oauth_nonce", Value: c.Nonce},
		gen.Pair{Name: "oauth_signature_method", Value: method}, gen.Pair{Name: "oauth_timestamp", Value: c.Timestamp}, gen.Pair{Name: "oauth_version", Value: "1.0"})
}
