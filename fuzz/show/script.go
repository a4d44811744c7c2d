package show

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// ScriptOf is a script as lines. False if no script can hold it.
func ScriptOf(s engine.Script) ([]json.RawMessage, bool) {
	lines := []json.RawMessage{}
	add := func(l record.ScriptLine) bool {
		text, err := record.AppendScriptLine(nil, l)
		lines = append(lines, bytes.TrimSpace(text))
		return err == nil
	}
	for _, repeat := range slices.Sorted(maps.Keys(s.Outcomes)) {
		if !add(record.ScriptLine{IsOutcome: true, Repeat: repeat, Outcome: s.Outcomes[repeat]}) {
			return nil, false
		}
	}
	for _, step := range s.Steps {
		l := record.ScriptLine{Step: step, Cells: setOf(step.Set)}
		l.Step.Set = engine.Update{}
		if step.Do == engine.DoUpdate && !sameUpdate(step.Set, l.Cells) || !add(l) {
			return nil, false
		}
	}
	return lines, true
}

// sameUpdate reports whether columns say what an update does.
func sameUpdate(u engine.Update, cells []record.Cell) bool {
	read, found := rules.ParseUpdate(func(yield func(string, string) bool) {
		for _, c := range cells {
			if !yield(c.Column, c.Value) {
				return
			}
		}
	})
	if len(u.Unreadable) > 0 {
		return len(read.Unreadable) > 0
	}
	return found.Err() == nil && reflect.DeepEqual(setOf(read), setOf(u))
}

// setOf is the columns of an update.
func setOf(u engine.Update) (cells []record.Cell) {
	set := func(c rules.Column, given bool, value string) {
		if given {
			cells = append(cells, record.Cell{Column: c.String(), Value: value})
		}
	}
	money := func(c rules.Column, change engine.Change[amount.Amount]) {
		value := change.Value.String()
		if change.Removed {
			value = ""
		}
		set(c, change.Given, value)
	}
	if len(u.Unreadable) > 0 {
		set(rules.ColumnFinishDate, true, "31.02.2026")
		return cells
	}
	set(rules.ColumnStartDate, u.Start.Given, dotted(u.Start.Value))
	set(rules.ColumnFinishDate, u.Finish.Given, dotted(u.Finish.Value))
	most := ""
	if n, limited := u.MaxRepeats.Value.Value(); limited {
		most = strconv.FormatUint(n, 10)
	}
	set(rules.ColumnMaxRepeatsNumber, u.MaxRepeats.Given, most)
	period, interval := "", ""
	if u.Unit.Value != 0 {
		period = u.Unit.Value.String()
	}
	if u.Interval.Value != 0 {
		interval = strconv.Itoa(u.Interval.Value)
	}
	set(rules.ColumnPeriod, u.Unit.Given, period)
	set(rules.ColumnInterval, u.Interval.Given, interval)
	money(rules.ColumnAmount, u.Amount)
	money(rules.ColumnAmountFrom, u.AmountFrom)
	money(rules.ColumnAmountTo, u.AmountTo)
	var list []string
	for _, a := range u.Sequence.Value {
		list = append(list, a.String())
	}
	set(rules.ColumnAmountSequence, u.Sequence.Given, strings.Join(list, ","))
	return cells
}
