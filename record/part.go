package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"iter"
	"math/bits"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Part is the totals of some of the inputs of one forecast or simulation, to be merged with those of
// the others.
type Part struct {
	Header Header // what the output answers; By is not ByCharge
	PartAsked
	Days engine.Days // the totals, by day whatever By is; none by profile, where they are not kept
	PartEnd

	Sum [sha256.Size]byte // its check sum, with which it ends
}

// PartAsked is what totals were asked to say besides.
type PartAsked struct {
	Quantiles []amount.Percent `json:"quantiles,omitzero"` // of totals with random amounts
	Explain   bool             `json:"explain,omitzero"`   // totals say what they rest on
}

// A PartEnd is what is known of a part when its inputs have been read.
type PartEnd struct {
	Inputs  []PartInput     `json:"inputs"`
	States  []PartInput     `json:"states,omitzero"`
	Scripts []PartInput     `json:"scripts,omitzero"` // of a simulation
	Summary ForecastSummary `json:"summary"`
	// Overridden is how many of the rows that are left out have no error but those that the run took for warnings, or left out.
	Overridden uint64 `json:"overridden,omitzero"`
	// Unmet are the ids that no row has: places in the header's Profiles and, after these, its
	// Excluded, from 0 and in order.
	Unmet []int `json:"unmet,omitzero"`
}

// A PartInput is a file that a part was made from, as it was read.
type PartInput struct {
	Name   string `json:"name"` // "-" for stdin
	Size   uint64 `json:"size"`
	SHA256 string `json:"sha256"`        // in lower-case hexadecimal digits
	Form   string `json:"form,omitzero"` // of a payload: "csv", "base64" or "form"
}

// The faults for which [ReadPart] refuses a part. Their texts have nothing that the part says.
var (
	ErrPartForm    = errors.New("record: not a part, or one that is damaged or cut off")
	ErrPartVersion = errors.New("record: a part of another version")
)

// A part is lines of JSON: what it is, the header, the totals in order, what is known at the end, and
// the SHA-256 of the lines before. Each has one form, which is the only one that is read.
const (
	partName = `{"type":"part","schema":"chargecast.part/`
	partMark = partName + `3"`

	sumName = `{"type":"sum","sha256":"`
	sumSize = len(sumName) + 2*sha256.Size + len("\"}\n")
)

type (
	partFirst struct {
		Type   string `json:"type"`
		Schema string `json:"schema"`
		PartAsked
	}
	partTotal struct {
		Type     string         `json:"type"`
		Date     calendar.Date  `json:"date,omitzero"`
		Profile  string         `json:"profile,omitzero"`
		File     string         `json:"file,omitzero"`
		Currency string         `json:"currency"`
		Total    amount.Tally   `json:"total"`
		Because  ledger.Because `json:"because,omitzero"`
	}
	partLast struct {
		Type string `json:"type"`
		PartEnd
	}
)

var (
	firstForm = strictjson.FormOf[partFirst]()
	partForm  = strictjson.FormOf[partTotal]()
	lastForm  = strictjson.FormOf[partLast]()
)

// A PartWriter writes a part, and keeps nothing of what was written. [NewPartWriter] makes one; the
// methods of the zero PartWriter panic.
type PartWriter struct {
	w     io.Writer
	sum   hash.Hash
	b     []byte
	err   error
	draws bool
}

// NewPartWriter begins a part. Without [PartWriter.Close] what is written is no part, so that one that
// was interrupted is never taken for whole.
func NewPartWriter(w io.Writer, h Header, asked PartAsked) *PartWriter {
	p := &PartWriter{w: w, sum: sha256.New(), draws: len(asked.Quantiles) > 0}
	p.b = append(firstForm.Append(p.b, &partFirst{"part", "chargecast.part/3", asked}), '\n')
	p.b = append(h.AppendJSON(p.b), '\n')
	return p
}

// Total writes a total by profile. Its quantiles are left out: they follow from what the tally is drawn
// from.
func (w *PartWriter) Total(t *Total) error {
	return w.total(partTotal{Profile: t.Value, File: t.File, Currency: t.Currency, Total: t.Tally, Because: t.Because})
}

// Days writes totals by day, which are in order.
func (w *PartWriter) Days(days iter.Seq[engine.Total]) error {
	for t := range days {
		if w.total(partTotal{Date: t.Period, Currency: t.Currency, Total: t.Tally, Because: t.Because}) != nil {
			break
		}
	}
	return w.err
}

func (w *PartWriter) total(t partTotal) error {
	t.Type = "total"
	if !w.draws {
		t.Total = t.Total.WithoutDraws()
	}
	w.b = append(partForm.Append(w.b, &t), '\n')
	if len(w.b) >= bufferSize {
		w.flush()
	}
	return w.err
}

