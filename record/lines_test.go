package record_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// piped gives at most as much at a time as a pipe does.
type piped struct{ r io.Reader }

func (p piped) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), 64<<10)]) }

// outcomeLine is the script line of an outcome, filled up with spaces.
func outcomeLine(repeat, length int) string {
	text := fmt.Sprintf(`{"repeat":%d,"outcome":"declined"}`, repeat)
	return text + strings.Repeat(" ", max(0, length-len(text)))
}

// TestLongLines: a line is too long by its length alone, not by the pieces in which it comes:
// a file and a pipe are read alike.
func TestLongLines(t *testing.T) {
	for _, c := range []struct {
		reason string
		text   string
		want   []string
	}{
		{"as long as may be", outcomeLine(7, 0) + "\n" + outcomeLine(8, record.MaxLine) + "\n" + outcomeLine(9, 0), []string{"1 7", "2 8", "3 9"}},
		{"one byte more", outcomeLine(7, 0) + "\n" + outcomeLine(8, record.MaxLine+1) + "\n" + outcomeLine(9, 0), []string{"1 7", "2 limit-line"}},
		{"much longer, with an end", outcomeLine(7, record.MaxLine+1<<20) + "\n" + outcomeLine(8, 0), []string{"1 limit-line"}},
		{"much longer, the last", "\n" + outcomeLine(7, record.MaxLine+1<<20), []string{"2 limit-line"}},
	} {
		for name, in := range map[string]io.Reader{
			"file": strings.NewReader(c.text), "pipe": piped{strings.NewReader(c.text)}, "end with the data": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			var got []string
			for l, err := range record.ReadScript(in) {
				if f, ok := errors.AsType[ledger.Finding](err); ok {
					got = append(got, fmt.Sprint(f.Place.Line, " ", f.Code))
					continue
				}
				got = append(got, fmt.Sprint(l.Line, " ", l.Repeat))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: %v, want %v", c.reason, name, got, c.want)
			}
		}
	}
}

// TestCutLine: a line that a broken source cuts off is not yielded, even if what is left of it can be
// read, but the error is.
func TestCutLine(t *testing.T) {
	a, b := outcomeLine(1, 0), outcomeLine(2, 0)
	for text, want := range map[string][]uint64{
		a + "\n" + b + "\n" + outcomeLine(3, 0): {1, 2}, a + "\n" + b + "\n": {1, 2}, a: nil, "": nil,
	} {
		for _, with := range []bool{false, true} {
			in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF))
			if with {
				in = iotest.DataErrReader(in)
			}
			var got []uint64
			failed := 0
			for l, err := range record.ReadScript(in) {
				switch {
				case err == nil:
					got = append(got, l.Repeat)
				case errors.Is(err, io.ErrUnexpectedEOF):
					failed++
				default:
					t.Error(err)
				}
			}
			if !slices.Equal(got, want) || failed != 1 {
				t.Errorf("%q: %v, want %v; %d errors", text, got, want, failed)
			}
		}
	}
}
