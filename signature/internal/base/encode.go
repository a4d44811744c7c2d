package base

import (
	"encoding/binary"
	"math/bits"
)

// unreserved holds \x01 for the bytes that percent-encoding leaves alone, A–Z a–z 0–9 - . _ ~, and
// \x00 for all others (RFC 3986, 2.3). It is a constant string rather than an array: nothing can
// change it, and the index needs no check.
const unreserved = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x00\x00" +
	"\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x01" +
	"\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x01\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// Unreserved reports whether percent-encoding leaves c alone.
func Unreserved(c byte) bool { return unreserved[c] != 0 }

const upperHex = "0123456789ABCDEF"

// AppendEncoded appends the encoding of src.
func AppendEncoded[S string | []byte](dst []byte, src S) []byte {
	return appendEscaped(dst, src, len("%"))
}

// AppendTwice appends the encoding of the encoding of src in one pass: an escaped byte is
// %25XX, as parameter values are in the base string (5.2.5).
func AppendTwice[S string | []byte](dst []byte, src S) []byte {
	return appendEscaped(dst, src, len("%25"))
}

// appendEscaped appends src with two hex digits for each reserved byte, behind so many bytes of %25.
func appendEscaped[S string | []byte](dst []byte, src S, percent int) []byte {
	for len(src) > 0 {
		if len(src) >= wordSize {
			read, written := escapeWords(dst[len(dst):cap(dst)], src, percent)
			dst, src = dst[:len(dst)+written], src[read:]
		}
		few := min(wordSize, len(src)) // the last ones, or some that dst may have to grow for
		for i := range few {
			dst = appendByte(dst, src[i], percent)
		}
		src = src[few:]
	}
	return dst
}

func appendByte(dst []byte, c byte, percent int) []byte {
	if unreserved[c] != 0 {
		return append(dst, c)
	}
	return append(append(dst, "%25"[:percent]...), upperHex[c>>4], upperHex[c&15])
}

const (
	wordSize = 8
	wordRoom = wordSize - 1 + len("%25XX") // the most that a word and an escape for one of its bytes take
)

// escapeWords does the work of appendEscaped for as many words of src as both have room for. It
// writes eight bytes as they are, most of any text being letters and digits, and steps back to the
// first of them that is to be escaped. What it writes beyond its result is yet to be written.
func escapeWords[S string | []byte](dst []byte, src S, percent int) (read, written int) {
	for len(src)-read >= wordSize && len(dst)-written >= wordRoom {
		word := loadWord(src[read:])
		out := dst[written : written+wordRoom]
		binary.LittleEndian.PutUint64(out, word)
		stops := others(word)
		if stops == 0 {
			read, written = read+wordSize, written+wordSize
			continue
		}
		n := bits.TrailingZeros64(stops) / 8
		read, written = read+n+1, written+n+1
		if c := out[n]; unreserved[c] == 0 {
			out[n], out[n+1], out[n+2] = '%', '2', '5'
			out[n+percent], out[n+percent+1] = upperHex[c>>4], upperHex[c&15]
			written += percent + 1
		}
	}
	return read, written
}

// loadWord returns the first eight bytes of src, the first one lowest. The compiler makes one load
// of it.
func loadWord[S string | []byte](src S) uint64 {
	b := src[:wordSize]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080 // the top bit of each byte
)

// others returns the top bit of each byte of w that is not an ASCII letter or digit. No sum leaves
// its byte: at most 0x7f and 0x76. Its top bit says that the byte has reached a bound.
func others(w uint64) uint64 {
	low := w &^ tops
	folded := low | 0x20*ones
	notDigit := (low ^ '0'*ones) + (0x80-10)*ones // the digits become 0 to 9
	notLetter := ((0x80+'a'-1)*ones - folded) | (folded + (0x7f-'z')*ones)
	return (notDigit&notLetter | w) & tops
}

// NeedsEncoding reports whether text has a byte that is not unreserved.
func NeedsEncoding(text string) bool {
	for i := 0; i < len(text); i++ {
		if unreserved[text[i]] == 0 {
			return true
		}
	}
	return false
}

// CompareEncoded orders a and b as their encodings are ordered, without making them: a common prefix
// is encoded alike, and at the first difference '%' sorts before every unreserved byte, while
// upper-case hex keeps the order of bytes.
func CompareEncoded(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] == b[i] {
			continue
		}
		left, right := encodedRank(a[i]), encodedRank(b[i])
		if left < right {
			return -1
		}
		return 1
	}
	return len(a) - len(b)
}

func encodedRank(c byte) int { return int(unreserved[c])<<8 | int(c) }

// Decode undoes one percent-encoding: a percent sign needs two hex digits of either case after it, and a plus sign is a
// plus sign. It returns src itself if it has no escape, and the offset of the first percent sign that is not one; -1 if
// all are.
func Decode(src string) (text string, bad int) {
	first := -1
	for i := 0; i < len(src); i++ {
		if src[i] == '%' {
			first = i
			break
		}
	}
	if first < 0 {
		return src, -1
	}
	out := append(make([]byte, 0, len(src)), src[:first]...)
	for i := first; i < len(src); i++ {
		c := src[i]
		if c == '%' {
			if i+2 >= len(src) || !IsHex(src[i+1]) || !IsHex(src[i+2]) {
				return "", i
			}
			c = unhex(src[i+1])<<4 | unhex(src[i+2])
			i += 2
		}
		out = append(out, c)
	}
	return string(out), -1
}

// IsHex reports whether c is a hex digit.
func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
