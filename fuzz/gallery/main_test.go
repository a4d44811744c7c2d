package gallery

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often than usual: cases allocate much and keep nothing, so that a third
// of the work was the collector's.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}
