package main

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
)

// TestReproOfSigning runs the commands that repro shows of signing cases: what cannot be signed is refused, and a
// request with a parameter that is not signed has the base string without it.
func TestReproOfSigning(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for sh")
	}
	refused := map[int]int{}
	for _, law := range []string{"S10", "B02"} {
		for i := range 80 {
			token := fmt.Sprintf("cc3:%s::0:%d", law, i)
			_, shown, err := fuzz.Replay(fuzz.Ours(), token, fuzz.Options{})
			if err != nil {
				t.Fatal(err)
			}
			command := shown.Command
			if strings.HasPrefix(command, "chargecast-conform repro ") {
				continue
			}
			c := exec.Command("sh", "-c", command)
			c.Dir = t.TempDir()
			said, err := c.CombinedOutput()
			code := 0
			if exit, is := errors.AsType[*exec.ExitError](err); is {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if law == "S10" {
				refused[code]++
				continue
			}
			_, signed, _ := strings.Cut(string(said), "\nBase string\n")
			if code != 0 || !strings.Contains(command, "oauth_signature=x'") || !strings.Contains(signed, "oauth_nonce%3D") || strings.Contains(signed, "oauth_signature%3D") {
				t.Errorf("%s: exit %d\n%s\n%s", token, code, command, said)
			}
		}
	}
	if refused[0] > 0 || refused[2] == 0 || refused[3] == 0 {
		t.Errorf("exit codes of what cannot be signed: %v, want 2 and 3", refused)
	}
}
