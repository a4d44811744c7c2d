package store

import (
	"encoding"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/ledger"
)

// A day run reads and writes many profiles and charges: their records are binary, all others JSON.

// The binary forms of records are their fields one after the other: whole numbers as package binary
// has them, and all else as a text with its length in front.

func appendBytes[T string | []byte](dst []byte, text T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

func appendDates(dst []byte, days ...calendar.Date) []byte {
	var text [len("2026-01-31")]byte
	for _, d := range days {
		dst = appendBytes(dst, d.Append(text[:0]))
	}
	return dst
}

// A fieldReader reads the fields of a binary form. Once one is damaged all that follow are zero.
type fieldReader struct {
	rest    []byte
	texts   string // a copy of what rest was before the first text, of which the texts are parts
	damaged bool
}

// take returns the next n bytes, after the skip bytes before them.
func (f *fieldReader) take(skip int, n uint64) []byte {
	if skip <= 0 || n > uint64(len(f.rest)-skip) {
		f.damaged, f.rest = true, nil
		return nil
	}
	field := f.rest[skip : skip+int(n)]
	f.rest = f.rest[skip+int(n):]
	return field
}

func (f *fieldReader) bytes() []byte {
	n, skip := binary.Uvarint(f.rest)
	return f.take(skip, n)
}

func (f *fieldReader) text() string {
	n := len(f.bytes())
	end := len(f.texts) - len(f.rest)
	return f.texts[end-n : end]
}

func (f *fieldReader) number() uint64 {
	n, skip := binary.Uvarint(f.rest)
	f.take(skip, 0)
	return n
}

func (f *fieldReader) int() int {
	n, skip := binary.Varint(f.rest)
	f.take(skip, 0)
	if int64(int(n)) != n {
		f.damaged = true
	}
	return int(n)
}

// read reads texts into values.
func (f *fieldReader) read(list ...encoding.TextUnmarshaler) {
	for _, to := range list {
		if to.UnmarshalText(f.bytes()) != nil {
			f.damaged = true
		}
	}
}

// ended reports whether all was read, and nothing of it was damaged.
func (f *fieldReader) ended() bool { return !f.damaged && len(f.rest) == 0 }

// profileVersion is the first byte of the binary form of a profile. It grows when the form changes:
// version 1 has no CallbackTo and no Private.
const profileVersion = 2

var errProfile = errors.New("store: the binary form of a profile is damaged")

// encodeProfile returns a byte for the form, then the fields one after the other, each text with
// its length in front.
func encodeProfile(p *gateway.Profile) ([]byte, error) {
	stored, err := p.Stored.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var first []byte
	if p.First != nil {
		if first, err = p.First.MarshalJSON(); err != nil {
			return nil, err
		}
	}
	const others = 128 // what the numbers, the days, the card and the lengths take, or a little less
	dst := make([]byte, 0, len(stored)+len(first)+len(p.Columns)+len(p.Callback)+len(p.Login)+len(p.ClientOrderID)+len(p.Card.Hash)+len(p.CallbackTo)+len(p.Private)+others)
	dst = append(dst, profileVersion)
	dst = appendBytes(appendBytes(dst, stored), first)
	dst = binary.AppendUvarint(dst, uint64(p.ID))
	dst = binary.AppendUvarint(dst, uint64(p.Request))
	dst = binary.AppendVarint(dst, int64(p.Row))
	for _, text := range [...]string{p.Login, p.ClientOrderID, p.Card.Masked, p.Card.Last4, p.Card.Hash, string(p.Columns), p.Callback, string(p.CallbackTo), p.Private} {
		dst = appendBytes(dst, text)
	}
	return appendDates(dst, p.Created, p.Next, p.Due), nil
}

// decodeProfile reads what encodeProfile writes, and keeps nothing of data. On an error p is
// unchanged.
func decodeProfile(data []byte, p *gateway.Profile) error {
	if len(data) == 0 || data[0] < 1 || data[0] > profileVersion {
		return errProfile
	}
	var read gateway.Profile
	f := fieldReader{rest: data[1:]}
	if read.Stored.UnmarshalJSON(f.bytes()) != nil {
		return errProfile
	}
	if first := f.bytes(); len(first) > 0 {
		read.First = new(engine.Profile)
		if read.First.UnmarshalJSON(first) != nil {
			return errProfile
		}
	}
	f.texts = string(f.rest)
	read.ID, read.Request, read.Row = gateway.ID(f.number()), gateway.ID(f.number()), f.int()
	read.Login, read.ClientOrderID = f.text(), f.text()
	read.Card = gateway.Card{Masked: f.text(), Last4: f.text(), Hash: f.text()}
	read.Columns, read.Callback = gateway.Columns(f.text()), f.text()
	if data[0] > 1 {
		if to := f.text(); to != "" {
			read.CallbackTo = []byte(to)
		}
		read.Private = f.text()
	}
	f.read(&read.Created, &read.Next, &read.Due)
	if !f.ended() {
		return errProfile
	}
	*p = read
	return nil
}

// chargeVersion is the first byte of the binary form of a charge. It grows when the form changes.
const chargeVersion = 1

var errCharge = errors.New("store: the binary form of a charge is damaged")

// The flags of a charge.
const (
	flagManual = 1 << iota
	flagCardExpired
	allFlags = flagManual | flagCardExpired
)

// encodeCharge is encodeProfile for a charge. An unknown outcome is an error.
func encodeCharge(c *gateway.Charge) ([]byte, error) {
	outcome, err := c.Charge.Outcome.MarshalText()
	if err != nil {
		return nil, err
	}
	var flags byte
	if c.Charge.Manual {
		flags |= flagManual
	}
	if c.Charge.CardExpired {
		flags |= flagCardExpired
	}
	const others = 160 // what all but the texts takes, or a little less
	dst := make([]byte, 0, len(c.Login)+len(c.ClientOrderID)+len(c.Currency)+len(c.Callback)+others)
	dst = append(dst, chargeVersion, flags)
	for _, n := range [...]uint64{uint64(c.ID), uint64(c.Profile), c.Charge.Repeat, c.Charge.Nth} {
		dst = binary.AppendUvarint(dst, n)
	}
	for _, text := range [...]string{c.Login, c.ClientOrderID, c.Currency, c.Callback} {
		dst = appendBytes(dst, text)
	}
	dst = appendDates(dst, c.Charge.Slot, c.Charge.Date)
	var text [64]byte
	dst = appendBytes(dst, c.Charge.Min.Append(text[:0]))
	dst = appendBytes(dst, c.Charge.Max.Append(text[:0]))
	dst = appendBytes(dst, outcome)
	return appendBytes(dst, c.Charge.Because.Append(text[:0])), err
}

// decodeCharge reads what encodeCharge writes, and keeps nothing of data. On an error c is
// unchanged.
func decodeCharge(data []byte, c *gateway.Charge) error {
	const start = 2 // behind the form and the flags
	if len(data) < start || data[0] != chargeVersion || data[1] > allFlags {
		return errCharge
	}
	var read gateway.Charge
	read.Charge.Manual, read.Charge.CardExpired = data[1]&flagManual != 0, data[1]&flagCardExpired != 0
	f := fieldReader{rest: data[start:], texts: string(data[start:])}
	read.ID, read.Profile, read.Charge.Repeat, read.Charge.Nth = gateway.ID(f.number()), gateway.ID(f.number()), f.number(), f.number()
	read.Login, read.ClientOrderID, read.Currency, read.Callback = f.text(), f.text(), f.text(), f.text()
	f.read(&read.Charge.Slot, &read.Charge.Date, &read.Charge.Min, &read.Charge.Max, &read.Charge.Outcome)
	for id := range strings.FieldsSeq(f.text()) {
		var clause ledger.Clause
		if clause.UnmarshalText([]byte(id)) != nil {
			return errCharge
		}
		read.Charge.Because = read.Charge.Because.With(clause)
	}
	if !f.ended() {
		return errCharge
	}
	*c = read
	return nil
}
