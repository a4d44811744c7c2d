package amount

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/shopspring/decimal"
)

// chunk is the number of digits that one division of a wide sum yields, and chunkSize is 10^chunk,
// the largest power of ten in a uint64.
const (
	chunk     = 19
	chunkSize = 1e19
)

// Append appends the text of [Sum.String].
func (s Sum) Append(dst []byte) []byte {
	if s.mid|s.hi == 0 {
		return appendFixed(dst, s.lo, int(s.scale))
	}
	// 192 bits have at most 58 digits. There are at least 20 here, and no scale is above 19, so
	// there is a digit before the point.
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

// divide divides the words by n and returns the remainder.
func (s *Sum) divide(n uint64) uint64 {
	var r uint64
	s.hi, r = s.hi/n, s.hi%n
	s.mid, r = bits.Div64(r, s.mid, n)
	s.lo, r = bits.Div64(r, s.lo, n)
	return r
}

// String returns the sum with all its decimals: 3.00. [ParseSum] reads it back to the same value
// and scale.
func (s Sum) String() string {
	var buf [4*chunk + 1]byte
	return string(s.Append(buf[:0]))
}

// AppendText implements encoding.TextAppender. It is [Sum.Append]; the error is always nil.
func (s Sum) AppendText(dst []byte) ([]byte, error) { return s.Append(dst), nil }

// MarshalText implements encoding.TextMarshaler. It returns the text of [Sum.String]; the error is
// always nil. In JSON a sum is a string.
func (s Sum) MarshalText() ([]byte, error) { return s.Append(nil), nil }

// UnmarshalText reads what [Sum.MarshalText] writes, as [ParseSum] does. After an error s is as it
// was.
func (s *Sum) UnmarshalText(text []byte) error {
	v, err := parseSum(text)
	if err == nil {
		*s = v
	}
	return err
}

// UnmarshalJSON reads a JSON string with the text of a sum. A number, null or anything else is
// [ErrType], as for [Amount.UnmarshalJSON]. After an error s is as it was.
func (s *Sum) UnmarshalJSON(b []byte) error { return readText(b, s) }

// Decimal returns the same value for programs that compute with shopspring/decimal. Its exponent is
// minus the scale.
func (s Sum) Decimal() decimal.Decimal {
	return decimal.NewFromBigInt(bigOf(s.lo, s.mid, s.hi), -int32(s.scale))
}

// bigOf returns the number with these words, the lowest first.
func bigOf(words ...uint64) *big.Int {
	buf := make([]byte, 0, 8*len(words))
	for i := range words {
		buf = binary.BigEndian.AppendUint64(buf, words[len(words)-1-i])
	}
	return new(big.Int).SetBytes(buf)
}
