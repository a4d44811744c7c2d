package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/shopspring/decimal"
	"github.com/teambition/rrule-go"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/workload"
)

const (
	manyProfiles  = 1_000_000
	someProfiles  = 20_000
	naiveProfiles = 1_000
)

// portfolioRows are P9 to P11: many profiles by date and currency, and charge by charge.
func portfolioRows() []row {
	const what = "totals by day, 1,000,000 profiles, 5 years"
	const drawn = "totals by day of drawn amounts, 20,000 profiles"
	return []row{
		{id: "P9", ours: what, against: "naive: rrule-go, shopspring, map, 1,000 profiles", goal: faster(100), possible: "166×", ready: readyTotals},
		{id: "P9", ours: what, against: "limit: read each, add it to one of 4 cells", goal: within(30), possible: "21×", ready: readyFourCells},
		{id: "P9", ours: "the same, 50 years", against: "itself with 5", goal: within(1.5), possible: "1.06×", ready: readyFiftyYears},
		{id: "P10", ours: drawn, against: "naive: rrule-go, rand/v2, shopspring, map, 1,000 profiles", goal: faster(5), possible: "6×",
			note: "draws other amounts", ready: readyDrawn},
		{id: "P11", ours: "forecast of 1,000 profiles to NDJSON", against: "naive: rrule-go, shopspring, encoding/json", goal: faster(15), possible: "38×",
			ready: readyCharges((*charging).ndjson, naiveNDJSON, 1)},
		{id: "P11", ours: "forecast of 1,000 profiles to NDJSON", against: "limit: copy as many bytes through 64 KiB", goal: within(25), possible: "11×", ready: readyCopied},
		{id: "P11", ours: "the same to CSV", against: "naive: rrule-go, shopspring, encoding/csv", goal: faster(15), possible: "28×",
			ready: readyCharges((*charging).csv, naiveCSV, 0)},
	}
}

func readyTotals() contest {
	list := portfolioBook(manyProfiles, false)
	c := contest{ours: oursTotals(list, 5), theirs: naiveSide(naiveBook(naiveProfiles))}
	c.differ = func() error {
		return errors.Join(checked(oursTotals(list[:naiveProfiles], 5)), checked(oursTotals(list[:someProfiles], 5)), checked(c.ours), checked(c.theirs))
	}
	return c
}

func readyFourCells() contest {
	list := portfolioBook(manyProfiles, false)
	c := contest{ours: oursTotals(list, 5), theirs: fourCells(list)}
	c.differ = func() error { return checked(c.ours) }
	return c
}

func readyFiftyYears() contest {
	list := portfolioBook(manyProfiles, false)
	c := contest{ours: oursTotals(list, 50), theirs: oursTotals(list, 5)}
	c.differ = func() error { return checked(c.theirs) }
	return c
}

func readyDrawn() contest {
	list, rules := portfolioBook(someProfiles, true), naiveBook(naiveProfiles)
	c := contest{ours: oursDrawn(list), theirs: naiveDrawn(rules)}
	c.differ = func() error {
		return errors.Join(plausible(sumUp(drawnBook(list[:naiveProfiles]))), plausible(naiveTotals(rules, drawnApart)), sameInParts(list[:naiveProfiles]))
	}
	return c
}

// Sides that total a portfolio answer with the sums of the four currencies, mixed, after the number
// of cells, which is that of days and currencies.

// portfolioSums are the totals of a portfolio in minor units, in the order of portfolioCurrencies.
type portfolioSums [len(portfolioCurrencies)]int64

func (s portfolioSums) answer(cells int) uint64 {
	sum := uint64(cells)
	for _, minor := range s {
		sum = workload.Mix(sum) + uint64(minor)
	}
	return sum
}

// portfolioChecks are the check values of W1.
var portfolioChecks = map[int]portfolioSums{
	1_000:     {2_966_582_323, 3_514_446_068, 3_706_748_122, 4_180_321_104},
	20_000:    {68_806_386_887, 73_580_423_133, 65_505_644_683, 73_067_982_143},
	1_000_000: {3_429_877_675_016, 3_440_120_713_738, 3_435_945_630_934, 3_449_897_491_501},
}

