package signature

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// A TracedParam is one signed parameter on its way to the base string. It shows nothing when it is
// printed, logged or marshalled.
type TracedParam struct{ hidden[tracedPair] }

type tracedPair struct {
	raw, sent pair
	from      base.Source
	place     int
}

func (tracedPair) mask() string { return "parameter" }

func (p TracedParam) pair() *tracedPair {
	if v := p.reveal(); v != nil {
		return v
	}
	return &tracedPair{}
}

// Source returns where the parameter was found: "body", "oauth" or, under ProfileRFC5849, "query".
func (p TracedParam) Source() string { return p.pair().from.String() }

// Place returns which parameter of its source it is, as they were sent, from 1.
func (p TracedParam) Place() int { return p.pair().place }

// Sent returns name and value as they are on the wire, still encoded.
func (p TracedParam) Sent() Param { return NewParam(p.pair().sent.Name, p.pair().sent.Value) }

// Raw returns name and value before they are encoded.
func (p TracedParam) Raw() Param { return NewParam(p.pair().raw.Name, p.pair().raw.Value) }

// Encoded returns name and value encoded once, as they are sorted.
func (p TracedParam) Encoded() Param {
	return NewParam(Encode(p.pair().raw.Name), Encode(p.pair().raw.Value))
}

// A Trace is a request on its way to the base string. Each stage is made from those before it
// (5.2), when it is asked for. It shows nothing when it is printed, logged or marshalled, and it holds no key.
type Trace struct{ hidden[traceData] }

type traceData struct {
	in        *resolved
	collected []TracedParam
	sorted    []pair
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
	sent := [...][]pair{base.Query: base.Split(in.url.Query), base.Body: nil, base.OAuth: nil}
	if d := r.data(); d.wire {
		sent[base.Body] = base.Split(d.body)
	}
	t := traceData{in: in}
	var found [len(sent)][]TracedParam
	failed = in.collect(h.params, reading, func(one pair, from base.Source, place int) {
		traced := tracedPair{raw: one, from: from, place: place}
		if list := sent[from]; place <= len(list) {
			traced.sent = list[place-1]
		} else {
			traced.sent = pair{Name: Encode(one.Name), Value: Encode(one.Value)}
		}
		found[from], t.sorted = append(found[from], TracedParam{hide(traced)}), append(t.sorted, one)
	})
	if failed != nil {
		return Trace{}, failed.err()
	}
	t.collected = slices.Concat(found[:]...)
	base.Sort(t.sorted)
	return Trace{hide(t)}, nil
}

func (t Trace) data() *traceData {
	if v := t.reveal(); v != nil {
		return v
	}
	return &traceData{in: new(resolved)}
}

// Collected returns the parameters as found: body, OAuth, query.
func (t Trace) Collected() []TracedParam { return slices.Clone(t.data().collected) }

// Sorted returns the parameters in order of encoded name and value (L57).
func (t Trace) Sorted() []TracedParam {
	list := t.Collected()
	slices.SortStableFunc(list, func(a, b TracedParam) int { return base.Compare(a.pair().raw, b.pair().raw) })
	return list
}

// Parameters returns the sorted pairs joined: the third element before its own encoding.
func (t Trace) Parameters() string { return string(base.AppendForm(nil, t.data().sorted)) }

// Method returns the first element before its encoding.
func (t Trace) Method() string { return t.data().in.method }

// URI returns the second element before its encoding (L58).
func (t Trace) URI() string {
	if t.reveal() == nil {
		return ""
	}
	scheme, host, port, path := t.data().in.url.Parts()
	return scheme + "://" + host + port + path
}

// BaseString returns the three elements encoded and joined.
func (t Trace) BaseString() string {
	if t.reveal() == nil {
		return ""
	}
	return string(t.data().in.appendBase(nil, t.data().sorted))
}

// SHA256 returns the SHA-256 of the base string in hex: what an RSA signature holds.
func (t Trace) SHA256() string {
	sum := sha256.Sum256([]byte(t.BaseString()))
	return hex.EncodeToString(sum[:])
}

// SHA1 returns the SHA-1 of the base string in hex.
func (t Trace) SHA1() string {
	sum := base.SHA1([]byte(t.BaseString()))
	return hex.EncodeToString(sum[:])
}

// Findings returns warnings about the request.
func (t Trace) Findings() ledger.Findings {
	in := t.data().in
	return append(slices.Clone(in.findings), in.bodyFindings()...)
}
