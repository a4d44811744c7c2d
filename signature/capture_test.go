package signature_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestParseRequest: a captured request as the command reads it, in both line ends.
func TestParseRequest(t *testing.T) {
	const head = "POST /p HTTP/1.1\nhost: h.example:8443\ncontent-TYPE: text/plain\nAUTHORIZATION: OAuth a=\"1\",\n b=\"2\"\n"
	tests := []struct {
		name, reason, text string
		want               req
		authorization      string
	}{
		{"names without case, a fold", "signing 1", head + "\nx=1",
			req{Method: "POST", URL: "https://h.example:8443/p", ContentType: "text/plain", Body: []byte("x=1")}, "OAuth a=\"1\",\n b=\"2\""},
		{"target with scheme and host", "signing 1", "GET http://H/p?x=1 HTTP/1.1\nHost: other\n\n", req{Method: "GET", URL: "http://H/p?x=1"}, ""},
		{"no empty line, no body", "signing 1", "GET http://h/ HTTP/1.1\nHost: h", req{Method: "GET", URL: "http://h/"}, ""},
		{"a line end that an editor added", "signing 1", "POST http://h/ HTTP/1.1\nContent-Length: 3\n\nx=1\r\n", req{Method: "POST", URL: "http://h/", Body: []byte("x=1")}, ""},
		{"a line end without Content-Length", "signing 1: the body as it is", "POST http://h/ HTTP/1.1\nHost: h\n\nx=1\n", req{Method: "POST", URL: "http://h/", Body: []byte("x=1\n")}, ""},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		head, body, _ := strings.Cut(test.text, "\n\n")
		for _, text := range []string{test.text, strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" + body} {
			made, findings, err := signature.ParseRequest([]byte(text))
			got := reqOf(made)
			if err != nil || got.Method != test.want.Method || got.URL != test.want.URL || got.ContentType != test.want.ContentType ||
				string(got.Body) != string(test.want.Body) || made.Authorization() != test.authorization || findings != nil {
				t.Errorf("%s: %q %q %q, %v, %v", test.name, got.URL, got.Body, made.Authorization(), findings, err)
			}
		}
	}
}

