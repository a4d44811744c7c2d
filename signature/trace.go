package signature

import "github.com/chargecast/chargecast/signature/internal/base"

// A Trace is a request on its way to the base string (5.2). It shows nothing when it is printed,
// logged or marshalled, and it holds no key.
type Trace struct{ secret[traceData] }

type traceData struct {
	uri    string
	params []pair // sorted
}

// Label returns what the data are.
func (traceData) Label() string { return "trace" }

// NewTrace returns the stages of a request whose Authorization header has the OAuth parameters; the
// header need not have a signature. What the trace ends in is what [Sign] signs and [Verify]
// checks. The error is that of a request or of a header that cannot be read.
func NewTrace(r Request) (Trace, error) {
	parts, err := r.data().read()
	if err != nil {
		return Trace{}, err
	}
	h, err := r.data().header()
	if err != nil {
		return Trace{}, err
	}
	params, problem := parts.Signed(h.Params)
	if problem != nil {
		return Trace{}, findingOf(problem)
	}
	return Trace{base.Hide(traceData{parts.URL.URI(), params})}, nil
}

// Method returns the first element of the base string before its encoding; empty for a zero Trace.
func (t Trace) Method() string {
	if base.Open(t.secret) == nil {
		return ""
	}
	return "POST"
}

// URI returns the second element before its encoding (L58).
func (t Trace) URI() string {
	if d := base.Open(t.secret); d != nil {
		return d.uri
	}
	return ""
}

// Sorted returns the parameters that are signed, in order of encoded name and value (L57), not
// encoded.
func (t Trace) Sorted() []Param {
	if d := base.Open(t.secret); d != nil {
		return paramsOf(d.params)
	}
	return nil
}

// BaseString returns the three elements encoded and joined.
func (t Trace) BaseString() string {
	if d := base.Open(t.secret); d != nil {
		return string(base.Append(make([]byte, 0, 2<<10), t.Method(), d.uri, d.params))
	}
	return ""
}
