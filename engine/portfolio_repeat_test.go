package engine_test

import (
	"bytes"
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
		if one, other := binaryOf(t, all), binaryOf(t, sum); !bytes.Equal(one, other) {
			t.Fatalf("seed %d: %d bytes, one by one %d", seed, len(one), len(other))
		}
	}
}

// TestEmptySequenceIsRefusedAfterItsLikes: the zero Sequence charges 0, as a fixed amount does that was
// counted before, and is refused all the same.
func TestEmptySequenceIsRefusedAfterItsLikes(t *testing.T) {
	asOf := calendar.MustParse("2026-01-01")
	p := engine.Profile{ID: "order", Kind: engine.KindSource, Currency: "EUR", Start: asOf, Unit: calendar.UnitDay, Interval: 1}
	book := newPortfolio(t, engine.Scope{AsOf: asOf})
	p.Amounts = amount.NewFixed(amount.Amount{})
	if err := book.Add(engine.Stored{Profile: p}); err != nil {
		t.Fatal(err)
	}
	before := binaryOf(t, book)
	p.Amounts = amount.Sequence{}
	if book.Add(engine.Stored{Profile: p}) == nil {
		t.Error("the zero Sequence was counted")
	}
	if !bytes.Equal(binaryOf(t, book), before) {
		t.Error("a refused profile changed the portfolio")
	}
}

// sequenceOfLength returns a sequence of n elements of different scales, of one of several kinds.
func sequenceOfLength(t *testing.T, n, kind int) amount.Sequence {
	list := make([]amount.Amount, n)
	for i := range list {
		var err error
		if list[i], err = amount.FromMinor(int64(100*kind+10*i+1), i%3); err != nil {
			t.Fatal(err)
		}
	}
	q, err := amount.NewSequence(list)
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
