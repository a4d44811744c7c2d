package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// ReadPart reads a part from its bytes, which it keeps: it needs no more memory than a few times as many.
// The error is [ErrPartVersion] for a part of another version, and [ErrPartForm] for anything that was
// cut, damaged or written otherwise.
func ReadPart(data []byte) (*Part, error) {
	rest, ours := bytes.CutPrefix(data, []byte(partSchema))
	if !ours {
		if line, _, whole := bytes.Cut(data, []byte("\n")); whole && bytes.HasPrefix(line, []byte(partName)) {
			return nil, ErrPartVersion
		}
		return nil, ErrPartForm
	}
	end := len(data) - sha256.Size
	if len(rest) < sha256.Size || sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return nil, ErrPartForm
	}
	p := new(Part)
	if err := p.read(rest[:len(rest)-sha256.Size]); err != nil {
		return nil, err
	}
	return p, nil
}

// read takes the sections.
func (p *Part) read(rest []byte) error {
	text, rest, ok := section(rest, sectionHeader)
	if !ok || p.Header.UnmarshalJSON(text) != nil || !bytes.Equal(p.Header.AppendJSON(nil), text) {
		return ErrPartForm
	}
	if p.Header.Schema != SchemaForecast && p.Header.Schema != SchemaSimulate || p.Header.By == engine.ByCharge {
		return ErrPartForm
	}
	var err error
	if p.Header.By == engine.ByProfile {
		rest, err = p.readTotals(rest)
	} else {
		rest, err = p.readPortfolio(rest)
	}
	if err != nil {
		return err
	}
	text, rest, ok = section(rest, sectionEnd)
	if !ok || len(rest) > 0 || json.Unmarshal(text, &p.PartEnd) != nil || !bytes.Equal(p.append(nil), text) {
		return ErrPartForm
	}
	return p.check()
}

// check reports whether the sections agree with each other.
func (p *Part) check() error {
	if p.Portfolio != nil && p.Portfolio.Scope() != p.scope() {
		return ErrPartForm
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

func (p *Part) readPortfolio(rest []byte) ([]byte, error) {
	text, rest, ok := section(rest, sectionPortfolio)
	if !ok {
		return nil, ErrPartForm
	}
	p.Portfolio = new(engine.Portfolio)
	err := p.Portfolio.UnmarshalBinary(text)
	switch {
	case errors.Is(err, engine.ErrPortfolioVersion):
		return nil, ErrPartVersion
	case err != nil:
		return nil, ErrPartForm
	}
	return rest, nil
}

// readTotals checks the totals by profile, which are read again when they are used.
func (p *Part) readTotals(rest []byte) ([]byte, error) {
	from := rest
	for {
		text, after, ok := section(rest, sectionTotal)
		if !ok {
			p.totals = from[:len(from)-len(rest)]
			return rest, nil
		}
		var t Total
		if t.UnmarshalJSON(text) != nil || t.By != engine.ByProfile || !bytes.Equal(t.AppendJSON(nil), text) {
			return nil, ErrPartForm
		}
		rest = after
	}
}

// section takes a section of a kind; false where the next one is another, or there is none.
func section(b []byte, kind byte) (text, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != kind {
		return nil, b, false
	}
	size, n := binary.Uvarint(b[1:])
	if n <= 0 || size > uint64(len(b)-1-n) || n > 1 && b[n] == 0 { // a varint has one shortest form
		return nil, b, false
	}
	b = b[1+n:]
	return b[:size], b[size:], true
}

// Totals yields the totals by profile in the order in which they were written. Other parts have none.
func (p *Part) Totals() iter.Seq[Total] {
	return func(yield func(Total) bool) {
		rest := p.totals
		for {
			text, after, ok := section(rest, sectionTotal)
			var t Total
			if !ok || t.UnmarshalJSON(text) != nil || !yield(t) {
				return
			}
			rest = after
		}
	}
}
