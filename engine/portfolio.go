package engine

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Scope is the question that a [Portfolio] answers: which charges it counts, and what it keeps of
// them. Portfolios of one scope can be merged.
type Scope struct {
	AsOf calendar.Date // the day on which all profiles are looked at, as in [Engine.Compile]
	// Window is the days whose charges are counted; without an end it reaches to 9999-12-31.
	Window calendar.Window
	Policy Policy
	// Draws keeps for each total what its random amounts are drawn from, so that it has quantiles. It
	// costs memory for each different range.
	Draws bool
	// Explain keeps for each total what it rests on.
	Explain bool
}

// A Portfolio adds up the charges of many profiles by day and currency, without making them: a
// profile is entered where its charges begin and where they end, and the days are added up once, by
// [Portfolio.Totals]. So the work and the memory of a profile do not grow with the window, but for
// the elements of a sequence, and profiles that begin on one day share their cells.
//
// Sums are exact. The order in which profiles and parts are added changes nothing.
//
// [NewPortfolio] makes one. The zero Portfolio takes no charges. A Portfolio is not safe for
// concurrent use: give each worker its own and merge them. It must not be copied, which go vet finds.
// It shares no memory with what was added.
type Portfolio struct {
	_     noCopy
	scope Scope
	lanes [32]lane // by the day of the month; the first for days
	size  uint64   // charges

	series map[shape]*series
	last   *series // the one that was asked for last
	ranges map[amount.Choice]*amount.Choice

	plan  Plan    // of the profile that is being added
	list  []entry // … and what it changes
	known map[schedule]*entries
}

// A noCopy lets go vet find copies of what has it.
type noCopy struct{}

func (*noCopy) Lock() {}

func (*noCopy) Unlock() {}

// The errors of a [Portfolio] about other portfolios and its limit.
var (
	// ErrPortfolioScope is that of portfolios or plans of different scopes. Its text begins with what
	// differs: "as-of", "window", a key of the policy, "draws" or "explain".
	ErrPortfolioScope = errors.New("the portfolios answer different questions: make both with the same scope")
	ErrPortfolioFull  = errors.New("the portfolio would count 2^64 charges or more: keep two portfolios")
)

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
	p := &Portfolio{scope: s, series: map[shape]*series{}, ranges: map[amount.Choice]*amount.Choice{}, known: map[schedule]*entries{}}
	for day := range p.lanes {
		p.lanes[day] = newLane(day, &s)
	}
	return p, nil
}

// Scope returns the scope that p was made with. A window without a beginning has the first day of
// the calendar.
func (p *Portfolio) Scope() Scope { return p.scope }

// Add counts the charges of a stored profile that are dated in the window: those of its plan. The
// error is that of [Engine.Compile], or [ErrPortfolioFull]; p is then unchanged.
func (p *Portfolio) Add(s Stored) error {
	prof, isNew := &s.Profile, s.State.IsZero()
	key := p.scheduleOf(prof)
	if n := p.known[key]; n != nil && isNew && (n.any || n.amounts == prof.Amounts) && s.asUsual(p.scope.Policy) {
		return p.apply(n, &prof.Amounts)
	}
	if err := p.plan.compile(&s, p.scope.AsOf, p.scope.Policy); err != nil {
		return err
	}
	n := p.entriesOf(&p.plan)
	if isNew && len(n.list) <= fewEntries {
		p.remember(key, n)
	}
	p.plan.profile = Profile{} // its texts may be parts of a long one
	return p.apply(&n, &prof.Amounts)
}

// asUsual reports whether what a schedule does not say of a new profile passes [Engine.Check].
func (s *Stored) asUsual(pol Policy) bool {
	p := &s.Profile
	return s.checkPolicy(pol) == nil && !afterEnd(p.CardExpires) && p.Amounts.Fits(p.Currency) && checkText(p.ID, "") == nil
}

