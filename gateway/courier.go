package gateway

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/internal/enum"
)

// couriers is how many attempts to deliver callbacks of one merchant are made at the same time: a
// receiver that hangs holds up its own merchant alone.
const couriers = 16

// maxAttempts is how many attempts of a callback are kept.
const maxAttempts = 50

// maxAnswer is how much is kept of the body that a receiver answers with, in bytes.
const maxAnswer = 200

// recordPause is the pause before a store that could not be read or written is asked again.
const recordPause = time.Second

// A courier delivers callbacks in the background: of each profile the first one that the store has
// pending, and those of several profiles at the same time. The order is the store's; what the
// courier holds is which profiles to ask for, and when.
type courier struct {
	g      *Gateway
	client *http.Client
	ctx    context.Context
	stop   context.CancelFunc
	wg     sync.WaitGroup

	mu        sync.Mutex
	epoch     uint64                     // grows when the past was replaced: what was under way then does not count
	queues    map[ID]*profileQueue       // by profile: those that may have a pending callback
	merchants map[string]*merchantQueue  // by merchant
	busy      map[*profileQueue]struct{} // those that are ready or under way with a first attempt, those of an earlier epoch too
	marks     map[*mark]struct{}         // those that are not reached
	changed   chan struct{}              // closed when a queue ends or waits; nil if nobody waits for that
}

// A profileQueue is a profile that may have a pending callback.
type profileQueue struct {
	login string
	at    ID          // the callback that is tried, or none before it
	timer *time.Timer // runs while the first one waits for another attempt
	busy  bool        // it is ready, or under way
	again bool        // … and there is something new to look at
	retry bool        // its first callback was tried before: nobody waits for it
}

// A mark is reached when all callbacks with ids up to last were tried, except those queued behind a
// retry.
type mark struct {
	last    ID
	left    int           // the busy queues that are not past it
	reached chan struct{} // closed then
}

// A merchantQueue is the queues of a merchant that can be tried now.
type merchantQueue struct {
	ready   []ID
	running int
}

func newCourier(g *Gateway) *courier {
	c := &courier{g: g, queues: map[ID]*profileQueue{}, merchants: map[string]*merchantQueue{}, busy: map[*profileQueue]struct{}{}, marks: map[*mark]struct{}{}}
	c.ctx, c.stop = context.WithCancel(context.Background())
	transport := g.config.Transport
	if transport == nil {
		transport = g.config.Callbacks.Transport()
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

// forget drops all queues.
func (c *courier) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.queues {
		if r.timer != nil {
			r.timer.Stop()
		}
	}
	for _, l := range c.merchants {
		for _, profile := range l.ready {
			c.end(c.queues[profile])
		}
		l.ready = nil
	}
	c.epoch++
	c.queues = map[ID]*profileQueue{}
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
		deliveries := make([]delivery, len(list))
		for i := range list {
			past, deliveries[i] = list[i].ID, list[i].delivery()
		}
		c.send(deliveries)
	}
}

// send looks after profiles that have a pending callback, or may have one.
func (c *courier) send(list []delivery) {
	if len(list) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range list {
		r := c.queues[l.profile]
		if r == nil {
			r = &profileQueue{login: l.login, at: l.callback}
			c.queues[l.profile] = r
		}
		if r.busy {
			r.again = true
			continue
		}
		if r.timer != nil {
			r.timer.Stop()
		}
		c.ready(l.profile, r)
	}
}

// ready puts a queue that nobody looks after into that of its merchant.
func (c *courier) ready(profile ID, r *profileQueue) {
	l := c.merchants[r.login]
	if l == nil {
		l = new(merchantQueue)
		c.merchants[r.login] = l
	}
	r.busy, r.again, r.timer = true, false, nil
	c.begin(r)
	l.ready = append(l.ready, profile)
	c.start(l)
}

// begin marks a queue as busy, unless nobody waits for it; end undoes that. Call notify after end.
func (c *courier) begin(r *profileQueue) {
	if r.retry {
		return
	}
	c.busy[r] = struct{}{}
	for m := range c.marks {
		if r.at <= m.last {
			m.left++
		}
	}
}

func (c *courier) end(r *profileQueue) {
	if _, ok := c.busy[r]; !ok {
		return
	}
	delete(c.busy, r)
	for m := range c.marks {
		if r.at <= m.last {
			m.left--
		}
	}
}

