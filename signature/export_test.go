package signature

import (
	"encoding/base64"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// What the tests see of the inside.

// HMACKey returns the text of the key; users never see it.
func HMACKey(s *Secret) string {
	consumer, token := s.Texts(base.Open())
	return Encode(consumer) + "&" + Encode(token)
}

// BaseURI returns the second element of a base string before its encoding.
func BaseURI(raw string, p Profile) (string, error) {
	var u base.URL
	if err := splitURL(&u, raw, &profiles[p]); err != nil {
		return "", err.err()
	}
	return Decode(string(u.AppendEncoded(nil)))
}

// BaseString returns the base string of a request and the OAuth parameters of its header.
func BaseString(r Request, oauth []Param, p Profile) (string, error) {
	in := new(resolved)
	if err := in.read(r.data(), &profiles[p]); err != nil {
		return "", err.err()
	}
	params, err := in.signed(nil, pairsOf(oauth), &profiles[p])
	if err != nil {
		return "", err.err()
	}
	return string(in.appendBase(nil, params)), nil
}

// NormalizedParameters returns the third element of a base string before its encoding.
func NormalizedParameters(params []Param) string {
	pairs := pairsOf(params)
	base.Sort(pairs)
	return string(base.AppendForm(nil, pairs))
}

// AppendEncode and AppendEncodeTwice are the encoders of the inside.
func AppendEncode(dst, src []byte) []byte { return base.AppendEncoded(dst, src) }

// AppendEncodeTwice encodes twice in one pass.
func AppendEncodeTwice(dst, src []byte) []byte { return base.AppendTwice(dst, src) }

// SignBase signs a ready base string.
func SignBase(key SigningKey, base string) (string, error) {
	h := key.hasher()
	defer h.done()
	_, _ = h.Write([]byte(base))
	raw, err := key.sign(h.sum())
	if err != nil {
		return "", err.err()
	}
	return base64.StdEncoding.EncodeToString(raw), nil
}

// VerifyBase verifies the signature of a ready base string.
func VerifyBase(key VerifyingKey, base string, raw []byte) bool {
	h := key.hasher()
	defer h.done()
	_, _ = h.Write([]byte(base))
	return key.verify(h.sum(), raw)
}
