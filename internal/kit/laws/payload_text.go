package laws

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing/iotest"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadTextLaws are the laws of the CSV as a text, and of reading it in pieces and in bounded memory.
func payloadTextLaws() []Law {
	return []Law{
		own("V01", "L43", "any bytes give rows and findings, the same each time, never a panic; a row that can be used has no error", gen.PayloadTexts, totalAndSame).heavy(),
		own("V10", "L37", "an empty cell is an absent optional column", gen.FaultyPayloads, emptyIsAbsent).heavy(),
		own("V11", "4.1", "Decode(Encode(rows)) = rows, every byte of every cell kept", gen.RoughPayloads, cellsSurvive).heavy(),
		own("V12", "4.1", "writing what was read is a fixed point: always quoted, ; between values, header first", gen.PayloadTexts, rewrittenOnce).heavy(),
		own("V13", "L43", "where encoding/csv and ours both accept and no cell holds CR, cells and line numbers agree", gen.PayloadTexts, likeStandardReader).heavy(),
		own("V14", "L43", "places are true: input[offset:] begins the cell, line and column count from 1 and point there", gen.BrokenPayloads, truePlaces).heavy(),
		own("V17", "L43", "a row of another width or a broken row is reported, and the next row is read as if alone", gen.FaultyPayloads, brokenRowStaysAlone).heavy(),
		own("V15", "4.1", "whole, one byte at a time, in halves, with an error after n bytes: same rows and findings", gen.SentTexts, chunksAlike).heavy(),
		ownOnce("V16", "L56d", "no row is read far ahead; what is allocated grows with the input at most; a limit's error names the limit", boundedReading).alone().prompt(),
	}
}

func totalAndSame(t *T, text string) {
	for _, in := range [...]rules.Input{rules.InputCSV, rules.InputAuto} {
		o := rules.Options{AsOf: gen.JudgedOn(), Input: in}
		j := t.read(strings.NewReader(text), o)
		t.Equal("read again", t.read(strings.NewReader(text), o), j)
		valid, failures := 0, errorsIn(j.findings())
		for _, s := range j.steps {
			for _, f := range s.Findings {
				wellFormed(t, f, len(text))
			}
			if s.Row == nil {
				continue
			}
			if valid++; hasError(s.Findings) {
				t.Errorf("a row with errors can be used: %s", s.Findings)
			}
		}
		if j.end.Valid != valid || j.end.Errors != failures || j.end.Rows < valid || j.end.Err != nil {
			t.Errorf("%d usable rows and %d errors, the end says %s", valid, failures, j.end)
		}
	}
}

func wellFormed(t *T, f Finding, size int) {
	if f.Code == "" || f.Severity != ledger.SeverityError && f.Severity != ledger.SeverityWarning || f.Text == "" || f.Line < 1 || f.Col < 1 || f.Offset < 0 || f.Offset > int64(size) || f.Row < 0 {
		t.Errorf("a finding that says too little, or points nowhere: %v", f)
	}
}

func emptyIsAbsent(t *T, c gen.PayloadCase) {
	full, few := c, c
	full.Columns = plainCase().Columns
	few.Columns = slices.DeleteFunc(plainCase().Columns, func(column rules.Column) bool { return c.Needed()>>column&1 == 0 })
	_, a := t.readCase(full)
	_, b := t.readCase(few)
	for i := range c.Rows {
		what := fmt.Sprintf("row %d with empty cells and without their columns", i+1)
		t.samePlaceless(what, a.about(i+1), b.about(i+1))
		t.sameRow(what, a.row(i+1), b.row(i+1))
	}
}

func cellsSurvive(t *T, c gen.PayloadCase) {
	var rows []gen.Cells
	for _, row := range c.Rows {
		rows = append(rows, row.Clean)
	}
	text := t.WriteRows(rows)
	plain, ok := oracle.Records(text)
	if !ok || len(plain) != len(rows)+1 || !slices.Equal(plain[0], gen.DocumentNames()[1:]) {
		t.Fatalf("the text is not canonical CSV: %q", text)
	}
	j := t.readCSV(text, c.Options())
	for i, want := range rows {
		if !slices.Equal(plain[i+1], want[1:]) {
			t.Errorf("row %d is written as %q, want %q", i+1, plain[i+1], want)
		}
		if row := j.row(i + 1); row == nil {
			t.Errorf("row %d cannot be used when it is read back:\n%v", i+1, j.about(i+1))
		} else {
			t.Equal(fmt.Sprintf("row %d read back", i+1), row.Cells, want)
		}
	}
}

