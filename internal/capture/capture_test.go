package capture

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestHTTP: a captured request is read in both line ends.
func TestHTTP(t *testing.T) {
	const head = "POST /p HTTP/1.1\nhost: h.example:8443\ncontent-TYPE: text/plain\nAUTHORIZATION: OAuth a=\"1\",\n b=\"2\"\n"
	for name, c := range map[string]struct {
		text string
		want Request
	}{
		"names without case, a fold":        {head + "\nx=1", Request{"POST", "https://h.example:8443/p", "text/plain", "OAuth a=\"1\",\n b=\"2\"", []byte("x=1")}},
		"target with scheme and host":       {"GET http://H/p?x=1 HTTP/1.1\nHost: other\n\n", Request{Method: "GET", URL: "http://H/p?x=1"}},
		"no empty line, no body":            {"GET http://h/ HTTP/1.1\nHost: h", Request{Method: "GET", URL: "http://h/"}},
		"a line end that an editor added":   {"POST http://h/ HTTP/1.1\nContent-Length: 3\n\nx=1\r\n", Request{Method: "POST", URL: "http://h/", Body: []byte("x=1")}},
		"a line end without Content-Length": {"POST http://h/ HTTP/1.1\nHost: h\n\nx=1\n", Request{Method: "POST", URL: "http://h/", Body: []byte("x=1\n")}},
		"a mark in front":                   {"\ufeffPOST http://h/ HTTP/1.1\nHost: h\n\nx", Request{Method: "POST", URL: "http://h/", Body: []byte("x")}},
	} {
		head, body, _ := strings.Cut(c.text, "\n\n")
		for _, text := range []string{c.text, strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" + body} {
			got, findings, err := Parse([]byte(text), Options{})
			if err != nil || !same(got, c.want) || findings != nil {
				t.Errorf("%s: %q, %v, %v", name, got.URL, findings, err)
			}
		}
	}
	if r, _, err := Parse([]byte("POST /p HTTP/1.1\nA: b\n\nx"), Options{AnyHost: true}); err != nil || string(r.Body) != "x" {
		t.Errorf("without a host: %v", err)
	}
}

func same(a, b Request) bool {
	return a.Method == b.Method && a.URL == b.URL && a.ContentType == b.ContentType && a.Authorization == b.Authorization && string(a.Body) == string(b.Body)
}