// Close ends the part. The error is the first one of the writer.
func (w *PartWriter) Close(end PartEnd) error {
	w.b = append(lastForm.Append(w.b, &partLast{"end", end}), '\n')
	w.flush()
	w.b = appendPartSum(w.b, w.sum)
	w.flush()
	return w.err
}

func (w *PartWriter) flush() {
	_, _ = w.sum.Write(w.b)
	if w.err == nil {
		_, w.err = w.w.Write(w.b)
	}
	w.b = w.b[:0]
}

// appendPartSum appends the last line.
func appendPartSum(dst []byte, sum hash.Hash) []byte {
	return append(hex.AppendEncode(append(dst, sumName...), sum.Sum(nil)), "\"}\n"...)
}

// ReadPart reads a part to its end. By profile it calls total with each total in order and keeps none of
// them, so that memory does not grow with their number; they are those of a part only once ReadPart has
// returned without an error. A nil total checks them alike. The error is [ErrPartVersion] for a whole part
// of another version, [ErrPartForm] for anything that was cut, damaged or written otherwise, and that of
// the reader where it fails.
func ReadPart(r io.Reader, total func(*Total)) (*Part, error) {
	of := partReader{in: bufio.NewReaderSize(r, bufferSize), sum: sha256.New()}
	p, err := of.part(total)
	switch {
	case of.err != nil:
		return nil, of.err
	case err != nil:
		return nil, err
	}
	return p, nil
}

// A partReader reads the lines of a part.
type partReader struct {
	in    *bufio.Reader
	sum   hash.Hash // of the lines up to the last one that was read, which is …
	line  []byte
	again []byte
	err   error // of the reader
}

// mostPartLine is how long a line may be.
const mostPartLine = 64 << 20

// next reads a line, and reports whether there is one with its end.
func (r *partReader) next() bool {
	_, _ = r.sum.Write(r.line)
	for r.line = r.line[:0]; len(r.line) < mostPartLine; {
		more, err := r.in.ReadSlice('\n')
		r.line = append(r.line, more...)
		switch {
		case err == nil:
			return true
		case err != bufio.ErrBufferFull:
			if err != io.EOF {
				r.err = err
			}
			return false
		}
	}
	return false
}

// is reports whether the line is what a writer appends.
func (r *partReader) is(line []byte) bool {
	r.again = append(line, '\n')
	return bytes.Equal(r.again, r.line)
}

// atEnd reports whether the line is the check sum, and the last one.
func (r *partReader) atEnd() bool {
	if len(r.line) != sumSize || !bytes.Equal(r.line, appendPartSum(nil, r.sum)) {
		return false
	}
	_, err := r.in.ReadByte()
	if err != nil && err != io.EOF {
		r.err = err
	}
	return err == io.EOF
}

func (r *partReader) part(total func(*Total)) (*Part, error) {
	p, first := new(Part), partFirst{}
	switch {
	case !r.next() || !bytes.HasPrefix(r.line, []byte(partName)):
		return nil, ErrPartForm
	case !bytes.HasPrefix(r.line, []byte(partMark)):
		for r.next() {
			if bytes.HasPrefix(r.line, []byte(sumName)) {
				if r.atEnd() {
					return nil, ErrPartVersion
				}
				break // a version that was made of ours by a damaged byte
			}
		}
		return nil, ErrPartForm
	case firstForm.Read(r.line, &first) != nil || !r.is(firstForm.Append(r.again[:0], &first)):
		return nil, ErrPartForm
	case !r.next() || p.Header.UnmarshalJSON(r.line) != nil || !r.is(p.Header.AppendJSON(r.again[:0])):
		return nil, ErrPartForm
	}
	p.PartAsked = first.PartAsked
	if p.Header.Schema != SchemaForecast && p.Header.Schema != SchemaSimulate || p.Header.By == engine.ByCharge {
		return nil, ErrPartForm
	}
	for r.next() && bytes.HasPrefix(r.line, []byte(`{"type":"total"`)) {
		if !r.total(p, total) {
			return nil, ErrPartForm
		}
	}
	var last partLast
	if lastForm.Read(r.line, &last) != nil || last.Type != "end" || !r.is(lastForm.Append(r.again[:0], &last)) || !r.next() || !r.atEnd() {
		return nil, ErrPartForm
	}
	p.PartEnd = last.PartEnd
	copy(p.Sum[:], r.sum.Sum(nil))
	return p, p.check()
}

