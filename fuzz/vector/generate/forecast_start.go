package main

import (
	"fmt"

	"github.com/chargecast/chargecast/fuzz/oracle"
)

// startVectors move start-date about as-of.
func startVectors(s *sheet) {
	asOf := iso("2026-01-10")
	for _, period := range []string{"day", "week", "month"} {
		length := map[string]int{"day": 3, "week": 14, "month": 61}[period]
		interval := map[string]int{"day": 3, "week": 2, "month": 2}[period]
		for _, ago := range []struct {
			id   string
			days int
		}{{"one-day-ago", 1}, {"one-step-ago", length}, {"just-under-a-step-ago", length - 1}, {"just-over-a-step-ago", length + 1}, {"many-steps-ago", 5 * length}} {
			start := asOf - oracle.Day(ago.days)
			if period == "month" && ago.days == length {
				start = iso("2025-11-10")
			}
			c := scheduled(period, interval, dottedText(start))
			until := stretch(asOf, period, interval, 3)
			name := "start-" + ago.id + "-" + period
			s.live(name, "start-date lies before the day of creation", "2.2.1 L03 L56c", "start-past", life{Columns: c, AsOf: isoText(asOf), Until: until})
			s.live(name+"-max-2", "start-date lies before the day of creation; a cap of 2", "2.2.1 2.2.8 L03 L08 L56c", "start-past",
				life{Columns: c.with(columns{"max-repeats-number": "2"}), AsOf: isoText(asOf), Until: until})
			s.live(name+"-sequence", "start-date lies before the day of creation; a sequence of amounts", "2.2.1 2.2.6 L03 L56c", "start-past",
				life{Columns: c.with(columns{"amount": "", "amount-sequence": "1.00,2.00,3.00"}), AsOf: isoText(asOf), Until: until})
			s.live(name+"-known", "the profile exists: start-past does not apply", "2.2.1 L03", "start-past",
				life{Columns: c, AsOf: isoText(asOf), Until: until, State: &state{Status: "active"}})
		}
		for _, ahead := range []int{0, 1, 5} {
			s.live(fmt.Sprintf("start-%d-days-ahead-%s", ahead, period), "start-date is today or later: it is the first charge", "2.2.1 2.2.4", "start-past",
				life{Columns: scheduled(period, interval, dottedText(asOf+oracle.Day(ahead))), AsOf: isoText(asOf), Until: stretch(asOf, period, interval, 3)})
		}
		c := scheduled(period, interval, "").with(columns{"start-date": ""})
		s.live("start-absent-"+period, "no start-date, with a schedule", "2.2.4 L02", "start-absent",
			life{Columns: c, AsOf: isoText(asOf), Until: stretch(asOf, period, interval, 3)})
		s.live("start-absent-"+period+"-known", "no start-date, but the state has an anchor", "2.2.4 L02", "start-absent",
			life{Columns: c, AsOf: isoText(asOf), Until: stretch(asOf, period, interval, 3), State: &state{Anchor: "2026-01-07"}})
	}
	for _, end := range []string{"29", "30", "31"} {
		for _, key := range []string{"month-end", "start-past"} {
			s.live("start-past-"+end+"-october-"+key, "a start-date before as-of on a day that months lack", "2.2.1 L01 L03", key,
				life{Columns: scheduled("month", 1, end+".10.2025"), AsOf: "2026-02-15", Until: "2026-06-30"})
		}
	}
	s.live("start-after-the-window", "the first charge lies behind the window", "2.2.1", "", life{Columns: scheduled("month", 1, "01.03.2026"), AsOf: "2026-01-10", Until: "2026-02-28"})
	s.live("start-on-the-last-day-of-the-window", "until is included", "2.2.1 2.2.4", "", life{Columns: scheduled("month", 1, "28.02.2026"), AsOf: "2026-01-10", Until: "2026-02-28"})
	s.live("start-in-the-year-1-daily", "the first due day is found at once, from far away", "2.2.1 L03", "", life{Columns: scheduled("day", 1, "01.01.0001"), AsOf: "2026-01-10", Until: "2026-01-12"})
	s.live("start-in-the-year-1-every-7-days", "the first due day is found at once, from far away", "2.2.1 L03", "", life{Columns: scheduled("day", 7, "01.01.0001"), AsOf: "2026-01-10", Until: "2026-01-24"})
	s.live("start-in-the-year-1-monthly", "the first due day is found at once, from far away", "2.2.1 L01 L03", "month-end", life{Columns: scheduled("month", 1, "31.01.0001"), AsOf: "2026-01-10", Until: "2026-05-31"})
}

