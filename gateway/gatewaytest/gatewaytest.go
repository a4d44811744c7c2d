// Package gatewaytest starts a gateway for one test: a handler of the service's side of the
// document, with a clock that the test moves and the reason of every 403.
//
//	gw := gatewaytest.New(t)
//	m := gw.Merchant()
//	// … the code under test posts to m.URL, and signs with m.Key() or m.ControlKey …
//	gw.Advance(calendar.MustParse("2026-03-01"))
//	gw.Charges()
//
// Tests can run in parallel: each has a gateway of its own. [Gateway.Gateway] returns the gateway
// itself, for what is not here: events, outcomes, faults, snapshots.
//
// [Simulate] runs an integration over drawn schedules of orders, days, events and faults. To pass
// [AllFaults] an integration must not retry a create whose answer was lost, and must deduplicate
// callbacks by client-orderid and repeat, in whatever order they come. That is not enough where a
// callback is lost ([gateway.FaultCallbackLost]): nobody sends it again, so an integration that
// only receives has no booking of that charge. It must ask from time to time what was charged, GET
// /_sandbox/v1/charges at the URL of the gateway through [Gateway.Client], at the latest when
// Booked is called, and book what it does not have yet. Without that, leave the kind out of
// [Plan].Faults.
package gatewaytest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// Options configure a gateway. The zero value is what [New] uses.
type Options struct {
	AsOf   string        // the day that its clock shows first, as YYYY-MM-DD; empty: 2026-01-01
	Policy engine.Policy // the readings in force
	Seed   uint64        // what random amounts are drawn from
	// Outcomes decide attempts, as if they were added in this order.
	Outcomes []gateway.Outcome
	// Pauses are those between the attempts to deliver a callback; nil: 10, 20 and 40 milliseconds.
	Pauses []time.Duration
	// Response is what create requests are answered with.
	Response gateway.ResponseMode
	// WindowS and CheckReplays switch on the checks of timestamps and nonces, for all merchants (L63).
	WindowS      int
	CheckReplays bool
	// Store keeps what the gateway knows; nil: one in memory.
	Store gateway.Store

	simulation *run // nil: a test of its own
}

// A Gateway is a gateway for one test. It fails the test if something goes wrong that is not the
// work of the code under test.
type Gateway struct {
	// URL is where it listens, without a final slash. In a bubble of package synctest nothing listens:
	// only [Gateway.Client] reaches it there.
	URL string

	current  atomic.Pointer[gateway.Gateway]
	receiver atomic.Pointer[http.Handler] // of callbacks; nil: they go to their addresses
	sockets  http.RoundTripper            // takes them there
	t        testing.TB
	options  Options
	config   gateway.Config
	store    *lasting
	count    int
	pause    time.Duration // of a restart: how long the old one goes on
	run      *run          // of [Simulate]; nil otherwise
}

// Receive lets a handler receive the callbacks of all profiles, whatever their address, in memory. A
// profile without a server_callback_url makes no callbacks (6). Before it is called they go to their addresses, if these are on this machine; in [Simulate]
// nobody receives them.
func (g *Gateway) Receive(h http.Handler) { g.receiver.Store(&h) }

// Context ends when the test does; in [Simulate] each schedule has one of its own, with which what
// an integration does in the background is to end.
func (g *Gateway) Context() context.Context { return g.t.Context() }

// RoundTrip answers a request in memory.
func (g *Gateway) RoundTrip(r *http.Request) (*http.Response, error) {
	serve := func() (*http.Response, error) { return inMemory{http.HandlerFunc(g.serve)}.RoundTrip(r) }
	if g.run == nil || r.Method != http.MethodPost {
		return serve()
	}
	return g.run.request(serve)
}

// Gateway returns the gateway. Ask each time: a restart that a fault asks for ends it and makes
// another one.
func (g *Gateway) Gateway() *gateway.Gateway { return g.current.Load() }

func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) { g.Gateway().ServeHTTP(w, r) }

// callbacks is the transport of callbacks.
type callbacks struct{ *Gateway }

