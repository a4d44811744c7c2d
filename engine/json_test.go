package engine_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// notStored are the exported types without a JSON form, each with its reason.
var notStored = map[string]string{
	"Explanation":   "an answer for people: record writes what of it a program reads",
	"AcceptedEvent": "part of an Explanation",
	"Count":         "part of an Explanation",
	"DueDay":        "part of an Explanation",
	"Origin":        "part of an Explanation",
	"Past":          "part of an Explanation",
	"Why":           "an answer: its word is that of String",
	"Engine":        "a policy and nothing else: store the Policy",
	"Plan":          "an answer: compile it again from its Stored",
	"Total":         "an answer: keep the Book, or write it as a record.Total",
	"Sensitivity":   "an answer: record writes it",
	"Book":          "read back as the same book: see its own tests",
	"Charge":        "its JSON form is record.Charge",
	"Effect":        "its JSON forms are those of package record",
}

// samples returns a value of each exported type that has every field set.
func samples(t *testing.T) map[string]any {
	t.Helper()
	stop := engine.Stop{Date: day("2026-02-01"), Reasons: engine.ReasonMaxRepeats | engine.ReasonAPI, Because: ledger.On(clause.L23)}
	update := engine.Update{
		Start: engine.To(day("2026-03-01")), Finish: engine.To(calendar.Date{}), MaxRepeats: engine.To(engine.AtMost(0)),
		Unit: engine.To(calendar.UnitWeek), Interval: engine.To(2), Amount: engine.To(amount.MustParse("9.9")),
		AmountFrom: engine.To(amount.Amount{}), AmountTo: engine.To(amount.MustParse("0.10")),
		Sequence: engine.To([]amount.Amount{amount.MustParse("1.0"), amount.MustParse("1.00")}), Unreadable: ledger.Findings{{Code: "amount-syntax", Clause: clause.L36, Kind: ledger.SubjectColumn, Subject: "amount"}},
	}
	event := engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: update}
	policy, err := engine.ParsePolicy("month-end=overflow,start-past=reanchor,run-missed=catch-up,manual-takes-slot=yes")
	if err != nil {
		t.Fatal(err)
	}
	full := fullStored()
	return map[string]any{
		"Kind": engine.KindDestination, "Limit": engine.AtMost(math.MaxInt64), "Profile": full.Profile, "Status": engine.StatusStopped,
		"Reasons": stop.Reasons, "Stop": stop, "State": full.State, "Stored": full,
		"Error": engine.Error{Field: "state.paid", Code: engine.ErrStateConflict}, "EventKind": engine.EventNoRun, "Outcome": engine.OutcomeDeclined,
		"Event": event, "Change": engine.To(5), "Update": update, "Result": engine.ResultIgnored,
		"EffectKind": engine.EffectCharge,
		"Policy":     policy, "StartAbsent": engine.StartAbsentReject, "StartPast": engine.StartPastReject,
		"FinishBound": engine.FinishBoundExclusive, "MaxCounts": engine.MaxCountsRepeatsAfterFirst, "MaxZero": engine.MaxZeroUnlimited,
		"ResumeCounter": engine.ResumeCounterReset, "ResumeAnchor": engine.ResumeAnchorResumeDate, "Missed": engine.MissedCatchUp,
		"ManualCounts": engine.ManualCountsNo, "ManualWhenStopped": engine.ManualWhenStoppedAllow, "ManualTakesSlot": engine.ManualTakesSlotYes,
		"End":  engine.End{Status: engine.StatusActive, Repeat: 5, Stop: stop, LastDay: true, Because: ledger.On(clause.L32)},
		"By":   engine.ByQuarter,
		"Step": engine.Step{Event: event, After: true},
		"Simulation": engine.Simulation{
			Stored: full, AsOf: day("2026-01-01"), Until: day("2026-02-01"), Seed: math.MaxUint64,
			Outcomes: map[uint64]engine.Outcome{1: engine.OutcomeDeclined},
		},
		"Scope": engine.Scope{AsOf: day("2026-01-01"), Window: calendar.Through(day("2026-01-01"), day("2030-12-31")), Draws: true, Explain: true},
	}
}

