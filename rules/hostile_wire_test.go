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
		{"just near enough", "payload=!" + strings.Repeat("A", mostBehindFault-len("!&payload=2")) + "&payload=2",
			"E base64-syntax, E payload-duplicate"},
		{"too far behind", "payload=!" + strings.Repeat("A", mostBehindFault) + "&payload=2", "E base64-syntax"},
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
