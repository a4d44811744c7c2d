package signature

import "github.com/chargecast/chargecast/signature/internal/base"

// A Request is what a signature is about: method, URL, body, and the Authorization header once the
// request is signed. Make one with [NewRequest]. The With methods return changed
// copies, so a Request can be shared. It shows nothing when it is printed, logged or marshalled: a
// body holds card numbers, and a URL may hold a password. The zero Request has no URL and can
// neither be signed nor verified.
type Request struct{ secret[requestData] }

// secret hides a value in a type that embeds it.
type secret[T interface{ Label() string }] = base.Secret[T]

type requestData struct{ method, url, contentType, body, authorization string }

// Label returns what the data are.
func (requestData) Label() string { return "request" }

// NewRequest returns a request without a body. An empty method is POST. The URL is the full
// one, with scheme and host.
func NewRequest(method, url string) Request {
	if method == "" {
		method = "POST"
	}
	return Request{base.Hide(requestData{method: method, url: url})}
}

// WithURL returns r with another URL, for a request that a proxy rewrote.
func (r Request) WithURL(url string) Request {
	return r.with(func(d *requestData) { d.url = url })
}

// WithBody returns r with a body as it is sent.
func (r Request) WithBody(contentType, body string) Request {
	return r.with(func(d *requestData) { d.contentType, d.body = contentType, body })
}

// WithParams returns r with a form body of these parameters, in this order, names and values
// percent-encoded (5.5.4).
func (r Request) WithParams(params ...Param) Request {
	if len(params) == 0 {
		return r.WithBody("", "")
	}
	return r.WithBody(base.FormType, string(base.AppendForm(nil, pairsOf(params))))
}

// WithAuthorization returns r with the value of an Authorization header.
func (r Request) WithAuthorization(header string) Request {
	return r.with(func(d *requestData) { d.authorization = header })
}

func (r Request) with(change func(*requestData)) Request {
	d := *r.data()
	change(&d)
	return Request{base.Hide(d)}
}

func (r Request) data() *requestData {
	if v := base.Open(r.secret); v != nil {
		return v
	}
	return &requestData{}
}

// Method returns the HTTP method as it was given, and POST for an empty one.
func (r Request) Method() string { return r.data().method }

// URL returns the URL as it was given.
func (r Request) URL() string { return r.data().url }

// ContentType returns the content type; for a body of parameters it is that of a form.
func (r Request) ContentType() string { return r.data().contentType }

// Body returns a copy of the body as it is sent.
func (r Request) Body() []byte { return []byte(r.data().body) }

// Authorization returns the value of the Authorization header; empty if the request has none.
func (r Request) Authorization() string { return r.data().authorization }

// read reads all of a request but its header.
func (d *requestData) read() (base.RequestParts, error) {
	parts, problem := base.ReadRequest(d.method, d.url, d.contentType, d.body)
	if problem != nil {
		text := d.url
		if problem.Part == base.PartBody {
			text = d.body
		}
		return parts, located(problem, text)
	}
	return parts, nil
}

// header reads the Authorization header. That there is none is not a mistake in its scheme, and has
// no place.
func (d *requestData) header() (base.Header, error) {
	if d.authorization == "" {
		return base.Header{}, found(HeaderScheme, base.PartHeader, "the request has no Authorization header, or an empty one",
			"sign the request, or capture it with all its header lines if it is signed")
	}
	h, problem := base.ParseHeader(d.authorization)
	if problem != nil {
		return h, located(problem, d.authorization)
	}
	return h, nil
}
