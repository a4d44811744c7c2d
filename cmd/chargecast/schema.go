package main

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/rules"
)

// schemaFile has the schemas of records by name, and what they share.
//
//go:embed schemas.json
var schemaFile []byte

// schemaNames are the names that --schema takes; a test holds them to the file.
var schemaNames = []string{
	"actuals", "check", "forecast", "probe", "problem", "readings", "reconcile", "script", "simulate", "state", payloadSchema,
}

// payloadSchema is the name of the Table Schema of the payload; all others are JSON Schemas.
const payloadSchema = "payload"

// An object is a part of a schema.
type object = map[string]any

type schemaSet struct {
	Schemas map[string]object `json:"schemas"`
	Defs    object            `json:"$defs"`
}

// readSchemas reads the file, and adds the definitions that tables of the library have.
func readSchemas() (s schemaSet) {
	if err := json.Unmarshal(schemaFile, &s); err != nil {
		panic(err) // the file is part of the program
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

// schemaText is the schema with a name, as a document of its own.
func schemaText(name string) []byte {
	schema := tableSchema()
	if name != payloadSchema {
		set, defs := readSchemas(), object{}
		schema = set.Schemas[name]
		set.use(schema, defs)
		schema["$schema"], schema["$defs"] = "https://json-schema.org/draft/2020-12/schema", defs
	}
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic(err) // it was read from JSON, or has texts and numbers alone
	}
	return append(text, '\n')
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
		text := needOf(c) + "; " + c.Kind()
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
