package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

func monthly() engine.Stored {
	return engine.Stored{Profile: engine.Profile{
		ID: "order-1", Kind: engine.KindSource, Start: calendar.MustParse("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1,
		MaxRepeats: engine.AtMost(2), Amounts: amount.Fixed(amount.MustParse("10.00")), Currency: "EUR",
	}}
}

// A forecast as NDJSON, as the command prints it.
func ExampleWriter() {
	asOf, until := calendar.MustParse("2026-01-10"), calendar.MustParse("2026-06-30")
	plan, err := engine.New(engine.Policy{}).Compile(monthly(), asOf)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := record.NewWriter(os.Stdout, record.Header{Schema: record.SchemaForecast, AsOf: asOf, Until: until, Zone: "UTC"}, record.Options{})
	w.Start(record.Profile{Subject: record.Subject{Profile: "order-1", Row: 1, Currency: "EUR"}})
	for c := range plan.Charges(calendar.Through(asOf, until)) {
		_ = w.Charge(&c) // an error stays until Close
	}
	end := plan.End(until)
	_ = w.End(&end)
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"type":"header","schema":"chargecast.forecast/1","as_of":"2026-01-10","until":"2026-06-30","zone":"UTC","policy":{"month-end":"clamp","start-absent":"as-of","start-past":"skip","finish-bound":"inclusive","max-counts":"charges","max-zero":"stop","resume-counter":"keep","resume-anchor":"keep","resume-missed":"skip","run-missed":"skip","manual-counts":"yes","manual-when-stopped":"refuse","manual-takes-slot":"no"}}
	// {"type":"charge","profile":"order-1","row":1,"repeat":0,"date":"2026-01-31","amount":"10.00","currency":"EUR"}
	// {"type":"charge","profile":"order-1","row":1,"repeat":1,"date":"2026-02-28","amount":"10.00","currency":"EUR"}
	// {"type":"end","profile":"order-1","row":1,"status":"stopped","repeat":2,"stop":{"date":"2026-02-28","reasons":["max-repeats"]}}
}

// An output, in NDJSON or JSON, is read record by record.
func ExampleRead() {
	output := `{"type":"header","schema":"chargecast.forecast/1","as_of":"2026-01-10"}
{"type":"charge","profile":"order-1","row":1,"repeat":0,"date":"2026-01-31","amount":"10.00","currency":"EUR"}
{"type":"charge","profile":"order-1","row":1,"repeat":"1"}
{"type":"end","profile":"order-1","row":1,"status":"active","repeat":1,"stop":null}
`
	for rec, err := range record.Read(strings.NewReader(output)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		switch rec := rec.(type) {
		case record.Charge:
			fmt.Println(rec.Profile, rec.Charge.Date, rec.Charge.Max, rec.Currency)
		case record.End:
			fmt.Println(rec.Profile, rec.Status)
		}
	}
	// Output:
	// order-1 2026-01-31 10.00 EUR
	// 3:55: repeat: unexpected JSON type: write a number without quotes [json-type]
	// order-1 active
}

