package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/httpbody"
	"github.com/chargecast/chargecast/internal/seal"
)

// A Config says how a gateway behaves. The zero value is a gateway in memory whose clock shows
// today, in UTC, under the default policy.
type Config struct {
	Store Store         // nil: a new one in memory. Close closes it
	AsOf  calendar.Date // the clock of a new store; a store that has a clock keeps it. Zero: today, in UTC
	// Policy is the readings in force (see package ledger), and Seed what random amounts (L36d) are
	// drawn from. A store keeps those that it was made with: the zero values stand for them, and
	// others are refused.
	Policy engine.Policy
	Seed   uint64
	// Key, of 32 bytes, seals the control keys in the store and hashes card numbers. A store that
	// outlives the process needs the same key again. Nil: a random one.
	Key []byte

	// PublicURL is the URL that clients sign up to the path /paynet, such as
	// "https://gate.example.com", if a proxy hides it; empty: scheme and Host of each request.
	PublicURL string
	// Hosts are the values of the Host header that are answered, beside that of PublicURL. Empty:
	// any, which is for tests alone: a page of another site could reach the gateway by a name of
	// its own.
	Hosts   []string
	MaxBody int64 // the longest body of a create request in bytes; 0: 64 MiB (L56d)
	// MaxBodies limits the bodies of all create requests that are under way, in bytes together, as far
	// as they have arrived: a request that would exceed it is refused, with the reason too-large. 0:
	// 64 MiB, or MaxBody if that is more. One client can take all of it, since a body comes before its
	// signature is judged: where other machines reach the gateway, put a proxy in front that takes
	// bodies in whole, and limits their time and the connections of an address.
	MaxBodies    int64
	ReasonHeader bool // the header X-Chargecast-Reason says why a request was refused

	Callbacks CallbackMode
	// CallbackPauses are the pauses between the attempts to deliver a callback, in real time, from the
	// end of one to the beginning of the next; nil: 1, 5, 30, 120 and 600 seconds. There is one
	// attempt more than pauses.
	CallbackPauses []time.Duration
	// Transport delivers callbacks, wherever they go; nil: one that keeps to Callbacks.
	Transport http.RoundTripper

	// Restart is called when a fault ends the process (see [FaultRestart]), after the run of a day;
	// nil: nothing is. What is under way then has the error [Restarting]; the store is to be opened
	// again.
	Restart func()

	Now func() time.Time // the real time, for freshness and callbacks; nil: time.Now
	Log *slog.Logger     // nil: none
}

// A Gateway is the payment gateway of the document, in process: an http.Handler with a clock of its
// own. All of its methods can be called by several goroutines at the same time. [New] makes one;
// the zero Gateway panics when it is used.
type Gateway struct {
	config  Config
	store   Store
	seal    *seal.Sealer
	keys    keyCache
	hosts   []string
	raw     rawRequests
	bodies  httpbody.Budget
	metrics metrics
	courier *courier

	advancing   sync.Mutex    // held by the one call that moves the clock
	moving      sync.RWMutex  // held while the clock moves, or while it must not
	busy        chan struct{} // holds as many as make long answers at the same time
	description func() []byte // openapi.json
	closing     chan struct{}
	closeOnce   sync.Once
	closeErr    error
}

// New opens a gateway. If the store holds an advance of the clock that did not end, it is finished
// first. The error has the code [InputForm] if the configuration cannot be used, or is that of the
// store.
func New(ctx context.Context, c Config) (*Gateway, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	sealer, err := seal.New(c.Key)
	if err != nil {
		return nil, inField("Key", err.Error(), "make it of 32 random bytes")
	}
	g := &Gateway{config: c, store: c.Store, seal: sealer, closing: make(chan struct{}), busy: make(chan struct{}, maxHeavy)}
	g.description = sync.OnceValue(func() []byte { return describe(routes[:]) })
	g.config.Key = nil
	if g.hosts, err = c.hosts(); err != nil {
		return nil, err
	}
	if err := g.begin(ctx); err != nil {
		return nil, err
	}
	g.courier = newCourier(g)
	if err := g.courier.load(ctx); err != nil {
		g.courier.close()
		return nil, err
	}
	var clock Clock
	err = g.store.View(ctx, func(tx Tx) (err error) {
		clock, err = tx.Clock()
		return err
	})
	if err == nil && !clock.Target.IsZero() {
		g.config.Log.Info("an advance of the clock that was interrupted goes on", "now", clock.Now.String(), "to", clock.Target.String())
	}
	if err == nil {
		err = g.finishAdvance(ctx, clock.Epoch)
	}
	if err != nil {
		g.courier.close()
		return nil, err
	}
	return g, nil
}

