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
