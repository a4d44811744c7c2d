package record

import (
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// CheckPaid returns warnings about paid dates of a state that are probably wrong for the profile:
// dates that are not counted (2.2.7), and the first one that is not a due day. It judges only
// states written by hand: a saved state, which names its last day, may have both, from an earlier
// schedule or a counter that was reset.
func (l StateLine) CheckPaid(p engine.Profile, end calendar.MonthEnd) ledger.Findings {
	if len(l.State.Paid) == 0 || !l.State.Last.IsZero() {
		return nil
	}
	var found ledger.Findings
	if n := len(l.State.Paid); l.State.Repeat == 0 {
		dates := " paid dates"
		if n == 1 {
			dates = " paid date"
		}
		found = append(found, l.finding(StatePaidUncounted,
			strconv.Itoa(n)+dates+", but the repeat number is 0: the next charge counts as the first", ""))
	}
	if day, ok := offSchedule(&l.State, p, end); ok {
		found = append(found, l.finding(StatePaidOffSchedule, "the paid date "+day.String()+" is not a due day of the profile", ""))
	}
	return found
}

// offSchedule returns the first paid date that is not a due day, if the due days are known.
func offSchedule(state *engine.State, p engine.Profile, end calendar.MonthEnd) (calendar.Date, bool) {
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

// finding returns a finding about the line.
func (l StateLine) finding(code ledger.Code, message, help string) ledger.Finding {
	f := table.Finding(code, message, help)
	f.Place = ledger.Place{Line: l.Line, Col: 1}
	return f
}
