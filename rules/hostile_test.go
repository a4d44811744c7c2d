package rules

import (
	"encoding/base64"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/ledger"
)

// A payloadCase is a payload that is easily misread: everything that is reported about it, how many data
// rows it has, and how many of them can be used.
type payloadCase struct {
	name        string
	reason      string
	input       string
	in          Input
	want        string
	rows, valid int
}

func (c payloadCase) id() (string, string) { return c.name, c.reason }

func (c payloadCase) judge() judged {
	o := options()
	o.Input = c.in
	return judge(c.input, o)
}

// payloadVectors returns the vectors of these files that are judged with the options of the tests.
func payloadVectors(t *testing.T, families ...string) (cases []payloadCase) {
	t.Helper()
	for _, family := range families {
		before := len(cases)
		for _, v := range vectortest.Family(t, family) {
			p := v.Payload(t)
			if v.Verdict == vectortest.Unspecified || p.Currency != "" || calendar.MustParse(p.AsOf) != asOf() {
				continue
			}
			in := map[string]Input{"csv": InputCSV, "base64": InputBase64, "form": InputForm}[p.Input]
			cases = append(cases, payloadCase{v.ID, v.Reason, string(p.Bytes()), in, verdictOf(p.Expect.Problems), p.Expect.Rows, p.Expect.Valid})
		}
		if len(cases) == before {
			t.Fatalf("%s has no vector with the options of the tests", family)
		}
	}
	return cases
}

// verdictOf is what verdict returns of these problems.
func verdictOf(problems []vectortest.Problem) string {
	var words []string
	for _, p := range problems {
		words = append(words, strings.ToUpper(p.Severity[:1])+" "+p.Code)
	}
	if len(words) == 0 {
		return "A"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// hostilePayloads returns the vectors of these files, and what no vector has.
func hostilePayloads(t *testing.T, families ...string) []payloadCase {
	t.Helper()
	return slices.Concat(payloadVectors(t, families...), hostileCells(), hostileWires())
}

func TestHostilePayloads(t *testing.T) {
	each(t, hostilePayloads(t, "hostile-cells", "payload-columns", "payload-rows", "payload-csv", "payload-wire"), func(t *testing.T, c payloadCase) {
		j := c.judge()
		if got := verdict(j.problems); got != c.want {
			t.Errorf("got  %s\nwant %s\n%v", got, c.want, j.problems.Unwrap())
		}
		if j.summary.Rows != c.rows || j.summary.Valid != c.valid || len(j.rows) != c.valid {
			t.Errorf("%d rows, %d valid, want %d and %d", j.summary.Rows, j.summary.Valid, c.rows, c.valid)
		}
		for _, p := range j.problems {
			if p.Place.Wire && (p.Place.Offset < 0 || p.Place.Offset > int64(len(c.input)) || p.Place.Row != 0) {
				t.Errorf("place of %v: row %d, offset %d", p, p.Place.Row, p.Place.Offset)
			}
		}
		for _, row := range j.rows {
			if _, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: row.Profile()}, asOf()); err != nil {
				t.Errorf("V20: a row without errors does not compile: %v", err)
			}
		}
	})
}

