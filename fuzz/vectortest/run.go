package vectortest

import (
	"maps"
	"slices"
	"testing"
)

// rooms are the ops that each room answers to. An op has one room, so that each vector is judged once.
func rooms() map[string][]string {
	return map[string][]string{
		"engine":           {"forecast", "simulate", "state-line"},
		"record":           {"script-line"},
		"rules":            {"validate"},
		"gateway/response": {"response"},
		"signature": {"encode", "form", "base-uri", "parameters", "base-string", "hmac-key", "sign", "header-build", "header-parse",
			"verify", "key"},
		"signature/diagnose": {"diagnose"},
		"cmd/chargecast":     {"reconcile"},
	}
}

// A Judge calls the code that a vector is about and compares what came of it.
type Judge func(*testing.T, Vector)

// Run judges every embedded vector of a room's ops, each in a test of its own by its id. The judges have to be those of
// the room's ops, and an op without a vector is a failure.
func Run(t *testing.T, room string, judges map[string]Judge) {
	t.Helper()
	ops := slices.Sorted(slices.Values(rooms()[room]))
	if got := slices.Sorted(maps.Keys(judges)); len(ops) == 0 || !slices.Equal(got, ops) {
		t.Fatalf("there are judges for %v, but %s answers to %v", got, room, ops)
	}
	each(t, judges)
}

// each calls the judge of every embedded vector that has one, each in a test of its own by its id.
func each(t *testing.T, judges map[string]Judge) {
	t.Helper()
	seen := map[string]bool{}
	for _, v := range All(t) {
		if judge := judges[v.Op]; judge != nil {
			seen[v.Op] = true
			t.Run(v.ID, func(t *testing.T) { judge(t, v) })
		}
	}
	for op := range judges {
		if !seen[op] {
			t.Errorf("no vector has the op %s", op)
		}
	}
}

// Same compares two values.
func Same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}

// SameRefusal compares a refusal with the expected one: its code, and the offset of the fault, where they are given. An
// empty code is none, which is a failure.
func (v Vector) SameRefusal(t *testing.T, code string, offset int64) {
	t.Helper()
	want := Expect[struct {
		Code   string
		Offset *int64
	}](t, v)
	if code == "" || want.Code != "" && code != want.Code || want.Offset != nil && offset != *want.Offset {
		t.Errorf("refused with %q at %d, want %s", code, offset, v.Expect)
	}
}

// SameCode compares the code of an error with the expected one; the empty code is no error.
func (v Vector) SameCode(t *testing.T, code string) {
	t.Helper()
	Same(t, "code", code, Expect[struct{ Code string }](t, v).Code)
}