// mark makes a mark of the callbacks up to one.
func (c *courier) mark(last ID) *mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := &mark{last: last, reached: make(chan struct{})}
	for r := range c.busy {
		if r.at <= last {
			m.left++
		}
	}
	c.marks[m] = struct{}{}
	c.notify()
	return m
}

// tries notes which callback a queue under way tries, and whether that was tried before.
func (c *courier) tries(r *profileQueue, callback ID, retry bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end(r)
	r.at, r.retry = callback, retry
	c.begin(r)
	c.notify()
}

// start starts couriers while there are any and queues are ready.
func (c *courier) start(l *merchantQueue) {
	for l.running < couriers && len(l.ready) > 0 && c.ctx.Err() == nil {
		profile := l.ready[0]
		l.ready = l.ready[1:]
		l.running++
		r, epoch := c.queues[profile], c.epoch
		c.wg.Go(func() { c.run(profile, r, l, epoch) })
	}
}

// run tries the first pending callback of a profile once.
func (c *courier) run(profile ID, r *profileQueue, l *merchantQueue, epoch uint64) {
	left, next := c.try(profile, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	l.running--
	c.end(r)
	if c.epoch == epoch {
		r.busy = false
		pause := next.Sub(c.g.config.Now())
		switch {
		case r.again || left && pause <= 0:
			c.ready(profile, r)
		case left:
			r.timer = time.AfterFunc(pause, func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				if c.epoch == epoch && !r.busy {
					c.ready(profile, r)
				}
			})
		default:
			delete(c.queues, profile)
		}
	}
	c.start(l)
	c.notify()
}

// try makes one attempt if one is due, and reports whether something may be left, and when to look
// after it; the zero time means now.
func (c *courier) try(profile ID, r *profileQueue) (left bool, next time.Time) {
	var first []Callback
	epoch := uint64(0)
	err := c.g.store.View(c.ctx, func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil {
			return err
		}
		epoch = clock.Epoch
		first, err = tx.Callbacks().List(Query{Profile: profile, Status: CallbackPending.String(), OldestFirst: true, Limit: 1})
		return err
	})
	switch {
	case err != nil:
		c.failed("the callbacks of a profile could not be read", profile, err)
		return true, c.g.config.Now().Add(recordPause)
	case len(first) == 0:
		return false, time.Time{}
	}
	c.tries(r, first[0].ID, first[0].Round > 0)
	if first[0].Next.After(c.g.config.Now()) {
		return true, first[0].Next
	}
	attempt := c.attempt(&first[0])
	ended := c.g.config.Now()
	for c.ctx.Err() == nil && !c.record(epoch, first[0].ID, r, attempt, ended) {
		// Nothing else of the profile is sent before the attempt is known to the store: what is sent
		// twice comes in order.
		select {
		case <-c.ctx.Done():
		case <-time.After(recordPause):
		}
	}
	return true, time.Time{}
}

// record records an attempt, unless the past was replaced meanwhile. It reports false if the store
// failed.
func (c *courier) record(epoch uint64, id ID, r *profileQueue, attempt Attempt, ended time.Time) bool {
	counts, again := false, false
	var deliveries []delivery // what was delayed until this one was tried
	err := c.g.store.Update(c.ctx, func(tx Tx) error {
		clock, err := tx.Clock()
		if counts = err == nil && clock.Epoch == epoch; !counts {
			return err
		}
		b, err := tx.Callbacks().Get(id)
		if err != nil {
			return err
		}
		if deliveries, err = releaseAfter(tx, id); err != nil {
			return err
		}
		b.take(attempt, ended, c.g.config.CallbackPauses)
		again = b.State == CallbackPending && b.Round > 0
		return tx.Callbacks().Put(b)
	})
	if err != nil && !errors.Is(err, NotFound) {
		c.failed("an attempt to deliver a callback could not be recorded", id, err)
		return false
	}
	if counts {
		c.g.metrics.attempt(attempt.isDelivery())
		c.tries(r, id, again)
		c.send(deliveries)
	}
	return true
}

func (c *courier) failed(what string, id ID, err error) {
	if c.ctx.Err() == nil {
		c.g.config.Log.Error(what, "id", id.String(), "error", err)
	}
}