func rewrittenOnce(t *T, text string) {
	o := rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}
	once := t.RewritePayload([]byte(text), o)
	records, ok := oracle.Records(once)
	if !ok || len(records) == 0 || !slices.Equal(records[0], gen.DocumentNames()[1:]) {
		t.Errorf("what is written is no canonical CSV: %q", once)
	}
	if twice := t.RewritePayload(once, o); !bytes.Equal(once, twice) {
		t.Errorf("written once %q, twice %q", once, twice)
	}
}

// likeStandardReader compares with package csv, which reads blank lines, widths and a
// byte-order mark otherwise, or not at all.
func likeStandardReader(t *T, text string) {
	o := rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}
	j := t.read(strings.NewReader(text), o)
	for _, f := range j.findings() {
		switch f.Code {
		case rules.ColumnUnknown, rules.ColumnMissing, rules.ColumnDuplicate: // rows are counted then, a CR alone among them
			if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
				return
			}
		case rules.CSVQuote, rules.CSVUnterminatedQuote, rules.CSVLineEnd, rules.CSVSeparator, rules.NoHeader, rules.LimitColumns, rules.InvalidUTF8, rules.NULCharacter, rules.NotAPayload:
			return
		}
	}
	records, lines, err := oracle.StandardRecords(strings.TrimPrefix(text, "\xef\xbb\xbf"))
	if err != nil || len(records) == 0 {
		return
	}
	if j.end.Rows != len(records)-1 {
		t.Fatalf("%d rows, package csv has %d", j.end.Rows, len(records)-1)
	}
	for _, s := range j.steps {
		if s.Row == nil || strings.Contains(strings.Join(s.Row.Cells[:], ""), "\r") {
			continue
		}
		n := s.Row.Number
		if s.Row.Line != lines[n] {
			t.Errorf("row %d is on line %d, package csv says %d", n, s.Row.Line, lines[n])
		}
		for i, name := range records[0] {
			if column := slices.Index(gen.DocumentNames(), name); column < 1 || i >= len(records[n]) || s.Row.Cells[column] != records[n][i] {
				t.Errorf("row %d: %s is read as %q, package csv has %q", n, name, s.Row.Cells, records[n])
			}
		}
	}
}

func truePlaces(t *T, c gen.PayloadCase) {
	w, j := t.readCase(c)
	for _, f := range j.findings() {
		if line, column := gen.LineAndColumn(w.Text, int(f.Offset)); f.Line != line || f.Col != column {
			t.Errorf("%v, but the offset is at %d:%d", f, line, column)
		}
		if f.Row == 0 {
			continue
		}
		row := w.Rows[f.Row-1]
		place := slices.Index(c.Columns, f.Column)
		if place < 0 {
			if f.Offset != int64(row.From) {
				t.Errorf("%v, but the row begins at %d", f, row.From)
			}
			continue
		}
		cell := row.Cells[place]
		if f.Offset != int64(cell.From) && !(insideCell(f) && int64(cell.From) < f.Offset && f.Offset <= int64(cell.To) && marked(w.Text[f.Offset:], w.Text[f.Offset-1], f.Code)) {
			t.Errorf("%v, but the value is from %d to %d: %q", f, cell.From, cell.To, w.Text[cell.From:cell.To])
		}
	}
	for _, s := range j.steps {
		if s.Row != nil {
			if line, _ := gen.LineAndColumn(w.Text, w.Rows[s.Row.Number-1].From); s.Row.Line != line {
				t.Errorf("row %d is said to be on line %d, not %d", s.Row.Number, s.Row.Line, line)
			}
		}
	}
}

