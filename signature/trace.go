package signature

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
)

// Source tells where a parameter was collected. The zero Source is none.
type Source uint8

// The three places of 5.2.1 and, under RFC5849, the query.
const (
	NoSource Source = iota
	FromBody
	FromOAuth
	FromQuery
)

// String gives "body", "oauth", "query" or the empty text.
func (s Source) String() string {
	switch s {
	case FromBody:
		return "body"
	case FromOAuth:
		return "oauth"
	case FromQuery:
		return "query"
	}
	return ""
}

// TracedParam is one signed parameter with both sides encoded once.
type TracedParam struct {
	Source  Source
	Raw     Param
	Encoded Param
}

// Format prints the name and the length of the value.
func (p TracedParam) Format(w fmt.State, verb rune) { p.Raw.Format(w, verb) }

// Trace is a request on its way to the base string, one field a stage; each is made from those above it (5.2).
type Trace struct {
	Collected  []TracedParam // as found: body, OAuth, query
	Sorted     []TracedParam // by encoded name and value (L57)
	Parameters string        // the sorted pairs joined: the third element before its own encoding
	Method     string        // the first element before its encoding
	URI        string        // the second element before its encoding (L58)
	BaseString string
	SHA256     string // of the base string, as hex: what an RSA signature holds
	SHA1       string // of the base string, as hex
	Findings   []Finding
}

// Format prints sizes alone: the stages hold card numbers.
func (t Trace) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, "trace{"+strconv.Itoa(len(t.Sorted))+" parameters, "+strconv.Itoa(len(t.BaseString))+" bytes of base string}")
}

// TraceBase shows every stage on the way to the base string; its last stage is what Sign signs and Verify checks. It
// holds no key. oauth are the OAuth parameters of the header; the error is as for BaseString.
func TraceBase(r Request, oauth []Param, p Profile) (*Trace, error) {
	in, err := r.resolve(p)
	if err != nil {
		return nil, err
	}
	m, err := newMaterial(&r, in, &Header{Params: oauth}, p)
	if err != nil {
		return nil, err
	}
	how := recipeOf(p)
	t := &Trace{Findings: append(in.findings, in.bodyFindings()...), Method: m.method}
	unsorted := how.params
	unsorted.order = orderNone
	t.Collected = traced(m.arranged(&unsorted))
	t.Sorted = traced(m.arranged(&how.params))
	t.Parameters = m.normalized(&how.params)
	t.URI = m.uriOf(&how.rest)
	t.BaseString = string(m.appendCandidate(nil, &how.rest, m.thirdElement(&how.params)))
	long, short := sha256.Sum256([]byte(t.BaseString)), sha1.Sum([]byte(t.BaseString))
	t.SHA256, t.SHA1 = hex.EncodeToString(long[:]), hex.EncodeToString(short[:])
	return t, nil
}

func traced(items []item) []TracedParam {
	out := make([]TracedParam, len(items))
	for i, it := range items {
		out[i] = TracedParam{Source: FromBody + Source(it.group), Raw: it.raw, Encoded: Param{it.name, it.value}}
	}
	return out
}
