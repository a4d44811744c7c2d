package engine

// A Cell is a column and its value as a script's update gives them, the value in the
// form of the payload; "" removes the column's value.
type Cell struct{ Column, Value string }

// A ScriptLine is one line of a script file: an event, or the outcome of an attempt.
type ScriptLine struct {
	Profile string // the client-orderid that the line is for; empty: all profiles
	Step    Step   // the event; its Set is for the reader of Cells to fill
	Cells   []Cell // of an update, in the order of the line

	IsOutcome bool // the line is no event but an outcome
	Repeat    uint64
	Outcome   Outcome
}

// ParseScriptLine reads one line of a script file, a JSON object such as
//
//	{"date":"2026-01-12","do":"stop"}
//	{"date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026"}}
//	{"date":"2026-01-14","do":"resume","via":"ui","when":"after","profile":"order-1"}
//	{"repeat":1,"outcome":"declined"}
//
// The verbs are stop, update, resume, charge, run and no-run. Any other field or word, a
// field that does not belong to the verb, and a missing one are a [*LineError].
func ParseScriptLine(line []byte) (ScriptLine, error) {
	fields, err := parseLine(line)
	if err != nil {
		return ScriptLine{}, err
	}
	var l ScriptLine
	var when uint8
	set := false
	err = readFields(fields, []fieldReader{
		{"profile", readString(&l.Profile)},
		{"date", readDate(&l.Step.Date)},
		{"do", readWord(&l.Step.Do, "script-verb", "", "", "run", "no-run", "charge", "stop", "update", "resume")},
		{"set", func(v jsonValue) error {
			set = true
			return l.readCells(v)
		}},
		{"via", readWord(&l.Step.Via, "script-via", "", "ui", "api")},
		{"when", readWord(&when, "script-when", "before", "after")},
		{"repeat", readCount(&l.Repeat, "state-repeat")},
		{"outcome", readWord(&l.Outcome, "script-outcome", "approved", "declined")},
	})
	if err != nil {
		return ScriptLine{}, err
	}
	l.Step.After = when == 1
	has := func(name string) bool {
		for _, f := range fields {
			if f.name == name {
				return true
			}
		}
		return false
	}
	l.IsOutcome = has("outcome")
	return l, l.check(has, set)
}

func (l *ScriptLine) readCells(v jsonValue) error {
	if err := v.as(jsonObject, "columns and values in braces are wanted"); err != nil {
		return err
	}
	for _, f := range v.fields {
		if err := f.value.as(jsonString, "a column's value is a string in double quotes"); err != nil {
			return err
		}
		l.Cells = append(l.Cells, Cell{f.name, f.value.text})
	}
	return nil
}

// check tells whether the fields of the line belong together.
func (l *ScriptLine) check(has func(string) bool, set bool) error {
	fail := func(code, field, text string) error {
		return &LineError{Code: code, Col: 1, Field: field, Text: text}
	}
	if l.IsOutcome {
		for _, field := range []string{"do", "date", "set", "via", "when"} {
			if has(field) {
				return fail("script-verb", field, "an outcome has a repeat and no event: write two lines")
			}
		}
		if !has("repeat") {
			return fail("script-outcome", "repeat", "the repeat number of the attempt is wanted")
		}
		return nil
	}
	switch {
	case l.Step.Do == 0:
		return fail("script-verb", "do", "an event is wanted: stop, update, resume, charge, run, no-run")
	case l.Step.Date.IsZero():
		return fail("date-syntax", "date", "the day of the event is wanted: YYYY-MM-DD")
	case has("repeat"):
		return fail("script-verb", "repeat", "repeat belongs to an outcome")
	case l.Step.Do == DoResume && !has("via"):
		return fail("script-via", "via", `a resume says where it comes from: "ui" or "api"`)
	case l.Step.Do != DoResume && has("via"):
		return fail("script-via", "via", "via belongs to a resume")
	case l.Step.Do == DoUpdate && !set:
		return fail("script-verb", "set", "an update says which columns it sets")
	case l.Step.Do != DoUpdate && set:
		return fail("script-verb", "set", "set belongs to an update")
	}
	return nil
}
