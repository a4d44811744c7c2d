package laws

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

func made(r gen.SignRequest) (signature.Request, signature.Profile) {
	var p signature.Profile
	if p.UnmarshalText([]byte(r.Profile)) != nil {
		p = 255
	}
	return signature.NewRequest(r.Method, r.URL).WithParams(paramsOf(r.Params)...).WithAuthorization(r.Authorization), p
}

func paramsOf(pairs []gen.Pair) []signature.Param {
	list := make([]signature.Param, len(pairs))
	for i, p := range pairs {
		list[i] = signature.NewParam(p.Name, p.Value)
	}
	return list
}

// pairsOf are parameters of the library in the words of the kit.
func pairsOf(params []signature.Param) []gen.Pair {
	var list []gen.Pair
	for _, p := range params {
		list = append(list, gen.Pair{Name: p.Name(), Value: p.Value()})
	}
	return list
}

// A keyring loads each key once: checking an RSA key takes longer than signing with it.
type keyring struct{ private, public sync.Map } // by the text of the PEM

func (ring *keyring) signing(k SignKey) (signature.SigningKey, error) {
	if k.Method == "HMAC-SHA1" {
		return signature.NewSecret(k.Secret, k.TokenSecret)
	}
	if key, ok := ring.private.Load(k.PEM); ok {
		return key.(signature.SigningKey), nil
	}
	key, _, err := signature.LoadPrivateKey([]byte(k.PEM), signature.KeyRules{})
	if err != nil {
		return nil, err
	}
	ring.private.Store(k.PEM, key)
	return key, nil
}

func (ring *keyring) verifying(k SignKey) (signature.VerifyingKey, error) {
	if k.Method == "HMAC-SHA1" {
		return signature.NewSecret(k.Secret, k.TokenSecret)
	}
	if key, ok := ring.public.Load(k.PEM); ok {
		return key.(signature.VerifyingKey), nil
	}
	key, _, err := signature.LoadPublicKey([]byte(k.PEM), signature.KeyRules{})
	if err != nil {
		return nil, err
	}
	ring.public.Store(k.PEM, key)
	return key, nil
}

func ourSignatures() SignatureImpl {
	ring := new(keyring)
	return SignatureImpl{
		Encode: signature.Encode, Decode: signature.Decode, BaseString: ourBaseString,
		FormatHeader: func(h SignHeader) string {
			return signature.Header{Realm: h.Realm, Params: paramsOf(h.Params)}.String()
		},
		ParseHeader: func(text string) (SignHeader, error) {
			h, err := signature.ParseHeader(text)
			return SignHeader{h.Realm, pairsOf(h.Params)}, err
		},
		Sign: ring.sign, Verify: ring.verify, Trace: ourTrace, Compare: diagnose.Compare, Diagnose: ring.diagnose, ShowSigned: ring.shown,
	}
}

// ourBaseString is the last stage of a trace: the library has no other door to a base string that
// is not signed.
func ourBaseString(r gen.SignRequest, oauth []gen.Pair) (string, error) {
	header := []byte("OAuth ")
	for i, p := range oauth {
		if i > 0 {
			header = append(header, ", "...)
		}
		header = append(append(append(append(header, signature.Encode(p.Name)...), `="`...), signature.Encode(p.Value)...), '"')
	}
	if len(oauth) == 0 {
		header = append(header, `realm=""`...)
	}
	r.Authorization = string(header)
	request, profile := made(r)
	trace, err := signature.NewTrace(request, profile)
	return trace.BaseString(), err
}

func (ring *keyring) sign(r gen.SignRequest, c gen.SignChoices, k SignKey) (string, error) {
	key, err := ring.signing(k)
	if err != nil {
		return "", err
	}
	request, p := made(r)
	signed, err := signature.Sign(request, signature.OAuth{ConsumerKey: c.ConsumerKey, Nonce: c.Nonce, Timestamp: c.Timestamp, Realm: c.Realm}, key, p)
	return signed.Authorization(), err
}

