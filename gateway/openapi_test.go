package gateway_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
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

// served is the description as the gateway answers with it.
func served(t *testing.T, gw *gatewaytest.Gateway) []byte {
	t.Helper()
	status, text := admin(t, gw, "GET", "openapi.json", "")
	if status != 200 {
		t.Fatal(status, text)
	}
	return []byte(text)
}

func readDescription(t *testing.T, gw *gatewaytest.Gateway) (d description) {
	t.Helper()
	if err := json.Unmarshal(served(t, gw), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// rowsOf finds the rows of a table in a source file of this package. What no request can reach is read there.
func rowsOf(t *testing.T, file, row string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(row).FindAllStringSubmatch(string(text), -1)
}

// parametersOf are the query parameters of an operation, as the refusal of another one lists them.
func parametersOf(t *testing.T, gw *gatewaytest.Gateway, method, path string) []string {
	t.Helper()
	problem := ask(t, gw, 400, method, strings.ReplaceAll(path, "{id}", "1")+"?unknown=1", "")
	detail, _ := problem["detail"].(string)
	list, ok := strings.CutPrefix(detail, "use ")
	if !ok {
		t.Fatalf("%s %s: %v", method, path, problem)
	}
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(names)
	return names
}

// TestOpenAPIRoutes: every operation is described, with its parameters, and nothing else is.
func TestOpenAPIRoutes(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	described := map[string][]string{}
	for path, operations := range readDescription(t, gw).Paths {
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
	const prefix = "/_sandbox/v1/"
	routes := rowsOf(t, "admin.go", `(?m)^\t\{"([A-Z]+)", (adminPrefix \+ )?"([^"]+)",`)
	for _, r := range routes {
		method, path := r[1], r[3]
		if r[2] != "" {
			path = prefix + path
		}
		name := method + " " + path
		names, ok := described[name]
		if !ok {
			t.Errorf("%s is not described", name)
			continue
		}
		if want := parametersOf(t, gw, method, strings.TrimPrefix(path, prefix)); !slices.Equal(names, want) {
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
	gw := gatewaytest.New(t)
	var tree map[string]any
	if err := json.Unmarshal(served(t, gw), &tree); err != nil {
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
	for name := range readDescription(t, gw).Components.Schemas {
		if !used["#/components/schemas/"+name] {
			t.Errorf("nothing refers to %s", name)
		}
	}
}

// TestOpenAPIReasons: the reasons are those of the table, in its order.
func TestOpenAPIReasons(t *testing.T) {
	t.Parallel()
	var listed []gateway.Reason
	for _, v := range readDescription(t, gatewaytest.New(t)).Components.Schemas["Reason"].Enum {
		listed = append(listed, gateway.Reason(v.(string)))
	}
	if !slices.Equal(listed, gateway.Reasons()) {
		t.Errorf("%v is described, not %v", listed, gateway.Reasons())
	}
}
