package rules

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
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

// TestRepeatedAmounts: rows with the same sequence share it from the second on.
func TestRepeatedAmounts(t *testing.T) {
	var l repeatedAmounts
	seen := map[*amount.Choice]bool{}
	long := strings.Repeat("1,", longestRepeated/2-1) + "12" // as long as may be
	for text, remembered := range map[string]bool{"1.00,2.00": true, "1.00,3.00": true, long: true, long + "3": false} {
		l.judged(text, sequenceFacts{}, true)
		s := l.sequenceOf(text)
		if (s != nil) != remembered || l.sequenceOf(text) != s || seen[s] && s != nil {
			t.Errorf("%.9s, %d bytes: %p", text, len(text), s)
		}
		if s != nil && s.String() != text {
			t.Errorf("%.9s is %v", text, s)
		}
		seen[s] = true
		if l.judged(text, sequenceFacts{}, false); l.sequenceOf(text) != nil {
			t.Errorf("%.9s is shared although something is wrong with it", text)
		}
	}
}

// TestCurrencyTexts: codes are kept in memory of their own, more of them than there is room for too.
func TestCurrencyTexts(t *testing.T) {
	var texts currencyTexts
	for range 3 {
		for i := range 3 * len(texts.codes) {
			code := "C" + string(rune('A'+i))
			if got := texts.kept(code); got != code {
				t.Errorf("%s is %s", code, got)
			}
		}
	}
	for i, code := range texts.codes {
		if code == "" {
			t.Errorf("room %d is not used", i)
		}
	}
	var units minorUnits
	for range 2 {
		for code, digits := range map[string]int{"EUR": 2, "JPY": 0, "KWD": 3} {
			if got, ok := units.of(code); got != digits || !ok {
				t.Errorf("%s has %d decimals, %v", code, got, ok)
			}
		}
		if _, ok := units.of("QQQ"); ok {
			t.Error("QQQ has decimals")
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
