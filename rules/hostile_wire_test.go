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

	"github.com/chargecast/chargecast/ledger"
)

// A wireCase is a row of the catalogue of hostile inputs that concerns base64 and form
// bodies.
type wireCase struct {
	name   string
	reason string
	input  string
	in     Input
	want   string
	valid  int
}

func (c wireCase) id() (string, string) { return c.name, c.reason }

func hostileWires() []wireCase {
	b64 := base64.StdEncoding.EncodeToString([]byte(short))
	if len(short)%3 != 2 {
		panic("the sample must need one padding character")
	}
	form := "payload=" + url.QueryEscape(b64)
	wrapped := b64[:76] + "\n" + b64[76:]
	plus := base64.StdEncoding.EncodeToString([]byte(withCell(`"` + strings.Repeat("\u03ff\u03fe", 9) + `"`)))
	if !strings.Contains(plus, "+") && !strings.Contains(plus, "/") {
		panic("the sample must have + or /")
	}
	return []wireCase{
		{"base64", "4.1", b64, InputAuto, "A", 1},
		{"form", "4.1", form, InputAuto, "A", 1},
		{"form, everything escaped", "5.5", "payload=" + escapeAll(b64), InputAuto, "A", 1},
		{"h142 LF", "L49", wrapped, InputAuto, "E base64-wrapped", 0},
		{"h142 CRLF", "L49", strings.ReplaceAll(wrapped, "\n", "\r\n"), InputAuto, "E base64-wrapped", 0},
		{"h143 file", "L49", b64 + "\n", InputAuto, "A", 1},
		{"h143 file CRLF", "L49", b64 + "\r\n", InputAuto, "A", 1},
		{"h143 two", "L49", b64 + "\n\n", InputAuto, "E base64-wrapped", 0},
		{"h143 form", "L49", form + "\n", InputAuto, "A", 1},
		{"h143 form CRLF", "L49", form + "\r\n", InputAuto, "A", 1},
		{"h143 form, another last", "L61", form + "&debug=1\n", InputAuto, "W parameter-extra", 1},
		{"h143 form, after a separator", "L49", form + "&\n", InputAuto, "A", 1},
		{"h143 form, escaped", "L49", form + "%0A", InputAuto, "E base64-wrapped", 0},
		{"h143 form, not last", "L49", form + "\n&oauth_nonce=1", InputAuto, "E base64-wrapped", 0},
		{"h143 form, two", "L49", form + "\n\n", InputAuto, "E base64-wrapped", 0},
		{"h143 form, inside", "L49", form[:48] + "\n" + form[48:], InputAuto, "E base64-wrapped", 0},
		{"h144", "L49", b64[:40] + " " + b64[41:], InputAuto, "E base64-space", 0},
		{"h145 tab", "L49", b64[:40] + "\t" + b64[41:], InputAuto, "E base64-syntax", 0},
		{"h145 NUL", "L49", b64[:40] + "\x00" + b64[41:], InputAuto, "E base64-syntax", 0},
		{"h146", "L49", strings.NewReplacer("+", "-", "/", "_").Replace(plus), InputAuto, "E base64-url-safe", 0},
		{"h147 none", "L49", strings.TrimRight(b64, "="), InputAuto, "E base64-unpadded", 0},
		{"h147 three", "L49", b64 + "==", InputAuto, "E base64-syntax", 0},
		{"h147 alone", "L49", "====", InputBase64, "E base64-syntax", 0},
		{"h148 one", "L49", "YWJ=", InputBase64, "E base64-stray-bits", 0},
		{"h148 two", "L49", "YR==", InputBase64, "E base64-stray-bits", 0},
		{"h149", "L49", "YWI=YWI=", InputBase64, "E base64-syntax", 0},
		{"h149 recognised", "L49", "YWI=YWI=", InputAuto, "E base64-syntax", 0},
		{"h149 two padded", "L49", "YQ==YQ==\n", InputAuto, "E base64-syntax", 0},
		{"h149 payloads", "L49", b64 + b64, InputAuto, "E base64-syntax", 0},
		{"h149 no payload", "4.1", "debug=1", InputAuto, "E payload-missing, W parameter-extra", 0},
		{"h150 data", "L49", "data:text/csv;base64," + b64, InputAuto, "E base64-syntax", 0},
		{"h150 escape left", "L49", strings.ReplaceAll(b64, "=", "%3D"), InputAuto, "E base64-syntax", 0},
		{"h151", "L49", base64.StdEncoding.EncodeToString([]byte(b64)), InputAuto, "E base64-double", 0},
		{"h151 form", "L49", "payload=" + escapeAll(base64.StdEncoding.EncodeToString([]byte(b64))), InputAuto, "E base64-double", 0},
		{"h152 empty", "L45", "payload=", InputAuto, "E payload-empty", 0},
		{"h152 no =", "L45", "payload", InputAuto, "E payload-empty", 0},
		{"h152 line end", "L45", "payload=\n", InputAuto, "E payload-empty", 0},
		{"h152 no =, line end", "L45", "payload\n", InputAuto, "E payload-empty", 0},
		{"h152 with another", "L45", "payload=&oauth_nonce=1", InputAuto, "E payload-empty", 0},
		{"h153", "L49", short, InputBase64, "E base64-syntax", 0},
		{"h155", "L68", "payload=" + b64[:40] + "+" + b64[41:], InputAuto, "E base64-space, W form-plus", 0},
		{"h156 zz", "L68", "payload=%zz", InputAuto, "E form-escape", 0},
		{"h156 %", "L68", "payload=YWJj%", InputAuto, "E form-escape", 0},
		{"h156 %2", "L68", "payload=YWJj%2", InputAuto, "E form-escape", 0},
		{"h156 %u", "L68", "payload=%u0041", InputAuto, "E form-escape", 0},
		{"h156 other", "L68", "a=%zz&" + form, InputAuto, "E form-escape, W parameter-extra", 0},
		{"h157", "L60", form + "&" + form, InputAuto, "E payload-duplicate", 1},
		{"h158", "L68", "a=1;" + form, InputAuto, "E form-semicolon, W parameter-extra", 0},
		{"h159", "L56d", strings.Repeat("oauth_a=1&", 10_000) + form, InputForm, "E limit-parameters", 0},
		{"h160 PAYLOAD", "4.1", "PAYLOAD=" + b64, InputAuto, "E payload-missing, W parameter-extra", 0},
		{"h160 brackets", "4.1", "payload[]=" + escapeAll(b64), InputAuto, "E payload-missing, W parameter-extra", 0},
		{"h160 escaped name", "4.1", "p%61yload=" + escapeAll(b64), InputAuto, "A", 1},
		{"h161 NUL", "L41b", "payload=" + escapeAll(base64.StdEncoding.EncodeToString([]byte(withCell("\"\x00\"")))), InputAuto, "E nul-character", 0},
		{"h161 overlong", "L44", "payload=" + escapeAll(base64.StdEncoding.EncodeToString([]byte(withCell("\"\xc0\xaf\"")))), InputAuto, "E invalid-utf8", 0},
		{"h162", "L49", "payload=" + strings.ReplaceAll(url.QueryEscape(b64), "%", "%25"), InputAuto, "E base64-syntax", 0},
		{"h163", "L61", "debug=1&" + form, InputAuto, "W parameter-extra", 1},
		{"h163 after", "L61", form + "&debug=1&trace=2", InputAuto, "W parameter-extra", 1},
		{"h163 oauth", "X12", "oauth_nonce=1&" + form + "&oauth_version=1.0", InputAuto, "A", 1},
		{"h164", "5.1", form + "&oauth_signature=x", InputAuto, "E signature-in-body", 1},
		{"h165 no name", "L68", "=v&" + form, InputForm, "E form-name", 0},
		{"h165 empty pairs", "L68", "&&" + form + "&&", InputForm, "A", 1},
		{"h165 question mark", "L68", "?a=1&" + form, InputForm, "W parameter-extra", 1},
	}
}

