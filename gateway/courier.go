package gateway

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// couriers is how many attempts to deliver callbacks are made at the same time.
const couriers = 16

// maxAttempts is how many attempts of a callback are kept.
const maxAttempts = 50

// A courier delivers callbacks in the background: those of one profile one after the other, those
// of several profiles at the same time. What it has to do is in the store; what it holds is in
// which order.
type courier struct {
	g      *Gateway
	client *http.Client
	ctx    context.Context
	stop   context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	epoch   uint64            // grows when the past was replaced: what was under way then does not count
	queues  map[ID]*mailQueue // by profile
	ready   []ID              // profiles whose next callback can be tried now
	running int
	changed chan struct{} // closed when running ends or a queue changes; nil if nobody waits
}

// A mailQueue is the callbacks of a profile that are not delivered yet, the next one first.
type mailQueue struct {
	ids   []ID
	timer *time.Timer // runs while the next one waits for another attempt
	busy  bool        // it is in ready, or under way
}

func newCourier(g *Gateway) *courier {
	c := &courier{g: g, queues: map[ID]*mailQueue{}}
	c.ctx, c.stop = context.WithCancel(context.Background())
	transport := g.config.Transport
	if transport == nil {
		transport = newTransport(g.config.Callbacks)
	}
	c.client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// close gives up what is under way; it stays pending in the store.
func (c *courier) close() {
	c.stop()
	c.forget()
	c.wg.Wait()
	c.client.CloseIdleConnections()
}

// forget empties the queues.
func (c *courier) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range c.queues {
		if q.timer != nil {
			q.timer.Stop()
		}
	}
	c.epoch++
	c.queues, c.ready = map[ID]*mailQueue{}, nil
	c.notify()
}

// load takes up what the store has pending.
func (c *courier) load(ctx context.Context) error {
	if c.g.config.Callbacks == CallbacksOff {
		return nil
	}
	const page = 1000
	for past := ID(0); ; {
		var list []Callback
		err := c.g.store.View(ctx, func(tx Tx) (err error) {
			list, err = tx.Callbacks().List(Query{Status: CallbackPending.String(), OldestFirst: true, Past: past, Limit: page})
			return err
		})
		if err != nil || len(list) == 0 {
			return err
		}
		c.mu.Lock()
		for i := range list {
			b := &list[i]
			past = b.ID
			c.enqueue(b.ID, b.Profile, b.Next)
		}
		c.start()
		c.mu.Unlock()
	}
}

// send takes up new callbacks.
func (c *courier) send(list []letter) {
	if len(list) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range list {
		c.enqueue(l.id, l.profile, time.Time{})
	}
	c.start()
}

// enqueue puts a callback at the end of its profile's queue; next is when the next attempt is due.
func (c *courier) enqueue(id, profile ID, next time.Time) {
	q := c.queues[profile]
	if q == nil {
		q = new(mailQueue)
		c.queues[profile] = q
	}
	q.ids = append(q.ids, id)
	if len(q.ids) > 1 {
		return // it waits for those before it
	}
	c.wake(profile, q, next)
}

// wake makes a queue ready at a time.
func (c *courier) wake(profile ID, q *mailQueue, at time.Time) {
	pause := time.Duration(0)
	if !at.IsZero() {
		pause = at.Sub(c.g.config.Now())
	}
	if pause <= 0 {
		q.busy = true
		c.ready = append(c.ready, profile)
		return
	}
	epoch := c.epoch
	q.busy = false
	q.timer = time.AfterFunc(pause, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.epoch == epoch && !q.busy {
			c.wake(profile, q, time.Time{})
			c.start()
		}
	})
}

// start lets couriers run as long as there are some and profiles are ready.
func (c *courier) start() {
	for c.running < couriers && len(c.ready) > 0 && c.ctx.Err() == nil {
		profile := c.ready[0]
		c.ready = c.ready[1:]
		c.running++
		id, epoch := c.queues[profile].ids[0], c.epoch
		c.wg.Go(func() { c.run(profile, id, epoch) })
	}
}

