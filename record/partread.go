package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// ReadPart reads a part to its end. By profile it calls total with each total in order and keeps none of
// them, so that memory does not grow with their number; they are those of a part only once ReadPart has
// returned without an error. A nil total checks them alike. The error is [ErrPartVersion] for a whole part
// of another version, [ErrPartForm] for anything that was cut, damaged or written otherwise, and that of
// the reader where it fails.
func ReadPart(r io.Reader, total func(*Total)) (*Part, error) {
	src := &partSource{r: r}
	p, err := readWholePart(src, total)
	if err != nil && src.err != nil {
		err = src.err
	}
	return p, err
}

// A partSource keeps the error of a reader, which would look like the end of a part that was cut.
type partSource struct {
	r   io.Reader
	err error
}

func (s *partSource) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

func readWholePart(r io.Reader, total func(*Total)) (*Part, error) {
	of := &partReader{r: bufio.NewReaderSize(r, bufferSize), sum: sha256.New()}
	const longestLine = 64
	start, _ := of.r.Peek(longestLine)
	if line, _, whole := bytes.Cut(start, []byte("\n")); !whole || !bytes.HasPrefix(line, []byte(partName)) {
		return nil, ErrPartForm
	}
	p := new(Part)
	err := error(ErrPartVersion)
	if bytes.HasPrefix(start, []byte(partSchema)) {
		of.take(len(partSchema))
		err = p.read(of, total)
	}
	switch {
	case err == ErrPartVersion && !of.endsWithSum():
		return nil, ErrPartForm // a version that was made of ours by a damaged byte
	case err != nil:
		return nil, err
	}
	copy(p.Sum[:], of.sum.Sum(nil))
	var sum [sha256.Size + 1]byte
	if n, err := io.ReadFull(of.r, sum[:]); n != sha256.Size || err != io.ErrUnexpectedEOF || p.Sum != [sha256.Size]byte(sum[:]) {
		return nil, ErrPartForm
	}
	return p, nil
}

// read takes the sections.
func (p *Part) read(r *partReader, total func(*Total)) error {
	text, ok := r.section(sectionHeader)
	if !ok || p.Header.UnmarshalJSON(text) != nil || !bytes.Equal(p.Header.AppendJSON(nil), text) {
		return ErrPartForm
	}
	if p.Header.Schema != SchemaForecast && p.Header.Schema != SchemaSimulate || p.Header.By == engine.ByCharge {
		return ErrPartForm
	}
	var err error
	if p.Header.By == engine.ByProfile {
		err = readTotals(r, total)
	} else {
		err = p.readPortfolio(r)
	}
	if err != nil {
		return err
	}
	text, ok = r.section(sectionEnd)
	if !ok || json.Unmarshal(text, &p.PartEnd) != nil || !bytes.Equal(p.append(nil), text) {
		return ErrPartForm
	}
	return p.check()
}

// check reports whether the sections agree with each other.
func (p *Part) check() error {
	if p.Portfolio != nil && p.Portfolio.Scope() != p.scope() || p.Overridden > p.LeftOut {
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

// scope is that of the portfolio, by what the header says.
func (p *Part) scope() engine.Scope {
	h := &p.Header
	s := engine.Scope{AsOf: h.AsOf, Window: calendar.Window{From: h.AsOf}, Policy: h.Policy, Draws: len(p.Quantiles) > 0}
	if h.From.After(h.AsOf) {
		s.Window.From = h.From
	}
	if !h.Until.IsZero() {
		s.Window = calendar.Through(s.Window.From, h.Until)
	}
	return s
}

// readPortfolio takes the sums of totals by period.
func (p *Part) readPortfolio(r *partReader) error {
	text, ok := r.section(sectionPortfolio)
	if !ok {
		return ErrPartForm
	}
	p.Portfolio = new(engine.Portfolio)
	err := p.Portfolio.UnmarshalBinary(text)
	switch {
	case errors.Is(err, engine.ErrPortfolioVersion):
		return ErrPartVersion
	case err != nil:
		return ErrPartForm
	}
	r.text = nil // it may be long
	return nil
}

// readTotals takes the totals by profile.
func readTotals(r *partReader, total func(*Total)) error {
	var again []byte
	for {
		text, ok := r.section(sectionTotal)
		if !ok {
			return nil
		}
		var t Total
		if t.UnmarshalJSON(text) != nil || t.By != engine.ByProfile {
			return ErrPartForm
		}
		if again = t.AppendJSON(again[:0]); !bytes.Equal(again, text) {
			return ErrPartForm
		}
		if total != nil {
			total(&t)
		}
	}
}

// A partReader reads the sections of a part and adds up what it has read.
type partReader struct {
	r    *bufio.Reader
	sum  hash.Hash
	text []byte // of the section that was read last
}

// maxSection is how long a section may be.
const maxSection = 1 << 30

// section takes a section of a kind. The text is good until the next one. It is not ok where another
// section comes, which is not taken, and where the input ends or is none.
func (r *partReader) section(kind byte) (text []byte, ok bool) {
	head, _ := r.r.Peek(1 + binary.MaxVarintLen64)
	if len(head) == 0 || head[0] != kind {
		return nil, false
	}
	size, n := binary.Uvarint(head[1:])
	if n <= 0 || size > maxSection || n > 1 && head[n] == 0 { // a varint has one shortest form
		return nil, false
	}
	r.take(1 + n)
	r.text = r.text[:0]
	for left := int(size); left > 0; {
		more := min(left, bufferSize) // the input may be shorter than it says
		from := len(r.text)
		r.text = slices.Grow(r.text, more)[:from+more]
		if _, err := io.ReadFull(r.r, r.text[from:]); err != nil {
			return nil, false
		}
		left -= more
	}
	_, _ = r.sum.Write(r.text)
	return r.text, true
}

// endsWithSum reads on to the end and reports whether that is the check sum of what comes before it, as
// in every version.
func (r *partReader) endsWithSum() bool {
	var last []byte
	for {
		next, err := r.r.Peek(max(1, r.r.Buffered()))
		last = append(last, next...)
		_, _ = r.r.Discard(len(next))
		if more := len(last) - sha256.Size; more > 0 {
			_, _ = r.sum.Write(last[:more])
			last = slices.Delete(last, 0, more)
		}
		if err != nil {
			return err == io.EOF && bytes.Equal(last, r.sum.Sum(nil))
		}
	}
}

// take takes bytes that were looked at.
func (r *partReader) take(n int) {
	b, _ := r.r.Peek(n)
	_, _ = r.sum.Write(b)
	_, _ = r.r.Discard(n)
}