// amountVectors are the three choices of an amount.
func amountVectors(s *sheet) {
	lists := []string{"5.00", "1.00,2.00", "1.00,2.00,3.00", "4.00,3.00,2.00,1.00", "1.00,1.00,2.00", "0.01,9999999999", "1.5,1.50,1.500"}
	for _, list := range lists {
		for repeat := range 6 {
			if repeat > 2 && len(list) < 14 {
				continue
			}
			c := scheduled("day", 1, "10.01.2026").with(columns{"amount": "", "amount-sequence": list})
			l := life{Columns: c, AsOf: "2026-01-10", Until: "2026-01-15", State: &state{Repeat: uint64(repeat)}}
			s.live(fmt.Sprintf("sequence-%s-from-repeat-%d", slug(list), repeat), fmt.Sprintf("elements %s, the first charge has repeat %d; the last element stays", list, repeat),
				"2.2.5 2.2.6 2.2.7 X7", "", l)
		}
	}
	for _, max := range []string{"1", "2", "3", "4", "5"} {
		s.live("sequence-of-3-max-"+max, "a sequence of three under a cap", "2.2.6 2.2.8 L08", "max-counts",
			life{Columns: scheduled("week", 1, "10.01.2026").with(columns{"amount": "", "amount-sequence": "1.00,2.00,3.00", "max-repeats-number": max}), AsOf: "2026-01-10", Until: "2026-03-01"})
	}
	for _, a := range []string{"0.01", "1", "1.0", "1.00", "1.5", "10", "10.10", "99.99", "1000000", "9999999.99", "9999999999", "0.001", "0.10"} {
		s.live("amount-"+slug(a), "a fixed amount of "+a+", the same for every charge", "2.2.5 L35 L36", "",
			life{Columns: scheduled("day", 1, "10.01.2026").with(columns{"amount": a}), AsOf: "2026-01-10", Until: "2026-01-12"})
	}
	for _, r := range [][2]string{{"1.00", "5.00"}, {"0.01", "0.02"}, {"1", "1.01"}, {"1.5", "2.50"}, {"9999999998", "9999999999"}, {"0.01", "9999999.99"}, {"5.00", "5.00"}} {
		s.live("range-"+slug(r[0])+"-to-"+slug(r[1]), "each charge lies between the bounds", "2.2.5 L33 L36d", "",
			life{Columns: scheduled("day", 1, "10.01.2026").with(columns{"amount": "", "amount-from": r[0], "amount-to": r[1]}), AsOf: "2026-01-10", Until: "2026-01-12"})
		s.live("range-"+slug(r[0])+"-to-"+slug(r[1])+"-from-repeat-4", "the bounds do not depend on the repeat number", "2.2.5 L33 L36d", "",
			life{Columns: scheduled("month", 1, "10.01.2026").with(columns{"amount": "", "amount-from": r[0], "amount-to": r[1]}), AsOf: "2026-01-10", Until: "2026-03-12", State: &state{Repeat: 4}})
	}
	for _, c := range []struct{ currency, amount string }{{"JPY", "500"}, {"KWD", "1.234"}, {"USD", "12.34"}, {"GBP", "0.99"}, {"BHD", "0.001"}} {
		s.live("currency-"+slug(c.currency), "an amount of "+c.currency+", as it is written", "2.2.5 L36c", "",
			life{Columns: scheduled("week", 1, "10.01.2026").with(columns{"amount": c.amount, "currency": c.currency}), AsOf: "2026-01-10", Until: "2026-01-24"})
	}
}

