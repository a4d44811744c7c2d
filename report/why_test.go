package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/report"
)

// daily is a profile that is due each day from 2026-01-10.
func daily() engine.Profile {
	return engine.Profile{
		ID: "order-1", Kind: engine.KindSource, Start: date("2026-01-10"), Unit: calendar.UnitDay, Interval: 1, Amounts: fixed("10.00"), Currency: "EUR",
	}
}

// stored is the daily profile in a status, as of 2026-01-12 before that day's run.
func stored(status engine.Status) engine.Stored {
	s := engine.Stored{Profile: daily(), State: engine.State{
		Status: status, Repeat: 2, Anchor: date("2026-01-10"), RanThrough: date("2026-01-11"), Paid: []calendar.Date{date("2026-01-11")},
	}}
	if status == engine.StatusStopped {
		s.State.Stop = engine.Stop{Date: date("2026-01-11"), Reasons: engine.ReasonAPI, Because: ledger.On(clause.L23)}
	}
	return s
}

// TestSentences: the whole text of each kind of day, with every number in it.
func TestSentences(t *testing.T) {
	const (
		same    = "The amount is the same each time, 10.00 EUR."
		endless = "No stop is in sight: there is neither max-repeats-number nor finish-date."
		past    = " What follows is computed from the state and the schedule; it is not a record of what happened."
	)
	monthly := func(start string, interval int) engine.Profile {
		p := daily()
		p.Start, p.Unit, p.Interval = date(start), calendar.UnitMonth, interval
		return p
	}
	with := func(p engine.Profile, change func(*engine.Profile)) engine.Profile {
		change(&p)
		return p
	}
	list, err := amount.Sequence([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("2.00"), amount.MustParse("3.00")})
	if err != nil {
		t.Fatal(err)
	}
	span, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("2.00"), "EUR")
	if err != nil {
		t.Fatal(err)
	}
	script := func(steps ...engine.Step) engine.Simulation { return engine.Simulation{Steps: steps} }
	on := func(at string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: date(at), Kind: do}}
	}
	catchUp := engine.Policy{RunMissed: engine.MissedCatchUp}
	for _, r := range []struct {
		reason  string
		profile engine.Profile
		state   engine.State
		asOf    string
		policy  engine.Policy
		script  engine.Simulation
		on      string
		want    []string
	}{
		{reason: "the month lacks the day", profile: monthly("2026-01-31", 1), asOf: "2026-01-10", on: "2026-02-28", want: []string{
			"2026-02-28 is due: it is the 1st month after 2026-01-31: February 2026 has 28 days, so it is the 28th.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			endless,
		}},
		{reason: "a month of 29 days two years later", profile: monthly("2026-01-30", 1), asOf: "2026-01-10", on: "2028-02-29", want: []string{
			"2028-02-29 is due: it is the 25th month after 2026-01-30: February 2028 has 29 days, so it is the 29th.",
			"It has repeat number 25: 25 charges came before it.",
			same,
			endless,
		}},
		{reason: "in December", profile: monthly("2026-10-31", 1), asOf: "2026-01-10", on: "2026-12-31", want: []string{
			"2026-12-31 is due: it is the 2nd month after 2026-10-31, on the 31st like the first.",
			"It has repeat number 2: 2 charges came before it.",
			same,
			endless,
		}},
		{reason: "the month has the day", profile: monthly("2026-01-31", 2), asOf: "2026-01-10", on: "2026-07-31", want: []string{
			"2026-07-31 is due: it is 6 months after 2026-01-31, counted every 2 months, on the 31st like the first.",
			"It has repeat number 3: 3 charges came before it.",
			same,
			endless,
		}},
		{reason: "the 28th is in each month", profile: monthly("2026-01-28", 1), asOf: "2026-01-10", on: "2026-02-28", want: []string{
			"2026-02-28 is due: it is the 1st month after 2026-01-28.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			endless,
		}},
		{reason: "overflow", profile: monthly("2026-01-31", 1), asOf: "2026-01-10", policy: engine.Policy{MonthEnd: calendar.MonthEndOverflow}, on: "2026-03-03", want: []string{
			"2026-03-03 is due: it is the 1st month after 2026-01-31: February 2026 has 28 days, so it is the 3rd of the next month, moved on by the missing days.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			endless,
		}},
		{reason: "next-first", profile: monthly("2026-01-31", 1), asOf: "2026-01-10", policy: engine.Policy{MonthEnd: calendar.MonthEndNextFirst}, on: "2026-03-01", want: []string{
			"2026-03-01 is due: it is the 1st month after 2026-01-31: February 2026 has 28 days, so it is the 1st of the next month.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			endless,
		}},
		{reason: "skip", profile: monthly("2026-01-31", 2), asOf: "2026-01-10", policy: engine.Policy{MonthEnd: calendar.MonthEndSkip}, on: "2026-05-31", want: []string{
			"2026-05-31 is due: it is 4 months after 2026-01-31, counted every 2 months; months without a 31st are left out.",
			"It has repeat number 2: 2 charges came before it.",
			same,
			endless,
		}},
		{reason: "between due days", profile: monthly("2026-01-15", 3), asOf: "2026-01-10", on: "2026-05-01", want: []string{
			"2026-05-01 is not a due day: these are every 3 months from 2026-01-15; the nearest are 2026-04-15 and 2026-07-15.",
			endless,
		}},
		{reason: "a day before the first", profile: daily(), asOf: "2026-01-01", on: "2026-01-08", want: []string{
			"The first due day is 2026-01-10, 2 days later.",
			endless,
		}},
		{reason: "the day before the first", profile: daily(), asOf: "2026-01-01", on: "2026-01-09", want: []string{
			"The first due day is 2026-01-10, 1 day later.",
			endless,
		}},
		{reason: "the second element", profile: with(daily(), func(p *engine.Profile) { p.Amounts = list }), asOf: "2026-01-01", on: "2026-01-11", want: []string{
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"It has repeat number 1: 1 charge came before it.",
			"The amount is element 2 of 3 of amount-sequence, 2.00 EUR.",
			endless,
		}},
		{reason: "the last element", profile: with(daily(), func(p *engine.Profile) { p.Amounts = list }), asOf: "2026-01-01", on: "2026-01-12", want: []string{
			"2026-01-12 is due: it is the 2nd day after 2026-01-10.",
			"It has repeat number 2: 2 charges came before it.",
			"The amount is element 3 of 3 of amount-sequence, 3.00 EUR.",
			endless,
		}},
		{reason: "after the last element", profile: with(daily(), func(p *engine.Profile) { p.Amounts = list }), asOf: "2026-01-01", on: "2026-01-13", want: []string{
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"It has repeat number 3: 3 charges came before it.",
			"amount-sequence has 3 elements, and the last of them, 3.00 EUR, is charged from then on.",
			endless,
		}},
		{reason: "a random amount", profile: with(daily(), func(p *engine.Profile) { p.Amounts = span }), asOf: "2026-01-01", on: "2026-01-10", want: []string{
			"2026-01-10 is the first due day: the others are counted from it.",
			"It has repeat number 0: it is the first charge.",
			"The amount is random: 1.00 to 2.00 EUR.",
			endless,
		}},
		{reason: "a drawn amount", profile: with(daily(), func(p *engine.Profile) { p.Amounts = span }), asOf: "2026-01-01", script: script(on("2026-01-10", engine.EventCharge)), on: "2026-01-10", want: []string{
			"2026-01-10 is the first due day: the others are counted from it.",
			"It has repeat number 1: 1 charge came before it.",
			"The amount is random, and 1.87 EUR is drawn from the seed.",
			endless,
			"The script has a manual charge of 1.93 EUR on this day, with repeat number 0.",
		}},
		{reason: "a limit", profile: with(daily(), func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(3) }), asOf: "2026-01-01", on: "2026-01-10", want: []string{
			"2026-01-10 is the first due day: the others are counted from it.",
			"It has repeat number 0: it is the first charge.",
			same,
			"The profile will be stopped on 2026-01-12, 2 days and 2 charges later: max-repeats-number is reached.",
		}},
		{reason: "the last charge", profile: with(daily(), func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(3) }), asOf: "2026-01-01", on: "2026-01-12", want: []string{
			"2026-01-12 is due: it is the 2nd day after 2026-01-10.",
			"It has repeat number 2: 2 charges came before it.",
			same,
			"The profile is stopped on this day: max-repeats-number is reached.",
		}},
		{reason: "after the stop", profile: with(daily(), func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(3) }), asOf: "2026-01-01", on: "2026-01-13", want: []string{
			"The profile is stopped since 2026-01-12: max-repeats-number is reached.",
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
		}},
		{reason: "a finish-date tomorrow", profile: with(daily(), func(p *engine.Profile) { p.Finish = date("2026-01-12") }), asOf: "2026-01-01", on: "2026-01-11", want: []string{
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			"The profile will be stopped on 2026-01-12, 1 day and 1 charge later: finish-date is reached.",
		}},
		{reason: "a limit beyond the calendar", profile: with(daily(), func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(1 << 40) }), asOf: "2026-01-01", on: "2026-01-11", want: []string{
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			"No stop is in sight: max-repeats-number 1099511627776 is not reached in the calendar.",
		}},
		{reason: "an expired card", profile: with(daily(), func(p *engine.Profile) { p.CardExpires = date("2026-01-10") }), asOf: "2026-01-01", on: "2026-01-11", want: []string{
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			"The card expired on 2026-01-10, before this day.",
			endless,
		}},
		{reason: "a state with a number", profile: daily(), state: stored(engine.StatusActive).State, asOf: "2026-01-12", on: "2026-01-13", want: []string{
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"It has repeat number 3: the state says 2 on the as-of date, and 1 charge came between.",
			same,
			endless,
		}},
		{reason: "the first after the state", profile: daily(), state: stored(engine.StatusActive).State, asOf: "2026-01-12", on: "2026-01-12", want: []string{
			"2026-01-12 is due: it is the 2nd day after 2026-01-10.",
			"It has repeat number 2: the state says 2 on the as-of date, and 0 charges came between.",
			same,
			endless,
		}},
		{reason: "the day charged before", profile: daily(), state: engine.State{Status: engine.StatusActive, Repeat: 3, Anchor: date("2026-01-10"), RanThrough: date("2026-01-12"), Last: date("2026-01-12"), Paid: []calendar.Date{date("2026-01-12")}}, asOf: "2026-01-12", on: "2026-01-12", want: []string{
			"2026-01-12 is due: it is the 2nd day after 2026-01-10.",
			"It was charged before: no due day is charged twice.",
			endless,
		}},
		{reason: "another anchor", profile: daily(), state: engine.State{Status: engine.StatusActive, Repeat: 2, Anchor: date("2026-01-11"), RanThrough: date("2026-01-12")}, asOf: "2026-01-13", on: "2026-01-14", want: []string{
			"Its due days are counted from 2026-01-11, not from start-date, 2026-01-10.",
			"2026-01-14 is due: it is the 3rd day after 2026-01-11.",
			"It has repeat number 3: the state says 2 on the as-of date, and 1 charge came between.",
			same,
			endless,
		}},
		{reason: "no start-date", profile: with(daily(), func(p *engine.Profile) { p.Start = calendar.Date{} }), asOf: "2026-01-13", on: "2026-01-14", want: []string{
			"The profile has no start-date: its due days are counted from 2026-01-13.",
			"2026-01-14 is due: it is the 1st day after 2026-01-13.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			endless,
		}},
		{reason: "one charge before as-of", profile: monthly("2026-01-10", 1), state: engine.State{Status: engine.StatusActive, Repeat: 1, Anchor: date("2026-01-10"), RanThrough: date("2026-03-11")}, asOf: "2026-03-12", on: "2026-02-10", want: []string{
			"The forecast begins on the as-of date, 2026-03-12." + past,
			"2026-02-10 is due: it is the 1st month after 2026-01-10.",
			"There were 2 due days from this day through 2026-03-11, and by the repeat number 1 charge was made: not every due day was charged, and which were is not known.",
			endless,
		}},
		{reason: "one due day before as-of", profile: monthly("2026-01-10", 1), state: engine.State{Status: engine.StatusActive, Repeat: 2, Anchor: date("2026-01-10"), RanThrough: date("2026-01-11")}, asOf: "2026-01-12", on: "2026-01-10", want: []string{
			"The forecast begins on the as-of date, 2026-01-12." + past,
			"2026-01-10 is the first due day: the others are counted from it.",
			"The state contradicts the calendar: by its repeat number 2 charges were made, and there was 1 due day through 2026-01-11. Manual charges or another start can be why.",
			"If every due day since then was charged, it had repeat number 1 and the amount 10.00 EUR.",
			endless,
		}},
		{reason: "due on the last day that ran", profile: daily(), state: stored(engine.StatusActive).State, asOf: "2026-01-12", on: "2026-01-11", want: []string{
			"The forecast begins on the as-of date, 2026-01-12." + past,
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"If every due day since then was charged, it had repeat number 1 and the amount 10.00 EUR.",
			endless,
		}},
		{reason: "stopped in the past", profile: daily(), state: stored(engine.StatusStopped).State, asOf: "2026-01-15", on: "2026-01-10", want: []string{
			"The forecast begins on the as-of date, 2026-01-15." + past,
			"2026-01-10 is the first due day: the others are counted from it.",
			"If every due day since then was charged, it had repeat number 0 and the amount 10.00 EUR.",
			"The profile is stopped since 2026-01-11: stopped through the update operation.",
		}},
		{reason: "before the first due day, in the past", profile: monthly("2026-02-10", 1), state: engine.State{Status: engine.StatusActive, Repeat: 2, Anchor: date("2026-02-10"), RanThrough: date("2026-03-11")}, asOf: "2026-03-12", on: "2026-02-09", want: []string{
			"The forecast begins on the as-of date, 2026-03-12." + past,
			"2026-02-09 is not a due day: these are every month from 2026-02-10; the first is 2026-02-10.",
			endless,
		}},
		{reason: "stopped by the script", profile: daily(), asOf: "2026-01-10", script: script(on("2026-01-11", engine.EventStop)), on: "2026-01-13", want: []string{
			"The profile is stopped since 2026-01-11: stopped through the update operation.",
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
		}},
		{reason: "another interval by the script", profile: daily(), asOf: "2026-01-10", script: script(engine.Step{Event: engine.Event{Date: date("2026-01-11"), Kind: engine.EventUpdate,
			Update: engine.Update{Interval: engine.Change[int]{Given: true, Value: 2}}}}), on: "2026-01-13", want: []string{
			"It was updated on 2026-01-11: interval 2.",
			"2026-01-13 is not a due day: these are every 2 days from 2026-01-10; the nearest are 2026-01-12 and 2026-01-14.",
			endless,
		}},
		{reason: "stopped by the script on the day, before its run", profile: daily(), asOf: "2026-01-10", script: script(on("2026-01-13", engine.EventStop)), on: "2026-01-13", want: []string{
			"The profile is stopped since 2026-01-13: stopped through the update operation.",
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
		}},
		{reason: "another interval by the script on the day", profile: daily(), asOf: "2026-01-10", script: script(engine.Step{Event: engine.Event{Date: date("2026-01-13"), Kind: engine.EventUpdate,
			Update: engine.Update{Interval: engine.Change[int]{Given: true, Value: 2}}}}), on: "2026-01-13", want: []string{
			"It was updated on 2026-01-13: interval 2.",
			"2026-01-13 is not a due day: these are every 2 days from 2026-01-10; the nearest are 2026-01-12 and 2026-01-14.",
			endless,
		}},
		{reason: "a stop by the script after the day", profile: with(daily(), func(p *engine.Profile) { p.Interval = 2 }), asOf: "2026-01-10", script: script(on("2026-01-20", engine.EventStop)), on: "2026-01-13", want: []string{
			"2026-01-13 is not a due day: these are every 2 days from 2026-01-10; the nearest are 2026-01-12 and 2026-01-14.",
			"The profile will be stopped on 2026-01-20, 7 days and 3 charges later: stopped through the update operation.",
		}},
		{reason: "stopped and resumed by the script", profile: with(daily(), func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(40) }), asOf: "2026-01-10", script: script(on("2026-01-11", engine.EventStop),
			engine.Step{Event: engine.Event{Date: date("2026-01-12"), Kind: engine.EventResume}}), on: "2026-01-13", want: []string{
			"It was stopped on 2026-01-11 through the update operation.",
			"It was resumed on 2026-01-12.",
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"It has repeat number 2: 2 charges came before it.",
			same,
			"The profile will be stopped on 2026-02-19, 37 days and 37 charges later: max-repeats-number is reached.",
		}},
		{reason: "after a stop in the past", profile: daily(), state: stored(engine.StatusStopped).State, asOf: "2026-01-15", on: "2026-01-13", want: []string{
			"The forecast begins on the as-of date, 2026-01-15." + past,
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"It was not charged: the profile was stopped.",
			"The profile is stopped since 2026-01-11: stopped through the update operation.",
		}},
		{reason: "by hand only", profile: with(daily(), func(p *engine.Profile) { p.Unit, p.Interval = 0, 0 }), asOf: "2026-01-10", on: "2026-01-11", want: []string{
			"The profile has no period and interval, and is charged by hand only.",
		}},
		{reason: "to a card", profile: with(daily(), func(p *engine.Profile) {
			p.Unit, p.Interval, p.Kind, p.Start = 0, 0, engine.KindDestination, calendar.Date{}
		}), asOf: "2026-01-10", on: "2026-01-11", want: []string{
			"The profile pays to a card (DST), and has no automatic charge.",
		}},
		{reason: "no run", profile: daily(), asOf: "2026-01-10", script: script(on("2026-01-12", engine.EventNoRun)), on: "2026-01-12", want: []string{
			"2026-01-12 is due: it is the 2nd day after 2026-01-10.",
			"The script leaves out the run of this day, and what a missed run leaves is skipped.",
			endless,
		}},
		{reason: "no run, to be caught up", profile: daily(), asOf: "2026-01-10", policy: catchUp, script: script(on("2026-01-12", engine.EventNoRun)), on: "2026-01-12", want: []string{
			"2026-01-12 is due: it is the 2nd day after 2026-01-10.",
			"The script leaves out the run of this day.",
			"It is kept for a run that catches up: that of 2026-01-13 charges it.",
			endless,
		}},
		{reason: "a run that catches up", profile: daily(), asOf: "2026-01-10", policy: catchUp, script: script(on("2026-01-11", engine.EventNoRun), on("2026-01-12", engine.EventNoRun)), on: "2026-01-13", want: []string{
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"3 due days are charged on this day, of which this is the last.",
			"It has repeat number 3: 3 charges came before it.",
			same,
			endless,
		}},
		{reason: "one charge that was missed", profile: monthly("2026-01-12", 1), asOf: "2026-01-10", policy: catchUp, script: script(on("2026-01-12", engine.EventNoRun)), on: "2026-01-13", want: []string{
			"2026-01-12 is the first due day: the others are counted from it.",
			"It is charged by the run of 2026-01-13, which catches up.",
			"It has repeat number 0: it is the first charge.",
			same,
			endless,
		}},
		{reason: "declined", profile: daily(), asOf: "2026-01-10", script: engine.Simulation{Outcomes: map[uint64]engine.Outcome{1: engine.OutcomeDeclined}}, on: "2026-01-11", want: []string{
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"It has repeat number 1: 1 charge came before it.",
			same,
			"The script declines the attempt; the repeat number is counted all the same.",
			endless,
		}},
		{reason: "a manual charge", profile: daily(), asOf: "2026-01-10", script: script(on("2026-01-11", engine.EventCharge)), on: "2026-01-11", want: []string{
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"It has repeat number 2: 2 charges came before it.",
			same,
			endless,
			"The script has a manual charge of 10.00 EUR on this day, with repeat number 1.",
		}},
	} {
		s := engine.Stored{Profile: r.profile, State: r.state}
		sim := engine.Simulation{Stored: s, AsOf: date(r.asOf), Steps: r.script.Steps, Outcomes: r.script.Outcomes, Undrawn: r.script.Steps == nil}
		e, err := engine.New(r.policy).Explain(sim, date(r.on))
		if err != nil {
			t.Fatalf("%s: %v", r.reason, err)
		}
		var got []string
		for _, s := range report.Sentences(&e) {
			got = append(got, s.Text)
			if s.Because.IsZero() {
				t.Errorf("%s: %q depends on nothing", r.reason, s.Text)
			}
		}
		if !slices.Equal(got, r.want) {
			t.Errorf("%s:\n%s\nwant\n%s", r.reason, strings.Join(got, "\n"), strings.Join(r.want, "\n"))
		}
	}
}

