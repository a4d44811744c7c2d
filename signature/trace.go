package signature

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/chargecast/chargecast/ledger"
)

// A TracedParam is one signed parameter on its way to the base string. It shows nothing when it is
// printed, logged or marshalled.
type TracedParam struct{ hidden[item] }

func (item) mask() string { return "parameter" }

func (p TracedParam) item() *item {
	if v := p.reveal(); v != nil {
		return v
	}
	return &item{}
}

// Source returns where the parameter was found: "body", "oauth" or, under ProfileRFC5849, "query".
func (p TracedParam) Source() string { return [...]string{"body", "oauth", "query"}[p.item().group] }

// Raw returns name and value before they are encoded.
func (p TracedParam) Raw() Param { return NewParam(p.item().raw.Name, p.item().raw.Value) }

// Encoded returns name and value encoded once, as they are sorted.
func (p TracedParam) Encoded() Param { return NewParam(p.item().name, p.item().value) }

// A Trace is a request on its way to the base string. Each stage is made from those before it
// (5.2). It shows nothing when it is printed, logged or marshalled, and it holds no key.
type Trace struct{ hidden[traceData] }

type traceData struct {
	collected, sorted             []TracedParam
	parameters, method, uri, base string
	findings                      ledger.Findings
}

func (traceData) mask() string { return "trace" }

// NewTrace returns the stages of a request whose Authorization header has the OAuth parameters; the
// header need not have a signature. What the trace ends in is what [Sign] signs and [Verify] checks.
// The error is that of a request or of a header that cannot be read.
func NewTrace(r Request, p Profile) (Trace, error) {
	reading, failed := p.readings()
	if failed != nil {
		return Trace{}, failed.err()
	}
	in := new(resolved)
	if failed := in.read(r.data(), reading); failed != nil {
		return Trace{}, failed.err()
	}
	h, failed := r.data().header()
	if failed != nil {
		return Trace{}, failed.err()
	}
	m, failed := newMaterial(r.data(), in, &h, reading)
	if failed != nil {
		return Trace{}, failed.err()
	}
	var right recipe
	t := traceData{findings: append(in.findings, in.bodyFindings()...), method: m.method}
	unsorted := right.params
	unsorted.order = orderNone
	t.collected = traced(m.arranged(&unsorted))
	sorted := m.arranged(&right.params)
	t.sorted, t.parameters = traced(sorted), normalized(sorted)
	t.uri = m.uriOf(&right.rest)
	t.base = string(m.appendCandidate(nil, &right.rest, appendEncoded(nil, t.parameters)))
	return Trace{hide(t)}, nil
}

func traced(items []*item) []TracedParam {
	out := make([]TracedParam, len(items))
	for i, it := range items {
		out[i] = TracedParam{hide(*it)}
	}
	return out
}

func (t Trace) data() *traceData {
	if v := t.reveal(); v != nil {
		return v
	}
	return &traceData{}
}

// Collected returns the parameters as found: body, OAuth, query.
func (t Trace) Collected() []TracedParam { return append([]TracedParam(nil), t.data().collected...) }

// Sorted returns the parameters in order of encoded name and value (L57).
func (t Trace) Sorted() []TracedParam { return append([]TracedParam(nil), t.data().sorted...) }

// Parameters returns the sorted pairs joined: the third element before its own encoding.
func (t Trace) Parameters() string { return t.data().parameters }

// Method returns the first element before its encoding.
func (t Trace) Method() string { return t.data().method }

// URI returns the second element before its encoding (L58).
func (t Trace) URI() string { return t.data().uri }

// BaseString returns the three elements encoded and joined.
func (t Trace) BaseString() string { return t.data().base }

// SHA256 returns the SHA-256 of the base string in hex: what an RSA signature holds.
func (t Trace) SHA256() string {
	sum := sha256.Sum256([]byte(t.data().base))
	return hex.EncodeToString(sum[:])
}

// SHA1 returns the SHA-1 of the base string in hex.
func (t Trace) SHA1() string {
	sum := sha1Of([]byte(t.data().base))
	return hex.EncodeToString(sum[:])
}

// Findings returns warnings about the request.
func (t Trace) Findings() ledger.Findings { return t.data().findings }
