package rules

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/ledger"
)

// TestPlaces takes its expectations from the input itself: § marks the place of each
// finding, in order of place.
func TestPlaces(t *testing.T) { // V14
	for _, c := range []struct{ name, reason, input string }{
		{"cell", "V14", shortHeader + `"DST";"a";"4111111111111111";§"1e3";"EUR"` + "\n"},
		{"two cells", "V14", shortHeader + `§"src";"a";"4111111111111111";§"1e3";"EUR"` + "\n"},
		{"bare cell", "V14", shortHeader + `"DST";"a";"4111111111111111";§1e3;"EUR"` + "\n"},
		{"second row, CRLF", "V14", strings.ReplaceAll(short, "\n", "\r\n") + `"DST";"b";"4111111111111111";§"1e3";"EUR"` + "\r\n"},
		{"after a byte-order mark", "V14", "§" + mark + `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency";§"x"` + "\n"},
		{"after a value of two lines", "V14", shortHeader + "\"DST\";\"§\na\";\"4111111111111111\";§\"1e3\";\"EUR\"\n"},
		{"after blank lines", "V14", short + "§\n\n" + `"DST";"b";"4111111111111111";§"1e3";"EUR"` + "\n"},
		{"quote", "h108", shortHeader + `"DST";a§"b;"4111111111111111";"1";"EUR"` + "\n"},
		{"closing quote", "h109", shortHeader + `"DST";"a§"b;"4111111111111111";"1";"EUR"` + "\n"},
		{"unterminated", "h110", short + `"DST";§"a` + "\n\n"},
		{"row", "h119", short + `§"DST"` + "\n"},
		{"bad byte", "h116", shortHeader + "\"DST\";\"a§\xff\";\"4111111111111111\";\"1\";\"EUR\"\n"},
		{"bad byte after doubled quotes", "h116", shortHeader + "\"DST\";\"\"\"a\"\"§\xff\";\"4111111111111111\";\"1\";\"EUR\"\n"},
		{"NUL", "h093", shortHeader + "\"DST\";\"a§\x00\";\"4111111111111111\";\"1\";\"EUR\"\n"},
		{"element", "h031", `"rp_card_type";"client-orderid";"credit-card-number";"amount-sequence";"currency"` + "\n" +
			`"DST";"a";"4111111111111111";"1.00,§x,2";"EUR"` + "\n"},
		{"unknown column", "h127", `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency";§"finish_date"` + "\n"},
		{"separator", "h122", strings.Replace(strings.ReplaceAll(short, ";", ","), ",", "§,", 1)},
		{"missing value", "V14", shortHeader + `"DST";§"";"4111111111111111";"1";"EUR"` + "\n"},
		{"no rows", "h131", shortHeader + "§"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want []string
			input := c.input
			for {
				i := strings.Index(input, "§")
				if i < 0 {
					break
				}
				before := input[:i]
				input = before + input[i+len("§"):]
				lines := strings.Count(before, "\n")
				want = append(want, place(lines+1, i-strings.LastIndex(before, "\n"), i))
			}
			var got []string
			for _, p := range judge(input, options()).problems {
				if p.Code == CSVUnquoted || p.Code == NoRows && !strings.HasSuffix(c.input, "§") {
					continue
				}
				got = append(got, place(p.Place.Line, p.Place.Col, int(p.Place.Offset)))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v\n%v", c.reason, got, want, judge(input, options()).problems.Unwrap())
			}
		})
	}
}

func place(line, col, offset int) string {
	return strconv.Itoa(line) + ":" + strconv.Itoa(col) + "@" + strconv.Itoa(offset)
}