// TestRefusals: a text that is not a request is refused with its place and what to do, and nothing of it is shown.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ name, text, says string }{
		{"empty", "", "is empty"},
		{"blank", "\xef\xbb\xbf \r\n", "is empty"},
		{"not a request line", "canary\n\n", "request line"},
		{"a response", "HTTP/1.1 403 Forbidden\n\n", "request line"},
		{"no header lines", "POST http://h/ HTTP/1.1\n", "no header lines"},
		{"no Host", "POST /canary HTTP/1.1\nA: b\n\n", "no Host"},
		{"a line without colon", "POST /p HTTP/1.1\nHost: h\ncanary\n\n", "colon"},
		{"space in a name", "POST /p HTTP/1.1\nHo st: h\n\n", "colon"},
		{"fold first", "POST /p HTTP/1.1\n canary\n\n", "space"},
		{"two Authorization headers", "POST /p HTTP/1.1\nHost: h\nAuthorization: canary\nauthorization: canary\n\n", "two headers Authorization"},
		{"two hosts", "POST /p HTTP/1.1\nHost: h\nHost: canary\n\n", "two headers Host"},
		{"two hosts beside a whole URL", "POST http://h/p HTTP/1.1\nHost: h\nHost: canary\n\n", "two headers Host"},
		{"chunked", "POST /p HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n3\nx=1\n0\n\n", "transfer coding"},
		{"two transfer codings", "POST /p HTTP/1.1\nHost: h\nTransfer-Encoding: identity\nTransfer-Encoding: chunked\n\nx=1", "two headers Transfer-Encoding"},
		{"length that is not a number", "POST /p HTTP/1.1\nHost: h\nContent-Length: canary\n\n", "Content-Length"},
		{"an empty length", "POST /p HTTP/1.1\nHost: h\nContent-Length:\n\nx=1", "Content-Length is not a number"},
		{"a length of spaces", "POST /p HTTP/1.1\nHost: h\nContent-Length: \t \n\nx=1", "Content-Length is not a number"},
		{"length with a sign", "POST /p HTTP/1.1\nHost: h\nContent-Length: +3\n\nx=1", "Content-Length"},
		{"two lengths in one", "POST /p HTTP/1.1\nHost: h\nContent-Length: 3, 3\n\nx=1", "Content-Length"},
		{"host with a path", "POST /p HTTP/1.1\nHost: gate.example/a\n\n", "Host header is not"},
		{"host with a fragment", "POST /p HTTP/1.1\nHost: gate.example#\n\n", "Host header is not"},
		{"host with userinfo", "POST /p HTTP/1.1\nHost: good@evil\n\n", "Host header is not"},
		{"host with a query", "POST /p HTTP/1.1\nHost: x/a?\n\n", "Host header is not"},
		{"host with a backslash", "POST /p HTTP/1.1\nHost: x\\a\n\n", "Host header is not"},
		{"target with a fragment", "POST /p#canary HTTP/1.1\nHost: h\n\n", "fragment"},
		{"too many lines", "POST /p HTTP/1.1\n" + strings.Repeat("A: b\n", 501) + "\n", "500"},
		{"JSON of another kind", `{"canary":1}`, "HAR"},
		{"a HAR file without the header", `{"log":{"entries":[{"request":{"method":"GET","url":"http://canary/"}},{"request":{}}]}}`, "sensitive data"},
		{"a HAR file with two signed requests", `{"log":{"entries":[` + strings.Repeat(`{"request":{"method":"GET","url":"http://canary/","headers":[{"name":"Authorization","value":"OAuth x"}]}},`, 1) +
			`{"request":{"headers":[{"name":"Authorization","value":"oauth x"}]}}]}}`, "several signed requests: entries 1, 2"},
		{"a HAR file without the text of the body", `{"log":{"entries":[{"request":{"method":"POST","url":"http://h/","postData":{"params":[{"name":"canary"}]}}}]}}`, "not its text"},
		{"a HAR file with damaged base64", `{"log":{"entries":[{"request":{"method":"POST","url":"http://h/","postData":{"encoding":"base64","text":"canary!"}}}]}}`, "base64"},
		{"curl that did not connect", "*   Trying 10.0.0.1:443...\n* connect to canary failed\n", "what curl prints"},
		{"the output of curl -v", "> POST /canary HTTP/1.1\n> Host: h\n>\n", "what curl prints"},
		{"the output of curl --trace-ascii", "=> Send header, 40 bytes (0x28)\n0000: POST /canary HTTP/1.1\n", "what curl prints"},
		{"a target without a version", "POST https://h/canary\nHost: h\n\n", "not an HTTP request line or a curl command"},
		{"UTF-16", "\xff\xfec\x00", "UTF-16"},
		{"a command of another kind before it", "cd canary; curl https://h/", "several commands\x00a shell computes\x00request line"},
		{"a second curl behind it", "curl https://h/; curl https://canary/", "a shell computes"},
		{"typographic quotes", "curl “https://canary/” -d ‘x’", "typographic quotes"},
		{"typographic quotes behind an option", "curl -H ’Authorization: canary’ https://h/", "typographic quotes"},
		{"a script", "#!/bin/sh\nURL=https://canary/\ncurl \"$URL\"\n", "a shell script"},
		{"a script that keeps the answer", "set -e\nanswer=$(curl \"$canary\")\n", "a shell script"},
		{"a payload", "\"rp_card_type\";\"client-orderid\"\n\"SRC\";\"canary\"\n", "this is a payload: chargecast validate checks it"},
		{"a form body", "payload=canary", "this is a payload: chargecast validate checks it"},
		{"base64 of a payload", "InJwX2NhcmRfdHlwZSI7ImNsaWVudC1vcmRlcmlkIgoiU1JDIjsib3JkZXItMSIK\n", "this is a payload: chargecast validate checks it"},
		{"a command with a variable", "curl -H 'Authorization: OAuth x' https://h/ -d \"$canary\"", "a shell computes"},
		{"two commands", "curl https://h/\ncurl https://canary/", "several commands"},
		{"an open quote", "curl 'https://canary/", "not closed"},
		{"an open double quote", "curl \"https://canary/", "not closed"},
		{"an open quote of bash", "curl $'https://canary/", "not closed"},
		{"a body in a file", "curl https://h/ -d @canary", "in a file"},
		{"an encoded body in a file", "curl https://h/ --data-urlencode name@canary", "in a file"},
		{"a form of parts", "curl https://h/ -F canary=1", "not read: -F"},
		{"an option that is no word", "curl https://h/ --canary:secret@ x", "not read: an option"},
		{"an option that is a card number", "curl https://h/ --4012888888881881 x", "not read: an option"},
		{"an option without a value, last", "curl https://h/ -d x -G", "not read: -G"},
		{"an unknown option, last", "curl https://h/ --get", "not read: --get"},
		{"two URLs", "curl https://h/ https://canary/", "more than one URL"},
		{"no URL", "curl -d canary", "no URL"},
		{"no value", "curl https://h/ -H", "no value"},
		{"two headers", "curl https://h/ -H 'Authorization: canary' -H 'authorization: canary'", "two headers Authorization"},
		{"another pipe", "printf %s canary | tee x | curl https://h/ -d @-", "pipe of another form"},
		{"an escape of bash", "curl https://h/ -d $'\\q'", "an escape that cannot be read"},
	} {
		_, _, err := Parse([]byte(test.text), Options{})
		if !errors.Is(err, RequestForm) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "4012888888881881") || !slices.ContainsFunc(strings.Split(test.says, "\x00"), func(says string) bool { return strings.Contains(err.Error(), says) }) {
			t.Errorf("%s: %v", test.name, err)
		}
		if f, ok := errors.AsType[ledger.Finding](err); !ok || f.Place.Offset > int64(len(test.text)) || f.Help == "" {
			t.Errorf("%s: place and help of %v", test.name, err)
		}
	}
}

