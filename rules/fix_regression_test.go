package rules

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestReportOfBrokenSourceIsNotOK: whatever the source fails with, and wherever.
func TestReportOfBrokenSourceIsNotOK(t *testing.T) {
	text := short + otherRow
	for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF, fmt.Errorf("cut: %w", io.EOF), fmt.Errorf("cut: %w", io.ErrUnexpectedEOF)} {
		for n := range len(text) + 1 {
			report, err := Validate(io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(broken)), Options{Input: CSV})
			if !errors.Is(err, broken) || report.OK() {
				t.Fatalf("%v after %d bytes: %v, OK %v", broken, n, err, report.OK())
			}
		}
	}
}

// TestFixCaseIsOfASCII: a letter that is not of ASCII is not another case of one that is.
func TestFixCaseIsOfASCII(t *testing.T) {
	for column, value := range map[Column]string{Country: "ıt", CardType: "ſrc", Period: "wee\u212a", Currency: "uſd"} {
		in := document(source(values{column: value}))
		if out, changes, _ := fix(t, in, Options{}); out != in || len(changes) > 0 {
			t.Errorf("%v %q: %v", column, value, changes)
		}
	}
}

// TestFixSequenceOfGroupedAmounts: an element with a point between thousands and one without a point
// may be one amount, wherever they are.
func TestFixSequenceOfGroupedAmounts(t *testing.T) {
	for _, value := range []string{"1.000,50", "1.000,50,2.000,75", "1.000, 50, 2.000, 75", "10.00,1.000,50"} {
		in := document(source(values{AmountSequence: value}))
		if out, changes, _ := fix(t, in, Options{}); out != in || len(changes) != 1 || changes[0] != "-decimal-comma 1 amount-sequence" {
			t.Errorf("%q: %v", value, changes)
		}
	}
}
