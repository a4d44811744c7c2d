package laws

import (
	"cmp"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/signature"
)

// moreSignatureLaws are those on fixed inputs, on RSA keys, and on what comes with a signature.
func moreSignatureLaws() []Law {
	return []Law{
		law("U04", "L58", "an empty path gives /; a last slash is kept", gen.SignCases, emptyPath),
		once("B03", "L57", "order is by encoded name, then encoded value: not by joined text, raw bytes or number", orderOfNames),
		law("B07", "5.2", "the base string's bytes are unreserved, % and &", gen.SignCases, baseAlphabet),
		once("H05", "L67", "header size and parameter count have limits", headerLimits),
		law("S03", "L65", "RSA signing is deterministic and equals crypto/rsa", gen.SignCases, likeCryptoRSA).slow(),
		law("S08", "L63", "signature ok never depends on clock or nonce store, fresh on nothing else", gen.SignCases, freshApart),
		law("S09", "L65", "PKCS#1 and PKCS#8 forms of one key sign alike", gen.SignCases, keyFormsAlike).slow(),
		law("D07", "5.2 5.3", "RSA: the public key alone names the mistake", gen.SignCases, publicKeyAlone).slow(),
		law("D08", "5.2 5.3", "two base strings that differ at one place: layer, parameter and byte are named", gen.SignCases, onePlace),
		law("D09", "5.2 5.3", "each stage of a trace is the next one's input; the last is what is signed", gen.SignCases, stagesFollow),
	}
}

// rsaKey is the test key in one of its forms: the private key for signing, which serves to verify
// too.
func rsaKey(pem string) SignKey { return SignKey{Method: "RSA-SHA256", PEM: pem} }

func emptyPath(t *T, c gen.SignCase) {
	for _, path := range [...]string{"", "/", "/a", "/a/"} {
		want := cmp.Or(path, "/")
		c.Path = path
		got, err := uriOf(t.Impl, c.URL(), c.Profile)
		if err != nil || got != c.Scheme+"://"+c.Host+slowPort(c)+want {
			t.Errorf("the URL %q is %s, want %q", c.URL(), answered(got, err), c.Scheme+"://"+c.Host+slowPort(c)+want)
		}
	}
}

func orderOfNames(t *T) {
	r := gen.SignRequest{URL: "https://h/", Profile: "gateway"}
	for _, name := range []string{"z", "é", "a1", "B", "a-b", "a"} {
		r.Params = append(r.Params, gen.Pair{Name: name, Value: "9"}, gen.Pair{Name: name, Value: "10"})
	}
	const want = "POST&https%3A%2F%2Fh%2F&%25C3%25A9%3D10%26%25C3%25A9%3D9%26B%3D10%26B%3D9%26a%3D10%26a%3D9%26a-b%3D10%26a-b%3D9%26a1%3D10%26a1%3D9%26z%3D10%26z%3D9"
	if got, err := t.BaseString(r, nil); err != nil || got != want {
		t.Errorf("%s", otherBase(got, err, want))
	}
}

func baseAlphabet(t *T, c gen.SignCase) {
	base := base(c, t)
	if odd := strings.Trim(base, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%&"); odd != "" {
		t.Errorf("%q holds %q", base, odd)
	}
}

func headerLimits(t *T) {
	for _, text := range [...]string{`OAuth a="` + strings.Repeat("x", 64<<10) + `"`, "OAuth " + strings.Repeat(`a="1",`, 10_000), "OAuth " + strings.Repeat("a", 1<<20)} {
		if _, err := t.ParseHeader(text); !errors.Is(err, signature.LimitHeader) {
			t.Errorf("a header of %d bytes is %s, want an error that names the limit", len(text), read(err))
		}
	}
}

// rsaBase is the base string of the case under RSA-SHA256.
func rsaBase(c gen.SignCase) string {
	s := slowly(c)
	s.oauth = c.OAuth("RSA-SHA256")
	return s.base()
}

// standardKeys are the keys for tests as package rsa has them, by their files.
var standardKeys = sync.OnceValue(func() map[string]*rsa.PrivateKey {
	keys := map[string]*rsa.PrivateKey{}
	for _, file := range []string{testkeys.PKCS1, testkeys.Long} {
		block, _ := pem.Decode([]byte(file))
		key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
		if err != nil {
			panic(err)
		}
		keys[file] = key
	}
	return keys
})

