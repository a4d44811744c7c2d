package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
)

func newStore(_ *testing.T, x *tester) {
	x.view(func(tx gateway.Tx) {
		clock, err := tx.Clock()
		x.check(err)
		x.equal(clock, gateway.Clock{})
		x.equal(len(list(x, tx.Merchants(), gateway.Query{})), 0)
		x.equal(len(list[gateway.Profile](x, tx.Profiles(), gateway.Query{})), 0)
		next, err := tx.Profiles().NextDue()
		x.check(err)
		x.equal(next, calendar.Date{})
		_, err = tx.Profiles().Get(1)
		x.equal(errors.Is(err, gateway.NotFound), true)
	})
	x.equal(x.store.Update(context.Background(), func(tx gateway.Tx) error { return tx.Outcomes().Delete(1) }) != nil, true)
}

func list[T gateway.Keyed](x *tester, table gateway.Table[T], q gateway.Query) []T {
	x.Helper()
	rows, err := table.List(q)
	x.check(err)
	return rows
}

func put[T gateway.Keyed](x *tester, table gateway.Table[T], rows ...T) {
	x.Helper()
	for _, row := range rows {
		x.check(table.Put(row))
	}
}

func same[T gateway.Keyed](x *tester, table gateway.Table[T], want T) {
	x.Helper()
	got, err := table.Get(want.Key().ID)
	x.check(err)
	x.equal(got, want)
	x.equal(list(x, table, gateway.Query{Past: want.Key().ID + 1, Limit: 1}), []T{want})
}

func roundTrip(t *testing.T, x *tester) {
	m, p, c, r, b, o := merchant(1), stopped(profile(2, "m1", "2026-02-28")), charge(3, 2, "m1"), request(4, "m1", 403), callback(5, 2, "m1", gateway.CallbackPending), outcome(6, "m1")
	f := fault(7, "m1")
	clock := gateway.Clock{
		Now: day("2026-01-31"), Began: day("2026-01-01"), Target: day("2026-03-01"), Epoch: 4, Policy: "month-end=clamp", Seed: 1 << 63,
	}
	ranged, listed := profile(7, "m1", ""), profile(8, "m1", "")
	strategy, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("2.50"), "EUR")
	x.check(err)
	ranged.Stored.Profile.Amounts = strategy
	sequence, err := amount.Sequence([]amount.Amount{amount.MustParse("1"), amount.MustParse("2.50")})
	x.check(err)
	listed.Stored.Profile.Amounts = sequence
	first := listed.Stored.Profile
	p.First = &first
	b.Fault, b.HeldBy, b.Day, b.Again, b.After = gateway.FaultCallbackLate, 3, day("2026-03-02"), 1, 4
	full(t, m)
	full(t, p)
	full(t, p.Stored.Profile)
	full(t, p.Stored.State)
	full(t, c)
	full(t, c.Charge)
	full(t, r)
	full(t, b)
	full(t, o)
	full(t, f)
	full(t, f.Where)
	full(t, clock)
	x.update(func(tx gateway.Tx) {
		x.check(tx.SetClock(clock))
		put(x, tx.Merchants(), m)
		put[gateway.Profile](x, tx.Profiles(), p, ranged, listed)
		put(x, tx.Charges(), c)
		put(x, tx.Requests(), r)
		put(x, tx.Callbacks(), b)
		put(x, tx.Outcomes(), o)
		put(x, tx.Faults(), f)
		put(x, tx.Snapshots(), gateway.Snapshot{ID: 9, Now: day("2026-01-31")})
	})
	for range 2 {
		x.view(func(tx gateway.Tx) {
			got, err := tx.Clock()
			x.check(err)
			x.equal(got, clock)
			same(x, tx.Merchants(), m)
			same[gateway.Profile](x, tx.Profiles(), p)
			same[gateway.Profile](x, tx.Profiles(), ranged)
			same[gateway.Profile](x, tx.Profiles(), listed)
			same(x, tx.Charges(), c)
			same(x, tx.Requests(), r)
			same(x, tx.Callbacks(), b)
			same(x, tx.Outcomes(), o)
			same(x, tx.Faults(), f)
			same(x, tx.Snapshots(), gateway.Snapshot{ID: 9, Now: day("2026-01-31")})
		})
		x.reopen()
	}
}