// TestBodyCutOrMissing: a body that is shorter than it should be is reported.
func TestBodyCutOrMissing(t *testing.T) {
	for text, cut := range map[string]bool{
		"POST http://h/ HTTP/1.1\nContent-Length: 9\n\nx=1":                                                                        true,
		"POST http://h/ HTTP/1.1\nContent-Length: 9\n\n":                                                                           true,
		"POST http://h/ HTTP/1.1\nContent-Length: 0\n\n":                                                                           false,
		`{"log":{"entries":[{"request":{"method":"POST","url":"https://h/","headers":[{"name":"Content-Length","value":"9"}]}}]}}`: true,
	} {
		_, findings, err := Parse([]byte(text), Options{})
		if err != nil || findings.Has(ContentLength) != cut {
			t.Errorf("%q: %v, %v", text, findings, err)
		}
	}
}

func file(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func signedRequest(r Request) signature.Request {
	return signature.NewRequest(r.Method, r.URL).WithBody(r.ContentType, string(r.Body)).WithAuthorization(r.Authorization)
}

// TestForms: what curl and browsers record of one request is read as that request, and verifies.
func TestForms(t *testing.T) {
	const body = "payload=InJwX2NhcmRfdHlwZSI7ImNsaWVudC1vcmRlcmlkIgoiU1JDIjsib3JkZXItMSIK"
	secret, err := signature.NewHMACKey("s3cret")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"browser.har"} {
		r, findings, err := Parse(file(t, name), Options{})
		if err != nil || string(r.Body) != body || len(findings) > 0 {
			t.Errorf("%s: %q, %v, %v", name, r.Body, findings, err)
		}
		if _, err := signature.Verify(signedRequest(r), signature.Options{}, secret); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEntries: of several requests the signed one is read, or the one that is chosen. A HAR file with a retry was refused
// without a way to choose.
func TestEntries(t *testing.T) {
	entry := func(path, authorization string) string {
		return `{"request":{"method":"POST","url":"https://h` + path + `","headers":[{"name":"authorization","value":"` + authorization + `"}]}}`
	}
	har := func(entries ...string) []byte {
		return []byte(`{"log":{"entries":[` + strings.Join(entries, ",") + `]}}`)
	}
	plain, one, two := entry("/0", "Bearer x"), entry("/1", "OAuth x"), entry("/2", "oauth y")
	for _, c := range []struct {
		text  []byte
		entry int
		want  string // empty: refused
	}{
		{har(plain, one), 0, "https://h/1"}, {har(plain, one), 1, "https://h/0"}, {har(plain), 0, "https://h/0"},
		{har(one, plain, two), 0, ""}, {har(one, plain, two), 3, "https://h/2"}, {har(one, plain, two), 4, ""}, {har(plain, plain), 0, ""},
		{[]byte("POST https://h/ HTTP/1.1\nHost: h\n\n"), 1, "https://h/"}, {[]byte("POST https://h/ HTTP/1.1\nHost: h\n\n"), 2, ""},
		{[]byte("curl https://h/"), 1, "https://h/"}, {[]byte("curl https://h/"), 2, ""},
	} {
		r, _, err := Parse(c.text, Options{Entry: c.entry})
		if (err == nil) != (c.want != "") || r.URL != c.want {
			t.Errorf("entry %d of %q: %q, %v, want %q", c.entry, c.text[:20], r.URL, err, c.want)
		}
	}
}

// TestCommands: curl commands as they are typed, as sign prints them, and as browsers copy them.
func TestCommands(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	for name, c := range map[string]struct {
		text string
		want Request
	}{
		"the shortest":     {"curl https://h/p", Request{Method: "GET", URL: "https://h/p"}},
		"without a scheme": {"curl h/p -I", Request{Method: "HEAD", URL: "http://h/p"}},
		"sign -o curl": {"curl --request 'POST' \\\n  --url 'https://h/p' \\\n  --header 'Content-Type: " + form + "' \\\n  --header 'Authorization: OAuth a=\"1\"' \\\n  --data-raw 'payload=a'\\''b'\n",
			Request{"POST", "https://h/p", form, `OAuth a="1"`, []byte("payload=a'b")}},
		"sign -o curl of a long body": {"printf %s 'payload=x\ny' | curl --request 'POST' \\\n  --url 'https://h/p' \\\n  --data-binary @-\n", Request{Method: "POST", URL: "https://h/p", ContentType: form, Body: []byte("payload=x\ny")}},
		"a browser, bash": {"curl 'https://h/p' \\\n  -H 'accept: */*' \\\n  -H 'authorization: OAuth x' \\\n  -H 'content-type: text/plain' \\\n  -b 'a=b' \\\n  --data-raw $'a=\\u0021\\n\\'\\x41' \\\n  --compressed",
			Request{"POST", "https://h/p", "text/plain", "OAuth x", []byte("a=!\n'A")}},
		"a browser, cmd": {"curl ^\"https://h/p?a=1^&b=2^\" ^\r\n  -H ^\"authorization: OAuth a=^\\^\"1^\\^\"^\" ^\r\n  --data-raw ^\"payload=a^%^2B^\"",
			Request{"POST", "https://h/p?a=1&b=2", form, `OAuth a="1"`, []byte("payload=a%2B")}},
		"another browser, cmd": {"curl.exe \"https://h/p\" ^\n -H \"Authorization: OAuth a=\"\"1\"\"\" --data-raw \"x\"", Request{"POST", "https://h/p", form, `OAuth a="1"`, []byte("x")}},
		"joined short options": {`curl -sSXPUT -d a=1 -d "b=\"2\" \$ \x" -HA:b https://h/p#f`, Request{Method: "PUT", URL: "https://h/p", ContentType: form, Body: []byte(`a=1&b="2" $ \x`)}},
		"encoded by curl":      {"curl --data-urlencode 'payload=a+b c' --data-urlencode =x/ --url https://h/", Request{Method: "POST", URL: "https://h/", ContentType: form, Body: []byte("payload=a%2Bb%20c&x%2F")}},
		"JSON":                 {`curl --json '{}' https://h/`, Request{Method: "POST", URL: "https://h/", ContentType: "application/json", Body: []byte("{}")}},
		"behind a prompt":      {"$ curl https://h/p", Request{Method: "GET", URL: "https://h/p"}},
		"behind comments":      {"# as the documentation has it\n\n  # again\n$ curl https://h/p -d a", Request{Method: "POST", URL: "https://h/p", ContentType: form, Body: []byte("a")}},
		"indented":             {"    curl https://h/p", Request{Method: "GET", URL: "https://h/p"}},
		"before an echo":       {"curl https://h/p -d a; echo", Request{Method: "POST", URL: "https://h/p", ContentType: form, Body: []byte("a")}},
		"before another line":  {"curl https://h/p -d a\necho done\n", Request{Method: "POST", URL: "https://h/p", ContentType: form, Body: []byte("a")}},
		"before a formatter":   {"curl -s https://h/p -d a | jq . && echo ok", Request{Method: "POST", URL: "https://h/p", ContentType: form, Body: []byte("a")}},
		"its output elsewhere": {"curl https://h/p -d a >out.txt 2>/dev/null 2>&1 -X PUT", Request{Method: "PUT", URL: "https://h/p", ContentType: form, Body: []byte("a")}},
		"with a trace":         {"curl --trace-ascii x.txt -o out --max-time 5 https://h/", Request{Method: "GET", URL: "https://h/"}},
	} {
		got, findings, err := Parse([]byte(c.text), Options{})
		if err != nil || !same(got, c.want) || len(findings) > 0 {
			t.Errorf("%s: %q %q %q %q %q, %v", name, got.Method, got.URL, got.ContentType, got.Authorization, got.Body, err)
		}
	}
}

// TestCapturesAreRecognised: captures are told from payloads by their beginning.
func TestCapturesAreRecognised(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	captures := map[string]string{
		"HTTP":                     "POST /paynet/api HTTP/1.1\nHost: h\n\n",
		"HTTP, a long target":      "POST /" + strings.Repeat("p", 600),
		"HTTP, an absolute target": "POST http://h/p HTTP/1.1\r\n",
		"HTTP behind a mark":       "\ufeffPOST /p HTTP/1.1\n",
		"HAR behind a mark":        "\ufeff {\r\n\t\"log\" : {",
		"curl told of its -X":      "Note: Unnecessary use of -X or --request, POST is already inferred.\n== Info: Trying",
		"curl -v, cut":             "> POST /p HTTP/1.1\n> Host: h\n",
		"a command":                "curl 'https://h/p' \\\n",
		"a command with a prompt":  "$ curl 'https://h/p'\n",
		"a command with a comment": "# note\ncurl 'https://h/p'\n",
		"a command behind printf":  "printf %s 'payload=x' | curl --url 'https://h/'",
	}
	for _, name := range files {
		captures[name] = string(file(t, filepath.Base(name)))
	}
	for reason, text := range captures {
		if !Is([]byte(text[:min(len(text), 200)])) {
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
		if Is([]byte(text)) {
			t.Errorf("%s is taken for a capture", reason)
		}
	}
}

// TestCutOrDamagedNeverVerifies: a capture that lost some of its bytes is not taken for another request that is right.
func TestCutOrDamagedNeverVerifies(t *testing.T) {
	const formType, url = "application/x-www-form-urlencoded", "https://gate.example.com/paynet/api/v4/create-recurring-payments/1234"
	secret, err := signature.NewHMACKey("secret")
	if err != nil {
		t.Fatal(err)
	}
	o := signature.OAuth{ConsumerKey: "merchant-login", Nonce: "n", Timestamp: "1790000000"}
	signed, _, err := signature.Sign(signature.NewRequest("POST", url).WithParams(signature.Payload([]byte("a;b\n"))), o, secret)
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
		"method": "POST", "url": url, "headers": []any{map[string]string{"name": "Authorization", "value": signed.Authorization()}},
		"postData": map[string]string{"mimeType": formType, "text": body}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	texts["HAR"] = string(har)
	texts["curl"] = "curl '" + url + "' -H 'Authorization: " + signed.Authorization() + "' --data-raw '" + body + "'\n"
	passes := func(text string) bool {
		got, _, err := Parse([]byte(text), Options{})
		if err != nil {
			return false
		}
		_, err = signature.Verify(signedRequest(got), signature.Options{}, secret)
		return err == nil
	}
	whole := signed
	for name, text := range texts {
		if !passes(text) {
			t.Fatalf("%s: the whole capture does not verify", name)
		}
		for i := range text {
			for what, changed := range map[string]string{"cut": text[:i], "without a byte": text[:i] + text[i+1:]} {
				if !passes(changed) {
					continue
				}
				got, _, err := Parse([]byte(changed), Options{})
				if err != nil || string(got.Body) != string(whole.Body()) || !strings.EqualFold(got.URL, whole.URL()) {
					t.Errorf("%s, %s at %d: %q verifies", name, what, i, text[max(0, i-20):i])
				}
			}
		}
	}
}

// TestMemoryOfAHAR: a HAR file is read entry by entry. All its values were in memory together, 65 times the text.
func TestMemoryOfAHAR(t *testing.T) {
	text := []byte(`{"log":{"pages":[` + strings.Repeat(`{},`, 100_000) + `{}],"entries":[` + strings.Repeat(`{},`, 1_000_000) +
		`{"request":{"method":"POST","url":"https://h/p","headers":[{"name":"Authorization","value":"OAuth x"}]}}]}}`)
	var before, after runtime.MemStats
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // what is needed, and little that is not collected yet
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, _, err := Parse(text, Options{})
	runtime.ReadMemStats(&after)
	if err != nil || r.URL != "https://h/p" {
		t.Fatal(r.URL, err)
	}
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > int64(4*len(text)) {
		t.Errorf("%d bytes for a text of %d", grown, len(text))
	}
	for _, broken := range []string{`{"log":{"entries":[{}]}`, `{"log":{"entries":[{}]}}x`, `{"log":{"entries":{}}}`, `{"log":[]}`, `{"log":{"entries":[{"request":[]}]}}`} {
		if _, _, err := Parse([]byte(broken), Options{}); !errors.Is(err, RequestForm) || !strings.Contains(err.Error(), "not a HAR file") {
			t.Errorf("%s: %v", broken, err)
		}
	}
}
