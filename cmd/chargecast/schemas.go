package main

import (
	"embed"
	"io/fs"
	"strings"
)

// schemas are the JSON Schemas that explain --schema prints.
//
//go:embed schemas/*.json
var schemas embed.FS

const schemaSuffix = ".json"

func schemaFile(name string) string { return "schemas/" + name + schemaSuffix }

func schemaNames() (names []string) {
	entries, _ := fs.ReadDir(schemas, "schemas") // is embedded
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), schemaSuffix))
	}
	return names
}
