package chargecast_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/rules"
)

// TestSchemas: the files in docs/schemas are made of docs/schemas/source.json and the tables of the library: JSON Schemas of all
// records, and the Table Schema of the payload. Each refers to definitions that exist, and no definition is unused. A test of the
// module sandbox judges the command's records by them.
func TestSchemas(t *testing.T) {
	set := readSchemas(t)
	files, used := map[string]object{"payload": tableSchema()}, object{}
	for name, schema := range set.Schemas {
		if schema["title"] == nil {
			t.Errorf("%s has no title", name)
		}
		defs := object{}
		set.use(schema, defs)
		set.use(schema, used)
		schema["$schema"], schema["$defs"] = "https://json-schema.org/draft/2020-12/schema", defs
		files[name] = schema
	}
	for name := range set.Defs {
		if used[name] == nil {
			t.Errorf("nothing refers to %s, or it is not defined", name)
		}
	}
	for name, def := range used {
		if def == nil {
			t.Errorf("%s is not defined", name)
		}
	}
	for name, schema := range files {
		want, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("docs", "schemas", name+".json"), string(want)+"\n")
	}
	if found, _ := filepath.Glob("docs/schemas/*.json"); len(found) != len(files)+1 {
		t.Errorf("docs/schemas has %d files, want source.json and %d", len(found), len(files))
	}
}

// An object is a part of a schema.
type object = map[string]any

type schemaSet struct {
	Schemas map[string]object `json:"schemas"`
	Defs    object            `json:"$defs"`
}

// readSchemas reads the file, and adds the definitions that tables of the library have.
func readSchemas(t *testing.T) (s schemaSet) {
	t.Helper()
	text, err := os.ReadFile("docs/schemas/source.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	s.Defs["policy"], s.Defs["key"] = policySchema()
	var names []string
	for c := range rules.Columns() {
		names = append(names, c.Name)
	}
	s.Defs["column"] = object{"enum": names}
	return s
}

// policySchema describes a policy with all of its keys, and a key.
func policySchema() (policy, key object) {
	var names []string
	values := object{}
	for c := range engine.Keys() {
		var of []string
		for _, r := range c.Entry().Readings {
			of = append(of, r.Value)
		}
		names = append(names, c.Key())
		values[c.Key()] = object{"enum": of}
	}
	policy = object{"type": "object", "required": names, "properties": values, "description": "the readings in force"}
	return policy, object{"enum": names}
}

// use adds to defs what part refers to.
func (s schemaSet) use(part any, defs object) {
	switch part := part.(type) {
	case object:
		for name, value := range part {
			if to, ok := value.(string); ok && name == "$ref" {
				to = strings.TrimPrefix(to, "#/$defs/")
				if defs[to] == nil {
					defs[to] = s.Defs[to]
					s.use(s.Defs[to], defs)
				}
			}
			s.use(value, defs)
		}
	case []any:
		for _, value := range part {
			s.use(value, defs)
		}
	}
}

// tableSchema describes the columns of the payload as a Table Schema of Frictionless Data. All values are texts, since the
// rules of the document are about the texts; what depends on other columns is in the descriptions.
func tableSchema() object {
	var fields []object
	for c := range rules.Columns() {
		limits := object{}
		if c.Need == "R" && !c.SourceOnly {
			limits["required"] = true
		}
		if c.Max > 0 && c.Column != rules.ColumnAmountSequence {
			limits["maxLength"] = c.Max
		}
		if c.Min > 0 && c.Column != rules.ColumnAmountSequence {
			limits["minLength"] = c.Min
		}
		text := columnNeed(c) + "; " + c.Kind()
		if c.Condition != "" {
			text += "; required if " + c.Condition
		}
		field := object{"name": c.Name, "type": "string", "description": text}
		if len(limits) > 0 {
			field["constraints"] = limits
		}
		fields = append(fields, field)
	}
	return object{"fields": fields, "missingValues": []string{""}}
}

// columnNeed is the table's need of a column, in words.
func columnNeed(s rules.Spec) string {
	need := map[string]string{"R": "required", "C": "conditional", "O": "optional"}[s.Need]
	switch {
	case s.SourceOnly && s.Need == "R":
		need += " for SRC"
	case s.SourceOnly:
		need += ", SRC only"
	}
	return need
}