// run tries the next callback of a profile once.
func (c *courier) run(profile, id ID, epoch uint64) {
	left, next := c.try(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	if c.epoch == epoch {
		q := c.queues[profile]
		if !left {
			q.ids = q.ids[1:]
		}
		q.busy = false
		switch {
		case len(q.ids) == 0:
			delete(c.queues, profile)
		default:
			c.wake(profile, q, next)
		}
	}
	c.start()
	c.notify()
}

// try makes one attempt, and reports whether the callback stays in the queue, and until when.
func (c *courier) try(id ID) (left bool, next time.Time) {
	var b Callback
	epoch := uint64(0)
	err := c.g.store.View(c.ctx, func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil {
			return err
		}
		epoch = clock.Epoch
		b, err = tx.Callbacks().Get(id)
		return err
	})
	if err != nil || b.State != CallbackPending {
		return false, time.Time{} // after a restart it is taken up again
	}
	attempt := c.attempt(&b)
	if c.ctx.Err() != nil {
		return false, time.Time{}
	}
	err = c.g.store.Update(c.ctx, func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil || clock.Epoch != epoch {
			return err // the past was replaced
		}
		now, err := tx.Callbacks().Get(id)
		if err != nil {
			return err
		}
		now.take(attempt, c.g.config.CallbackPauses)
		left, next = now.State == CallbackPending, now.Next
		return tx.Callbacks().Put(now)
	})
	if err != nil {
		if !errors.Is(err, NotFound) && c.ctx.Err() == nil {
			c.g.config.Log.Error("an attempt to deliver a callback could not be recorded", "callback", id.String(), "error", err)
		}
		return false, time.Time{}
	}
	c.g.metrics.attempt(attempt.isDelivery())
	return left, next
}

// take records an attempt.
func (b *Callback) take(a Attempt, pauses []time.Duration) {
	b.Attempts = append(slices.Clone(b.Attempts), a)
	if n := len(b.Attempts); n > maxAttempts {
		b.Attempts = b.Attempts[n-maxAttempts:]
	}
	b.Round++
	b.Next = time.Time{}
	switch {
	case a.isDelivery():
		b.State = CallbackDelivered
	case b.Round > len(pauses):
		b.State = CallbackFailed
	default:
		b.Next = a.At.Add(pauses[b.Round-1])
	}
}

// isDelivery reports whether the receiver accepted the callback.
func (a *Attempt) isDelivery() bool { return a.Status >= 200 && a.Status < 300 }

// attempt sends a callback once. What went wrong is named in one word: an error of package net/http
// shows the address.
func (c *courier) attempt(b *Callback) Attempt {
	a := Attempt{At: c.g.config.Now()}
	ctx, cancel := context.WithTimeout(c.ctx, callbackTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.URL, strings.NewReader(b.Body))
	if err != nil {
		a.Error = "connection"
		return a
	}
	r.Header.Set("Content-Type", b.ContentType)
	r.Header.Set("User-Agent", "chargecast")
	r.Header.Set(sandboxHeader, "1") // the content is ours
	response, err := c.client.Do(r)
	if err != nil {
		timeout, isNet := errors.AsType[net.Error](err)
		switch {
		case errors.Is(err, errNotLoopback):
			a.Error = "not-loopback"
		case errors.Is(err, context.DeadlineExceeded), isNet && timeout.Timeout():
			a.Error = "timeout"
		default:
			a.Error = "connection"
		}
		return a
	}
	a.Status = response.StatusCode
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10)
	_ = response.Body.Close()
	return a
}

// notify tells those who wait that something changed.
func (c *courier) notify() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// wait waits until no callback can be tried now; with all, until none waits for another attempt
// either.
func (c *courier) wait(ctx context.Context, all bool) error {
	for {
		c.mu.Lock()
		if c.running == 0 && len(c.ready) == 0 && (!all || len(c.queues) == 0) {
			c.mu.Unlock()
			return nil
		}
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-c.ctx.Done():
			return found(Closed, "", "")
		}
	}
}

// Settle waits until every callback is delivered or failed.
func (g *Gateway) Settle(ctx context.Context) error { return g.courier.wait(ctx, true) }

// Resend makes a callback pending again, with as many attempts as a new one, after those of its
// profile that are pending. The error has the code [NotFound] for an id that no callback has.
func (g *Gateway) Resend(ctx context.Context, id ID) (Callback, error) {
	var b Callback
	err := g.store.Update(ctx, func(tx Tx) (err error) {
		if b, err = tx.Callbacks().Get(id); err != nil {
			return err
		}
		b.State, b.Round, b.Next = CallbackPending, 0, time.Time{}
		return tx.Callbacks().Put(b)
	})
	if err != nil {
		return Callback{}, err
	}
	g.courier.resend(letter{b.ID, b.Profile})
	return b, nil
}

// resend tries a callback that waits for another attempt now, or takes it up again.
func (c *courier) resend(l letter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.queues[l.profile]
	switch {
	case q != nil && q.ids[0] == l.id && !q.busy:
		q.timer.Stop()
		c.wake(l.profile, q, time.Time{})
	case q != nil && slices.Contains(q.ids[1:], l.id):
	default: // also behind an attempt that is under way: it may have ended before this call
		c.enqueue(l.id, l.profile, time.Time{})
	}
	c.start()
}
