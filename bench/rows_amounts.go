package main

import (
	govalues "github.com/govalues/decimal"
	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
)

const (
	peerShopspring = "shopspring/decimal"
	peerGovalues   = "govalues/decimal"
	peerAPD        = "apd"
	limitAdd       = "limit: int64 into 128 bits"
)

// amountRows are P4: adding, parsing and rendering amounts.
func amountRows() []row {
	const n = amountTexts
	add := func(list []amount.Amount) side { return oursAdd(list, n) }
	return []row{
		{id: "P4", ours: "Sum.Add, one scale", against: peerShopspring + " Add", goal: faster(25), possible: "45×",
			ready: readyAdd(n, oursAdd, decimal.NewFromString, shopspringAdd)},
		{id: "P4", ours: "Sum.Add, one scale", against: peerGovalues + " Add", goal: faster(2), possible: "4.6×",
			ready: readyAdd(n, oursAdd, govalues.Parse, govaluesAdd)},
		{id: "P4", ours: "Sum.Add, one scale", against: peerAPD + " Add", goal: faster(8), possible: "16×",
			ready: readyAdd(n, oursAdd, parseAPD, apdAdd)},
		{id: "P4", ours: "Sum.Add, one scale", against: limitAdd, goal: within(2), possible: "1×",
			ready: readyAdd(n, oursAdd, parseMinor, bareAdd)},
		{id: "P4", ours: "Sum.Add, 10,000,000 amounts", against: limitAdd, goal: within(2), possible: "1×",
			ready: readyAdd(amountMany, oursAdd, parseMinor, bareAdd)},
		{id: "P4", ours: "Sum.Add", against: "allocations", goal: allocs(0, "an amount"), possible: "0",
			count: amountAllocated(add)},
		{id: "P4", ours: "Parse", against: peerShopspring, goal: faster(5), possible: "10×", ready: readyParse(shopspringParse)},
		{id: "P4", ours: "Parse", against: peerGovalues, goal: faster(1.5), possible: "3.5×", ready: readyParse(govaluesParse)},
		{id: "P4", ours: "Parse", against: peerAPD, goal: faster(8), possible: "16×", ready: readyParse(apdParse)},
		{id: "P4", ours: "AppendText", against: peerShopspring + " String", goal: faster(6), possible: "11×",
			note:  "drops zeros at the end of a text",
			ready: readyText(decimal.NewFromString)},
		{id: "P4", ours: "AppendText", against: peerGovalues + " String", goal: faster(1.2), possible: "1.9×",
			ready: readyText(govalues.Parse)},
		{id: "P4", ours: "AppendText", against: "allocations", goal: allocs(0, "an amount"), possible: "0",
			count: amountAllocated(oursAppend)},
	}
}

// drawRows are P12: one random amount.
func drawRows() []row {
	return []row{
		{id: "P12", ours: "keyed bounded draw", against: "rand/v2 PCG Uint64N", goal: within(1.5), possible: "0.5–0.9×",
			note:  "gives other amounts when the order changes",
			ready: readyDraw(sequentialDraw)},
		{id: "P12", ours: "keyed bounded draw", against: "rand.New for each draw", goal: faster(3), possible: "6–10×",
			ready: readyDraw(freshDraw)},
		{id: "P12", ours: "keyed bounded draw", against: "allocations", goal: allocs(0, "a draw"), possible: "0",
			count: drawAllocated},
	}
}
