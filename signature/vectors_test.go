package signature_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// A signingVector is a vector whose op is one of this package.
type signingVector struct {
	vector.Vector
	Inputs vectorInputs
}

type vectorInputs struct {
	Text           *string     `json:"text"`
	Hex            *string     `json:"hex"`
	Form           string      `json:"form"`
	URL            string      `json:"url"`
	Method         string      `json:"method"`
	Params         [][2]string `json:"params"`
	BodyParams     [][2]string `json:"body_params"`
	OAuthParams    [][2]string `json:"oauth_params"`
	Body           *string     `json:"body"`
	ContentType    string      `json:"content_type"`
	BaseString     string      `json:"base_string"`
	ConsumerSecret string      `json:"consumer_secret"`
	TokenSecret    string      `json:"token_secret"`
	PublicKey      string      `json:"public_key_pem"`
	Signature      string      `json:"signature"`
	Header         string      `json:"header"`
	Authorization  string      `json:"authorization"`
	Profile        string      `json:"profile"`
	File           string      `json:"file"`
	Realm          *string     `json:"realm"`
	Order          string      `json:"order"`
}

// judges are the ops of this package; a vector of another op is judged elsewhere.
func judges() map[string]func(*testing.T, signingVector) {
	return map[string]func(*testing.T, signingVector){
		"encode": judgeEncode, "form": judgeForm, "base-uri": judgeURI, "base-string": judgeBase, "parameters": judgeParams,
		"hmac": judgeHMAC, "hmac-key": judgeSigningKey, "sign": judgeSignHMAC,
		"header-build": judgeHeaderBuild, "header-parse": judgeHeaderParse, "verify": judgeVerify, "key": judgeKey,
	}
}

// TestVectors runs every vector about signatures, published, derived or generated.
func TestVectors(t *testing.T) {
	seen := map[string]int{}
	for _, v := range readVectors(t) {
		seen[v.Op]++
		t.Run(v.ID, func(t *testing.T) { judges()[v.Op](t, v) })
	}
	for op := range judges() {
		if seen[op] == 0 {
			t.Errorf("no vector has the op %s", op)
		}
	}
}

func readVectors(t *testing.T) []signingVector {
	t.Helper()
	all, err := vector.All()
	if err != nil {
		t.Fatal(err)
	}
	var out []signingVector
	for _, v := range all {
		if judges()[v.Op] == nil {
			continue
		}
		in, err := vector.Decode[vectorInputs](v.Input)
		if err != nil {
			t.Fatal(v.ID, err)
		}
		out = append(out, signingVector{v, in})
	}
	return out
}

// refused compares an error with an expected refusal: its code and place where they are given.
func (v signingVector) refused(t *testing.T, err error) {
	t.Helper()
	var want struct {
		Code   string
		Offset *int64
	}
	if err := json.Unmarshal(v.Expect, &want); err != nil {
		t.Fatal(err)
	}
	f, _ := errors.AsType[ledger.Finding](err)
	if err == nil || want.Code != "" && string(f.Code) != want.Code || want.Offset != nil && f.Place.Offset != *want.Offset {
		t.Errorf("%v at %d, want %s", err, f.Place.Offset, v.Expect)
	}
}

