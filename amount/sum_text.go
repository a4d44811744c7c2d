package amount

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/shopspring/decimal"
)

// chunk is how many digits one division of a wide sum yields, and chunkSize is
// 10^chunk, the largest power of ten in a uint64.
const (
	chunk     = 19
	chunkSize = 1e19
)

// Append adds the text of the sum to dst, with all its decimals: 3.00.
func (s Sum) Append(dst []byte) []byte {
	if s.mid|s.hi == 0 {
		return appendFixed(dst, s.lo, int(s.scale))
	}
	// 192 bits are at most 58 digits. There are at least 20, and no scale is above
	// 19, so there is always a digit in front of the point.
	var buf [4 * chunk]byte
	i := len(buf)
	for !s.IsZero() {
		rest := s.divide(chunkSize)
		for range chunk {
			i--
			buf[i] = byte('0' + rest%10)
			rest /= 10
		}
	}
	for buf[i] == '0' {
		i++
	}
	point := len(buf) - int(s.scale)
	dst = append(dst, buf[i:point]...)
	if s.scale > 0 {
		dst = append(dst, '.')
	}
	return append(dst, buf[point:]...)
}

// divide makes the words the quotient by n and gives the remainder.
func (s *Sum) divide(n uint64) uint64 {
	var r uint64
	s.hi, r = s.hi/n, s.hi%n
	s.mid, r = bits.Div64(r, s.mid, n)
	s.lo, r = bits.Div64(r, s.lo, n)
	return r
}

// AppendText is [Sum.Append] in the form of encoding.TextAppender; the error is always
// nil.
func (s Sum) AppendText(dst []byte) ([]byte, error) { return s.Append(dst), nil }

// String is the text of the sum, with all its decimals: 3.00.
func (s Sum) String() string {
	var buf [4*chunk + 1]byte
	return string(s.Append(buf[:0]))
}

// MarshalText is [Sum.String] as bytes; the error is always nil. In JSON a sum is
// therefore a string.
func (s Sum) MarshalText() ([]byte, error) { return s.Append(nil), nil }

// Decimal is the same value for programs that compute with shopspring/decimal. Its
// exponent is minus the scale.
func (s Sum) Decimal() decimal.Decimal {
	return decimal.NewFromBigInt(bigOf(s.lo, s.mid, s.hi), -int32(s.scale))
}

// bigOf is the number with these words, the lowest first.
func bigOf(words ...uint64) *big.Int {
	buf := make([]byte, 0, 8*len(words))
	for i := range words {
		buf = binary.BigEndian.AppendUint64(buf, words[len(words)-1-i])
	}
	return new(big.Int).SetBytes(buf)
}
