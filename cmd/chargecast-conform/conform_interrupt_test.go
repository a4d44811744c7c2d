//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/chargecast/chargecast/internal/program"
)

// TestConformInterrupted: an interrupt ends the program under test, which hangs, and then the program
// with 130.
func TestConformInterrupted(t *testing.T) {
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sent) {
			t.Logf("skipped: %v is ignored by what started this test, and so by what the test starts", sent)
			continue
		}
		fifo := filepath.Join(t.TempDir(), "pid")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Skipf("no named pipe: %v", err)
		}
		const hanging = `read hello; echo '{"id":1,"name":"hanging","ops":["forecast"]}'; read question; echo $$ > "$0"; sleep 3600`
		c := exec.Command(name, "--laws", "T07", "--timeout", "1h", "--", "sh", "-c", hanging, fifo)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(fifo) // until the program hangs
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		if code := c.ProcessState.ExitCode(); code != int(program.ExitInterrupted) {
			t.Errorf("%v: exit code %d", sent, code)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("%v: process %d is left: %v", sent, pid, err)
		}
	}
}