func (ring *keyring) verify(r gen.SignRequest, k SignKey, o SignOptions) SignVerdict {
	key, err := ring.verifying(k)
	if err != nil {
		return SignVerdict{Codes: []string{err.Error()}}
	}
	request, p := made(r)
	v, err := signature.Verify(request, key, signature.Options{Profile: p, Now: time.Unix(o.Now, 0), Window: time.Duration(o.Window) * time.Second, NonceMin: o.NonceMin, NonceMax: o.NonceMax})
	verdict := SignVerdict{Signature: v.Signature.String(), Acceptable: err == nil, Stale: v.Stale, Consumer: v.ConsumerKey, Codes: []string{}}
	for _, f := range v.Findings {
		verdict.Codes = append(verdict.Codes, string(f.Code))
	}
	if (v.Use == signature.Use{}) != (v.ConsumerKey == "") {
		verdict.Consumer += " without its use"
	}
	return verdict
}

func ourTrace(r gen.SignRequest) (SignTrace, error) {
	request, p := made(r)
	trace, err := signature.NewTrace(request, p)
	t := SignTrace{Collected: len(trace.Collected()), Parameters: trace.Parameters(), Method: trace.Method(), URI: trace.URI(), BaseString: trace.BaseString()}
	for _, param := range trace.Sorted() {
		t.Raw = append(t.Raw, gen.Pair{Name: param.Raw().Name(), Value: param.Raw().Value()})
		t.Encoded = append(t.Encoded, gen.Pair{Name: param.Encoded().Name(), Value: param.Encoded().Value()})
	}
	return t, err
}

func (ring *keyring) diagnose(r gen.SignRequest, k SignKey) SignDiagnosis {
	key, err := ring.verifying(k)
	if err != nil {
		return SignDiagnosis{Known: []string{err.Error()}}
	}
	request, p := made(r)
	d, _ := diagnose.Request(context.Background(), request, key, diagnose.Options{Verify: signature.Options{Profile: p}})
	out := SignDiagnosis{Match: d.Right, Causes: d.Causes, Known: slices.Concat(d.Known, d.NotTried)}
	for _, f := range d.Findings {
		out.Findings = append(out.Findings, f.Error())
	}
	return out
}

// shown renders every value of a signing by every verb of fmt, as JSON and in a log, alone and in
// an unexported field.
func (ring *keyring) shown(r gen.SignRequest, c gen.SignChoices, k SignKey) []string {
	key, err := ring.signing(k)
	if err != nil {
		return []string{err.Error()}
	}
	request, p := made(r)
	signed, signErr := signature.Sign(request, signature.OAuth{ConsumerKey: c.ConsumerKey, Nonce: c.Nonce, Timestamp: c.Timestamp, Realm: c.Realm}, key, p)
	trace, traceErr := signature.NewTrace(signed.Request(), p)
	wrong := signed.Request().WithURL(signed.Request().URL() + "/x")
	verifying, keyErr := ring.verifying(k)
	if private, ok := key.(*signature.PrivateKey); ok {
		verifying, keyErr = private.Public(), nil
	}
	v, verifyErr := signature.Verify(wrong, verifying, signature.Options{Profile: p, NonceMax: 1})
	values := []any{request, paramsOf(r.Params), signed, trace, trace.Sorted(), key, verifying, v, v.Findings, signErr, traceErr, keyErr, verifyErr}
	if secret, ok := key.(*signature.Secret); ok {
		values = append(values, *secret)
	} else if private, ok := key.(*signature.PrivateKey); ok {
		values = append(values, *private)
	}
	var shown []string
	for _, value := range values {
		type keeper struct{ v any }
		for _, kept := range [...]any{value, keeper{value}, &keeper{value}} {
			for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t", "%w"} {
				shown = append(shown, fmt.Sprintf(verb, kept))
			}
		}
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", value)
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", value)
		text, _ := json.Marshal(value)
		shown = append(shown, log.String(), string(text))
	}
	return shown
}
