package signature

import "encoding/base64"

// What the tests see of the inside.

// HMACKey returns the text of the key; users never see it.
func HMACKey(s *Secret) string { return s.wrongKey(keyRight) }

// BaseURI returns the second element of a base string before its encoding.
func BaseURI(raw string, p Profile) (string, error) {
	var u urlParts
	err := u.split(raw)
	if err == nil {
		err = u.check(&profiles[p])
	}
	if err != nil {
		return "", err.locate(raw).err()
	}
	return Decode(string(u.appendBaseURI(nil)))
}

// BaseString returns the base string of a request and the OAuth parameters of its header.
func BaseString(r Request, oauth []Param, p Profile) (string, error) {
	in := new(resolved)
	if err := in.read(r.data(), &profiles[p]); err != nil {
		return "", err.err()
	}
	params, err := in.appendSigned(nil, pairsOf(oauth), &profiles[p])
	if err != nil {
		return "", err.err()
	}
	sortPairs(params)
	return string(appendBase(nil, in.method, &in.url, params)), nil
}

// NormalizedParameters returns the third element of a base string before its encoding.
func NormalizedParameters(params []Param) string {
	pairs := pairsOf(params)
	sortPairs(pairs)
	return string(appendForm(nil, pairs))
}

// AppendEncode and AppendEncodeTwice are the encoders of the inside.
func AppendEncode(dst, src []byte) []byte { return appendEncoded(dst, src) }

// AppendEncodeTwice encodes twice in one pass.
func AppendEncodeTwice(dst, src []byte) []byte { return appendEncodedTwice(dst, src) }

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
