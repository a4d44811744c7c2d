//go:build race

package main

import "testing"

// raceEnabled tells that allocations are not what they are without the race detector.
const raceEnabled = true

// notUnderRace skips a test that starts one command after the other and shares nothing between
// goroutines: it would take ten times as long, and find nothing more.
func notUnderRace(t *testing.T) {
	t.Helper()
	t.Skip("the race detector has nothing to find here")
}
