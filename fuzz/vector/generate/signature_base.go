package main

const gatewayURL = "https://gate.example.com/paynet/api/v4/create-recurring-payments/77"

// baseCases are requests, each with one thing that trips encoders, sorters and URL readers.
func baseCases() []struct {
	id, reason string
	body       []pair
} {
	return []struct {
		id, reason string
		body       []pair
	}{
		{"no-body", "no parameter of the body", nil},
		{"payload", "the one parameter of the operation", []pair{{"payload", "YWJj"}}},
		{"payload-plus", "a plus in the payload is encoded twice", []pair{{"payload", "a+b+"}}},
		{"payload-slash", "a slash in the payload is encoded twice", []pair{{"payload", "a/b/"}}},
		{"payload-padding", "padding in the payload is encoded twice", []pair{{"payload", "YQ=="}}},
		{"payload-empty", "an empty payload", []pair{{"payload", ""}}},
		{"payload-twice", "both are signed", []pair{{"payload", "YWJj"}, {"payload", "YWJk"}}},
		{"payload-twice-equal", "both are signed, though equal", []pair{{"payload", "YWJj"}, {"payload", "YWJj"}}},
		{"space", "a space is %20", []pair{{"a", "b c"}}},
		{"plus", "a plus is a plus", []pair{{"a", "b+c"}}},
		{"percent", "a percent sign", []pair{{"a", "100%"}}},
		{"escape", "what looks like an escape is data", []pair{{"a", "%20"}}},
		{"asterisk", "an asterisk is encoded", []pair{{"a", "*"}}},
		{"marks", "marks that JavaScript leaves", []pair{{"a", "!*'()"}}},
		{"tilde", "a tilde is not encoded", []pair{{"a", "~"}}},
		{"hyphen-dot-underscore", "the other unreserved marks", []pair{{"a", "-._"}}},
		{"ampersand", "an ampersand in a value", []pair{{"a", "b&c"}}},
		{"equals", "an equals sign in a value", []pair{{"a", "b=c"}}},
		{"name-with-space", "a space in a name", []pair{{"a b", "c"}}},
		{"name-with-equals", "an equals sign in a name", []pair{{"a=b", "c"}}},
		{"name-with-ampersand", "an ampersand in a name", []pair{{"a&b", "c"}}},
		{"name-with-brackets", "brackets in a name", []pair{{"a[0]", "c"}}},
		{"name-empty", "an empty name", []pair{{"", "c"}}},
		{"value-empty", "an empty value is signed as name=", []pair{{"a", ""}}},
		{"two-sorted", "two parameters in order", []pair{{"a", "1"}, {"b", "2"}}},
		{"two-unsorted", "two parameters out of order", []pair{{"b", "2"}, {"a", "1"}}},
		{"prefix", "a name comes before a longer one", []pair{{"ab", "1"}, {"a", "2"}}},
		{"prefix-hyphen", "names are sorted, not joined pairs", []pair{{"a-b", "1"}, {"a", "2"}}},
		{"prefix-digit", "names are sorted, not joined pairs", []pair{{"a1", "1"}, {"a", "2"}}},
		{"upper-and-lower", "bytes, not letters", []pair{{"a", "1"}, {"B", "2"}, {"A", "3"}}},
		{"letter-and-accent", "sorted after encoding", []pair{{"z", "1"}, {"é", "2"}}},
		{"wide-letter-and-plane-1", "UTF-8 order, not that of UTF-16", []pair{{"\U00010000", "1"}, {"\uff21", "2"}}},
		{"equal-names", "equal names by value", []pair{{"a", "2"}, {"a", "1"}}},
		{"equal-names-numbers", "values as bytes, not as numbers", []pair{{"a", "10"}, {"a", "9"}}},
		{"equal-names-encoded-values", "values are sorted after encoding", []pair{{"a", "b"}, {"a", "é"}}},
		{"underscore-and-o", "a name next to those of OAuth", []pair{{"oauth", "1"}, {"oauti", "2"}}},
		{"after-oauth", "a name after those of OAuth", []pair{{"p", "1"}, {"o", "2"}}},
		{"accent", "an accented letter as UTF-8", []pair{{"a", "é"}}},
		{"decomposed", "no normalisation", []pair{{"a", "e\u0301"}}},
		{"emoji", "four bytes of UTF-8", []pair{{"a", "💩"}}},
		{"byte-order-mark", "a mark is data", []pair{{"a", "\ufeffb"}}},
		{"nul", "NUL is data", []pair{{"a", "b\x00c"}}},
		{"line-end", "a line end is data", []pair{{"a", "b\r\nc"}}},
		{"tab", "a tab is data", []pair{{"a", "b\tc"}}},
		{"quote", "a quote is data", []pair{{"a", `b"c`}}},
		{"comma", "a comma is data", []pair{{"a", "b,c"}}},
		{"semicolon", "a semicolon is data", []pair{{"a", "b;c"}}},
		{"url", "an address as a value", []pair{{"a", "https://h.example/?b=c&d=e"}}},
		{"json", "JSON as a value", []pair{{"a", `{"b":["c",1]}`}}},
		{"many", "thirteen parameters", []pair{{"m", "1"}, {"l", "2"}, {"k", "3"}, {"j", "4"}, {"i", "5"}, {"h", "6"}, {"g", "7"}, {"f", "8"}, {"e", "9"}, {"d", "10"}, {"c", "11"}, {"b", "12"}, {"a", "13"}}},
	}
}

