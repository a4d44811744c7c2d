package base

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

// UpperHex are the digits of escapes.
const UpperHex = "0123456789ABCDEF"

// AppendEncoded appends the encoding of src.
func AppendEncoded[S string | []byte](dst []byte, src S) []byte {
	return appendEscaped(dst, src, false)
}

// AppendTwice appends the encoding of the encoding of src in one pass: an escaped byte is
// %25XX, as parameter values are in the base string (5.2.5).
func AppendTwice(dst []byte, src string) []byte {
	return appendEscaped(dst, src, true)
}

func appendEscaped[S string | []byte](dst []byte, src S, twice bool) []byte {
	for {
		n := plain(src)
		dst = append(dst, src[:n]...)
		if n == len(src) {
			return dst
		}
		c := src[n]
		if src = src[n+1:]; twice {
			dst = append(dst, '%', '2', '5', UpperHex[c>>4], UpperHex[c&15])
		} else {
			dst = append(dst, '%', UpperHex[c>>4], UpperHex[c&15])
		}
	}
}

// plain returns how many bytes src begins with that encoding leaves alone.
func plain[S string | []byte](src S) int {
	for i := range len(src) {
		if unreserved[src[i]] == 0 {
			return i
		}
	}
	return len(src)
}

// NeedsEncoding reports whether text has a byte that is not unreserved.
func NeedsEncoding(text string) bool { return plain(text) < len(text) }

// CompareEncoded orders a and b as their encodings are ordered, without making them: a common
// prefix is encoded alike, and at the first difference '%' sorts before every unreserved byte,
// while upper-case hex keeps the order of bytes.
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
