package gateway_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/internal/testpayload"
	"github.com/chargecast/chargecast/signature"
)

// values are the columns of a row; what is left out is that of a valid one.
type values map[string]string

const (
	cardNumber = "4111111111111111"
	cvv        = "7391"
)

// payloadOf is the CSV of rows.
func payloadOf(rows ...values) string { return string(testpayload.Payload(monthly, rows...)) }

// monthly is what a row has unless it says otherwise.
var monthly = values{"cvv2": cvv, "expire-year": "2030", "period": "month", "interval": "1", "start-date": "31.01.2026"}

// bodyOf is the form body of a payload.
func bodyOf(csv string) string { return testpayload.Body([]byte(csv)) }

const formType = "application/x-www-form-urlencoded"

// receiving starts a gateway whose callbacks a handler receives.
func receiving(t testing.TB, o gatewaytest.Options, h http.Handler) *gatewaytest.Gateway {
	t.Helper()
	gw := o.New(t)
	gw.Receive(h)
	return gw
}

// A sender signs requests with HMAC-SHA1.
type sender struct {
	t  testing.TB
	gw *gatewaytest.Gateway
	m  gatewaytest.Merchant
	n  int
}

func newSender(t testing.TB, gw *gatewaytest.Gateway) *sender {
	t.Helper()
	return &sender{t: t, gw: gw, m: gw.Merchant()}
}

// authorization signs a body for a URL; each has a nonce of its own.
func (s *sender) authorization(target, body string) string {
	s.t.Helper()
	s.n++
	return s.sign(target, body, signature.OAuth{
		ConsumerKey: s.m.Login, Nonce: "nonce-" + strings.Repeat("x", s.n%7) + time.Duration(s.n).String(), Timestamp: signature.Timestamp(time.Now()),
	})
}

func (s *sender) sign(target, body string, o signature.OAuth) string {
	s.t.Helper()
	secret, err := signature.NewHMACKey(s.m.ControlKey)
	if err != nil {
		s.t.Fatal(err)
	}
	signed, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body), o, secret)
	if err != nil {
		s.t.Fatal(err)
	}
	return signed.Authorization()
}

// post sends a signed body in memory, and returns status and answer.
func (s *sender) post(body string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequest("POST", s.m.URL, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", s.authorization(s.m.URL, body))
	return do(s.t, s.gw.Client(), r)
}

// create creates profiles, or fails the test.
func (s *sender) create(rows ...values) {
	s.t.Helper()
	if status, _ := s.post(bodyOf(payloadOf(rows...))); status != http.StatusOK {
		requests := s.gw.Requests()
		s.t.Fatalf("%d: %+v", status, requests[len(requests)-1])
	}
}

func do(t testing.TB, c *http.Client, r *http.Request) (int, string) {
	t.Helper()
	response, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// admin calls the admin interface in memory, and returns status and answer. A body is JSON.
func admin(t testing.TB, gw *gatewaytest.Gateway, method, path, body string) (int, string) {
	t.Helper()
	target := gw.URL + path
	if !strings.HasPrefix(path, "/healthz") && !strings.HasPrefix(path, "/metrics") {
		target = gw.URL + "/_sandbox/v1/" + path
	}
	r, err := http.NewRequest(method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return do(t, gw.Client(), r)
}

// ask calls the admin interface, expects a status and reads the answer.
func ask(t testing.TB, gw *gatewaytest.Gateway, want int, method, path, body string) map[string]any {
	t.Helper()
	status, text := admin(t, gw, method, path, body)
	if status != want {
		t.Fatalf("%s %s %s: %d, not %d: %s", method, path, body, status, want, text)
	}
	var v map[string]any
	if text != "" {
		if err := json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&v); err != nil {
			t.Fatal(err, text)
		}
	}
	return v
}

// lastReason is the reason of the last request.
func lastReason(gw *gatewaytest.Gateway) gateway.Reason {
	list := gw.Requests()
	if len(list) == 0 {
		return "no request"
	}
	return list[len(list)-1].Reason
}