// TestParseRequestErrors: a text that is not a request is refused, and nothing of it is shown (S8, h309).
func TestParseRequestErrors(t *testing.T) {
	tests := []struct{ name, reason, text, says string }{
		{"empty", "signing 1", "", "request line"},
		{"not a request line", "signing 1", "canary\n\n", "request line"},
		{"a response", "signing 1", "HTTP/1.1 403 Forbidden\n\n", "request line"},
		{"no header lines", "signing 1", "POST http://h/ HTTP/1.1\n", "no header lines"},
		{"no Host", "signing 1", "POST /canary HTTP/1.1\nA: b\n\n", "no Host"},
		{"a line without colon", "signing 1", "POST /p HTTP/1.1\nHost: h\ncanary\n\n", "colon"},
		{"space in a name", "signing 1", "POST /p HTTP/1.1\nHo st: h\n\n", "colon"},
		{"fold first", "signing 1", "POST /p HTTP/1.1\n canary\n\n", "space"},
		{"two Authorization headers", "h199", "POST /p HTTP/1.1\nHost: h\nAuthorization: canary\nauthorization: canary\n\n", "two headers Authorization"},
		{"two hosts", "signing 1", "POST /p HTTP/1.1\nHost: h\nHost: canary\n\n", "two headers Host"},
		{"two hosts beside a whole URL", "signing 1", "POST http://h/p HTTP/1.1\nHost: h\nHost: canary\n\n", "two headers Host"},
		{"chunked", "signing 1", "POST /p HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n3\nx=1\n0\n\n", "transfer coding"},
		{"two transfer codings", "S8", "POST /p HTTP/1.1\nHost: h\nTransfer-Encoding: identity\nTransfer-Encoding: chunked\n\nx=1", "two headers Transfer-Encoding"},
		{"length that is not a number", "signing 1", "POST /p HTTP/1.1\nHost: h\nContent-Length: canary\n\n", "Content-Length"},
		{"an empty length", "S8", "POST /p HTTP/1.1\nHost: h\nContent-Length:\n\nx=1", "Content-Length is empty"},
		{"a length of spaces", "S8", "POST /p HTTP/1.1\nHost: h\nContent-Length: \t \n\nx=1", "Content-Length is empty"},
		{"length with a sign", "S8", "POST /p HTTP/1.1\nHost: h\nContent-Length: +3\n\nx=1", "Content-Length"},
		{"two lengths in one", "S8", "POST /p HTTP/1.1\nHost: h\nContent-Length: 3, 3\n\nx=1", "Content-Length"},
		{"host with a path", "S8", "POST /p HTTP/1.1\nHost: gate.example/a\n\n", "Host header is not"},
		{"host with a fragment", "S8", "POST /p HTTP/1.1\nHost: gate.example#\n\n", "Host header is not"},
		{"host with userinfo", "S8", "POST /p HTTP/1.1\nHost: good@evil\n\n", "Host header is not"},
		{"host with a query", "S8", "POST /p HTTP/1.1\nHost: x/a?\n\n", "Host header is not"},
		{"host with a backslash", "S8", "POST /p HTTP/1.1\nHost: x\\a\n\n", "Host header is not"},
		{"target with a fragment", "S8", "POST /p#canary HTTP/1.1\nHost: h\n\n", "fragment"},
		{"too many lines", "signing 1", "POST /p HTTP/1.1\n" + strings.Repeat("A: b\n", 501) + "\n", "500"},
		{"JSON of another kind", "C9", `{"canary":1}`, "HAR"},
		{"a HAR file without the header", "C9", `{"log":{"entries":[{"request":{"method":"GET","url":"http://canary/"}},{"request":{}}]}}`, "sensitive data"},
		{"a HAR file with two signed requests", "C9", `{"log":{"entries":[` + strings.Repeat(`{"request":{"method":"GET","url":"http://canary/","headers":[{"name":"Authorization","value":"OAuth x"}]}},`, 1) +
			`{"request":{"headers":[{"name":"Authorization","value":"oauth x"}]}}]}}`, "2 signed requests"},
		{"a HAR file without the text of the body", "C9", `{"log":{"entries":[{"request":{"method":"POST","url":"http://h/","postData":{"params":[{"name":"canary"}]}}}]}}`, "not its text"},
		{"a HAR file with damaged base64", "C9", `{"log":{"entries":[{"request":{"method":"POST","url":"http://h/","postData":{"encoding":"base64","text":"canary!"}}}]}}`, "base64"},
		{"a trace with a line missing", "C9", "=> Send header, 40 bytes (0x28)\n0000: POST /canary HTTP/1.1\n0020: x\n", "follow one another"},
		{"a trace cut short", "C9", "=> Send header, 40 bytes (0x28)\n0000: POST /canary HTTP/1.1\n", "as long as it says"},
		{"curl that did not connect", "C9", "*   Trying 10.0.0.1:443...\n* connect to canary failed\n", "shows no request"},
		{"a trace that did not connect", "C9", "== Info: Trying canary\n", "shows no request"},
		{"a trace without a length", "C9", "=> Send header, x bytes\n0000: POST /canary HTTP/1.1\n", "how long"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		_, _, err := signature.ParseRequest([]byte(test.text))
		if !errors.Is(err, signature.RequestForm) || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
		if f, ok := errors.AsType[ledger.Finding](err); !ok || f.Place.Offset > int64(len(test.text)) || f.Help == "" {
			t.Errorf("%s: place and help of %v", test.name, err)
		}
	}
}

// TestCapturedBodyCutOrMissing: a body that is shorter than it should be is reported (S8).
func TestCapturedBodyCutOrMissing(t *testing.T) {
	for text, want := range map[string]ledger.Code{
		"POST http://h/ HTTP/1.1\nContent-Length: 9\n\nx=1": signature.ContentLength,
		"POST http://h/ HTTP/1.1\nContent-Length: 9\n\n":    signature.BodyMissing,
	} {
		_, findings, err := signature.ParseRequest([]byte(text))
		if err != nil || !slices.Equal(codesOf(findings), []ledger.Code{want}) {
			t.Errorf("%q: %v, %v", text, findings, err)
		}
	}
	c := hmacCase(t, "secret")
	c.request.Params, c.request.Body = nil, []byte{}
	v := c.verify(t)
	if !slices.Contains(codesOf(v.Findings), signature.BodyMissing) || v.Signature != signature.VerdictMismatch {
		t.Errorf("a mismatch without a body: %v", v.Findings)
	}
}

func capture(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile("testdata/captures/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// TestCapturedForms: what curl and browsers record of one request is read as that request (C9).
func TestCapturedForms(t *testing.T) {
	const body = "payload=InJwX2NhcmRfdHlwZSI7ImNsaWVudC1vcmRlcmlkIgoiU1JDIjsib3JkZXItMSIK"
	secret, err := signature.NewSecret("s3cret", "")
	if err != nil {
		t.Fatal(err)
	}
	for name, hasBody := range map[string]bool{"curl-v.txt": false, "curl-v-progress.txt": false, "curl-trace.txt": true, "curl-v-time.txt": false, "curl-trace-time.txt": true, "curl-trace-hex.txt": true, "browser.har": true} {
		text := capture(t, name)
		for _, raw := range [][]byte{text, []byte(strings.ReplaceAll(string(text), "\n", "\r\n"))} {
			r, findings, err := signature.ParseRequest(raw)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if hasBody != (string(r.Body()) == body) || hasBody == slices.Contains(codesOf(findings), signature.BodyMissing) {
				t.Errorf("%s: a body of %d bytes, findings %v", name, len(r.Body()), findings)
			}
			if !hasBody {
				r = r.WithBody(r.ContentType(), body)
			}
			if v, err := signature.Verify(r, secret, signature.Options{}); err != nil || v.ConsumerKey != "merchant-login" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestCapturedTraceCutAnywhere: a trace that lost its end never gives a shorter body without a word (C9).
func TestCapturedTraceCutAnywhere(t *testing.T) {
	for _, name := range []string{"curl-trace.txt", "curl-trace-hex.txt"} {
		text := capture(t, name)
		whole, _, err := signature.ParseRequest(text)
		if err != nil {
			t.Fatal(err)
		}
		for cut := range text {
			r, findings, err := signature.ParseRequest(text[:cut])
			if err == nil && string(r.Body()) != string(whole.Body()) && len(findings) == 0 {
				t.Errorf("%s cut at %d: a body of %d bytes", name, cut, len(r.Body()))
			}
		}
	}
}

// TestCapturedScheme: curl shows whether it connected with TLS.
func TestCapturedScheme(t *testing.T) {
	const sent = "> POST /p HTTP/1.1\n> Host: h.example\n> \n"
	for text, want := range map[string]string{
		sent: "https://h.example/p",
		"* Connected to h.example (10.0.0.1) port 80 (#0)\n" + sent:                                                                                                     "http://h.example/p",
		"* Connected to h.example (10.0.0.1) port 443 (#0)\n* SSL connection using TLSv1.3\n" + sent:                                                                    "https://h.example/p",
		"* SSL connection using TLSv1.3 / AES\n* Connected to h.example (10.0.0.1) port 443\n" + sent:                                                                   "https://h.example/p",
		"== Info: Connected to h.example (10.0.0.1) port 80\n=> Send header, " + strconv.Itoa(41) + " bytes\n0000: POST /p HTTP/1.1\n0012: Host: h.example:80\n0028:\n": "",
	} {
		r, _, err := signature.ParseRequest([]byte(text))
		if want != "" && (err != nil || r.URL() != want) {
			t.Errorf("%q: %q, %v", text, r.URL(), err)
		}
	}
}

// TestCaptureBehindItsCommand: a copy from a terminal begins with the prompt and the command of curl, which are no part of
// the request.
func TestCaptureBehindItsCommand(t *testing.T) {
	const header = ` -H 'Authorization: OAuth canary="1"' `
	for reason, command := range map[string]string{
		"a prompt":              "me@curl-box:~/dir$ curl -v https://h.example/p" + header,
		"a prompt of root":      "# curl -v https://h.example/p",
		"no prompt":             "curl -v https://h.example/p",
		"Windows":               `C:\Users\me>curl.exe -v https://h.example/p`,
		"PowerShell":            "PS C:\\Users\\some one> curl.exe -v `\n>> https://h.example/p" + header,
		"lines that go on":      "$ curl -v https://h.example/p \\\n " + header + "\\\n> --data @body.txt",
		"lines that go on, cmd": "C:\\>curl -v ^\nMore? https://h.example/p",
		"a long command":        "$ curl -v --data '" + strings.Repeat("curl ", 100_000) + "'",
	} {
		for _, output := range []string{
			"* Connected to h.example (10.0.0.1) port 80\n> POST /p HTTP/1.1\n> Host: h.example\n> Content-Length: 0\n> \n< HTTP/1.1 403 Forbidden\n",
			"== Info: Connected to h.example (10.0.0.1) port 80\n=> Send header, 41 bytes (0x29)\n0000: POST /p HTTP/1.1\n0012: Host: h.example\n0023: a:\n0027:\n<= Recv header, 2 bytes (0x2)\n0000:\n",
		} {
			r, _, err := signature.ParseRequest([]byte(command + "\n" + output))
			if err != nil || r.URL() != "http://h.example/p" || r.Authorization() != "" {
				t.Errorf("%s: %q, %v", reason, r.URL(), err)
			}
		}
	}
	if r, _, err := signature.ParseRequest([]byte("POST /bin/curl HTTP/1.1\nHost: h\nX-Made-By: curl 8\n\n")); err != nil || r.URL() != "https://h/bin/curl" {
		t.Errorf("a request about curl: %q, %v", r.URL(), err)
	}
}

// TestEndpoint: base, template and id make the URL; no path is insisted on (R101–R103).
func TestEndpoint(t *testing.T) {
	tests := []struct {
		name, reason string
		endpoint     signature.Endpoint
		want         string // an error code where it has no colon
	}{
		{"base without a slash", "R101", signature.Endpoint{Base: "https://h", ID: "77"}, "https://h/paynet/api/v4/create-recurring-payments/77"},
		{"base with a slash", "R101", signature.Endpoint{Base: "https://h/", ID: "77"}, "https://h/paynet/api/v4/create-recurring-payments/77"},
		{"base with a path", "R102", signature.Endpoint{Base: "https://h/sandbox/", ID: "77"}, "https://h/sandbox/paynet/api/v4/create-recurring-payments/77"},
		{"id to be escaped", "R101", signature.Endpoint{Base: "https://h", ID: "a/b ?"}, "https://h/paynet/api/v4/create-recurring-payments/a%2Fb%20%3F"},
		{"own template", "R103", signature.Endpoint{Base: "https://h", Template: "v5/{endpoint_id}/create", ID: "7"}, "https://h/v5/7/create"},
		{"template without a place", "R103", signature.Endpoint{Base: "https://h", Template: "/v5/create", ID: "7"}, "url-template"},
		{"template with two places", "R103", signature.Endpoint{Base: "https://h", Template: "/{endpoint_id}/{endpoint_id}", ID: "7"}, "url-template"},
		{"no id", "R101", signature.Endpoint{Base: "https://h"}, "url-template"},
		{"no base", "R102", signature.Endpoint{ID: "7"}, "url-form"},
		{"base without a host: the first segment is none", "R102", signature.Endpoint{Base: "https://", ID: "7"}, "url-form"},
		{"base with a query", "L59", signature.Endpoint{Base: "https://h?a=1", ID: "7"}, "url-query"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		got, err := test.endpoint.URL()
		if strings.Contains(test.want, ":") && (err != nil || got != test.want) || !strings.Contains(test.want, ":") && !errors.Is(err, ledger.Code(test.want)) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}

// TestCapturedJSONRoundTrip: a HAR file made by another encoder is read alike.
func TestCapturedJSONRoundTrip(t *testing.T) {
	var any map[string]any
	if err := json.Unmarshal(capture(t, "browser.har"), &any); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(any)
	if err != nil {
		t.Fatal(err)
	}
	one, _, err1 := signature.ParseRequest(capture(t, "browser.har"))
	two, _, err2 := signature.ParseRequest(append([]byte("\ufeff \r\n"), text...))
	if err1 != nil || err2 != nil || string(one.Body()) != string(two.Body()) || one.Authorization() != two.Authorization() {
		t.Errorf("%v, %v", err1, err2)
	}
}

// TestCaptureThroughProxy: the request behind CONNECT is the one that is read, and TLS with the proxy says nothing of it.
func TestCaptureThroughProxy(t *testing.T) {
	const (
		toProxy  = "* Connected to proxy.example (10.0.0.1) port 3128 (#0)\n"
		tls      = "* SSL connection using TLSv1.3 / AES\n"
		connect  = "> CONNECT h.example:443 HTTP/1.1\n> Host: h.example:443\n> User-Agent: curl/8\n> Proxy-Connection: Keep-Alive\n> \n"
		refused  = "< HTTP/1.1 407 Proxy Authentication Required\n< Proxy-Authenticate: TLS\n< \n* Ignore 3 bytes of response-body\n"
		accepted = "< HTTP/1.1 200 Connection established\n< Via: HTTP/1.1 SSL\n< \n* CONNECT tunnel established, response 200\n"
		sent     = "> POST /p HTTP/1.1\n> Host: h.example\n> Content-Length: 0\n> \n"

		traceConnect = "== Info: Connected to proxy.example (10.0.0.1) port 3128\n=> Send header, 58 bytes (0x3a)\n0000: CONNECT h.example:443 HTTP/1.1\n0020: Host: h.example:443 TLS\n0038:\n" +
			"<= Recv header, 37 bytes (0x25)\n0000: HTTP/1.1 200 Connection established\n<= Recv header, 2 bytes (0x2)\n0000:\n== Info: CONNECT tunnel established, response 200\n"
		traceTLS  = "== Info: TLSv1.3 (OUT), TLS handshake, Client hello (1):\n=> Send SSL data, 5 bytes (0x5)\n0000: .....\n"
		traceSent = "=> Send header, 41 bytes (0x29)\n0000: POST /p HTTP/1.1\n0012: Host: h.example\n0023: a:\n0027:\n<= Recv header, 2 bytes (0x2)\n0000:\n"
	)
	const secure, insecure = "https://h.example/p", "http://h.example/p"
	timed := func(text string) string {
		text = strings.ReplaceAll(text, "== ", "12:00:00.000001 == ")
		text = strings.ReplaceAll(text, "=> ", "12:00:00.000001 => ")
		return strings.ReplaceAll(text, "<= ", "12:00:00.000001 <= ")
	}
	for _, c := range []struct{ name, text, want string }{
		{"a tunnel", toProxy + connect + accepted + tls + sent, secure},
		{"without the lines of information", connect + "< HTTP/1.1 200 OK\n< \n" + sent, secure},
		{"refused first", toProxy + connect + refused + connect + accepted + tls + sent, secure},
		{"no TLS in the tunnel", toProxy + connect + accepted + sent, insecure},
		{"TLS with the proxy only", toProxy + tls + connect + accepted + sent, insecure},
		{"TLS with both", toProxy + tls + connect + accepted + tls + sent, secure},
		{"a trace", traceConnect + traceTLS + traceSent, secure},
		{"a trace without TLS in the tunnel", traceConnect + traceSent, insecure},
		{"a trace with TLS with the proxy only", traceTLS + traceConnect + traceSent, insecure},
		{"a trace with times", timed(traceConnect + traceTLS + traceSent), secure},
	} {
		for _, text := range []string{c.text, strings.ReplaceAll(c.text, "\n", "\r\n")} {
			r, _, err := signature.ParseRequest([]byte(text))
			if err != nil || r.URL() != c.want || r.Method() != "POST" {
				t.Errorf("%s: %q %q, %v", c.name, r.Method(), r.URL(), err)
			}
		}
	}
	for _, text := range []string{toProxy + connect + refused, traceConnect} {
		if _, _, err := signature.ParseRequest([]byte(text)); !errors.Is(err, signature.RequestForm) || !strings.Contains(err.Error(), "shows no request") {
			t.Errorf("a tunnel that was refused: %v", err)
		}
	}
}

// TestCapturesAreRecognised: every capture of testdata, in full and by its first bytes, and no form of a payload.
func TestCapturesAreRecognised(t *testing.T) {
	files, err := filepath.Glob("testdata/captures/*")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	captures := map[string]string{
		"HTTP":                     "POST /paynet/api HTTP/1.1\nHost: h\n\n",
		"HTTP, a long target":      "POST /" + strings.Repeat("p", 600),
		"HTTP, an absolute target": "POST http://h/p HTTP/1.1\r\n",
		"HTTP behind a mark":       "\ufeffPOST /p HTTP/1.1\n",
		"HAR behind a mark":        "\ufeff {\r\n\t\"log\" : {",
		"curl told of its -X":      "Note: Unnecessary use of -X or --request, POST is already inferred.\n* Trying",
		"the meter of curl":        "  % Total    % Received % Xferd  Average Speed\n",
		"curl -v, cut":             "> POST /p HTTP/1.1\n> Host: h\n",
		"a proxy":                  "> CONNECT gate.example.com:443 HTTP/1.1\n",
		"a copy from a terminal":   "me@curl-box:~$ curl -v https://h/p\n* Trying",
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		captures[name] = string(text[:min(len(text), 200)])
	}
	for reason, text := range captures {
		if !signature.IsCapture([]byte(text)) {
			t.Errorf("%s is not recognised", reason)
		}
	}
	for reason, text := range map[string]string{
		"nothing":                        "",
		"CSV":                            "\"rp_card_type\";\"client-orderid\"\n",
		"CSV without quotes":             "rp_card_type;client-orderid\n",
		"CSV, a first name of no column": "POST;amount\n",
		"CSV, a name with a slash":       "AMOUNT /EUR;currency\n",
		"base64":                         "InJwX2NhcmRfdHlwZSI7",
		"base64 of upper case":           "POST",
		"a form":                         "payload=InJwX2NhcmRfdHlwZSI7",
		"a form of another name":         "log=%7B",
		"records of an output":           "{\"type\":\"header\"}\n",
		"another JSON":                   "{\"logs\":[]}",
		"an array":                       "[{\"log\":1}]",
		"a response":                     "HTTP/1.1 403 Forbidden\n",
		"CSV, a column curl":             "curl\norder-1\n",
		"a title above a CSV":            "Export made by curl -s\n",
		"UTF-16":                         "\xff\xfeP\x00O\x00S\x00T\x00",
	} {
		if signature.IsCapture([]byte(text)) {
			t.Errorf("%s is taken for a capture", reason)
		}
	}
}

// TestCaptureBehindMark: a byte-order mark that an editor wrote is not part of the method, and UTF-16 is named.
func TestCaptureBehindMark(t *testing.T) {
	r, _, err := signature.ParseRequest([]byte("\ufeffPOST /p HTTP/1.1\nHost: h\n\nx=1"))
	if err != nil || r.Method() != "POST" || r.URL() != "https://h/p" {
		t.Errorf("%q %q, %v", r.Method(), r.URL(), err)
	}
	for _, text := range []string{"\xff\xfe>\x00 \x00", "\xfe\xff\x00>\x00 "} {
		if _, _, err := signature.ParseRequest([]byte(text)); !errors.Is(err, signature.RequestForm) || !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTraceInHex: a trace in hex gives the bytes that one in ASCII cannot show, and a line of it that was edited is
// not read as another.
func TestTraceInHex(t *testing.T) {
	dump := func(data string) string {
		var out strings.Builder
		fmt.Fprintf(&out, "=> Send data, %d bytes (0x%x)\n", len(data), len(data))
		for at := 0; at < len(data); at += 16 {
			line := data[at:min(at+16, len(data))]
			hex, text := "", ""
			for _, c := range []byte(line) {
				hex += fmt.Sprintf("%02x ", c)
				if c < 0x20 || c >= 0x80 {
					c = '.'
				}
				text += string(c)
			}
			fmt.Fprintf(&out, "%04x: %-48s%s\n", at, hex, text)
		}
		return out.String()
	}
	const head = "POST /p HTTP/1.1\r\nHost: h\r\n\r\n"
	for _, body := range []string{"x=1", "x=\x00\xff\r\n\r\n=", strings.Repeat("payload=%2B&", 9), "....", "41 42 43 44", strings.Repeat("é", 8), "payload=12345678=9"} {
		trace := strings.Replace(dump(head), "data", "header", 1) + dump(body)
		r, _, err := signature.ParseRequest([]byte(trace))
		if err != nil || string(r.Body()) != body || r.URL() != "https://h/p" {
			t.Errorf("%q: %q, %v", body, r.Body(), err)
		}
		lines := strings.SplitAfter(trace, "\n")
		for _, edited := range []string{strings.Join(lines[:len(lines)-2], ""), strings.Replace(trace, " 3d ", " 3e ", 1), strings.Replace(trace, "POST", "PAST", 1), strings.Replace(trace, "0000: 50", "0000: 5", 1)} {
			if edited == trace {
				continue
			}
			if r, _, err := signature.ParseRequest([]byte(edited)); err == nil {
				t.Errorf("edited, and read as %q %q", r.Method(), r.Body())
			}
		}
	}
}

// TestCapturesCutOrDamagedNeverVerify: a capture that was cut anywhere, or lost a byte, is a request that verifies only if all
// that was signed is there.
func TestCapturesCutOrDamagedNeverVerify(t *testing.T) {
	secret := workloadSecret(t)
	r, o := workload(48)
	signed, err := sign(r, o, secret, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	body := string(signed.Body())
	texts := map[string]string{}
	for _, end := range []string{"\n", "\r\n"} {
		lines := []string{"POST /paynet/api/v4/create-recurring-payments/1234 HTTP/1.1", "Host: gate.example.com", "Content-Type: " + formType,
			"Authorization: " + signed.Authorization(), "Content-Length: " + strconv.Itoa(len(body)), "", body}
		texts["HTTP, lines in "+strconv.Quote(end)] = strings.Join(lines, end)
	}
	har, err := json.Marshal(map[string]any{"log": map[string]any{"entries": []any{map[string]any{"request": map[string]any{
		"method": "POST", "url": r.URL, "headers": []any{map[string]string{"name": "Authorization", "value": signed.Authorization()}},
		"postData": map[string]string{"mimeType": formType, "text": body}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	texts["HAR"] = string(har)
	passes := func(text string) bool {
		got, _, err := signature.ParseRequest([]byte(text))
		if err != nil {
			return false
		}
		_, err = signature.Verify(got, secret, signature.Options{})
		return err == nil
	}
	whole := signed.Request()
	for name, text := range texts {
		if !passes(text) {
			t.Fatalf("%s: the whole capture does not verify", name)
		}
		for i := range text {
			for what, changed := range map[string]string{"cut": text[:i], "without a byte": text[:i] + text[i+1:]} {
				if !passes(changed) {
					continue
				}
				got, _, err := signature.ParseRequest([]byte(changed))
				if err != nil || string(got.Body()) != string(whole.Body()) || !strings.EqualFold(got.URL(), whole.URL()) {
					t.Errorf("%s, %s at %d: %q verifies", name, what, i, text[max(0, i-20):i])
				}
			}
		}
	}
}
