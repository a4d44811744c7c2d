package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/form"
	"github.com/chargecast/chargecast/ledger"
)

// TestSourceThatBreaksOff: an error that looks like an end, but is not io.EOF itself, is the error
// of reading, decoding and encoding, at whatever byte it comes (R1, R2, h304).
func TestSourceThatBreaksOff(t *testing.T) {
	text := []byte(short + otherRow)
	forms := map[Input][]byte{InputCSV: text, InputBase64: nil, InputForm: nil}
	for form := range forms {
		var b bytes.Buffer
		if err := Encode(&b, bytes.NewReader(text), form); err != nil {
			t.Fatal(err)
		}
		forms[form] = b.Bytes()
	}
	for _, broken := range []error{io.ErrUnexpectedEOF, fmt.Errorf("the connection was closed: %w", io.EOF)} {
		for form, wire := range forms {
			for n := range len(wire) + 1 {
				cut := func() io.Reader { return io.MultiReader(bytes.NewReader(wire[:n]), iotest.ErrReader(broken)) }
				r := NewReader(cut(), Options{AsOf: asOf(), Input: form})
				for range r.Rows() {
				}
				if !errors.Is(r.Err(), broken) && !r.Summary().Unreadable {
					t.Fatalf("%v after %d of %d bytes of %v: the reader's error is %v", broken, n, len(wire), form, r.Err())
				}
				if _, err := Decode(io.Discard, cut(), Options{Input: form}); !errors.Is(err, broken) {
					t.Fatalf("%v after %d of %d bytes of %v: decoding ends with %v", broken, n, len(wire), form, err)
				}
				if err := Encode(io.Discard, cut(), form); !errors.Is(err, broken) {
					t.Fatalf("%v after %d bytes: encoding to %v ends with %v", broken, n, form, err)
				}
			}
		}
	}
	if err := Encode(io.Discard, readNothing{}, InputBase64); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a source that gives nothing: %v", err)
	}
}