// fullStored has every field of a profile and of a state.
func fullStored() engine.Stored {
	s := engine.Stored{Profile: daily()}
	s.Profile.ID = `a"\ü` + "\u202e\x1b"
	s.Profile.Finish, s.Profile.MaxRepeats, s.Profile.CardExpires = day("2027-01-01"), engine.AtMost(12), day("2026-12-31")
	s.State = engine.State{
		Status: engine.StatusStopped, Repeat: math.MaxInt64, Anchor: day("0001-01-01"), RanThrough: day("9999-12-31"),
		Paid:   []calendar.Date{day("2026-01-01"), day("2026-01-02")},
		Missed: []calendar.Window{calendar.Through(day("2026-01-03"), day("2026-01-05")), calendar.Through(day("2026-02-03"), day("9999-12-31"))},
		Stop:   engine.Stop{Date: day("2026-02-02"), Reasons: engine.ReasonFinishDate, Because: ledger.On(clause.L23)},
		Last:   day("9999-12-31"), Because: ledger.On(clause.L14, clause.L71),
	}
	return s
}

// TestEveryValueSurvivesJSON: what a program keeps is what it reads back, for every exported type
// (E14); a type that is added has to be listed.
func TestEveryValueSurvivesJSON(t *testing.T) {
	all := samples(t)
	for _, name := range exportedTypes(t) {
		v, listed := all[name]
		if reason := notStored[name]; reason != "" || !listed {
			if listed || reason == "" {
				t.Errorf("%s is neither a sample nor on the list of types without a JSON form", name)
			}
			continue
		}
		for _, v := range []any{v, reflect.Zero(reflect.TypeOf(v)).Interface()} {
			text, err := json.Marshal(v)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			back := reflect.New(reflect.TypeOf(v))
			if err := json.Unmarshal(text, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), v) {
				t.Errorf("%s\n%s\nis read back as\n%+v, %v; want\n%+v", name, text, back.Elem().Interface(), err, v)
			}
		}
	}
	plan := compile(t, daily(), engine.State{}, "2026-01-10", engine.Policy{})
	if text, err := json.Marshal(plan); err == nil {
		t.Errorf("a plan is written as %s", text)
	}
	if err := json.Unmarshal([]byte("{}"), plan); err == nil {
		t.Error("a plan is read")
	}
}

func exportedTypes(t *testing.T) []string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, spec := range g.Specs {
					if name := spec.(*ast.TypeSpec).Name.Name; ast.IsExported(name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	if len(names) < 30 {
		t.Fatalf("only %d types were found", len(names))
	}
	return names
}

// TestStoredJSON: choices of every kind, with scale and grid, and limits of every kind.
func TestStoredJSON(t *testing.T) {
	a := amount.MustParse
	sequence, err := amount.Sequence([]amount.Amount{a("1.0"), a("1.00"), a("0.5")})
	if err != nil {
		t.Fatal(err)
	}
	type priced struct {
		choice   amount.Choice
		currency string
	}
	list := []priced{{sequence, "EUR"}, {amount.Fixed(a("1.500")), "EUR"}, {amount.Fixed(a("0.00")), "EUR"}, {}}
	for _, currency := range []string{"EUR", "JPY", "KWD", ""} {
		for _, ends := range [][2]string{{"1", "5"}, {"1.00", "5.0"}, {"1.2345", "2"}, {"3", "3"}} {
			r, err := amount.Range(a(ends[0]), a(ends[1]), currency)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, priced{r, currency})
		}
	}
	for _, of := range list {
		for _, limit := range []engine.Limit{{}, engine.AtMost(0), engine.AtMost(math.MaxInt64)} {
			s := fullStored()
			s.Profile.Amounts, s.Profile.Currency, s.Profile.MaxRepeats = of.choice, of.currency, limit
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			var back engine.Stored
			if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, s) {
				t.Errorf("%s\nis read back as\n%+v, %v; want\n%+v", text, back, err, s)
			}
		}
	}
}