// AddPlan is [Portfolio.Add] for a profile that is compiled already. The error is
// [ErrPortfolioScope] for a plan of another as-of day or policy, or [ErrPortfolioFull]; p is then
// unchanged.
func (p *Portfolio) AddPlan(plan *Plan) error {
	if err := p.takes(plan); err != nil {
		return err
	}
	n := p.entriesOf(plan)
	return p.apply(&n, &plan.profile.Amounts)
}

// AddDrawn is [Portfolio.AddPlan] with one outcome of chance: each random amount is the one that
// [Engine.Simulate] draws with this seed. The work grows with the number of charges of a range.
func (p *Portfolio) AddDrawn(plan *Plan, seed uint64) error {
	amounts := plan.profile.Amounts
	if amounts.Values() == 1 {
		return p.AddPlan(plan)
	}
	if err := p.takes(plan); err != nil {
		return err
	}
	from, to := plan.ordinals(p.scope.Window)
	if err := p.grow(uint64(to - from)); err != nil {
		return err
	}
	for key := amount.NewSeed(seed, plan.profile.ID); from < to; {
		c := plan.at(from)
		c.Min = amounts.Draw(key, c.Repeat)
		c.Max = c.Min
		s := p.shapeOf(plan.profile.Currency, &c)
		of, end := p.of(&s), plan.alike(&c, from, to, p.scope.Explain)
		lane, step := p.track(plan, &c)
		for at := lane.position(c.Date); from < end; at += step {
			if day, ok := lane.day(at); ok {
				a := amounts.Draw(key, plan.state.Repeat+uint64(from))
				of.at(int32(day)).addOne(a, a)
				from++
			}
		}
	}
	return nil
}

// AddCharge counts one charge, such as one of a simulation, by its outcome; none that is dated
// outside the window. A random amount is one of the range that [amount.Range] makes of its bounds,
// whose error it returns, or [ErrPortfolioFull]; p is then unchanged.
func (p *Portfolio) AddCharge(currency string, c *Charge) error {
	switch {
	case p.scope.AsOf.IsZero():
		return refuse("as-of", errAsOf)
	case !p.scope.Window.Contains(c.Date):
		return nil
	}
	s := p.shapeOf(currency, c)
	if c.Min != c.Max {
		r, err := amount.Range(c.Min, c.Max, currency)
		if err != nil {
			return err
		}
		s.drawn = p.drawn(&r)
	}
	if err := p.grow(1); err != nil {
		return err
	}
	p.of(&s).at(p.lanes[0].position(c.Date)).addOne(c.Min, c.Max)
	return nil
}

// Merge counts the charges of another portfolio of the same scope, which may be p itself. The error
// is [ErrPortfolioScope], naming what differs, or [ErrPortfolioFull]; p is then unchanged. The
// totals of o are not changed.
func (p *Portfolio) Merge(o *Portfolio) error {
	if err := p.scope.differs(o.scope); err != nil {
		return err
	}
	if err := p.grow(o.size); err != nil {
		return err
	}
	for s, from := range o.series {
		if s.drawn != nil {
			s.drawn = p.drawn(s.drawn)
		}
		to := p.of(&s)
		for _, c := range from.changes() {
			to.at(c.at).add(&c.cell)
		}
	}
	return nil
}

// Totals yields the totals that have a charge, by day, week, month, quarter or weekday: in order of
// that, then currency. ByCharge and ByProfile are not periods and yield nothing. The work grows with
// the days of the window and not with the number of profiles. The sequence can be used any number of
// times; p must not be changed meanwhile.
func (p *Portfolio) Totals(by By) iter.Seq[Total] { return by.sum(p.days) }

var errPortfolio = errors.New("engine: a Portfolio has no JSON form: store its totals by day, which are Days")

// MarshalJSON returns an error: a Portfolio cannot be stored. Store its totals by day, see [Days].
func (p *Portfolio) MarshalJSON() ([]byte, error) { return nil, errPortfolio }

