package fuzz

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vector"
)

// A Vector is one case of the engine as data: a profile as its columns, and what must
// come of it. A key that an expectation lacks is not compared.
type Vector struct {
	ID      string            `json:"id"`
	Clauses []string          `json:"clauses"`
	Profile map[string]string `json:"profile"`
	AsOf    calendar.Date     `json:"as_of"`
	Until   calendar.Date     `json:"until"`
	Policy  map[string]string `json:"policy"`
	State   *VectorState      `json:"state"`
	Script  []VectorStep      `json:"script"`
	Expect  VectorExpectation `json:"expect"`
}

// A VectorState is a line of a state file without its profile.
type VectorState struct {
	Status     string          `json:"status"`
	Repeat     uint64          `json:"repeat"`
	RanThrough calendar.Date   `json:"ran_through"`
	Paid       []calendar.Date `json:"paid"`
	Anchor     calendar.Date   `json:"anchor"`
}

// A VectorStep is a line of a script.
type VectorStep struct {
	Date    calendar.Date     `json:"date"`
	Do      string            `json:"do"`
	Via     string            `json:"via"`
	When    string            `json:"when"`
	Set     map[string]string `json:"set"`
	Repeat  *uint64           `json:"repeat"`
	Outcome string            `json:"outcome"`
}

// A VectorExpectation is what must come of a vector.
type VectorExpectation struct {
	Rejected bool           `json:"rejected"`
	Charges  []VectorCharge `json:"charges"`
	End      *VectorEnd     `json:"end"`
	Events   []VectorEvent  `json:"events"`
}

// A VectorCharge is a charge record.
type VectorCharge struct {
	Repeat           uint64        `json:"repeat"`
	Date             calendar.Date `json:"date"`
	Slot             calendar.Date `json:"slot"`
	Amount, Min, Max string
	Kind, Outcome    string
}

// A VectorEnd is an end record. Stop is raw, since an absent one is not compared and a
// null one means none.
type VectorEnd struct {
	Status string          `json:"status"`
	Repeat uint64          `json:"repeat"`
	Stop   json.RawMessage `json:"stop"`
}

// A VectorEvent is an event record.
type VectorEvent struct {
	Date   calendar.Date `json:"date"`
	Do     string        `json:"do"`
	Result string        `json:"result"`
}

// ErrVector is a vector that cannot be read; the message of the error that wraps it names
// the vector.
var ErrVector = errors.New("unreadable vector")

// Vectors are the lives of a vector of package vector: one, or one for each reading of the
// key that decides. One of another op has none.
func Vectors(v vector.Vector) ([]Vector, error) {
	raw, err := v.Lives()
	if errors.Is(err, vector.ErrOp) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.Join(ErrVector, errors.New("vector "+v.ID))
	}
	list := make([]Vector, len(raw))
	for i := range raw {
		if list[i], err = vectorOf(&raw[i]); err != nil {
			return nil, errors.Join(ErrVector, errors.New("vector "+raw[i].ID))
		}
	}
	return list, nil
}

// vectorOf decodes what the kit reads of a vector.
func vectorOf(raw *vector.Life) (v Vector, err error) {
	v = Vector{ID: raw.ID, Clauses: raw.Clauses, Profile: raw.Columns, Policy: raw.Policy}
	v.Expect.Rejected = raw.Expect.Rejected
	decode := func(err2 error) { err = errors.Join(err, err2) }
	decode(v.AsOf.UnmarshalText([]byte(raw.AsOf)))
	decode(v.Until.UnmarshalText([]byte(raw.Until)))
	var err2 error
	v.State, err2 = vector.Decode[*VectorState](raw.State)
	decode(err2)
	v.Script, err2 = vector.DecodeAll[VectorStep](raw.Script)
	decode(err2)
	v.Expect.Charges, err2 = vector.DecodeAll[VectorCharge](raw.Expect.Charges)
	decode(err2)
	v.Expect.Events, err2 = vector.DecodeAll[VectorEvent](raw.Expect.Events)
	decode(err2)
	v.Expect.End, err2 = vector.Decode[*VectorEnd](raw.Expect.End)
	decode(err2)
	return v, err
}

