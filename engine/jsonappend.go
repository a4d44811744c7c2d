package engine

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsontext"
)

// Members are appended with a comma in front, which closeObject turns into the brace of the first.

func appendName(dst []byte, name string) []byte {
	return append(append(append(dst, `,"`...), name...), `":`...)
}

func appendText(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return jsontext.AppendString(appendName(dst, name), value)
}

func appendDate(dst []byte, name string, d calendar.Date) []byte {
	if d.IsZero() {
		return dst
	}
	return append(d.Append(append(appendName(dst, name), '"')), '"')
}

func appendList[T any](dst []byte, items iter.Seq[T], item func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	first := true
	for v := range items {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = item(dst, v)
	}
	return append(dst, ']')
}

// closeObject makes the members appended since at an object.
func closeObject(dst []byte, at int) []byte {
	if len(dst) == at {
		return append(dst, "{}"...)
	}
	dst[at] = '{'
	return append(dst, '}')
}
