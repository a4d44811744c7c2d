package main

import (
	"encoding/hex"
	"fmt"
	"strings"
)

const byLoops = "loops over bytes after clause 5.2 and RFC 3986"

// textVectors are single values, forms and URLs on their way into a base string.
func textVectors(s *sheet) {
	s.source = byLoops
	encodeVectors(s)
	formVectors(s)
	urlVectors(s)
}

func encodeVectors(s *sheet) {
	add := func(id, reason, in string) {
		input := map[string]string{"text": in}
		if _, plain := text(in).(string); !plain {
			input = map[string]string{"hex": hex.EncodeToString([]byte(in))}
		}
		s.add(draft{id: "encode-" + id, op: "encode", reason: reason, clauses: "5.2", input: input, expect: escaped(in)})
	}
	for c := range 128 {
		letter := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && !strings.ContainsRune("% &\x00'", rune(c)) {
			add(fmt.Sprintf("byte-%02x", c), fmt.Sprintf("the byte %02X", c), string(rune(c)))
		}
	}
	for _, c := range []int{0x80, 0x9f, 0xa0, 0xc0, 0xe9, 0xf5, 0xfe} {
		add(fmt.Sprintf("byte-%02x", c), fmt.Sprintf("the byte %02X, which is no text", c), string([]byte{byte(c)}))
	}
	for _, c := range [][2]string{
		{"digits", "0123456789"}, {"upper-case", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}, {"lower-case", "abcdefghijklmnopqrstuvwxyz"},
		{"escape-upper", "%2F"}, {"escape-of-an-escape", "%252F"}, {"base64", "a+b/c=="}, {"url", "https://h.example/a?b=c&d=e#f"},
		{"cyrillic", "Привет"}, {"japanese", "日本語"}, {"hebrew", "שלום"}, {"ligature", "ﬁ"}, {"flag", "🇩🇪"}, {"long-s", "ſ"},
		{"zero-width-joiner", "a\u200db"}, {"right-to-left", "\u202ea"}, {"last-code-point", "\U0010ffff"}, {"tabs-and-lines", "\t\r\n"}, {"spaces", "  a  "}, {"quotes", `"a"`},
		{"csv", "\"a\";\"b\"\r\n\"1\";\"2\"\r\n"}, {"overlong-nul", "\xc0\x80"}, {"cut-character", "a\xe2\x82"}, {"latin-1", "caf\xe9"},
	} {
		add(c[0], "a text: "+c[0], c[1])
	}
}

