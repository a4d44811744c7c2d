package rules

import (
	"io"
	"strconv"
)

// A payloadRows is where the rows of a payload are among those of all.
type payloadRows struct {
	file   string
	before int // rows of the payloads before it
}

// Next returns a Reader of another payload that belongs together with that of r and those before it,
// as files of one portfolio do: a client-orderid that one of them has is a repetition (L47). Its rows
// count from 1; its [Summary] is its own but for OrderIDs, which counts the rows of all, with the
// MaxOrderIDs of the first. Call it once, when r has been read as far as it is wanted; r is of no
// further use.
func (r *Reader) Next(src io.Reader, o Options) *Reader {
	next := NewReader(src, o)
	next.ids, r.ids = r.ids, orderIDs{}
	next.payloads = append(r.payloads, payloadRows{r.opts.File, r.before})
	next.before = r.before + r.row
	return next
}

// nameOf returns what a row is called whose number counts over all payloads.
func (r *Reader) nameOf(row int) string {
	if row > r.before {
		return "row " + strconv.Itoa(row-r.before)
	}
	of := r.payloads[0]
	for _, p := range r.payloads[1:] {
		if p.before < row {
			of = p
		}
	}
	name := "row " + strconv.Itoa(row-of.before)
	if of.file != "" {
		name += " of " + of.file
	}
	return name
}
