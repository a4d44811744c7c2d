package main

import "fmt"

// A happening is one event as tables have it.
type happening struct {
	id      string
	step    step
	clauses string
}

// happenings are the events that a profile can meet, each in its forms.
func happenings() []happening {
	set := func(c columns) step { return step{Do: "update", Set: c} }
	return []happening{
		{"stop", step{Do: "stop"}, "3 L23"},
		{"resume-ui", step{Do: "resume", Via: "ui"}, "3 L14 L15 L16"},
		{"resume-api", step{Do: "resume", Via: "api"}, "3"},
		{"manual-charge", step{Do: "charge"}, "2.2.10 L20 L21 L22"},
		{"extra-run", step{Do: "run"}, "2.2.10 L13"},
		{"no-run", step{Do: "no-run"}, "L16b"},
		{"move-start-later", set(columns{"start-date": "21.01.2026"}), "3 L18"},
		{"move-start-back", set(columns{"start-date": "11.01.2026"}), "3 L18"},
		{"finish-past", set(columns{"finish-date": "11.01.2026"}), "3 L19"},
		{"finish-soon", set(columns{"finish-date": "24.01.2026"}), "3 L19"},
		{"cap-under-the-counter", set(columns{"max-repeats-number": "1"}), "2.2.8 L10 L19"},
		{"cap-above-the-counter", set(columns{"max-repeats-number": "3"}), "2.2.8 L10 L19"},
		{"another-amount", set(columns{"amount": "7.77"}), "2.2.5 L26"},
		{"a-sequence-instead", set(columns{"amount": "", "amount-sequence": "1.00,2.00,3.00,4.00"}), "2.2.6 L26"},
		{"another-period", set(columns{"period": "day"}), "2.2.1 L18"},
		{"another-interval", set(columns{"interval": "2"}), "2.2.2 L18"},
		{"schedule-removed", set(columns{"period": "", "interval": ""}), "2.2.3 L25"},
		{"half-a-schedule", set(columns{"period": ""}), "2.2.3"},
		{"second-amount-mode", set(columns{"amount-sequence": "1.00"}), "2.2.5 L34"},
		{"half-a-range", set(columns{"amount": "", "amount-from": "1.00"}), "2.2.5 L34"},
	}
}

// weekly is the profile of the scripts: due on the 10th, 17th, 24th and 31st of January 2026.
func weekly() columns { return scheduled("week", 1, "10.01.2026") }

func at(date, when string, e step) step {
	e.Date, e.When = date, when
	return e
}

// eventVectors are single events: on a due day and on another, before the run and after it, on an active
// and on a stopped profile.
func eventVectors(s *sheet) {
	for _, h := range happenings() {
		for _, day := range []struct{ id, date string }{{"due-day", "2026-01-17"}, {"other-day", "2026-01-19"}} {
			for _, when := range []string{"", "after"} {
				if when != "" && day.id == "other-day" {
					continue
				}
				for _, before := range []string{"active", "stopped"} {
					var script []step
					if before == "stopped" {
						script = append(script, step{Date: "2026-01-12", Do: "stop"})
					}
					script = append(script, at(day.date, when, h.step))
					id := h.id + "-on-a-" + day.id
					reason := h.id + " on a " + day.id
					if when != "" {
						id, reason = h.id+"-after-the-run", h.id+" after the run of a due day"
					}
					s.live(id+"-"+before, reason+", "+before, h.clauses+" L24", "", life{Columns: weekly(), AsOf: "2026-01-10", Until: "2026-02-07", Script: script})
				}
			}
		}
		s.live(h.id+"-on-dst", h.id+" on a destination card", h.clauses+" L25", "",
			life{Columns: columns{"rp_card_type": "DST", "amount": "10.00", "currency": "EUR", "start-date": "10.01.2026"}, AsOf: "2026-01-10", Until: "2026-01-31", Script: []step{at("2026-01-17", "", h.step)}})
		s.live(h.id+"-at-the-cap", h.id+" once the cap is reached", h.clauses+" 2.2.8 L17", "",
			life{Columns: weekly().with(columns{"max-repeats-number": "2"}), AsOf: "2026-01-10", Until: "2026-02-07", Script: []step{at("2026-01-19", "", h.step)}})
	}
	outcomeVectors(s)
}

