package gatewaytest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/client"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/signature"
)

// How is a program tested that creates profiles at the gateway and books what is charged? Let it
// send to a gateway of the test, turn the clock, and look at its books. A refused request has its
// reason, and the diagnosis of its signature.
func Example() {
	_ = func(t *testing.T) { // a test
		gw := gatewaytest.New(t)
		m := gw.Merchant()
		var booked []client.Callback
		gw.Receive(client.Callbacks(func(_ context.Context, c client.Callback) error {
			booked = append(booked, c)
			return nil
		}))

		key, err := signature.NewHMACKey(m.ControlKey)
		if err != nil {
			t.Fatal(err)
		}
		sender := client.New(client.Merchant{URL: m.URL, Login: m.Login, Key: key})
		if _, err := sender.Create(t.Context(), strings.NewReader(oneRow)); err != nil {
			t.Fatal(err, gw.Requests())
		}
		gw.Advance(calendar.MustParse("2026-03-01"))
		if charges := gw.Charges(); len(booked) != len(charges) {
			t.Error(booked, charges)
		}
	}
}

// TestInABubble: the same within a bubble of package synctest, where minutes pass at once.
func TestInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gw := gatewaytest.Options{
			AsOf: "2026-01-31", WindowS: 60, CheckReplays: true,
			Outcomes: []gateway.Outcome{{Outcome: engine.OutcomeDeclined, Times: 1}},
		}.New(t)
		gw.Receive(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(5 * time.Second) }))
		m := gw.Merchant()
		client := gw.SigningClient(m)
		for _, pause := range []time.Duration{0, time.Hour} { // each request is signed with the bubble's time
			time.Sleep(pause)
			response, err := client.Post(m.URL, "application/x-www-form-urlencoded", strings.NewReader(payload(oneRow)))
			if err != nil || response.StatusCode != http.StatusOK {
				t.Fatal(err, gw.Requests())
			}
		}
		gw.Advance(calendar.MustParse("2026-02-28"))
		charges := gw.Charges()
		if len(charges) != 4 || charges[0].Charge.Outcome != engine.OutcomeDeclined || charges[1].Charge.Outcome != engine.OutcomeApproved {
			t.Errorf("%+v", charges)
		}
		if gw.URL != "http://gateway.test" {
			t.Errorf("it listens at %s, which would stop the bubble's time", gw.URL)
		}
	})
}

// TestTwoMerchants: each has its own login, endpoint and key, and a socket that anybody can post
// to.
func TestTwoMerchants(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	one, two := gw.Merchant(), gw.Merchant()
	if one.Login == two.Login || one.Endpoint == two.Endpoint || one.ControlKey == two.ControlKey || one.URL == two.URL {
		t.Errorf("%+v %+v", one, two)
	}
	response, err := http.Post(two.URL, "application/x-www-form-urlencoded", strings.NewReader(payload(oneRow)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusForbidden || gw.Requests()[0].Reason != gateway.ReasonUnreadable {
		t.Errorf("%d %+v", response.StatusCode, gw.Requests())
	}
	if response.Header.Get("X-Chargecast-Reason") != string(gateway.ReasonUnreadable) {
		t.Error("the reason is not in the header")
	}
}

// Does a program survive lost answers, callbacks that come twice, and a gateway that restarts? Its
// books are compared with the gateway's over drawn schedules; what breaks one is printed as a
// timeline.
func ExampleSimulate() {
	_ = func(t *testing.T) { // a test
		gatewaytest.Simulate(t, gatewaytest.Plan{Seeds: 1000, Faults: gatewaytest.AllFaults}, func(gw *gatewaytest.Gateway) gatewaytest.Books {
			return right.open(true)(gw) // your integration: it sends with gw.Client, and receives by gw.Receive
		})
	}
}
