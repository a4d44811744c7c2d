//go:build race

package kit_test

const raceEnabled = true
