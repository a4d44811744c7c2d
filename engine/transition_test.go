package engine_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
)

var update = flag.Bool("update", false, "write generated pages again")

// TestEveryStatusMeetsEveryEvent holds Apply against the table of states, cell by cell
// (E10): the table is whole, and ignored and refused events leave no trace.
func TestEveryStatusMeetsEveryEvent(t *testing.T) {
	cells := map[string]bool{}
	for tr := range engine.Transitions() {
		name := fmt.Sprintf("%v %v %v invalid=%v", tr.Status, tr.Do, tr.Via, tr.Invalid)
		if cells[name] || tr.Text == "" || tr.Because.IsZero() {
			t.Errorf("%s stands twice or has holes", name)
		}
		cells[name] = true
		t.Run(name, func(t *testing.T) { checkCell(t, tr) })
	}
	for _, status := range []engine.Status{0, engine.Active, engine.Stopped} {
		for verb := engine.DoCreate; verb <= engine.DoResume; verb++ {
			if !slices.ContainsFunc(slices.Collect(engine.Transitions()), func(tr engine.Transition) bool {
				return tr.Status == status && tr.Do == verb
			}) {
				t.Errorf("%v has no cell for %v", status, verb)
			}
		}
	}
}

func checkCell(t *testing.T, tr engine.Transition) {
	t.Helper()
	before := stored(tr.Status)
	e := engine.Event{Date: day("2026-01-12"), Do: tr.Do, Via: tr.Via}
	if tr.Do == engine.DoUpdate {
		e.Set.Start = engine.To(day("2026-02-01"))
		if tr.Invalid {
			e.Set.Interval = engine.To(0)
		}
	}
	if tr.Do == engine.DoCreate && tr.Invalid {
		before.Profile.Interval = 0
	}
	untouched := before
	effects, after, err := engine.Apply(nil, before, e, engine.Policy{})
	if len(effects) == 0 || effects[0].Result != tr.Result || effects[0].Because.IsZero() {
		t.Fatalf("%+v, want %v", effects, tr.Result)
	}
	if after.State.Status != tr.Next {
		t.Errorf("%v afterwards, want %v", after.State.Status, tr.Next)
	}
	if (err != nil) != (tr.Result == engine.Refused) {
		t.Errorf("error %v for an event that was %v", err, tr.Result)
	}
	if d := diffStored(untouched, after); tr.Result != engine.Accepted && (d != "" || len(effects) != 1) {
		t.Errorf("left a trace:\n%s", d)
	}
	if d := diffStored(untouched, before); d != "" {
		t.Errorf("changed its argument:\n%s", d)
	}
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

Generated from the table in ` + "`engine`" + ` that the state machine is tested against; do not edit. Only *stopped* is the
document's word; *none* is a profile that is not created yet and *active* our word for the rest (X14). Each cell tells
what it rests on, and the weakest basis of that.

` + "```mermaid" + `
stateDiagram-v2
    [*] --> active: create
    active --> stopped: run (cap or finish-date reached)
    active --> stopped: charge (cap reached)
`)
	for tr := range engine.Transitions() {
		if tr.Status != 0 && tr.Next != tr.Status {
			fmt.Fprintf(&b, "    %v --> %v: %s\n", tr.Status, tr.Next, eventName(tr))
		}
	}
	b.WriteString("```\n\n| Event | Status | Result | Then | What happens | Rests on | Basis |\n|---|---|---|---|---|---|---|\n")
	for tr := range engine.Transitions() {
		var ids []string
		for c := range tr.Because.All() {
			ids = append(ids, c.String())
		}
		fmt.Fprintf(&b, "| %s | %v | %v | %v | %s | %s | %v |\n",
			eventName(tr), tr.Status, tr.Result, tr.Next, tr.Text, strings.Join(ids, ", "), tr.Because.Basis())
	}
	return b.Bytes()
}

func eventName(tr engine.Transition) string {
	name := tr.Do.String()
	if tr.Via != 0 {
		name += " via " + tr.Via.String()
	}
	if tr.Invalid {
		name += ", invalid"
	}
	return name
}
