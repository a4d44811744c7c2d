package engine

import (
	"math"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A Scope is the question that a [Portfolio] answers: which charges it counts, and how they come
// about. Portfolios of one scope can be merged.
type Scope struct {
	AsOf calendar.Date // the day on which all profiles are looked at, as in [Compile]
	// Window is the days whose charges are counted; without an end it reaches to 9999-12-31.
	Window calendar.Window
	Policy Policy
	// Draws keeps for each total how many charges were drawn from which range. It costs memory for
	// each different range.
	Draws bool
}

// A Portfolio adds up the charges of many profiles by day and currency, without making them: a
// profile is noted where its charges begin and where they end, and the days are added up once, by
// [Portfolio.Totals]. So the work and the memory of a profile do not grow with the window, but for
// the elements of a sequence, and profiles that begin on one day share their notes.
//
// Sums are exact. The order in which profiles and parts are added changes nothing: portfolios of
// equal profiles have equal totals and the same binary form, wherever their parts were made.
//
// [NewPortfolio] makes one. The zero Portfolio takes no charges. A Portfolio is not safe for
// concurrent use, not even to read its totals or its binary form: give each worker its own and merge
// them. It must not be copied. It shares no memory with what was added, and does not keep what
// charges rest on.
type Portfolio struct {
	scope  Scope
	lanes  *lanes
	books  map[string]*book // by currency
	size   uint64           // not less than the number of charges
	ranges []amount.Choice  // where draws are kept: those that shapes name, from number 1 on
	number map[amount.Choice]uint32

	plan       Plan                 // of the profile that is being added
	scratch    notes                // … and its notes
	repeated   map[uint64]*repeated // by hash of the schedule
	currencies map[string]string    // those of repeated
}

// NewPortfolio returns a portfolio without charges. The error is an [*Error] for a missing as-of day
// and for a policy with an unknown value. An empty window is none: no charge is counted.
func NewPortfolio(s Scope) (*Portfolio, error) {
	if !s.AsOf.IsDay() {
		return nil, refuse("as-of", errAsOf)
	}
	if err := s.Policy.check(); err != nil {
		return nil, err
	}
	if s.Window.IsEmpty() {
		s.Window = calendar.Window{From: s.AsOf, To: s.AsOf}
	} else {
		s.Window = calendar.Through(s.Window.First(), s.Window.Last()) // one form for each window
	}
	return &Portfolio{scope: s, lanes: newLanes(s.Policy.MonthEnd, s.Window.Last())}, nil
}

// Scope returns the scope that p was made with. A window without a beginning has the first day of
// the calendar.
func (p *Portfolio) Scope() Scope { return p.scope }

// Add counts the charges of a stored profile that are dated in the window: those of its plan. The
// error is that of [Compile], or [ErrPortfolioFull]; p is then unchanged.
func (p *Portfolio) Add(s Stored) error {
	key, plain := p.scheduleOf(&s)
	if plain && p.addAgain(&key, &s.Profile) {
		return nil
	}
	if err := p.plan.compile(&s, p.scope.AsOf, p.scope.Policy); err != nil {
		return err
	}
	err := p.addPlan(&p.plan)
	p.plan.profile = Profile{} // its texts may be parts of a long one
	if plain && err == nil {
		p.remember(&key)
	}
	return err
}

// AddPlan is [Portfolio.Add] for a profile that is compiled already. The error is
// [ErrPortfolioScope] for a plan of another as-of day or policy, or [ErrPortfolioFull]; p is then
// unchanged.
func (p *Portfolio) AddPlan(plan *Plan) error {
	if err := p.takes(plan); err != nil {
		return err
	}
	return p.addPlan(plan)
}

// AddDrawn is [Portfolio.AddPlan] with one outcome of chance: each random amount is the one that
// [Simulate] draws with this seed. The work grows with the number of charges of a range.
func (p *Portfolio) AddDrawn(plan *Plan, seed uint64) error {
	if err := p.takes(plan); err != nil {
		return err
	}
	r := plan.profile.Amounts
	if r.Kind() != amount.KindRange {
		return p.addPlan(plan)
	}
	return p.addDrawn(plan, r, amount.NewSeed(seed, plan.profile.ID))
}

// AddCharge counts one charge, such as one of a simulation, by its outcome; none that is dated
// outside the window. A random amount is one of the range that [amount.NewRange] makes of its
// bounds. The error is [ErrPortfolioCharge] where there is no such range, or [ErrPortfolioFull]; p
// is then unchanged.
func (p *Portfolio) AddCharge(currency string, c *Charge) error {
	switch {
	case p.scope.AsOf.IsZero():
		return refuse("as-of", errAsOf)
	case !p.scope.Window.Contains(c.Date):
		return nil
	}
	if err := p.checkRoom(); err != nil {
		return err
	}
	to := partApproved
	switch {
	case c.Outcome == OutcomeDeclined:
		to = partDeclined
	case c.CardExpired:
		to = partExpired
	}
	if c.Min == c.Max {
		s := knownShape(c.Min)
		s.part = to
		addSingle(p, p.book(currency).known.of(s), c.Date, knownOf(c.Min, 1))
		return nil
	}
	r, err := amount.Range(c.Min, c.Max, currency)
	if err != nil {
		return ErrPortfolioCharge.refuse()
	}
	s := p.rangeShape(r)
	s.part = to
	addSingle(p, p.book(currency).random.of(s), c.Date, randomOf(r, 1))
	return nil
}

// takes reports whether the plan is of the scope.
func (p *Portfolio) takes(plan *Plan) error {
	return p.scope.differs(Scope{AsOf: plan.asOf, Window: p.scope.Window, Policy: plan.policy, Draws: p.scope.Draws})
}

// differs returns the first thing in which two scopes differ, as an error.
func (s *Scope) differs(o Scope) error {
	field := ""
	switch {
	case *s == o:
		return nil
	case s.AsOf != o.AsOf:
		field = "as-of"
	case s.Window != o.Window:
		field = "window"
	case s.Draws != o.Draws:
		field = "draws"
	}
	for c := range Keys() {
		if field == "" && *s.Policy.field(c) != *o.Policy.field(c) {
			field = c.Key()
		}
	}
	return &PortfolioError{Fault: ErrPortfolioScope, Field: field}
}

// checkRoom reports whether one more profile or charge can be counted.
func (p *Portfolio) checkRoom() error {
	const most = 1 << 22 // no profile has more charges than the calendar has days
	if p.size > math.MaxUint64-most {
		return ErrPortfolioFull.refuse()
	}
	return nil
}

// book returns the charges of a currency.
func (p *Portfolio) book(currency string) *book {
	b := p.books[currency]
	if b == nil {
		b = newBook()
		p.keep(currency, b)
	}
	return b
}

func (p *Portfolio) keep(currency string, b *book) {
	if p.books == nil {
		p.books = map[string]*book{}
	}
	p.books[strings.Clone(currency)] = b
}

// numberOf returns the number of a range in p; 0 where draws are not kept.
func (p *Portfolio) numberOf(r amount.Choice) uint32 {
	if !p.scope.Draws {
		return 0
	}
	n, ok := p.number[r]
	if !ok {
		if p.number == nil {
			p.number = map[amount.Choice]uint32{}
		}
		p.ranges = append(p.ranges, r)
		n = uint32(len(p.ranges))
		p.number[r] = n
	}
	return n
}
