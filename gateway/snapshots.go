package gateway

import (
	"context"
	"errors"

	"github.com/chargecast/chargecast/calendar"
)

// A Snapshot names a state that was kept: that of everything.
type Snapshot struct {
	ID  ID            `api:"id"`
	Now calendar.Date `api:"now" doc:"The clock's day"`
}

var snapshotForm = formOf[Snapshot]()

// Key returns the key.
func (s Snapshot) Key() Key { return Key{ID: s.ID} }

// Snapshot keeps a copy of the state of all merchants. While the clock moves it is that between two
// days.
func (g *Gateway) Snapshot(ctx context.Context) (Snapshot, error) {
	var s Snapshot
	err := g.store.Update(ctx, func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		id, err := tx.Snapshots().NextID()
		if err != nil {
			return err
		}
		s = Snapshot{ID: id, Now: c.Now}
		if err := tx.Snapshots().Put(s); err != nil {
			return err
		}
		return tx.SaveState(id)
	})
	if err != nil {
		return Snapshot{}, err
	}
	return s, nil
}

// Restore brings back the state of a snapshot exactly, and returns the day that the clock then
// shows. The error has the code [NotFound] for an unknown id. An advance of the clock that is under
// way ends, and so does one that was under way when the snapshot was made.
func (g *Gateway) Restore(ctx context.Context, id ID) (calendar.Date, error) {
	return g.rewrite(ctx, func(tx Tx, c *Clock) error {
		if _, err := tx.Snapshots().Get(id); err != nil {
			return err
		}
		if err := tx.RestoreState(id); err != nil {
			return err
		}
		var err error
		*c, err = tx.Clock()
		c.Target = calendar.Date{}
		return err
	})
}

// DropSnapshot forgets a snapshot. The error has the code [NotFound] for an id that none has.
func (g *Gateway) DropSnapshot(ctx context.Context, id ID) error {
	return g.store.Update(ctx, func(tx Tx) error { return errors.Join(tx.Snapshots().Delete(id), tx.DropState(id)) })
}

// Reset drops profiles, charges, requests, callbacks, outcomes and faults of all merchants;
// merchants, keys and snapshots stay. It sets the clock to the day to, whatever it shows; the zero
// day leaves the clock. Ids begin at 1 again unless there is a snapshot. An advance of the clock
// that is under way ends.
func (g *Gateway) Reset(ctx context.Context, to calendar.Date) (calendar.Date, error) {
	return g.rewrite(ctx, func(tx Tx, c *Clock) error {
		if !to.IsZero() {
			c.Now = to
		}
		c.Began, c.Target = c.Now, calendar.Date{}
		return tx.Clear("")
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