// hostileCells are rows of the catalogue of hostile inputs that no vector has: some cells of an otherwise
// faultless row, and everything that is reported about it.
func hostileCells() (cases []payloadCase) {
	for _, c := range []struct {
		name, reason string
		row          values
		want         string
	}{
		{"h024 QQQ", "L36c", source(values{ColumnAmount: "1.0001", ColumnCurrency: "QQQ"}), "W currency-unknown"},
		{"h024 ZZZ", "L36c", source(values{ColumnAmount: "1.00", ColumnCurrency: "ZZZ"}), "W currency-unknown"},
		{"h025 12", "L35", source(values{ColumnAmount: "1234567890.1"}), "E too-long"},
		{"h026 whole", "L35", source(values{ColumnAmount: "9999999999"}), "A"},
		{"h026 point", "L35", source(values{ColumnAmount: "9999999.99"}), "A"},
		{"h030 all", "L34", source(values{ColumnAmountFrom: "1", ColumnAmountTo: "2", ColumnAmountSequence: "3"}), "E amount-modes"},
		{"h030 half", "L34", source(values{ColumnAmountFrom: "1"}), "E amount-half-range, E amount-modes"},
		{"h070", "L31", source(values{ColumnExpireYear: "2026", ColumnExpireMonth: "06"}), "W card-expires-before-charge"},
		{"h077", "L55", source(values{ColumnNotifyURL: "https://a.example", ColumnServerCallbackURL: "https://a.example"}), "E callbacks-both"},
		{"h080 USA", "2.1", source(values{ColumnCountry: "USA"}), "E too-long"},
		{"h080 840", "2.1", source(values{ColumnCountry: "840"}), "E too-long"},
		{"h082 ZZ", "L50", source(values{ColumnCountry: "US", ColumnState: "ZZ"}), "W state-unknown"},
		{"h082 where states are not listed", "L41", source(values{ColumnCountry: "FR", ColumnState: "ééé"}), "W bytes-exceed-limit"},
		{"h095 text", "L46", source(values{ColumnCity: " Springfield"}), "W surrounding-space"},
		{"h095 text after", "L46", source(values{ColumnCity: "Springfield "}), "W surrounding-space"},
		{"h097", "2.1", source(values{ColumnCity: "   "}), "E required"},
		{"h040 01012025", "X3", source(values{ColumnStartDate: "01012025"}), "E date-syntax"},
	} {
		valid := 1
		if strings.Contains(c.want, "E ") {
			valid = 0
		}
		cases = append(cases, payloadCase{c.name, c.reason, document(c.row), InputAuto, c.want, 1, valid})
	}
	return cases
}

func TestRepeatedOrderIDNamesBothRows(t *testing.T) { // h099, L47
	j := judge(document(source(nil), source(values{ColumnOrderID: "x"}), source(nil)), options())
	if got := verdict(j.problems); got != "W orderid-duplicate" {
		t.Fatal(got)
	}
	if p := j.problems[0]; p.Place.Row != 3 || !strings.HasSuffix(p.Message, " of row 1") {
		t.Errorf("row %d, %s", p.Place.Row, p.Message)
	}
}

func TestProjectCurrency(t *testing.T) { // h084, L56
	o := options()
	o.Currency = "USD"
	j := judge(document(source(nil)), o)
	if got := verdict(j.problems); got != "E project-currency" || !j.summary.CurrencyChecked {
		t.Error(got)
	}
	if judge(document(source(nil)), options()).summary.CurrencyChecked {
		t.Error("the currency was not given and yet checked")
	}
}

// short is a payload of the always required columns, amount and a schedule-less DST row.
const (
	shortHeader = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"` + "\n"
	shortRow    = `"DST";"order-1";"4111111111111111";"10.00";"EUR"` + "\n"
	otherRow    = `"DST";"order-2";"4111111111111111";"10.00";"EUR"` + "\n"
	short       = shortHeader + shortRow
)

func withCell(cell string) string {
	return shortHeader + `"DST";` + cell + `;"4111111111111111";"10.00";"EUR"` + "\n"
}

func TestManyShortRows(t *testing.T) { // h137: linear, and nothing is held
	j := judge(shortHeader+strings.Repeat("x\n", 20_000), options())
	if j.summary.Errors != 20_000 || j.summary.Rows != 20_000 {
		t.Errorf("%+v", j.summary)
	}
}

func TestLimitsOnRowsAndBytes(t *testing.T) { // h138
	rows := options()
	rows.MaxRows = 1
	if j := judge(short+otherRow, rows); verdict(j.problems) != "E limit-rows" || len(j.rows) != 1 {
		t.Errorf("%s, %d rows", verdict(j.problems), len(j.rows))
	}
	if j := judge(short, rows); verdict(j.problems) != "A" {
		t.Errorf("at the limit: %s", verdict(j.problems))
	}
	length := options()
	length.MaxBytes = int64(len(short))
	if j := judge(short, length); verdict(j.problems) != "A" {
		t.Errorf("at the limit: %s", verdict(j.problems))
	}
	if j := judge(short+otherRow, length); verdict(j.problems) != "E limit-bytes" || len(j.rows) != 1 {
		t.Errorf("%s, %d rows: the rows before the limit are judged", verdict(j.problems), len(j.rows))
	}
	length.MaxBytes--
	if j := judge(short, length); verdict(j.problems) != "E limit-bytes, E no-rows" && verdict(j.problems) != "E limit-bytes" {
		t.Errorf("a row that the limit cuts off: %s, %d rows", verdict(j.problems), len(j.rows))
	}
}

