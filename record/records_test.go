package record_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

func sum(s string) amount.Sum {
	v, err := amount.ParseSum(s)
	if err != nil {
		panic(err)
	}
	return v
}

func percent(s string) amount.Percent {
	p, err := amount.ParsePercent(s)
	if err != nil {
		panic(err)
	}
	return p
}

var (
	subject = record.Subject{Profile: "order-1", Row: 1, Currency: "EUR"}
	policy  = engine.Policy{StartPast: engine.StartPastCatchUp}
	fixed   = engine.Charge{Repeat: 3, Slot: day("2026-01-31"), Date: day("2026-01-31"), Min: amount.MustParse("10.50"), Max: amount.MustParse("10.50")}
	random  = engine.Charge{
		Repeat: 1<<63 - 1, Slot: day("2026-01-31"), Date: day("2026-02-02"), Min: amount.MustParse("1"), Max: amount.MustParse("5.00"),
		CardExpired: true, Because: ledger.On(clause.Doc226, clause.L03),
	}
	declined = engine.Charge{Slot: day("2026-01-31"), Date: day("2026-01-31"), Min: fixed.Min, Max: fixed.Max, Manual: true, Outcome: engine.OutcomeDeclined}
	approved = engine.Charge{Repeat: 3, Slot: fixed.Slot, Date: fixed.Date, Min: fixed.Min, Max: fixed.Max, Outcome: engine.OutcomeApproved}
	second   = engine.Charge{Repeat: 3, Slot: fixed.Slot, Date: fixed.Date, Min: fixed.Min, Max: fixed.Max, Manual: true, Nth: 1, Outcome: engine.OutcomeApproved}
	stopped  = engine.End{
		Status: engine.StatusStopped, Repeat: 6,
		Stop: engine.Stop{Date: day("2026-04-05"), Reasons: engine.ReasonMaxRepeats | engine.ReasonFinishDate | engine.ReasonAPI},
	}
	cut   = engine.End{Status: engine.StatusActive, LastDay: true, Because: ledger.On(clause.L32)}
	tally = amount.Tally{
		Total:    amount.Total{Charges: 2, Min: sum("11.00"), Max: sum("15.01")},
		Declined: amount.Total{Charges: 1, Min: sum("4.00"), Max: sum("4.00")}, CardExpired: amount.Total{Charges: 1, Min: sum("1"), Max: sum("5.00")},
	}
)

