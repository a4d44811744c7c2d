package main

import "testing"

// allocated is the number of objects that a side allocates for each of its units.
func allocated(s side) float64 {
	return testing.AllocsPerRun(3, func() { s.run() }) / float64(s.units)
}
