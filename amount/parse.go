package amount

// maxLength is the longest text, in bytes, that is read. It leaves room for any number of digits
// that fits and for leading zeros.
const maxLength = 64

// safeLength is the longest text whose digits cannot overflow a uint64.
const safeLength = 19

// Parse returns the amount of a text: ASCII digits, optionally a point and more digits (L36).
// Anything else is [ErrSyntax] with the offset of the first byte that does not belong: a sign, an
// exponent, a space, a comma, a digit of another script, a point without a digit on either side,
// the empty text. A value with more than [MaxScale] decimals or too many digits is [ErrRange], and
// a text of more than 64 bytes is [ErrTooLong].
//
// The scale is kept as written: "1.50" has two decimals. Leading zeros are accepted and not kept.
// Zero is an amount here; that no charge may be zero is a rule of the payload.
func Parse(s string) (Amount, error) { return parse(s) }

// MustParse is [Parse] for hard-coded strings in tests and examples; it panics on an error.
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
		return Amount{}, refuseAt(ErrSyntax, i)
	}
	if int64(coef) < 0 {
		return Amount{}, refuse(ErrRange)
	}
	return Amount{int64(coef), uint8(scale)}, nil
}

// parseLong is parse for texts that may not fit.
func parseLong[T string | []byte](s T) (Amount, error) {
	w, err := parseSum(s)
	if err != nil {
		return Amount{}, err
	}
	if w.mid|w.hi != 0 || int64(w.lo) < 0 {
		return Amount{}, refuse(ErrRange)
	}
	return Amount{int64(w.lo), w.scale}, nil
}

// ParseSum returns the sum of a text, which has the form that [Parse] reads. Its errors are those
// of [Parse]; [ErrRange] is a sum of 2^127 or more, or of more than [MaxScale] decimals.
func ParseSum(s string) (Sum, error) { return parseSum(s) }

// parseSum checks the syntax of the whole text before it judges the size, so that a text that is
// not a number is never reported as one that is too large.
func parseSum[T string | []byte](s T) (Sum, error) {
	if len(s) > maxLength {
		return Sum{}, refuse(ErrTooLong)
	}
	const none = -1
	var w Sum
	point, fits := none, true
	for i := range len(s) {
		if s[i] == '.' && point == none && i > 0 {
			point = i
			continue
		}
		d := s[i] - '0'
		if d > 9 {
			return Sum{}, refuseAt(ErrSyntax, i)
		}
		fits = fits && w.hi < 1<<60 // then ten times as much fits as well
		w.times(10)
		w.AddSum(Sum{lo: uint64(d)})
	}
	if point == len(s)-1 {
		return Sum{}, refuseAt(ErrSyntax, len(s))
	}
	scale := 0
	if point != none {
		scale = len(s) - point - 1
	}
	w.scale = uint8(scale)
	if !fits || scale > MaxScale || !w.isBounded() {
		return Sum{}, refuse(ErrRange)
	}
	return w, nil
}