// records are one of each shape that a record has, with its text.
var records = []struct {
	record record.Record
	text   string
}{
	{record.Header{Schema: record.SchemaReconcile, Until: day("2026-06-30")}, `{"type":"header","schema":"chargecast.reconcile/1","as_of":null,"through":"2026-06-30","lag":0,"policy":` + defaults + `}`},
	{record.Header{Schema: record.SchemaReconcile, AsOf: day("2026-01-10"), Until: day("2026-06-30"), Lag: 3, Input: "csv", Profiles: []string{"a*"}},
		`{"type":"header","schema":"chargecast.reconcile/1","as_of":"2026-01-10","through":"2026-06-30","lag":3,"input":"csv","profiles":["a*"],"policy":` + defaults + `}`},
	{record.Reconciled{Profile: "order-1", Row: 1, Kind: record.MatchedLate, Expected: &record.Charge{Subject: record.Subject{Currency: "EUR"}, Charge: approved},
		Actual: &record.Actual{File: "b.csv", Line: 2, Date: day("2026-02-02"), Amount: fixed.Min, Currency: "EUR", Outcome: record.ActualApproved, ID: "tx"}},
		`{"type":"reconciled","profile":"order-1","row":1,"kind":"late","expected":{"repeat":3,"date":"2026-01-31","amount":"10.50","currency":"EUR","kind":"automatic","outcome":"approved"},` +
			`"actual":{"file":"b.csv","line":2,"date":"2026-02-02","amount":"10.50","currency":"EUR","outcome":"approved","id":"tx"}}`},
	{record.Reconciled{Profile: "x", Kind: record.Unknown, Actual: &record.Actual{Line: 9, Date: day("2026-02-02"), Amount: fixed.Min, Negative: true}},
		`{"type":"reconciled","profile":"x","row":null,"kind":"unknown","expected":null,"actual":{"line":9,"date":"2026-02-02","amount":"-10.50","currency":null,"outcome":null,"id":null}}`},
	{record.Reconciled{Profile: "x", File: "a.csv", Row: 4, Kind: record.Matched, Actual: &record.Actual{Line: 9, Date: day("2026-02-02"), Outcome: record.ActualNone}},
		`{"type":"reconciled","profile":"x","file":"a.csv","row":4,"kind":"matched","expected":null,"actual":{"line":9,"date":"2026-02-02","amount":null,"currency":null,"outcome":"none","id":null}}`},
	{record.Unexplained{Profile: "x", Nearest: "month-end=skip", First: record.Reconciled{Profile: "x", Row: 4, Kind: record.Extra, Actual: &record.Actual{Line: 9, Date: day("2026-02-02"), Amount: fixed.Min}}},
		`{"type":"unexplained","profile":"x","nearest":"month-end=skip","first":{"type":"reconciled","profile":"x","row":4,"kind":"extra","expected":null,"actual":{"line":9,"date":"2026-02-02","amount":"10.50","currency":null,"outcome":null,"id":null}}}`},
	{record.Reading{Key: "month-end", Value: "skip", Verdict: record.VerdictRefuted, Against: 2}, `{"type":"reading","key":"month-end","value":"skip","verdict":"refuted","for":0,"against":2,"decided_by":null}`},
	{record.Reading{Key: "month-end", Value: "clamp", Verdict: record.VerdictObserved, For: 1, Decided: &record.DecidedBy{Profile: "x", Date: day("2026-02-28")}},
		`{"type":"reading","key":"month-end","value":"clamp","verdict":"observed","for":1,"against":0,"decided_by":{"profile":"x","date":"2026-02-28"}}`},
	{record.ReconcileSummary{LeftOut: 1, Matched: 2, Late: 3, Amount: 4, Missing: 5, Extra: 6, Unknown: 7, After: 8, Other: 10, Unreadable: 11, Unexplained: 9, Policy: "month-end=clamp"},
		`{"type":"summary","left_out":1,"matched":2,"late":3,"amount":4,"missing":5,"extra":6,"unknown":7,"after":8,"other":10,"unreadable":11,"unexplained":9,"policy":"month-end=clamp"}`},
	{record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), Zone: "UTC"}, `{"type":"header","schema":"chargecast.forecast/1","as_of":"2026-01-10","zone":"UTC","policy":` + defaults + `}`},
	{record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10")}, `{"type":"header","schema":"chargecast.forecast/1","as_of":"2026-01-10","policy":` + defaults + `}`},
	{record.Header{
		Schema: record.SchemaSimulate, AsOf: day("2026-01-10"), From: day("2026-02-01"), Until: day("2026-06-30"), Next: 3, Zone: "Europe/Berlin",
		Input: "csv", By: engine.ByMonth, Profiles: []string{"a", `b"c`}, Excluded: []string{"test-*"}, Seed: 1<<64 - 1, Policy: policy,
	}, ""},
	{record.Header{Schema: record.SchemaValidate, AsOf: day("2026-01-10"), Strict: true}, `{"type":"header","schema":"chargecast.validate/1","as_of":"2026-01-10","strict":true,"policy":` + defaults + `}`},
	{record.Header{Schema: record.SchemaDiff, AsOf: day("2026-01-10"), OldPolicy: new(engine.Policy)}, `{"type":"header","schema":"chargecast.diff/1","as_of":"2026-01-10","old_policy":` + defaults + `,"policy":` + defaults + `}`},
	{record.Charge{Subject: subject, Charge: fixed}, `{"type":"charge","profile":"order-1","row":1,"repeat":3,"date":"2026-01-31","amount":"10.50","currency":"EUR"}`},
	{record.Charge{Subject: record.Subject{Profile: "o", File: "a.csv", Row: 7, Currency: "USD", Callback: "https://example.com"}, Charge: declined},
		`{"type":"charge","profile":"o","file":"a.csv","row":7,"repeat":0,"date":"2026-01-31","amount":"10.50","currency":"USD","kind":"manual","outcome":"declined","callback":"https://example.com"}`},
	{record.Charge{Subject: subject, Charge: second}, `{"type":"charge","profile":"order-1","row":1,"repeat":3,"date":"2026-01-31","amount":"10.50","currency":"EUR","kind":"manual","nth":1,"outcome":"approved"}`},
	{record.Charge{Subject: subject, Charge: random}, `{"type":"charge","profile":"order-1","row":1,"repeat":9223372036854775807,"date":"2026-02-02","slot":"2026-01-31","min":"1","max":"5.00","currency":"EUR","card_expired":true,"because":[` + doc226 + `,` + catchUp + `]}`},
	{record.End{Subject: record.Subject{Profile: "order-1", Row: 1}, End: stopped}, `{"type":"end","profile":"order-1","row":1,"status":"stopped","repeat":6,"stop":{"date":"2026-04-05","reasons":["max-repeats","finish-date","stopped-by-api"]}}`},
	{record.End{Subject: record.Subject{Profile: "order-1", Row: 1}, End: cut}, `{"type":"end","profile":"order-1","row":1,"status":"active","repeat":0,"stop":null,"calendar_end":true,"because":[{"clause":"L32","basis":"`},
	{record.Event{Subject: record.Subject{Profile: "order-1"}, Date: day("2026-01-12"), Do: engine.EventUpdate, Result: engine.ResultRefused, Code: "interval-value", Because: ledger.On(clause.Doc226)},
		`{"type":"event","profile":"order-1","date":"2026-01-12","do":"update","result":"refused","code":"interval-value","because":[` + doc226 + `]}`},
	{record.Total{By: engine.ByDay, Value: "2026-01-31", Currency: "EUR", Tally: amount.Tally{Total: tally.Total}}, `{"type":"total","date":"2026-01-31","currency":"EUR","charges":2,"min":"11.00","max":"15.01","mean":"13.005"}`},
	{record.Total{By: engine.ByProfile, Value: "order-1", File: "a.csv", Currency: "EUR", Tally: tally, CardExpires: calendar.MustParse("2026-03-31"), Because: ledger.On(clause.Doc226)},
		`{"type":"total","profile":"order-1","file":"a.csv","currency":"EUR","charges":2,"min":"11.00","max":"15.01","mean":"13.005","declined":{"charges":1,"min":"4.00","max":"4.00","mean":"4.00"},"card_expired":{"charges":1,"min":"1","max":"5.00","mean":"3.00"},"card_expires":"2026-03","because":[` + doc226 + `]}`},
	{record.Total{By: engine.ByWeek, Value: "2026-W05"}, ""},
	{record.Total{By: engine.ByMonth, Value: "2026-02", Currency: "EUR", Tally: amount.Tally{Total: tally.Total}, Quantiles: []record.Quantile{{Sum: sum("11.00")}, {Percent: percent("97.5"), Sum: sum("15.00")}}, Normal: true},
		`{"type":"total","month":"2026-02","currency":"EUR","charges":2,"min":"11.00","max":"15.01","mean":"13.005","quantiles":{"0":"11.00","97.5":"15.00"},"quantiles_by":"normal"}`},
	{record.Total{By: engine.ByMonth, Value: "2026-01"}, ""},
	{record.Total{By: engine.ByQuarter, Value: "2026-Q1"}, ""},
	{record.Total{By: engine.ByWeekday, Value: "monday"}, ""},
	{record.Difference{Profile: "a", Kind: record.DifferenceMoved, Old: &record.Charge{Subject: record.Subject{Currency: "EUR"}, Charge: fixed}, New: &record.Charge{Subject: record.Subject{Currency: "EUR"}, Charge: declined}},
		`{"type":"difference","profile":"a","kind":"moved","old":{"repeat":3,"date":"2026-01-31","amount":"10.50","currency":"EUR"},"new":{"repeat":0,"date":"2026-01-31","amount":"10.50","currency":"EUR","kind":"manual","outcome":"declined"}}`},
	{record.Difference{Profile: "a", Kind: record.DifferenceAdded, New: &record.Charge{Charge: fixed}}, ""},
	{record.Difference{Profile: "a", Kind: record.DifferenceRemoved, Old: &record.Charge{Charge: fixed}}, ""},
	{record.Difference{Profile: "a", Kind: record.DifferenceChanged, Old: &record.Charge{Charge: fixed}, New: &record.Charge{Charge: fixed}}, ""},
	{record.EndDifference{Profile: "a", Old: &stopped}, `{"type":"difference","profile":"a","kind":"end","old":{"status":"stopped","repeat":6,"stop":{"date":"2026-04-05","reasons":["max-repeats","finish-date","stopped-by-api"]}},"new":null}`},
	{record.EndDifference{Profile: "a", Old: &stopped, New: &engine.End{Status: engine.StatusActive}}, ""},
	{record.Money{Currency: "EUR", Old: bounds("11.00", "15.01"), Gone: record.MoneyChange{Profiles: 1, Bounds: bounds("-11.00", "-15.01")}},
		`{"type":"money","currency":"EUR","old":{"min":"11.00","max":"15.01"},"new":{"min":"0","max":"0"},"by":{"new":{"profiles":0,"money":{"min":"0","max":"0"}},"gone":{"profiles":1,"money":{"min":"-11.00","max":"-15.01"}},`},
	{record.Money{Currency: "EUR", Repriced: record.MoneyChange{Profiles: 1, Bounds: bounds("-1.00", "-1.00")}}, ""},
	{record.Problem{Finding: ledger.Finding{Code: "amount-order", Severity: ledger.SeverityError, Clause: clause.L33, Place: ledger.Place{Row: 1, Line: 2, Col: 3, Offset: 4}, Message: "m", Help: "h"}},
		`{"type":"problem","code":"amount-order","severity":"error","clause":"L33","row":1,"line":2,"col":3,"offset":4,"message":"m","help":"h"}`},
	{record.Summary{Rows: 100, Valid: 99, Errors: 1, Warnings: 2, CurrencyChecked: true, OrderIDsChecked: 100, OrderIDsComplete: true},
		`{"type":"summary","rows":100,"valid":99,"errors":1,"warnings":2,"currency_checked":true,"orderids_checked":100,"orderids_complete":true}`},
	{record.Summary{Rows: 1, Errors: 1, OrderIDsChecked: 1, OrderIDsComplete: true, CutOff: true},
		`{"type":"summary","rows":1,"valid":0,"errors":1,"warnings":0,"currency_checked":false,"orderids_checked":1,"orderids_complete":true,"cut_off":true}`},
	{record.ForecastSummary{Profiles: 17, LeftOut: 1, TakenAsNew: 3, Charges: 120, CardExpired: 2, Unsendable: 4}, `{"type":"summary","profiles":17,"left_out":1,"taken_as_new":3,"charges":120,"card_expired":2,"unsendable":4}`},
	{record.ForecastSummary{Profiles: 1, Unused: new(uint64)}, `{"type":"summary","profiles":1,"left_out":0,"taken_as_new":0,"charges":0,"card_expired":0,"unsendable":0,"unused":0}`},
	{record.DifferenceSummary{Added: 1, Removed: 2, Moved: 3, Changed: 4, Ends: 5, Compared: 6, OldLeftOut: 7, NewLeftOut: 8},
		`{"type":"summary","added":1,"removed":2,"moved":3,"changed":4,"ends":5,"compared":6,"old_left_out":7,"new_left_out":8}`},
}

