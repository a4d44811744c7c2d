package signature_test

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestVectors runs every vector about signatures, published or derived.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "signature", map[string]vectortest.Judge{
		"encode": judgeEncode, "form": judgeForm, "base-uri": judgeURI, "base-string": judgeBase, "parameters": judgeParams,
		"hmac-key": judgeSigningKey, "sign": judgeSignHMAC,
		"header-build": judgeHeaderBuild, "header-parse": judgeHeaderParse, "verify": judgeVerify, "key": judgeKey,
	})
}

func inputOf(t *testing.T, v vectortest.Vector) signtest.Input {
	t.Helper()
	return vectortest.Input[signtest.Input](t, v)
}

// want is the text that must come of a vector.
func want(t *testing.T, v vectortest.Vector) string {
	t.Helper()
	return vectortest.Expect[string](t, v)
}

// refused compares an error with an expected refusal.
func refused(t *testing.T, v vectortest.Vector, err error) {
	t.Helper()
	f, _ := errors.AsType[ledger.Finding](err)
	v.SameRefusal(t, string(f.Code), f.Place.Offset)
}

func judgeEncode(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	var raw []byte
	if in.Text != nil {
		raw = []byte(*in.Text)
	} else {
		raw, _ = hex.DecodeString(*in.Hex)
	}
	vectortest.Same(t, "Encode", signature.Encode(string(raw)), want(t, v))
	back, err := signature.Decode(want(t, v))
	if err != nil || back != string(raw) {
		t.Errorf("decoding: %q, %v", back, err)
	}
}

func judgeForm(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	list, err := signature.ParseForm(in.Form)
	if v.Verdict == vectortest.Invalid {
		refused(t, v, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	vectortest.Same(t, "normalised", signature.NormalizedParameters(list), want(t, v))
}

func judgeURI(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	_, _, signing := signature.Sign(signature.NewRequest("POST", in.URL), signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1"}, signtest.Secret(t, "s"))
	if v.Verdict == vectortest.Invalid {
		refused(t, v, signing)
		return
	}
	got, err := signature.BaseURI(in.URL)
	if err != nil {
		t.Fatal(err)
	}
	vectortest.Same(t, "base URI", got, want(t, v))
	again, err := signature.BaseURI(got)
	if err != nil || again != got {
		t.Errorf("twice: %q, %v", again, err)
	}
}

// split sorts the vectors' one list into body and OAuth parameters.
func split(list []signtest.Param) (body, oauth []signtest.Param) {
	for _, p := range list {
		if strings.HasPrefix(p[0], "oauth_") {
			oauth = append(oauth, p)
		} else {
			body = append(body, p)
		}
	}
	return body, oauth
}

// baseOf is the base string of an input, of any service. Where the request is the gateway's, Sign and Verify have the same.
func baseOf(t *testing.T, in signtest.Input) string {
	t.Helper()
	got, err := signature.BaseString(in.Method, in.URL, signtest.Params(in.Params))
	if err != nil {
		t.Fatal(err)
	}
	body, oauth := split(in.Params)
	if in.Method == "POST" && isFive(oauth) {
		traced, err := baseString(signtest.Request{Method: in.Method, URL: in.URL, Params: body}, oauth)
		inBody, errBody := baseString(signtest.Request{Method: in.Method, URL: in.URL, Params: in.Params}, oauth)
		if err != nil || errBody != nil || traced != got || inBody != got {
			t.Errorf("of a request: %q, %v; with the OAuth parameters in the body as well: %q, %v", traced, err, inBody, errBody)
		}
	}
	return got
}

func isFive(oauth []signtest.Param) bool {
	return slices.EqualFunc(oauth, five, func(p signtest.Param, name string) bool { return p[0] == name })
}

// five are the OAuth parameters that the gateway's requests have.
var five = []string{"oauth_consumer_key", "oauth_nonce", "oauth_signature_method", "oauth_timestamp", "oauth_version"}

func judgeBase(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	vectortest.Same(t, "base string", baseOf(t, in), want(t, v))
}

func judgeParams(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	vectortest.Same(t, "parameters", signature.NormalizedParameters(signtest.Params(in.Params)), want(t, v))
}

func judgeSigningKey(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	vectortest.Same(t, "key", signature.SecretKey(in.Secret(t)), want(t, v))
}

func judgeSignHMAC(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	want := vectortest.Expect[struct {
		BaseString string `json:"base_string"`
		Signature  string `json:"signature"`
	}](t, v)
	base := baseOf(t, in)
	vectortest.Same(t, "base string", base, want.BaseString)
	key := in.Secret(t)
	vectortest.Same(t, "signature", signedBase(t, key, base), want.Signature)
	if body, oauth := split(in.Params); in.Method == "POST" && isFive(oauth) {
		header := headerOf(nil, append(oauth, signtest.Param{"oauth_signature", want.Signature}))
		verdict, err := verify(signtest.Request{Method: in.Method, URL: in.URL, Params: body}, header.String(), key, signature.Options{})
		if err != nil || verdict.Signature != signature.VerdictOK {
			t.Errorf("verify: %+v, %v", verdict, err)
		}
	}
}

func judgeHeaderBuild(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	h := headerOf(in.Realm, in.Params)
	vectortest.Same(t, "header", h.String(), want(t, v))
	back, err := signature.ParseHeader(h.String())
	if err != nil || !slices.Equal(plain(back.Params), plain(h.Params)) || (back.Realm == nil) != (h.Realm == nil) || h.Realm != nil && *back.Realm != *h.Realm {
		t.Errorf("parsed again: %v, %v", back, err)
	}
}

func judgeHeaderParse(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	h, err := signature.ParseHeader(in.Header)
	if v.Verdict == vectortest.Invalid {
		refused(t, v, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want, realm := vectortest.Expect[[]signtest.Param](t, v), (*string)(nil)
	for i, p := range want {
		if p[0] == "realm" {
			realm, want = &p[1], slices.Delete(slices.Clone(want), i, i+1)
			break
		}
	}
	if !slices.Equal(plain(h.Params), want) || (h.Realm == nil) != (realm == nil) || realm != nil && *realm != *h.Realm {
		t.Errorf("got %v %v", h.Realm, h.Params)
	}
}

func judgeVerify(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	want := vectortest.Expect[struct {
		Signature, Code string
		Refused         bool
	}](t, v)
	r := signtest.Request{Method: in.Method, URL: in.URL, ContentType: signtest.FormType, Body: []byte(*in.Body)}
	got, err := verify(r, in.Authorization, in.Key(t), signature.Options{})
	if got.Signature.String() != want.Signature || (err == nil) != (want.Signature == "ok" && !want.Refused) {
		t.Errorf("%v, %v; want %s", got.Signature, err, want.Signature)
	}
	if want.Code != "" && !slices.Contains(codesOf(got.Findings), ledger.Code(want.Code)) {
		t.Errorf("%v, want %s among the findings", got.Findings, want.Code)
	}
}

func judgeKey(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	want := vectortest.Expect[struct{ Code ledger.Code }](t, v)
	_, err := signature.ParsePublicKey([]byte(in.File))
	f, _ := errors.AsType[ledger.Finding](err)
	if (err == nil) != (want.Code == "") || f.Code != want.Code {
		t.Errorf("%v, want %s", err, want.Code)
	}
}
