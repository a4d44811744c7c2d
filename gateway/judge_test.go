package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// plain is a gateway with a configuration that gatewaytest does not offer, and one merchant.
func plain(t *testing.T, c gateway.Config, r gateway.Registration) *gateway.Gateway {
	t.Helper()
	if c.AsOf.IsZero() {
		c.AsOf = calendar.MustParse("2026-01-01")
	}
	g, err := gateway.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	r.Login, r.Endpoint, r.ControlKey = "m1", "1001", "secret-of-m1"
	if _, err := g.Register(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return g
}

// request is a signed request as a server gets it.
func request(t *testing.T, target, body string, o signature.OAuth) *http.Request {
	t.Helper()
	secret, err := signature.NewHMACKey("secret-of-m1")
	if err != nil {
		t.Fatal(err)
	}
	signed, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body), o, secret)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/paynet/api/v4/create-recurring-payments/1001", bytes.NewReader(signed.Body()))
	r.Host = "gate.test"
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", signed.Authorization())
	return r
}

const plainURL = "http://gate.test/paynet/api/v4/create-recurring-payments/1001"

func now(nonce string) signature.OAuth {
	return signature.OAuth{ConsumerKey: "m1", Nonce: nonce, Timestamp: signature.Timestamp(time.Now())}
}

// serve returns status, reason and body of the answer.
func serve(t *testing.T, g *gateway.Gateway, r *http.Request) (int, gateway.Reason, string) {
	t.Helper()
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	var last []gateway.Request
	err := g.View(t.Context(), func(tx gateway.Tx) (err error) {
		last, err = tx.Requests().List(gateway.Query{Limit: 1})
		return err
	})
	if err != nil || len(last) == 0 {
		t.Fatal("no request is recorded", err)
	}
	if last[0].Status != w.Code {
		t.Errorf("%d is recorded, %d answered", last[0].Status, w.Code)
	}
	return w.Code, last[0].Reason, w.Body.String()
}

func TestBodyAtTheLimit(t *testing.T) {
	t.Parallel()
	body := bodyOf(payloadOf(nil))
	for _, c := range []struct {
		limit  int
		length int64
		reason gateway.Reason
	}{
		{len(body), int64(len(body)), ""},
		{len(body), -1, ""},
		{len(body) + 1, -1, ""},
		{len(body) - 1, int64(len(body)), gateway.ReasonTooLarge},
		{len(body) - 1, -1, gateway.ReasonTooLarge},
		{len(body), int64(len(body)) + 1, gateway.ReasonTooLarge},
	} {
		g := plain(t, gateway.Config{MaxBody: int64(c.limit)}, gateway.Registration{})
		r := request(t, plainURL, body, now("a"))
		r.ContentLength = c.length
		if _, reason, text := serve(t, g, r); reason != c.reason || text != "" {
			t.Errorf("limit %d, Content-Length %d of %d: %q %q", c.limit, c.length, len(body), reason, text)
		}
	}
}

// TestTheMerchantIsJudgedBeforeTheSize: a body that is too long is the reason only for who may send
// one.
func TestTheMerchantIsJudgedBeforeTheSize(t *testing.T) {
	t.Parallel()
	body := bodyOf(payloadOf(nil))
	for _, c := range []struct {
		login, path string
		reason      gateway.Reason
	}{
		{"m2", "1001", gateway.ReasonUnknownMerchant}, {"m1", "1002", gateway.ReasonUnknownEndpoint}, {"m1", "1001", gateway.ReasonTooLarge},
	} {
		g := plain(t, gateway.Config{MaxBody: int64(len(body)) - 1}, gateway.Registration{})
		for _, length := range []int64{-1, int64(len(body))} {
			o := now("size")
			o.ConsumerKey = c.login
			r := request(t, plainURL, body, o)
			r.RequestURI = "/paynet/api/v4/create-recurring-payments/" + c.path
			r.URL.Path, r.ContentLength = r.RequestURI, length
			if status, reason, _ := serve(t, g, r); status != http.StatusForbidden || reason != c.reason {
				t.Errorf("%s at %s: %d %q", c.login, c.path, status, reason)
			}
		}
	}
}