// stateVectors are profiles that exist already.
func stateVectors(s *sheet) {
	for _, period := range []string{"day", "week", "month"} {
		interval := map[string]int{"day": 2, "week": 1, "month": 1}[period]
		start := "01.01.2026"
		asOf := map[string]string{"day": "2026-01-11", "week": "2026-01-15", "month": "2026-02-01"}[period] // a due day
		until := stretch(iso(asOf), period, interval, 3)
		before := isoText(iso(asOf) - oracle.Day(map[string]int{"day": 2, "week": 7, "month": 31}[period]))
		for _, c := range []struct {
			id, reason, clauses, key string
			state                    state
			change                   columns
		}{
			{"repeat-only", "everything due before as-of has been dealt with", "2.2.7", "run-missed", state{Repeat: 5}, nil},
			{"empty", "an empty state is an active profile at repeat 0", "2.2.7", "start-past", state{Status: "active"}, nil},
			{"ran-through-the-day-before", "no day without a run", "2.2.10 L16b", "run-missed", state{Repeat: 3, RanThrough: isoText(iso(asOf) - 1)}, nil},
			{"ran-through-a-step-before", "days without a run after ran_through", "2.2.10 L16b", "run-missed", state{Repeat: 1, RanThrough: isoText(iso(asOf) - 8)}, nil},
			{"ran-through-long-before", "many days without a run after ran_through", "2.2.10 L16b", "run-missed", state{Repeat: 1, RanThrough: "2026-01-01"}, nil},
			{"ran-through-as-of", "the run of as-of has taken place", "2.2.10 L13", "", state{Repeat: 3, RanThrough: asOf}, nil},
			{"paid-as-of", "the slot of as-of is paid: not charged, and no repeat used up", "2.2.10 L13", "", state{Repeat: 3, Paid: []string{asOf}}, nil},
			{"paid-in-a-gap", "a slot on a day without a run is paid", "2.2.10 L13 L16b", "run-missed", state{Repeat: 3, RanThrough: "2026-01-01", Paid: []string{before}}, nil},
			{"paid-in-a-gap-and-on-as-of", "two slots are paid", "2.2.10 L13 L16b", "run-missed", state{Repeat: 3, RanThrough: "2026-01-01", Paid: []string{before, asOf}}, nil},
			{"paid-off-the-grid", "a paid day that is not due changes nothing", "2.2.10 L13", "", state{Repeat: 3, Paid: []string{"2026-01-06"}}, nil},
			{"paid-with-a-cap", "a paid slot uses up no repeat of the cap", "2.2.8 2.2.10 L08 L13", "max-counts", state{Repeat: 3, Paid: []string{asOf}}, columns{"max-repeats-number": "4"}},
			{"anchor-later", "the anchor, not the start-date, is the origin of the grid", "2.2.1 L18", "", state{Repeat: 3, Anchor: isoText(iso(asOf) + 1)}, nil},
			{"anchor-earlier", "the anchor, not the start-date, is the origin of the grid", "2.2.1 L18", "", state{Repeat: 3, Anchor: "2025-12-31"}, nil},
			{"stopped", "a stopped profile is not charged", "2.2.8 3", "", state{Status: "stopped", Repeat: 3}, nil},
			{"stopped-with-a-finish-date", "a stopped profile keeps its stop", "2.2.9 3", "finish-bound", state{Status: "stopped", Repeat: 3}, columns{"finish-date": dottedText(iso(asOf) + 3)}},
			{"cap-below-the-counter", "the cap is a level: stopped by the next run", "2.2.8 L10", "max-counts", state{Repeat: 3}, columns{"max-repeats-number": "2"}},
			{"cap-one-above-the-counter", "one charge is left", "2.2.8 L08 L10", "max-counts", state{Repeat: 3}, columns{"max-repeats-number": "4"}},
			{"finish-as-of", "one charge on the last day", "2.2.9 L05", "finish-bound", state{Repeat: 3}, columns{"finish-date": dottedText(iso(asOf))}},
			{"finish-before-as-of", "stopped on as-of without a charge", "2.2.9 L32a", "finish-bound", state{Repeat: 3}, columns{"finish-date": dottedText(iso(asOf) - 1)}},
			{"sequence", "the sequence goes on at the repeat number", "2.2.6 2.2.7", "", state{Repeat: 2}, columns{"amount": "", "amount-sequence": "1.00,2.00,3.00,4.00"}},
		} {
			st := c.state
			s.live("state-"+c.id+"-"+period, c.reason, c.clauses, c.key,
				life{Columns: scheduled(period, interval, start).with(c.change), AsOf: asOf, Until: until, State: &st})
		}
	}
	s.source = catalogue
	for _, c := range []struct {
		id, reason string
		state      state
	}{
		{"paid-after-as-of", "a slot of the future cannot be paid", state{Repeat: 3, Paid: []string{"2026-02-10"}}},
		{"ran-through-after-as-of", "no run of the future has taken place", state{Repeat: 3, RanThrough: "2026-01-12"}},
	} {
		s.add(draft{id: "state-refused-" + c.id, op: "forecast", reason: c.reason, clauses: "2.2.10 L16b", invalid: true, expect: lived{Rejected: true},
			input: life{Columns: scheduled("month", 1, "10.01.2026"), AsOf: "2026-01-10", Until: "2026-03-31", State: &c.state}})
	}
	for _, key := range []string{"month-end", "run-missed"} {
		s.live("state-gap-over-short-months-"+key, "days without a run, some of which another month end makes due", "2.2.1 L01 L16b", key,
			life{Columns: scheduled("month", 1, "31.10.2025"), AsOf: "2026-03-01", Until: "2026-05-31", State: &state{Repeat: 1, RanThrough: "2025-11-01"}})
	}
}

