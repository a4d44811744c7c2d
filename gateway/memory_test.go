package gateway_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/storetest"
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

// TestThePendingCallbackIsFoundAtOnce, however many of its profile were delivered: twelve years of a daily profile cost four times as much
// as three, not sixteen times.
func TestThePendingCallbackIsFoundAtOnce(t *testing.T) {
	t.Parallel()
	quickest := func(delivered int) time.Duration {
		store := gateway.NewMemory()
		err := store.Update(t.Context(), func(tx gateway.Tx) error {
			for id := range gateway.ID(delivered) {
				if err := tx.Callbacks().Put(gateway.Callback{ID: id + 1, Profile: 1, State: gateway.CallbackDelivered}); err != nil {
					return err
				}
			}
			return tx.Callbacks().Put(gateway.Callback{ID: gateway.ID(delivered) + 1, Profile: 1, State: gateway.CallbackPending})
		})
		if err != nil {
			t.Fatal(err)
		}
		least := time.Hour
		for range 50 {
			began := time.Now()
			err := store.View(t.Context(), func(tx gateway.Tx) error {
				list, err := tx.Callbacks().List(gateway.Query{Profile: 1, Status: "pending", OldestFirst: true, Limit: 1})
				if len(list) != 1 || list[0].ID != gateway.ID(delivered)+1 {
					t.Errorf("%+v", list)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(began))
		}
		return least
	}
	if few, many := quickest(10), quickest(50_000); many > 100*few+50*time.Microsecond {
		t.Errorf("%s behind 10, %s behind 50,000", few, many)
	}
}
