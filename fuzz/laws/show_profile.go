package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A Question is a profile as a program is asked about it.
type Question struct {
	gen.Job

	Columns   map[string]string
	csv       []byte
	Readings  map[string]string
	StateText json.RawMessage
}

// NewQuestion writes a profile as a row. False if no payload can hold it.
func NewQuestion(j gen.Job, asked map[string]string) (*Question, bool) {
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
	o := &Question{Job: j, Columns: map[string]string{}, Readings: policyOf(j.Policy, asked), csv: csvOf(cells)}
	report, err := rules.Validate(bytes.NewReader(o.csv), rules.Options{Input: rules.InputCSV})
	if err != nil || report.Errors > 0 {
		return nil, false
	}
	for i, value := range cells {
		if value != "" {
			o.Columns[rules.Column(i).String()] = value
		}
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

// person is what a row needs that no charge depends on. The number is one for tests.
var person = [...]struct {
	column rules.Column
	value  string
}{
	{rules.ColumnCardPrintedName, "JANE DOE"}, {rules.ColumnExpireYear, "2030"}, {rules.ColumnExpireMonth, "12"},
	{rules.ColumnCountry, "DE"}, {rules.ColumnCity, "Berlin"}, {rules.ColumnZipCode, "10115"}, {rules.ColumnAddress1, "Street 1"},
	{rules.ColumnFirstName, "Jane"}, {rules.ColumnLastName, "Doe"}, {rules.ColumnEmail, "jane@example.com"},
}

const testCard = "4111111111111111"

// cellsOf writes a profile as the cells of a row.
func cellsOf(p engine.Profile) (cells gen.Cells, ok bool) {
	cells[rules.ColumnCardType], cells[rules.ColumnOrderID], cells[rules.ColumnCurrency] = p.Kind.String(), p.ID, p.Currency
	cells[rules.ColumnCardNumber] = testCard
	if p.Kind == engine.KindSource {
		for _, of := range person {
			cells[of.column] = of.value
		}
	}
	if p.Unit != 0 {
		cells[rules.ColumnPeriod], cells[rules.ColumnInterval] = p.Unit.String(), strconv.Itoa(p.Interval)
	}
	cells[rules.ColumnStartDate], cells[rules.ColumnFinishDate] = dotted(p.Start), dotted(p.Finish)
	if n, set := p.MaxRepeats.Value(); set {
		cells[rules.ColumnMaxRepeatsNumber] = strconv.FormatUint(n, 10)
	}
	switch p.Amounts.Kind() {
	case amount.KindFixed:
		cells[rules.ColumnAmount] = p.Amounts.String()
	case amount.KindRange:
		low, high := p.Amounts.Bounds(0)
		cells[rules.ColumnAmountFrom], cells[rules.ColumnAmountTo] = low.String(), high.String()
	case amount.KindSequence:
		cells[rules.ColumnAmountSequence] = p.Amounts.String()
	default:
		return cells, false
	}
	return cells, true
}

// dotted is a day as payload columns have it.
func dotted(d calendar.Date) string {
	if d.IsZero() {
		return ""
	}
	iso := d.String()
	return iso[8:] + "." + iso[5:7] + "." + iso[:4]
}

// policyOf is a policy as a request has it: the readings that are not the default, and those that
// the whole run asks for.
func policyOf(p engine.Policy, asked map[string]string) map[string]string {
	policy := map[string]string{}
	var plain engine.Policy
	for c := range engine.Keys() {
		value := p.Reading(c).Value
		if _, named := asked[c.Key()]; named || value != plain.Reading(c).Value {
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

// Unspecified ends the case if the answer fits another reading.
func (j *Question) Unspecified(fits func(engine.Policy) bool) {
	for key, p := range j.otherReadings {
		if fits(p) {
			panic(Abort{Kind: AbortUnspecified, Text: key})
		}
	}
}

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
