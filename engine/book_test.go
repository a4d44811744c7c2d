package engine_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// randomStored returns a profile of any kind. Its texts of amounts have different scales.
func randomStored(r *rand.Rand, asOf calendar.Date) engine.Stored {
	p := engine.Profile{ID: fmt.Sprint("order-", r.IntN(9)), Kind: engine.KindSource, Currency: []string{"EUR", "USD", "JPY", ""}[r.IntN(4)]}
	small := func(n int) amount.Amount {
		a, _ := amount.FromMinor(int64(n), r.IntN(4))
		return a
	}
	switch r.IntN(4) {
	case 0:
		list := make([]amount.Amount, 1+r.IntN(5))
		for i := range list {
			list[i] = small(r.IntN(1000))
		}
		p.Amounts, _ = amount.Sequence(list)
	case 1:
		from := small(r.IntN(10))
		to, _ := amount.FromMinor(int64(10_000+r.IntN(1000)), 1+r.IntN(2))
		p.Amounts, _ = amount.Range(from, to, p.Currency)
	default:
		p.Amounts = amount.Fixed(small(r.IntN(1000)))
	}
	if r.IntN(10) > 0 {
		p.Unit, p.Interval = calendar.Unit(1+r.IntN(3)), []int{1, 1, 2, 3, 5, 7, 12, 40, math.MaxInt}[r.IntN(9)]
	}
	if r.IntN(8) > 0 {
		p.Start = asOf.AddDays(r.IntN(120) - 60)
	}
	if r.IntN(3) == 0 {
		p.Finish = asOf.AddDays(r.IntN(700) - 20)
	}
	if r.IntN(3) == 0 {
		p.MaxRepeats = engine.AtMost(uint64(r.IntN(30)))
	}
	if r.IntN(2) == 0 {
		p.CardExpires = asOf.AddDays(r.IntN(700) - 20)
	}
	s := engine.Stored{Profile: p}
	if r.IntN(2) == 0 {
		s.State = engine.State{Status: engine.StatusActive, Repeat: uint64(r.IntN(4))}
		switch r.IntN(3) {
		case 0:
			s.State.RanThrough = asOf.AddDays(-r.IntN(40))
		case 1:
			s.State.RanThrough = asOf
		}
		for range r.IntN(3) {
			s.State.Paid = append(s.State.Paid, asOf.AddDays(-r.IntN(30)))
		}
		if r.IntN(4) == 0 {
			s.State.Missed = []calendar.Window{calendar.Through(asOf.AddDays(-50), asOf.AddDays(-45))}
		}
	}
	return s
}

func randomPolicy(r *rand.Rand) engine.Policy {
	p := engine.Policy{MonthEnd: calendar.MonthEnd(r.IntN(4))}
	for c := range engine.Keys() {
		if r.IntN(2) == 0 {
			p = p.WithReading(c, r.IntN(len(c.Entry().Readings)))
		}
	}
	return p
}

// A cellKey is a period and a currency.
type cellKey struct{ period, currency string }

// sums are totals that are made by adding up single charges.
type sums map[cellKey]*engine.Total

func (s sums) add(by engine.By, scope engine.Scope, currency string, c engine.Charge, a amount.Choice) {
	key := cellKey{by.Period(c.Date).String(), currency}
	t := s[key]
	if t == nil {
		t = &engine.Total{Period: by.Period(c.Date), Currency: currency}
		s[key] = t
	}
	var one amount.Total
	if one.Add(c.Min, c.Max); scope.Draws {
		one = amount.Total{}
		one.AddRun(a, c.Repeat, 1)
	}
	if scope.Explain {
		t.Because = t.Because.And(c.Because)
	}
	if c.Outcome == engine.OutcomeDeclined {
		t.Declined.Merge(one)
		return
	}
	t.Tally.Total.Merge(one)
	if c.CardExpired {
		t.CardExpired.Merge(one)
	}
}

func (s sums) list() []engine.Total {
	var list []engine.Total
	for _, t := range s {
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b engine.Total) int {
		return cmp.Or(a.Period.Compare(b.Period), strings.Compare(a.Currency, b.Currency))
	})
	return list
}

