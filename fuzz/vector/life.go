package vector

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
)

// A Life is a vector of the ops forecast and simulate: a profile, a window, and what must come of it
// under one policy. What packages read in different ways is left as JSON.
type Life struct {
	ID      string            `json:"-"` // of the vector; with the reading where there are several
	Clauses []string          `json:"-"`
	Columns map[string]string `json:"columns"`
	AsOf    string            `json:"as_of"`
	Until   string            `json:"until"`
	Policy  map[string]string `json:"policy"`
	State   json.RawMessage   `json:"state"`  // a state line without its profile; nil: created on AsOf
	Script  []json.RawMessage `json:"script"` // script lines; nil: a forecast
	Expect  LifeExpectation   `json:"-"`
}

// A LifeExpectation is what must come of a Life. A member that is absent is not compared.
type LifeExpectation struct {
	Charges  []json.RawMessage `json:"charges"`
	End      json.RawMessage   `json:"end"`
	Events   []json.RawMessage `json:"events"`
	Rejected bool              `json:"rejected"`
}

// A Charge is an expected charge record. A member that is absent is not compared; an absent slot is
// that of the date.
type Charge struct {
	Repeat  uint64 `json:"repeat"`
	Date    string `json:"date"`
	Slot    string `json:"slot"`
	Amount  string `json:"amount"`
	Min     string `json:"min"`
	Max     string `json:"max"`
	Kind    string `json:"kind"`
	Outcome string `json:"outcome"`
}

// Bounds are the least and the greatest amount of a charge.
func (c Charge) Bounds() (low, high string) {
	if c.Amount != "" {
		return c.Amount, c.Amount
	}
	return c.Min, c.Max
}

// An End is an expected end record. A nil Stop is not compared; "null" is none.
type End struct {
	Status string          `json:"status"`
	Repeat uint64          `json:"repeat"`
	Stop   json.RawMessage `json:"stop"`
}

// A Stop is the stop of an end record.
type Stop struct {
	Date    string   `json:"date"`
	Reasons []string `json:"reasons"`
}

// An Event is an expected event record.
type Event struct {
	Date   string `json:"date"`
	Do     string `json:"do"`
	Result string `json:"result"`
}

// ErrOp is the error of a vector of another op.
var ErrOp = errors.New("a vector of another op")

// Lives are the lives of a vector: one under the policy of its input, or one for each value of the
// deciding key. A vector of another op is [ErrOp].
func (v Vector) Lives() ([]Life, error) {
	if v.Op != "forecast" && v.Op != "simulate" {
		return nil, ErrOp
	}
	l, err := Decode[Life](v.Input)
	l.ID, l.Clauses = v.ID, v.Clauses
	if err != nil || v.Key == "" {
		var err2 error
		l.Expect, err2 = Decode[LifeExpectation](v.Expect)
		return []Life{l}, errors.Join(err, err2)
	}
	var list []Life
	for _, value := range slices.Sorted(maps.Keys(v.Readings)) {
		one := l
		one.ID += " " + v.Key + "=" + value
		one.Policy = maps.Clone(l.Policy)
		if one.Policy == nil {
			one.Policy = map[string]string{}
		}
		one.Policy[v.Key] = value
		var err2 error
		one.Expect, err2 = Decode[LifeExpectation](v.Readings[value])
		err = errors.Join(err, err2)
		list = append(list, one)
	}
	return list, err
}

// Payload is the row of a life: its columns over a row without a problem, whose card never expires. Any other card
// type than DST changes a row of SRC.
func (l Life) Payload() Payload {
	p := Payload{Row: "SRC", AsOf: l.AsOf, Set: map[string]Text{"expire-year": "9999"}}
	if l.Columns["rp_card_type"] == "DST" {
		p.Row, p.Set["expire-year"] = "DST", ""
	}
	for _, name := range []string{"amount", "currency", "period", "interval", "start-date", "finish-date", "max-repeats-number"} {
		p.Set[name] = ""
	}
	for name, value := range l.Columns {
		p.Set[name] = Text(value)
	}
	return p
}

// Lives are the lives of the vectors of a file that has no others.
func Lives(family string) ([]Life, error) {
	vectors, err := Family(family)
	var all []Life
	for _, v := range vectors {
		list, err2 := v.Lives()
		err = errors.Join(err, err2)
		all = append(all, list...)
	}
	return all, err
}
