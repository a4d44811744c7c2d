package signature

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/form"
)

// A Param is one parameter of a body, a query or a header, name and value decoded. An empty name
// or value is a name or value like any other. A Param shows neither when it is printed, logged or
// marshalled: a payload holds card numbers. The zero Param has an empty name and an empty value.
// Use the methods to compare: == compares identities.
type Param struct{ hidden[pair] }

// pair is a parameter inside the package.
type pair struct{ Name, Value string }

func (pair) mask() string { return "parameter" }

// NewParam returns the parameter of a name and a value.
func NewParam(name, value string) Param { return Param{hide(pair{name, value})} }

// Payload returns the parameter payload of a CSV text: its bytes in standard, padded base64 (4.1).
func Payload(csv []byte) Param {
	return NewParam(namePayload, base64.StdEncoding.EncodeToString(csv))
}

// Name returns the decoded name.
func (p Param) Name() string { return p.pair().Name }

// Value returns the decoded value.
func (p Param) Value() string { return p.pair().Value }

func (p Param) pair() pair {
	if v := p.reveal(); v != nil {
		return *v
	}
	return pair{}
}

func pairsOf(params []Param) []pair {
	list := make([]pair, len(params))
	for i, p := range params {
		list[i] = p.pair()
	}
	return list
}

func paramsOf(pairs []pair) []Param {
	if len(pairs) == 0 {
		return nil
	}
	list := make([]Param, len(pairs))
	for i, p := range pairs {
		list[i] = Param{hide(p)}
	}
	return list
}

// shortParamsOf is paramsOf for parameters of a header, which are short: one that is kept may keep all.
func shortParamsOf(pairs []pair) []Param {
	if len(pairs) == 0 {
		return nil
	}
	list := make([]Param, len(pairs))
	for i, h := range hideAll(pairs) {
		list[i] = Param{h}
	}
	return list
}

// maxParams bounds the parameters of a body and of a query.
const maxParams = form.MaxParameters

// formType is the media type that create-recurring-payments requires (4.1).
const formType = "application/x-www-form-urlencoded"

// ParseForm splits a form-urlencoded text, a body or a query, into its parameters in order (5.2.1,
// 5.5.4): segments between &, empty ones skipped, cut at the first =, both sides percent-decoded
// once, + read as a space (L68). A semicolon is data, and bytes need not be UTF-8. The error has
// the code [FormEscape], with the offset of the percent sign, or [LimitParameters] for more than
// 10,000 parameters.
func ParseForm(form string) ([]Param, error) {
	pairs, err := parseForm(form, partBody)
	if err != nil {
		return nil, err.locate(form).err()
	}
	return paramsOf(pairs), nil
}

func parseForm(text, part string) ([]pair, *fault) {
	parsed, err := form.Parse([]byte(text), maxParams)
	if failed, ok := errors.AsType[*form.Error](err); ok {
		code := FormEscape
		if failed.Err == form.ErrLimit {
			code = LimitParameters
		}
		return nil, faultAt(code, part, failed.Offset, "", "")
	}
	pairs := make([]pair, len(parsed))
	for i, p := range parsed {
		pairs[i] = pair{p.Name, p.Value}
	}
	return pairs, nil
}

// AppendForm appends a form body: names and values percent-encoded, a space as %20, joined by =
// and & in the order given (5.5.4, L68).
func AppendForm(dst []byte, params ...Param) []byte { return appendForm(dst, pairsOf(params)) }

func appendForm(dst []byte, pairs []pair) []byte {
	for i := range pairs {
		if i > 0 {
			dst = append(dst, '&')
		}
		dst = appendEncoded(dst, pairs[i].Name)
		dst = append(dst, '=')
		dst = appendEncoded(dst, pairs[i].Value)
	}
	return dst
}

// splitForm is parseForm without decoding: the pairs as they were sent.
func splitForm(form string) []pair {
	var pairs []pair
	for offset := 0; offset < len(form); {
		segment, next := cutSegment(form, offset)
		offset = next
		if segment != "" {
			name, value := cutPair(segment)
			pairs = append(pairs, pair{name, value})
		}
	}
	return pairs
}

// sortPairs sorts by encoded name, then by encoded value, as bytes (5.2.3, L57).
func sortPairs(pairs []pair) { slices.SortFunc(pairs, comparePairs) }

func comparePairs(a, b pair) int {
	if order := compareEncoded(a.Name, b.Name); order != 0 {
		return order
	}
	return compareEncoded(a.Value, b.Value)
}

// cutSegment returns the text from offset to the next & and the offset behind that.
func cutSegment(form string, offset int) (segment string, next int) {
	if end := strings.IndexByte(form[offset:], '&'); end >= 0 {
		return form[offset : offset+end], offset + end + 1
	}
	return form[offset:], len(form)
}

func cutPair(segment string) (name, value string) {
	name, value, _ = strings.Cut(segment, "=")
	return name, value
}
