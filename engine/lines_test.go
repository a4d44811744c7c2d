package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// TestStateLineRefused: what a state line can be wrong in, with its code (h227 to h245).
func TestStateLineRefused(t *testing.T) {
	for _, r := range []struct{ reason, line, code string }{
		{"h227 unknown field", `{"profile":"a","repat":1}`, "json-unknown-field"},
		{"h227 another case", `{"profile":"a","Repeat":1}`, "json-unknown-field"},
		{"h227 upper case", `{"PROFILE":"a"}`, "json-unknown-field"},
		{"h228 twice", `{"profile":"a","repeat":1,"repeat":2}`, "json-duplicate-field"},
		{"h228 twice, escaped", `{"profile":"a","repe\u0061t":1,"repeat":2}`, "json-duplicate-field"},
		{"h229 two objects", `{"profile":"a"}{"profile":"b"}`, "json-syntax"},
		{"h229 text behind", `{"profile":"a"} x`, "json-syntax"},
		{"h230 null", `null`, "json-type"},
		{"h230 list", `[]`, "json-type"},
		{"h230 string", `"x"`, "json-type"},
		{"h230 number", `5`, "json-type"},
		{"h231 trailing comma", `{"profile":"a",}`, "json-syntax"},
		{"h231 comment", `{"profile":"a"} // x`, "json-syntax"},
		{"h231 single quotes", `{'profile':'a'}`, "json-syntax"},
		{"h231 leading zero", `{"profile":"a","repeat":05}`, "json-syntax"},
		{"h231 NaN", `{"profile":"a","repeat":NaN}`, "json-syntax"},
		{"h233 invalid UTF-8", "{\"profile\":\"\xff\"}", "invalid-utf8"},
		{"h233 half a pair", `{"profile":"\ud800"}`, "invalid-utf8"},
		{"h233 two first halves", `{"profile":"\ud800\ud800"}`, "invalid-utf8"},
		{"h233 NUL", `{"profile":"\u0000"}`, "nul-character"},
		{"h235 nesting", strings.Repeat("[", 100_000), "json-syntax"},
		{"h236 negative", `{"profile":"a","repeat":-1}`, "state-repeat"},
		{"h236 point", `{"profile":"a","repeat":1.0}`, "state-repeat"},
		{"h236 exponent", `{"profile":"a","repeat":1e2}`, "state-repeat"},
		{"h236 string", `{"profile":"a","repeat":"5"}`, "json-type"},
		{"h236 null", `{"profile":"a","repeat":null}`, "json-type"},
		{"h236 too large", `{"profile":"a","repeat":9223372036854775808}`, "state-repeat"},
		{"h240 case", `{"profile":"a","status":"Active"}`, "state-status"},
		{"h240 other word", `{"profile":"a","status":"paused"}`, "state-status"},
		{"h240 empty", `{"profile":"a","status":""}`, "state-status"},
		{"h241 no day", `{"profile":"a","ran_through":"2026-02-30"}`, "date-not-a-day"},
		{"h241 year 0", `{"profile":"a","ran_through":"0000-01-01"}`, "date-not-a-day"},
		{"h241 dotted", `{"profile":"a","ran_through":"31.01.2026"}`, "date-syntax"},
		{"h241 compact", `{"profile":"a","ran_through":"20260131"}`, "date-syntax"},
		{"h241 time", `{"profile":"a","ran_through":"2026-01-31T00:00"}`, "date-syntax"},
		{"h259 newer schema", `{"profile":"a","schema":"chargecast.state/2"}`, "json-unknown-field"},
		{"no profile", `{"repeat":1}`, "json-type"},
		{"empty line", ``, "json-syntax"},
		{"cut", `{"profile":"a"`, "json-syntax"},
		{"cut string", `{"profile":"a`, "json-syntax"},
		{"control character", "{\"profile\":\"a\tb\"}", "json-syntax"},
		{"bad escape", `{"profile":"\x41"}`, "json-syntax"},
		{"missed out of order", `{"profile":"a","missed":[{"from":"2026-01-02","through":"2026-01-01"}]}`, "state-conflict"},
		{"unknown reason", `{"profile":"a","stop":{"date":"2026-01-02","reasons":["bored"]}}`, "state-conflict"},
	} {
		_, _, err := engine.ParseStateLine([]byte(r.line))
		e, ok := errors.AsType[ledger.Finding](err)
		if !ok || string(e.Code) != r.code || e.Place.Col < 1 || e.Place.Col > len(r.line)+1 {
			t.Errorf("%s: %v", r.reason, err)
		}
	}
}

// TestStateLineRoundTrip: a state survives its line (E20).
func TestStateLineRoundTrip(t *testing.T) {
	states := []engine.State{
		{Status: engine.StatusActive},
		{Status: engine.StatusActive, Repeat: 1<<63 - 1, Anchor: day("2026-01-31"), RanThrough: day("2026-03-01"), Last: day("2026-03-02")},
		{
			Status: engine.StatusStopped, Repeat: 5, Anchor: day("0001-01-01"), RanThrough: day("9999-12-31"),
			Paid:    []calendar.Date{day("2026-01-01"), day("2026-01-02")},
			Missed:  []calendar.Window{calendar.Through(day("2026-01-03"), day("2026-01-05")), calendar.Through(day("2026-02-03"), day("2026-02-03"))},
			Stop:    engine.Stop{Date: day("2026-02-02"), Reasons: engine.ReasonMaxRepeats | engine.ReasonAPI, Because: ledger.On(clause.L23)},
			Because: ledger.On(clause.L14, clause.L71),
		},
	}
	for _, id := range []string{"order-1", `a"b\c`, "ü \u2028\u202e\x1b", "🂡", ""} {
		for _, s := range states {
			line, err := engine.AppendStateLine(nil, id, s)
			if err != nil {
				t.Fatal(err)
			}
			back, got, err := engine.ParseStateLine(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if back != id || difference(engine.Stored{State: s}, engine.Stored{State: got}) != "" {
				t.Errorf("%s\n%s", line, difference(engine.Stored{State: s}, engine.Stored{State: got}))
			}
			if again, _ := engine.AppendStateLine(nil, id, got); string(again) != string(line) {
				t.Errorf("written again: %s", again)
			}
		}
	}
	if got, err := engine.AppendStateLine(nil, "a", engine.State{}); len(got) != 0 || err != nil {
		t.Errorf("a profile that is not created gives %s", got)
	}
}