func TestOtherLimits(t *testing.T) { // L56d: n passes, n+1 does not
	for _, c := range []struct {
		name string
		set  func(*Options, int)
		n    int
		text func(n int) string
		code ledger.Code
	}{
		{"row", func(o *Options, n int) { o.MaxRow = n }, 200, func(n int) string {
			return shortHeader + strings.Repeat("x", n) + "\n"
		}, LimitRow},
		{"row of quoted values", func(o *Options, n int) { o.MaxRow = n }, 200, func(n int) string {
			return shortHeader + `"` + strings.Repeat("x", n-2) + "\"\n"
		}, LimitRow},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options()
			c.set(&o, c.n)
			if j := judge(c.text(c.n), o); j.problems.Has(c.code) {
				t.Errorf("at the limit: %s", verdict(j.problems))
			}
			j := judge(c.text(c.n+1)+otherRow, o)
			if !j.problems.Has(c.code) || len(j.rows) != 1 {
				t.Errorf("above the limit: %s, %d rows", verdict(j.problems), len(j.rows))
			}
		})
	}
}

// hostileWires are base64 and form bodies of the catalogue of hostile inputs that no vector has.
func hostileWires() []payloadCase {
	b64 := base64.StdEncoding.EncodeToString([]byte(short))
	form := "payload=" + url.QueryEscape(b64)
	return []payloadCase{
		{"h143 form CRLF", "L49", form + "\r\n", InputAuto, "A", 1, 1},
		{"h143 form, another last", "L61", form + "&debug=1\n", InputAuto, "W parameter-extra", 1, 1},
		{"h143 form, after a separator", "L49", form + "&\n", InputAuto, "A", 1, 1},
		{"h143 form, not last", "L49", form + "\n&oauth_nonce=1", InputAuto, "E base64-wrapped", 0, 0},
		{"h143 form, two", "L49", form + "\n\n", InputAuto, "E base64-wrapped", 0, 0},
		{"h149 recognised", "L49", "YWI=YWI=", InputAuto, "E base64-syntax", 0, 0},
		{"h149 two padded", "L49", "YQ==YQ==\n", InputAuto, "E base64-syntax", 0, 0},
		{"h149 no payload", "4.1", "debug=1", InputAuto, "E payload-missing, W parameter-extra", 0, 0},
		{"h152 line end", "L45", "payload=\n", InputAuto, "E payload-empty", 0, 0},
		{"h152 no =, line end", "L45", "payload\n", InputAuto, "E payload-empty", 0, 0},
		{"h152 with another", "L45", "payload=&oauth_nonce=1", InputAuto, "E payload-empty", 0, 0},
	}
}

