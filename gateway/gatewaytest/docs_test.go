package gatewaytest_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/client"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/signature"
)

// What README.md and docs/sandbox.md show of this package is here, word for word, and runs. The
// example of README.md was refused with 403 when nothing ran it.

// withREADME is the example of README.md.
func withREADME(t *testing.T, book func(context.Context, client.Callback) error, payload io.Reader) {
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	gw.Receive(client.Callbacks(book)) // your books, of profiles with a server_callback_url
	sender := client.New(client.Merchant{URL: m.URL, Login: m.Login, Key: m.Key()})
	if _, err := sender.Create(t.Context(), payload); err != nil {
		t.Fatal(err, gw.Requests()) // which say why a request was refused
	}
	gw.Advance(calendar.MustParse("2026-03-01")) // gw.Charges() is what was charged
}

// withCallbacks is a payload whose profile has a server_callback_url.
var withCallbacks = strings.NewReplacer(`"max-repeats-number"`, `"max-repeats-number";"server_callback_url"`, `;"3"`, `;"3";"https://shop.example/callbacks"`).Replace(oneRow)

// TestReadme: the profile of the example is created, and its charges are booked.
func TestReadme(t *testing.T) {
	t.Parallel()
	var booked atomic.Int32
	withREADME(t, func(context.Context, client.Callback) error { booked.Add(1); return nil }, strings.NewReader(withCallbacks))
	if booked.Load() == 0 {
		t.Error("nothing was booked")
	}
}

// callbacks and subscribe are the code under test of the page.
var callbacks = client.Callbacks(func(context.Context, client.Callback) error { return nil })

func subscribe(url, login string, key signature.SigningKey) {
	if _, err := client.New(client.Merchant{URL: url, Login: login, Key: key}).Create(context.Background(), strings.NewReader(oneRow)); err != nil {
		panic(err)
	}
}

func TestSubscriptions(t *testing.T) {
	gw := gatewaytest.New(t) // a gateway of its own, closed with the test; its clock shows 2026-01-01
	m := gw.Merchant()       // another merchant with each call: login, endpoint, control key, RSA pair, currency

	gw.Receive(callbacks)              // the handler under test receives callbacks, in memory
	subscribe(m.URL, m.Login, m.Key()) // the code under test posts to m.URL and signs

	gw.Advance(calendar.MustParse("2026-03-01")) // runs every day, sends callbacks, returns when they have arrived
	for _, c := range gw.Charges() {
		t.Log(c.ClientOrderID, c.Charge.Date, c.Charge.Min, c.Charge.Outcome)
	}
	for _, r := range gw.Requests() {
		t.Log(r.Status, r.Reason, r.Findings, r.Diagnosis)
	}
}

func TestDeclined(t *testing.T) {
	gw := gatewaytest.New(t)
	gw.Gateway().AddOutcome(t.Context(), gateway.Outcome{ClientOrderID: "gym-42", Outcome: engine.OutcomeDeclined, Times: 1})
	m := gw.Merchant()
	subscribe(m.URL, m.Login, m.Key())
	gw.Advance(calendar.MustParse("2026-02-28"))
	if c := gw.Charges(); len(c) != 2 || c[0].Charge.Outcome != engine.OutcomeDeclined || c[1].Charge.Outcome != engine.OutcomeApproved {
		t.Error(c)
	}
}

func TestSurvives(t *testing.T) {
	gatewaytest.Simulate(t, gatewaytest.Plan{Seeds: 1000, Faults: gatewaytest.AllFaults}, func(gw *gatewaytest.Gateway) gatewaytest.Books {
		shop := newShop(gw.Merchant(), gw.Client()) // your code: Create sends an order, Booked returns what it booked
		gw.Receive(shop)                            // your handler of callbacks
		return shop
	})
}

// asMerchant is a merchant in Go, as the page shows it.
func asMerchant(ctx context.Context, url, login string, key signature.SigningKey, payload io.Reader, book func(context.Context, client.Callback) error) (http.Handler, error) {
	m := client.New(client.Merchant{URL: url, Login: login, Key: key})
	_, err := m.Create(ctx, payload) // errors.Is(err, client.ErrRejected): certainly not created; client.ErrUnknown: may have been
	handler := client.Callbacks(func(ctx context.Context, c client.Callback) error {
		return book(ctx, c) // knows a repeated one by c.ClientOrderID and c.Repeat
	})
	return handler, err
}

func TestMerchant(t *testing.T) {
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	handler, err := asMerchant(t.Context(), m.URL, m.Login, m.Key(), strings.NewReader(oneRow), func(context.Context, client.Callback) error { return nil })
	if err != nil || handler == nil {
		t.Error(err)
	}
}