// TestOrdinals: the numbers of due days end in st, nd and rd but for those that end in 11, 12 and
// 13.
func TestOrdinals(t *testing.T) {
	for n, want := range map[int]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th", 14: "14th", 20: "20th", 21: "21st", 22: "22nd", 23: "23rd",
		24: "24th", 101: "101st", 110: "110th", 111: "111th", 112: "112th", 113: "113th", 114: "114th", 121: "121st", 212: "212th", 1013: "1013th", 1022: "1022nd",
	} {
		e, err := engine.New(engine.Policy{}).Explain(engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: date("2026-01-10")}, date("2026-01-10").AddDays(n))
		if err != nil {
			t.Fatal(err)
		}
		if text := report.Sentences(&e)[0].Text; !strings.Contains(text, "it is the "+want+" day after") {
			t.Errorf("%d: %s", n, text)
		}
	}
}

// TestPastFromTheState: a day before as-of is answered from the state where it can know, as the
// past by the schedule and not what happened, and a state that contradicts the calendar is told
// (C29).
func TestPastFromTheState(t *testing.T) {
	p := daily()
	p.Unit, p.Start = calendar.UnitMonth, date("2025-08-31")
	p.Amounts, _ = amount.Sequence([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("2.00"), amount.MustParse("3.00")})
	for _, r := range []struct {
		reason string
		state  engine.State
		on     string
		want   []string // parts of the sentences
		never  string
	}{
		{"a due day", engine.State{Status: engine.StatusActive, Repeat: 5}, "2025-09-30", []string{"it is not a record of what happened", "is due", "If every due day since then was charged, it had repeat number 1 and the amount 2.00 EUR"}, "contradicts"},
		{"a day between", engine.State{Status: engine.StatusActive, Repeat: 5}, "2025-10-15", []string{"it is not a record of what happened", "not a due day"}, "repeat number"},
		{"seven charges, five due days", engine.State{Status: engine.StatusActive, Repeat: 7}, "2025-12-31", []string{"contradicts the calendar: by its repeat number 7 charges were made, and there were 5 due days", "repeat number 6"}, ""},
		{"fewer charges than due days since", engine.State{Status: engine.StatusActive, Repeat: 1}, "2025-08-31", []string{"5 due days from this day", "1 charge was made", "which were is not known"}, "contradicts"},
		{"no state", engine.State{}, "2025-12-31", []string{"taken as new", "is due"}, "amount"},
		{"stopped on a day that is not known", engine.State{Status: engine.StatusStopped, Repeat: 2}, "2025-09-30", []string{"is due"}, "repeat number"},
	} {
		e, text := asked(t, engine.Simulation{Stored: engine.Stored{Profile: p, State: r.state}, AsOf: date("2026-01-10")}, engine.Policy{}, r.on)
		if e.Why != engine.WhyBeforeAsOf || len(e.Charges) > 0 {
			t.Errorf("%s: %v", r.reason, e.Why)
		}
		for _, part := range r.want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in\n%s", r.reason, part, text)
			}
		}
		if r.never != "" && strings.Contains(text, r.never) {
			t.Errorf("%s: %q is in\n%s", r.reason, r.never, text)
		}
	}
}

