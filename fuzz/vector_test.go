package fuzz_test

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/subject"
	"github.com/chargecast/chargecast/fuzz/vector"
)

func readVectors(t *testing.T) []fuzz.Vector {
	t.Helper()
	public, err := vector.Family("forecast-public")
	if err != nil {
		t.Fatal(err)
	}
	var list []fuzz.Vector
	for _, v := range public {
		lives, err := fuzz.Vectors(v)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, lives...)
	}
	return list
}

// The oracle is judged by the vectors before it judges anybody: each was worked out or
// picked by hand.
func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) != 121 {
		t.Fatalf("%d vectors, want 121", len(vectors))
	}
	for _, impl := range []fuzz.Impl{subject.Reference(), fuzz.Ours()} {
		t.Run(impl.Name, func(t *testing.T) {
			for _, v := range vectors {
				if !fuzz.CheckVector(t, v, impl) {
					t.Errorf("%s: not covered", v.ID)
				}
			}
		})
	}
}