const (
	defaults = `{"month-end":"clamp","start-absent":"as-of","start-past":"skip","finish-bound":"inclusive","max-counts":"charges","max-zero":"stop","resume-counter":"keep","resume-anchor":"keep","resume-missed":"skip","run-missed":"skip","manual-counts":"yes","manual-when-stopped":"refuse","manual-takes-slot":"no"}`
	doc226   = `{"clause":"2.2.6","basis":"stated","text":"Charges use the elements in order by the current repeat number; when it exceeds the number of elements, every further charge uses the last one."}`
	catchUp  = `{"clause":"L03","basis":"assumed","text":"`
)

// TestRecordsRoundTrip: every record has its text, and is read back to the same value and text.
func TestRecordsRoundTrip(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, r := range records {
		seen[reflect.TypeOf(r.record)] = true
		text, err := json.Marshal(r.record)
		if err != nil {
			t.Errorf("%+v: %v", r.record, err)
			continue
		}
		if want := strings.TrimSuffix(r.text, "]}"); want != "" && !strings.HasPrefix(string(text), want) {
			t.Errorf("%s, want %s", text, r.text)
		}
		if appended := r.record.AppendJSON([]byte("x")); string(appended) != "x"+string(text) {
			t.Errorf("AppendJSON appends %s", appended)
		}
		if got, err := record.Parse(text); err != nil || !reflect.DeepEqual(got, r.record) {
			t.Errorf("%s is read back as %+v, %v, want %+v", text, got, err, r.record)
		}
	}
	for _, r := range records { // json.Unmarshal of a struct that cannot read leaves zeros, and no error
		back, other := reflect.New(reflect.TypeOf(r.record)), records[0].record
		if _, ok := r.record.(record.Header); ok {
			other = record.Charge{Subject: subject, Charge: fixed}
		}
		if err := json.Unmarshal(r.record.AppendJSON(nil), back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), r.record) {
			t.Errorf("json.Unmarshal gives %+v, %v, want %+v", back.Elem(), err, r.record)
		}
		if _, ok := r.record.(record.Problem); ok {
			continue
		}
		if err := json.Unmarshal(other.AppendJSON(nil), back.Interface()); err == nil || !reflect.DeepEqual(back.Elem().Interface(), r.record) {
			t.Errorf("a %T is read into a %T: %v", other, r.record, err)
		}
	}
	if len(seen) != 16 {
		t.Errorf("%d types of records", len(seen))
	}
}

