package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/fuzz/vector/vectortest"
)

const vectorID = "order-1"

// TestVectors sends every public vector through the command: the profile as a payload, the state and script as files, the
// answer as NDJSON.
func TestVectors(t *testing.T) {
	lives, err := vector.Lives("forecast-public")
	if err != nil || len(lives) < 121 {
		t.Fatalf("%d vectors, there were 121: %v", len(lives), err)
	}
	for _, l := range lives {
		t.Run(l.ID, func(t *testing.T) { vectortest.Life(t, l, livedByCommand(t, l)) })
	}
}

func livedByCommand(t *testing.T, l vector.Life) (got vectortest.Lived) {
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
			got.Charges = append(got.Charges, recordOf[vector.Charge](t, line))
		case "event":
			got.Events = append(got.Events, recordOf[vector.Event](t, line))
		case "end":
			ends++
			got.End = recordOf[vector.End](t, line)
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
	text, err := vector.Life{Columns: columns}.Payload().Bytes()
	if err != nil { // the tables of these tests name the card type
		panic(err)
	}
	return string(text)
}