// TestBeforeStartDate: a day before the as-of date and before the start-date of a profile that is
// taken as new was said to be not known, and how often the profile was charged was asked for.
// Nothing is charged before start-date, whether the start is still to come or past.
func TestBeforeStartDate(t *testing.T) {
	for _, start := range []string{"2026-06-01", "2026-01-20"} {
		p := daily()
		p.Start = date(start)
		e, text := asked(t, engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: date("2026-03-01")}, engine.Policy{}, "2026-01-19")
		if got := report.Headline(&e); got != "no charge, before the start-date" {
			t.Errorf("start-date %s: %s", start, got)
		}
		if !strings.Contains(text, "No charge comes before start-date, "+start) || strings.Contains(text, "known") || strings.Contains(text, "due day:") {
			t.Errorf("start-date %s:\n%s", start, text)
		}
	}
}

// TestExplainStops: what is said of a stop is true of a stopped profile whose day is not known, of a
// maximum of 0 that is no limit, and of a script that stops the profile after the run of the day.
func TestExplainStops(t *testing.T) {
	unknown := engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusStopped, Repeat: 3}}
	if _, got := asked(t, engine.Simulation{Stored: unknown, AsOf: date("2026-05-01")}, engine.Policy{}, "2026-04-30"); !strings.Contains(got, "on a day that is not known") || strings.Contains(got, "in sight") {
		t.Errorf("stopped: %s", got)
	}
	p := daily()
	p.MaxRepeats = engine.AtMost(0)
	if _, got := asked(t, engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: date("2026-01-01")}, engine.Policy{MaxZero: engine.MaxZeroUnlimited}, "2026-04-30"); !strings.Contains(got, "0 is read as no limit") {
		t.Errorf("no limit: %s", got)
	}
	stop := engine.Step{Event: engine.Event{Date: date("2026-04-30"), Kind: engine.EventStop}, After: true}
	sim := engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: date("2026-01-01"), Steps: []engine.Step{stop}}
	if e, got := asked(t, sim, engine.Policy{}, "2026-04-30"); e.Stop.Date != stop.Date || e.Why != engine.WhyDue || !strings.Contains(got, "stopped on this day") {
		t.Errorf("after the run: %+v %s", e.Stop, got)
	}
}

