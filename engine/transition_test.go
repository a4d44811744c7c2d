package engine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

var update = flag.Bool("update", false, "write generated pages again")

// policies are the default and, for each key, every other value of it.
func policies() []Policy {
	list := []Policy{{}}
	for c := range Keys() {
		for i := range c.Entry().Readings[1:] {
			list = append(list, Policy{}.WithReading(c, i+1))
		}
	}
	return list
}

// TestEveryStatusMeetsEveryEvent compares the machine with the table of states, row by row and under
// every policy (E10): the table is whole, an effect cites what its row does, a refusal has the
// row's text, and ignored and refused events leave no trace.
func TestEveryStatusMeetsEveryEvent(t *testing.T) {
	rows := map[string]bool{}
	for _, tr := range transitions {
		name := fmt.Sprintf("%v %v %d", tr.before, tr.do, tr.when)
		if rows[name] || tr.text == "" || tr.why.IsZero() || tr.result == 0 {
			t.Errorf("%s is there twice or has holes", name)
		}
		rows[name] = true
		for _, pol := range policies() {
			t.Run(name+" "+pol.String(), func(t *testing.T) { checkRow(t, tr, pol) })
		}
	}
	for _, status := range []Status{StatusActive, StatusStopped} {
		for do := EventStop; do.isEvent(); do++ {
			for when := plain; when <= setSchedule; when++ {
				if transitionOf(status, do, when) == nil {
					t.Errorf("%v has no row for %v", status, do)
				}
			}
		}
	}
}

func checkRow(t *testing.T, tr transition, pol Policy) {
	t.Helper()
	if tr.do == EventCharge && tr.before == StatusStopped && (tr.when == allowed) != (pol.ManualWhenStopped == ManualWhenStoppedAllow) {
		return // the row of the other reading
	}
	before := storedIn(tr.before)
	e := eventOf(tr)
	untouched := before.clone()
	effects, after, err := Apply(New(pol), before, e)
	if len(effects) == 0 || effects[0].Result != tr.result || effects[0].Because.And(tr.why) != effects[0].Because {
		t.Fatalf("%+v, want %v because of %v", effects, tr.result, tr.why)
	}
	if after.State.Status != tr.after {
		t.Errorf("%v afterwards, want %v", after.State.Status, tr.after)
	}
	if (err != nil) != (tr.result == ResultRefused) || (err != nil) != (effects[0].Refusal != nil) {
		t.Errorf("error %v for an event that was %v", err, tr.result)
	}
	if r := effects[0].Refusal; r != nil && (r.Status != tr.before || r.event != tr.do || !bytes.HasPrefix([]byte(r.text), []byte(tr.text))) {
		t.Errorf("refused with %q, want %q", r.text, tr.text)
	}
	if d := storedDiff(untouched, after); tr.result != ResultAccepted && (d != "" || len(effects) != 1) {
		t.Errorf("left a trace:\n%s", d)
	}
	if d := storedDiff(untouched, before); d != "" {
		t.Errorf("changed its argument:\n%s", d)
	}
}

// eventOf is an event that meets a row.
func eventOf(tr transition) Event {
	e := Event{Date: calendar.MustParse("2026-01-12"), Kind: tr.do}
	switch tr.when {
	case setStart:
		e.Update.Start = To(calendar.MustParse("2026-02-01"))
	case setFinish:
		e.Update.Finish = To(calendar.MustParse("2026-12-31"))
	case setMax:
		e.Update.MaxRepeats = To(AtMost(40))
	case setAmounts:
		e.Update.Amount = To(amount.MustParse("3.00"))
	case setSchedule:
		e.Update.Interval = To(2)
	case invalid:
		e.Update.Interval = To(0)
	}
	return e
}

func storedIn(status Status) Stored {
	day := calendar.MustParse
	s := Stored{Profile: Profile{
		ID: "order-1", Kind: KindSource, Start: day("2026-01-10"), Unit: calendar.UnitDay, Interval: 1,
		Amounts: amount.Fixed(amount.MustParse("10.00")), Currency: "EUR",
	}}
	if status == 0 {
		return s
	}
	s.State = State{
		Status: status, Repeat: 2, Anchor: day("2026-01-10"), RanThrough: day("2026-01-11"),
		Paid: []calendar.Date{day("2026-01-11")}, Last: day("2026-01-11"),
	}
	if status == StatusStopped {
		s.State.Stop = Stop{Date: day("2026-01-11"), Reasons: ReasonAPI, Because: ledger.On(clause.L23)}
	}
	return s
}

// storedDiff is empty where two values are the same through and through.
func storedDiff(want, got Stored) string {
	want, got = want.Under(Policy{}), got.Under(Policy{})
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return fmt.Sprintf("got  %+v\nwant %+v", got, want)
}

// TestStatesPage: docs/states.md is what the table says.
func TestStatesPage(t *testing.T) {
	const name = "../docs/states.md"
	page := statesPage()
	if *update {
		if err := os.WriteFile(name, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, page) {
		t.Errorf("%s is not what the table says: run go test ./engine -run StatesPage -update", name)
	}
}

func statesPage() []byte {
	var b bytes.Buffer
	b.WriteString(`# States and events

Generated from the table in ` + "`engine`" + ` that the state machine reads; do not edit. Only *stopped* is the document's
word; *active* is our word for the rest (X14). A profile that is not created takes no event: the error is not-created. Each row
says what it depends on, and the weakest basis of that.

` + "```mermaid" + `
stateDiagram-v2
    [*] --> active: create
    active --> stopped: run (cap or finish-date reached)
    active --> stopped: charge (cap reached)
`)
	for _, tr := range transitions {
		if tr.before != 0 && tr.after != tr.before {
			fmt.Fprintf(&b, "    %v --> %v: %s\n", tr.before, tr.after, rowName(tr))
		}
	}
	b.WriteString("```\n\n| Event | Status | Result | Then | What happens | Because | Basis |\n|---|---|---|---|---|---|---|\n")
	for _, tr := range transitions {
		fmt.Fprintf(&b, "| %s | %v | %v | %v | %s | %s | %v |\n",
			rowName(tr), tr.before, tr.result, tr.after, tr.text, tr.why, tr.why.Basis())
	}
	return b.Bytes()
}

func rowName(tr transition) string {
	suffix := map[situation]string{
		invalid: ", invalid", allowed: ", allowed",
		setStart: " start-date", setFinish: " finish-date", setMax: " max-repeats-number", setAmounts: " amounts", setSchedule: " period, interval",
	}
	return tr.do.String() + suffix[tr.when]
}
