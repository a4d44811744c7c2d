package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A contract is the description that a running server gives of itself.
type contract struct {
	t        *testing.T
	p        *process
	document map[string]any
	compiler *jsonschema.Compiler
	answered map[string]bool // operations and statuses
}

const contractURL = "http://contract.test/openapi.json"

func contractOf(t *testing.T, p *process) *contract {
	t.Helper()
	status, text, err := p.try("openapi.json", "")
	check(t, err)
	if status != 200 {
		t.Fatal(status)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	check(t, err)
	c := &contract{t: t, p: p, document: document.(map[string]any), compiler: jsonschema.NewCompiler(), answered: map[string]bool{}}
	closeObjects(c.document["components"].(map[string]any)["schemas"])
	c.compiler.DefaultDraft(jsonschema.Draft2020)
	c.compiler.AssertFormat()
	check(t, c.compiler.AddResource(contractURL, c.document))
	return c
}

// closeObjects makes every object with properties refuse those that are not described, so that the
// test finds them; a client should not.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, described := v["properties"]
		_, open := v["additionalProperties"]
		if _, composed := v["allOf"]; described && !open && !composed {
			v["unevaluatedProperties"] = false
		}
		for _, part := range v {
			closeObjects(part)
		}
	case []any:
		for _, part := range v {
			closeObjects(part)
		}
	}
}

// operation finds what describes a request, and its path in the description.
func (c *contract) operation(method, path string) (string, map[string]any) {
	c.t.Helper()
	path, _, _ = strings.Cut(path, "?")
	if !strings.HasPrefix(path, "/") {
		path = "/_sandbox/v1/" + path
	}
	given := strings.Split(path, "/")
	paths := c.document["paths"].(map[string]any)
	for _, template := range slices.Sorted(maps.Keys(paths)) {
		parts := strings.Split(template, "/")
		if slices.EqualFunc(parts, given, func(a, b string) bool { return a == b || a == "{id}" }) {
			if operation, ok := paths[template].(map[string]any)[strings.ToLower(method)]; ok {
				return template, operation.(map[string]any)
			}
		}
	}
	c.t.Fatalf("%s %s is not described", method, path)
	return "", nil
}

// escape is a step of a JSON pointer in the fragment of a URL.
func escape(step string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(step)
}

// ask sends a request, and holds the answer against the description.
func (c *contract) ask(method, path, body string, want int) map[string]any {
	c.t.Helper()
	template, operation := c.operation(method, path)
	target := path
	if !strings.HasPrefix(path, "/") {
		target = "/_sandbox/v1/" + path
	}
	r, err := http.NewRequest(method, c.p.url+target, strings.NewReader(body))
	check(c.t, err)
	status, text, err := send(r)
	check(c.t, err)
	if status != want {
		c.t.Fatalf("%s %s %s: %d, not %d: %s", method, path, body, status, want, text)
	}
	c.answered[fmt.Sprint(method, " ", template)] = true
	responses := operation["responses"].(map[string]any)
	pointer := fmt.Sprintf("/paths/%s/%s/responses/%d", escape(template), strings.ToLower(method), status)
	response, ok := responses[fmt.Sprint(status)].(map[string]any)
	if !ok {
		if status < 400 {
			c.t.Errorf("%s %s: the status %d is not described", method, path, status)
			return nil
		}
		response, pointer = responses["default"].(map[string]any), strings.TrimSuffix(pointer, fmt.Sprint(status))+"default"
	}
	if ref, ok := response["$ref"].(string); ok {
		pointer = strings.TrimPrefix(ref, "#")
		response = c.document
		for _, step := range strings.Split(pointer, "/")[1:] {
			response = response[step].(map[string]any)
		}
	}
	content, ok := response["content"].(map[string]any)
	if !ok {
		if len(text) > 0 {
			c.t.Errorf("%s %s: a body that is not described: %s", method, path, text)
		}
		return nil
	}
	for media := range content {
		if media == "text/plain" {
			return nil
		}
		if media == "text/csv" {
			continue
		}
		schema, err := c.compiler.Compile(contractURL + "#" + pointer + "/content/" + escape(media) + "/schema")
		check(c.t, err)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		check(c.t, err)
		if err := schema.Validate(value); err != nil {
			c.t.Errorf("%s %s %d: %v\n%s", method, path, status, err, text)
		}
	}
	var v map[string]any
	check(c.t, json.Unmarshal(text, &v))
	return v
}

