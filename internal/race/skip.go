// Package race tells tests whether the race detector runs: with it allocations and times are others.
package race

import "testing"

// Skip skips, under the race detector, a test that starts one command after the other and shares
// nothing between goroutines: it would take ten times as long, and find nothing more.
func Skip(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("the race detector has nothing to find here")
	}
}
