package rules

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/chargecast/chargecast/ledger"
)

// fix mends a text: what was written, and the changes as "code row column" with - before refused ones.
// Whatever the text, what was written is not changed when it is fixed again, and the same places are refused.
func fix(t *testing.T, in string, o Options) (out string, changes []string, done Fixed) {
	t.Helper()
	out, changes, done = fixAgain(t, in, o)
	if done.Findings.Err() != nil {
		return out, changes, done // it is a beginning
	}
	o.Input = InputCSV
	again, left, _ := fixAgain(t, out, o)
	refused := placesRefused(changes)
	left = placesRefused(left)
	if again != out || !slices.Equal(refused, left) {
		t.Errorf("%q\nfixed:       %q, refused %v\nfixed twice: %q, %v", in, out, refused, again, left)
	}
	return out, changes, done
}

// placesRefused are the places of the refusals among changes. Encodings that were mixed are so no more, so that only
// the first reading can refuse a row for that.
func placesRefused(changes []string) (places []string) {
	for _, c := range changes {
		code, place, _ := strings.Cut(c, " ")
		if code[0] == '-' && code != "-"+string(refuseEncoding) {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return places
}

// fixAgain mends a text, as fix does, once.
func fixAgain(t *testing.T, in string, o Options) (out string, changes []string, done Fixed) {
	t.Helper()
	var b bytes.Buffer
	f := Fixer{Options: o, Report: func(c Change) {
		s := fmt.Sprintf("%s %d %s", c.Code, c.Row, c.Column)
		if c.Refused {
			s = "-" + s
		}
		changes = append(changes, strings.TrimSpace(s))
	}}
	done, err := f.Fix(&b, strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, c := range changes {
		refused += strings.Count(c[:1], "-")
	}
	if done.Refused != refused || done.Changes != len(changes)-refused {
		t.Errorf("%+v counted for %v", done, changes)
	}
	return b.String(), changes, done
}

// wide is a text in UTF-16.
func wide(s string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func TestFixWholeText(t *testing.T) {
	accents := strings.Replace(short, "order-1", "é€-“x”", 1)
	cp1252 := strings.NewReplacer("é", "\xe9", "€", "\x80", "“", "\x93", "”", "\x94").Replace(accents)
	curly := strings.NewReplacer(`"D`, "“D", `"r`, "“r", `"c`, "“c", `"a`, "“a", `"o`, "“o", `"4`, "“4", `"1`, "“1", `"E`, "“E", `"`, "”").Replace(short)
	for _, c := range []struct{ name, in, want, changes string }{
		{"clean", short + otherRow, "", ""},
		{"clean, CRLF, blank lines, no last line end", strings.ReplaceAll(short, "\n", "\r\n") + "\r\n" + strings.TrimSpace(otherRow), "", ""},
		{"clean, empty values without quotes", strings.ReplaceAll(short, `"order-1"`, ""), "", ""},
		{"mark", mark + short, short, "encoding-mark 0"},
		{"two marks", mark + mark + short, short, "encoding-mark 0"},
		{"comma", strings.ReplaceAll(short, ";", ","), short, "separator 0"},
		{"tab", strings.ReplaceAll(short, ";", "\t"), short, "separator 0"},
		{"comma, no quotes", strings.NewReplacer(`"`, "", ";", ",").Replace(short), short, "separator 0, quotes-missing 0"},
		{"no quotes", strings.ReplaceAll(short, `"`, ""), short, "quotes-missing 0"},
		{"a line for a spreadsheet", "sep=,\n" + strings.ReplaceAll(short, ";", ","), short, "separator-line 0, separator 0"},
		{"CP1252", cp1252, accents, "encoding-cp1252 0"},
		{"a euro sign alone", strings.Replace(short, "order-1", "\x80", 1), strings.Replace(short, "order-1", "€", 1), "encoding-cp1252 0"},
		{"UTF-8 stays", accents, accents, ""},
		{"UTF-16 LE with mark", wide("\ufeff"+accents, false), accents, "encoding-utf16 0"},
		{"UTF-16 BE without mark", wide(accents, true), accents, "encoding-utf16 0"},
		{"astral in UTF-16", wide("\ufeff"+strings.Replace(short, "order-1", "\U0001f4a9", 1), true), strings.Replace(short, "order-1", "\U0001f4a9", 1), "encoding-utf16 0"},
		{"typographic quotes", curly, short, "quotes-typographic 0"},
		{"base64", base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(short, "SRC", "src"))), short, ""},
		{"a form body", string(formOf([]byte(strings.ReplaceAll(short, "DST", "dst")))), short, "case 1 rp_card_type"},
		{"base64 of UTF-16", base64.StdEncoding.EncodeToString([]byte(wide("\ufeff"+short, false))), short, "encoding-utf16 0"},
		{"names", strings.NewReplacer("rp_card_type", "RP Card Type", "client-orderid", "client_order_id", "credit-card-number", "credit-card-nmber", "currency", " Currency ").Replace(short),
			short, "header-name 0 rp_card_type, header-name 0 client-orderid, header-name 0 credit-card-number, header-name 0 currency"},
		{"aliases", strings.NewReplacer("client-orderid", "Order Number", "credit-card-number", "PAN").Replace(short), short, "header-alias 0 client-orderid, header-alias 0 credit-card-number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			out, changes, done := fix(t, c.in, Options{})
			if out != c.want || strings.Join(changes, ", ") != c.changes || done.Refused != 0 || done.Findings.Err() != nil {
				t.Errorf("%q\nwant %q\n%v, %+v", out, c.want, changes, done)
			}
			if again, changes, _ := fix(t, out, Options{}); again != out || len(changes) > 0 {
				t.Errorf("fixed twice: %q, %v", again, changes)
			}
		})
	}
}

func TestFixValues(t *testing.T) {
	for _, c := range []struct {
		column        Column
		in, out, code string
	}{
		{ColumnCardType, "dst", "DST", "case"}, {ColumnCardType, " DST", "DST", "spaces"}, {ColumnCardType, "xyz", "xyz", ""},
		{ColumnPeriod, "Month", "month", "case"}, {ColumnPeriod, "monthly", "monthly", ""},
		{ColumnCurrency, "eur", "EUR", "case"}, {ColumnCurrency, "qqq", "qqq", ""}, {ColumnCurrency, " eur ", "EUR", "spaces, case"},
		{ColumnCountry, "de", "DE", "case"}, {ColumnState, "nsw", "nsw", ""},
		{ColumnStartDate, "2026-02-01", "01.02.2026", "date-iso"}, {ColumnStartDate, "2026/2/1", "01.02.2026", "date-iso"},
		{ColumnStartDate, "1.2.2026", "01.02.2026", "date-one-digit"}, {ColumnStartDate, "01.2.2026", "01.02.2026", "date-one-digit"},
		{ColumnStartDate, "31/12/2026", "31.12.2026", "date-separator"}, {ColumnStartDate, "12/31/2026", "31.12.2026", "date-month-first, date-separator"},
		{ColumnStartDate, "31-12-2026", "31.12.2026", "date-separator"}, {ColumnStartDate, "4/4/2026", "04.04.2026", "date-separator"},
		{ColumnStartDate, "03/04/2026", "", "-date-order"}, {ColumnStartDate, "3-4-2026", "", "-date-order"},
		{ColumnStartDate, "31/02/2026", "", "-date-form"}, {ColumnStartDate, "01.02.26", "", "-date-form"}, {ColumnStartDate, "01022026", "", "-date-form"},
		{ColumnStartDate, "2026-02-30", "", "-date-form"}, {ColumnStartDate, "2026-02-01T00:00:00Z", "", "-date-form"}, {ColumnStartDate, "30.2.2026", "", "-date-form"},
		{ColumnStartDate, "31.02.2026", "31.02.2026", ""}, {ColumnStartDate, "05.13.2026", "05.13.2026", ""},
		{ColumnBirthday, " 1980-02-29 ", "29.02.1980", "spaces, date-iso"},
		{ColumnAmount, "12,50", "12.50", "decimal-comma"}, {ColumnAmount, "12,5", "12.5", "decimal-comma"}, {ColumnAmount, "0,123", "0.123", "decimal-comma"},
		{ColumnAmount, "1234,567", "1234.567", "decimal-comma"}, {ColumnAmount, "1,2345", "1.2345", "decimal-comma"}, {ColumnAmount, "1.234,56", "1234.56", "thousands-mark, decimal-comma"},
		{ColumnAmount, "1.234.567,891", "1234567.891", "thousands-mark, decimal-comma"},
		{ColumnAmount, "1,234", "", "-decimal-comma"}, {ColumnAmount, "123,456", "", "-decimal-comma"}, {ColumnAmount, "1,234.56", "1234.56", "thousands-mark"},
		{ColumnAmount, "12,345,678.9", "12345678.9", "thousands-mark"}, {ColumnAmount, " 1,234.5 ", "1234.5", "spaces, thousands-mark"},
		{ColumnAmount, "1,23.50", "", "-decimal-comma"}, {ColumnAmount, "1234,567.50", "", "-decimal-comma"}, {ColumnAmount, "0,234.50", "", "-decimal-comma"},
		{ColumnAmount, "0.234,50", "", "-decimal-comma"}, {ColumnAmount, "000.123,45", "", "-decimal-comma"},
		{ColumnAmount, "1,234.", "", "-amount-form"}, {ColumnAmount, "1,234.5.6", "", "-decimal-comma"}, {ColumnAmount, "1,234.56,7", "", "-decimal-comma"}, {ColumnAmount, ",234.50", "", "-amount-form"},
		{ColumnAmountSequence, "1,234.56", "1,234.56", ""},
		{ColumnAmount, "1,234,567", "", "-decimal-comma"}, {ColumnAmount, ",50", "", "-amount-form"}, {ColumnAmount, "12,", "", "-amount-form"}, {ColumnAmount, "12.3,4", "", "-decimal-comma"},
		{ColumnAmount, "1e3", "", "-amount-form"}, {ColumnAmount, " 10.00", "10.00", "spaces"},
		{ColumnAmountSequence, "1.00,2.00", "1.00,2.00", ""}, {ColumnAmountSequence, "1.00, 2.00 ,3", "1.00,2.00,3", "spaces"}, {ColumnAmountSequence, " 5 ", "5", "spaces"},
		{ColumnAmountSequence, "1,50,2,50", "", "-decimal-comma"}, {ColumnAmountSequence, "10,20", "", "-decimal-comma"}, {ColumnAmountSequence, "1.50;2.50", "", "-decimal-comma"},
		{ColumnAmountSequence, "1.000,50", "", "-decimal-comma"},
		{ColumnCardNumber, "4.11111E+15", "", "-card-scientific"}, {ColumnCardNumber, " 4111111111111111", "4111111111111111", "spaces"},
		{ColumnAmount, "1.234", "", "-thousands-mark"}, {ColumnAmount, " 123.456 ", "", "-thousands-mark"}, {ColumnAmount, "0.234", "0.234", ""}, {ColumnAmount, "1234.567", "1234.567", ""},
		{ColumnAmountSequence, "1.234,5.00", "", "-thousands-mark"},
		{ColumnCity, " Berlin\u00a0", "Berlin", "spaces"}, {ColumnCity, "“x”", "“x”", ""},
		{ColumnMaxRepeatsNumber, "12 ", "12", "spaces"},
	} {
		in := document(source(values{c.column: c.in, ColumnOrderID: "order-1"}))
		out, changes, done := fix(t, in, Options{})
		var want []string
		for code := range strings.SplitSeq(c.code, ", ") {
			if code != "" {
				want = append(want, code+" 1 "+c.column.String())
			}
		}
		if c.out == "" { // refused
			c.out = c.in
		}
		if out != document(source(values{c.column: c.out, ColumnOrderID: "order-1"})) || !slices.Equal(changes, want) {
			t.Errorf("%v %q: %v, %+v\n%s", c.column, c.in, changes, done, out)
		}
		if again, _, _ := fix(t, out, Options{}); again != out {
			t.Errorf("%v %q: fixed twice: %s", c.column, c.in, again)
		}
	}
	if out, changes, _ := fix(t, document(source(values{ColumnCountry: "us", ColumnState: "ca"})), Options{}); out != document(source(values{ColumnCountry: "US", ColumnState: "CA"})) {
		t.Error(changes)
	}
}

// TestFixRefusals: what would need a guess stays as it was, with its place, and the rest is mended.
func TestFixRefusals(t *testing.T) {
	good := strings.ReplaceAll(otherRow, "DST", "dst")
	for _, c := range []struct{ name, in, want, changes string }{
		{"two amounts", strings.Replace(shortHeader, "currency", "sum", 1) + shortRow, "", "-column-ambiguous 0 amount"},
		{"two aliases", strings.NewReplacer("amount", "sum", "currency", "price").Replace(shortHeader) + good,
			strings.NewReplacer("amount", "sum", "currency", "price").Replace(shortHeader) + otherRow, "-column-ambiguous 0 amount, -column-ambiguous 0 amount, case 1 rp_card_type"},
		{"the same name twice", strings.Replace(shortHeader, "currency", "amount", 1) + shortRow, "", "-column-ambiguous 0 amount, -column-ambiguous 0 amount"},
		{"unknown column", strings.Replace(shortHeader, "currency", "color", 1) + shortRow, "", "-header-unknown 0"},
		{"no header", shortRow + otherRow, "", "-header-unreadable 0"},
		{"nothing", "", "", "-header-unreadable 0"},
		{"stray quote", short + `"DST";"a"b;"4111111111111111";"10.00";"EUR"` + "\n" + good, short + `"DST";"a"b;"4111111111111111";"10.00";"EUR"` + "\n" + otherRow,
			"-row-unreadable 2, case 3 rp_card_type"},
		{"short row", short + `"dst";"a"` + "\n" + good, short + `"dst";"a"` + "\n" + otherRow, "-row-width 2, case 3 rp_card_type"},
		{"a comma that is in a value", strings.ReplaceAll(strings.ReplaceAll(shortHeader, `"`, ""), ";", ",") + "DST,a,4111111111111111,12,50,EUR\nDST,b,4111111111111111,12.50,EUR\n",
			shortHeader + `"DST";"a";"4111111111111111";"12";"50";"EUR"` + "\n" + `"DST";"b";"4111111111111111";"12.50";"EUR"` + "\n", "separator 0, quotes-missing 0, -row-width 1"},
		{"a row with the right separator among others", strings.ReplaceAll(short, ";", ",") + otherRow, short + otherRow, "separator 0"},
		{"UTF-8 after CP1252", shortHeader + strings.Replace(shortRow, "order-1", "\xe9", 1) + strings.Replace(shortRow, "order-1", "é", 1),
			shortHeader + strings.Replace(shortRow, "order-1", "é", 1) + strings.Replace(shortRow, "order-1", "é", 1), "encoding-cp1252 0, -encoding-mixed 2"},
		{"CP1252 after UTF-8", shortHeader + strings.Replace(shortRow, "order-1", "é", 1) + strings.Replace(shortRow, "order-1", "\xe9", 1), "", "-encoding-mixed 2"},
		{"CP1252 after UTF-8, commas", "city,amount,purpose\nKöln,1.00,\nK\xf6ln,2.00,\"x\"\n", "\"city\";\"amount\";\"purpose\"\n\"Köln\";\"1.00\";\n\"K\xf6ln\";\"2.00\";\"x\"\n",
			"separator 0, quotes-missing 0, -encoding-mixed 2"},
		{"a point that may separate thousands, after a decimal comma", short + amountRow("12,5") + amountRow("1.234") + amountRow("1.23") + amountRow("0.234"),
			short + amountRow("12.5") + amountRow("1.234") + amountRow("1.23") + amountRow("0.234"), "decimal-comma 2 amount, -thousands-mark 3 amount"},
		{"a point that may separate thousands, before a decimal comma", short + amountRow("1.234") + amountRow("1.235") + amountRow("12,5") + amountRow("1.236"),
			short + amountRow("1.234") + amountRow("1.235") + amountRow("12.5") + amountRow("1.236"), "-thousands-mark 2 amount, -thousands-mark 3 amount, decimal-comma 4 amount, -thousands-mark 5 amount"},
		{"points before three decimals alone, and beside commas between thousands", short + amountRow("1.234") + amountRow("1,234.00"),
			short + amountRow("1.234") + amountRow("1234.00"), "-thousands-mark 2 amount, thousands-mark 3 amount"},
		{"a point before three decimals of a currency that has three", short + dinars("1.234"), "", ""},
		{"the same beside amounts with several points", short + dinars("1.234") + dinars("1.235") + dinars("1.234.567") + dinars("1.236"), "", "-thousands-mark 2 amount, -amount-form 4 amount, -thousands-mark 5 amount"},
		{"a sequence in one row with a decimal comma", sequenceBeside("12,5", "1.000,2.000"), sequenceBeside("12.5", "1.000,2.000"), "decimal-comma 1 amount, -thousands-mark 1 amount-sequence"},
		{"a byte that CP1252 does not have", strings.Replace(short, "order-1", "\x81", 1), "", "-encoding-mixed 1"},
		{"typographic quotes around a text alone", strings.Replace(short, `"order-1"`, "“order-1”", 1), "", "-quotes-typographic 1 client-orderid"},
		{"typographic quotes around a word", strings.Replace(short, `"DST"`, "“dst”", 1), short, "quotes-typographic 1 rp_card_type, case 1 rp_card_type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			out, changes, done := fix(t, c.in, Options{})
			if out != c.want || strings.Join(changes, ", ") != c.changes {
				t.Errorf("%q\nwant %q\n%v, %+v", out, c.want, changes, done)
			}
			if again, _, _ := fix(t, out, Options{}); again != out {
				t.Errorf("fixed twice: %q", again)
			}
		})
	}
}

