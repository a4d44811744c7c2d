package laws

import (
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/record"
)

// K01 and K03 hold for what we read and no implementation does: policies and scripts.
func TestOwnErrorsShowNoSecret(t *testing.T) {
	var judge T
	for i := range uint64(2000) {
		c := gen.Canaries(gen.ChooserOf(i))
		text := c.Before + c.Secret + c.After
		var errs []error
		if _, err := engine.ParsePolicy(text); err != nil {
			errs = append(errs, err)
		}
		if _, err := record.ParseScriptLine([]byte(text)); err != nil {
			errs = append(errs, err)
		}
		judge.unseen(c, errs)
		judge.own(errs)
	}
	for _, report := range judge.reports {
		t.Error(report)
	}
}
