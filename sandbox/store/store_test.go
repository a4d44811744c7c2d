package store_test

import (
	"path/filepath"
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/storetest"
	"github.com/chargecast/chargecast/sandbox/store"
)

func open(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestConformance runs the tests of every store of a gateway.
func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Maker{
		New: func(t *testing.T) gateway.Store { return open(t, filepath.Join(t.TempDir(), "store ?%#.db")) },
		Reopen: func(t *testing.T, s gateway.Store) gateway.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, s.(*store.Store).Path())
		},
	})
}

// TestChargesAreThoseOfTheEngine runs the law of gateways with this store.
func TestChargesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	sequences := 200
	if testing.Short() {
		sequences = 30
	}
	storetest.RunLaw(t, storetest.Maker{New: func(t *testing.T) gateway.Store { return open(t, filepath.Join(t.TempDir(), "law.db")) }}, sequences)
}
