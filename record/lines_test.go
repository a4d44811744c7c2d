package record

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/ledger"
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
		{"as long as may be", "a\n" + strings.Repeat("x", MaxLine) + "\nb", []string{"1 1", fmt.Sprint("2 ", MaxLine), "3 1"}},
		{"one byte more", "a\n" + strings.Repeat("x", MaxLine+1) + "\nb", []string{"1 1", "2 limit-line"}},
		{"much longer, with an end", strings.Repeat("x", MaxLine+1<<20) + "\nb", []string{"1 limit-line"}},
		{"much longer, the last", "\n" + strings.Repeat("x", MaxLine+1<<20), []string{"2 limit-line"}},
	} {
		for name, in := range map[string]io.Reader{
			"file": strings.NewReader(c.text), "pipe": piped{strings.NewReader(c.text)}, "end with the data": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			var got []string
			for l, err := range linesOf(in) {
				if f, ok := errors.AsType[ledger.Finding](err); ok {
					got = append(got, fmt.Sprint(f.Place.Line, " ", f.Code))
					continue
				}
				got = append(got, fmt.Sprint(l.number, " ", len(l.text)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: %v, want %v", c.reason, name, got, c.want)
			}
		}
	}
}

// TestCutLine: a line that a broken source cuts off is not yielded, but the error is.
func TestCutLine(t *testing.T) {
	for text, want := range map[string][]string{"a\nbc\nde": {"a", "bc"}, "a\nbc\n": {"a", "bc"}, "ab": nil, "": nil} {
		for _, with := range []bool{false, true} {
			in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF))
			if with {
				in = iotest.DataErrReader(in)
			}
			var got []string
			for l, err := range linesOf(in) {
				if err == nil {
					got = append(got, string(l.text))
				} else if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Error(err)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}