// asked explains a day, with the sentences, a line each.
func asked(t *testing.T, sim engine.Simulation, pol engine.Policy, on string) (engine.Explanation, string) {
	t.Helper()
	sim.Undrawn = true
	e, err := engine.New(pol).Explain(sim, date(on))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, s := range report.Sentences(&e) {
		text.WriteString(s.Text + "\n")
	}
	return e, text.String()
}

// TestWhySaysNothingFalse: kinds of days about which why said something that was not so.
func TestWhySaysNothingFalse(t *testing.T) {
	monthly := daily()
	monthly.Unit, monthly.Start = calendar.UnitMonth, date("2026-01-31")
	weekly := daily()
	weekly.Unit = calendar.UnitWeek
	do := func(on string, kind engine.EventKind, after bool) engine.Step {
		return engine.Step{Event: engine.Event{Date: date(on), Kind: kind}, After: after}
	}
	update := func(on string, u engine.Update) engine.Step {
		return engine.Step{Event: engine.Event{Date: date(on), Kind: engine.EventUpdate, Update: u}}
	}
	for _, r := range []struct {
		reason  string
		profile engine.Profile
		state   engine.State
		asOf    string
		policy  engine.Policy
		steps   []engine.Step
		on      string
		want    []string
		never   []string
	}{
		{
			reason: "due days that are counted as charged are not charges that were made", profile: monthly, asOf: "2026-04-10", on: "2026-04-30",
			policy: engine.Policy{StartPast: engine.StartPastCountMissed},
			want:   []string{"repeat number 3: it began with 3 on 2026-04-10, the due days before it being counted as charged, and 0 charges came between"}, never: []string{"came before it"},
		},
		{
			reason: "0 after a reset is not the first charge", profile: daily(), asOf: "2026-01-10", on: "2026-01-14", policy: engine.Policy{ResumeCounter: engine.ResumeCounterReset},
			steps: []engine.Step{do("2026-01-13", engine.EventStop, false), do("2026-01-14", engine.EventResume, false)},
			want:  []string{"repeat number 0: the resume of 2026-01-14 set it to 0, and 0 charges came between"}, never: []string{"first charge"},
		},
		{
			reason: "nor is 0 after a manual charge that does not count", profile: daily(), asOf: "2026-01-10", on: "2026-01-10", policy: engine.Policy{ManualCounts: engine.ManualCountsNo},
			steps: []engine.Step{do("2026-01-10", engine.EventCharge, false)},
			want:  []string{"repeat number 0: 1 charge came before it; 1 manual charge was not counted"}, never: []string{"first charge"},
		},
		{
			reason: "0 of a profile that is taken as new", profile: monthly, asOf: "2026-03-02", on: "2026-03-31",
			want: []string{"repeat number 0: the profile is taken as new on 2026-03-02, no earlier charge is counted"}, never: []string{"first charge"},
		},
		{
			reason: "months that are left out are months all the same", profile: monthly, asOf: "2026-01-10", on: "2026-05-31", policy: engine.Policy{MonthEnd: calendar.MonthEndSkip},
			want: []string{"it is the 4th month after 2026-01-31"},
		},
		{
			reason: "an event after the day stops the profile", profile: monthly, asOf: "2026-01-10", on: "2026-02-28", steps: []engine.Step{do("2026-03-10", engine.EventStop, false)},
			want: []string{"will be stopped on 2026-03-10, 10 days and 0 charges later"},
		},
		{
			reason: "what the state owes is charged, whatever becomes of missed runs", profile: weekly, asOf: "2026-01-17", on: "2026-01-17", policy: engine.Policy{ResumeMissed: engine.MissedCatchUp},
			state: engine.State{
				Status: engine.StatusActive, Repeat: 1, Anchor: date("2026-01-10"), RanThrough: date("2026-01-17"), Last: date("2026-01-17"), Missed: []calendar.Window{calendar.Through(date("2026-01-13"), date("2026-01-17"))},
			},
			want: []string{"It is kept for a run that catches up: that of 2026-01-18 charges it."}, never: []string{"skipped"},
		},
		{
			reason: "a day on which it was stopped is charged by the run that catches up", profile: weekly, asOf: "2026-01-10", on: "2026-01-17", policy: engine.Policy{ResumeMissed: engine.MissedCatchUp},
			steps: []engine.Step{do("2026-01-12", engine.EventStop, false), do("2026-01-20", engine.EventResume, false)},
			want:  []string{"stopped since 2026-01-12", "that of 2026-01-20 charges it"},
		},
		{
			reason: "fewer charges than due days contradict nothing", profile: daily(), asOf: "2026-01-16", on: "2026-01-15",
			state: engine.State{Status: engine.StatusActive, Repeat: 3, Anchor: date("2026-01-10"), RanThrough: date("2026-01-15"), Last: date("2026-01-15")},
			want:  []string{"If every due day since then was charged, it had repeat number 2"}, never: []string{"contradicts"},
		},
		{
			reason: "more do", profile: daily(), asOf: "2026-01-16", on: "2026-01-15", state: engine.State{Status: engine.StatusActive, Repeat: 7, Anchor: date("2026-01-10"), RanThrough: date("2026-01-15")},
			want: []string{"contradicts the calendar: by its repeat number 7 charges were made, and there were 6 due days"},
		},
		{
			reason: "a finish-date that an update moved before charges that were made", profile: func() engine.Profile { p := daily(); p.Finish = date("2026-01-11"); return p }(), asOf: "2026-01-16", on: "2026-01-13",
			state: engine.State{Status: engine.StatusStopped, Repeat: 5, Anchor: date("2026-01-10"), RanThrough: date("2026-01-15"), Last: date("2026-01-15"), Stop: engine.Stop{Date: date("2026-01-15"), Reasons: engine.ReasonFinishDate}},
			want:  []string{"If every due day since then was charged, it had repeat number 3"}, never: []string{"not charged"},
		},
		{
			reason: "a number that an int of 32 bits does not hold", profile: daily(), asOf: "2026-01-16", on: "2026-01-15", state: engine.State{Status: engine.StatusActive, Repeat: 3_000_000_000, RanThrough: date("2026-01-15")},
			want: []string{"3000000000 charges were made", "repeat number 2999999999"},
		},
		{
			reason: "days before a new start-date come after charges", profile: daily(), asOf: "2026-01-10", on: "2026-02-10", steps: []engine.Step{update("2026-01-20", engine.Update{Start: engine.To(date("2026-02-20"))})},
			want: []string{"It was updated on 2026-01-20: start-date 2026-02-20.", "Its due days begin again on 2026-02-20, 10 days later."}, never: []string{"first due day"},
		},
		{
			reason: "each update that the day depends on is named", profile: daily(), asOf: "2026-01-10", on: "2026-01-20",
			steps: []engine.Step{
				update("2026-01-11", engine.Update{Interval: engine.To(3)}), update("2026-01-12", engine.Update{Interval: engine.To(2)}),
				update("2026-01-13", engine.Update{Amount: engine.To(amount.MustParse("12.00")), MaxRepeats: engine.To(engine.AtMost(20))}),
				update("2026-01-14", engine.Update{Finish: engine.To(date("2026-02-01"))}), update("2026-01-15", engine.Update{Finish: engine.Remove[calendar.Date]()}),
			},
			want:  []string{"updated on 2026-01-12: interval 2.", "updated on 2026-01-13: max-repeats-number 20, amount 12.00.", "updated on 2026-01-15: finish-date removed."},
			never: []string{"2026-01-11", "2026-01-14"},
		},
	} {
		s := engine.Simulation{Stored: engine.Stored{Profile: r.profile, State: r.state}, AsOf: date(r.asOf), Steps: r.steps}
		_, got := asked(t, s, r.policy, r.on)
		for _, part := range r.want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in\n%s", r.reason, part, got)
			}
		}
		for _, part := range r.never {
			if strings.Contains(got, part) {
				t.Errorf("%s: %q is in\n%s", r.reason, part, got)
			}
		}
	}
}
