package engine

import "math/bits"

// Merge counts the charges of another portfolio of the same scope, which may be p itself. The error
// is [ErrPortfolioScope], naming what differs, or [ErrPortfolioFull]; p is then unchanged. The
// totals of o are not changed; another goroutine must not use it meanwhile.
func (p *Portfolio) Merge(o *Portfolio) error {
	if err := p.scope.differs(o.scope); err != nil {
		return err
	}
	o.settle()
	size, carry := bits.Add64(p.size, o.size, 0)
	if carry != 0 {
		return ErrPortfolioFull.refuse()
	}
	for currency, from := range o.books {
		to := p.book(currency)
		for s, changes := range from.known {
			mergeSeries(to.known.of(s), changes)
		}
		for s, changes := range from.random {
			mergeSeries(to.random.of(p.translated(s, o)), changes)
		}
	}
	p.size = size
	return nil
}

func mergeSeries[C any, P cell[C]](to, from *series[C]) {
	for c, i := range from.index {
		P(to.at(c)).add(&from.cells[i])
	}
}

// translated returns a shape of o with the number that its range has in p.
func (p *Portfolio) translated(s shape, o *Portfolio) shape {
	if s.draws > 0 {
		s.draws = p.numberOf(o.ranges[s.draws-1])
	}
	return s
}

// Sub takes out the charges of another portfolio of the same scope: after p.Merge(o), p.Sub(o)
// restores p. The error is [ErrPortfolioScope], or [ErrPortfolioPart] where o is not a part of p; p
// is then unchanged.
func (p *Portfolio) Sub(o *Portfolio) error {
	if err := p.scope.differs(o.scope); err != nil {
		return err
	}
	p.settle()
	o.settle()
	var left Portfolio
	for currency := range o.books {
		if p.books[currency] == nil {
			return ErrPortfolioPart.refuse()
		}
	}
	for currency, from := range p.books {
		less := o.books[currency]
		if less == nil {
			less = newBook()
		}
		to := newBook()
		drawn, ok := p.renumbered(less.random, o)
		if !ok || !subGroup(p.lanes, to.known, from.known, less.known) || !subGroup(p.lanes, to.random, from.random, drawn) {
			return ErrPortfolioPart.refuse()
		}
		if len(to.known)+len(to.random) > 0 {
			left.keep(currency, to)
		}
	}
	p.forget()
	p.books, p.size = left.books, p.size-o.size
	return nil
}

// renumbered returns a group of o with the shapes of p, and whether p has all their ranges.
func (p *Portfolio) renumbered(g group[random], o *Portfolio) (group[random], bool) {
	list := make(group[random], len(g))
	for s, changes := range g {
		if s.draws > 0 {
			s.draws = p.number[o.ranges[s.draws-1]]
			if s.draws == 0 {
				return nil, false
			}
		}
		list[s] = changes
	}
	return list, true
}

// subGroup stores in to what is left of from without less. It reports whether less is a part.
func subGroup[C any, P cell[C]](l *lanes, to, from, less group[C]) bool {
	for s := range less {
		if from[s] == nil {
			return false
		}
	}
	for s, changes := range from {
		left, ok := subSeries[C, P](changes, less[s])
		if !ok || !isConsistent[C, P](l, s, left) {
			return false
		}
		if len(left.index) > 0 {
			to[s] = left
		}
	}
	return true
}

func subSeries[C any, P cell[C]](from, less *series[C]) (left *series[C], ok bool) {
	left = new(series[C])
	found := 0
	for c, i := range from.index {
		rest := from.cells[i]
		if cell := less.find(c); cell != nil {
			found++
			if !P(&rest).sub(cell) {
				return nil, false
			}
		}
		if P(&rest).charges() > 0 {
			*left.at(c) = rest
		}
	}
	return left, less == nil || found == len(less.index)
}

// isConsistent reports whether every run that ends has begun.
func isConsistent[C any, P cell[C]](l *lanes, s shape, of *series[C]) bool {
	for _, c := range chainsOf[C, P](l, s, of) {
		for c.from < c.to {
			if !c.change() {
				return false
			}
		}
	}
	return true
}
