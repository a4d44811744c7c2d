package laws

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadLaws are the laws of reading and judging payloads: what is found, how severe it is, and what the engine says of the same row.
func payloadLaws() []Law {
	return []Law{
		law("V03", gen.BrokenPayloads, allFaultsReported).heavy(),
		law("V04", gen.BrokenPayloads, rowsAlone).heavy(),
		law("V05", gen.FaultyPayloads, permuted).heavy(),
		law("V06", gen.Payloads, cleanRowsPass).heavy(),
		law("V07", gen.FaultyPayloads, singleFaults).heavy(),
		law("V22", gen.FaultyPayloads, allOrNothing).heavy(),
	}
}

// read reads a payload to its end.
func (t *T) read(src io.Reader, o rules.Options) plain.Judgement {
	return plain.JudgedBy(t.ReadPayload, src, o)
}

// readCSV reads a CSV text.
func (t *T) readCSV(text []byte, o rules.Options) plain.Judgement {
	o.Input = rules.InputCSV
	return t.read(bytes.NewReader(text), o)
}

// readCase reads the case.
func (t *T) readCase(c gen.PayloadCase) (gen.Written, plain.Judgement) {
	w := c.Write()
	return w, t.readCSV(w.Text, c.Options())
}

// allFaultsReported needs no knowledge of which faults hide others: those of a row do not
// touch each other.
func allFaultsReported(t *T, c gen.PayloadCase) {
	_, j := t.readCase(c)
	for i, row := range c.Rows {
		found := j.About(i + 1)
		t.faultsReported(i+1, row, found)
		if len(found) < len(row.Faults) {
			t.Errorf("row %d: %d findings of %d faults", i+1, len(found), len(row.Faults))
		}
	}
}

// faultsReported asks for a finding of each fault of a row.
func (t *T) faultsReported(n int, row gen.PayloadLine, found plain.Findings) {
	for _, i := range row.Faults {
		if f := &gen.CellFaults()[i]; !plain.Has(found, f.Code, f.Column) {
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
		got, want := relative(all.About(i+1), w.Rows[i]), relative(alone.About(1), v.Rows[0])
		what := fmt.Sprintf("row %d of many and alone", i+1)
		t.Equal(what, got, want)
		t.sameRow(what, all.Row(i+1), alone.Row(1))
	}
	besideBroken(t, c)
}

// besideBroken puts a line that is not a row among the rows: it is an error, and the others are what they were.
func besideBroken(t *T, c gen.PayloadCase) {
	c.Blank = false
	w, was := t.readCase(c)
	at := int(c.Pick % uint64(len(c.Rows)))
	is := t.readCSV(slices.Insert(slices.Clone(w.Text), w.Rows[at].From, []byte("\"short\"\n")...), c.Options())
	if !plain.HasError(is.About(at+1)) || is.Row(at+1) != nil {
		t.Errorf("a row of one value is reported as\n%s", is.About(at+1))
	}
	for i := range c.Rows {
		n := i + 1
		if i >= at {
			n++
		}
		what := fmt.Sprintf("row %d beside a row of one value", i+1)
		t.samePlaceless(what, is.About(n), was.About(i+1))
		t.sameRow(what, is.Row(n), was.Row(i+1))
	}
}

// relative are findings of a row as text, with places that count from its beginning; a
// repeated client-orderid is left out.
func relative(list []plain.Finding, row gen.WrittenRow) []string {
	var lines []string
	for _, f := range list {
		if f.Code != rules.OrderIDDuplicate {
			lines = append(lines, fmt.Sprintf("%v %v %v +%d %s", f.Severity, f.Code, f.Column, f.Offset-int64(row.From), f.Text))
		}
	}
	return lines
}

// sameRow compares what rows hold, wherever they are.
func (t *T) sameRow(what string, got, want *plain.PayloadRow) {
	if (got == nil) != (want == nil) {
		t.Errorf("%s: usable %v, want %v", what, got != nil, want != nil)
	} else if got != nil {
		t.Equal(what, got.Cells, want.Cells)
		t.Equal(what, plain.ProfileByColumn(got.Profile), plain.ProfileByColumn(want.Profile))
	}
}

// samePlaceless compares findings wherever they are.
func (t *T) samePlaceless(what string, got, want plain.Findings) {
	t.Equal(what, plain.WithoutPlaces(got), plain.WithoutPlaces(want))
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
		t.samePlaceless(fmt.Sprintf("row %d with its columns turned by %d", n, turn), turned.About(n), was.About(n))
		t.samePlaceless(fmt.Sprintf("row %d as row %d", n, m), reversed.About(m), was.About(n))
		t.sameRow("columns turned", turned.Row(n), was.Row(n))
		t.sameRow("rows reversed", reversed.Row(m), was.Row(n))
	}
	t.samePlaceless("about the file with columns turned", turned.About(0), was.About(0))
	t.samePlaceless("about the file with rows reversed", reversed.About(0), was.About(0))
}

