package engine

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A portfolioReader takes a portfolio from its binary form. After a fault it reads zeros. What it
// accepts, a portfolio can hold; that it is written in the one right way is for its caller to check.
type portfolioReader struct {
	rest  []byte
	size  int // of the form up to the check sum
	p     Portfolio
	fault *PortfolioError

	currency string
}

func (r *portfolioReader) fail() {
	if r.fault == nil {
		r.fault = &PortfolioError{Fault: ErrPortfolioForm, Offset: r.size - len(r.rest)}
	}
	r.rest = nil
}

func (r *portfolioReader) require(ok bool) {
	if !ok {
		r.fail()
	}
}

func (r *portfolioReader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *portfolioReader) byte() byte {
	if b := r.bytes(1); len(b) > 0 {
		return b[0]
	}
	return 0
}

// uvarint takes a number of at most limit.
func (r *portfolioReader) uvarint(limit uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > limit {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// each calls read as many times as the number at the front says, unless something is wrong.
func (r *portfolioReader) each(read func()) {
	for n := r.uvarint(uint64(len(r.rest))); n > 0 && r.fault == nil; n-- {
		read()
	}
}

func (r *portfolioReader) date() calendar.Date {
	if n := r.uvarint(uint64(calendar.Last().Sub(calendar.Date{}))); n > 0 {
		return calendar.First().AddDays(int(n) - 1)
	}
	return calendar.Date{}
}

func (r *portfolioReader) portfolio() {
	var s Scope
	s.AsOf, s.Window.From, s.Window.To = r.date(), r.date(), r.date()
	for c := range Keys() {
		*s.Policy.field(c) = r.byte()
	}
	s.Draws = r.byte() == 1
	if s != (Scope{}) {
		made, err := NewPortfolio(s)
		if err != nil {
			r.fail()
			return
		}
		r.p = *made
	}
	r.each(r.book)
	r.require(len(r.rest) == 0 && r.p.recount())
}

func (r *portfolioReader) book() {
	currency := string(r.bytes(r.uvarint(uint64(len(r.rest)))))
	r.require(!r.p.scope.AsOf.IsZero())
	r.currency = currency
	b := newBook()
	readGroup(r, b.known)
	readGroup(r, b.random)
	r.require(len(b.known)+len(b.random) > 0)
	r.p.keep(currency, b)
}

func readGroup[C any, P binaryCell[C]](r *portfolioReader, g group[C]) {
	r.each(func() {
		s, of := r.shape(), new(series[C])
		s.isRandom = P(nil).isRandom()
		at := change(0)
		r.each(func() {
			at += change(r.uvarint(1 << 24)) // twice the positions of the calendar fit
			if r.require(r.allows(s, at)); r.fault == nil {
				P(of.at(at)).read(r, s)
			}
		})
		r.require(len(of.index) > 0 && r.fault == nil && isConsistent[C, P](r.p.lanes, s, of))
		g[s] = of
	})
}

func (r *portfolioReader) shape() shape {
	s := shape{unit: calendar.Unit(r.byte()), day: r.byte(), part: part(r.byte()), low: r.byte(), high: r.byte(), grid: r.byte()}
	s.step = int32(r.uvarint(uint64(calendar.Last().Sub(calendar.First()))))
	switch s.unit {
	case calendar.UnitNone:
		r.require(s.step == 0 && s.day == 0)
	case calendar.UnitDay:
		r.require(s.step > 0 && s.day == 0)
	case calendar.UnitMonth:
		r.require(s.step > 0 && 0 < s.day && s.day <= 31)
	default:
		r.fail()
	}
	r.require(s.part < parts && max(s.low, s.high, s.grid) <= amount.MaxScale)
	if r.byte() == 1 {
		r.ranged(&s)
	}
	return s
}

// ranged takes the range of a shape.
func (r *portfolioReader) ranged(s *shape) {
	drawn, rest, err := amount.StrategyFromBinary(r.rest, r.currency)
	if err != nil {
		r.fail()
		return
	}
	r.rest = rest
	want := r.p.rangeShape(drawn)
	s.draws = want.draws
	r.require(s.draws > 0 && want == shape{low: s.low, high: s.high, grid: s.grid, draws: s.draws, isRandom: true})
}

// allows reports whether a series of a shape can have a change.
func (r *portfolioReader) allows(s shape, c change) bool {
	first := r.p.lanes.position(s, r.p.scope.Window.From)
	inWindow := first <= c.position() && c.position() <= r.p.lanes.lastOf(s)
	return inWindow && !(s.unit == calendar.UnitNone && c.ends())
}

func (c *known) read(r *portfolioReader, s shape) {
	c.n = r.uvarint(math.MaxUint64)
	sum := r.bytes(uint64(r.byte()))
	r.require(len(sum) <= 16)
	for _, b := range sum {
		c.hi, c.lo = c.hi<<8|c.lo>>56, c.lo<<8|uint64(b)
	}
	r.require(c.n > 0 && c.isPossible() && s.low == s.high && s.grid == 0 && s.draws == 0)
}

func (c *random) read(r *portfolioReader, s shape) {
	err := c.UnmarshalBinary(r.bytes(r.uvarint(uint64(len(r.rest)))))
	low, high := c.Min(), c.Max()
	r.require(err == nil && c.Charges() > 0 && low.Scale() == int(s.low) && high.Scale() == int(s.high))
	switch {
	case s.draws > 0:
		r.require(*c == randomOf(r.p.ranges[s.draws-1], c.Charges()))
	case r.p.scope.Draws:
		r.require(low.Compare(high) == 0) // random amounts would have draws
	}
}

// recount finds the size of p and reports whether it is within the limit.
func (p *Portfolio) recount() bool {
	var hi, lo uint64
	for _, b := range p.books {
		countGroup(p.lanes, b.known, &hi, &lo)
		countGroup(p.lanes, b.random, &hi, &lo)
	}
	p.size = lo
	return hi == 0
}

// countGroup adds the size of a consistent group to a number of 128 bits, which may be below zero
// meanwhile.
func countGroup[C any, P cell[C]](l *lanes, g group[C], hi, lo *uint64) {
	for s, of := range g {
		for c, i := range of.index {
			var carry uint64
			high, low := bits.Mul64(P(&of.cells[i]).charges(), l.room(s, c))
			if c.ends() {
				*lo, carry = bits.Sub64(*lo, low, 0)
				*hi, _ = bits.Sub64(*hi, high, carry)
				continue
			}
			*lo, carry = bits.Add64(*lo, low, 0)
			*hi, _ = bits.Add64(*hi, high, carry)
		}
	}
}
