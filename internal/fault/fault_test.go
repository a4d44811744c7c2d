package fault_test

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/internal/fault"
)

const errColor fault.Fault = "paint: unknown color; use red or blue"

func TestError(t *testing.T) {
	for _, r := range []struct {
		reason string
		err    error
		want   string
	}{
		{"a fault is an error of its own", errColor, "paint: unknown color; use red or blue"},
		{"nothing but the fault", fault.Refuse(errColor, ""), "paint: unknown color; use red or blue"},
		{"a part", fault.Refuse(errColor, "frame"), "paint: frame: unknown color; use red or blue"},
		{"a place", &fault.Error{Fault: errColor}, "paint: unknown color at byte 0; use red or blue"},
		{"both", &fault.Error{Fault: errColor, Part: "frame", Offset: 12}, "paint: frame: unknown color at byte 12; use red or blue"},
	} {
		if r.err.Error() != r.want || !errors.Is(r.err, errColor) {
			t.Errorf("%s: %v, want %s", r.reason, r.err, r.want)
		}
	}
}
