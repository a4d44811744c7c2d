package browser

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchemas judges what the command writes and reads by the schemas in docs/schemas, with a library that knows neither.
// Every object of a schema is closed first: a member that the schema does not name fails.
func TestSchemas(t *testing.T) {
	c := newSchemaCase(t)
	docs := func(name string) string { return filepath.Join("..", "..", "testdata", "docs", name) }
	demo := filepath.Join("..", "..", "testdata", "payloads", "demo.csv")
	broken := filepath.Join("..", "..", "testdata", "payloads", "broken.csv")
	window := []string{"--as-of", "2026-01-10", "--until", "2027-03-31"}

	c.lines("forecast", slices.Concat([]string{"forecast"}, window, []string{"-o", "ndjson", demo})...)
	c.lines("forecast", slices.Concat([]string{"forecast"}, window, []string{"-o", "ndjson", "--explain", "--profile", "*", "--next", "3", demo, broken})...)
	c.lines("forecast", slices.Concat([]string{"forecast"}, window, []string{"-o", "ndjson", "--policy", "start-past=catch-up,finish-bound=exclusive", demo})...)
	for _, by := range []string{"day", "week", "month", "quarter", "weekday", "profile"} {
		c.lines("forecast", slices.Concat([]string{"forecast"}, window, []string{"-o", "ndjson", "--by", by, "--quantiles", "5,50", "--explain", demo})...)
	}
	saved := filepath.Join(c.dir, "saved.jsonl")
	c.lines("simulate", slices.Concat([]string{"simulate"}, window, []string{"-o", "ndjson", "--script", c.script(), "--decline", "2", "--explain", "--save-state", saved, demo})...)
	c.lines("simulate", slices.Concat([]string{"simulate"}, window, []string{"-o", "ndjson", "--by", "month", "--decline", "1", demo})...)
	c.judge("state", saved)
	c.judge("state", docs("state.jsonl"))
	c.judge("script", docs("script.jsonl"))
	c.judge("script", c.script())

	bank := []string{
		"--as-of", "2026-01-10", "--through", "2026-04-30", "--lag", "3", "--actual", docs("bank.csv"), "--encoding", "windows-1252",
		"--columns", "profile=Bestell-Nr.,date=Wertstellung,amount=Betrag,currency=Währung", "--decimal", "comma",
	}
	readings := filepath.Join(c.dir, "readings.json")
	c.lines("reconcile", slices.Concat([]string{"reconcile"}, bank, []string{"-o", "ndjson", "--save-readings", readings, docs("studio.csv")})...)
	c.document("readings", c.file(readings))
	c.lines("forecast", slices.Concat([]string{"forecast"}, window, []string{"-o", "ndjson", "--readings", readings, "--explain", docs("studio.csv")})...)
	actuals := filepath.Join(c.dir, "actuals.jsonl")
	c.write(actuals, `{"profile":"gym","date":"2026-01-15","amount":"29.90","currency":"EUR","outcome":"approved","created":"2026-01-10","id":7}`+"\n"+
		`{"profile":"gym","date":"2026-02-15","amount":null,"outcome":"none"}`+"\n")
	c.judge("actuals", actuals)
	c.lines("reconcile", "reconcile", "--through", "2026-02-20", "--actual", actuals, "-o", "ndjson", docs("studio.csv"))

	c.document("probe", c.run("probe", "--as-of", "2026-01-10", "-o", "json"))
	experiment := filepath.Join(c.dir, "experiment")
	c.run("probe", "--as-of", "2026-01-10", "--dir", experiment)
	c.judge("script", filepath.Join(experiment, "script.jsonl"))

	secret, request := filepath.Join(c.dir, "secret"), filepath.Join(c.dir, "request.curl")
	c.write(secret, "a control key\n")
	c.write(request, string(c.run("sign", "--url", "https://gate.example.com/paynet/api/v4/create-recurring-payments/1", "--payload", broken,
		"--consumer-key", "merchant", "--secret-file", secret, "--nonce", "n", "--timestamp", "1767225600", "-o", "curl")))
	c.document("check", c.run("check", "--secret-file", secret, "--as-of", "2026-01-10", "-o", "json", request))
	c.write(secret, "another key\n")
	c.document("check", c.run("check", "--secret-file", secret, "--as-of", "2026-01-10", "--window", "5m", "--now", "1767225900", "-o", "json", request))

	for i, record := range c.records(c.run("validate", "--as-of", "2026-01-10", "-o", "ndjson", broken)) {
		if record.(map[string]any)["type"] == "problem" {
			c.valid("problem", i+1, record)
		}
	}
}

