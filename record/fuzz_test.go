package record_test

import (
	"encoding/json"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// FuzzScriptLine_Parse_JSON: a script line that is read is a JSON object with the same words.
func FuzzScriptLine_Parse_JSON(f *testing.F) {
	for _, s := range []string{
		`{"date":"2026-01-14","do":"resume","via":"ui"}`, `{"date":"2026-01-14","do":"resume","via":"api"}`, `{"date":"2026-01-11","do":"charge","when":"after"}`, `{"date":"2026-01-12","do":"stop"}`,
		`{"date":"2026-01-12","do":"run"}`, `{"date":"2026-01-12","do":"no-run"}`, `{"repeat":1,"outcome":"declined"}`, `{"profile":"a","repeat":2,"outcome":"approved"}`,
		`{"date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026","amount":"","period":"week","interval":"2","amount-sequence":"1.00,2.00"}}`,
		`{"date":"2026-01-14","do":"Stop"}`, `{"do":"stop"}`, `{"date":"2026-01-14","do":"stop","outcome":"declined"}`, `{"date":"2026-01-14","do":"update","set":{"amount":5}}`, `{"date":"31.01.2026","do":"stop"}`, `{}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := record.ParseScriptLine(data)
		if err != nil {
			return
		}
		var object struct {
			Profile, Do, Via, When, Outcome string
			Set                             map[string]string
		}
		if err := json.Unmarshal(data, &object); err != nil {
			t.Fatalf("%q is read and is no JSON", data)
		}
		do, via := l.Step.Kind.String(), ""
		switch l.Step.Kind {
		case engine.EventResume:
			via = "ui"
		case engine.EventResumeByAPI:
			do, via = "resume", "api"
		}
		if object.Profile != l.Profile || object.Do != do || object.Via != via || (object.When == "after") != l.Step.After || len(object.Set) != len(l.Cells) || l.IsOutcome != (object.Outcome != "") || l.IsOutcome == (l.Step.Kind != 0) {
			t.Errorf("%q is read as %+v", data, l)
		}
		for _, c := range l.Cells {
			if object.Set[c.Column] != c.Value {
				t.Errorf("%q sets %s to another value", data, c.Column)
			}
		}
	})
}
