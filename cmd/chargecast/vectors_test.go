package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/fuzz/vector"
)

// A vectorLife is a vector of forecast-public with its expectation decoded.
type vectorLife struct {
	vector.Life
	state                   map[string]any
	script, charges, events []map[string]any
	end                     map[string]any
}

const vectorID = "order-1"

// TestVectors sends every public vector through the command: the profile as a payload, the state and script as files, the
// answer as NDJSON.
func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.ID, func(t *testing.T) { v.check(t) })
	}
}

func readVectors(t *testing.T) []vectorLife {
	raw, err := vector.Lives("forecast-public")
	if err != nil {
		t.Fatal(err)
	}
	var all []vectorLife
	for _, r := range raw {
		v := vectorLife{Life: r}
		var errs [5]error
		v.state, errs[0] = vector.Decode[map[string]any](r.State)
		v.script, errs[1] = vector.DecodeAll[map[string]any](r.Script)
		v.charges, errs[2] = vector.DecodeAll[map[string]any](r.Expect.Charges)
		v.events, errs[3] = vector.DecodeAll[map[string]any](r.Expect.Events)
		v.end, errs[4] = vector.Decode[map[string]any](r.Expect.End)
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatal(v.ID, err)
		}
		all = append(all, v)
	}
	if len(all) < 121 {
		t.Fatalf("%d vectors, there were 121", len(all))
	}
	return all
}

func (v *vectorLife) check(t *testing.T) {
	code, records, stderr := v.run(t)
	if v.Expect.Rejected {
		if code != 1 || len(records["charge"])+len(records["end"]) > 0 {
			t.Fatalf("not rejected: exit %d, %v\n%s", code, records, stderr)
		}
		return
	}
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	if len(records["end"]) != 1 {
		t.Fatalf("%d ends", len(records["end"]))
	}
	same(t, "charges", v.charges, records["charge"])
	same(t, "ends", []map[string]any{v.end}, records["end"])
	if v.script != nil {
		same(t, "events", v.events, records["event"])
	}
}

// run gives the records of the command's answer by their type.
func (v *vectorLife) run(t *testing.T) (code int, records map[string][]map[string]any, stderr string) {
	dir := t.TempDir()
	args := []string{"forecast"}
	if v.script != nil {
		args = []string{"simulate", "--script", writeLines(t, dir, "script.jsonl", v.script...)}
	}
	args = append(args, "--as-of", v.AsOf, "--until", v.Until, "-o", "ndjson")
	for key, value := range v.Policy {
		args = append(args, "--policy", key+"="+value)
	}
	if v.state != nil {
		v.state["profile"] = vectorID
		args = append(args, "--state", writeLines(t, dir, "state.jsonl", v.state))
	}
	var stdout, messages bytes.Buffer
	code = run(args, strings.NewReader(payloadOf(v.Columns)), &stdout, &messages)
	records = map[string][]map[string]any{}
	for line := range bytes.Lines(stdout.Bytes()) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var r map[string]any
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		kind, _ := r["type"].(string)
		records[kind] = append(records[kind], r)
	}
	return code, records, messages.String()
}

func writeLines(t *testing.T, dir, name string, lines ...map[string]any) string {
	var b bytes.Buffer
	for _, line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// payloadOf is a payload with one row: the columns given, and valid values for the others that its kind requires.
func payloadOf(columns map[string]string) string {
	row := map[string]string{"client-orderid": vectorID, "credit-card-number": "4111111111111111"}
	if columns["rp_card_type"] == "SRC" {
		maps.Copy(row, map[string]string{
			"card-printed-name": "TEST CARD", "expire-year": "9999", "expire-month": "12", "country": "DE",
			"city": "Berlin", "zip-code": "10115", "address1": "Example Street 1", "first-name": "Test",
			"last-name": "Person", "email": "test@example.com",
		})
	}
	maps.Copy(row, columns)
	// A column that the row leaves empty may still be required in the header.
	for _, column := range []string{
		"card-printed-name", "expire-year", "expire-month", "country", "city", "zip-code", "address1",
		"first-name", "last-name", "email", "amount", "currency",
	} {
		row[column] += ""
	}
	var names, values []string
	for column := range row {
		names = append(names, column)
	}
	slices.Sort(names)
	for _, column := range names {
		values = append(values, `"`+strings.ReplaceAll(row[column], `"`, `""`)+`"`)
	}
	return `"` + strings.Join(names, `";"`) + "\"\n" + strings.Join(values, ";") + "\n"
}

// same compares records with what is expected of them. A key that an expectation lacks is not compared.
func same(t *testing.T, what string, want, got []map[string]any) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %d, want %d\ngot  %v\nwant %v", what, len(got), len(want), got, want)
		return
	}
	for i := range want {
		for key, value := range want[i] {
			if !sameValue(key, value, want[i], got[i]) {
				t.Errorf("%s %d: %s differs\ngot  %v\nwant %v", what, i, key, got[i], want[i])
			}
		}
		if _, expected := want[i]["slot"]; !expected && what == "charges" && got[i]["slot"] != nil {
			t.Errorf("charge %d has a slot of its own, %v", i, got[i])
		}
	}
}

// sameValue compares money by value; an amount in the place of a range lies in it.
func sameValue(key string, want any, expected, got map[string]any) bool {
	switch key {
	case "amount":
		return compareMoney(want, got["amount"]) == 0
	case "min", "max":
		value := cmp.Or(got[key], got["amount"])
		if got["amount"] == nil {
			return compareMoney(want, value) == 0
		}
		drawn := got["amount"]
		return compareMoney(expected["min"], drawn) <= 0 && compareMoney(drawn, expected["max"]) <= 0
	}
	return reflect.DeepEqual(want, got[key])
}

// compareMoney is a number that no comparison gives where one of the two is no money.
func compareMoney(a, b any) int {
	x, ok1 := a.(string)
	y, ok2 := b.(string)
	p, err1 := amount.Parse(x)
	q, err2 := amount.Parse(y)
	if !ok1 || !ok2 || err1 != nil || err2 != nil {
		return 99
	}
	return p.Compare(q)
}
