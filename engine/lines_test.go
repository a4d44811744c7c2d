package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
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
		{"empty profile", `{"profile":""}`, "json-type"},
		{"empty line", ``, "json-syntax"},
		{"cut", `{"profile":"a"`, "json-syntax"},
		{"cut string", `{"profile":"a`, "json-syntax"},
		{"control character", "{\"profile\":\"a\tb\"}", "json-syntax"},
		{"bad escape", `{"profile":"\x41"}`, "json-syntax"},
		{"missed out of order", `{"profile":"a","missed":[{"from":"2026-01-02","through":"2026-01-01"}]}`, "state-conflict"},
		{"unknown reason", `{"profile":"a","stop":{"date":"2026-01-02","reasons":["bored"]}}`, "state-conflict"},
	} {
		_, err := engine.ParseStateLine([]byte(r.line))
		e, ok := errors.AsType[*engine.LineError](err)
		if !ok || e.Code != r.code || e.Col < 1 || e.Col > len(r.line)+1 {
			t.Errorf("%s: %v", r.reason, err)
		}
	}
}

// TestStateLineRoundTrip: a state survives its line (E20).
func TestStateLineRoundTrip(t *testing.T) {
	states := []engine.State{
		{Status: engine.Active},
		{Status: engine.Active, Repeat: 1<<63 - 1, Anchor: day("2026-01-31"), RanThrough: day("2026-03-01"), Last: day("2026-03-02")},
		{
			Status: engine.Stopped, Repeat: 5, Anchor: day("0001-01-01"), RanThrough: day("9999-12-31"),
			Paid:    []calendar.Date{day("2026-01-01"), day("2026-01-02")},
			Missed:  []calendar.Window{calendar.Through(day("2026-01-03"), day("2026-01-05")), calendar.Through(day("2026-02-03"), day("2026-02-03"))},
			Stop:    engine.Stop{Date: day("2026-02-02"), Reasons: engine.ByMaxRepeats | engine.ByAPI, Because: ledger.On(ledger.L23)},
			Because: ledger.On(ledger.L14, ledger.L71),
		},
	}
	for _, id := range []string{"order-1", `a"b\c`, "ü \u2028\u202e\x1b", "🂡"} {
		for _, s := range states {
			line := engine.AppendStateLine(nil, id, s)
			got, err := engine.ParseStateLine(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if got.Profile != id || diffStored(engine.Stored{State: s}, engine.Stored{State: got.State}) != "" {
				t.Errorf("%s\n%s", line, diffStored(engine.Stored{State: s}, engine.Stored{State: got.State}))
			}
			if again := engine.AppendStateLine(nil, id, got.State); string(again) != string(line) {
				t.Errorf("written again: %s", again)
			}
		}
	}
	if got := engine.AppendStateLine(nil, "a", engine.State{}); len(got) != 0 {
		t.Errorf("a profile that is not created gives %s", got)
	}
}

func TestStateLineSortsPaid(t *testing.T) {
	l, err := engine.ParseStateLine([]byte(`{"profile":"a","paid":["2026-02-01","2026-01-01","2026-02-01"]}`))
	if err != nil || !slices.Equal(l.State.Paid, []calendar.Date{day("2026-01-01"), day("2026-02-01")}) || !l.PaidRepeated {
		t.Errorf("%v, %v (h243)", l, err)
	}
}

// TestScriptLineRefused: what a script line can be wrong in (h246 to h258).
func TestScriptLineRefused(t *testing.T) {
	for _, r := range []struct{ reason, line, code string }{
		{"h249 missing", `{"date":"2026-01-12"}`, "script-verb"},
		{"h249 unknown", `{"date":"2026-01-12","do":"pause"}`, "script-verb"},
		{"h249 case", `{"date":"2026-01-12","do":"Stop"}`, "script-verb"},
		{"h249 both", `{"date":"2026-01-12","do":"stop","repeat":1,"outcome":"declined"}`, "script-verb"},
		{"create is no verb of a script", `{"date":"2026-01-12","do":"create"}`, "script-verb"},
		{"h250 no via", `{"date":"2026-01-12","do":"resume"}`, "script-via"},
		{"h250 case", `{"date":"2026-01-12","do":"resume","via":"UI"}`, "script-via"},
		{"via of a stop", `{"date":"2026-01-12","do":"stop","via":"ui"}`, "script-via"},
		{"h251 case", `{"repeat":1,"outcome":"Declined"}`, "script-outcome"},
		{"h251 no repeat", `{"outcome":"declined"}`, "script-outcome"},
		{"h254 number", `{"date":"2026-01-12","do":"update","set":{"amount":5}}`, "json-type"},
		{"h254 null", `{"date":"2026-01-12","do":"update","set":{"amount":null}}`, "json-type"},
		{"set twice", `{"date":"2026-01-12","do":"update","set":{"amount":"5","amount":"6"}}`, "json-duplicate-field"},
		{"set of a stop", `{"date":"2026-01-12","do":"stop","set":{}}`, "script-verb"},
		{"update without set", `{"date":"2026-01-12","do":"update"}`, "script-verb"},
		{"h258 when", `{"date":"2026-01-12","do":"stop","when":"After"}`, "script-when"},
		{"no date", `{"do":"stop"}`, "date-syntax"},
		{"no day", `{"date":"2026-02-30","do":"stop"}`, "date-not-a-day"},
		{"unknown field", `{"date":"2026-01-12","do":"stop","why":"x"}`, "json-unknown-field"},
		{"repeat of an event", `{"date":"2026-01-12","do":"stop","repeat":1}`, "script-verb"},
		{"negative repeat", `{"repeat":-1,"outcome":"declined"}`, "state-repeat"},
	} {
		_, err := engine.ParseScriptLine([]byte(r.line))
		e, ok := errors.AsType[*engine.LineError](err)
		if !ok || e.Code != r.code {
			t.Errorf("%s: %v", r.reason, err)
		}
	}
}

func TestScriptLine(t *testing.T) {
	l, err := engine.ParseScriptLine([]byte(` {"when":"after", "profile":"a", "do":"update", "date":"2026-01-12", "set":{"amount":"","period":"week"}} `))
	if err != nil {
		t.Fatal(err)
	}
	if l.Profile != "a" || l.Step.Do != engine.DoUpdate || !l.Step.After || l.Step.Date != day("2026-01-12") || l.IsOutcome ||
		!slices.Equal(l.Cells, []engine.Cell{{Column: "amount"}, {Column: "period", Value: "week"}}) {
		t.Errorf("%+v", l)
	}
	l, err = engine.ParseScriptLine([]byte(`{"repeat":3,"outcome":"declined"}`))
	if err != nil || !l.IsOutcome || l.Repeat != 3 || l.Outcome != engine.Declined {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := engine.ParseScriptLine([]byte(`{"date":"2026-01-12","do":"stop","when":"before"}`)); err != nil || l.Step.After {
		t.Errorf("h258: %+v, %v", l, err)
	}
}