var periods = []engine.By{engine.ByDay, engine.ByWeek, engine.ByMonth, engine.ByQuarter, engine.ByWeekday}

// totalsOf returns the totals of a book by day.
func totalsOf(p *engine.Book) []engine.Total { return slices.Collect(p.Totals(engine.ByDay)) }

func sameTotals(a, b []engine.Total) bool { return slices.EqualFunc(a, b, engine.Total.Equal) }

// Goal: totals are those of the single charges, to the last decimal and reason. Method: small books
// of random profiles, states and policies; the oracle enumerates every plan.
func TestBookIsTheSumOfItsCharges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		asOf := day("2026-01-15").AddDays(r.IntN(800))
		policy := randomPolicy(r)
		w := calendar.Window{From: asOf.AddDays(r.IntN(200) - 60), To: asOf.AddDays(r.IntN(900))}
		scope := engine.Scope{AsOf: asOf, Window: w, Draws: r.IntN(2) == 0, Explain: r.IntN(2) == 0}
		p := newBook(t, policy, scope)
		want := map[engine.By]sums{}
		for _, by := range periods {
			want[by] = sums{}
		}
		for range r.IntN(8) {
			s := randomStored(r, asOf)
			plan, failed := engine.New(policy).Compile(s, asOf)
			if err := p.Add(s); (err == nil) != (failed == nil) || failed != nil && err.Error() != failed.Error() {
				t.Fatalf("added with %v, compiled with %v", err, failed)
			}
			if failed != nil {
				continue
			}
			for c := range plan.Charges(w) {
				for _, by := range periods {
					want[by].add(by, scope, s.Profile.Currency, c, s.Profile.Amounts)
				}
			}
		}
		for _, by := range periods {
			got := slices.Collect(p.Totals(by))
			if !sameTotals(got, want[by].list()) {
				t.Fatalf("%+v by %v:\n%v\nwant\n%v", scope, by, got, want[by].list())
			}
		}
	}
}

func newBook(t *testing.T, p engine.Policy, s engine.Scope) *engine.Book {
	t.Helper()
	b, err := engine.New(p).NewBook(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomBook returns a book with so many random profiles.
func randomBook(t *testing.T, r *rand.Rand, policy engine.Policy, s engine.Scope, profiles int) *engine.Book {
	t.Helper()
	b := newBook(t, policy, s)
	for range profiles {
		_ = b.Add(randomStored(r, s.AsOf)) // some are refused by the policy
	}
	return b
}

// throughJSON returns a book that was written and read back, and the text.
func throughJSON(t *testing.T, b *engine.Book) (*engine.Book, string) {
	t.Helper()
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var back engine.Book
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &back, string(text)
}

// randomScope returns a scope of some months.
func randomScope(r *rand.Rand) engine.Scope {
	return engine.Scope{
		AsOf: day("2026-01-15"), Window: calendar.Through(day("2026-01-01"), day("2027-06-01")), Draws: r.IntN(2) == 0, Explain: r.IntN(2) == 0,
	}
}

// TestBooksMerge: parts add up to the whole in any order, whether they were sent as JSON or not.
func TestBooksMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		s, policy := randomScope(r), randomPolicy(r)
		a, b, empty := randomBook(t, r, policy, s, r.IntN(6)), randomBook(t, r, policy, s, r.IntN(6)), newBook(t, policy, s)
		sentA, _ := throughJSON(t, a)
		sentB, _ := throughJSON(t, b)
		whole := func(list ...*engine.Book) *engine.Book {
			sum := newBook(t, policy, s)
			for _, p := range list {
				if err := sum.Merge(p); err != nil {
					t.Fatal(err)
				}
			}
			return sum
		}
		want := whole(a, b)
		for _, parts := range [][]*engine.Book{{b, empty, a}, {sentB, a}, {sentA, sentB}} {
			got := whole(parts...)
			for _, by := range periods {
				if !sameTotals(slices.Collect(got.Totals(by)), slices.Collect(want.Totals(by))) {
					t.Fatalf("by %v parts add up to %v", by, slices.Collect(got.Totals(by)))
				}
			}
		}
		if err := sentA.Merge(sentB); err != nil || !sameTotals(totalsOf(sentA), totalsOf(want)) {
			t.Fatal("a book that was read back does not take another", err)
		}
		twice := whole(a, b, a, b)
		if err := want.Merge(want); err != nil || !sameTotals(totalsOf(want), totalsOf(twice)) {
			t.Fatal("a book merged with itself does not count twice", err)
		}
	}
}

