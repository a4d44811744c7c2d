package signature

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// MaxParams is how many parameters a form body or a query may have.
const MaxParams = 9_999

// FormType is the media type that create-recurring-payments requires (4.1).
const FormType = "application/x-www-form-urlencoded"

// Param is one parameter, name and value decoded. Parameters come as a list, since their order and their duplicates
// matter to a wrong signature; an empty name or value is a name or value like any other.
type Param struct{ Name, Value string }

// Format prints the name and the length of the value: a payload holds card numbers. It serves every verb.
func (p Param) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, strconv.Quote(p.Name)+"=<"+strconv.Itoa(len(p.Value))+" bytes>")
}

// ParseForm splits a form-urlencoded text, a body or a query, into its parameters in order (5.2.1, 5.5.4): segments
// between &, empty ones skipped, cut at the first =, both sides percent-decoded once, + read as a space (L68). A
// semicolon is data, bytes need not be UTF-8. Errors: FormEscape with the offset of the percent sign, LimitParameters.
func ParseForm(form string) ([]Param, error) {
	params, err := parseForm(form, PartBody)
	if err != nil {
		return nil, err
	}
	return params, nil
}

func parseForm(form string, part Part) ([]Param, *Error) {
	var params []Param
	offset := 0
	for segment := range strings.SplitSeq(form, "&") {
		start := offset
		offset += len(segment) + 1
		if segment == "" {
			continue
		}
		if len(params) == MaxParams {
			return nil, &Error{Code: LimitParameters, Part: part, Offset: start,
				Rule: "more than " + strconv.Itoa(MaxParams) + " parameters", Remedy: "send fewer parameters"}
		}
		name, value, _ := strings.Cut(segment, "=")
		param, err := decodePair(name, value, part, start)
		if err != nil {
			return nil, err
		}
		params = append(params, param)
	}
	return params, nil
}

func decodePair(name, value string, part Part, start int) (Param, *Error) {
	decodedName, err := decode(plusToSpace(name), part, start)
	if err != nil {
		return Param{}, err
	}
	decodedValue, err := decode(plusToSpace(value), part, start+len(name)+1)
	if err != nil {
		return Param{}, err
	}
	return Param{decodedName, decodedValue}, nil
}

func plusToSpace(text string) string { return strings.ReplaceAll(text, "+", " ") }

// splitForm is parseForm without decoding: the pairs as they stand.
func splitForm(form string) []Param {
	var params []Param
	for segment := range strings.SplitSeq(form, "&") {
		if segment != "" {
			name, value, _ := strings.Cut(segment, "=")
			params = append(params, Param{name, value})
		}
	}
	return params
}

// AppendForm appends a form body: names and values percent-encoded, a space as %20, joined by = and & in the order
// given (5.5.4, L68).
func AppendForm(dst []byte, params []Param) []byte {
	for i, p := range params {
		if i > 0 {
			dst = append(dst, '&')
		}
		dst = appendEncoded(dst, p.Name)
		dst = append(dst, '=')
		dst = appendEncoded(dst, p.Value)
	}
	return dst
}

// NormalizedParameters is the third element of the base string before its own encoding: names and values encoded,
// sorted by encoded name and then encoded value as bytes, joined by = and & (5.2.2 to 5.2.4, L57). Duplicates are kept
// (L60); the list given is not changed.
func NormalizedParameters(params []Param) string {
	sorted := slices.Clone(params)
	sortParams(sorted)
	return string(AppendForm(nil, sorted))
}

func sortParams(params []Param) { slices.SortFunc(params, compareParams) }

func compareParams(a, b Param) int {
	if order := compareEncoded(a.Name, b.Name); order != 0 {
		return order
	}
	return compareEncoded(a.Value, b.Value)
}
