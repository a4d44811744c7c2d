package laws

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadLaws are the laws of reading and judging payloads: what is found, how severe it is, and what the engine says of the same row.
func payloadLaws() []Law {
	return []Law{
		own("V02", "L43", "findings come sorted by position, then code; no duplicates", gen.BrokenPayloads, findingsInOrder).heavy(),
		law("V03", gen.BrokenPayloads, allFaultsTold).heavy(),
		law("V04", gen.BrokenPayloads, rowsAlone).heavy(),
		law("V05", gen.FaultyPayloads, permuted).heavy(),
		law("V06", gen.Payloads, cleanRowsPass).heavy(),
		law("V07", gen.FaultyPayloads, singleFaults).heavy(),
		own("V18", "L48", "a severity override changes severities, never the set of findings but for off; strict turns each warning into an error", gen.FaultyPayloads, overridden).heavy(),
		own("V19", "5.4", "nothing that is shown of a payload holds a cell's value", gen.Payloads, cellsUnseen).heavy(),
		own("V20", "L11", "a row without errors compiles under the same policy; never-charges ⇔ no charge; a stop condition that never acts is named ⇔ the stop says so", gen.FreshPlans, agreesWithEngine).heavy().prompt(),
		own("V21", "L42", "the hint for an unknown column is the column of least edit distance when that is unique", gen.Payloads, nearestColumnNamed).heavy(),
		law("V22", gen.FaultyPayloads, allOrNothing).heavy(),
	}
}

// A judgement is all that a reader tells about a payload.
type judgement struct {
	steps []PayloadStep
	end   PayloadEnd
}

// read reads a payload to its end.
func (t *T) read(src io.Reader, o rules.Options) judgement {
	var j judgement
	j.end = t.ReadPayload(src, o, func(s PayloadStep) bool {
		j.steps = append(j.steps, s)
		return true
	})
	return j
}

// readCSV reads a CSV text.
func (t *T) readCSV(text []byte, o rules.Options) judgement {
	o.Input = rules.InputCSV
	return t.read(bytes.NewReader(text), o)
}

// findings are findings that are printed a line each.
type findings []Finding

func (list findings) String() string {
	var lines []string
	for _, f := range list {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

func (j judgement) findings() findings {
	var list findings
	for _, s := range j.steps {
		list = append(list, s.Findings...)
	}
	return list
}

// about are the findings about a data row, from 1, or with 0 those about no row.
func (j judgement) about(row int) findings {
	return slices.DeleteFunc(j.findings(), func(f Finding) bool { return f.Row != row })
}

// row is the usable row with a number; nil if there is none.
func (j judgement) row(number int) *PayloadRow {
	for _, s := range j.steps {
		if s.Row != nil && s.Row.Number == number {
			return s.Row
		}
	}
	return nil
}

// has reports whether a finding has a code, at a column unless that is zero.
func has(list []Finding, code ledger.Code, column rules.Column) bool {
	return slices.ContainsFunc(list, func(f Finding) bool { return f.Code == code && (column == 0 || f.Column == column) })
}

// findingAt is the finding with a code at an offset; nil for none.
func findingAt(list []Finding, code ledger.Code, offset int) *Finding {
	for i := range list {
		if list[i].Code == code && list[i].Offset == int64(offset) {
			return &list[i]
		}
	}
	return nil
}

// errorsIn is how many findings are errors.
func errorsIn(list []Finding) (n int) {
	for _, f := range list {
		if f.Severity == ledger.SeverityError {
			n++
		}
	}
	return n
}

func hasError(list []Finding) bool { return errorsIn(list) > 0 }

// readCase reads the case.
func (t *T) readCase(c gen.PayloadCase) (gen.Written, judgement) {
	w := c.Write()
	return w, t.readCSV(w.Text, c.Options())
}

func findingsInOrder(t *T, c gen.PayloadCase) {
	_, j := t.readCase(c)
	for _, s := range j.steps {
		for i := 1; i < len(s.Findings); i++ {
			a, b := s.Findings[i-1], s.Findings[i]
			if order := cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Column.String(), b.Column.String())); order >= 0 {
				t.Errorf("%v, then %v", a, b)
			}
		}
	}
}