// TestUnknownSendersAreAlike: a login that is registered could differ from one that is not in
// whether the body is read, in the time that its signature takes, and in response parameters. An
// unknown sender sees no difference.
func TestUnknownSendersAreAlike(t *testing.T) {
	t.Parallel()
	body := bodyOf(payloadOf(nil))
	var first string
	for _, c := range []struct {
		reason, path, login string
		response            gateway.ResponseMode
	}{
		{"a wrong signature", "1001", "m1", gateway.ResponseEmpty},
		{"an unknown login", "1001", "m2", gateway.ResponseEmpty},
		{"an unknown endpoint", "1002", "m1", gateway.ResponseEmpty},
		{"a merchant with response parameters", "1001", "m1", gateway.ResponseParameters},
	} {
		g := plain(t, gateway.Config{}, gateway.Registration{Response: c.response})
		o := now("alike")
		o.ConsumerKey = c.login
		r := request(t, plainURL, "payload=other", o)
		r.URL.Path = "/paynet/api/v4/create-recurring-payments/" + c.path
		r.RequestURI = r.URL.Path
		source := strings.NewReader(body)
		r.Body, r.ContentLength = io.NopCloser(source), int64(len(body))
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		answer := fmt.Sprint(w.Code, w.Header(), w.Body.Len(), source.Len())
		if first == "" {
			first = answer
		}
		if answer != first || source.Len() > 0 || w.Code != http.StatusForbidden {
			t.Errorf("%s: %s, not %s", c.reason, answer, first)
		}
	}
}

// TestTheBodyIsNotReadForNobody: what can be refused by its headers alone is, whatever the body
// does.
func TestTheBodyIsNotReadForNobody(t *testing.T) {
	t.Parallel()
	g := plain(t, gateway.Config{}, gateway.Registration{})
	for _, header := range []string{"", "Basic eDp5", `OAuth oauth_nonce="n"`} {
		r := httptest.NewRequest("POST", "/paynet/api/v4/create-recurring-payments/1001", unreadable{t})
		r.Header.Set("Content-Type", formType)
		r.Header.Set("Authorization", header)
		serve(t, g, r)
	}
}

type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

func TestFreshnessAndReplays(t *testing.T) {
	t.Parallel()
	real := time.Unix(1_800_000_000, 0)
	at := func(d time.Duration, nonce string) signature.OAuth {
		return signature.OAuth{ConsumerKey: "m1", Nonce: nonce, Timestamp: signature.Timestamp(real.Add(d))}
	}
	body, bad := bodyOf(payloadOf(nil)), bodyOf(payloadOf(values{"amount": "x"}))
	g := plain(t, gateway.Config{Now: func() time.Time { return real }}, gateway.Registration{WindowS: 300, CheckReplays: true, Currency: "EUR"})
	for _, c := range []struct {
		name   string
		oauth  signature.OAuth
		body   string
		reason gateway.Reason
	}{
		{"now", at(0, "a"), body, ""},
		{"again", at(0, "a"), body, gateway.ReasonReplayed},
		{"the same nonce a second later", at(time.Second, "a"), body, ""},
		{"at the edge", at(300*time.Second, "b"), body, ""},
		{"at the other edge", at(-300*time.Second, "b"), body, ""},
		{"beyond it", at(301*time.Second, "c"), body, gateway.ReasonNotFresh},
		{"long ago", at(-301*time.Second, "c"), body, gateway.ReasonNotFresh},
		{"what was not fresh has not used its nonce", at(299*time.Second, "c"), body, ""},
		{"a bad payload", at(0, "d"), bad, gateway.ReasonPayload},
		{"a bad payload uses up its nonce, and the replay comes first", at(0, "d"), bad, gateway.ReasonReplayed},
		{"another body with a used nonce", at(0, "d"), body, gateway.ReasonReplayed},
	} {
		if _, reason, _ := serve(t, g, request(t, plainURL, c.body, c.oauth)); reason != c.reason {
			t.Errorf("%s: %q, not %q", c.name, reason, c.reason)
		}
	}
	open := plain(t, gateway.Config{}, gateway.Registration{})
	for range 2 { // L63: off unless asked for
		if _, reason, _ := serve(t, open, request(t, plainURL, body, signature.OAuth{ConsumerKey: "m1", Nonce: "a", Timestamp: "1"})); reason != "" {
			t.Errorf("without checks: %q", reason)
		}
	}
}

