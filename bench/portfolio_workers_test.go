package main

import (
	"testing"

	"github.com/chargecast/chargecast/internal/workload"
)

// Two workers and one come to the same totals from a payload.
func TestWorkersComeToTheSameTotals(t *testing.T) {
	const rows = 5_000 // enough for a payload to be divided
	if err := samePayloadTotals(workload.Payload(workload.Plain, rows), rows); err != nil {
		t.Error(err)
	}
}
