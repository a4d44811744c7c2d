package engine

import (
	"iter"
	"slices"
)

// A Transition is one cell of the table of states: what an event does to a profile in
// one status.
type Transition struct {
	Status  Status // before; the zero Status is a profile that is not created
	Do      Verb
	Via     Door // of a resume
	Invalid bool // the profile that results breaks 2.1 or 2.2
	Result  Result
	Next    Status  // afterwards, unless the run stops it
	Text    string  // what happens
	Because Because // what the cell rests on
}

// Transitions is the whole table of states, every status with every event (clause 3
// and what the ledger adds to it). [Apply] does what it says.
func Transitions() iter.Seq[Transition] { return slices.Values(transitions[:]) }

const unknown = "there is no such profile yet"

var transitions = [...]Transition{
	{0, DoCreate, 0, false, Accepted, Active, "counter 0, grid from start-date, else as-of; that day's run follows", On(Doc1, Doc227, L02, L03, X14)},
	{Active, DoCreate, 0, false, Refused, Active, "the profile exists", On(Doc41, X14)},
	{Stopped, DoCreate, 0, false, Refused, Stopped, "the profile exists", On(Doc41, X14)},
	{0, DoCreate, 0, true, Refused, 0, "the whole batch fails", On(L48)},

	{0, DoRun, 0, false, Ignored, 0, unknown, On(Doc41, X14)},
	{Active, DoRun, 0, false, Accepted, Active, "each due slot not yet paid is charged and counted, whatever its outcome; stopped at the cap or on finish-date", On(Doc227, Doc228, Doc229, Doc2210, L13, L32b)},
	{Stopped, DoRun, 0, false, Accepted, Stopped, "no charge; date and reasons of the stop stay", On(Doc228, Doc3, L16)},
	{0, DoNoRun, 0, false, Ignored, 0, unknown, On(Doc41, X14)},
	{Active, DoNoRun, 0, false, Accepted, Active, "the day passes without its run", On(L16b)},
	{Stopped, DoNoRun, 0, false, Accepted, Stopped, "the day passes without its run, which would have charged nothing", On(L16)},

	{0, DoCharge, 0, false, Refused, 0, unknown, On(Doc41, X14)},
	{Active, DoCharge, 0, false, Accepted, Active, "charged by hand with the current repeat number and counted, the day's slot not taken; stopped at once at the cap", On(Doc2210, L20, L22)},
	{Stopped, DoCharge, 0, false, Refused, Stopped, "refused, unless the policy allows it", On(L21, X10)},

	{0, DoStop, 0, false, Refused, 0, unknown, On(Doc41, X14)},
	{Active, DoStop, 0, false, Accepted, Stopped, "stopped with the reason stopped-by-api", On(Doc1, L23, X9)},
	{Stopped, DoStop, 0, false, Ignored, Stopped, "stopped already", On(Doc3, L23)},

	{0, DoUpdate, 0, false, Refused, 0, unknown, On(Doc41, X14)},
	{Active, DoUpdate, 0, false, Accepted, Active, "a new start-date moves the grid; counter and paid slots stay; finish-date and max-repeats-number are judged at the next run; new amounts apply at the same repeat number", On(L18, L19, L10, L26)},
	{Stopped, DoUpdate, 0, false, Accepted, Stopped, "the columns change, the profile stays stopped", On(Doc3)},
	{0, DoUpdate, 0, true, Refused, 0, unknown, On(Doc41, X14)},
	{Active, DoUpdate, 0, true, Refused, Active, "a result that breaks 2.1 or 2.2 changes nothing", On(Doc223, X14)},
	{Stopped, DoUpdate, 0, true, Refused, Stopped, "a result that breaks 2.1 or 2.2 changes nothing", On(Doc223, X14)},

	{0, DoResume, ViaUI, false, Refused, 0, unknown, On(Doc41, X14)},
	{Active, DoResume, ViaUI, false, Ignored, Active, "active already", On(Doc3, X14)},
	{Stopped, DoResume, ViaUI, false, Accepted, Active, "active with its counter, grid and paid slots; missed days are not charged; stopped again by the next run if a condition holds", On(Doc3, L14, L15, L16, L17, X11)},
	{0, DoResume, ViaAPI, false, Refused, 0, unknown, On(Doc41, X14)},
	{Active, DoResume, ViaAPI, false, Refused, Active, "the API cannot resume", On(Doc3)},
	{Stopped, DoResume, ViaAPI, false, Refused, Stopped, "the API cannot resume", On(Doc3)},
}
