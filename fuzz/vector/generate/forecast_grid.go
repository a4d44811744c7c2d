package main

import (
	"fmt"
	"strconv"

	"github.com/chargecast/chargecast/fuzz/oracle"
)

// monthly is a profile that tables change.
func scheduled(period string, interval int, start string) columns {
	return columns{"rp_card_type": "SRC", "amount": "10.00", "currency": "EUR", "period": period,
		"interval": strconv.Itoa(interval), "start-date": start}
}

// stretch is the last day of a window of about n periods from a day.
func stretch(from oracle.Day, period string, interval, n int) string {
	days := map[string]int{"day": 1, "week": 7, "month": 31}[period] * interval * n
	return isoText(min(from+oracle.Day(days), oracle.Last))
}

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// fromStart adds the forecast of a profile from its start on.
func (s *sheet) fromStart(id, reason, clauses, key string, c columns, period string, interval, n int) {
	start := dotted(c["start-date"])
	s.live(id, reason, clauses, key, life{Columns: c, AsOf: isoText(start), Until: stretch(start, period, interval, n)})
}

// gridVectors are the due days: units, intervals and the days that a month lacks.
func gridVectors(s *sheet) {
	for month := 1; month <= 12; month++ {
		for day := 29; day <= 31; day++ {
			if oracle.DayOf(2027, month, day) == 0 {
				continue
			}
			for _, i := range []int{1, 2, 3, 6, 12} {
				if i == 12 && month != 1 {
					continue // the same day each year, which every year has
				}
				name := fmt.Sprintf("%d-%s", day, monthNames[month-1])
				s.fromStart(fmt.Sprintf("month-end-%s-every-%d", name, i),
					fmt.Sprintf("from %s every %d months, over a leap year", name, i), "2.2.1 2.2.2 L01", "month-end",
					scheduled("month", i, fmt.Sprintf("%02d.%02d.2027", day, month)), "month", i, 6)
			}
		}
	}
	for _, i := range []int{1, 2, 3, 4, 6, 11, 12, 13, 24, 48} {
		s.fromStart(fmt.Sprintf("leap-day-every-%d-months", i), fmt.Sprintf("from 29 February every %d months", i), "2.2.1 2.2.2 L01",
			"month-end", scheduled("month", i, "29.02.2028"), "month", i, 6)
	}
	for _, c := range []struct {
		id, start string
		interval  int
	}{
		{"century-2100-is-no-leap-year", "29.02.2096", 12}, {"century-2400-is-a-leap-year", "29.02.2396", 12},
		{"century-2000-was-a-leap-year", "29.02.1996", 12}, {"century-1900-was-no-leap-year", "29.02.1896", 12},
		{"century-2100-month-by-month", "31.12.2099", 1}, {"century-2400-month-by-month", "31.12.2399", 1},
		{"century-2100-every-second-month", "30.12.2099", 2},
	} {
		s.fromStart(c.id, "a century is a leap year only if 400 divides it", "2.2.1 L01", "month-end", scheduled("month", c.interval, c.start), "month", c.interval, 6)
	}
	intervalVectors(s)
	edgeVectors(s)
}

func intervalVectors(s *sheet) {
	for _, i := range []int{1, 2, 3, 4, 5, 6, 7, 10, 13, 14, 28, 29, 30, 31, 60, 90, 100, 180, 365, 366, 400, 1000} {
		s.fromStart(fmt.Sprintf("every-%d-days-over-a-leap-day", i), fmt.Sprintf("%d days are counted, no months", i), "2.2.1 2.2.2", "",
			scheduled("day", i, "25.02.2028"), "day", i, 5)
	}
	for _, i := range []int{1, 2, 3, 4, 5, 6, 8, 12, 13, 26, 52, 53, 104} {
		s.fromStart(fmt.Sprintf("every-%d-weeks-over-a-year-end", i), fmt.Sprintf("%d weeks are %d days", i, 7*i), "2.2.1 2.2.2", "",
			scheduled("week", i, "16.12.2026"), "week", i, 5)
	}
	for _, i := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18, 24, 36} {
		s.fromStart(fmt.Sprintf("every-%d-months-on-the-15th", i), "the day of the month stays that of the start", "2.2.1 2.2.2", "month-end",
			scheduled("month", i, "15.10.2026"), "month", i, 5)
	}
	for day, name := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		s.fromStart("weekly-from-a-"+name, "a week is counted from the start, whatever weekday that is; no shift (L29)", "2.2.1 L29", "",
			scheduled("week", 1, fmt.Sprintf("%02d.01.2026", 5+day)), "week", 1, 4)
	}
	for month := 1; month <= 12; month++ {
		s.fromStart("monthly-from-28-"+monthNames[month-1], "every month has a 28th", "2.2.1", "month-end",
			scheduled("month", 1, fmt.Sprintf("28.%02d.2027", month)), "month", 1, 4)
		s.fromStart("monthly-from-1-"+monthNames[month-1], "the first day of a month stays the first", "2.2.1", "month-end",
			scheduled("month", 1, fmt.Sprintf("01.%02d.2027", month)), "month", 1, 4)
	}
}

