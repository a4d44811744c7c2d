package laws

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// Equal reports how two values differ, if they do. What is the same for a reader is equal: an empty list and none, an error
// and one that wraps it.
func (t *T) Equal(what string, got, want any) bool {
	if reflect.DeepEqual(got, want) {
		return true
	}
	options := cmp.Options{cmpopts.EquateEmpty(), cmpopts.EquateErrors(), cmp.Exporter(func(reflect.Type) bool { return true })}
	if cmp.Equal(want, got, options) {
		return true
	}
	d := cmp.Diff(inWords(want), inWords(got), options)
	if d == "" { // the words leave out what differs
		d = cmp.Diff(want, got, options)
	}
	t.Errorf("%s (-want +got):\n%s", what, shortened(d))
	return false
}

// shortened is a difference without what does not help to read it: spaces of another kind, which go-cmp writes at random, and
// all but its first lines.
func shortened(d string) string {
	const most = 12
	// go-cmp marks what String returns by an s.
	d = strings.NewReplacer("\u00a0", " ", "\ts\"", "\t\"", " s\"", " \"").Replace(d)
	lines := strings.Split(strings.TrimRight(d, "\n"), "\n")
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("… and %d lines more", more))
	}
	return strings.Join(lines, "\n")
}

// inWords is a value as its differences are read: a line for each charge, effect and finding, columns by their names.
func inWords(v any) any {
	switch v := v.(type) {
	case []engine.Charge:
		return texts(v, chargeText)
	case []engine.Effect:
		return texts(v, EffectText)
	case []Finding:
		return texts(v, Finding.String)
	case gen.Cells:
		return byColumn(v)
	case engine.State:
		type members engine.State // without Equal, so that go-cmp looks into it
		return members(v)
	}
	return v
}

func texts[V any](list []V, text func(V) string) []words {
	var all []words
	for _, v := range list {
		all = append(all, words{text(v)})
	}
	return all
}

// words are a text that is printed whole, not the letters in which two differ.
type words struct{ text string }

func (w words) String() string { return w.text }

// Equal lets go-cmp print them so.
func (w words) Equal(o words) bool { return w == o }

// byColumn are the values that are not empty.
func byColumn(cells gen.Cells) map[string]string {
	values := map[string]string{}
	for i, value := range cells {
		if value != "" {
			values[gen.DocumentNames()[i]] = value
		}
	}
	return values
}

// String says when and why a profile is stopped.
func (s Stop) String() string {
	switch {
	case s.Date.IsZero():
		return "never stopped"
	case len(s.Reasons) == 0:
		return "stopped on " + s.Date.String() + " without a reason"
	}
	return "stopped on " + s.Date.String() + " by " + strings.Join(s.Reasons, " and ")
}

// String is the end in words.
func (e End) String() string {
	return e.Status.String() + " with repeat " + strconv.FormatUint(e.Repeat, 10) + ", " + e.Stop.String()
}

// chargeText is a charge in words: repeat 3 on 2026-04-01: 10.5.
func chargeText(c engine.Charge) string {
	text := "repeat " + strconv.FormatUint(c.Repeat, 10) + " on " + c.Date.String()
	if c.Manual {
		text = "a manual charge, " + text
	}
	if c.Slot != c.Date && !c.Slot.IsZero() {
		text += " for " + c.Slot.String()
	}
	if text += ": " + c.Min.Reduce().String(); c.Max.Compare(c.Min) != 0 {
		text += " to " + c.Max.Reduce().String()
	}
	return text
}

// EffectText is an effect in words.
func EffectText(e engine.Effect) string {
	switch e.Kind {
	case engine.ChargeAttempted:
		c := e.Charge
		c.Date = e.Date
		return chargeText(c) + ", " + c.Outcome.String()
	case engine.ProfileStopped:
		text := StopFrom(e.Stop).String()
		if e.Stop.Date != e.Date {
			text += ", on " + e.Date.String()
		}
		return text
	case engine.EventHandled:
		return e.Event.String() + " on " + e.Date.String() + " " + e.Result.String()
	}
	return "nothing"
}

// columnsOf are the columns that are not empty of a profile as a payload has them, but for dates, which have the year first.
func columnsOf(p engine.Profile) map[string]string {
	o := gen.ProfileToOracle(p)
	columns := map[string]string{
		"client-orderid": p.ID, "rp_card_type": p.Kind.String(), "currency": p.Currency,
		"period": p.Unit.String(), "start-date": p.Start.String(), "finish-date": p.Finish.String(),
		"amount": o.Amount, "amount-from": o.From, "amount-to": o.To, "amount-sequence": strings.Join(o.Sequence, ","),
	}
	if o.HasMax {
		columns["max-repeats-number"] = strconv.FormatUint(o.Max, 10)
	}
	if p.Interval != 0 {
		columns["interval"] = strconv.Itoa(p.Interval)
	}
	maps.DeleteFunc(columns, func(_, value string) bool { return value == "" })
	return columns
}

// String is what a verifier says: the signature is ok, but the request is not acceptable (nonce-length).
func (v SignVerdict) String() string {
	text := "the signature is " + v.Signature
	if v.Signature == "" {
		text = "the request is unusable"
	}
	if v.Stale {
		text += ", stale"
	}
	if text += ", the request is not acceptable"; v.Acceptable {
		text = strings.Replace(text, "is not acceptable", "is acceptable", 1)
	}
	if v.Consumer != "" {
		text += " from " + strconv.Quote(v.Consumer)
	}
	if len(v.Codes) > 0 {
		text += " (" + strings.Join(v.Codes, ", ") + ")"
	}
	return text
}

// String is what a verifier is asked about time and nonce.
func (o SignOptions) String() string {
	switch {
	case o.Window != 0:
		return fmt.Sprintf("at %d within %d seconds", o.Now, o.Window)
	case o.NonceMin != 0 || o.NonceMax != 0:
		return fmt.Sprintf("for a nonce of %d to %d bytes (0: any)", o.NonceMin, o.NonceMax)
	}
	return "for nothing about time or nonce"
}

// String is what a diagnosis found.
func (d SignDiagnosis) String() string {
	if d.Match {
		return "the signature matches; causes: " + strings.Join(causesOf(d), ", ")
	}
	return "the signature does not match; causes: " + strings.Join(causesOf(d), ", ") + "; known: " + strings.Join(d.Known, ", ")
}
