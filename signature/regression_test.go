package signature_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestVerifyNamesForm: where the text of a signature has a known wrong form, verify names that form (h211, L66).
func TestVerifyNamesForm(t *testing.T) {
	right := hmacCase(t, "secret")
	header, err := signature.ParseHeader(right.authorization)
	if err != nil {
		t.Fatal(err)
	}
	text := valueOf(header, "oauth_signature")
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ reason, text, id string }{
		{"h211: hex is Base64 by accident", hex.EncodeToString(raw), "(signature-hex)"},
		{"h211: so is Base64 of hex", base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(raw))), "(signature-base64-of-hex)"},
		{"h211: wrapped", text[:9] + "\n" + text[9:], "(signature-wrapped)"},
		{"h211: escaped twice", signature.Encode(text), "(signature-encoded-twice)"},
		{"h211: without padding, and of letters and digits alone", strings.Repeat("Ab3", 8) + "AbA", "(signature-unpadded)"},
		{"h211: another alphabet", strings.Repeat("-_3", 8) + "-_A", "(signature-urlsafe)"},
	}
	for _, test := range tests {
		c := right
		c.authorization = withSignature(t, right.authorization, test.text)
		v := c.verify(t)
		if v.Signature == signature.VerdictOK || !slices.ContainsFunc(v.Findings, func(f ledger.Finding) bool { return strings.Contains(f.Message, test.id) }) {
			t.Errorf("%s: %v %v", test.reason, v.Signature, v.Findings)
		}
	}
}