// TestOpenAPIOfTheRunningServer: every operation is called, with success and with errors, and each
// answer is as the description that the server gives of itself says, with nothing beside it.
func TestOpenAPIOfTheRunningServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "--as-of", "2026-01-31", "--callback-pauses", "")
	c := contractOf(t, p)
	control := controlKey(t, dir)
	c.ask("GET", "/healthz", "", 200)
	c.ask("GET", "/metrics", "", 200)
	c.ask("GET", "openapi.json", "", 200)
	c.ask("POST", "merchants", `{"login":"m1","endpoint":"1001","currency":null,"control_key":"k","callback":{"content_type":"application/json","body":"{client-orderid}"}}`, 201)
	c.ask("POST", "merchants", `{"login":"m1","endpoint":"1002"}`, 409)
	c.ask("POST", "merchants", `{"login":"","endpoint":"1002"}`, 400)
	c.ask("POST", "merchants", `{"login":"m2","endpoint":"1002","public_key":"x"}`, 422)
	c.ask("POST", "merchants/m1/keys", `{"control_key":"k2"}`, 200)
	c.ask("POST", "merchants/nobody/keys", `{}`, 404)
	c.ask("POST", "merchants", `{"login":"m3","endpoint":"1003"}`, 201)
	c.ask("PATCH", "merchants/m3", `{"endpoint":"1004","currency":"USD","window_s":60,"check_replays":true,"response":"parameters"}`, 200)
	c.ask("PATCH", "merchants/m3", `{"endpoint":"1001"}`, 409)
	c.ask("PATCH", "merchants/m3", `{"login":"m4"}`, 400)
	c.ask("PATCH", "merchants/nobody", `{}`, 404)
	c.ask("DELETE", "merchants/m3", "", 204)
	c.ask("DELETE", "merchants/m3", "", 404)
	fault := c.ask("POST", "faults", `{"kind":"callback-late","login":"demo","where":{"profile":"a","day":null,"request":null},"times":0,"days":3}`, 201)
	c.ask("POST", "faults", `{"kind":"answer-late","where":{"request":1},"ms":1}`, 201)
	c.ask("POST", "faults", `{"kind":"flood"}`, 400)
	c.ask("POST", "faults", `{"kind":"cut","login":"nobody"}`, 404)
	c.ask("GET", "merchants", "", 200)
	rows := []map[string]string{
		{"client-orderid": "a", "notify_url": p.url + "/paynet/nothing?a=b"}, {"client-orderid": "b", "amount": "", "amount-from": "1.00", "amount-to": "5.00"},
		{"client-orderid": "c", "max-repeats-number": "2", "expire-year": "2026", "expire-month": "02"}, {"client-orderid": "d", "period": "", "interval": ""},
	}
	if status, err := p.create(control, payload(rows...)); err != nil || status != 200 {
		t.Fatal(status, err)
	}
	if status, err := p.create(control, payload(map[string]string{"amount": "x"})); err != nil || status != 403 {
		t.Fatal(status, err)
	}
	if status, err := p.create(control+"x", payload(nil)); err != nil || status != 403 {
		t.Fatal(status, err)
	}
	outcome := c.ask("POST", "outcomes", `{"profile":"a","login":"demo","repeat":1,"last4":"1111","amount":"9.90","outcome":"declined","times":1}`, 201)
	c.ask("POST", "outcomes", `{"outcome":"declined","times":1,"profile":"nobody"}`, 201)
	c.ask("POST", "outcomes", `{"outcome":"lost"}`, 400)
	c.ask("GET", "clock", "", 200)
	c.ask("POST", "clock", `{"to":"2026-04-30"}`, 200)
	c.ask("POST", "clock", `{"to":"2028-04-30"}`, 400)
	c.ask("GET", "faults", "", 200)
	c.ask("DELETE", "faults/"+fault["id"].(string), "", 204)
	c.ask("DELETE", "faults/77", "", 404)
	c.ask("DELETE", "merchants/demo", "", 409)
	c.ask("POST", "clock", `{"to":"2026-01-01"}`, 409)
	c.ask("POST", "clock", `{"to":"tomorrow"}`, 400)
	c.ask("GET", "outcomes", "", 200)
	c.ask("DELETE", "outcomes/"+outcome["id"].(string), "", 204)
	c.ask("DELETE", "outcomes/77", "", 404)
	c.ask("GET", "profiles", "", 200)
	c.ask("GET", "profiles?limit=1&status=active&q=a", "", 200)
	c.ask("GET", "profiles?limit=0", "", 400)
	c.ask("GET", "profiles?limit=2", "", 200)
	for id := 1; id <= 4; id++ {
		c.ask("GET", fmt.Sprint("profiles/", id), "", 200)
	}
	c.ask("GET", "profiles/99", "", 404)
	c.ask("POST", "profiles/1/update", `{"set":{"amount":"5.00"}}`, 200)
	c.ask("POST", "profiles/1/update", `{"set":{"currency":"USD"}}`, 409)
	c.ask("POST", "profiles/1/update", `{"set":{"no-column":"x"}}`, 409)
	c.ask("POST", "profiles/1/update", `{"set":{"amount":"-1"}}`, 409)
	c.ask("POST", "profiles/1/stop", `{}`, 200)
	c.ask("POST", "profiles/1/charge", `{}`, 409)
	c.ask("POST", "profiles/1/resume", `{"via":"ui"}`, 200)
	c.ask("POST", "profiles/1/resume", `{"via":"ui"}`, 200)
	c.ask("POST", "profiles/2/charge", ``, 200)
	c.ask("GET", "profiles/1", "", 200)
	c.ask("GET", "requests", "", 200)
	c.ask("GET", "requests?status=403&limit=1", "", 200)
	c.ask("GET", "requests?reason=currency&from=2026-01-31&until=2026-02-01", "", 200)
	for id := 1; id <= 3; id++ {
		c.ask("GET", fmt.Sprint("requests/", id), "", 200)
	}
	c.ask("GET", "requests/99", "", 404)
	callbacks := c.ask("GET", "callbacks", "", 200)["callbacks"].([]any)
	c.ask("POST", "callbacks/"+callbacks[0].(map[string]any)["id"].(string)+"/resend", `{}`, 200)
	c.ask("POST", "callbacks/99/resend", `{}`, 404)
	c.ask("GET", "callbacks?state=delivered", "", 200)
	c.ask("GET", "charges", "", 200)
	c.ask("GET", "charges?profile_id=2&limit=1", "", 200)
	snapshot := c.ask("POST", "snapshots", `{}`, 201)
	c.ask("POST", "snapshots/"+snapshot["id"].(string)+"/restore", `{}`, 200)
	c.ask("POST", "snapshots/99/restore", `{}`, 404)
	c.ask("GET", "snapshots", "", 200)
	c.ask("DELETE", "snapshots/"+snapshot["id"].(string), "", 204)
	c.ask("DELETE", "snapshots/99", "", 404)
	c.ask("POST", "reset", `{"to":"2026-01-31"}`, 200)
	for template, operations := range c.document["paths"].(map[string]any) {
		for method := range operations.(map[string]any) {
			if name := strings.ToUpper(method) + " " + template; !c.answered[name] {
				t.Errorf("%s was not called", name)
			}
		}
	}
}