// UnmarshalJSON returns an error, as MarshalJSON does.
func (p *Portfolio) UnmarshalJSON([]byte) error { return errPortfolio }

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
	case s.Explain != o.Explain:
		field = "explain"
	}
	for c := range Keys() {
		if field == "" && *s.Policy.field(c) != *o.Policy.field(c) {
			field = c.Key()
		}
	}
	return fmt.Errorf("%s: %w", field, ErrPortfolioScope)
}

// takes reports whether a plan is of the scope, as an error.
func (p *Portfolio) takes(plan *Plan) error {
	of := p.scope
	of.AsOf, of.Policy = plan.asOf, plan.policy
	return p.scope.differs(of)
}

// grow counts n more charges, unless there are too many.
func (p *Portfolio) grow(n uint64) error {
	size, carry := bits.Add64(p.size, n, 0)
	if carry != 0 {
		return ErrPortfolioFull
	}
	p.size = size
	return nil
}

// A lane numbers the days of the window on which a run can charge: all of them, or the monthly dates of
// one day of the month. So the charges of a run are whole steps apart, and a month has one number for
// all profiles with that day, whatever their start and interval.
type lane struct {
	ofMonth uint8 // the day of the month; 0 for all days
	skip    bool  // months that lack the day have no date
	grid    calendar.Schedule
	first   int   // the number in grid of the first date in the window
	size    int32 // the dates in the window
	begin   calendar.Date
}

func newLane(day int, s *Scope) lane {
	l := lane{ofMonth: uint8(day), begin: s.Window.From}
	if day == 0 {
		if !s.Window.IsEmpty() {
			l.size = int32(s.Window.Last().Sub(l.begin)) + 1
		}
		return l
	}
	end := s.Policy.MonthEnd
	if l.skip = end == calendar.MonthEndSkip && day > 28; l.skip {
		end = calendar.MonthEndClamp // the dates that exist are the same
	}
	l.grid, _ = calendar.NewSchedule(calendar.MinDate().AddDays(day-1), calendar.UnitMonth, 1, end)
	l.first, _ = l.grid.Index(l.begin)
	l.size = int32(l.grid.Count(s.Window))
	return l
}

// position returns the number of a date of the lane.
func (l *lane) position(d calendar.Date) int32 {
	if l.ofMonth == 0 {
		return int32(d.Sub(l.begin))
	}
	k, _ := l.grid.Index(d)
	return int32(k - l.first)
}

// day returns how many days after the window's first a number is, and false for none.
func (l *lane) day(position int32) (days int, ok bool) {
	if l.ofMonth == 0 {
		return int(position), true
	}
	return l.monthly(position)
}

func (l *lane) monthly(position int32) (days int, ok bool) {
	d, _ := l.grid.At(l.first + int(position))
	if l.skip {
		if _, _, day := d.Date(); day != int(l.ofMonth) {
			return 0, false
		}
	}
	return d.Sub(l.begin), true
}

// A shape is what charges have in common whose sums are kept together. Scales are part of it: the
// text of a sum has the decimals of the charges in it, and of no others.
type shape struct {
	currency  string
	part      part
	low, high uint8          // the decimals of the least and the greatest amounts
	day       uint8          // the lane: the day of the month of a run by months, else 0
	step      int32          // days or months from one charge of a run to the next; 0 for single charges
	drawn     *amount.Choice // the range of random amounts, one of Portfolio.ranges, where draws are kept
	because   ledger.Because // what the charges rest on, where that is kept
}

// shapeOf returns the shape of a single charge, without its range.
func (p *Portfolio) shapeOf(currency string, c *Charge) shape {
	s := shape{currency: currency, low: uint8(c.Min.Scale()), high: uint8(c.Max.Scale())}
	switch {
	case c.Outcome == OutcomeDeclined:
		s.part = partDeclined
	case c.CardExpired:
		s.part = partExpired
	}
	if p.scope.Explain {
		s.because = c.Because
	}
	return s
}

// A part of the charges of a total.
type part uint8

const (
	partApproved part = iota
	partExpired       // approved, after the expiry of the card
	partDeclined
)

