package engine_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// TestEqualSequencesCountLikeSingleOnes: profiles whose sequences and schedules are often equal come to
// what portfolios of one profile each come to, which remember nothing. The window begins inside the
// sequences, and cards expire there too.
func TestEqualSequencesCountLikeSingleOnes(t *testing.T) {
	asOf := calendar.MustParse("2026-01-01")
	scope := engine.Scope{AsOf: asOf, Window: calendar.Through(asOf.AddDays(40), asOf.AddDays(300))}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 8))
		scope.Policy = randomPolicy(r)
		all, sum := newPortfolio(t, scope), newPortfolio(t, scope)
		for range 60 {
			p := engine.Profile{
				ID: "order", Kind: engine.KindSource, Currency: "EUR", Start: asOf.AddDays(r.IntN(2)),
				Unit: calendar.UnitMonth, Interval: 1, Amounts: sequenceOfLength(t, []int{1, 2, 3, 8, 9}[r.IntN(5)], r.IntN(2)),
			}
			p.Amounts = someAmounts(t, r, p.Currency)
			if r.IntN(2) == 0 {
				p.CardExpires = asOf.AddDays(100)
			}
			single := newPortfolio(t, scope)
			a, b := all.Add(engine.Stored{Profile: p}), single.Add(engine.Stored{Profile: p})
			if a != nil || b != nil {
				t.Fatal(a, b)
			}
			if err := sum.Merge(single); err != nil {
				t.Fatal(err)
			}
		}
		if one, other := totalsOf(all), totalsOf(sum); !sameTotals(one, other) {
			t.Fatalf("seed %d: %v, one by one %v", seed, one, other)
		}
	}
}

// TestEmptySequenceIsRefusedAfterItsLikes: the zero Sequence charges 0, as a fixed amount does that was
// counted before, and is refused all the same.
func TestEmptySequenceIsRefusedAfterItsLikes(t *testing.T) {
	asOf := calendar.MustParse("2026-01-01")
	p := engine.Profile{ID: "order", Kind: engine.KindSource, Currency: "EUR", Start: asOf, Unit: calendar.UnitDay, Interval: 1}
	book := newPortfolio(t, engine.Scope{AsOf: asOf, Window: calendar.Through(asOf, asOf)})
	p.Amounts = amount.Fixed(amount.Amount{})
	if err := book.Add(engine.Stored{Profile: p}); err != nil {
		t.Fatal(err)
	}
	before := totalsOf(book)
	p.Amounts = amount.Choice{}
	if book.Add(engine.Stored{Profile: p}) == nil {
		t.Error("the zero Sequence was counted")
	}
	if !sameTotals(totalsOf(book), before) {
		t.Error("a refused profile changed the portfolio")
	}
}

// sequenceOfLength returns a sequence of n elements of different scales, of one of several kinds.
func sequenceOfLength(t *testing.T, n, kind int) amount.Choice {
	list := make([]amount.Amount, n)
	for i := range list {
		var err error
		if list[i], err = amount.FromMinor(int64(100*kind+10*i+1), i%3); err != nil {
			t.Fatal(err)
		}
	}
	q, err := amount.Sequence(list)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func newPortfolio(t *testing.T, s engine.Scope) *engine.Portfolio {
	p, err := engine.NewPortfolio(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRepeatedSchedulesCountLikeSingleOnes: whatever comes between profiles of one schedule (other
// amounts, a reading of the totals, more schedules than are remembered), they come to what portfolios of one profile each come to.
func TestRepeatedSchedulesCountLikeSingleOnes(t *testing.T) {
	asOf := calendar.MustParse("2026-01-01")
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 11))
		scope := engine.Scope{AsOf: asOf, Window: calendar.Through(asOf, asOf.AddDays(200)), Policy: randomPolicy(r), Draws: seed%2 == 0, Explain: seed%3 == 0}
		all, sum := newPortfolio(t, scope), newPortfolio(t, scope)
		for i := range 300 {
			p := engine.Profile{
				ID: "order", Kind: engine.KindSource, Start: asOf.AddDays(r.IntN(2)), Unit: calendar.UnitDay, Interval: 1 + 40*r.IntN(2),
				Currency: []string{"EUR", "EURA", "EURB", "CHF"}[r.IntN(4)], MaxRepeats: engine.AtMost(uint64(1 + r.IntN(5))),
			}
			p.Amounts = someAmounts(t, r, p.Currency)
			if r.IntN(2) == 0 {
				p.CardExpires = asOf.AddDays(198 + r.IntN(4)) // around the last day of the window
			}
			single := newPortfolio(t, scope)
			if err := errors.Join(all.Add(engine.Stored{Profile: p}), single.Add(engine.Stored{Profile: p}), sum.Merge(single)); err != nil {
				t.Fatal(err)
			}
			switch {
			case i%50 == 7:
				for range all.Totals(engine.ByMonth) {
				}
			case i%50 == 33:
				if err := errors.Join(all.Merge(all), sum.Merge(sum)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if one, other := totalsOf(all), totalsOf(sum); !sameTotals(one, other) {
			t.Fatalf("seed %d: %v, one by one %v", seed, one, other)
		}
	}
}

// TestMoreSchedulesThanAreRemembered: profiles of 5,000 schedules, twice, come to twice their totals.
func TestMoreSchedulesThanAreRemembered(t *testing.T) {
	asOf := calendar.MustParse("2026-01-01")
	scope := engine.Scope{AsOf: asOf, Window: calendar.Through(asOf, asOf.AddDays(30))}
	once, twice := newPortfolio(t, scope), newPortfolio(t, scope)
	for i := range 10_000 {
		p := engine.Profile{
			ID: "order", Kind: engine.KindSource, Currency: "EUR", Start: asOf, Unit: calendar.UnitDay, Interval: 1 + i%5000,
			Amounts: amount.Fixed(amount.MustParse("1.50")),
		}
		if err := twice.Add(engine.Stored{Profile: p}); err != nil {
			t.Fatal(err)
		}
		if i < 5000 {
			if err := once.Add(engine.Stored{Profile: p}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := once.Merge(once); err != nil {
		t.Fatal(err)
	}
	if one, other := totalsOf(twice), totalsOf(once); !sameTotals(one, other) {
		t.Fatalf("%v, twice the half %v", one, other)
	}
}

// someAmounts returns amounts of any kind, of which several share a schedule.
func someAmounts(t *testing.T, r *rand.Rand, currency string) amount.Choice {
	low := amount.MustParse([]string{"1.00", "1.50", "2.00", "3.5"}[r.IntN(4)])
	switch r.IntN(3) {
	case 0:
		return amount.Fixed(low)
	case 1:
		s, err := amount.Range(low, amount.MustParse([]string{"3.50", "9.00"}[r.IntN(2)]), currency)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	return sequenceOfLength(t, 1+r.IntN(4), r.IntN(2))
}