// TestAppendExplained: reasons are in the words of a policy; those of the default readings are told apart from them.
func TestAppendExplained(t *testing.T) {
	for _, r := range []record.Record{
		record.Charge{Subject: subject, Charge: random}, record.End{Subject: subject, End: engine.End{Status: engine.StatusActive, Because: random.Because}},
		record.Event{Date: day("2026-01-12"), Do: engine.EventStop, Result: engine.ResultAccepted, Because: random.Because}, record.Total{By: engine.ByDay, Value: "2026-01-31", Because: random.Because},
	} {
		text, alone := record.AppendExplained(nil, r, policy, record.Readings{}), r.AppendJSON(nil)
		if !strings.Contains(string(text), catchUp+policy.Reading(clause.L03).Text) || !strings.Contains(string(alone), catchUp+engine.Policy{}.Reading(clause.L03).Text) {
			t.Errorf("%s\nand alone\n%s", text, alone)
		}
		for _, line := range [][]byte{text, alone} {
			if got, err := record.Parse(line); err != nil || string(got.AppendJSON(nil)) != string(alone) {
				t.Errorf("%s is read as %+v, %v", line, got, err)
			}
		}
	}
	if text := string(record.AppendExplained(nil, record.Charge{Charge: fixed}, policy, record.Readings{})); !strings.HasSuffix(text, `"because":[]}`) {
		t.Errorf("without reasons: %s", text)
	}
}

