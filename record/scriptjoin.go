package record

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A Script is what happens to one profile besides its daily runs: the Steps and Outcomes of an
// [engine.Simulation]. The zero Script is nothing.
type Script struct {
	Steps    []engine.Step
	Outcomes map[uint64]engine.Outcome
}

// A ScriptJoin gives each profile the script of a simulation, and finds the lines that have no
// effect. The zero value is empty and ready for use: Add every line, then Join every profile, and
// say which attempts it had with Attempted; then ask for the lines that are Unused. Its errors are
// a [ledger.Finding] with the line of the script.
type ScriptJoin struct {
	profiles []string // those that a line names, in the order of their first lines
	lines    map[string]*joinedLines
	outcomes map[attempt]int // the number of the line in the list of the profile
	shared   *Script         // of the profiles that no line names, once it is made
}

// joinedLines are the lines about a profile, or about all, and what became of them.
type joinedLines struct {
	list         []keptLine
	met, skipped bool // a profile was joined, or skipped
}

// An attempt is what an outcome is for.
type attempt struct {
	profile string
	repeat  uint64
}

// A keptLine is a line without its profile. A Step has what an update sets, and is three times as
// large.
type keptLine struct {
	line      int
	cells     []Cell
	repeat    uint64
	date      calendar.Date
	do        engine.EventKind
	after     bool
	isOutcome bool
	outcome   engine.Outcome
	used      bool // an attempt had the outcome
}

// Add keeps a line. A second outcome for one attempt of a profile is script-outcome-twice, and the
// first one stays; so is an outcome of a file for one profile where a line that is of no file, such
// as a flag, has one for all. Set of a step is not kept, as it is not part of the line.
func (j *ScriptJoin) Add(l ScriptLine) error {
	if j.lines == nil {
		j.lines, j.outcomes = map[string]*joinedLines{}, map[attempt]int{}
	}
	of := j.lines[l.Profile]
	if l.IsOutcome {
		to := attempt{l.Profile, l.Repeat}
		if n, twice := j.outcomes[to]; twice {
			return twoOutcomes(l, of.list[n].line)
		}
		if n, forAll := j.outcomes[attempt{repeat: l.Repeat}]; forAll && l.Line > 0 && j.lines[""].list[n].line == 0 {
			return twoOutcomes(l, 0)
		}
		j.outcomes[to] = 0
		if of != nil {
			j.outcomes[to] = len(of.list)
		}
	}
	if of == nil {
		of = new(joinedLines)
		j.lines[l.Profile] = of
		if l.Profile != "" {
			j.profiles = append(j.profiles, l.Profile)
		}
	}
	of.list = append(of.list, keptLine{
		l.Line, l.Cells, l.Repeat, l.Step.Date, l.Step.Kind, l.Step.After, l.IsOutcome, l.Outcome, false,
	})
	return nil
}

func twoOutcomes(l ScriptLine, first int) error {
	message := "the attempt has an outcome already"
	if first > 0 { // of the file
		message += ", on line " + strconv.Itoa(first)
	}
	f := table.Finding(codeScriptOutcomeTwice, message, "")
	f.Place, f.Kind, f.Subject = ledger.Place{Line: l.Line, Col: 1, Offset: l.Offset}, ledger.SubjectField, "repeat"
	return f
}

// Join returns the script of a profile: the lines about all and about it, in the order of the file.
// An outcome that names the profile wins. update returns what the columns of an update set. What is
// returned must not be changed.
func (j *ScriptJoin) Join(profile string, update func([]Cell) engine.Update) Script {
	own := j.lines[profile]
	if profile == "" {
		own = nil // these are for all
	}
	if own == nil && j.shared != nil {
		return *j.shared
	}
	if own != nil {
		own.met = true
	}
	of := Script{Outcomes: map[uint64]engine.Outcome{}}
	var events []*keptLine
	for _, lines := range [...]*joinedLines{j.lines[""], own} {
		if lines == nil {
			continue
		}
		for i := range lines.list {
			if k := &lines.list[i]; k.isOutcome {
				of.Outcomes[k.repeat] = k.outcome
			} else {
				events = append(events, k)
			}
		}
	}
	slices.SortStableFunc(events, func(a, b *keptLine) int { return cmp.Compare(a.line, b.line) })
	of.Steps = make([]engine.Step, len(events))
	for i, k := range events {
		of.Steps[i] = engine.Step{Event: engine.Event{Date: k.date, Kind: k.do}, After: k.after}
		if k.do == engine.EventUpdate {
			of.Steps[i].Update = update(k.cells)
		}
	}
	if own == nil {
		j.shared = &of
	}
	return of
}

// Skip notes that the payload has the profile, though it is not simulated.
func (j *ScriptJoin) Skip(profile string) {
	if of := j.lines[profile]; of != nil && profile != "" {
		of.skipped = true
	}
}

// Attempted notes that a profile had an attempt with this repeat number. The outcome for all counts
// as used where that of the profile came before it.
func (j *ScriptJoin) Attempted(profile string, repeat uint64) {
	for _, name := range [...]string{"", profile} {
		if n, ok := j.outcomes[attempt{name, repeat}]; ok {
			j.lines[name].list[n].used = true
		}
	}
}

// Unused yields a warning for each profile that a line names and that was neither joined nor
// skipped, script-profile-unknown, in the order of the lines.
func (j *ScriptJoin) Unused() iter.Seq[ledger.Finding] {
	return func(yield func(ledger.Finding) bool) {
		for _, profile := range j.profiles {
			of := j.lines[profile]
			if !of.met && !of.skipped && !yield(scriptFinding(of.list[0].line, codeScriptProfileUnknown,
				"no row of the payload that can be used has this profile as client-orderid", "compare it with the client-orderid of the rows")) {
				return
			}
		}
	}
}

// UnusedLines counts the lines that had no effect: those of a profile that was neither joined nor
// skipped, and outcomes that no attempt of the profiles that were joined had.
func (j *ScriptJoin) UnusedLines() (n uint64) {
	for profile, of := range j.lines {
		for i := range of.list {
			if k := &of.list[i]; !of.skipped && (profile != "" && !of.met || k.isOutcome && !k.used) {
				n++
			}
		}
	}
	return n
}

func scriptFinding(line int, code ledger.Code, message, help string) ledger.Finding {
	f := table.Finding(code, message, help)
	f.Place = ledger.Place{Line: line, Col: 1}
	return f
}
