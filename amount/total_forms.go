package amount

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// MarshalJSON returns an object as
//
//	{"charges":3,"min":"3.00","max":"6.00","variance":"30597/120000"}
//
// The variance is that of [Total.Variance] as a fraction over 12·10^n, where n is twice the number
// of decimals of the finest range. It is left out where min and max are equal in value. The error
// is always nil.
func (t Total) MarshalJSON() ([]byte, error) {
	b := strconv.AppendUint([]byte(`{"charges":`), t.charges, 10)
	b = t.min.Append(append(b, `,"min":"`...))
	b = t.max.Append(append(b, `","max":"`...))
	if !t.spread.isZero() {
		num, denom := t.spread.fraction()
		b = num.Append(append(b, `","variance":"`...), 10)
		b = denom.Append(append(b, '/'), 10)
	}
	return append(b, `"}`...), nil
}

// UnmarshalJSON reads what [Total.MarshalJSON] writes. It refuses other members and a member given
// twice ([ErrMember]), values of another type and null ([ErrType]), texts that [ParseSum] refuses,
// and totals that lack a member or that no charges have ([ErrTotal]). After an error t is as it
// was.
func (t *Total) UnmarshalJSON(b []byte) error {
	var v Total
	given := 0
	err := readMembers(b, func(name string, value []byte) (err error) {
		switch name {
		case "charges":
			given++
			v.charges, err = readCount(value, math.MaxUint64)
			return err
		case "min":
			given++
			return v.min.UnmarshalJSON(value)
		case "max":
			given++
			return v.max.UnmarshalJSON(value)
		case "variance":
			return readText(value, &v.spread)
		}
		return ErrMember
	})
	if err != nil {
		return err
	}
	if given < 3 || !v.isPossible() {
		return refuse(ErrTotal)
	}
	*t = v
	return nil
}

// UnmarshalText reads the fraction of the variance.
func (p *spread) UnmarshalText(text []byte) error {
	const maxDigits = 96 // fit in the words, and any spread is below 2^310
	num, denom, _ := strings.Cut(string(text), "/")
	zeros, twelve := strings.CutPrefix(denom, "12")
	if !twelve || strings.Trim(zeros, "0") != "" || len(zeros)%2 != 0 || len(zeros) > 2*MaxScale ||
		len(num) > maxDigits || strings.Trim(num, "0123456789") != "" || strings.HasPrefix(num, "0") || num == "" {
		return refuse(ErrTotal)
	}
	n, _ := new(big.Int).SetString(num, 10)
	p.scale = uint8(len(zeros) / 2)
	for i, b := range n.FillBytes(make([]byte, 8*len(p.words))) {
		place := len(p.words)*8 - 1 - i
		p.words[place/8] |= uint64(b) << (8 * (place % 8))
	}
	return nil
}

// AppendBinary implements encoding.BinaryAppender; the error is always nil.
func (t Total) AppendBinary(b []byte) ([]byte, error) {
	b = binary.AppendUvarint(append(b, binaryVersion), t.charges)
	b = appendSum(appendSum(b, t.min), t.max)
	return appendWide(append(b, t.spread.scale), t.spread.words[:]...), nil
}

// MarshalBinary implements encoding.BinaryMarshaler; the error is always nil.
func (t Total) MarshalBinary() ([]byte, error) { return t.AppendBinary(nil) }

// UnmarshalBinary reads what [Total.MarshalBinary] writes; anything else, a total that no charges
// have included, is [ErrBinary], [ErrTotal] or [ErrVersion]. After an error t is as it was.
func (t *Total) UnmarshalBinary(b []byte) error {
	r := newReader(b)
	v := Total{charges: r.uvarint(math.MaxUint64), min: r.sum(), max: r.sum()}
	v.spread.scale = r.scale()
	r.wide(v.spread.words[:])
	if v.spread.isZero() && v.spread.scale != 0 {
		r.fail(ErrBinary, r.offset())
	}
	if err := r.end(); err != nil {
		return err
	}
	if !v.isPossible() {
		return refuse(ErrTotal)
	}
	*t = v
	return nil
}