func TestWirePlaces(t *testing.T) { // the place in the text as it was sent
	for _, c := range []struct{ name, input string }{
		{"escape", "a=1&payload=YWJj§%zz"},
		{"semicolon", "payload=YWJj§;x"},
		{"space", "payload=YW§ j"},
		{"escaped foreign character", "payload=%59%57§%2A"},
		{"other parameter", "§a=1&payload="},
		{"wrapped", "payload=YWJj§%0AYWJj"},
	} {
		want := strings.Index(c.input, "§")
		input := strings.Replace(c.input, "§", "", 1)
		found := false
		o := options()
		o.Input = InputForm
		for _, p := range judge(input, o).problems {
			found = found || p.Place.Wire && p.Place.Offset == int64(want) && p.Place.Col == want+1 && p.Place.Line == 1
		}
		if !found {
			t.Errorf("%s: no finding at %d: %v", c.name, want, judge(input, o).problems.Unwrap())
		}
	}
}

// told is everything that a reader tells, as one text.
func told(r io.Reader, o Options) string {
	var b strings.Builder
	reader := NewReader(r, o)
	for row, ps := range reader.Rows() {
		if row != nil {
			b.Write(csvOf(row))
		}
		for _, p := range ps {
			b.WriteString(p.Error() + " " + strconv.FormatInt(p.Place.Offset, 10) + " " + strconv.Itoa(p.Place.Row) + "\n")
		}
	}
	return b.String()
}

func TestChunks(t *testing.T) { // V15: how the bytes come changes nothing
	o := options()
	o.MaxRow = 1000
	var inputs []string
	for _, c := range hostilePayloads(t, "payload-csv", "payload-wire") {
		if len(c.input) < 20_000 {
			inputs = append(inputs, c.input)
		}
	}
	for _, long := range []string{strings.Repeat("x", 999), strings.Repeat("x", 1000), strings.Repeat("x", 1001), strings.Repeat("x;", 1500), strings.Repeat("x\n", 600)} {
		inputs = append(inputs, withCell(`"`+long+`"`)+otherRow, withCell(long)+otherRow, withCell(`"`+long)+otherRow)
	}
	for _, input := range inputs {
		whole := told(strings.NewReader(input), o)
		for name, r := range map[string]io.Reader{
			"one byte":      iotest.OneByteReader(strings.NewReader(input)),
			"half":          iotest.HalfReader(strings.NewReader(input)),
			"data with EOF": iotest.DataErrReader(strings.NewReader(input)),
		} {
			if got := told(r, o); got != whole {
				t.Errorf("%s of %.60q:\n%s\nwant\n%s", name, input, got, whole)
			}
		}
	}
}

func TestBrokenStream(t *testing.T) { // h293: what came is judged, and the error told
	broken := errors.New("broken")
	for n := range len(short + otherRow) {
		r := NewReader(io.MultiReader(strings.NewReader((short + otherRow)[:n]), iotest.ErrReader(broken)), options())
		j := collect(r)
		if !errors.Is(r.Err(), broken) {
			t.Fatalf("after %d bytes: %v", n, r.Err())
		}
		if j.problems.Err() != nil {
			t.Errorf("after %d bytes what is cut off is judged: %v", n, j.problems)
		}
		want := 0
		if n >= len(short) {
			want = 1
		}
		if len(j.rows) != want {
			t.Errorf("after %d bytes: %d rows, want %d", n, len(j.rows), want)
		}
	}
}

func TestWindowsAcrossBuffers(t *testing.T) { // rows that straddle the buffer keep their places
	row := line(source(values{ColumnOrderDesc: strings.Repeat("x", 5000)}))
	bad := line(source(values{ColumnOrderDesc: strings.Repeat("\n", 5000), ColumnAmount: "1e3"}))
	input := string(AppendHeader(nil)) + strings.Repeat(row+bad, 40)
	j := judge(input, options())
	if j.summary.Rows != 80 {
		t.Fatalf("%+v", j.summary)
	}
	found := 0
	for _, p := range j.problems {
		if p.Code != AmountSyntax {
			continue
		}
		found++
		if !strings.HasPrefix(input[p.Place.Offset:], `"1e3"`) {
			t.Errorf("offset %d does not begin the cell", p.Place.Offset)
		}
		if want := 1 + strings.Count(input[:p.Place.Offset], "\n"); p.Place.Line != want {
			t.Errorf("line %d, want %d", p.Place.Line, want)
		}
	}
	if found != 40 {
		t.Errorf("%d findings, want 40", found)
	}
}

