package amount

import (
	"encoding/binary"
	"math/bits"
)

// A binary form begins with its version. Amounts follow as their scale, one byte, and their
// coefficient, a varint. Wide numbers are the count of their bytes and the bytes, the highest
// first. Each value has exactly one form: varints and wide numbers are as short as they can be.
const binaryVersion = 1

// The second byte of a strategy says which one it is.
const (
	binaryFixed = iota + 1
	binaryRange
	binarySequence
)

func appendAmount(b []byte, a Amount) []byte {
	return binary.AppendUvarint(append(b, a.scale), uint64(a.coef))
}

func appendSum(b []byte, s Sum) []byte {
	return appendWide(append(b, s.scale), s.lo, s.mid, s.hi)
}

// appendWide appends the number with these words, the lowest first.
func appendWide(b []byte, words ...uint64) []byte {
	for len(words) > 1 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	top := words[len(words)-1]
	size := (bits.Len64(top) + 7) / 8
	b = append(b, byte(8*(len(words)-1)+size))
	for i := size - 1; i >= 0; i-- {
		b = append(b, byte(top>>(8*i)))
	}
	for i := len(words) - 2; i >= 0; i-- {
		b = binary.BigEndian.AppendUint64(b, words[i])
	}
	return b
}

// A reader takes values from the front of a binary form. After a fault it returns zeros.
type reader struct {
	rest  []byte
	size  int // of the whole form
	fault *Error
}

func newReader(b []byte) *reader {
	r := &reader{rest: b, size: len(b)}
	if version := r.byte(); r.fault == nil && version != binaryVersion {
		r.fail(ErrVersion, 0)
	}
	return r
}

func (r *reader) offset() int { return r.size - len(r.rest) }

func (r *reader) fail(f Fault, offset int) {
	if r.fault == nil {
		r.fault = &Error{Fault: f, Offset: offset}
	}
	r.rest = nil
}

// end returns the fault, if there was one, or one for bytes that are left over.
func (r *reader) end() error {
	if r.fault == nil && len(r.rest) > 0 {
		r.fail(ErrBinary, r.offset())
	}
	if r.fault != nil {
		return r.fault
	}
	return nil
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail(ErrBinary, r.size)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// uvarint takes a varint that is at most limit and not longer than it must be.
func (r *reader) uvarint(limit uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	if n == 0 {
		r.fail(ErrBinary, r.size)
		return 0
	}
	if n < 0 || n > 1 && r.rest[n-1] == 0 || v > limit {
		r.fail(ErrBinary, r.offset())
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) scale() uint8 {
	at := r.offset()
	scale := r.byte()
	if scale > MaxScale {
		r.fail(ErrBinary, at)
		return 0
	}
	return scale
}

func (r *reader) amount() Amount {
	scale := r.scale()
	return Amount{int64(r.uvarint(1<<63 - 1)), scale}
}

// wide takes a number into the words, the lowest first.
func (r *reader) wide(words []uint64) {
	at := r.offset()
	n := int(r.byte())
	b := r.bytes(n)
	if n > 8*len(words) || len(b) > 0 && b[0] == 0 {
		r.fail(ErrBinary, at)
		return
	}
	for i, c := range b {
		place := len(b) - 1 - i
		words[place/8] |= uint64(c) << (8 * (place % 8))
	}
}

func (r *reader) sum() (s Sum) {
	at := r.offset()
	s.scale = r.scale()
	var words [3]uint64
	r.wide(words[:])
	s.lo, s.mid, s.hi = words[0], words[1], words[2]
	if !s.isBounded() {
		r.fail(ErrBinary, at)
		return Sum{}
	}
	return s
}

// AppendBinary implements encoding.BinaryAppender; the error is always nil.
func (s Sum) AppendBinary(b []byte) ([]byte, error) {
	return appendSum(append(b, binaryVersion), s), nil
}

// MarshalBinary implements encoding.BinaryMarshaler; the error is always nil. The form has 3 to 27
// bytes.
func (s Sum) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// UnmarshalBinary reads what [Sum.MarshalBinary] writes; anything else is [ErrBinary] or
// [ErrVersion]. After an error s is as it was.
func (s *Sum) UnmarshalBinary(b []byte) error {
	r := newReader(b)
	v := r.sum()
	if err := r.end(); err != nil {
		return err
	}
	*s = v
	return nil
}

// AppendBinary appends the form of a range.
func (c Choice) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, binaryVersion, binaryRange, c.scale)
	return appendAmount(appendAmount(b, c.from), c.to), nil
}

// StrategyFromBinary returns the range at the front of b, and the bytes after it.
func StrategyFromBinary(b []byte, currency string) (c Choice, rest []byte, err error) {
	r := newReader(b)
	if r.byte() != binaryRange {
		r.fail(ErrBinary, 1)
	}
	scale := r.scale()
	from := r.amount()
	to := r.amount()
	c, err = Range(from, to, currency)
	if err != nil || c.scale != scale {
		r.fail(ErrBinary, 0)
	}
	if r.fault != nil {
		return Choice{}, nil, r.fault
	}
	return c, r.rest, nil
}