// drawn returns the range of a shape for random amounts of a range: nil where draws are not kept, or
// there is nothing to draw.
func (p *Portfolio) drawn(r *amount.Choice) *amount.Choice {
	if !p.scope.Draws || r.Values() == 1 {
		return nil
	}
	of := p.ranges[*r]
	if of == nil {
		of = new(*r)
		p.ranges[*r] = of
	}
	return of
}

// A cell is a number of charges and the sums of their least and greatest amounts. All numbers wrap
// around, so that a cell can be what charges change by.
type cell struct {
	n        uint64
	min, max wide
}

// A wide is a number of 128 bits. Fewer than 2^64 amounts below 2^63 stay below 2^127.
type wide struct{ hi, lo uint64 }

func (w *wide) add(o wide) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, o.lo, 0)
	w.hi += o.hi + carry
}

// times returns n times an amount, in its units; n may be below 0.
func times(a amount.Amount, n int64) wide {
	hi, lo := bits.Mul64(uint64(a.Coefficient()), uint64(n))
	if n < 0 {
		hi -= uint64(a.Coefficient())
	}
	return wide{hi, lo}
}

func (c *cell) add(o *cell) {
	c.n += o.n
	c.min.add(o.min)
	c.max.add(o.max)
}

// addOne adds a charge, faster than addTimes.
func (c *cell) addOne(low, high amount.Amount) {
	c.n++
	c.min.add(wide{0, uint64(low.Coefficient())})
	c.max.add(wide{0, uint64(high.Coefficient())})
}

// addTimes adds n charges.
func (c *cell) addTimes(low, high amount.Amount, n int64) {
	c.n += uint64(n)
	c.min.add(times(low, n))
	c.max.add(times(high, n))
}

// A series holds the charges of one shape by their numbers in its lane. A cell of single charges is what
// they come to. A cell of runs is what the charges there change by against those one step before: it has
// those that begin there, less those that have ended. So a run is two changes at most, however long.
type series struct {
	shape  shape
	size   int32
	sparse map[int32]*cell
	dense  []*cell // in its place once many are used
}

// of returns the series of a shape.
func (p *Portfolio) of(s *shape) *series {
	if p.last != nil && p.last.shape == *s {
		return p.last
	}
	of := p.series[*s]
	if of == nil {
		of = &series{shape: *s, size: p.lanes[s.day].size, sparse: map[int32]*cell{}}
		of.shape.currency = strings.Clone(s.currency) // which may be a part of a long text
		p.series[of.shape] = of
	}
	p.last = of
	return of
}

// at returns the cell of a position.
func (s *series) at(position int32) *cell {
	if int(position) < len(s.dense) && s.dense[position] != nil {
		return s.dense[position]
	}
	return s.find(position)
}

// find is at for a cell that is not in the table. Apart from it, at is small enough to be inlined.
//
//go:noinline
func (s *series) find(position int32) *cell {
	c := s.sparse[position]
	if c != nil {
		return c
	}
	c = new(cell)
	if s.dense == nil && len(s.sparse) < int(s.size)/8 {
		s.sparse[position] = c
		return c
	}
	if s.dense == nil {
		s.dense = make([]*cell, s.size)
		for i, c := range s.sparse {
			s.dense[i] = c
		}
		s.sparse = nil
	}
	s.dense[position] = c
	return c
}

// A change is a cell that is not zero, and its position.
type change struct {
	at int32
	cell
}

// changes returns all changes, in no order.
func (s *series) changes() (list []change) {
	for at, c := range s.sparse {
		list = append(list, change{at, *c})
	}
	for at, c := range s.dense {
		if c != nil {
			list = append(list, change{int32(at), *c})
		}
	}
	return slices.DeleteFunc(list, func(c change) bool { return c.cell == cell{} })
}

// An entry is a cell that n charges of a profile change, alike but for their amount, which is that of a
// repeat index.
type entry struct {
	cell   *cell
	n      int64
	repeat uint64
}

// entries are all that a profile changes.
type entries struct {
	list    []entry
	charges uint64
	any     bool          // so do others of its schedule, with any amounts
	amounts amount.Choice // … with these amounts
}

