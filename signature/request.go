package signature

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Request is what is signed of an HTTP request. The body is given once: decoded as Params, or as Body, the bytes as
// sent, which wins when it is not nil.
type Request struct {
	Method      string  // the HTTP method; empty means POST
	URL         string  // the full URL, with scheme and host
	ContentType string  // of Body; empty means not given
	Params      []Param // decoded body parameters in the order of the body
	Body        []byte  // the body as sent
}

// Format prints method, and the sizes of all else: a body holds card numbers, a URL may hold a password.
func (r Request) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, "request{"+strconv.Itoa(len(r.URL))+" bytes of URL, "+strconv.Itoa(len(r.Params))+
		" parameters, "+strconv.Itoa(len(r.Body))+" bytes of body}")
}

// resolved is a request under a profile: read, checked, and split into what may be signed.
type resolved struct {
	method   string
	url      urlParts
	body     []Param // decoded body parameters, none where the body is not signed
	query    []Param
	form     bool // the body is a form
	findings []Finding
}

func (r *Request) resolve(p Profile) (*resolved, *Error) {
	out := new(resolved)
	err := out.read(r, p)
	return out, err
}

func (out *resolved) read(r *Request, p Profile) *Error {
	var err *Error
	if out.method, err = signedMethod(r.Method, p); err != nil {
		return err
	}
	if err = out.url.split(r.URL); err != nil {
		return err
	}
	if err = out.url.check(p); err != nil {
		return err
	}
	out.findings = out.url.findings()
	if p.Query == QueryCollected {
		if out.query, err = parseForm(out.url.query, PartURL); err != nil {
			err.Offset += strings.IndexByte(r.URL, '?') + 1
			return err
		}
	}
	return out.readBody(r, p)
}

// signedMethod gives the method as it is signed (5.2.5, L59).
func signedMethod(method string, p Profile) (string, *Error) {
	switch {
	case method == "" || method == "POST":
		return "POST", nil
	case p.Methods == PostOnly:
		return "", &Error{Code: MethodNotPost, Part: PartMethod, Offset: noOffset, Rule: "only POST is signed, in upper case",
			Remedy: "send a POST request", Clause: "L59"}
	}
	for i := range len(method) {
		if !isToken(method[i]) {
			return "", &Error{Code: MethodForm, Part: PartMethod, Offset: i, Rule: "a method is a word without spaces or separators"}
		}
	}
	return strings.ToUpper(method), nil
}

// isToken reports the characters of HTTP's token.
func isToken(c byte) bool {
	return c < 0x80 && (unreserved[c] != 0 || strings.IndexByte("!#$%&'*+^`|", c) >= 0)
}

func (out *resolved) readBody(r *Request, p Profile) *Error {
	if r.Body == nil {
		out.form = true
		out.body = r.Params
		return nil
	}
	media, charset := mediaType(r.ContentType)
	out.form = strings.EqualFold(media, FormType)
	switch {
	case charset:
		out.findings = append(out.findings, warning(ContentTypeCharset, "4.1", "the content type has parameters",
			"write "+FormType+" alone"))
	case media == "" && len(r.Body) > 0:
		out.form = p.Types == OtherTypesRefused
		out.findings = append(out.findings, warning(ContentTypeMissing, "4.1", "the request has no content type", "write "+FormType))
	}
	if !out.form {
		if p.Types == OtherTypesRefused && media != "" {
			return &Error{Code: ContentType, Part: PartBody, Offset: noOffset, Rule: "the body is not form-urlencoded",
				Remedy: "send it as " + FormType, Clause: "4.1"}
		}
		return nil
	}
	return out.readForm(string(r.Body), p)
}

func (out *resolved) readForm(body string, p Profile) *Error {
	if strings.Contains(body, "+") {
		out.findings = append(out.findings, warning(FormPlus, "L68", "the body has a plus sign, read as a space",
			"write a space as %20 and a plus sign as %2B"))
		if p.Plus == PlusLiteral {
			body = strings.ReplaceAll(body, "+", "%2B")
		}
	}
	var err *Error
	out.body, err = parseForm(body, PartBody)
	return err
}

