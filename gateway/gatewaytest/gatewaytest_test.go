package gatewaytest_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/client"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/signature"
)

const oneRow = `"rp_card_type";"client-orderid";"credit-card-number";"cvv2";"card-printed-name";"expire-year";"expire-month";"amount";"currency";"country";"city";"zip-code";"address1";"first-name";"last-name";"email";"period";"interval";"start-date";"max-repeats-number"
"SRC";"gym-42";"4111111111111111";"123";"ANNA MUSTER";"2030";"12";"9.90";"EUR";"DE";"Berlin";"10115";"Street 1";"Anna";"Muster";"anna@example.com";"month";"1";"31.01.2026";"3"
`

func payload(csv string) string {
	return "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(csv)))
}

func TestAProfileIsCreatedAndCharged(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	response, err := gw.SigningClient(m).Post(m.URL, "application/x-www-form-urlencoded", strings.NewReader(payload(oneRow)))
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%d %+v", response.StatusCode, gw.Requests())
	}
	done := gw.Advance(calendar.MustParse("2026-06-01"))
	if done.Charges != 3 || done.Stops != 1 {
		t.Errorf("%+v", done)
	}
	var dates []string
	for _, c := range gw.Charges() {
		dates = append(dates, c.Charge.Date.String()+" "+c.Charge.Min.String())
	}
	if got := strings.Join(dates, ", "); got != "2026-01-31 9.90, 2026-02-28 9.90, 2026-03-31 9.90" {
		t.Error(got)
	}
}

// TestAReceiverAsksForTheDayDuringARestart: the gateway that comes after it delivers before Advance
// is back. The race detector judges it.
func TestAReceiverAsksForTheDayDuringARestart(t *testing.T) {
	t.Parallel()
	var days atomic.Int32
	gw := gatewaytest.New(t)
	gw.Receive(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := gw.Gateway().Now(r.Context()); err == nil {
			days.Add(1)
		}
	}))
	m := gw.Merchant()
	if _, err := gw.Gateway().AddFault(t.Context(), gateway.Fault{Kind: gateway.FaultRestart, Times: 3}); err != nil {
		t.Fatal(err)
	}
	row := strings.Replace(strings.Replace(oneRow, `"email"`, `"email";"server_callback_url"`, 1), `"anna@example.com"`, `"anna@example.com";"http://127.0.0.1/callbacks"`, 1)
	response, err := gw.SigningClient(m).Post(m.URL, "application/x-www-form-urlencoded", strings.NewReader(payload(row)))
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%v %+v", err, gw.Requests())
	}
	for _, day := range []string{"2026-02-01", "2026-03-01", "2026-04-01"} {
		gw.Advance(calendar.MustParse(day))
	}
	if n := days.Load(); n < 3 {
		t.Errorf("%d callbacks knew the day", n)
	}
}

// TestRequestsHaveTheirDiagnosis: what was done wrong with a signature is said where the request
// is.
func TestRequestsHaveTheirDiagnosis(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	m.ControlKey += "&"
	key, err := signature.NewHMACKey(m.ControlKey)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.New(client.Merchant{URL: m.URL, Login: m.Login, Key: key}).Create(t.Context(), strings.NewReader(oneRow))
	if !errors.Is(err, client.ErrRejected) {
		t.Error(err)
	}
	if r := gw.Requests(); len(r) != 1 || r[0].Reason != gateway.ReasonMismatch || r[0].Diagnosis == nil || r[0].Diagnosis.Bases == nil {
		t.Errorf("%+v", r)
	}
}

// TestWhoReceivesCallbacks: a program that listens on this machine, until a handler of the test
// takes its place.
func TestWhoReceivesCallbacks(t *testing.T) {
	t.Parallel()
	count := func(n *atomic.Int32) http.Handler {
		return client.Callbacks(func(context.Context, client.Callback) error { n.Add(1); return nil })
	}
	var sockets, memory atomic.Int32
	server := httptest.NewServer(count(&sockets))
	defer server.Close()
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	row := strings.Replace(strings.Replace(oneRow, `"email"`, `"email";"server_callback_url"`, 1), `"anna@example.com"`, `"anna@example.com";"`+server.URL+`"`, 1)
	response, err := gw.SigningClient(m).Post(m.URL, "application/x-www-form-urlencoded", strings.NewReader(payload(row)))
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%v %+v", err, gw.Requests())
	}
	gw.Advance(calendar.MustParse("2026-02-01"))
	gw.Receive(count(&memory))
	gw.Advance(calendar.MustParse("2026-03-01"))
	if sockets.Load() != 1 || memory.Load() != 1 {
		t.Errorf("%d by sockets, %d in memory", sockets.Load(), memory.Load())
	}
}

// slowBooks book some time later, and go on with something else until the schedule ends.
type slowBooks struct {
	gatewaytest.Books
	isDone atomic.Bool
}

func (b *slowBooks) Booked() []gatewaytest.Booking {
	if !b.isDone.Load() {
		return nil
	}
	return b.Books.Booked()
}

// TestBackgroundOfAnIntegration: it has time to end, or ends with the schedule.
func TestBackgroundOfAnIntegration(t *testing.T) {
	t.Parallel()
	gatewaytest.Simulate(t, gatewaytest.Plan{Seeds: 3}, func(gw *gatewaytest.Gateway) gatewaytest.Books {
		b := &slowBooks{Books: right.open(true)(gw)}
		go func() {
			time.Sleep(30 * time.Minute)
			b.isDone.Store(true)
		}()
		go func() {
			for gw.Context().Err() == nil {
				select {
				case <-gw.Context().Done():
				case <-time.After(10 * time.Minute):
				}
			}
		}()
		return b
	})
}
