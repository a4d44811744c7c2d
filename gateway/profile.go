package gateway

import (
	"encoding"
	"encoding/binary"
	"errors"
	"net/url"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A Profile is a recurring payment profile as a store keeps it. It has no card number, no cvv2 and
// no value that must not be shown, except what its callback address may hold.
type Profile struct {
	ID            ID // the recurring-payment-id
	Request       ID // the request that created it, which is its serial number
	Login         string
	Row           int    // the data row of the request, from 1
	ClientOrderID string // the client-orderid as it may be shown
	Card          Card
	Columns       Columns
	// Callback is the address of its callbacks, in full; empty for none.
	Callback string
	Created  calendar.Date
	Stored   engine.Stored // as of the last day on which something happened to it
	// First is the profile as it was created, once an update has changed it; nil before.
	First *engine.Profile `json:",omitempty"`
	Next  calendar.Date   // the next automatic charge; zero for none
	Due   calendar.Date   // the earlier of Next and the next stop; zero for none
}

// A Card tells cards apart without showing them.
type Card struct {
	Masked string // at most the first 6 and last 4 digits
	Last4  string // the digits at the end that may be shown, at most 4
	Hash   string // a keyed hash of the number, in hex
}

// Key returns the key; its text is the client-orderid.
func (p Profile) Key() Key {
	return Key{ID: p.ID, Login: p.Login, Status: p.Stored.State.Status.String(), Text: p.ClientOrderID, Due: p.Due}
}

// A Charge is one attempt to charge a profile, as a store keeps it.
type Charge struct {
	ID            ID
	Profile       ID
	Login         string
	ClientOrderID string
	Currency      string
	Callback      string        // the address of its callback, masked; empty for none
	Charge        engine.Charge // drawn, with its outcome
}

// Key returns the key; its text is the client-orderid.
func (c Charge) Key() Key {
	return Key{ID: c.ID, Login: c.Login, Profile: c.Profile, Text: c.ClientOrderID}
}

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

// profileVersion is the first byte of the binary form of a profile. It grows when the form changes.
const profileVersion = 1

var errProfile = errors.New("gateway: the binary form of a profile is damaged")

// MarshalBinary returns a short form for stores, which is read much faster than JSON: a byte for
// the form, then the fields one after the other, each text with its length in front. Errors are
// those of [engine.Stored.MarshalJSON].
func (p Profile) MarshalBinary() ([]byte, error) {
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
	dst := make([]byte, 0, len(stored)+len(first)+len(p.Columns)+len(p.Callback)+len(p.Login)+len(p.ClientOrderID)+len(p.Card.Hash)+others)
	dst = append(dst, profileVersion)
	dst = appendBytes(appendBytes(dst, stored), first)
	dst = binary.AppendUvarint(dst, uint64(p.ID))
	dst = binary.AppendUvarint(dst, uint64(p.Request))
	dst = binary.AppendVarint(dst, int64(p.Row))
	for _, text := range [...]string{p.Login, p.ClientOrderID, p.Card.Masked, p.Card.Last4, p.Card.Hash, string(p.Columns), p.Callback} {
		dst = appendBytes(dst, text)
	}
	return appendDates(dst, p.Created, p.Next, p.Due), nil
}

// UnmarshalBinary reads what [Profile.MarshalBinary] writes, and keeps nothing of data. On an error
// p is unchanged.
func (p *Profile) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != profileVersion {
		return errProfile
	}
	var read Profile
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
	read.ID, read.Request, read.Row = ID(f.number()), ID(f.number()), f.int()
	read.Login, read.ClientOrderID = f.text(), f.text()
	read.Card = Card{Masked: f.text(), Last4: f.text(), Hash: f.text()}
	read.Columns, read.Callback = Columns(f.text()), f.text()
	f.read(&read.Created, &read.Next, &read.Due)
	if !f.ended() {
		return errProfile
	}
	*p = read
	return nil
}

// chargeVersion is the first byte of the binary form of a charge. It grows when the form changes.
const chargeVersion = 1

var errCharge = errors.New("gateway: the binary form of a charge is damaged")

// The flags of a charge.
const (
	flagManual = 1 << iota
	flagCardExpired
	allFlags = flagManual | flagCardExpired
)

// MarshalBinary returns a short form for stores, as [Profile.MarshalBinary] does. An unknown
// outcome is an error.
func (c Charge) MarshalBinary() ([]byte, error) {
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

// UnmarshalBinary reads what [Charge.MarshalBinary] writes, and keeps nothing of data. On an error
// c is unchanged.
func (c *Charge) UnmarshalBinary(data []byte) error {
	const start = 2 // behind the form and the flags
	if len(data) < start || data[0] != chargeVersion || data[1] > allFlags {
		return errCharge
	}
	var read Charge
	read.Charge.Manual, read.Charge.CardExpired = data[1]&flagManual != 0, data[1]&flagCardExpired != 0
	f := fieldReader{rest: data[start:], texts: string(data[start:])}
	read.ID, read.Profile, read.Charge.Repeat, read.Charge.Nth = ID(f.number()), ID(f.number()), f.number(), f.number()
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