func escapeAll(s string) string {
	var b strings.Builder
	const hex = "0123456789abcdef"
	for i := range len(s) {
		b.WriteByte('%')
		b.WriteByte(hex[s[i]>>4])
		b.WriteByte(hex[s[i]&15])
	}
	return b.String()
}

func TestHostileWires(t *testing.T) {
	each(t, hostileWires(), func(t *testing.T, c wireCase) {
		o := options()
		o.Input = c.in
		j := judge(c.input, o)
		if got := verdict(j.problems); got != c.want {
			t.Errorf("got %s, want %s\n%v", got, c.want, j.problems.Unwrap())
		}
		if len(j.rows) != c.valid {
			t.Errorf("%d rows, want %d", len(j.rows), c.valid)
		}
		for _, p := range j.problems {
			if p.Place.Wire && (p.Place.Offset < 0 || p.Place.Offset > int64(len(c.input)) || p.Place.Row != 0) {
				t.Errorf("place of %v: row %d, offset %d", p, p.Place.Row, p.Place.Offset)
			}
		}
	})
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
	j := collect(NewReader(strings.NewReader("payload=QUJD"), Options{Input: InputForm, MaxBytes: 4}))
	if got := verdict(j.problems); got != "E limit-bytes" {
		t.Error("limit:", got)
	}
	broken := io.MultiReader(strings.NewReader("payl"), iotest.ErrReader(io.ErrUnexpectedEOF))
	j = collect(NewReader(broken, Options{Input: InputForm}))
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
		j := collect(NewReader(strings.NewReader(c.body+"1&"), Options{Input: InputForm, MaxBytes: int64(len(c.body))}))
		if got := verdict(j.problems); got != c.limit {
			t.Errorf("%s, limit: %s, want %s", c.reason, got, c.limit)
		}
		broken := io.MultiReader(strings.NewReader(c.body), iotest.ErrReader(io.ErrUnexpectedEOF))
		j = collect(NewReader(broken, Options{Input: InputForm}))
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

func TestJoinedTexts(t *testing.T) { // h149: the remedy says so
	j := judge("YWI=YWI=", options())
	if len(j.problems) != 1 || !strings.Contains(j.problems[0].Help, "joined") || j.summary.Input != InputBase64 {
		t.Error(j.problems, j.summary.Input)
	}
}

func TestLimitsNameTheirOptions(t *testing.T) { // L56d
	for c, option := range map[ledger.Code]string{
		LimitBytes: "MaxBytes", LimitRows: "MaxRows", LimitRow: "MaxRow", LimitCell: "MaxCell",
		LimitColumns: "MaxColumns", LimitElements: "MaxElements",
	} {
		if help := ruleOf(c).Help; !strings.HasSuffix(help, "raise the option "+option) {
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