func formVectors(s *sheet) {
	for _, c := range [][4]string{
		{"plus-is-a-space", "a + is a space", "a=b+c", "a=b%20c"},
		{"plus-in-a-name", "a + in a name", "a+b=1", "a%20b=1"},
		{"escaped-plus", "an escaped plus is one", "a=%2b", "a=%2B"},
		{"equals-in-a-value", "only the first = separates", "a==b", "a=%3Db"},
		{"empty-value", "an empty value is kept", "a=&b=1", "a=&b=1"},
		{"empty-segments", "empty segments are skipped", "a=1&&b=2&", "a=1&b=2"},
		{"semicolon-in-a-value", "a semicolon is data", "a=1;2", "a=1%3B2"},
		{"semicolon-in-a-name", "a semicolon is data", "x;y=1", "x%3By=1"},
		{"equal-names", "equal names are sorted by value", "a=3&a=1&a=2", "a=1&a=2&a=3"},
		{"values-are-not-numbers", "values are compared as bytes", "a=100&a=20&a=3", "a=100&a=20&a=3"},
		{"equal-pairs", "a pair that comes twice is signed twice", "a=1&a=1", "a=1&a=1"},
		{"prefix-first", "a name comes before a longer one", "ab=1&a=2", "a=2&ab=1"},
		{"hyphen-after-equals", "names are compared, not joined pairs", "a-b=1&a=2", "a=2&a-b=1"},
		{"upper-before-lower", "bytes, not letters", "b=1&B=2&a=3", "B=2&a=3&b=1"},
		{"encoded-order", "an encoded name begins with %, before letters", "a=1&é=2", "%C3%A9=2&a=1"},
		{"tilde-last", "a tilde comes after letters", "~=1&z=2", "z=2&~=1"},
		{"digit-before-letter", "digits come before letters", "a1=1&a=2&aa=3&aA=4", "a=2&a1=1&aA=4&aa=3"},
		{"lower-case-hex", "the case of an escape does not matter", "a=%c3%a9", "a=%C3%A9"},
		{"escaped-unreserved", "an unreserved byte loses its escape", "a=%41%2d%7E", "a=A-~"},
		{"escaped-twice", "one level of escapes is taken off", "a=%2541", "a=%2541"},
		{"escaped-ampersand", "an escaped & is data", "a=1%26b=2", "a=1%26b%3D2"},
		{"nul", "NUL is a byte", "a=%00", "a=%00"},
		{"bytes-kept", "bytes that are no text are kept", "a=%FF%FE", "a=%FF%FE"},
		{"newline", "a line end is a byte", "a=1%0D%0A2", "a=1%0D%0A2"},
		{"question-mark", "a question mark is part of the name", "?a=1", "%3Fa=1"},
		{"brackets", "brackets are encoded", "a[0]=1&a[1]=2", "a%5B0%5D=1&a%5B1%5D=2"},
	} {
		s.add(draft{id: "form-" + c[0], op: "form", reason: c[1], clauses: "5.2 L57 L68", input: map[string]string{"form": c[2]}, expect: c[3]})
	}
	for _, c := range []struct {
		id, form string
		offset   int
	}{
		{"percent-alone", "%", 0}, {"percent-at-the-end", "a=100%", 5}, {"half-an-escape", "a=%4", 2}, {"no-hex", "a=%g0", 2}, {"no-hex-second", "a=%0g", 2}, {"of-javascript", "a=%u0041", 2},
		{"in-a-name", "%zz=1", 0}, {"second-pair", "a=1&b=%%", 6}, {"after-good-ones", "a=%41%4", 5}, {"space-in-the-escape", "a=% 1", 2}, {"escape-cut-by-ampersand", "a=%4&b=1", 2},
	} {
		s.add(draft{id: "form-escape-" + c.id, op: "form", reason: "a broken escape is an error with its offset, never dropped", clauses: "5.2 L68", invalid: true,
			input: map[string]string{"form": c.form}, expect: map[string]any{"rejected": true, "offset": c.offset}})
	}
}