// baseVectors are base strings and whole HMAC signatures.
func baseVectors(s *sheet) {
	for _, c := range baseCases() {
		params := append(append([]pair{}, c.body...), oauth("HMAC-SHA1", "merchant", "n1", "1767225600")...)
		r := right("POST", gatewayURL, c.body, params[len(c.body):], "s3cret")
		s.source = byLoops
		s.add(draft{id: "base-" + c.id, op: "base-string", reason: c.reason, clauses: "5.2 L57", input: map[string]any{"method": "POST", "url": gatewayURL, "params": params}, expect: r.base()})
		s.source = byLoops + ", HMAC of the Go standard library"
		s.add(draft{id: "sign-" + c.id, op: "sign", reason: c.reason, clauses: "5.2 5.3 L57", input: map[string]any{"method": "POST", "url": gatewayURL, "params": params,
			"signature_method": "HMAC-SHA1", "consumer_secret": "s3cret", "token_secret": ""}, expect: map[string]string{"base_string": r.base(), "signature": r.signature()}})
	}
	for _, c := range []struct{ id, reason, consumer, nonce, secret string }{
		{"consumer-with-space", "a space in the login", "a b", "n1", "s3cret"}, {"consumer-with-at", "an at sign in the login", "a@b.c", "n1", "s3cret"},
		{"consumer-not-ascii", "letters beyond ASCII in the login", "händler", "n1", "s3cret"}, {"nonce-with-comma", "a comma in the nonce", "m", "a,b", "s3cret"},
		{"nonce-with-quote", "a quote in the nonce", "m", `a"b`, "s3cret"}, {"nonce-base64", "a nonce in base64", "m", "a+b/c==", "s3cret"},
		{"secret-with-ampersand", "an ampersand in the secret", "m", "n1", "a&b"}, {"secret-with-percent", "a percent sign in the secret", "m", "n1", "a%b"},
		{"secret-with-space", "a space in the secret", "m", "n1", "a b"}, {"secret-not-ascii", "letters beyond ASCII in the secret", "m", "n1", "geheimnisträger"},
		{"secret-with-plus", "a plus in the secret", "m", "n1", "a+b"}, {"secret-uuid", "a secret of hex digits and hyphens", "m", "n1", "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"},
		{"secret-longer-than-a-block", "a key longer than a block of SHA-1", "m", "n1", "seventy letters make a key that is longer than a block of SHA-1 by six"},
	} {
		params := oauth("HMAC-SHA1", c.consumer, c.nonce, "1767225600")
		r := right("POST", gatewayURL, nil, params, c.secret)
		s.add(draft{id: "sign-" + c.id, op: "sign", reason: c.reason, clauses: "5.1 5.3 L64", input: map[string]any{"method": "POST", "url": gatewayURL, "params": params,
			"signature_method": "HMAC-SHA1", "consumer_secret": c.secret, "token_secret": ""}, expect: map[string]string{"base_string": r.base(), "signature": r.signature()}})
	}
	for _, c := range []struct{ id, secret string }{{"plain", "secret"}, {"ampersand", "a&b"}, {"equals", "a=b"}, {"slash", "a/b"}, {"tilde", "a~b"}, {"escape", "%41"}, {"accent", "é"}, {"newline", "a\n"}} {
		s.add(draft{id: "hmac-key-" + c.id, op: "hmac-key", reason: "the secret is encoded, then & and nothing", clauses: "5.3 L64",
			input: map[string]string{"consumer_secret": c.secret, "token_secret": ""}, expect: escaped(c.secret) + "&"})
	}
}
