package main

import (
	"strconv"

	"github.com/chargecast/chargecast/calendar"
)

// Peers by the name that the table gives them. Their versions are in go.mod and are
// printed above the table.
const (
	peerRule = "rrule-go"
	peerCron = "robfig/cron Next"
	peerTime = "three time.Date calls"
)

// dateRows are P1 and P2: listing dates.
func dateRows() []row {
	monthly := grid{datesFrom, calendar.UnitMonth, 1}
	fifteenth := grid{"2024-01-15", calendar.UnitMonth, 1}
	var rows []row
	for _, n := range datesMonthly {
		what := "monthly, clamped, " + strconv.Itoa(n) + " dates"
		rows = append(rows,
			row{id: "P1", ours: what, against: peerRule, goal: faster(50), possible: "84–125×",
				note:  "clamps by BYMONTHDAY=28,29,30,31 and BYSETPOS=-1",
				ready: monthly.ready(n, oursDays, ruleDays)},
			row{id: "P1", ours: what, against: peerTime, goal: faster(10), possible: "17–23×",
				ready: monthly.readyTime(n, oursDays, timeMonthly)},
			row{id: "P1", ours: "monthly on the 15th, " + strconv.Itoa(n) + " dates", against: peerCron,
				goal: faster(200), possible: "1,080×",
				note:  "cannot clamp, so both sides list the 15th",
				ready: fifteenth.readyCron(n, "0 0 15 * *", oursDays, cronDays)},
			row{id: "P1", ours: what + ", into a slice", against: "limit: bare loop by division", goal: within(3), possible: "1.0–1.4×",
				ready: monthly.readyTime(n, oursSlice, bareMonthly)},
		)
	}
	rows = append(rows, row{id: "P1", ours: "monthly, 1,000 dates", against: "allocations", goal: allocs(2, "a walk"), possible: "0 a date",
		count: walkAllocated})

	for _, c := range []struct {
		name string
		grid grid
		n    int
	}{
		{"daily", grid{datesFrom, calendar.UnitDay, 1}, datesDaily},
		{"every third day", grid{datesFrom, calendar.UnitDay, 3}, datesDaily},
		{"weekly", grid{datesFrom, calendar.UnitWeek, 1}, datesWeekly},
	} {
		rows = append(rows,
			row{id: "P2", ours: c.name + ", civil dates", against: peerRule, goal: faster(10), possible: "14–60×",
				ready: c.grid.ready(c.n, oursCivil, ruleCivil)},
			row{id: "P2", ours: c.name + ", day numbers", against: peerRule, goal: faster(50), possible: "178×",
				ready: c.grid.ready(c.n, oursDays, ruleDays)},
		)
	}
	daily := grid{datesFrom, calendar.UnitDay, 1}
	return append(rows, row{id: "P2", ours: "daily, civil dates", against: peerCron, goal: faster(100), possible: "285×",
		ready: daily.readyCron(datesDaily, "0 0 * * *", oursCivil, cronCivil)})
}

// accessRows are P3: asking for single dates and windows.
func accessRows() []row {
	far := grid{farFrom, calendar.UnitMonth, 1}
	const years = 20
	return []row{
		{id: "P3", ours: "At(k), random profile and k, mixed units", against: "time.Date and clamp", goal: faster(3), possible: "4.6×",
			ready: readyAccess(false)},
		{id: "P3", ours: "At(k), random profile and k, monthly", against: "time.Date and clamp", goal: faster(3), possible: "17×",
			ready: readyAccess(true)},
		{id: "P3", ours: "At(k) daily, k = 1,000,000", against: "itself at k = 1", goal: within(1.3), possible: "flat",
			ready: readyFar(grid{datesFrom, calendar.UnitDay, 1}, 1_000_000)},
		{id: "P3", ours: "At(k) monthly, k = 90,000", against: "itself at k = 1", goal: within(1.3), possible: "flat",
			ready: readyFar(grid{datesFrom, calendar.UnitMonth, 1}, 90_000)},
		{id: "P3", ours: "list one year, " + strconv.Itoa(years) + " years in", against: "rrule-go Between", goal: faster(300), possible: "1,000×",
			note:  "walks from the start; ours goes to the window by arithmetic",
			ready: far.ready(farCount, oursWindow, ruleWindow)},
		{id: "P3", ours: "Count of that year", against: "rrule-go Between", goal: faster(1_000), possible: "2,800×",
			ready: far.ready(1, oursCount, ruleCount)},
	}
}
