package base

import (
	"errors"
	"strings"

	"github.com/chargecast/chargecast/internal/form"
	"github.com/chargecast/chargecast/ledger"
)

// FormType is the media type that create-recurring-payments requires (4.1).
const FormType = "application/x-www-form-urlencoded"

// RequestParts is a request that was read: what may be signed of it, and what is wrong with it.
type RequestParts struct {
	URL      URL
	Body     []Pair
	Problems []Problem // none of them final
}

// ReadRequest reads method, URL and body (5.2, L59, 4.1). The problem is final: without one the
// request can be signed, if only its Problems allow it.
func ReadRequest(method, url, contentType, body string) (RequestParts, *Problem) {
	var p RequestParts
	if method != "POST" {
		return p, &Problem{Code: codeMethodNotPost, Part: PartMethod, Offset: -1}
	}
	var problem *Problem
	if p.URL, problem = ParseURL(url); problem == nil {
		problem = p.URL.Check()
	}
	if problem != nil {
		return p, problem
	}
	if p.URL.IsOdd() {
		p.note(codeURLHost, PartURL)
	}
	return p, p.readBody(contentType, body)
}

func (p *RequestParts) note(code ledger.Code, part string) *Problem {
	p.Problems = append(p.Problems, Problem{Code: code, Part: part, Offset: -1})
	return &p.Problems[len(p.Problems)-1]
}

func (p *RequestParts) readBody(contentType, body string) *Problem {
	media, _, parameters := strings.Cut(contentType, ";")
	media = strings.Trim(media, " \t")
	switch {
	case media == "" && body != "":
		p.note(codeContentTypeMissing, PartRequest)
	case media != "" && !strings.EqualFold(media, FormType):
		return &Problem{Code: codeContentType, Part: PartBody, Offset: -1}
	case parameters && media != "":
		p.note(codeContentTypeCharset, PartRequest)
	}
	if strings.Contains(body, "+") {
		p.note(codeFormPlus, PartBody)
	}
	var problem *Problem
	if p.Body, problem = ParseForm(body); problem == nil {
		p.noteNames()
	}
	return problem
}

// noteNames notes what the body has beside one payload (4.1, L60, 5.1). The five OAuth parameters
// may be there.
func (p *RequestParts) noteNames() {
	payloads, signatures, unknown, extra := 0, 0, 0, 0
	for i := range p.Body {
		switch name := p.Body[i].Name; {
		case name == Payload:
			payloads++
		case name == Signature:
			signatures++
		case IsFive(name):
		case strings.HasPrefix(name, Prefix):
			unknown++
		default:
			extra++
		}
	}
	if signatures > 0 {
		p.note(codeSignatureInBody, PartBody).Parameter = Signature
	}
	if unknown > 0 {
		p.note(codeOAuthUnknown, PartBody)
	}
	if payloads > 1 {
		p.note(codeParameterDuplicate, PartBody).Parameter = Payload
	}
	if extra > 0 {
		p.note(codeParameterExtra, PartBody)
	}
}

// ParseForm returns the parameters of a form body, decoded (5.2.1, 5.5.4).
func ParseForm(text string) ([]Pair, *Problem) {
	pairs, err := form.Parse(text, form.MaxParameters)
	if wrong, ok := errors.AsType[*form.Error](err); ok {
		code := codeFormEscape
		if wrong.Err == form.ErrLimit {
			code = codeLimitParameters
		}
		return nil, &Problem{Code: code, Part: PartBody, Offset: wrong.Offset}
	}
	return pairs, nil
}

// Signed returns what is signed, in order (5.2.3): of the header's parameters the five, of the
// body's all but oauth_signature. An OAuth parameter that is in body and header, or in the body
// twice, is signed once (X12, L61).
func (p *RequestParts) Signed(header []Pair) ([]Pair, *Problem) {
	params := make([]Pair, 0, 5+len(p.Body))
	for _, pair := range header {
		if IsFive(pair.Name) {
			params = append(params, pair)
		}
	}
	places, problem := p.SignedPlaces(header)
	for _, i := range places {
		params = append(params, p.Body[i])
	}
	Sort(params)
	return params, problem
}

// SignedPlaces returns the places of the body's parameters that are signed. Different values of one
// OAuth parameter are a problem.
func (p *RequestParts) SignedPlaces(header []Pair) ([]int, *Problem) {
	places := make([]int, 0, len(p.Body))
	var copies map[string]string
	for i, pair := range p.Body {
		if !strings.HasPrefix(pair.Name, Prefix) {
			places = append(places, i)
			continue
		}
		if pair.Name == Signature {
			continue
		}
		value, sent := Value(header, pair.Name)
		counted := sent && IsFive(pair.Name) // the header's is signed
		if !sent {
			value, sent = copies[pair.Name]
			counted = sent
		}
		if sent && value != pair.Value {
			problem := &Problem{Code: codeOAuthConflict, Part: PartBody, Offset: -1}
			if IsFive(pair.Name) {
				problem.Parameter = pair.Name
			}
			return nil, problem
		}
		if !counted {
			if copies == nil {
				copies = map[string]string{}
			}
			copies[pair.Name] = pair.Value
			places = append(places, i)
		}
	}
	return places, nil
}
