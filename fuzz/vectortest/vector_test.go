package vectortest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// TestEachIsJudged: the tests of every room that answers to an op run its vectors.
func TestEachIsJudged(t *testing.T) {
	for room := range rooms() {
		text, err := os.ReadFile("../../" + room + "/vectors_test.go")
		if err != nil || !strings.Contains(string(text), `Run(t, "`+room+`", `) {
			t.Errorf("%s does not run its vectors (%v)", room, err)
		}
	}
}

// TestRules: every rule of payloads has a vector that breaks it. Those left out need a limit, a severity or a reading that
// a vector cannot give, or are of scripts.
func TestRules(t *testing.T) {
	left := []ledger.Code{rules.LimitBytes, rules.LimitRows, rules.LimitOrderIDs, rules.AsOfMissing, rules.OptionValue, rules.StartAbsent, rules.FinishUnreachable, rules.FirstChargeToday,
		rules.ScriptColumn, rules.ScriptEmpty}
	broken := map[ledger.Code]bool{}
	for _, v := range All(t) {
		if v.Op != "validate" {
			continue
		}
		for _, found := range v.Payload(t).Expect.Problems {
			broken[ledger.Code(found.Code)] = true
		}
	}
	for r := range rules.Rules() {
		if broken[r.Code] == slices.Contains(left, r.Code) {
			t.Errorf("%s: a vector breaks it: %v", r.Code, broken[r.Code])
		}
		delete(broken, r.Code)
	}
	if len(broken) > 0 {
		t.Errorf("no rule is named %v", broken)
	}
}

// TestWhole: every vector has a name of its own, an input of its own, known clauses, and the basis of
// the weakest of them; and there are as many of each op as the page says.
func TestWhole(t *testing.T) {
	names, inputs, ops := map[string]bool{}, map[string]string{}, map[string]int{}
	for _, v := range All(t) {
		at := v.Op + string(v.Input) + v.Key
		if names[v.ID] || inputs[at] != "" {
			t.Errorf("%s: its id or input is there twice (%s)", v.ID, inputs[at])
		}
		names[v.ID], inputs[at] = true, v.ID
		ops[v.Op]++
		weakest := ledger.Stated
		for _, id := range v.Clauses {
			e, ok := ledger.Lookup(id)
			if !ok && id != "2.2" && id != "5.3" {
				t.Errorf("%s: no clause %s", v.ID, id)
			}
			weakest = max(weakest, e.Basis)
		}
		if weakest.String() != v.Basis {
			t.Errorf("%s: basis %s, but its clauses are %s", v.ID, v.Basis, weakest)
		}
	}
	if len(names) < 2500 { // as README.md of the repository says
		t.Errorf("%d vectors", len(names))
	}
	judged := 0
	for _, room := range rooms() {
		for _, op := range room {
			judged += ops[op]
			delete(ops, op)
		}
	}
	if len(ops) > 0 || judged != len(names) {
		t.Errorf("%d of %d vectors have a room that judges them; none has %v", judged, len(names), ops)
	}
}

// TestReadRefused: a line that is not a whole vector is an error, not a vector with holes.
func TestReadRefused(t *testing.T) {
	const whole = `{"schema":"chargecast.vector/1","id":"a","op":"encode","reason":"b","clauses":["2.1"],"basis":"stated","verdict":"valid","source":"c","licence":"d","input":{},"expect":"x"}`
	if list, err := Read(strings.NewReader(whole + "\n" + whole)); err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if _, err := Read(strings.NewReader(strings.Replace(whole, `{`, `{"note":"unknown members are ignored",`, 1))); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ reason, from, to string }{
		{"another schema", "vector/1", "vector/2"}, {"no id", `"id":"a",`, ""}, {"no op", `"op":"encode",`, ""}, {"no reason", `"reason":"b",`, ""},
		{"no clause", `["2.1"]`, "[]"}, {"no basis", `"basis":"stated",`, ""}, {"no source", `"source":"c",`, ""}, {"no licence", `"licence":"d",`, ""},
		{"no input", `"input":{},`, ""}, {"nothing expected", `,"expect":"x"`, ""}, {"another verdict", `"valid"`, `"good"`},
		{"readings without a key", `"expect":"x"`, `"expect":"x","readings":{"a":1,"b":2}`}, {"unspecified without readings", `"valid"`, `"unspecified"`}, {"not JSON", `{"schema"`, `"schema"`},
	} {
		text := strings.Replace(whole, c.from, c.to, 1)
		if text == whole {
			t.Fatalf("%s: nothing was changed", c.reason)
		}
		if list, err := Read(strings.NewReader(text)); !errors.Is(err, ErrLine) {
			t.Errorf("%s: %v, %v", c.reason, list, err)
		}
	}
}

