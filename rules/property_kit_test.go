package rules_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A prop is what a property reports, and the reader and writer that it asks.
type prop struct{ *gen.Report }

// holds tests a property on a number of cases.
func holds[V any](t *testing.T, cases int, draw func(gen.Chooser) V, check func(*prop, V)) {
	t.Parallel()
	gen.Hold(t, cases, draw, func(r *gen.Report, v V) { check(&prop{r}, v) })
}

// once tests what has no random input, and measures: nothing else runs meanwhile.
func once(t *testing.T, check func(*prop)) {
	if text := gen.Judge(struct{}{}, func(r *gen.Report, _ struct{}) { check(&prop{r}) }); text != "" {
		t.Error(text)
	}
}

// Equal reports how two values differ, if they do.
func (t *prop) Equal(what string, got, want any) bool {
	if reflect.DeepEqual(got, want) {
		return true
	}
	t.Errorf("%s: %+v, want %+v", what, got, want)
	return false
}

// A judgement is all that a reader tells about a payload.
type judgement struct {
	steps []PayloadStep
	end   PayloadEnd
}

// read reads a payload to its end.
func (t *prop) read(src io.Reader, o rules.Options) judgement {
	var j judgement
	j.end = readPayload(src, o, func(s PayloadStep) bool {
		j.steps = append(j.steps, s)
		return true
	})
	return j
}

