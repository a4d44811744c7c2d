package engine_test

import (
	"fmt"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
)

// A BookCharge is a single charge of a currency, as a simulation would make it.
type BookCharge struct {
	Currency string
	engine.Charge
}

// A BookCase is many profiles under one scope, and single charges beside them.
type BookCase struct {
	Policy  engine.Policy
	Scope   engine.Scope
	Jobs    []gen.Job
	Charges []BookCharge
	Parts   int    // how many parts the whole is divided into
	Seed    uint64 // of how it is divided
}

// String is the case with one job after the other.
func (b BookCase) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%+v under %v in %d parts by %d", b.Scope, b.Policy, b.Parts, b.Seed)
	for _, j := range b.Jobs {
		fmt.Fprintf(&text, "\n%s expires=%v %v", j.Profile.Currency, j.Profile.CardExpires, gen.PlanCase{Job: j})
	}
	for _, c := range b.Charges {
		fmt.Fprintf(&text, "\n%s %v %v to %v, %v, expired %v", c.Currency, c.Date, c.Min, c.Max, c.Outcome, c.CardExpired)
	}
	return text.String()
}

// Books draws portfolios of 1 to 40 profiles of every kind, mostly small ones.
func Books(r gen.Chooser) BookCase {
	first := gen.Plans(r)
	b := BookCase{Policy: first.Policy, Seed: r.Uint64(), Parts: gen.Pick(r, 1, 2, 2, 3, 4, r.In(1, 16))}
	days := [...]int{r.In(0, 1), r.In(2, 60), r.In(60, 200), r.In(0, gen.FarthestDay)}[r.Weigh(10, 50, 30, 10)]
	from := gen.Moved(first.AsOf, gen.Pick(r, 0, 0, 0, r.Around(-20, 60)))
	b.Scope = engine.Scope{AsOf: first.AsOf, Window: calendar.Window{From: from, To: gen.Moved(from, days+1)}, Draws: r.Chance(30), Explain: b.Seed%3 == 0}
	size := r.Weigh(90, 9, 1)
	for i := 0; i == 0 || r.More(i, [...]int{3, 9, 40}[size], [...]int{60, 90, 98}[size]); i++ {
		p := first
		if i > 0 {
			p = gen.Plans(r)
			gen.MoveDays(&p.Job, b.Scope.AsOf.Sub(p.AsOf))
			p.Policy = b.Policy
		}
		p.Profile.ID = fmt.Sprint("order-", i)
		if r.Chance(40) {
			p.Profile.CardExpires = gen.Moved(b.Scope.AsOf, r.Around(-30, max(60, days)))
		}
		if gen.KeptApart(p.State, p.AsOf) {
			b.Jobs = append(b.Jobs, p.Job)
		}
	}
	for r.Chance(25) {
		b.Charges = append(b.Charges, bookCharge(r, from, days))
	}
	return b
}

func bookCharge(r gen.Chooser, from calendar.Date, days int) BookCharge {
	c := BookCharge{Currency: r.Currency()}
	c.Date = gen.Moved(from, r.In(-1, days+1))
	c.Min, c.Max = r.Choice(r.Below(2), c.Currency).Bounds(0)
	c.CardExpired = r.Chance(30)
	if r.Chance(50) {
		c.Outcome = engine.OutcomeDeclined
	}
	return c
}
