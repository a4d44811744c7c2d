package rules

import (
	"bytes"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// lineAndColumn are those of a byte of a text, counted from its beginning.
func lineAndColumn(text string, at int) (line, col int) {
	before := text[:at]
	return 1 + strings.Count(before, "\n"), at - strings.LastIndexByte(before, '\n')
}

// oddPlaces are texts in which the place of a finding is easily off by one: behind a mark, blank lines, hints for a
// spreadsheet, a CR that ends no line, and values with line breaks.
func oddPlaces() (texts []string) {
	rows := line(destination(nil)) + "DST;b;4111111111111111;1.00;EUR\n" + shortRow
	header := shortHeader
	for _, before := range []string{"", mark, mark + mark, "\n\r\n", "sep=;\n", "sep=;\r\nsep=;\r\n", "sep=;\r", mark + "sep=;\r" + "sep=;\n", "\n\nsep=;\r\n"} {
		for _, head := range []string{header, strings.Replace(header, "currency", "curency", 1), strings.Replace(header, `"amount"`, "amount", 1), strings.ReplaceAll(header, ";", ",")} {
			for _, between := range []string{"", "\n\n", "\"x\"\r", "x\r\r", "\"two\nlines\";\"\"\n\"\r\"x\"\r\n", "\"\n\n\"\r"} {
				texts = append(texts, before+head+between+rows, before+head+rows+between+strings.TrimSuffix(shortRow, "\n"))
			}
		}
	}
	return texts
}

// TestPlacesAgree: line, column and offset of a finding name one byte of the text, wherever it is (V02).
func TestPlacesAgree(t *testing.T) {
	texts := oddPlaces()
	for _, c := range payloadVectors(t, "payload-csv", "payload-rows") {
		texts = append(texts, c.input)
	}
	chance := rand.New(rand.NewPCG(5, 7))
	for range 60 {
		texts = append(texts, string(severalRows(chance, 12)))
	}
	found := 0
	for _, text := range texts {
		if len(text) > 1<<20 {
			continue // seconds, for what shorter ones show
		}
		o := w3Options()
		o.Input = InputCSV
		for _, p := range judge(text, o).problems {
			found++
			at := int(p.Place.Offset)
			if at < 0 || at > len(text) {
				t.Fatalf("%q: %s at byte %d", text, p.Code, at)
			}
			if line, col := lineAndColumn(text, at); line != p.Place.Line || col != p.Place.Col {
				t.Errorf("%.300q: %s is at byte %d, that is %d:%d, and the finding says %d:%d", text, p.Code, at, line, col, p.Place.Line, p.Place.Col)
			}
		}
	}
	if found < 2000 {
		t.Errorf("%d findings", found)
	}
}

// TestPlacesOfChanges: line and column of a change are those at which the value begins that was changed or refused.
func TestPlacesOfChanges(t *testing.T) {
	for _, text := range oddPlaces() {
		f := Fixer{Report: func(c Change) {
			if c.Line == 0 || c.Column == 0 {
				return
			}
			lines := strings.SplitAfter(text, "\n")
			if c.Line > len(lines) || c.Col > len(lines[c.Line-1]) {
				t.Fatalf("%q: %+v", text, c)
			}
			at := len(strings.Join(lines[:c.Line-1], "")) + c.Col - 1
			if at > 0 && !strings.ContainsRune(";,\r\n", rune(text[at-1])) && text[:at] != mark {
				t.Errorf("%q: %+v is at byte %d, behind %q", text, c, at, text[at-1])
			}
		}}
		var out bytes.Buffer
		if _, err := f.Fix(&out, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCaretOfAnExcerpt: the caret is under the first character of the value that a finding is about or under the byte of
// it that the finding names; of a hidden value, under its beginning.
func TestCaretOfAnExcerpt(t *testing.T) {
	for value, before := range map[string]string{ // what of the value is before the byte
		"a\tb": "a", "\u00e4\u00f6\x00": "\u00e4\u00f6", " x": "", "x ": "", strings.Repeat("y", 39) + "\x00": strings.Repeat("y", 39),
		strings.Repeat("z", 60) + "\x00": strings.Repeat("z", 40), "\"\"\x00": "\"\"\"\"", "***\x00": "***",
	} {
		r := NewReader(strings.NewReader(document(source(values{ColumnPurpose: value}))), options())
		found := 0
		for _, ps := range r.Rows() {
			for _, p := range ps {
				if columnOf(p) != ColumnPurpose {
					continue
				}
				found++
				text, caret, ok := r.Excerpt(p)
				shown := []rune(text)
				begin := caret - 1 - utf8.RuneCountInString(before)
				if p.Code == SurroundingSpace { // it is about the value as a whole
					begin = caret
				}
				if !ok || begin < 1 || shown[begin] != '"' || shown[begin-1] != ';' {
					t.Errorf("%q: %s\n%s\n%s^", value, p.Code, text, strings.Repeat(" ", caret))
				}
			}
		}
		if found == 0 {
			t.Errorf("%q: nothing is found", value)
		}
	}
}

// TestProfileOfARow: the card expires on the last day of its month, and a row without a month has a card without an end.
func TestProfileOfARow(t *testing.T) {
	p := judge(document(source(nil)), options()).rows[0].Profile()
	if p.CardExpires != calendar.MustParse("2045-12-31") || p.ID != "order-1" || p.Start != calendar.MustParse("2026-01-31") || p.Finish != calendar.MustParse("2040-12-31") {
		t.Errorf("%+v", p)
	}
	if p := judge(document(destination(nil)), options()).rows[0].Profile(); !p.CardExpires.IsZero() {
		t.Errorf("%+v", p)
	}
}

// TestExcerptOfAnyByte: a place that is any byte of the row has its caret under that byte, or under the beginning of the
// value next to it; a place outside of the row has no excerpt.
func TestExcerptOfAnyByte(t *testing.T) {
	const row = `"DST";"order-1";"10.00"`
	r := NewReader(strings.NewReader(`"rp_card_type";"client-orderid";"amount"`+"\n"+row+"\n"), options())
	begin := int64(strings.Index(`"rp_card_type";"client-orderid";"amount"`+"\n"+row, row))
	rows := 0
	for _, found := range r.Rows() {
		if len(found) > 0 && found[0].Place.Row == 0 {
			continue // about the header
		}
		rows++
		for at := -1; at <= len(row)+1; at++ {
			text, caret, ok := r.Excerpt(ledger.Finding{Place: ledger.Place{Row: 1, Offset: begin + int64(at)}})
			want := at
			switch {
			case at < 0 || at > len(row):
				if ok {
					t.Errorf("byte %d: %s", at, text)
				}
				continue
			case at == len(row):
				want = strings.LastIndexByte(row[:at-1], '"')
			case row[at] == ';':
				want = at + 1
			}
			if !ok || caret != want || text != `"DST";"aaaaa-9";"99.99"` {
				t.Errorf("byte %d: %d, want %d in %s", at, caret, want, text)
			}
		}
	}
	if rows != 1 {
		t.Errorf("%d rows", rows)
	}
}

// TestCaretInAHiddenName: the caret is under the beginning of a name that the header does not show.
func TestCaretInAHiddenName(t *testing.T) {
	r := NewReader(strings.NewReader("\"rp_card_type\";\"abc\xff\";\"amount\"\n"), options())
	found := 0
	for _, ps := range r.Rows() {
		for _, p := range ps {
			if p.Code != InvalidUTF8 {
				continue
			}
			found++
			const want = `"rp_card_type";"***";"amount"`
			if text, caret, ok := r.Excerpt(p); !ok || text != want || caret != strings.Index(want, `"***`) {
				t.Errorf("%d in %s, %t", caret, text, ok)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d findings", found)
	}
}

// csvReader is the standard library's reader, set to the payload's separator.
func csvReader(src io.Reader) *csv.Reader {
	r := csv.NewReader(src)
	r.Comma = ';'
	r.ReuseRecord = true
	return r
}
