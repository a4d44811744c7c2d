package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
)

func dueDays(_ *testing.T, x *tester) {
	next := func(tx gateway.Tx) string {
		d, err := tx.Profiles().NextDue()
		x.check(err)
		return d.String()
	}
	due := func(tx gateway.Tx, d string, after gateway.ID, limit int) string {
		rows, err := tx.Profiles().Due(day(d), after, limit)
		x.check(err)
		return idsOf(rows)
	}
	x.update(func(tx gateway.Tx) {
		put[gateway.Profile](x, tx.Profiles(), profile(5, "m1", "2026-03-01"), profile(1, "m1", "2026-02-01"), profile(3, "m2", "2026-03-01"), profile(2, "m1", ""), profile(4, "m1", "2026-03-01"))
		x.equal(next(tx), "2026-02-01")
		put[gateway.Profile](x, tx.Profiles(), profile(1, "m1", "2026-03-01"))
		x.equal(next(tx), "2026-03-01")
		x.equal(due(tx, "2026-02-01", 0, 10), "")
	})
	x.reopen()
	x.view(func(tx gateway.Tx) {
		x.equal(next(tx), "2026-03-01")
		x.equal(due(tx, "2026-03-01", 0, 10), "1 3 4 5 ")
		x.equal(due(tx, "2026-03-01", 0, 2), "1 3 ")
		x.equal(due(tx, "2026-03-01", 3, 2), "4 5 ")
		x.equal(due(tx, "2026-03-01", 2, 1), "3 ")
		x.equal(due(tx, "2026-03-01", 5, 10), "")
	})
	x.update(func(tx gateway.Tx) { // a day is run: what is due changes under the list
		for _, id := range []gateway.ID{1, 3, 4, 5} {
			put[gateway.Profile](x, tx.Profiles(), profile(id, "m1", ""))
		}
		x.equal(next(tx), calendar.Date{}.String())
		put[gateway.Profile](x, tx.Profiles(), profile(3, "m1", "2026-03-01"), profile(3, "m1", ""), profile(3, "m1", "2026-03-01"))
		x.equal(due(tx, "2026-03-01", 0, 10), "3 ")
	})
}

func nonces(_ *testing.T, x *tester) {
	use := func(tx gateway.Tx, login string, n byte) bool {
		first, err := tx.UseNonce(login, [32]byte{n}, time.Unix(1e9, 0), time.Time{}, 100)
		x.check(err)
		return first
	}
	x.update(func(tx gateway.Tx) {
		x.equal(use(tx, "m1", 1), true)
		x.equal(use(tx, "m1", 1), false)
		x.equal(use(tx, "m2", 1), true)
		x.equal(use(tx, "m1", 2), true)
	})
	x.reopen()
	x.update(func(tx gateway.Tx) { x.equal(use(tx, "m1", 1), false) })
	at := time.Unix(1e9+10, 0)
	again := func(tx gateway.Tx, login string, n byte, forget time.Time) bool {
		first, err := tx.UseNonce(login, [32]byte{n}, at, forget, 100)
		x.check(err)
		return first
	}
	x.update(func(tx gateway.Tx) { x.equal(again(tx, "m3", 1, time.Time{}), true) })
	x.update(func(tx gateway.Tx) { x.equal(again(tx, "m3", 2, at), true) })
	x.update(func(tx gateway.Tx) { x.equal(again(tx, "m3", 3, at.Add(time.Second)), true) }) // all of m3 is too old now
	x.reopen()
	x.update(func(tx gateway.Tx) {
		x.equal(again(tx, "m3", 1, time.Time{}), true)
		x.equal(again(tx, "m3", 3, time.Time{}), true)
		x.equal(use(tx, "m2", 1), false)
	})
	// A use is forgotten by whole seconds, as freshness is counted: one half a second younger than the
	// limit is known.
	x.update(func(tx gateway.Tx) {
		first, err := tx.UseNonce("m4", [32]byte{1}, time.Unix(1e9, 9e8), time.Time{}, 100)
		x.check(err)
		x.equal(first, true)
	})
	x.update(func(tx gateway.Tx) {
		for n, want := range map[byte]bool{2: true, 1: false} {
			first, err := tx.UseNonce("m4", [32]byte{n}, time.Unix(1e9+20, 95e7), time.Unix(1e9, 95e7), 100)
			x.check(err)
			x.equal(first, want)
		}
	})
	x.update(func(tx gateway.Tx) { // of five uses the last three are kept
		for n := range byte(5) {
			_, err := tx.UseNonce("m5", [32]byte{n}, at, time.Time{}, 3)
			x.check(err)
		}
	})
	x.update(func(tx gateway.Tx) {
		x.equal(use(tx, "m5", 2), false)
		x.equal(use(tx, "m5", 1), true)
	})
	x.update(func(tx gateway.Tx) { x.check(tx.Clear("m1")) })
	x.update(func(tx gateway.Tx) {
		x.equal(use(tx, "m1", 1), true)
		x.equal(use(tx, "m2", 1), false)
	})
}

