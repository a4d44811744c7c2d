package signature

import (
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// EndpointID is what a path template has in the place of the endpoint id.
const EndpointID = "{endpoint_id}"

// CreatePath is the path template that the document shows for create-recurring-payments (4.1). The path may change
// (4.1, 9): it is a value to configure, and nothing here insists on it.
const CreatePath = "/paynet/api/v4/create-recurring-payments/" + EndpointID

// Endpoint is where a request goes (4.1, R101–R103). No host is built in.
type Endpoint struct {
	Base     string // scheme and host, and a path prefix if any; with or without a last slash
	Template string // path with EndpointID once; empty means CreatePath
	ID       string // the endpoint id, percent-encoded when it enters the path
}

// URL is the full request URL. Errors: URLTemplate, and those of a URL that Gateway does not take.
func (e Endpoint) URL() (string, error) {
	template := e.Template
	if template == "" {
		template = CreatePath
	}
	before, after, ok := strings.Cut(template, EndpointID)
	if !ok || strings.Contains(after, EndpointID) || e.ID == "" {
		return "", &Error{Code: URLTemplate, Part: PartURL, Offset: noOffset,
			Rule: "the path template needs " + EndpointID + " once, and an endpoint id for it", Clause: "4.1"}
	}
	raw := strings.TrimSuffix(e.Base, "/") + "/" + strings.TrimPrefix(before, "/") + Encode(e.ID) + after
	u, err := splitURL(raw)
	if err == nil {
		err = u.check(Gateway())
	}
	if err != nil {
		return "", err
	}
	return raw, nil
}

// Post is a whole HTTP request, ready to be sent.
type Post struct {
	URL     string
	Headers []Param // Content-Type, Authorization
	Body    []byte
	Signed  *Signed
}

// Format prints the sizes alone: a body holds card numbers.
func (p Post) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, "post{"+strconv.Itoa(len(p.URL))+" bytes of URL, "+strconv.Itoa(len(p.Body))+" bytes of body}")
}

// CreateRecurringPayments builds the POST of 4.1 from a CSV text: its Base64 as the one parameter payload, the
// Authorization header, the percent-encoded body, with the OAuth parameters in it as well where o asks for them (5.5.5).
// The CSV is taken byte for byte. Errors: those of Endpoint.URL and of Sign.
func CreateRecurringPayments(e Endpoint, csv []byte, o OAuth, key SigningKey) (*Post, error) {
	target, err := e.URL()
	if err != nil {
		return nil, err
	}
	r := Request{URL: target, Params: []Param{Payload(csv)}}
	signed, err := Sign(r, o, key, Gateway())
	if err != nil {
		return nil, err
	}
	return &Post{URL: target, Body: signed.Body, Signed: signed,
		Headers: []Param{{"Content-Type", FormType}, {"Authorization", signed.Authorization}}}, nil
}

// Payload is the parameter payload for a CSV text: standard Base64, padded (4.1).
func Payload(csv []byte) Param {
	return Param{namePayload, base64.StdEncoding.EncodeToString(csv)}
}

// AppendHTTP appends the request as HTTP/1.1 sends it: request line, Host, the headers, Content-Length, the body.
func (p *Post) AppendHTTP(dst []byte) []byte {
	authority, path := p.URL[strings.Index(p.URL, "://")+3:], "/"
	if i := strings.IndexByte(authority, '/'); i >= 0 {
		authority, path = authority[:i], authority[i:]
	}
	dst = append(dst, "POST "+path+" HTTP/1.1\r\nHost: "+authority+"\r\n"...)
	for _, h := range p.Headers {
		dst = append(dst, h.Name+": "+h.Value+"\r\n"...)
	}
	dst = strconv.AppendInt(append(dst, "Content-Length: "...), int64(len(p.Body)), 10)
	return append(append(dst, "\r\n\r\n"...), p.Body...)
}
