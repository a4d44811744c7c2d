package record

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Cell is a column and its value as an update in a script gives them, the value in the form of the
// payload; "" removes the column's value.
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

// parseScriptLine is ParseScriptLine with the places of the columns.
func parseScriptLine(line []byte) (ScriptLine, error) {
	fields, err := jsonline.Parse(line)
	if err != nil {
		return ScriptLine{}, err
	}
	var l ScriptLine
	if err := jsonline.Members(fields, scriptMembers, &l); err != nil {
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
		return jsonline.Word(v, &l.Step.Do, ScriptVerb, scriptVerbs)
	}},
	{Name: "set", Read: func(l *ScriptLine, v *jsonline.Value) error { return l.readCells(v) }},
	{Name: "via", Read: func(l *ScriptLine, v *jsonline.Value) error {
		return jsonline.Word(v, &l.Step.Via, ScriptVia, channels)
	}},
	{Name: "when", Read: func(l *ScriptLine, v *jsonline.Value) error {
		var when uint8
		err := jsonline.Word(v, &when, ScriptWhen, whens)
		l.Step.After = when == 1
		return err
	}},
	{Name: "repeat", Read: func(l *ScriptLine, v *jsonline.Value) error { return jsonline.Count(v, &l.Repeat, StateRepeat) }},
	{Name: "outcome", Read: func(l *ScriptLine, v *jsonline.Value) error {
		return jsonline.Word(v, &l.Outcome, ScriptOutcome, outcomes)
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
		l.Cells = append(l.Cells, Cell{f.Name.Text(), f.Value.Text(), f.Name.At + 1})
	}
	return nil
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

// AppendScriptLine appends a line of a script file, without a line end, as [ParseScriptLine] reads
// it. A line that ParseScriptLine would refuse is the same [ledger.Finding], without a column. Set,
// Line, Offset and the Col of a cell are not part of the line.
func AppendScriptLine(dst []byte, l ScriptLine) ([]byte, error) {
	if err := l.check(); err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	if l.Profile != "" {
		dst = append(strictjson.AppendString(append(dst, `"profile":`...), l.Profile), ',')
	}
	if l.IsOutcome {
		dst = strconv.AppendUint(append(dst, `"repeat":`...), l.Repeat, 10)
		return append(append(append(dst, `,"outcome":"`...), l.Outcome.String()...), `"}`...), nil
	}
	dst = l.Step.Date.Append(append(dst, `"date":"`...))
	dst = append(append(append(dst, `","do":"`...), l.Step.Do.String()...), '"')
	if l.Step.Do == engine.DoResume {
		dst = append(append(append(dst, `,"via":"`...), l.Step.Via.String()...), '"')
	}
	if l.Step.Do == engine.DoUpdate {
		dst = appendCells(append(dst, `,"set":`...), l.Cells)
	}
	if l.Step.After {
		dst = append(dst, `,"when":"after"`...)
	}
	return append(dst, '}'), nil
}

func appendCells(dst []byte, cells []Cell) []byte {
	sep := byte('{')
	if len(cells) == 0 {
		dst = append(dst, sep)
	}
	for _, c := range cells {
		dst = strictjson.AppendString(append(dst, sep), c.Column)
		dst = strictjson.AppendString(append(dst, ':'), c.Value)
		sep = ','
	}
	return append(dst, '}')
}

// check returns what a line cannot say.
func (l *ScriptLine) check() error {
	if err := checkText("profile", l.Profile); err != nil {
		return err
	}
	if l.IsOutcome {
		if l.Outcome > engine.OutcomeDeclined {
			return refuse(ScriptOutcome, "outcome", "no such outcome", "use approved, declined")
		}
		return checkCount("repeat", l.Repeat)
	}
	switch {
	case l.Step.Do <= engine.DoCreate || l.Step.Do > engine.DoResume:
		return refuse(ScriptVerb, "do", "the event is none of a script", "use stop, update, resume, charge, run, no-run")
	case l.Step.Date.IsZero():
		return refuse("date-syntax", "date", "the field is missing", "write the day of the event: YYYY-MM-DD")
	case (l.Step.Via == engine.ChannelUI || l.Step.Via == engine.ChannelAPI) != (l.Step.Do == engine.DoResume), l.Step.Via > engine.ChannelAPI:
		return refuse(ScriptVia, "via", "only a resume has it, and must have it", `use "ui" or "api"`)
	case l.Step.Do != engine.DoUpdate && len(l.Cells) > 0:
		return refuse(ScriptVerb, "set", "the field belongs to an update", "remove it")
	}
	return checkCells(l.Cells)
}

func checkCells(cells []Cell) error {
	seen := make(map[string]bool, len(cells))
	for _, c := range cells {
		if err := cmp.Or(checkText("set", c.Column), checkText("set", c.Value)); err != nil {
			return err
		}
		if seen[c.Column] {
			return refuse(jsonline.CodeDuplicate, "set", "a column is given twice", "keep one of the two")
		}
		seen[c.Column] = true
	}
	return nil
}

// checkText returns what no reader of JSON lines accepts in a string.
func checkText(field, s string) error {
	switch {
	case strings.IndexByte(s, 0) >= 0:
		return refuse(jsonline.CodeNUL, field, "the text has a NUL character", "remove it")
	case !utf8.ValidString(s):
		return refuse(jsonline.CodeUTF8, field, "the text is not UTF-8", "write it in UTF-8")
	}
	return nil
}

// checkCount returns that a repeat number is beyond the last one.
func checkCount(field string, n uint64) error {
	if n > math.MaxInt64 {
		return refuse(StateRepeat, field, "the number is out of range", "write a whole number from 0 to 9223372036854775807")
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
			return refuse(ScriptVerb, field, "an outcome has a repeat number and no event", "write two lines")
		}
	}
	if !has("repeat") {
		return refuse(ScriptOutcome, "repeat", "the field is missing", "write the repeat number of the attempt")
	}
	return nil
}

// checkEvent reports what is missing from an event, or does not belong to it.
func (l *ScriptLine) checkEvent(has func(string) bool) error {
	switch {
	case l.Step.Do == 0:
		return refuse(ScriptVerb, "do", "the field is missing", "use stop, update, resume, charge, run, no-run")
	case l.Step.Date.IsZero():
		return refuse("date-syntax", "date", "the field is missing", "write the day of the event: YYYY-MM-DD")
	case has("repeat"):
		return refuse(ScriptVerb, "repeat", "the field belongs to an outcome", "remove it")
	case l.Step.Do == engine.DoResume && !has("via"):
		return refuse(ScriptVia, "via", "the field is missing", `write where the resume comes from: "ui" or "api"`)
	case l.Step.Do != engine.DoResume && has("via"):
		return refuse(ScriptVia, "via", "the field belongs to a resume", "remove it")
	case l.Step.Do == engine.DoUpdate && !has("set"):
		return refuse(ScriptVerb, "set", "the field is missing", "write the columns that the update sets")
	case l.Step.Do != engine.DoUpdate && has("set"):
		return refuse(ScriptVerb, "set", "the field belongs to an update", "remove it")
	}
	return nil
}
