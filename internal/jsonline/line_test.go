package jsonline_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// TestIn: an error that is not a finding stays as it is.
func TestIn(t *testing.T) {
	if err := jsonline.In(errors.New("x"), "field"); err.Error() != "x" {
		t.Errorf("another error becomes %v", err)
	}
}

// A formed is what is read by a form.
type formed struct {
	Text   string         `json:"text" strict:"required"`
	Date   calendar.Date  `json:"date,omitzero"`
	Unit   calendar.Unit  `json:"unit,omitzero" strict:"code=unit-value"`
	Amount badly          `json:"amount,omitzero" strict:"code=amount-syntax"`
	Clause ledger.Clause  `json:"clause,omitzero"`
	Why    ledger.Because `json:"why,omitzero"`
	Basis  ledger.Basis   `json:"basis,omitzero" strict:"code=basis-unknown"`
	Count  uint64         `json:"count,omitzero" strict:"count"`
	Own    own            `json:"own,omitzero" strict:"code=not-this"`
	Inner  *inner         `json:"inner,omitzero"`
}

type inner struct {
	Yes bool `json:"yes"`
}

// A badly is never read.
type badly struct{}

func (badly) MarshalText() ([]byte, error)     { return nil, errors.New("no text") }
func (*badly) UnmarshalText(text []byte) error { return errors.New("not an amount") }

// An own has an error of its own.
type own struct{}

func (own) MarshalText() ([]byte, error) { return nil, errors.New("no text") }
func (*own) UnmarshalText(text []byte) error {
	return jsonline.Fault("own-code", 3, "own message", "own help")
}

// TestFormRefused: what a form refuses is a finding with code, column, member, and words for the types
// that all rooms have.
func TestFormRefused(t *testing.T) {
	form := strictjson.FormOf[formed]()
	for _, r := range []struct {
		line, field string
		code        ledger.Code
		col         int
		help        string
	}{
		{`{"text":"a",`, "", "json-syntax", 13, ""},
		{` 5`, "", "json-type", 2, ""},
		{`{"text":"a","text":"b"}`, "", "json-duplicate-field", 13, ""},
		{`{"txt":"a"}`, "", "json-unknown-field", 2, "did you mean text?"},
		{`{"count":1}`, "text", "json-type", 1, "write it"},
		{`{"text":1}`, "text", "json-type", 9, "double quotes"},
		{`{"text":"a","date":"2026-02-30"}`, "date", "date-not-a-day", 20, "check month and day"},
		{`{"text":"a","date":"30.01.2026"}`, "date", "date-syntax", 20, "YYYY-MM-DD"},
		{`{"text":"a","date":""}`, "date", "date-syntax", 20, "YYYY-MM-DD"},
		{`{"text":"a","date":5}`, "date", "json-type", 20, "YYYY-MM-DD"},
		{`{"text":"a","unit":"weak"}`, "unit", "unit-value", 20, "did you mean week? use day, week, month"},
		{`{"text":"a","amount":"x"}`, "amount", "amount-syntax", 22, "write digits"},
		{`{"text":"a","clause":"L99"}`, "clause", "json-type", 22, "such as 2.2.6"},
		{`{"text":"a","why":["L01","L99"]}`, "why", "json-type", 19, "such as 2.2.6"},
		{`{"text":"a","basis":"Stated"}`, "basis", "basis-unknown", 21, "did you mean stated? use stated, observed"},
		{`{"text":"a","count":-1}`, "count", "json-type", 21, "from 0 to 9223372036854775807"},
		{`{"text":"a","own":"x"}`, "own", "own-code", 21, "own help"},
		{`{"text":"a","inner":{"yes":0}}`, "yes", "json-type", 28, "true or false"},
		{`{"text":"a","inner":null}`, "inner", "json-type", 21, "braces"},
	} {
		var v formed
		f, ok := errors.AsType[ledger.Finding](jsonline.Read(form, []byte(r.line), &v))
		if !ok || f.Code != r.code || f.Place.Col != r.col || f.Subject != r.field || f.Severity != ledger.SeverityError || f.Message == "" || !strings.Contains(f.Help, r.help) {
			t.Errorf("%s: %+v", r.line, f)
		}
	}
	var v formed
	if err := jsonline.Read(form, []byte(`{"text":"a","why":["L01","2.2.6"]}`), &v); err != nil || v.Text != "a" || v.Why != ledger.On(clause.L01, clause.Doc226) {
		t.Errorf("%+v, %v", v, err)
	}
}
