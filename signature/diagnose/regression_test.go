package diagnose_test

import (
	"context"
	"encoding/base64"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// TestSlashAddedToEmptyPath: software that puts a slash behind every path signs two for an empty one (signing 2).
func TestSlashAddedToEmptyPath(t *testing.T) {
	r, o := signtest.Workload(48)
	r.URL = "https://h.example//"
	key := signtest.Secret(t, signtest.WorkloadKey)
	wrong, err := signtest.Authorization(r, o, key)
	if err != nil {
		t.Fatal(err)
	}
	r.URL = "https://h.example"
	d := diagnosed(t, r, wrong, key)
	if len(d.Causes) != 1 || !slices.Equal(d.Causes[0].IDs, []string{"trailing-slash-added"}) {
		t.Errorf("%v", d.Causes)
	}
}

// TestPathMistakes: a final slash and an empty path are explained on the path as it is normalised (S9).
func TestPathMistakes(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	for _, c := range []struct{ sent, signed, want string }{
		{"/", "", "empty-path-kept | last-segment-dropped"},
		{"", "", "url-verbatim | empty-path-kept | last-segment-dropped"},
		{"/a/", "/a", "last-segment-dropped"},
		{"/a/b/", "/a/b", "last-segment-dropped"},
		{"/a/b/", "/a/", "last-segment-dropped"},
		{"/a/b/", "/a", "last-segment-dropped"},
		{"/a", "", "last-segment-dropped"},
		{"/a", "/", "last-segment-dropped"},
		{"/a", "/a/", "trailing-slash-added"},
		{"/a/", "/a//", "trailing-slash-added"},
	} {
		r, o := signtest.Workload(48)
		r.URL = "https://h.example" + c.sent
		oauth := []signtest.Param{{"oauth_consumer_key", o.ConsumerKey}, {"oauth_nonce", o.Nonce}, {"oauth_signature_method", "HMAC-SHA1"}, {"oauth_timestamp", o.Timestamp}, {"oauth_version", "1.0"}}
		right, err := baseString(r, oauth)
		if err != nil {
			t.Fatal(err)
		}
		part := strings.SplitN(right, "&", 3)
		part[1] = signature.Encode("https://h.example" + c.signed)
		header := signtest.Header(append(oauth, signtest.Param{"oauth_signature", signedBase(strings.Join(part, "&"))})).String()
		var got []string
		for _, cause := range diagnosed(t, r, header, key).Causes {
			got = append(got, strings.Join(cause.IDs, " "))
		}
		if strings.Join(got, " | ") != c.want {
			t.Errorf("%q signed as %q: %v, want %s", c.sent, c.signed, got, c.want)
		}
	}
}

// TestEndOfThePathIsNamed: of a path that was signed without its end the cause says what is missing, a slash or the last
// part; it took three readings to know which (NC5).
func TestEndOfThePathIsNamed(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	for _, c := range []struct{ sent, signed, want string }{
		{"/a/77/", "/a/77", "final slash"},
		{"/a/77", "/a", "last part"}, {"/a/77", "/a/", "last part"}, {"/a/77/", "/a/", "last part"},
	} {
		r, o := signtest.Workload(48)
		r.URL = "https://h.example" + c.signed
		wrong, err := signtest.Authorization(r, o, key)
		if err != nil {
			t.Fatal(err)
		}
		r.URL = "https://h.example" + c.sent
		found := false
		for _, cause := range diagnosed(t, r, wrong, key).Causes {
			found = found || slices.Equal(cause.IDs, []string{"last-segment-dropped"}) && strings.Contains(cause.Text, c.want)
		}
		if !found {
			t.Errorf("%q signed as %q: no %s", c.sent, c.signed, c.want)
		}
	}
}

// TestPayloadSignedInAnotherForm: the mistakes in the text of the signature, made with the payload (S11).
func TestPayloadSignedInAnotherForm(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	csv := "\"rp_card_type\";\"client-orderid\"\n\"SRC\";\"" + strings.Repeat("\xfb\xff\xfe", 30) + "12\"\n"
	text := base64.StdEncoding.EncodeToString([]byte(csv))
	lines := func(width int, end string) string {
		var out strings.Builder
		for rest := text; rest != ""; {
			n := min(width, len(rest))
			out.WriteString(rest[:n] + end)
			rest = rest[n:]
		}
		return out.String()
	}
	if len(text) < 160 || len(text)%4 != 0 || !strings.HasSuffix(text, "=") || !strings.Contains(text, "/") {
		t.Fatalf("%q shows too little", text)
	}
	crlf := base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(csv, "\n", "\r\n")))
	for _, c := range []struct{ sent, signed, want string }{
		{text, lines(76, "\r\n"), "payload-wrapped"}, {text, strings.TrimSuffix(lines(76, "\r\n"), "\r\n"), "payload-wrapped"}, {text, lines(76, "\n"), "payload-wrapped"},
		{text, strings.TrimSuffix(lines(76, "\n"), "\n"), "payload-wrapped"}, {text, lines(64, "\n"), "payload-wrapped"}, {text, lines(60, "\n"), "payload-wrapped"},
		{lines(76, "\r\n"), text, "payload-wrapped"}, {lines(9, "\n"), text, "payload-wrapped"},
		{text, strings.NewReplacer("+", "-", "/", "_").Replace(text), "payload-urlsafe"}, {strings.NewReplacer("+", "-", "/", "_").Replace(text), text, "payload-urlsafe"},
		{text, strings.TrimRight(text, "="), "payload-unpadded"}, {strings.TrimRight(text, "="), text, "payload-unpadded"},
		{text, crlf, "payload-crlf"}, {crlf, text, "payload-lf"},
		{text, csv, "payload-raw-csv"}, {text, strings.ReplaceAll(text, "+", " "), "payload-plus-to-space"},
	} {
		if c.sent == c.signed {
			continue
		}
		r, o := signtest.Workload(0)
		r.Params = []signtest.Param{{"payload", c.signed}}
		header, err := signtest.Authorization(r, o, key)
		if err != nil {
			t.Fatal(err)
		}
		r.Params = []signtest.Param{{"payload", c.sent}}
		if got := idsOf(diagnosed(t, r, header, key)); len(got) != 1 || !slices.Equal(got[0], []string{c.want}) {
			t.Errorf("%q sent, %q signed: %v, want %s", c.sent, c.signed, got, c.want)
		}
		r.URL += "/"
		if got := idsOf(diagnosed(t, r, header, key)); !slices.ContainsFunc(got, func(ids []string) bool { return slices.Contains(ids, c.want) && len(ids) == 2 }) {
			t.Errorf("%q sent, %q signed, and another path: %v", c.sent, c.signed, got)
		}
	}
}

