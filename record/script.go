package record

import (
	"encoding/binary"
	"hash/maphash"
	"io"
	"iter"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// ReadScript yields the lines of a script file, one after the other, so that a file of any size can
// be read. Blank lines are skipped. The sequence can be used once. Errors are those of [ReadStates].
func ReadScript(r io.Reader) iter.Seq2[ScriptLine, error] {
	return func(yield func(ScriptLine, error) bool) {
		for l, err := range linesOf(r) {
			var read ScriptLine
			if err == nil {
				read, err = parseScriptLine(l.text)
				err = l.place(err)
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

// WriteScript writes the lines of a script file, as [ReadScript] reads them, in the order given. It
// stops at the first line that cannot be written.
func WriteScript(w io.Writer, lines iter.Seq[ScriptLine]) error {
	return writeLines(w, lines, AppendScriptLine)
}

// A Script is the lines of a script file by profile. They are packed: they take about as much memory
// as the file. The zero value is empty and ready for use. Its methods but Add may be called from
// several goroutines at once.
type Script struct {
	profiles names // without texts
	lists    []list
	lines    []packed
	outcomes []uint32 // 1 + the number of an outcome's line, by hash of what it is for; 0 is free
	counted  int      // outcomes
	cells    texts    // of the updates, by number
}

// A list is the lines of one profile, linked in the order in which they were added.
type list struct{ first, last uint32 }

// A packed line is a line without its profile. The lines of a script differ in little.
type packed struct {
	value  uint64 // the repeat of an outcome; the number of an update's cells
	offset uint64 // of the line in the file
	date   calendar.Date
	line   uint32
	list   uint32 // of its profile
	next   uint32 // 1 + the next line of the profile; 0 for none
	kind   uint8  // the verb; 0 for an outcome
	flags  uint8
}

const (
	flagAfter    = 1 << 0
	flagDeclined = 1 << 1
	channelShift = 2
)

// Add keeps a line. A second outcome for one attempt of a profile is a [ledger.Finding] with the code
// script-outcome-twice, and the first one stays; a line that cannot be written is the error of
// [AppendScriptLine]. Set of a step is not kept, as it is not part of the line.
func (s *Script) Add(l ScriptLine) error {
	if err := l.check(); err != nil {
		return err
	}
	to, known := s.profiles.find(l.Profile)
	if !known {
		to = s.profiles.add(l.Profile, nil)
		s.lists = append(s.lists, list{})
	}
	p := packed{list: uint32(to), date: l.Step.Date, line: uint32(l.Line), offset: uint64(l.Offset), kind: uint8(l.Step.Do)}
	p.flags = uint8(l.Step.Via) << channelShift
	if l.Step.After {
		p.flags |= flagAfter
	}
	if l.IsOutcome {
		p = packed{list: p.list, line: p.line, offset: p.offset, value: l.Repeat, flags: uint8(l.Outcome) * flagDeclined}
		if n, twice := s.outcome(p.list, l.Repeat); twice {
			return twoOutcomes(l, int(s.lines[n].line))
		}
	}
	if l.Step.Do == engine.DoUpdate && !l.IsOutcome {
		p.value = uint64(s.cells.add(packCells(l.Cells)))
	}
	s.link(p)
	if l.IsOutcome {
		s.addOutcome(len(s.lines) - 1)
	}
	return nil
}

func twoOutcomes(l ScriptLine, first int) error {
	f := table.Finding(ScriptOutcomeTwice, "the attempt has an outcome already, on line "+strconv.Itoa(first), "")
	f.Place, f.Kind, f.Subject = ledger.Place{Line: l.Line, Col: 1, Offset: l.Offset}, ledger.SubjectField, "repeat"
	return f
}

// outcome returns the number of the line with the outcome of an attempt.
func (s *Script) outcome(list uint32, repeat uint64) (n int, ok bool) {
	if len(s.outcomes) == 0 {
		return 0, false
	}
	for at := s.slot(list, repeat); ; at = (at + 1) & (len(s.outcomes) - 1) {
		n := s.outcomes[at]
		if n == 0 {
			return 0, false
		}
		if p := &s.lines[n-1]; p.list == list && p.value == repeat {
			return int(n - 1), true
		}
	}
}

// addOutcome enters a line with an outcome.
func (s *Script) addOutcome(n int) {
	if s.counted++; 4*s.counted > 3*len(s.outcomes) {
		old := s.outcomes
		s.outcomes = make([]uint32, max(16, 2*len(old)))
		for _, n := range old {
			if n > 0 {
				s.enterOutcome(int(n - 1))
			}
		}
	}
	s.enterOutcome(n)
}

func (s *Script) enterOutcome(n int) {
	at := s.slot(s.lines[n].list, s.lines[n].value)
	for s.outcomes[at] != 0 {
		at = (at + 1) & (len(s.outcomes) - 1)
	}
	s.outcomes[at] = uint32(n + 1)
}

// slot returns where the search for an attempt begins.
func (s *Script) slot(list uint32, repeat uint64) int {
	return int(maphash.Comparable(s.profiles.seed, attempt{list, repeat}) & uint64(len(s.outcomes)-1))
}

// An attempt is what an outcome is for.
type attempt struct {
	list   uint32
	repeat uint64
}

// packCells returns the cells of an update as texts behind their lengths, and their places.
func packCells(cells []Cell) []byte {
	var b []byte
	for _, c := range cells {
		b = binary.AppendUvarint(appendText(appendText(b, c.Column), c.Value), uint64(c.Col))
	}
	return b
}

func unpackCells(b []byte) (cells []Cell) {
	for len(b) > 0 {
		column, rest := cutText(b)
		value, rest := cutText(rest)
		col, size := binary.Uvarint(rest)
		cells, b = append(cells, Cell{string(column), string(value), int(col)}), rest[size:]
	}
	return cells
}

// link appends a line to the list of its profile.
func (s *Script) link(p packed) {
	to := &s.lists[p.list]
	s.lines = append(s.lines, p)
	n := uint32(len(s.lines))
	if to.first == 0 {
		to.first = n
	} else {
		s.lines[to.last-1].next = n
	}
	to.last = n
}

// Profiles yields the profiles that a line names, in the order of their first lines.
func (s *Script) Profiles() iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range s.lists {
			if name, _ := s.profiles.entry(n); name != "" && !yield(name) {
				return
			}
		}
	}
}

// Lines yields the lines that name a profile, in the order in which they were added; with the empty
// text those for all profiles.
func (s *Script) Lines(profile string) iter.Seq[ScriptLine] {
	return func(yield func(ScriptLine) bool) {
		n, ok := s.profiles.find(profile)
		if !ok {
			return
		}
		for at := s.lists[n].first; at != 0; at = s.lines[at-1].next {
			if !yield(s.line(profile, &s.lines[at-1])) {
				return
			}
		}
	}
}

// Outcome returns the line with the outcome of an attempt of a profile; with the empty text that for
// all profiles.
func (s *Script) Outcome(profile string, repeat uint64) (ScriptLine, bool) {
	if n, ok := s.profiles.find(profile); ok {
		if at, ok := s.outcome(uint32(n), repeat); ok {
			return s.line(profile, &s.lines[at]), true
		}
	}
	return ScriptLine{}, false
}

// line unpacks a line.
func (s *Script) line(profile string, p *packed) ScriptLine {
	l := ScriptLine{Line: int(p.line), Offset: int64(p.offset), Profile: profile}
	switch {
	case p.kind == 0:
		l.IsOutcome, l.Repeat, l.Outcome = true, p.value, engine.Outcome(p.flags/flagDeclined)
		return l
	case p.kind == uint8(engine.DoUpdate):
		l.Cells = unpackCells(s.cells.at(int(p.value)))
	}
	l.Step.Date, l.Step.Do = p.date, engine.Verb(p.kind)
	l.Step.After, l.Step.Via = p.flags&flagAfter != 0, engine.Channel(p.flags>>channelShift)
	return l
}

// MarshalJSON returns an error: scripts are written by [WriteScript].
func (s *Script) MarshalJSON() ([]byte, error) { return nil, errWhole }

// UnmarshalJSON returns an error, as MarshalJSON does.
func (s *Script) UnmarshalJSON([]byte) error { return errWhole }
