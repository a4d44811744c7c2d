package store_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/storetest"
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
	storetest.Run(t, maker("store ?%#.db"))
}

// TestChargesAreThoseOfTheEngine runs the law of gateways with this store, which is closed and
// opened again, and killed, in between; CHARGECAST_SEQUENCES sets another number of sequences.
func TestChargesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	sequences := 50
	if text := os.Getenv("CHARGECAST_SEQUENCES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		sequences = n
	}
	if testing.Short() {
		sequences = min(sequences, 30)
	}
	storetest.RunLaw(t, maker("law.db"), sequences)
}

// maker makes stores in files of a name, and opens them again.
func maker(name string) storetest.Maker {
	return storetest.Maker{
		New: func(t *testing.T) gateway.Store { return open(t, filepath.Join(t.TempDir(), name)) },
		Reopen: func(t *testing.T, s gateway.Store) gateway.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, s.(*store.Store).Path())
		},
		Kill: func(t *testing.T, s gateway.Store) gateway.Store {
			path := filepath.Join(t.TempDir(), name)
			for _, suffix := range []string{"", "-wal"} { // between two transactions this is what a kill leaves
				content, err := os.ReadFile(s.(*store.Store).Path() + suffix)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path+suffix, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, path)
		},
	}
}
