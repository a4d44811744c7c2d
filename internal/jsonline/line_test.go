package jsonline_test

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// A sample has a field of each kind that lines have.
type sample struct {
	text    string
	word    uint8
	date    calendar.Date
	count   uint64
	yes     bool
	list    []string
	because ledger.Because
	inner   *sample
}

var members []jsonline.Member[sample]

func init() {
	members = []jsonline.Member[sample]{
		{Name: "text", Read: func(s *sample, v *jsonline.Value) error { return jsonline.String(v, &s.text) }},
		{Name: "word", Read: func(s *sample, v *jsonline.Value) error {
			return jsonline.Word(v, &s.word, "word-unknown", []string{"", "one", "two"})
		}},
		{Name: "date", Read: func(s *sample, v *jsonline.Value) error { return jsonline.Date(v, &s.date) }},
		{Name: "count", Read: func(s *sample, v *jsonline.Value) error { return jsonline.Count(v, &s.count, "count-range") }},
		{Name: "yes", Read: func(s *sample, v *jsonline.Value) error { return jsonline.Bool(v, &s.yes) }},
		{Name: "list", Read: func(s *sample, v *jsonline.Value) error {
			return jsonline.List(v, func(v *jsonline.Value) error {
				var text string
				err := jsonline.String(v, &text)
				s.list = append(s.list, text)
				return err
			})
		}},
		{Name: "because", Read: func(s *sample, v *jsonline.Value) error { return jsonline.Because(v, &s.because) }},
		{Name: "inner", Read: func(s *sample, v *jsonline.Value) error {
			s.inner = new(sample)
			return jsonline.Object(v, members, s.inner)
		}},
	}
}

func read(line string) (sample, error) {
	var s sample
	fields, err := jsonline.Parse([]byte(line))
	if err == nil {
		err = jsonline.Members(fields, members, &s)
	}
	return s, err
}

func TestRead(t *testing.T) {
	s, err := read(`{"text":"a","word":"two","date":"2026-01-31","count":9223372036854775807,"yes":true,"list":["x","y"],"because":["L01","2.2.6"],"inner":{"yes":false}}`)
	if err != nil || s.text != "a" || s.word != 2 || s.date != calendar.MustParse("2026-01-31") || s.count != 1<<63-1 || !s.yes ||
		len(s.list) != 2 || s.because != ledger.On(clause.L01, clause.Doc226) || s.inner == nil || s.inner.yes {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestRefused: every error has a code, a column and, within a field, its name.
func TestRefused(t *testing.T) {
	for _, r := range []struct {
		line, field string
		code        ledger.Code
		col         int
	}{
		{`{`, "", "json-syntax", 2},
		{`[]`, "", "json-type", 1},
		{`{"text":"a","text":"b"}`, "", "json-duplicate-field", 13},
		{"{\"text\":\"\xff\"}", "", "invalid-utf8", 10},
		{`{"text":"\u0000"}`, "", "nul-character", 10},
		{`{"txt":"a"}`, "", "json-unknown-field", 2},
		{`{"text":1}`, "text", "json-type", 9},
		{`{"word":"three"}`, "word", "word-unknown", 9},
		{`{"word":""}`, "word", "word-unknown", 9},
		{`{"word":1}`, "word", "json-type", 9},
		{`{"date":"2026-02-30"}`, "date", "date-not-a-day", 9},
		{`{"date":"30.01.2026"}`, "date", "date-syntax", 9},
		{`{"date":""}`, "date", "date-syntax", 9},
		{`{"date":"2026-01-3\u0031"}`, "date", "date-syntax", 9},
		{`{"date":20260131}`, "date", "json-type", 9},
		{`{"count":-1}`, "count", "count-range", 10},
		{`{"count":1.0}`, "count", "count-range", 10},
		{`{"count":9223372036854775808}`, "count", "count-range", 10},
		{`{"count":"1"}`, "count", "json-type", 10},
		{`{"yes":"true"}`, "yes", "json-type", 8},
		{`{"list":"x"}`, "list", "json-type", 9},
		{`{"list":["x",1]}`, "list", "json-type", 14},
		{`{"because":["L99"]}`, "because", "json-type", 13},
		{`{"because":[""]}`, "because", "json-type", 13},
		{`{"inner":[]}`, "inner", "json-type", 10},
		{`{"inner":{"yes":0}}`, "yes", "json-type", 17},
	} {
		_, err := read(r.line)
		f, ok := errors.AsType[ledger.Finding](err)
		if !ok || f.Code != r.code || f.Place.Col != r.col || f.Subject != r.field || (f.Kind == 0) != (r.field == "") ||
			f.Severity != ledger.SeverityError || f.Message == "" || f.Help == "" {
			t.Errorf("%s: %+v", r.line, err)
		}
	}
	if err := jsonline.In(errors.New("x"), "field"); err.Error() != "x" {
		t.Errorf("another error becomes %v", err)
	}
}