// TestPausingSource: a source may give nothing for a while between any two bytes.
func TestPausingSource(t *testing.T) {
	text := short + otherRow
	for _, in := range []string{text, base64.StdEncoding.EncodeToString([]byte(text)), string(formOf([]byte(text))), "oauth_a=1&" + string(formOf([]byte(text))) + "&b=2"} {
		want, got := judge(in, options()), collect(NewReader(&pausing{text: in, pause: 1}, options()))
		if verdict(got.problems) != verdict(want.problems) || len(got.rows) != 2 || got.err != nil {
			t.Errorf("%.20q: %s, %d rows, %v", in, verdict(got.problems), len(got.rows), got.err)
		}
	}
}

func TestNoProgress(t *testing.T) { // a reader that gives nothing for ever does not hang
	r := NewReader(readNothing{}, options())
	collect(r)
	if !errors.Is(r.Err(), io.ErrNoProgress) {
		t.Error(r.Err())
	}
}

type readNothing struct{}

func (readNothing) Read([]byte) (int, error) { return 0, nil }

func TestTenFaultsTenProblems(t *testing.T) { // V03
	row := source(values{
		ColumnOrderID: "", ColumnCardNumber: "x", ColumnCVV2: "1", ColumnExpireYear: "26", ColumnExpireMonth: "13", ColumnAmount: "1e3", ColumnCurrency: "EURO",
		ColumnCountry: "USA", ColumnInterval: "0", ColumnStartDate: "1.2.2026",
	})
	j := judge(document(row), options())
	if n := j.problems.Count(ledger.SeverityError); n != 10 {
		t.Errorf("%d errors: %v", n, j.problems.Unwrap())
	}
	for i, p := range j.problems[1:] {
		if p.Place.Offset < j.problems[i].Place.Offset {
			t.Error("not in order of place") // V02
		}
	}
}

func TestNextRowAsIfAlone(t *testing.T) { // V17, V04: a broken row changes nothing of the next
	good := line(source(nil))
	for _, bad := range []string{"x\n", "\"a\"b\n", "a\"b\n", "\"a\\\"b\"\n", ";;;\n", "\x00\xff\n", " \n"} {
		j := judge(string(AppendHeader(nil))+bad+good, options())
		if len(j.rows) != 1 || !bytes.Equal(csvOf(j.rows[0]), []byte(good)) {
			t.Errorf("after %q the next row is lost: %v", bad, j.problems.Unwrap())
		}
	}
}

// TestQuoteAtAnEdge: what is reported of a quote within a bare value does not depend on
// whether the byte behind it was read yet. Regressions of V15, at the edges of the first
// look at the text and of any later piece.
func TestQuoteAtAnEdge(t *testing.T) {
	toldAlike(t, InputCSV, strings.Repeat("0", sniffSize-1)+"\",x\n")
	toldAlike(t, InputCSV, shortHeader+strings.Repeat("0", 8020)+"\",x\n")
}

// TestFaultsBehindTheEnd: a fault of the encoded text that lies behind the place where
// reading ended is not reported, in whatever pieces it came. Regressions of V15.
func TestFaultsBehindTheEnd(t *testing.T) {
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	lost := encoded("a\"b;c\n" + strings.Repeat("x", 4500) + "\n") // no header
	rows := encoded(short + strings.Repeat("\"DST\";\"b\";\"4111111111111111\";\"1\";\"EUR\"\n", 200))
	body := "payload=" + strings.ReplaceAll(rows[:8000]+"+"+rows[8000:8200]+"+"+rows[8200:], "=", "%3D")
	toldAlike(t, InputBase64, lost[:5500]+"*"+lost[5500:])
	toldAlike(t, InputForm, "payload="+url.QueryEscape(lost)+"%zz&a=1;b=2")
	toldAlike(t, InputForm, "payload="+url.QueryEscape(lost)+"&payload=x&a=+b+c")
	toldAlike(t, InputForm, body) // of the bare + the first is read, the second not
	toldAlike(t, InputForm, "a=+&"+body)
	toldAlike(t, InputForm, "payload="+rows[:8000]+"*;"+rows[8000:8400]) // the form's fault lies behind
}

