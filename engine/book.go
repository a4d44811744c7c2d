package engine

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A Scope says which charges a [Book] counts, and what it keeps of them.
type Scope struct {
	AsOf calendar.Date // the day as of which profiles are added, as in [Engine.Compile]
	// Window is the days whose charges are counted; without an end it goes to 9999-12-31.
	Window calendar.Window
	// Draws keeps what random amounts are drawn from, so that totals have quantiles. It takes
	// memory for each range of another width.
	Draws bool
	// Explain keeps the clauses that each total depends on.
	Explain bool
}

// A Book adds up the charges of many profiles by day and currency, without making them: a profile
// is entered where its charges begin and where they end, and [Book.Totals] adds the entries up. So
// the work and the memory of a profile do not grow with the window, except for the elements of a
// sequence, and profiles that begin on one day share their entries.
//
// Sums are exact, and the order in which profiles, charges and books are added changes nothing. A
// Book has a JSON form, in which the workers of a cluster send theirs: read back it is the same
// Book and takes more.
//
// [Engine.NewBook] makes one. The zero Book takes no charges and has no totals. A Book is not safe
// for concurrent use: give each worker its own and merge them. Use it by its pointer: a copy shares
// its memory. It shares none with what was added.
type Book struct {
	scope   Scope
	policy  Policy
	indexes [32]dateIndex // by the day of the month; the first for all days
	size    uint64        // charges

	series map[seriesKey]*series
	last   *series // the one that was used last
	plan   Plan    // of the profile that is being added
}

// The errors of a [Book].
var (
	// ErrBookScope is that of books with different scopes. Its text begins with what differs:
	// "as-of", "window", "draws", "explain" or a key of the policy.
	ErrBookScope = errors.New("the books differ in their scope or policy: make both with the same")
	ErrBookFull  = errors.New("the book would count 2^64 charges or more: keep two books")
)

// NewBook returns a book without charges, of profiles under the engine's policy. The error is an
// [*Error] for a missing as-of day and for a policy with an unknown value. An empty window is no
// error: no charge is counted.
func (e Engine) NewBook(s Scope) (*Book, error) {
	if !s.AsOf.IsDay() {
		return nil, refuse("as-of", errAsOf)
	}
	if err := e.policy.check(); err != nil {
		return nil, err
	}
	if s.Window.IsEmpty() {
		s.Window = calendar.Window{From: s.AsOf, To: s.AsOf}
	} else {
		s.Window = calendar.Through(s.Window.First(), s.Window.Last()) // one form for each window
	}
	b := &Book{scope: s, policy: e.policy, series: map[seriesKey]*series{}}
	for day := range b.indexes {
		b.indexes[day] = newDateIndex(day, s.Window, e.policy.MonthEnd)
	}
	return b, nil
}

// Add counts the charges of a stored profile that are dated in the window: those of its plan. The
// error is that of [Engine.Compile], or [ErrBookFull]; b is then unchanged.
func (b *Book) Add(s Stored) error {
	if err := b.plan.compile(&s, b.scope.AsOf, b.policy); err != nil {
		return err
	}
	from, to := b.plan.ordinals(b.scope.Window)
	if err := b.grow(uint64(to - from)); err != nil {
		return err
	}
	for from < to {
		c := b.plan.at(from)
		end := b.plan.nextDifferent(&c, from, to, b.scope.Explain)
		b.enter(&c, from, end)
		from = end
	}
	b.plan.profile = Profile{} // its texts may be parts of a long one
	return nil
}

// AddCharge counts one charge, such as one that [Engine.Advance] made or a simulation drew, by its
// outcome; none that is dated outside the window. A random amount counts as one of the range on the
// charge's own grid or, for a charge put together from fields, of the one that [amount.Range] makes
// of Min and Max, whose error it returns, or [ErrBookFull]; b is then unchanged.
func (b *Book) AddCharge(currency string, c Charge) error {
	switch {
	case b.scope.AsOf.IsZero():
		return refuse("as-of", errAsOf)
	case !b.scope.Window.Contains(c.Date):
		return nil
	}
	var choice amount.Choice
	if c.Min != c.Max {
		var err error
		if choice, err = c.choice(currency); err != nil {
			return err
		}
	}
	if err := b.grow(1); err != nil {
		return err
	}
	at := b.indexes[0].position(c.Date)
	var key seriesKey
	b.setKey(&key, currency, &c)
	b.of(&key).at(at).addTimes(c.Min, c.Max, 1)
	if b.keepsDraws(&choice) {
		key = key.drawnFrom(&choice)
		b.of(&key).at(at).addTimes(c.Min, c.Max, 1)
	}
	return nil
}