// total takes a line with a total.
func (r *partReader) total(p *Part, send func(*Total)) bool {
	var t partTotal
	if partForm.Read(r.line, &t) != nil || !r.is(partForm.Append(r.again[:0], &t)) || t.Total.IsZero() || !p.Explain && !t.Because.IsZero() {
		return false
	}
	_, err := t.Total.Quantiles()
	if len(p.Quantiles) > 0 && err != nil || len(p.Quantiles) == 0 && !t.Total.Equal(t.Total.WithoutDraws()) {
		return false
	}
	if p.Header.By == engine.ByProfile {
		if send != nil {
			send(&Total{By: engine.ByProfile, Value: t.Profile, File: t.File, Currency: t.Currency, Tally: t.Total, Because: t.Because})
		}
		return t.Date.IsZero()
	}
	p.Days = append(p.Days, engine.Total{Period: t.Date, Currency: t.Currency, Tally: t.Total, Because: t.Because})
	return t.Profile == "" && t.File == "" && p.Header.window().Contains(t.Date)
}

// window is the days that the totals are about.
func (h *Header) window() calendar.Window {
	from := h.AsOf
	if h.From.After(from) {
		from = h.From
	}
	return calendar.Through(from, h.Until)
}

// check reports whether the lines agree with each other.
func (p *Part) check() error {
	_, fits := p.Days.Charges()
	if !fits || !p.Days.IsSorted() || p.Overridden > p.Summary.LeftOut {
		return ErrPartForm
	}
	ids, before := len(p.Header.Profiles)+len(p.Header.Excluded), -1
	for _, place := range p.Unmet {
		if place <= before || place >= ids {
			return ErrPartForm
		}
		before = place
	}
	return nil
}

// Merge adds the totals, inputs and counts of another part of the same output, for which
// [Part.Differs] is empty. The error is [engine.ErrPortfolioFull] for counts of 2^64 and more; p is then not to be used.
func (p *Part) Merge(o *Part) error {
	if err := p.Days.Merge(o.Days); err != nil {
		return err
	}
	a, b := &p.Summary, &o.Summary
	for _, sum := range [...][2]uint64{
		{a.LeftOut, b.LeftOut}, {a.Profiles, b.Profiles}, {a.TakenAsNew, b.TakenAsNew}, {a.Charges, b.Charges}, {a.CardExpired, b.CardExpired},
	} {
		if _, carry := bits.Add64(sum[0], sum[1], 0); carry != 0 {
			return engine.ErrPortfolioFull
		}
	}
	p.Summary.Merge(o.Summary)
	p.Overridden += o.Overridden
	p.Inputs = append(p.Inputs, o.Inputs...)
	for _, in := range o.States {
		if !slices.Contains(p.States, in) {
			p.States = append(p.States, in)
		}
	}
	p.Unmet = slices.DeleteFunc(p.Unmet, func(place int) bool { return !slices.Contains(o.Unmet, place) })
	p.Header.Input = p.form()
	return nil
}

// form is the form of all inputs, as the header of one run has it: by profile it is written before
// several are read.
func (p *Part) form() string {
	if len(p.Inputs) == 0 || len(p.Inputs) > 1 && p.Header.By == engine.ByProfile {
		return ""
	}
	first := p.Inputs[0].Form
	if slices.ContainsFunc(p.Inputs, func(in PartInput) bool { return in.Form != first }) {
		return ""
	}
	return first
}

// Differs returns the first thing in which two parts are not of one output, as the command's flags
// call it; empty if they can be merged. Inputs may differ, and with them the form that they came in.
func (p *Part) Differs(o *Part) string {
	a, b := &p.Header, &o.Header
	switch {
	case a.Schema != b.Schema:
		return "command"
	case a.AsOf != b.AsOf:
		return "as-of"
	case a.From != b.From:
		return "from"
	case a.Until != b.Until:
		return "until"
	case a.Next != b.Next:
		return "next"
	case a.Zone != b.Zone:
		return "zone"
	case a.By != b.By:
		return "by"
	case !slices.Equal(p.Quantiles, o.Quantiles):
		return "quantiles"
	case p.Explain != o.Explain:
		return "explain"
	case a.Seed != b.Seed:
		return "seed"
	case !slices.EqualFunc(p.Scripts, o.Scripts, sameText):
		return "script"
	}
	for c := range engine.Keys() {
		if key := c.Key(); a.Policy.Reading(c).Value != b.Policy.Reading(c).Value {
			return "policy " + key
		}
	}
	same := *b
	same.Input, same.Policy = a.Input, a.Policy
	if !bytes.Equal(a.AppendJSON(nil), same.AppendJSON(nil)) {
		return "profile or exclude"
	}
	return ""
}

// sameText reports whether two files are one by what is in them.
func sameText(a, b PartInput) bool { return a.Size == b.Size && a.SHA256 == b.SHA256 }