// idsOf are the ids of records, as a text.
func idsOf[T gateway.Keyed](rows []T) string {
	var text strings.Builder
	for _, row := range rows {
		text.WriteString(row.Key().ID.String() + " ")
	}
	return text.String()
}

func listsOf(_ *testing.T, x *tester) {
	x.update(func(tx gateway.Tx) {
		put[gateway.Profile](x, tx.Profiles(), profile(1, "m1", ""), stopped(profile(2, "m2", "")), profile(3, "m1", ""), stopped(profile(14, "m1", "")))
		for id, text := range []string{"ÄÖ-Order_1", "äö-order_2", "AO-ORDER_3"} {
			o := outcome(gateway.ID(id+1), "m1")
			o.ClientOrderID = text
			put(x, tx.Outcomes(), o)
		}
		put(x, tx.Charges(), charge(1, 1, "m1"), charge(2, 3, "m1"), charge(3, 1, "m1"), charge(4, 1, "m1"))
	})
	x.view(func(tx gateway.Tx) {
		for _, c := range []struct {
			q    gateway.Query
			want string
		}{
			{gateway.Query{}, "14 3 2 1 "},
			{gateway.Query{OldestFirst: true}, "1 2 3 14 "},
			{gateway.Query{Limit: 2}, "14 3 "},
			{gateway.Query{Past: 3}, "2 1 "},
			{gateway.Query{Past: 5}, "3 2 1 "},
			{gateway.Query{Past: 3, OldestFirst: true}, "14 "},
			{gateway.Query{Past: 5, OldestFirst: true}, "14 "},
			{gateway.Query{Past: 14, OldestFirst: true}, ""},
			{gateway.Query{Past: 1}, ""},
			{gateway.Query{Login: "m1"}, "14 3 1 "},
			{gateway.Query{Login: "m1", Limit: 2}, "14 3 "},
			{gateway.Query{Login: "m3"}, ""},
			{gateway.Query{Status: "stopped"}, "14 2 "},
			{gateway.Query{Status: "active", Login: "m1", OldestFirst: true, Limit: 1}, "1 "},
			{gateway.Query{Search: "order-1"}, "14 1 "},
			{gateway.Query{Search: "3"}, "3 "},
			{gateway.Query{Search: "%"}, ""},
			{gateway.Query{Search: "_"}, ""},
			{gateway.Query{Search: "ORDER-1"}, "14 1 "},
		} {
			if got := idsOf(list[gateway.Profile](x, tx.Profiles(), c.q)); got != c.want {
				x.Errorf("%+v: %q, not %q", c.q, got, c.want)
			}
		}
		for search, want := range map[string]string{"äö": "2 1 ", "ÄÖ": "2 1 ", "Äö-oRDER": "2 1 ", "order_": "3 2 1 ", "ao": "3 ", "ä_": "", "ö-%": ""} {
			if got := idsOf(list(x, tx.Outcomes(), gateway.Query{Search: search})); got != want {
				x.Errorf("%s: %q, not %q", search, got, want)
			}
		}
		x.equal(idsOf(list(x, tx.Charges(), gateway.Query{Profile: 1})), "4 3 1 ")
		x.equal(idsOf(list(x, tx.Charges(), gateway.Query{Profile: 1, Past: 3})), "1 ")
		x.equal(idsOf(list(x, tx.Charges(), gateway.Query{Profile: 1, Past: 1, OldestFirst: true, Limit: 1})), "3 ")
		x.equal(idsOf(list(x, tx.Charges(), gateway.Query{Profile: 1, Login: "m2"})), "")
		x.equal(idsOf(list(x, tx.Charges(), gateway.Query{Profile: 9})), "")
	})
}

