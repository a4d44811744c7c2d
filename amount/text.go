package amount

// pairs are the numbers 00 … 99: two digits cost one division.
const pairs = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"

// Append adds the text of a to dst, all decimals as written: 1.50 (A02).
func (a Amount) Append(dst []byte) []byte {
	return appendFixed(dst, uint64(a.coef), int(a.scale))
}

// AppendText is [Amount.Append] in the form of encoding.TextAppender; the error is
// always nil.
func (a Amount) AppendText(dst []byte) ([]byte, error) { return a.Append(dst), nil }

// String is the text of a, all decimals as written: 1.50. [Parse] reads it back to the
// same value and scale.
func (a Amount) String() string {
	var buf [fixedLength]byte
	return string(a.Append(buf[:0]))
}

// MarshalText is [Amount.String] as bytes; the error is always nil. In JSON an amount is
// therefore a string.
func (a Amount) MarshalText() ([]byte, error) {
	return a.Append(make([]byte, 0, fixedLength)), nil
}

// UnmarshalText is [ParseBytes]. After an error a is as it was.
func (a *Amount) UnmarshalText(text []byte) error {
	v, err := parse(text)
	if err == nil {
		*a = v
	}
	return err
}

// UnmarshalJSON reads a JSON string that holds the text of an amount. A number, null
// or anything else is [ErrType], so that no digit is lost on the way and null is not
// mistaken for zero. After an error a is as it was.
func (a *Amount) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return refuse(ErrType)
	}
	return a.UnmarshalText(b[1 : len(b)-1])
}

// fixedLength is the longest text of a uint64 with up to 19 decimals: twenty digits
// and a point.
const fixedLength = 21

// appendFixed adds u·10^-scale with all its decimals. It fills a buffer from the back,
// for the number of digits is not known in front.
func appendFixed(dst []byte, u uint64, scale int) []byte {
	var buf [fixedLength]byte
	i := len(buf)
	if scale > 0 {
		for ; scale >= 2; scale -= 2 {
			i -= 2
			u = putPair(&buf, i, u)
		}
		if scale == 1 {
			i--
			buf[i] = byte('0' + u%10)
			u /= 10
		}
		i--
		buf[i] = '.'
	}
	for u >= 100 {
		i -= 2
		u = putPair(&buf, i, u)
	}
	if u >= 10 {
		i -= 2
		putPair(&buf, i, u)
	} else {
		i--
		buf[i] = byte('0' + u)
	}
	return append(dst, buf[i:]...)
}

// putPair writes the last two digits of u at i and gives what is left of u.
func putPair(buf *[fixedLength]byte, i int, u uint64) uint64 {
	q := u / 100
	r := (u - q*100) * 2
	buf[i], buf[i+1] = pairs[r], pairs[r+1]
	return q
}
