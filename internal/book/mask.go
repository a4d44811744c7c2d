package book

import (
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// MaskActual returns a line of actual charges with its id as it may be shown; nil for nil.
func MaskActual(a *record.Actual) *record.Actual {
	if a == nil || a.ID == "" {
		return a
	}
	line := *a
	line.ID = rules.Mask(0, line.ID)
	return &line
}

// MaskUnknown returns the record of a line whose profile nobody knows, so that its name may be
// anything, as it may be shown.
func MaskUnknown(r record.Reconciled) record.Reconciled {
	r.Profile, r.Actual = rules.Mask(0, r.Profile), MaskActual(r.Actual)
	return r
}