// TestInstructionLinesAreReportedOnce: lines "sep=;" before the header make one finding, and no
// memory grows with them (R3, h305).
func TestInstructionLinesAreReportedOnce(t *testing.T) {
	const lines = 300_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	j := judge(strings.Repeat("sep=;\n", lines)+short, options())
	runtime.ReadMemStats(&after)
	if got := verdict(j.problems); got != "E csv-separator" || j.summary.Rows != 1 || j.summary.Valid != 0 {
		t.Fatalf("%.200s, %+v", got, j.summary)
	}
	if p := j.problems[0]; p.Place.Line != 1 || p.Place.Col != 1 || p.Place.Offset != 0 || !strings.HasPrefix(p.Message, "300000 lines ") {
		t.Errorf("%v", p)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 20<<20 {
		t.Errorf("%d bytes allocated", grown)
	}
	if j := judge("\n\"sep=;\"\n"+short, options()); len(j.problems) != 2 || j.problems[1].Place.Line != 2 || !strings.HasPrefix(j.problems[1].Message, "the first line ") {
		t.Errorf("%v", j.problems.Unwrap())
	}
}

// TestScheduleOnDestination: a DST row with period or interval, or both, gets one finding for each
// of them and no advice to give the other (R4).
func TestScheduleOnDestination(t *testing.T) {
	for _, c := range []struct {
		row  values
		want string
	}{
		{values{ColumnPeriod: "month", ColumnInterval: "1"}, "period interval"},
		{values{ColumnPeriod: "month"}, "period"},
		{values{ColumnInterval: "1"}, "interval"},
	} {
		var got []string
		for _, p := range judge(document(destination(c.row)), options()).problems {
			if p.Code != ScheduleOnDst || p.Severity != ledger.SeverityError {
				t.Errorf("%v", p)
			}
			got = append(got, p.Subject)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("findings on %v, want %s", got, c.want)
		}
	}
}

// TestZeroUpperBound: a bound of zero that must be replaced anyway is not to be swapped; where zero
// is allowed, the order counts (R5).
func TestZeroUpperBound(t *testing.T) {
	text := document(source(values{ColumnAmount: "", ColumnAmountFrom: "1.00", ColumnAmountTo: "0"}))
	for severity, want := range map[ledger.Severity]string{
		0: "E amount-zero", ledger.SeverityError: "E amount-zero", ledger.SeverityWarning: "E amount-order, W amount-zero", ledger.SeverityOff: "E amount-order",
	} {
		o := options()
		o.Severity = map[ledger.Code]ledger.Severity{AmountZero: severity}
		if got := verdict(judge(text, o).problems); got != want {
			t.Errorf("amount-zero=%v: %s, want %s", severity, got, want)
		}
	}
	o := options()
	o.Severity, o.Strict = map[ledger.Code]ledger.Severity{AmountZero: ledger.SeverityWarning}, true
	if got := verdict(judge(text, o).problems); got != "E amount-zero" {
		t.Errorf("strict: %s", got)
	}
}

// TestNoRowsPlace: line, column and offset of no-rows are those of the same place, with and
// without a line end after the header (R11).
func TestNoRowsPlace(t *testing.T) {
	header := strings.TrimSuffix(shortHeader, "\n")
	for _, c := range []struct {
		text      string
		line, col int
	}{{header, 1, len(header) + 1}, {header + "\n", 2, 1}, {header + "\r\n\n", 3, 1}, {mark + header, 1, len(mark+header) + 1}} {
		ps := judge(c.text, options()).problems
		p := ps[len(ps)-1]
		if p.Code != NoRows || p.Place.Line != c.line || p.Place.Col != c.col || p.Place.Offset != int64(len(c.text)) {
			t.Errorf("%q: %v at offset %d, want %d:%d at %d", c.text, p, p.Place.Offset, c.line, c.col, len(c.text))
		}
	}
}

// TestTextOfRowsThatCannotBeSplit: bytes that are not UTF-8, and NUL, are reported beside what makes
// a row unreadable, as far as it was read (R12).
func TestTextOfRowsThatCannotBeSplit(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"\"DST\";\"caf\xe9\"x;\"1\"\n", "E csv-quote, E invalid-utf8"},
		{"caf\xe9;\"1\"\n", "E csv-width, E invalid-utf8"},
		{"\"DST\";\"caf\xe9\r\n", "E csv-unterminated-quote, E invalid-utf8"},
		{"a\x00b\n", "E csv-width, E nul-character"},
		{"\"DST\"x;\"caf\xe9\"\n", "E csv-quote"}, // not read
	} {
		j := judge(short+c.row, options())
		if got := verdict(j.problems); got != c.want {
			t.Errorf("%q: %s, want %s", c.row, got, c.want)
		}
		for _, p := range j.problems {
			if want := int64(len(short) + strings.IndexFunc(c.row, func(r rune) bool { return r == utf8.RuneError || r == 0 })); (p.Code == InvalidUTF8 || p.Code == NULCharacter) && p.Place.Offset != want {
				t.Errorf("%q: offset %d, want %d", c.row, p.Place.Offset, want)
			}
		}
	}
}

// TestExcerptsConcealPersonalColumns: an excerpt shows nothing of personal data, not even its
// length, and nothing of a row whose values have no certain column (R7).
func TestExcerptsConcealPersonalColumns(t *testing.T) {
	for _, spec := range columns[1:] {
		if spec.privacy != masked {
			continue
		}
		text := document(source(values{spec.Column: "Zq9-Zq9-Zq99 "})) // trailing space: a finding wherever it is
		r := NewReader(strings.NewReader(text), options())
		shown := 0
		for _, ps := range r.Rows() {
			for _, p := range ps {
				if excerpt, _, ok := r.Excerpt(p); ok && columnOf(p) == spec.Column {
					shown++
					if strings.Contains(excerpt, "Aa9") || !strings.Contains(excerpt, `"***"`) {
						t.Errorf("%v: %s", spec.Column, excerpt)
					}
				}
			}
		}
		if shown == 0 {
			t.Errorf("%v: no excerpt", spec.Column)
		}
	}
	r := NewReader(strings.NewReader(shortHeader+`"DST";"order-1";"999-99-9999"`+"\n"), options())
	for _, ps := range r.Rows() {
		for _, p := range ps {
			if excerpt, _, ok := r.Excerpt(p); p.Code == CSVWidth && (!ok || strings.ContainsAny(excerpt, "Aa9")) {
				t.Errorf("a row of another width: %s, %v", excerpt, ok)
			}
		}
	}
}

