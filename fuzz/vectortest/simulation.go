package vectortest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"
)

// A Simulation is a vector of the ops forecast and simulate: a profile, a window, and what must come of it
// under one policy. What packages read in different ways is left as JSON.
type Simulation struct {
	ID      string            `json:"-"` // of the vector; with the reading where there are several
	Columns map[string]string `json:"columns"`
	AsOf    string            `json:"as_of"`
	Until   string            `json:"until"`
	Policy  map[string]string `json:"policy"`
	State   json.RawMessage   `json:"state"`  // a state line without its profile; nil: created on AsOf
	Script  []json.RawMessage `json:"script"` // script lines; nil: a forecast
	Expect  Outcome           `json:"-"`
}

// An Outcome is what came of a simulation, or what must come of it.
type Outcome struct {
	Rejected bool     `json:"rejected"` // the profile is refused; then the rest is not looked at
	Drawn    bool     `json:"-"`        // a random amount was drawn, as a simulation does: a range then stands for one amount in it
	Charges  []Charge `json:"charges"`
	Events   []Event  `json:"events"`
	End      End      `json:"end"`
}

// A Charge is a charge record. Kind and Outcome are compared where they are expected; an absent slot is that of the date.
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

// An Event is an event record.
type Event struct {
	Date   string `json:"date"`
	Do     string `json:"do"`
	Result string `json:"result"`
}

// An End is an end record. A nil Stop is none; where one is expected without the member, the stop is not compared.
type End struct {
	Status string `json:"status"`
	Repeat uint64 `json:"repeat"`
	Stop   *Stop  `json:"stop"`

	stopUnknown bool
}

// A Stop is the stop of an end record.
type Stop struct {
	Date    string   `json:"date"`
	Reasons []string `json:"reasons"`
}

// UnmarshalJSON reads an end, and tells a stop that is absent from one that is null.
func (e *End) UnmarshalJSON(data []byte) error {
	type plain End
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	e.stopUnknown = members["stop"] == nil
	return json.Unmarshal(data, (*plain)(e))
}

// Simulations are those of a vector of the ops forecast and simulate: one under the policy of its input, or one for each
// value of the deciding key.
func (v Vector) Simulations(t *testing.T) []Simulation {
	t.Helper()
	l := Input[Simulation](t, v)
	l.ID = v.ID
	if v.Key == "" {
		l.Expect = Expect[Outcome](t, v)
		return []Simulation{l}
	}
	var list []Simulation
	for _, value := range slices.Sorted(maps.Keys(v.Readings)) {
		one := l
		one.ID += " " + v.Key + "=" + value
		one.Policy = map[string]string{}
		maps.Copy(one.Policy, l.Policy)
		one.Policy[v.Key] = value
		one.Expect = decoded[Outcome](t, v.Readings[value])
		list = append(list, one)
	}
	return list
}

// Simulations are those of the vectors of a file that has no others.
func Simulations(t *testing.T, family string) []Simulation {
	t.Helper()
	var all []Simulation
	for _, v := range Family(t, family) {
		all = append(all, v.Simulations(t)...)
	}
	return all
}

// Payload is the row of a simulation: its columns over a row without a problem, whose card never expires. Any other card
// type than DST changes a row of SRC.
func (l Simulation) Payload() Payload {
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

// Same compares what came of a simulation with what must come of it: of the charges and of the end the members that the
// expectation has, of a script every event.
func (l Simulation) Same(t *testing.T, got Outcome) {
	t.Helper()
	if d := l.difference(got); d != "" {
		t.Errorf("%s: %s", l.ID, d)
	}
}

// difference is the first difference in words; none for none.
func (l Simulation) difference(got Outcome) string {
	want := l.Expect
	if got.Rejected != want.Rejected {
		return fmt.Sprintf("rejected is %v, want %v", got.Rejected, want.Rejected)
	}
	if got.Rejected {
		return ""
	}
	if l.Script != nil && !slices.Equal(got.Events, want.Events) {
		return fmt.Sprintf("events\n got %v\nwant %v", got.Events, want.Events)
	}
	if len(got.Charges) != len(want.Charges) {
		return fmt.Sprintf("%d charges, want %d\n got %+v\nwant %+v", len(got.Charges), len(want.Charges), got.Charges, want.Charges)
	}
	for i, c := range want.Charges {
		if !c.met(got.Charges[i], got.Drawn) {
			return fmt.Sprintf("charge %d\n got %+v\nwant %+v", i, got.Charges[i], c)
		}
	}
	if !want.End.met(got.End) {
		return fmt.Sprintf("the end\n got %v\nwant %v", got.End, want.End)
	}
	return ""
}

// met reports whether a charge is the expected one.
func (c Charge) met(got Charge, drawn bool) bool {
	return got.Repeat == c.Repeat && got.Date == c.Date && cmp.Or(got.Slot, got.Date) == cmp.Or(c.Slot, c.Date) &&
		(c.Kind == "" || got.Kind == c.Kind) && (c.Outcome == "" || got.Outcome == c.Outcome) && c.metAmount(got, drawn)
}

// metAmount compares by value; what is not an amount equals none.
func (c Charge) metAmount(got Charge, drawn bool) bool {
	low, high := got.bounds()
	from, to := c.bounds()
	if low == nil || high == nil || from == nil || to == nil {
		return false
	}
	if drawn {
		return low.Cmp(high) == 0 && from.Cmp(low) <= 0 && high.Cmp(to) <= 0
	}
	return low.Cmp(from) == 0 && high.Cmp(to) == 0
}

// bounds are the least and the greatest amount of a charge; nil for what is not an amount.
func (c Charge) bounds() (low, high *big.Rat) {
	low, _ = new(big.Rat).SetString(cmp.Or(c.Amount, c.Min))
	high, _ = new(big.Rat).SetString(cmp.Or(c.Amount, c.Max))
	return low, high
}

// met reports whether an end is the expected one.
func (e End) met(got End) bool {
	if got.Status != e.Status || got.Repeat != e.Repeat {
		return false
	}
	if e.stopUnknown || got.Stop == nil || e.Stop == nil {
		return e.stopUnknown || got.Stop == e.Stop
	}
	return got.Stop.Date == e.Stop.Date && slices.Equal(got.Stop.Reasons, e.Stop.Reasons)
}

// String shows an end in a message.
func (e End) String() string {
	stop := "none"
	if e.Stop != nil {
		stop = fmt.Sprintf("%s %v", e.Stop.Date, e.Stop.Reasons)
	}
	return fmt.Sprintf("%s with repeat %d, stop %s", e.Status, e.Repeat, stop)
}
