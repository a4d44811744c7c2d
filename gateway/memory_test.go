package gateway_test

import (
	"testing"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/storetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Maker{New: func(*testing.T) gateway.Store { return gateway.NewMemory() }})
}

// TestThePendingCallbackIsFoundAtOnce, however many of its profile were delivered: twelve years of
// a daily profile cost four times as much as three, not sixteen times.
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