func TestRecognition(t *testing.T) { // h154: the choice is shown
	b64 := base64.StdEncoding.EncodeToString([]byte(short))
	for _, c := range []struct {
		reason, input string
		want          Input
	}{
		{"4.1", short, InputCSV},
		{"4.1", mark + short, InputCSV},
		{"4.1", b64, InputBase64},
		{"4.1", "payload=" + b64, InputForm},
		{"X12", "oauth_nonce=1&payload=" + b64, InputForm},
		{"h154: base64 only where a column name is inside", "rp_card_type", InputCSV},
		{"h154", base64.StdEncoding.EncodeToString([]byte("amount")), InputBase64},
		{"h154", base64.StdEncoding.EncodeToString([]byte("amounts")), InputCSV},
		{"h124", "sep=;\n" + short, InputCSV},
		{"a name of any visible bytes", "!~=1&payload=" + b64, InputForm},
		{"a quote in a name", `"a=1`, InputCSV},
		{"a semicolon in a name", "a;b=1", InputCSV},
		{"a comma first", ",=1", InputCSV},
		{"a quote first", `"=1`, InputCSV},
		{"a space in a name", "a b=1", InputCSV},
		{"a name beyond ASCII", "é=1", InputCSV},
		{"a = in a row makes no form", short + "a=b", InputCSV},
	} {
		if got := judge(c.input, options()).summary.Input; got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

func TestUnreadableInputs(t *testing.T) { // what a command answers with "cannot be read"
	for input, want := range map[string]bool{
		short:              false,
		"":                 false, // h130: a finding
		shortHeader:        false, // h131: a finding
		"%PDF-1.7":         true,
		"payload=":         true,
		"PAYLOAD=YWJj":     true,
		"payload=%zz":      true,
		short + "x\n":      false,
		"payload=YWJj====": true,
	} {
		if got := isUnreadable(judge(input, options()).problems); got != want {
			t.Errorf("%.20q: %v, want %v", input, got, want)
		}
	}
	for n := 4; n < 8; n++ {
		if got := verdict(judge(strings.Repeat("\x00", n), options()).problems); got != "E nul-character" {
			t.Errorf("%d zeros: %s", n, got)
		}
	}
}

// TestWrappedPlace holds the place of a line break in a form body (h143), wherever the
// chunks end, and that the last one is taken off however the body arrives.
func TestWrappedPlace(t *testing.T) {
	form := string(formOf([]byte(short)))
	for at := len("payload=") + 1; at <= len(form); at++ {
		body := form[:at] + "\n" + form[at:]
		if at == len(form) {
			body += "\n"
		}
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(body), "byte by byte": iotest.OneByteReader(strings.NewReader(body)),
		} {
			j := collect(NewReader(in, options()))
			if i := strings.LastIndexByte(form[:at], '%'); i >= 0 && at-i < len("%XX") {
				continue // in an escape
			}
			if len(j.problems) != 1 || j.problems[0].Code != Base64Wrapped {
				t.Fatalf("%d, %s: %s", at, name, verdict(j.problems))
			}
			if p := j.problems[0]; p.Place.Offset != int64(at) || p.Place.Line != 1 || p.Place.Col != at+1 {
				t.Errorf("%d, %s: place %d:%d, offset %d", at, name, p.Place.Line, p.Place.Col, p.Place.Offset)
			}
		}
	}
	for _, end := range []string{"\n", "\r\n"} {
		if got := verdict(collect(NewReader(iotest.OneByteReader(strings.NewReader(form+end)), options())).problems); got != "A" {
			t.Errorf("%q at the end: %s", end, got)
		}
	}
}

// TestEndPlace: what the end of a text lacks is missing before the line end.
func TestEndPlace(t *testing.T) {
	text := strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(short)), "=")
	for _, body := range []string{text, "payload=" + url.QueryEscape(text)} {
		for _, end := range []string{"", "\n", "\r\n"} {
			j := collect(NewReader(strings.NewReader(body+end), options()))
			if len(j.problems) != 1 || j.problems[0].Code != Base64Unpadded {
				t.Fatalf("%.8s…%q: %s", body, end, verdict(j.problems))
			}
			if p := j.problems[0]; p.Place.Line != 1 || p.Place.Col != len(body)+1 || p.Place.Offset != int64(len(body)) {
				t.Errorf("%.8s…%q: place %d:%d, offset %d", body, end, p.Place.Line, p.Place.Col, p.Place.Offset)
			}
		}
	}
}

// TestCutParameter: a name that the limit or a broken source cut off is no parameter.
func TestCutParameter(t *testing.T) {
	j := collect(NewReader(strings.NewReader("payload=QUJD"), Options{AsOf: asOf(), Input: InputForm, MaxBytes: 4}))
	if got := verdict(j.problems); got != "E limit-bytes" {
		t.Error("limit:", got)
	}
	broken := io.MultiReader(strings.NewReader("payl"), iotest.ErrReader(io.ErrUnexpectedEOF))
	j = collect(NewReader(broken, Options{AsOf: asOf(), Input: InputForm}))
	if got := verdict(j.problems); got != "A" {
		t.Error("broken source:", got)
	}
}

// TestCutEscape: an escape that the limit or a broken source cut off is not a fault of the form.
func TestCutEscape(t *testing.T) {
	for _, c := range []struct {
		reason, body string
		limit, cut   string
	}{
		{"in the payload", "payload=%51%5", "E limit-bytes", "A"},
		{"nothing but the percent sign", "payload=%51%", "E limit-bytes", "A"},
		{"in a name", "oauth%5", "E limit-bytes", "A"},
		{"in another value", "oauth_nonce=%5", "E limit-bytes", "A"},
		{"no escape whatever follows", "payload=%51%z", "E form-escape", "E form-escape"},
	} {
		j := collect(NewReader(strings.NewReader(c.body+"1&"), Options{AsOf: asOf(), Input: InputForm, MaxBytes: int64(len(c.body))}))
		if got := verdict(j.problems); got != c.limit {
			t.Errorf("%s, limit: %s, want %s", c.reason, got, c.limit)
		}
		broken := io.MultiReader(strings.NewReader(c.body), iotest.ErrReader(io.ErrUnexpectedEOF))
		j = collect(NewReader(broken, Options{AsOf: asOf(), Input: InputForm}))
		if got := verdict(j.problems); got != c.cut {
			t.Errorf("%s, broken source: %s, want %s", c.reason, got, c.cut)
		}
	}
}

