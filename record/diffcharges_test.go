package record_test

import (
	"slices"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// TestDiffCharges: a charge is known again by its slot, then by its repeat.
func TestDiffCharges(t *testing.T) {
	monthly := engine.Profile{
		ID: "a", Kind: engine.KindSource, Start: day("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1, Currency: "EUR", Amounts: amount.Fixed(amount.MustParse("10.00")),
	}
	window := calendar.Through(day("2026-01-10"), day("2026-04-30"))
	charges := func(p engine.Profile, pol engine.Policy) []engine.Charge {
		plan, err := engine.New(pol).Compile(engine.Stored{Profile: p}, day("2026-01-10"))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Collect(plan.Charges(window))
	}
	dearer := monthly
	dearer.Amounts = amount.Fixed(amount.MustParse("12.00"))
	old := charges(monthly, engine.Policy{})
	for _, r := range []struct {
		reason string
		new    []engine.Charge
		want   []string
	}{
		{"the same", old, nil},
		{"skip leaves months out and renumbers the rest", charges(monthly, engine.Policy{MonthEnd: calendar.MonthEndSkip}),
			[]string{"removed 2026-02-28", "changed 2026-03-31", "removed 2026-04-30"}},
		{"next-first moves", charges(monthly, engine.Policy{MonthEnd: calendar.MonthEndNextFirst}),
			[]string{"moved 2026-02-28", "removed 2026-04-30"}},
		{"another amount", charges(dearer, engine.Policy{}),
			[]string{"changed 2026-01-31", "changed 2026-02-28", "changed 2026-03-31", "changed 2026-04-30"}},
		{"nothing left", nil, []string{"removed 2026-01-31", "removed 2026-02-28", "removed 2026-03-31", "removed 2026-04-30"}},
		{"one declined", with(old, engine.OutcomeDeclined), []string{"changed 2026-01-31"}},
		{"one approved", with(old, engine.OutcomeApproved), nil},
	} {
		var got []string
		for _, d := range record.DiffCharges(slices.Values(old), slices.Values(r.new)) {
			got = append(got, d.Kind.String()+" "+d.Date().String())
		}
		if !slices.Equal(got, r.want) {
			t.Errorf("%s: %q, want %q", r.reason, got, r.want)
		}
	}
}

// with returns a list whose first charge has an outcome.
func with(list []engine.Charge, outcome engine.Outcome) []engine.Charge {
	list = slices.Clone(list)
	list[0].Outcome = outcome
	return list
}

// TestDifferenceDates: a difference shows on the earlier of its two days.
func TestDifferenceDates(t *testing.T) {
	early, late := &record.Charge{Charge: engine.Charge{Date: day("2026-01-10")}}, &record.Charge{Charge: engine.Charge{Date: day("2026-01-20")}}
	for _, r := range []struct {
		d    record.Difference
		want calendar.Date
	}{
		{record.Difference{Kind: record.DifferenceAdded, New: late}, late.Charge.Date},
		{record.Difference{Kind: record.DifferenceRemoved, Old: late}, late.Charge.Date},
		{record.Difference{Kind: record.DifferenceMoved, Old: early, New: late}, early.Charge.Date},
		{record.Difference{Kind: record.DifferenceMoved, Old: late, New: early}, early.Charge.Date},
	} {
		if got := r.d.Date(); got != r.want {
			t.Errorf("%v: %v, want %v", r.d.Kind, got, r.want)
		}
	}
	added := record.DiffCharges(slices.Values([]engine.Charge{{Repeat: 1, Slot: day("2026-01-10"), Date: day("2026-01-10")}}), slices.Values([]engine.Charge{{Repeat: 2, Slot: day("2026-01-20"), Date: day("2026-01-20")}}))
	if len(added) != 2 || added[0].Kind != record.DifferenceRemoved || added[1].Kind != record.DifferenceAdded {
		t.Errorf("%+v", added)
	}
}
