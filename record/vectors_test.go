package record_test

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/fuzz/vector/vectortest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// TestVectors runs every vector about a line of a script.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "record", map[string]vectortest.Judge{"script-line": func(t *testing.T, v vector.Vector) {
		_, err := record.ParseScriptLine([]byte(vectortest.Input[struct{ Line vector.Text }](t, v).Line))
		f, _ := errors.AsType[ledger.Finding](err)
		vectortest.Code(t, v, string(f.Code))
		if (err == nil) != (f.Code == "") {
			t.Errorf("%v has no code", err)
		}
	}})
}
