package main

import (
	"fmt"
	"strconv"

	"github.com/chargecast/chargecast/fuzz/oracle"
)

// stopVectors are cap and finish-date, alone and together.
func stopVectors(s *sheet) {
	for _, max := range []int{1, 2, 3, 5} {
		for _, repeat := range []int{-1, 0, max - 1, max, max + 1, max + 2} {
			if repeat == 0 && max == 1 {
				continue // max - 1
			}
			c := scheduled("week", 1, "10.01.2026").with(columns{"max-repeats-number": strconv.Itoa(max)})
			l := life{Columns: c, AsOf: "2026-01-10", Until: stretch(iso("2026-01-10"), "week", 1, 6)}
			id, reason := fmt.Sprintf("max-%d-new", max), fmt.Sprintf("a new profile with max-repeats-number %d", max)
			if repeat >= 0 {
				l.State = &state{Status: "active", Repeat: uint64(repeat)}
				id, reason = fmt.Sprintf("max-%d-from-repeat-%d", max, repeat), fmt.Sprintf("max-repeats-number %d, the current repeat number is %d", max, repeat)
			}
			s.live(id, reason, "2.2.7 2.2.8 8 L08 L10", "max-counts", l)
		}
	}
	for _, period := range []string{"day", "week", "month"} {
		for _, key := range []string{"max-zero", "max-counts"} {
			c := scheduled(period, 1, "10.01.2026").with(columns{"max-repeats-number": "0"})
			s.live(fmt.Sprintf("max-0-%s-%s", period, key), "max-repeats-number 0", "2.2.8 L08 L09", key,
				life{Columns: c, AsOf: "2026-01-10", Until: stretch(iso("2026-01-10"), period, 1, 3)})
		}
		finishVectors(s, period)
	}
	for _, huge := range []string{"2147483647", "2147483648", "4294967296", "9223372036854775807"} {
		s.live("max-"+huge, "a cap that is never reached", "2.2.8 L10", "",
			life{Columns: scheduled("month", 1, "10.01.2026").with(columns{"max-repeats-number": huge}), AsOf: "2026-01-10", Until: "2026-04-10"})
	}
	for _, huge := range []uint64{2147483647, 4294967295, 9007199254740993} {
		s.live(fmt.Sprintf("repeat-%d", huge), "a repeat number beyond 31, 32 or 53 bits", "2.2.7 L10", "",
			life{Columns: scheduled("month", 1, "10.01.2026"), AsOf: "2026-01-10", Until: "2026-03-10", State: &state{Repeat: huge}})
	}
	unscheduledVectors(s)
}

// finishVectors move finish-date over the days around the third due day, with caps about it.
func finishVectors(s *sheet, period string) {
	start := iso("2026-01-10")
	third := map[string]oracle.Day{"day": start + 2, "week": start + 14, "month": iso("2026-03-10")}[period]
	for _, c := range []struct {
		id, reason string
		day        oracle.Day
	}{
		{"on-the-third", "finish-date is the third due day: charged, then stopped", third},
		{"before-the-third", "finish-date is the day before the third due day", third - 1},
		{"after-the-third", "finish-date is the day after the third due day", third + 1},
		{"on-the-start", "finish-date is the start-date: one charge", start},
		{"before-the-start", "finish-date is the day before the start-date: no charge", start - 1},
	} {
		for _, max := range []string{"", "1", "2", "3", "4"} {
			if max != "" && (c.day < third-1 || period == "day" && c.day != third) {
				continue
			}
			cols := scheduled(period, 1, dottedText(start)).with(columns{"finish-date": dottedText(c.day), "max-repeats-number": max})
			id, reason, clauses := "finish-"+c.id+"-"+period, c.reason, "2.2.9 X8 L05 L07"
			if max != "" {
				id, reason, clauses = id+"-max-"+max, reason+"; max-repeats-number "+max, "2.2.8 2.2.9 X8 L05 L07 L08 L11"
			}
			asOf := start
			if c.day < start {
				asOf, clauses = start-1, clauses+" L32a"
			}
			s.live(id, reason, clauses, "finish-bound", life{Columns: cols, AsOf: isoText(asOf), Until: stretch(start, period, 1, 5)})
		}
	}
	for _, ago := range []int{1, 40} {
		cols := scheduled(period, 1, "01.06.2025").with(columns{"finish-date": dottedText(start - oracle.Day(ago))})
		s.live(fmt.Sprintf("finish-%d-days-before-as-of-%s", ago, period), "finish-date is past: stopped on as-of without a charge", "2.2.9 L03 L32a",
			"start-past", life{Columns: cols, AsOf: "2026-01-10", Until: "2026-02-10"})
		s.live(fmt.Sprintf("finish-%d-days-before-as-of-%s-known", ago, period), "the profile exists and finish-date is past: stopped by the first run", "2.2.9 L32a", "",
			life{Columns: cols, AsOf: "2026-01-10", Until: "2026-02-10", State: &state{Repeat: 2}})
	}
	for _, repeat := range []uint64{0, 1, 2, 3} {
		cols := scheduled(period, 1, dottedText(start)).with(columns{"finish-date": dottedText(third), "max-repeats-number": "3"})
		s.live(fmt.Sprintf("finish-and-max-3-from-repeat-%d-%s", repeat, period), "which of the two stops it depends on the repeat number it came with",
			"2.2.8 2.2.9 L05 L08 L11", "max-counts", life{Columns: cols, AsOf: isoText(start), Until: stretch(start, period, 1, 5), State: &state{Repeat: repeat}})
	}
}

// unscheduledVectors are profiles that are never charged automatically, and what still stops them.
func unscheduledVectors(s *sheet) {
	for _, kind := range []string{"SRC", "DST"} {
		base := columns{"rp_card_type": kind, "amount": "10.00", "currency": "EUR", "start-date": "10.01.2026"}
		for _, c := range []struct {
			id     string
			change columns
			repeat uint64
			key    string
		}{
			{"alone", columns{}, 0, ""},
			{"no-start-date", columns{"start-date": ""}, 0, "start-absent"},
			{"finish-in-the-window", columns{"finish-date": "20.01.2026"}, 0, "finish-bound"},
			{"finish-after-the-window", columns{"finish-date": "20.03.2026"}, 0, ""},
			{"finish-past", columns{"finish-date": "20.12.2025"}, 0, ""},
			{"max-not-reached", columns{"max-repeats-number": "3"}, 2, "max-counts"},
			{"max-reached", columns{"max-repeats-number": "3"}, 3, "max-counts"},
			{"max-0", columns{"max-repeats-number": "0"}, 0, "max-zero"},
			{"max-reached-on-finish", columns{"max-repeats-number": "3", "finish-date": "10.01.2026"}, 3, "finish-bound"},
			{"start-past", columns{"start-date": "01.06.2025"}, 0, "start-past"},
		} {
			l := life{Columns: base.with(c.change), AsOf: "2026-01-10", Until: "2026-02-28"}
			if c.repeat > 0 {
				l.State = &state{Repeat: c.repeat}
			}
			s.live("unscheduled-"+slug(kind)+"-"+c.id, "never charged automatically; finish-date and max-repeats-number still stop it", "1 2.2.8 2.2.9 X6 L25", c.key, l)
		}
	}
}
