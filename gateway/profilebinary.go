package gateway

import (
	"encoding/binary"
	"errors"

	"github.com/chargecast/chargecast/engine"
)

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
	dst := make([]byte, 0, len(stored)+len(first)+len(p.Columns)+len(p.Callback)+len(p.Login)+len(p.OrderID)+len(p.Card.Hash)+others)
	dst = append(dst, profileVersion)
	dst = appendBytes(appendBytes(dst, stored), first)
	dst = binary.AppendUvarint(dst, uint64(p.ID))
	dst = binary.AppendUvarint(dst, uint64(p.Request))
	dst = binary.AppendVarint(dst, int64(p.Row))
	for _, text := range [...]string{p.Login, p.OrderID, p.Card.Masked, p.Card.Last4, p.Card.Hash, string(p.Columns), p.Callback} {
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
	read.Login, read.OrderID = f.text(), f.text()
	read.Card = Card{Masked: f.text(), Last4: f.text(), Hash: f.text()}
	read.Columns, read.Callback = Columns(f.text()), f.text()
	f.read(&read.Created, &read.Next, &read.Due)
	if !f.ended() {
		return errProfile
	}
	*p = read
	return nil
}