func currencyIndex(currency string) int {
	for i, c := range portfolioCurrencies {
		if c == currency {
			return i
		}
	}
	return 0
}

// portfolioBook is the first n profiles of W1 as a program keeps them or, where they are drawn,
// those of W2.
func portfolioBook(n int, drawn bool) []engine.Profile {
	list := make([]engine.Profile, n)
	lowest := must(amount.FromMinor(100, 2))
	for i := range list {
		p := portfolioProfile(uint64(i))
		a := must(amount.FromMinor(p.minor, 2))
		amounts := amount.Fixed(a)
		if drawn {
			amounts = must(amount.Range(lowest, a, p.currency))
		}
		list[i] = engine.Profile{
			ID: "order-" + strconv.Itoa(i), Kind: engine.KindSource, Start: p.start(), Unit: p.unit, Interval: 1,
			Amounts: amounts, Currency: p.currency,
		}
	}
	return list
}

// portfolioScope is five years, or more of them.
func portfolioScope(years int) engine.Scope {
	from := calendar.MustParse(portfolioFrom)
	year, _, _ := from.Date()
	last, _ := calendar.New(year+years-1, time.December, 31)
	return engine.Scope{AsOf: from, Window: calendar.Through(from, last)}
}

// sumUp reads the totals by day.
func sumUp(p *engine.Book) (sums portfolioSums, cells int) {
	for t := range p.Totals(engine.ByDay) {
		cells++
		minor, _ := strconv.ParseInt(withoutPoint(t.Min.String()), 10, 64)
		sums[currencyIndex(t.Currency)] += minor
	}
	return sums, cells
}

// answers makes a side of what adds up n profiles.
func answers(n int, total func() (portfolioSums, int)) side {
	return side{n, func() uint64 {
		sums, cells := total()
		return sums.answer(cells)
	}}
}

// withoutPoint is a text of two decimals in minor units.
func withoutPoint(text string) string { return text[:len(text)-3] + text[len(text)-2:] }

// oursTotals adds profiles to a book and reads its totals by day.
func oursTotals(list []engine.Profile, years int) side {
	return answers(len(list), func() (portfolioSums, int) {
		b := must(engine.New(engine.Policy{}).NewBook(portfolioScope(years)))
		for i := range list {
			must(0, b.Add(engine.Stored{Profile: list[i]}))
		}
		return sumUp(b)
	})
}

// fourCells reads each profile and adds its amount to one of four cells: no book can do less.
func fourCells(list []engine.Profile) side {
	return side{len(list), func() uint64 {
		var cells [len(portfolioCurrencies)]amount.Sum
		for i := range list {
			p := &list[i]
			if p.Amounts.Kind() == amount.KindFixed {
				a, _ := p.Amounts.Bounds(0)
				cells[currencyIndex(p.Currency)].Add(a)
			}
		}
		n := 0
		for _, c := range cells {
			n += len(c.String())
		}
		return uint64(n)
	}}
}

// portfolioSeed is the seed of W2.
const portfolioSeed = 42

// drawnBook is the book of what simulations of the profiles draw.
func drawnBook(list []engine.Profile) *engine.Book {
	e, scope := engine.New(engine.Policy{}), portfolioScope(5)
	b := must(e.NewBook(scope))
	for i := range list {
		sim := engine.Simulation{Stored: engine.Stored{Profile: list[i]}, AsOf: scope.AsOf, Until: scope.Window.Last(), Seed: portfolioSeed}
		must(e.Simulate(sim, func(e engine.Effect) bool {
			if e.Kind == engine.EffectCharge {
				must(0, b.AddCharge(list[i].Currency, e.Charge))
			}
			return true
		}))
	}
	return b
}

func oursDrawn(list []engine.Profile) side {
	return answers(len(list), func() (portfolioSums, int) { return sumUp(drawnBook(list)) })
}