func TestPublicURL(t *testing.T) {
	t.Parallel()
	body := bodyOf(payloadOf(nil))
	const path = "/paynet/api/v4/create-recurring-payments/1001"
	for _, c := range []struct {
		public, signed string
		reason         gateway.Reason
	}{
		{"https://pay.example.com", "https://pay.example.com" + path, ""},
		{"https://pay.example.com/", "https://pay.example.com" + path, ""},
		{"https://pay.example.com:443", "https://pay.example.com" + path, ""},
		{"https://pay.example.com/base", "https://pay.example.com/base" + path, ""},
		{"https://pay.example.com", plainURL, gateway.ReasonMismatch},
		{"", plainURL, ""},
	} {
		g := plain(t, gateway.Config{PublicURL: c.public}, gateway.Registration{})
		if _, reason, _ := serve(t, g, request(t, c.signed, body, now("a"))); reason != c.reason {
			t.Errorf("%q, signed for %q: %q", c.public, c.signed, reason)
		}
	}
	hosts := plain(t, gateway.Config{PublicURL: "https://Pay.example.com", Hosts: []string{"127.0.0.1:8043"}}, gateway.Registration{})
	for host, foreign := range map[string]bool{"pay.example.com": false, "PAY.example.com": false, "127.0.0.1:8043": false, "127.0.0.1": true, "gate.test": true, "": true} {
		r := request(t, "https://Pay.example.com"+path, body, now("a"))
		r.Host = host
		if _, reason, _ := serve(t, hosts, r); (reason == gateway.ReasonHost) != foreign {
			t.Errorf("Host %q: %q", host, reason)
		}
	}
}

// TestOAuthInTheBody: the HMAC example has the OAuth parameters in the body, too (5.5.5, X12).
func TestOAuthInTheBody(t *testing.T) {
	t.Parallel()
	g := plain(t, gateway.Config{}, gateway.Registration{})
	o := now("a")
	o.InBody = true
	if _, reason, _ := serve(t, g, request(t, plainURL, bodyOf(payloadOf(nil)), o)); reason != "" {
		t.Error(reason)
	}
}

func TestKeysOfAMerchant(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	post := func() gateway.Reason {
		r, err := http.NewRequest("POST", m.URL, strings.NewReader(bodyOf(payloadOf(nil))))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", formType)
		do(t, gw.SigningClient(m), r)
		return lastReason(gw)
	}
	if reason := post(); reason != "" {
		t.Errorf("signed with RSA: %s", reason)
	}
	if _, err := gw.Gateway().Register(t.Context(), gateway.Registration{Login: "hmac", Endpoint: "7", ControlKey: "x"}); err != nil {
		t.Fatal(err)
	}
	m.Login, m.URL = "hmac", gw.URL+"/paynet/api/v4/create-recurring-payments/7"
	if reason := post(); reason != gateway.ReasonMismatch || !gw.Requests()[1].Findings.Has(signature.KeyMissing) {
		t.Errorf("signed with RSA for a merchant without a public key: %q %v", reason, gw.Requests()[1].Findings)
	}
	if _, err := gw.Gateway().SetKeys(t.Context(), "hmac", "", m.PublicKey); err != nil {
		t.Fatal(err)
	}
	if reason := post(); reason != "" {
		t.Errorf("after the key was registered: %s", reason)
	}
}

// TestAnotherKeyOfTheGateway: a control key cannot be opened with another key than it was sealed
// with, and that is said; RSA needs none.
func TestAnotherKeyOfTheGateway(t *testing.T) {
	t.Parallel()
	store := unclosed{gateway.NewMemory()}
	body := bodyOf(payloadOf(nil))
	first := plain(t, gateway.Config{Store: store, Key: bytes.Repeat([]byte{1}, 32)}, gateway.Registration{})
	if _, reason, _ := serve(t, first, request(t, plainURL, body, now("a"))); reason != "" {
		t.Fatal(reason)
	}
	for key, reason := range map[byte]gateway.Reason{1: "", 2: gateway.ReasonMismatch} {
		g, err := gateway.New(t.Context(), gateway.Config{Store: store, Key: bytes.Repeat([]byte{key}, 32)})
		if err != nil {
			t.Fatal(err)
		}
		if _, got, _ := serve(t, g, request(t, plainURL, body, now("a"))); got != reason {
			t.Errorf("key %d: %q", key, got)
		}
	}
}

// unclosed is a store that outlives its gateways.
type unclosed struct{ gateway.Store }

func (unclosed) Close() error { return nil }