// take records an attempt.
func (b *Callback) take(a Attempt, ended time.Time, pauses []time.Duration) {
	b.Attempts = append(slices.Clone(b.Attempts), a)
	if n := len(b.Attempts); n > maxAttempts {
		b.Attempts = b.Attempts[n-maxAttempts:]
	}
	b.Round++
	b.Next = time.Time{}
	switch {
	case a.isDelivery() && b.Again > 0:
		b.Again--
		b.Round = 0
	case a.isDelivery():
		b.State = CallbackDelivered
	case b.Round > len(pauses):
		b.State = CallbackFailed
	default:
		b.Next = ended.Add(pauses[b.Round-1])
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
	address, ok := c.g.seal.Open(b.Login, b.To)
	if !ok && b.To != nil {
		a.Error = "other-key"
		return a
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, cmp.Or(address, b.URL), strings.NewReader(b.Body))
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
	begin, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	a.Answer = strings.ToValidUTF8(cardtext.MaskEscaped(string(begin)), "\uFFFD")
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10)
	_ = response.Body.Close()
	return a
}

// notify wakes those who wait for a change.
func (c *courier) notify() {
	for m := range c.marks {
		if m.left == 0 {
			delete(c.marks, m)
			close(m.reached)
		}
	}
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// hold counts callbacks that are about to be sent as busy, until the result is called.
func (c *courier) hold(list []delivery) (release func()) {
	if len(list) == 0 {
		return func() {}
	}
	r := &profileQueue{at: list[0].callback}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begin(r)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.end(r)
		c.notify()
	}
}

// wait waits until a mark is reached.
func (c *courier) wait(ctx context.Context, m *mark) error {
	select {
	case <-m.reached:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return found(Closed, "", "")
	}
}

// Settle waits until every callback is delivered or failed.
func (g *Gateway) Settle(ctx context.Context) error { return g.courier.settle(ctx) }

func (c *courier) settle(ctx context.Context) error {
	for {
		c.mu.Lock()
		if len(c.busy) == 0 && len(c.queues) == 0 {
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

// Resend makes a callback pending again, with as many attempts as a new one, the first of them at
// once unless an earlier one of its profile is pending. The error has the code [NotFound] for an id
// that no callback has.
func (g *Gateway) Resend(ctx context.Context, id ID) (Callback, error) {
	var b Callback
	err := g.store.Update(ctx, func(tx Tx) (err error) {
		if b, err = tx.Callbacks().Get(id); err != nil {
			return err
		}
		b.State, b.Round, b.Next = CallbackPending, 0, time.Time{}
		b.release()
		return tx.Callbacks().Put(b)
	})
	if err != nil {
		return Callback{}, err
	}
	g.courier.send([]delivery{b.delivery()})
	return b, nil
}

// A CallbackMode says where callbacks may go. The zero value is CallbacksLoopback.
type CallbackMode uint8

// The modes.
const (
	CallbacksLoopback CallbackMode = iota // to addresses of this machine alone
	CallbacksAny                          // to any address
	CallbacksOff                          // none are made
)

var callbackModes = enum.Words{Type: "CallbackMode", Words: []string{"loopback", "any", "off"}}

// String returns "loopback", "any" or "off", and a text such as "CallbackMode(9)" for a value that
// is none of these.
func (m CallbackMode) String() string { return callbackModes.String(uint8(m)) }

// MarshalText returns the word; a value that is not a CallbackMode is an error.
func (m CallbackMode) MarshalText() ([]byte, error) { return callbackModes.Marshal(uint8(m)) }

// UnmarshalText reads what MarshalText writes. On an error m is unchanged.
func (m *CallbackMode) UnmarshalText(text []byte) error {
	return callbackModes.Unmarshal(text, (*uint8)(m))
}

// callbackTimeout is how long one attempt may take, the answer included.
const callbackTimeout = 10 * time.Second

var errNotLoopback = errors.New("gateway: the address of a callback is not one of this machine")

// Transport returns a transport that connects to no address that the mode forbids. The address
// is judged when it is connected to, after its name was resolved: no name leads past it.
func (m CallbackMode) Transport() *http.Transport {
	return &http.Transport{ // no proxy: it would connect in our place
		DialContext: newDialer(m).DialContext, TLSHandshakeTimeout: callbackTimeout, MaxIdleConns: 16, MaxIdleConnsPerHost: 4,
		IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10,
	}
}

func newDialer(mode CallbackMode) *net.Dialer {
	dialer := &net.Dialer{Timeout: callbackTimeout}
	if mode != CallbacksAny {
		dialer.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
			a, err := netip.ParseAddrPort(address)
			if err != nil || !a.Addr().Unmap().IsLoopback() {
				return errNotLoopback
			}
			return nil
		}
	}
	return dialer
}
