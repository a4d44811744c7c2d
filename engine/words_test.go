package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
)

// TestSentences: the whole text of each kind of day, with every number in it.
func TestSentences(t *testing.T) {
	const (
		same    = "The amount is the same each time, 10.00 EUR."
		endless = "No stop is in sight: there is neither max-repeats-number nor finish-date."
		past    = " What follows is the past as the state and the schedule would have it, not what happened."
	)
	monthly := func(start string, interval int) engine.Profile {
		p := daily()
		p.Start, p.Unit, p.Interval = day(start), calendar.UnitMonth, interval
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
	script := func(steps ...engine.Step) engine.Script { return engine.Script{Steps: steps} }
	on := func(date string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: day(date), Kind: do}}
	}
	catchUp := engine.Policy{RunMissed: engine.MissedCatchUp}
	for _, r := range []struct {
		reason  string
		profile engine.Profile
		state   engine.State
		asOf    string
		policy  engine.Policy
		script  engine.Script
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
			"2026-07-31 is due: it is the 3rd time every 2 months from 2026-01-31, 6 months after it, on the 31st like the first.",
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
			"2026-05-31 is due: it is the 2nd time every 2 months from 2026-01-31; months without a 31st are left out.",
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
		{reason: "a finish-date tomorrow", profile: with(daily(), func(p *engine.Profile) { p.Finish = day("2026-01-12") }), asOf: "2026-01-01", on: "2026-01-11", want: []string{
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
		{reason: "an expired card", profile: with(daily(), func(p *engine.Profile) { p.CardExpires = day("2026-01-10") }), asOf: "2026-01-01", on: "2026-01-11", want: []string{
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
		{reason: "the day charged before", profile: daily(), state: engine.State{Status: engine.StatusActive, Repeat: 3, Anchor: day("2026-01-10"), RanThrough: day("2026-01-12"), Last: day("2026-01-12"), Paid: []calendar.Date{day("2026-01-12")}}, asOf: "2026-01-12", on: "2026-01-12", want: []string{
			"2026-01-12 is due: it is the 2nd day after 2026-01-10.",
			"It was charged before: no slot is charged twice.",
			endless,
		}},
		{reason: "another anchor", profile: daily(), state: engine.State{Status: engine.StatusActive, Repeat: 2, Anchor: day("2026-01-11"), RanThrough: day("2026-01-12")}, asOf: "2026-01-13", on: "2026-01-14", want: []string{
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
		{reason: "one charge before as-of", profile: monthly("2026-01-10", 1), state: engine.State{Status: engine.StatusActive, Repeat: 1, Anchor: day("2026-01-10"), RanThrough: day("2026-03-11")}, asOf: "2026-03-12", on: "2026-02-10", want: []string{
			"The forecast begins on the as-of date, 2026-03-12." + past,
			"2026-02-10 is due: it is the 1st month after 2026-01-10.",
			"The state contradicts the calendar: it says that 1 charge was made, and there were 3 due days from 2026-01-10 through 2026-03-11. Manual charges, missed runs or another start can be why.",
			"By the repeat number, 1, it was not charged if every due day since was.",
			endless,
		}},
		{reason: "one due day before as-of", profile: monthly("2026-01-10", 1), state: engine.State{Status: engine.StatusActive, Repeat: 2, Anchor: day("2026-01-10"), RanThrough: day("2026-01-11")}, asOf: "2026-01-12", on: "2026-01-10", want: []string{
			"The forecast begins on the as-of date, 2026-01-12." + past,
			"2026-01-10 is the first due day: the others are counted from it.",
			"The state contradicts the calendar: it says that 2 charges were made, and there was 1 due day from 2026-01-10 through 2026-01-11. Manual charges, missed runs or another start can be why.",
			"If every due day since was charged, it had repeat number 1 and the amount 10.00 EUR.",
			endless,
		}},
		{reason: "due on the last day that ran", profile: daily(), state: stored(engine.StatusActive).State, asOf: "2026-01-12", on: "2026-01-11", want: []string{
			"The forecast begins on the as-of date, 2026-01-12." + past,
			"2026-01-11 is due: it is the 1st day after 2026-01-10.",
			"If every due day since was charged, it had repeat number 1 and the amount 10.00 EUR.",
			endless,
		}},
		{reason: "stopped in the past", profile: daily(), state: stored(engine.StatusStopped).State, asOf: "2026-01-15", on: "2026-01-10", want: []string{
			"The forecast begins on the as-of date, 2026-01-15." + past,
			"2026-01-10 is the first due day: the others are counted from it.",
			"If every due day since was charged, it had repeat number 0 and the amount 10.00 EUR.",
			"The profile will be stopped on 2026-01-11, 1 day later: stopped through the update operation.",
		}},
		{reason: "before the first due day, in the past", profile: monthly("2026-02-10", 1), state: engine.State{Status: engine.StatusActive, Repeat: 2, Anchor: day("2026-02-10"), RanThrough: day("2026-03-11")}, asOf: "2026-03-12", on: "2026-02-09", want: []string{
			"The forecast begins on the as-of date, 2026-03-12." + past,
			"2026-02-09 is not a due day: these are every month from 2026-02-10; the first is 2026-02-10.",
			endless,
		}},
		{reason: "stopped by the script", profile: daily(), asOf: "2026-01-10", script: script(on("2026-01-11", engine.EventStop)), on: "2026-01-13", want: []string{
			"The profile is stopped since 2026-01-11: stopped through the update operation.",
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
		}},
		{reason: "another interval by the script", profile: daily(), asOf: "2026-01-10", script: script(engine.Step{Event: engine.Event{Date: day("2026-01-11"), Kind: engine.EventUpdate,
			Update: engine.Update{Interval: engine.Change[int]{Given: true, Value: 2}}}}), on: "2026-01-13", want: []string{
			"2026-01-13 is not a due day: these are every 2 days from 2026-01-10; the nearest are 2026-01-12 and 2026-01-14.",
			endless,
		}},
		{reason: "stopped by the script on the day, before its run", profile: daily(), asOf: "2026-01-10", script: script(on("2026-01-13", engine.EventStop)), on: "2026-01-13", want: []string{
			"The profile is stopped since 2026-01-13: stopped through the update operation.",
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
		}},
		{reason: "another interval by the script on the day", profile: daily(), asOf: "2026-01-10", script: script(engine.Step{Event: engine.Event{Date: day("2026-01-13"), Kind: engine.EventUpdate,
			Update: engine.Update{Interval: engine.Change[int]{Given: true, Value: 2}}}}), on: "2026-01-13", want: []string{
			"2026-01-13 is not a due day: these are every 2 days from 2026-01-10; the nearest are 2026-01-12 and 2026-01-14.",
			endless,
		}},
		{reason: "a stop by the script after the day", profile: with(daily(), func(p *engine.Profile) { p.Interval = 2 }), asOf: "2026-01-10", script: script(on("2026-01-20", engine.EventStop)), on: "2026-01-13", want: []string{
			"2026-01-13 is not a due day: these are every 2 days from 2026-01-10; the nearest are 2026-01-12 and 2026-01-14.",
			endless,
		}},
		{reason: "stopped and resumed by the script", profile: with(daily(), func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(40) }), asOf: "2026-01-10", script: script(on("2026-01-11", engine.EventStop),
			engine.Step{Event: engine.Event{Date: day("2026-01-12"), Kind: engine.EventResume, Via: engine.ChannelUI}}), on: "2026-01-13", want: []string{
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"It has repeat number 2: 2 charges came before it.",
			same,
			"The profile will be stopped on 2026-02-19, 37 days and 37 charges later: max-repeats-number is reached.",
		}},
		{reason: "after a stop in the past", profile: daily(), state: stored(engine.StatusStopped).State, asOf: "2026-01-15", on: "2026-01-13", want: []string{
			"The forecast begins on the as-of date, 2026-01-15." + past,
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"By the repeat number, 2, it was not charged if every due day since was.",
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
			"The script leaves out the run of this day; a later run catches up.",
			endless,
		}},
		{reason: "a run that catches up", profile: daily(), asOf: "2026-01-10", policy: catchUp, script: script(on("2026-01-11", engine.EventNoRun), on("2026-01-12", engine.EventNoRun)), on: "2026-01-13", want: []string{
			"2026-01-13 is due: it is the 3rd day after 2026-01-10.",
			"The run of this day catches up: it makes 3 charges, of which this is the last.",
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
		{reason: "declined", profile: daily(), asOf: "2026-01-10", script: engine.Script{Outcomes: map[uint64]engine.Outcome{1: engine.OutcomeDeclined}}, on: "2026-01-11", want: []string{
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
		var e engine.Explanation
		var err error
		if r.script.Steps != nil || r.script.Outcomes != nil {
			e, err = engine.New(r.policy).Explain(engine.Simulation{Stored: s, AsOf: day(r.asOf), Script: r.script}, day(r.on))
		} else {
			e = compile(t, r.profile, r.state, r.asOf, r.policy).Explain(day(r.on))
		}
		if err != nil {
			t.Fatalf("%s: %v", r.reason, err)
		}
		var got []string
		for _, s := range e.Sentences {
			got = append(got, s.Text)
			if s.Because.IsZero() {
				t.Errorf("%s: %q rests on nothing", r.reason, s.Text)
			}
		}
		if !slices.Equal(got, r.want) {
			t.Errorf("%s:\n%s\nwant\n%s", r.reason, strings.Join(got, "\n"), strings.Join(r.want, "\n"))
		}
	}
}

// TestOrdinals: the numbers of due days end in st, nd and rd but for those that end in 11, 12 and 13.
func TestOrdinals(t *testing.T) {
	plan := compile(t, daily(), engine.State{}, "2026-01-10", engine.Policy{})
	for n, want := range map[int]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th", 14: "14th", 20: "20th", 21: "21st", 22: "22nd", 23: "23rd",
		24: "24th", 101: "101st", 110: "110th", 111: "111th", 112: "112th", 113: "113th", 114: "114th", 121: "121st", 212: "212th", 1013: "1013th", 1022: "1022nd",
	} {
		on := plan.Explain(day("2026-01-10").AddDays(n))
		if !strings.Contains(on.Sentences[0].Text, "it is the "+want+" day after") {
			t.Errorf("%d: %s", n, on.Sentences[0].Text)
		}
	}
}

// TestOthers: the other values of keys under which a day is charged otherwise, of a plan and of a simulation.
func TestOthers(t *testing.T) {
	p := daily()
	p.Unit, p.Start = calendar.UnitMonth, day("2026-01-31")
	for _, r := range []struct {
		on   string
		want string // the value, the charges of the day and a mark where the profile is refused
	}{
		{"2026-02-28", "skip 0 next-first 0 overflow 0"}, {"2026-03-31", "skip 1"}, {"2026-03-03", "overflow 1"}, {"2026-03-01", "next-first 1"}, {"2026-01-31", ""}, {"2026-02-10", ""},
	} {
		sim := engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10")}
		scripted, err := engine.New(engine.Policy{}).Others(sim, day(r.on))
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]engine.OtherReading{compile(t, p, engine.State{}, "2026-01-10", engine.Policy{}).Others(day(r.on)), scripted} {
			var got []string
			for _, o := range list {
				got = append(got, fmt.Sprint(o.Value, " ", len(o.Charges)))
				if o.Clause != clause.L01 || o.Refused {
					t.Errorf("%s: %+v", r.on, o)
				}
			}
			if strings.Join(got, " ") != r.want {
				t.Errorf("%s: %q, want %q", r.on, got, r.want)
			}
		}
	}
	p.MaxRepeats = engine.AtMost(0)
	refused := func(list []engine.OtherReading) int {
		n := 0
		for _, o := range list {
			if o.Refused {
				n++
			}
		}
		return n
	}
	plan := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{MaxZero: engine.MaxZeroUnlimited})
	if on, off := refused(plan.Others(day("2026-01-31"))), refused(plan.Others(day("2026-01-30"))); on != 1 || off != 0 {
		t.Errorf("max-zero=reject refuses %d times on a day with a charge, %d times without", on, off)
	}
	if _, err := engine.New(engine.Policy{MaxZero: 9}).Others(engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10")}, day("2026-01-31")); !errors.Is(err, engine.ErrPolicy) {
		t.Errorf("an invalid policy: %v", err)
	}
	if plan.Others(calendar.Date{}) != nil {
		t.Error("no day has other readings")
	}
}
