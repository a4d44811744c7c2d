package main

import (
	"strings"

	"github.com/chargecast/chargecast/internal/testkeys"
)

// signingVectors are hostile timestamps, versions and requests, rightly signed, and key files.
func signingVectors(s *sheet) {
	s.source = catalogue
	body := []pair{{"payload", "YWJj"}}
	add := func(id, reason, clauses string, want verdict, oauth []pair, change func(*message)) {
		r := right("POST", gatewayURL, body, oauth, "s3cret")
		m := messageOf(r)
		if change != nil {
			change(&m)
		}
		s.add(draft{id: "hostile-" + id, op: "verify", reason: reason, clauses: clauses, invalid: want.Refused || want.Signature != "ok", input: m.received(), expect: want})
	}
	for _, c := range []struct{ id, reason, timestamp, code string }{
		{"milliseconds", "thirteen digits", "1767225600000", "timestamp-milliseconds"}, {"microseconds", "sixteen digits", "1767225600000000", "timestamp-microseconds"},
		{"nanoseconds", "nineteen digits", "1767225600000000000", "timestamp-nanoseconds"}, {"negative", "a sign", "-1", "timestamp-syntax"}, {"plus", "a sign", "+1767225600", "timestamp-syntax"},
		{"decimal", "a point", "1767225600.0", "timestamp-syntax"}, {"exponent", "an exponent", "1e9", "timestamp-syntax"}, {"hex", "hex digits", "0x6955b900", "timestamp-syntax"},
		{"underscores", "underscores", "1_767_225_600", "timestamp-syntax"}, {"space", "a space before", " 1767225600", "timestamp-syntax"}, {"wide-digit", "a digit of another alphabet", "９", "timestamp-syntax"},
		{"zero", "must be positive", "0", "timestamp-syntax"}, {"date", "a date", "2026-01-01T00:00:00Z", "timestamp-syntax"},
		{"year-10000", "the first second of the year 10000", "253402300800", "timestamp-range"}, {"twenty-digits", "past 64 bits", "99999999999999999999", "timestamp-range"},
		{"leading-zeros", "leading zeros: signed as given, warned of", "001767225600", "leading-zero"}, {"last-second", "the last second of the year 9999", "253402300799", ""}, {"one", "the least", "1", ""},
	} {
		want := verdict{"ok", c.code, c.code != "" && c.code != "leading-zero"}
		add("timestamp-"+c.id, c.reason, "5.1 L63", want, oauth("HMAC-SHA1", "merchant", "n1", c.timestamp), nil)
	}
	for _, v := range []string{"1.0a", "1", "2.0"} {
		five := oauth("HMAC-SHA1", "merchant", "n1", "1767225600")
		five[4][1] = v
		add("version-"+slug(v), "another version", "5.1", verdict{"ok", "oauth-version", true}, five, nil)
	}
	five := oauth("HMAC-SHA1", "merchant", "n1", "1767225600")
	add("version-missing", "no version, which is not signed then", "5.1", verdict{"ok", "oauth-missing", true}, five[:4], nil)
	add("unknown-parameter", "a parameter that is not among the five is not signed", "5.1", verdict{"ok", "oauth-unknown", false}, five, func(m *message) { m.header = append(m.header, pair{"oauth_foo", "1"}) })
	add("empty-token", "an empty token is not among the five and not signed", "5.1", verdict{"ok", "oauth-unknown", false}, five, func(m *message) { m.header = append(m.header, pair{"oauth_token", ""}) })
	add("nonce-with-quote", "a quote and a comma in a nonce", "5.1 L67", verdict{"ok", "", false}, oauth("HMAC-SHA1", "merchant", `a",b c`, "1767225600"), nil)
	add("body-copy-differs", "the copy in the body differs from the header", "L61", verdict{"mismatch", "oauth-conflict", false}, five, func(m *message) {
		m.rawBody = formBody(append([]pair{{"oauth_nonce", "n2"}}, m.body...))
	})
	add("signature-in-the-body", "the signature goes only in the header, and is never in the signed set", "5.1", verdict{"ok", "signature-in-body", true}, five, func(m *message) {
		m.rawBody = formBody(append([]pair{{"oauth_signature", "x"}}, m.body...))
	})
	keyVectorsOf(s)
}

// keyVectorsOf are key files.
func keyVectorsOf(s *sheet) {
	pem := testkeys.Public
	lines := strings.Split(strings.TrimSpace(pem), "\n")
	one := strings.Join(lines[1:len(lines)-1], "")
	for _, c := range []struct{ id, reason, file, code string }{
		{"public", "a public key", pem, ""}, {"crlf", "CRLF line ends", strings.ReplaceAll(pem, "\n", "\r\n"), ""}, {"blank-lines-after", "blank lines at the end", pem + "\n\n", ""},
		{"no-line-end", "no line end at the end", strings.TrimSpace(pem), ""},
		{"text-before", "text before BEGIN: the file may be another one", "note\n" + pem, "key-surrounding-text"}, {"text-after", "text after END", pem + "note\n", "key-surrounding-text"},
		{"two-keys", "a second key: which of the two?", pem + pem, "key-surrounding-text"}, {"cr-only", "CR alone ends no line", strings.ReplaceAll(pem, "\n", "\r"), "key-not-pem"},
		{"on-one-line", "all on one line", strings.ReplaceAll(strings.TrimSpace(pem), "\n", " "), "key-not-pem"}, {"backslash-n", "line ends written as two characters", strings.ReplaceAll(pem, "\n", `\n`), "key-not-pem"},
		{"end-missing", "no END", strings.Join(lines[:len(lines)-1], "\n"), "key-not-pem"}, {"other-end", "another label at the end", strings.Replace(pem, "END PUBLIC", "END PRIVATE", 1), "key-not-pem"},
		{"no-armour", "base64 without BEGIN and END", one, "key-not-pem"}, {"empty", "an empty file", "", "key-not-pem"}, {"csv", "a payload", short, "key-not-pem"},
		{"empty-body", "nothing between BEGIN and END", lines[0] + "\n" + lines[len(lines)-1] + "\n", "key-malformed"},
		{"truncated", "half of the body", lines[0] + "\n" + one[:len(one)/8*4] + "\n" + lines[len(lines)-1] + "\n", "key-malformed"},
		{"certificate-label", "a certificate holds a public key only", strings.ReplaceAll(pem, "PUBLIC KEY", "CERTIFICATE"), "key-kind"},
		{"lower-case-label", "labels have one case", strings.ReplaceAll(pem, "PUBLIC KEY", "public key"), "key-kind"},
		{"openssh", "a key of OpenSSH", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n", "key-kind"},
		{"encrypted", "an encrypted key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n", "key-encrypted"},
	} {
		s.add(draft{id: "key-" + c.id, op: "key", reason: c.reason, clauses: "5.4 L65", invalid: c.code != "", input: map[string]string{"file": c.file}, expect: lineAnswer{c.code}})
	}
}
