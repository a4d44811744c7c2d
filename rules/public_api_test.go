package rules

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// TestNothingOfAReaderIsPrinted: package fmt printed the whole row of a Reader in an unexported field, and of one by value.
func TestNothingOfAReaderIsPrinted(t *testing.T) {
	r := NewReader(strings.NewReader(document(source(nil), source(nil))), options())
	for row := range r.Rows() {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%t", "%x", "%d"} {
			for _, v := range []any{r, *r, struct{ r *Reader }{r}, struct{ r Reader }{*r}, struct{ row *Row }{row}, struct{ row Row }{*row}, struct{ c Cell }{row.Cell(ColumnCVV2)}} {
				if text := fmt.Sprintf(verb, v); strings.Contains(text, "4111") || strings.Contains(text, "JOHN") {
					t.Errorf("%s of %T: %s", verb, v, text)
				}
			}
		}
		break
	}
	var seen func(v reflect.Value, depth int)
	seen = func(v reflect.Value, depth int) {
		if v.Kind() == reflect.String && strings.Contains(v.String(), "41111111") {
			t.Error("reflection finds the card number")
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() && depth < 20 {
				seen(v.Elem(), depth+1)
			}
		case reflect.Struct:
			for _, field := range v.Fields() {
				seen(field, depth+1)
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				seen(v.Index(i), depth+1)
			}
		}
	}
	seen(reflect.ValueOf(r), 0)
	for row := range NewReader(strings.NewReader(document(source(values{ColumnOrderID: "4111111111111111"}))), options()).Rows() {
		seen(reflect.ValueOf(row), 0)
	}
}

// TestOwnCardNumberInAnID: the row's own card number was printed as the id where both are written with the same marks
// between the digits, and one of fewer than twelve digits in findings.
func TestOwnCardNumberInAnID(t *testing.T) {
	for _, card := range []string{"4111.1111.1111.1111", "4111  1111  1111  1111", "4111_1111_1111_1111", "4111\u00a01111\u00a01111\u00a01111", "4111/1111/1111/1111", "4111\t1111\t1111\t1111",
		"4111\u20131111\u20131111\u20131111", "42222222222"} {
		j := judge(document(destination(values{ColumnOrderID: card, ColumnCardNumber: card, ColumnAmount: "1e3"})), options())
		for _, p := range j.problems {
			if p.Place.Row == 1 && (p.Place.Profile == card || strings.Contains(digitsIn(p.Place.Profile), digitsIn(card))) {
				t.Errorf("%q is shown as %q", card, p.Place.Profile)
			}
		}
		if shown := Mask(ColumnOrderDesc, "paid by "+card+" today"); len(digitsIn(card)) > 11 && strings.Contains(digitsIn(shown), digitsIn(card)) {
			t.Errorf("in a text %q is shown as %q", card, shown)
		}
	}
	for _, text := range []string{"192.168.100.200", "10.00,20.00,30.00", "31.12.2026", "order 2026-01-31/17"} {
		if got := Mask(ColumnOrderDesc, text); got != text {
			t.Errorf("%q is masked: %q", text, got)
		}
	}
}

// TestExcerptHidesUnknownColumns: a header CVV2 or e-mail is not a column's name, and the length of a security code and the shape of an
// address were shown below it.
func TestExcerptHidesUnknownColumns(t *testing.T) {
	o := options()
	o.Severity = map[ledger.Code]ledger.Severity{ColumnUnknown: ledger.SeverityWarning}
	text := strings.Replace(shortHeader, `"amount"`, `"CVV2";"amount"`, 1) + `"DST";"order-1";"4111111111111111";"9876";"1e3";"EUR"` + "\n"
	r := NewReader(strings.NewReader(text), o)
	shown := 0
	for _, found := range r.Rows() {
		for _, p := range found {
			if excerpt, _, ok := r.Excerpt(p); ok && p.Place.Row == 1 {
				if shown++; strings.Contains(excerpt, `"9999"`) || !strings.Contains(excerpt, `"***"`) {
					t.Error(excerpt)
				}
			}
		}
	}
	if shown == 0 {
		t.Error("no excerpt")
	}
}

// TestExcerptHasOneLine: the tab of a header with tabs was printed as it is.
func TestExcerptHasOneLine(t *testing.T) {
	r := NewReader(strings.NewReader(strings.ReplaceAll(short, ";", "\t")), options())
	for _, found := range r.Rows() {
		for _, p := range found {
			if excerpt, _, ok := r.Excerpt(p); ok && strings.ContainsAny(excerpt, "\t\n") {
				t.Errorf("%q", excerpt)
			}
		}
	}
	if _, err := Column(77).MarshalText(); err == nil {
		t.Error("a column that there is not is marshalled")
	}
}

