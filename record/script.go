package record

import (
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// A Cell is a column and its value as an update in a script gives them, the value in the form of the
// payload; "" removes the column's value.
type Cell struct{ Column, Value string }

// A ScriptLine is one line of a script file: an event, or the outcome of an attempt.
type ScriptLine struct {
	Profile string      // the client-orderid that the line is for; empty for all profiles
	Step    engine.Step // the event; its Set is left for the reader of Cells to fill
	Cells   []Cell      // of an update, in the order of the line

	IsOutcome bool // the line is not an event but an outcome
	Repeat    uint64
	Outcome   engine.Outcome
}

// The codes of script lines.
const (
	codeVerb    ledger.Code = "script-verb"
	codeVia     ledger.Code = "script-via"
	codeWhen    ledger.Code = "script-when"
	codeOutcome ledger.Code = "script-outcome"
)

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
	fields, err := jsonline.Parse(line)
	if err != nil {
		return ScriptLine{}, err
	}
	var l ScriptLine
	if err := jsonline.Read(fields, scriptMembers, &l); err != nil {
		return ScriptLine{}, err
	}
	has := func(name string) bool {
		return slices.ContainsFunc(fields, func(f jsonline.Field) bool { return f.Name.Is(name) })
	}
	l.IsOutcome = has("outcome")
	if l.IsOutcome {
		err = checkOutcome(has)
	} else {
		err = l.checkEvent(has)
	}
	if err != nil {
		return ScriptLine{}, err
	}
	return l, nil
}

var scriptMembers = []jsonline.Member[ScriptLine]{
	{Name: "profile", Read: func(l *ScriptLine, v *jsonline.Value) error { return jsonline.String(v, &l.Profile) }},
	{Name: "date", Read: func(l *ScriptLine, v *jsonline.Value) error { return jsonline.Date(v, &l.Step.Date) }},
	{Name: "do", Read: func(l *ScriptLine, v *jsonline.Value) error {
		return jsonline.Word(v, &l.Step.Do, codeVerb, scriptVerbs)
	}},
	{Name: "set", Read: func(l *ScriptLine, v *jsonline.Value) error { return l.readCells(v) }},
	{Name: "via", Read: func(l *ScriptLine, v *jsonline.Value) error { return jsonline.Word(v, &l.Step.Via, codeVia, channels) }},
	{Name: "when", Read: func(l *ScriptLine, v *jsonline.Value) error {
		var when uint8
		err := jsonline.Word(v, &when, codeWhen, whens)
		l.Step.After = when == 1
		return err
	}},
	{Name: "repeat", Read: func(l *ScriptLine, v *jsonline.Value) error { return jsonline.Count(v, &l.Repeat, "state-repeat") }},
	{Name: "outcome", Read: func(l *ScriptLine, v *jsonline.Value) error {
		return jsonline.Word(v, &l.Outcome, codeOutcome, outcomes)
	}},
}

// The words of a script line, by the number of the value that they mean.
var (
	scriptVerbs = []string{"", "", "run", "no-run", "charge", "stop", "update", "resume"}
	channels    = []string{"", "ui", "api"}
	whens       = []string{"before", "after"}
	outcomes    = []string{"approved", "declined"}
)

func (l *ScriptLine) readCells(v *jsonline.Value) error {
	if err := jsonline.As(v, jsonline.KindObject, "write columns and values in braces"); err != nil {
		return err
	}
	for i := range v.Fields {
		f := &v.Fields[i]
		if err := jsonline.As(&f.Value, jsonline.KindString, "write a column's value in double quotes"); err != nil {
			return err
		}
		l.Cells = append(l.Cells, Cell{f.Name.Text(), f.Value.Text()})
	}
	return nil
}

func refuse(code ledger.Code, field, message, help string) error {
	return jsonline.In(jsonline.Fault(code, 1, message, help), field)
}

// checkOutcome reports what does not belong to an outcome.
func checkOutcome(has func(string) bool) error {
	for _, field := range []string{"do", "date", "set", "via", "when"} {
		if has(field) {
			return refuse(codeVerb, field, "an outcome has a repeat number and no event", "write two lines")
		}
	}
	if !has("repeat") {
		return refuse(codeOutcome, "repeat", "the field is missing", "write the repeat number of the attempt")
	}
	return nil
}

// checkEvent reports what is missing from an event, or does not belong to it.
func (l *ScriptLine) checkEvent(has func(string) bool) error {
	switch {
	case l.Step.Do == 0:
		return refuse(codeVerb, "do", "the field is missing", "use stop, update, resume, charge, run, no-run")
	case l.Step.Date.IsZero():
		return refuse("date-syntax", "date", "the field is missing", "write the day of the event: YYYY-MM-DD")
	case has("repeat"):
		return refuse(codeVerb, "repeat", "the field belongs to an outcome", "remove it")
	case l.Step.Do == engine.DoResume && !has("via"):
		return refuse(codeVia, "via", "the field is missing", `write where the resume comes from: "ui" or "api"`)
	case l.Step.Do != engine.DoResume && has("via"):
		return refuse(codeVia, "via", "the field belongs to a resume", "remove it")
	case l.Step.Do == engine.DoUpdate && !has("set"):
		return refuse(codeVerb, "set", "the field is missing", "write the columns that the update sets")
	case l.Step.Do != engine.DoUpdate && has("set"):
		return refuse(codeVerb, "set", "the field belongs to an update", "remove it")
	}
	return nil
}
