package rules_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// TestAnyBytes: any bytes give rows and findings, the same each time, never a panic; a row that can be used has no error (L43).
func TestAnyBytes(t *testing.T) { holds(t, 1000, gen.PayloadTexts, totalAndSame) }

// TestEmptyIsAbsent: an empty cell is an absent optional column (L37).
func TestEmptyIsAbsent(t *testing.T) { holds(t, 300, gen.FaultyPayloads, emptyIsAbsent) }

// TestCellsSurvive: rows that are written and read again keep every byte of every cell (clause 4.1).
func TestCellsSurvive(t *testing.T) { holds(t, 300, gen.RoughPayloads, cellsSurvive) }

// TestRewrittenOnce: writing what was read is a fixed point: always quoted, ; between values, header first (clause 4.1).
func TestRewrittenOnce(t *testing.T) { holds(t, 300, gen.PayloadTexts, rewrittenOnce) }

// TestLikeStandardReader: where encoding/csv and this reader both accept and no cell has a CR, cells and line numbers agree (L43).
func TestLikeStandardReader(t *testing.T) { holds(t, 500, gen.PayloadTexts, likeStandardReader) }

// TestTruePlaces: input[offset:] begins the cell; line and column count from 1 and point there (L43).
func TestTruePlaces(t *testing.T) { holds(t, 300, gen.BrokenPayloads, truePlaces) }

// TestBrokenRowStaysAlone: a row of another width or a broken row is reported, and the next row is read as if alone (L43).
func TestBrokenRowStaysAlone(t *testing.T) { holds(t, 300, gen.FaultyPayloads, brokenRowStaysAlone) }

// TestChunksAlike: whole, one byte at a time, in halves, with an error after n bytes: the same rows and findings (clause 4.1).
func TestChunksAlike(t *testing.T) { holds(t, 300, gen.SentTexts, chunksAlike) }

// TestBase64RoundTrip: what is encoded as base64 reads back as it was, in the alphabet A-Za-z0-9+/= (clause 4.1).
func TestBase64RoundTrip(t *testing.T) { holds(t, 1000, gen.PayloadBytes, base64RoundTrip) }

// TestFormRoundTrip: a form body percent-encodes + / =, and reads back as the payload that it was made of (clause 4.1).
func TestFormRoundTrip(t *testing.T) { holds(t, 1000, gen.PayloadBytes, formRoundTrip) }

// TestFormsAlike: one payload as CSV, as base64 and as form body: the same rows, the same findings but for places in the wire
// form (clause 4.1).
func TestFormsAlike(t *testing.T) { holds(t, 300, gen.PayloadTexts, formsAlike) }

// TestDefectsNamed: each named defect of base64 put onto a good text has its own name (L49).
func TestDefectsNamed(t *testing.T) { holds(t, 300, gen.PayloadBytes, defectsNamed) }

// TestRowsStream: each row comes before much more was read, and a reader that has seen enough is not fed further (L56d).
func TestRowsStream(t *testing.T) { once(t, streams) }

// TestReadingGrowsWithInput: what is read from the source and what is allocated grows with the input at most (L56d).
func TestReadingGrowsWithInput(t *testing.T) { once(t, growsWithInput) }

func totalAndSame(t *prop, text string) {
	for _, in := range [...]rules.Input{rules.InputCSV, rules.InputAuto} {
		o := rules.Options{AsOf: gen.JudgedOn(), Input: in}
		j := t.read(strings.NewReader(text), o)
		t.Equal("read again", t.read(strings.NewReader(text), o), j)
		valid, failures := 0, plain.ErrorsIn(j.Findings())
		for _, s := range j.Steps {
			for _, f := range s.Findings {
				wellFormed(t, f, len(text))
			}
			if s.Row == nil {
				continue
			}
			if valid++; plain.HasError(s.Findings) {
				t.Errorf("a row with errors can be used: %s", s.Findings)
			}
		}
		if j.End.Valid != valid || j.End.Errors != failures || j.End.Rows < valid || j.End.Err != nil {
			t.Errorf("%d usable rows and %d errors, the end says %s", valid, failures, j.End)
		}
	}
}