func urlVectors(s *sheet) {
	for _, c := range [][4]string{
		{"lower-case", "as it is", "https://h.example/p", "https://h.example/p"},
		{"upper-case-scheme", "the scheme in lower case", "HTTPS://h.example/p", "https://h.example/p"},
		{"upper-case-host", "the host in lower case", "https://H.Example/p", "https://h.example/p"},
		{"upper-case-path", "the path keeps its case", "https://h.example/P/Q", "https://h.example/P/Q"},
		{"port-443-https", "the default port is dropped", "https://h.example:443/p", "https://h.example/p"},
		{"port-80-http", "the default port is dropped", "http://h.example:80/p", "http://h.example/p"},
		{"port-443-http", "another scheme's default port is kept", "http://h.example:443/p", "http://h.example:443/p"},
		{"port-80-https", "another scheme's default port is kept", "https://h.example:80/p", "https://h.example:80/p"},
		{"port-8443", "another port is kept", "https://h.example:8443/p", "https://h.example:8443/p"},
		{"port-1", "the least port", "https://h.example:1/p", "https://h.example:1/p"},
		{"port-65535", "the greatest port", "https://h.example:65535/p", "https://h.example:65535/p"},
		{"empty-path", "an empty path is /", "https://h.example", "https://h.example/"},
		{"empty-path-with-port", "an empty path is /", "https://h.example:443", "https://h.example/"},
		{"slash", "a slash is a path", "https://h.example/", "https://h.example/"},
		{"trailing-slash", "a trailing slash is kept", "https://h.example/p/", "https://h.example/p/"},
		{"double-slash", "an empty segment is kept", "https://h.example//p", "https://h.example//p"},
		{"dots", "dot segments are kept", "https://h.example/a/../b/./c", "https://h.example/a/../b/./c"},
		{"escape-upper", "an escape is kept", "https://h.example/a%2Fb", "https://h.example/a%2Fb"},
		{"escape-lower", "an escape keeps its case", "https://h.example/a%2fb", "https://h.example/a%2fb"},
		{"escaped-unreserved", "an escape of an unreserved byte is kept", "https://h.example/%7Eu", "https://h.example/%7Eu"},
		{"tilde", "a tilde is kept", "https://h.example/~u", "https://h.example/~u"},
		{"matrix", "a semicolon in a path is kept", "https://h.example/a;p=1/b", "https://h.example/a;p=1/b"},
		{"plus", "a plus in a path is kept", "https://h.example/a+b", "https://h.example/a+b"},
		{"ipv4", "an address", "https://192.0.2.1/p", "https://192.0.2.1/p"},
		{"ipv6", "an address in brackets", "https://[2001:DB8::1]/p", "https://[2001:db8::1]/p"},
		{"ipv6-default-port", "the default port after brackets", "https://[2001:db8::1]:443/p", "https://[2001:db8::1]/p"},
		{"ipv6-port", "another port after brackets", "https://[2001:db8::1]:8443/p", "https://[2001:db8::1]:8443/p"},
		{"gateway", "the path of the operation", "https://Gate.example.com/paynet/api/v4/create-recurring-payments/77", "https://gate.example.com/paynet/api/v4/create-recurring-payments/77"},
	} {
		s.add(draft{id: "url-" + c[0], op: "base-uri", reason: c[1], clauses: "5.2 L58", input: map[string]string{"url": c[2]}, expect: c[3]})
	}
	for _, c := range [][4]string{
		{"no-host", "no host", "https:///p", ""}, {"no-slashes", "no host", "https:h.example/p", ""}, {"no-scheme", "no scheme", "//h.example/p", ""},
		{"relative", "no scheme, no host", "h.example/p", ""}, {"ftp", "another scheme", "ftp://h.example/p", ""},
		{"port-letters", "letters as port", "https://h.example:https/p", ""}, {"port-0", "port 0", "https://h.example:0/p", ""},
		{"port-65536", "a port past 16 bits", "https://h.example:65536/p", ""}, {"port-negative", "a negative port", "https://h.example:-1/p", ""},
		{"space-in-path", "a space", "https://h.example/a b", ""}, {"space-before", "a space before", " https://h.example/", ""},
		{"newline", "a line end", "https://h.example/\n", ""}, {"nul", "a NUL", "https://h.example/\x00", ""}, {"backslash", "a backslash", `https://h.example\p`, ""},
		{"broken-escape", "a broken escape", "https://h.example/%zz", ""}, {"open-bracket", "an open bracket", "https://[2001:db8::1/p", ""}, {"two-ports", "two ports", "https://h.example:42:42/p", ""},
	} {
		s.add(draft{id: "url-refused-" + c[0], op: "base-uri", reason: c[1] + ": nothing can be signed", clauses: "5.2 L58", invalid: true, input: map[string]string{"url": c[2]}, expect: map[string]bool{"rejected": true}})
	}
	for _, c := range [][4]string{
		{"query", "a query", "https://h.example/p?a=1", "url-query"}, {"empty-query", "an empty query", "https://h.example/p?", "url-query"},
		{"fragment", "a fragment", "https://h.example/p#a", "url-fragment"}, {"userinfo", "a user and a password, never shown", "https://u:p@h.example/p", "url-userinfo"},
		{"user", "a user", "https://u@h.example/p", "url-userinfo"},
		{"empty-port", "an empty port", "https://h.example:/p", "url-port"}, {"padded-port", "a port with a leading zero", "https://h.example:08443/p", "url-port"},
		{"large-port", "a port past 16 bits", "https://h.example:99999/p", "url-port"},
	} {
		s.add(draft{id: "url-gateway-" + c[0], op: "base-uri", reason: c[1] + ": an error in the profile gateway", clauses: "5.2 L59", invalid: true,
			input: map[string]string{"url": c[2], "profile": "gateway"}, expect: map[string]any{"rejected": true, "code": c[3]}})
	}
}
