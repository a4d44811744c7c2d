package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// piped gives at most as much at a time as a pipe does.
type piped struct{ r io.Reader }

func (p piped) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), 64<<10)]) }

// TestLongLines: a line is too long by its length alone, not by the pieces in which it comes:
// a file and a pipe are read alike.
func TestLongLines(t *testing.T) {
	for _, c := range []struct {
		reason string
		text   string
		want   []string
	}{
		{"as long as may be", "a\n" + strings.Repeat("x", maxLine) + "\nb", []string{"1 1", fmt.Sprint("2 ", maxLine), "3 1"}},
		{"one byte more", "a\n" + strings.Repeat("x", maxLine+1) + "\nb", []string{"1 1", "2 limit-line"}},
		{"much longer, with an end", strings.Repeat("x", maxLine+1<<20) + "\nb", []string{"1 limit-line"}},
		{"much longer, the last", "\n" + strings.Repeat("x", maxLine+1<<20), []string{"2 limit-line"}},
	} {
		for name, in := range map[string]io.Reader{
			"file": strings.NewReader(c.text), "pipe": piped{strings.NewReader(c.text)}, "end with the data": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			var got []string
			for number, line := range jsonLines(in, func(number int, code, _ string) { got = append(got, fmt.Sprint(number, " ", code)) }) {
				got = append(got, fmt.Sprint(number, " ", len(line)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: %v, want %v", c.reason, name, got, c.want)
			}
		}
	}
}

// TestCutLine: a line that a broken source cut off is not given, nor is a fault of it told.
func TestCutLine(t *testing.T) {
	for text, want := range map[string][]string{"a\nbc\nde": {"a", "bc"}, "a\nbc\n": {"a", "bc"}, "ab": nil, "": nil} {
		for _, with := range []bool{false, true} {
			in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF))
			if with {
				in = iotest.DataErrReader(in)
			}
			var got []string
			for _, line := range jsonLines(in, func(_ int, code, _ string) { t.Error(code) }) {
				got = append(got, string(line))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}
