package main

import (
	"bytes"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector/vectortest"
)

// A jsonSchema judges values, as far as the schemas here go.
type jsonSchema struct{ root map[string]any }

// fault is the place of the first fault; empty for none.
func (s jsonSchema) fault(of any, v any) string {
	rule, ok := of.(map[string]any)
	if !ok {
		return "the schema"
	}
	if ref, ok := rule["$ref"].(string); ok {
		return s.fault(s.root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")], v)
	}
	if types := rule["type"]; types != nil && !slices.ContainsFunc(append([]any{}, listOf(types)...), func(t any) bool { return isOf(t.(string), v) }) {
		return "type"
	}
	if want, ok := rule["const"]; ok && want != v {
		return "const"
	}
	if want, ok := rule["enum"].([]any); ok && !slices.Contains(want, v) {
		return "enum"
	}
	switch v := v.(type) {
	case string:
		if p, ok := rule["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(v) || rule["minLength"] != nil && v == "" ||
			rule["format"] == "date" && !regexp.MustCompile(`^\d{4}-\d\d-\d\d$`).MatchString(v) {
			return "text"
		}
	case float64:
		if low, ok := rule["minimum"].(float64); ok && v < low {
			return "minimum"
		}
	case []any:
		for _, item := range v {
			if f := s.fault(rule["items"], item); f != "" {
				return "item " + f
			}
		}
	case map[string]any:
		if f := s.faultOfMembers(rule, v); f != "" {
			return f
		}
	}
	for _, word := range [...]string{"oneOf", "anyOf"} {
		options, _ := rule[word].([]any)
		fits := slices.DeleteFunc(slices.Clone(options), func(o any) bool { return s.fault(o, v) != "" })
		if v != nil && options != nil && (len(fits) == 0 || word == "oneOf" && len(fits) > 1) {
			return word
		}
	}
	return ""
}

func (s jsonSchema) faultOfMembers(rule, v map[string]any) string {
	required, _ := rule["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return name.(string) + " is missing"
		}
	}
	members, _ := rule["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		of, ok := members[name]
		if more, limited := rule["additionalProperties"]; !ok && limited {
			if of, ok = more, more != false; !ok {
				return name + " is one more"
			}
		}
		if !ok {
			continue
		}
		if f := s.fault(of, v[name]); f != "" {
			return name + ": " + f
		}
	}
	return ""
}

func listOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

func isOf(name string, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == float64(int64(v))
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

func schemaOf(t *testing.T, name string) jsonSchema {
	t.Helper()
	var out, messages bytes.Buffer
	if code := run([]string{"explain", "--schema", name}, strings.NewReader(""), &out, &messages); code != 0 {
		t.Fatalf("exit %d: %s", code, messages.String())
	}
	return jsonSchema{recordOf[map[string]any](t, out.Bytes())}
}

// TestSchemas: what the command writes is as its schema says, in every member that the schema names, and a value of another kind is not.
func TestSchemas(t *testing.T) {
	written := map[string][][]byte{}
	var out, messages bytes.Buffer
	if code := run([]string{"probe", "--as-of", "2026-01-10", "-o", "json"}, strings.NewReader(""), &out, &messages); code != 0 {
		t.Fatal(messages.String())
	}
	written["probe"] = [][]byte{out.Bytes()}
	for _, v := range vectortest.All(t) {
		if v.Op == "reconcile" {
			records, _ := reconcileVector(t, v)
			shown, err := os.ReadFile("readings.json")
			if err != nil {
				t.Fatal(err)
			}
			written["reconcile"] = slices.AppendSeq(written["reconcile"], bytes.Lines(records))
			written["readings"] = append(written["readings"], shown)
		}
	}
	written["actuals"] = [][]byte{
		[]byte(`{"profile":"a","date":"31.01.2026","amount":10.5,"currency":null,"more":1}`), []byte(`{"profile":"a","date":"2026-01-31","outcome":"none"}`),
	}
	for _, name := range schemaNames() {
		s := schemaOf(t, name)
		met := map[string]bool{}
		for _, line := range written[name] {
			v := recordOf[any](t, line)
			if f := s.fault(s.root, v); f != "" {
				t.Errorf("%s: %s: %s", name, f, line)
			}
			for member := range v.(map[string]any) {
				met[member] = true
				damaged := maps.Clone(v.(map[string]any))
				if damaged[member] = []any{[]any{}}; member != "more" && member != "input" && member != "profiles" && s.fault(s.root, damaged) == "" {
					t.Errorf("%s: a wrong %s is taken in %s", name, member, line)
				}
			}
		}
		if len(met) < 2 {
			t.Errorf("%s: nothing was judged", name)
		}
	}
	for _, bad := range []string{`{"profile":"a","date":"2026-01-31"}`, `{"profile":"","date":"2026-01-31","amount":"1"}`, `{"date":"2026-01-31","amount":"1"}`, `{"profile":"a","date":"x","amount":"1","outcome":"ok"}`} {
		if s := schemaOf(t, "actuals"); s.fault(s.root, recordOf[any](t, []byte(bad))) == "" {
			t.Errorf("%s is taken", bad)
		}
	}
	if code := run([]string{"explain", "--schema", "forecasts"}, strings.NewReader(""), &out, &messages); code != 2 {
		t.Errorf("an unknown schema: exit %d", code)
	}
	if code := run([]string{"explain", "--schema", "probe", "month-end"}, strings.NewReader(""), &out, &messages); code != 2 {
		t.Errorf("a schema and an ID: exit %d", code)
	}
}