// sameInParts compares a book with parts that are merged: as many as there may be workers, the
// profiles in another order.
func sameInParts(list []engine.Profile) error {
	whole := must(drawnBook(list).MarshalJSON())
	for _, workers := range []int{1, 2, 3, 8} {
		merged := must(engine.New(engine.Policy{}).NewBook(portfolioScope(5)))
		for w := range workers {
			var part []engine.Profile
			for i := len(list) - 1 - w; i >= 0; i -= workers {
				part = append(part, list[i])
			}
			must(0, merged.Merge(drawnBook(part)))
		}
		if !bytes.Equal(must(merged.MarshalJSON()), whole) {
			return fmt.Errorf("the parts of %d workers come to another book", workers)
		}
	}
	return nil
}

// A naiveProfile is what the usual parts make of a profile.
type naiveProfile struct {
	rule     *rrule.RRule
	amount   decimal.Decimal
	currency string
}

type naiveCell struct {
	date     time.Time
	currency string
}

// naiveBook is the first n profiles of W1.
func naiveBook(n int) []naiveProfile {
	list := make([]naiveProfile, n)
	for i := range list {
		p := portfolioProfile(uint64(i))
		rule := grid{p.start().String(), p.unit, 1}.rule()
		rule.Until(midnight(portfolioLast))
		list[i] = naiveProfile{rule, decimal.New(p.minor, -2), p.currency}
	}
	return list
}

// naiveTotals walks the dates of each rule and adds decimals in a map; draw gives the amount of a
// charge.
func naiveTotals(list []naiveProfile, draw func(profile, charge int, highest decimal.Decimal) decimal.Decimal) (sums portfolioSums, _ int) {
	cells := map[naiveCell]decimal.Decimal{}
	for i, p := range list {
		next := p.rule.Iterator()
		charge := 0
		for t, ok := next(); ok; t, ok = next() {
			at := naiveCell{t, p.currency}
			cells[at] = cells[at].Add(draw(i, charge, p.amount))
			charge++
		}
	}
	for at, sum := range cells {
		sums[currencyIndex(at.currency)] += sum.Shift(2).IntPart()
	}
	return sums, len(cells)
}

func naiveSide(list []naiveProfile) side {
	return answers(len(list), func() (portfolioSums, int) { return naiveTotals(list, asWritten) })
}

func naiveDrawn(list []naiveProfile) side {
	return answers(len(list), func() (portfolioSums, int) { return naiveTotals(list, drawnApart) })
}

func asWritten(_, _ int, amount decimal.Decimal) decimal.Decimal { return amount }

// checked compares a side with the check value of its number of profiles.
func checked(s side) error {
	if got, want := s.run(), portfolioChecks[s.units].answer(portfolioDays*len(portfolioCurrencies)); got != want {
		return fmt.Errorf("the totals of %d profiles are not those of the workload", s.units)
	}
	return nil
}

// drawnApart draws the amount of a charge with a generator of its own, as it must where charges are
// drawn in any order.
func drawnApart(profile, charge int, highest decimal.Decimal) decimal.Decimal {
	random := rand.New(rand.NewPCG(uint64(profile), uint64(charge)))
	return decimal.New(100+random.Int64N(highest.Shift(2).IntPart()-99), -2)
}

// plausible compares the drawn totals of 1,000 profiles with what they are on average, halfway
// between those of the lowest and of the highest amounts: at most 2 % lie between.
func plausible(sums portfolioSums, cells int) error {
	const charges, lowest = 287_308, 100
	mean, drawn := int64(charges*lowest), int64(0)
	for i, highest := range portfolioChecks[naiveProfiles] {
		mean += highest
		drawn += sums[i]
	}
	mean /= 2
	if cells != portfolioDays*len(portfolioCurrencies) || drawn < mean-mean/50 || drawn > mean+mean/50 {
		return fmt.Errorf("drawn totals of %d in %d cells, far from the mean of %d", drawn, cells, mean)
	}
	return nil
}
