// Package vectors decodes the vectors of testdata, for the tests of every package and for the kit.
package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// A Forecast is a line of forecast.jsonl. What packages read in different ways is left as JSON.
type Forecast struct {
	ID      string            `json:"id"`
	Title   string            `json:"title"`
	Clauses []string          `json:"clauses"`
	Profile map[string]string `json:"profile"`
	AsOf    string            `json:"as_of"`
	Until   string            `json:"until"`
	Policy  map[string]string `json:"policy"`
	State   json.RawMessage   `json:"state"`  // a state line without its profile; nil: created on AsOf
	Script  []json.RawMessage `json:"script"` // script lines; nil: a forecast
	Expect  Expectation       `json:"expect"`
}

// An Expectation is what a vector must come to. A member that is absent is not compared.
type Expectation struct {
	Charges  []json.RawMessage `json:"charges"`
	End      json.RawMessage   `json:"end"`
	Events   []json.RawMessage `json:"events"`
	Rejected bool              `json:"rejected"`
}

// ErrLine is the error of a line that is not a vector; the error that wraps it names the line.
var ErrLine = errors.New("not a vector")

// ReadForecasts reads vectors, one a line.
func ReadForecasts(r io.Reader) ([]Forecast, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var list []Forecast
	for line := range bytes.Lines(text) {
		var v Forecast
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if d.Decode(&v) != nil || v.ID == "" || v.Title == "" || len(v.Clauses) == 0 {
			return nil, errors.Join(ErrLine, errors.New("line "+strconv.Itoa(len(list)+1)))
		}
		list = append(list, v)
	}
	return list, nil
}

// Decode returns the value of a JSON text, with numbers as written where T holds any value; the zero
// T for no text.
func Decode[T any](text json.RawMessage) (v T, err error) {
	if text == nil {
		return v, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// DecodeAll decodes a list; nil for none.
func DecodeAll[T any](texts []json.RawMessage) (list []T, err error) {
	for _, text := range texts {
		v, err := Decode[T](text)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if texts != nil && list == nil {
		list = []T{}
	}
	return list, nil
}
