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