// TestDiagnoseEndsWithItsContext: a context ends the work at every stage, and its error is what is returned.
func TestDiagnoseEndsWithItsContext(t *testing.T) {
	secret, err := signature.NewHMACKey("s")
	if err != nil {
		t.Fatal(err)
	}
	wrong := signtest.HMAC(t, "secret")
	made := wrong.Request.Made().WithAuthorization(wrong.Authorization)
	for _, reads := range []int{0, 1, 2, 30, 200} {
		d, err := diagnose.Request(&endingContext{t.Context(), reads}, made, secret, diagnose.Options{})
		if !errors.Is(err, context.Canceled) || len(d.Causes) > 0 || len(d.NotTried) == 0 || d.ConsumerKey != "" {
			t.Errorf("after %d reads: %v, not tried %v, tried %d", reads, err, d.NotTried, d.Tried)
		}
		if reads == 0 && d.Signature != 0 {
			t.Errorf("a request was judged under a context that had ended")
		}
	}
}

// TestDiagnoseAddedParameter: a parameter that was added after signing is found wherever it is, and named if its name shows
// nothing else; one that another mistake explains is not.
func TestDiagnoseAddedParameter(t *testing.T) {
	secret, err := signature.NewHMACKey("s")
	if err != nil {
		t.Fatal(err)
	}
	const (
		target = "https://h.example/p"
		five   = `oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
		signed = "oauth_consumer_key%3Dm%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0"
	)
	for _, c := range []struct {
		name, body, extra string // the request
		before, after     string // what was signed before and after the five
		want              string // causes with their texts; empty: none
	}{
		{"in the body", "a=1&b=2&payload=eA%3D%3D", "", "a%3D1%26", "%26payload%3DeA%253D%253D", "parameter-added: b, parameter 2 of the body"},
		{"in the body behind copies and a signature, which are not signed", "oauth_nonce=n&oauth_signature=x&a=1&b=2&payload=eA%3D%3D", "", "a%3D1%26", "%26payload%3DeA%253D%253D", "parameter-added: b, parameter 4 of the body"},
		{"with a name that may be a value", "4111111111111111=2&payload=eA%3D%3D", "", "", "%26payload%3DeA%253D%253D", "parameter-added: parameter 1 of the body"},
		{"the only one of the body", "payload=eA%3D%3D", "", "", "", "body-omitted"},
		{"the second of a name", "a=1&a=2", "", "a%3D1%26", "", "parameter-added: a, parameter 2 of the body"},
		{"two", "a=1&b=2&c=3&payload=eA%3D%3D", "", "c%3D3%26", "%26payload%3DeA%253D%253D", ""},
	} {
		base := "POST&" + signature.Encode(target) + "&" + c.before + signed + c.after
		header := "OAuth " + five + c.extra + `, oauth_signature="` + signature.Encode(base64.StdEncoding.EncodeToString(oracle.HMACSHA1("s&", base))) + `"`
		r := signtest.Request{URL: target, ContentType: "application/x-www-form-urlencoded", Body: []byte(c.body)}
		d := diagnosed(t, r, header, secret)
		var got []string
		for _, cause := range d.Causes {
			_, which, _ := strings.Cut(cause.Text, "not signed: ")
			got = append(got, strings.TrimSuffix(strings.Join(cause.IDs, " ")+": "+which, ": "))
		}
		if !strings.HasPrefix(strings.Join(got, " | "), c.want) || c.want == "" && len(got) > 0 || strings.HasPrefix(c.want, "parameter") && len(got) != 1 {
			t.Errorf("%s: %v", c.name, got)
		}
		if strings.HasPrefix(c.want, "parameter") && d.BaseString() != base {
			t.Errorf("%s: the base string of the cause is\n%s\nnot\n%s", c.name, d.BaseString(), base)
		}
	}
}

// TestDiagnoseAddedIsBounded: leaving out parameters one by one costs the square of their number, so that of many none is.
func TestDiagnoseAddedIsBounded(t *testing.T) {
	secret, err := signature.NewHMACKey("s")
	if err != nil {
		t.Fatal(err)
	}
	header := `OAuth oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0", oauth_signature="YWFhYWFhYWFhYWFhYWFhYWFhYWE%3D"`
	for n, want := range map[int]bool{200: false, 300: true} {
		r := signtest.Request{URL: "https://h.example/p", ContentType: "application/x-www-form-urlencoded", Body: []byte(strings.TrimPrefix(strings.Repeat("&a=1", n), "&"))}
		d, _ := diagnose.Request(t.Context(), r.Made().WithAuthorization(header), secret, diagnose.Options{})
		if got := slices.ContainsFunc(d.NotTried, func(s string) bool { return strings.HasPrefix(s, "parameter-added") }); got != want {
			t.Errorf("%d parameters: %q", n, d.NotTried)
		}
	}
}

// TestNoHeaderIsNotAWrongScheme: a request without an Authorization header was said to have one of another scheme.
func TestNoHeaderIsNotAWrongScheme(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	for text, says := range map[string]string{"": "the request has no Authorization header", " \t": "the header is empty", "Bearer x": "the scheme of the Authorization header is not OAuth"} {
		v, refused := signature.Verify(c.Request.Made().WithAuthorization(text), signature.Options{}, c.Key)
		_, _, unknown := signature.Inspect(c.Request.Made().WithAuthorization(text), signature.Options{})
		_, untraced := signature.NewTrace(c.Request.Made().WithAuthorization(text))
		if v.Signature != signature.VerdictUnreadable {
			t.Errorf("%q: %v", text, v.Signature)
		}
		for _, err := range []error{refused, unknown, untraced} {
			if !errors.Is(err, signature.HeaderScheme) || !strings.Contains(err.Error(), says) {
				t.Errorf("%q: %v", text, err)
			}
		}
		for _, f := range v.Findings {
			if f.Code == signature.HeaderScheme && (f.Help == "" || (f.Place.Line == 0) != (text == "")) {
				t.Errorf("%q: %v, line %d", text, f, f.Place.Line)
			}
		}
		d := diagnosed(t, c.Request, text, c.Key)
		if len(d.Known) != 1 || strings.Contains(d.Known[0], "no Authorization header") != (text == "") || len(d.Causes) > 0 {
			t.Errorf("%q: %v, %v", text, d.Known, d.Causes)
		}
	}
	if _, err := signature.ParseHeader(""); err == nil || !strings.Contains(err.Error(), "the header is empty") {
		t.Errorf("a text that is no request's: %v", err)
	}
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// An endingContext ends when its error has been read so many times.
type endingContext struct {
	context.Context
	left int
}

// headerBy is the header of a request that was signed with a base string made by hand, under the key of the workload.
func headerBy(oauth []signtest.Param, base string) string {
	return signtest.Header(append(slices.Clip(oauth), signtest.Param{"oauth_signature", signedBase(base)})).String()
}

func fiveOf(consumer, nonce, timestamp string) []signtest.Param {
	return []signtest.Param{{"oauth_consumer_key", consumer}, {"oauth_nonce", nonce}, {"oauth_signature_method", "HMAC-SHA1"}, {"oauth_timestamp", timestamp}, {"oauth_version", "1.0"}}
}

// TestMistakesThatWereUnknown: a line end that a shell drops, a byte-order mark, another host or path, a consumer key with a
// space or in other letters, and unsigned OAuth parameters were not explained.
func TestMistakesThatWereUnknown(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	const (
		target = "https%3A%2F%2Fgate.example.com%2Fa%2Fb%2F77"
		five   = "oauth_consumer_key%3DShop%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0"
		right  = "POST&" + target + "&" + five + "%26payload%3DIngiCg%253D%253D" // of "x" and a line end
	)
	swap := func(from, to string) string { return strings.Replace(right, from, to, 1) }
	for _, c := range []struct{ name, base, want string }{
		{"the CSV without its last line end", swap("IngiCg%253D%253D", "Ingi"), "body-final-newline"},
		{"the CSV with one line end more", swap("IngiCg%253D%253D", "IngiCgo%253D"), "body-final-newline"},
		{"a line end behind the body", right + "%250A", "body-final-newline | payload-wrapped"},
		{"a byte-order mark", "\xef\xbb\xbf" + right, "bom-in-base"},
		{"the machine itself", swap("gate.example.com", "localhost"), "host-other"},
		{"the host with www", swap("gate.", "www.gate."), "host-other"},
		{"a host that is known", swap("gate.example.com", "proxy.internal%3A8443"), "host-other"},
		{"the path behind a proxy", swap("%2Fa%2Fb%2F77", "%2Fb%2F77"), "path-other"},
		{"the document's path", swap("%2Fa%2Fb%2F77", "%2Fpaynet%2Fapi%2Fv4%2Fcreate-recurring-payments%2F77"), "path-other"},
		{"a path that is known", swap("%2Fa%2Fb%2F77", "%2Finside"), "path-other"},
		{"a path that is known, and the beginning of this one", swap("%2Fa%2Fb%2F77", "%2Fa%2Fb"), "last-segment-dropped"},
		{"a space behind the consumer key", swap("DShop", "DShop%2520"), "consumer-key-space"},
		{"a line end behind the consumer key", swap("DShop", "DShop%250A"), "consumer-key-space"},
		{"small letters", swap("DShop", "Dshop"), "consumer-key-case"},
		{"capitals", swap("DShop", "DSHOP"), "consumer-key-case"},
		{"no OAuth parameter", "POST&" + target + "&payload%3DIngiCg%253D%253D", "oauth-unsigned"},
	} {
		r := signtest.Request{URL: "https://gate.example.com/a/b/77", Params: []signtest.Param{{"payload", "IngiCg=="}}}
		made := r.Made().WithAuthorization(headerBy(fiveOf("Shop", "n", "1767225600"), c.base))
		d, err := diagnose.Request(t.Context(), made, key, diagnose.Options{OtherURLs: []string{"https://proxy.internal:8443/inside", "https://gate.example.com/a/b"}})
		var got []string
		for _, cause := range d.Causes {
			got = append(got, strings.Join(cause.IDs, " "))
		}
		if strings.Join(got, " | ") != c.want || !errors.Is(err, signature.SignatureWrong) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
		if d.BaseString() != c.base {
			t.Errorf("%s: %q", c.name, d.BaseString())
		}
	}
}

// TestRawPlusInTheBodyIsTheBodysFault: a body with + where %2B belongs was explained as one whose values were signed in
// their encoded form, with the advice to sign what the broken body says.
func TestRawPlusInTheBodyIsTheBodysFault(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	base := "POST&https%3A%2F%2Fh%2Fp&oauth_consumer_key%3DShop%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0%26payload%3Dab%252Bc"
	r := signtest.Request{URL: "https://h/p", ContentType: signtest.FormType, Body: []byte("payload=ab+c")}
	d := diagnosed(t, r, headerBy(fiveOf("Shop", "n", "1767225600"), base), key)
	if got := idsOf(d); len(got) != 1 || !slices.Equal(got[0], []string{"body-raw-plus"}) {
		t.Fatalf("%v", got)
	}
	if fix := d.Causes[0].Fix; strings.Contains(fix, "decoded") || !strings.Contains(fix, "%2B") {
		t.Errorf("%q", fix)
	}
}

// TestSpaceInTheBodyIsTheBodysFault: a body with a space where %2B belongs was explained by no mistake, where one with +
// was.
func TestSpaceInTheBodyIsTheBodysFault(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	base := "POST&https%3A%2F%2Fh%2Fp&oauth_consumer_key%3DShop%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0%26payload%3Dab%252Bc%252Bd"
	for _, body := range []string{"payload=ab c d", "payload=ab+c d", "payload=ab%2Bc d"} {
		r := signtest.Request{URL: "https://h/p", ContentType: signtest.FormType, Body: []byte(body)}
		d := diagnosed(t, r, headerBy(fiveOf("Shop", "n", "1767225600"), base), key)
		if got := idsOf(d); len(got) != 1 || !slices.Equal(got[0], []string{"body-raw-plus"}) || !strings.Contains(d.Causes[0].Fix, "%2B") {
			t.Errorf("%q: %v", body, got)
		}
	}
}

// TestRightSignatureOfAnUnacceptableRequest: with an empty nonce, timestamp or consumer key the signature can be right. It
// was explained by up to 26 mistakes that nobody had made.
func TestRightSignatureOfAnUnacceptableRequest(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	for _, c := range []struct{ consumer, nonce, timestamp string }{{"", "n", "1767225600"}, {"m", "", "1767225600"}, {"m", "n", ""}} {
		five := fiveOf(c.consumer, c.nonce, c.timestamp)
		r := signtest.Request{URL: "https://h/p", Params: []signtest.Param{{"payload", "YWI="}}}
		base, err := baseString(r, five)
		if err != nil {
			t.Fatal(err)
		}
		d := diagnosed(t, r, headerBy(five, base), key)
		if !d.Right || len(d.Causes)+len(d.Known) > 0 || d.Headline() != "The signature is right; the request is not acceptable." || !d.Findings.Has(signature.OAuthMissing) {
			t.Errorf("%+v: right %v, %v, %v, %s", c, d.Right, d.Causes, d.Known, d.Headline())
		}
		wrong := diagnosed(t, r, headerBy(five, base+"x"), key)
		if wrong.Right || wrong.Headline() == d.Headline() {
			t.Errorf("%+v: a wrong signature: %s", c, wrong.Headline())
		}
	}
}

// TestMemoryOfALargeBody: a diagnosis of a megabyte took 9 GB of allocations. What is in use at once is some copies of it.
func TestMemoryOfALargeBody(t *testing.T) {
	r, o := signtest.Workload(750_000)
	other, err := signature.NewHMACKey("another")
	if err != nil {
		t.Fatal(err)
	}
	header, err := signtest.Authorization(r, o, other)
	if err != nil {
		t.Fatal(err)
	}
	made := r.Made().WithAuthorization(header)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, _ := diagnose.Request(t.Context(), made, signtest.Secret(t, signtest.WorkloadKey), diagnose.Options{})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 || len(d.NotTried) != 1 {
		t.Errorf("%d bytes allocated, not tried: %v", used, d.NotTried)
	}
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

// TestCompareShowsNoValueAsAName: the name of a parameter that only the other side has may be a value: a CSV or a card number
// that was signed without its name. Such a name is not shown.
func TestCompareShowsNoValueAsAName(t *testing.T) {
	const ours = "POST&u&oauth_nonce%3D1%26payload%3Dx"
	for theirs, want := range map[string]string{
		"POST&u&4111111111111111%3D%26oauth_nonce%3D1%26payload%3Dx": "",
		"POST&u&Anna%2520Example%3D%26oauth_nonce%3D1%26payload%3Dx": "",
		"POST&u&oauth_nonce%3D1%26oauth_token%3D%26payload%3Dx":      "oauth_token",
	} {
		if d := diagnose.Compare(ours, theirs); d.Layer != "parameter-extra" || d.Parameter != want {
			t.Errorf("%s: %+v", theirs, d)
		}
	}
}

// TestHeaderParametersThatWereSigned: whoever signs all of a header signs parameters that the gateway does not know. Each of
// them, then all, is tried and named; it was no known mistake, and the name was never said.
func TestHeaderParametersThatWereSigned(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	const five = "oauth_consumer_key%3DShop%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600"
	base := func(before, between, after string) string {
		return "POST&https%3A%2F%2Fh%2Fp&" + before + five + between + "%26oauth_version%3D1.0" + after
	}
	const payload = "%26payload%3DYWI%253D"
	for _, c := range []struct {
		reason string
		extra  []signtest.Param
		base   string
		want   string // causes
		named  string
	}{
		{"a token", []signtest.Param{{"oauth_token", "t"}}, base("", "%26oauth_token%3Dt", payload), "header-parameters-signed", "oauth_token"},
		{"an empty token that is sent", []signtest.Param{{"oauth_token", ""}}, base("", "%26oauth_token%3D", payload), "header-parameters-signed", "oauth_token"},
		{"an empty token that is not sent", nil, base("", "%26oauth_token%3D", payload), "empty-token-added", ""},
		{"a verifier", []signtest.Param{{"oauth_verifier", "v/"}}, base("", "%26oauth_verifier%3Dv%252F", payload), "header-parameters-signed", "oauth_verifier"},
		{"a callback, one of two", []signtest.Param{{"oauth_callback", "oob"}, {"foo", "1"}}, base("oauth_callback%3Doob%26", "", payload), "header-parameters-signed", "oauth_callback"},
		{"both", []signtest.Param{{"oauth_token", "t"}, {"xoauth_requestor_id", "1"}}, base("", "%26oauth_token%3Dt", payload+"%26xoauth_requestor_id%3D1"), "header-parameters-signed", "oauth_token, xoauth_requestor_id"},
		{"a body hash beside the body", []signtest.Param{{"oauth_body_hash", "h"}}, base("oauth_body_hash%3Dh%26", "", payload), "header-parameters-signed", "oauth_body_hash"},
		{"a body hash in the place of the body", []signtest.Param{{"oauth_body_hash", "h"}}, base("oauth_body_hash%3Dh%26", "", ""), "body-omitted header-parameters-signed", "oauth_body_hash"},
		{"a name that may be a value", []signtest.Param{{"4111111111111111", "h"}}, base("4111111111111111%3Dh%26", "", payload), "header-parameters-signed", "parameter 6"},
	} {
		r := signtest.Request{URL: "https://h/p", Params: []signtest.Param{{"payload", "YWI="}}}
		d := diagnosed(t, r, headerBy(append(fiveOf("Shop", "n", "1767225600"), c.extra...), c.base), key)
		if len(d.Causes) != 1 || strings.Join(d.Causes[0].IDs, " ") != c.want || !strings.Contains(d.Causes[0].Text, c.named) || strings.Contains(d.Causes[0].Text, "4111") {
			t.Errorf("%s: %+v", c.reason, d.Causes)
		}
		if d.BaseString() != c.base {
			t.Errorf("%s: %q", c.reason, d.BaseString())
		}
	}
}

// TestHostOfAnotherSpelling: a host with characters outside ASCII is signed as typed, and software signs it in punycode, or
// the other way.
func TestHostOfAnotherSpelling(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	for sent, signed := range map[string]string{"https://bücher.example/p": "https://xn--bcher-kva.example/p", "https://xn--bcher-kva.example/p": "https://bücher.example/p"} {
		base := "POST&" + signature.Encode(signed) + "&oauth_consumer_key%3DShop%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0%26payload%3DYWI%253D"
		d := diagnosed(t, signtest.Request{URL: sent, Params: []signtest.Param{{"payload", "YWI="}}}, headerBy(fiveOf("Shop", "n", "1767225600"), base), key)
		if got := idsOf(d); len(got) != 1 || !slices.Equal(got[0], []string{"host-other"}) {
			t.Errorf("%s: %v", sent, got)
		}
	}
}

// TestPairsOfALargeBody: single mistakes are found in a body of any size, pairs in one of at most a megabyte, and the headline
// says what was not tried.
func TestPairsOfALargeBody(t *testing.T) {
	key := signtest.Secret(t, signtest.WorkloadKey)
	explain := func(n int, urls ...string) diagnose.Diagnosis {
		r, oauth := signtest.Workload(n)
		wrong := r
		wrong.URL = strings.NewReplacer(urls...).Replace(r.URL)
		header, err := signtest.Authorization(wrong, oauth, key)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := diagnose.Request(t.Context(), r.Made().WithAuthorization(header), key, diagnose.Options{})
		return d
	}
	for _, n := range []int{48, 2_000_000} {
		if d := explain(n, "https", "http"); len(d.Causes) != 1 || d.Causes[0].IDs[0] != "http-for-https" || len(d.NotTried) > 0 {
			t.Errorf("one mistake, %d bytes: %v, %v", n, idsOf(d), d.NotTried)
		}
	}
	whole := explain(48, "https", "http", "1234", "1234/")
	if got := idsOf(whole); len(got) != 1 || len(got[0]) != 2 || len(whole.NotTried) > 0 {
		t.Errorf("two mistakes: %v, %v", got, whole.NotTried)
	}
	fixes := map[string]string{}
	for m := range diagnose.Mistakes() {
		fixes[m.ID] = m.Fix
	}
	if c := whole.Causes[0]; c.Fix != fixes[c.IDs[0]]+"; and "+fixes[c.IDs[1]] || strings.Count(c.Text, "; and ") != 1 {
		t.Errorf("two mistakes: %q, mended by %q", c.Text, c.Fix)
	}
	d := explain(2_000_000, "https", "http", "1234", "1234/")
	if len(d.Causes) > 0 || len(d.NotTried) != 1 || !strings.Contains(d.NotTried[0], "pairs of mistakes") || !strings.Contains(d.Headline(), d.NotTried[0]) || d.Tried == 0 || d.Tried >= whole.Tried {
		t.Errorf("two mistakes of a large body: %v, %v, %q, %d tried", d.Causes, d.NotTried, d.Headline(), d.Tried)
	}
}
