package record

import (
	"io"
	"iter"
	"reflect"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/strictjson"
)

// A Cell is a column and its value as an update in a script gives them, the value in the form of
// the payload; "" removes the column's value.
type Cell struct {
	Column, Value string
	Col           int // of the column's name in the line of the file, in bytes from 1; 0 if it comes from no file
}

// A ScriptLine is one line of a script file: an event, or the outcome of an attempt.
type ScriptLine struct {
	Line    int         // of the file, from 1; 0 if it comes from no file
	Offset  int64       // of the line in the file, in bytes from 0
	Profile string      // the client-orderid that the line is for; empty for all profiles
	Step    engine.Step // the event; its Set is left for the reader of Cells to fill
	Cells   []Cell      // of an update, in the order of the line

	IsOutcome bool           // the line is an outcome, and Step and Cells are not used
	Repeat    uint64         // of an outcome: the repeat index of the attempt
	Outcome   engine.Outcome // of an outcome
}

// ReadScript yields the lines of a script file, one after the other, so that a file of any size can
// be read. Blank lines are skipped. The sequence can be used once. Errors are those of
// [ReadStates].
func ReadScript(r io.Reader) iter.Seq2[ScriptLine, error] {
	return func(yield func(ScriptLine, error) bool) {
		for l, err := range linesOf(r) {
			var read ScriptLine
			if err == nil {
				read, err = parseScriptLine(l.text)
				err = l.place(err)
			}
			if err == nil {
				read.Line, read.Offset = l.number, l.offset
			}
			if !yield(read, err) {
				return
			}
		}
	}
}

// ParseScriptLine reads one line of a script file, a JSON object such as
//
//	{"date":"2026-01-12","do":"stop"}
//	{"date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026"}}
//	{"date":"2026-01-14","do":"resume","via":"ui","when":"after","profile":"order-1"}
//	{"repeat":1,"outcome":"declined"}
//
// The verbs are stop, update, resume, charge, run and no-run. Any other member or word, a member
// that does not belong to the verb, and a missing one are a [ledger.Finding] with the column.
func ParseScriptLine(line []byte) (ScriptLine, error) {
	l, err := parseScriptLine(line)
	for i := range l.Cells {
		l.Cells[i].Col = 0
	}
	return l, err
}

// A scriptJSON is a line as it is written.
type scriptJSON struct {
	Profile string        `json:"profile,omitzero"`
	Date    calendar.Date `json:"date,omitzero"`
	Do      scriptVerb    `json:"do,omitzero" strict:"code=script-verb"`
	Set     *cellsJSON    `json:"set,omitzero"`
	Via     scriptVia     `json:"via,omitzero" strict:"code=script-via"`
	When    *scriptWhen   `json:"when,omitzero" strict:"code=script-when"`
	Repeat  *uint64       `json:"repeat,omitzero" strict:"code=state-repeat,count"`
	Outcome *outcome      `json:"outcome,omitzero" strict:"code=script-outcome"`
}

// The words that only scripts have.
type (
	scriptVerb engine.EventKind // a resume through the API is a resume with another via
	scriptVia  uint8
	scriptWhen uint8
)

const (
	viaUI scriptVia = iota + 1
	viaAPI
)

const (
	whenBefore scriptWhen = iota
	whenAfter
)

var (
	scriptVerbs = enum.Words{Type: "do", Words: []string{"", "stop", "update", "resume", "charge", "run", "no-run"}}
	scriptVias  = enum.Words{Type: "via", Words: []string{"", "ui", "api"}}
	scriptWhens = enum.Words{Type: "scriptWhen", Words: []string{"before", "after"}}
)

// An outcome is one that is known: approved or declined.
type outcome engine.Outcome

var outcomes = enum.Words{Type: "Outcome", Words: []string{"", "approved", "declined"}}

func (o outcome) MarshalText() ([]byte, error) { return outcomes.Marshal(uint8(o)) }
func (o *outcome) UnmarshalText(text []byte) error {
	return outcomes.Unmarshal(text, (*uint8)(o))
}

func (v scriptVerb) MarshalText() ([]byte, error) { return scriptVerbs.Marshal(uint8(v)) }
func (v *scriptVerb) UnmarshalText(text []byte) error {
	return scriptVerbs.Unmarshal(text, (*uint8)(v))
}
func (v scriptVia) MarshalText() ([]byte, error) { return scriptVias.Marshal(uint8(v)) }
func (v *scriptVia) UnmarshalText(text []byte) error {
	return scriptVias.Unmarshal(text, (*uint8)(v))
}
func (w scriptWhen) MarshalText() ([]byte, error) { return scriptWhens.Marshal(uint8(w)) }
func (w *scriptWhen) UnmarshalText(text []byte) error {
	return scriptWhens.Unmarshal(text, (*uint8)(w))
}

// verbOf returns the words of a kind: a resume through the API is a resume with another via.
func verbOf(k engine.EventKind) (scriptVerb, scriptVia) {
	switch k {
	case engine.EventResume:
		return scriptVerb(k), viaUI
	case engine.EventResumeByAPI:
		return scriptVerb(engine.EventResume), viaAPI
	}
	return scriptVerb(k), 0
}

// eventKind returns the kind with two words.
func eventKind(v scriptVerb, via scriptVia) engine.EventKind {
	if via == viaAPI {
		return engine.EventResumeByAPI
	}
	return engine.EventKind(v)
}

