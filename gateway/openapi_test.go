package gateway

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

type description struct {
	Paths map[string]map[string]struct {
		Parameters []struct {
			Ref  string `json:"$ref"`
			Name string
			In   string
		}
		Responses map[string]any
	}
	Components struct {
		Parameters map[string]any
		Schemas    map[string]struct {
			Enum       []any
			Properties map[string]any
		}
	}
}

func readDescription(t *testing.T) (d description) {
	t.Helper()
	if err := json.Unmarshal(openAPI, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestOpenAPIRoutes: every operation is described, with its parameters, and nothing else is.
func TestOpenAPIRoutes(t *testing.T) {
	t.Parallel()
	described := map[string][]string{}
	for path, operations := range readDescription(t).Paths {
		for method, o := range operations {
			names := []string{}
			for _, p := range o.Parameters {
				name := p.Name
				if rest, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
					name = rest
				}
				if name != "id" {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			described[strings.ToUpper(method)+" "+path] = names
			if o.Responses["default"] == nil {
				t.Errorf("%s %s: no problem document", method, path)
			}
		}
	}
	for _, r := range routes {
		name := r.method + " " + r.path
		names, ok := described[name]
		if !ok {
			t.Errorf("%s is not described", name)
		}
		if want := slices.Sorted(slices.Values(r.query)); !slices.Equal(names, want) {
			t.Errorf("%s takes %v, and %v is described", name, want, names)
		}
		delete(described, name)
	}
	for name := range described {
		t.Errorf("%s is described, and is no operation", name)
	}
}

// TestOpenAPIReferences: whatever the description refers to is in it.
func TestOpenAPIReferences(t *testing.T) {
	t.Parallel()
	var tree map[string]any
	if err := json.Unmarshal(openAPI, &tree); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for name, value := range v {
				text, ok := value.(string)
				if name != "$ref" || !ok {
					walk(value)
					continue
				}
				used[text] = true
				at := any(tree)
				for step := range strings.SplitSeq(strings.TrimPrefix(text, "#/"), "/") {
					next, ok := at.(map[string]any)
					if !ok || next[step] == nil {
						t.Fatalf("%s leads nowhere", text)
					}
					at = next[step]
				}
			}
		}
	}
	walk(tree)
	for name := range readDescription(t).Components.Schemas {
		if !used["#/components/schemas/"+name] {
			t.Errorf("nothing refers to %s", name)
		}
	}
}

// TestOpenAPIReasons: the reasons are those of the table, in its order, and every code has one row.
func TestOpenAPIReasons(t *testing.T) {
	t.Parallel()
	var listed []Reason
	for _, v := range readDescription(t).Components.Schemas["Reason"].Enum {
		listed = append(listed, Reason(v.(string)))
	}
	if !slices.Equal(listed, Reasons()) {
		t.Errorf("%v is described, not %v", listed, Reasons())
	}
	seen := map[ledger.Code]int{}
	for _, row := range codeRows {
		seen[row.code]++
		if row.message == "" || row.help == "" || row.status < 400 {
			t.Errorf("%s is not complete", row.code)
		}
	}
	for code, n := range maps.All(seen) {
		if n != 1 {
			t.Errorf("%s has %d rows", code, n)
		}
	}
}
