package record_test

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// TestVectors runs every vector about a line of a script.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "record", map[string]vectortest.Judge{"script-line": func(t *testing.T, v vectortest.Vector) {
		_, err := record.ParseScriptLine([]byte(vectortest.Input[struct{ Line vectortest.Text }](t, v).Line))
		f, _ := errors.AsType[ledger.Finding](err)
		v.SameCode(t, string(f.Code))
		if (err == nil) != (f.Code == "") {
			t.Errorf("%v has no code", err)
		}
	}})
}