func clearing(_ *testing.T, x *tester) {
	fill(x)
	x.update(func(tx gateway.Tx) {
		put(x, tx.Snapshots(), gateway.Snapshot{ID: 1, Now: day("2026-01-31")})
		x.check(tx.SaveState(1))
		x.check(tx.Clear("m1"))
	})
	x.reopen()
	q := gateway.Query{OldestFirst: true}
	x.view(func(tx gateway.Tx) {
		x.equal(idsOf(list(x, tx.Merchants(), q)), "1 2 ")
		x.equal(idsOf(list[gateway.Profile](x, tx.Profiles(), q)), "1 3 ")
		x.equal(idsOf(list(x, tx.Charges(), q)), "1 3 ")
		x.equal(idsOf(list(x, tx.Charges(), gateway.Query{Profile: 2})), "")
		x.equal(idsOf(list(x, tx.Requests(), q)), "1 3 ")
		x.equal(idsOf(list(x, tx.Callbacks(), q)), "1 3 ")
		x.equal(idsOf(list(x, tx.Outcomes(), q)), "1 3 5 ")
		x.equal(idsOf(list(x, tx.Snapshots(), q)), "1 ")
		rows, err := tx.Profiles().Due(day("2026-02-28"), 0, 10)
		x.check(err)
		x.equal(idsOf(rows), "1 3 ")
	})
	x.update(func(tx gateway.Tx) { x.equal(nextCharge(x, tx), gateway.ID(5)) })
	x.update(func(tx gateway.Tx) { x.check(tx.Clear("")) })
	x.reopen()
	x.update(func(tx gateway.Tx) {
		x.equal(idsOf(list(x, tx.Merchants(), q)), "1 2 ")
		x.equal(idsOf(list[gateway.Profile](x, tx.Profiles(), q)), "")
		x.equal(idsOf(list(x, tx.Outcomes(), q)), "")
		x.equal(idsOf(list(x, tx.Snapshots(), q)), "1 ")
		x.equal(idsOf(list(x, tx.Faults(), q)), "")
		x.equal(nextCharge(x, tx), gateway.ID(6)) // the state has those before
		x.check(tx.DropState(1))
		x.equal(errors.Is(tx.RestoreState(1), gateway.NotFound), true)
	})
	x.update(func(tx gateway.Tx) { x.check(tx.Clear("")) })
	x.update(func(tx gateway.Tx) {
		x.equal(nextCharge(x, tx), gateway.ID(1))
		id, err := tx.Merchants().NextID()
		x.check(err)
		x.equal(id, gateway.ID(3))
		id, err = tx.Snapshots().NextID()
		x.check(err)
		x.equal(id, gateway.ID(2))
		next, err := tx.Profiles().NextDue()
		x.check(err)
		x.equal(next, calendar.Date{})
	})
}

func nextCharge(x *tester, tx gateway.Tx) gateway.ID {
	id, err := tx.Charges().NextID()
	x.check(err)
	return id
}

func wholeState(_ *testing.T, x *tester) {
	fill(x)
	x.update(func(tx gateway.Tx) {
		put(x, tx.Snapshots(), gateway.Snapshot{ID: 1, Now: day("2026-01-31")})
		x.check(tx.SaveState(1))
	})
	before := everything(x)
	x.reopen()
	for range 2 { // a snapshot can be restored again
		x.update(func(tx gateway.Tx) {
			put(x, tx.Merchants(), merchant(3))
			put[gateway.Profile](x, tx.Profiles(), profile(1, "m2", "2026-02-01"), profile(9, "m1", "2026-02-02"))
			put(x, tx.Charges(), charge(nextCharge(x, tx), 1, "m2"))
			x.check(tx.Outcomes().Delete(2))
			x.check(tx.SetClock(gateway.Clock{Now: day("2026-05-01"), Began: day("2026-05-01"), Target: day("2026-06-01"), Epoch: 1}))
			_, err := tx.UseNonce("m1", [32]byte{7}, time.Unix(1e9, 0), time.Time{}, 100)
			x.check(err)
		})
		x.update(func(tx gateway.Tx) { x.check(tx.RestoreState(1)) })
		x.equal(everything(x), before)
		x.update(func(tx gateway.Tx) {
			first, err := tx.UseNonce("m1", [32]byte{7}, time.Unix(1e9, 0), time.Time{}, 100)
			x.check(err)
			x.equal(first, true)
			first, err = tx.UseNonce("m1", [32]byte{1}, time.Unix(1e9, 0), time.Time{}, 100)
			x.check(err)
			x.equal(first, false)
			x.equal(nextCharge(x, tx), gateway.ID(5))
		})
	}
	x.update(func(tx gateway.Tx) { // the epoch is that of now, and snapshots are not part of a state
		x.check(tx.SetClock(gateway.Clock{Now: day("2026-05-01"), Epoch: 42}))
		put(x, tx.Snapshots(), gateway.Snapshot{ID: 2})
		x.check(tx.RestoreState(1))
		clock, err := tx.Clock()
		x.check(err)
		x.equal(clock.Epoch, uint64(42))
		x.equal(idsOf(list(x, tx.Snapshots(), gateway.Query{})), "2 1 ")
	})
	err := x.store.Update(context.Background(), func(tx gateway.Tx) error { return tx.RestoreState(99) })
	x.equal(errors.Is(err, gateway.NotFound), true)
}
