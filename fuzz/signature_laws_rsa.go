package fuzz

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	_ "embed" // the test keys
	"encoding/base64"
	"encoding/pem"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/signature"
)

// One key in its two forms, made for tests.
var (
	//go:embed testdata/rsa-test-key.pem
	testKeyPKCS1 string
	//go:embed testdata/rsa-test-key-pkcs8.pem
	testKeyPKCS8 string
)

// moreSignatureLaws are those on fixed inputs, on RSA keys, and on what comes with a signature.
func moreSignatureLaws() []Law {
	signs := func(i Impl) bool { return i.Authorization != nil && i.Verify != nil }
	return []Law{
		{ID: "U04", Formula: "an empty path gives /; a last slash is kept", Clause: "L58", Gen: SignCases(), Needs: func(i Impl) bool { return i.BaseURI != nil }, Check: onSign(emptyPath)},
		{ID: "B03", Formula: "order is by encoded name, then encoded value: not by joined text, raw bytes or number", Clause: "L57", Needs: func(i Impl) bool { return i.BaseString != nil }, Check: orderOfNames},
		{ID: "B07", Formula: "the base string's bytes are unreserved, % and &", Clause: "5.2", Gen: SignCases(), Needs: func(i Impl) bool { return i.BaseString != nil }, Check: onSign(baseAlphabet)},
		{ID: "H05", Formula: "header size and parameter count have limits", Clause: "L67", Needs: func(i Impl) bool { return i.ParseHeader != nil }, Check: headerLimits},
		{ID: "S03", Formula: "RSA signing is deterministic and equals crypto/rsa", Clause: "L65", Gen: SignCases(), Slow: true, Needs: signs, Check: onSign(likeCryptoRSA)},
		{ID: "S08", Formula: "signature ok never depends on clock or nonce store, fresh on nothing else", Clause: "L63", Gen: SignCases(), Needs: func(i Impl) bool { return i.VerifyFresh != nil }, Check: onSign(freshApart)},
		{ID: "S09", Formula: "PKCS#1 and PKCS#8 forms of one key sign alike", Clause: "L65", Gen: SignCases(), Slow: true, Needs: signs, Check: onSign(keyFormsAlike)},
		{ID: "D07", Formula: "RSA: the public key alone names the mistake", Clause: "5", Gen: SignCases(), Slow: true, Needs: func(i Impl) bool { return i.Diagnose != nil }, Check: onSign(publicKeyAlone)},
		{ID: "D08", Formula: "two base strings that differ at one place: layer, parameter and byte are named", Clause: "5", Gen: SignCases(), Needs: func(i Impl) bool { return i.Compare != nil }, Check: onSign(onePlace)},
		{ID: "D09", Formula: "each stage of a trace is the next one's input; the last is what is signed", Clause: "5", Gen: SignCases(), Needs: func(i Impl) bool { return i.Trace != nil && i.BaseString != nil }, Check: onSign(stagesFollow)},
	}
}

func testKeys(t T) (one, eight *signature.PrivateKey) {
	one, _, err := signature.LoadPrivateKey([]byte(testKeyPKCS1), signature.KeyRules{})
	if err != nil {
		t.Errorf("%v", err)
	}
	eight, _, err = signature.LoadPrivateKey([]byte(testKeyPKCS8), signature.KeyRules{})
	if err != nil {
		t.Errorf("%v", err)
	}
	return one, eight
}

func emptyPath(t T, c SignCase, impl Impl) {
	for path, want := range map[string]string{"": "/", "/": "/", "/a": "/a", "/a/": "/a/"} {
		c.Path = path
		got, err := impl.BaseURI(c.URL(), signature.RFC5849())
		if err != nil || got != c.Scheme+"://"+c.Host+slowPort(c)+want {
			t.Errorf("%q gives %q, %v", c.URL(), got, err)
		}
	}
}

