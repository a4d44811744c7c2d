package engine

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// A Transition is one cell of the table of states: what an event does to a profile in
// one status.
type Transition struct {
	Status  Status // before; the zero Status is a profile that is not created
	Do      Verb
	Via     Door // of a resume
	Invalid bool // the profile that results breaks 2.1 or 2.2
	Result  Result
	Next    Status         // afterwards, unless the run stops it
	Text    string         // what happens
	Because ledger.Because // what the cell rests on
}

// Transitions is the whole table of states, every status with every event (clause 3
// and what the ledger adds to it). [Apply] does what it says.
func Transitions() iter.Seq[Transition] { return slices.Values(transitions[:]) }

const unknown = "there is no such profile yet"

var transitions = [...]Transition{
	{0, DoCreate, 0, false, Accepted, Active, "counter 0, grid from start-date, else as-of; that day's run follows", ledger.On(ledger.Doc1, ledger.Doc227, ledger.L02, ledger.L03, ledger.X14)},
	{Active, DoCreate, 0, false, Refused, Active, "the profile exists", ledger.On(ledger.Doc41, ledger.X14)},
	{Stopped, DoCreate, 0, false, Refused, Stopped, "the profile exists", ledger.On(ledger.Doc41, ledger.X14)},
	{0, DoCreate, 0, true, Refused, 0, "the whole batch fails", ledger.On(ledger.L48)},

	{0, DoRun, 0, false, Ignored, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoRun, 0, false, Accepted, Active, "each due slot not yet paid is charged and counted, whatever its outcome; stopped at the cap or on finish-date", ledger.On(ledger.Doc227, ledger.Doc228, ledger.Doc229, ledger.Doc2210, ledger.L13, ledger.L32b)},
	{Stopped, DoRun, 0, false, Accepted, Stopped, "no charge; date and reasons of the stop stay", ledger.On(ledger.Doc228, ledger.Doc3, ledger.L16)},
	{0, DoNoRun, 0, false, Ignored, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoNoRun, 0, false, Accepted, Active, "the day passes without its run", ledger.On(ledger.L16b)},
	{Stopped, DoNoRun, 0, false, Accepted, Stopped, "the day passes without its run, which would have charged nothing", ledger.On(ledger.L16)},

	{0, DoCharge, 0, false, Refused, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoCharge, 0, false, Accepted, Active, "charged by hand with the current repeat number and counted, the day's slot not taken; stopped at once at the cap", ledger.On(ledger.Doc2210, ledger.L20, ledger.L22)},
	{Stopped, DoCharge, 0, false, Refused, Stopped, "refused, unless the policy allows it", ledger.On(ledger.L21, ledger.X10)},

	{0, DoStop, 0, false, Refused, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoStop, 0, false, Accepted, Stopped, "stopped with the reason stopped-by-api", ledger.On(ledger.Doc1, ledger.L23, ledger.X9)},
	{Stopped, DoStop, 0, false, Ignored, Stopped, "stopped already", ledger.On(ledger.Doc3, ledger.L23)},

	{0, DoUpdate, 0, false, Refused, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoUpdate, 0, false, Accepted, Active, "a new start-date moves the grid; counter and paid slots stay; finish-date and max-repeats-number are judged at the next run; new amounts apply at the same repeat number", ledger.On(ledger.L18, ledger.L19, ledger.L10, ledger.L26)},
	{Stopped, DoUpdate, 0, false, Accepted, Stopped, "the columns change, the profile stays stopped", ledger.On(ledger.Doc3)},
	{0, DoUpdate, 0, true, Refused, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoUpdate, 0, true, Refused, Active, "a result that breaks 2.1 or 2.2 changes nothing", ledger.On(ledger.Doc223, ledger.X14)},
	{Stopped, DoUpdate, 0, true, Refused, Stopped, "a result that breaks 2.1 or 2.2 changes nothing", ledger.On(ledger.Doc223, ledger.X14)},

	{0, DoResume, ViaUI, false, Refused, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoResume, ViaUI, false, Ignored, Active, "active already", ledger.On(ledger.Doc3, ledger.X14)},
	{Stopped, DoResume, ViaUI, false, Accepted, Active, "active with its counter, grid and paid slots; missed days are not charged; stopped again by the next run if a condition holds", ledger.On(ledger.Doc3, ledger.L14, ledger.L15, ledger.L16, ledger.L17, ledger.X11)},
	{0, DoResume, ViaAPI, false, Refused, 0, unknown, ledger.On(ledger.Doc41, ledger.X14)},
	{Active, DoResume, ViaAPI, false, Refused, Active, "the API cannot resume", ledger.On(ledger.Doc3)},
	{Stopped, DoResume, ViaAPI, false, Refused, Stopped, "the API cannot resume", ledger.On(ledger.Doc3)},
}
