package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// An order is a way to sort the parameters.
type order uint8

const (
	orderRight order = iota
	orderJoined
	orderRawBytes
	orderRawUTF16
	orderNameOnly
	orderNumeric
	orderIgnoringCase
	orderNone
)

// A sorted is a parameter with its texts as they are compared.
type sorted struct {
	base.Pair
	name, value string
}

// sort sorts by the names as they are encoded, and where they are equal by the values, which are encoded only then.
func (o order) sort(pairs []base.Pair, names, values *base.Encoder) {
	if o == orderNone {
		return
	}
	list := make([]sorted, len(pairs))
	for i, p := range pairs {
		list[i] = sorted{Pair: p, name: o.text(p.Name, names)}
		if o == orderJoined {
			list[i].name += "=" + o.text(p.Value, values)
		}
	}
	slices.SortStableFunc(list, func(a, b sorted) int { return o.compareNames(a.name, b.name) })
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && o.compareNames(list[start].name, list[end].name) == 0 {
			end++
		}
		if equal := list[start:end]; len(equal) > 1 && o != orderNameOnly && o != orderJoined {
			for i := range equal {
				equal[i].value = o.text(equal[i].Value, values)
			}
			slices.SortStableFunc(equal, func(a, b sorted) int { return o.compareValues(a.value, b.value) })
		}
		start = end
	}
	for i := range list {
		pairs[i] = list[i].Pair
	}
}

// text is a text as the order compares it.
func (o order) text(raw string, e *base.Encoder) string {
	if o == orderRawBytes || o == orderRawUTF16 || e != nil && e.Raw || !base.NeedsEncoding(raw) && (e == nil || e.Takes == "") {
		return raw
	}
	return string(e.Append(nil, raw))
}

func (o order) compareNames(a, b string) int {
	switch o {
	case orderRawUTF16:
		return compareUTF16(a, b)
	case orderIgnoringCase:
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	}
	return strings.Compare(a, b)
}

func (o order) compareValues(a, b string) int {
	if o == orderNumeric {
		return compareNumbers(a, b)
	}
	return o.compareNames(a, b)
}

// groupOrders are the orders of body, OAuth parameters and query where nothing is sorted.
func groupOrders() [][3]base.Source {
	const b, o, q = base.Body, base.OAuth, base.Query
	return [][3]base.Source{{b, o, q}, {b, q, o}, {o, b, q}, {o, q, b}, {q, b, o}, {q, o, b}}
}

// compareUTF16 compares two texts by their UTF-16 units.
func compareUTF16(a, b string) int {
	if plainASCII(a) && plainASCII(b) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// compareNumbers sorts texts of digits first, by their number, and all others by bytes.
func compareNumbers(a, b string) int {
	left, leftOK := significant(a)
	right, rightOK := significant(b)
	switch {
	case leftOK && rightOK:
		return cmp.Or(len(left)-len(right), strings.Compare(left, right))
	case leftOK:
		return -1
	case rightOK:
		return 1
	}
	return strings.Compare(a, b)
}

// significant removes the leading zeros of a text of digits.
func significant(text string) (string, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return "", false
		}
	}
	return strings.TrimLeft(text, "0"), text != ""
}
