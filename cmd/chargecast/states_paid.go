package main

import (
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// warnOfPaid reports paid dates that are probably wrong in a state written by hand. A saved state, which
// names its last day, may have both: of an earlier schedule, or with the counter reset.
func (s *states) warnOfPaid(l record.StateLine, p engine.Profile) {
	if len(l.State.Paid) == 0 || !l.State.Last.IsZero() {
		return
	}
	if l.State.Repeat == 0 {
		s.warn(l.Line, record.StatePaidUncounted, counted(strconv.Itoa(len(l.State.Paid)), "paid date")+
			", but the repeat number is 0: the next charge counts as the first")
	}
	if day, ok := offSchedule(l.State, p, s.monthEnd); ok {
		s.warn(l.Line, record.StatePaidOffSchedule, "the paid date "+day.String()+" is not a due day of the profile")
	}
}

// warn reports a warning with the help of its rule.
func (s *states) warn(line int, code ledger.Code, message string) {
	rule, _ := lookupRule(code)
	s.findings.report(lineWarning(line, code, message, rule.Help))
}

// offSchedule returns the first paid date that is not a due day, if the due days are known.
func offSchedule(state engine.State, p engine.Profile, end calendar.MonthEnd) (calendar.Date, bool) {
	anchor := state.Anchor
	if anchor.IsZero() {
		anchor = p.Start
	}
	days, err := calendar.NewSchedule(anchor, p.Unit, p.Interval, end)
	if err != nil {
		return calendar.Date{}, false // without an automatic schedule, or counted from an unknown day
	}
	for _, d := range state.Paid {
		if _, due := days.Index(d); !due {
			return d, true
		}
	}
	return calendar.Date{}, false
}