// TestLimitBehindFault: whether there is more than the limit allows is not reported where a
// fault ended the reading before, in whatever pieces the input comes.
func TestLimitBehindFault(t *testing.T) {
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(short, 60)))
	for _, c := range []struct{ reason, body, want string }{
		{"a fault behind what tells the form", long[:5000] + "*" + long[5000:], "E base64-syntax"},
		{"the same in a form", "payload=" + strings.NewReplacer("+", "%2B", "/", "%2F").Replace(long[:5000]) + "*" + long[5000:], "E base64-syntax"},
		{"an empty payload", strings.Repeat("oauth_n=a&", 450) + "payload=&oauth_x=" + long, "E payload-empty"},
		{"no payload", strings.Repeat("oauth_n=a&", 450) + "%zz" + long, "E form-escape"},
	} {
		for limit := int64(5100); limit < 5110; limit++ {
			for name, in := range map[string]io.Reader{
				"whole": strings.NewReader(c.body), "byte by byte": iotest.OneByteReader(strings.NewReader(c.body)),
			} {
				o := options()
				o.MaxBytes = limit
				j := collect(NewReader(in, o))
				j.problems = slices.DeleteFunc(j.problems, func(p ledger.Finding) bool { return !p.Place.Wire })
				if got := verdict(j.problems); got != c.want {
					t.Errorf("%s, %d bytes, %s: %s, want %s", c.reason, limit, name, got, c.want)
				}
			}
		}
	}
}

// TestErrBehindFault: an error of the source is reported where the reading came to it, whether it
// comes with the last bytes or after them.
func TestErrBehindFault(t *testing.T) {
	boom := errors.New("boom")
	long := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(short, 300)))
	for _, c := range []struct {
		reason, body string
		want         error
	}{
		{"a fault before it", long[:4*(len(long)/5)] + "*" + long[4*(len(long)/5):], nil},
		{"a fault at the beginning", "*" + long, boom}, // read as a CSV
		{"a fault of the form", "payload=" + long[:400] + "%zz" + long[400:], nil},
		{"none in the form", "payload=" + strings.ReplaceAll(long, "+", "%2B"), boom},
		{"none in base64", long, boom},
		{"none in the CSV", strings.Repeat(short, 300), boom},
	} {
		broken := func() io.Reader {
			return io.MultiReader(strings.NewReader(c.body), iotest.ErrReader(boom))
		}
		for name, src := range map[string]io.Reader{"after": broken(), "with": iotest.DataErrReader(broken()), "bytes": iotest.OneByteReader(broken())} {
			if err := collect(NewReader(src, options())).err; !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%s, %s: %v, want %v", c.reason, name, err, c.want)
			}
		}
	}
}

// TestUnreadableIsAFact: that an input cannot be read does not depend on how severe that is
// taken to be (h272).
func TestUnreadableIsAFact(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte(short))
	for _, c := range []struct {
		input string
		code  ledger.Code
		want  bool
	}{
		{"\x1f\x8b\x08\x00", NotAPayload, true},
		{text[:40] + "\n" + text[40:], Base64Wrapped, true},
		{"payload=%zz", FormEscape, true},
		{text, Base64Wrapped, false},
		{short, NotAPayload, false},
		{"", NoHeader, false},
	} {
		for _, severity := range []ledger.Severity{ledger.SeverityError, ledger.SeverityWarning, ledger.SeverityOff} {
			o := options()
			o.Severity = map[ledger.Code]ledger.Severity{c.code: severity}
			if got := judge(c.input, o).summary.Unreadable; got != c.want {
				t.Errorf("%v at %v: unreadable is %v", c.code, severity, got)
			}
		}
	}
}

func TestSecondPayloadIsNoUnreadableInput(t *testing.T) { // h157: rows of the first are out already
	form := string(formOf([]byte(short)))
	j := judge(form+"&"+form, options())
	if len(j.rows) != 1 || j.problems.Err() == nil || isUnreadable(j.problems) {
		t.Errorf("%d rows, %s, unreadable %v", len(j.rows), verdict(j.problems), isUnreadable(j.problems))
	}
}

