package gateway

import (
	"encoding"
	"encoding/binary"

	"github.com/chargecast/chargecast/calendar"
)

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
