package signature

import (
	"encoding/base64"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// A Param is one parameter of a body or a header, name and value decoded. An empty name
// or value is a name or value like any other. A Param shows neither when it is printed, logged or
// marshalled: a payload holds card numbers. The zero Param has an empty name and an empty value.
type Param struct{ secret[hiddenPair] }

// pair is a parameter inside the package.
type pair = base.Pair

// hiddenPair is a pair that is not shown.
type hiddenPair pair

// Label returns what a hidden pair is.
func (hiddenPair) Label() string { return "parameter" }

// NewParam returns the parameter of a name and a value.
func NewParam(name, value string) Param { return Param{base.Hide(hiddenPair{name, value})} }

// Payload returns the parameter payload of a CSV text: its bytes in standard, padded base64 (4.1).
func Payload(csv []byte) Param {
	return NewParam(base.Payload, base64.StdEncoding.EncodeToString(csv))
}

// Name returns the decoded name.
func (p Param) Name() string { return p.pair().Name }

// Value returns the decoded value.
func (p Param) Value() string { return p.pair().Value }

func (p Param) pair() pair {
	if v := base.Open(p.secret); v != nil {
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
	var list []Param
	for _, p := range pairs {
		list = append(list, NewParam(p.Name, p.Value))
	}
	return list
}

// ParseForm splits a form body into its parameters in order (5.2.1,
// 5.5.4): segments between &, empty ones skipped, cut at the first =, both sides percent-decoded
// once, + read as a space (L68). A semicolon is data, and bytes need not be UTF-8. The error has
// the code [FormEscape], with the offset of the percent sign, or [LimitParameters] for more than
// 10,000 parameters.
func ParseForm(form string) ([]Param, error) {
	pairs, problem := base.ParseForm(form)
	if problem != nil {
		return nil, located(problem, form)
	}
	return paramsOf(pairs), nil
}

// Encode returns the percent-encoding of a text: unreserved bytes stay, every other byte becomes
// %XX with upper-case hex digits, a space %20 (5.2.2). It works on bytes: nothing is normalised,
// invalid UTF-8 is kept. The result is at most three times as long as src.
func Encode(src string) string {
	return string(base.AppendEncoded(make([]byte, 0, len(src)+len(src)/6), src))
}

// Decode undoes one percent-encoding: a percent sign needs two hex digits of either case after it,
// and a plus sign is a plus sign. The error has the code [FormEscape] and the offset of the percent
// sign.
func Decode(src string) (string, error) {
	out, bad := base.Decode(src)
	if bad >= 0 {
		return "", located(&base.Problem{Code: FormEscape, Part: partText, Offset: bad}, src)
	}
	return out, nil
}