func orderOfNames(t T, _ *Case, impl Impl) {
	r := signature.Request{URL: "https://h/"}
	for _, name := range []string{"z", "é", "a1", "a-b", "a"} {
		r.Params = append(r.Params, signature.Param{Name: name, Value: "10"}, signature.Param{Name: name, Value: "9"})
	}
	const want = "POST&https%3A%2F%2Fh%2F&%25C3%25A9%3D10%26%25C3%25A9%3D9%26a%3D10%26a%3D9%26a-b%3D10%26a-b%3D9%26a1%3D10%26a1%3D9%26z%3D10%26z%3D9"
	if got, err := impl.BaseString(r, nil, signature.Gateway()); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func baseAlphabet(t T, c SignCase, impl Impl) {
	base := c.base(t, impl)
	if odd := strings.Trim(base, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%&"); odd != "" {
		t.Errorf("%q holds %q", base, odd)
	}
}

func headerLimits(t T, _ *Case, impl Impl) {
	for _, text := range [...]string{`OAuth a="` + strings.Repeat("x", 64<<10) + `"`, "OAuth " + strings.Repeat(`a="1",`, 10_000), "OAuth " + strings.Repeat("a", 1<<20)} {
		if _, err := impl.ParseHeader(text); !errors.Is(err, signature.LimitHeader) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

// rsaBase is the base string of the case under RSA-SHA256.
func (c SignCase) rsaBase() string {
	s := slowly(c)
	s.oauth = c.OAuth("RSA-SHA256")
	return s.base()
}

func likeCryptoRSA(t T, c SignCase, impl Impl) {
	key, _ := testKeys(t)
	block, _ := pem.Decode([]byte(testKeyPKCS1))
	std, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	digest := sha256.Sum256([]byte(c.rsaBase()))
	sum, err := rsa.SignPKCS1v15(nil, std, crypto.SHA256, digest[:])
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	for range 2 {
		text, err := impl.Authorization(c.Request(), c.Choices(), key, signature.RFC5849())
		if err != nil || !strings.Contains(text, slowEncode(base64.StdEncoding.EncodeToString(sum))) {
			t.Errorf("%q, %v", text, err)
		}
		if got, err := impl.Verify(c.Request(), text, key.Public(), signature.RFC5849()); err != nil || got != signature.OK {
			t.Errorf("does not verify: %v, %v", got, err)
		}
	}
}

func keyFormsAlike(t T, c SignCase, impl Impl) {
	one, eight := testKeys(t)
	a, errA := impl.Authorization(c.Request(), c.Choices(), one, signature.RFC5849())
	b, errB := impl.Authorization(c.Request(), c.Choices(), eight, signature.RFC5849())
	if a != b || a == "" || errA != nil || errB != nil {
		t.Errorf("%q and %q: %v, %v", a, b, errA, errB)
	}
}

func freshApart(t T, c SignCase, impl Impl) {
	right := c.headerWith(slowly(c).signature()).String()
	wrong := c.headerWith("AAAAAAAAAAAAAAAAAAAAAAAAAAA=").String()
	asked := [...]signature.Freshness{{}, {Now: time.Unix(1_000_000_000, 0), Window: time.Duration(c.Pick%2_000_000_000) * time.Second}, {NonceMin: int(c.Pick % 12)},
		{NonceMax: int(c.Pick%12) + 1}}
	for _, f := range asked {
		ok, err := impl.VerifyFresh(c.Request(), right, c.secret(t), signature.RFC5849(), f)
		if err != nil || ok.Signature != signature.OK {
			t.Errorf("right, but %v, %v", ok.Signature, err)
		}
		bad, err := impl.VerifyFresh(c.Request(), wrong, c.secret(t), signature.RFC5849(), f)
		if err != nil || bad.Signature != signature.Mismatch || bad.Fresh != ok.Fresh {
			t.Errorf("wrong, and %v, fresh %v and %v, %v", bad.Signature, bad.Fresh, ok.Fresh, err)
		}
	}
}

func publicKeyAlone(t T, c SignCase, impl Impl) {
	key, _ := testKeys(t)
	wrong := slowly(c)
	wrong.oauth = c.OAuth("RSA-SHA256")
	wrong.uri += "/"
	text, err := key.SignBase(wrong.base())
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	h := c.headerWith(text)
	for i := range h.Params {
		if h.Params[i].Name == "oauth_signature_method" {
			h.Params[i].Value = "RSA-SHA256"
		}
	}
	d, err := impl.Diagnose(c.Request(), h.String(), key.Public(), signature.RFC5849())
	if err != nil || d.Match || c.Path != "" && !slices.Contains(causesOf(d), "trailing-slash-added") {
		t.Errorf("match %v, causes %v, %v", d.Match, causesOf(d), err)
	}
}

// onePlace changes one byte of one value and asks where.
func onePlace(t T, c SignCase, impl Impl) {
	c.Body = append(slices.Clip(c.Body), signature.Param{Name: "zz-last", Value: "0123456789"})
	ours := slowly(c).base()
	if impl.Compare(ours, ours) != nil {
		t.Errorf("equal texts differ")
	}
	at := int(c.Pick % 10)
	value := []byte("0123456789")
	value[at] = 'x'
	c.Body[len(c.Body)-1].Value = string(value)
	d := impl.Compare(ours, slowly(c).base())
	if d == nil || d.Layer != signature.LayerValue || d.Parameter != "zz-last" || d.Byte != at {
		t.Errorf("byte %d of zz-last: %+v", at, d)
	}
}

func stagesFollow(t T, c SignCase, impl Impl) {
	trace, err := impl.Trace(c.Request(), c.OAuth("HMAC-SHA1"), signature.RFC5849())
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	var joined strings.Builder
	for i, p := range trace.Sorted {
		if i > 0 {
			joined.WriteString("&")
		}
		joined.WriteString(p.Encoded.Name + "=" + p.Encoded.Value)
		if p.Encoded.Name != slowEncode(p.Raw.Name) || p.Encoded.Value != slowEncode(p.Raw.Value) {
			t.Errorf("%v is encoded as %v", p.Raw, p.Encoded)
		}
	}
	if trace.Parameters != joined.String() || trace.Method != c.Method || trace.URI != slowURI(c) || len(trace.Collected) != len(trace.Sorted) {
		t.Errorf("%q %q %q", trace.Method, trace.URI, trace.Parameters)
	}
	if want := slowEncode(trace.Method) + "&" + slowEncode(trace.URI) + "&" + slowEncode(trace.Parameters); trace.BaseString != want || want != c.base(t, impl) {
		t.Errorf("base string %q, want %q", trace.BaseString, want)
	}
}