// allFaultsTold needs no knowledge of which faults hide others: those of a row do not
// touch each other.
func allFaultsTold(t *T, c gen.PayloadCase) {
	_, j := t.readCase(c)
	for i, row := range c.Rows {
		found := j.about(i + 1)
		t.faultsTold(i+1, row, found)
		if len(found) < len(row.Faults) {
			t.Errorf("row %d: %d findings of %d faults", i+1, len(found), len(row.Faults))
		}
	}
}

// faultsTold asks for a finding of each fault of a row.
func (t *T) faultsTold(n int, row gen.PayloadLine, found findings) {
	for _, i := range row.Faults {
		if f := &gen.CellFaults()[i]; !has(found, f.Code, f.Column) {
			t.Errorf("row %d: %s is not reported, only\n%s", n, f.Name, found)
		}
	}
}

// rowsAlone compares each row with the same row in a payload of its own.
func rowsAlone(t *T, c gen.PayloadCase) {
	w, all := t.readCase(c)
	for i, row := range c.Rows {
		single := c
		single.Rows, single.Blank, single.Mark = []gen.PayloadLine{row}, false, false
		v, alone := t.readCase(single)
		got, want := relative(all.about(i+1), w.Rows[i]), relative(alone.about(1), v.Rows[0])
		what := fmt.Sprintf("row %d of many and alone", i+1)
		t.Equal(what, got, want)
		t.sameRow(what, all.row(i+1), alone.row(1))
	}
}

// relative are findings of a row as text, with places that count from its beginning; a
// repeated client-orderid is left out.
func relative(list []Finding, row gen.WrittenRow) []string {
	var lines []string
	for _, f := range list {
		if f.Code != rules.OrderIDDuplicate {
			lines = append(lines, fmt.Sprintf("%v %v %v +%d %s", f.Severity, f.Code, f.Column, f.Offset-int64(row.From), f.Text))
		}
	}
	return lines
}

// sameRow compares what rows hold, wherever they stand.
func (t *T) sameRow(what string, got, want *PayloadRow) {
	if (got == nil) != (want == nil) {
		t.Errorf("%s: usable %v, want %v", what, got != nil, want != nil)
	} else if got != nil {
		t.Equal(what, got.Cells, want.Cells)
		t.Equal(what, columnsOf(got.Profile), columnsOf(want.Profile))
	}
}

// placeless are findings as text without their places, in the order of the text.
func placeless(list []Finding) []string {
	var lines []string
	for _, f := range list {
		if f.Code != rules.OrderIDDuplicate {
			lines = append(lines, fmt.Sprintf("%v %v %v %s", f.Severity, f.Code, f.Column, f.Text))
		}
	}
	slices.Sort(lines)
	return lines
}

// samePlaceless compares findings wherever they stand.
func (t *T) samePlaceless(what string, got, want findings) {
	t.Equal(what, placeless(got), placeless(want))
}

func permuted(t *T, c gen.PayloadCase) {
	_, was := t.readCase(c)
	columns, rows := c, c
	turn := int(c.Pick % uint64(len(c.Columns)))
	columns.Columns = append(slices.Clone(c.Columns[turn:]), c.Columns[:turn]...)
	rows.Rows = slices.Clone(c.Rows)
	slices.Reverse(rows.Rows)
	_, turned := t.readCase(columns)
	_, reversed := t.readCase(rows)
	for i := range c.Rows {
		n, m := i+1, len(c.Rows)-i
		t.samePlaceless(fmt.Sprintf("row %d with its columns turned by %d", n, turn), turned.about(n), was.about(n))
		t.samePlaceless(fmt.Sprintf("row %d as row %d", n, m), reversed.about(m), was.about(n))
		t.sameRow("columns turned", turned.row(n), was.row(n))
		t.sameRow("rows reversed", reversed.row(m), was.row(n))
	}
	t.samePlaceless("about the file with columns turned", turned.about(0), was.about(0))
	t.samePlaceless("about the file with rows reversed", reversed.about(0), was.about(0))
}