func ids(_ *testing.T, x *tester) {
	next := func(tx gateway.Tx) gateway.ID {
		id, err := tx.Outcomes().NextID()
		x.check(err)
		return id
	}
	x.update(func(tx gateway.Tx) {
		x.equal(next(tx), gateway.ID(1))
		x.equal(next(tx), gateway.ID(2))
		put(x, tx.Outcomes(), outcome(2, "m1"))
		x.check(tx.Outcomes().Delete(2))
		id, err := tx.Charges().NextID()
		x.check(err)
		x.equal(id, gateway.ID(1))
	})
	_ = x.store.Update(context.Background(), func(tx gateway.Tx) error { next(tx); return errStop })
	x.reopen()
	x.update(func(tx gateway.Tx) { x.equal(next(tx), gateway.ID(3)) })
}

// fill puts a few records of two merchants.
func fill(x *tester) {
	x.Helper()
	x.update(func(tx gateway.Tx) {
		x.check(tx.SetClock(gateway.Clock{Now: day("2026-01-31"), Began: day("2026-01-01"), Epoch: 1}))
		put(x, tx.Merchants(), merchant(1), merchant(2))
		for id := gateway.ID(1); id <= 4; id++ {
			login := fmt.Sprintf("m%d", 1+id%2)
			put[gateway.Profile](x, tx.Profiles(), profile(id, login, "2026-02-28"))
			put(x, tx.Charges(), charge(id, id, login))
			put(x, tx.Requests(), request(id, login, 200))
			put(x, tx.Callbacks(), callback(id, id, login, gateway.CallbackPending))
			put(x, tx.Outcomes(), outcome(id, login))
		}
		put(x, tx.Outcomes(), outcome(5, ""))
		put(x, tx.Faults(), fault(1, "m1"), fault(2, ""))
		for _, login := range []string{"m1", "m2"} {
			first, err := tx.UseNonce(login, [32]byte{1}, time.Unix(1e9, 0), time.Time{}, 100)
			x.check(err)
			x.equal(first, true)
		}
	})
}

// everything is what a store shows, as a text that can be compared.
func everything(x *tester) string {
	x.Helper()
	text := ""
	x.view(func(tx gateway.Tx) {
		clock, err := tx.Clock()
		x.check(err)
		q := gateway.Query{OldestFirst: true}
		text = fmt.Sprintf("%v\n%v\n%+v\n%v\n%v\n%v\n%v\n%v\n%v", clock, list(x, tx.Merchants(), q), list[gateway.Profile](x, tx.Profiles(), q), list(x, tx.Charges(), q),
			idsOf(list(x, tx.Requests(), q)), list(x, tx.Callbacks(), q), idsOf(list(x, tx.Outcomes(), q)), list(x, tx.Faults(), q), list(x, tx.Snapshots(), q))
		next, err := tx.Profiles().NextDue()
		x.check(err)
		due, err := tx.Profiles().Due(next, 0, 100)
		x.check(err)
		text += "\ndue " + next.String() + " " + idsOf(due)
	})
	return text
}

