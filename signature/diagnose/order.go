package diagnose

import (
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
	orderIgnoringCase
	orderNone
)

// A sortable is a parameter with its texts as they are compared.
type sortable struct {
	base.Pair
	name, value string
}

// sort sorts by the names, and where they are equal by the values.
func (o order) sort(pairs []base.Pair, names, values *encoder) {
	if o == orderNone {
		return
	}
	list := make([]sortable, len(pairs))
	for i, p := range pairs {
		list[i] = sortable{p, o.text(p.Name, names), o.text(p.Value, values)}
		if o == orderJoined {
			list[i].name += "=" + list[i].value
		}
	}
	slices.SortStableFunc(list, func(a, b sortable) int {
		if order := o.compare(a.name, b.name); order != 0 || o == orderJoined {
			return order
		}
		return o.compare(a.value, b.value)
	})
	for i := range list {
		pairs[i] = list[i].Pair
	}
}

// text is a text as the order compares it.
func (o order) text(raw string, e *encoder) string {
	switch {
	case o == orderRawBytes || o == orderRawUTF16:
		return raw
	case o == orderIgnoringCase:
		return strings.ToLower(string(appendAs(e, nil, raw)))
	case e == nil && !base.NeedsEncoding(raw):
		return raw
	}
	return string(appendAs(e, nil, raw))
}

func (o order) compare(a, b string) int {
	if o == orderRawUTF16 && (!isASCII(a) || !isASCII(b)) {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	}
	return strings.Compare(a, b)
}