// TestNoSeverityMakesCutInputWhole: with limit-rows=off, and others that say that reading ended, a payload that was read in
// part was called right (B4).
func TestNoSeverityMakesCutInputWhole(t *testing.T) {
	many := AppendHeader(nil)
	for i := range 100 {
		many = append(many, line(source(values{ColumnOrderID: strconv.Itoa(i)}))...)
	}
	broken := []byte(base64.StdEncoding.EncodeToString(many))
	broken[len(broken)/2] = '*'
	off := map[ledger.Code]ledger.Severity{}
	for r := range Rules() {
		off[r.Code] = ledger.SeverityOff
	}
	for name, c := range map[string]struct {
		text string
		set  func(*Options)
	}{
		"rows":           {string(many), func(o *Options) { o.MaxRows = 1 }},
		"bytes":          {string(many), func(o *Options) { o.MaxBytes = 5000 }},
		"base64":         {string(broken), func(*Options) {}},
		"an open quote":  {short + `"DST";"x` + "\n", func(*Options) {}},
		"a row's quote":  {short + `"DS"T";"x"` + "\n", func(*Options) {}},
		"UTF-16":         {wide(mark+short, false), func(*Options) {}},
		"a header fault": {`"rp_card_type"x;"a"` + "\n" + shortRow, func(*Options) {}},
	} {
		o := options()
		o.Severity = off
		c.set(&o)
		report, err := Validate(strings.NewReader(c.text), o)
		if err != nil || report.OK() || report.Errors == 0 && name != "a row's quote" {
			t.Errorf("%s: OK %v, %+v, %v, %v", name, report.OK(), report.Summary, report.Findings, err)
		}
	}
	if found, err := Decode(io.Discard, bytes.NewReader(broken), Options{Severity: off}); err == nil && found.Err() == nil {
		t.Error("a part of a payload is decoded without a word")
	}
}

// TestLengthCountsADoubledQuoteOnce: a state of one quote character was too short in the last row, and nothing in any other (B6).
func TestLengthCountsADoubledQuoteOnce(t *testing.T) {
	row := source(values{ColumnState: `"`})
	for n := range 3 {
		rows := slices.Repeat([]values{row}, n+1)
		for i, p := range judge(document(rows...), options()).problems {
			if p.Code != TooShort && p.Code != OrderIDDuplicate {
				t.Errorf("%d rows, %d: %v", n+1, i, p)
			}
		}
		if got := judge(document(rows...), options()).problems; got.Count(ledger.SeverityError) != n+1 {
			t.Errorf("%d rows: %v", n+1, got)
		}
	}
}

// TestNoFalseRepetition: the two ids had the same hash (B7).
func TestNoFalseRepetition(t *testing.T) {
	a, b := source(values{ColumnOrderID: "a0168303j1lJ0INd00000001"}), source(values{ColumnOrderID: "a0109416jojOvDHr00000001"})
	if got := verdict(judge(document(a, b), options()).problems); got != "A" {
		t.Error(got)
	}
}

