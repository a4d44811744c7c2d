package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// secretValues are of a request what must not be seen anywhere.
var secretValues = map[string]string{
	"card number": cardNumber, "cvv2": cvv, "control key": "secret-of-m1", "name on the card": "ANNA MUSTER", "e-mail": "anna@example.com",
	"ssn": "078-05-1120", "phone": "+49 30 123", "password in a URL": "pa55", "token in a URL": "t0ken", "value in a query": "qu3ry",
	"cookie": "c00kie", "card number in free text": "4000-0566-5566-5556",
}

// TestNoSecretIsKeptOrShown: of everything that comes in, once accepted and once refused for each
// reason, nothing of it is in the store, in an answer or in a log.
func TestNoSecretIsKeptOrShown(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	store := gateway.NewMemory()
	g := plain(t, gateway.Config{Store: store, Callbacks: gateway.CallbacksOff, Key: make([]byte, 32), Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))},
		gateway.Registration{Currency: "EUR"})
	row := values{
		"client-orderid": cardNumber, "ssn": "078-05-1120", "phone": "+49 30 123", "order_desc": "card 4000-0566-5566-5556 ok",
		"notify_url": "https://u:pa55@shop.example/cb?token=t0ken", "start-date": "01.01.2026",
	}
	bad := values{"amount": "x", "city": cardNumber}
	maps.Copy(bad, row)
	for i, r := range []*http.Request{
		request(t, plainURL, bodyOf(payloadOf(row)), now("a")),
		request(t, plainURL, bodyOf(payloadOf(bad)), now("b")),
		request(t, plainURL, bodyOf(payloadOf(row))+"&"+cardNumber+"=1", now("c")),
		request(t, "http://other.test/x", bodyOf(payloadOf(row)), now("d")),
		request(t, plainURL, cardNumber+"="+cvv, now("4000-0566-5566-5556")),
		request(t, plainURL, bodyOf(payloadOf(values{"currency": "USD", "client-orderid": cardNumber})), now("f")),
	} {
		r.Header.Set("Cookie", "session=c00kie")
		r.Header.Set("User-Agent", "agent "+cardNumber)
		switch i {
		case 4:
			r.RequestURI += "/" + cardNumber + "?card=qu3ry"
		case 5:
			r.RequestURI = strings.Replace(r.RequestURI, "1001", "%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31", 1)
		}
		g.ServeHTTP(&discard{}, r)
	}
	if _, err := g.Advance(t.Context(), calendar.MustParse("2026-03-01")); err != nil {
		t.Fatal(err)
	}
	everything := map[string]string{"log": log.String(), "store": dump(t, store)}
	for _, path := range []string{
		"profiles", "profiles/1", "charges", "merchants", "outcomes", "callbacks", "requests", "requests/1", "requests/2",
		"requests/3", "requests/4", "requests/5", "requests/6",
	} {
		w := &discard{}
		r, err := http.NewRequest("GET", "http://gate.test/_sandbox/v1/"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.RequestURI = r.URL.RequestURI()
		g.ServeHTTP(w, r)
		if w.status != 200 {
			t.Errorf("%s: %d %s", path, w.status, w.body.String())
		}
		everything[path] = w.body.String()
	}
	fraction := regexp.MustCompile(`:\d\d\.\d+|, \d+, time`) // of a second: it can have the digits of cvv2
	for place, text := range everything {
		text = fraction.ReplaceAllString(text, "")
		for name, secret := range secretValues {
			if place == "store" && (name == "password in a URL" || name == "token in a URL") {
				continue // callbacks are sent there
			}
			if strings.Contains(text, secret) {
				i := strings.Index(text, secret)
				t.Errorf("%s has the %s: …%s…", place, name, text[max(0, i-60):min(len(text), i+60)])
			}
		}
	}
	if !strings.Contains(everything["profiles/1"], "411111******1111") {
		t.Errorf("the card does not show: %s", everything["profiles/1"])
	}
	if strings.Contains(everything["store"], "cvv2") || strings.Contains(everything["profiles/1"], "cvv2") {
		t.Error("the column cvv2 is kept")
	}
	if everything["profiles"] == "" || !strings.Contains(everything["requests"], "payload-invalid") {
		t.Error("the test sees nothing")
	}
}