// TestUnknownMembers: records may gain members, so that an old reader ignores them.
func TestUnknownMembers(t *testing.T) {
	for _, r := range records {
		text := r.record.AppendJSON(nil)
		text = append(text[:len(text)-1], `,"later":{"a":[1,{"b":null}]},"Row":99}`...)
		if got, err := record.Parse(text); err != nil || !reflect.DeepEqual(got, r.record) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestRecordsRefused: what a record can be wrong in.
func TestRecordsRefused(t *testing.T) {
	charge := `{"type":"charge","profile":"a","row":1,"repeat":0,"date":"2026-01-31","amount":"1","currency":"EUR"}`
	for _, r := range []struct{ from, to, code, field string }{
		{`"profile":"a",`, ``, "record-member", "profile"},
		{`"profile":"a"`, `"profile":5`, "json-type", "profile"},
		{`"profile":"a"`, `"profile":"a\u0000"`, "nul-character", ""},
		{`"profile":"a"`, `"profile":"a","profile":"b"`, "json-duplicate-field", ""},
		{`"row":1`, `"row":-1`, "record-member", "row"},
		{`"row":1`, `"row":1.5`, "record-member", "row"},
		{`"repeat":0`, `"repeat":9223372036854775808`, "record-member", "repeat"},
		{`"repeat":0,`, ``, "record-member", "repeat"},
		{`2026-01-31`, `2026-02-30`, "date-not-a-day", "date"},
		{`2026-01-31`, `31.01.2026`, "date-syntax", "date"},
		{`"amount":"1",`, ``, "record-member", "amount"},
		{`"amount":"1"`, `"amount":1`, "json-type", "amount"},
		{`"amount":"1"`, `"amount":"1e3"`, "amount-syntax", "amount"},
		{`"amount":"1"`, `"amount":"1","min":"1","max":"2"`, "record-member", "amount"},
		{`"amount":"1"`, `"min":"1"`, "record-member", "amount"},
		{`"amount":"1"`, `"min":"2","max":"1"`, "record-member", "amount"},
		{`"EUR"`, `null`, "json-type", "currency"},
		{`"EUR"}`, `"EUR","kind":"auto"}`, "record-member", "kind"},
		{`"EUR"}`, `"EUR","outcome":"Declined"}`, "record-member", "outcome"},
		{`"EUR"}`, `"EUR","because":["L01"]}`, "json-type", "because"},
		{`"EUR"}`, `"EUR","because":[{"clause":"L99","text":""}]}`, "record-member", "because"},
		{`"EUR"}`, `"EUR"}{}`, "json-syntax", ""},
		{`"type":"charge"`, `"type":"charges"`, "record-type", "type"},
		{`"type":"charge",`, ``, "record-member", "type"},
	} {
		text := strings.Replace(charge, r.from, r.to, 1)
		_, err := record.Parse([]byte(text))
		f, ok := errors.AsType[ledger.Finding](err)
		want := strings.ReplaceAll(r.field, "because", f.Subject) // the innermost member is named
		if !ok || string(f.Code) != r.code || r.field != "" && f.Subject != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		`{"type":"total","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","date":"2026-01","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","month":"2026-13","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","week":"2026-W54","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","week":"2026-W5x","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","quarter":"2026-Q5","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","weekday":"Monday","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","date":"2026-01-31","month":"2026-01","currency":"EUR","charges":1,"min":"1","max":"1"}`,
		`{"type":"total","date":"2026-01-31","currency":"EUR","charges":1,"min":"1","max":"1","declined":{"charges":0,"min":"0","max":"0"}}`,
		`{"type":"total","date":"2026-01-31","currency":"EUR","charges":1,"min":"1","max":"1","quantiles":{"101":"1"}}`,
		`{"type":"total","date":"2026-01-31","currency":"EUR","charges":1,"min":"1","max":"1","quantiles":{"5":"1"},"quantiles_by":"guess"}`,
		`{"type":"difference","profile":"a","kind":"added","old":null,"new":null}`,
		`{"type":"difference","profile":"a","kind":"other","old":null,"new":null}`,
		`{"type":"difference","profile":"a","kind":"added","old":null,"new":{"repeat":0,"date":"2026-01-31","min":"1","currency":"EUR"}}`,
		`{"type":"header","schema":"chargecast.forecast/1","as_of":null,"policy":{}}`,
		`{"type":"header","schema":"chargecast.forecast/1","as_of":"2026-01-10","policy":{"month-end":"none"}}`,
	} {
		if _, err := record.Parse([]byte(text)); !errors.Is(err, ledger.Code("record-member")) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestMarshalRefused: a text that no reader takes is not written, and a value that its type does not have is not read.
func TestMarshalRefused(t *testing.T) {
	for _, profile := range []string{"a\xff", "a\x00"} {
		of := subject
		of.Profile = profile
		for _, r := range []record.Record{record.Charge{Subject: of, Charge: fixed}, record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), Profiles: []string{profile}}} {
			if text, err := json.Marshal(r); err == nil {
				t.Errorf("%+v is written as %s", r, text)
			}
		}
	}
	unknown := fixed
	unknown.Outcome = 9
	for _, r := range []record.Record{
		record.Header{}, record.Header{Schema: record.SchemaForecast}, record.Header{Schema: "x", AsOf: day("2026-01-10")},
		record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), By: 9}, record.Charge{},
		record.Charge{Subject: subject, Charge: unknown},
		record.End{End: engine.End{Status: 9}}, record.Event{}, record.Total{}, record.Total{By: engine.ByDay, Value: "x"}, record.Total{By: 9},
		record.Difference{}, record.EndDifference{}, record.Problem{Finding: ledger.Finding{Severity: 9}}, record.Summary{Rows: -1},
	} {
		if got, err := record.Parse(r.AppendJSON(nil)); err == nil {
			t.Errorf("%+v is read back as %+v", r, got)
		}
	}
}

