package gateway

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

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
	outcome, err := c.Outcome.MarshalText()
	if err != nil {
		return nil, err
	}
	var flags byte
	if c.Manual {
		flags |= flagManual
	}
	if c.CardExpired {
		flags |= flagCardExpired
	}
	const others = 160 // what all but the texts takes, or a little less
	dst := make([]byte, 0, len(c.Login)+len(c.OrderID)+len(c.Currency)+len(c.Callback)+others)
	dst = append(dst, chargeVersion, flags)
	for _, n := range [...]uint64{uint64(c.ID), uint64(c.Profile), c.Repeat, c.Nth} {
		dst = binary.AppendUvarint(dst, n)
	}
	for _, text := range [...]string{c.Login, c.OrderID, c.Currency, c.Callback} {
		dst = appendBytes(dst, text)
	}
	dst = appendDates(dst, c.Slot, c.Date)
	var text [64]byte
	dst = appendBytes(dst, c.Min.Append(text[:0]))
	dst = appendBytes(dst, c.Max.Append(text[:0]))
	dst = appendBytes(dst, outcome)
	return appendBytes(dst, c.Because.Append(text[:0])), err
}

// UnmarshalBinary reads what [Charge.MarshalBinary] writes, and keeps nothing of data. On an error
// c is unchanged.
func (c *Charge) UnmarshalBinary(data []byte) error {
	const start = 2 // behind the form and the flags
	if len(data) < start || data[0] != chargeVersion || data[1] > allFlags {
		return errCharge
	}
	var read Charge
	read.Manual, read.CardExpired = data[1]&flagManual != 0, data[1]&flagCardExpired != 0
	f := fieldReader{rest: data[start:], texts: string(data[start:])}
	read.ID, read.Profile, read.Repeat, read.Nth = ID(f.number()), ID(f.number()), f.number(), f.number()
	read.Login, read.OrderID, read.Currency, read.Callback = f.text(), f.text(), f.text(), f.text()
	f.read(&read.Slot, &read.Date, &read.Min, &read.Max, &read.Outcome)
	for id := range strings.FieldsSeq(f.text()) {
		var clause ledger.Clause
		if clause.UnmarshalText([]byte(id)) != nil {
			return errCharge
		}
		read.Because = read.Because.With(clause)
	}
	if !f.ended() {
		return errCharge
	}
	*c = read
	return nil
}
