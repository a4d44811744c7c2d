package store_test

import (
	"path/filepath"
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/storetest"
	"github.com/chargecast/chargecast/sandbox/store"
)

// TestConformance runs the tests of every store of a gateway.
func TestConformance(t *testing.T) {
	t.Parallel()
	open := func(t *testing.T, path string) *store.Store {
		t.Helper()
		s, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
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
