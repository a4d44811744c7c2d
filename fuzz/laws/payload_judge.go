package laws

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadJudgeLaws are the laws of severities, hints, batches, and of what the engine says about a row.
func payloadJudgeLaws() []Law {
	return []Law{
		law("V18", "L48", "a severity override changes severities, never the set of findings but for off; strict turns each warning into an error", gen.FaultyPayloads, overridden).heavy(),
		law("V19", "5.4", "nothing that is shown of a payload holds a cell's value", gen.Payloads, cellsUnseen).heavy(),
		law("V20", "L11", "a row without errors compiles under the same policy; never-charges ⇔ no charge; a stop condition that never acts is named ⇔ the stop says so", gen.FreshPlans, agreesWithEngine).heavy().prompt(),
		law("V21", "L42", "the hint for an unknown column is the column of least edit distance when that is unique", gen.Payloads, nearestColumnNamed).heavy(),
		law("V22", "L48", "one error anywhere and nothing would be created; still every row is judged", gen.FaultyPayloads, allOrNothing).heavy(),
	}
}

// overridden leaves out the findings about the file that would spoil rows as errors.
func overridden(t *T, c gen.PayloadCase) {
	c.Mark, c.Blank = false, false
	w, was := t.readCase(c)
	r, o := c.Choices(), c.Options()
	o.Strict = r.Chance(30)
	o.Severity = map[ledger.Code]ledger.Severity{}
	for range r.In(1, 40) {
		o.Severity[gen.CellFaults()[r.Below(len(gen.CellFaults()))].Code] = gen.Pick(r, ledger.SeverityOff, ledger.SeverityWarning, ledger.SeverityError)
	}
	is := t.readCSV(w.Text, o)
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
	t.Equal(fmt.Sprintf("under %s, strict %v", severities(o), o.Strict), []Finding(is.findings()), want)
	if is.end.Errors != failures || is.end.Rows != was.end.Rows {
		t.Errorf("%d errors, the end says %s", failures, is.end)
	}
	for i := range c.Rows {
		if failed := hasError(is.about(i + 1)); is.row(i+1) != nil && failed || is.row(i+1) == nil && was.row(i+1) != nil && !failed {
			t.Errorf("row %d is usable: %v, with errors: %v", i+1, is.row(i+1) != nil, failed)
		}
	}
}