func cleanRowsPass(t *T, c gen.PayloadCase) {
	w, j := t.readCase(c)
	for _, f := range j.findings() {
		if !styled(c, f.Code) {
			t.Errorf("a finding about nothing: %v", f)
		}
	}
	for i := range c.Rows {
		row := j.row(i + 1)
		if row == nil {
			t.Errorf("row %d cannot be used", i+1)
			continue
		}
		what := fmt.Sprintf("row %d", i+1)
		t.Equal(what, row.Cells, c.Rows[i].Clean)
		t.Equal(what+" typed", columnsOf(row.Profile), typed(c.Rows[i].Clean))
		if line, _ := gen.LineAndColumn(w.Text, w.Rows[i].From); row.Line != line {
			t.Errorf("row %d is said to be on line %d, not %d", i+1, row.Line, line)
		}
	}
	t.Equal("the end", j.end, PayloadEnd{Rows: len(c.Rows), Valid: len(c.Rows)})
}

// styled reports whether a finding is about the way in which the case is written.
func styled(c gen.PayloadCase, code ledger.Code) bool {
	switch code {
	case rules.ByteOrderMark:
		return c.Mark
	case rules.CSVUnquoted:
		return c.Bare
	case rules.BlankLine:
		return c.Blank
	}
	return false
}

// typed are the columns of a profile from the cells of its row.
func typed(c gen.Cells) map[string]string {
	var kept gen.Cells
	for _, column := range [...]rules.Column{
		rules.ColumnOrderID, rules.ColumnCardType, rules.ColumnCurrency, rules.ColumnPeriod, rules.ColumnInterval, rules.ColumnStartDate, rules.ColumnFinishDate,
		rules.ColumnMaxRepeatsNumber, rules.ColumnAmount, rules.ColumnAmountFrom, rules.ColumnAmountTo, rules.ColumnAmountSequence,
	} {
		kept[column] = c[column]
	}
	if n, err := strconv.ParseUint(c[rules.ColumnInterval], 10, 64); err == nil {
		kept[rules.ColumnInterval] = strconv.FormatUint(min(n, math.MaxInt), 10) // any beyond the calendar means the same
	}
	return byColumn(kept)
}

func singleFaults(t *T, c gen.PayloadCase) {
	_, j := t.readCase(c)
	for i, row := range c.Rows {
		found := j.about(i + 1)
		if len(row.Faults) == 0 {
			// A correct sequence, such as 1,10, can look like one amount with a decimal comma.
			found = slices.DeleteFunc(found, func(f Finding) bool { return f.Code == rules.SequenceCommas })
			if len(found) > 0 || j.row(i+1) == nil {
				t.Errorf("row %d has no fault, and has the findings\n%s", i+1, found)
			}
			continue
		}
		f := &gen.CellFaults()[row.Faults[0]]
		t.faultsTold(i+1, row, found)
		for _, other := range found {
			if (other.Code != f.Code || other.Column != f.Column) && other.Code != rules.SequenceCommas && !slices.Contains(f.Follows, other.Code) {
				t.Errorf("row %d: %s does not lead to %v", i+1, f.Name, other)
			}
		}
		usable := j.row(i + 1)
		if (usable == nil) != hasError(found) {
			t.Errorf("row %d with %s is usable: %v", i+1, f.Name, usable != nil)
		}
		if usable != nil {
			t.Equal(fmt.Sprintf("row %d with %s", i+1, f.Name), usable.Cells, row.Cells())
		}
	}
	for _, f := range j.about(0) {
		if !styled(c, f.Code) {
			t.Errorf("about the file: %v", f)
		}
	}
	misnamed(t, c)
	misquoted(t, c)
}