// standardSum is the signature of a base string by package rsa.
func standardSum(file, base string) []byte {
	digest := sha256.Sum256([]byte(base))
	sum, err := rsa.SignPKCS1v15(nil, standardKeys()[file], crypto.SHA256, digest[:])
	if err != nil {
		panic(err)
	}
	return sum
}

// likeCryptoRSA signs with the long key in every sixteenth case.
func likeCryptoRSA(t *T, c gen.SignCase) {
	file := testkeys.PKCS1
	if c.Pick>>8%16 == 0 {
		file = testkeys.Long
	}
	base := rsaBase(c)
	want := signatureText(standardSum(file, base))
	r := c.Request()
	for range 1 + c.Pick%16/15 { // equal to a deterministic signature, and now and then again
		text, err := t.Sign(c.Request(), c.Choices(), rsaKey(file))
		if err != nil || !strings.Contains(text, `oauth_signature="`+gen.SlowEncode(want)+`"`) {
			t.Errorf("the header is %s\nwant in it the signature %s\nover %s", answered(text, err), want, base)
			return
		}
		r.Authorization = text
	}
	if v := t.Verify(r, rsaKey(file), SignOptions{}); !v.Acceptable {
		t.Errorf("of what it signed itself it says: %s", verdictInWords(v))
	}
}

func keyFormsAlike(t *T, c gen.SignCase) {
	a, errA := t.Sign(c.Request(), c.Choices(), rsaKey(testkeys.PKCS1))
	b, errB := t.Sign(c.Request(), c.Choices(), rsaKey(testkeys.PKCS8))
	if a != b || a == "" || errA != nil || errB != nil {
		t.Errorf("as PKCS#1 %s\nas PKCS#8 %s", answered(a, errA), answered(b, errB))
	}
}

// freshApart asks at and outside both edges of a window and at one distance more, and for lengths
// of the nonce: every other question of the right signature, the rest of a wrong one.
func freshApart(t *T, c gen.SignCase) {
	sent, err := strconv.ParseInt(c.Timestamp, 10, 64)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	right := signedRequest(c, slowHeader(c))
	wrong := signedRequest(c, headerWith(c, "AAAAAAAAAAAAAAAAAAAAAAAAAAA="))
	window, length := 1+int64(c.Pick%100_000), len(c.Nonce)
	type question struct {
		o     SignOptions
		stale bool
	}
	asked := []question{
		{SignOptions{NonceMin: length}, false}, {SignOptions{NonceMin: length + 1}, true}, {SignOptions{NonceMax: length}, false},
		{SignOptions{}, false}, {SignOptions{NonceMin: 1, NonceMax: max(length-1, 1)}, length > 1},
	}
	further := [...]int64{0, window - 1, 2 * window, 1 - window, -3 * window}[c.Pick>>20%5]
	for _, distance := range [...]int64{window, window + 1, -window, -window - 1, further} {
		asked = append(asked, question{SignOptions{Now: sent + distance, Window: window}, distance > window || distance < -window})
	}
	for i, q := range asked {
		if i%2 != int(c.Pick>>24%2) {
			ok := t.Verify(right, key(c), q.o)
			if ok.Signature != "ok" || ok.Stale != q.stale || ok.Acceptable == q.stale || ok.Acceptable != (ok.Consumer == c.Consumer) {
				t.Errorf("of a right signature, asked %s: %s", askedInWords(q.o), verdictInWords(ok))
			}
			continue
		}
		bad := t.Verify(wrong, key(c), q.o)
		if bad.Signature != "mismatch" || bad.Stale != q.stale || bad.Acceptable || bad.Consumer != "" {
			t.Errorf("of a wrong signature, asked %s: %s", askedInWords(q.o), verdictInWords(bad))
		}
	}
}

