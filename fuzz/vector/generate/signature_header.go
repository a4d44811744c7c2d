package main

// headerVectors are Authorization headers, built and read.
func headerVectors(s *sheet) {
	s.source = byHand
	for _, c := range []struct {
		id, reason, header string
		want               []pair
	}{
		{"scheme-lower-case", "the scheme in any case", `oauth a="1"`, []pair{{"a", "1"}}},
		{"scheme-upper-case", "the scheme in any case", `OAUTH a="1"`, []pair{{"a", "1"}}},
		{"no-space-after-comma", "the space after a comma is optional", `OAuth a="1",b="2"`, []pair{{"a", "1"}, {"b", "2"}}},
		{"space-after-comma", "one space", `OAuth a="1", b="2"`, []pair{{"a", "1"}, {"b", "2"}}},
		{"tab-after-comma", "a tab", "OAuth a=\"1\",\tb=\"2\"", []pair{{"a", "1"}, {"b", "2"}}},
		{"space-before-comma", "a space before", `OAuth a="1" ,b="2"`, []pair{{"a", "1"}, {"b", "2"}}},
		{"any-order", "parameters in the order given", `OAuth b="2", a="1"`, []pair{{"b", "2"}, {"a", "1"}}},
		{"empty-value", "an empty value", `OAuth a=""`, []pair{{"a", ""}}},
		{"comma-in-a-value", "a comma in quotes is data", `OAuth a="1,2"`, []pair{{"a", "1,2"}}},
		{"equals-in-a-value", "an equals sign in quotes is data", `OAuth a="1=2"`, []pair{{"a", "1=2"}}},
		{"escaped-comma", "an escaped comma", `OAuth a="1%2C2"`, []pair{{"a", "1,2"}}},
		{"escaped-quote", "an escaped quote", `OAuth a="1%222"`, []pair{{"a", `1"2`}}},
		{"escaped-name", "an escape in a name", `OAuth a%62="1"`, []pair{{"ab", "1"}}},
		{"lower-case-hex", "an escape in lower case", `OAuth a="%c3%a9"`, []pair{{"a", "é"}}},
		{"plus-is-a-plus", "a plus is never a space", `OAuth a="1+2"`, []pair{{"a", "1+2"}}},
		{"encoded-once", "one level of escapes", `OAuth a="%252B"`, []pair{{"a", "%2B"}}},
		{"realm-first", "a realm first", `OAuth realm="x", a="1"`, []pair{{"realm", "x"}, {"a", "1"}}},
		{"realm-empty", "an empty realm", `OAuth realm="", a="1"`, []pair{{"realm", ""}, {"a", "1"}}},
		{"realm-last", "a realm anywhere", `OAuth a="1", realm="x"`, []pair{{"realm", "x"}, {"a", "1"}}},
		{"realm-with-comma", "a comma in a realm", `OAuth realm="x, y", a="1"`, []pair{{"realm", "x, y"}, {"a", "1"}}},
		{"realm-with-quote", "a quote in a realm", `OAuth realm="x\"y", a="1"`, []pair{{"realm", `x"y`}, {"a", "1"}}},
		{"realm-with-escape", "a realm is not percent-encoded", `OAuth realm="x%20y", a="1"`, []pair{{"realm", "x%20y"}, {"a", "1"}}},
		{"signature", "the signature, escaped once", `OAuth oauth_signature="a%2Bb%2Fc%3D"`, []pair{{"oauth_signature", "a+b/c="}}},
	} {
		s.add(draft{id: "header-" + c.id, op: "header-parse", reason: c.reason, clauses: "5.5 L62 L67", input: map[string]string{"header": c.header}, expect: c.want})
	}
	for _, c := range [][4]string{
		{"bearer", "another scheme", `Bearer x`, "header-scheme"}, {"basic", "another scheme", `Basic eDp5`, "header-scheme"}, {"empty", "an empty header", ``, "header-scheme"},
		{"no-quotes", "a value without quotes", `OAuth a=1`, "header-syntax"}, {"open-quote", "a quote that is not closed", `OAuth a="1`, "header-syntax"},
		{"no-comma", "no comma between parameters", `OAuth a="1" b="2"`, "header-syntax"}, {"trailing-comma", "a comma at the end", `OAuth a="1",`, "header-syntax"},
		{"leading-comma", "a comma at the start", `OAuth ,a="1"`, "header-syntax"}, {"no-value", "a name alone", `OAuth a`, "header-syntax"}, {"no-name", "a value alone", `OAuth ="1"`, "header-syntax"},
		{"raw-quote", "a raw quote inside", `OAuth a="1"2"`, "header-syntax"}, {"single-quotes", "single quotes", `OAuth a='1'`, "header-syntax"},
		{"broken-escape", "a broken escape", `OAuth a="%g1"`, "header-syntax"}, {"escape-at-the-end", "half an escape", `OAuth a="%4"`, "header-syntax"},
		{"raw-utf-8", "letters beyond ASCII", `OAuth a="é"`, "header-syntax"}, {"semicolons", "semicolons between parameters", `OAuth a="1"; b="2"`, "header-syntax"},
		{"twice", "a parameter twice", `OAuth b="1", b="2"`, "header-duplicate"}, {"twice-equal", "a parameter twice, though equal", `OAuth a="1", a="1"`, "header-duplicate"},
		{"twice-by-escape", "a parameter twice, once escaped", `OAuth a="1", %61="2"`, "header-duplicate"},
	} {
		s.add(draft{id: "header-refused-" + c[0], op: "header-parse", reason: c[1], clauses: "5.5 L67", invalid: true, input: map[string]string{"header": c[2]}, expect: map[string]any{"rejected": true, "code": c[3]}})
	}
	for _, c := range []struct {
		id, reason, value, text string
	}{
		{"signature", "the signature is escaped once more", "a+b/c=", "a%2Bb%2Fc%3D"}, {"comma", "a comma is escaped", "a,b", "a%2Cb"}, {"quote", "a quote is escaped", `a"b`, "a%22b"},
		{"space", "a space is escaped", "a b", "a%20b"}, {"accent", "a letter beyond ASCII", "é", "%C3%A9"}, {"percent", "a percent sign", "%41", "%2541"}, {"tilde", "a tilde stays", "~", "~"}, {"line-end", "a line end is escaped", "a\r\nb", "a%0D%0Ab"},
	} {
		s.add(draft{id: "header-build-" + c.id, op: "header-build", reason: c.reason, clauses: "5.5", input: map[string]any{"params": []pair{{"oauth_nonce", c.value}}, "separator": ", ", "order": "as given"},
			expect: `OAuth oauth_nonce="` + c.text + `"`})
	}
}
