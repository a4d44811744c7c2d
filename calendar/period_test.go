package calendar

import (
	"testing"
	"time"
)

// Goal: weeks and quarters are those of ISO 8601. Method: all days, compared with package time and
// with a count of the months; the oracle for a quarter is a table.
func TestWeekAndQuarterOfEveryDay(t *testing.T) {
	quarters := [...]int{0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}
	clock := time.Date(1, time.January, 1, 12, 0, 0, 0, time.UTC)
	for d := range (Window{}).Days() {
		year, week := d.ISOWeek()
		if y, w := clock.ISOWeek(); y != year || w != week {
			t.Fatalf("%v is in week %d of %d, time says %d of %d", d, week, year, w, y)
		}
		if got, want := d.Quarter(), quarters[clock.Month()]; got != want {
			t.Fatalf("%v is in quarter %d, want %d", d, got, want)
		}
		clock = clock.Add(24 * time.Hour)
	}
}

func TestZeroDateHasNoWeekAndNoQuarter(t *testing.T) {
	if year, week := (Date{}).ISOWeek(); year != 0 || week != 0 || (Date{}).Quarter() != 0 {
		t.Errorf("week %d of %d, quarter %d", week, year, (Date{}).Quarter())
	}
}