// severities are those that options set, in words.
func severities(o rules.Options) string {
	var list []string
	for code, s := range o.Severity {
		list = append(list, string(code)+" "+s.String())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// cellsUnseen puts a secret where it does not belong: into a cell, into the header, or
// into a row that cannot be read.
func cellsUnseen(t *T, c gen.PayloadCase) {
	r := c.Choices()
	canary := gen.Canaries(r)
	text := canary.Before + canary.Secret + canary.After
	row := &c.Rows[r.Below(len(c.Rows))]
	column := gen.Pick(r, c.Columns...)
	row.Clean[column] = text
	w := c.Write()
	payload := string(w.Text)
	switch r.Below(8) {
	case 0:
		payload = strings.Replace(payload, gen.DocumentNames()[column], text, 1)
	case 1:
		payload += text
	case 2:
		payload += "\"" + text
	case 3:
		payload = text + payload
	case 4:
		payload = strings.Replace(payload, text, text+`"`, 1)
	}
	o := c.Options()
	o.Input = gen.Pick(r, rules.InputCSV, rules.InputCSV, rules.InputCSV, rules.InputAuto, rules.InputBase64, rules.InputForm)
	forms := gen.FormsOf(canary.Secret)
	all := strings.Join(t.ShowPayload(strings.NewReader(payload), o), "\x00") // which no form has
	for _, form := range forms {
		if at := strings.Index(all, form); at >= 0 {
			t.Errorf("%s, put into %s, shows in %q", canary.Secret, gen.DocumentNames()[column], all[max(at-100, 0):min(at+100, len(all))])
		}
	}
}

// agreesWithEngine writes the plan's profile as a row and compares what the reader tells
// with the forecast of the same profile.
func agreesWithEngine(t *T, p gen.PlanCase) {
	if p.N < 3 {
		p.Policy = p.Policy.WithReading([...]ledger.Clause{clause.L02, clause.L03, clause.L09}[p.N], refusing(p.N))
	}
	cells, expires := rowOfPlan(p)
	o := rules.Options{AsOf: p.AsOf, Policy: p.Policy, Severity: map[ledger.Code]ledger.Severity{rules.FinishUnreachable: ledger.SeverityWarning, rules.FirstChargeToday: ledger.SeverityWarning}}
	j := t.readCSV(slowCSV(cells), o)
	found := j.about(1)
	row := j.row(1)
	forecast, err := t.Forecast(p.Job)
	if (row == nil) != (err != nil) {
		t.Errorf("the row is usable: %v, the engine says %v\n%s", row != nil, err, found)
	}
	if row == nil || err != nil {
		return
	}
	want := p.Profile
	want.ID, want.Currency, want.Amounts = row.Profile.ID, row.Profile.Currency, row.Profile.Amounts
	t.Equal("the row", columnsOf(row.Profile), columnsOf(want))
	for code, want := range findingsOf(p, forecast, expires) {
		if has(found, code, 0) != want {
			t.Errorf("%v is reported: %v, want %v\n%s", code, !want, want, found)
		}
	}
}

// refusing is the place of the reading reject of the policy keys that have one.
func refusing(n int) int {
	return slices.Index([...]ledger.Clause{clause.L02, clause.L03, clause.L09}[n].Entry().Values(), "reject")
}

// rowOfPlan is the plan's profile as cells, with a card that may expire in between.
func rowOfPlan(p gen.PlanCase) (cells gen.Cells, expires calendar.Date) {
	kind := gen.OnSRC
	if p.Profile.Kind == engine.KindDestination {
		kind = gen.OnDST
	}
	cells = plainRow(kind)
	day := func(d calendar.Date) string {
		if d.IsZero() {
			return ""
		}
		return gen.Dotted(d)
	}
	cells[rules.ColumnStartDate], cells[rules.ColumnFinishDate] = day(p.Profile.Start), day(p.Profile.Finish)
	if p.Profile.Unit != 0 {
		cells[rules.ColumnPeriod], cells[rules.ColumnInterval] = p.Profile.Unit.String(), fmt.Sprint(p.Profile.Interval)
	}
	if n, ok := p.Profile.MaxRepeats.Value(); ok {
		cells[rules.ColumnMaxRepeatsNumber] = fmt.Sprint(n)
	}
	year, month, _ := gen.Moved(p.AsOf, p.B-40).Date()
	cells[rules.ColumnExpireYear], cells[rules.ColumnExpireMonth] = fmt.Sprintf("%04d", year), fmt.Sprintf("%02d", int(month))
	return cells, lastOfMonth(year, month)
}

func lastOfMonth(year int, month time.Month) calendar.Date {
	d := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	return calendar.Of(d)
}

// threeYearsAfter is how far the expiry of a card is looked for.
func threeYearsAfter(d calendar.Date) calendar.Date {
	year, month, day := d.Date()
	if year+3 > 9999 {
		return calendar.Last()
	}
	last := lastOfMonth(year+3, month)
	return last.AddDays(-max(0, calendar.DaysIn(year+3, month)-day))
}

// findingsOf is which findings a row must have, found by listing charges where there are few.
func findingsOf(p gen.PlanCase, f Forecast, expires calendar.Date) map[ledger.Code]bool {
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
		rules.CardExpiresBeforeCharge: automatic && !expired && inTime < f.Count(calendar.Through(calendar.First(), threeYearsAfter(p.AsOf))),
		rules.StartPast:               automatic && !start.IsZero() && start.Before(p.AsOf),
		rules.FinishBeforeStart:       !start.IsZero() && !finish.IsZero() && finish.Before(start),
		rules.MaxZero:                 capped && most == 0,
	}
}

// nearestColumnNamed puts misspelt names into the header and looks for the names of
// columns in what is reported of them.
func nearestColumnNamed(t *T, c gen.PayloadCase) {
	r := c.Choices()
	names := c.Names()
	for range 3 {
		if name := misspelt(r); !slices.Contains(gen.DocumentNames(), name) {
			names = append(names, name)
		}
	}
	var w gen.Written
	header := w.Line(names, false)
	j := t.readCSV(append(w.Text, '\n'), c.Options())
	for i, name := range names[len(c.Columns):] {
		at := int64(header.Cells[len(c.Columns)+i].From)
		n := slices.IndexFunc(j.findings(), func(f Finding) bool { return f.Code == rules.ColumnUnknown && f.Offset == at })
		if n < 0 {
			t.Errorf("%q is not reported as unknown", name)
			continue
		}
		near, distance, unique := oracle.Nearest(name, gen.DocumentNames()[1:])
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
func misspelt(r gen.Chooser) string {
	name := []byte(gen.Pick(r, gen.DocumentNames()[1:]...))
	for range gen.Pick(r, 1, 1, 2, 3) {
		i := r.Below(len(name))
		switch r.Below(4) {
		case 0:
			name[i] = gen.Pick(r, []byte("aexz9_-A ")...)
		case 1:
			name = slices.Insert(name, i, gen.Pick(r, []byte("aexz9_-S")...))
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

// longestNames are the names of all columns, the longest first.
var longestNames = slices.SortedStableFunc(slices.Values(gen.DocumentNames()[1:]), func(a, b string) int { return len(b) - len(a) })

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

func allOrNothing(t *T, c gen.PayloadCase) {
	_, j := t.readCase(c)
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
			if f := &gen.CellFaults()[n]; !has(found, f.Code, f.Column) {
				t.Errorf("row %d: %s is not reported", i+1, f.Name)
			}
		}
	}
	if j.end.Rows != len(c.Rows) || j.end.Valid != valid || j.end.Errors != failed {
		t.Errorf("%d rows, %d without errors, %d errors: the end says %s", len(c.Rows), valid, failed, j.end)
	}
}