// TestStoredJSONForm: the names of the members and the schema are a promise.
func TestStoredJSONForm(t *testing.T) {
	s := engine.Stored{Profile: daily()}
	s.Profile.CardExpires = day("2027-12-31")
	const created = `{"schema":"chargecast.stored/1","profile":{"client-orderid":"order-1","rp_card_type":"SRC","start-date":"2026-01-10","period":"day","interval":1,"amount":"10.00","currency":"EUR","card-expires":"2027-12-31"},"state":`
	for _, r := range []struct {
		state engine.State
		want  string
	}{
		{engine.State{}, created + `null}`},
		{engine.State{Status: engine.StatusActive}, created + `{"status":"active","repeat":0}}`},
	} {
		s.State = r.state
		if got, err := json.Marshal(s); err != nil || string(got) != r.want {
			t.Errorf("%s, %v; want\n%s", got, err, r.want)
		}
	}
}

// TestStoredJSONRefused: what is not exactly a stored profile is refused, and changes nothing.
func TestStoredJSONRefused(t *testing.T) {
	for text, code := range map[string]ledger.Code{
		`{"profile":{"client-orderid":"a","client-orderid":"b"}}`:             "json-duplicate-field",
		`{"profile":{"clientOrderID":"a"}}`:                                   "json-unknown-field",
		`{"profile":{"rp_card_type":"src"}}`:                                  "card-type",
		`{"profile":{"period":"year"}}`:                                       "period-value",
		`{"profile":{"interval":1.5}}`:                                        "integer-range",
		`{"profile":{"interval":"1"}}`:                                        "json-type",
		`{"profile":{"interval":99999999999999999999}}`:                       "integer-range",
		`{"profile":{"max-repeats-number":-1}}`:                               "integer-range",
		`{"profile":{"start-date":"31.01.2026"}}`:                             "date-syntax",
		`{"profile":{"amount":9.99}}`:                                         "json-type",
		`{"profile":{"amount":"9,99"}}`:                                       "amount-syntax",
		`{"profile":{"amount-to":"1"}}`:                                       "amount-half-range",
		`{"profile":{"amount":"1","amount-sequence":["1"]}}`:                  "amount-modes",
		`{"state":{"repeat":9223372036854775808}}`:                            "state-repeat",
		`{"state":{"status":"paused"}}`:                                       "state-status",
		`{"state":{"stop":{"reasons":["max-repeats"]}}}`:                      "state-conflict",
		`{"state":{"missed":[{"from":"2026-01-02","through":"2026-01-01"}]}}`: "state-conflict",
		`{"state":{"because":["L99"]}}`:                                       "json-type",
		`{"state":[]}`:                                                        "json-type",
		`{"profile":null}`:                                                    "json-type",
		`{"state":{"status":"none","repeat":0}}`:                              "state-conflict",
		`{"state":{"status":"none","last":"2026-01-01"}}`:                     "state-conflict",
		`{"policy":{}}`:                                                       "json-unknown-field",
	} {
		text = `{"schema":"chargecast.stored/1",` + text[1:]
		if !strings.Contains(text, `"profile"`) {
			text = strings.Replace(text, "{", `{"profile":{},`, 1)
		}
		s := fullStored()
		f, ok := errors.AsType[ledger.Finding](s.UnmarshalJSON([]byte(text)))
		if !ok || f.Code != code || f.Place.Col < 1 {
			t.Errorf("%s: %v, want %s", text, f, code)
		}
		if !reflect.DeepEqual(s, fullStored()) {
			t.Errorf("%s changes the value", text)
		}
	}
	var p engine.Profile
	var st engine.State
	var limit engine.Limit
	for text, into := range map[string]json.Unmarshaler{`{"x":1}`: &p, `{"y":1}`: &st, `"5"`: &limit, `-1`: &limit, `[]`: &p, ` {`: &st} {
		if err := into.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is read into %T", text, into)
		}
	}
}