func (c callbacks) RoundTrip(r *http.Request) (*http.Response, error) {
	h := c.receiver.Load()
	switch {
	case c.run != nil:
		return c.run.deliver(h, r)
	case h != nil:
		return inMemory{*h}.RoundTrip(r)
	}
	return c.sockets.RoundTrip(r)
}

// A lasting store outlives the gateways that end in a restart.
type lasting struct {
	gateway.Store
	restarts bool
}

func (l *lasting) Close() error {
	if l.restarts {
		return nil
	}
	return l.Store.Close()
}

// restart ends the gateway, and makes it again from its store.
func (g *Gateway) restart() {
	g.t.Helper()
	for {
		time.Sleep(g.pause)
		g.store.restarts = true
		g.check(g.Gateway().Close())
		g.store.restarts = false
		next, err := gateway.New(g.t.Context(), g.config)
		if errors.Is(err, gateway.Restarting) { // again, on a later day
			continue
		}
		g.check(err)
		g.current.Store(next)
		if g.run != nil {
			g.run.say("fault: the gateway ended, and starts again")
		}
		return
	}
}

// A Merchant is registered with the gateway; its fields, and [Merchant.Key], are all that is needed
// to send requests.
type Merchant struct {
	Login      string // the oauth_consumer_key
	Endpoint   string // the last part of the path
	Currency   string // of the project
	ControlKey string // signs with HMAC-SHA1
	PrivateKey string // signs with RSA-SHA256: PKCS#1 as PEM, the same for all merchants
	PublicKey  string // its public half
	URL        string // where create requests are posted to
}

// Key returns PrivateKey as a key to sign with, for [client.Merchant] and [oauthhttp.Transport]; nil
// if it is not that of [Gateway.Merchant].
//
// [client.Merchant]: https://pkg.go.dev/github.com/chargecast/chargecast/gateway/client#Merchant
func (m Merchant) Key() *signature.PrivateKey {
	key, _ := signature.ParsePrivateKey([]byte(m.PrivateKey))
	return key
}

// New starts a gateway whose clock shows 2026-01-01, and closes it with the test.
func New(t testing.TB) *Gateway {
	t.Helper()
	return Options{}.New(t)
}

// New starts a gateway with these options, and closes it with the test.
func (o Options) New(t testing.TB) *Gateway {
	t.Helper()
	g := &Gateway{t: t, options: o, URL: "http://gateway.test", run: o.simulation, sockets: gateway.CallbacksLoopback.Transport()}
	if o.AsOf == "" {
		o.AsOf = "2026-01-01"
	}
	if o.Pauses == nil {
		o.Pauses = []time.Duration{10 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond}
	}
	day, err := calendar.Parse(o.AsOf)
	g.check(err)
	store := o.Store
	if store == nil {
		store = gateway.NewMemory()
	}
	g.store = &lasting{Store: store}
	config := gateway.Config{
		Store: g.store, AsOf: day, Policy: o.Policy, Seed: o.Seed, Key: make([]byte, 32),
		CallbackPauses: o.Pauses, ReasonHeader: true, Transport: callbacks{g},
	}
	var listener net.Listener
	if !inBubble(t) {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
		g.check(err)
		g.URL = "http://" + listener.Addr().String()
	}
	config.Hosts = []string{g.URL[len("http://"):]}
	first, err := gateway.New(t.Context(), config)
	g.check(err)
	g.current.Store(first)
	g.config = config
	t.Cleanup(func() { g.check(g.Gateway().Close()) })
	if listener != nil {
		g.listen(listener)
	}
	for _, outcome := range o.Outcomes {
		_, err := g.Gateway().AddOutcome(t.Context(), outcome)
		g.check(err)
	}
	return g
}

// listen answers what comes to a listener until the test ends.
func (g *Gateway) listen(listener net.Listener) {
	server := gateway.NewServer(http.HandlerFunc(g.serve))
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	g.t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
}

