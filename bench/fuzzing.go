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
	"slices"
	"strconv"
	"time"
)

const (
	// targetTurn is how long a target runs before the other has its turn. The engine says every three
	// seconds how many inputs it gave; the first of these figures is that of a beginning.
	targetTurn  = 12 * time.Second
	targetTurns = 4
	emptyTarget = "FuzzEmpty"
)

// emptyWrapper is the empty target, which is compiled into the program of the targets: what the engine does for an input
// depends on the size of the program.
const emptyWrapper = `package target_test

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

// against returns the ratio of the cases a second of two targets, with one worker: that of the best rates of several
// turns. Its spread is the best rate over the median, the worse of the two.
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
		var rates [2][]float64
		for turn := range targetTurns {
			for i := range sides {
				i := (turn + i) % 2
				got, err := engineRates(ctx, program, sides[i].name, filepath.Join(dir, sides[i].name))
				if err != nil {
					return result{}, err
				}
				if turn > 0 { // the first turn fills the corpus
					rates[i] = append(rates[i], got...)
				}
			}
		}
		var best [2]float64
		var spread float64
		for i, list := range rates {
			slices.Sort(list)
			best[i] = list[len(list)-1]
			spread = max(spread, best[i]/list[len(list)/2])
		}
		return result{ratio: best[0] * float64(ours.cases) / (best[1] * float64(theirs.cases)), spread: spread}, nil
	}
}

// buildTargets builds the program of all targets with the empty one, instrumented for the engine.
func buildTargets(ctx context.Context, dir, program string) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	wrapper, overlay := filepath.Join(dir, "empty_test.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, "fuzz", "target", "empty_test.go"): wrapper}})
	if err := errors.Join(err, os.WriteFile(wrapper, []byte(emptyWrapper), 0o666), os.WriteFile(overlay, replaced, 0o666)); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "test", "-C", root, "-c", "-fuzz=.", "-overlay", overlay, "-o", program, "./fuzz/target")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c -fuzz: %w: %.200s", err, text)
	}
	return nil
}

// engineRates runs a target for a turn with one worker and returns how many inputs the engine gave it a second.
func engineRates(ctx context.Context, program, name, dir string) ([]float64, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	run := exec.CommandContext(ctx, program, "-test.run=^$", "-test.fuzz=^"+name+"$", "-test.fuzztime="+targetTurn.String(),
		"-test.fuzzminimizetime=10x", "-test.fuzzcachedir="+filepath.Join(dir, "corpus"), "-test.parallel=1")
	run.Dir = dir // the engine writes what fails below testdata
	text, err := run.CombinedOutput()
	if _, failed := os.Stat(filepath.Join(dir, "testdata")); failed == nil {
		return nil, fmt.Errorf("%s fails on an input: %.200s", name, text)
	}
	if err != nil && !bytes.Contains(text, []byte("context deadline exceeded")) { // the engine may say so at its end
		return nil, fmt.Errorf("%s: %w: %.200s", name, err, text)
	}
	rates := progress(text)
	if len(rates) == 0 {
		return nil, fmt.Errorf("%s: the engine gives no rate: %.200s", name, text)
	}
	return rates, nil
}

var progressLine = regexp.MustCompile(`(?m)^fuzz: elapsed: .* execs: [0-9]+ \(([0-9]+)/sec\)`)

// progress are the inputs a second that the engine writes, without those of its beginning and of its end.
func progress(text []byte) (rates []float64) {
	lines := progressLine.FindAllSubmatch(text, -1)
	for i, line := range lines {
		if rate, err := strconv.ParseFloat(string(line[1]), 64); err == nil && i > 0 && i < len(lines)-1 {
			rates = append(rates, rate)
		}
	}
	return rates
}
