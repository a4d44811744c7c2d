package rules

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// TestCheckedSchedule: a remembered schedule covers a row with the same one and no other, and a card
// that is valid as long as those before it.
func TestCheckedSchedule(t *testing.T) {
	row := func(change func(*record)) *record {
		r := &record{}
		r.Kind, r.Unit, r.Interval, r.MaxRepeats = engine.KindSource, calendar.UnitMonth, 2, engine.AtMost(3)
		r.Start, r.Finish = calendar.MustParse("2026-02-01"), calendar.MustParse("2027-02-01")
		if change != nil {
			change(r)
		}
		return r
	}
	var s checkedSchedule
	if s.covers(row(nil), 0) {
		t.Error("nothing was remembered")
	}
	s.note(row(nil), 0)
	if !s.covers(row(nil), 0) || s.covers(row(nil), 1) {
		t.Error("a row without a card covers those without one")
	}
	for name, change := range map[string]func(*record){
		"kind":               func(r *record) { r.Kind = engine.KindDestination },
		"period":             func(r *record) { r.Unit = calendar.UnitDay },
		"interval":           func(r *record) { r.Interval = 1 },
		"start-date":         func(r *record) { r.Start = r.Start.AddDays(1) },
		"finish-date":        func(r *record) { r.Finish = r.Finish.AddDays(1) },
		"max-repeats-number": func(r *record) { r.MaxRepeats = engine.AtMost(4) },
	} {
		if s.covers(row(change), 0) {
			t.Errorf("a row with another %s is not judged", name)
		}
	}
	for _, c := range []struct {
		reason         string
		card           cardMonth
		covers, leaves cardMonth // the earliest card that is covered then, and the latest that is not
	}{
		{"the first card", 20, 20, 19}, {"a later one says nothing of earlier ones", 30, 20, 19}, {"the same", 20, 20, 19},
		{"an earlier one", 10, 10, 9}, {"none", 0, 10, 9},
	} {
		s.note(row(nil), c.card)
		if !s.covers(row(nil), c.covers) || s.covers(row(nil), c.leaves) || !s.covers(row(nil), c.covers+1) || !s.covers(row(nil), 0) {
			t.Errorf("%s: valid through %d", c.reason, s.through)
		}
	}
	s.note(row(func(r *record) { r.Interval = 1 }), 0)
	if s.covers(row(nil), 0) || s.through != 0 {
		t.Error("another schedule takes the place of the one before")
	}
}

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
		if l.sequenceOf(text) != nil {
			t.Errorf("%.9s: the first row has nothing to share", text)
		}
		s := l.sequenceOf(text)
		if (s != nil) != remembered || l.sequenceOf(text) != s || seen[s] && s != nil {
			t.Errorf("%.9s, %d bytes: %p", text, len(text), s)
		}
		if s != nil && s.String() != text {
			t.Errorf("%.9s is %v", text, s)
		}
		seen[s] = true
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
