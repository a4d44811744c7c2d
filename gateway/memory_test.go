package gateway_test

import (
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/storetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Maker{New: func(*testing.T) gateway.Store { return gateway.NewMemory() }})
}
