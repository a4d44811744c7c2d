//go:build unix

package main

import (
	"bufio"
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

// TestCampaignInterrupted: an interrupt ends a campaign with its report, its corpus and 130.
func TestCampaignInterrupted(t *testing.T) {
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
		// The corpus is made once an interrupt ends the campaign in good order.
		for {
			if _, err := os.Stat(filepath.Join(dir, "native")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if err := c.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		first, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.HasSuffix(first, "; interrupted\n") {
			t.Errorf("%v: %q, %v", sent, first, err)
		}
		_ = c.Wait()
		if code := c.ProcessState.ExitCode(); code != int(program.ExitInterrupted) {
			t.Errorf("%v: exit code %d", sent, code)
		}
		if state, err := os.ReadFile(filepath.Join(dir, "campaign.json")); err != nil || !strings.Contains(string(state), `"campaigns": 1`) {
			t.Errorf("%v: the corpus has %s, %v", sent, state, err)
		}
	}
}
