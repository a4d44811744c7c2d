package main

import "errors"

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
