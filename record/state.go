package record

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A StateLine is one line of a state file: the state of a stored profile.
type StateLine struct {
	Line    int    // of the file, from 1; 0 if it comes from no file
	Offset  int64  // of the line in the file, in bytes from 0
	Profile string // the client-orderid
	State   engine.State
}

// MarshalJSON returns the line as [engine.AppendStateLine] appends it. A profile that is not created
// yet has no state to save: it is [engine.ErrStateConflict].
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
// [States.Add] to find.
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
	f := table.Finding(StatePaidRepeated, "a paid date is listed more than once", "keep one")
	f.Place.Col, f.Kind, f.Subject = 1, ledger.SubjectField, "paid"
	return f
}

// repeats reports whether a date is in list more than once.
func repeats(list []calendar.Date) bool {
	if slices.IsSortedFunc(list, calendar.Date.Compare) {
		return hasNeighbours(list)
	}
	list = slices.Clone(list)
	slices.SortFunc(list, calendar.Date.Compare)
	return hasNeighbours(list)
}

func hasNeighbours(sorted []calendar.Date) bool {
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return true
		}
	}
	return false
}

// WriteStates writes the lines of a state file, as [ReadStates] reads them, in the order given. A
// profile that is not created yet is left out. It stops at the first line that cannot be written.
func WriteStates(w io.Writer, lines iter.Seq[StateLine]) error {
	return writeLines(w, lines, func(dst []byte, l StateLine) ([]byte, error) {
		return engine.AppendStateLine(dst, l.Profile, l.State)
	})
}

// writeLines writes lines in pieces that end with a line end.
func writeLines[L any](w io.Writer, lines iter.Seq[L], appendLine func([]byte, L) ([]byte, error)) error {
	b := make([]byte, 0, bufferSize)
	for l := range lines {
		n := len(b)
		var err error
		if b, err = appendLine(b, l); err != nil {
			_, _ = w.Write(b[:n])
			return err
		}
		if len(b) > n {
			b = append(b, '\n')
		}
		if len(b) >= bufferSize {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(b)
	return err
}

// States are the lines of a state file by profile. They are packed: they take about as much memory
// as the file. The zero value is empty and ready for use. Its methods but Add may be called from
// several goroutines at once.
type States struct{ lines names }

// Len returns the number of profiles.
func (s *States) Len() int { return len(s.lines.places) }

// Add keeps a line. A profile that has a line already is a [ledger.Finding] with the code
// state-profile-duplicate, and the first line stays; a state that cannot be written as a line is the
// error of [engine.AppendStateLine].
func (s *States) Add(l StateLine) error {
	if n, ok := s.lines.find(l.Profile); ok {
		return duplicate(l, s.at(n).Line)
	}
	text, err := l.MarshalJSON()
	if err != nil {
		return err
	}
	packed := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(l.Line)), uint64(l.Offset))
	s.lines.add(l.Profile, append(packed, text[len(stateHead(l.Profile)):]...))
	return nil
}

func duplicate(l StateLine, first int) error {
	f := table.Finding(StateProfileDuplicate, "the profile has a line already, line "+strconv.Itoa(first), "keep one line for each profile")
	f.Place, f.Kind, f.Subject = ledger.Place{Line: l.Line, Col: 1, Offset: l.Offset}, ledger.SubjectField, "profile"
	return f
}

// stateHead is the beginning of a line, which the store leaves out.
func stateHead(profile string) []byte {
	return strictjson.AppendString([]byte(`{"schema":"chargecast.state/1","profile":`), profile)
}

// Lookup returns the line of a profile.
func (s *States) Lookup(profile string) (StateLine, bool) {
	if n, ok := s.lines.find(profile); ok {
		return s.at(n), true
	}
	return StateLine{}, false
}

// All yields the lines in the order in which they were added.
func (s *States) All() iter.Seq[StateLine] {
	return func(yield func(StateLine) bool) {
		for n := range s.lines.places {
			if !yield(s.at(n)) {
				return
			}
		}
	}
}

func (s *States) at(n int) StateLine {
	name, text := s.lines.entry(n)
	number, size := binary.Uvarint(text)
	offset, more := binary.Uvarint(text[size:])
	l := StateLine{Line: int(number), Offset: int64(offset), Profile: name}
	// It was written by Add and can be read.
	_, l.State, _ = engine.ParseStateLine(append(stateHead(""), text[size+more:]...))
	return l
}

var errWhole = errors.New("record: a whole file has no JSON form: write it line by line, as WriteStates and WriteScript do")

// MarshalJSON returns an error: states are written by [WriteStates].
func (s *States) MarshalJSON() ([]byte, error) { return nil, errWhole }

// UnmarshalJSON returns an error, as MarshalJSON does.
func (s *States) UnmarshalJSON([]byte) error { return errWhole }
