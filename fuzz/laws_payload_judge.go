package fuzz

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadJudgeLaws are the laws of severities, secrets, hints, batches, and of what the
// engine says about a row.
func payloadJudgeLaws() []Law {
	reads := func(i Impl) bool { return i.ReadPayload != nil }
	return []Law{
		{ID: "V18", Formula: "a severity override changes severities, never the set of findings but for off; strict turns each warning into an error", Clause: "L48", Gen: FaultyPayloads(), Heavy: true, Needs: reads, Check: onPayload(overridden)},
		{ID: "V19", Formula: "nothing that is shown of a payload holds a cell's value", Clause: "5.4", Gen: Payloads(), Heavy: true, Needs: func(i Impl) bool { return i.ShowPayload != nil }, Check: onPayload(cellsUnseen)},
		{ID: "V20", Formula: "a row without errors compiles under the same policy; never-charges ⇔ no charge; a stop condition that never acts is named ⇔ the stop says so", Clause: "L11", Gen: FreshPlans(), Heavy: true, Needs: func(i Impl) bool { return i.ReadPayload != nil && i.Forecast != nil && i.Prompt }, Check: onPlan(agreesWithEngine)},
		{ID: "V21", Formula: "the hint for an unknown column is the column of least edit distance when that is unique", Clause: "L42", Gen: Payloads(), Heavy: true, Needs: reads, Check: onPayload(nearestColumnNamed)},
		{ID: "V22", Formula: "one error anywhere and nothing would be created; still every row is judged", Clause: "L48", Gen: FaultyPayloads(), Heavy: true, Needs: reads, Check: onPayload(allOrNothing)},
	}
}

// chance is the case's own source of choices.
func (c PayloadCase) chance() chooser { return chooser{RandOf(&Source{c.Pick})} }

// overridden leaves out the findings about the file that would spoil rows as errors.
func overridden(t T, c PayloadCase, impl Impl) {
	c.Mark, c.Blank = false, false
	w, was := c.judge(impl)
	r, o := c.chance(), c.options()
	o.Strict = r.chance(30)
	o.Severity = map[ledger.Code]ledger.Severity{}
	for range r.in(1, 40) {
		o.Severity[cellFaults[r.below(len(cellFaults))].code] = pick(r, ledger.SeverityOff, ledger.SeverityWarning, ledger.SeverityError)
	}
	is := impl.judgeText(w.text, o)
	var want []Finding
	failures := 0
	for _, f := range was.findings() {
		if s := o.Severity[f.Code]; s != 0 {
			f.Severity = s
		}
		if o.Strict && f.Severity == ledger.SeverityWarning {
			f.Severity = ledger.SeverityError
		}
		if f.Severity == ledger.SeverityError {
			failures++
		}
		if f.Severity != ledger.SeverityOff {
			want = append(want, f)
		}
	}
	if got := is.findings(); !slices.Equal(got, want) {
		t.Errorf("under %v, strict %v:\n%s\nwant\n%s", o.Severity, o.Strict, textOf(got), textOf(want))
	}
	if is.end.Errors != failures || is.end.Rows != was.end.Rows {
		t.Errorf("%d errors, the end says %+v", failures, is.end)
	}
	for i := range c.Rows {
		if failed := hasError(is.about(i + 1)); is.row(i+1) != nil && failed || is.row(i+1) == nil && was.row(i+1) != nil && !failed {
			t.Errorf("row %d is usable: %v, with errors: %v", i+1, is.row(i+1) != nil, failed)
		}
	}
}

// cellsUnseen puts a secret where it does not belong: into a cell, into the header, or
// into a row that cannot be read.
func cellsUnseen(t T, c PayloadCase, impl Impl) {
	r := c.chance()
	canary := Canaries()(genParameters(r)).Result.(Canary)
	text := canary.Before + canary.Secret + canary.After
	row := &c.Rows[r.below(len(c.Rows))]
	column := pick(r, c.Columns...)
	row.Clean[column] = text
	w := c.write()
	payload := string(w.text)
	switch r.below(8) {
	case 0:
		payload = strings.Replace(payload, documentNames[column], text, 1)
	case 1:
		payload += text
	case 2:
		payload += "\"" + text
	case 3:
		payload = text + payload
	case 4:
		payload = strings.Replace(payload, text, text+`"`, 1)
	}
	o := c.options()
	o.Input = pick(r, rules.InputCSV, rules.InputCSV, rules.InputCSV, rules.InputAuto, rules.InputBase64, rules.InputForm)
	forms := formsOf(canary.Secret)
	all := strings.Join(impl.ShowPayload(strings.NewReader(payload), o), "\x00") // which no form has
	for _, form := range forms {
		if at := strings.Index(all, form); at >= 0 {
			t.Errorf("%s, put into %s, shows in %q", canary.Secret, documentNames[column], all[max(at-100, 0):min(at+100, len(all))])
		}
	}
}