// readCSV reads a CSV text.
func (t *prop) readCSV(text []byte, o rules.Options) judgement {
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
func (t *prop) readCase(c gen.PayloadCase) (gen.Written, judgement) {
	w := c.Write()
	return w, t.readCSV(w.Text, c.Options())
}

// sameRow compares what rows hold, wherever they stand.
func (t *prop) sameRow(what string, got, want *PayloadRow) {
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
func (t *prop) samePlaceless(what string, got, want findings) {
	t.Equal(what, placeless(got), placeless(want))
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

// plainRow is a row without fault that the tables are made from.
func plainRow(kind string) gen.Cells {
	var c gen.Cells
	for column, value := range map[rules.Column]string{
		rules.ColumnCardType: kind, rules.ColumnOrderID: "order-1", rules.ColumnCardNumber: gen.TestCard, rules.ColumnAmount: "10.00", rules.ColumnCurrency: "EUR",
	} {
		c[column] = value
	}
	if kind == gen.OnDST {
		return c
	}
	for column, value := range map[rules.Column]string{
		rules.ColumnCardPrintedName: "JANE DOE", rules.ColumnExpireYear: "2030", rules.ColumnExpireMonth: "12", rules.ColumnCountry: "DE", rules.ColumnCity: "Berlin",
		rules.ColumnZipCode: "10115", rules.ColumnAddress1: "Street 1", rules.ColumnFirstName: "Jane", rules.ColumnLastName: "Doe", rules.ColumnEmail: "jane@example.com",
	} {
		c[column] = value
	}
	return c
}

// plainCase is a payload of one row, all columns in order.
func plainCase(rows ...gen.Cells) gen.PayloadCase {
	var c gen.PayloadCase
	for column := rules.ColumnCardType; column <= rules.ColumnServerCallbackURL; column++ {
		c.Columns = append(c.Columns, column)
	}
	for _, row := range rows {
		c.Rows = append(c.Rows, gen.PayloadLine{Clean: row})
	}
	return c
}

// A Finding is a problem of a payload: where, by which rule, how severe,
// and everything else in words.
type Finding struct {
	Code      ledger.Code
	Severity  ledger.Severity
	Row       int // the data row, from 1; 0 where it is not about one row
	Line, Col int
	Offset    int64
	Wire      bool // the place is in the base64 or form text
	Column    rules.Column
	Text      string
}

// String is the finding in one line.
func (f Finding) String() string {
	return fmt.Sprintf("%v %s %v, row %d, %d:%d, offset %d: %s", f.Severity, string(f.Code), f.Column, f.Row, f.Line, f.Col, f.Offset, f.Text)
}

// A PayloadRow is a row that can be used.
type PayloadRow struct {
	Number, Line int
	Cells        gen.Cells
	Profile      engine.Profile
}

// A PayloadStep is one callback of a reader: a row, or findings about the whole file. The row is nil where it cannot be used.
type PayloadStep struct {
	Row      *PayloadRow
	Findings []Finding
}

// A PayloadEnd is the summary of a reader. A request is created only where there are rows and no errors (L48).
type PayloadEnd struct {
	Rows, Valid, Errors int
	Err                 error // of the source, if that ended early
}

// String is the end in words.
func (e PayloadEnd) String() string {
	text := fmt.Sprintf("%d rows, %d of them usable, %d errors", e.Rows, e.Valid, e.Errors)
	if e.Err != nil {
		text += ", and could not be read to its end"
	}
	return text
}

func readPayload(src io.Reader, o rules.Options, yield func(PayloadStep) bool) PayloadEnd {
	r := rules.NewReader(src, o)
	for row, ps := range r.Rows() {
		step := PayloadStep{Findings: findingsFrom(ps)}
		if row != nil {
			step.Row = payloadRowFrom(row)
		}
		if !yield(step) {
			break
		}
	}
	s := r.Summary()
	return PayloadEnd{s.Rows, s.Valid, s.Errors, r.Err()}
}

// findingsFrom are findings of the library in the words of the kit.
func findingsFrom(ps ledger.Findings) []Finding {
	var list []Finding
	for _, p := range ps {
		column, _ := rules.ColumnOf(p.Subject)
		list = append(list, Finding{p.Code, p.Severity, p.Place.Row, p.Place.Line, p.Place.Col, p.Place.Offset, p.Place.Wire, column, p.Message + "; " + p.Help})
	}
	return list
}

func payloadRowFrom(row *rules.Row) *PayloadRow {
	r := &PayloadRow{Number: row.Number, Line: row.Line, Profile: row.Profile()}
	for column, cell := range row.Cells() {
		r.Cells[column] = cell.Reveal()
	}
	return r
}

func showPayload(src io.Reader, o rules.Options) []string {
	var shown []string
	show := func(v any) {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q"} {
			shown = append(shown, fmt.Sprintf(verb, v))
		}
	}
	r := rules.NewReader(src, o)
	for row, ps := range r.Rows() {
		for i := range ps {
			ps[i].Place.Profile = "" // the merchant's own key may be shown (L47)
		}
		show(ps)
		for _, p := range ps {
			show(p)
			text, _, _ := r.Excerpt(p)
			shown = append(shown, text)
		}
		if row == nil {
			continue
		}
		show(row)
		for column, cell := range row.Cells() {
			// What the mask of a column leaves is the business of the law of masking.
			if column.Spec().Kind() != "URL" && rules.Mask(column, "a") != "a" {
				show(cell)
			}
		}
	}
	show(r.Err())
	show(r.Summary())
	return shown
}

func writeRows(rows []gen.Cells) []byte {
	text := rules.AppendHeader(nil)
	for i := range rows {
		text = rules.AppendRecord(text, rows[i][1:]...)
	}
	return text
}

func rewritePayload(payload []byte, o rules.Options) []byte {
	text := rules.AppendHeader(nil)
	for row := range rules.NewReader(bytes.NewReader(payload), o).Rows() {
		if row != nil {
			text = appendRow(text, row)
		}
	}
	return text
}

// appendRow appends a row as it is written, with all columns.
func appendRow(dst []byte, row *rules.Row) []byte {
	var cells []string
	for _, cell := range row.Cells() {
		cells = append(cells, cell.Reveal())
	}
	return rules.AppendRecord(dst, cells...)
}

func (t *prop) decode(wire []byte, o rules.Options) ([]byte, findings) {
	var text bytes.Buffer
	found, err := rules.Decode(&text, bytes.NewReader(wire), o)
	if err != nil || found.Err() != nil {
		return nil, findingsFrom(found)
	}
	return text.Bytes(), findingsFrom(found)
}

// profileCells are the values of a row that the charges of a profile depend on, and those that name it.
func profileCells(p engine.Profile) (cells gen.Cells) {
	cells[rules.ColumnCardType], cells[rules.ColumnOrderID], cells[rules.ColumnCurrency] = p.Kind.String(), p.ID, p.Currency
	if p.Unit != 0 {
		cells[rules.ColumnPeriod], cells[rules.ColumnInterval] = p.Unit.String(), strconv.Itoa(p.Interval)
	}
	cells[rules.ColumnStartDate], cells[rules.ColumnFinishDate] = gen.Dotted(p.Start), gen.Dotted(p.Finish)
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
	}
	return cells
}

// byColumn are the values that are not empty.
func byColumn(cells gen.Cells) map[string]string {
	values := map[string]string{}
	for i, value := range cells {
		if value != "" {
			values[gen.DocumentNames()[i]] = value
		}
	}
	return values
}

// columnsOf are the columns of a profile that are not empty.
func columnsOf(p engine.Profile) map[string]string { return byColumn(profileCells(p)) }

// allocated is how many bytes are allocated in a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// encodedAs is a payload as it is sent.
func encodedAs(csv string, to rules.Input) []byte {
	var b bytes.Buffer
	if err := rules.Encode(&b, strings.NewReader(csv), to); err != nil {
		return nil
	}
	return b.Bytes()
}
