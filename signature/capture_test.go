package signature_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// TestParseRequest: a captured request as the command reads it, in both line ends.
func TestParseRequest(t *testing.T) {
	const head = "POST /p HTTP/1.1\nhost: h.example:8443\ncontent-TYPE: text/plain\nAUTHORIZATION: OAuth a=\"1\",\n b=\"2\"\n"
	tests := []struct {
		name, reason, text string
		want               signature.Captured
	}{
		{"names without case, a fold", "signing 1", head + "\nx=1", signature.Captured{Authorization: "OAuth a=\"1\",\n b=\"2\"",
			Request: signature.Request{Method: "POST", URL: "https://h.example:8443/p", ContentType: "text/plain", Body: []byte("x=1")}}},
		{"target with scheme and host", "signing 1", "GET http://H/p?x=1 HTTP/1.1\nHost: other\n\n",
			signature.Captured{Request: signature.Request{Method: "GET", URL: "http://H/p?x=1", Body: []byte{}}}},
		{"no empty line, no body", "signing 1", "GET http://h/ HTTP/1.1\nHost: h", signature.Captured{Request: signature.Request{Method: "GET", URL: "http://h/", Body: []byte{}}}},
		{"a line end that an editor added", "signing 1", "POST http://h/ HTTP/1.1\nContent-Length: 3\n\nx=1\r\n",
			signature.Captured{Request: signature.Request{Method: "POST", URL: "http://h/", Body: []byte("x=1")}}},
		{"a line end without Content-Length", "signing 1: the body as it is", "POST http://h/ HTTP/1.1\nHost: h\n\nx=1\n",
			signature.Captured{Request: signature.Request{Method: "POST", URL: "http://h/", Body: []byte("x=1\n")}}},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		head, body, _ := strings.Cut(test.text, "\n\n")
		for _, text := range []string{test.text, strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" + body} {
			got, err := signature.ParseRequest([]byte(text))
			want := test.want
			if err != nil || got.Request.Method != want.Request.Method || got.Request.URL != want.Request.URL || got.Request.ContentType != want.Request.ContentType ||
				string(got.Request.Body) != string(want.Request.Body) || got.Request.Body == nil || got.Authorization != want.Authorization || got.Findings != nil {
				t.Errorf("%s: %q %q %q, %v, %v", test.name, got.Request.URL, got.Request.Body, got.Authorization, got.Findings, err)
			}
		}
	}
}

// TestParseRequestErrors: what is no request is refused, and nothing of it is shown.
func TestParseRequestErrors(t *testing.T) {
	tests := []struct{ name, reason, text string }{
		{"empty", "signing 1", ""},
		{"not a request line", "signing 1", "canary\n\n"},
		{"a response", "signing 1", "HTTP/1.1 403 Forbidden\n\n"},
		{"no header lines", "signing 1", "POST http://h/ HTTP/1.1\n"},
		{"no Host", "signing 1", "POST /canary HTTP/1.1\nA: b\n\n"},
		{"a line without colon", "signing 1", "POST /p HTTP/1.1\nHost: h\ncanary\n\n"},
		{"space in a name", "signing 1", "POST /p HTTP/1.1\nHo st: h\n\n"},
		{"fold first", "signing 1", "POST /p HTTP/1.1\n canary\n\n"},
		{"two Authorization headers", "h199", "POST /p HTTP/1.1\nHost: h\nAuthorization: canary\nauthorization: canary\n\n"},
		{"two hosts", "signing 1", "POST /p HTTP/1.1\nHost: h\nHost: canary\n\n"},
		{"chunked", "signing 1", "POST /p HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n3\nx=1\n0\n\n"},
		{"length that is no number", "signing 1", "POST /p HTTP/1.1\nHost: h\nContent-Length: canary\n\n"},
		{"too many lines", "signing 1", "POST /p HTTP/1.1\n" + strings.Repeat("A: b\n", 501) + "\n"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		_, err := signature.ParseRequest([]byte(test.text))
		if !errors.Is(err, signature.RequestForm) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	got, err := signature.ParseRequest([]byte("POST http://h/ HTTP/1.1\nContent-Length: 9\n\nx=1"))
	if err != nil || !slices.Equal(codesOf(got.Findings), listOf(signature.ContentLength)) {
		t.Errorf("a body cut short: %v, %v", got.Findings, err)
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
		{"base with a query", "L59", signature.Endpoint{Base: "https://h?a=1", ID: "7"}, "url-query"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		got, err := test.endpoint.URL()
		if strings.Contains(test.want, ":") && (err != nil || got != test.want) || !strings.Contains(test.want, ":") && !errors.Is(err, signature.Code(test.want)) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}

// TestCreateRecurringPayments: the whole POST, written, read again and verified (4.1, 5.5, R104, R105, R141).
func TestCreateRecurringPayments(t *testing.T) {
	_, o := workload(0)
	o.Place = signature.HeaderAndBody
	o.Realm = signature.Realm{Present: true}
	key := workloadSecret(t)
	post, err := signature.CreateRecurringPayments(signature.Endpoint{Base: "https://h.example", ID: "77"}, []byte("\"rp_card_type\"\n\"\xfb\xff\""), o, key)
	if err != nil {
		t.Fatal(err)
	}
	wire := post.AppendHTTP(nil)
	for _, part := range []string{"POST /paynet/api/v4/create-recurring-payments/77 HTTP/1.1\r\nHost: h.example\r\n",
		"\r\nContent-Type: application/x-www-form-urlencoded\r\n", "\r\nAuthorization: OAuth realm=\"\", oauth_consumer_key=", "\r\n\r\npayload=InJwX2NhcmRfdHlwZSIKIvv%2FIg%3D%3D&oauth_consumer_key="} {
		if !strings.Contains(string(wire), part) {
			t.Errorf("%q lacks %q", wire, part)
		}
	}
	got, err := signature.ParseRequest(wire)
	if err != nil || got.Request.URL != post.URL {
		t.Fatalf("%q, %v", got.Request.URL, err)
	}
	v, err := signature.Verify(got.Request, got.Authorization, key, signature.Gateway(), signature.Freshness{})
	if err != nil || v.Signature != signature.OK || len(v.Findings) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
}
