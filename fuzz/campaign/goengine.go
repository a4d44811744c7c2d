package campaign

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A goEngine is the fuzzing engine of the Go command, built with the targets of a clone.
type goEngine struct {
	gotool, root string // the Go command, the clone
	scratch      string // a directory of its own
}

// findEngine looks for the Go command and for a clone of this module around a directory. It says
// why there is no engine.
func findEngine(dir string) (e goEngine, why string) {
	if dir == "" {
		return e, "no clone of the module was given"
	}
	if e.root = cloneAround(dir); e.root == "" {
		return e, "the directory is not in a clone of " + module
	}
	var err error
	if e.gotool, err = exec.LookPath("go"); err != nil {
		return e, "the Go command is not installed"
	}
	return e, ""
}

const (
	module = "github.com/chargecast/chargecast"
	// targetPackage is where the wrappers of the native targets are, below the root of the module.
	targetPackage = "./fuzz/campaign"
)

// cloneAround is the root of the clone that a directory lies in; empty for none.
func cloneAround(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module "+module+"\n") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// build makes the program of all targets, instrumented, in a directory of its own. It says why it
// cannot.
func (e *goEngine) build(ctx context.Context) (why string) {
	begun := time.Now()
	var err error
	if e.scratch, err = os.MkdirTemp("", "chargecast-campaign-"); err != nil {
		return "no temporary directory can be made"
	}
	c := exec.CommandContext(ctx, e.gotool, "test", "-c", "-fuzz=.", "-o", e.program(), targetPackage)
	c.Dir = e.root
	ending(c)
	if err := c.Run(); err != nil {
		e.clear()
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return "compiling the targets was not finished after " + seconds(begun) + ", when the time was over" + moreTime
		case ctx.Err() != nil:
			return "interrupted while the targets were built"
		}
		return "go test -c -fuzz=. " + targetPackage + " fails in the clone: run it there to see why"
	}
	return ""
}

// moreTime ends the reports on compiling that took too long.
const moreTime = "; give the run more time, or run it again: what is compiled is kept"

// seconds is how long it is since a time.
func seconds(begun time.Time) string { return time.Since(begun).Round(time.Second).String() }

func (e *goEngine) program() string { return filepath.Join(e.scratch, "targets.test.exe") }

func (e *goEngine) clear() { _ = os.RemoveAll(e.scratch) }

// ending makes a command end with its context: by an interrupt at first, on which the engine ends
// its workers.
func ending(c *exec.Cmd) {
	c.Cancel = func() error {
		if err := c.Process.Signal(os.Interrupt); err != nil {
			return c.Process.Kill()
		}
		return nil
	}
	c.WaitDelay = 5 * time.Second
}

// A turn is the result of a target's turn with the engine.
type turn struct {
	inputs      uint64
	interesting int
	failed      [][]byte // inputs
	took        time.Duration
	why         string // it ended early
}

// run runs one target for a time, such as 10s, or a number of inputs, such as 1000x. Inputs that
// reach new code are kept below cache.
func (e *goEngine) run(ctx context.Context, target, length, cache string, workers int) turn {
	work := filepath.Join(e.scratch, "turn")
	_ = os.RemoveAll(work)
	if err := os.MkdirAll(work, 0o777); err != nil {
		return turn{why: "no temporary directory can be made"}
	}
	cache, err := filepath.Abs(cache)
	if err != nil {
		return turn{why: "the directory of the corpus is gone"}
	}
	c := exec.CommandContext(ctx, e.program(), "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime="+length, "-test.fuzzminimizetime=10x",
		"-test.fuzzcachedir="+cache, "-test.parallel="+strconv.Itoa(workers))
	c.Dir = work // the engine writes what fails below testdata
	said := &tail{}
	c.Stdout, c.Stderr = said, said
	ending(c)
	begun := time.Now()
	failure := c.Run()
	got := turn{took: time.Since(begun)}
	got.inputs, got.interesting = said.counts()
	got.failed = inputsBelow(filepath.Join(work, "testdata", "fuzz", target))
	switch {
	case ctx.Err() != nil:
		got.why = "interrupted"
	case failure != nil && len(got.failed) == 0 && !bytes.Contains(said.text, []byte("context deadline exceeded")):
		// At its deadline the engine may fail although no input does.
		got.why = "the engine failed without an input that fails"
	}
	return got
}

// inputsBelow reads the inputs of the Go engine in a directory.
func inputsBelow(dir string) (list [][]byte) {
	files, _ := os.ReadDir(dir) // missing when nothing failed
	for _, f := range files {
		file, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			continue
		}
		if raw, err := rawInput(file); err == nil {
			list = append(list, raw)
		}
	}
	return list
}

// A tail keeps the end of what a program writes.
type tail struct{ text []byte }

const tailSize = 64 << 10

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailSize; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

// counts are the last numbers of inputs tried and of new ones that the engine wrote.
func (t *tail) counts() (inputs uint64, interesting int) {
	progress := regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+)`)
	all := progress.FindAllSubmatch(t.text, -1)
	if len(all) == 0 {
		return 0, 0
	}
	last := all[len(all)-1]
	inputs, _ = strconv.ParseUint(string(last[1]), 10, 64)
	interesting, _ = strconv.Atoi(string(last[2]))
	return inputs, interesting
}
