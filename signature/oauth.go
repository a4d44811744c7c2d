package signature

import (
	"strings"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// The names of the OAuth parameters (5.1), and of the parameters beside them.
const (
	oauthPrefix         = base.Prefix
	nameConsumerKey     = base.ConsumerKey
	nameNonce           = base.Nonce
	nameSignature       = base.Signature
	nameSignatureMethod = base.SignatureMethod
	nameTimestamp       = base.Timestamp
	nameVersion         = base.Version
	nameRealm           = base.Realm
	namePayload         = base.Payload
)

func isFive(name string) bool { return base.IsFive(name) }

// signedOAuth reports whether a header parameter is signed: never the signature, never realm (5.1,
// L62).
func signedOAuth(name string, p *readings) bool {
	if !p.allOAuth {
		return isFive(name)
	}
	return name != nameSignature && strings.HasPrefix(name, oauthPrefix)
}

// collect hands over everything that is signed: OAuth parameters of the header, body, query; the one answer to what is
// signed, for all who sign, verify, show or explain. place counts the parameters of a source as they were sent, from 1.
// oauth_signature is left out wherever it is (5.1; RFC 5849, 3.4.1.3.1).
func (in *resolved) collect(oauth []pair, p *readings, add func(one pair, from base.Source, place int)) *fault {
	for i := range oauth {
		if signedOAuth(oauth[i].Name, p) {
			add(oauth[i], base.OAuth, i+1)
		}
	}
	var seen copies
	for i := range in.body {
		counts, err := seen.counts(in.body[i], oauth)
		if err != nil {
			return err
		}
		if counts {
			add(in.body[i], base.Body, i+1)
		}
	}
	for i := range in.query {
		if in.query[i].Name != nameSignature {
			add(in.query[i], base.Query, i+1)
		}
	}
	return nil
}

// signed appends everything that is signed to dst, in order (5.2.3).
func (in *resolved) signed(dst, oauth []pair, p *readings) ([]pair, *fault) {
	failed := in.collect(oauth, p, func(one pair, _ base.Source, _ int) { dst = append(dst, one) })
	base.Sort(dst)
	return dst, failed
}

// appendBase appends the base string of the request and its sorted parameters (5.2.5).
func (in *resolved) appendBase(dst []byte, params []pair) []byte {
	return base.Append(dst, in.method, &in.url, params)
}

// hashBase hashes that base string as it is made.
func (in *resolved) hashBase(h *hasher, params []pair) {
	base.Hash(h.Hash, h.text, in.method, &in.url, params)
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