// dump is all that a store has, in every form that a value prints itself in.
func dump(t *testing.T, s gateway.Store) string {
	t.Helper()
	var b strings.Builder
	write := func(rows any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n%+v\n%#v\n", text, rows, rows)
	}
	err := s.View(t.Context(), func(tx gateway.Tx) error {
		q := gateway.Query{}
		write(tx.Merchants().List(q))
		write(tx.Profiles().List(q))
		charges, err := tx.Charges().List(q)
		fmt.Fprintf(&b, "%+v\n%#v\n", charges, charges) // their form is a binary one
		if err != nil {
			t.Fatal(err)
		}
		write(tx.Requests().List(q))
		write(tx.Callbacks().List(q))
		write(tx.Outcomes().List(q))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRecordsAreJSON: a store can keep every record but a charge as JSON and read it back, so that
// none is forgotten; a charge has its binary form.
func TestRecordsAreJSON(t *testing.T) {
	t.Parallel()
	g := plain(t, gateway.Config{}, gateway.Registration{Currency: "EUR"})
	g.ServeHTTP(&discard{}, request(t, plainURL, bodyOf(payloadOf(values{"start-date": "01.01.2026", "notify_url": "http://192.0.2.1"})), now("a")))
	g.ServeHTTP(&discard{}, request(t, "http://a.test/", bodyOf(payloadOf(nil)), now("b")))
	if err := g.View(t.Context(), func(tx gateway.Tx) error {
		roundTrip(t, tx.Merchants())
		roundTrip[gateway.Profile](t, tx.Profiles())
		roundTrip(t, tx.Requests())
		roundTrip(t, tx.Callbacks())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func roundTrip[T gateway.Keyed](t *testing.T, table gateway.Table[T]) {
	t.Helper()
	rows, err := table.List(gateway.Query{})
	if err != nil || len(rows) == 0 {
		t.Fatalf("%T: no rows, %v", table, err)
	}
	for _, row := range rows {
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		var read T
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, want := fmt.Sprintf("%+v", read), fmt.Sprintf("%+v", row); got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
	}
}

type discard struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (d *discard) Header() http.Header {
	if d.header == nil {
		d.header = http.Header{}
	}
	return d.header
}
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(b []byte) (int, error) { return d.body.Write(b) }

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestASelectorIsNoCardNumber: an outcome and a fault for the client-orderid of a profile apply to
// it, whatever digits it has, and where it may be a card number it is kept and shown as the
// profile's is.
func TestASelectorIsNoCardNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ order, selector, shown, want string }{
		{cardNumber, cardNumber, "411111******1111", "dl"},
		{cardNumber, "411111******1111", "411111******1111", "dl"},
		{"id-4111-1111-1111-1111", "id-4111-1111-1111-1111", "id-4111-11**-****-1111", "dl"},
		{"20260131123456", "20260131123456", "202601****3456", "dl"}, // not its card number
		{"20260131123456", "20260199993456", "202601****3456", "a"},
		{"order-1", "order-1", "order-1", "dl"},
	} {
		store := gateway.NewMemory()
		gw := receiving(t, gatewaytest.Options{Store: unclosed{store}}, &receiver{})
		s := newSender(t, gw)
		outcome := ask(t, gw, 201, "POST", "outcomes", `{"profile":"`+c.selector+`","outcome":"declined"}`)
		fault := ask(t, gw, 201, "POST", "faults", `{"kind":"callback-lost","where":{"profile":"`+c.selector+`"}}`)
		s.create(values{"client-orderid": c.order, "start-date": "01.01.2026", "notify_url": "https://shop.example"})
		got := gw.Charges()[0].Charge.Outcome.String()[:1]
		if gw.Callbacks()[0].Fault == gateway.FaultCallbackLost {
			got += "l"
		}
		where, _ := fault["where"].(map[string]any)
		if got != c.want || outcome["profile"] != c.shown || where["profile"] != c.shown {
			t.Errorf("%s for %s: %s, %v, %v", c.selector, c.order, got, outcome, fault)
		}
		var kept []any
		err := store.View(t.Context(), func(tx gateway.Tx) error {
			outcomes, err := tx.Outcomes().List(gateway.Query{})
			faults, err2 := tx.Faults().List(gateway.Query{})
			kept = append(kept, outcomes, faults)
			return errors.Join(err, err2)
		})
		if text := fmt.Sprintf("%+v", kept); err != nil || strings.Contains(text, cardNumber) || strings.Contains(text, "1111-1111") {
			t.Error(text, err)
		}
	}
}
