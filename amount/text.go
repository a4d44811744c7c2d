package amount

// pairs contains the numbers 00 to 99, so that two digits take one division.
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

// Append appends the text of [Amount.String].
func (a Amount) Append(dst []byte) []byte {
	return appendFixed(dst, uint64(a.coef), int(a.scale))
}

// String returns the amount with all decimals as written: 1.50. [Parse] reads it back to the same
// value and scale.
func (a Amount) String() string {
	var buf [fixedLength]byte
	return string(a.Append(buf[:0]))
}

// AppendText implements encoding.TextAppender. It is [Amount.Append]; the error is always nil.
func (a Amount) AppendText(dst []byte) ([]byte, error) { return a.Append(dst), nil }

// MarshalText implements encoding.TextMarshaler. It returns the text of [Amount.String]; the error
// is always nil. In JSON an amount is a string.
func (a Amount) MarshalText() ([]byte, error) {
	return a.Append(make([]byte, 0, fixedLength)), nil
}

// UnmarshalText reads what [Amount.MarshalText] writes, as [Parse] does. After an error a is as it
// was.
func (a *Amount) UnmarshalText(text []byte) error {
	v, err := parse(text)
	if err == nil {
		*a = v
	}
	return err
}

// UnmarshalJSON reads a JSON string, without escapes, with the text of an amount. A number, null or
// anything else is [ErrType]: other programs lose digits of numbers, and null would read as zero.
// After an error a is as it was.
func (a *Amount) UnmarshalJSON(b []byte) error { return readText(b, a) }

// fixedLength is the length of the longest text of a uint64 with up to 19 decimals: twenty digits
// and a point.
const fixedLength = 21

// appendFixed appends u·10^-scale with all its decimals. It fills a buffer from the end, since the
// number of digits is not known before.
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

// putPair writes the last two digits of u at i and returns the other digits of u.
func putPair(buf *[fixedLength]byte, i int, u uint64) uint64 {
	q := u / 100
	r := (u - q*100) * 2
	buf[i], buf[i+1] = pairs[r], pairs[r+1]
	return q
}
