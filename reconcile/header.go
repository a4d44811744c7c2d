package reconcile

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/exportform"
)

// begin reads up to the first line behind the header.
func (r *Reader) begin() error {
	r.text.has(len("Authorization: "))
	foreign := exportform.Foreign(r.text.unread())
	for n := 0; n < r.o.Skip && r.text.has(0); n++ {
		r.text.drop()
	}
	for {
		if !r.text.has(0) {
			if r.text.err == io.EOF {
				return r.fault(ActualEmpty, "", "")
			}
			return r.text.err
		}
		r.line = r.text.line
		end, next, whole := r.text.lineEnd(0)
		if !whole { // it could have named the columns
			return r.fault(ActualHeader, "", "the first line is longer than 1 MiB")
		}
		line := bytes.TrimPrefix(r.text.unread()[:end], []byte(mark))
		switch text := bytes.TrimSpace(line); {
		case len(text) == 0:
			r.text.take(next)
			continue
		case text[0] == '{':
			r.isJSON = true
			return nil
		case text[0] == '[':
			return r.undecided(ActualHeader, columnProfile, "the file is a JSON array", "write each object on a line of its own, without commas between them")
		case foreign != "" && (r.o.Skip == 0 || bytes.IndexByte(text, 0) >= 0):
			return r.undecided(ActualHeader, columnProfile, "the file is neither CSV nor JSON lines", foreign)
		case bytes.IndexByte(text, 0) >= 0:
			return r.undecided(ActualHeader, columnProfile, "the first line has NUL characters, as UTF-16 without a byte-order mark has",
				"say the encoding of the file, such as --encoding utf-16le, or give a text")
		}
		sep, isSep := separatorOf(line)
		if !isSep || r.stops != "" {
			return r.readHeader(line)
		}
		if !slices.Contains(separators[:], sep) {
			return r.undecided(ActualHeader, columnProfile, "the separator of the line sep= is not a semicolon, a comma or a tab", "")
		}
		r.stops = sep + "\r\n"
		r.text.take(next)
	}
}

// separators are those between the values of a line.
var separators = [...]string{";", ",", "\t"}

// separatorOf returns the separator that a line such as sep=; names.
func separatorOf(line []byte) (sep string, ok bool) {
	s := strings.Trim(string(line), `"`)
	if len(s) != len("sep=;") || !strings.EqualFold(s[:4], "sep=") {
		return "", false
	}
	return s[4:], true
}

// readHeader finds the columns in the header, whose first line is given: with the separator that
// gives most of them.
func (r *Reader) readHeader(line []byte) error {
	line = bytes.Clone(line)
	choice := separators[:]
	if r.stops != "" {
		choice = []string{r.stops[:1]}
	}
	var names []string
	most, next := -1, 0
	for _, sep := range choice {
		cells, after, ok := r.text.record(nil, sep+"\r\n", 0)
		if !ok {
			cells = nil
		}
		columns, n := r.columns(cells)
		if n > most {
			r.stops, r.column, most, next = sep+"\r\n", columns, n, after
			names = r.namesOf(cells)
		}
	}
	if err := r.judgeHeader(line, names); err != nil {
		return err
	}
	if next <= len(line)+len(mark)+len("\r\n") { // not one of several lines
		r.header = line
	}
	r.text.take(next)
	return nil
}

// columns returns the column of each cell of a header, and how many have one.
func (r *Reader) columns(cells []cell) (columns []int8, n int) {
	for _, name := range r.namesOf(cells) {
		of := slices.IndexFunc(r.names[:], func(column string) bool { return column != "" && strings.EqualFold(name, column) })
		if columns = append(columns, int8(of)); of >= 0 {
			n++
		}
	}
	return columns, n
}

// namesOf returns the names in a header. A line end within one is LF.
func (r *Reader) namesOf(cells []cell) (names []string) {
	for _, c := range cells {
		name := strings.ReplaceAll(string(c.of(r.text.unread())), "\r\n", "\n")
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// judgeHeader returns what is wrong with the columns of a header.
func (r *Reader) judgeHeader(line []byte, names []string) error {
	var times [columnCount]int
	for _, c := range r.column {
		if c >= 0 {
			times[c]++
		}
	}
	for c, n := range times {
		required := column(c) <= columnAmount
		name := columnNames[c]
		if of := r.names[c]; of != name && of != "" {
			name = strconv.Quote(of) + " for " + name
		}
		switch {
		case n > 1:
			return r.undecided(ActualHeader, column(c), "the first line has the column "+name+" twice", "")
		case n == 0 && required && !utf8.Valid(line):
			return r.undecided(ActualHeader, column(c), "the first line is not UTF-8, and has no column "+name, "say the encoding of the file, such as --encoding windows-1252")
		case n == 0 && required:
			f := r.fault(ActualHeader, columnNames[c], "the first line has no column "+name)
			if shown := shownNames(names); shown != "" {
				f.Help += "; it has: " + shown
			}
			return f
		}
	}
	return nil
}

// shownNames lists names of a header for people: those that are no data.
func shownNames(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return name == "" || len(name) > 40 || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsDigit(r) || !unicode.IsPrint(r) })
	})
	return strings.Join(names[:min(len(names), 12)], ", ")
}
