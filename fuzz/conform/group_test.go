//go:build unix

package conform_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/chargecast/chargecast/fuzz/conform"
)

// TestGroupEnds: a child that a program leaves behind is ended with it.
func TestGroupEnds(t *testing.T) {
	p, err := self(t, "leaves a child", 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Run(conform.Options{Laws: []string{"T01"}, Cases: 1})
	p.Close()
	found := 0
	for line := range strings.Lines(p.Stderr()) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "child ")
		pid, err := strconv.Atoi(text)
		if !ok || err != nil {
			continue
		}
		found++
		if !ended(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
	if found == 0 {
		t.Error("no child was left")
	}
}

// ended tells whether a process has ended: it is gone, or waits for its parent to notice.
func ended(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && (strings.Contains(string(stat), ") Z ") || strings.Contains(string(stat), ") X "))
}
