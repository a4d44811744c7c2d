package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chargecast/chargecast/internal/race"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){name: main})
}

// TestScripts runs the scenarios of testdata/script, each in a directory of its own. A program to judge is in $SCHEDULER.
func TestScripts(t *testing.T) {
	scheduler, err := filepath.Abs("../../internal/kit/conform/testdata/scheduler.py")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name == "race" {
				return race.Enabled, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SCHEDULER", scheduler)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each command waits for a second under the race detector
			return nil
		},
	})
}