// inBubble reports whether a test is in a bubble of package synctest, where a listener would keep
// the clock from moving: there, and only there, Deadline panics.
func inBubble(t testing.TB) (in bool) {
	test, ok := t.(*testing.T)
	if !ok {
		return false
	}
	defer func() { in = recover() != nil }()
	test.Deadline()
	return false
}

func (g *Gateway) check(err error) {
	if err != nil {
		g.t.Helper()
		g.t.Fatal("gatewaytest: ", err)
	}
}

// Merchant registers another merchant with each call: m1 with the endpoint 1001, m2 with 1002 and so
// on, with the currency EUR. So keep what it returns. Call it from one goroutine at a time.
func (g *Gateway) Merchant() Merchant {
	g.t.Helper()
	g.count++
	number := strconv.Itoa(g.count)
	m := Merchant{
		Login: "m" + number, Endpoint: strconv.Itoa(1000 + g.count), Currency: "EUR", ControlKey: "control-key-of-m" + number,
		PrivateKey: testkeys.PKCS1, PublicKey: testkeys.Public,
	}
	m.URL = g.URL + "/paynet/api/v4/create-recurring-payments/" + m.Endpoint
	_, err := g.Gateway().Register(g.t.Context(), gateway.Registration{
		Login: m.Login, Endpoint: m.Endpoint, Currency: m.Currency, ControlKey: m.ControlKey, PublicKey: m.PublicKey,
		Response: g.options.Response, WindowS: g.options.WindowS, CheckReplays: g.options.CheckReplays,
	})
	g.check(err)
	return m
}

// Client returns a client that reaches the gateway in memory, also in a bubble of package synctest.
func (g *Gateway) Client() *http.Client { return &http.Client{Transport: g} }

// SigningClient is [Gateway.Client] with requests signed by a merchant with RSA-SHA256.
func (g *Gateway) SigningClient(m Merchant) *http.Client {
	g.t.Helper()
	return &http.Client{Transport: &oauthhttp.Transport{Base: g, ConsumerKey: m.Login, Key: m.Key(), MaxBody: 64 << 20}}
}

// Advance moves the clock to a day, and waits until every callback is delivered or failed. Over a
// restart that a fault asks for it goes on, and its counts are those from there.
func (g *Gateway) Advance(to calendar.Date) gateway.Advanced {
	g.t.Helper()
	a, err := g.Gateway().Advance(g.t.Context(), to)
	for errors.Is(err, gateway.Restarting) {
		g.restart()
		a, err = g.Gateway().Advance(g.t.Context(), to)
	}
	g.check(err)
	g.check(g.Gateway().Settle(g.t.Context()))
	return a
}

// Profiles returns all profiles, the oldest first.
func (g *Gateway) Profiles() []gateway.Profile {
	g.t.Helper()
	return all(g, func(tx gateway.Tx) gateway.Table[gateway.Profile] { return tx.Profiles() })
}

// Charges returns all attempts to charge, in the order in which they were made.
func (g *Gateway) Charges() []gateway.Charge {
	g.t.Helper()
	return all(g, gateway.Tx.Charges)
}

// Requests returns the last 10,000 requests, the oldest first. Reason says why one was refused, and
// Diagnosis which mistakes explain its signature, if that is wrong.
func (g *Gateway) Requests() []gateway.Request {
	g.t.Helper()
	list := all(g, gateway.Tx.Requests)
	for i := range list {
		r, err := g.Gateway().Request(g.t.Context(), list[i].ID)
		g.check(err)
		list[i] = r
	}
	return list
}

// Callbacks returns all callbacks, in the order in which they were made.
func (g *Gateway) Callbacks() []gateway.Callback {
	g.t.Helper()
	return all(g, gateway.Tx.Callbacks)
}

func all[T gateway.Keyed](g *Gateway, table func(gateway.Tx) gateway.Table[T]) (list []T) {
	g.t.Helper()
	g.check(g.Gateway().View(g.t.Context(), func(tx gateway.Tx) (err error) {
		list, err = table(tx).List(gateway.Query{OldestFirst: true})
		return err
	}))
	return list
}
