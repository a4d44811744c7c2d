package signature_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestHeaderErrors: a header that breaks the grammar is refused with the place.
func TestHeaderErrors(t *testing.T) {
	tests := []struct {
		name, reason, text string
		code               ledger.Code
		offset             int
	}{
		{"empty", "h199", "", signature.HeaderScheme, 0},
		{"Bearer", "h199", "Bearer x", signature.HeaderScheme, 0},
		{"Basic", "h199", "Basic b2F1dGg=", signature.HeaderScheme, 0},
		{"a longer word", "L67", `OAuth2 a="1"`, signature.HeaderScheme, 0},
		{"scheme alone", "signing 5", "OAuth", signature.HeaderSyntax, 5},
		{"scheme and space", "signing 5", "OAuth ", signature.HeaderSyntax, 6},
		{"no quotes", "h200", "OAuth a=1", signature.HeaderSyntax, 8},
		{"open quote", "h200", `OAuth a="1`, signature.HeaderSyntax, 10},
		{"no comma", "h200", `OAuth a="1" b="2"`, signature.HeaderSyntax, 12},
		{"comma at the end", "h200", `OAuth a="1",`, signature.HeaderSyntax, 12},
		{"comma twice", "h200", `OAuth a="1",,b="2"`, signature.HeaderSyntax, 12},
		{"comma first", "h200", `OAuth ,a="1"`, signature.HeaderSyntax, 6},
		{"no equals sign", "h200", `OAuth a"1"`, signature.HeaderSyntax, 7},
		{"raw quote in a value", "h201", `OAuth a="1"2"`, signature.HeaderSyntax, 11},
		{"backslash in a value", "h201", `OAuth a="1\"2"`, signature.HeaderSyntax, 10},
		{"duplicate", "h202", `OAuth a="1", a="1"`, signature.HeaderDuplicate, 13},
		{"duplicate in another spelling", "h202", `OAuth ab="1", %61b="2"`, signature.HeaderDuplicate, 14},
		{"realm twice", "h202", `OAuth realm="", realm=""`, signature.HeaderDuplicate, 16},
		{"bad escape in a value", "h209", `OAuth a="x%zz"`, signature.HeaderSyntax, 10},
		{"bad escape in a name", "h209", `OAuth a%z="x"`, signature.HeaderSyntax, 7},
		{"escape cut by the quote", "h209", `OAuth a="%4"`, signature.HeaderSyntax, 9},
		{"raw UTF-8", "h209", `OAuth a="é"`, signature.HeaderSyntax, 9},
		{"line break without a fold", "h277", "OAuth a=\"1\",\nb=\"2\"", signature.HeaderSyntax, 12},
		{"line break in a value", "h277", "OAuth a=\"1\n 2\"", signature.HeaderSyntax, 10},
		{"line break in realm", "h208", "OAuth realm=\"a\r\n b\"", signature.HeaderSyntax, 14},
		{"realm not closed", "h208", `OAuth realm="a\"`, signature.HeaderSyntax, 16},
		{"realm cut behind a backslash", "h208", `OAuth realm="a\`, signature.HeaderSyntax, 15},
		{"DEL in a value", "5.5.3", "OAuth a=\"1\x7f\"", signature.HeaderSyntax, 10},
		{"LF at the end", "h277", "OAuth a=\"1\"\n", signature.HeaderSyntax, 11},
		{"CRLF at the end", "h277", "OAuth a=\"1\"\r\n", signature.HeaderSyntax, 11},
		{"64 KiB", "h210", `OAuth a="` + strings.Repeat("x", 64<<10) + `"`, signature.LimitHeader, 0},
		{"10,000 parameters", "h210", "OAuth " + strings.Repeat(`a="1",`, 10_000), signature.LimitHeader, 0},
		{"65 parameters", "h210", "OAuth " + manyParams(65), signature.LimitHeader, 0},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		_, err := signature.ParseHeader(test.text)
		e, ok := errors.AsType[ledger.Finding](err)
		if !ok || e.Code != test.code || int(e.Place.Offset) != test.offset {
			t.Errorf("%s: got %v, want %s at %d", test.name, err, test.code, test.offset)
		}
	}
}

// TestHelpOfALineBreak: a break anywhere in a header is what is reported, not what it makes of the text around it.
func TestHelpOfALineBreak(t *testing.T) {
	for _, text := range []string{"OAuth\na=\"1\"", "OAuth a=\"1\",\r\nb=\"2\"", "OAuth a=\"1\"\n,b=\"2\"", "OAuth a\n=\"1\"", "OAuth a=\"1\n2\"", "OAuth realm=\"a\nb\""} {
		_, err := signature.ParseHeader(text)
		e, ok := errors.AsType[ledger.Finding](err)
		if !ok || e.Code != signature.HeaderSyntax || e.Help != "write it on one line" || int(e.Place.Offset) != strings.IndexAny(text, "\r\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func manyParams(n int) string {
	var list []string
	for i := range n {
		list = append(list, string(rune('a'+i%26))+string(rune('a'+i/26))+`="1"`)
	}
	return strings.Join(list, ",")
}

// TestHeaderReads: what the grammar takes, and what it makes of it.
func TestHeaderReads(t *testing.T) {
	tests := []struct {
		name, reason, text string
		want               signature.Header
	}{
		{"any case", "h198", `oAuTh a="1"`, signature.Header{Params: signtest.Params([]signtest.Param{{"a", "1"}})}},
		{"tabs and folds", "signing 5", "OAuth\ta=\"1\"\t,\r\n b=\"2\" ,\n\tc=\"3\" ",
			signature.Header{Params: signtest.Params([]signtest.Param{{"a", "1"}, {"b", "2"}, {"c", "3"}})}},
		{"comma and equals sign in a value", "h201", `OAuth a="1,b=2"`,
			signature.Header{Params: signtest.Params([]signtest.Param{{"a", "1,b=2"}})}},
		{"space in a value", "5.5.3", `OAuth a="1 2"`, signature.Header{Params: signtest.Params([]signtest.Param{{"a", "1 2"}})}},
		{"plus", "h209", `OAuth a="1+2"`, signature.Header{Params: signtest.Params([]signtest.Param{{"a", "1+2"}})}},
		{"lower-case hex and escaped name", "signing 5", `OAuth %61="%2f%2b"`, signature.Header{Params: signtest.Params([]signtest.Param{{"a", "/+"}})}},
		{"an escape without need", "5.5.3", `OAuth a="%41"`, signature.Header{Params: signtest.Params([]signtest.Param{{"a", "A"}})}},
		{"realm in the middle", "h208, L62", `OAuth a="1", realm="x, y=\"z\\", b="2"`,
			signature.Header{Realm: new(`x, y="z\`), Params: signtest.Params([]signtest.Param{{"a", "1"}, {"b", "2"}})}},
		{"realm in any case", "5.5.1", `OAuth Realm=""`, signature.Header{Realm: new("")}},
		{"bytes that are not UTF-8", "signing 3", `OAuth a="%FF"`, signature.Header{Params: signtest.Params([]signtest.Param{{"a", "\xff"}})}},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		got, err := signature.ParseHeader(test.text)
		if err != nil || !equalHeaders(got, test.want) {
			t.Errorf("%s: got %v, %v", test.name, got, err)
		}
		back, err := signature.ParseHeader(got.String())
		if err != nil || !equalHeaders(back, got) {
			t.Errorf("%s: written and read again: %v, %v", test.name, back, err)
		}
	}
}

func equalHeaders(a, b signature.Header) bool {
	return (a.Realm == nil) == (b.Realm == nil) && (a.Realm == nil || *a.Realm == *b.Realm) && slices.Equal(plain(a.Params), plain(b.Params))
}

// TestHeaderCheck: what a header needs under each profile.
func TestHeaderCheck(t *testing.T) {
	const all = `OAuth oauth_consumer_key="k", oauth_nonce="n", oauth_signature="AAAA", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
	without := func(name string) string {
		h, err := signature.ParseHeader(all)
		if err != nil {
			t.Fatal(err)
		}
		h.Params = slices.DeleteFunc(h.Params, func(p signature.Param) bool { return p.Name() == name })
		return h.String()
	}
	with := func(old, new string) string { return strings.Replace(all, old, new, 1) }
	tests := []struct {
		name, reason, text string
		code               ledger.Code // of the error
		finding            ledger.Code // of the finding
	}{
		{"complete", "5.1", all, "", ""},
		{"no consumer key", "h204", without("oauth_consumer_key"), signature.OAuthMissing, ""},
		{"no nonce", "h204", without("oauth_nonce"), signature.OAuthMissing, ""},
		{"empty nonce", "h224", with(`nonce="n"`, `nonce=""`), signature.OAuthMissing, ""},
		{"no signature", "h204", without("oauth_signature"), signature.OAuthMissing, ""},
		{"no method", "h204", without("oauth_signature_method"), signature.OAuthMissing, ""},
		{"no timestamp", "h204", without("oauth_timestamp"), signature.OAuthMissing, ""},
		{"another method", "signing 5", with("HMAC-SHA1", "PLAINTEXT"), signature.SignatureMethod, ""},
		{"method in lower case", "5.1", with("HMAC-SHA1", "hmac-sha1"), signature.SignatureMethod, ""},
		{"no version", "h204", without("oauth_version"), "", signature.OAuthMissing},
		{"version 1.0a", "h206", with(`"1.0"`, `"1.0a"`), "", signature.OAuthVersion},
		{"version 1", "h206", with(`"1.0"`, `"1"`), "", signature.OAuthVersion},
		{"unknown oauth_foo", "h205", all + `, oauth_foo="1"`, "", signature.OAuthUnknown},
		{"empty token", "h205", all + `, oauth_token=""`, "", signature.OAuthUnknown},
		{"no oauth_ name", "signing 1", all + `, foo="1"`, "", signature.OAuthUnknown},
		{"signature not escaped", "R140", with("AAAA", "A+A/"), "", signature.HeaderUnescaped},
		{"milliseconds", "h215", with("1767225600", "1767225600000"), "", signature.TimestampMillis},
		{"microseconds", "h215", with("1767225600", "1767225600000000"), "", signature.TimestampMicros},
		{"nanoseconds", "h215", with("1767225600", "1767225600000000000"), "", signature.TimestampNanos},
		{"negative", "h216", with("1767225600", "-1"), "", signature.TimestampSyntax},
		{"signed", "h216", with("1767225600", "%2B1767225600"), "", signature.TimestampSyntax},
		{"decimal", "h216", with("1767225600", "1767225600.0"), "", signature.TimestampSyntax},
		{"exponent", "h216", with("1767225600", "1e9"), "", signature.TimestampSyntax},
		{"hex", "h216", with("1767225600", "0x6955b900"), "", signature.TimestampSyntax},
		{"underscores", "h216", with("1767225600", "1_767_225_600"), "", signature.TimestampSyntax},
		{"space in front", "h216", with("1767225600", "%201767225600"), "", signature.TimestampSyntax},
		{"full-width digit", "h216", with("1767225600", "%EF%BC%99"), "", signature.TimestampSyntax},
		{"leading zeros", "h217", with("1767225600", "001767225600"), "", signature.LeadingZero},
		{"zero", "h218", with("1767225600", "0"), "", signature.TimestampSyntax},
		{"twenty digits", "h219", with("1767225600", "17672256001767225600"), "", signature.TimestampRange},
		{"largest 64-bit number", "h219", with("1767225600", "9223372036854775807"), "", signature.TimestampRange},
		{"year 10000", "h220", with("1767225600", "253402300800"), "", signature.TimestampRange},
		{"end of year 9999", "h220", with("1767225600", "253402300799"), "", ""},
		{"a date", "h221", with("1767225600", "2026-01-01T00%3A00%3A00Z"), "", signature.TimestampSyntax},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		if _, err := signature.ParseHeader(test.text); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		// A secret that fits nothing: what is asked for is what the header lacks.
		v, err := signature.Verify(signature.NewRequest("", "https://h/").WithAuthorization(test.text), signature.Options{}, signtest.Secret(t, signtest.WorkloadKey))
		if !errors.Is(err, test.code) && test.code != "" || (v.Signature == signature.VerdictUnreadable) != (test.code != "") {
			t.Errorf("%s: %v, error %v, want %q", test.name, v.Signature, err, test.code)
		}
		got := slices.DeleteFunc(codesOf(v.Findings), func(c ledger.Code) bool {
			return c == signature.SignatureWrong || c == signature.SignatureLength || c == signature.SignatureMethod || c == signature.BodyMissing
		})
		if test.code == "" && !slices.Equal(got, listOf(test.finding)) {
			t.Errorf("%s: findings %v, want %q", test.name, got, test.finding)
		}
	}
}

func listOf(c ledger.Code) []ledger.Code {
	if c == "" {
		return nil
	}
	return []ledger.Code{c}
}

// TestSpaceBeforeTheScheme: spaces before the scheme are passed over, however many.
func TestSpaceBeforeTheScheme(t *testing.T) {
	want, err := signature.ParseHeader(`OAuth realm="r",oauth_nonce="n"`)
	if err != nil {
		t.Fatal(err)
	}
	for _, space := range []string{" ", "\t", "     ", "        "} {
		got, err := signature.ParseHeader(space + `OAuth realm="r",oauth_nonce="n"`)
		if err != nil || got.String() != want.String() {
			t.Errorf("%q: %v, %v", space, got, err)
		}
	}
}

// TestHeaderIsOneLine: a header is written on one line whatever is in it, the realm of a program included. A line break in it
// began a header line of its own.
func TestHeaderIsOneLine(t *testing.T) {
	for _, realm := range []string{"a\r\nX: 1", "a\nb", "a\x00b", "a\x7fb"} {
		h := headerOf(&realm, []signtest.Param{{"a\r\nb", "c\nd"}})
		if text := h.String(); strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			t.Errorf("%q is written as %q", realm, text)
		} else if _, err := signature.ParseHeader(text); err != nil {
			t.Errorf("%q cannot be read: %v", text, err)
		}
	}
}