// refusedVectors are rows that no forecast comes of.
func refusedVectors(s *sheet) {
	base := scheduled("month", 1, "10.01.2026")
	for _, c := range []struct {
		id, reason, clauses, key string
		change                   columns
	}{
		{"no-amount", "no amount at all", "2.2.5", "", columns{"amount": ""}},
		{"amount-and-range", "two amount modes", "2.2.5 L34", "", columns{"amount-from": "1.00", "amount-to": "2.00"}},
		{"amount-and-sequence", "two amount modes", "2.2.5 L34", "", columns{"amount-sequence": "1.00,2.00"}},
		{"range-and-sequence", "two amount modes", "2.2.5 L34", "", columns{"amount": "", "amount-from": "1.00", "amount-to": "2.00", "amount-sequence": "1.00"}},
		{"three-amount-modes", "three amount modes", "2.2.5 L34", "", columns{"amount-from": "1.00", "amount-to": "2.00", "amount-sequence": "1.00"}},
		{"only-amount-from", "half a range", "2.2.5 L34", "", columns{"amount": "", "amount-from": "1.00"}},
		{"only-amount-to", "half a range", "2.2.5 L34", "", columns{"amount": "", "amount-to": "1.00"}},
		{"amount-and-half-a-range", "half a range beside an amount", "2.2.5 L34", "", columns{"amount-from": "1.00"}},
		{"range-upside-down", "from is greater than to", "2.2.5 L33", "", columns{"amount": "", "amount-from": "2.00", "amount-to": "1.99"}},
		{"range-upside-down-by-value", "compared by value, not as text", "2.2.5 L33", "", columns{"amount": "", "amount-from": "10", "amount-to": "9.99"}},
		{"period-without-interval", "half a schedule", "2.2.3", "", columns{"interval": ""}},
		{"interval-without-period", "half a schedule", "2.2.3", "", columns{"period": ""}},
		{"schedule-on-dst", "a schedule on a destination card", "1 L37", "", columns{"rp_card_type": "DST"}},
	} {
		s.live("refused-"+c.id, c.reason, c.clauses, c.key, life{Columns: base.with(c.change), AsOf: "2026-01-10", Until: "2026-03-31"})
	}
	for _, period := range []string{"day", "week", "month"} {
		for _, c := range []struct {
			id, key, value, clauses string
			change                  columns
		}{
			{"max-0", "max-zero", "reject", "2.2.8 L09", columns{"max-repeats-number": "0"}},
			{"no-start-date", "start-absent", "reject", "2.2.4 L02", columns{"start-date": ""}},
			{"start-past", "start-past", "reject", "2.2.1 L03", columns{"start-date": "01.10.2025"}},
		} {
			s.live("refused-by-policy-"+c.id+"-"+period, "the policy "+c.key+"="+c.value+" refuses the row", c.clauses, "",
				life{Columns: scheduled(period, 1, "10.01.2026").with(c.change), AsOf: "2026-01-10", Until: "2026-03-31", Policy: map[string]string{c.key: c.value}})
		}
	}
}
