package fuzz_test

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/vectortest"
)

// publicLives are the lives that were worked out or picked by hand.
func publicLives(t *testing.T) []life {
	t.Helper()
	var list []life
	for _, raw := range vectortest.Lives(t, "forecast-public") {
		l, err := lifeOf(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw.ID, err)
		}
		list = append(list, l)
	}
	return list
}

// The oracle is judged by the vectors before it judges anybody: each was worked out or
// picked by hand.
func TestVectors(t *testing.T) {
	lives := publicLives(t)
	if len(lives) != 121 {
		t.Fatalf("%d lives, want 121", len(lives))
	}
	for _, impl := range []fuzz.Impl{laws.Reference(), fuzz.Ours()} {
		t.Run(impl.Name, func(t *testing.T) {
			for _, l := range lives {
				l.judge(t, impl)
			}
		})
	}
}