// agreesWithEngine writes the plan's profile as a row and compares what the reader tells
// with the forecast of the same profile.
func agreesWithEngine(t T, p PlanCase, impl Impl) {
	if n, ok := p.Profile.MaxRepeats.Value(); ok && n > math.MaxInt64 {
		p.Profile.MaxRepeats = engine.AtMost(math.MaxInt64) // what a payload can say
	}
	if p.N < 3 {
		p.Policy = p.Policy.WithReading([...]ledger.Clause{ledger.L02, ledger.L03, ledger.L09}[p.N], refusing(p.N))
	}
	cells, expires := rowOfPlan(p)
	o := rules.Options{AsOf: p.AsOf, Policy: p.Policy, Severity: map[ledger.Code]ledger.Severity{rules.FinishUnreachable: ledger.SeverityWarning, rules.FirstChargeToday: ledger.SeverityWarning}}
	j := impl.judgeText(slowCSV(cells), o)
	found := j.about(1)
	row := j.row(1)
	forecast, err := impl.Forecast(p.Job)
	if (row == nil) != (err != nil) {
		t.Errorf("the row is usable: %v, the engine says %v\n%s", row != nil, err, textOf(found))
	}
	if row == nil || err != nil {
		return
	}
	q := row.Profile
	if q.Kind != p.Profile.Kind || q.Start != p.Profile.Start || q.Finish != p.Profile.Finish || q.Unit != p.Profile.Unit || q.Interval != p.Profile.Interval || q.MaxRepeats != p.Profile.MaxRepeats {
		t.Errorf("read as %+v, want %+v", q, p.Profile)
	}
	for code, want := range told(p, forecast, expires) {
		if has(found, code, 0) != want {
			t.Errorf("%v is told: %v, want %v\n%s", code, !want, want, textOf(found))
		}
	}
}

// refusing is the place of the reading reject of the policy keys that have one.
func refusing(n int) int {
	return slices.Index([...]ledger.Clause{ledger.L02, ledger.L03, ledger.L09}[n].Entry().Values(), "reject")
}

// rowOfPlan is the plan's profile as cells, with a card that may expire in between.
func rowOfPlan(p PlanCase) (cells Cells, expires calendar.Date) {
	kind := onSRC
	if p.Profile.Kind == engine.KindDestination {
		kind = onDST
	}
	cells = plainRow(kind)
	day := func(d calendar.Date) string {
		if d.IsZero() {
			return ""
		}
		return dotted(d)
	}
	cells[rules.ColumnStartDate], cells[rules.ColumnFinishDate] = day(p.Profile.Start), day(p.Profile.Finish)
	if p.Profile.Unit != 0 {
		cells[rules.ColumnPeriod], cells[rules.ColumnInterval] = p.Profile.Unit.String(), fmt.Sprint(p.Profile.Interval)
	}
	if n, ok := p.Profile.MaxRepeats.Value(); ok {
		cells[rules.ColumnMaxRepeatsNumber] = fmt.Sprint(n)
	}
	year, month, _ := moved(p.AsOf, p.B-40).Date()
	cells[rules.ColumnExpireYear], cells[rules.ColumnExpireMonth] = fmt.Sprintf("%04d", year), fmt.Sprintf("%02d", int(month))
	return cells, lastOfMonth(year, month)
}

func lastOfMonth(year int, month time.Month) calendar.Date {
	d := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	return calendar.Of(d)
}

// told is which findings a row must have, found by listing charges where there are few.
func told(p PlanCase, f Forecast, expires calendar.Date) map[ledger.Code]bool {
	automatic := p.Profile.Unit != 0
	most, capped := p.Profile.MaxRepeats.Value()
	both := automatic && capped && most > 0 && !p.Profile.Finish.IsZero()
	stop := f.Stop().Reasons
	today := false
	for c := range f.Next(1) {
		today = c.Date == p.AsOf
	}
	charges, inTime := f.Count(calendar.Window{}), 0
	expired := expires.Before(p.AsOf)
	if !expired {
		inTime = f.Count(calendar.Through(calendar.First(), expires))
	}
	start, finish := p.Profile.Start, p.Profile.Finish
	return map[ledger.Code]bool{
		rules.NeverCharges:            automatic && charges == 0,
		rules.MaxRepeatsUnreachable:   both && slices.Equal(stop, []string{"finish-date"}),
		rules.FinishUnreachable:       both && slices.Equal(stop, []string{"max-repeats"}),
		rules.FirstChargeToday:        automatic && today,
		rules.CardExpired:             expired,
		rules.CardExpiresBeforeCharge: automatic && !expired && inTime < charges,
		rules.StartPast:               automatic && !start.IsZero() && start.Before(p.AsOf),
		rules.FinishBeforeStart:       !start.IsZero() && !finish.IsZero() && finish.Before(start),
		rules.MaxZero:                 capped && most == 0,
	}
}

