package signature

import (
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// resolved is a request under a profile: read, checked, and split into what may be signed.
type resolved struct {
	method   string
	url      base.URL
	body     []pair // decoded body parameters, none if the body is not signed
	query    []pair
	form     bool // the body is a form
	unsigned bool // there is a body that is not signed
	findings ledger.Findings
}

func (out *resolved) read(r *requestData, p *readings) *fault {
	var err *fault
	if out.method, err = signedMethod(r.method, p); err != nil {
		return err
	}
	if err = splitURL(&out.url, r.url, p); err != nil {
		return err
	}
	out.findings = urlFindings(&out.url)
	if p.signQuery {
		if out.query, err = parseForm(out.url.Query, partURL); err != nil {
			err.Place.Offset += int64(strings.IndexByte(r.url, '?') + 1)
			return err.locate(r.url)
		}
		if _, sent := valueOf(out.query, nameSignature); sent {
			out.findings = append(out.findings, about(found(OAuthUnknown, partURL,
				"the query has the parameter oauth_signature, which is left out of what is signed", "send the signature in the header only"), nameSignature))
		}
	}
	return out.readBody(r, p)
}

// signedMethod returns the method as it is signed (5.2.5, L59).
func signedMethod(method string, p *readings) (string, *fault) {
	switch {
	case method == "" || method == "POST":
		return "POST", nil
	case !p.anyMethod:
		return "", newFault(MethodNotPost, partMethod, "", "")
	}
	for i := range len(method) {
		if !isToken(method[i]) {
			return "", faultAt(MethodForm, partMethod, i, "", "").locate(method)
		}
	}
	return strings.ToUpper(method), nil
}

// isToken reports whether c may be in a token of HTTP.
func isToken(c byte) bool {
	return c < 0x80 && (base.Unreserved(c) || strings.IndexByte("!#$%&'*+^`|", c) >= 0)
}

func (out *resolved) readBody(r *requestData, p *readings) *fault {
	if !r.wire {
		out.form = true
		out.body = r.params
		return nil
	}
	media, parameters := mediaType(r.contentType)
	out.form = strings.EqualFold(media, formType)
	if parameters && out.form {
		out.note(ContentTypeCharset, partRequest)
	}
	if media == "" && r.body != "" {
		out.form = !p.otherBodies
		out.note(ContentTypeMissing, partRequest)
	}
	switch {
	case out.form:
		return out.readForm(r.body)
	case media != "" && !p.otherBodies:
		return newFault(ContentType, partBody, "", "")
	}
	out.unsigned = r.body != ""
	return nil
}

func (out *resolved) note(code ledger.Code, part string) {
	out.findings = append(out.findings, found(code, part, "", ""))
}

func (out *resolved) readForm(body string) *fault {
	if strings.Contains(body, "+") {
		out.note(FormPlus, partBody)
	}
	var err *fault
	out.body, err = parseForm(body, partBody)
	return err.locate(body)
}

// mediaType cuts a content type at its parameters.
func mediaType(contentType string) (media string, parameters bool) {
	media, _, parameters = strings.Cut(contentType, ";")
	return strings.Trim(media, " \t"), parameters
}

// bodyFindings returns what the body holds beside one payload (4.1, L60, 5.1). OAuth parameters
// are reported only if they are not among the five.
func (out *resolved) bodyFindings() ledger.Findings {
	payloads, signatures, unknown, extra := 0, 0, 0, 0
	for i := range out.body {
		switch name := out.body[i].Name; {
		case name == namePayload:
			payloads++
		case name == nameSignature:
			signatures++
		case isFive(name):
		case strings.HasPrefix(name, oauthPrefix):
			unknown++
		default:
			extra++
		}
	}
	var list ledger.Findings
	if signatures > 0 {
		f := about(found(SignatureInBody, partBody, "the body has the parameter oauth_signature, which is left out of what is signed", "send the signature in the header only"), nameSignature)
		f.Severity = warn
		list = append(list, f)
	}
	if unknown > 0 {
		list = append(list, found(OAuthUnknown, partBody, "", ""))
	}
	if payloads > 1 {
		list = append(list, about(found(ParameterDuplicate, partBody, "", ""), namePayload))
	}
	if extra > 0 {
		list = append(list, found(ParameterExtra, partBody, "", ""))
	}
	return list
}

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
