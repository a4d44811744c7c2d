package main

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestCollectorOfTheUser: GOGC and GOMEMLIMIT of whoever starts the command were overridden.
func TestCollectorOfTheUser(t *testing.T) {
	const percent, limit = 123, math.MaxInt64
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	for _, c := range []struct {
		reason    string
		isProcess bool
		set       string
		tunes     bool
	}{
		{"nothing is set", true, "", true},
		{"GOGC is set", true, "GOGC", false},
		{"GOMEMLIMIT is set", true, "GOMEMLIMIT", false},
		{"a call in a test", false, "", false},
	} {
		for name, tune := range map[string]func(*app){"keepSmall": (*app).keepSmall, "collectOften": (*app).collectOften} {
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(limit)
			tune(&app{isProcess: c.isProcess, getenv: func(name string) string {
				if name == c.set {
					return "off"
				}
				return ""
			}})
			now, bound := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
			if tuned := now != percent; tuned != c.tunes || !c.tunes && bound != limit {
				t.Errorf("%s: %s: %d percent, limit %d", c.reason, name, now, bound)
			}
		}
	}
}