// TestPlacesBehindLineBreaks: of a value without quotes behind a line break in its row, and of a blank line behind a stray CR (B9).
func TestPlacesBehindLineBreaks(t *testing.T) {
	header := `"rp_card_type";"client-orderid";"order_desc";"amount"` + "\n"
	for text, code := range map[string]ledger.Code{
		header + "\"DST\";\"o\";\"a\nb\";5\n": CSVUnquoted, `"rp_card_type";"client-orderid"` + "\r\r\n" + `"DST";"x"` + "\n": BlankLine,
	} {
		found := 0
		o := options()
		o.Severity = map[ledger.Code]ledger.Severity{ColumnMissing: ledger.SeverityWarning, AmountMissing: ledger.SeverityWarning}
		for _, p := range judge(text, o).problems {
			if line, col := lineAndColumn(text, int(p.Place.Offset)); line != p.Place.Line || col != p.Place.Col {
				t.Errorf("%v: byte %d is %d:%d", p, p.Place.Offset, line, col)
			}
			if p.Code == code {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s: %d in %v", code, found, judge(text, o).problems)
		}
	}
}

// TestWideHeadersCostLittle: a header of 512 KiB took 43 seconds to mend, rows of 1 MiB of semicolons 143 MB (B8).
func TestWideHeadersCostLittle(t *testing.T) {
	texts := []string{"rp_card_type;client-orderid" + strings.Repeat(";a", 256<<10) + "\n", short + strings.Repeat(strings.Repeat(";", 1<<20-1)+"\n", 3)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, text := range texts {
		if j := judge(text, options()); !j.problems.Has(LimitColumns) {
			t.Error(j.problems)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
		t.Errorf("%d bytes allocated", grown)
	}
}

// TestScheduleOnly: where only the schedule is read, a card is not needed, and what is wrong elsewhere leaves no row out and is counted
// (L48b).
func TestScheduleOnly(t *testing.T) {
	o := options()
	o.ScheduleOnly = true
	header := `"client-orderid";"amount";"currency";"period";"interval";"start-date"` + "\n"
	j := judge(header+`"a";"9.90";"€";"month";"1";"31.01.2026"`+"\n"+`"b";"9,90";"EUR";"month";"1";"31.01.2026"`+"\n", o)
	if got := verdict(j.problems); got != "E amount-syntax, W currency-unknown" || len(j.rows) != 1 || j.rows[0].Currency != "EUR" || j.rows[0].Kind.String() != "SRC" ||
		j.summary.Unsendable != 1 || !j.rows[0].Unsendable || j.summary.Valid != 1 {
		t.Errorf("%s, %+v", got, j.summary)
	}
	for name, row := range map[string]values{
		"a masked card": source(values{ColumnCardNumber: "411111******1111"}), "an encoding": source(values{ColumnCity: "K\xf6ln"}), "an expiry": source(values{ColumnExpireYear: "26"}),
		"a card type": source(values{ColumnCardType: ""}), "both callbacks": source(values{ColumnNotifyURL: "https://a.example", ColumnServerCallbackURL: "https://a.example"}),
	} {
		j := judge(document(row), o)
		if len(j.problems) > 0 || len(j.rows) != 1 || j.summary.Unsendable != 1 || j.summary.OK() {
			t.Errorf("%s: %v, %+v", name, j.problems, j.summary)
		}
		if _, err := Validate(strings.NewReader(document(row)), o); err != nil {
			t.Error(err)
		}
	}
	if j := judge(document(source(nil)), o); len(j.rows) != 1 || j.summary.Unsendable != 0 || !j.summary.OK() {
		t.Errorf("a row that can be sent: %v, %+v", j.problems, j.summary)
	}
	for text, want := range map[string]string{
		strings.Replace(header, "start-date", "startdate", 1) + "x\n": "E column-unknown", strings.Replace(header, `"period"`, `"amount"`, 1) + "x\n": "E column-duplicate",
		strings.Replace(header, `"currency";`, "", 1) + "x\n": "E column-missing", strings.Replace(header, `"amount";`, "", 1) + "x\n": "E amount-missing",
		header + `"a"` + "\n": "E csv-width", header + `"a"x` + "\n": "E csv-quote",
	} {
		if j := judge(text, o); verdict(j.problems) != want || len(j.rows) != 0 || j.summary.Unsendable != 0 {
			t.Errorf("%q: %s, want %s; %+v", text, verdict(j.problems), want, j.summary)
		}
	}
}

// TestJoinedFiles: a row that repeats the header had twenty problems in twelve codes (X7).
func TestJoinedFiles(t *testing.T) {
	for text, want := range map[string]string{
		short + shortHeader + otherRow: "E row-repeats-header", short + mark + shortHeader + otherRow: "E row-repeats-header", short + mark + otherRow: "E byte-order-mark",
		document(source(nil)) + document(source(values{ColumnOrderID: "b"})): "E row-repeats-header",
	} {
		if got := verdict(judge(text, options()).problems); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestUpdateOfAWebForm: a date field of a page sends 2026-03-05, and an error says which name is not a column (E10, E13).
func TestUpdateOfAWebForm(t *testing.T) {
	set := func(yield func(string, string) bool) {
		_ = yield("start-date", "2026-03-05") && yield("startdate", "x") && yield("finish-date", "05.03.2027")
	}
	u, found := ParseUpdate(set, UpdateOptions{ISO: true})
	if u.Start.Value.String() != "2026-03-05" || u.Finish.Value.String() != "2027-03-05" || verdict(found) != "E column-unknown" || !strings.Contains(found[0].Message, "name 2") {
		t.Errorf("%+v, %v", u, found)
	}
	if _, found := ParseUpdate(set, UpdateOptions{}); !errors.Is(found.Err(), DateSyntax) {
		t.Error(found)
	}
}

// TestWordsOfBodies: what programs do to the payload's value is named; the words led astray (X8).
func TestWordsOfBodies(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte(short + "\n"))
	for len(text)%4 != 0 || !strings.HasSuffix(text, "=") {
		text = base64.StdEncoding.EncodeToString([]byte(short + "\n\n"))
	}
	plain := base64.StdEncoding.EncodeToString([]byte(short + strings.Repeat("\n", (3-len(short)%3)%3)))
	for body, want := range map[string]string{
		`payload="` + text + `"`: "in double quotes", "payload=b'" + text + "'": "apostrophe", "payload=None": "the word None", "payload=null&a=1": "the word null", "payload=undefined\n": "the word undefined",
		"payload=" + text + "%20": "a space follows", "payload=" + plain + "+": "a space follows", "payload=%20" + plain: "a space is before", "payload=+" + plain: "a space is before",
	} {
		o := options()
		o.Input = InputForm
		j := judge(body, o)
		if !slices.ContainsFunc(j.problems, func(f ledger.Finding) bool { return strings.Contains(f.Message, want) }) || j.summary.Valid > 0 {
			t.Errorf("%.20s…: %v", body, j.problems.Unwrap())
		}
	}
}