// publicKeyAlone makes a mistake in front of the signing, and asks with each half of the key.
func publicKeyAlone(t *T, c gen.SignCase) {
	all := slices.DeleteFunc(slowMistakes(), func(m slowMistake) bool { return m.slot == "key" || m.slot == "text" })
	m := all[c.Pick%uint64(len(all))]
	wrong := slowly(c)
	wrong.oauth = c.OAuth("RSA-SHA256")
	m.make(c, &wrong)
	base := wrong.base()
	r := signedRequest(c, headerUnder(c, "RSA-SHA256", signatureText(standardSum(testkeys.PKCS1, base))))
	public := t.Diagnose(r, rsaKey(testkeys.Public))
	if right := base == rsaBase(c); public.Match != right || !right && !slices.Contains(causesOf(public), m.id) {
		t.Errorf("%s, with the public key: %s", m.id, diagnosisInWords(public))
	}
	if c.Pick>>16%4 != 0 {
		return
	}
	if private := t.Diagnose(r, rsaKey(testkeys.PKCS1)); private.Match != public.Match || !slices.Equal(causesOf(private), causesOf(public)) {
		t.Errorf("%s, with the public key: %s\nwith the private key: %s", m.id, diagnosisInWords(public), diagnosisInWords(private))
	}
}

// onePlace changes one byte of one part of the base string, or leaves a parameter out, and asks where.
func onePlace(t *T, c gen.SignCase) {
	const digits = "0123456789"
	at := int(c.Pick % 10)
	broken := digits[:at] + "x" + digits[at+1:]
	c.Body = append(slices.Clip(c.Body), gen.Pair{Name: "zz-last", Value: digits})
	ours, theirs := slowly(c), slowly(c)
	ours.method, ours.uri = "POST", ours.uri+digits
	theirs.method, theirs.uri = ours.method, ours.uri
	if t.Compare(ours.base(), ours.base()) != nil {
		t.Errorf("equal base strings differ")
	}
	last := len(c.Body) - 1
	theirs.body = slices.Clone(c.Body)
	layer, parameter := "parameter-value", "zz-last"
	switch c.Pick >> 8 % 8 {
	case 0:
		layer, parameter, at = "method", "", at%4
		theirs.method = "POST"[:at] + "x" + "POST"[at+1:]
	case 1:
		layer, parameter, at = "url", "", at+len(ours.uri)-len(digits)
		theirs.uri = ours.uri[:len(ours.uri)-len(digits)] + broken
	case 2:
		layer, at = "parameter-missing", 0
		theirs.body = theirs.body[:last]
	case 3:
		layer, at = "parameter-extra", 0
		ours.body = c.Body[:last]
	default:
		theirs.body[last].Value = broken
	}
	d := t.Compare(ours.base(), theirs.base())
	switch {
	case d == nil:
		t.Errorf("no difference is found, want %s %s at byte %d", layer, parameter, at)
	case d.Layer != layer || d.Parameter != parameter || d.Byte != at:
		t.Errorf("the difference is %s %s at byte %d, want %s %s at byte %d", d.Layer, d.Parameter, d.Byte, layer, parameter, at)
	}
}

func stagesFollow(t *T, c gen.SignCase) {
	trace, err := t.Trace(signedRequest(c, SignHeader{Params: c.OAuth("HMAC-SHA1")}))
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	var joined strings.Builder
	for i, p := range trace.Encoded {
		if i > 0 {
			joined.WriteString("&")
		}
		joined.WriteString(p.Name + "=" + p.Value)
		if raw := trace.Raw[i]; p.Name != gen.SlowEncode(raw.Name) || p.Value != gen.SlowEncode(raw.Value) {
			t.Errorf("%q=%q is encoded as %q=%q", raw.Name, raw.Value, p.Name, p.Value)
		}
	}
	if trace.Parameters != joined.String() || trace.Method != c.Method || trace.URI != slowURI(c) || trace.Collected != len(trace.Encoded) {
		t.Errorf("%q %q %q", trace.Method, trace.URI, trace.Parameters)
	}
	if want := gen.SlowEncode(trace.Method) + "&" + gen.SlowEncode(trace.URI) + "&" + gen.SlowEncode(trace.Parameters); trace.BaseString != want || want != base(c, t) {
		t.Errorf("base string %q, want %q", trace.BaseString, want)
	}
}
