package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
)

// The binary form is a line with the schema; the scope; for each currency, in order, its series of
// known and of random amounts, each with its shape and its changes; and the SHA-256 of all that.
// Everything that has an order is in order, so that equal contents have one form. Numbers are
// varints, and sums are the count of their bytes and the bytes, the highest first.
const (
	portfolioName   = "chargecast.portfolio/"
	portfolioSchema = portfolioName + "1\n"
)

// AppendBinary appends a compact form of p, with a version and a check sum, for
// [Portfolio.UnmarshalBinary]. Portfolios of one scope to which the same was added have the same
// form, in whatever order and by whatever merges it was added. The error is always nil.
func (p Portfolio) AppendBinary(dst []byte) ([]byte, error) {
	p.settle()
	from := len(dst)
	dst = p.scope.appendBinary(append(dst, portfolioSchema...))
	dst = binary.AppendUvarint(dst, uint64(len(p.books)))
	for _, currency := range slices.Sorted(maps.Keys(p.books)) {
		dst = binary.AppendUvarint(dst, uint64(len(currency)))
		dst = append(dst, currency...)
		dst = appendGroup(dst, &p, p.books[currency].known)
		dst = appendGroup(dst, &p, p.books[currency].random)
	}
	sum := sha256.Sum256(dst[from:])
	return append(dst, sum[:]...), nil
}

// MarshalBinary returns what [Portfolio.AppendBinary] appends.
func (p Portfolio) MarshalBinary() ([]byte, error) { return p.AppendBinary(nil) }

// MarshalJSON returns the binary form in base64, as a string.
func (p Portfolio) MarshalJSON() ([]byte, error) {
	b, _ := p.AppendBinary(nil)
	return json.Marshal(b)
}

// UnmarshalJSON reads what [Portfolio.MarshalJSON] writes. Its errors are those of
// [Portfolio.UnmarshalBinary].
func (p *Portfolio) UnmarshalJSON(data []byte) error {
	text := strings.TrimSuffix(strings.TrimPrefix(string(data), `"`), `"`)
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(text) != len(data)-2 {
		return ErrPortfolioForm.refuse()
	}
	return p.UnmarshalBinary(b)
}

func (s *Scope) appendBinary(dst []byte) []byte {
	for _, d := range [...]calendar.Date{s.AsOf, s.Window.From, s.Window.To} {
		dst = binary.AppendUvarint(dst, uint64(d.Sub(calendar.Date{})))
	}
	for c := range Keys() {
		dst = append(dst, *s.Policy.field(c))
	}
	if s.Draws {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendGroup[C any, P binaryCell[C]](dst []byte, p *Portfolio, g group[C]) []byte {
	series := map[string]*series[C]{} // by the form of the shape
	for s, of := range g {
		series[string(p.appendShape(nil, s))] = of
	}
	dst = binary.AppendUvarint(dst, uint64(len(g)))
	for _, form := range slices.Sorted(maps.Keys(series)) {
		of := series[form]
		dst = binary.AppendUvarint(append(dst, form...), uint64(len(of.index)))
		before := change(0)
		for _, c := range of.changes() {
			dst = binary.AppendUvarint(dst, uint64(c-before))
			dst = P(of.find(c)).appendBinary(dst)
			before = c
		}
	}
	return dst
}

// appendShape appends a shape, with its range where draws are kept.
func (p *Portfolio) appendShape(dst []byte, s shape) []byte {
	dst = append(dst, byte(s.unit), s.day, byte(s.part), s.low, s.high, s.grid)
	dst = binary.AppendUvarint(dst, uint64(s.step))
	if s.draws == 0 {
		return append(dst, 0)
	}
	dst, _ = p.ranges[s.draws-1].AppendBinary(append(dst, 1))
	return dst
}

// A binaryCell is a cell with a binary form.
type binaryCell[C any] interface {
	cell[C]
	isRandom() bool
	appendBinary(dst []byte) []byte
	// read takes the cell of a shape, and fails r where no charges of the shape can be so.
	read(r *portfolioReader, s shape)
}

func (*known) isRandom() bool { return false }

func (*random) isRandom() bool { return true }

func (c *known) appendBinary(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, c.n)
	var sum [16]byte
	binary.BigEndian.PutUint64(sum[:8], c.hi)
	binary.BigEndian.PutUint64(sum[8:], c.lo)
	size := (bits.Len64(c.hi) + 7) / 8
	if size += 8; c.hi == 0 {
		size = (bits.Len64(c.lo) + 7) / 8
	}
	return append(append(dst, byte(size)), sum[16-size:]...)
}

func (c *random) appendBinary(dst []byte) []byte {
	form, _ := c.Total.AppendBinary(nil)
	return append(binary.AppendUvarint(dst, uint64(len(form))), form...)
}

// UnmarshalBinary reads what [Portfolio.AppendBinary] appends, and nothing else. The error is
// [ErrPortfolioVersion] for another version, and [ErrPortfolioForm] for anything that was cut,
// damaged or made otherwise; p is then unchanged.
func (p *Portfolio) UnmarshalBinary(data []byte) error {
	rest, ours := bytes.CutPrefix(data, []byte(portfolioSchema))
	if !ours {
		if line, _, whole := bytes.Cut(data, []byte("\n")); whole && bytes.HasPrefix(line, []byte(portfolioName)) {
			return ErrPortfolioVersion.refuse()
		}
		return ErrPortfolioForm.refuse()
	}
	end := len(data) - sha256.Size
	if len(rest) < sha256.Size || sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return ErrPortfolioForm.refuse()
	}
	r := portfolioReader{rest: data[len(portfolioSchema):end], size: end}
	r.portfolio()
	if r.fault != nil {
		return r.fault
	}
	// Whatever is left that a portfolio would write in another way is not one's form.
	if again, _ := r.p.AppendBinary(nil); !bytes.Equal(again, data) {
		return ErrPortfolioForm.refuse()
	}
	*p = r.p
	return nil
}