func wellFormed(t *prop, f plain.Finding, size int) {
	if f.Code == "" || f.Severity != ledger.SeverityError && f.Severity != ledger.SeverityWarning || f.Text == "" || f.Line < 1 || f.Col < 1 || f.Offset < 0 || f.Offset > int64(size) || f.Row < 0 {
		t.Errorf("a finding that says too little, or points nowhere: %v", f)
	}
}

func emptyIsAbsent(t *prop, c gen.PayloadCase) {
	full, few := c, c
	full.Columns = plainCase().Columns
	few.Columns = slices.DeleteFunc(plainCase().Columns, func(column rules.Column) bool { return c.Needed()>>column&1 == 0 })
	_, a := t.readCase(full)
	_, b := t.readCase(few)
	for i := range c.Rows {
		what := fmt.Sprintf("row %d with empty cells and without their columns", i+1)
		t.samePlaceless(what, a.About(i+1), b.About(i+1))
		t.sameRow(what, a.Row(i+1), b.Row(i+1))
	}
}

func cellsSurvive(t *prop, c gen.PayloadCase) {
	var rows []gen.Cells
	for _, row := range c.Rows {
		rows = append(rows, row.Clean)
	}
	text := writeRows(rows)
	plain, ok := oracle.Records(text)
	if !ok || len(plain) != len(rows)+1 || !slices.Equal(plain[0], gen.DocumentNames()[1:]) {
		t.Fatalf("the text is not canonical CSV: %q", text)
	}
	j := t.readCSV(text, c.Options())
	for i, want := range rows {
		if !slices.Equal(plain[i+1], want[1:]) {
			t.Errorf("row %d is written as %q, want %q", i+1, plain[i+1], want)
		}
		if row := j.Row(i + 1); row == nil {
			t.Errorf("row %d cannot be used when it is read back:\n%v", i+1, j.About(i+1))
		} else {
			t.Equal(fmt.Sprintf("row %d read back", i+1), row.Cells, want)
		}
	}
}

func rewrittenOnce(t *prop, text string) {
	o := rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}
	once := rewritePayload([]byte(text), o)
	records, ok := oracle.Records(once)
	if !ok || len(records) == 0 || !slices.Equal(records[0], gen.DocumentNames()[1:]) {
		t.Errorf("what is written is no canonical CSV: %q", once)
	}
	if twice := rewritePayload(once, o); !bytes.Equal(once, twice) {
		t.Errorf("written once %q, twice %q", once, twice)
	}
}

