package main

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// TestSchemaNames holds the names of schemas to the file, and each schema to definitions that are there. The module browser
// judges records by them.
func TestSchemaNames(t *testing.T) {
	set := readSchemas()
	if got := append(slices.Sorted(maps.Keys(set.Schemas)), payloadSchema); !slices.Equal(got, schemaNames) {
		t.Errorf("the file has %q, --schema takes %q", got, schemaNames)
	}
	used := object{}
	for name, schema := range set.Schemas {
		set.use(schema, used)
		if schema["title"] == nil {
			t.Errorf("%s has no title", name)
		}
		if !json.Valid(schemaText(name)) {
			t.Errorf("%s is not JSON", name)
		}
	}
	for name := range set.Defs {
		if used[name] == nil {
			t.Errorf("nothing refers to %s", name)
		}
	}
	for name, def := range used {
		if def == nil {
			t.Errorf("%s is not defined", name)
		}
	}
}
