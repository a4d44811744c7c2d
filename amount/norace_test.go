//go:build !race

package amount

const raceEnabled = false
