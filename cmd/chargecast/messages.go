package main

import (
	"io"

	"github.com/chargecast/chargecast/internal/termtext"
)

// messages writes what is said on stderr. After an error in writing the command goes on, since there
// is nowhere to report it.
type messages struct {
	w     io.Writer
	err   error // the first one in writing
	b     []byte
	shown int // length of the status that is on the terminal
	quiet bool

	columns int // of the terminal; 0 for none, where lines are not broken
}

// line writes one message. Line ends inside are the program's own; whatever stems
// from outside has gone through visible before.
func (m *messages) line(s string) {
	m.clear()
	m.b = append(m.fitted(s), '\n')
	m.flush()
}

// fitted appends a message whose lines fit the terminal, if there is one.
func (m *messages) fitted(s string) []byte {
	if m.columns <= 0 {
		return append(m.b, s...)
	}
	return termtext.AppendFolded(m.b, []byte(s), m.columns)
}

// record writes a line that is for programs, and is not broken.
func (m *messages) record(line []byte) {
	m.clear()
	m.b = append(append(m.b, line...), '\n')
	m.flush()
}

func (m *messages) flush() {
	if len(m.b) > 0 {
		if _, err := m.w.Write(m.b); m.err == nil {
			m.err = err
		}
		m.b = m.b[:0]
	}
}
