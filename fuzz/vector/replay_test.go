package vector_test

import (
	"encoding/json"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
)

// elsewhere are the ops whose judge needs the inside of package signature, and is there.
var elsewhere = map[string]bool{
	"encode": true, "form": true, "base-uri": true, "base-string": true, "parameters": true, "hmac": true, "hmac-key": true,
	"sign": true, "header-build": true, "header-parse": true, "verify": true, "diagnose": true, "key": true,
}

// TestReplay runs every vector against this implementation, but for those that the test of package
// signature runs.
func TestReplay(t *testing.T) {
	judges := map[string]func(*testing.T, vector.Vector){
		"forecast": judgeLife, "simulate": judgeLife, "validate": judgePayload, "response": judgeResponse,
		"state-line": judgeStateLine, "script-line": judgeScriptLine,
	}
	seen := map[string]int{}
	for _, v := range all(t) {
		if elsewhere[v.Op] {
			continue
		}
		judge, ok := judges[v.Op]
		if !ok {
			t.Fatalf("%s: no judge for %s", v.ID, v.Op)
		}
		seen[v.Op]++
		t.Run(v.ID, func(t *testing.T) { judge(t, v) })
	}
	for op := range judges {
		if seen[op] == 0 {
			t.Errorf("no vector has the op %s", op)
		}
	}
}

// input decodes the input of a vector.
func input[T any](t *testing.T, v vector.Vector) T {
	t.Helper()
	return decoded[T](t, v.Input)
}

func decoded[T any](t *testing.T, text json.RawMessage) T {
	t.Helper()
	in, err := vector.Decode[T](text)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}
