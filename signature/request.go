package signature

import (
	"cmp"
	"strings"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// A Request is what a signature is about: method, URL, body, and the Authorization header once the
// request is signed. Make one with [NewRequest]. The With methods return changed
// copies, so a Request can be shared. It shows nothing when it is printed, logged or marshalled: a
// body holds card numbers, and a URL may hold a password. The zero Request has no URL and can
// neither be signed nor verified.
type Request struct{ hidden[requestData] }

type requestData struct {
	method        string // empty means POST
	url           string
	contentType   string
	authorization string
	body          string // as it is sent, if wire is set
	wire          bool
	params        []pair // the decoded body, if wire is not set
}

func (requestData) mask() string { return "request" }

// NewRequest returns a request without a body. An empty method means POST. The URL is the full
// one, with scheme and host.
func NewRequest(method, url string) Request {
	return Request{hide(requestData{method: method, url: url})}
}

// WithURL returns r with another URL, for a request that a proxy rewrote.
func (r Request) WithURL(url string) Request {
	return r.with(func(d *requestData) { d.url = url })
}

// WithBody returns r with a body as it is sent. The bytes are copied.
func (r Request) WithBody(contentType string, body []byte) Request {
	return r.with(func(d *requestData) { d.contentType, d.body, d.wire, d.params = contentType, string(body), true, nil })
}

// WithParams returns r with a form body of these parameters, in this order.
func (r Request) WithParams(params ...Param) Request {
	return r.with(func(d *requestData) { d.contentType, d.body, d.wire, d.params = "", "", false, pairsOf(params) })
}

// WithAuthorization returns r with the value of an Authorization header.
func (r Request) WithAuthorization(header string) Request {
	return r.with(func(d *requestData) { d.authorization = header })
}

func (r Request) with(change func(*requestData)) Request {
	d := *r.data()
	change(&d)
	return Request{hide(d)}
}

func (r Request) data() *requestData {
	if v := r.reveal(); v != nil {
		return v
	}
	return &requestData{}
}

// Method returns the HTTP method as it was given, and POST if none was.
func (r Request) Method() string { return cmp.Or(r.data().method, "POST") }

// URL returns the URL as it was given.
func (r Request) URL() string { return r.data().url }

// ContentType returns the content type; for a body of parameters it is that of a form.
func (r Request) ContentType() string {
	if d := r.data(); d.wire || len(d.params) == 0 {
		return d.contentType
	}
	return formType
}

// Body returns a copy of the body as it is sent.
func (r Request) Body() []byte {
	d := r.data()
	if d.wire {
		return []byte(d.body)
	}
	return base.AppendForm(nil, d.params)
}

// Authorization returns the value of the Authorization header; empty if the request has none.
func (r Request) Authorization() string { return r.data().authorization }

// ConsumerKey returns the oauth_consumer_key of the Authorization header, to find the key that the
// request is to be verified with. It is what the sender wrote: nothing is verified yet. The error
// is that of a header that cannot be read, or [OAuthMissing].
func (r Request) ConsumerKey() (string, error) {
	h, err := r.data().header()
	if err != nil {
		return "", err.err()
	}
	value, _ := h.value(nameConsumerKey)
	if value == "" {
		return "", about(found(OAuthMissing, partHeader, "", ""), nameConsumerKey)
	}
	return strings.Clone(value), nil
}
