package laws

import (
	"math/big"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// planLaws are the laws of the amounts of a plan.
func planLaws() []Law {
	return []Law{
		law("A11", "2.2.5 2.2.6", "from repeat c0 the j-th charge takes element min(c0+j, n−1), or the profile's amount, or its bounds", gen.Plans, sequenceFrom),
		law("A18", "2.2.5", "amounts times c: totals times c, dates unchanged", gen.Plans, scaled),
	}
}

// forecast is the forecast of a job that must not be refused.
func forecast(j gen.Job, t *T) Forecast {
	f, err := t.Forecast(j)
	if err != nil {
		t.Errorf("%v as of %v is refused: %v", j.Policy, j.AsOf, err)
		panic("no forecast")
	}
	return f
}

// sameEnd compares where two forecasts stand, but for what they rest on.
func sameEnd(t *T, what string, got, want End) {
	if got.Status != want.Status || got.Repeat != want.Repeat || !sameStop(got.Stop, want.Stop) {
		t.Errorf("%s: ends %v with repeat %d, %s; want %v with repeat %d, %s", what, got.Status, got.Repeat, inWords(got.Stop), want.Status, want.Repeat, inWords(want.Stop))
	}
}

func sameStop(a, b Stop) bool { return a.Date == b.Date && slices.Equal(a.Reasons, b.Reasons) }

// walkTo is the oracle's life of a job up to a day.
func walkTo(j gen.Job, d calendar.Date) *oracle.Machine {
	m := gen.MachineOf(j, oracle.Right())
	if m != nil {
		m.UntilStopped(gen.DayNumber(d))
	}
	return m
}

// machineLines are the charges that a machine made.
func machineLines(m *oracle.Machine) []line {
	var list []line
	for _, r := range m.Records {
		if r.Charge != nil {
			list = append(list, lineOf(gen.ChargeFromOracle(*r.Charge)))
		}
	}
	return list
}

// times is a choice with every amount c times as large.
func times(s amount.Choice, c int64, currency string) amount.Choice {
	grow := func(a amount.Amount) amount.Amount { return gen.Minor(a.Coefficient()*c, a.Scale()) }
	from, to := s.Bounds(0)
	switch s.Kind() {
	case amount.KindFixed:
		return amount.Fixed(grow(from))
	case amount.KindRange:
		r, err := amount.Range(grow(from), grow(to), currency)
		if err != nil {
			panic(err)
		}
		return r
	case amount.KindSequence:
		list := s.Elements()
		for i, a := range list {
			list[i] = grow(a)
		}
		return gen.SequenceOf(list)
	}
	return s
}

func scaled(t *T, p gen.PlanCase) {
	c := int64(p.N%4 + 2)
	w := p.Window(0, p.C)
	before := forecast(p.Job, t)
	grown := p.Job
	grown.Profile.Amounts = times(p.Profile.Amounts, c, p.Profile.Currency)
	after := forecast(grown, t)
	a, b := lines(before, w), lines(after, w)
	for i := range a {
		a[i].min, a[i].max = gen.Minor(a[i].min.Coefficient()*c, a[i].min.Scale()).Reduce(), gen.Minor(a[i].max.Coefficient()*c, a[i].max.Scale()).Reduce()
	}
	sameLines(t, "grown amounts", b, a)
	x, y := before.Total(w), after.Total(w)
	for _, pair := range [...][2]string{{x.Min, y.Min}, {x.Max, y.Max}, {x.Mean, y.Mean}} {
		small, _ := new(big.Rat).SetString(pair[0])
		large, _ := new(big.Rat).SetString(pair[1])
		if small.Mul(small, big.NewRat(c, 1)).Cmp(large) != 0 {
			t.Errorf("a total of %s becomes %s with amounts %d times as large", pair[0], pair[1], c)
		}
	}
}

func sequenceFrom(t *T, p gen.PlanCase) {
	list := p.Profile.Amounts.Elements()
	if len(list) == 0 && p.N%2 == 0 {
		low, high := p.Profile.Amounts.Bounds(0)
		for c := range forecast(p.Job, t).Charges(p.Window(0, p.C+1)) {
			if c.Min.Compare(low) != 0 || c.Max.Compare(high) != 0 {
				want := line{c.Repeat, c.Slot, c.Date, low.Reduce(), high.Reduce()}
				t.Errorf("a charge is %v, want %v", lineOf(c), want)
				return
			}
		}
		return
	}
	if len(list) == 0 {
		list = []amount.Amount{gen.Minor(1, 0), gen.Minor(2, 0), gen.Minor(3, 0)}
		p.Profile.Amounts = gen.SequenceOf(list)
	}
	reached := false
	for c := range forecast(p.Job, t).Charges(p.Window(0, p.C+1)) {
		want := list[min(c.Repeat, uint64(len(list)-1))]
		if c.Min.Compare(want) != 0 || c.Max.Compare(want) != 0 {
			t.Errorf("a charge is %v, want %v", lineOf(c), line{c.Repeat, c.Slot, c.Date, want.Reduce(), want.Reduce()})
			return
		}
		reached = reached || c.Repeat == 0
	}
	if first := p.StartRepeat(); reached && first > 0 {
		t.Errorf("the first element is reached from repeat %d", first)
	}
}
