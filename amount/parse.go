package amount

// MaxLength is the longest text, in bytes, that [Parse] looks at. It leaves room for
// any number of digits that fits and for leading zeros; a longer text is refused
// before its first byte is read (A20).
const MaxLength = 64

// safeLength is the longest text whose digits cannot overflow a uint64.
const safeLength = 19

// Parse reads an amount: ASCII digits, optionally a point and more digits (L36).
// Everything else is [ErrSyntax], with the offset of the first byte that does not
// belong: a sign, an exponent, a space, a comma, a digit of another script, a point
// that lacks a digit on either side, the empty text. A value with more than
// [MaxScale] decimals or too many digits is [ErrRange], a text of more than
// [MaxLength] bytes [ErrTooLong].
//
// The scale is kept as written: "1.50" has two decimals. Leading zeros are taken and
// forgotten. Zero is an amount here; that no charge may be zero is a rule of the
// payload.
func Parse(s string) (Amount, error) { return parse(s) }

// ParseBytes is [Parse] for bytes. It does not keep b.
func ParseBytes(b []byte) (Amount, error) { return parse(b) }

// MustParse is [Parse] for texts in source code and tests; it panics on an error.
func MustParse(s string) Amount {
	a, err := parse(s)
	if err != nil {
		panic(err)
	}
	return a
}

func parse[T string | []byte](s T) (Amount, error) {
	if len(s) > safeLength {
		return parseLong(s)
	}
	var coef uint64
	i := 0
	for ; i < len(s); i++ {
		d := s[i] - '0'
		if d > 9 {
			break
		}
		coef = coef*10 + uint64(d)
	}
	whole, scale := i, 0
	if i < len(s) && s[i] == '.' && i > 0 {
		for i++; i < len(s); i++ {
			d := s[i] - '0'
			if d > 9 {
				break
			}
			coef = coef*10 + uint64(d)
		}
		scale = i - whole - 1
	}
	if i < len(s) || i == 0 || s[i-1] == '.' {
		return Amount{}, &Error{ErrSyntax, i}
	}
	if int64(coef) < 0 {
		return Amount{}, refuse(ErrRange)
	}
	return Amount{int64(coef), uint8(scale)}, nil
}

// parseLong is parse for texts that may not fit. Its syntax comes first: a text that
// is no number is never called a number out of range.
func parseLong[T string | []byte](s T) (Amount, error) {
	if len(s) > MaxLength {
		return Amount{}, refuse(ErrTooLong)
	}
	var coef uint64
	point, fits := -1, true
	for i := range len(s) {
		if s[i] == '.' && point < 0 && i > 0 {
			point = i
			continue
		}
		d := s[i] - '0'
		if d > 9 {
			return Amount{}, &Error{ErrSyntax, i}
		}
		// At most 2^63−1 goes in, so at most ten times that and 9 comes out, or
		// the flag is down already.
		fits = fits && coef <= (1<<63-1-uint64(d))/10
		coef = coef*10 + uint64(d)
	}
	scale := 0
	if point >= 0 {
		scale = len(s) - point - 1
	}
	if point == len(s)-1 {
		return Amount{}, &Error{ErrSyntax, len(s)}
	}
	if !fits || scale > MaxScale {
		return Amount{}, refuse(ErrRange)
	}
	return Amount{int64(coef), uint8(scale)}, nil
}