// TestSchemasRefuse: a schema that takes everything would judge nothing.
func TestSchemasRefuse(t *testing.T) {
	c := newSchemaCase(t)
	for name, wrong := range map[string]string{
		"state":    `{"profile":"a","status":"paused"}`,
		"script":   `{"date":"2026-01-12","do":"resume"}`,
		"readings": `{"schema":"chargecast.readings/1","readings":[{"key":"month-ends","value":"clamp","shown_by":{"profile":"a","date":"2026-01-01"}}]}`,
		"forecast": `{"type":"charge","profile":"a","row":1,"repeat":0,"date":"2026-01-31","amount":"1.00","min":"1.00","currency":"EUR"}`,
		"simulate": `{"type":"charge","profile":"a","row":1,"repeat":0,"date":"2026-01-31","amount":"1.00","currency":"EUR","kind":"automatic"}`,
	} {
		record, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(wrong)))
		if err != nil {
			t.Fatal(err)
		}
		if c.schema(name).Validate(record) == nil {
			t.Errorf("%s takes %s", name, wrong)
		}
	}
}

// A schemaCase runs the built command and judges records.
type schemaCase struct {
	t            *testing.T
	command, dir string
	read         map[string]*jsonschema.Schema
}

func newSchemaCase(t *testing.T) *schemaCase {
	t.Helper()
	dir := t.TempDir()
	command := filepath.Join(dir, "chargecast")
	build := exec.Command("go", "build", "-o", command, "./cmd/chargecast")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return &schemaCase{t: t, command: command, dir: dir, read: map[string]*jsonschema.Schema{}}
}

func (c *schemaCase) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// script writes a script with every verb.
func (c *schemaCase) script() string {
	name := filepath.Join(c.dir, "script.jsonl")
	c.write(name, `{"profile":"rent-31","date":"2026-03-12","do":"stop"}
{"profile":"rent-31","date":"2026-03-13","do":"update","set":{"finish-date":"31.12.2026"}}
{"profile":"rent-31","date":"2026-04-20","do":"resume","via":"ui","when":"after"}
{"profile":"rent-31","date":"2026-04-21","do":"resume","via":"api"}
{"profile":"rent-31","date":"2026-05-02","do":"charge"}
{"profile":"rent-31","date":"2026-05-02","do":"charge","when":"before"}
{"profile":"rent-31","date":"2026-05-31","do":"no-run"}
{"profile":"rent-31","date":"2026-06-30","do":"run"}
{"profile":"trial-sequence","repeat":1,"outcome":"declined"}
`)
	return name
}

// run returns what the command writes; findings are no failure.
func (c *schemaCase) run(args ...string) []byte {
	c.t.Helper()
	var out, said bytes.Buffer
	run := exec.Command(c.command, args...)
	run.Stdout, run.Stderr = &out, &said
	if err := run.Run(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 {
			c.t.Fatalf("%q: %v: %s", args, err, said.Bytes())
		}
	}
	return out.Bytes()
}

// schema compiles the schema with a name, its objects closed.
func (c *schemaCase) schema(name string) *jsonschema.Schema {
	c.t.Helper()
	if s := c.read[name]; s != nil {
		return s
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.file(filepath.Join("..", "..", "docs", "schemas", name+".json"))))
	if err != nil {
		c.t.Fatal(err)
	}
	closeObjects(document)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	url := "http://schema.test/" + name
	if err := compiler.AddResource(url, document); err != nil {
		c.t.Fatal(err)
	}
	s, err := compiler.Compile(url)
	if err != nil {
		c.t.Fatal(err)
	}
	c.read[name] = s
	return s
}

func closeObjects(part any) {
	switch part := part.(type) {
	case map[string]any:
		if part["properties"] != nil && part["type"] == "object" && part["additionalProperties"] == nil && part["description"] != payloadRow {
			part["additionalProperties"] = false
		}
		for _, inner := range part {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range part {
			closeObjects(inner)
		}
	}
}

// payloadRow describes the one object whose members, the columns, its schema does not name.
const payloadRow = "a row of the payload by column, and the request that it is sent in"

func (c *schemaCase) records(text []byte) (all []any) {
	c.t.Helper()
	for line := range bytes.Lines(text) {
		record, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			c.t.Fatalf("%v: %s", err, line)
		}
		all = append(all, record)
	}
	if len(all) == 0 {
		c.t.Error("there is no record")
	}
	return all
}

func (c *schemaCase) valid(name string, line int, record any) {
	c.t.Helper()
	if err := c.schema(name).Validate(record); err != nil {
		c.t.Errorf("%s, record %d: %v\n%v", name, line, err, record)
	}
}

// lines judges each line that a command writes, judge each line of a file, document one document.
func (c *schemaCase) lines(name string, args ...string) {
	c.t.Helper()
	for i, record := range c.records(c.run(args...)) {
		c.valid(name, i+1, record)
	}
}

func (c *schemaCase) judge(name, file string) {
	c.t.Helper()
	for i, record := range c.records(c.file(file)) {
		c.valid(name, i+1, record)
	}
}

func (c *schemaCase) file(name string) []byte {
	c.t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		c.t.Fatal(err)
	}
	return text
}

func (c *schemaCase) document(name string, text []byte) {
	c.t.Helper()
	record, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		c.t.Fatal(err)
	}
	c.valid(name, 1, record)
}