// misnamed puts a fault into a name of the header: no row can be used then, and the name
// that is meant is reported.
func misnamed(t *T, c gen.PayloadCase) {
	r := c.Choices()
	names := c.Names()
	at := r.Below(len(names))
	right := names[at]
	names[at] = gen.Pick(r, strings.ToUpper(right[:1])+right[1:], right+" ", strings.NewReplacer("-", "_", "_", "-").Replace(right))
	if names[at] == right {
		return
	}
	w := c.WriteUnder(names)
	j := t.readCSV(w.Text, c.Options())
	if f := findingAt(j.findings(), rules.ColumnUnknown, w.Head.Cells[at].From); f == nil || !slices.Equal(namesIn(strings.ReplaceAll(f.Text, `"`+names[at]+`"`, "")), []string{right}) {
		t.Errorf("the name %q is reported as\n%s", names[at], j.findings())
	}
	for i := range c.Rows {
		if j.row(i+1) != nil {
			t.Errorf("row %d is usable under the name %q", i+1, names[at])
		}
	}
}

// misquoted puts a quote into a value without quotes.
func misquoted(t *T, c gen.PayloadCase) {
	r := c.Choices()
	row, place := r.Below(len(c.Rows)), r.Below(len(c.Columns))
	w := c.Write()
	cell := w.Rows[row].Cells[place]
	j := t.readCSV(slices.Concat(w.Text[:cell.From], []byte(`a"b`), w.Text[cell.To:]), c.Options())
	if findingAt(j.about(row+1), rules.CSVQuote, cell.From+1) == nil || j.row(row+1) != nil {
		t.Errorf("a\"b for %s in row %d is reported as\n%s", gen.DocumentNames()[c.Columns[place]], row+1, j.about(row+1))
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
	for _, f := range was.findings() {
		if s := o.Severity[f.Code]; s != 0 {
			f.Severity = s
		}
		if o.Strict && f.Severity == ledger.SeverityWarning {
			f.Severity = ledger.SeverityError
		}
		if f.Severity != ledger.SeverityOff {
			want = append(want, f)
		}
	}
	t.Equal(fmt.Sprintf("under %s, strict %v", severities(o), o.Strict), []Finding(is.findings()), want)
	if failed := errorsIn(want); is.end.Errors != failed || is.end.Rows != was.end.Rows {
		t.Errorf("%d errors, the end says %s", failed, is.end)
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
	how := r.Below(8)
	if (how == 0 || how == 3) && strings.Trim(canary.Secret, "0123456789-") != "" {
		how = 7 // a name of the header without three digits in a row is shown
	}
	switch how {
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
	noneShown(t, t.ShowPayload(strings.NewReader(payload), o), gen.FormsOf(canary.Secret))
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
	cells = plainRow(p.Profile.Kind.String())
	own := profileCells(p.Profile)
	for _, column := range [...]rules.Column{rules.ColumnPeriod, rules.ColumnInterval, rules.ColumnStartDate, rules.ColumnFinishDate, rules.ColumnMaxRepeatsNumber} {
		cells[column] = own[column]
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
		return calendar.MaxDate()
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
		inTime = f.Count(calendar.Through(calendar.MinDate(), expires))
	}
	start, finish := p.Profile.Start, p.Profile.Finish
	return map[ledger.Code]bool{
		rules.NeverCharges:            automatic && charges == 0,
		rules.MaxRepeatsUnreachable:   both && slices.Equal(stop, []string{"finish-date"}),
		rules.FinishUnreachable:       both && slices.Equal(stop, []string{"max-repeats"}),
		rules.FirstChargeToday:        automatic && today,
		rules.CardExpired:             expired,
		rules.CardExpiresBeforeCharge: automatic && !expired && inTime < f.Count(calendar.Through(calendar.MinDate(), threeYearsAfter(p.AsOf))),
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
		f := findingAt(j.findings(), rules.ColumnUnknown, header.Cells[len(c.Columns)+i].From)
		if f == nil {
			t.Errorf("%q is not reported as unknown", name)
			continue
		}
		near, distance, unique := oracle.Nearest(name, gen.DocumentNames()[1:])
		hints := namesIn(strings.ReplaceAll(f.Text, `"`+name+`"`, "")) // the name itself may be shown
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
		failed += errorsIn(found)
		if !hasError(found) {
			valid++
		}
		t.faultsTold(i+1, row, found)
	}
	if j.end.Rows != len(c.Rows) || j.end.Valid != valid || j.end.Errors != failed {
		t.Errorf("%d rows, %d without errors, %d errors: the end says %s", len(c.Rows), valid, failed, j.end)
	}
}
