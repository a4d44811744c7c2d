package laws

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadLaws are the laws of reading and judging payloads.
func payloadLaws() []Law {
	return []Law{
		law("V02", "L43", "findings come sorted by position, then code; no duplicates", gen.BrokenPayloads, findingsInOrder).heavy(),
		law("V03", "2.1", "a fault in one cell stays reported when other cells are broken too; ten faults, ten findings", gen.BrokenPayloads, allFaultsTold).heavy(),
		law("V04", "L48", "the findings of a row depend on that row, the header and the options only, but for a repeated client-orderid", gen.BrokenPayloads, rowsAlone).heavy(),
		law("V05", "L42", "columns permuted with their cells: same rows, same findings; rows permuted: results permuted", gen.FaultyPayloads, permuted).heavy(),
		law("V06", "2.1", "rows without fault are usable as they were written, and nothing is found in them", gen.Payloads, cleanRowsPass).heavy(),
		law("V07", "2.1", "a single fault put into a valid row gives its code at its column, and otherwise only codes that follow from it", gen.FaultyPayloads, singleFaults).heavy(),
	}
}

// judgeCase reads the case.
func judgeCase(c gen.PayloadCase, impl Impl) (gen.Written, judgement) {
	w := c.Write()
	return w, judgeText(impl, w.Text, c.Options())
}

func findingsInOrder(t *T, c gen.PayloadCase) {
	_, j := judgeCase(c, t.Impl)
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
	_, j := judgeCase(c, t.Impl)
	for i, row := range c.Rows {
		found := j.about(i + 1)
		for _, n := range row.Faults {
			if f := &gen.CellFaults()[n]; !has(found, f.Code, f.Column) {
				t.Errorf("row %d: %s is not reported, only\n%s", i+1, f.Name, textOf(found))
			}
		}
		if len(found) < len(row.Faults) {
			t.Errorf("row %d: %d findings of %d faults", i+1, len(found), len(row.Faults))
		}
	}
}

