package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/report"
)

// outputBuffer is how much is written at once.
const outputBuffer = 64 << 10

// An output collects whole lines and writes them in large pieces, so that the output is
// cut at a line end wherever the program stops. After an error it swallows the rest.
type output struct {
	// b is where lines are appended; the last one may be incomplete.
	b       []byte
	err     error
	w       io.Writer
	limit   int
	writing sync.Mutex
	inLine  bool // what was written does not end with a line end
	wrote   bool // something
	columns int  // where the lines of a text are broken; 0 for not at all
}

// endLine is called where b ends with a line end; it writes when there is enough.
func (o *output) endLine() {
	if len(o.b) >= o.limit {
		o.err = o.flush()
	}
}

// flush writes what is there. The error stays.
func (o *output) flush() error {
	if o.err == nil && len(o.b) > 0 {
		o.writing.Lock()
		b := o.b
		if o.columns > 0 && !termtext.Fits(b, o.columns) {
			b = termtext.AppendFolded(nil, b, o.columns)
		}
		n, err := o.w.Write(b)
		if n > 0 {
			o.wrote = true
			o.inLine = b[n-1] != '\n'
		}
		o.writing.Unlock()
		if err != nil {
			o.err = &writeError{Err: err}
		}
	}
	o.b = o.b[:0]
	return o.err
}

// Write is for texts that are not made line by line, such as help, and for large pieces.
func (o *output) Write(p []byte) (int, error) {
	if len(o.b) == 0 && len(p) >= o.limit {
		o.b = p
		err := o.flush()
		o.b = nil // p belongs to the caller
		return len(p), err
	}
	o.b = append(o.b, p...)
	if len(p) > 0 && p[len(p)-1] == '\n' {
		o.endLine()
	}
	return len(p), o.err
}

// isLost reports whether nothing that is written can arrive and the program is to go on reading all
// the same: its reader has gone, which is not an error.
func (o *output) isLost() bool {
	var write *writeError
	return errors.As(o.err, &write) && write.ClosedPipe()
}

// isTo reports whether the output is written to a regular file, and r reads the same one.
func (o *output) isTo(r io.Reader) bool {
	from, isFile := r.(*os.File)
	if !isFile {
		return false
	}
	read, err := from.Stat()
	return err == nil && o.isFile(read)
}

// isFile reports whether the output is written to a file, which is a regular one.
func (o *output) isFile(file os.FileInfo) bool {
	to, isFile := o.w.(*os.File)
	if !isFile || !file.Mode().IsRegular() {
		return false
	}
	written, err := to.Stat()
	return err == nil && os.SameFile(file, written)
}

// quoted is a file name for a message.
func quoted(name string) string { return `"` + visible(name) + `"` }

// defaultWidth is how wide a terminal is taken to be where that is not known.
const defaultWidth = 80

// width is how many columns tables on stdout may take: those of the terminal.
func (a *app) width() int { return cmp.Or(a.columns, defaultWidth) }

// textColumns is how many columns the lines of texts may take: those of a terminal, and no fewer than tables have; 0 if v
// is not a terminal.
func textColumns(v any) int {
	columns := program.Columns(v)
	if columns == 0 {
		return 0
	}
	return max(report.LeastWidth, columns)
}

// fit breaks the lines of the format "text" that are wider than the terminal.
func (a *app) fit(format string) {
	if format == "text" {
		a.out.columns = a.columns
	}
}

// text returns the painter, and wraps stdout at the terminal's width.
func (a *app) text(colour string) paint {
	a.fit("text")
	return paint{termtext.Paint(a.colourful(colour)), min(cmp.Or(a.columns, defaultWidth), mostReadable)}
}

// mostReadable is how wide running text may be on a wide terminal.
const mostReadable = 100

// A paint puts colours around words, or leaves them off, and breaks running text.
type paint struct {
	colours termtext.Paint
	columns int
}

func (p paint) bold(dst []byte, s string) []byte { return p.colours.Bold(dst, s) }

// wrapped appends running text as lines of their own, each behind indent.
func (p paint) wrapped(dst []byte, indent, s string) []byte {
	return p.hanging(append(dst, indent...), len(indent), s)
}

// leastColumn is how wide a column of running text is at least.
const leastColumn = 24

// hanging goes on with running text at a column and breaks it to lines that begin there; below, where
// the column leaves too little room.
func (p paint) hanging(dst []byte, column int, s string) []byte {
	const below = "      "
	if column > len(below) && p.columns-column < leastColumn {
		dst, column = append(append(termtext.TrimSpace(dst), '\n'), below...), len(below)
	}
	return termtext.AppendHanging(dst, column, p.columns, s)
}

func visible(s string) string              { return termtext.Visible(s) }
func counted(n, noun string) string        { return termtext.Counted(n, noun) }
func pad(s string, width int) string       { return termtext.Pad(s, width) }
func otherReadings(p engine.Policy) string { return words.OtherReadings(p) }

func appendDay(dst []byte, d calendar.Date) []byte { return words.AppendDay(dst, d) }