// mediaType cuts a content type at its parameters.
func mediaType(contentType string) (media string, parameters bool) {
	media, _, parameters = strings.Cut(contentType, ";")
	return strings.Trim(media, " \t"), parameters
}

const oauthPrefix = "oauth_"

// The names of the OAuth parameters (5.1).
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

// isFive tells the five OAuth parameters that are signed (5.1).
func isFive(name string) bool {
	switch name {
	case nameConsumerKey, nameNonce, nameSignatureMethod, nameTimestamp, nameVersion:
		return true
	}
	return false
}

// signedOAuth says whether a header parameter belongs to the signed set: never the signature, never realm (5.1, L62).
func signedOAuth(name string, p Profile) bool {
	if p.OAuth == ExactlyFive {
		return isFive(name)
	}
	return name != nameSignature && strings.HasPrefix(name, oauthPrefix)
}

// appendSigned appends all that is signed to dst. The OAuth parameters come first: they are in order already. An OAuth parameter that
// stands in the body as well counts once, with another value it is an error (X12, L61); oauth_signature never counts.
func (out *resolved) appendSigned(dst, oauth []Param, p Profile) ([]Param, *Error) {
	for _, param := range oauth {
		if signedOAuth(param.Name, p) {
			dst = append(dst, param)
		}
	}
	start := len(dst)
	for _, param := range out.body {
		if !strings.HasPrefix(param.Name, oauthPrefix) {
			dst = append(dst, param)
			continue
		}
		if param.Name == nameSignature {
			continue
		}
		copied, err := repeatsOAuth(param, dst[start:], oauth)
		if err != nil {
			return dst, err
		}
		if !copied || p.Copies == CopiesTwice {
			dst = append(dst, param)
		}
	}
	return append(dst, out.query...), nil
}

// repeatsOAuth tells whether an OAuth parameter of the body is in the header or earlier in the body.
func repeatsOAuth(param Param, body, oauth []Param) (bool, *Error) {
	for _, list := range [2][]Param{oauth, body} {
		for _, other := range list {
			if other.Name != param.Name {
				continue
			}
			if other.Value == param.Value {
				return true, nil
			}
			return false, &Error{Code: OAuthConflict, Part: PartBody, Offset: noOffset,
				Rule: "an OAuth parameter has different values", Remedy: "send the same value in body and header", Clause: "L61"}
		}
	}
	return false, nil
}

// bodyFindings tells what the body holds beside one payload (4.1, L60, 5.1). OAuth parameters are told of only where
// they are none of the five.
func (out *resolved) bodyFindings() []Finding {
	var findings []Finding
	payloads, extra := 0, false
	for _, param := range out.body {
		switch {
		case param.Name == namePayload:
			payloads++
		case param.Name == nameSignature:
			findings = append(findings, warning(SignatureInBody, "5.1", "the body holds oauth_signature; it is left out of what is signed",
				"send the signature in the header only"))
		case isFive(param.Name):
		case strings.HasPrefix(param.Name, oauthPrefix):
			findings = append(findings, warning(OAuthUnknown, "5.1", "the body holds an OAuth parameter that is none of the five", "leave it out"))
		default:
			extra = true
		}
	}
	if payloads > 1 {
		findings = append(findings, warning(ParameterDuplicate, "L60", "the body holds more than one payload; all are signed", "send one"))
	}
	if extra {
		findings = append(findings, warning(ParameterExtra, "4.1", "the body holds parameters beside payload; they are signed",
			"create-recurring-payments takes one parameter"))
	}
	return findings
}

// holdsSignature tells whether the body has oauth_signature, which nobody may sign (5.1).
func (out *resolved) holdsSignature() bool {
	return slices.ContainsFunc(out.body, func(p Param) bool { return p.Name == nameSignature })
}
