package gateway

import (
	"errors"
	"net/url"
	"strings"
)

// Columns are the values of the row that a profile was created from, masked, as one text: name=value for
// each column with a value, in the document's order, with a space in between; in a value all but letters and
// digits is escaped as in the query of a URL. So they are read only by who asks for them, which a run of a
// day does not. The zero Columns have no value.
type Columns string

var errColumns = errors.New("gateway: the columns of a profile are damaged")

// Values returns the value of each column by its name, never nil; a text in another form is an error.
func (c Columns) Values() (map[string]string, error) {
	values := map[string]string{}
	for field := range strings.FieldsSeq(string(c)) {
		name, escaped, ok := strings.Cut(field, "=")
		value, err := url.QueryUnescape(escaped)
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
	return append(dst, url.QueryEscape(value)...)
}