// job is the vector's profile, state and policy; false where a column cannot be read.
func (v Vector) job() (Job, bool) {
	p, ok := readProfile(v.ID, v.Profile)
	j := Job{Profile: p, AsOf: v.AsOf}
	var err error
	if j.Policy, err = engine.ParsePolicy(policyText(v.Policy)); err != nil {
		return j, false
	}
	if s := v.State; s != nil {
		j.State = engine.State{Status: engine.StatusActive, Repeat: s.Repeat, Anchor: s.Anchor, RanThrough: s.RanThrough, Paid: s.Paid}
		if s.Status == "stopped" {
			j.State.Status = engine.StatusStopped
		}
	}
	return j, ok
}

func policyText(values map[string]string) string {
	var items []string
	for key, value := range values {
		items = append(items, key+"="+value)
	}
	return strings.Join(items, ",")
}

// readProfile reads the columns that the vectors have.
func readProfile(id string, columns map[string]string) (engine.Profile, bool) {
	p := engine.Profile{ID: id, Currency: columns["currency"]}
	p.Kind = map[string]engine.Kind{"SRC": engine.KindSource, "DST": engine.KindDestination}[columns["rp_card_type"]]
	u, ok := readUpdate(columns)
	if !ok {
		return p, false
	}
	p.Start, p.Finish = u.Start.Value, u.Finish.Value
	p.Unit, p.Interval = u.Unit.Value, u.Interval.Value
	p.MaxRepeats = u.MaxRepeats.Value
	p.Amounts, ok = strategyOf(u, p.Currency)
	return p, ok
}

// strategyOf is the one amount choice of a row.
func strategyOf(u engine.Update, currency string) (amount.Strategy, bool) {
	switch half := u.AmountFrom.Given != u.AmountTo.Given; {
	case half, u.Amount.Given && u.Sequence.Given, u.AmountFrom.Given && (u.Amount.Given || u.Sequence.Given):
		return nil, false
	case u.Amount.Given:
		return amount.NewFixed(u.Amount.Value), true
	case u.AmountFrom.Given:
		r, err := amount.NewRange(u.AmountFrom.Value, u.AmountTo.Value, currency)
		return r, err == nil
	}
	s, err := amount.NewSequence(u.Sequence.Value)
	return s, err == nil
}

// readUpdate reads columns as the update operation gives them: an empty one removes.
func readUpdate(columns map[string]string) (engine.Update, bool) {
	var u engine.Update
	ok := true
	for name, value := range columns {
		read, known := columnReaders[name]
		if !known {
			continue
		}
		ok = read(&u, value) && ok
	}
	return u, ok
}

// columnReaders set one column of an update each; false for a value that cannot be read
// or is out of its range.
var columnReaders = map[string]func(u *engine.Update, value string) bool{
	"start-date":  func(u *engine.Update, s string) bool { return change(&u.Start, s, calendar.ParseDotted) },
	"finish-date": func(u *engine.Update, s string) bool { return change(&u.Finish, s, calendar.ParseDotted) },
	"period":      func(u *engine.Update, s string) bool { return change(&u.Unit, s, calendar.ParseUnit) },
	"interval": func(u *engine.Update, s string) bool {
		return change(&u.Interval, s, strconv.Atoi) && (s == "" || u.Interval.Value > 0)
	},
	"max-repeats-number": func(u *engine.Update, s string) bool {
		return change(&u.MaxRepeats, s, func(s string) (engine.Limit, error) {
			n, err := strconv.ParseUint(s, 10, 63)
			return engine.AtMost(n), err
		})
	},
	"amount":      func(u *engine.Update, s string) bool { return change(&u.Amount, s, amount.Parse) },
	"amount-from": func(u *engine.Update, s string) bool { return change(&u.AmountFrom, s, amount.Parse) },
	"amount-to":   func(u *engine.Update, s string) bool { return change(&u.AmountTo, s, amount.Parse) },
	"amount-sequence": func(u *engine.Update, s string) bool {
		return change(&u.Sequence, s, func(s string) (list []amount.Amount, err error) {
			for element := range strings.SplitSeq(s, ",") {
				a, bad := amount.Parse(element)
				err = errors.Join(err, bad)
				list = append(list, a)
			}
			return list, err
		})
	},
}

func change[V any](c *engine.Change[V], text string, parse func(string) (V, error)) bool {
	c.Given = true
	if text == "" {
		return true
	}
	v, err := parse(text)
	c.Value = v
	return err == nil
}
