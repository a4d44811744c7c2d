package gateway_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/storetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Maker{New: func(*testing.T) gateway.Store { return gateway.NewMemory() }})
}

// TestNoncesAreNotKeptForever: of a merchant without a window the last ones are known.
func TestNoncesAreNotKeptForever(t *testing.T) {
	t.Parallel()
	use := func(tx gateway.Tx, n int) bool {
		var hash [32]byte
		binary.BigEndian.PutUint64(hash[:], uint64(n))
		first, err := tx.UseNonce("m1", hash, time.Unix(int64(n), 0), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return first
	}
	store := gateway.NewMemory()
	for _, do := range []func(gateway.Tx){
		func(tx gateway.Tx) {
			for n := range gateway.MaxNonces + 5 {
				use(tx, n)
			}
		},
		func(tx gateway.Tx) {
			if !use(tx, 4) || use(tx, 6) || use(tx, gateway.MaxNonces) {
				t.Error("the oldest are known, or others are not")
			}
		},
	} {
		if err := store.Update(t.Context(), func(tx gateway.Tx) error { do(tx); return nil }); err != nil {
			t.Fatal(err)
		}
	}
}
