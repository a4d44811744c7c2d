package endless

import "testing"

func TestBelow(t *testing.T) {
	if got := Below(3); got != 3 {
		t.Error(got)
	}
}
