package report

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// ticks are the heights of a sparkline; nothing is a space.
var ticks = [...]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

const mostTicks = 60

// sparkline draws how the totals of a currency follow each other, in so many cells at most. Times
// without a total are empty. It is empty for fewer than two times, and for totals by profile.
func (l *totalLines) sparkline(currency string, room int) string {
	first, last := 0, -1
	for i := range l.list {
		if n, ok := stepOf(&l.list[i]); ok {
			if last < first {
				first, last = n, n
			}
			first, last = min(first, n), max(last, n)
		}
	}
	times, room := last-first+1, min(room, mostTicks)
	if l.over || times < 2 || room < leastBar {
		return ""
	}
	each := (times + room - 1) / room
	sums := make([]amount.Sum, (times+each-1)/each)
	for i := range l.list {
		if n, ok := stepOf(&l.list[i]); ok && l.list[i].Currency == currency {
			sums[(n-first)/each].AddSum(l.list[i].Max)
		}
	}
	most := slices.MaxFunc(sums, amount.Sum.Compare)
	line := make([]rune, len(sums))
	for i, s := range sums {
		line[i] = ticks[share(s, most, len(ticks)-1)]
	}
	return string(line)
}

// stepOf numbers the times of totals, so that the next time has the next number.
func stepOf(t *record.Total) (int, bool) {
	switch t.By {
	case engine.ByDay:
		return dayStep(t.Value)
	case engine.ByWeek:
		return weekStep(t.Value)
	case engine.ByMonth:
		return monthStep(t.Value + "-01")
	case engine.ByQuarter:
		return quarterStep(t.Value)
	case engine.ByWeekday:
		n := slices.Index([]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}, t.Value)
		return n, n >= 0
	case engine.ByCharge, engine.ByProfile:
	}
	return 0, false
}

func dayStep(s string) (int, bool) {
	d, err := calendar.Parse(s)
	return d.Sub(calendar.First()), err == nil
}

func monthStep(firstDay string) (int, bool) {
	d, err := calendar.Parse(firstDay)
	year, month, _ := d.Date()
	return 12*year + int(month), err == nil
}

// quarterStep reads "2026-Q1".
func quarterStep(s string) (int, bool) {
	if len(s) != len("2026-Q1") || s[4:6] != "-Q" || s[6] < '1' || s[6] > '4' {
		return 0, false
	}
	month, ok := monthStep(s[:4] + "-01-01")
	return month/12*4 + int(s[6]-'1'), ok
}

// weekStep reads "2026-W05". The 4th of January is in the first week of its year.
func weekStep(s string) (int, bool) {
	if len(s) != len("2026-W05") || s[4:6] != "-W" {
		return 0, false
	}
	day, ok := dayStep(s[:4] + "-01-04") // the calendar begins on a Monday
	week, err := strconv.Atoi(s[6:])
	return day/7 + week, ok && err == nil
}
