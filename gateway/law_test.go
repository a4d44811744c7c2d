package gateway_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/storetest"
)

// TestChargesAreThoseOfTheEngine runs the law of gateways in memory; CHARGECAST_SEQUENCES sets
// another number of sequences.
func TestChargesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	sequences := numberOf(t, "CHARGECAST_SEQUENCES", 400)
	if testing.Short() {
		sequences = min(sequences, 40)
	}
	storetest.RunLaw(t, storetest.Maker{
		New:  func(*testing.T) gateway.Store { return gateway.NewMemory() },
		Kill: func(_ *testing.T, s gateway.Store) gateway.Store { return s }, // a gateway that ends without closing it
	}, sequences)
}

// numberOf is how much of something a test does, unless a variable of the environment says
// otherwise.
func numberOf(t *testing.T, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is not a number from 1", variable)
	}
	return n
}
