package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// An Advanced is what an advance of the clock did.
type Advanced struct {
	Now       calendar.Date `api:"now" doc:"The day that the clock then shows"`
	Charges   int           `api:"charges"`
	Stops     int           `api:"stops"`
	Callbacks int           `api:"callbacks" doc:"How many were made"`
}

var advancedForm = formOf[Advanced]()

// Advance moves the clock to a day: every day from the one after now up to it is run, in order of
// day, then of profile id, each in one transaction. It returns when what it did is durable and
// every callback that there was then was tried once, except those queued behind a retry; ctx ends
// only this waiting. Advancing to today is a no-op; an unfinished advance to a later day is
// completed, so the clock may end later than asked. An earlier day is an error with the code
// [ClockBack]. If the state is reset or restored meanwhile the advance ends there, without an
// error: Now has the day. If the gateway is closed meanwhile the error has the code [Closed], and
// if a fault ends the process [Restarting]: then the next start goes on.
func (g *Gateway) Advance(ctx context.Context, to calendar.Date) (Advanced, error) {
	a, m, err := g.advance(ctx, to)
	if err == nil && a.Callbacks > 0 {
		err = g.courier.wait(ctx, m)
	}
	return a, err
}

func (g *Gateway) advance(ctx context.Context, to calendar.Date) (Advanced, *mark, error) {
	g.advancing.Lock()
	defer g.advancing.Unlock()
	c, err := g.aim(ctx, to)
	if err != nil {
		return Advanced{}, nil, err
	}
	return g.runDays(context.WithoutCancel(ctx), c.Epoch)
}

// aim sets where the clock goes to, which is nowhere nearer than where it goes already.
func (g *Gateway) aim(ctx context.Context, to calendar.Date) (c Clock, err error) {
	if !to.IsDay() {
		return c, inField("to", "the day is missing", "send a date: YYYY-MM-DD")
	}
	err = g.store.Update(ctx, func(tx Tx) (err error) {
		if c, err = tx.Clock(); err != nil {
			return err
		}
		if to.Before(c.Now) {
			return found(ClockBack, "", "")
		}
		if c.Target.IsZero() || c.Target.Before(to) {
			c.Target = to
		}
		return tx.SetClock(c)
	})
	return c, err
}

// finishAdvance finishes an advance that was interrupted.
func (g *Gateway) finishAdvance(ctx context.Context, epoch uint64) error {
	g.advancing.Lock()
	defer g.advancing.Unlock()
	_, _, err := g.runDays(ctx, epoch)
	return err
}

// manyCharges is after how many charges a transaction ends, at the end of a day.
const manyCharges = 1000

// progressPause is how often an advance of the clock is in the log.
const progressPause = 10 * time.Second

// runDays runs the days up to the target of the clock, unless the past is replaced meanwhile. The
// mark is of the callbacks that there are then.
func (g *Gateway) runDays(ctx context.Context, epoch uint64) (a Advanced, m *mark, err error) {
	said := g.config.Now()
	for {
		if g.closed() {
			return a, nil, found(Closed, "", "")
		}
		now, done, there, err := g.runSome(ctx, epoch)
		if at := g.config.Now(); !there && at.Sub(said) > progressPause {
			said = at
			g.config.Log.Info("the clock moves", "now", now.String(), "charges", a.Charges+done.charges)
		}
		a.Now = now
		a.Charges += done.charges
		a.Stops += done.stops
		a.Callbacks += done.callbacks
		if err != nil {
			return a, nil, err
		}
		if there {
			last, err := g.newestCallback(ctx)
			return a, g.courier.mark(last), err
		}
	}
}

// newestCallback returns the id of the last callback that was made; 0 for none.
func (g *Gateway) newestCallback(ctx context.Context) (id ID, err error) {
	err = g.store.View(ctx, func(tx Tx) error {
		list, err := tx.Callbacks().List(Query{Limit: 1})
		for i := range list {
			id = list[i].ID
		}
		return err
	})
	return id, err
}

// runSome runs whole days in one transaction, until there are many charges or the target is
// reached.
func (g *Gateway) runSome(ctx context.Context, epoch uint64) (now calendar.Date, done tally, there bool, err error) {
	g.moving.Lock()
	defer g.moving.Unlock()
	var t *transaction
	ends := false
	err = g.store.Update(ctx, func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		t, there, ends = g.transaction(tx), c.Epoch != epoch, false
		if !there {
			if there, ends, err = t.runDays(&c); err == nil {
				err = errors.Join(t.flush(), tx.SetClock(c))
			}
		}
		now = c.Now
		return err
	})
	if err != nil {
		return now, tally{}, false, err
	}
	g.settle(t)
	if ends {
		g.config.Log.Warn("a fault ends the process", "now", now.String())
		if g.config.Restart != nil {
			g.config.Restart()
		}
		return now, t.done, false, found(Restarting, "", "")
	}
	return now, t.done, there, nil
}

// runDays runs whole days, until there are many charges, the clock is there, or a fault ends the
// process.
func (t *transaction) runDays(c *Clock) (there, ends bool, err error) {
	for t.done.charges < manyCharges {
		day, err := t.nextDay(c.Now)
		if err != nil {
			return false, false, err
		}
		if c.Target.IsZero() || day.IsZero() || day.After(c.Target) {
			if !c.Target.IsZero() {
				c.Now, c.Target = c.Target, calendar.Date{}
			}
			return true, false, t.releaseDue(c.Now, true)
		}
		if err := t.runDay(day); err != nil {
			return false, false, err
		}
		c.Now = day
		if err := t.releaseDue(day, false); err != nil {
			return false, false, err
		}
		if f, err := t.faults.use(FaultRestart, "", day); f != nil || err != nil {
			return false, f != nil, err
		}
	}
	return false, false, nil
}

// nextDay is the next day on which something happens; zero for none.
func (t *transaction) nextDay(now calendar.Date) (calendar.Date, error) {
	day, err := t.tx.Profiles().NextDue()
	if err != nil {
		return day, err
	}
	stop, err := t.nextFault(now)
	if !stop.IsZero() && (day.IsZero() || stop.Before(day)) {
		day = stop
	}
	return day, err
}

// duePage is how many profiles are read at once.
const duePage = 1000

// runDay runs one day for the profiles that are due on it.
func (t *transaction) runDay(day calendar.Date) error {
	for after := ID(0); ; {
		due, err := t.tx.Profiles().Due(day, after, duePage)
		if err != nil || len(due) == 0 {
			return err
		}
		for i := range due {
			p := &due[i]
			stored, effects, err := engine.New(t.g.config.Policy).Advance(p.Stored.Under(t.g.config.Policy), day)
			if err != nil {
				return err
			}
			p.Stored = stored
			if _, err := t.keep(p, effects, day); err != nil {
				return err
			}
			after = p.ID
		}
	}
}