// edgeVectors are the ends of the calendar and intervals that reach past it.
func edgeVectors(s *sheet) {
	for _, c := range []struct {
		id, reason, asOf, until string
		columns                 columns
	}{
		{"calendar-last-day-daily", "the last day of the calendar is charged", "9999-12-29", "9999-12-31", scheduled("day", 1, "29.12.9999")},
		{"calendar-last-day-is-the-start", "a start on the last day of the calendar", "9999-12-31", "9999-12-31", scheduled("month", 1, "31.12.9999")},
		{"calendar-ends-before-the-next-month", "the series ends with the calendar", "9999-11-30", "9999-12-31", scheduled("month", 1, "30.11.9999")},
		{"calendar-ends-before-the-next-week", "the series ends with the calendar", "9999-12-20", "9999-12-31", scheduled("week", 1, "20.12.9999")},
		{"calendar-ends-before-the-second-day", "the series ends with the calendar", "9999-12-30", "9999-12-31", scheduled("day", 2, "30.12.9999")},
		{"calendar-ends-after-a-short-month", "31 December is the last charge", "9999-08-31", "9999-12-31", scheduled("month", 1, "31.08.9999")},
		{"calendar-first-day-daily", "a start on the first day of the calendar", "0001-01-01", "0001-01-04", scheduled("day", 1, "01.01.0001")},
		{"calendar-first-month", "months of the year 1", "0001-01-31", "0001-06-30", scheduled("month", 1, "31.01.0001")},
		{"interval-2-31-days", "an interval past the calendar gives one charge", "2026-01-10", "2026-03-10", scheduled("day", 1, "10.01.2026").with(columns{"interval": "2147483648"})},
		{"interval-2-31-weeks", "an interval past the calendar gives one charge", "2026-01-10", "2026-03-10", scheduled("week", 1, "10.01.2026").with(columns{"interval": "2147483648"})},
		{"interval-2-31-months", "an interval past the calendar gives one charge", "2026-01-10", "2026-03-10", scheduled("month", 1, "10.01.2026").with(columns{"interval": "2147483648"})},
		{"interval-reaches-the-last-day", "the interval lands on the last day of the calendar", "9999-01-01", "9999-12-31", scheduled("day", 364, "01.01.9999")},
		{"interval-one-day-past-the-calendar", "the interval lands a day after the calendar", "9999-01-01", "9999-12-31", scheduled("day", 365, "01.01.9999")},
		{"daylight-saving-spring-daily", "a civil day has no clock", "2026-03-28", "2026-03-31", scheduled("day", 1, "28.03.2026")},
		{"daylight-saving-autumn-daily", "a civil day has no clock", "2026-10-24", "2026-10-27", scheduled("day", 1, "24.10.2026")},
		{"year-end-daily", "the year turns between two charges", "2026-12-30", "2027-01-02", scheduled("day", 1, "30.12.2026")},
		{"window-of-one-day", "as-of and until are both inside the window", "2026-01-10", "2026-01-10", scheduled("day", 1, "10.01.2026")},
		{"window-between-two-charges", "no due day in the window", "2026-01-11", "2026-01-16", scheduled("week", 1, "10.01.2027")},
		{"leap-day-in-the-window-daily", "29 February is a day", "2028-02-28", "2028-03-01", scheduled("day", 1, "28.02.2028")},
		{"no-leap-day-in-the-window-daily", "1 March follows 28 February", "2027-02-27", "2027-03-02", scheduled("day", 1, "27.02.2027")},
	} {
		clauses := "2.2.1 2.2.2"
		if c.id[:8] == "calendar" || c.id[:8] == "interval" {
			clauses += " L32"
		}
		s.live(c.id, c.reason, clauses, "", life{Columns: c.columns, AsOf: c.asOf, Until: c.until})
	}
}
