package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// verdicts are those on testdata/sample, worked out by hand.
const verdicts = `
sample.go:7 - to +: killed by TestMask
sample.go:13 < to <=: lived
sample.go:13 < to >=: killed by TestClamp
sample.go:14 - to +: lived
sample.go:16 > to >=: lived
sample.go:16 > to <=: killed by TestClamp
sample.go:23 - to +: killed by TestMinus
sample.go:27 < to <=: killed by TestCount
sample.go:27 < to >=: killed by TestCount
sample.go:27 ++ to --: killed by TestCount
sample.go:28 == to !=: killed by TestCount
sample.go:29 ++ to --: killed by TestCount
sample.go:36 - to +: killed by TestMask
sample.go:36 + to -: lived
sample.go:45 >= to >: not reached
sample.go:45 >= to <: not reached
sample.go:45 % to *: not reached
sample.go:45 * to /: not reached
sample.go:45 / to *: not reached
`

// TestVerdicts: each mutant of the sample has the verdict that a reader of its tests gives, after a run
// that left out all tests; a further run has nothing left to do and counts the same; verdicts of other
// sources are refused.
func TestVerdicts(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("limits of time and memory are those of a shell")
	}
	o := options{out: filepath.Join(t.TempDir(), "verdicts.jsonl"), jobs: 1, constants: true, slow: 1e-9, extra: 5 * time.Second}
	var none, first, second bytes.Buffer
	if err := measure("./testdata/sample", o, &none); err != nil || !strings.Contains(none.String(), "undecided 18\n") {
		t.Errorf("without tests there is a verdict: %v, %s", err, &none)
	}
	o.slow, o.skip, none = 0, "Test", bytes.Buffer{}
	if err := measure("./testdata/sample", o, &none); err != nil || !strings.Contains(none.String(), "undecided 18\n") {
		t.Errorf("with all tests left out by name there is a verdict: %v, %s", err, &none)
	}
	o.skip = ""
	if err := measure("./testdata/sample", o, &first); err != nil {
		t.Fatal(err)
	}
	text := read(t, o.out)
	got := map[string]bool{}
	for line := range strings.Lines(text) {
		var m mutant
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m.File != "" && m.Verdict != notCompiled && m.Verdict != undecided {
			got[m.String()] = true
		}
	}
	for want := range strings.Lines(strings.TrimPrefix(verdicts, "\n")) {
		if want = strings.TrimSpace(want); !got[want] {
			t.Errorf("no verdict %q", want)
		}
		delete(got, want)
	}
	for other := range got {
		t.Errorf("the verdict %q is not expected", other)
	}

	if err := os.WriteFile(o.out, []byte(text+`{"File":"sam`), 0o644); err != nil { // a run killed while it wrote
		t.Fatal(err)
	}
	if err := measure("./testdata/sample", o, &second); err != nil || second.String() != first.String() || read(t, o.out) != text {
		t.Errorf("a second run has an error %v, or other results:\n%s", err, &second)
	}
	if !strings.Contains(first.String(), "score 13 of 23, 56.5 %") {
		t.Errorf("- to + counts twice, as gremlins lists it: %s", &first)
	}
	o.files = "^other"
	second.Reset()
	if err := measure("./testdata/sample", o, &second); err != nil || second.String() != "score 0 of 0, 0.0 %\n" {
		t.Errorf("mutants of files that were not chosen are counted: %v, %s", err, &second)
	}
	if err := measure(".", o, &second); err == nil || !strings.Contains(err.Error(), "of other sources") {
		t.Errorf("verdicts of another package are taken over: %v", err)
	}
}

// endless are the verdicts on testdata/endless: one of its mutants counts down from 0 to the least number there is.
const endless = `endless.go:7 < to <=: killed by TestBelow
endless.go:7 < to >=: killed by TestBelow
endless.go:7 ++ to --: timed out
endless.go:8 ++ to --: killed by TestBelow
`

// TestMutantThatLoops: a mutant that does not come to an end is stopped by its processor time, which no other
// program on the machine uses up, counts as refused, and keeps its verdict.
func TestMutantThatLoops(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("limits of time and memory are those of a shell")
	}
	o := options{out: filepath.Join(t.TempDir(), "verdicts.jsonl"), jobs: 1}
	var first, second bytes.Buffer
	if err := measure("./testdata/endless", o, &first); err != nil {
		t.Fatal(err)
	}
	text := read(t, o.out)
	var got strings.Builder
	for line := range strings.Lines(text) {
		var m mutant
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m.File != "" {
			got.WriteString(m.String() + "\n")
		}
	}
	if got.String() != endless {
		t.Errorf("the verdicts are\n%s", &got)
	}
	if want := "killed 3\ntimed out 1\nscore 4 of 4, 100.0 %\n"; first.String() != want {
		t.Errorf("the summary is\n%s", &first)
	}
	if err := measure("./testdata/endless", o, &second); err != nil || second.String() != first.String() || read(t, o.out) != text {
		t.Errorf("a second run has an error %v, or other results:\n%s", err, &second)
	}
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
