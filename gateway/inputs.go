package gateway

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// readInput reads the body of a request by its members. Every error has the code [InputForm].
func readInput[T any](c *call, members []jsonline.Member[T]) (T, error) {
	var v T
	return readOver(c, members, v)
}

// readOver is readInput for what is set already.
func readOver[T any](c *call, members []jsonline.Member[T], v T) (T, error) {
	fields, err := jsonline.Parse(c.body)
	if err == nil {
		err = jsonline.Members(fields, members, &v)
	}
	if f, ok := errors.AsType[ledger.Finding](err); ok {
		f.Code, f.Place = InputForm, ledger.Place{}
		return v, f
	}
	return v, err
}

// text reads a string, or null as the empty one.
func text(v *jsonline.Value, to *string) error {
	if v.Kind == jsonline.KindNull {
		return nil
	}
	return jsonline.String(v, to)
}

// count reads a whole number that an int holds on every machine.
func count(v *jsonline.Value, to *int) error {
	var n uint64
	if err := jsonline.Count(v, &n, InputForm); err != nil {
		return err
	}
	if n > math.MaxInt32 {
		return inField("", "the number is out of range", "send a whole number below 2147483648")
	}
	*to = int(n)
	return nil
}

var merchantMembers = []jsonline.Member[Registration]{
	{Name: "login", Read: func(r *Registration, v *jsonline.Value) error { return jsonline.String(v, &r.Login) }},
	{Name: "endpoint", Read: func(r *Registration, v *jsonline.Value) error { return jsonline.String(v, &r.Endpoint) }},
	{Name: "currency", Read: func(r *Registration, v *jsonline.Value) error { return text(v, &r.Currency) }},
	{Name: "control_key", Read: func(r *Registration, v *jsonline.Value) error { return text(v, &r.ControlKey) }},
	{Name: "public_key", Read: func(r *Registration, v *jsonline.Value) error { return text(v, &r.PublicKey) }},
	{Name: "window_s", Read: func(r *Registration, v *jsonline.Value) error { return count(v, &r.WindowS) }},
	{Name: "check_replays", Read: func(r *Registration, v *jsonline.Value) error { return jsonline.Bool(v, &r.CheckReplays) }},
	{Name: "response", Read: func(r *Registration, v *jsonline.Value) error {
		return jsonline.Word(v, &r.Response, InputForm, responseWords.Words)
	}},
	{Name: "callback", Read: func(r *Registration, v *jsonline.Value) error {
		return jsonline.Object(v, templateMembers, &r.Callback)
	}},
}

var templateMembers = []jsonline.Member[CallbackTemplate]{
	{Name: "content_type", Read: func(t *CallbackTemplate, v *jsonline.Value) error { return text(v, &t.ContentType) }},
	{Name: "body", Read: func(t *CallbackTemplate, v *jsonline.Value) error { return text(v, &t.Body) }},
}

// changeMembers are those of a merchant that can be changed.
var changeMembers = slices.DeleteFunc(slices.Clone(merchantMembers), func(m jsonline.Member[Registration]) bool {
	return m.Name == "login" || strings.HasSuffix(m.Name, "_key")
})

var keyMembers = []jsonline.Member[Registration]{
	{Name: "control_key", Read: func(r *Registration, v *jsonline.Value) error { return text(v, &r.ControlKey) }},
	{Name: "public_key", Read: func(r *Registration, v *jsonline.Value) error { return text(v, &r.PublicKey) }},
}

// A dayInput is what clock and reset take.
type dayInput struct {
	To     calendar.Date
	Login  string
	NoWait bool
}

var clockMembers = []jsonline.Member[dayInput]{
	{Name: "wait", Read: func(d *dayInput, v *jsonline.Value) error {
		wait := false
		err := jsonline.Bool(v, &wait)
		d.NoWait = !wait
		return err
	}},
	{Name: "to", Read: func(d *dayInput, v *jsonline.Value) error { return jsonline.Date(v, &d.To) }},
}

var resetMembers = []jsonline.Member[dayInput]{
	{Name: "to", Read: func(d *dayInput, v *jsonline.Value) error {
		if v.Kind == jsonline.KindNull {
			return nil
		}
		return jsonline.Date(v, &d.To)
	}},
	{Name: "login", Read: func(d *dayInput, v *jsonline.Value) error { return text(v, &d.Login) }},
}

var snapshotMembers = []jsonline.Member[dayInput]{
	{Name: "login", Read: func(d *dayInput, v *jsonline.Value) error { return text(v, &d.Login) }},
}

