package signature

import (
	"encoding/base64"
	"errors"

	"github.com/chargecast/chargecast/internal/form"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// A Param is one parameter of a body, a query or a header, name and value decoded. An empty name
// or value is a name or value like any other. A Param shows neither when it is printed, logged or
// marshalled: a payload holds card numbers. The zero Param has an empty name and an empty value.
// Use the methods to compare: == compares identities.
type Param struct{ hidden[hiddenPair] }

// pair is a parameter inside the package.
type pair = base.Pair

// hiddenPair is a pair that is shown to nobody.
type hiddenPair pair

func (hiddenPair) mask() string { return "parameter" }

// NewParam returns the parameter of a name and a value.
func NewParam(name, value string) Param { return Param{hide(hiddenPair{name, value})} }

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
		return pair(*v)
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
		list[i] = Param{hide(hiddenPair(p))}
	}
	return list
}

// shortParamsOf is paramsOf for parameters of a header, which are short: one that is kept may keep all.
func shortParamsOf(pairs []pair) []Param {
	if len(pairs) == 0 {
		return nil
	}
	list := make([]Param, len(pairs))
	masked := make([]hiddenPair, len(pairs))
	for i, p := range pairs {
		masked[i] = hiddenPair(p)
	}
	for i, h := range hideAll(masked) {
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
	parsed, err := form.Parse(text, maxParams)
	if failed, ok := errors.AsType[*form.Error](err); ok {
		code := FormEscape
		if failed.Err == form.ErrLimit {
			code = LimitParameters
		}
		return nil, faultAt(code, part, failed.Offset, "", "")
	}
	pairs := make([]pair, len(parsed))
	for i, p := range parsed {
		pairs[i] = pair(p)
	}
	return pairs, nil
}

// AppendForm appends a form body: names and values percent-encoded, a space as %20, joined by =
// and & in the order given (5.5.4, L68).
func AppendForm(dst []byte, params ...Param) []byte { return base.AppendForm(dst, pairsOf(params)) }

// Encode returns the percent-encoding of a text: unreserved bytes stay, every other byte becomes %XX
// with upper-case hex digits, a space %20 (5.2.2). It works on bytes: nothing is normalised, invalid
// UTF-8 is kept. The result is at most three times as long as src.
func Encode(src string) string {
	return string(base.AppendEncoded(make([]byte, 0, len(src)+len(src)/6), src))
}

// Decode undoes one percent-encoding: a percent sign needs two hex digits of either case after it,
// and a plus sign is a plus sign. The error has the code [FormEscape] and the offset of the percent
// sign.
func Decode(src string) (string, error) {
	out, err := decode(src, partText, 0)
	return out, err.locate(src).err()
}

// decode is Decode of a part of a longer text, in which it begins at an offset.
func decode(src, part string, offset int) (string, *fault) {
	out, bad := base.Decode(src)
	if bad >= 0 {
		return "", faultAt(FormEscape, part, offset+bad, "", "")
	}
	return out, nil
}
