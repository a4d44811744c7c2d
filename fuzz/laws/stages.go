package laws

import (
	"encoding/base64"
	"slices"
	"strings"
	"sync"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/internal/testkeys"
)

// key is the case's HMAC key.
func key(c gen.SignCase) SignKey {
	return SignKey{Method: "HMAC-SHA1", Secret: c.Secret, TokenSecret: c.Token}
}

// signedRequest is the case's request with a header.
func signedRequest(c gen.SignCase, h SignHeader) gen.SignRequest {
	r := c.Request()
	r.Authorization = h.String()
	return r
}

// String is the header as the oracle writes it.
func (h SignHeader) String() string { return oracle.HeaderText(h.Realm, h.Params...) }

// rightHeader is a header with the right signature, in order of name.
func rightHeader(c gen.SignCase) SignHeader {
	return headerWith(c, stages(c).Signature())
}

func headerWith(c gen.SignCase, text string) SignHeader {
	params := append(c.OAuth("HMAC-SHA1"), gen.Pair{Name: "oauth_signature", Value: text})
	slices.SortFunc(params, func(a, b gen.Pair) int { return strings.Compare(a.Name, b.Name) })
	return SignHeader{Realm: c.Realm, Params: params}
}

// A caseKey is a key that a case is signed with, and what the oracle signs with it.
type caseKey struct {
	SignKey

	sum func(base string) []byte
}

// hmacKey is the case's own key.
func hmacKey(c gen.SignCase) caseKey {
	return caseKey{key(c), func(base string) []byte { return oracle.HMACSHA1(stages(c).Key, base) }}
}

// rsaKeyOf is one of the RSA keys for tests: in every fourth case the long one, which takes four times as long to sign.
func rsaKeyOf(c gen.SignCase) caseKey {
	file := testkeys.PKCS1
	if c.Pick>>32%4 == 0 {
		file = testkeys.Long
	}
	return caseKey{rsaKey(file), func(base string) []byte { return rsaSum(file, base) }}
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

// stages are the oracle's of the case under HMAC-SHA1.
func stages(c gen.SignCase) oracle.Stages { return c.Oracle("HMAC-SHA1").Stages() }

// baseUnder is the oracle's base string of the case under a signature method.
func baseUnder(c gen.SignCase, method string) string { return c.Oracle(method).Stages().Base() }

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

// rsaKey is the test key in one of its forms: the private key for signing, which serves to verify
// too.
func rsaKey(pem string) SignKey { return SignKey{Method: "RSA-SHA256", PEM: pem} }

// rsaSum is the signature of a base string with a key for tests.
func rsaSum(file, base string) []byte {
	sum, err := oracle.SignRSA(file, base)
	if err != nil {
		panic(err)
	}
	return sum
}

func pairValue(list []gen.Pair, name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

func signatureText(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) }

// mistakes are those that the oracle can make.
var mistakes = sync.OnceValue(oracle.Mistakes)

// mistaken are the stages of the case with some mistakes made, one after the other.
func mistaken(c gen.SignCase, made ...oracle.Mistake) oracle.Stages {
	r := c.Oracle("HMAC-SHA1")
	s := r.Stages()
	for _, m := range made {
		m.Make(r, &s)
	}
	return s
}