// States that one forecast saves are where the next one begins.
func ExampleReadStates() {
	asOf, until := calendar.MustParse("2026-01-10"), calendar.MustParse("2026-01-31")
	stored := monthly()
	plan, err := engine.New(engine.Policy{}).Compile(stored, asOf)
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := engine.AppendStateLine(nil, stored.Profile.ID, plan.State(until))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(file))

	for l, err := range record.ReadStates(bytes.NewReader(file)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		stored.State = l.State
	}
	plan, err = engine.New(engine.Policy{}).Compile(stored, until.AddDays(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	for c := range plan.Next(1) {
		fmt.Println(c.Repeat, c.Date)
	}
	// Output:
	// {"schema":"chargecast.state/1","profile":"order-1","status":"active","repeat":1,"ran_through":"2026-01-31","anchor":"2026-01-31","last":"2026-01-31","paid":["2026-01-31"]}
	// 1 2026-02-28
}

func ExampleReadScript() {
	script := `{"date":"2026-02-01","do":"stop"}
{"date":"2026-02-03","do":"resume"}
{"repeat":1,"outcome":"declined"}
`
	for l, err := range record.ReadScript(strings.NewReader(script)) {
		switch {
		case err != nil:
			fmt.Println(err)
		case l.IsOutcome:
			fmt.Println(l.Repeat, l.Outcome)
		default:
			fmt.Println(l.Step.Date, l.Step.Kind)
		}
	}
	// Output:
	// 2026-02-01 stop
	// 2:1: via: the field is missing: write where the resume comes from: "ui" or "api" [script-via]
	// 1 declined
}

func ExampleAppendScriptLine() {
	var l record.ScriptLine
	l.Profile, l.Step.Date, l.Step.Kind = "order-1", calendar.MustParse("2026-02-01"), engine.EventUpdate
	l.Cells = []record.Cell{{Column: "amount", Value: "12.00"}}
	line, err := record.AppendScriptLine(nil, l)
	fmt.Println(string(line), err)
	// Output: {"profile":"order-1","date":"2026-02-01","do":"update","set":{"amount":"12.00"}} <nil>
}

func ExampleScriptJoin() {
	var script record.ScriptJoin
	for l, err := range record.ReadScript(strings.NewReader("{\"date\":\"2026-02-01\",\"do\":\"charge\"}\n{\"profile\":\"order-1\",\"date\":\"2026-02-02\",\"do\":\"stop\"}\n")) {
		if err == nil {
			err = script.Add(l)
		}
		if err != nil {
			fmt.Println(err)
		}
	}
	for _, id := range []string{"order-1", "order-2"} {
		of := script.Join(id, func([]record.Cell) engine.Update { return engine.Update{} })
		for _, step := range of.Steps {
			fmt.Println(id, step.Date, step.Kind)
		}
	}
	// Output:
	// order-1 2026-02-01 charge
	// order-1 2026-02-02 stop
	// order-2 2026-02-01 charge
}

// A charge that is random, after the expiry of the card, and explained.
func ExampleCharge() {
	c := engine.Charge{
		Repeat: 3, Date: calendar.MustParse("2026-02-02"), Slot: calendar.MustParse("2026-01-31"),
		Min: amount.MustParse("1.00"), Max: amount.MustParse("5.00"), CardExpired: true, Because: ledger.On(clause.Doc225),
	}
	print(record.Charge{Subject: record.Subject{Profile: "order-1", Row: 1, Currency: "EUR"}, Charge: c})
	// Output: {"type":"charge","profile":"order-1","row":1,"repeat":3,"date":"2026-02-02","slot":"2026-01-31","min":"1.00","max":"5.00","currency":"EUR","card_expired":true,"because":[{"clause":"2.2.5","basis":"stated","text":"The amount is one of: a fixed amount, a random amount between amount-from and amount-to for each charge, or the amounts of amount-sequence."}]}
}

func ExampleEnd() {
	e := record.End{Subject: record.Subject{Profile: "order-1", Row: 1}}
	e.Status, e.Repeat = engine.StatusStopped, 3
	e.Stop = engine.Stop{Date: calendar.MustParse("2026-04-05"), Reasons: engine.ReasonMaxRepeats}
	print(e)
	// Output: {"type":"end","profile":"order-1","row":1,"status":"stopped","repeat":3,"stop":{"date":"2026-04-05","reasons":["max-repeats"]}}
}

func ExampleEventOf() {
	e := engine.Effect{Kind: engine.EffectEvent, Date: calendar.MustParse("2026-01-16"), Event: engine.EventStop, Result: engine.ResultIgnored, Because: ledger.On(clause.L23)}
	print(record.EventOf(record.Subject{Profile: "order-1"}, &e))
	// Output: {"type":"event","profile":"order-1","date":"2026-01-16","do":"stop","result":"ignored","because":[{"clause":"L23","basis":"inferred","text":"A stop through the update operation has the reason stopped-by-api."}]}
}

// What was declined stands apart.
func ExampleTotal() {
	t := record.Total{By: engine.ByMonth, Value: "2026-01", Currency: "EUR"}
	c := engine.Charge{Min: amount.MustParse("10.00"), Max: amount.MustParse("10.00")}
	c.AddTo(&t.Tally)
	c.Outcome = engine.OutcomeDeclined
	c.AddTo(&t.Tally)
	print(t)
	// Output: {"type":"total","month":"2026-01","currency":"EUR","charges":1,"min":"10.00","max":"10.00","mean":"10.00","declined":{"charges":1,"min":"10.00","max":"10.00","mean":"10.00"}}
}

func ExampleDifference() {
	ten, day := amount.MustParse("10.00"), calendar.MustParse("2026-02-28")
	was := record.Charge{Subject: record.Subject{Currency: "EUR"}, Charge: engine.Charge{Repeat: 1, Min: ten, Max: ten, Date: day, Slot: day}}
	print(record.Difference{Profile: "order-1", Kind: record.DifferenceRemoved, Old: &was})
	// Output: {"type":"difference","profile":"order-1","kind":"removed","old":{"repeat":1,"date":"2026-02-28","amount":"10.00","currency":"EUR"},"new":null}
}

func ExampleEndDifference() {
	print(record.EndDifference{Profile: "order-1", New: &engine.End{Status: engine.StatusActive, Repeat: 1}})
	// Output: {"type":"difference","profile":"order-1","kind":"end","old":null,"new":{"status":"active","repeat":1,"stop":null}}
}

func ExampleMoney() {
	var ten record.SignedSum
	ten.Sum.Add(amount.MustParse("10.00"))
	both := record.Bounds{Min: ten, Max: ten}
	print(record.Money{Currency: "EUR", New: both, Added: record.MoneyChange{Profiles: 1, Bounds: both}})
	// Output: {"type":"money","currency":"EUR","old":"0","new":"10.00","by":{"new":{"profiles":1,"money":"10.00"},"gone":{"profiles":0,"money":"0"},"repriced":{"profiles":0,"money":"0"},"rescheduled":{"profiles":0,"money":"0"},"left_out":{"profiles":0,"money":"0"}}}
}

func ExampleProblem() {
	print(record.Problem{Finding: ledger.Finding{
		Code: "amount-zero", Severity: ledger.SeverityError, Basis: ledger.Assumed, Clause: clause.L36, Place: ledger.Place{Row: 1, Line: 2, Col: 30, Offset: 102},
		Kind: ledger.SubjectColumn, Subject: "amount", Message: "the amount is zero", Help: "give a positive amount",
	}})
	// Output: {"type":"problem","code":"amount-zero","severity":"error","basis":"assumed","clause":"L36","row":1,"line":2,"col":30,"offset":102,"column":"amount","message":"the amount is zero","help":"give a positive amount"}
}

func ExampleSummary() {
	print(record.Summary{Rows: 100, Valid: 99, Errors: 1, OrderIDsChecked: 100, OrderIDsComplete: true})
	// Output: {"type":"summary","rows":100,"valid":99,"errors":1,"warnings":0,"currency_checked":false,"orderids_checked":100,"orderids_complete":true}
}

func ExampleDifferenceSummary() {
	print(record.DifferenceSummary{Added: 1, Ends: 1, Compared: 37, NewLeftOut: 1})
	// Output: {"type":"summary","added":1,"removed":0,"moved":0,"changed":0,"ends":1,"compared":37,"old_left_out":0,"new_left_out":1}
}

// print prints a record, which is refused if it could not be read back.
func print(r record.Record) {
	text, err := json.Marshal(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
}

// What does another reading of the document change, charge by charge?
func ExampleDiffCharges() {
	asOf := calendar.MustParse("2026-01-10")
	p := engine.Profile{
		ID: "order-1", Kind: engine.KindSource, Start: calendar.MustParse("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1,
		Currency: "EUR", Amounts: amount.Fixed(amount.MustParse("10.00")),
	}
	charges := func(policy string) iter.Seq[engine.Charge] {
		pol, err := engine.ParsePolicy(policy)
		if err != nil {
			panic(err)
		}
		plan, err := engine.New(pol).Compile(engine.Stored{Profile: p}, asOf)
		if err != nil {
			panic(err)
		}
		return plan.Charges(calendar.Through(asOf, calendar.MustParse("2026-04-30")))
	}
	for _, d := range record.DiffCharges(charges(""), charges("month-end=next-first")) {
		fmt.Println(d.Kind, d.Date())
	}
	// Output:
	// moved 2026-02-28
	// removed 2026-04-30
}