var outcomeMembers = []jsonline.Member[Outcome]{
	{Name: "login", Read: func(o *Outcome, v *jsonline.Value) error { return text(v, &o.Login) }},
	{Name: "profile", Read: func(o *Outcome, v *jsonline.Value) error { return text(v, &o.OrderID) }},
	{Name: "repeat", Read: func(o *Outcome, v *jsonline.Value) error {
		if v.Kind == jsonline.KindNull {
			return nil
		}
		o.Repeat = new(uint64)
		return jsonline.Count(v, o.Repeat, InputForm)
	}},
	{Name: "last4", Read: func(o *Outcome, v *jsonline.Value) error { return text(v, &o.Last4) }},
	{Name: "amount", Read: readAmount},
	{Name: "outcome", Read: func(o *Outcome, v *jsonline.Value) error {
		var n uint8
		words := []string{"", engine.OutcomeApproved.String(), engine.OutcomeDeclined.String()}
		err := jsonline.Word(v, &n, InputForm, words)
		if err == nil {
			err = o.Outcome.UnmarshalText([]byte(words[n]))
		}
		return err
	}},
	{Name: "times", Read: func(o *Outcome, v *jsonline.Value) error { return count(v, &o.Times) }},
}

var faultMembers = []jsonline.Member[Fault]{
	{Name: "kind", Read: func(f *Fault, v *jsonline.Value) error { return jsonline.Word(v, &f.Kind, InputForm, faultWords.Words) }},
	{Name: "login", Read: func(f *Fault, v *jsonline.Value) error { return text(v, &f.Login) }},
	{Name: "where", Read: func(f *Fault, v *jsonline.Value) error {
		if v.Kind == jsonline.KindNull {
			return nil
		}
		return jsonline.Object(v, whereMembers, &f.Where)
	}},
	{Name: "times", Read: func(f *Fault, v *jsonline.Value) error { return count(v, &f.Times) }},
	{Name: "chance", Read: func(f *Fault, v *jsonline.Value) error {
		chance, err := strconv.ParseFloat(v.Text(), 64)
		if v.Kind != jsonline.KindNumber || err != nil {
			return jsonline.Fault(InputForm, v.At+1, "the value is not a number", "send one above 0 and at most 1")
		}
		f.Chance = chance
		return nil
	}},
	{Name: "ms", Read: func(f *Fault, v *jsonline.Value) error { return count(v, &f.Ms) }},
	{Name: "days", Read: func(f *Fault, v *jsonline.Value) error { return count(v, &f.Days) }},
	{Name: "bytes_s", Read: func(f *Fault, v *jsonline.Value) error { return count(v, &f.BytesS) }},
}

var whereMembers = []jsonline.Member[FaultWhere]{
	{Name: "profile", Read: func(w *FaultWhere, v *jsonline.Value) error { return text(v, &w.Profile) }},
	{Name: "day", Read: func(w *FaultWhere, v *jsonline.Value) error {
		if v.Kind == jsonline.KindNull {
			return nil
		}
		return jsonline.Date(v, &w.Day)
	}},
	{Name: "request", Read: func(w *FaultWhere, v *jsonline.Value) error {
		if v.Kind == jsonline.KindNull {
			return nil
		}
		return count(v, &w.Request)
	}},
}

func readAmount(o *Outcome, v *jsonline.Value) error {
	var number string
	if err := text(v, &number); err != nil || number == "" {
		return err
	}
	a, err := amount.Parse(number)
	if err != nil || a.IsZero() {
		return jsonline.Fault(InputForm, v.At+1, "the value is not an amount above zero", "send a text such as \"9.90\"")
	}
	o.Amount = a
	return nil
}

// An eventInput is what the events of a profile take.
type eventInput struct {
	via engine.Channel
	set [][2]string
}

var noMembers []jsonline.Member[eventInput]

var resumeMembers = []jsonline.Member[eventInput]{
	{Name: "via", Read: func(e *eventInput, v *jsonline.Value) error {
		return jsonline.Word(v, &e.via, InputForm, []string{"", engine.ChannelUI.String(), engine.ChannelAPI.String()})
	}},
}

var updateMembers = []jsonline.Member[eventInput]{
	{Name: "set", Read: func(e *eventInput, v *jsonline.Value) error {
		if err := jsonline.As(v, jsonline.KindObject, "send an object of columns"); err != nil {
			return err
		}
		for i := range v.Fields {
			var value string
			if err := jsonline.String(&v.Fields[i].Value, &value); err != nil {
				return err
			}
			e.set = append(e.set, [2]string{v.Fields[i].Name.Text(), value})
		}
		return nil
	}},
}

// columns yields the columns of an update in their order.
func (e *eventInput) columns() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, column := range e.set {
			if !yield(column[0], column[1]) {
				return
			}
		}
	}
}
