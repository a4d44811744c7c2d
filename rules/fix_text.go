package rules

import (
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A utf16Reader turns UTF-16 into UTF-8. What is not UTF-16, a surrogate without its other half or
// a last odd byte, ends the text.
type utf16Reader struct {
	src  io.Reader
	big  bool // the high byte comes first
	buf  [4 << 10]byte
	have int    // bytes of buf that were read but not decoded
	out  []byte // decoded and not returned yet
	room []byte // memory for out
	err  error  // of src, or errBroken
	// fault is what is wrong if err is errBroken.
	fault string
}

// utf16Order reports whether a text begins as UTF-16 does, and whether the high byte comes first:
// by its mark, or because at least half of its units are characters of ASCII.
func utf16Order(head []byte) (big, ok bool) {
	switch {
	case len(head) >= 4 && (bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}) || bytes.HasPrefix(head, []byte{0, 0, 0xFE, 0xFF})):
		return false, false // UTF-32
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return false, true
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		return true, true
	case len(head) < 4:
		return false, false
	}
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	half := (len(head) + 3) / 4
	return zeros[0] > 0, zeros[0] >= half && zeros[1] == 0 || zeros[1] >= half && zeros[0] == 0
}

// Read returns UTF-8.
func (r *utf16Reader) Read(p []byte) (int, error) {
	for idle := 0; len(r.out) == 0; idle++ {
		if r.err != nil {
			return 0, r.err
		}
		n, err := r.src.Read(r.buf[r.have:])
		r.err = err
		if n > 0 {
			idle = 0
		} else if err == nil && idle == maxIdleReads {
			r.err = io.ErrNoProgress
		}
		r.have += max(0, n)
		r.decode()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// unit is the code unit at byte i of buf.
func (r *utf16Reader) unit(i int) rune {
	if r.big {
		return rune(r.buf[i])<<8 | rune(r.buf[i+1])
	}
	return rune(r.buf[i+1])<<8 | rune(r.buf[i])
}

// decode decodes what is complete, and at the end of src the rest.
func (r *utf16Reader) decode() {
	r.room = r.room[:0]
	i := 0
	for ; i+1 < r.have; i += 2 {
		u := r.unit(i)
		switch {
		case !utf16.IsSurrogate(u):
			r.room = utf8.AppendRune(r.room, u)
		case u < 0xDC00 && i+3 < r.have && r.unit(i+2)&0xFC00 == 0xDC00:
			r.room = utf8.AppendRune(r.room, utf16.DecodeRune(u, r.unit(i+2)))
			i += 2
		case u < 0xDC00 && i+3 >= r.have && r.err != io.EOF:
			r.keep(i) // its other half is still to come
			return
		case u < 0xDC00 && i+3 >= r.have:
			r.broken("the text of UTF-16 ends in the middle of a character")
		default:
			r.broken("half a character of UTF-16 is in the text")
		}
		if r.fault != "" {
			r.keep(i)
			return
		}
	}
	if r.err == io.EOF && i < r.have {
		r.broken("the text of UTF-16 ends in the middle of a character")
	}
	r.keep(i)
}

func (r *utf16Reader) broken(fault string) { r.err, r.fault = errBroken, fault }

// keep makes what was decoded ready, and moves the rest of buf from byte i on to its beginning.
func (r *utf16Reader) keep(i int) {
	r.have = copy(r.buf[:], r.buf[i:r.have])
	r.out = r.room
}

// above7F are the characters of Windows-1252 from 0x80 to 0x9F; those from 0xA0 on are those of
// Unicode. Five bytes have none.
var above7F = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// fromCP1252 returns a text in Windows-1252 as UTF-8; false where a byte has no character.
func fromCP1252(s string) (string, bool) {
	b := make([]byte, 0, len(s)+len(s)/8)
	for i := range len(s) {
		r := rune(s[i])
		if 0x80 <= r && r < 0xA0 {
			if r = above7F[r-0x80]; r == 0 {
				return "", false
			}
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b), true
}

// A textCode is the encoding that the rows of a payload have shown so far.
type textCode uint8

const (
	codeASCII textCode = iota // neither of these yet
	codeUTF8
	codeCP1252
)

// encodingOf returns the encoding of a row after rows in another, or the same; false where they do
// not go together, or the row is in neither.
func (c textCode) encodingOf(raw []byte) (textCode, bool) {
	switch {
	case isASCII(raw):
		return c, true
	case utf8.Valid(raw):
		return codeUTF8, c != codeCP1252
	}
	_, ok := fromCP1252(string(raw))
	return codeCP1252, ok && c != codeUTF8 && !holdsUTF8(raw)
}

// holdsUTF8 reports whether a character beyond ASCII is in a text in UTF-8, whatever else is there: a
// row with such characters and other bytes is in two encodings, or was cut in the middle of a character.
func holdsUTF8(raw []byte) bool {
	for i := 0; i < len(raw); {
		_, size := utf8.DecodeRune(raw[i:])
		if size > 1 {
			return true
		}
		i += size
	}
	return false
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