func outcomeVectors(s *sheet) {
	one := func(n uint64) *uint64 { return &n }
	for n := range uint64(4) {
		declined := []step{{Repeat: one(n), Outcome: "declined"}}
		for _, c := range []struct {
			id, reason string
			change     columns
		}{
			{"plain", "a declined attempt counts and is not retried", nil},
			{"max-2", "a declined attempt uses up a repeat of the cap", columns{"max-repeats-number": "2"}},
			{"sequence", "a declined attempt uses up its element", columns{"amount": "", "amount-sequence": "1.00,2.00,3.00"}},
		} {
			s.live(fmt.Sprintf("declined-%d-%s", n, c.id), c.reason, "2.2.7 2.2.10 L13", "", life{Columns: weekly().with(c.change), AsOf: "2026-01-10", Until: "2026-01-31", Script: declined})
		}
	}
	s.live("declined-manual", "a declined manual charge counts as well", "2.2.7 L20", "", life{Columns: weekly(), AsOf: "2026-01-10", Until: "2026-01-24",
		Script: []step{{Date: "2026-01-12", Do: "charge"}, {Repeat: one(1), Outcome: "declined"}}})
	s.live("script-out-of-order", "lines are applied in order of date, not of line", "L24", "", life{Columns: weekly(), AsOf: "2026-01-10", Until: "2026-02-07",
		Script: []step{{Date: "2026-01-26", Do: "resume", Via: "ui"}, {Date: "2026-01-15", Do: "stop"}}})
	s.live("event-on-as-of", "an event on as-of comes before its run", "L24", "", life{Columns: weekly(), AsOf: "2026-01-10", Until: "2026-01-24", Script: []step{{Date: "2026-01-10", Do: "stop"}}})
	s.live("event-on-as-of-after-the-run", "an event on as-of after its run", "L24", "", life{Columns: weekly(), AsOf: "2026-01-10", Until: "2026-01-24", Script: []step{{Date: "2026-01-10", Do: "stop", When: "after"}}})
	s.live("event-on-the-last-day", "an event on until", "L24", "", life{Columns: weekly(), AsOf: "2026-01-10", Until: "2026-01-24", Script: []step{{Date: "2026-01-24", Do: "stop"}}})
}

// pairVectors are two events on one day, in both orders.
func pairVectors(s *sheet) {
	all := happenings()
	chosen := []int{0, 1, 3, 5, 6, 7, 9, 11, 12, 13}
	for _, i := range chosen {
		for _, j := range chosen {
			if i == j && i != 0 && i != 1 && i != 3 {
				continue
			}
			a, b := all[i], all[j]
			s.live(a.id+"-then-"+b.id, "one day has "+a.id+", then "+b.id, a.clauses+" "+b.clauses+" L24", "",
				life{Columns: weekly(), AsOf: "2026-01-10", Until: "2026-02-07", Script: []step{at("2026-01-17", "", a.step), at("2026-01-17", "", b.step)}})
		}
	}
}