// nearestColumnNamed puts misspelt names into the header and looks for the names of
// columns in what is told of them.
func nearestColumnNamed(t T, c PayloadCase, impl Impl) {
	r := c.chance()
	names := c.names()
	for range 3 {
		if name := r.misspelt(); !slices.Contains(documentNames[:], name) {
			names = append(names, name)
		}
	}
	var w written
	header := w.line(names, false)
	j := impl.judgeText(append(w.text, '\n'), c.options())
	for i, name := range names[len(c.Columns):] {
		at := int64(header.cells[len(c.Columns)+i].from)
		n := slices.IndexFunc(j.findings(), func(f Finding) bool { return f.Code == rules.ColumnUnknown && f.Offset == at })
		if n < 0 {
			t.Errorf("%q is not told as unknown", name)
			continue
		}
		near, distance, unique := slowNearest(name)
		hints := namesIn(j.findings()[n].Text)
		if len(hints) > 1 || len(hints) == 1 && (!unique || hints[0] != near) {
			t.Errorf("%q: %v is meant, want %s (unique: %v)", name, hints, near, unique)
		}
		if clear := distance == 1 || distance == 2 && len(name) >= 6; len(hints) == 0 && unique && clear {
			t.Errorf("%q: nothing is meant, want %s", name, near)
		}
	}
}

// misspelt is the name of a column with a few letters wrong.
func (r chooser) misspelt() string {
	name := []byte(pick(r, documentNames[1:]...))
	for range pick(r, 1, 1, 2, 3) {
		i := r.below(len(name))
		switch r.below(4) {
		case 0:
			name[i] = pick(r, []byte("aexz9_-A ")...)
		case 1:
			name = slices.Insert(name, i, pick(r, []byte("aexz9_-S")...))
		case 2:
			if len(name) > 2 {
				name = slices.Delete(name, i, i+1)
			}
		default:
			j := max(i-1, 0)
			name[i], name[j] = name[j], name[i]
		}
	}
	return string(name)
}

// slowNearest is the column nearest to a name, how far it is, and whether no other is as
// near.
func slowNearest(name string) (column string, distance int, unique bool) {
	distance = math.MaxInt
	name = folded(name)
	for i, other := range foldedNames {
		switch d := slowDistance(name, other); {
		case d < distance:
			column, distance, unique = documentNames[i+1], d, true
		case d == distance:
			unique = false
		}
	}
	return column, distance, unique
}

// folded is a name without the differences that do not count: case, and which mark
// stands between words.
func folded(name string) string { return foldMarks.Replace(strings.ToLower(name)) }

var foldMarks = strings.NewReplacer("_", "-", " ", "-")

// foldedNames are the names of all columns folded, in their order.
var foldedNames = func() (list []string) {
	for _, name := range documentNames[1:] {
		list = append(list, folded(name))
	}
	return list
}()

// longestNames are the names of all columns, the longest first.
var longestNames = slices.SortedStableFunc(slices.Values(documentNames[1:]), func(a, b string) int { return len(b) - len(a) })

// slowDistance is the number of letters to insert, delete, replace or swap with their
// neighbour, by the whole table of its definition.
func slowDistance(a, b string) int {
	var d [40][40]uint8
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			if i == 0 || j == 0 {
				d[i][j] = uint8(i + j)
				continue
			}
			replaced := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return int(d[len(a)][len(b)])
}

// namesIn are the names of columns in a text, the longest first.
func namesIn(text string) []string {
	var found []string
	for _, name := range longestNames {
		if strings.Contains(text, name) {
			found = append(found, name)
			text = strings.ReplaceAll(text, name, "")
		}
	}
	return found
}

func allOrNothing(t T, c PayloadCase, impl Impl) {
	_, j := c.judge(impl)
	failed, valid := 0, 0
	for i, row := range c.Rows {
		found := j.about(i + 1)
		for _, f := range found {
			if f.Severity == ledger.SeverityError {
				failed++
			}
		}
		if !hasError(found) {
			valid++
		}
		for _, n := range row.Faults {
			if f := &cellFaults[n]; !has(found, f.code, f.column) {
				t.Errorf("row %d: %s is not told", i+1, f.name)
			}
		}
	}
	if j.end.Rows != len(c.Rows) || j.end.Valid != valid || j.end.Errors != failed {
		t.Errorf("%d rows, %d without errors, %d errors: the end says %+v", len(c.Rows), valid, failed, j.end)
	}
}
