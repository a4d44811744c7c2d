package laws

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// key is the case's HMAC key.
func key(c gen.SignCase) SignKey {
	return SignKey{Method: "HMAC-SHA1", Secret: c.Secret, TokenSecret: c.Token}
}

// signedRequest is the case's request with a header.
func signedRequest(c gen.SignCase, h SignHeader) gen.SignRequest {
	r := c.Request()
	r.Authorization = slowHeaderText(h)
	return r
}

// slowHeaderText writes a header.
func slowHeaderText(h SignHeader) string {
	var parts []string
	if h.Realm != nil {
		parts = append(parts, `realm="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*h.Realm)+`"`)
	}
	for _, p := range h.Params {
		parts = append(parts, gen.SlowEncode(p.Name)+`="`+gen.SlowEncode(p.Value)+`"`)
	}
	return "OAuth " + strings.Join(parts, ", ")
}

// slowHeader is a header with the right signature, in order of name.
func slowHeader(c gen.SignCase) SignHeader {
	return headerWith(c, slowly(c).signature())
}

func headerWith(c gen.SignCase, text string) SignHeader {
	params := append(c.OAuth("HMAC-SHA1"), gen.Pair{Name: "oauth_signature", Value: text})
	slices.SortFunc(params, func(a, b gen.Pair) int { return strings.Compare(a.Name, b.Name) })
	return SignHeader{Realm: c.Realm, Params: params}
}

func headerRoundTrip(t *T, c gen.SignCase) {
	h := slowHeader(c)
	text := t.FormatHeader(h)
	for _, p := range h.Params {
		if !strings.Contains(text, gen.SlowEncode(p.Name)+`="`+gen.SlowEncode(p.Value)+`"`) {
			t.Errorf("%q lacks %s encoded once", text, p.Name)
		}
	}
	if back, err := t.ParseHeader(text); err != nil || !SameHeaders(back, h) {
		t.Errorf("%s is read as %s", text, headerInWords(back, err))
	}
}

func headerForms(t *T, c gen.SignCase) {
	c.Realm = nil
	h := slowHeader(c)
	part := strings.Split(strings.TrimPrefix(t.FormatHeader(h), "OAuth "), ", ")
	turn := int(c.Pick % uint64(len(part)))
	part = append(slices.Clip(part[turn:]), part[:turn]...)
	separator := [...]string{",", " , ", "\t,\t", ",\r\n "}[c.Pick>>8%4]
	scheme := [...]string{"oauth ", "OAUTH\t", "OAuth   "}[c.Pick>>16%3]
	back, err := t.ParseHeader(scheme + strings.Join(part, separator))
	if err != nil {
		t.Errorf("%s is %s", scheme+strings.Join(part, separator), answered("", err))
		return
	}
	slices.SortFunc(back.Params, func(a, b gen.Pair) int { return strings.Compare(a.Name, b.Name) })
	if !SameHeaders(back, h) {
		t.Errorf("%s is read as %s", scheme+strings.Join(part, separator), headerInWords(back, nil))
	}
}

func headerNames(t *T, c gen.SignCase) {
	text, err := t.Sign(c.Request(), c.Choices(), key(c))
	if err != nil {
		t.Errorf("signing is %s", answered(text, err))
		return
	}
	if want := slowHeader(c); text != t.FormatHeader(want) {
		t.Errorf("the header differs\ngot  %q\nwant %q", text, t.FormatHeader(want))
	}
}

// headerDamaged makes one fault that must be refused at its place.
func headerDamaged(t *T, c gen.SignCase) {
	text := t.FormatHeader(slowHeader(c))
	at := strings.Index(text, "oauth_nonce=")
	faults := [...]struct {
		text   string
		code   ledger.Code
		offset int
	}{
		{text + ", " + text[at:], signature.HeaderDuplicate, len(text) + 2},
		{text[:at+12] + text[at+13:], signature.HeaderSyntax, at + 12},
		{strings.TrimSuffix(text, `"`), signature.HeaderSyntax, len(text) - 1},
		{text[:at+13] + "%g0" + text[at+13:], signature.HeaderSyntax, at + 13},
		{text + " x", signature.HeaderSyntax, len(text) + 1},
		{text + ",", signature.HeaderSyntax, len(text) + 1},
	}
	f := faults[c.Pick%uint64(len(faults))]
	_, err := t.ParseHeader(f.text)
	e, ok := errors.AsType[ledger.Finding](err)
	if !ok || e.Code != f.code || int(e.Place.Offset) != f.offset {
		t.Errorf("%q is %s, want %s at %d", f.text, read(err), string(f.code), f.offset)
	}
}

// read is what became of a header that should be refused.
func read(err error) string {
	if err == nil {
		return "read without an error"
	}
	return answered("", err)
}

// A caseKey is a key that a case is signed with, and what the oracle signs with it.
type caseKey struct {
	SignKey

	sum func(base string) []byte
}

// hmacKey is the case's own key.
func hmacKey(c gen.SignCase) caseKey {
	return caseKey{key(c), func(base string) []byte {
		s := slowly(c)
		s.finish = func(string) string { return base }
		return s.sum()
	}}
}

// rsaKeyOf is one of the RSA keys for tests: in every fourth case the long one, which takes four times as long to sign.
func rsaKeyOf(c gen.SignCase) caseKey {
	file := testkeys.PKCS1
	if c.Pick>>32%4 == 0 {
		file = testkeys.Long
	}
	return caseKey{rsaKey(file), func(base string) []byte { return standardSum(file, base) }}
}

// other is a key that is not this one.
func (k caseKey) other(c gen.SignCase) SignKey {
	o := k.SignKey
	switch {
	case k.PEM == testkeys.Long:
		o.PEM = testkeys.PKCS1
	case k.PEM != "":
		o.PEM = testkeys.Long
	case c.Pick>>40%3 == 0:
		o.Secret += "x"
	case c.Pick>>40%3 == 1 && c.Profile == "rfc5849":
		o.TokenSecret += "x"
	default:
		o.Secret = "x" + o.Secret
	}
	return o
}

// underKeys asks with the HMAC key of the case, and with an RSA key in a few cases, which take long, and where the
// implementation has no HMAC.
func underKeys(c gen.SignCase, ask func(k caseKey)) {
	if c.Pick>>50%256 != 0 && isSupported(func() { ask(hmacKey(c)) }) {
		return
	}
	ask(rsaKeyOf(c))
}

// isSupported asks, and reports whether the implementation supports what is asked.
func isSupported(ask func()) (ok bool) {
	defer func() {
		p := recover()
		if err, _ := p.(error); errors.Is(err, ErrNotSupported) {
			ok = false
			return
		}
		if p != nil {
			panic(p)
		}
	}()
	ask()
	return true
}

// baseUnder is the oracle's base string of the case under a signature method.
func baseUnder(c gen.SignCase, method string) string {
	s := slowly(c)
	s.oauth = c.OAuth(method)
	return s.base()
}

// headerUnder is a header with a signature of a method.
func headerUnder(c gen.SignCase, method, text string) SignHeader {
	h := headerWith(c, text)
	for i := range h.Params {
		if h.Params[i].Name == "oauth_signature_method" {
			h.Params[i].Value = method
		}
	}
	return h
}

func verified(c gen.SignCase, impl Impl, authorization string) SignVerdict {
	return verifiedWith(c, key(c), impl, authorization)
}

func verifiedWith(c gen.SignCase, k SignKey, impl Impl, authorization string) SignVerdict {
	r := c.Request()
	r.Authorization = authorization
	return impl.Verify(r, k, SignOptions{})
}

func signedVerifies(t *T, c gen.SignCase) {
	underKeys(c, func(k caseKey) {
		text, err := t.Sign(c.Request(), c.Choices(), k.SignKey)
		if err != nil {
			t.Errorf("signing is %s", answered(text, err))
			return
		}
		if v := verifiedWith(c, k.SignKey, t.Impl, text); v.Signature != "ok" || !v.Acceptable || v.Consumer != c.Consumer {
			t.Errorf("of what it signed itself, %s, it says: %s", text, verdictInWords(v))
		}
	})
}

// changedFails makes one change, of those that leave a request that its profile takes.
func changedFails(t *T, c gen.SignCase) {
	underKeys(c, func(k caseKey) { changedFailsUnder(t, c, k) })
}

func changedFailsUnder(t *T, c gen.SignCase, k caseKey) {
	raw := k.sum(baseUnder(c, k.Method))
	changed, with, what := c, k.SignKey, "another key"
	switch c.Pick % 6 {
	case 1:
		changed.Body, what = append(slices.Clip(c.Body), gen.Pair{Name: "a"}), "one more parameter in the body"
	case 2:
		changed.Path, what = c.Path+"/x", "another path"
	case 3:
		if changed.Method, what = c.Method+"X", "another method"; c.Profile == "gateway" {
			changed.Method, changed.Host, what = c.Method, "changed.example.com", "another host"
		}
	case 4:
		raw[c.Pick>>8%uint64(len(raw))] ^= 1 << (c.Pick >> 16 % 8)
		what = "one bit of the signature changed"
	default:
		with = k.other(c)
	}
	headers := []string{slowHeaderText(headerUnder(c, k.Method, signatureText(raw)))}
	if own, err := t.Sign(c.Request(), c.Choices(), k.SignKey); err == nil && c.Pick%6 != 4 {
		headers = append(headers, own)
	}
	for _, header := range headers {
		if v := verifiedWith(changed, with, t.Impl, header); v.Signature != "mismatch" || v.Acceptable || v.Consumer != "" {
			t.Errorf("with %s: %s, want a mismatch", what, verdictInWords(v))
		}
	}
}

func otherSpellings(t *T, c gen.SignCase) {
	text := slowly(c).signature()
	sum := hex.EncodeToString(slowly(c).sum())
	spellings := [...]string{sum, strings.ToUpper(sum), base64.StdEncoding.EncodeToString([]byte(sum)), text + "\n", text[:9] + "\r\n" + text[9:], strings.TrimRight(text, "="), text + "=", " " + text, gen.SlowEncode(text),
		strings.NewReplacer("+", "-", "/", "_").Replace(text), base64.StdEncoding.EncodeToString([]byte(text))}
	other := spellings[c.Pick%uint64(len(spellings))]
	if other == text {
		return
	}
	if v := verified(c, t.Impl, t.FormatHeader(headerWith(c, other))); v.Signature == "ok" || v.Acceptable {
		t.Errorf("%q is accepted for %q", other, text)
	}
}

func noEmptyHeader(t *T, c gen.SignCase) {
	o := c.Choices()
	r := c.Request()
	k := key(c)
	switch c.Pick % 6 {
	case 5: // at most half of a key: a reader of PEM may do without the dashes at the end of a whole one
		k = rsaKey(testkeys.PKCS1[:c.Pick>>8%uint64(len(testkeys.PKCS1)/2)])
	case 0:
		o.Nonce = ""
	case 1:
		o.Timestamp = "-" + o.Timestamp
	case 2:
		o.ConsumerKey = ""
	case 3:
		r.URL = "ftp" + r.URL
	default:
		r.Params = append(slices.Clip(r.Params), gen.Pair{Name: "oauth_signature"})
	}
	if got, err := t.Sign(r, o, k); err == nil || got != "" {
		t.Errorf("signing gives %s, want an error and nothing else", strconv.Quote(got))
	}
}
