package rules

import (
	"strings"
	"testing"
)

// TestContactBytes: which bytes may be in the name of an address, in the host of a URL and behind it (L54).
func TestContactBytes(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	for b := range 256 {
		c := string([]byte{byte(b)})
		beyond := b >= 0x80
		inName := beyond || strings.Contains(letters+"_!#$%&'*+/=?~^`{|}.", c)
		inHost := beyond || strings.Contains(letters+"_./?#", c) // the last three end the host
		behind := beyond || b > ' ' && b < 0x7F && !strings.Contains("\"<>\\^`{|}", c)
		if got := isEmail("x" + c + "x@mail.example"); got != inName {
			t.Errorf("byte %#x in the name of an address: %v", b, got)
		}
		if got := isURL("https://a" + c + "a.example"); got != inHost {
			t.Errorf("byte %#x in a host: %v", b, got)
		}
		if got := isURL("https://a.example/" + c); got != behind {
			t.Errorf("byte %#x in a path: %v", b, got)
		}
	}
}

// TestContactForms: domains, hosts and ports at the edge of what they may be (L54).
func TestContactForms(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		isHost       bool // of a URL
		isDomain     bool // of an address
	}{
		{"a name", "a.example", true, true},
		{"a name without a point is a host of a network", "localhost", true, false},
		{"nothing", "", false, false},
		{"a point before it", ".example", false, false},
		{"a point behind it", "example.", false, false},
		{"two points", "a..example", false, false},
		{"a dash inside", "a-b.example", true, true},
		{"two dashes inside", "a--b.example", true, true},
		{"a dash before it", "-a.example", false, false},
		{"a dash before a point", "a-.example", false, false},
		{"a dash behind a point", "a.-example", false, false},
		{"a dash behind it", "a.example-", false, false},
		{"a dash alone", "a.-.example", false, false},
		{"a port", "a.example:8443", true, false},
		{"a port of nines", "a.example:9999", true, false},
		{"the lowest port", "a.example:1", true, false},
		{"no port has the number 0", "a.example:0", false, false},
		{"the highest port", "a.example:65535", true, false},
		{"one above it", "a.example:65536", false, false},
		{"a port of six digits", "a.example:000080", false, false},
		{"a port without digits", "a.example:", false, false},
		{"a port of letters", "a.example:http", false, false},
		{"a port alone", ":80", false, false},
		{"an address of IPv4", "192.0.2.1", true, true},
		{"an address of IPv6", "[2001:db8::1]", true, false},
		{"an address of IPv6 with a port", "[2001:db8::1]:80", true, false},
		{"an address of IPv6 without brackets", "2001:db8::1", false, false},
		{"an address of IPv4 in brackets", "[192.0.2.1]", false, false},
		{"a zone", "[fe80::1%eth0]", false, false},
	} {
		if got := isURL("https://" + c.text + "/"); got != c.isHost {
			t.Errorf("%s: %q is a host: %v", c.reason, c.text, got)
		}
		for range 2 { // the second time it may be remembered
			if got := isEmail("x@" + c.text); got != c.isDomain {
				t.Errorf("%s: %q is a domain: %v", c.reason, c.text, got)
			}
		}
	}
	for text, want := range map[string]bool{
		"http://a": true, "HTTPS://a": true, "ftp://a": false, "http:/a": false, "https://": false, "http://": false, "": false, "//a": false,
		"https://a?": true, "https://a#": true, "https://a/b?c=d#e": true,
	} {
		if got := isURL(text); got != want {
			t.Errorf("%q is a URL: %v", text, got)
		}
	}
	longest := "2001:0db8:0000:0000:0000:0000:192.000.002.001"
	for text, want := range map[string]bool{
		"ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255": true, longest: false, // zeros before the digits of IPv4
		"::1": true, "": false, "%": false, "fe80::1%eth0": false, "192.0.2.256": false, "192.0.2": false, "192,0,2,1": false, "1-2-3-4": false, strings.Repeat("1", 46): false,
	} {
		if got := isIP(text); got != want {
			t.Errorf("%q is an IP address: %v", text, got)
		}
	}
}
