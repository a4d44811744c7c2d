package gateway

import (
	"context"
	"errors"

	"github.com/chargecast/chargecast/calendar"
)

// A Snapshot names a state that was kept.
type Snapshot struct {
	ID    ID            `api:"id"`
	Now   calendar.Date `api:"now" doc:"The clock's day"`
	Login string        `api:"login,null" doc:"The merchant whose state it is; null: everything"`
}

var snapshotForm = formOf[Snapshot]()

// Key returns the key.
func (s Snapshot) Key() Key { return Key{ID: s.ID, Login: s.Login} }

// Snapshot keeps a copy of the state: of one merchant, or, with an empty login, of everything. While the clock moves it is that
// between two days. The error has the code [NotFound] for a login that no merchant has.
func (g *Gateway) Snapshot(ctx context.Context, login string) (Snapshot, error) {
	var s Snapshot
	err := g.store.Update(ctx, func(tx Tx) error {
		if err := knows(tx, login); err != nil {
			return err
		}
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		id, err := tx.Snapshots().NextID()
		if err != nil {
			return err
		}
		s = Snapshot{ID: id, Login: login, Now: c.Now}
		if err := tx.Snapshots().Put(s); err != nil {
			return err
		}
		return tx.SaveState(id, login)
	})
	if err != nil {
		return Snapshot{}, err
	}
	return s, nil
}

// Restore brings back the state of a snapshot exactly, and returns the day that the clock then
// shows. A snapshot of one merchant can be restored on its own day only, since all merchants share
// the clock: otherwise the error has the code [SnapshotDay]. It has [NotFound] for an unknown id. An advance of the clock that is
// under way is given up when everything is brought back, and so is one that was under way when the snapshot was made.
func (g *Gateway) Restore(ctx context.Context, id ID) (calendar.Date, error) {
	return g.rewrite(ctx, func(tx Tx, c *Clock) error {
		s, err := tx.Snapshots().Get(id)
		if err != nil {
			return err
		}
		if s.Login != "" && s.Now != c.Now {
			return found(SnapshotDay, "", "")
		}
		if err := tx.RestoreState(id); err != nil {
			return err
		}
		if err := endpointsDiffer(tx, s.Login, "another merchant has the endpoint of the snapshot by now"); err != nil {
			return err
		}
		if s.Login == "" {
			*c, err = tx.Clock()
			c.Target = calendar.Date{}
		}
		return err
	})
}

// endpointsDiffer refuses, with a message, a merchant with an endpoint that another one has.
func endpointsDiffer(tx Tx, login, message string) error {
	if login == "" {
		return nil
	}
	m, err := merchantOf(tx, login)
	if err != nil {
		return err
	}
	other, err := onlyMerchant(tx, Query{Search: m.Endpoint}, func(o Merchant) bool { return o.Endpoint == m.Endpoint && o.ID != m.ID })
	if errors.Is(err, NotFound) {
		return nil
	}
	if err == nil {
		err = found(Exists, message, "change the endpoint of "+other.Login)
	}
	return err
}

// DropSnapshot forgets a snapshot. The error has the code [NotFound] for an id that none has.
func (g *Gateway) DropSnapshot(ctx context.Context, id ID) error {
	return g.store.Update(ctx, func(tx Tx) error { return dropSnapshot(tx, id) })
}

func dropSnapshot(tx Tx, id ID) error {
	if err := tx.Snapshots().Delete(id); err != nil {
		return err
	}
	return tx.DropState(id)
}

// Reset drops profiles, charges, requests, callbacks, outcomes and faults of one merchant, or, with an
// empty login, of all; merchants, keys and snapshots stay. A reset of all sets the clock to the day
// to, whatever it shows, and ids begin at 1 again unless there is a snapshot; the zero day leaves the clock, and an
// advance that is under way is given up. With a login the
// day must be zero or today: all merchants share the clock.
func (g *Gateway) Reset(ctx context.Context, login string, to calendar.Date) (calendar.Date, error) {
	if login == "" {
		if _, err := g.GiveUp(ctx); err != nil {
			return calendar.Date{}, err
		}
	}
	return g.rewrite(ctx, func(tx Tx, c *Clock) error {
		if err := knows(tx, login); err != nil {
			return err
		}
		if login != "" && !to.IsZero() && to != c.Now {
			return inField("to", "one merchant cannot be reset to another day: all share the clock", "leave out to, or login")
		}
		if err := tx.Clear(login); err != nil {
			return err
		}
		if login != "" {
			return nil
		}
		if !to.IsZero() {
			c.Now = to
		}
		// An advance that a failure of the store ended belongs to what was dropped.
		c.Began, c.Target = c.Now, calendar.Date{}
		return nil
	})
}

// rewrite replaces the past in one transaction, between two days of the clock. What was on its way
// to a receiver is given up, and taken up again if the new past has it.
func (g *Gateway) rewrite(ctx context.Context, do func(tx Tx, c *Clock) error) (calendar.Date, error) {
	g.moving.Lock()
	defer g.moving.Unlock()
	var now calendar.Date
	err := g.store.Update(ctx, func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		if err := do(tx, &c); err != nil {
			return err
		}
		c.Epoch++
		now = c.Now
		return tx.SetClock(c)
	})
	if err != nil {
		return calendar.Date{}, err
	}
	g.raw.drop(0)
	g.courier.forget()
	return now, g.courier.load(ctx)
}