var scriptForm = func() *strictjson.Form[scriptJSON] {
	f := strictjson.FormOf[scriptJSON]()
	f.Values = maxScriptValues
	return f
}()

// maxScriptValues is how many members a line may have: far more than an update has columns.
const maxScriptValues = 1_000

// parseScriptLine is ParseScriptLine with the places of the columns.
func parseScriptLine(line []byte) (ScriptLine, error) {
	in, err := read(scriptForm, line)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return ScriptLine{}, err
	}
	l := ScriptLine{Profile: in.Profile, IsOutcome: in.Outcome != nil}
	if l.IsOutcome {
		l.Repeat, l.Outcome = *in.Repeat, engine.Outcome(*in.Outcome)
		return l, nil
	}
	l.Step.Date, l.Step.Kind = in.Date, eventKind(in.Do, in.Via)
	l.Step.After = in.When != nil && *in.When == whenAfter
	if in.Set != nil {
		l.Cells = *in.Set
	}
	return l, nil
}

// check returns what is missing from a line, or does not belong to it.
func (in *scriptJSON) check() error {
	if in.Outcome != nil {
		return in.checkOutcome()
	}
	resume, update := in.Do == scriptVerb(engine.EventResume), in.Do == scriptVerb(engine.EventUpdate)
	switch {
	case in.Do == 0:
		return refuse(codeScriptVerb, "do", "the field is missing", "use stop, update, resume, charge, run, no-run")
	case in.Date.IsZero():
		return refuse("date-syntax", "date", "the field is missing", "write the day of the event: YYYY-MM-DD")
	case in.Repeat != nil:
		return refuse(codeScriptVerb, "repeat", "the field belongs to an outcome", "remove it")
	case resume && in.Via == 0:
		return refuse(codeScriptVia, "via", "the field is missing", `write where the resume comes from: "ui" or "api"`)
	case !resume && in.Via != 0:
		return refuse(codeScriptVia, "via", "the field belongs to a resume", "remove it")
	case update && in.Set == nil:
		return refuse(codeScriptVerb, "set", "the field is missing", "write the columns that the update sets")
	case !update && in.Set != nil:
		return refuse(codeScriptVerb, "set", "the field belongs to an update", "remove it")
	}
	return nil
}

func (in *scriptJSON) checkOutcome() error {
	for _, f := range [...]struct {
		name  string
		there bool
	}{{"do", in.Do != 0}, {"date", !in.Date.IsZero()}, {"set", in.Set != nil}, {"via", in.Via != 0}, {"when", in.When != nil}} {
		if f.there {
			return refuse(codeScriptVerb, f.name, "an outcome has a repeat number and no event", "write two lines")
		}
	}
	if in.Repeat == nil {
		return refuse(codeScriptOutcome, "repeat", "the field is missing", "write the repeat number of the attempt")
	}
	return nil
}

// AppendScriptLine appends a line of a script file, without a line end, as [ParseScriptLine] reads
// it. A line that ParseScriptLine would refuse is the same [ledger.Finding]. Set, Line, Offset and
// the Col of a cell are not part of the line.
func AppendScriptLine(dst []byte, l ScriptLine) ([]byte, error) {
	out := scriptJSON{Profile: l.Profile}
	if l.IsOutcome {
		out.Repeat, out.Outcome = &l.Repeat, (*outcome)(&l.Outcome)
	} else {
		out.Date = l.Step.Date
		out.Do, out.Via = verbOf(l.Step.Kind)
		if l.Step.After {
			out.When = new(whenAfter)
		}
		if len(l.Cells) > 0 || l.Step.Kind == engine.EventUpdate {
			out.Set = (*cellsJSON)(&l.Cells)
		}
	}
	if err := checkTexts(reflect.ValueOf(out)); err != nil {
		return dst, err
	}
	line := scriptForm.Append(dst, &out)
	if _, err := parseScriptLine(line[len(dst):]); err != nil {
		return dst, err
	}
	return line, nil
}

// MarshalJSON returns the line as [AppendScriptLine] appends it.
func (l ScriptLine) MarshalJSON() ([]byte, error) { return AppendScriptLine(nil, l) }

// UnmarshalJSON reads a line as [ParseScriptLine] does. On an error l is unchanged.
func (l *ScriptLine) UnmarshalJSON(data []byte) error {
	read, err := ParseScriptLine(data)
	if err == nil {
		*l = read
	}
	return err
}

// A cellsJSON is the columns of an update.
type cellsJSON []Cell

// ReadJSON implements [strictjson.Special].
func (c *cellsJSON) ReadJSON(v *strictjson.Value) error {
	if v.Kind != strictjson.KindObject {
		return v.Wrong("write columns and values in braces")
	}
	for name, value := range v.Members() {
		if value.Kind != strictjson.KindString {
			return value.Wrong("write a column's value in double quotes")
		}
		*c = append(*c, Cell{name.Text(), value.Text(), name.At + 1})
	}
	return nil
}

// AppendJSON implements [strictjson.Special].
func (c cellsJSON) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, cell := range c {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(strictjson.AppendString(dst, cell.Column), ':')
		dst = strictjson.AppendString(dst, cell.Value)
	}
	return append(dst, '}')
}