// TestText: the forms of a text, and what is none.
func TestText(t *testing.T) {
	for in, want := range map[string]string{
		`"a"`: "a", `{"b64":"/w=="}`: "\xff", `{"text":"ab","times":3}`: "ababab", `["a",{"text":{"b64":"/w=="},"times":2},"b"]`: "a\xff\xffb", `[]`: "", `{"text":"a","times":0}`: "",
	} {
		var got Text
		if err := json.Unmarshal([]byte(in), &got); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{`{}`, `5`, `{"b64":"?"}`, `{"text":"a","times":-1}`, `{"text":"ab","times":9223372036854775807}`, `{"text":"a","times":99999999}`, `["a",5]`, `[{"text":"a","times":16777216},"b"]`, `{"text":"","times":-1}`, `{"b64":"","text":"","times":1}`} {
		var got Text
		if err := json.Unmarshal([]byte(in), &got); !errors.Is(err, ErrText) {
			t.Errorf("%s: %.20q, %v", in, got, err)
		}
	}
}

// TestSimulations: a vector with readings is one simulation for each value of its key.
func TestSimulations(t *testing.T) {
	for _, v := range All(t) {
		if v.Op != "forecast" && v.Op != "simulate" {
			continue
		}
		lives := v.Simulations(t)
		if len(lives) != max(1, len(v.Readings)) {
			t.Errorf("%s: %d lives", v.ID, len(lives))
		}
		if v.Verdict != Unspecified && lives[0].Expect.Rejected != (v.Verdict == Invalid) {
			t.Errorf("%s: the verdict is %s", v.ID, v.Verdict)
		}
		for _, l := range lives {
			if !l.Expect.Rejected && l.Expect.End.Status == "" {
				t.Errorf("%s: no end", l.ID)
			}
		}
	}
}

// TestReadings: for each key and each pair of its values some vector expects two different things (Y13).
func TestReadings(t *testing.T) {
	apart := map[string]bool{}
	for _, v := range All(t) {
		if v.Key == "" {
			continue
		}
		lives := v.Simulations(t)
		for i, one := range lives {
			for _, other := range lives[:i] {
				if !reflect.DeepEqual(one.Expect, other.Expect) {
					a, b := one.Policy[v.Key], other.Policy[v.Key]
					apart[v.Key+": "+min(a, b)+" or "+max(a, b)] = true
				}
			}
		}
	}
	for key := range engine.Keys() {
		values := slices.Sorted(slices.Values(key.Entry().Values()))
		for i := range values {
			for j := range i {
				if pair := key.Entry().Key + ": " + values[j] + " or " + values[i]; !apart[pair] {
					t.Errorf("no vector tells apart %s", pair)
				}
			}
		}
	}
}

// TestReadme: README.md names every op, and every family or the group that it is in.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range All(t) {
		if !strings.Contains(string(page), "`"+v.Op+"`") {
			t.Fatalf("README.md does not name the op %s", v.Op)
		}
	}
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		group, _, _ := strings.Cut(name, "-")
		if !strings.Contains(string(page), "`"+name+"`") && !strings.Contains(string(page), "`"+group+"-*`") {
			t.Errorf("README.md does not name the file %s", name)
		}
	}
}