// TestOrderIDLikeCard: a client-orderid that could be a card number warns, unless it is the row's
// own card number (R10, L47).
func TestOrderIDLikeCard(t *testing.T) {
	for id, want := range map[string]string{
		"5555555555554444": "W orderid-like-card", "378282246310005": "W orderid-like-card", "4222222222222": "W orderid-like-card",
		"6304000000000000000": "W orderid-like-card", // 19 digits
		"4111111111111111":    "A",                   // the row's own
		"5555555555554445":    "A",                   // check digit
		"2223003122003222":    "A",                   // first digit
		"7000000000000005":    "A",
		"422222222222":        "A", // 12 digits
		"order-1":             "A", "555555555555444x": "A", "5555-5555-5555-4444": "A",
	} {
		j := judge(document(destination(values{ColumnOrderID: id, ColumnCardNumber: "4111111111111111"})), options())
		if got := verdict(j.problems); got != want || len(j.rows) != 1 || j.rows[0].OrderID() != id {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// TestExpiredCardWarnsOnce: where the card has expired already, nothing is said of the charges
// after it, even if the warning is switched off (L39).
func TestExpiredCardWarnsOnce(t *testing.T) {
	o := Options{AsOf: calendar.MustParse("2026-03-10")}
	text := document(source(values{ColumnExpireYear: "2026", ColumnExpireMonth: "02", ColumnStartDate: "31.03.2026", ColumnFinishDate: ""}))
	if got := verdict(judge(text, o).problems); got != "W card-expired" {
		t.Error(got)
	}
	o.Severity = map[ledger.Code]ledger.Severity{CardExpired: ledger.SeverityOff}
	if got := verdict(judge(text, o).problems); got != "A" {
		t.Error("off:", got)
	}
}

// TestFindingsNameTheProfile: a finding about a row has its client-orderid, masked where it is the
// row's own card number, and none where the values of the row may be shifted (C15, L47).
func TestFindingsNameTheProfile(t *testing.T) {
	for _, c := range []struct {
		reason string
		row    values
		want   string
	}{
		{"the merchant's key", values{ColumnOrderID: "order-1"}, "order-1"},
		{"another card number warns, and is the merchant's key", values{ColumnOrderID: "5555555555554444"}, "5555555555554444"},
		{"the row's own card number", values{ColumnOrderID: "4111111111111111"}, "411111******1111"},
		{"with something beside it", values{ColumnOrderID: "x-4111111111111111"}, "x-411111******1111"},
		{"in groups", values{ColumnOrderID: "4111 1111 1111 1111"}, "4111 11** **** 1111"},
		{"between letters", values{ColumnOrderID: "4111x1111x1111x1111"}, "***"},
		{"no card number to compare with", values{ColumnOrderID: "5555555555554444", ColumnCardNumber: ""}, "555555******4444"},
		{"none", values{ColumnOrderID: ""}, ""},
		{"too long", values{ColumnOrderID: strings.Repeat("x", 129)}, ""},
		{"perhaps shifted", values{ColumnCardType: "order-1", ColumnOrderID: "123"}, ""},
	} {
		c.row[ColumnAmount] = "1e3"
		found := false
		for _, p := range judge(document(destination(c.row)), options()).problems {
			if found = found || p.Code == AmountSyntax; p.Place.Profile != c.want {
				t.Errorf("%s: the profile is %q, want %q", c.reason, p.Place.Profile, c.want)
			}
		}
		if !found {
			t.Errorf("%s: no finding", c.reason)
		}
	}
	j := judge(document(destination(values{ColumnOrderID: "4111111111111111", ColumnCity: "x"})), options())
	if len(j.rows) != 1 || j.rows[0].ShownID != "411111******1111" {
		t.Error(j.problems)
	}
	if ps := judge(short+"\"x\"\n\n"+otherRow, options()).problems; len(ps) != 2 || ps[0].Place.Profile != "" || ps[1].Place.Profile != "" {
		t.Error(ps)
	}
}

// TestWordsOfUnknownValues: a value that is none of the constants says so, and panics nowhere (E11).
func TestWordsOfUnknownValues(t *testing.T) {
	for got, want := range map[string]string{
		Input(6).String():    "Input(6)",
		Column(200).String(): "", Column(200).Spec().Kind(): "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMisnamedColumnIsReportedOnce: a name of the header that no column has is one problem of the file, and the rows after
// it are counted and not judged; the lack of what it meant was reported of each row (L42).
func TestMisnamedColumnIsReportedOnce(t *testing.T) {
	for column, wrong := range map[string]string{
		"amount": "amout", "amount-sequence": "amount-sequenc", "interval": "intervall", "state": "State", "start-date": "startdate", "finish-date": "finish_date",
	} {
		row := source(values{ColumnCountry: "US", ColumnState: "CA", ColumnEmail: "x"})
		text := strings.Replace(document(row, row, row), `"`+column+`"`, `"`+wrong+`"`, 1)
		j := judge(text, options())
		if got := verdict(j.problems); got != "E column-unknown" || j.summary.Rows != 3 || j.summary.Valid != 0 {
			t.Errorf("%s: %s, %+v", wrong, got, j.summary)
		}
		if m := j.problems[0].Message; !strings.Contains(m, `("`+wrong+`")`) {
			t.Errorf("%s: %s", wrong, m)
		}
	}
	for _, secret := range []string{"4111111111111111", "a@b.example", strings.Repeat("x", 41), "a\u202eb", "pin 123"} {
		if j := judge(strings.Replace(short, `"amount"`, `"amount";"`+secret+`"`, 1), options()); strings.Contains(j.problems[0].Message, secret) {
			t.Error(j.problems)
		}
	}
}

// The text in UTF-16 of an endless pipe was read for ever, to decide on a remedy.
func TestEndlessUTF16(t *testing.T) {
	for name, in := range map[string]Input{"recognised": InputAuto, "as CSV": InputCSV} {
		o := options()
		o.Input = in
		src := &endless{piece: []byte(wide("\ufeff"+short, false))}
		report, err := Validate(src, o)
		if err != nil || !report.Findings.Has(InvalidUTF8) || src.read > 1<<20 {
			t.Errorf("%s: %v, %v after %d bytes", name, report.Findings, err, src.read)
		}
	}
}

// endless repeats a piece.
type endless struct {
	piece []byte
	read  int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.piece[e.read%len(e.piece):])
	e.read += n
	return n, nil
}

// TestArchivesAreNamed: an archive is named, and not called a text that is not UTF-8.
func TestArchivesAreNamed(t *testing.T) {
	for name, head := range map[string]string{"zip": "PK\x03\x04", "gzip": "\x1f\x8b"} {
		report, err := Validate(strings.NewReader(head+"\x00\x01rest"), options())
		if err != nil || !report.Unreadable || !strings.Contains(report.Findings[0].Help, name) {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
	}
}

// A body with 10,000 parameters was read here and refused where it was to be signed: the limit was in two places.
func TestParametersOfABody(t *testing.T) {
	body := func(others int) string {
		return "payload=" + strings.TrimPrefix(string(formOf([]byte(short))), "payload=") + strings.Repeat("&a=1", others)
	}
	for others, want := range map[int]bool{form.MaxParameters - 1: false, form.MaxParameters: true} {
		report, err := Validate(strings.NewReader(body(others)), options())
		if got := report.Findings.Has(LimitParameters); err != nil || got != want {
			t.Errorf("%d parameters beside the payload: too many %v, %v", others, got, err)
		}
		if _, err := form.Parse(body(others), form.MaxParameters); (err != nil) != want {
			t.Errorf("%d parameters beside the payload: %v", others, err)
		}
	}
}

// Every schedule without an end was warned of: its card expires before charge 889. Charges are looked at up to a day,
// by default up to three years after the as-of date.
func TestCardExpiryWithinAHorizon(t *testing.T) {
	row := func(year string) string {
		return document(source(values{ColumnExpireYear: year, ColumnExpireMonth: "06", ColumnMaxRepeatsNumber: "", ColumnFinishDate: ""}))
	}
	for _, c := range []struct {
		reason, year, horizon string
		want                  bool
	}{
		{"the default: three years and a month from now", "2029", "", false},
		{"the default: two years and a half", "2028", "", true},
		{"a later day", "2029", "2030-01-01", true},
		{"an earlier day", "2028", "2028-06-30", false},
		{"the last day of the card is not after it", "2028", "2028-07-01", false},
		{"no end", "9998", "9999-12-31", true},
	} {
		o := options()
		if c.horizon != "" {
			o.Horizon = calendar.MustParse(c.horizon)
		}
		if got := judge(row(c.year), o).problems.Has(CardExpiresBeforeCharge); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
	if got := (Options{AsOf: calendar.MustParse("2028-02-29")}).withDefaults().Horizon.String(); got != "2031-02-28" {
		t.Errorf("three years after a leap day: %s", got)
	}
	if got := (Options{AsOf: calendar.MaxDate()}).withDefaults().Horizon; got != calendar.MaxDate() {
		t.Errorf("past the end of the calendar: %v", got)
	}
}

// That later rows are compared with some earlier ones only was in the summary alone; the limit was 500,000, 700,000 or
// 8,000,000 rows. Now it is told once, where it begins, whoever reads.
func TestRememberedIDsAreTold(t *testing.T) {
	if n := (Options{}).withDefaults().MaxOrderIDs; n != 250_000 {
		t.Errorf("%d ids are remembered", n)
	}
	var rows []values
	for i := range 40 {
		rows = append(rows, source(values{ColumnOrderID: "order-" + strconv.Itoa(90-i)}))
	}
	o := options()
	o.MaxOrderIDs = 10
	var told ledger.Findings
	for _, p := range judge(document(rows...), o).problems {
		if p.Code == LimitOrderIDs {
			told = append(told, p)
		}
	}
	if len(told) != 1 || told[0].Place.Row != 11 || told[0].Severity != ledger.SeverityWarning {
		t.Error(told)
	}
}

// TestTextsInJSON: a form of input and a column were bare numbers in JSON.
func TestTextsInJSON(t *testing.T) {
	type values struct {
		Input  Input
		Column Column
	}
	in := values{InputForm, ColumnAmount}
	text, err := json.Marshal(in)
	if err != nil || string(text) != `{"Input":"form","Column":"amount"}` {
		t.Errorf("%s, %v", text, err)
	}
	var out values
	if err := json.Unmarshal(text, &out); err != nil || out != in {
		t.Errorf("%+v, %v; want %+v", out, err, in)
	}
}

// A state of one letter that takes two bytes was found too short in the last row of a file only: read in one go, the
// others were taken for long enough by their bytes.
func TestShortStateOfTwoBytesIsFoundInEveryRow(t *testing.T) {
	var rows []values
	for i := range 3 {
		rows = append(rows, source(values{ColumnOrderID: "order-" + strconv.Itoa(i), ColumnState: "Ä"}))
	}
	short := 0
	for _, p := range judge(document(rows...), options()).problems {
		if p.Code == TooShort {
			short++
		}
	}
	if short != len(rows) {
		t.Errorf("%d of %d rows are told to have a state that is too short", short, len(rows))
	}
}

// TestRepeatedSequenceRepeatsItsWarning: a sequence that the row before had, too, is judged again where it has a fault.
func TestRepeatedSequenceRepeatsItsWarning(t *testing.T) {
	row := func(id string) values {
		return source(values{ColumnOrderID: id, ColumnAmount: "", ColumnAmountSequence: "01.00,2.00"})
	}
	j := judge(document(row("a"), row("b"), row("c")), options())
	n := 0
	for _, f := range j.problems {
		if f.Code == LeadingZero {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d warnings about three rows: %v", n, j.problems)
	}
}
