package reconcile

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/exportform"
)

// FuzzActual: whatever the file, reading ends, and each line is an actual or a finding with a
// place; and as far as encoding/csv reads a text, its records and lines are those of this package.
func FuzzActual(f *testing.F) {
	for _, text := range []string{
		"profile;date;amount\na;2026-01-31;10.00\n", "{\"profile\":\"a\",\"date\":\"2026-01-31\",\"amount\":\"10.00\"}\n",
		"profile;date;amount\n\"a\n\";\"2026-01-31\";\"-1,00\"\"\"", "sep=,\n\"profile\",date,amount\n\ra,2026-01-31,1 €,,\n", "a,\"b\n\nc\",d\n\"", "a,b\"c,\"d\" \n,,\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, file string) {
		n := 0
		for a, err := range Actuals(strings.NewReader(file), ReadOptions{Forms: Forms{Decimal: exportform.Comma}}) {
			if err != nil && !isFinding(err) {
				t.Fatal(err)
			}
			if err == nil && (!a.Date.IsDay() || a.Profile == "" || a.Line < 1) {
				t.Errorf("%+v", a)
			}
			n++
		}
		if n > strings.Count(file, "\n")+strings.Count(file, "\r")+1 {
			t.Errorf("%d of %q", n, file)
		}
		sameAsCSV(t, file)
	})
}

// TestScannerIsThatOfCSV compares the scanner with encoding/csv on every short text of the
// characters that count.
func TestScannerIsThatOfCSV(t *testing.T) {
	const length, letters = 6, "a,\"\n "
	var walk func(text string)
	walk = func(text string) {
		sameAsCSV(t, text)
		for i := 0; i < len(letters) && len(text) < length; i++ {
			walk(text + letters[i:i+1])
		}
	}
	walk("")
}

// A scanned is a line with its cells, or with a problem.
type scanned struct {
	line  int
	cells []string // nil: a problem
}

// blankAtQuote is where the scanner reads what encoding/csv refuses: spaces before and behind a
// quoted value.
var blankAtQuote = regexp.MustCompile(`[ \t]"|"[ \t]`)

// sameAsCSV compares the records of a text behind a header of three columns: those of encoding/csv
// are found whatever the line ends are; a record that it refuses has a problem on its first line,
// but for spaces around quotes, and a quote inside a value that is not the profile; so has a quoted
// value that contains a line with as many separators as a record.
func sameAsCSV(t *testing.T, text string) {
	t.Helper()
	if text = strings.ReplaceAll(text, "\r", ""); len(text) > maxQuoted || strings.Contains(text, mark) || strings.Contains(text, "profile") {
		return
	}
	got := scan(text, "\n")
	for _, end := range []string{"\r\n", "\r"} {
		if other := scan(text, end); !slices.EqualFunc(got, other, scanned.equal) {
			t.Fatalf("%q: %v, and with lines that end with %q %v", text, got, end, other)
		}
	}
	want, refused := scanCSV(text)
	compared := got
	switch {
	case refused > 0:
		want = append(want, scanned{line: refused})
		fallthrough
	case refused < 0:
		compared = got[:min(len(got), len(want))]
	}
	if !slices.EqualFunc(compared, want, scanned.equal) {
		t.Fatalf("%q: %v, and by encoding/csv %v", text, got, want)
	}
}

func (s scanned) equal(other scanned) bool {
	return s.line == other.line && (s.cells == nil) == (other.cells == nil) && slices.Equal(s.cells, other.cells)
}

// scan returns the lines of a body behind a header, with LF for the line ends in values.
func scan(body, end string) (list []scanned) {
	body = strings.ReplaceAll("profile,date,amount\n"+body, "\n", end)
	r := Reader{names: columnNames, text: text{src: bufio.NewReaderSize(strings.NewReader(body), len(body)+16), line: 1}}
	if err := r.begin(); err != nil {
		return nil
	}
	for {
		switch err := r.next(); {
		case err == errNoRecord:
		case err == nil:
			of := scanned{line: r.line, cells: []string{}}
			for _, c := range r.cells {
				of.cells = append(of.cells, strings.ReplaceAll(string(c.of(r.record)), end, "\n"))
			}
			list = append(list, of)
		case isFinding(err):
			list = append(list, scanned{line: r.line})
		default:
			return list
		}
	}
}

// scanCSV returns the records behind the header that encoding/csv finds, up to one that this
// package reads otherwise, and its line: below zero if it may be read.
func scanCSV(body string) (list []scanned, refused int) {
	lines := strings.Split(body, "\n")
	in := csv.NewReader(strings.NewReader(body))
	in.FieldsPerRecord = -1
	for {
		record, err := in.Read()
		if fault, ok := errors.AsType[*csv.ParseError](err); ok {
			refused = fault.StartLine + 1
			inLater := errors.Is(err, csv.ErrBareQuote) && (fault.Line > fault.StartLine || strings.Contains(lines[fault.Line-1][:fault.Column-1], ","))
			if inLater || blankAtQuote.MatchString(strings.Join(lines[fault.StartLine-1:], "\n")) {
				refused = -refused
			}
			return list, refused
		}
		if err == io.EOF {
			return list, 0
		}
		start, _ := in.FieldPos(0)
		of := scanned{line: start + 1, cells: []string{}}
		isQuoted := false
		for i, cell := range record {
			line, column := in.FieldPos(i)
			if isQuoted = strings.HasPrefix(lines[line-1][column-1:], `"`); !isQuoted {
				cell = strings.TrimSpace(cell)
			} else if slices.ContainsFunc(strings.Split(cell, "\n")[1:], func(s string) bool { return strings.Count(s, ",") >= 2 }) {
				return list, start + 1
			}
			of.cells = append(of.cells, cell)
		}
		isBlank := len(record) == 1 && !isQuoted && of.cells[0] == ""
		for len(of.cells) > 3 && of.cells[len(of.cells)-1] == "" {
			of.cells = of.cells[:len(of.cells)-1]
		}
		switch {
		case isBlank || strings.Join(of.cells, "") == "" && len(of.cells) == 3:
			continue
		case len(of.cells) != 3:
			of.cells = nil
		}
		list = append(list, of)
	}
}