// fewCharges is how many charges of a profile are entered one by one: they need no series of their own,
// and cost about as much as a run.
const fewCharges = 3

// entriesOf returns what a plan changes. The list is good until the next one.
func (p *Portfolio) entriesOf(plan *Plan) entries {
	p.list = p.list[:0]
	from, to := plan.ordinals(p.scope.Window)
	charges := uint64(to - from)
	for from < to {
		c := plan.at(from)
		end := plan.alike(&c, from, to, p.scope.Explain)
		p.enter(plan, &c, from, end)
		from = end
	}
	return entries{list: p.list, charges: charges}
}

// enter lists the charges from … to-1 of a plan, which are like c, the first of them. Days that are paid
// or missed are before the first run, so that later due days have no gaps.
func (p *Portfolio) enter(plan *Plan, c *Charge, from, to int) {
	s := p.shapeOf(plan.profile.Currency, c)
	s.drawn = p.drawn(&plan.profile.Amounts)
	add := func(at int32, n int) { p.list = append(p.list, entry{p.of(&s).at(at), int64(n), c.Repeat}) }
	switch {
	case c.Slot != c.Date: // the first run charges them all
		add(p.lanes[0].position(c.Date), to-from)
		return
	case to-from <= fewCharges:
		for ; from < to; from++ {
			add(p.lanes[0].position(plan.dateOf(from)), 1)
		}
		return
	}
	lane, step := p.track(plan, c)
	s.step, s.day = step, lane.ofMonth
	add(lane.position(c.Date), 1)
	if end := lane.position(plan.dateOf(to-1)) + step; end < lane.size {
		add(end, -1)
	}
}

// track returns the lane and the step of the charges that follow c, unless the first run charges them
// all.
func (p *Portfolio) track(plan *Plan, c *Charge) (*lane, int32) {
	grid := &plan.slots.grid
	step := int32(min(grid.Interval(), math.MaxInt32/7))
	switch {
	case c.Slot != c.Date:
		return &p.lanes[0], 0
	case grid.Unit() == calendar.UnitMonth:
		_, _, day := grid.Start().Date()
		return &p.lanes[day], step
	case grid.Unit() == calendar.UnitWeek:
		step *= 7
	}
	return &p.lanes[0], step
}

// apply counts a profile with these amounts.
func (p *Portfolio) apply(n *entries, amounts *amount.Choice) error {
	if err := p.grow(n.charges); err != nil {
		return err
	}
	for i := range n.list {
		to := &n.list[i]
		low, high := amounts.Bounds(to.repeat)
		to.cell.addTimes(low, high, to.n)
	}
	return nil
}

// A schedule is all of a new profile that decides what it changes, but for its amounts, of which it has the
// kind and the scales. Most profiles of a large portfolio are new and have the schedule of one before
// them, so that their plans need not be made.
type schedule struct {
	interval               int
	most                   uint64 // noLimit for none
	start, finish, expires calendar.Date
	kind                   Kind
	unit                   calendar.Unit
	amounts                amount.ChoiceKind
	low, high              uint8
	currency               string
}

const (
	noLimit = math.MaxUint64

	// What is kept of schedules is bounded.
	mostSchedules = 4096
	fewEntries    = 16
)

// scheduleOf returns the schedule of a profile, if it is new.
func (p *Portfolio) scheduleOf(of *Profile) schedule {
	low, high := of.Amounts.Bounds(0)
	key := schedule{
		interval: of.Interval, most: noLimit, start: of.Start, finish: of.Finish, kind: of.Kind, unit: of.Unit,
		amounts: of.Amounts.Kind(), low: uint8(low.Scale()), high: uint8(high.Scale()), currency: of.Currency,
	}
	if n, set := of.MaxRepeats.Value(); set {
		key.most = n
	}
	if of.CardExpires.Before(p.scope.Window.Last()) {
		key.expires = of.CardExpires // else no charge of the window is after it
	}
	return key
}