// TestVerifyNamesLargeNumber: an RSA signature of the right length that is no number below the modulus is told (h212).
func TestVerifyNamesLargeNumber(t *testing.T) {
	right := rsaCase(t)
	c := right
	c.authorization = withSignature(t, right.authorization, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xff", 256))))
	v := c.verify(t)
	if v.Signature != signature.VerdictMismatch || !slices.Contains(codesOf(v.Findings), signature.SignatureLength) {
		t.Errorf("%v %v", v.Signature, v.Findings)
	}
}

// TestCopiesInEmptyBody: the OAuth parameters are a form of their own where the body is empty (5.5.5).
func TestCopiesInEmptyBody(t *testing.T) {
	r, o := workload(48)
	r.Params, r.Body, o.InBody = nil, []byte{}, true
	s, err := sign(r, o, workloadSecret(t), signature.ProfileGateway)
	if err != nil || !strings.Contains(string(s.Body()), "oauth_version=1.0") {
		t.Errorf("%v, %v", s, err)
	}
}

// TestSlashAddedToEmptyPath: software that puts a slash behind every path signs two for an empty one (signing 2).
func TestSlashAddedToEmptyPath(t *testing.T) {
	r, o := workload(48)
	r.URL = "https://h.example//"
	key := workloadSecret(t)
	wrong, err := authorization(r, o, key, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	r.URL = "https://h.example"
	d := diagnose(t, r, wrong, key, signature.ProfileGateway)
	if len(d.Causes) != 1 || !slices.Equal(d.Causes[0].IDs, []string{"trailing-slash-added"}) {
		t.Errorf("%v", d.Causes)
	}
}

// TestVerifyErrorIsNilOnlyIfAcceptable: a right signature beside another fault is an error, with every finding (S1).
func TestVerifyErrorIsNilOnlyIfAcceptable(t *testing.T) {
	right := hmacCase(t, "secret")
	if v, err := verify(right.request, right.authorization, right.key, signature.Options{}); err != nil || v.ConsumerKey != "merchant-login" ||
		v.Use != (signature.Use{ConsumerKey: "merchant-login", Timestamp: "1790000000", Nonce: "0123456789abcdef0123456789abcdef"}) || !v.BodySigned {
		t.Errorf("%+v, %v", v, err)
	}
	// Under rfc5849 a request is signed without oauth_version; the gateway asks for it.
	secret := workloadSecret(t)
	r, _ := workload(48)
	oauth := []param{{"oauth_consumer_key", "m"}, {"oauth_nonce", "n"}, {"oauth_signature_method", "HMAC-SHA1"}, {"oauth_timestamp", "1767225600000"}}
	base, err := baseString(r, oauth, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	header := headerOf(nil, append(oauth, param{"oauth_signature", signedBase(t, secret, base)})).String()
	v, err := verify(r, header, secret, signature.Options{})
	if v.Signature != signature.VerdictOK || !errors.Is(err, signature.OAuthMissing) || !errors.Is(err, signature.TimestampMillis) || v.ConsumerKey != "" || v.Use != (signature.Use{}) {
		t.Errorf("%+v, %v", v, err)
	}
	all, ok := errors.AsType[ledger.Findings](err)
	if !ok || len(all) != len(v.Findings) || len(all) != 2 {
		t.Errorf("the error has %d findings, the result %d", len(all), len(v.Findings))
	}
}

// TestZeroKeysAreRefused: neither nil nor a zero key or secret signs, verifies or panics (S2).
func TestZeroKeysAreRefused(t *testing.T) {
	c := hmacCase(t, "secret")
	_, o := workload(48)
	for name, key := range map[string]signature.VerifyingKey{"nil": nil, "nil secret": (*signature.Secret)(nil), "zero secret": &signature.Secret{},
		"nil public key": (*signature.PublicKey)(nil), "zero public key": &signature.PublicKey{}, "public half of a zero key": (&signature.PrivateKey{}).Public()} {
		v, err := verify(c.request, c.authorization, key, signature.Options{})
		if !errors.Is(err, signature.KeyMissing) || v.Signature != 0 || v.ConsumerKey != "" {
			t.Errorf("verify with %s: %v, %v", name, v.Signature, err)
		}
		if _, err := signature.Diagnose(t.Context(), c.request.made().WithAuthorization(c.authorization), key, signature.Options{}, signature.Budget{}); !errors.Is(err, signature.KeyMissing) {
			t.Errorf("diagnose with %s: %v", name, err)
		}
	}
	for name, key := range map[string]signature.SigningKey{"nil": nil, "nil secret": (*signature.Secret)(nil), "zero secret": &signature.Secret{},
		"nil private key": (*signature.PrivateKey)(nil), "zero private key": &signature.PrivateKey{}} {
		if s, err := sign(c.request, o, key, signature.ProfileGateway); !errors.Is(err, signature.KeyMissing) || s != (signature.Signed{}) {
			t.Errorf("sign with %s: %v", name, err)
		}
	}
	var zero signature.Signed
	if zero.Authorization() != "" || zero.BaseString() != "" || zero.Body() != nil || zero.Findings() != nil || zero.Request() != (signature.Request{}) || zero.Signature() != "" {
		t.Error("the zero Signed holds something")
	}
	if _, err := signature.Verify(signature.Request{}, c.key, signature.Options{}); !errors.Is(err, signature.URLForm) {
		t.Errorf("the zero Request: %v", err)
	}
	if (&signature.PublicKey{}).Bits() != 0 || (&signature.PublicKey{}).Fingerprint() != "" || (*signature.PublicKey)(nil).Equal(nil) || (*signature.Secret)(nil).Findings() != nil {
		t.Error("a zero key has a size, a fingerprint or an equal")
	}
	if _, err := signature.Nonce(nil); !errors.Is(err, signature.NonceEntropy) {
		t.Errorf("no source of nonces: %v", err)
	}
}

// TestBodyNotSignedIsReported: a body that the signature does not cover was let through under rfc5849, with a warning. It is an
// error unless an option allows it, and for the gateway always (S3).
func TestBodyNotSignedIsReported(t *testing.T) {
	key := workloadSecret(t)
	_, o := workload(48)
	r := req{URL: "https://h/p", ContentType: "application/json", Body: []byte(`{"a":1}`)}
	signed, err := sign(r, o, key, signature.ProfileRFC5849)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`{"a":1}`, `{"a":2}`} {
		r.Body = []byte(body)
		v, err := verify(r, signed.Authorization(), key, signature.Options{Profile: signature.ProfileRFC5849})
		if !errors.Is(err, signature.BodyNotSigned) || v.BodySigned || v.Signature != signature.VerdictOK || v.ConsumerKey != "" {
			t.Errorf("%s: %+v, %v", body, v, err)
		}
		v, err = verify(r, signed.Authorization(), key, signature.Options{Profile: signature.ProfileRFC5849, AllowUnsigned: true})
		if err != nil || v.BodySigned || !slices.Equal(codesOf(v.Findings), []ledger.Code{signature.BodyNotSigned}) || v.Findings[0].Severity != ledger.SeverityWarning {
			t.Errorf("%s, allowed: %+v, %v", body, v, err)
		}
	}
	if _, err := verify(r, signed.Authorization(), key, signature.Options{}); !errors.Is(err, signature.BodyNotSigned) || !errors.Is(err, signature.ContentType) {
		t.Errorf("the gateway: %v", err)
	}
	r.Body = []byte{}
	if v, err := verify(r, signed.Authorization(), key, signature.Options{Profile: signature.ProfileRFC5849}); err != nil || !v.BodySigned {
		t.Errorf("an empty body: %+v, %v", v, err)
	}
}

// TestDiagnoseBudget: beyond the limits nothing is tried, and the result says so; a context ends the search (S6, h311).
func TestDiagnoseBudget(t *testing.T) {
	key := workloadSecret(t)
	explain := func(ctx context.Context, n int, b signature.Budget) (signature.Diagnosis, error) {
		r, o := workload(n)
		wrong := r
		wrong.URL = strings.Replace(r.URL, "https", "http", 1)
		wrong.Method = "GET"
		signed, err := sign(wrong, o, key, signature.ProfileRFC5849)
		if err != nil {
			t.Fatal(err)
		}
		return signature.Diagnose(ctx, r.made().WithAuthorization(signed.Authorization()), key, signature.Options{}, b)
	}
	d, err := explain(t.Context(), 48, signature.Budget{})
	if len(d.NotTried) > 0 || len(d.Causes) != 1 || d.Tried < 100 || !errors.Is(err, signature.SignatureWrong) {
		t.Errorf("within the budget: %v, %v, %d tried, %v", d.NotTried, d.Causes, d.Tried, err)
	}
	whole := d.Tried
	d, err = explain(t.Context(), 250_000, signature.Budget{})
	if len(d.NotTried) != 1 || !strings.Contains(d.NotTried[0], "pairs of mistakes: the request has") || !strings.Contains(d.NotTried[0], "262144") || len(d.Causes) > 0 || d.Tried == 0 || d.Tried >= whole ||
		!strings.Contains(strings.Join(d.Known, " "), "nothing that was tried") || !errors.Is(err, signature.SignatureWrong) {
		t.Errorf("beyond the limit of pairs: %v, %d tried, %v, %v", d.NotTried, d.Tried, d.Known, err)
	}
	d, _ = explain(t.Context(), 1_000_000, signature.Budget{})
	if len(d.NotTried) != 2 || d.Tried != 0 || !strings.Contains(d.NotTried[0], "1048576") {
		t.Errorf("beyond the limit of singles: %v, %d tried", d.NotTried, d.Tried)
	}
	d, _ = explain(t.Context(), 48, signature.Budget{Pairs: -1})
	if len(d.NotTried) != 1 || len(d.Causes) > 0 {
		t.Errorf("without pairs: %v, %v", d.NotTried, d.Causes)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	d, err = explain(ended, 48, signature.Budget{})
	if !errors.Is(err, context.Canceled) || len(d.NotTried) != 1 || d.Tried != 0 || d.Signature != 0 {
		t.Errorf("after the context ended: %v, %d tried, %v", d.NotTried, d.Tried, err)
	}
	late := &deadline{Context: t.Context(), left: whole}
	if d, err = explain(late, 48, signature.Budget{}); !errors.Is(err, context.DeadlineExceeded) || len(d.NotTried) == 0 || d.Tried == 0 || d.Tried >= whole {
		t.Errorf("with a deadline: %v, %d tried, %v", d.NotTried, d.Tried, err)
	}
}

// A deadline is a context that ends once it has been asked so many times, however fast the machine is.
type deadline struct {
	context.Context
	left int
}

func (d *deadline) Err() error {
	if d.left--; d.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestReplayStoreKeepsNoHeader: a use takes bounded bytes, however long the header was (S7, h310).
func TestReplayStoreKeepsNoHeader(t *testing.T) {
	const uses = 2000
	store := signature.NewMemoryReplays(uses)
	key := workloadSecret(t)
	r, o := workload(48)
	o.Realm = new(strings.Repeat("r", 7000))
	signed, err := sign(r, o, key, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var kept []signature.Use
	for i := range uses {
		v, err := verify(r, strings.Clone(signed.Authorization()), key, signature.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, v.Use)
		u := v.Use
		u.Nonce = strings.Repeat("n", 7000) + strconv.Itoa(i)
		if err := store.Remember(t.Context(), u, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / uses; each > 600 {
		t.Errorf("%d bytes a use", each)
	}
	runtime.KeepAlive(store)
	runtime.KeepAlive(kept)
}

// TestPathMistakes: a final slash and an empty path are explained on the path as it is normalised (S9).
func TestPathMistakes(t *testing.T) {
	key := workloadSecret(t)
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
		r, o := workload(48)
		r.URL = "https://h.example" + c.sent
		base, err := baseString(r, nil, signature.ProfileGateway)
		if err != nil {
			t.Fatal(err)
		}
		_ = base
		oauth := []param{{"oauth_consumer_key", o.ConsumerKey}, {"oauth_nonce", o.Nonce}, {"oauth_signature_method", "HMAC-SHA1"}, {"oauth_timestamp", o.Timestamp}, {"oauth_version", "1.0"}}
		right, err := baseString(r, oauth, signature.ProfileGateway)
		if err != nil {
			t.Fatal(err)
		}
		part := strings.SplitN(right, "&", 3)
		part[1] = signature.Encode("https://h.example" + c.signed)
		header := headerOf(nil, append(oauth, param{"oauth_signature", signedBase(t, key, strings.Join(part, "&"))})).String()
		var got []string
		for _, cause := range diagnose(t, r, header, key, signature.ProfileGateway).Causes {
			got = append(got, strings.Join(cause.IDs, " "))
		}
		if strings.Join(got, " | ") != c.want {
			t.Errorf("%q signed as %q: %v, want %s", c.sent, c.signed, got, c.want)
		}
	}
}

// TestAllMissingParametersAreNamed: one run names every OAuth parameter that a header lacks (S10, h204).
func TestAllMissingParametersAreNamed(t *testing.T) {
	c := hmacCase(t, "secret")
	v, err := verify(c.request, `OAuth realm="x"`, c.key, signature.Options{})
	var names []string
	for _, f := range v.Findings {
		if f.Code == signature.OAuthMissing {
			names = append(names, f.Subject)
		}
	}
	slices.Sort(names)
	want := []string{"oauth_consumer_key", "oauth_nonce", "oauth_signature", "oauth_signature_method", "oauth_timestamp", "oauth_version"}
	if !slices.Equal(names, want) || v.Signature != signature.VerdictUnreadable || !errors.Is(err, signature.OAuthMissing) {
		t.Errorf("%v, %v", names, err)
	}
}

// TestPayloadSignedInAnotherForm: the twins of the mistakes in the text of the signature, for the payload (S11).
func TestPayloadSignedInAnotherForm(t *testing.T) {
	key := workloadSecret(t)
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
		{text, text + "\n", "payload-wrapped"}, {text, text + "\r\n", "payload-wrapped"}, {lines(76, "\r\n"), text, "payload-wrapped"}, {lines(9, "\n"), text, "payload-wrapped"},
		{text, strings.NewReplacer("+", "-", "/", "_").Replace(text), "payload-urlsafe"}, {strings.NewReplacer("+", "-", "/", "_").Replace(text), text, "payload-urlsafe"},
		{text, strings.TrimRight(text, "="), "payload-unpadded"}, {strings.TrimRight(text, "="), text, "payload-unpadded"},
		{text, crlf, "payload-crlf"}, {crlf, text, "payload-lf"},
		{text, csv, "payload-raw-csv"}, {text, strings.ReplaceAll(text, "+", " "), "payload-plus-to-space"},
	} {
		if c.sent == c.signed {
			continue
		}
		r, o := workload(0)
		r.Params = []param{{"payload", c.signed}}
		header, err := authorization(r, o, key, signature.ProfileGateway)
		if err != nil {
			t.Fatal(err)
		}
		r.Params = []param{{"payload", c.sent}}
		if got := idsOf(diagnose(t, r, header, key, signature.ProfileGateway)); len(got) != 1 || !slices.Equal(got[0], []string{c.want}) {
			t.Errorf("%q sent, %q signed: %v, want %s", c.sent, c.signed, got, c.want)
		}
		r.URL += "/"
		if got := idsOf(diagnose(t, r, header, key, signature.ProfileGateway)); !slices.ContainsFunc(got, func(ids []string) bool { return slices.Contains(ids, c.want) && len(ids) == 2 }) {
			t.Errorf("%q sent, %q signed, and another path: %v", c.sent, c.signed, got)
		}
	}
}

// TestWrongLengthIsNamed: a signature of another length than the key gives is said to be one (S12, h212, h213).
func TestWrongLengthIsNamed(t *testing.T) {
	for _, right := range []signedCase{hmacCase(t, "secret"), rsaCase(t)} {
		raw := mustBase64(t, signatureOf(t, right.authorization))
		for n := 1; n < 2*len(raw); n += 1 + n/40 {
			c := right
			c.authorization = withSignature(t, right.authorization, base64.StdEncoding.EncodeToString(append(slices.Clip(raw), raw...)[:n]))
			v := c.verify(t)
			if named := slices.Contains(codesOf(v.Findings), signature.SignatureLength); named != (n != len(raw)) || (v.Signature == signature.VerdictOK) != (n == len(raw)) {
				t.Errorf("%d bytes of %d: %v, %v", n, len(raw), v.Signature, v.Findings)
			}
		}
	}
}

// TestConsumerKeyBeforeAndAfter: the consumer key is there to choose the key by, and named once it is authenticated (S13).
func TestConsumerKeyBeforeAndAfter(t *testing.T) {
	c := hmacCase(t, "secret")
	if got, err := signature.Inspect(c.request.made().WithAuthorization(c.authorization), signature.Options{}); err != nil || got != (signature.Claim{ConsumerKey: "merchant-login", Method: signature.MethodHMACSHA1}) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]ledger.Code{"": signature.HeaderScheme, "Bearer x": signature.HeaderScheme, `OAuth a="1"`: signature.OAuthMissing, `OAuth oauth_consumer_key=""`: signature.OAuthMissing} {
		if got, err := signature.Inspect(c.request.made().WithAuthorization(text), signature.Options{}); !errors.Is(err, want) || got != (signature.Claim{}) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	if got := c.verify(t).ConsumerKey; got != "merchant-login" {
		t.Errorf("authenticated: %q", got)
	}
}

// TestNoHeaderIsNotAWrongScheme: a request without an Authorization header was said to have one of another scheme.
func TestNoHeaderIsNotAWrongScheme(t *testing.T) {
	c := hmacCase(t, "secret")
	for text, says := range map[string]string{"": "the request has no Authorization header", " \t": "the header is empty", "Bearer x": "the scheme of the Authorization header is not OAuth"} {
		v, refused := verify(c.request, text, c.key, signature.Options{})
		_, unknown := signature.Inspect(c.request.made().WithAuthorization(text), signature.Options{})
		_, untraced := signature.NewTrace(c.request.made().WithAuthorization(text), signature.ProfileGateway)
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
		d := diagnose(t, c.request, text, c.key, signature.ProfileGateway)
		if len(d.Known) != 1 || strings.Contains(d.Known[0], "no Authorization header") != (text == "") || len(d.Causes) > 0 {
			t.Errorf("%q: %v, %v", text, d.Known, d.Causes)
		}
	}
	if _, err := signature.ParseHeader(""); err == nil || !strings.Contains(err.Error(), "the header is empty") {
		t.Errorf("a text that is no request's: %v", err)
	}
}

// TestTimestampUnitIsNamed: a timestamp in a finer unit is said to look like one (S15).
func TestTimestampUnitIsNamed(t *testing.T) {
	c := hmacCase(t, "secret")
	for digits, unit := range map[string]string{"1790000000000": "milliseconds", "1790000000000000": "microseconds", "1790000000000000000": "nanoseconds"} {
		v, err := verify(c.request, strings.Replace(c.authorization, "1790000000", digits, 1), c.key, signature.Options{Now: time.Unix(1_790_000_000, 0), Window: time.Minute})
		if !errors.Is(err, signature.TimestampStale) || !slices.ContainsFunc(v.Findings, func(f ledger.Finding) bool {
			return f.Code == signature.TimestampStale && strings.Contains(f.Message, "looks like "+unit)
		}) {
			t.Errorf("%s: %v", unit, v.Findings)
		}
	}
}

// An endingContext ends when its error has been read so many times.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestDiagnoseEndsWithItsContext: a context ends the work at every stage, and its error is what is returned.
func TestDiagnoseEndsWithItsContext(t *testing.T) {
	secret, err := signature.NewSecret("s", "")
	if err != nil {
		t.Fatal(err)
	}
	wrong := hmacCase(t, "secret")
	made := wrong.request.made().WithAuthorization(wrong.authorization)
	for _, reads := range []int{0, 1, 2, 30, 200} {
		d, err := signature.Diagnose(&endingContext{t.Context(), reads}, made, secret, signature.Options{}, signature.Budget{})
		if !errors.Is(err, context.Canceled) || len(d.Causes) > 0 || len(d.NotTried) == 0 || d.ConsumerKey != "" {
			t.Errorf("after %d reads: %v, not tried %v, tried %d", reads, err, d.NotTried, d.Tried)
		}
		if reads == 0 && d.Signature != 0 {
			t.Errorf("a request was judged under a context that had ended")
		}
	}
}

// TestDiagnoseChecksItsBudgetFirst: a request that is too large for every candidate costs no more than a few
// verifications, in memory as in time.
func TestDiagnoseChecksItsBudgetFirst(t *testing.T) {
	secret, err := signature.NewSecret("s", "")
	if err != nil {
		t.Fatal(err)
	}
	wrong := hmacCase(t, "secret")
	wrong.request.Params = []param{{"payload", strings.Repeat("a+", 2<<20)}}
	made := wrong.request.made().WithAuthorization(wrong.authorization)
	allocated := func(do func() error) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := do(); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	verifying := allocated(func() error {
		_, err := signature.Verify(made, secret, signature.Options{})
		return err
	})
	diagnosing := allocated(func() error {
		d, err := signature.Diagnose(t.Context(), made, secret, signature.Options{}, signature.Budget{Singles: -1, Pairs: -1})
		if len(d.NotTried) != 2 || d.Tried != 0 || len(d.Known) < 2 {
			t.Errorf("not tried %v, tried %d, known %v", d.NotTried, d.Tried, d.Known)
		}
		return err
	})
	if diagnosing > 2*verifying+1<<20 {
		t.Errorf("%d bytes to diagnose, %d to verify", diagnosing, verifying)
	}
}

// TestSignatureInTheBodyIsNotSigned: a parameter oauth_signature in a body can be changed by a stranger, and so the body
// is not signed as a whole. It was let through with a warning.
func TestSignatureInTheBodyIsNotSigned(t *testing.T) {
	right := hmacCase(t, "secret")
	for _, value := range []string{"", "x", "anything else"} {
		changed := right.request
		changed.Params = append(slices.Clone(changed.Params), param{"oauth_signature", value})
		for _, allowed := range []bool{false, true} {
			v, err := verify(changed, right.authorization, right.key, signature.Options{AllowUnsigned: allowed})
			if (err == nil) != allowed || !allowed && !errors.Is(err, signature.SignatureInBody) || v.Signature != signature.VerdictOK || v.BodySigned {
				t.Errorf("%q, allowed %v: %v, body signed %v, %v", value, allowed, v.Signature, v.BodySigned, err)
			}
		}
	}
}

// TestTimestampShowsNoCardNumber: digits that are not a time of our days are not repeated, for they may be a card number.
func TestTimestampShowsNoCardNumber(t *testing.T) {
	for timestamp, shown := range map[string]string{
		"1767225600000": "1767225600", "1767225600000000": "1767225600", "1767225600000000000": "1767225600",
		"4111111111111111": "", "4222222222222": "", "5555555555554444": "", "6304000000000000000": "",
	} {
		key, err := signature.NewSecret("s", "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = signature.Sign(signature.NewRequest("POST", "https://h/"), signature.OAuth{ConsumerKey: "k", Nonce: "n", Timestamp: timestamp}, key, signature.ProfileGateway)
		if err == nil || strings.Contains(err.Error(), timestamp[:7]) != (shown != "") || !strings.Contains(err.Error(), shown) {
			t.Errorf("%s: %v", timestamp, err)
		}
	}
}

// TestDiagnoseAddedParameter: a parameter that was added after signing is found wherever it is, and named if its name shows
// nothing else; one that another mistake explains is not.
func TestDiagnoseAddedParameter(t *testing.T) {
	secret, err := signature.NewSecret("s", "")
	if err != nil {
		t.Fatal(err)
	}
	const (
		target = "https://h.example/p"
		five   = `oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
		signed = "oauth_consumer_key%3Dm%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0"
	)
	for _, c := range []struct {
		name, query, body, extra string // the request
		before, after            string // what was signed before and after the five
		want                     string // causes with their texts; empty: none
	}{
		{"in the body", "", "a=1&b=2&payload=eA%3D%3D", "", "a%3D1%26", "%26payload%3DeA%253D%253D", "parameter-added: b, parameter 2 of the body"},
		{"in the query", "?a=1&utm_source=x", "payload=eA%3D%3D", "", "a%3D1%26", "%26payload%3DeA%253D%253D", "parameter-added: utm_source, parameter 2 of the query"},
		{"in the header", "", "payload=eA%3D%3D", `, oauth_callback="oob"`, "", "%26payload%3DeA%253D%253D", "parameter-added: oauth_callback, parameter 6 of the Authorization header"},
		{"in the body behind copies and a signature, which are not signed", "", "oauth_nonce=n&oauth_signature=x&a=1&b=2&payload=eA%3D%3D", "", "a%3D1%26", "%26payload%3DeA%253D%253D", "parameter-added: b, parameter 4 of the body"},
		{"in the query behind a signature", "?oauth_signature=x&a=1&utm_source=x", "payload=eA%3D%3D", "", "a%3D1%26", "%26payload%3DeA%253D%253D", "parameter-added: utm_source, parameter 3 of the query"},
		{"in the header behind one that is not signed", "", "payload=eA%3D%3D", `, other="1", oauth_callback="oob"`, "", "%26payload%3DeA%253D%253D", "parameter-added: oauth_callback, parameter 7 of the Authorization header"},
		{"with a name that may be a value", "", "4111111111111111=2&payload=eA%3D%3D", "", "", "%26payload%3DeA%253D%253D", "parameter-added: parameter 1 of the body"},
		{"the only one of the body", "?a=1", "payload=eA%3D%3D", "", "a%3D1%26", "", "body-omitted"},
		{"the only one of the query", "?a=1", "payload=eA%3D%3D", "", "", "%26payload%3DeA%253D%253D", "query-omitted"},
		{"the second of a name", "", "a=1&a=2", "", "a%3D1%26", "", "duplicates-first"},
		{"two", "", "a=1&b=2&c=3&payload=eA%3D%3D", "", "c%3D3%26", "%26payload%3DeA%253D%253D", ""},
	} {
		base := "POST&" + signature.Encode(target) + "&" + c.before + signed + c.after
		header := "OAuth " + five + c.extra + `, oauth_signature="` + signature.Encode(base64.StdEncoding.EncodeToString(macOf("s&", base))) + `"`
		r := req{URL: target + c.query, ContentType: "application/x-www-form-urlencoded", Body: []byte(c.body)}
		d := diagnose(t, r, header, secret, signature.ProfileRFC5849)
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
	secret, err := signature.NewSecret("s", "")
	if err != nil {
		t.Fatal(err)
	}
	header := `OAuth oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0", oauth_signature="YWFhYWFhYWFhYWFhYWFhYWFhYWE%3D"`
	for n, want := range map[int]bool{200: false, 300: true} {
		r := req{URL: "https://h.example/p", ContentType: "application/x-www-form-urlencoded", Body: []byte(strings.TrimPrefix(strings.Repeat("&a=1", n), "&"))}
		d, _ := signature.Diagnose(t.Context(), r.made().WithAuthorization(header), secret, signature.Options{Profile: signature.ProfileRFC5849}, signature.Budget{Pairs: -1})
		if got := slices.ContainsFunc(d.NotTried, func(s string) bool { return strings.HasPrefix(s, "parameter-added") }); got != want {
			t.Errorf("%d parameters: %q", n, d.NotTried)
		}
	}
}

// TestReplayStoreUnderRaces: of many calls with one new use, one is told that it is new.
func TestReplayStoreUnderRaces(t *testing.T) {
	store := signature.NewMemoryReplays(1000)
	var wait sync.WaitGroup
	var accepted [50]atomic.Int32
	for range 8 {
		wait.Go(func() {
			for i := range accepted {
				err := store.Remember(t.Context(), signature.Use{ConsumerKey: "m", Timestamp: "1", Nonce: strconv.Itoa(i)}, time.Time{})
				switch {
				case err == nil:
					accepted[i].Add(1)
				case !errors.Is(err, signature.NonceReused):
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	for i := range accepted {
		if n := accepted[i].Load(); n != 1 {
			t.Errorf("nonce %d was accepted %d times", i, n)
		}
	}
}

// TestNoTimestampIsFreshByOverflow: the distance from a clock at the other end of time has no opposite number, and counted as
// none at all.
func TestNoTimestampIsFreshByOverflow(t *testing.T) {
	c := hmacCase(t, "secret")
	for _, now := range []int64{math.MinInt64 + 1_790_000_000, math.MinInt64 + 1_790_000_001, math.MinInt64, math.MaxInt64, -1, 0} {
		v, err := verify(c.request, c.authorization, c.key, signature.Options{Now: time.Unix(now, 0), Window: time.Hour})
		if !errors.Is(err, signature.TimestampStale) || !v.Stale || v.ConsumerKey != "" {
			t.Errorf("at %d: %v, %v", now, v.Stale, err)
		}
	}
	for _, window := range []time.Duration{math.MaxInt64, 1 << 62} {
		if _, err := verify(c.request, c.authorization, c.key, signature.Options{Now: time.Unix(0, 0), Window: window}); err != nil {
			t.Errorf("a window of %v: %v", window, err)
		}
	}
}