func cleanRowsPass(t *T, c gen.PayloadCase) {
	w, j := t.readCase(c)
	for _, f := range j.Findings() {
		if !styled(c, f.Code) {
			t.Errorf("a finding about nothing: %v", f)
		}
	}
	for i := range c.Rows {
		row := j.Row(i + 1)
		if row == nil {
			t.Errorf("row %d cannot be used", i+1)
			continue
		}
		what := fmt.Sprintf("row %d", i+1)
		t.Equal(what, row.Cells, c.Rows[i].Clean)
		t.Equal(what+" typed", plain.ProfileByColumn(row.Profile), typed(c.Rows[i].Clean))
		if line, _ := gen.LineAndColumn(w.Text, w.Rows[i].From); row.Line != line {
			t.Errorf("row %d is said to be on line %d, not %d", i+1, row.Line, line)
		}
	}
	t.Equal("the end", j.End, plain.PayloadEnd{Rows: len(c.Rows), Valid: len(c.Rows)})
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
	return plain.ByColumn(kept)
}

func singleFaults(t *T, c gen.PayloadCase) {
	_, j := t.readCase(c)
	for i, row := range c.Rows {
		found := j.About(i + 1)
		if len(row.Faults) == 0 {
			// A correct sequence, such as 1,10, can look like one amount with a decimal comma.
			found = slices.DeleteFunc(found, func(f plain.Finding) bool { return f.Code == rules.SequenceCommas })
			if len(found) > 0 || j.Row(i+1) == nil {
				t.Errorf("row %d has no fault, and has the findings\n%s", i+1, found)
			}
			continue
		}
		f := &gen.CellFaults()[row.Faults[0]]
		t.faultsReported(i+1, row, found)
		for _, other := range found {
			if (other.Code != f.Code || f.Column != 0 && other.Column != f.Column) && other.Code != rules.OrderIDDuplicate && !slices.Contains(f.Follows, other.Code) {
				t.Errorf("row %d: %s does not lead to %v", i+1, f.Name, other)
			}
		}
		usable := j.Row(i + 1)
		if (usable == nil) != plain.HasError(found) {
			t.Errorf("row %d with %s is usable: %v", i+1, f.Name, usable != nil)
		}
		if usable != nil {
			t.Equal(fmt.Sprintf("row %d with %s", i+1, f.Name), usable.Cells, row.Cells())
		}
	}
	for _, f := range j.About(0) {
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
	if f := plain.FindingAt(j.Findings(), rules.ColumnUnknown, w.Head.Cells[at].From); f == nil || !slices.Equal(plain.ColumnsNamed(strings.ReplaceAll(f.Text, `"`+names[at]+`"`, "")), []string{right}) {
		t.Errorf("the name %q is reported as\n%s", names[at], j.Findings())
	}
	for i := range c.Rows {
		if j.Row(i+1) != nil {
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
	if plain.FindingAt(j.About(row+1), rules.CSVQuote, cell.From+1) == nil || j.Row(row+1) != nil {
		t.Errorf("a\"b for %s in row %d is reported as\n%s", gen.DocumentNames()[c.Columns[place]], row+1, j.About(row+1))
	}
}

func allOrNothing(t *T, c gen.PayloadCase) {
	_, j := t.readCase(c)
	failed, valid := 0, 0
	for i, row := range c.Rows {
		found := j.About(i + 1)
		failed += plain.ErrorsIn(found)
		if !plain.HasError(found) {
			valid++
		}
		t.faultsReported(i+1, row, found)
	}
	if j.End.Rows != len(c.Rows) || j.End.Valid != valid || j.End.Errors != failed {
		t.Errorf("%d rows, %d without errors, %d errors: the end says %s", len(c.Rows), valid, failed, j.End)
	}
}
