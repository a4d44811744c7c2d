package main

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/chargecast/chargecast/ledger"
)

// maxLine is the longest line of a state or script file: a million paid dates fit.
const maxLine = 16 << 20

// jsonLines gives the lines of a state or script file that are not blank, with their
// numbers from 1, without line ends and byte-order mark. A line is good until the
// next one. The sequence is for one use; it ends at a line that is too long, and at one
// that a broken r cut off, of which nothing can be said.
func jsonLines(r io.Reader, warn func(line int, code, text string)) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		buf := make([]byte, 0, 64<<10)
		start, number, eof := 0, 0, false
		var err error
		seen := 0 // bytes from start on that hold no line end: looked at once, however they come
		tooLong := func() { warn(number, "limit-line", "the line is longer than 16 MiB, which no field needs") }
		for {
			end := bytes.IndexByte(buf[start+seen:], '\n')
			if end < 0 && !eof {
				if start > 0 {
					buf, start = append(buf[:0], buf[start:]...), 0
				}
				seen = len(buf)
				if len(buf) > maxLine {
					number++
					tooLong()
					return
				}
				buf, err = more(r, buf)
				eof = err != nil
				continue
			}
			if end < 0 && err != io.EOF {
				return
			}
			if end += seen; end < seen {
				end = len(buf) - start
			}
			seen = 0
			line := buf[start : start+end]
			start = min(start+end+1, len(buf))
			number++
			if len(line) > maxLine { // its end came with the bytes that made it too long
				tooLong()
				return
			}
			if rest, ok := bytes.CutPrefix(line, []byte("\ufeff")); ok && number == 1 {
				warn(1, "byte-order-mark", "the file begins with a byte-order mark, which was left out")
				line = rest
			}
			line = bytes.TrimSuffix(line, []byte("\r"))
			if len(bytes.Trim(line, " \t")) > 0 && !yield(number, line) {
				return
			}
			if eof && start == len(buf) {
				return
			}
		}
	}
}

// more reads on behind buf.
func more(r io.Reader, buf []byte) ([]byte, error) {
	if len(buf) == cap(buf) {
		buf = append(buf, make([]byte, len(buf))...)[:len(buf)]
	}
	n, err := r.Read(buf[len(buf):cap(buf)])
	return buf[:len(buf)+n], err
}

// lineProblem is a finding in a state or script file as it is told.
func lineProblem(file string, line, col int, severity, code, text string) string {
	s := file
	if line > 0 {
		s += ":" + strconv.Itoa(line)
	}
	if col > 0 {
		s += ":" + strconv.Itoa(col)
	}
	return s + ": " + severity + ": " + code + ": " + text
}

// tellLineError reports what is wrong with a line.
func (m *messages) tellLineError(file string, line int, err error) {
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		m.line(lineProblem(file, line, 0, "error", "json-syntax", "the line cannot be read"))
		return
	}
	text := f.Message
	if f.Subject != "" {
		text = f.Subject + ": " + text
	}
	m.line(lineProblem(file, line, f.Place.Col, "error", string(f.Code), text))
	if f.Help != "" {
		m.line("  help: " + f.Help)
	}
}
