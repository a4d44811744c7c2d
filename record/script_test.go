package record_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

func day(s string) calendar.Date { return calendar.MustParse(s) }

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
		_, err := record.ParseScriptLine([]byte(r.line))
		e, ok := errors.AsType[ledger.Finding](err)
		if !ok || string(e.Code) != r.code {
			t.Errorf("%s: %v", r.reason, err)
		}
	}
}

func TestScriptLine(t *testing.T) {
	l, err := record.ParseScriptLine([]byte(` {"when":"after", "profile":"a", "do":"update", "date":"2026-01-12", "set":{"amount":"","period":"week"}} `))
	if err != nil {
		t.Fatal(err)
	}
	if l.Profile != "a" || l.Step.Kind != engine.EventUpdate || !l.Step.After || l.Step.Date != day("2026-01-12") || l.IsOutcome ||
		!slices.Equal(l.Cells, []record.Cell{{Column: "amount"}, {Column: "period", Value: "week"}}) {
		t.Errorf("%+v", l)
	}
	l, err = record.ParseScriptLine([]byte(`{"repeat":3,"outcome":"declined"}`))
	if err != nil || !l.IsOutcome || l.Repeat != 3 || l.Outcome != engine.OutcomeDeclined {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := record.ParseScriptLine([]byte(`{"date":"2026-01-12","do":"stop","when":"before"}`)); err != nil || l.Step.After {
		t.Errorf("h258: %+v, %v", l, err)
	}
}
