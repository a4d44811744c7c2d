package gateway_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

type description struct {
	Paths map[string]map[string]struct {
		Parameters []struct{ Name, In string }
		Responses  map[string]any
	}
	Components struct {
		Schemas map[string]struct {
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

// TestOpenAPIRoutes: every operation that is described is there, with its parameters and no others.
func TestOpenAPIRoutes(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	const prefix = "/_sandbox/v1/"
	operations := 0
	for path, methods := range readDescription(t, gw).Paths {
		var allowed strings.Builder
		for method, o := range methods {
			operations++
			method = strings.ToUpper(method)
			names := []string{}
			for _, p := range o.Parameters {
				if p.In == "query" {
					names = append(names, p.Name)
				}
			}
			slices.Sort(names)
			if want := parametersOf(t, gw, method, strings.TrimPrefix(path, prefix)); !slices.Equal(names, want) {
				t.Errorf("%s %s takes %v, and %v is described", method, path, want, names)
			}
			if o.Responses["default"] == nil {
				t.Errorf("%s %s: no problem document", method, path)
			}
			allowed.WriteString(method)
		}
		r, err := http.NewRequest("TRACE", gw.URL+strings.ReplaceAll(path, "{id}", "1"), nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := gw.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if has := strings.ReplaceAll(response.Header.Get("Allow"), ", ", ""); len(has) != len(allowed.String()) {
			t.Errorf("%s takes %s, and %s is described", path, has, allowed.String())
		}
	}
	if operations != 32 {
		t.Errorf("%d operations are described", operations)
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
