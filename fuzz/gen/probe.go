package gen

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A ProbeCase asks for an experiment, and says which readings the gateway has.
type ProbeCase struct {
	AsOf   calendar.Date
	Days   int // 0 for the default
	Keys   []ledger.Clause
	Amount amount.Amount // zero for the default
	Policy engine.Policy // of the gateway
	Row    uint64        // draws a row of the experiment
}

// Probes draws experiments, most of them for all keys.
func Probes(r Chooser) ProbeCase {
	c := ProbeCase{AsOf: r.date(), Policy: r.anyPolicy()}
	if r.Chance(40) {
		c.Days = min(r.In(1, 70), calendar.Last().Sub(c.AsOf)+1)
	}
	if r.Chance(30) {
		for _, k := range policyKeys {
			if r.Chance(30) {
				c.Keys = append(c.Keys, k.key)
			}
		}
		slices.Reverse(c.Keys) // in any order
	}
	if r.Chance(30) {
		c.Amount = Minor(int64(r.In(1, 999)), r.In(0, 3))
	}
	c.Row = r.Uint64()
	return c
}

// An ObservedCase is a forecast under readings some of which were observed.
type ObservedCase struct {
	PlanCase
	Observed engine.Readings
}

// ObservedPlans draws as [Plans], with readings.
func ObservedPlans(r Chooser) ObservedCase {
	c := ObservedCase{PlanCase: Plans(r)}
	var list []engine.Reading
	for _, k := range policyKeys {
		if i := r.Below(len(k.values)); r.Chance(30) && k.values[i] != "reject" {
			list = append(list, engine.Reading{Key: k.key, Value: i, Profile: "shown-by", Date: c.AsOf})
		}
	}
	c.Observed, _ = engine.NewReadings(list...) // each key once, with one of its values
	return c
}
