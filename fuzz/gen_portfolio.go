package fuzz

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A BookCharge is a single charge of a currency, as a simulation would make it.
type BookCharge struct {
	Currency string
	engine.Charge
}

// A BookCase is many profiles under one scope, and single charges beside them.
type BookCase struct {
	Scope   engine.Scope
	Jobs    []Job
	Charges []BookCharge
	Parts   int    // how many parts the whole is divided into
	Seed    uint64 // of how it is divided
}

// String is the case with one job after the other.
func (b BookCase) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%+v in %d parts by %d", b.Scope, b.Parts, b.Seed)
	for _, j := range b.Jobs {
		fmt.Fprintf(&text, "\n%s expires=%v %v", j.Profile.Currency, j.Profile.CardExpires, PlanCase{Job: j})
	}
	for _, c := range b.Charges {
		fmt.Fprintf(&text, "\n%s %v %v to %v, %v, expired %v", c.Currency, c.Date, c.Min, c.Max, c.Outcome, c.CardExpired)
	}
	return text.String()
}

// Books generates portfolios of 1 to 40 profiles of every kind, mostly small ones.
func Books() gopter.Gen { return generator(chooser.bookCase, simplerBooks, validBook) }

func validBook(b BookCase) bool {
	if b.Parts < 1 || b.Scope.Window.To.IsZero() {
		return false
	}
	return !slices.ContainsFunc(b.Jobs, func(j Job) bool { return !validPlan(PlanCase{Job: j}) })
}

func (r chooser) bookCase() BookCase {
	first := r.planCase()
	b := BookCase{Seed: r.Uint64(), Parts: pick(r, 1, 2, 2, 3, 4, r.in(1, 16))}
	days := [...]int{r.in(0, 1), r.in(2, 60), r.in(60, 200), r.in(0, reach)}[r.weigh(10, 50, 30, 10)]
	from := moved(first.AsOf, pick(r, 0, 0, 0, r.in(-20, 60)))
	b.Scope = engine.Scope{AsOf: first.AsOf, Window: calendar.Window{From: from, To: moved(from, days+1)}, Policy: first.Policy, Draws: r.chance(30)}
	n := []int{1, 2, 3, r.in(4, 9), r.in(10, 40)}[r.weigh(35, 30, 25, 9, 1)]
	for i := range n {
		p := first
		if i > 0 {
			p = r.planCase()
			p.moveDays(b.Scope.AsOf.Sub(p.AsOf))
			p.Policy = b.Scope.Policy
		}
		p.Profile.ID = fmt.Sprint("order-", i)
		if r.chance(40) {
			p.Profile.CardExpires = moved(b.Scope.AsOf, r.in(-30, max(60, days)))
		}
		if validPlan(p) {
			b.Jobs = append(b.Jobs, p.Job)
		}
	}
	for r.chance(25) {
		b.Charges = append(b.Charges, r.bookCharge(from, days))
	}
	return b
}

func (r chooser) bookCharge(from calendar.Date, days int) BookCharge {
	c := BookCharge{Currency: r.currency()}
	c.Date = moved(from, r.in(-1, days+1))
	c.Min, c.Max = r.strategy(r.below(2), c.Currency).Bounds(0)
	c.CardExpired = r.chance(30)
	if r.chance(50) {
		c.Outcome = engine.OutcomeDeclined
	}
	return c
}

// simplerBooks leaves jobs and charges out, then makes one job plainer.
func simplerBooks(b BookCase) iter.Seq[BookCase] {
	return func(yield func(BookCase) bool) {
		try := func(change func(*BookCase)) bool {
			o := b
			o.Jobs, o.Charges = slices.Clone(b.Jobs), slices.Clone(b.Charges)
			change(&o)
			return yield(o)
		}
		for i := range b.Jobs {
			if !try(func(o *BookCase) { o.Jobs = slices.Delete(o.Jobs, i, i+1) }) {
				return
			}
		}
		for i := range b.Charges {
			if !try(func(o *BookCase) { o.Charges = slices.Delete(o.Charges, i, i+1) }) {
				return
			}
		}
		if b.Parts > 1 && !try(func(o *BookCase) { o.Parts-- }) || b.Scope.Draws && !try(func(o *BookCase) { o.Scope.Draws = false }) {
			return
		}
		for i, j := range b.Jobs {
			for simpler := range simplerJobs(j) {
				kept := simpler.AsOf == j.AsOf && simpler.Policy == j.Policy
				if kept && !try(func(o *BookCase) { o.Jobs[i] = simpler }) {
					return
				}
			}
		}
	}
}

// newBook is an empty book of the case's scope.
func (b BookCase) newBook(t T, impl Impl) Book {
	t.Helper()
	book, err := impl.NewBook(b.Scope)
	if err != nil {
		t.Errorf("the scope is refused: %v", err)
		panic("no book")
	}
	return book
}

// whole is the book of the whole case.
func (b BookCase) whole(t T, impl Impl) Book {
	t.Helper()
	book := b.newBook(t, impl)
	for _, j := range b.Jobs {
		b.add(t, book, j)
	}
	for _, c := range b.Charges {
		b.addCharge(t, book, c)
	}
	return book
}

func (b BookCase) add(t T, book Book, j Job) {
	t.Helper()
	if err := book.Add(j); err != nil {
		t.Errorf("%v: a profile is refused: %v", PlanCase{Job: j}, err)
	}
}

func (b BookCase) addCharge(t T, book Book, c BookCharge) {
	t.Helper()
	if err := book.AddCharge(c.Currency, c.Charge); err != nil {
		t.Errorf("a charge is refused: %v", err)
	}
}

// inParts is the case divided into books, each profile and charge in one of them at random.
func (b BookCase) inParts(t T, impl Impl) []Book {
	t.Helper()
	r := chooser{RandOf(NewSource("parts", b.Seed, 0))}
	list := make([]Book, b.Parts)
	for i := range list {
		list[i] = b.newBook(t, impl)
	}
	for _, i := range r.Perm(len(b.Jobs)) {
		b.add(t, list[r.below(len(list))], b.Jobs[i])
	}
	for _, i := range r.Perm(len(b.Charges)) {
		b.addCharge(t, list[r.below(len(list))], b.Charges[i])
	}
	return list
}

// merged merges books in pairs at random, until one is left.
func (b BookCase) merged(t T, list []Book) Book {
	t.Helper()
	r := chooser{RandOf(NewSource("merges", b.Seed, 1))}
	for len(list) > 1 {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if err := list[0].Merge(list[1]); err != nil {
			t.Errorf("parts of one scope do not merge: %v", err)
			break
		}
		list = slices.Delete(list, 1, 2)
	}
	return list[0]
}

// currencies are those of the case.
func (b BookCase) currencies() []string {
	var list []string
	for _, j := range b.Jobs {
		list = append(list, j.Profile.Currency)
	}
	for _, c := range b.Charges {
		list = append(list, c.Currency)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// largest is the largest amount of the type.
func largest() amount.Amount { return minor(1<<63-1, 2) }