// TestNothingOfAChargeIsLost: what only a simulation can have is written of any charge (G03), and its reasons are (bug:
// without a policy they were lost). Of two bounds with one value the first is written.
func TestNothingOfAChargeIsLost(t *testing.T) {
	lost := declined
	lost.Nth, lost.Because = 2, ledger.On(clause.Doc226, clause.L03)
	for _, c := range []engine.Charge{lost, second, random} {
		text, err := json.Marshal(record.Charge{Subject: subject, Charge: c})
		back, err2 := record.Parse(text)
		if got, ok := back.(record.Charge); !ok || err != nil || err2 != nil || got.Charge != c || got.Subject != subject {
			t.Errorf("%+v is read back as %+v, %v, %v", c, back, err, err2)
		}
	}
	scales := fixed
	scales.Min, scales.Max = amount.MustParse("1.0"), amount.MustParse("1.00")
	if text := string(record.Charge{Charge: scales}.AppendJSON(nil)); !strings.Contains(text, `"amount":"1.0"`) {
		t.Error(text)
	}
}

// TestPartsRoundTrip: the parts of records that programs keep are read back to the same values.
func TestPartsRoundTrip(t *testing.T) {
	for _, v := range []any{script()[1], script()[8], subject, engine.ByWeek, record.Options{Explain: true}} {
		text, err := json.Marshal(v)
		back := reflect.New(reflect.TypeOf(v))
		if err != nil || json.Unmarshal(text, back.Interface()) != nil || !reflect.DeepEqual(back.Elem().Interface(), v) {
			t.Errorf("%s is read back as %+v, want %+v, %v", text, back.Elem().Interface(), v, err)
		}
	}
	for i := range 256 {
		if _, err := engine.By(i).MarshalText(); (err != nil) != strings.HasSuffix(engine.By(i).String(), ")") {
			t.Errorf("%v: %v", engine.By(i), err)
		}
	}
}

