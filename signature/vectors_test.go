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
		"hmac": judgeHMAC, "hmac-key": judgeSigningKey, "sign": judgeSignHMAC,
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
	vectortest.Same(t, "encoding", string(signature.AppendEncode(nil, raw)), want(t, v))
	vectortest.Same(t, "Encode", signature.Encode(string(raw)), want(t, v))
	vectortest.Same(t, "twice", string(signature.AppendEncodeTwice(nil, raw)), signature.Encode(want(t, v)))
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
	got, err := signature.BaseURI(in.URL, signature.ProfileRFC5849)
	if v.Verdict == vectortest.Invalid {
		_, err2 := signature.BaseURI(in.URL, signature.ProfileGateway)
		refused(t, v, err2)
		if in.Profile == "" && err == nil { // of both profiles
			t.Errorf("rfc5849 accepts it as %q", got)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	vectortest.Same(t, "base URI", got, want(t, v))
	again, err := signature.BaseURI(got, signature.ProfileRFC5849)
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

func baseOf(t *testing.T, in signtest.Input) string {
	t.Helper()
	body, oauth := split(in.Params)
	got, err := baseString(signtest.Request{Method: in.Method, URL: in.URL, Params: body}, oauth, signature.ProfileRFC5849)
	if err != nil {
		t.Fatal(err)
	}
	inBody, err := baseString(signtest.Request{Method: in.Method, URL: in.URL, Params: in.Params}, oauth, signature.ProfileRFC5849)
	if err != nil || inBody != got {
		t.Errorf("OAuth parameters in the body as well: %q, %v", inBody, err)
	}
	return got
}

func judgeBase(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	vectortest.Same(t, "base string", baseOf(t, in), want(t, v))
}

func judgeParams(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	vectortest.Same(t, "parameters", signature.NormalizedParameters(signtest.Params(in.Params)), want(t, v))
}

func judgeHMAC(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	vectortest.Same(t, "signature", signedBase(t, in.Secret(t), in.BaseString), want(t, v))
}

func judgeSigningKey(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	vectortest.Same(t, "key", signature.HMACKey(in.Secret(t)), want(t, v))
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
	body, oauth := split(in.Params)
	header := headerOf(nil, append(oauth, signtest.Param{"oauth_signature", want.Signature}))
	verdict, err := verify(signtest.Request{Method: in.Method, URL: in.URL, Params: body}, header.String(), key, signature.Options{Profile: signature.ProfileRFC5849})
	if err != nil || verdict.Signature != signature.VerdictOK {
		t.Errorf("verify: %+v, %v", verdict, err)
	}
}

func judgeHeaderBuild(t *testing.T, v vectortest.Vector) {
	in := inputOf(t, v)
	h := headerOf(in.Realm, in.Params)
	vectortest.Same(t, "header", h.String(), want(t, v))
	back, err := signature.ParseHeader(h.String())
	if err != nil || !slices.Equal(plain(back.Params), plain(h.Params)) || (back.Realm == nil) != (h.Realm == nil) || h.Realm != nil && *back.Realm != *h.Realm || back.Unescaped != nil {
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
	_, _, err := signature.LoadPublicKey([]byte(in.File), signature.KeyRules{})
	f, _ := errors.AsType[ledger.Finding](err)
	if (err == nil) != (want.Code == "") || f.Code != want.Code {
		t.Errorf("%v, want %s", err, want.Code)
	}
}
