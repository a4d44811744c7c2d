package gateway

import (
	"errors"
	"net/url"
	"strings"
)

// Columns are the values of the row that a profile was created from, masked, as one text:
// name=value for each column with a value, in the document's order, with a space in between. In a
// value %20 is a space and %25 a per cent sign. So the values are read only by who asks for them,
// which a run of a day does not. The zero Columns have no value.
type Columns string

var errColumns = errors.New("gateway: the columns of a profile are damaged")

// Values returns the value of each column by its name, never nil; a text in another form is an
// error.
func (c Columns) Values() (map[string]string, error) {
	values := map[string]string{}
	if c == "" {
		return values, nil
	}
	for field := range strings.SplitSeq(string(c), " ") {
		name, escaped, ok := strings.Cut(field, "=")
		value, err := url.PathUnescape(escaped)
		if !ok || err != nil {
			return nil, errColumns
		}
		values[name] = value
	}
	return values, nil
}

// appendColumn adds a column to the text of columns.
func appendColumn(dst []byte, name, value string) []byte {
	if len(dst) > 0 {
		dst = append(dst, ' ')
	}
	dst = append(append(dst, name...), '=')
	for i := range len(value) {
		switch value[i] {
		case ' ':
			dst = append(dst, "%20"...)
		case '%':
			dst = append(dst, "%25"...)
		default:
			dst = append(dst, value[i])
		}
	}
	return dst
}
