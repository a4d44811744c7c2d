package main

import "errors"

const (
	manyProfiles  = 1_000_000
	someProfiles  = 20_000
	naiveProfiles = 1_000
)

// portfolioRows are P9 and P10: many profiles by date and currency.
func portfolioRows() []row {
	const what = "totals by day, 1,000,000 profiles, 5 years"
	return []row{
		{id: "P9", ours: what, against: "naive: rrule-go, shopspring, map, 1,000 profiles", goal: faster(1000), possible: "15,000×", ready: readyTotals},
		{id: "P9", ours: what, against: "limit: read each, add it to one of 4 cells", goal: within(30), possible: "4.4×", ready: readyFourCells},
		{id: "P9", ours: "the same, 50 years", against: "itself with 5", goal: within(1.5), possible: "1.06×", ready: readyFiftyYears},
	}
}

func readyTotals() (contest, error) {
	list, err := portfolioBook(manyProfiles, false)
	if err != nil {
		return contest{}, err
	}
	rules, err := naiveBook(naiveProfiles)
	c := contest{ours: oursTotals(list, 5), theirs: naiveTotals(rules, asWritten)}
	c.differ = func() error {
		return errors.Join(checked(oursTotals(list[:naiveProfiles], 5)), checked(oursTotals(list[:someProfiles], 5)), checked(c.ours), checked(c.theirs))
	}
	return c, err
}

func readyFourCells() (contest, error) {
	list, err := portfolioBook(manyProfiles, false)
	c := contest{ours: oursTotals(list, 5), theirs: fourCells(list)}
	c.differ = func() error { return checked(c.ours) }
	return c, err
}

func readyFiftyYears() (contest, error) {
	list, err := portfolioBook(manyProfiles, false)
	c := contest{ours: oursTotals(list, 50), theirs: oursTotals(list, 5)}
	c.differ = func() error { return checked(c.theirs) }
	return c, err
}