func failures(_ *testing.T, x *tester) {
	fill(x)
	before := everything(x)
	changes := map[string]func(tx gateway.Tx) error{
		"put": func(tx gateway.Tx) error {
			changed := profile(2, "m1", "2026-03-01")
			return errors.Join(tx.Profiles().Put(changed), tx.Profiles().Put(profile(9, "m1", "2026-02-01")), tx.Charges().Put(charge(9, 2, "m1")))
		},
		"delete": func(tx gateway.Tx) error {
			return errors.Join(tx.Outcomes().Delete(1), tx.Outcomes().Delete(3), tx.Requests().Delete(1), tx.Profiles().Put(profile(1, "m2", "")))
		},
		"clock": func(tx gateway.Tx) error { return tx.SetClock(gateway.Clock{Now: day("2030-01-01")}) },
		"clear": func(tx gateway.Tx) error {
			return errors.Join(tx.Outcomes().Delete(2), tx.Clear("m1"), tx.Charges().Put(charge(9, 1, "m2")), tx.Clear(""), tx.Profiles().Put(profile(1, "m1", "2026-01-01")))
		},
		"states": func(tx gateway.Tx) error {
			return errors.Join(tx.SaveState(1), tx.Snapshots().Put(gateway.Snapshot{ID: 1}), tx.Clear(""), tx.RestoreState(1), tx.Clear("m2"), tx.DropState(1))
		},
		"nonces": func(tx gateway.Tx) error {
			_, err := tx.UseNonce("m1", [32]byte{2}, time.Unix(1e9, 0), time.Time{}, 100)
			return err
		},
	}
	for name, change := range changes {
		err := x.store.Update(context.Background(), func(tx gateway.Tx) error {
			x.check(change(tx))
			if next, err := tx.Profiles().NextDue(); err == nil {
				_, _ = tx.Profiles().Due(next, 0, 10)
			}
			return errStop
		})
		if !errors.Is(err, errStop) {
			x.Errorf("%s: %v", name, err)
		}
		if after := everything(x); after != before {
			x.Fatalf("%s is left:\n%s\nnot\n%s", name, after, before)
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = x.store.Update(context.Background(), func(tx gateway.Tx) error { x.check(tx.Clear("")); panic("in a transaction") })
	}()
	x.equal(everything(x), before)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x.equal(errors.Is(x.store.Update(ctx, func(tx gateway.Tx) error { return tx.Clear("") }), context.Canceled), true)
	x.reopen()
	x.equal(everything(x), before)
	x.update(func(tx gateway.Tx) {
		first, err := tx.UseNonce("m1", [32]byte{2}, time.Unix(1e9, 0), time.Time{}, 100)
		x.check(err)
		x.equal(first, true)
	})
}

func views(_ *testing.T, x *tester) {
	fill(x)
	before := everything(x)
	for name, change := range map[string]func(tx gateway.Tx) error{
		"put":    func(tx gateway.Tx) error { return tx.Charges().Put(charge(9, 1, "m1")) },
		"delete": func(tx gateway.Tx) error { return tx.Outcomes().Delete(1) },
		"id":     func(tx gateway.Tx) error { _, err := tx.Charges().NextID(); return err },
		"clock":  func(tx gateway.Tx) error { return tx.SetClock(gateway.Clock{}) },
		"nonce": func(tx gateway.Tx) error {
			_, err := tx.UseNonce("m1", [32]byte{9}, time.Unix(1e9, 0), time.Time{}, 100)
			return err
		},
		"clear":   func(tx gateway.Tx) error { return tx.Clear("") },
		"save":    func(tx gateway.Tx) error { return tx.SaveState(1) },
		"restore": func(tx gateway.Tx) error { return tx.RestoreState(1) },
		"drop":    func(tx gateway.Tx) error { return tx.DropState(1) },
	} {
		if err := x.store.View(context.Background(), change); !errors.Is(err, gateway.ReadOnly) {
			x.Errorf("%s: %v", name, err)
		}
	}
	x.equal(everything(x), before)
}

func closing(_ *testing.T, x *tester) {
	x.check(x.store.Close())
	nothing := func(gateway.Tx) error { return nil }
	x.equal(errors.Is(x.store.Update(context.Background(), nothing), gateway.Closed), true)
	x.equal(errors.Is(x.store.View(context.Background(), nothing), gateway.Closed), true)
}

func concurrent(_ *testing.T, x *tester) {
	const workers, each = 8, 25
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range each {
				if err := x.store.Update(context.Background(), increment); err != nil {
					x.Error(err)
				}
				err := x.store.View(context.Background(), func(tx gateway.Tx) error {
					clock, err := tx.Clock()
					if err != nil {
						return err
					}
					if rows := list(x, tx.Charges(), gateway.Query{}); uint64(len(rows)) != clock.Epoch {
						x.Errorf("%d charges beside %d", len(rows), clock.Epoch)
					}
					return nil
				})
				if err != nil {
					x.Error(err)
				}
			}
		})
	}
	wg.Wait()
	x.view(func(tx gateway.Tx) {
		clock, err := tx.Clock()
		x.check(err)
		x.equal(clock.Epoch, uint64(workers*each))
	})
}

// increment adds a charge and counts it in the clock.
func increment(tx gateway.Tx) error {
	clock, err := tx.Clock()
	if err != nil {
		return err
	}
	id, err := tx.Charges().NextID()
	if err != nil {
		return err
	}
	clock.Epoch++
	return errors.Join(tx.Charges().Put(charge(id, 1, "m1")), tx.SetClock(clock))
}