// TestBookReadBackIsTheSameBook: its totals are the same as written, so is its JSON, and it takes more.
func TestBookReadBackIsTheSameBook(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 80 {
		s, policy := randomScope(r), randomPolicy(r)
		if r.IntN(10) == 0 {
			s.Window = []calendar.Window{{}, {From: s.AsOf}, {To: day("2026-03-01")}, {From: s.AsOf, To: s.AsOf}}[r.IntN(4)]
		}
		book := randomBook(t, r, policy, s, r.IntN(5))
		for range r.IntN(5) {
			c := engine.Charge{Date: s.AsOf.AddDays(r.IntN(90)), CardExpired: r.IntN(2) == 0, Outcome: engine.Outcome(r.IntN(2))}
			c.Min, _ = amount.FromMinor(int64(r.IntN(100)), r.IntN(4))
			c.Max, _ = amount.FromMinor(int64(100+r.IntN(100)), r.IntN(3))
			if c.Min.Compare(c.Max) > 0 {
				c.Min = c.Max
			}
			if err := book.AddCharge("EUR", c); err != nil {
				t.Fatal(err)
			}
		}
		back, text := throughJSON(t, book)
		if _, again := throughJSON(t, back); again != text {
			t.Fatalf("written again:\n%s\nwant\n%s", again, text)
		}
		more := randomStored(r, s.AsOf)
		if a, b := book.Add(more), back.Add(more); (a == nil) != (b == nil) {
			t.Fatal(a, b)
		}
		if got, want := totalsOf(back), totalsOf(book); !sameTotals(got, want) {
			t.Fatalf("with another profile %v\nwant %v", got, want)
		}
	}
}

// TestBookOfChargesIsThatOfProfiles: the charges of plans, added one by one, are the profiles.
func TestBookOfChargesIsThatOfProfiles(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		s, policy := randomScope(r), randomPolicy(r)
		profiles, charges := newBook(t, policy, s), newBook(t, policy, s)
		for range r.IntN(6) {
			stored := randomStored(r, s.AsOf)
			plan, err := engine.New(policy).Compile(stored, s.AsOf)
			if err != nil {
				continue
			}
			if err := profiles.Add(stored); err != nil {
				t.Fatal(err)
			}
			for c := range plan.Charges(s.Window) {
				if err := charges.AddCharge(stored.Profile.Currency, c); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, want := totalsOf(charges), totalsOf(profiles); !sameTotals(got, want) {
			t.Fatalf("%v\nwant\n%v", got, want)
		}
	}
}

// TestAddIsGated: Add refuses what Compile refuses, also after a profile with the same schedule.
func TestAddIsGated(t *testing.T) {
	rent := func(currency string) engine.Profile {
		amounts, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("5.00"), "EUR")
		if err != nil {
			t.Fatal(err)
		}
		return engine.Profile{Kind: engine.KindSource, Start: day("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1, Amounts: amounts, Currency: currency}
	}
	late := rent("EUR")
	late.CardExpires = calendar.MaxDate().AddDays(1)
	skip := engine.Policy{MonthEnd: calendar.MonthEndSkip}
	for name, s := range map[string]engine.Stored{
		"a range of another currency": {Profile: rent("JPY")},
		"another policy":              engine.Stored{Profile: rent("EUR")}.Under(skip),
		"a card past the calendar":    {Profile: late},
	} {
		p := newBook(t, engine.Policy{}, engine.Scope{AsOf: day("2026-01-01"), Window: calendar.Through(day("2026-01-01"), day("2026-12-31"))})
		like := rent(s.Profile.Currency)
		if like.Currency == "JPY" {
			like.Amounts = amount.Fixed(amount.MustParse("1"))
		}
		for range 2 {
			_ = p.Add(engine.Stored{Profile: like})
		}
		_, want := engine.New(engine.Policy{}).Compile(s, day("2026-01-01"))
		if err := p.Add(s); want == nil || err == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
