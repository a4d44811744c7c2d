//go:build unix

package main

import (
	"io"
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