// insideCell reports whether a finding may point to a byte inside a value.
func insideCell(f Finding) bool {
	switch f.Code {
	case rules.InvalidUTF8, rules.NULCharacter, rules.ControlCharacter, rules.SequenceElement:
		return true
	case rules.TooLong, rules.AmountZero, rules.LeadingZero:
		return f.Column == rules.ColumnAmountSequence
	}
	return false
}

// marked reports whether text begins with what the finding is about.
func marked(text []byte, before byte, code ledger.Code) bool {
	first, _ := utf8.DecodeRune(text)
	switch code {
	case rules.NULCharacter:
		return first == 0
	case rules.InvalidUTF8:
		return first == utf8.RuneError
	case rules.ControlCharacter:
		return first < ' ' || first > '~'
	}
	return before == ',' || before == '"'
}

// brokenRow is a line that is not a row, and what must be reported of it.
type brokenRow struct {
	text string
	code ledger.Code
}

var brokenRows = [...]brokenRow{
	{`"short"` + "\n", rules.CSVWidth},
	{`"1";"2"` + "\n", rules.CSVWidth},
	{strings.Repeat(`"";`, 60) + "\n", rules.CSVWidth},
	{"# no comment\n", rules.CSVWidth},
	{`a"b;"c"` + "\n", rules.CSVQuote},
	{`"a"b;"c"` + "\n", rules.CSVQuote},
	{`"a" ;"c"` + "\n", rules.CSVQuote},
	{` "a";"c"` + "\n", rules.CSVQuote},
	{`"SRC";"a\"b";"c"` + "\n", rules.CSVQuote},
	{`"a";"b"` + "\r", rules.CSVLineEnd},
	{strings.Repeat(";", 200) + "\n", rules.LimitColumns},
}

func brokenRowStaysAlone(t *T, c gen.PayloadCase) {
	c.Blank = false
	w, was := t.readCase(c)
	at := int(c.Pick % uint64(len(c.Rows)))
	bad := brokenRows[c.Pick>>32%uint64(len(brokenRows))]
	from := w.Rows[at].From
	is := t.readCSV(slices.Concat(w.Text[:from], []byte(bad.text), w.Text[from:]), c.Options())
	if found := is.about(at + 1); !has(found, bad.code, 0) || !hasError(found) || is.row(at+1) != nil {
		t.Errorf("%q is reported as\n%s", bad.text, found)
	}
	for i := range c.Rows {
		n := i + 1
		if i >= at {
			n++
		}
		what := fmt.Sprintf("row %d beside %q", i+1, bad.text)
		t.samePlaceless(what, is.about(n), was.about(i+1))
		t.sameRow(what, is.row(n), was.row(i+1))
	}
	if is.end.Rows != was.end.Rows+1 || is.end.Valid != was.end.Valid {
		t.Errorf("the end says %s; beside %q %s", was.end, bad.text, is.end)
	}
}

var errCut = errors.New("the source broke off")

func chunksAlike(t *T, text string) {
	o := rules.Options{AsOf: gen.JudgedOn()}
	if len(text)%3 == 0 {
		o.Input = [...]rules.Input{rules.InputCSV, rules.InputBase64, rules.InputForm}[len(text)/3%3]
	}
	same := func(x judgement, how string, src io.Reader) {
		t.Equal(how, t.read(src, o), x)
	}
	whole := t.read(strings.NewReader(text), o)
	same(whole, "one byte at a time", iotest.OneByteReader(strings.NewReader(text)))
	same(whole, "in halves, the end with the last of them", iotest.DataErrReader(iotest.HalfReader(strings.NewReader(text))))
	cut := len(text) * 2 / 3
	broken := func() io.Reader { return io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(errCut)) }
	short := t.read(broken(), o)
	same(short, "one byte at a time and then an error", iotest.OneByteReader(broken()))
	if !errors.Is(short.end.Err, errCut) && whole.end.Rows > 0 && !reflect.DeepEqual(short.findings(), whole.findings()) {
		t.Errorf("the source's error is reported as %s", read(short.end.Err))
	}
	if slices.ContainsFunc(whole.findings(), func(f Finding) bool { return f.Wire && f.Severity == ledger.SeverityError }) {
		return // a fault of the wire form that comes early leaves no rows; the cut may lie before it
	}
	for _, s := range short.steps {
		if s.Row != nil {
			t.Equal("a row before an error, and without it", s.Row, whole.row(s.Row.Number))
		}
	}
}

