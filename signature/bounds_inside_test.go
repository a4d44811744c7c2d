package signature

import (
	"strings"
	"testing"
)

// Goal: the readers and the search change their answer exactly at their bounds. Method: the last case
// on one side and the first on the other, asked of the functions themselves.

// TestPlaceOfABadRequest: the first byte is a place, and what has no single place has none.
func TestPlaceOfABadRequest(t *testing.T) {
	if f := badRequest(0, "m", "h"); f.Place.Line != 1 || f.Place.Offset != 0 {
		t.Errorf("at the first byte: %+v", f.Place)
	}
	if f := badRequest(noOffset, "m", "h"); f.Place.Line != 0 || f.Place.Offset != 0 {
		t.Errorf("without a place: %+v", f.Place)
	}
}

// TestHostIsAnAuthority: no byte that ends or hides a host is taken for a part of it (S8).
func TestHostIsAnAuthority(t *testing.T) {
	for host, want := range map[string]bool{
		"": false, "h": true, "h:1": true, "[::1]:8443": true, "a!b": true, "a~b": true,
		"a b": false, " h": false, "h\t": false, "h\x00": false, "h\x1f": false, "h\x7f": false, "h/": false, "h?": false, "h#": false, "u@h": false, `h\`: false,
	} {
		if isAuthority(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}

// TestEmptyBodyIsNotMissing: a length of 0 and no body is a request without a body, and complete.
func TestEmptyBodyIsNotMissing(t *testing.T) {
	for length, missing := range map[string]bool{"0": false, "1": true} {
		_, findings, err := ParseRequest([]byte("POST http://h/ HTTP/1.1\nHost: h\nContent-Length: " + length + "\n\n"))
		if err != nil || (len(findings) > 0) != missing {
			t.Errorf("length %s: %v, %v", length, findings, err)
		}
	}
}

// TestCurlIsRecognisedByItsLines: empty lines may come before the request, text that curl does not
// print may not.
func TestCurlIsRecognisedByItsLines(t *testing.T) {
	const request = "> GET / HTTP/1.1\r\n> Host: h\r\n>\r\n"
	for text, want := range map[string]curlForm{
		request:                                 curlVerbose,
		"\n\r\n" + request:                      curlVerbose,
		"* Connected to h\n" + request:          curlVerbose,
		"A mail with a request:\n" + request:    notCurl,
		"\nx\n" + request:                       notCurl,
		"> CONNECT h:1 HTTP/1.1\n>\n" + request: curlVerbose,
		"> CONNECT h:1 HTTP/1.1\n":              notCurl,
	} {
		if _, form, _ := recogniseCurl([]byte(text)); form != want {
			t.Errorf("%q: form %d, want %d", text, form, want)
		}
	}
}

// TestTimeInFrontOfALine: the time is taken off, also where nothing follows it.
func TestTimeInFrontOfALine(t *testing.T) {
	for line, want := range map[string]string{
		"03:37:19.161030 > GET": "> GET", "03:37:19.161030 ": "", "03:37:19.161030": "03:37:19.161030", "03:37:19,161030 x": "03:37:19,161030 x", "": "",
	} {
		if got := untimed(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestLineOfADump: from one byte to sixteen, and no other text taken for them.
func TestLineOfADump(t *testing.T) {
	for _, r := range []struct {
		reason, content, want string
		ok                    bool
	}{
		{"one byte", "61 " + strings.Repeat("   ", 15) + "a", "a", true},
		{"sixteen bytes", strings.Repeat("61 ", 16) + strings.Repeat("a", 16), strings.Repeat("a", 16), true},
		{"no byte", strings.Repeat("   ", 16), "", false},
		{"seventeen bytes", strings.Repeat("61 ", 17) + strings.Repeat("a", 17), "", false},
		{"a point for what is not printable", "0a " + strings.Repeat("   ", 15) + ".", "\n", true},
		{"another byte beside it", "61 " + strings.Repeat("   ", 15) + "b", "", false},
	} {
		if got, ok := readDump(r.content); got != r.want || ok != r.ok {
			t.Errorf("%s: %q, %v", r.reason, got, ok)
		}
	}
}

// TestHARSignedEntry: a header that names the scheme and nothing more signs nothing; the type of the
// body is taken from its description only where the header lacks it; an empty body is one.
func TestHARSignedEntry(t *testing.T) {
	const unsigned = `{"request":{"method":"GET","url":"http://a/","headers":[{"name":"Authorization","value":"OAuth"}]}}`
	signed := func(more string) string {
		return `{"request":{"method":"POST","url":"http://b/","headers":[{"name":"Authorization","value":"OAuth x"}` + more + `}}`
	}
	for _, r := range []struct{ reason, entries, url, contentType string }{
		{"the scheme alone", unsigned + "," + signed("]"), "http://b/", ""},
		{"no Content-Type", signed(`],"postData":{"mimeType":"text/plain","text":"x"}`), "http://b/", "text/plain"},
		{"Content-Type beside another", signed(`,{"name":"Content-Type","value":"text/csv"}],"postData":{"mimeType":"text/plain","text":"x"}`), "http://b/", "text/csv"},
		{"an empty body", signed(`],"postData":{"mimeType":"text/plain","text":"","params":[]}`), "http://b/", "text/plain"},
	} {
		c, findings, err := parseHAR([]byte(`{"log":{"entries":[` + r.entries + `]}}`))
		if err != nil || findings != nil || c.url != r.url || c.contentType != r.contentType {
			t.Errorf("%s: %+v, %v, %v", r.reason, c, findings, err)
		}
	}
}

// TestBudgetHoldsTheLargest: a request of the size of the limit is tried, and a larger one is not.
func TestBudgetHoldsTheLargest(t *testing.T) {
	for _, r := range []struct {
		budget         Budget
		mistakes, size int
		ok             bool
	}{
		{Budget{}, 1, 1 << 20, true}, {Budget{}, 1, 1<<20 + 1, false},
		{Budget{}, 2, 256 << 10, true}, {Budget{}, 2, 256<<10 + 1, false},
		{Budget{Singles: 5}, 1, 5, true}, {Budget{Singles: 5}, 1, 6, false},
		{Budget{Pairs: 5}, 2, 5, true}, {Budget{Pairs: 5}, 2, 6, false},
	} {
		if _, ok := r.budget.allows(r.mistakes, r.size); ok != r.ok {
			t.Errorf("%+v, %d mistakes, %d bytes: %v", r.budget, r.mistakes, r.size, ok)
		}
	}
	for size, ok := range map[int]bool{5: true, 8: true, 10: true, 11: false} {
		for _, b := range []Budget{{Singles: 5, Pairs: 10}, {Singles: 10, Pairs: 5}} {
			if b.allowsAny(size) != ok {
				t.Errorf("%+v, %d bytes: %v", b, size, !ok)
			}
		}
	}
	r := requestData{url: "12345", authorization: "1234", body: "123", params: []pair{{"12", "1"}, {"", ""}}}
	if got, want := r.size(), 5+4+3+(2+1+2)+2; got != want {
		t.Errorf("the request has %d bytes, want %d", got, want)
	}
}

// TestFactsOfAnUnexplainedText: that no mistake explains a signature is said only if all were tried.
func TestFactsOfAnUnexplainedText(t *testing.T) {
	if facts := textFacts("AAAA", nil); !strings.HasPrefix(facts[0], "no known mistake") || facts[1] != "the signature is base64 of 3 bytes" {
		t.Errorf("%q", facts)
	}
	if facts := textFacts("?", []string{"pairs"}); !strings.HasPrefix(facts[0], "nothing that was tried") || !strings.Contains(facts[1], "not padded base64") {
		t.Errorf("%q", facts)
	}
}

// TestNumbersSortFirst: texts of digits by their number, then all others by bytes.
func TestNumbersSortFirst(t *testing.T) {
	ordered := []string{"0", "9", "010", "11", "100", "", "-1", "1a", "a", "b"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareNumbers(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%q, %q: %d", a, b, got)
			}
		}
	}
}

// TestSegmentsDropped: the last segment, or the last that has a name, with its slash and without.
func TestSegmentsDropped(t *testing.T) {
	for path, want := range map[string][5]string{
		"/pay/order":  {"/pay/order", "/pay", "/pay/", "/pay", "/pay/"},
		"/pay/order/": {"/pay/order/", "/pay/order", "/pay/order/", "/pay", "/pay/"},
		"/":           {"/", "", "/", "/", "/"},
		"":            {"", "", "", "", ""},
	} {
		for f, w := range want {
			if got := segmentForm(f).drop(path); got != w {
				t.Errorf("%q, form %d: %q, want %q", path, f, got, w)
			}
		}
	}
}

// TestOddHosts: each spelling of a host that is often another is warned of, alone.
func TestOddHosts(t *testing.T) {
	for host, odd := range map[string]bool{
		"h": false, "h.": true, "[::1]": false, "[fe80::1%25eth0]": true, "h%41": false, "h\x7f": false, "h\x80": true, "\u00e4": true,
	} {
		u := urlParts{host: host}
		if (len(u.findings()) > 0) != odd {
			t.Errorf("%q: %v", host, !odd)
		}
	}
}

// TestFoldsOfAHeader: a line break is a space only where a space or a tab follows it.
func TestFoldsOfAHeader(t *testing.T) {
	for between, ok := range map[string]bool{" ": true, "\n ": true, "\n\t": true, "\r\n ": true, "\r\n\t": true, "\n": false, "\r\n": false, "\r": false} {
		h, f := parseHeader(`OAuth a="1",` + between + `b="2"`)
		if (f == nil) != ok || ok && len(h.params) != 2 {
			t.Errorf("%q: %+v", between, f)
		}
	}
}

// TestBinaryKeyFiles: a file of bytes is named as one, whether or not a NUL is in it.
func TestBinaryKeyFiles(t *testing.T) {
	for file, binary := range map[string]bool{
		"\x30\x80\x01\x01": true, "\x30\x82\x01\x01": true, "a\x00b": true, "\x00": true, "\x30\x7f\x01\x01": false, "0A key": false, "0": false,
	} {
		f := notArmoured(file, []byte(file))
		if f == nil || strings.Contains(f.Message, "binary file") != binary {
			t.Errorf("%q: %+v", file, f)
		}
	}
}

// TestOddParametersOfABody: each kind that does not belong beside the payload is reported, alone.
func TestOddParametersOfABody(t *testing.T) {
	for name, code := range map[string]string{
		namePayload: string(ParameterDuplicate), nameSignature: string(SignatureInBody), "oauth_other": string(OAuthUnknown), "other": string(ParameterExtra),
	} {
		in := resolved{body: []pair{{namePayload, "1"}, {name, "2"}}}
		if list := in.bodyFindings(); len(list) != 1 || string(list[0].Code) != code {
			t.Errorf("%s: %v, want %s", name, list, code)
		}
	}
}
