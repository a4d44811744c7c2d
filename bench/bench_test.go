package main

import (
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/workload"
	"github.com/shopspring/decimal"
)

// The benchmarks time one side each, ours for the most part, so that benchstat can compare
// it before and after a change. The table of ratios is the program's.

// benchmark runs a side and reports the nanoseconds of a unit.
func benchmark(b *testing.B, unit string, s side) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		s.run()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.units), "ns/"+unit)
	b.ReportMetric(0, "ns/op") // a run of many units says nothing
}

// benchmarkContest runs both sides of a row.
func benchmarkContest(b *testing.B, unit, theirs string, ready func() (contest, error)) {
	b.Helper()
	c, err := ready()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ours", func(b *testing.B) { benchmark(b, unit, c.ours) })
	b.Run(theirs, func(b *testing.B) { benchmark(b, unit, c.theirs) })
}

func BenchmarkMonthly(b *testing.B) {
	g := grid{datesFrom, calendar.UnitMonth, 1}
	for _, n := range datesMonthly {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			benchmarkContest(b, "date", "rrule", g.ready(n, oursDays, ruleDays))
			benchmarkContest(b, "date", "bare", g.readyTime(n, oursSlice, bareMonthly))
			benchmarkContest(b, "date", "time", g.readyTime(n, oursDays, timeMonthly))
		})
	}
}

func BenchmarkDaily(b *testing.B) {
	g := grid{datesFrom, calendar.UnitDay, 1}
	b.Run(strconv.Itoa(datesDaily), func(b *testing.B) {
		b.Run("days", func(b *testing.B) { benchmarkContest(b, "date", "rrule", g.ready(datesDaily, oursDays, ruleDays)) })
		b.Run("civil", func(b *testing.B) { benchmarkContest(b, "date", "rrule", g.ready(datesDaily, oursCivil, ruleCivil)) })
	})
}

func BenchmarkWeekly(b *testing.B) {
	g := grid{datesFrom, calendar.UnitWeek, 1}
	b.Run(strconv.Itoa(datesWeekly), func(b *testing.B) {
		benchmarkContest(b, "date", "rrule", g.ready(datesWeekly, oursDays, ruleDays))
	})
}

func BenchmarkAt(b *testing.B) {
	for name, monthly := range map[string]bool{"mixed": false, "monthly": true} {
		b.Run(name, func(b *testing.B) { benchmarkContest(b, "date", "time", readyAccess(monthly)) })
	}
}

func BenchmarkWindow(b *testing.B) {
	g := grid{farFrom, calendar.UnitMonth, 1}
	b.Run("list", func(b *testing.B) { benchmarkContest(b, "date", "rrule", g.ready(farCount, oursWindow, ruleWindow)) })
	b.Run("count", func(b *testing.B) { benchmarkContest(b, "question", "rrule", g.ready(1, oursCount, ruleCount)) })
}

func BenchmarkSum(b *testing.B) {
	for _, n := range []int{amountTexts, amountMany} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			benchmarkContest(b, "amount", "bare", readyAdd(n, oursAdd, parseMinor, bareAdd))
		})
	}
}

func BenchmarkParse(b *testing.B) {
	b.Run(strconv.Itoa(amountTexts), func(b *testing.B) {
		benchmarkContest(b, "amount", "govalues", readyParse(govaluesParse))
	})
}

func BenchmarkAppendText(b *testing.B) {
	b.Run(strconv.Itoa(amountTexts), func(b *testing.B) {
		benchmarkContest(b, "amount", "shopspring", readyText(decimal.NewFromString))
	})
}

func BenchmarkDraw(b *testing.B) {
	b.Run(strconv.Itoa(drawProfiles*drawCharges), func(b *testing.B) {
		benchmarkContest(b, "draw", "sequential", readyDraw(sequentialDraw))
	})
}

func BenchmarkRead(b *testing.B) {
	for _, rows := range []int{payloadRows / 10, payloadRows} {
		b.Run(strconv.Itoa(rows), func(b *testing.B) {
			benchmarkContest(b, "row", "csv", readyRead(workload.Plain, rows, bareRead))
		})
		b.Run("varied/"+strconv.Itoa(rows), func(b *testing.B) {
			benchmarkContest(b, "row", "csv", readyRead(workload.Varied, rows, bareRead))
		})
	}
}

func BenchmarkReadForm(b *testing.B) {
	for _, rows := range []int{payloadRows / 10, payloadRows} {
		b.Run(strconv.Itoa(rows), func(b *testing.B) {
			benchmarkContest(b, "row", "standard", readyForm(rows))
		})
	}
}

func BenchmarkHeader(b *testing.B) {
	for name, n := range map[string]int{"1KB": 700, "100KB": 75_000, "1MB": 750_000} {
		b.Run(name, func(b *testing.B) { benchmarkContest(b, "header", "hmac", readyMAC(n)) })
	}
}

func BenchmarkPortfolio(b *testing.B) {
	b.Run("fixed", func(b *testing.B) { benchmarkContest(b, "profile", "cells", readyFourCells) })
}
