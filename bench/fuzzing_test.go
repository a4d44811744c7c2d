package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInputsGiven reads what the engine writes.
func TestInputsGiven(t *testing.T) {
	const text = `fuzz: elapsed: 0s, gathering baseline coverage: 0/9 completed
fuzz: elapsed: 0s, gathering baseline coverage: 9/9 completed, now fuzzing with 1 workers
fuzz: elapsed: 3s, execs: 9000 (2999/sec), new interesting: 1 (total: 10)
fuzz: elapsed: 6s, execs: 39000 (10000/sec), new interesting: 1 (total: 10)
fuzz: elapsed: 6s, execs: 39012 (0/sec), new interesting: 1 (total: 10)
PASS
`
	if got := inputsGiven([]byte(text)); got != 39_012 {
		t.Errorf("%d inputs", got)
	}
	if got := inputsGiven([]byte("fuzz: elapsed: 3s\nPASS\n")); got != 0 {
		t.Errorf("%d inputs of none", got)
	}
}

// TestFuzzingTargetsExist: the engine runs nothing, and says that all is well, where no target has a name.
func TestFuzzingTargetsExist(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "fuzz", "campaign", "target_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := os.ReadFile("rows_fuzzing.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for part := range strings.SplitSeq(string(rows), `"`) {
		if !strings.HasPrefix(part, "Fuzz") {
			continue
		}
		n++
		if !strings.Contains(string(text), "func "+part+"(") {
			t.Errorf("no target is called %s", part)
		}
	}
	if n < 10 {
		t.Errorf("the rows name %d targets", n)
	}
}
