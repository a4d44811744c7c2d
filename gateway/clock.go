package gateway

import (
	"context"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// An Advanced is what an advance of the clock did.
type Advanced struct {
	Now       calendar.Date
	Charges   int
	Stops     int
	Callbacks int // how many were made
}

// Advance moves the clock to a day: every day from the one after now up to it is run, in order of
// day, then of profile id, each in one transaction. It returns when what it did is durable and
// every callback that is not behind one that waits for another attempt was tried once; ctx ends
// only this waiting. To today nothing happens. An earlier day is an error with the code
// [ClockBack]. If the gateway is closed meanwhile the error has the code [Closed], and the next
// start goes on.
func (g *Gateway) Advance(ctx context.Context, to calendar.Date) (Advanced, error) {
	a, err := g.advance(ctx, to)
	if err == nil && a.Callbacks > 0 {
		err = g.courier.wait(ctx, false)
	}
	return a, err
}

func (g *Gateway) advance(ctx context.Context, to calendar.Date) (Advanced, error) {
	if !to.IsDay() {
		return Advanced{}, inField("to", "the day is missing", "send a date: YYYY-MM-DD")
	}
	g.advancing.Lock()
	defer g.advancing.Unlock()
	err := g.store.Update(ctx, func(tx Tx) error {
		c, err := tx.Clock()
		switch {
		case err != nil:
			return err
		case to.Before(c.Now):
			return found(ClockBack, "", "")
		}
		c.Target = to
		return tx.SetClock(c)
	})
	if err != nil {
		return Advanced{}, err
	}
	return g.runDays(context.WithoutCancel(ctx))
}

// finishAdvance finishes an advance that was interrupted.
func (g *Gateway) finishAdvance(ctx context.Context) (Advanced, error) {
	g.advancing.Lock()
	defer g.advancing.Unlock()
	return g.runDays(ctx)
}

// manyCharges is after how many charges a transaction ends, at the end of a day.
const manyCharges = 1000

// runDays runs the days up to the target of the clock.
func (g *Gateway) runDays(ctx context.Context) (Advanced, error) {
	var a Advanced
	for {
		if g.closed() {
			return a, found(Closed, "", "")
		}
		now, done, there, err := g.runSome(ctx)
		a.Now = now
		a.Charges += done.charges
		a.Stops += done.stops
		a.Callbacks += done.callbacks
		if err != nil || there {
			return a, err
		}
	}
}

// runSome runs whole days in one transaction, until there are many charges or the target is
// reached.
func (g *Gateway) runSome(ctx context.Context) (now calendar.Date, done tally, there bool, err error) {
	g.moving.Lock()
	defer g.moving.Unlock()
	var k *keeper
	err = g.store.Update(ctx, func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		k, there = g.keeper(tx), false
		for !there {
			day, err := tx.Profiles().NextDue()
			if err != nil {
				return err
			}
			if c.Target.IsZero() || day.IsZero() || day.After(c.Target) {
				there = true
				break
			}
			if err := k.runDay(day); err != nil {
				return err
			}
			if c.Now = day; k.done.charges >= manyCharges {
				break
			}
		}
		if there && !c.Target.IsZero() {
			c.Now, c.Target = c.Target, calendar.Date{}
		}
		now = c.Now
		return tx.SetClock(c)
	})
	if err != nil {
		return now, tally{}, false, err
	}
	g.settle(k)
	return now, k.done, there, nil
}

// duePage is how many profiles are read at once.
const duePage = 1000

// runDay runs one day for the profiles that are due on it.
func (k *keeper) runDay(day calendar.Date) error {
	for after := ID(0); ; {
		due, err := k.tx.Profiles().Due(day, after, duePage)
		if err != nil || len(due) == 0 {
			return err
		}
		for i := range due {
			p := &due[i]
			effects, stored, err := engine.New(k.g.config.Policy).Advance(nil, p.Stored.Under(k.g.config.Policy), day)
			if err != nil {
				return err
			}
			p.Stored = stored
			if _, err := k.keep(p, effects, day); err != nil {
				return err
			}
			after = p.ID
		}
	}
}
