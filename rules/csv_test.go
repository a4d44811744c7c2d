package rules

import (
	"encoding/csv"
	"io"
)

// csvReader is the standard library's reader, set to the payload's separator.
func csvReader(src io.Reader) *csv.Reader {
	r := csv.NewReader(src)
	r.Comma = ';'
	r.ReuseRecord = true
	return r
}