// TestFindingHasOneReader: a finding and a problem record read the same texts, and read them alike.
func TestFindingHasOneReader(t *testing.T) {
	kept := ledger.Finding{Code: "c", Message: "kept"}
	read := ledger.Finding{Code: "c", Message: "m"}
	for text, want := range map[string]ledger.Finding{
		`{"type":"problem","code":"c","row":-1,"message":"m"}`:       kept,
		`{"type":"problem","code":"c","Row":7,"message":"m"}`:        read, // a member of a later version
		`{"type":"problem","message":"m"}`:                           kept,
		`{"type":"problem","code":"c","because":null,"message":"m"}`: kept,
		`{"type":"problem","code":"c","code":"d","message":"m"}`:     kept,
	} {
		finding, problem := kept, kept
		err := json.Unmarshal([]byte(text), &finding)
		rec, again := record.Parse([]byte(text))
		if p, ok := rec.(record.Problem); ok && again == nil {
			problem = p.Finding
		}
		if finding != want || problem != want || (err == nil) != (want == read) || (err == nil) != (again == nil) {
			t.Errorf("%s: a finding is %+v, %v; a problem %+v, %v", text, finding, err, problem, again)
		}
		var line ledger.Findings
		for rec, err := range record.Read(strings.NewReader(`{"type":"header","schema":"chargecast.validate/1","as_of":"2026-01-10"}` + "\n" + text + "\n")) {
			if p, ok := rec.(record.Problem); ok && err == nil {
				line = append(line, p.Finding)
			}
		}
		if (len(line) == 1) != (want == read) {
			t.Errorf("%s: as a line: %+v", text, line)
		}
	}
}

// TestForecastSummaryMerge: a merged summary has a count of unused lines when one of its parts has one.
func TestForecastSummaryMerge(t *testing.T) {
	one := record.ForecastSummary{Profiles: 1, LeftOut: 2, TakenAsNew: 3, Charges: 4, CardExpired: 5, Unsendable: 6}
	simulated := one
	simulated.Unused = new(uint64(7))
	for _, c := range []struct {
		reason     string
		a, b, want record.ForecastSummary
	}{
		{"two forecasts", one, one, record.ForecastSummary{Profiles: 2, LeftOut: 4, TakenAsNew: 6, Charges: 8, CardExpired: 10, Unsendable: 12}},
		{"a simulation into nothing", record.ForecastSummary{}, simulated, simulated},
		{"nothing into a simulation", simulated, record.ForecastSummary{}, simulated},
		{"two simulations", simulated, simulated, record.ForecastSummary{Profiles: 2, LeftOut: 4, TakenAsNew: 6, Charges: 8, CardExpired: 10, Unsendable: 12, Unused: new(uint64(14))}},
	} {
		got := c.a
		got.Merge(c.b)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %s, want %s", c.reason, got.AppendJSON(nil), c.want.AppendJSON(nil))
		}
	}
}

func bounds(low, high string) (b record.Bounds) {
	for to, text := range map[*record.SignedSum]string{&b.Min: low, &b.Max: high} {
		if err := to.UnmarshalText([]byte(text)); err != nil {
			panic(err)
		}
	}
	return b
}
