package laws

import (
	"testing"

	"github.com/chargecast/chargecast/calendar"
)

// TestWindowsInWords: a window to the end of the calendar, which has no day To, was shown as if it had ended before
// the calendar began.
func TestWindowsInWords(t *testing.T) {
	first := calendar.MustParse("9999-12-30")
	list := []calendar.Window{calendar.Through(first, first), calendar.Through(first, calendar.Last())}
	if got := windowsInWords(list); got != "9999-12-30 to 9999-12-30, 9999-12-30 to 9999-12-31" {
		t.Error(got)
	}
}