// keyVectors are the policy keys that only events bring to bear.
func keyVectors(s *sheet) {
	stopped := func(more ...step) []step {
		return append([]step{{Date: "2026-01-12", Do: "stop"}, {Date: "2026-01-27", Do: "resume", Via: "ui"}}, more...)
	}
	charge := step{Date: "2026-01-17", Do: "charge"}
	between := step{Date: "2026-01-19", Do: "charge"}
	gap := []step{{Date: "2026-01-17", Do: "no-run"}}
	for _, c := range []struct {
		id, reason, key string
		change          columns
		script          []step
	}{
		{"resume", "two slots passed while it was stopped", "resume-counter", nil, stopped()},
		{"resume-with-a-cap", "two slots passed while it was stopped; a cap", "resume-counter", columns{"max-repeats-number": "2"}, stopped()},
		{"resume-with-a-sequence", "two slots passed while it was stopped; a sequence", "resume-counter", columns{"amount": "", "amount-sequence": "1.00,2.00"}, stopped()},
		{"resume", "two slots passed while it was stopped", "resume-anchor", nil, stopped()},
		{"resume-with-a-cap", "two slots passed while it was stopped; a cap", "resume-anchor", columns{"max-repeats-number": "2"}, stopped()},
		{"resume-monthly", "a grid of months", "resume-anchor", columns{"period": "month"}, stopped()},
		{"resume", "two slots passed while it was stopped", "resume-missed", nil, stopped()},
		{"resume-with-a-cap", "two slots passed while it was stopped; a cap", "resume-missed", columns{"max-repeats-number": "2"}, stopped()},
		{"resume-with-a-sequence", "two slots passed while it was stopped; a sequence", "resume-missed", columns{"amount": "", "amount-sequence": "1.00,2.00,3.00"}, stopped()},
		{"resume-with-a-finish-date", "finish-date passed while it was stopped", "resume-missed", columns{"finish-date": "25.01.2026"}, stopped()},
		{"no-run", "a due day without its run", "run-missed", nil, gap},
		{"no-run-with-a-cap", "a due day without its run; a cap", "run-missed", columns{"max-repeats-number": "3"}, gap},
		{"no-run-with-a-sequence", "a due day without its run; a sequence", "run-missed", columns{"amount": "", "amount-sequence": "1.00,2.00,3.00"}, gap},
		{"no-run-on-the-finish-date", "the last day has no run", "run-missed", columns{"finish-date": "17.01.2026"}, gap},
		{"no-run-on-a-free-day", "a day without a run that was not due", "run-missed", nil, []step{{Date: "2026-01-18", Do: "no-run"}}},
		{"no-run-then-an-extra-run", "the run comes later the same day", "run-missed", nil, []step{{Date: "2026-01-17", Do: "no-run"}, {Date: "2026-01-18", Do: "run"}}},
		{"manual", "a manual charge between two slots", "manual-counts", nil, []step{between}},
		{"manual-with-a-cap", "a manual charge between two slots; a cap", "manual-counts", columns{"max-repeats-number": "3"}, []step{between}},
		{"manual-with-a-sequence", "a manual charge between two slots; a sequence", "manual-counts", columns{"amount": "", "amount-sequence": "1.00,2.00,3.00"}, []step{between}},
		{"manual-reaches-the-cap", "a manual charge reaches the cap", "manual-counts", columns{"max-repeats-number": "3"}, []step{between, at("2026-01-20", "", step{Do: "charge"})}},
		{"manual-when-stopped", "a manual charge on a stopped profile", "manual-when-stopped", nil, []step{{Date: "2026-01-12", Do: "stop"}, between}},
		{"manual-when-stopped-then-resumed", "a manual charge on a stopped profile that is resumed later", "manual-when-stopped", nil, stopped(between)},
		{"manual-when-stopped-by-the-cap", "a manual charge once the cap has stopped it", "manual-when-stopped", columns{"max-repeats-number": "1"}, []step{between}},
		{"manual-when-stopped-by-finish-date", "a manual charge once finish-date has stopped it", "manual-when-stopped", columns{"finish-date": "12.01.2026"}, []step{between}},
		{"manual-on-a-due-day", "a manual charge before the run of a due day", "manual-takes-slot", nil, []step{charge}},
		{"manual-after-the-run", "a manual charge after the run of a due day", "manual-takes-slot", nil, []step{at("2026-01-17", "after", step{Do: "charge"})}},
		{"manual-on-a-free-day", "a manual charge between two slots", "manual-takes-slot", nil, []step{between}},
		{"manual-on-a-due-day-with-a-cap", "a manual charge on a due day; a cap", "manual-takes-slot", columns{"max-repeats-number": "3"}, []step{charge}},
		{"manual-twice-on-a-due-day", "two manual charges on a due day", "manual-takes-slot", nil, []step{charge, charge}},
		{"finish-while-stopped", "finish-date passed while it was stopped", "finish-bound", columns{"finish-date": "27.01.2026"}, stopped()},
		{"cap-lowered-while-stopped", "the cap was lowered while it was stopped", "max-counts", nil, stopped(step{Date: "2026-01-20", Do: "update", Set: columns{"max-repeats-number": "1"}})},
		{"cap-of-0-by-update", "an update sets the cap to 0", "max-zero", nil, []step{{Date: "2026-01-19", Do: "update", Set: columns{"max-repeats-number": "0"}}}},
		{"start-moved-to-the-31st", "an update moves the start to a day that months lack", "month-end", columns{"period": "month"}, []step{{Date: "2026-01-19", Do: "update", Set: columns{"start-date": "31.01.2026"}}}},
		{"start-moved-to-the-past", "an update moves the start before its own day", "start-past", nil, []step{{Date: "2026-01-19", Do: "update", Set: columns{"start-date": "12.01.2026"}}}},
	} {
		clause := map[string]string{"resume-counter": "L14", "resume-anchor": "L15", "resume-missed": "L16", "run-missed": "L16b", "manual-counts": "L20",
			"manual-when-stopped": "L21", "manual-takes-slot": "L22", "finish-bound": "L05", "max-counts": "L08", "max-zero": "L09", "month-end": "L01", "start-past": "L03"}[c.key]
		s.live(c.key+"-"+c.id, c.reason, "3 "+clause, c.key, life{Columns: weekly().with(c.change), AsOf: "2026-01-10", Until: "2026-02-14", Script: c.script})
	}
}
