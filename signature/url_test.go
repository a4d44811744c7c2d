package signature_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestBaseURI: what enters the base string, or the code of the error, of a request that is signed and of BaseString, which
// takes ports in every spelling. An error never shows the URL.
func TestBaseURI(t *testing.T) {
	both := func(want string) [2]string { return [2]string{want, want} }
	tests := []struct {
		name, reason, url string
		want              [2]string // signed, of BaseString; an error code where it has no colon
	}{
		{"all upper case, default port", "h190", "HTTPS://Host:443/p", both("https://host/p")},
		{"the last letter", "h190", "https://AZ/Z", both("https://az/Z")},
		{"no path", "h191", "https://h", both("https://h/")},
		{"slash", "h191", "https://h/", both("https://h/")},
		{"dot segments", "h191", "https://h//a/../b/./c", both("https://h//a/../b/./c")},
		{"escapes as sent", "h191", "https://h/%7E%2f", both("https://h/%7E%2f")},
		{"bar", "h191", "https://h/a|b", both("https://h/a|b")},
		{"non-ASCII path", "h191", "https://h/é", both("https://h/é")},
		{"query", "h192, L59", "https://h/?a=1", both("url-query")},
		{"query without a path", "signing 4", "https://h?x=1", both("url-query")},
		{"empty query", "h192", "https://h/?", both("url-query")},
		{"fragment", "h192, L59", "https://h/#a", both("url-fragment")},
		{"userinfo", "h192, L59", "https://user:secretpw@H/x", both("url-userinfo")},
		{"empty userinfo", "h192, L59", "https://@h/x", both("url-userinfo")},
		{"no host", "h193", "https:///a", both("url-form")},
		{"no slashes", "h193", "https:h/a", both("url-form")},
		{"no scheme", "h193", "//h/a", both("url-form")},
		{"relative", "h193", "h/a", both("url-form")},
		{"ftp", "h193", "ftp://h/a", both("url-form")},
		{"empty", "h193", "", both("url-form")},
		{"port 99999", "h194", "https://h:99999/", both("url-port")},
		{"port 0", "h194", "https://h:0/", both("url-port")},
		{"empty port", "h194, signing 4", "https://h:/", [2]string{"url-port", "https://h/"}},
		{"negative port", "h194", "https://h:-1/", both("url-port")},
		{"leading zero", "h194", "https://h:08443/", [2]string{"url-port", "https://h:8443/"}},
		{"leading zeros of the default", "signing 4", "http://h:0080/x", [2]string{"url-port", "http://h/x"}},
		{"port 65536", "signing 4", "https://h:65536", both("url-port")},
		{"very long port", "signing 4", "https://h:" + strings.Repeat("9", 400), both("url-port")},
		{"decimal port", "signing 4", "https://h:3.14", both("url-port")},
		{"two ports", "signing 4", "https://h:42:42", both("url-port")},
		{"port without a host", "signing 4", "http://:8080", both("url-form")},
		{"80 on https", "U03", "https://h:80/", both("https://h:80/")},
		{"443 on http", "U03", "http://h:443/", both("http://h:443/")},
		{"80 on http", "U03", "http://h:80/", both("http://h/")},
		{"IPv6 and port", "U03", "http://[2001:DB8::1]:8080/", both("http://[2001:db8::1]:8080/")},
		{"space", "h195", "https://h/a b", both("url-form")},
		{"line break", "h195", "https://h/a\r\nb", both("url-form")},
		{"NUL", "h195", "https://h/\x00", both("url-form")},
		{"backslash", "h195", `https://h\a`, both("url-form")},
		{"bad escape in the path", "h195", "https://h/%zz", both("url-form")},
		{"non-ASCII host", "h196", "https://bÜcher.example/", both("https://bÜcher.example/")},
		{"zone", "h196", "https://[fe80::1%25eth0]/", both("https://[fe80::1%25eth0]/")},
		{"final dot", "h196", "https://H./", both("https://h./")},
		{"no address in brackets", "h195", "https://[x]/", both("url-form")},
		{"text after brackets", "h195", "https://[::1]x/", both("url-form")},
		{"open bracket", "h195", "https://[::1/", both("url-form")},
		{"bracket in a name", "h195", "https://a]b/", both("url-form")},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		_, _, signing := signature.Sign(signature.NewRequest("POST", test.url), signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1"}, signtest.Secret(t, "s"))
		got, err := signature.BaseURI(test.url)
		for i, refused := range [...]error{signing, err} {
			want := test.want[i]
			switch {
			case !strings.Contains(want, ":"):
				if !errors.Is(refused, ledger.Code(want)) || strings.Contains(refused.Error(), "secretpw") {
					t.Errorf("%s: %v, want %s", test.name, refused, want)
				}
			case refused != nil, i == 1 && got != want:
				t.Errorf("%s: %q, %v, want %q", test.name, got, refused, want)
			}
		}
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
		signtest.UniqueReason(t, seen, test.name, test.reason)
		got, err := test.endpoint.URL()
		if strings.Contains(test.want, ":") && (err != nil || got != test.want) || !strings.Contains(test.want, ":") && !errors.Is(err, ledger.Code(test.want)) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}
