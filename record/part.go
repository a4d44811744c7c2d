package record

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"
	"io"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
)

// A Part is the totals of some of the inputs of one forecast or simulation, to be merged with those
// of the others. By day, week, month, quarter or weekday they are a [engine.Portfolio]; by profile
// they are records.
type Part struct {
	Header    Header // what the output answers; By is not ByCharge
	Portfolio *engine.Portfolio
	PartEnd

	Sum [sha256.Size]byte // its check sum, with which it ends
}

// A PartEnd is what is known of a part when its inputs have been read.
type PartEnd struct {
	Inputs    []PartInput      `json:"inputs"`
	States    []PartInput      `json:"states,omitempty"`
	Scripts   []PartInput      `json:"scripts,omitempty"`   // of a simulation
	Quantiles []amount.Percent `json:"quantiles,omitempty"` // of totals with random amounts
	LeftOut   uint64           `json:"left_out,omitempty"`  // rows with errors
	// Overridden is how many of these have no error but those that the run took for warnings, or left out.
	Overridden uint64 `json:"overridden,omitempty"`
	// Unmet are the ids that no row has: places in the header's Profiles and, after these, its
	// Excluded, from 0 and in order.
	Unmet []int `json:"unmet,omitempty"`
}

// A PartInput is a file that a part was made from, as it was read.
type PartInput struct {
	Name   string `json:"name"` // "-" for stdin
	Size   uint64 `json:"size"`
	SHA256 string `json:"sha256"`         // in lower-case hexadecimal digits
	Form   string `json:"form,omitempty"` // of a payload: "csv", "base64" or "form"
}

// A PartFault is why [ReadPart] refuses a part.
type PartFault uint8

// The faults of a part.
const (
	ErrPartForm    PartFault = iota + 1 // not a part, or one that is damaged or cut off
	ErrPartVersion                      // a part of another version
)

// Error returns a line without anything that the part says.
func (f PartFault) Error() string {
	switch f {
	case ErrPartForm:
		return "record: not a part, or one that is damaged or cut off"
	case ErrPartVersion:
		return "record: a part of another version"
	}
	return "record: a part cannot be read"
}

// A part is a line with the schema; sections, each a letter, its length as a varint and its bytes; and
// the SHA-256 of all that. The sections are the header, then the totals by profile or the portfolio,
// then the end. Each has one form, which is the only one that is read.
const (
	partName   = "chargecast.part/"
	partSchema = partName + "1\n"

	sectionHeader    = 'H'
	sectionTotal     = 'T'
	sectionPortfolio = 'P'
	sectionEnd       = 'E'
)

// A PartWriter writes a part. By profile nothing is kept of what was written. [NewPartWriter] makes
// one; the methods of the zero PartWriter panic.
type PartWriter struct {
	w   io.Writer
	sum hash.Hash
	b   []byte
	err error
}

// NewPartWriter begins a part. Without [PartWriter.Close] what is written is no part, so that one that
// was interrupted is never taken for whole.
func NewPartWriter(w io.Writer, h Header) *PartWriter {
	p := &PartWriter{w: w, sum: sha256.New(), b: []byte(partSchema)}
	p.section(sectionHeader, h.AppendJSON(nil))
	return p
}

// Total writes a total by profile. Its reasons are left out.
func (w *PartWriter) Total(t *Total) error {
	plain := *t
	plain.Explain = nil
	w.section(sectionTotal, plain.AppendJSON(nil))
	return w.err
}

// Close ends the part, with the portfolio unless its totals are by profile. The error is the first one
// of the writer.
func (w *PartWriter) Close(p *engine.Portfolio, end PartEnd) error {
	if p != nil {
		form, _ := p.AppendBinary(nil)
		w.section(sectionPortfolio, form)
	}
	w.section(sectionEnd, end.append(nil))
	w.flush()
	w.b = w.sum.Sum(w.b)
	w.flush()
	return w.err
}

func (w *PartWriter) section(kind byte, text []byte) {
	w.b = appendSection(w.b, kind, text)
	if len(w.b) >= bufferSize {
		w.flush()
	}
}

func (w *PartWriter) flush() {
	_, _ = w.sum.Write(w.b)
	if w.err == nil {
		_, w.err = w.w.Write(w.b)
	}
	w.b = w.b[:0]
}

func appendSection(dst []byte, kind byte, text []byte) []byte {
	return append(binary.AppendUvarint(append(dst, kind), uint64(len(text))), text...)
}

// append appends the end as JSON. Texts of valid UTF-8 are all that it can fail for, and replaces others.
func (e *PartEnd) append(dst []byte) []byte {
	text, _ := json.Marshal(e)
	return append(dst, text...)
}