// TestNotCarried: a value that the form cannot carry exactly is an error that names the field,
// never another value.
func TestNotCarried(t *testing.T) {
	for field, change := range map[string]func(*engine.Stored){
		"client-orderid": func(s *engine.Stored) { s.Profile.ID = "\xff" },
		"currency":       func(s *engine.Stored) { s.Profile.Currency = "E\x00" },
		"rp_card_type":   func(s *engine.Stored) { s.Profile.Kind = 9 },
		"period":         func(s *engine.Stored) { s.Profile.Unit = 9 },
		"state.status":   func(s *engine.Stored) { s.State.Status = 9 },
		"state.repeat":   func(s *engine.Stored) { s.State.Repeat = math.MaxInt64 + 1 },
		"state.paid":     func(s *engine.Stored) { s.State.Paid = []calendar.Date{{}} },
		"state.missed":   func(s *engine.Stored) { s.State.Missed = []calendar.Window{{}} },
		"state.stop":     func(s *engine.Stored) { s.State.Stop.Reasons = 64 },
	} {
		s := fullStored()
		change(&s)
		_, err := json.Marshal(s)
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := (engine.Profile{ID: "\xff"}).MarshalJSON(); !errors.Is(err, ledger.Code("invalid-utf8")) {
		t.Errorf("an id that is not UTF-8: %v", err)
	}
	s := fullStored()
	s.State.Status = 0 // a profile that is not created remembers nothing
	if _, err := s.State.MarshalJSON(); err == nil {
		t.Error("a state without a status is written")
	}
	if _, err := engine.AppendStateLine(nil, "\xff", engine.State{Status: engine.StatusActive}); !errors.Is(err, ledger.Code("invalid-utf8")) {
		t.Errorf("an id that is not UTF-8: %v", err)
	}
	if _, err := engine.AppendStateLine(nil, "a", engine.State{Status: engine.StatusActive, Missed: []calendar.Window{{}}}); err == nil {
		t.Error("a window without a beginning is written")
	}
	if _, err := json.Marshal(engine.Policy{MaxZero: 9}); !errors.Is(err, engine.ErrPolicy) {
		t.Errorf("a policy out of range: %v", err)
	}
}

// TestOutOfRangeValues: no value of a type makes a method panic, and none without a name looks like
// one that has a name (E11, h312).
func TestOutOfRangeValues(t *testing.T) {
	for i := range 256 {
		n := uint8(i)
		for name, v := range map[string]interface {
			String() string
			MarshalText() ([]byte, error)
		}{
			"Kind": engine.Kind(n), "Status": engine.Status(n), "Outcome": engine.Outcome(n),
			"Result": engine.Result(n),
		} {
			_, err := v.MarshalText()
			if unnamed := strings.HasPrefix(v.String(), name+"("); unnamed != (err != nil) || i > 20 && !unnamed {
				t.Errorf("%s %d is %q, %v", name, i, v, err)
			}
		}
		for name, text := range map[string]string{"EventKind": engine.EventKind(n).String(), "EffectKind": engine.EffectKind(n).String()} {
			if i > 20 && !strings.HasPrefix(text, name+"(") {
				t.Errorf("%s %d is %q", name, i, text)
			}
		}
		_ = slices.Collect(engine.Reasons(n).All())
		if _, err := engine.Reasons(n).MarshalJSON(); (err != nil) != (n > 7) || n > 0 && engine.Reasons(n).String() == "" {
			t.Errorf("reasons %d: %q, %v", n, engine.Reasons(n), err)
		}
		for c := range ledger.Clause(255) {
			pol := engine.Policy{StartPast: engine.StartPast(n), MonthEnd: calendar.MonthEnd(n)}
			if pol.Reading(c); pol.String() == "" {
				t.Errorf("no text under reading %d", n)
			}
		}
	}
	for _, text := range []string{"[]", "x", `"max-repeats"`, `["bored"]`, `[1]`} {
		var r engine.Reasons
		if err := r.UnmarshalJSON([]byte(text)); (err == nil) != (text == "[]") {
			t.Errorf("reasons %q: %v", text, err)
		}
	}
}

// FuzzStored_UnmarshalMarshal: what is read is written and read back to the same, and nothing
// panics.
func FuzzStored_UnmarshalMarshal(f *testing.F) {
	for _, s := range []engine.Stored{{}, fullStored(), {Profile: daily(), State: engine.State{Status: engine.StatusActive}}} {
		text, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s, back engine.Stored
		if err := s.UnmarshalJSON(data); err != nil {
			return
		}
		_ = engine.New(engine.Policy{}).Check(s, day("2026-01-10"))
		text, err := s.MarshalJSON()
		if err != nil {
			t.Fatalf("%s is read and cannot be written: %v", data, err)
		}
		if err := back.UnmarshalJSON(text); err != nil || !reflect.DeepEqual(s, back) {
			t.Errorf("%s\nis written\n%s\nand read back as %+v, %v", data, text, back, err)
		}
	})
}
