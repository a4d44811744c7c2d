//go:build race

package main

// raceEnabled tells that allocations are not what they are without the race detector.
const raceEnabled = true
