package rules

import (
	"strconv"
	"testing"
)

// TestForecastsOfEqualRows: a schedule with something to report is reported of every row that has it.
func TestForecastsOfEqualRows(t *testing.T) {
	var rows []values
	for i := range 5 {
		rows = append(rows, source(values{ColumnOrderID: "order-" + strconv.Itoa(i), ColumnMaxRepeatsNumber: "9000000"}))
	}
	ps := judge(document(rows...), options()).problems
	if len(ps) != len(rows) {
		t.Fatal(ps.Unwrap())
	}
	for i, p := range ps {
		if p.Code != MaxRepeatsUnreachable || p.Place.Row != i+1 {
			t.Errorf("row %d: %v", i+1, p)
		}
	}
}

// TestIsAbove: ids rise by their length first.
func TestIsAbove(t *testing.T) {
	rising := []string{"", "9", "a", "10", "11", "b0", "100"}
	for i, low := range rising {
		for j, high := range rising {
			if isAbove(high, low) != (j > i) {
				t.Errorf("%q above %q: %v", high, low, j <= i)
			}
		}
	}
}
