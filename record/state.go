package record

import (
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A StateLine is one line of a state file: the state of a stored profile.
type StateLine struct {
	File    string // that it is from, where there are several; else empty
	Line    int    // of the file, from 1; 0 if it comes from no file
	Offset  int64  // of the line in the file, in bytes from 0
	Profile string // the client-orderid
	State   engine.State
}

// MarshalJSON returns the line as [engine.AppendStateLine] appends it. A profile that is not
// created yet has no state to save: it is [engine.ErrStateConflict].
func (l StateLine) MarshalJSON() ([]byte, error) {
	b, err := engine.AppendStateLine(nil, l.Profile, l.State)
	if err == nil && len(b) == 0 {
		err = &engine.Error{Code: engine.ErrStateConflict}
	}
	return b, err
}

// UnmarshalJSON reads a line as [engine.ParseStateLine] does. On an error l is unchanged.
func (l *StateLine) UnmarshalJSON(data []byte) error {
	profile, state, err := engine.ParseStateLine(data)
	if err == nil {
		*l = StateLine{Profile: profile, State: state}
	}
	return err
}

// ReadStates yields the lines of a state file, one after the other, so that a file of any size can
// be read. Blank lines are skipped. The sequence can be used once.
//
// An error is a [ledger.Finding] with its place, or an error of r. A finding with
// [ledger.SeverityWarning] (a byte-order mark, a paid date that is listed twice) is about the file
// or about the line that follows; with [ledger.SeverityError] the line is left out. Reading goes on
// after both, so a caller that collects findings should stop after as many as it wants; it ends
// after a line longer than [MaxLine] and after an error of r. Two lines for one profile are for
// [StateJoin.Add] to find.
func ReadStates(r io.Reader) iter.Seq2[StateLine, error] {
	return func(yield func(StateLine, error) bool) {
		for l, err := range linesOf(r) {
			var read StateLine
			if err == nil {
				err = l.place(read.UnmarshalJSON(l.text))
			}
			if err == nil && repeats(read.State.Paid) && !yield(StateLine{}, l.place(paidRepeated())) {
				return
			}
			if err == nil {
				read.Line, read.Offset = l.number, l.offset
			}
			if !yield(read, err) {
				return
			}
		}
	}
}

func paidRepeated() error {
	f := table.Finding(codeStatePaidRepeated, "a paid date is listed more than once", "keep one")
	f.Place.Col, f.Kind, f.Subject = 1, ledger.SubjectField, "paid"
	return f
}

// repeats reports whether a date is in list more than once.
func repeats(list []calendar.Date) bool {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, calendar.Date.Compare)
	return len(slices.Compact(sorted)) < len(list)
}

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
		found = append(found, l.finding(codeStatePaidUncounted,
			strconv.Itoa(n)+dates+", but the repeat number is 0: the next charge counts as the first", ""))
	}
	if day, ok := offSchedule(&l.State, p, end); ok {
		found = append(found, l.finding(codeStatePaidOffSchedule, "the paid date "+day.String()+" is not a due day of the profile", ""))
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
	f.Place = ledger.Place{File: l.File, Line: l.Line, Col: 1}
	return f
}
