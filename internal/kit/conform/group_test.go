//go:build unix

package conform_test

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/kit"
)

// TestGroupEnds: a child that a program leaves behind is ended with it.
func TestGroupEnds(t *testing.T) {
	p, err := self(t, "leaves a child", 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Run(kit.Options{Laws: []string{"T07"}, Cases: 1})
	p.Close()
	found := 0
	for line := range strings.Lines(p.Stderr()) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "child ")
		pid, err := strconv.Atoi(text)
		if !ok || err != nil {
			continue
		}
		found++
		if !ends(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
	if found == 0 {
		t.Error("no child was left")
	}
}

// ends waits for the end of a process that was killed: under load the signal needs a moment.
func ends(pid int) bool {
	for limit := time.Now().Add(long); !ended(pid); runtime.Gosched() {
		if time.Now().After(limit) {
			return false
		}
	}
	return true
}

// ended reports whether a process has ended: it is gone, or waits for its parent to notice.
func ended(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && (strings.Contains(string(stat), ") Z ") || strings.Contains(string(stat), ") X "))
}
