package job_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/chargecast/chargecast/beam/job"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// asCommand is set where this program is to be the command, which tests can then kill.
const asCommand = "CHARGECAST_BEAM_COMMAND"

// plainCommand is the program whose bytes a job is to reproduce.
var plainCommand string

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(job.Main(context.Background(), os.Args[1:], os.Stderr))
	}
	flag.Parse()
	log.LogLevel = "error"
	beam.Init()
	dir, err := os.MkdirTemp("", "beam")
	if err != nil {
		panic(err)
	}
	_ = os.Setenv("TMPDIR", dir) // package beam leaves a file there for each job
	plainCommand = filepath.Join(dir, "chargecast")
	build := exec.Command("go", "build", "-o", plainCommand, "./cmd/chargecast")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// plain runs the plain command.
func plain(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	c := exec.Command(plainCommand, args...)
	var out, log bytes.Buffer
	c.Stdout, c.Stderr = &out, &log
	if err := c.Run(); err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			t.Fatal(err)
		}
	}
	return c.ProcessState.ExitCode(), out.String(), log.String()
}

// command is this program as the command.
func command(args ...string) *exec.Cmd {
	self, _ := os.Executable()
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	return c
}

// day is a date that is right.
func day(s string) calendar.Date {
	d, err := calendar.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// query returns the job that most tests vary.
func query(t *testing.T, inputs ...string) job.Job {
	t.Helper()
	return job.Job{Inputs: inputs, Query: job.Query{
		AsOf: day("2026-01-10"), Until: day("2026-12-31"), By: engine.ByDay, Form: job.FormNDJSON, Output: filepath.Join(t.TempDir(), "results"),
	}}
}

// flags returns the flags of the plain command for a query.
func flags(q *job.Query) []string {
	args := []string{"forecast", "--as-of", q.AsOf.String(), "--until", q.Until.String(), "--by", q.By.String(), "--policy", q.Policy.String(), "-o", string(q.Form)}
	if q.Simulate {
		args[0] = "simulate"
		args = append(args, "--seed", itoa(q.Seed))
	}
	if !q.From.IsZero() {
		args = append(args, "--from", q.From.String())
	}
	return args
}

// run runs a job that must end with a summary.
func run(t *testing.T, j job.Job) job.Summary {
	t.Helper()
	s, err := job.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same compares texts and shows where they differ.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("%s: line %d differs\ngot  %s\nwant %s", what, i+1, g[i], w[i])
			return
		}
	}
	t.Errorf("%s: %d lines, want %d", what, len(g), len(w))
}
