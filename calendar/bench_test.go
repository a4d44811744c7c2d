package calendar

import (
	"testing"
	"time"
)

// benchSchedules are the shapes whose speed is watched (goals P1 to P3).
func benchSchedules() []struct {
	name string
	s    Schedule
} {
	return []struct {
		name string
		s    Schedule
	}{
		{"day", schedule("2024-01-31", UnitDay, 1, MonthEndClamp)},
		{"week", schedule("2024-01-31", UnitWeek, 1, MonthEndClamp)},
		{"month-15", schedule("2024-01-15", UnitMonth, 1, MonthEndClamp)},
		{"month-31-clamp", schedule("2024-01-31", UnitMonth, 1, MonthEndClamp)},
		{"month-31-overflow", schedule("2024-01-31", UnitMonth, 1, MonthEndOverflow)},
		{"month-31-skip", schedule("2024-01-31", UnitMonth, 1, MonthEndSkip)},
		{"month-29-skip", schedule("2024-01-29", UnitMonth, 1, MonthEndSkip)},
		{"leap-day-skip", schedule("2024-02-29", UnitMonth, 12, MonthEndSkip)},
	}
}

func BenchmarkAt(b *testing.B) {
	for _, c := range benchSchedules() {
		b.Run(c.name, func(b *testing.B) {
			k := 0
			for b.Loop() {
				s := c.s
				s.At(k)
				if k += 7; k >= 1000 {
					k -= 1000
				}
			}
		})
	}
}

func BenchmarkIndex(b *testing.B) {
	for _, c := range benchSchedules() {
		b.Run(c.name, func(b *testing.B) {
			day := c.s.Start()
			for b.Loop() {
				c.s.Index(day)
				day.n += 7
				if day.n > lastDay {
					day.n -= 1_000_000
				}
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	w := Through(MustParse("2044-01-01"), MustParse("2044-12-31"))
	for _, c := range benchSchedules() {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.s.Count(w)
			}
		})
	}
}

func BenchmarkFrom(b *testing.B) {
	for _, c := range benchSchedules() {
		b.Run(c.name, func(b *testing.B) {
			dates := make([]Date, 0, 3000)
			for b.Loop() {
				dates = dates[:0]
				for _, d := range c.s.From(0) {
					if dates = append(dates, d); len(dates) == cap(dates) {
						break
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dates)), "ns/date")
		})
	}
}

// BenchmarkFrom_bareLoop is the limit that goal P1 names: the same monthly dates by division, in a
// loop into a slice.
func BenchmarkFrom_bareLoop(b *testing.B) {
	dates := make([]Date, 3000)
	for b.Loop() {
		for k := range dates {
			months := 2024*12 + k
			year, month := months/12, time.Month(months%12+1)
			first := dayNumber(monthIndex(year, int(month)))
			dates[k] = Date{first + int32(min(31, DaysIn(year, month))) - 1}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dates)), "ns/date")
}

func BenchmarkText(b *testing.B) {
	buffer := make([]byte, 0, 16)
	d := MustParse("2026-01-31")
	b.Run("Parse", func(b *testing.B) {
		for b.Loop() {
			Parse("2026-01-31")
		}
	})
	b.Run("Append", func(b *testing.B) {
		for b.Loop() {
			buffer = d.Append(buffer[:0])
		}
	})
}

func BenchmarkNewSchedule(b *testing.B) {
	for _, c := range benchSchedules() {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				NewSchedule(c.s.Start(), c.s.Unit(), c.s.Interval(), c.s.MonthEnd())
			}
		})
	}
}