func TestFixUnreadable(t *testing.T) {
	for in, want := range map[string]ledger.Code{"PK\x03\x04": NotAPayload, "payload=%zz": FormEscape, "\xff\xfe\x00\x00a\x00\x00\x00": InvalidUTF8} {
		if out, _, done := fix(t, in, Options{}); out != "" || !done.Findings.Has(want) || done.Findings.Err() == nil {
			t.Errorf("%q: %q, %v", in, out, done.Findings)
		}
	}
	// Without its mark each of these is UTF-16 or UTF-32, and would be mended to something else.
	for _, in := range []string{"\ufeff\x00\x00\x00\x7f", "\ufeffa\x00b\x00", "\ufeff\x00a\x00b\x00c", "\ufeff\x00\x00\x00\x00", "\ufeffa\x00\x00\x00b"} {
		for kind, text := range map[Input]string{InputCSV: in, InputBase64: base64.StdEncoding.EncodeToString([]byte(in))} {
			if out, _, done := fix(t, text, Options{Input: kind}); out != "" || done.Findings.Err() == nil {
				t.Errorf("%v %q: %q, %v", kind, in, out, done.Findings)
			}
		}
	}
	broken := errors.New("broken")
	for n := range len(short) {
		_, err := Fixer{}.Fix(io.Discard, io.MultiReader(strings.NewReader(short[:n]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
	for n := range len(short) {
		w := &limitedWriter{left: n}
		if _, err := (Fixer{}).Fix(w, strings.NewReader(short)); !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: %v", n, err)
		}
	}
}

var errFull = errors.New("full")

type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return 0, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

// TestFixInPieces: how the bytes come changes nothing.
func TestFixInPieces(t *testing.T) {
	for _, text := range []string{
		wide("\ufeff"+strings.Replace(short, "order-1", "\U0001f4a9", 1), true), strings.ReplaceAll(short, ";", ","),
		strings.ReplaceAll(short, `"`, ""), short + "\"a\"b\n\"c\n" + otherRow, mark + "sep=;\n" + short,
	} {
		whole, changes, _ := fix(t, text, Options{})
		var b bytes.Buffer
		n := 0
		if _, err := (Fixer{Report: func(Change) { n++ }}).Fix(&b, iotest.OneByteReader(strings.NewReader(text))); err != nil || b.String() != whole || n != len(changes) {
			t.Errorf("%q: %q in pieces, %d changes, %v", whole, b.String(), n, err)
		}
	}
}

// TestFixLongRows: a row beyond a limit is written as it is, and memory stays bounded.
func TestFixLongRows(t *testing.T) {
	o := Options{MaxRow: 1000, MaxCell: 500}
	for _, long := range []string{strings.Repeat("x", 100_000), `"` + strings.Repeat("x;\n", 50_000) + `"`, `"` + strings.Repeat(`"";`, 50_000)} {
		in := short + long + "\n" + strings.ReplaceAll(otherRow, "DST", "dst")
		out, changes, _ := fix(t, in, o)
		if !strings.HasPrefix(out, short+long[:100]) || len(out) != len(in) || changes[0] != "-row-unreadable 2" {
			t.Errorf("%d bytes of %d, %v", len(out), len(in), changes)
		}
	}
}

func TestRepairs(t *testing.T) {
	seen := map[ledger.Code]bool{}
	for r := range Repairs() {
		if r.Code == "" || r.Text == "" && r.Refusal == "" || r.Example == "" || seen[r.Code] {
			t.Errorf("%+v", r)
		}
		seen[r.Code] = true
	}
	keys := map[string]string{}
	for alias, c := range Aliases() {
		key := nameKey(alias)
		if other := keys[key]; other != "" {
			t.Errorf("%s and %s are one name", alias, other)
		}
		keys[key] = alias
		if got, code := meantColumn(strings.ToUpper(alias)); got != c || code != fixAlias {
			t.Errorf("%s means %v by %s", alias, got, code)
		}
	}
	text, err := Change{Code: "date-iso", Row: 3, Column: ColumnStartDate}.MarshalJSON()
	if want := `{"type":"change","code":"date-iso","row":3,"column":"start-date","refused":false}`; string(text) != want || err != nil {
		t.Errorf("%s, want %s", text, want)
	}
	text, _ = Change{Code: "row-width", Row: 3, Line: 4, Col: 1, Refused: true}.MarshalJSON()
	if want := `{"type":"change","code":"row-width","row":3,"line":4,"col":1,"refused":true}`; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestFixPlaces: lines and columns count from 1, in a text that has none too.
func TestFixPlaces(t *testing.T) {
	for _, in := range []string{"", "\n", "x"} {
		var places []Change
		fixer := Fixer{Report: func(c Change) { places = append(places, c) }}
		if _, err := fixer.Fix(io.Discard, strings.NewReader(in)); err != nil {
			t.Fatal(err)
		}
		for _, c := range places {
			if c.Line < 1 || c.Col < 1 {
				t.Errorf("%q: %+v", in, c)
			}
		}
		if len(places) == 0 {
			t.Errorf("%q: no change is reported", in)
		}
	}
}

// TestFixRefusalPlaces: a row that is refused is pointed to at its beginning, a value and a limit at
// that of the value, behind line ends inside the row too.
func TestFixRefusalPlaces(t *testing.T) {
	const header = "city;purpose;amount-sequence\n"
	for _, c := range []struct {
		reason, in string
		code       ledger.Code
		line, col  int
	}{
		{"a value too many", "city;amount\nBonn;1.00\nBonn;1.00;2\n", "row-width", 3, 1},
		{"a stray quote", "city;amount\nBonn;1.00\nBonn;\"1\"x\n", "row-unreadable", 3, 1},
		{"values that may be shifted", "amount,city,purpose\n12,50,Bonn\n", "row-shifted", 2, 1},
		{"Windows-1252 behind UTF-8", "city;amount\nKöln;1.00\nK\xf6ln;2.00\n", "encoding-mixed", 3, 1},
		{"UTF-8 behind Windows-1252", "city;amount\nK\xf6ln;1.00\nKöln;2.00\n", "encoding-mixed", 3, 1},
		{"a byte of no encoding", "city;amount\nBonn;1.00\nK\x81ln;2.00\n", "encoding-mixed", 3, 1},
		{"a sequence that may have decimal commas", header + "Bonn;x;\"1,50,2,50\"\n", "decimal-comma", 2, 8},
		{"the same behind a value of two lines", header + "\"Bonn\";\"x\ny\";\"1,50,2,50\"\n", "decimal-comma", 3, 4},
		{"the same behind one of three lines", header + "\"Bonn\";\"x\n\ny\";\"1,50,2,50\"\n", "decimal-comma", 4, 4},
	} {
		var refused []Change
		fixer := Fixer{Report: func(c Change) {
			if c.Refused {
				refused = append(refused, c)
			}
		}}
		if _, err := fixer.Fix(io.Discard, strings.NewReader(c.in)); err != nil {
			t.Fatal(err)
		}
		if len(refused) != 1 || refused[0].Code != c.code || refused[0].Line != c.line || refused[0].Col != c.col {
			t.Errorf("%s: %+v", c.reason, refused)
		}
	}
	for _, c := range []struct {
		reason, in             string
		row, line, col, offset int
	}{
		{"the first value", "amount-sequence;city\n1.00,2.00;x\n1.00,2.00,3.00;x\n", 2, 3, 1, 33},
		{"a later value", "city;amount-sequence\nx;1.00,2.00\nx;1.00,2.00,3.00\n", 2, 3, 3, 35},
		{"behind a value of two lines", "city;amount-sequence\n\"x\ny\";1.00,2.00,3.00\n", 1, 3, 4, 27},
	} {
		_, _, done := fix(t, c.in, Options{MaxElements: 2})
		if len(done.Findings) != 1 || done.Findings[0].Code != LimitElements || columnOf(done.Findings[0]) != ColumnAmountSequence {
			t.Errorf("%s: %v", c.reason, done.Findings)
		} else if p := done.Findings[0].Place; p.Row != c.row || p.Line != c.line || p.Col != c.col || p.Offset != int64(c.offset) {
			t.Errorf("%s: %+v", c.reason, p)
		}
	}
}

// TestMayBe: what a value looks like, by the kind of its column.
func TestMayBe(t *testing.T) {
	for _, c := range []struct {
		column  Column
		yes, no []string
	}{
		{0, []string{"", "x", "12"}, nil},
		{ColumnCity, []string{"", "Bonn", "B2", "2b"}, []string{"50"}},
		{ColumnCardPrintedName, []string{"J"}, []string{"1"}},
		{ColumnFirstName, []string{"J"}, []string{"1"}},
		{ColumnLastName, []string{"J"}, []string{"1"}},
		{ColumnPurpose, []string{"x", "50"}, nil},
		{ColumnZipCode, []string{"12345"}, nil},
		{ColumnCardType, []string{"SRC", "dst"}, []string{"card"}},
		{ColumnCardNumber, []string{"4111 1111"}, []string{"x"}},
		{ColumnAmount, []string{"1.00", "9x"}, []string{".5", "x"}},
		{ColumnAmountSequence, []string{"1.00,2.00"}, []string{",1"}},
		{ColumnCVV2, []string{"123"}, []string{"12x"}},
		{ColumnExpireYear, []string{"2030"}, []string{"'30"}},
		{ColumnExpireMonth, []string{"12"}, []string{"May"}},
		{ColumnInterval, []string{"0", "10", "1"}, []string{"05", "00", "1.0", "x"}},
		{ColumnCurrency, []string{"EUR", "eur"}, []string{"EU", "EURO", "12x", "E1R"}},
		{ColumnCountry, []string{"DE"}, []string{"D", "DEU", "D1"}},
		{ColumnState, []string{"CA", "NSW", "c"}, []string{"CALI", "1"}},
		{ColumnPeriod, []string{"month", "Day"}, []string{"monthly"}},
		{ColumnStartDate, []string{"1/2/2026", "01.02.2026", "2026-02-01"}, []string{"01022026", "May-1"}},
		{ColumnEmail, []string{"a@b"}, []string{"a.b"}},
		{ColumnCustomerIP, []string{"::1", "192.0.2.1"}, []string{"local"}},
		{ColumnNotifyURL, []string{"https://a"}, []string{"a.example"}},
	} {
		for _, s := range append(c.yes, "") {
			if !mayBe(c.column, s) {
				t.Errorf("%v may be %q", c.column, s)
			}
		}
		for _, s := range c.no {
			if mayBe(c.column, s) {
				t.Errorf("%v may not be %q", c.column, s)
			}
		}
	}
}

// TestOneLetter: one letter more, less or another one, at the beginning, in between and at the end.
func TestOneLetter(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"amount", "amount"}: false, {"amount", "amout"}: true, {"amount", "mount"}: true, {"amount", "amoun"}: true, {"amount", "amounts"}: true,
		{"amount", "amaunt"}: true, {"amount", "omount"}: true, {"amount", "amound"}: true, {"amount", "amuont"}: false, {"amount", "amo"}: false,
		{"", "a"}: true, {"", ""}: false, {"", "ab"}: false, {"a", "b"}: true, {"ab", "cd"}: false, {"ab", "ba"}: false,
	} {
		if oneLetter(pair[0], pair[1]) != want || oneLetter(pair[1], pair[0]) != want {
			t.Errorf("%q: %v", pair, !want)
		}
	}
}

// TestUngrouped: digits with marks between thousands, of which the first group may be shorter.
func TestUngrouped(t *testing.T) {
	for text, want := range map[string]struct {
		digits  string
		grouped bool
	}{
		"1234": {"1234", false}, "12345678": {"12345678", false}, "1.234": {"1234", true}, "12.345": {"12345", true}, "123.456": {"123456", true},
		"1234.567": {"", false}, "1.23": {"", false}, "1.2345": {"", false}, "1.234.567": {"1234567", true}, "1.234.56": {"", false},
		"1234.567.890": {"", false}, ".234": {"", false}, "1.": {"", false}, "": {"", false}, "x": {"", false}, "1.2x4": {"", false},
	} {
		if digits, grouped := ungrouped(text, "."); digits != want.digits || grouped != want.grouped {
			t.Errorf("%q: %q, %v", text, digits, grouped)
		}
	}
}

// amountRow is the usual row with an amount.
func amountRow(amount string) string {
	return strings.Replace(shortRow, `"10.00"`, `"`+amount+`"`, 1)
}

// dinars is a row with an amount in a currency of three decimals.
func dinars(amount string) string { return strings.Replace(amountRow(amount), "EUR", "KWD", 1) }

// sequenceBeside is a payload with an amount and a sequence in its row.
func sequenceBeside(amount, sequence string) string {
	return strings.Replace(shortHeader, "currency", "amount-sequence", 1) + strings.Replace(amountRow(amount), `"EUR"`, `"`+sequence+`"`, 1)
}
