//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/program"
)

// TestRunInterrupted: an interrupt ends a run with its report, its corpus and 130.
func TestRunInterrupted(t *testing.T) {
	notUnderRace(t)
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sent) {
			t.Logf("skipped: %v is ignored by what started this test, and so by what the test starts", sent)
			continue
		}
		dir := t.TempDir()
		c := exec.Command(name, "--laws", "C07", "--time", "1m", "--dir", dir)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// The corpus is made once an interrupt ends the run in good order.
		for {
			if _, err := os.Stat(filepath.Join(dir, "failing")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if err := c.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(out)
		if err != nil || !strings.HasSuffix(string(text), ", seed 0; interrupted\n") {
			t.Errorf("%v: %q, %v", sent, text, err)
		}
		_ = c.Wait()
		if code := c.ProcessState.ExitCode(); code != int(program.ExitInterrupted) {
			t.Errorf("%v: exit code %d", sent, code)
		}
		if state, err := os.ReadFile(filepath.Join(dir, "corpus.json")); err != nil || !strings.Contains(string(state), `"schema": "chargecast.corpus/2"`) {
			t.Errorf("%v: the corpus has %s, %v", sent, state, err)
		}
	}
}

// TestRunKilled: the corpus of a run that is killed has what was learned until shortly before, and the next run goes on from it.
func TestRunKilled(t *testing.T) {
	notUnderRace(t)
	dir := t.TempDir()
	c := exec.Command(name, "--laws", "P04,C07", "--time", "1m", "--workers", "1", "--dir", dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	state := func() (kept struct {
		Laws map[string]struct{ Next map[string]int }
	}) {
		text, err := os.ReadFile(filepath.Join(dir, "corpus.json"))
		if err == nil {
			err = json.Unmarshal(text, &kept)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return kept
	}
	for state().Laws["C07"].Next["0"] == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	was := state().Laws["C07"].Next["0"]
	if out, err := exec.Command(name, "--laws", "C07", "--cases", "3", "--dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if now := state().Laws["C07"].Next["0"]; now != was+3 {
		t.Errorf("after 3 cases the next one is %d, and was %d", now, was)
	}
	if cases, err := os.ReadFile(filepath.Join(dir, "cases", "C07.txt")); err != nil || strings.Count(string(cases), "cc2:C07:b64:") < 2 {
		t.Errorf("cases kept: %s, %v", cases, err)
	}
}