func (v signingVector) want(t *testing.T) string {
	t.Helper()
	var s string
	if err := json.Unmarshal(v.Expect, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func params(pairs [][2]string) []param {
	var out []param
	for _, p := range pairs {
		out = append(out, param{Name: p[0], Value: p[1]})
	}
	return out
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}

func judgeEncode(t *testing.T, v signingVector) {
	var raw []byte
	if v.Inputs.Text != nil {
		raw = []byte(*v.Inputs.Text)
	} else {
		raw, _ = hex.DecodeString(*v.Inputs.Hex)
	}
	check(t, "encoding", string(signature.AppendEncode(nil, raw)), v.want(t))
	check(t, "Encode", signature.Encode(string(raw)), v.want(t))
	check(t, "twice", string(signature.AppendEncodeTwice(nil, raw)), signature.Encode(v.want(t)))
	back, err := signature.Decode(v.want(t))
	if err != nil || back != string(raw) {
		t.Errorf("decoding: %q, %v", back, err)
	}
}

func judgeForm(t *testing.T, v signingVector) {
	list, err := signature.ParseForm(v.Inputs.Form)
	if v.Verdict == vector.Invalid {
		v.refused(t, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	check(t, "normalised", signature.NormalizedParameters(list), v.want(t))
}

func judgeURI(t *testing.T, v signingVector) {
	got, err := signature.BaseURI(v.Inputs.URL, signature.ProfileRFC5849)
	if v.Verdict == vector.Invalid {
		_, err2 := signature.BaseURI(v.Inputs.URL, signature.ProfileGateway)
		v.refused(t, err2)
		if v.Inputs.Profile == "" && err == nil { // of both profiles
			t.Errorf("rfc5849 accepts it as %q", got)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	check(t, "base URI", got, v.want(t))
	again, err := signature.BaseURI(got, signature.ProfileRFC5849)
	if err != nil || again != got {
		t.Errorf("twice: %q, %v", again, err)
	}
}

// split sorts the vectors' one list into body and OAuth parameters.
func split(list []param) (body, oauth []param) {
	for _, p := range list {
		if strings.HasPrefix(p.Name, "oauth_") {
			oauth = append(oauth, p)
		} else {
			body = append(body, p)
		}
	}
	return body, oauth
}

func baseOf(t *testing.T, in vectorInputs) string {
	t.Helper()
	body, oauth := split(params(in.Params))
	got, err := baseString(req{Method: in.Method, URL: in.URL, Params: body}, oauth, signature.ProfileRFC5849)
	if err != nil {
		t.Fatal(err)
	}
	inBody, err := baseString(req{Method: in.Method, URL: in.URL, Params: params(in.Params)}, oauth, signature.ProfileRFC5849)
	if err != nil || inBody != got {
		t.Errorf("OAuth parameters in the body as well: %q, %v", inBody, err)
	}
	return got
}

func judgeBase(t *testing.T, v signingVector) {
	check(t, "base string", baseOf(t, v.Inputs), v.want(t))
}

func judgeParams(t *testing.T, v signingVector) {
	check(t, "parameters", signature.NormalizedParameters(paramsOf(params(v.Inputs.Params))), v.want(t))
}

func secretOf(t *testing.T, in vectorInputs) *signature.Secret {
	t.Helper()
	s, err := signature.NewSecret(in.ConsumerSecret, in.TokenSecret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func judgeHMAC(t *testing.T, v signingVector) {
	check(t, "signature", signedBase(t, secretOf(t, v.Inputs), v.Inputs.BaseString), v.want(t))
}

func judgeSigningKey(t *testing.T, v signingVector) {
	in := v.Inputs
	check(t, "key", signature.HMACKey(secretOf(t, in)), v.want(t))
}

func judgeSignHMAC(t *testing.T, v signingVector) {
	var want struct {
		BaseString string `json:"base_string"`
		Signature  string `json:"signature"`
	}
	if err := json.Unmarshal(v.Expect, &want); err != nil {
		t.Fatal(err)
	}
	base := baseOf(t, v.Inputs)
	check(t, "base string", base, want.BaseString)
	key := secretOf(t, v.Inputs)
	check(t, "signature", signedBase(t, key, base), want.Signature)
	body, oauth := split(params(v.Inputs.Params))
	header := headerOf(nil, append(oauth, param{Name: "oauth_signature", Value: want.Signature}))
	verdict, err := verify(req{Method: v.Inputs.Method, URL: v.Inputs.URL, Params: body}, header.String(), key, signature.Options{Profile: signature.ProfileRFC5849})
	if err != nil || verdict.Signature != signature.VerdictOK {
		t.Errorf("verify: %+v, %v", verdict, err)
	}
}

func judgeHeaderBuild(t *testing.T, v signingVector) {
	h := headerOf(v.Inputs.Realm, params(v.Inputs.Params))
	check(t, "header", h.String(), v.want(t))
	back, err := signature.ParseHeader(h.String())
	if err != nil || !slices.Equal(plain(back.Params), plain(h.Params)) || (back.Realm == nil) != (h.Realm == nil) || h.Realm != nil && *back.Realm != *h.Realm || back.Unescaped != nil {
		t.Errorf("parsed again: %v, %v", back, err)
	}
}

func judgeHeaderParse(t *testing.T, v signingVector) {
	h, err := signature.ParseHeader(v.Inputs.Header)
	if v.Verdict == vector.Invalid {
		v.refused(t, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var pairs [][2]string
	if err := json.Unmarshal(v.Expect, &pairs); err != nil {
		t.Fatal(err)
	}
	want, realm := params(pairs), (*string)(nil)
	for i, p := range want {
		if p.Name == "realm" {
			realm, want = &p.Value, slices.Delete(slices.Clone(want), i, i+1)
			break
		}
	}
	if !slices.Equal(plain(h.Params), want) || (h.Realm == nil) != (realm == nil) || realm != nil && *realm != *h.Realm {
		t.Errorf("got %v %v", h.Realm, h.Params)
	}
}

func judgeVerify(t *testing.T, v signingVector) {
	var want struct {
		Signature, Code string
		Refused         bool
	}
	if err := json.Unmarshal(v.Expect, &want); err != nil {
		t.Fatal(err)
	}
	r := req{Method: v.Inputs.Method, URL: v.Inputs.URL, ContentType: formType, Body: []byte(*v.Inputs.Body)}
	got, err := verify(r, v.Inputs.Authorization, keyOf(t, v.Inputs), signature.Options{})
	if got.Signature.String() != want.Signature || (err == nil) != (want.Signature == "ok" && !want.Refused) {
		t.Errorf("%v, %v; want %s", got.Signature, err, want.Signature)
	}
	if want.Code != "" && !slices.Contains(codesOf(got.Findings), ledger.Code(want.Code)) {
		t.Errorf("%v, want %s among the findings", got.Findings, want.Code)
	}
}

func judgeKey(t *testing.T, v signingVector) {
	var want struct{ Code ledger.Code }
	if err := json.Unmarshal(v.Expect, &want); err != nil {
		t.Fatal(err)
	}
	_, _, err := signature.LoadPublicKey([]byte(v.Inputs.File), signature.KeyRules{})
	f, _ := errors.AsType[ledger.Finding](err)
	if (err == nil) != (want.Code == "") || f.Code != want.Code {
		t.Errorf("%v, want %s", err, want.Code)
	}
}

func keyOf(t *testing.T, in vectorInputs) signature.VerifyingKey {
	t.Helper()
	if in.PublicKey == "" {
		return secretOf(t, in)
	}
	public, _, err := signature.LoadPublicKey([]byte(in.PublicKey), signature.KeyRules{})
	if err != nil {
		t.Fatal(err)
	}
	return public
}
