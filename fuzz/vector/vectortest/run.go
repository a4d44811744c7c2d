package vectortest

import (
	"maps"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
)

// Rooms are the ops that each room answers to. An op has one room, so that each vector is judged once.
func Rooms() map[string][]string {
	return map[string][]string{
		"engine":           {"forecast", "simulate", "state-line"},
		"record":           {"script-line"},
		"rules":            {"validate"},
		"gateway/response": {"response"},
		"signature": {"encode", "form", "base-uri", "parameters", "base-string", "hmac", "hmac-key", "sign", "header-build", "header-parse",
			"verify", "key"},
		"signature/diagnose": {"diagnose"},
		"cmd/chargecast":     {"reconcile"},
	}
}

// A Judge calls the code that a vector is about and compares what came of it.
type Judge func(*testing.T, vector.Vector)

// Run judges every embedded vector of a room's ops, each in a test of its own by its id. The judges have to be those of
// the room's ops, and an op without a vector is a failure.
func Run(t *testing.T, room string, judges map[string]Judge) {
	t.Helper()
	ops := slices.Sorted(slices.Values(Rooms()[room]))
	if got := slices.Sorted(maps.Keys(judges)); len(ops) == 0 || !slices.Equal(got, ops) {
		t.Fatalf("there are judges for %v, but %s answers to %v", got, room, ops)
	}
	seen := map[string]int{}
	for _, v := range All(t) {
		if judge := judges[v.Op]; judge != nil {
			seen[v.Op]++
			t.Run(v.ID, func(t *testing.T) { judge(t, v) })
		}
	}
	for _, op := range ops {
		if seen[op] == 0 {
			t.Errorf("no vector has the op %s", op)
		}
	}
}

// All are the vectors of every embedded file.
func All(t *testing.T) []vector.Vector {
	t.Helper()
	list, err := vector.All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Input is the input of a vector.
func Input[T any](t *testing.T, v vector.Vector) T {
	t.Helper()
	return decoded[T](t, v.Input)
}

// Expect is what must come of a vector.
func Expect[T any](t *testing.T, v vector.Vector) T {
	t.Helper()
	return decoded[T](t, v.Expect)
}

func decoded[T any](t *testing.T, text []byte) T {
	t.Helper()
	value, err := vector.Decode[T](text)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Same compares two values.
func Same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}
