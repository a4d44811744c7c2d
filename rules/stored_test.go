package rules

import (
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// TestStored: of a profile that goes on from a state the engine is asked from there, and
// nothing that is about its creation.
func TestStored(t *testing.T) {
	day := calendar.MustParse
	active := func(repeat uint64) engine.State {
		return engine.State{Status: engine.StatusActive, Repeat: repeat, RanThrough: day("2026-03-09")}
	}
	for _, c := range []struct {
		name   string
		change values
		state  engine.State
		fresh  string // the same row of a new profile
		want   string
		says   string
	}{
		{"start in the past", values{ColumnStartDate: "31.01.2025", ColumnFinishDate: ""}, active(3), "W start-past", "A", ""},
		{"card", values{ColumnExpireYear: "2026", ColumnExpireMonth: "04", ColumnStartDate: "31.03.2026", ColumnFinishDate: "", ColumnMaxRepeatsNumber: ""}, active(6),
			"W card-expires-before-charge", "W card-expires-before-charge", "before charge 9 (repeat 8) on 2026-05-31"},
		{"card, and the last charge comes before", values{ColumnExpireYear: "2026", ColumnExpireMonth: "04", ColumnStartDate: "31.03.2026", ColumnFinishDate: ""}, active(10),
			"W card-expires-before-charge", "A", ""},
		{"the cap comes first now", values{ColumnStartDate: "31.03.2026", ColumnFinishDate: "31.05.2026"}, active(10), "W max-repeats-unreachable", "A", ""},
		{"the cap comes first for new ones only", values{ColumnStartDate: "31.03.2026", ColumnFinishDate: "31.05.2026", ColumnMaxRepeatsNumber: "2"}, active(0), "A", "A", ""},
		{"the cap was reached", values{ColumnStartDate: "31.03.2026", ColumnFinishDate: ""}, active(12), "A", "A", ""},
		{"stopped", values{ColumnExpireYear: "2026", ColumnExpireMonth: "04", ColumnStartDate: "31.03.2026", ColumnFinishDate: "", ColumnMaxRepeatsNumber: ""},
			engine.State{Status: engine.StatusStopped, RanThrough: day("2026-03-09")}, "W card-expires-before-charge", "A", ""},
		{"state at odds with itself", values{ColumnStartDate: "31.03.2026", ColumnFinishDate: ""},
			engine.State{Status: engine.StatusActive, RanThrough: day("2030-01-01")}, "A", "A", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options()
			o.AsOf = day("2026-03-10")
			text := document(source(c.change))
			if got := verdict(judge(text, o).problems); got != c.fresh {
				t.Errorf("new: %s; want %s", got, c.fresh)
			}
			o.State = func(id string) (engine.State, bool) { return c.state, id == "order-1" }
			j := judge(text, o)
			if got := verdict(j.problems); got != c.want || len(j.rows) != 1 {
				t.Errorf("stored: %s, %d rows; want %s", got, len(j.rows), c.want)
			}
			if c.says != "" && !strings.Contains(j.problems[0].Message, c.says) {
				t.Errorf("stored: %s; want %s", j.problems[0].Message, c.says)
			}
		})
	}
}

// TestStoredUnderRefusals: what a policy refuses is to create a profile.
func TestStoredUnderRefusals(t *testing.T) {
	o := options()
	o.AsOf = calendar.MustParse("2026-03-10")
	o.Policy = engine.Policy{StartPast: engine.StartPastReject, StartAbsent: engine.StartAbsentReject}
	text := document(source(values{ColumnStartDate: "31.01.2025"}))
	if err := judge(text, o).problems.Err(); !errors.Is(err, StartPast) {
		t.Error("new:", err)
	}
	o.State = func(string) (engine.State, bool) { return engine.State{Status: engine.StatusActive, Repeat: 2}, true }
	if j := judge(text, o); len(j.rows) != 1 || j.problems.Err() != nil {
		t.Error("stored:", verdict(j.problems))
	}
}
