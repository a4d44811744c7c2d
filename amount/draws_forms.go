package amount

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/chargecast/chargecast/internal/jsontext"
)

// maxSpan is the largest number of values of a range, less one.
const maxSpan = 1<<63 - 1

// AppendBinary implements encoding.BinaryAppender; the error is always nil. Equal draws have equal
// forms.
func (d Draws) AppendBinary(b []byte) ([]byte, error) {
	b = binary.AppendUvarint(append(b, binaryVersion), uint64(len(d.counts)))
	for _, c := range d.classes() {
		b = binary.AppendUvarint(append(b, c.scale), c.span)
		b = binary.AppendUvarint(b, d.counts[c])
	}
	return b, nil
}

// MarshalBinary implements encoding.BinaryMarshaler; the error is always nil.
func (d Draws) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

// UnmarshalBinary reads what [Draws.MarshalBinary] writes; anything else is [ErrBinary] or
// [ErrVersion]. After an error d is as it was.
func (d *Draws) UnmarshalBinary(b []byte) error {
	r := newReader(b)
	var v Draws
	last, left := drawClass{}, uint64(math.MaxUint64)
	for range r.uvarint(uint64(len(r.rest)) / 3) { // a class has three bytes or more
		at := r.offset()
		c := drawClass{scale: r.scale(), span: r.uvarint(maxSpan)}
		n := r.uvarint(left)
		if r.fault == nil && (c.span == 0 || n == 0 || !v.IsZero() && last.compare(c) >= 0) {
			r.fail(ErrBinary, at)
		}
		if r.fault != nil {
			break
		}
		v.add(c, n)
		last, left = c, left-n
	}
	if err := r.end(); err != nil {
		return err
	}
	*d = v
	return nil
}

// MarshalJSON returns an array as
//
//	[{"decimals":2,"values":401,"charges":3}]
//
// with one element for each number of values at each number of decimals, in that order. The error
// is always nil.
func (d Draws) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, c := range d.classes() {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(append(b, `{"decimals":`...), uint64(c.scale), 10)
		b = strconv.AppendUint(append(b, `,"values":`...), c.span+1, 10)
		b = strconv.AppendUint(append(b, `,"charges":`...), d.counts[c], 10)
		b = append(b, '}')
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads what [Draws.MarshalJSON] writes, elements in any order. It refuses other
// members and a member given twice ([ErrMember]), values of another type and null ([ErrType]), and
// elements that lack a member, are there twice, or have numbers that no range has ([ErrRange]).
// After an error d is as it was.
func (d *Draws) UnmarshalJSON(b []byte) error {
	list, err := jsontext.Parse(b)
	if err != nil || list.Kind != jsontext.KindArray {
		return refuseAt(ErrType, 0)
	}
	var v Draws
	left := uint64(math.MaxUint64)
	for i := range list.Items {
		c, n, err := readClass(list.Items[i].Raw, left)
		if err != nil {
			return within("", list.Items[i].At, err)
		}
		if v.counts[c] != 0 {
			return refuseAt(ErrRange, list.Items[i].At)
		}
		v.add(c, n)
		left -= n
	}
	*d = v
	return nil
}

// readClass reads an element of the JSON form, with at most limit charges.
func readClass(b []byte, limit uint64) (c drawClass, charges uint64, err error) {
	var scale, values uint64
	given := 0
	err = readMembers(b, func(name string, value []byte) (err error) {
		given++
		switch name {
		case "decimals":
			scale, err = readCount(value, MaxScale)
			return err
		case "values":
			values, err = readCount(value, maxSpan+1)
			return err
		case "charges":
			charges, err = readCount(value, math.MaxUint64)
			return err
		}
		return ErrMember
	})
	if err == nil && (given < 3 || values < 2 || charges == 0 || charges > limit) {
		err = refuse(ErrRange)
	}
	return drawClass{values - 1, uint8(scale)}, charges, err
}