// Who mends the base64 text of one payload should not learn of the other only then.
func TestSecondPayloadBehindBrokenBase64(t *testing.T) { // h157, h164
	for _, c := range []struct{ name, form, want string }{
		{"neither is base64", "payload=1&payload=2", "E base64-syntax, E payload-duplicate"},
		{"only the second is", "payload=1&" + string(formOf([]byte(short))), "E base64-syntax, E payload-duplicate"},
		{"a character inside", "payload=YWJj!abc&payload=2", "E base64-syntax, E payload-duplicate"},
		{"a plus sign that became a space", "payload=YWJj+abc&payload=2", "E base64-space, E payload-duplicate, W form-plus"},
		{"a signature", "payload=1&oauth_signature=x", "E base64-syntax, E signature-in-body"},
		{"the rest of the value is no name", "payload=!payload", "E base64-syntax"},
		{"other parameters are not counted", "payload=1&a=+&b=2", "E base64-syntax"},
		{"faults behind it are not told", "payload=1&a=%zz&payload=2", "E base64-syntax"},
		{"nor names that are empty", "payload=1&=2", "E base64-syntax"},
		{"a bad escape in the payload itself", "payload=%zz&payload=2", "E form-escape"},
		{"just near enough", "payload=!" + strings.Repeat("A", mostAfterFault-len("!&payload=2")) + "&payload=2",
			"E base64-syntax, E payload-duplicate"},
		{"too far behind", "payload=!" + strings.Repeat("A", mostAfterFault) + "&payload=2", "E base64-syntax"},
	} {
		j := judge(c.form, options())
		if got := verdict(j.problems); got != c.want || !j.summary.Unreadable {
			t.Errorf("%s: %s, unreadable %v; want %s", c.name, got, j.summary.Unreadable, c.want)
		}
		r := NewReader(iotest.OneByteReader(strings.NewReader(c.form)), options())
		if slow := collect(r); verdict(slow.problems) != c.want {
			t.Errorf("%s, byte by byte: %s", c.name, verdict(slow.problems))
		}
		decoded, err := Decode(io.Discard, strings.NewReader(c.form), options())
		if err != nil || verdict(decoded) != c.want {
			t.Errorf("%s: Decode: %s, %v", c.name, verdict(decoded), err)
		}
	}
}

func TestJoinedTexts(t *testing.T) { // h149: the remedy says so
	j := judge("YWI=YWI=", options())
	if len(j.problems) != 1 || !strings.Contains(j.problems[0].Help, "joined") || j.summary.Input != InputBase64 {
		t.Error(j.problems, j.summary.Input)
	}
}

// TestLimitsNameThemselves: what to do about a limit is said in words, since a command's users know no names of Go (L56d).
func TestLimitsNameThemselves(t *testing.T) {
	for c, limit := range map[ledger.Code]string{LimitBytes: "of bytes", LimitRows: "of rows", LimitRow: "of a row"} {
		if help := ruleOf(c).Help; !strings.HasSuffix(help, "raise the limit "+limit) {
			t.Errorf("%s: %s", c, help)
		}
	}
}

func TestEndlessRest(t *testing.T) { // h286: an input that was given up is not read to its end
	endless := func(head string) *countingReader { return &countingReader{head: head, left: 64 << 20} }
	limited := options()
	limited.MaxRows = 1
	form := string(formOf([]byte(short + otherRow)))
	for name, c := range map[string]struct {
		in *countingReader
		o  Options
	}{
		"broken base64": {endless("payload=YWJj*"), options()},
		"broken form":   {endless("payload=%zz"), options()},
		"no header":     {endless("payload=YWJj&"), options()},
		"row limit":     {endless(form + "&x="), limited},
	} {
		collect(NewReader(c.in, c.o))
		if c.in.read > 1<<20 {
			t.Errorf("%s: %d bytes were read", name, c.in.read)
		}
	}
}

// A countingReader gives its head and then the letter A.
type countingReader struct {
	head       string
	left, read int
}

func (r *countingReader) Read(p []byte) (int, error) {
	if r.head != "" {
		n := copy(p, r.head)
		r.head = r.head[n:]
		r.read += n
		return n, nil
	}
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	for i := range p[:n] {
		p[i] = 'A'
	}
	r.left -= n
	r.read += n
	return n, nil
}
