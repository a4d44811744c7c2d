package signature

import (
	"encoding/base64"
	"strings"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// What the tests see of the inside.

// SecretKey returns the text of the key of HMAC; users never see it.
func SecretKey(k *HMACKey) string { return string(base.Open(k.secret).Key) }

// BaseURI returns the second element of a base string before its encoding.
func BaseURI(raw string) (string, error) {
	text, err := BaseString("POST", raw, nil)
	if err != nil {
		return "", err
	}
	return Decode(strings.Split(text, "&")[1])
}

// NormalizedParameters returns the third element of a base string before its encoding.
func NormalizedParameters(params []Param) string {
	text, err := BaseString("POST", "https://h/", params)
	if err != nil {
		return err.Error()
	}
	out, err := Decode(strings.Split(text, "&")[2])
	if err != nil {
		return err.Error()
	}
	return out
}

// SignBase signs a ready base string.
func SignBase(key SigningKey, base string) (string, error) {
	h := key.newHash()
	_, _ = h.Write([]byte(base))
	raw, err := key.sign(h.Sum(nil))
	return base64.StdEncoding.EncodeToString(raw), err
}

// VerifyBase verifies the signature of a ready base string.
func VerifyBase(key VerifyingKey, base string, raw []byte) bool {
	h := key.newHash()
	_, _ = h.Write([]byte(base))
	return key.verify(h.Sum(nil), raw)
}
