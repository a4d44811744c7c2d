package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

const (
	// targetTurn is how many inputs a target gets before the other has its turn.
	targetTurn  = 20_000
	targetTurns = 3
	emptyTarget = "FuzzEmpty"
)

// emptyWrapper is the empty target, which is compiled into the program of the targets: what the
// engine does for an input depends on the size of the program.
const emptyWrapper = `package campaign_test

import "testing"

func FuzzEmpty(f *testing.F) {
	f.Add([]byte("an input"))
	f.Fuzz(func(*testing.T, []byte) {})
}
`

// A fuzzed target is one that the Go engine runs, with the number of cases that it makes of an input.
type fuzzed struct {
	name  string
	cases int
}

// against returns the ratio of the cases of two targets in a second of processor time, with one
// worker: a machine with other work gives the engine fewer seconds. Like other ratios it is one of
// minima, here of several turns.
func (ours fuzzed) against(theirs fuzzed) func() (result, error) {
	return func() (result, error) {
		dir, err := os.MkdirTemp("", "bench")
		if err != nil {
			return result{}, err
		}
		defer os.RemoveAll(dir)
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
		defer cancel()
		program := filepath.Join(dir, "targets.test.exe")
		if err := buildTargets(ctx, dir, program); err != nil {
			return result{}, err
		}
		sides := [2]fuzzed{ours, theirs}
		var costs [2][]float64
		for turn := range targetTurns {
			for i := range sides {
				i := (turn + i) % 2
				cost, err := engineCost(ctx, program, sides[i].name, filepath.Join(dir, sides[i].name))
				if err != nil {
					return result{}, err
				}
				if turn > 0 { // the first turn fills the corpus
					costs[i] = append(costs[i], cost/float64(sides[i].cases))
				}
			}
		}
		a, b := summary(costs[0]), summary(costs[1])
		return result{ratio: b.min / a.min, spread: max(a.spread(), b.spread())}, nil
	}
}

// buildTargets builds the program of all targets with the empty one, instrumented for the engine.
func buildTargets(ctx context.Context, dir, program string) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	wrapper, overlay := filepath.Join(dir, "empty_test.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, "fuzz", "campaign", "empty_test.go"): wrapper}})
	if err := errors.Join(err, os.WriteFile(wrapper, []byte(emptyWrapper), 0o666), os.WriteFile(overlay, replaced, 0o666)); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "test", "-C", root, "-c", "-fuzz=.", "-overlay", overlay, "-o", program, "./fuzz/campaign")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c -fuzz: %w: %.200s", err, text)
	}
	return nil
}

// engineCost gives a target its turn with one worker and returns the processor time of an input, in
// seconds. What the engine takes to begin, which is to run the corpus, does not count.
func engineCost(ctx context.Context, program, name, dir string) (float64, error) {
	before, begin, err := engineRun(ctx, program, name, dir, "1x")
	if err != nil {
		return 0, err
	}
	after, end, err := engineRun(ctx, program, name, dir, strconv.Itoa(targetTurn)+"x")
	if err != nil {
		return 0, err
	}
	if after < targetTurn/2 || end <= begin {
		return 0, fmt.Errorf("%s: %d inputs in a turn", name, after)
	}
	return (end - begin).Seconds() / float64(after-before), nil
}

// engineRun runs a target for a number of inputs, such as 100x, and returns how many it was given
// and the processor time that this took.
func engineRun(ctx context.Context, program, name, dir, length string) (inputs int, took time.Duration, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, 0, err
	}
	run := exec.CommandContext(ctx, program, "-test.run=^$", "-test.fuzz=^"+name+"$", "-test.fuzztime="+length,
		"-test.fuzzminimizetime=10x", "-test.fuzzcachedir="+filepath.Join(dir, "corpus"), "-test.parallel=1")
	run.Dir = dir // the engine writes what fails below testdata
	text, err := run.CombinedOutput()
	if _, failed := os.Stat(filepath.Join(dir, "testdata")); failed == nil {
		return 0, 0, fmt.Errorf("%s fails on an input: %.200s", name, text)
	}
	if err != nil && !bytes.Contains(text, []byte("context deadline exceeded")) { // the engine may say so at its end
		return 0, 0, fmt.Errorf("%s: %w: %.200s", name, err, text)
	}
	return inputsGiven(text), run.ProcessState.UserTime() + run.ProcessState.SystemTime(), nil
}

var progress = regexp.MustCompile(`(?m)^fuzz: elapsed: .* execs: ([0-9]+) `)

// inputsGiven is how many inputs the engine gave by the last of its lines; 0 if it gave none.
func inputsGiven(text []byte) int {
	lines := progress.FindAllSubmatch(text, -1)
	if len(lines) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(string(lines[len(lines)-1][1])) // digits
	return n
}