// Merge counts the charges of another book of the same scope and policy, which may be b itself. The
// error is [ErrBookScope], naming what differs, or [ErrBookFull]; b is then unchanged. The totals
// of o are not changed.
func (b *Book) Merge(o *Book) error {
	if err := b.differs(o); err != nil {
		return err
	}
	if err := b.grow(o.size); err != nil {
		return err
	}
	for key, from := range o.series {
		to := b.of(&key)
		for _, c := range from.changes() {
			to.at(c.at).add(&c.cell)
		}
	}
	return nil
}

// Totals yields the totals that have a charge, by day, week, month, quarter or weekday: in order of
// that, then currency. ByCharge and ByProfile are not periods and yield nothing. The work grows
// with the number of totals and of the different ranges in each, not with that of profiles. The
// sequence can be used any number of times; b must not be changed meanwhile.
func (b *Book) Totals(by By) iter.Seq[Total] {
	return func(yield func(Total) bool) { b.totals(by, yield) }
}

// differs returns the first thing in which two books differ, as an error.
func (b *Book) differs(o *Book) error {
	field := ""
	switch s, o := b.scope, o.scope; {
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
		if field == "" && *b.policy.field(c) != *o.policy.field(c) {
			field = c.Key()
		}
	}
	if field == "" {
		return nil
	}
	return fmt.Errorf("%s: %w", field, ErrBookScope)
}

// grow counts n more charges, unless there are too many.
func (b *Book) grow(n uint64) error {
	size, carry := bits.Add64(b.size, n, 0)
	if carry != 0 {
		return ErrBookFull
	}
	b.size = size
	return nil
}

// setKey sets the zero key to that of the series that counts a charge as a single one, in sums.
func (b *Book) setKey(key *seriesKey, currency string, c *Charge) {
	key.currency, key.minScale, key.maxScale = currency, uint8(c.Min.Scale()), uint8(c.Max.Scale())
	switch {
	case c.Outcome == OutcomeDeclined:
		key.part = partDeclined
	case c.CardExpired:
		key.part = partExpired
	}
	if b.scope.Explain {
		key.because = c.Because
	}
}

// keepsDraws reports whether a charge is counted by what its amount is drawn from too.
func (b *Book) keepsDraws(choice *amount.Choice) bool { return b.scope.Draws && choice.Values() > 1 }

// drawnFrom returns the key of the series that counts the charges of k by what their amounts are
// drawn from.
func (k *seriesKey) drawnFrom(choice *amount.Choice) seriesKey {
	return seriesKey{currency: k.currency, part: k.part, values: choice.Values(), minScale: uint8(choice.Scale())}
}

// fewCharges is how many charges of a profile are entered one by one: they need no series of their
// own, and cost about as much as a run.
const fewCharges = 3

// enter enters the charges from … to-1 of the plan, which are like c, the first of them. Days that
// are paid or missed are before the first run, so that later due days have no gaps.
func (b *Book) enter(c *Charge, from, to int) {
	var key seriesKey
	b.setKey(&key, b.plan.profile.Currency, c)
	b.enterUnder(key, c, from, to)
	if choice := &b.plan.profile.Amounts; b.keepsDraws(choice) {
		b.enterUnder(key.drawnFrom(choice), c, from, to)
	}
}

// enterUnder enters the charges into the series of a key.
func (b *Book) enterUnder(key seriesKey, c *Charge, from, to int) {
	plan, days := &b.plan, &b.indexes[0]
	switch {
	case c.Slot != c.Date: // the first run charges them all
		b.of(&key).at(days.position(c.Date)).addTimes(c.Min, c.Max, int64(to-from))
	case to-from <= fewCharges:
		for n := from; n < to; n++ {
			b.of(&key).at(days.position(plan.dateOf(n))).addTimes(c.Min, c.Max, 1)
		}
	default:
		key.setStep(&plan.slots.grid)
		index, s := &b.indexes[key.monthDay], b.of(&key)
		s.at(index.position(c.Date)).addTimes(c.Min, c.Max, 1)
		if end := index.position(plan.dateOf(to-1)) + key.step; end < index.size {
			s.at(end).addTimes(c.Min, c.Max, -1)
		}
	}
}
