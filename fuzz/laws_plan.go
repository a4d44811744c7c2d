package fuzz

import (
	"iter"
	"math/big"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// planLaws are the laws of the amounts of a plan.
func planLaws() []Law {
	return []Law{
		{ID: "A11", Formula: "from repeat c0 the j-th charge takes element min(c0+j, n−1)", Clause: "2.2.6", Gen: Plans(), Needs: func(i Impl) bool { return i.Forecast != nil }, Check: onPlan(sequenceFrom)},
		{ID: "A18", Formula: "amounts times c: totals times c, dates unchanged", Clause: "2.2.5", Gen: Plans(), Needs: func(i Impl) bool { return i.Forecast != nil }, Check: onPlan(scaled)},
	}
}

// onPlan is a check of a profile that no engine may refuse.
func onPlan(check func(t T, p PlanCase, impl Impl)) func(T, *Case, Impl) {
	return func(t T, c *Case, impl Impl) { check(t, c.Value.(PlanCase), impl) }
}

// forecast is the forecast of a job that must not be refused.
func (j Job) forecast(t T, impl Impl) Forecast {
	t.Helper()
	f, err := impl.Forecast(j)
	if err != nil {
		t.Errorf("%v as of %v is refused: %v", j.Policy, j.AsOf, err)
		panic("no forecast")
	}
	return f
}

// A line is a charge without what it rests on: what a user sees.
type line struct {
	repeat     uint64
	slot, date calendar.Date
	min, max   amount.Amount
}

func lineOf(c engine.Charge) line {
	return line{c.Repeat, c.Slot, c.Date, c.Min.Reduce(), c.Max.Reduce()}
}

func linesOf(charges iter.Seq[engine.Charge]) []line {
	var list []line
	for c := range charges {
		list = append(list, lineOf(c))
	}
	return list
}

// lines are the charges of a window.
func lines(f Forecast, w calendar.Window) []line { return linesOf(f.Charges(w)) }

// sameLines compares two lists of charges.
func sameLines(t T, what string, got, want []line) bool {
	t.Helper()
	if slices.Equal(got, want) {
		return true
	}
	t.Errorf("%s: charges %v, want %v", what, got, want)
	return false
}

// sameEnd compares where two forecasts stand, but for what they rest on.
func sameEnd(t T, what string, got, want End) {
	t.Helper()
	if got.Status != want.Status || got.Repeat != want.Repeat || !sameStop(got.Stop, want.Stop) {
		t.Errorf("%s: ends %v with repeat %d and stop %v %v, want %v, %d, %v %v",
			what, got.Status, got.Repeat, got.Stop.Date, got.Stop.Reasons, want.Status, want.Repeat, want.Stop.Date, want.Stop.Reasons)
	}
}

func sameStop(a, b Stop) bool { return a.Date == b.Date && slices.Equal(a.Reasons, b.Reasons) }

// walkTo is the oracle's life of a job up to a day.
func (j Job) walkTo(d calendar.Date) *oracle.Machine {
	m := MachineOf(j, oracle.Right())
	if m != nil {
		m.UntilStopped(DayNumber(d))
	}
	return m
}

// machineLines are the charges that a machine made.
func machineLines(m *oracle.Machine) []line {
	var list []line
	for _, r := range m.Records {
		if r.Charge != nil {
			list = append(list, lineOf(chargeFromOracle(*r.Charge)))
		}
	}
	return list
}

// plainProfile is monthly from 2026-01-31 with a fixed amount.
func plainProfile() engine.Profile {
	return engine.Profile{
		ID: "plain", Kind: engine.KindSource, Currency: "EUR",
		Start: DateNumbered(oracle.DayOf(2026, 1, 31)), Unit: calendar.UnitMonth, Interval: 1,
		Amounts: amount.NewFixed(minor(1000, 2)),
	}
}

// times is a strategy with every amount c times as large.
func times(s amount.Strategy, c int64, currency string) amount.Strategy {
	grow := func(a amount.Amount) amount.Amount { return minor(a.Coefficient()*c, a.Scale()) }
	switch s := s.(type) {
	case amount.Fixed:
		return amount.NewFixed(grow(s.Amount()))
	case amount.Range:
		from, to := s.Bounds(0)
		r, err := amount.NewRange(grow(from), grow(to), currency)
		if err != nil {
			panic(err)
		}
		return r
	case amount.Sequence:
		list := elementsOf(s)
		for i, a := range list {
			list[i] = grow(a)
		}
		return sequenceOf(list)
	}
	return nil
}

func scaled(t T, p PlanCase, impl Impl) {
	c := int64(p.N%4 + 2)
	w := p.window(0, p.C)
	before := p.Job.forecast(t, impl)
	grown := p.Job
	grown.Profile.Amounts = times(p.Profile.Amounts, c, p.Profile.Currency)
	after := grown.forecast(t, impl)
	a, b := lines(before, w), lines(after, w)
	for i := range a {
		a[i].min, a[i].max = minor(a[i].min.Coefficient()*c, a[i].min.Scale()).Reduce(), minor(a[i].max.Coefficient()*c, a[i].max.Scale()).Reduce()
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

func sequenceFrom(t T, p PlanCase, impl Impl) {
	list := elementsOf(p.Profile.Amounts)
	if len(list) == 0 {
		list = []amount.Amount{minor(1, 0), minor(2, 0), minor(3, 0)}
		p.Profile.Amounts = sequenceOf(list)
	}
	reached := false
	for c := range p.Job.forecast(t, impl).Charges(p.window(0, p.C+1)) {
		want := list[min(c.Repeat, uint64(len(list)-1))]
		if c.Min.Compare(want) != 0 || c.Max.Compare(want) != 0 {
			t.Errorf("the charge with repeat %d is %v, want %v", c.Repeat, c.Min, want)
		}
		reached = reached || c.Repeat == 0
	}
	if first := p.startRepeat(); reached && first > 0 {
		t.Errorf("the first element is reached from repeat %d", first)
	}
}

// startRepeat is the repeat number before the first run.
func (p PlanCase) startRepeat() uint64 {
	m := MachineOf(p.Job, oracle.Right())
	return m.Repeat
}
