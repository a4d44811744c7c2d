package report

import (
	"strings"

	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
)

// The marks of a basis: what has none is stated by the document.
const (
	markInferred = "~"
	markAssumed  = "?"
)

// A line is a line of text for a terminal, which is continued below where it would be too wide.
type line struct {
	termtext.Paint
	b     []byte
	at    int // the column
	width int
	hang  int // where it is continued
}

func (s *sheet) line(hang int) *line {
	return &line{Paint: termtext.Paint(s.options.Color), b: s.b, width: s.options.Width, hang: hang}
}

// add appends a text that has its place.
func (l *line) add(s string) *line { return l.with(append(l.b, s...), s) }

func (l *line) bold(s string) *line  { return l.with(l.Bold(l.b, s), s) }
func (l *line) faint(s string) *line { return l.with(l.Faint(l.b, s), s) }
func (l *line) warn(s string) *line  { return l.with(l.Warn(l.b, s), s) }

// with takes the line with s at its end.
func (l *line) with(b []byte, s string) *line {
	l.b = b
	l.at += termtext.Cells(s)
	return l
}

// remark appends words behind two spaces, on the lines below where they do not fit.
func (l *line) remark(s string) *line { return l.flow("  ", s, l.add) }

// warning is remark in the colour of a warning.
func (l *line) warning(s string) *line { return l.flow("  ", s, l.warn) }

// words goes on with running text.
func (l *line) words(gap, s string) *line { return l.flow(gap, s, l.add) }

func (l *line) flow(gap, s string, add func(string) *line) *line {
	for word := range strings.FieldsSeq(s) {
		if l.at+len(gap)+termtext.Cells(word) > l.width && l.at > l.hang {
			l.below()
			gap = ""
		}
		l.add(gap)
		add(word)
		gap = " "
	}
	return l
}

// below goes on below.
func (l *line) below() *line {
	l.b = append(append(termtext.TrimSpace(l.b), '\n'), strings.Repeat(" ", l.hang)...)
	l.at = l.hang
	return l
}

// mark appends the sign for a basis, or a space.
func (l *line) mark(basis ledger.Basis) *line {
	switch basis {
	case ledger.Inferred:
		return l.faint(markInferred)
	case ledger.Assumed:
		return l.warn(markAssumed)
	}
	return l.add(" ")
}

// end ends the line in its sheet.
func (l *line) end(s *sheet) { s.b = append(termtext.TrimSpace(l.b), '\n') }

// aside appends faint text behind two spaces, on the line below where it does not fit.
func (l *line) aside(s string) *line {
	if l.at+2+termtext.Cells(s) <= l.width {
		return l.faint("  " + s)
	}
	l.below()
	return l.faint(s)
}
