package campaign

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// engineTargets are the targets of forecasts, event logs, and the lines of state and
// script files.
func engineTargets() []Target {
	return []Target{
		{"FuzzProfile_Forecast_Walk", judging(gen.Plans, "T07", "T05", "T06", "T18", "R04"), byteSeeds(), nil},
		{"FuzzForecast_Restart_Explain", judging(gen.Plans, "T19", "X01", "X03", "X04"), byteSeeds(), nil},
		{"FuzzEventLog_Simulate_Walk", judging(gen.Logs, "E23", "E07", "E04", "E01", "E02", "E20", "E21", "R05"), byteSeeds(), nil},
		{"FuzzStateLine_Parse_Append", tryStateLine, slices.Concat(
			seeds("E20: state lines", `{"profile":"order-1"}`, `{"profile":"order-1","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}`, fullStateLine(),
				`{"schema":"chargecast.state/1","profile":"é","status":"stopped","missed":[{"from":"2026-01-01","through":"2026-01-05"}],"stop":{"date":"2026-01-05","reasons":["max-repeats","finish-date"],"because":["2.2.8"]},"last":"2026-01-05","because":["L16"]}`),
			seeds("h227…h245: not state lines", `{"profile":"a","repat":1}`, `{"profile":"a","profile":"b"}`, `{"profile":"a"}{}`, `null`, `[]`, `{"profile":"\ud800"}`, `{"profile":"a","repeat":-1}`,
				`{"profile":"a","repeat":1.0}`, `{"profile":"a","repeat":9223372036854775808}`, `{"profile":"a","paid":["2026-02-30"]}`, `{"profile":"a","missed":[{"from":"2026-01-05","through":"2026-01-01"}]}`, `{"Profile":"a"}`, `{"profile":"a",}`, ``),
		), stateWords()},
		{"FuzzScriptLine_Parse_Json", tryScriptLine, slices.Concat(
			seeds("a line for each verb and each column of an update", scriptSeeds()...),
			seeds("h246…h258: not script lines", `{"date":"2026-01-14","do":"resume"}`, `{"date":"2026-01-14","do":"Stop"}`, `{"do":"stop"}`, `{"date":"2026-01-14","do":"stop","outcome":"declined"}`, `{"date":"2026-01-14","do":"stop","when":"After"}`,
				`{"date":"2026-01-14","do":"update","set":{"amount":5}}`, `{"date":"31.01.2026","do":"stop"}`, `{}`, `{"date":"2026-01-14","do":"stop"}x`),
		), scriptWords()},
	}
}

// scriptSeeds are script lines that have every verb, name and word.
func scriptSeeds() []string {
	lines := []string{
		`{"date":"2026-01-14","do":"resume","via":"ui"}`, `{"date":"2026-01-14","do":"resume","via":"api"}`, `{"date":"2026-01-11","do":"charge","when":"after"}`,
		`{"date":"2026-01-11","do":"charge","when":"before"}`, `{"repeat":1,"outcome":"declined"}`, `{"profile":"a","repeat":2,"outcome":"approved"}`,
	}
	for v := engine.EventStop; v <= engine.EventNoRun; v++ {
		lines = append(lines, `{"date":"2026-01-12","do":"`+v.String()+`"}`)
	}
	for s := range rules.Columns() {
		lines = append(lines, `{"date":"2026-01-13","do":"update","set":{"`+s.Column.String()+`":""}}`)
	}
	return append(lines, `{"date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026","amount":""}}`)
}

// tryStateLine reads bytes as a line of a state file. What is accepted is JSON, and is
// written and read back to the same.
func tryStateLine(data []byte) {
	hold(func(t *laws.T) {
		id, s, err := engine.ParseStateLine(data)
		unseen(t, err, string(data))
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Errorf("a state line that is no JSON is accepted: %q", data)
		}
		first, err := engine.AppendStateLine(nil, id, s)
		if err != nil {
			t.Errorf("%q is read and cannot be written: %v", data, err)
			return
		}
		again, back, err := engine.ParseStateLine(first)
		if err != nil || again != id || !back.Equal(s) {
			t.Errorf("%q is written %q and read back as %+v, %v", data, first, back, err)
			return
		}
		if again, _ := engine.AppendStateLine(nil, again, back); !bytes.Equal(first, again) {
			t.Errorf("%q is written %q, then %q", data, first, again)
		}
	})
}

// tryScriptLine reads bytes as a line of a script. What is accepted is a JSON object with
// the same words.
func tryScriptLine(data []byte) {
	hold(func(t *laws.T) {
		l, err := record.ParseScriptLine(data)
		unseen(t, err, string(data))
		if err != nil {
			return
		}
		var object struct {
			Profile, Do, Via, When, Outcome string
			Set                             map[string]string
		}
		if err := json.Unmarshal(data, &object); err != nil {
			t.Errorf("a script line that is no JSON is accepted: %q", data)
			return
		}
		after := object.When == "after"
		do, via := l.Step.Kind.String(), ""
		switch l.Step.Kind {
		case engine.EventResume:
			via = "ui"
		case engine.EventResumeByAPI:
			do, via = "resume", "api"
		}
		if object.Profile != l.Profile || object.Do != do || object.Via != via || after != l.Step.After || len(object.Set) != len(l.Cells) {
			t.Errorf("%q is read as %+v", data, l)
		}
		for _, c := range l.Cells {
			if object.Set[c.Column] != c.Value {
				t.Errorf("%q sets a column otherwise", data)
			}
		}
		if l.IsOutcome != (object.Outcome != "") || l.IsOutcome == (l.Step.Kind != 0) {
			t.Errorf("%q is neither an event nor an outcome, or both", data)
		}
	})
}
