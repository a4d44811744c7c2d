package gateway_test

import (
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/storetest"
)

func TestChargesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	sequences := 400
	if testing.Short() {
		sequences = 40
	}
	storetest.RunLaw(t, storetest.Maker{New: func(*testing.T) gateway.Store { return gateway.NewMemory() }}, sequences)
}