// remember keeps what the profile that was added last changes.
func (p *Portfolio) remember(key schedule, n entries) {
	if len(p.known) == mostSchedules {
		clear(p.known)
	}
	key.currency = strings.Clone(key.currency)
	n.list = slices.Clone(n.list)
	n.any = key.amounts == amount.KindFixed || key.amounts == amount.KindRange && !p.scope.Draws
	if !n.any {
		n.amounts = p.plan.profile.Amounts
	}
	p.known[key] = &n
}

// A run is charges of a series that follow each other step by step, from change to change.
type run struct {
	*series
	lane     *lane
	currency int      // its place in order
	changes  []change // those to come
	now      cell     // the charges at …
	at       int32
	day      int // … which is so many days after the window's first
}

// next moves to the next day with charges, and reports whether there is one.
func (r *run) next() bool {
	for {
		r.at += r.shape.step
		if r.now.n == 0 || r.shape.step == 0 {
			if len(r.changes) == 0 {
				return false
			}
			r.at, r.now = r.changes[0].at, cell{}
		}
		for len(r.changes) > 0 && r.changes[0].at == r.at {
			r.now.add(&r.changes[0].cell)
			r.changes = r.changes[1:]
		}
		if r.at >= r.lane.size {
			return false
		}
		if r.now.n > 0 {
			var ok bool
			if r.day, ok = r.lane.day(r.at); ok {
				return true
			}
		}
	}
}

// runs returns all runs at their first days.
func (p *Portfolio) runs(currencies []string) (runs []*run) {
	for _, s := range p.series {
		track := func(c change) int32 { // of single charges there is one
			return c.at % max(1, s.shape.step)
		}
		list := s.changes()
		slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(track(a), track(b)), cmp.Compare(a.at, b.at)) })
		currency, _ := slices.BinarySearch(currencies, s.shape.currency)
		for len(list) > 0 {
			n := 1
			for n < len(list) && track(list[n]) == track(list[0]) {
				n++
			}
			r := &run{series: s, lane: &p.lanes[s.shape.day], currency: currency, changes: list[:n]}
			if r.next() {
				runs = append(runs, r)
			}
			list = list[n:]
		}
	}
	return runs
}

// mostRows is about how many totals are made at once.
const mostRows = 1024

// days yields the totals by day.
func (p *Portfolio) days(yield func(Total) bool) {
	names := map[string]bool{}
	for s := range p.series {
		names[s.currency] = true
	}
	currencies := slices.Sorted(maps.Keys(names))
	runs := p.runs(currencies)
	n := len(currencies)
	days := max(1, mostRows/max(1, n))
	rows := make([]Total, days*n)
	for len(runs) > 0 {
		first := runs[0].day
		for _, r := range runs {
			first = min(first, r.day)
		}
		runs = slices.DeleteFunc(runs, func(r *run) bool {
			for r.day < first+days {
				rows[(r.day-first)*n+r.currency].count(&r.shape, &r.now)
				if !r.next() {
					return true
				}
			}
			return false
		})
		for i := range rows {
			t := &rows[i]
			if t.IsZero() {
				continue
			}
			t.Period, t.Currency = p.scope.Window.From.AddDays(first+i/n), currencies[i%n]
			if !yield(*t) {
				return
			}
			*t = Total{}
		}
	}
}

// count adds the charges of a cell of a shape.
func (t *Total) count(s *shape, c *cell) {
	var of amount.Total
	if s.drawn == nil {
		of.Charges = c.n
		of.Min, _ = amount.SumFromMinor(c.min.hi, c.min.lo, int(s.low))
		of.Max, _ = amount.SumFromMinor(c.max.hi, c.max.lo, int(s.high))
	} else {
		of.AddRun(*s.drawn, 0, c.n)
	}
	switch s.part {
	case partDeclined:
		t.Declined.Merge(of)
	case partExpired:
		t.CardExpired.Merge(of)
		fallthrough
	default:
		t.Tally.Total.Merge(of)
	}
	t.Because = t.Because.And(s.because)
}