// complete fills in what the configuration leaves out, and checks the rest.
func (c *Config) complete() error {
	if c.Now == nil {
		c.Now = time.Now
	}
	// What a store keeps reads back the same: as text a time has no monotonic reading.
	now := c.Now
	c.Now = func() time.Time { return now().Round(0) }
	if c.Store == nil {
		c.Store = NewMemory()
	}
	if c.AsOf.IsZero() {
		c.AsOf = calendar.Of(c.Now().UTC())
	}
	if c.MaxBody == 0 {
		c.MaxBody = 64 << 20
	}
	if c.MaxBodies == 0 {
		c.MaxBodies = max(usualBodies, c.MaxBody)
	}
	if c.CallbackPauses == nil {
		c.CallbackPauses = []time.Duration{1 * time.Second, 5 * time.Second, 30 * time.Second, 120 * time.Second, 600 * time.Second}
	}
	c.CallbackPauses = slices.Clone(c.CallbackPauses)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	switch {
	case c.MaxBody < 0:
		return inField("MaxBody", "the limit of a body is negative", "set the number of bytes, or 0 for 64 MiB")
	case c.MaxBodies < c.MaxBody:
		return inField("MaxBodies", "the limit of all bodies together is less than that of one", "set at least MaxBody, or 0 for 64 MiB or MaxBody")
	case c.Callbacks > CallbacksOff:
		return inField("Callbacks", "unknown mode of callbacks", "set CallbacksLoopback, CallbacksAny or CallbacksOff")
	case slices.ContainsFunc(c.CallbackPauses, func(d time.Duration) bool { return d < 0 }):
		return inField("CallbackPauses", "a pause is negative", "set pauses from 0")
	}
	if err := engine.New(c.Policy).Check(engine.Stored{}, c.AsOf); errors.Is(err, engine.ErrPolicy) {
		return inField("Policy", "the policy has an unknown value", "make it with engine.ParsePolicy")
	}
	return nil
}

// maxHeavy is how many answers that take long are made at the same time: others find readers of the
// store, and memory.
const maxHeavy = 2

// heavy waits until an answer that takes long may be made; light lets the next one go on.
func (g *Gateway) heavy(ctx context.Context) error {
	select {
	case g.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *Gateway) light() { <-g.busy }

// hosts returns the accepted values of the Host header, in lower case; none for any.
func (c *Config) hosts() ([]string, error) {
	var list []string
	for _, h := range c.Hosts {
		list = append(list, strings.ToLower(h))
	}
	if c.PublicURL == "" {
		return list, nil
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
		return nil, inField("PublicURL", "the public URL is not an http or https URL without userinfo, query and fragment", "write it as in https://gate.example.com")
	}
	if len(list) > 0 {
		list = append(list, strings.ToLower(u.Host))
	}
	return list, nil
}

// isOwnHost reports whether a Host header names this gateway.
func (g *Gateway) isOwnHost(host string) bool {
	return len(g.hosts) == 0 || slices.Contains(g.hosts, strings.ToLower(host))
}

// begin sets the clock of a new store, and takes policy and seed from another one: under other
// readings its profiles would have other days behind them, and with another seed other amounts.
func (g *Gateway) begin(ctx context.Context) error {
	return g.store.Update(ctx, func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		asked, seed := g.config.Policy, g.config.Seed
		if c.Now.IsZero() {
			c.Now, c.Began = g.config.AsOf, g.config.AsOf
		}
		if c.Policy == "" {
			c.Policy, c.Seed = asked.String(), seed
		}
		kept, err := engine.ParsePolicy(c.Policy)
		switch {
		case err != nil:
			return found(StoreFailed, "the store keeps a policy that this program does not know", "use the program that made the store, or a later one")
		case asked != engine.Policy{} && asked != kept:
			return inField("Policy", "the store was made with another policy: "+c.Policy, "leave the policy out, or name another store")
		case seed != 0 && seed != c.Seed:
			return inField("Seed", "the store was made with another seed: "+strconv.FormatUint(c.Seed, 10), "leave the seed out, or name another store")
		}
		g.config.Policy, g.config.Seed = kept, c.Seed
		return tx.SetClock(c)
	})
}

// Policy returns the readings in force.
func (g *Gateway) Policy() engine.Policy { return g.config.Policy }

// Seed returns what random amounts are drawn from.
func (g *Gateway) Seed() uint64 { return g.config.Seed }

// View runs do on the state of the gateway, which it cannot change. Nothing else changes it
// meanwhile, so do must be short.
func (g *Gateway) View(ctx context.Context, do func(Tx) error) error { return g.store.View(ctx, do) }

// Now returns the day that the clock shows.
func (g *Gateway) Now(ctx context.Context) (calendar.Date, error) {
	var c Clock
	err := g.store.View(ctx, func(tx Tx) (err error) {
		c, err = tx.Clock()
		return err
	})
	return c.Now, err
}

// Close ends an advance after the day that it is at, gives up the attempts to deliver callbacks
// that are under way, and closes the store. A later start goes on with both.
func (g *Gateway) Close() error {
	g.closeOnce.Do(func() {
		close(g.closing)
		g.courier.close()
		g.advancing.Lock()
		defer g.advancing.Unlock()
		g.closeErr = g.store.Close()
	})
	return g.closeErr
}

// closed reports whether Close was called.
func (g *Gateway) closed() bool {
	select {
	case <-g.closing:
		return true
	default:
		return false
	}
}
