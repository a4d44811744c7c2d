package main

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cockroachdb/apd/v3"
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

// The sides of P4 work on the 65,536 texts of W6. They answer with a sum of minor units,
// or of the lengths of the texts they made.

func texts() []string {
	list := make([]string, amountTexts)
	for i := range list {
		list[i] = amountText(uint64(i))
	}
	return list
}

// parsed reads every text once, outside the timing.
func parsed[T any](parse func(string) (T, error)) []T {
	list := make([]T, amountTexts)
	for i, text := range texts() {
		list[i] = must(parse(text))
	}
	return list
}

func parseAPD(text string) (*apd.Decimal, error) {
	d, _, err := apd.NewFromString(text)
	return d, err
}

// minor is the digits of a text with two decimals as a number.
func minor(text []byte) (n uint64) {
	for _, c := range text {
		if c != '.' {
			n = 10*n + uint64(c-'0')
		}
	}
	return n
}

// Sums. Each runs over its list until it has added n values.

func oursAdd(list []amount.Amount, n int) side {
	return side{n, func() uint64 {
		var sum amount.Sum
		for left := n; left > 0; {
			part := list[:min(left, len(list))]
			left -= len(part)
			for _, a := range part {
				sum.Add(a)
			}
		}
		var buf [32]byte
		return minor(sum.Append(buf[:0]))
	}}
}

func shopspringAdd(list []decimal.Decimal, n int) side {
	return side{n, func() uint64 {
		var sum decimal.Decimal
		for _, d := range list {
			sum = sum.Add(d)
		}
		return uint64(sum.CoefficientInt64())
	}}
}

func govaluesAdd(list []govalues.Decimal, n int) side {
	return side{n, func() uint64 {
		var sum govalues.Decimal
		for _, d := range list {
			sum, _ = sum.Add(d)
		}
		return sum.Coef()
	}}
}

func apdAdd(list []*apd.Decimal, n int) side {
	return side{n, func() uint64 {
		var sum apd.Decimal
		for _, d := range list {
			// BaseContext does not round, which is the least work.
			apd.BaseContext.Add(&sum, &sum, d)
		}
		return sum.Coeff.Uint64()
	}}
}

// bareAdd is the limit: integers into a 128-bit sum.
func bareAdd(list []int64, n int) side {
	return side{n, func() uint64 {
		var lo, hi, carry uint64
		for left := n; left > 0; {
			part := list[:min(left, len(list))]
			left -= len(part)
			for _, v := range part {
				lo, carry = bits.Add64(lo, uint64(v), 0)
				hi += carry
			}
		}
		return lo + hi
	}}
}

// readyAdd makes a contest of n additions against a peer.
func readyAdd[T any](n int, ours func([]amount.Amount, int) side, parse func(string) (T, error), theirs func([]T, int) side) func() contest {
	return func() contest {
		list := parsed(amount.Parse)
		peers := parsed(parse)
		return contest{ours: ours(list, n), theirs: theirs(peers, n)}
	}
}

// parseMinor is the value of a text of W6 for the limit.
func parseMinor(text string) (int64, error) { return int64(minor([]byte(text))), nil }

// Parsing.

func oursParse(list []string) side {
	return side{len(list), func() (sum uint64) {
		for _, text := range list {
			a, _ := amount.Parse(text)
			sum += uint64(a.Coefficient())
		}
		return sum
	}}
}

func shopspringParse(list []string) side {
	return side{len(list), func() (sum uint64) {
		for _, text := range list {
			d, _ := decimal.NewFromString(text)
			sum += uint64(d.CoefficientInt64())
		}
		return sum
	}}
}

func govaluesParse(list []string) side {
	return side{len(list), func() (sum uint64) {
		for _, text := range list {
			d, _ := govalues.Parse(text)
			sum += d.Coef()
		}
		return sum
	}}
}

// apdParse reads into one decimal, which spares the peer an allocation.
func apdParse(list []string) side {
	return side{len(list), func() (sum uint64) {
		var d apd.Decimal
		for _, text := range list {
			d.SetString(text)
			sum += d.Coeff.Uint64()
		}
		return sum
	}}
}

func readyParse(theirs func([]string) side) func() contest {
	return func() contest {
		list := texts()
		return contest{ours: oursParse(list), theirs: theirs(list)}
	}
}

// Rendering.

func oursAppend(list []amount.Amount) side {
	buf := make([]byte, 0, 32)
	return side{len(list), func() (sum uint64) {
		for _, a := range list {
			text, _ := a.AppendText(buf)
			sum += uint64(len(text))
		}
		return sum
	}}
}

func stringOf[T fmt.Stringer](list []T) side {
	return side{len(list), func() (sum uint64) {
		for _, d := range list {
			sum += uint64(len(d.String()))
		}
		return sum
	}}
}

// readyText makes a contest of rendering. shopspring drops the zeros at the end of a
// text, so the answers are compared text by text, without them.
func readyText[T fmt.Stringer](parse func(string) (T, error)) func() contest {
	return func() contest {
		list := parsed(amount.Parse)
		peers := parsed(parse)
		differ := func() error {
			for i, text := range texts() {
				if list[i].String() != text {
					return fmt.Errorf("text %d: ours is wrong", i)
				}
				if plain(peers[i].String()) != plain(text) {
					return fmt.Errorf("text %d: theirs is wrong", i)
				}
			}
			return nil
		}
		return contest{ours: oursAppend(list), theirs: stringOf(peers), differ: differ}
	}
}

// plain is a decimal text without zeros at the end of its decimals.
func plain(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// amountAllocated is what one of the sides of ours allocates for each amount.
func amountAllocated(ours func([]amount.Amount) side) func() float64 {
	return func() float64 { return allocated(ours(parsed(amount.Parse))) }
}