// likeStandardReader compares with package csv, which reads blank lines, widths and a
// byte-order mark otherwise, or not at all.
func likeStandardReader(t *prop, text string) {
	o := rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}
	j := t.read(strings.NewReader(text), o)
	for _, f := range j.Findings() {
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
	if j.End.Rows != len(records)-1 {
		t.Fatalf("%d rows, package csv has %d", j.End.Rows, len(records)-1)
	}
	for _, s := range j.Steps {
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

func truePlaces(t *prop, c gen.PayloadCase) {
	w, j := t.readCase(c)
	for _, f := range j.Findings() {
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
	for _, s := range j.Steps {
		if s.Row != nil {
			if line, _ := gen.LineAndColumn(w.Text, w.Rows[s.Row.Number-1].From); s.Row.Line != line {
				t.Errorf("row %d is said to be on line %d, not %d", s.Row.Number, s.Row.Line, line)
			}
		}
	}
}

// insideCell reports whether a finding may point to a byte inside a value.
func insideCell(f plain.Finding) bool {
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

func brokenRowStaysAlone(t *prop, c gen.PayloadCase) {
	c.Blank = false
	w, was := t.readCase(c)
	at := int(c.Pick % uint64(len(c.Rows)))
	bad := brokenRows[c.Pick>>32%uint64(len(brokenRows))]
	from := w.Rows[at].From
	is := t.readCSV(slices.Concat(w.Text[:from], []byte(bad.text), w.Text[from:]), c.Options())
	if found := is.About(at + 1); !plain.Has(found, bad.code, 0) || !plain.HasError(found) || is.Row(at+1) != nil {
		t.Errorf("%q is reported as\n%s", bad.text, found)
	}
	for i := range c.Rows {
		n := i + 1
		if i >= at {
			n++
		}
		what := fmt.Sprintf("row %d beside %q", i+1, bad.text)
		t.samePlaceless(what, is.About(n), was.About(i+1))
		t.sameRow(what, is.Row(n), was.Row(i+1))
	}
	if is.End.Rows != was.End.Rows+1 || is.End.Valid != was.End.Valid {
		t.Errorf("the end says %s; beside %q %s", was.End, bad.text, is.End)
	}
}

var errCut = errors.New("the source broke off")

func chunksAlike(t *prop, text string) {
	o := rules.Options{AsOf: gen.JudgedOn()}
	if len(text)%3 == 0 {
		o.Input = [...]rules.Input{rules.InputCSV, rules.InputBase64, rules.InputForm}[len(text)/3%3]
	}
	same := func(x plain.Judgement, how string, src io.Reader) {
		t.Equal(how, t.read(src, o), x)
	}
	whole := t.read(strings.NewReader(text), o)
	same(whole, "one byte at a time", iotest.OneByteReader(strings.NewReader(text)))
	same(whole, "in halves, the end with the last of them", iotest.DataErrReader(iotest.HalfReader(strings.NewReader(text))))
	cut := len(text) * 2 / 3
	broken := func() io.Reader { return io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(errCut)) }
	short := t.read(broken(), o)
	same(short, "one byte at a time and then an error", iotest.OneByteReader(broken()))
	if !errors.Is(short.End.Err, errCut) && whole.End.Rows > 0 && !reflect.DeepEqual(short.Findings(), whole.Findings()) {
		t.Errorf("the source's error is reported as %v", short.End.Err)
	}
	if slices.ContainsFunc(whole.Findings(), func(f plain.Finding) bool { return f.Wire && f.Severity == ledger.SeverityError }) {
		return // a fault of the wire form that comes early leaves no rows; the cut may lie before it
	}
	for _, s := range short.Steps {
		if s.Row != nil {
			t.Equal("a row before an error, and without it", s.Row, whole.Row(s.Row.Number))
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

// streams checks that each row comes before much more was read, and that a reader who
// has seen enough is not fed further.
func streams(t *prop) {
	row := string(slowCSV(plain.FaultlessRow(gen.OnSRC)))
	header := string(slowCSV())
	row = strings.TrimPrefix(row, header)
	for _, enough := range [...]int{3, 5000} {
		src := &countedSource{src: strings.NewReader(header + strings.Repeat(row, 10_000))}
		seen := 0
		plain.ReadPayload(src, rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV, MaxOrderIDs: -1}, func(s plain.PayloadStep) bool {
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

// hungryTexts are what a bad reader does more and more work for, when they come again and
// again: rows, cells, quotes and line ends that make findings, or seem to be about to end.
var hungryTexts = [...]string{"x\n", ";", "\"", "\"\"", "\n", "\r", "a\"b\n", "\"a\nb\"\n", "\"a\";", "\x00", "\xff", "é", ",", "\"\";\"\n"}

// growsWithInput compares a short and a long input of the same kind: reads from the source, and bytes allocated.
func growsWithInput(t *prop) {
	const short, long = 1 << 12, 1 << 16
	for _, shape := range hungryTexts {
		read := func(size int) (allocs uint64, reads int) {
			text := append(slowCSV(plain.FaultlessRow(gen.OnSRC)), bytes.Repeat([]byte(shape), size/len(shape))...)
			src := &countedSource{src: bytes.NewReader(text)}
			allocs = allocated(func() {
				plain.ReadPayload(src, rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}, func(plain.PayloadStep) bool { return true })
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

// Read counts and reads.
func (s *countedSource) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	s.reads, s.bytes = s.reads+1, s.bytes+n
	return n, err
}

// slowCSV is the CSV of rows, all columns in order.
func slowCSV(rows ...gen.Cells) []byte { return plainCase(rows...).Write().Text }

func base64RoundTrip(t *prop, text string) {
	coded := encodedAs(text, rules.InputBase64)
	if want := base64.StdEncoding.EncodeToString([]byte(text)); string(coded) != want {
		t.Errorf("%q is encoded as %q, want %q", text, coded, want)
	}
	readBack(t, text, coded, rules.InputBase64)
}

func formRoundTrip(t *prop, text string) {
	body := encodedAs(text, rules.InputForm)
	pairs, err := url.ParseQuery(string(body))
	coded, named := strings.CutPrefix(string(body), "payload=")
	if raw, ok := oracle.Base64(pairs.Get("payload")); err != nil || !named || len(pairs) != 1 || strings.ContainsAny(coded, "+/=") || !ok || string(raw) != text {
		t.Errorf("%q is sent as %q", text, body)
	}
	readBack(t, text, body, rules.InputForm)
}

// readBack reads what was sent; half of the cases leave the form to be recognised.
func readBack(t *prop, text string, sent []byte, in rules.Input) {
	if !strings.HasPrefix(text, gen.PayloadStart) {
		return // shrunk to something that is not a payload
	}
	if len(text)%2 == 1 {
		in = rules.InputAuto
	}
	if got, found := t.decode(sent, rules.Options{AsOf: gen.JudgedOn(), Input: in}); string(got) != text || len(found) > 0 {
		t.Errorf("%q is read back as %v: %q\n%s", sent, in, got, found)
	}
}

func formsAlike(t *prop, text string) {
	read := func(sent []byte, in rules.Input) ([]*plain.PayloadRow, []plain.Finding) {
		j := t.read(bytes.NewReader(sent), rules.Options{AsOf: gen.JudgedOn(), Input: in})
		var rows []*plain.PayloadRow
		for _, s := range j.Steps {
			if s.Row != nil {
				rows = append(rows, s.Row)
			}
		}
		return rows, slices.DeleteFunc(j.Findings(), func(f plain.Finding) bool { return f.Wire })
	}
	rows, found := read([]byte(text), rules.InputCSV)
	if plain.Has(found, rules.NotAPayload, 0) || len(text) == 0 {
		return // reported of the wire form then
	}
	for _, in := range [...]rules.Input{rules.InputBase64, rules.InputForm} {
		others, said := read(encodedAs(text, in), in)
		t.Equal("the findings as "+in.String()+" and as CSV", said, found)
		t.Equal("the rows as "+in.String()+" and as CSV", others, rows)
	}
}

// defectsNamed adds bytes that make every defect possible: characters 62 and 63 and a
// padding of one.
func defectsNamed(t *prop, text string) {
	for len(text)%3 != 0 {
		text += "x"
	}
	text = gen.PayloadStart + text + "\xfb\xef\xbe\xff\xff\xff" + "ab" // 3·5 bytes before it
	coded := base64.StdEncoding.EncodeToString([]byte(text))
	half := len(coded) / 2
	for _, defect := range [...]struct {
		code ledger.Code
		text string
	}{
		{rules.Base64Wrapped, coded[:half] + "\n" + coded[half:]},
		{rules.Base64Wrapped, coded[:half] + "\r\n" + coded[half:] + "\r\n"},
		{rules.Base64URLSafe, strings.NewReplacer("+", "-", "/", "_").Replace(coded)},
		{rules.Base64Unpadded, strings.TrimRight(coded, "=")},
		{rules.Base64Space, strings.ReplaceAll(coded, "+", " ")},
		{rules.Base64Double, base64.StdEncoding.EncodeToString([]byte(coded))},
		{rules.Base64StrayBits, coded[:len(coded)-2] + "J="},
		{rules.Base64Syntax, coded + "="},
	} {
		for _, in := range [...]rules.Input{rules.InputBase64, rules.InputAuto} {
			if _, found := t.decode([]byte(defect.text), rules.Options{AsOf: gen.JudgedOn(), Input: in}); len(found) != 1 || found[0].Code != defect.code {
				t.Errorf("%v of %q is reported, read as %v, as\n%s", defect.code, text, in, found)
			}
		}
	}
}
