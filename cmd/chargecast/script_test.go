package main

import (
	"fmt"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"

	"github.com/chargecast/chargecast/internal/race"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"chargecast": main})
}

// builtWithCgo reports whether the test, which is the program too, was built with cgo.
func builtWithCgo() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"})
}

// TestScripts runs the scenarios of testdata/script, each in a directory of its own. The payloads of the project are
// in $PAYLOADS, a program for conform in $SCHEDULER.
func TestScripts(t *testing.T) {
	payloads, err := filepath.Abs("../../testdata/payloads")
	if err != nil {
		t.Fatal(err)
	}
	scheduler, err := filepath.Abs("../../internal/kit/conform/testdata/scheduler.py")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			switch name {
			case "race":
				return race.Enabled, nil
			case "cgo":
				return builtWithCgo(), nil
			case "hangup": // a program that is started here is ended by it
				return !signal.Ignored(syscall.SIGHUP), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("PAYLOADS", payloads)
			e.Setenv("SCHEDULER", scheduler)
			e.Setenv("TERM", "xterm")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each command waits for a second under the race detector
			return nil
		},
	})
}
