package vectortest

import (
	"encoding/json"
	"testing"
)

// TestComparersTellApart: what is expected is the same, and each change of it is not.
func TestComparersTellApart(t *testing.T) {
	life := Simulation{ID: "a", Script: []json.RawMessage{}, Expect: decoded[Outcome](t, []byte(`{
		"charges":[{"repeat":1,"date":"2026-01-10","slot":"2026-01-09","min":"1.00","max":"2.0","kind":"manual","outcome":"declined"}],
		"events":[{"date":"2026-01-10","do":"stop","result":"accepted"}],
		"end":{"status":"stopped","repeat":2,"stop":{"date":"2026-01-10","reasons":["a","b"]}}}`))}
	right := func() Outcome {
		return Outcome{
			Charges: []Charge{{Repeat: 1, Date: "2026-01-10", Slot: "2026-01-09", Min: "1", Max: "2", Kind: "manual", Outcome: "declined"}},
			Events:  []Event{{Date: "2026-01-10", Do: "stop", Result: "accepted"}},
			End:     End{Status: "stopped", Repeat: 2, Stop: &Stop{Date: "2026-01-10", Reasons: []string{"a", "b"}}},
		}
	}
	for name, change := range map[string]func(*Outcome){
		"right": func(*Outcome) {},
		"drawn": func(l *Outcome) { l.Drawn, l.Charges[0].Amount = true, "1.5" },
	} {
		got := right()
		if change(&got); life.difference(got) != "" {
			t.Errorf("%s: %s", name, life.difference(got))
		}
	}
	for name, change := range map[string]func(*Outcome){
		"rejected":        func(l *Outcome) { l.Rejected = true },
		"no charge":       func(l *Outcome) { l.Charges = nil },
		"two charges":     func(l *Outcome) { l.Charges = append(l.Charges, l.Charges[0]) },
		"repeat":          func(l *Outcome) { l.Charges[0].Repeat++ },
		"date":            func(l *Outcome) { l.Charges[0].Date = "2026-01-11" },
		"slot":            func(l *Outcome) { l.Charges[0].Slot = "" },
		"least":           func(l *Outcome) { l.Charges[0].Min = "1.01" },
		"most":            func(l *Outcome) { l.Charges[0].Max = "1.99" },
		"no amount":       func(l *Outcome) { l.Charges[0].Min = "" },
		"no range":        func(l *Outcome) { l.Charges[0].Amount = "1.5" },
		"drawn too low":   func(l *Outcome) { l.Drawn, l.Charges[0].Amount = true, "0.99" },
		"drawn too high":  func(l *Outcome) { l.Drawn, l.Charges[0].Amount = true, "2.01" },
		"drawn, a range":  func(l *Outcome) { l.Drawn = true },
		"kind":            func(l *Outcome) { l.Charges[0].Kind = "automatic" },
		"outcome":         func(l *Outcome) { l.Charges[0].Outcome = "approved" },
		"no event":        func(l *Outcome) { l.Events = nil },
		"another result":  func(l *Outcome) { l.Events[0].Result = "ignored" },
		"status":          func(l *Outcome) { l.End.Status = "active" },
		"repeat at last":  func(l *Outcome) { l.End.Repeat = 1 },
		"no stop":         func(l *Outcome) { l.End.Stop = nil },
		"another day":     func(l *Outcome) { l.End.Stop.Date = "2026-01-11" },
		"one reason less": func(l *Outcome) { l.End.Stop.Reasons = []string{"a"} },
	} {
		got := right()
		if change(&got); life.difference(got) == "" {
			t.Errorf("%s: no difference", name)
		}
	}
	for text, same := range map[string]bool{`{}`: true, `{"stop":null}`: false, `{"stop":{"date":"2026-01-10"}}`: true} {
		if got := decoded[End](t, []byte(text)).met(End{Stop: &Stop{Date: "2026-01-10"}}); got != same {
			t.Errorf("%s: the same is %v", text, got)
		}
	}
	of := func(severity, code, column string) Problem {
		return Problem{Severity: severity, Code: code, Column: column}
	}
	want := Judged{Problems: []Problem{{Severity: "error", Code: "b", Column: "c"}, {Severity: "warning", Code: "a"}}, Rows: 2, Valid: 1}
	for name, got := range map[string]Judged{
		"in any order": {Problems: []Problem{of("warning", "a", "x"), of("error", "b", "c")}, Rows: 2, Valid: 1},
		"severity":     {Problems: []Problem{of("error", "a", "x"), of("error", "b", "c")}, Rows: 2, Valid: 1},
		"column":       {Problems: []Problem{of("warning", "a", "x"), of("error", "b", "")}, Rows: 2, Valid: 1},
		"code":         {Problems: []Problem{of("warning", "aa", "x"), of("error", "b", "c")}, Rows: 2, Valid: 1},
		"one less":     {Problems: []Problem{of("error", "b", "c")}, Rows: 2, Valid: 1},
		"rows":         {Problems: want.Problems, Rows: 1, Valid: 1},
		"valid":        {Problems: want.Problems, Rows: 2, Valid: 2},
	} {
		if want.met(got) != (name == "in any order") {
			t.Errorf("%s: the same is %v", name, want.met(got))
		}
	}
}
