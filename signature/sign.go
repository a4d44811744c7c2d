package signature

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// OAuth is what a caller chooses for one signature (5.1). Version and signature method are not
// chosen: they are 1.0 and the key's.
type OAuth struct {
	ConsumerKey string  // the merchant login
	Nonce       string  // new for each request; see [Nonce]
	Timestamp   string  // seconds since 1970; see [Timestamp]
	Realm       *string // nil leaves it out; it is never signed (L62)
	InBody      bool    // the OAuth parameters are sent in the body as well (5.5.5); what is signed is the same (X12)
}

// Sign signs a request (5.2, 5.3, 5.5) and returns it with its Authorization header, and with the
// OAuth parameters in its body if o.InBody is set. The findings are warnings about the request and
// the key. What [Verify] would refuse is an error, with a code such as [OAuthMissing],
// [TimestampSyntax], [URLQuery], [ContentType] or [KeyMissing]: what is signed verifies. With an
// error there is no request, and the findings are all that is wrong.
func Sign(r Request, o OAuth, key SigningKey) (Request, ledger.Findings, error) {
	signed, findings, err := sign(r.data(), &o, key)
	if err != nil {
		return Request{}, findings, err
	}
	return signed, findings, nil
}

// Enough for most headers, and for base64 of most signatures.
const (
	usualHeader    = 512
	usualSignature = 512
)

func sign(d *requestData, o *OAuth, key SigningKey) (Request, ledger.Findings, error) {
	if err := checkKey(key); err != nil {
		return refused(nil, err)
	}
	five := o.params(key.SignatureMethod())
	findings, err := o.check(five)
	if err != nil {
		return refused(nil, err)
	}
	parts, err := d.read()
	if err != nil {
		return refused(findingsOf(parts.Problems), err)
	}
	findings = slices.Concat(findingsOf(parts.Problems), findings, key.Findings())
	params, problem := parts.Signed(five)
	switch {
	case problem != nil:
		return refused(findings, findingOf(problem))
	case findings.Err() != nil:
		return Request{}, findings, findings.Err()
	}
	h := key.newHash()
	base.Hash(h, "POST", parts.URL.URI(), params)
	raw, err := key.sign(h.Sum(nil))
	if err != nil {
		return refused(findings, err)
	}
	text := string(base64.StdEncoding.AppendEncode(make([]byte, 0, usualSignature), raw))
	out := *d
	if o.InBody {
		out.contentType, out.body = bodyWith(d, parts.Body, five)
	}
	const beforeMethod = 2 // in order of name
	header := base.AppendHeader(make([]byte, 0, usualHeader), o.Realm, slices.Insert(five, beforeMethod, pair{Name: base.Signature, Value: text}))
	if len(header) > base.MaxHeaderBytes {
		return refused(findings, found(LimitHeader, base.PartHeader, "the header has more than 8192 bytes", "shorten it"))
	}
	out.authorization = string(header)
	return Request{base.Hide(out)}, findings, nil
}

// refused returns the findings that end a signing.
func refused(findings ledger.Findings, err error) (Request, ledger.Findings, error) {
	if f, ok := err.(ledger.Finding); ok {
		findings = append(findings, f)
	}
	return Request{}, findings, err
}

// bodyWith returns content type and body with those of the OAuth parameters that are not in the
// body yet (5.5.5).
func bodyWith(d *requestData, body, five []pair) (contentType, text string) {
	contentType, text = d.contentType, d.body
	if contentType == "" {
		contentType = base.FormType
	}
	for _, one := range five {
		if _, sent := base.Value(body, one.Name); sent {
			continue
		}
		if text != "" {
			text += "&"
		}
		text += string(base.AppendForm(nil, []pair{one}))
	}
	return contentType, text
}

// check judges what was chosen; five are the parameters of it.
func (o *OAuth) check(five []pair) (ledger.Findings, error) {
	for _, required := range five {
		if required.Value == "" {
			return nil, missingParameter(required.Name)
		}
	}
	if o.Realm != nil && strings.ContainsFunc(*o.Realm, func(c rune) bool { return c < 0x80 && base.IsControl(byte(c)) }) {
		return nil, found(HeaderSyntax, base.PartHeader, "realm has a control character", "leave realm out: it is optional")
	}
	seconds, findings := readTimestamp(o.Timestamp)
	if seconds == 0 {
		return nil, findings[0]
	}
	return findings, nil
}

// params returns the OAuth parameters that are signed, in order of name.
func (o *OAuth) params(method Method) []pair {
	const withSignature = 6
	return append(make([]pair, 0, withSignature), pair{Name: base.ConsumerKey, Value: o.ConsumerKey}, pair{Name: base.Nonce, Value: o.Nonce},
		pair{Name: base.SignatureMethod, Value: method.String()}, pair{Name: base.Timestamp, Value: o.Timestamp}, pair{Name: base.Version, Value: "1.0"})
}

// BaseString returns the base string of a request (5.2; RFC 5849, 3.4.1), of any service that signs
// so: the method, in upper case, the URL and all parameters given, oauth_signature and realm too.
// Nothing is collected from elsewhere. Scheme and host of the URL are signed in lower case, a
// default port is dropped, and an empty path is / (L58). The error has the code [MethodForm] for
// what is not a method, [URLForm] or [URLPort] for what is not an absolute http or https URL, and
// [URLQuery], [URLFragment] or [URLUserinfo] for a URL with one of these.
func BaseString(method, uri string, params []Param) (string, error) {
	for i := range len(method) {
		if !base.IsToken(method[i]) {
			return "", located(&base.Problem{Code: MethodForm, Part: base.PartMethod, Offset: i}, method)
		}
	}
	if method == "" {
		return "", found(MethodForm, base.PartMethod, "the HTTP method is empty", "")
	}
	u, problem := base.ParseURL(uri)
	if problem == nil {
		problem = u.CheckExtras()
	}
	if problem != nil {
		return "", located(problem, uri)
	}
	pairs := pairsOf(params)
	base.Sort(pairs)
	return string(base.Append(make([]byte, 0, 2<<10), strings.ToUpper(method), u.URI(), pairs)), nil
}
