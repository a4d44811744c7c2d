package diagnose_test

import (
	"testing"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// BenchmarkRequest is a search that finds nothing: all singles and all pairs.
func BenchmarkRequest(b *testing.B) {
	r, o := signtest.Workload(700)
	other, err := signature.NewHMACKey("another")
	if err != nil {
		b.Fatal(err)
	}
	wrong, err := signtest.Authorization(r, o, other)
	if err != nil {
		b.Fatal(err)
	}
	var d diagnose.Diagnosis
	for b.Loop() {
		d, _ = diagnose.Request(b.Context(), r.Made().WithAuthorization(wrong), signtest.Secret(b, signtest.WorkloadKey), diagnose.Options{})
	}
	if d.Signature != signature.VerdictMismatch || len(d.Causes) > 0 {
		b.Fatal(d.Causes)
	}
	b.ReportMetric(float64(d.Tried), "candidates")
}