// readAhead is how many bytes a reader may hold beyond the row that it gives.
const readAhead = 512 << 10

// A countedSource counts what is read of it, and how often.
type countedSource struct {
	src          io.Reader
	reads, bytes int
}

// Read counts and reads.
func (s *countedSource) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	s.reads, s.bytes = s.reads+1, s.bytes+n
	return n, err
}

func boundedReading(t *T) {
	streams(t)
	growsWithInput(t)
	for _, v := range RuleVectors() {
		if limit := limitOf(v); limit != "" {
			for _, f := range t.read(strings.NewReader(v.Bad), v.Options).findings() {
				if f.Code == v.Code && !strings.Contains(f.Text, limit) {
					t.Errorf("%v does not name the limit %s", f, limit)
				}
			}
		}
	}
}

// The limits that are constants of the readings (L56d).
const (
	mostValues   = 128
	mostElements = 10_000
)

// limitOf is the limit that a vector breaks, as text; empty for none.
func limitOf(v RuleVector) string {
	n := map[ledger.Code]int{
		rules.LimitBytes: int(v.Options.MaxBytes), rules.LimitRows: v.Options.MaxRows, rules.LimitRow: v.Options.MaxRow,
		rules.LimitColumns: mostValues, rules.LimitElements: mostElements,
	}[v.Code]
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// streams checks that each row comes before much more was read, and that a reader who
// has seen enough is not fed further.
func streams(t *T) {
	row := string(slowCSV(plainRow(gen.OnSRC)))
	header := string(slowCSV())
	row = strings.TrimPrefix(row, header)
	for _, enough := range [...]int{3, 5000} {
		src := &countedSource{src: strings.NewReader(header + strings.Repeat(row, 10_000))}
		seen := 0
		t.ReadPayload(src, rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV, MaxOrderIDs: -1}, func(s PayloadStep) bool {
			if s.Row != nil {
				seen++
			}
			return seen < enough
		})
		if most := len(header) + seen*len(row) + readAhead; seen != enough || src.bytes > most {
			t.Errorf("after %d rows %d bytes were read, want at most %d", seen, src.bytes, most)
		}
	}
}

// slowCSV is the CSV of rows, all columns in order.
func slowCSV(rows ...gen.Cells) []byte { return plainCase(rows...).Write().Text }

// hungryTexts are what a bad reader does more and more work for, when they come again and
// again: rows, cells, quotes and line ends that make findings, or seem to be about to end.
var hungryTexts = [...]string{"x\n", ";", "\"", "\"\"", "\n", "\r", "a\"b\n", "\"a\nb\"\n", "\"a\";", "\x00", "\xff", "é", ",", "\"\";\"\n"}

// growsWithInput compares a short and a long input of the same kind: reads from the source, and bytes allocated.
func growsWithInput(t *T) {
	const short, long = 1 << 12, 1 << 16
	for _, shape := range hungryTexts {
		read := func(size int) (allocs uint64, reads int) {
			text := append(slowCSV(plainRow(gen.OnSRC)), bytes.Repeat([]byte(shape), size/len(shape))...)
			src := &countedSource{src: bytes.NewReader(text)}
			allocs = allocated(func() {
				t.ReadPayload(src, rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}, func(PayloadStep) bool { return true })
			})
			return allocs, src.reads
		}
		const perByte, fixed = 1 << 10, 4 << 20
		near, _ := read(short)
		far, reads := read(long)
		if far > near+(long-short)*perByte+fixed {
			t.Errorf("%q again and again: %d bytes allocated for %d, %d for %d", shape, near, short, far, long)
			return // the others would cost as much
		}
		if reads > long {
			t.Fatalf("%q again and again: %d reads of a source of %d bytes", shape, reads, long)
		}
	}
}
