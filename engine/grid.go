package engine

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// gridOf returns the due days of a profile counted from an anchor; the zero Schedule, which has no
// date, without an automatic schedule.
func gridOf(p *Profile, anchor calendar.Date, pol Policy) calendar.Schedule {
	grid, _ := calendar.NewSchedule(anchor, p.Unit, p.Interval, pol.MonthEnd)
	return grid
}

// hasDueDayIn reports whether a profile has a due day in w.
func hasDueDayIn(p *Profile, s *State, w calendar.Window, pol Policy) bool {
	return p.Automatic() && gridOf(p, s.Anchor, pol).Count(w) > 0
}

// gridClauses are what the due days of a profile rest on; L25 without an automatic schedule.
func gridClauses(p *Profile, anchor calendar.Date) ledger.Because {
	if !p.Automatic() {
		return ledger.On(clause.L25)
	}
	b := ledger.On(clause.Doc221)
	if p.Interval > 1 {
		b = b.With(clause.Doc222)
	}
	if _, _, day := anchor.Date(); p.Unit == calendar.UnitMonth && day > 28 {
		b = b.With(clause.L01)
	}
	return b
}
