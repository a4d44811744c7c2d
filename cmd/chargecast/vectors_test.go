package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
)

const vectorID = "order-1"

// TestVectors sends every public vector through the command: the profile as a payload, the state and script as files, the
// answer as NDJSON.
func TestVectors(t *testing.T) {
	lives := vectortest.Simulations(t, "forecast-public")
	if len(lives) < 121 {
		t.Fatalf("%d vectors, there were 121", len(lives))
	}
	for _, l := range lives {
		t.Run(l.ID, func(t *testing.T) { l.Same(t, livedByCommand(t, l)) })
	}
}

func livedByCommand(t *testing.T, l vectortest.Simulation) (got vectortest.Outcome) {
	dir := t.TempDir()
	args := []string{"forecast"}
	if l.Script != nil {
		got.Drawn = true
		args = []string{"simulate", "--script", writeLines(t, dir, "script.jsonl", l.Script...)}
	}
	args = append(args, "--as-of", l.AsOf, "--until", l.Until, "-o", "ndjson")
	for key, value := range l.Policy {
		args = append(args, "--policy", key+"="+value)
	}
	if l.State != nil {
		state := strings.Replace(string(l.State), "{", `{"profile":"`+vectorID+`",`, 1)
		args = append(args, "--state", writeLines(t, dir, "state.jsonl", []byte(strings.Replace(state, ",}", "}", 1))))
	}
	var stdout, messages bytes.Buffer
	code := run(args, strings.NewReader(payloadOf(l.Columns)), &stdout, &messages)
	ends := 0
	for line := range bytes.Lines(stdout.Bytes()) {
		switch recordOf[struct{ Type string }](t, line).Type {
		case "charge":
			got.Charges = append(got.Charges, recordOf[vectortest.Charge](t, line))
		case "event":
			got.Events = append(got.Events, recordOf[vectortest.Event](t, line))
		case "end":
			ends++
			got.End = recordOf[vectortest.End](t, line)
		}
	}
	got.Rejected = code == 1 && len(got.Charges)+ends == 0
	if !got.Rejected && (code != 0 || ends != 1) {
		t.Fatalf("exit %d, %d ends\n%s", code, ends, messages.String())
	}
	return got
}

func recordOf[T any](t *testing.T, line []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(line, &value); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return value
}

func writeLines(t *testing.T, dir, name string, lines ...json.RawMessage) string {
	path := filepath.Join(dir, name)
	var b bytes.Buffer
	for _, line := range lines {
		b.Write(line)
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// payloadOf is a payload with one row: the columns given, and valid values for the others that its kind requires.
func payloadOf(columns map[string]string) string {
	return string(vectortest.Simulation{Columns: columns}.Payload().Bytes())
}

// A reconciliation is a vector of the op reconcile: rows, and what was charged.
type reconciliation struct {
	Rows []struct {
		Columns map[string]string
		State   json.RawMessage
	}
	AsOf    string `json:"as_of"`
	Through string
	Lag     int
	Policy  map[string]string
	Script  []json.RawMessage
	Actual  map[string]string // texts by the names of their files
}

// TestReconciliations sends every vector about charges that took place through the command.
func TestReconciliations(t *testing.T) {
	vectortest.Run(t, "cmd/chargecast", map[string]vectortest.Judge{"reconcile": judgeReconciliation})
}

func judgeReconciliation(t *testing.T, v vectortest.Vector) {
	records, messages := reconcileVector(t, v)
	got := map[string][]any{}
	for line := range bytes.Lines(records) {
		r := recordOf[map[string]any](t, line)
		if kind := r["type"].(string); r["verdict"] != "open" {
			got[kind] = append(got[kind], r)
		}
	}
	several := len(vectortest.Input[reconciliation](t, v).Actual) > 1
	for _, m := range regexp.MustCompile(`(?m)^([^:]*):(\d+):1: error: actual-`).FindAllStringSubmatch(messages, -1) {
		if !several {
			m[1] = ""
		}
		line, _ := strconv.ParseFloat(m[2], 64)
		got["problem"] = append(got["problem"], []any{m[1], line})
	}
	want := recordOf[map[string]any](t, v.Expect)
	for member, kind := range map[string]string{"records": "reconciled", "unexplained": "unexplained", "readings": "reading", "problems": "problem"} {
		if !has(append([]any{}, got[kind]...), want[member]) {
			t.Errorf("%s\n got %v\nwant %v\n%s", member, got[kind], want[member], messages)
		}
	}
	if sum := map[string]any{"after": want["after"], "left_out": want["left_out"]}; !has(got["summary"], []any{sum}) {
		t.Errorf("the summary is %v, want %v", got["summary"], sum)
	}
}

// reconcileVector lets the command reconcile what a vector has, in a directory of its own.
func reconcileVector(t *testing.T, v vectortest.Vector) (records []byte, messages string) {
	t.Helper()
	in := vectortest.Input[reconciliation](t, v)
	t.Chdir(t.TempDir()) // so that lines name their files as the vector does
	args := []string{"reconcile", "--through", in.Through, "--lag", strconv.Itoa(in.Lag), "-o", "ndjson"}
	if in.AsOf != "" {
		args = append(args, "--as-of", in.AsOf)
	}
	for _, name := range slices.Sorted(maps.Keys(in.Actual)) {
		writeLines(t, ".", name, []byte(strings.TrimSuffix(in.Actual[name], "\n")))
		args = append(args, "--actual", name)
	}
	for key, value := range in.Policy {
		args = append(args, "--policy", key+"="+value)
	}
	if in.Script != nil {
		args = append(args, "--script", writeLines(t, ".", "script.jsonl", in.Script...))
	}
	payload := ""
	var states []json.RawMessage
	for _, row := range in.Rows {
		header, line, _ := strings.Cut(payloadOf(row.Columns), "\n")
		if payload == "" {
			payload = header + "\n"
		}
		payload += line
		if row.State != nil {
			states = append(states, []byte(strings.Replace(string(row.State), "{", `{"profile":"`+row.Columns["client-orderid"]+`",`, 1)))
		}
	}
	if states != nil {
		args = append(args, "--state", writeLines(t, ".", "state.jsonl", states...))
	}
	var stdout, stderr bytes.Buffer
	run(append(args, "-"), strings.NewReader(payload), &stdout, &stderr)
	return stdout.Bytes(), stderr.String()
}

// has reports whether a JSON value has all members of another one, which is the same but for them.
func has(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		in, ok := got.(map[string]any)
		for name, value := range want {
			ok = ok && has(in[name], value)
		}
		return ok
	case []any:
		in, ok := got.([]any)
		return ok && slices.EqualFunc(in, want, has)
	}
	return got == want
}
