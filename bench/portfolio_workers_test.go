package main

import (
	"testing"

	"github.com/chargecast/chargecast/internal/workload"
)

// Two workers and one come to the same bytes, with drawn amounts and from a payload.
func TestWorkersComeToTheSameBytes(t *testing.T) {
	list, err := portfolioBook(501, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := sameForWorkers(list); err != nil {
		t.Error(err)
	}
	const rows = 5_000 // enough for a payload to be divided
	if err := samePayloadTotals(workload.Payload(workload.Plain, rows), rows); err != nil {
		t.Error(err)
	}
}
