package calendar

import (
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/race"
)

// Goal: nothing that runs per date allocates (C28, P1 to P3).

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	clock := time.Date(2026, time.January, 31, 12, 0, 0, 0, time.FixedZone("", 3600))
	d, buffer, text := day("2033-02-28"), make([]byte, 0, 64), []byte("2026-01-31")
	w := Through(d, d.AddDays(365))
	type row struct {
		because
		most float64
		run  func()
	}
	table := []row{
		{because{"New", "style: values"}, 0, func() { New(2026, time.January, 31) }},
		{because{"Of", "style: values"}, 0, func() { Of(clock) }},
		{because{"Parse", "P5: it runs per row"}, 0, func() { Parse("2026-01-31") }},
		{because{"UnmarshalText", "P5"}, 0, func() { e := d; _ = e.UnmarshalText(text) }},
		{because{"Append", "P11"}, 0, func() { buffer = d.Append(buffer[:0]) }},
		{because{"AppendText", "P11"}, 0, func() { buffer, _ = d.AppendText(buffer[:0]) }},
		{because{"parts", "P1"}, 0, func() { _ = partsOf(d) }},
		{because{"words", "2.1"}, 0, func() { _ = UnitMonth.String(); _ = MonthEndNextFirst.String(); ParseUnit("month") }},
	}
	for name, s := range map[string]Schedule{
		"day":      schedule("2024-01-31", UnitDay, 1, MonthEndClamp),
		"week":     schedule("2024-01-31", UnitWeek, 2, MonthEndClamp),
		"clamp":    schedule("2024-01-31", UnitMonth, 1, MonthEndClamp),
		"overflow": schedule("2024-01-31", UnitMonth, 1, MonthEndOverflow),
		"skip-31":  schedule("2024-01-31", UnitMonth, 1, MonthEndSkip),
		"skip-29":  schedule("2024-01-29", UnitMonth, 1, MonthEndSkip),
	} {
		table = append(table,
			row{because{name + " new", "P9"}, 0, func() { NewSchedule(s.Start(), s.Unit(), s.Interval(), s.MonthEnd()) }},
			row{because{name + " at", "C28, P3"}, 0, func() { s.At(100); s.At(1 << 30) }},
			row{because{name + " index", "C28"}, 0, func() { s.Index(d); s.Index(MaxDate()) }},
			row{because{name + " count", "C28, P3"}, 0, func() { s.Count(w) }},
			row{because{name + " thousand dates", "P1"}, 2, func() { walkThousand(s) }},
		)
	}
	each(t, table, func(t *testing.T, r row) {
		if got := testing.AllocsPerRun(100, r.run); got > r.most {
			t.Errorf("%v allocations, want at most %v", got, r.most)
		}
	})
}

func partsOf(d Date) int {
	year, month, day := d.Date()
	return year + int(month) + day + int(d.Weekday()) + d.AddDays(1).Sub(d)
}

func walkThousand(s Schedule) (sum int) {
	for k, d := range s.From(10) {
		if sum += int(d.n); k == 1010 {
			break
		}
	}
	return sum
}