// rowsAlone compares each row with the same row in a payload of its own.
func rowsAlone(t *T, c gen.PayloadCase) {
	w, all := judgeCase(c, t.Impl)
	for i, row := range c.Rows {
		single := c
		single.Rows, single.Blank, single.Mark = []gen.PayloadLine{row}, false, false
		v, alone := judgeCase(single, t.Impl)
		got, want := relative(all.about(i+1), w.Rows[i]), relative(alone.about(1), v.Rows[0])
		if !slices.Equal(got, want) {
			t.Errorf("row %d of many:\n%s\nalone:\n%s", i+1, joinedLines(got), joinedLines(want))
		}
		sameRow(t, fmt.Sprintf("row %d of many and alone", i+1), all.row(i+1), alone.row(1))
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
func sameRow(t *T, what string, a, b *PayloadRow) {
	if (a == nil) != (b == nil) {
		t.Errorf("%s: usable %v and %v", what, a != nil, b != nil)
		return
	}
	switch {
	case a == nil:
	case a.Cells != b.Cells:
		t.Errorf("%s: %s", what, cellDifference(a, b.Cells))
	case a.Profile != b.Profile:
		t.Errorf("%s: typed as %s\nand as %s", what, typedText(a), typedText(b))
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

func permuted(t *T, c gen.PayloadCase) {
	_, was := judgeCase(c, t.Impl)
	columns, rows := c, c
	turn := int(c.Pick % uint64(len(c.Columns)))
	columns.Columns = append(slices.Clone(c.Columns[turn:]), c.Columns[:turn]...)
	rows.Rows = slices.Clone(c.Rows)
	slices.Reverse(rows.Rows)
	_, turned := judgeCase(columns, t.Impl)
	_, reversed := judgeCase(rows, t.Impl)
	for i := range c.Rows {
		n, m := i+1, len(c.Rows)-i
		if a, b := placeless(was.about(n)), placeless(turned.about(n)); !slices.Equal(a, b) {
			t.Errorf("row %d:\n%s\nwith its columns turned by %d:\n%s", n, joinedLines(a), turn, joinedLines(b))
		}
		if a, b := placeless(was.about(n)), placeless(reversed.about(m)); !slices.Equal(a, b) {
			t.Errorf("row %d:\n%s\nas row %d:\n%s", n, joinedLines(a), m, joinedLines(b))
		}
		sameRow(t, "columns turned", was.row(n), turned.row(n))
		sameRow(t, "rows reversed", was.row(n), reversed.row(m))
	}
	for _, other := range []judgement{turned, reversed} {
		if a, b := placeless(was.about(0)), placeless(other.about(0)); !slices.Equal(a, b) {
			t.Errorf("about the file:\n%s\npermuted:\n%s", joinedLines(a), joinedLines(b))
		}
	}
}

func cleanRowsPass(t *T, c gen.PayloadCase) {
	w, j := judgeCase(c, t.Impl)
	for _, f := range j.findings() {
		if !styled(c, f.Code) {
			t.Errorf("a finding about nothing: %v: %s", f, f.Text)
		}
	}
	for i := range c.Rows {
		row := j.row(i + 1)
		if row == nil {
			t.Errorf("row %d cannot be used", i+1)
			continue
		}
		if want := c.Rows[i].Clean; row.Cells != want {
			t.Errorf("row %d is read with %s", i+1, cellDifference(row, want))
		}
		if line, _ := gen.LineAndColumn(w.Text, w.Rows[i].From); row.Line != line {
			t.Errorf("row %d is said to be on line %d, not %d", i+1, row.Line, line)
		}
		if got, want := typedText(row), slowlyTyped(&c.Rows[i].Clean); got != want {
			t.Errorf("row %d is typed as %s, want %s", i+1, got, want)
		}
	}
	if j.end != (PayloadEnd{Rows: len(c.Rows), Valid: len(c.Rows)}) {
		t.Errorf("the end says %s, want all of %d rows to be usable", endInWords(j.end), len(c.Rows))
	}
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

// typedText is what a row came to, as its columns would be written.
func typedText(row *PayloadRow) string {
	p := gen.ProfileToOracle(row.Profile)
	most, _ := row.Profile.MaxRepeats.Value()
	return fmt.Sprintf("%q %v %s %v %d %v %v %v %d %s %s %s %s", row.Profile.ID, row.Profile.Kind, row.Profile.Currency, row.Profile.Unit, uint64(p.Interval),
		row.Profile.Start, row.Profile.Finish, p.HasMax, most, p.Amount, p.From, p.To, strings.Join(p.Sequence, ","))
}

// slowlyTyped is the same from the cells.
func slowlyTyped(c *gen.Cells) string {
	day := func(dotted string) string {
		if dotted == "" {
			return ""
		}
		return dotted[6:] + "-" + dotted[3:5] + "-" + dotted[:2]
	}
	number := func(s string) string { return cmp.Or(s, "0") }
	interval, _ := strconv.ParseUint(number(c[rules.ColumnInterval]), 10, 64)
	return fmt.Sprintf("%q %s %s %s %d %s %s %v %s %s %s %s %s", c[rules.ColumnOrderID], c[rules.ColumnCardType], c[rules.ColumnCurrency], c[rules.ColumnPeriod],
		min(interval, math.MaxInt), // any beyond the calendar means the same
		day(c[rules.ColumnStartDate]), day(c[rules.ColumnFinishDate]), c[rules.ColumnMaxRepeatsNumber] != "", number(c[rules.ColumnMaxRepeatsNumber]),
		c[rules.ColumnAmount], c[rules.ColumnAmountFrom], c[rules.ColumnAmountTo], c[rules.ColumnAmountSequence])
}

func singleFaults(t *T, c gen.PayloadCase) {
	_, j := judgeCase(c, t.Impl)
	for i, row := range c.Rows {
		found := j.about(i + 1)
		if len(row.Faults) == 0 {
			if len(found) > 0 || j.row(i+1) == nil {
				t.Errorf("row %d has no fault, and has the findings\n%s", i+1, textOf(found))
			}
			continue
		}
		f := &gen.CellFaults()[row.Faults[0]]
		if !has(found, f.Code, f.Column) {
			t.Errorf("row %d: %s is not reported, only\n%s", i+1, f.Name, textOf(found))
		}
		for _, other := range found {
			if (other.Code != f.Code || other.Column != f.Column) && !slices.Contains(f.Follows, other.Code) {
				t.Errorf("row %d: %s does not lead to %v: %s", i+1, f.Name, other, other.Text)
			}
		}
		usable := j.row(i + 1)
		if (usable == nil) != hasError(found) {
			t.Errorf("row %d with %s is usable: %v", i+1, f.Name, usable != nil)
		}
		if usable != nil && usable.Cells != row.Cells() {
			t.Errorf("row %d with %s is read with %s", i+1, f.Name, cellDifference(usable, row.Cells()))
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
	j := judgeText(t.Impl, w.Text, c.Options())
	n := slices.IndexFunc(j.findings(), func(f Finding) bool {
		return f.Code == rules.ColumnUnknown && f.Offset == int64(w.Head.Cells[at].From)
	})
	if n < 0 || !slices.Equal(namesIn(j.findings()[n].Text), []string{right}) {
		t.Errorf("the name %q is reported as\n%s", names[at], textOf(j.findings()))
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
	j := judgeText(t.Impl, slices.Concat(w.Text[:cell.From], []byte(`a"b`), w.Text[cell.To:]), c.Options())
	if !slices.ContainsFunc(j.about(row+1), func(f Finding) bool { return f.Code == rules.CSVQuote && f.Offset == int64(cell.From+1) }) || j.row(row+1) != nil {
		t.Errorf("a\"b for %s in row %d is reported as\n%s", gen.DocumentNames()[c.Columns[place]], row+1, textOf(j.about(row+1)))
	}
}