// TestStrayBitsAtAnEdge: the character with the stray bits is pointed to, whether the
// padding behind it came with it or not. A regression of V15.
func TestStrayBitsAtAnEdge(t *testing.T) {
	for last, end := range map[string]string{"B": "==", "/": "=="} {
		text := base64.StdEncoding.EncodeToString([]byte(shortHeader + strings.Repeat("x", 8000)))
		text = text[:len(text)&^3] + "A" + last + end
		toldAlike(t, InputBase64, text)
		toldAlike(t, InputForm, "payload="+url.QueryEscape(text))
		toldAlike(t, InputForm, "payload="+text)
	}
}

// TestWideTextInBase64: what is reported of the decoded text is no finding about the text as
// sent. A regression of W05.
func TestWideTextInBase64(t *testing.T) {
	wide := "\x00;\x001\x00;\x002\x00;\x003"
	for form, text := range map[Input]string{InputCSV: wide, InputBase64: base64.StdEncoding.EncodeToString([]byte(wide))} {
		o := options()
		o.Input = form
		if ps := judge(text, o).problems; len(ps) != 1 || ps[0].Code != InvalidUTF8 || ps[0].Place.Wire {
			t.Errorf("%v: %v", form, ps)
		}
	}
}

// toldAlike checks that the same is reported of a text whole and in pieces.
func toldAlike(t *testing.T, form Input, text string) {
	t.Helper()
	told := func(src io.Reader) (said []string) {
		for _, ps := range NewReader(src, Options{AsOf: asOf(), Input: form}).Rows() {
			for _, p := range ps {
				said = append(said, p.Error()+p.Help)
			}
		}
		return said
	}
	whole := told(strings.NewReader(text))
	for name, src := range map[string]io.Reader{
		"one byte": iotest.OneByteReader(strings.NewReader(text)), "half": iotest.HalfReader(strings.NewReader(text)),
	} {
		if got := told(src); !slices.Equal(whole, got) {
			t.Errorf("%s: %q, whole %q", name, got, whole)
		}
	}
}

// TestAllMissingColumns: of a header that lacked a column which every row needs, those that a row of SRC needs were only
// named once that one was there.
func TestAllMissingColumns(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"SRC":                  {"\"rp_card_type\";\"credit-card-number\";\"amount\";\"currency\";\"country\"\n\"SRC\";\"4111111111111111\";\"1.00\";\"EUR\";\"DE\"\n", []string{"client-orderid", "card-printed-name", "expire-year", "expire-month", "city", "zip-code", "address1", "first-name", "last-name", "email"}},
		"DST":                  {"\"rp_card_type\";\"credit-card-number\";\"amount\";\"currency\"\n\"DST\";\"4111111111111111\";\"1.00\";\"EUR\"\n", []string{"client-orderid"}},
		"a name that is meant": {"\"rp_card_type\";\"credit-card-number\";\"amount\";\"currency\";\"Land\";\"citi\"\n\"SRC\";\"4111111111111111\";\"1.00\";\"EUR\";\"DE\";\"x\"\n", []string{"client-orderid", "card-printed-name", "expire-year", "expire-month", "zip-code", "address1", "first-name", "last-name", "email"}},
	} {
		var got []string
		for _, p := range judge(c.in, options()).problems {
			if p.Code == ColumnMissing {
				got = append(got, p.Subject)
			}
		}
		slices.Sort(c.want)
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
