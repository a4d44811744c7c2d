package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Goal: a charge that is copied from the one before is the charge that stands there. Method: random
// plans walked, and each of their charges made alone.

// anyAmounts returns a strategy of each kind, short sequences above all.
func anyAmounts(t *testing.T, r *rand.Rand) amount.Choice {
	low := amount.MustParse(fmt.Sprintf("%d.50", r.IntN(3)))
	high := amount.MustParse(fmt.Sprintf("%d.75", 3+r.IntN(3)))
	switch r.IntN(4) {
	case 0:
		return amount.Fixed(high)
	case 1:
		s, err := amount.Range(low, high, "EUR")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	list := []amount.Amount{low, high, low, high, high}[:1+r.IntN(5)]
	s, err := amount.Sequence(list)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// anyStored returns a profile around a day: its dates, cap and state lie where they meet.
func anyStored(t *testing.T, r *rand.Rand, asOf calendar.Date) Stored {
	near := func(ago int) calendar.Date { return asOf.AddDays(r.IntN(90) - ago) }
	s := Stored{Profile: Profile{
		ID: "a", Kind: KindSource, Start: near(30), Unit: calendar.UnitDay + calendar.Unit(r.IntN(3)), Interval: 1 + r.IntN(2),
		Amounts: anyAmounts(t, r), Currency: "EUR",
	}}
	if r.IntN(2) == 0 {
		s.Profile.Finish = later(s.Profile.Start, asOf).AddDays(r.IntN(60))
	}
	if r.IntN(2) == 0 {
		s.Profile.CardExpires = asOf.AddDays(r.IntN(90))
	}
	if r.IntN(2) == 0 {
		s.Profile.MaxRepeats = AtMost(uint64(r.IntN(12)))
	}
	if r.IntN(2) == 0 {
		return s
	}
	s.State = State{Status: StatusActive, Repeat: uint64(r.IntN(8)), RanThrough: asOf.AddDays(-r.IntN(2))}
	if r.IntN(4) == 0 {
		s.State.Repeat = lastRepeat - uint64(r.IntN(8))
	}
	if r.IntN(2) == 0 {
		from := asOf.AddDays(-20 - r.IntN(20))
		s.State.Missed = []calendar.Window{{From: from, To: from.AddDays(1 + r.IntN(15))}}
		s.State.Because = ledger.On(clause.L16)
	}
	if r.IntN(2) == 0 {
		s.State.Paid = []calendar.Date{asOf.AddDays(-r.IntN(3))}
	}
	return s
}

func TestWalkedChargesAreThoseMadeAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(404, 0))
	first, last := calendar.MinDate(), calendar.MaxDate()
	var rests [16]int // charges that rest on each of these
	clauses := []ledger.Clause{clause.L32b, clause.X7, clause.X8, clause.L08, clause.L09, clause.L31, clause.Doc224, clause.Doc227}
	for range 40_000 {
		asOf := mustDate(t, 2026, time.January, 1+r.IntN(31))
		switch r.IntN(20) {
		case 0:
			asOf = first.AddDays(40 + r.IntN(5))
		case 1:
			asOf = last.AddDays(-r.IntN(60))
		}
		s := anyStored(t, r, asOf)
		pol := Policy{
			MonthEnd: calendar.MonthEnd(r.IntN(4)), StartPast: StartPast(r.IntN(3)), FinishBound: FinishBound(r.IntN(2)),
			MaxCounts: MaxCounts(r.IntN(2)), MaxZero: MaxZero(r.IntN(2)),
		}
		plan, err := New(pol).Compile(s, asOf)
		if err != nil {
			continue
		}
		charges := min(plan.charges, 200)
		from := r.IntN(charges + 1)
		n := from
		plan.each(from, charges, func(got Charge) bool {
			if want := plan.at(n); got != want {
				t.Fatalf("%+v as of %v under %v: charge %d is %+v, want %+v", s, asOf, pol, n, got, want)
			}
			for i, clause := range clauses {
				if got.Because.Has(clause) {
					rests[i]++
				}
			}
			n++
			return true
		})
		if n != charges {
			t.Fatalf("%+v as of %v: walked to %d of %d", s, asOf, n, charges)
		}
	}
	for i, clause := range clauses {
		if rests[i] < 200 {
			t.Errorf("only %d charges rest on %v", rests[i], clause)
		}
	}
}
