package engine

import (
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The table of states: what each event does to a profile in each status (clause 3 and what the
// ledger adds to it). It is the only source of an event's clauses and of the texts of refusals.

// A situation distinguishes cases of an event within a status.
type situation uint8

const (
	plain situation = iota

	invalid // of an update: the result breaks a rule
	allowed // of a manual charge: manual-when-stopped=allow

	// The columns of an update; one that changes several matches several rows.
	setStart
	setFinish
	setMax
	setAmounts
	setSchedule
)

// A transition is one row of the table.
type transition struct {
	before Status
	do     EventKind
	when   situation
	result Result
	after  Status // unless the event also reaches the cap
	text   string // what happens
	why    ledger.Because
}

const (
	invalidText = "the result would break a rule of 2.1 or 2.2"
	columnText  = "the column changes; the profile stays stopped"
	apiText     = "the API cannot resume a profile; the web UI can"
)

var transitions = [...]transition{

	{StatusActive, EventRun, plain, ResultAccepted, StatusActive, "each due slot not yet paid is charged and counted, whatever its outcome; the profile is stopped at the cap or on finish-date", ledger.On(clause.L32b)},
	{StatusStopped, EventRun, plain, ResultAccepted, StatusStopped, "there is no charge; day and reasons of the stop stay", ledger.On(clause.L32b)},
	{StatusActive, EventNoRun, plain, ResultAccepted, StatusActive, "the day passes without its run", ledger.On(clause.L16b)},
	{StatusStopped, EventNoRun, plain, ResultAccepted, StatusStopped, "the day passes without its run", ledger.On(clause.L16b)},

	{StatusActive, EventCharge, plain, ResultAccepted, StatusActive, "charged at once with the current repeat number; the profile is stopped if that reaches the cap", ledger.On(clause.Doc2210, clause.L20)},
	{StatusStopped, EventCharge, plain, ResultRefused, StatusStopped, "a stopped profile is not charged, unless the policy manual-when-stopped allows it", ledger.On(clause.L21, clause.X10)},
	{StatusStopped, EventCharge, allowed, ResultAccepted, StatusStopped, "charged at once with the current repeat number; the profile stays stopped", ledger.On(clause.Doc2210, clause.L20, clause.L21, clause.X10)},

	{StatusActive, EventStop, plain, ResultAccepted, StatusStopped, "stopped with the reason stopped-by-api", ledger.On(clause.Doc1, clause.L23, clause.L24, clause.X9)},
	{StatusStopped, EventStop, plain, ResultIgnored, StatusStopped, "the profile is stopped already", ledger.On(clause.Doc3, clause.L23)},

	{StatusActive, EventUpdate, plain, ResultAccepted, StatusActive, "nothing changes", ledger.On(clause.X14)},
	{StatusActive, EventUpdate, setStart, ResultAccepted, StatusActive, "due days are counted from the new start-date; repeat number and paid slots stay", ledger.On(clause.L18, clause.X14)},
	{StatusActive, EventUpdate, setFinish, ResultAccepted, StatusActive, "the next run judges the new finish-date", ledger.On(clause.L19, clause.X14)},
	{StatusActive, EventUpdate, setMax, ResultAccepted, StatusActive, "the next run judges the new max-repeats-number", ledger.On(clause.L10, clause.L19, clause.X14)},
	{StatusActive, EventUpdate, setAmounts, ResultAccepted, StatusActive, "the new amounts apply at the same repeat number", ledger.On(clause.L26, clause.X14)},
	{StatusActive, EventUpdate, setSchedule, ResultAccepted, StatusActive, "new due days from the same start; paid slots stay; without a schedule there is no automatic charge", ledger.On(clause.L18, clause.X14)},
	{StatusActive, EventUpdate, invalid, ResultRefused, StatusActive, invalidText, ledger.On(clause.X14)},
	{StatusStopped, EventUpdate, plain, ResultAccepted, StatusStopped, "nothing changes", ledger.On(clause.Doc3)},
	{StatusStopped, EventUpdate, setStart, ResultAccepted, StatusStopped, columnText, ledger.On(clause.Doc3, clause.L18)},
	{StatusStopped, EventUpdate, setFinish, ResultAccepted, StatusStopped, columnText, ledger.On(clause.Doc3, clause.L19)},
	{StatusStopped, EventUpdate, setMax, ResultAccepted, StatusStopped, columnText, ledger.On(clause.Doc3, clause.L10, clause.L19)},
	{StatusStopped, EventUpdate, setAmounts, ResultAccepted, StatusStopped, columnText, ledger.On(clause.Doc3, clause.L26)},
	{StatusStopped, EventUpdate, setSchedule, ResultAccepted, StatusStopped, columnText, ledger.On(clause.Doc3, clause.L18)},
	{StatusStopped, EventUpdate, invalid, ResultRefused, StatusStopped, invalidText, ledger.On(clause.X14)},

	{StatusActive, EventResume, plain, ResultIgnored, StatusActive, "the profile is active already", ledger.On(clause.Doc3, clause.X14)},
	{StatusStopped, EventResume, plain, ResultAccepted, StatusActive, "active with its repeat number, due days and paid slots as the policy says; the next run stops it again if a condition holds", ledger.On(clause.Doc3, clause.L14, clause.L15, clause.L16, clause.L17, clause.X11)},
	{StatusActive, EventResumeByAPI, plain, ResultRefused, StatusActive, apiText, ledger.On(clause.Doc3)},
	{StatusStopped, EventResumeByAPI, plain, ResultRefused, StatusStopped, apiText, ledger.On(clause.Doc3)},
}

// transitionOf returns the row of a status, an event and a situation; the plain row if the status
// has none for the situation.
func transitionOf(before Status, do EventKind, when situation) *transition {
	var found *transition
	for i := range transitions {
		t := &transitions[i]
		if t.before != before || t.do != do {
			continue
		}
		if t.when == when {
			return t
		}
		if t.when == plain {
			found = t
		}
	}
	return found
}
