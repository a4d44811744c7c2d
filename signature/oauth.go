package signature

import "strings"

const oauthPrefix = "oauth_"

// The names of the OAuth parameters (5.1), and of the parameters beside them.
const (
	nameConsumerKey     = "oauth_consumer_key"
	nameNonce           = "oauth_nonce"
	nameSignature       = "oauth_signature"
	nameSignatureMethod = "oauth_signature_method"
	nameTimestamp       = "oauth_timestamp"
	nameVersion         = "oauth_version"
	nameToken           = "oauth_token"
	nameRealm           = "realm"
	namePayload         = "payload"
)

// isFive reports whether name is one of the five OAuth parameters that are signed (5.1).
func isFive(name string) bool {
	switch name {
	case nameConsumerKey, nameNonce, nameSignatureMethod, nameTimestamp, nameVersion:
		return true
	}
	return false
}

// signedOAuth reports whether a header parameter is signed: never the signature, never realm (5.1,
// L62).
func signedOAuth(name string, p *readings) bool {
	if !p.allOAuth {
		return isFive(name)
	}
	return name != nameSignature && strings.HasPrefix(name, oauthPrefix)
}

// appendSigned appends all that is signed to dst, the OAuth parameters of the header first: they
// are in order already.
func (out *resolved) appendSigned(dst, oauth []pair, p *readings) ([]pair, *fault) {
	for i := range oauth {
		if signedOAuth(oauth[i].Name, p) {
			dst = append(dst, oauth[i])
		}
	}
	return out.appendOthers(dst, oauth)
}

// appendOthers is appendSigned without the OAuth parameters of the header, which dst has already.
// oauth_signature is left out wherever it is (5.1; RFC 5849, 3.4.1.3.1).
func (out *resolved) appendOthers(dst, oauth []pair) ([]pair, *fault) {
	var seen copies
	for i := range out.body {
		counts, err := seen.counts(out.body[i], oauth)
		if err != nil {
			return dst, err
		}
		if counts {
			dst = append(dst, out.body[i])
		}
	}
	for i := range out.query {
		if out.query[i].Name != nameSignature {
			dst = append(dst, out.query[i])
		}
	}
	return dst, nil
}

// copies are the OAuth parameters of a body that were read so far. An OAuth parameter that is in
// the body as well as in the header, or in the body twice, counts once; with another value it is
// an error (X12, L61).
type copies map[string]string

// counts reports whether a parameter of the body is signed, after those before it. oauth are the
// parameters of the header, which has at most 64.
func (c *copies) counts(p pair, oauth []pair) (bool, *fault) {
	if !strings.HasPrefix(p.Name, oauthPrefix) {
		return true, nil
	}
	if p.Name == nameSignature {
		return false, nil
	}
	value, copied := valueOf(oauth, p.Name)
	if !copied {
		value, copied = (*c)[p.Name]
	}
	switch {
	case !copied:
		if *c == nil {
			*c = copies{}
		}
		(*c)[p.Name] = p.Value
		return true, nil
	case value != p.Value:
		f := fault(about(found(OAuthConflict, partBody, "", ""), p.Name))
		if !isFive(p.Name) {
			f.Kind, f.Subject = 0, "" // a name that the sender made up
		}
		return false, &f
	}
	return false, nil
}

// valueOf returns the value of the first pair of a name.
func valueOf(pairs []pair, name string) (string, bool) {
	for i := range pairs {
		if pairs[i].Name == name {
			return pairs[i].Value, true
		}
	}
	return "", false
}