// TestResponseParameters: records of 2.3, which our own reader takes (X1).
func TestResponseParameters(t *testing.T) {
	t.Parallel()
	g := plain(t, gateway.Config{}, gateway.Registration{Response: gateway.ResponseParameters, Currency: "EUR"})
	status, _, text := serve(t, g, request(t, plainURL, bodyOf(payloadOf(nil, values{"client-orderid": "b", "max-repeats-number": "0"})), now("a")))
	const want = "type=create-recurring-payment-response\n&recurring-payment-id=1\n&status=active\n&serial-number=1\n" +
		"type=create-recurring-payment-response\n&recurring-payment-id=2\n&status=stopped\n&serial-number=1\n"
	if status != 200 || text != want {
		t.Errorf("%d %q", status, text)
	}
	for _, c := range []struct {
		body  string
		kind  response.Type
		oauth signature.OAuth
	}{
		{bodyOf(payloadOf(values{"amount": "x"})), response.TypeValidationError, now("b")},
		{bodyOf(payloadOf(values{"currency": "USD"})), response.TypeValidationError, now("c")},
	} {
		status, reason, text := serve(t, g, request(t, plainURL, c.body, c.oauth))
		r, err := response.Parse(status, []byte(text))
		if err != nil || status != 403 || r.Outcome != response.OutcomeRejected || r.Type != c.kind || r.ErrorCode != "403" || r.ErrorMessage != reason.Message() || r.SerialNumber == "" {
			t.Errorf("%d %q: %+v %v", status, text, r, err)
		}
	}
	bad := request(t, plainURL, "payload=", now("d"))
	bad.Body = io.NopCloser(strings.NewReader("payload=x"))
	bad.ContentLength = -1
	if status, _, text = serve(t, g, bad); status != 403 || text != "" {
		t.Errorf("who did not sign has no parameters: %d %q", status, text)
	}
}

// TestWarningsAreKept: an accepted request has its warnings, and a refused one the errors behind
// many warnings.
func TestWarningsAreKept(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	s.create(values{"expire-month": "1"})
	if r := gw.Requests()[0]; !r.Findings.Has(rules.ExpireMonthOneDigit) || r.Errors != 0 || r.Profiles != 1 || r.First != 1 {
		t.Errorf("%+v", r)
	}
	rows := make([]values, 200)
	for i := range rows {
		rows[i] = values{"expire-month": "1", "client-orderid": string(rune('a'+i%26)) + strings.Repeat("x", i)[:i%90]}
	}
	rows[199]["amount"] = "x"
	s.post(bodyOf(payloadOf(rows...)))
	r := gw.Requests()[1]
	if !r.Findings.Has(rules.AmountSyntax) || r.Errors != 1 || len(r.Findings) > 50 || r.Profiles != 0 {
		t.Errorf("%d findings, %d errors, amount-syntax %v", len(r.Findings), r.Errors, r.Findings.Has(rules.AmountSyntax))
	}
	if n := r.Findings.Count(ledger.SeverityWarning); n == 0 {
		t.Error("no warning is left")
	}
}

// TestAStoreThatFails: the document's 403, nothing created, nothing shown.
func TestAStoreThatFails(t *testing.T) {
	t.Parallel()
	store := &failing{Store: gateway.NewMemory()}
	g := plain(t, gateway.Config{Store: store}, gateway.Registration{})
	store.fails = true
	w := httptest.NewRecorder()
	g.ServeHTTP(w, request(t, plainURL, bodyOf(payloadOf(nil)), now("a")))
	if w.Code != 403 || w.Body.Len() > 0 {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest("POST", "/_sandbox/v1/reset", nil))
	if w.Code != 500 || strings.Contains(w.Body.String(), "disk") {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	store.fails = false
	err := g.View(t.Context(), func(tx gateway.Tx) error {
		profiles, err := tx.Profiles().List(gateway.Query{})
		if len(profiles) > 0 {
			t.Error("a profile was created")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// failing is a store whose transactions fail at their end.
type failing struct {
	gateway.Store
	fails bool
}

func (f *failing) Update(ctx context.Context, do func(gateway.Tx) error) error {
	return f.Store.Update(ctx, func(tx gateway.Tx) error {
		if err := do(tx); err != nil || !f.fails {
			return err
		}
		return errors.New("the disk /dev/secret is full")
	})
}
