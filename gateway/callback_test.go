package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// A receiver takes callbacks, and answers with a status.
type receiver struct {
	mu     sync.Mutex
	got    []string
	at     []time.Time
	status func(n int, form url.Values) int // of the n-th callback, from 1
}

func (c *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	c.mu.Lock()
	c.got = append(c.got, string(body))
	c.at = append(c.at, time.Now())
	n := len(c.got)
	c.mu.Unlock() // a bubble's time stands still while somebody waits for a lock
	if r.Header.Get("X-Chargecast-Sandbox") != "1" || r.Method != "POST" {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if c.status != nil {
		w.WriteHeader(c.status(n, form))
	}
}

func (c *receiver) list() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.got)
}

// TestCallbacksInABubble: with time of the bubble's own, the pauses are those that the contract
// names.
func TestCallbacksInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shop := &receiver{status: func(n int, _ url.Values) int { return 503 }}
		pauses := []time.Duration{1 * time.Second, 5 * time.Second, 30 * time.Second, 120 * time.Second, 600 * time.Second}
		gw := receiving(t, gatewaytest.Options{Pauses: pauses}, shop)
		s := newSender(t, gw)
		s.create(values{"client-orderid": "order 1", "start-date": "02.01.2026", "server_callback_url": "https://shop.example/cb"})
		began := time.Now()
		gw.Advance(calendar.MustParse("2026-01-02"))
		var waited []time.Duration
		for _, at := range shop.at {
			waited = append(waited, at.Sub(began))
		}
		const want = "[0s 1s 6s 36s 2m36s 12m36s]"
		if fmt.Sprint(waited) != want {
			t.Errorf("%v, not %s", waited, want)
		}
		b := gw.Callbacks()[0]
		if b.State != gateway.CallbackFailed || len(b.Attempts) != 6 || b.Attempts[5].Status != 503 || !b.Next.IsZero() {
			t.Errorf("%+v", b)
		}
		const form = "client-orderid=order%201&recurring-payment-id=1&status=approved&amount=9.90&currency=EUR&repeat=0&date=2026-01-02"
		if shop.got[0] != form {
			t.Error(shop.got[0])
		}
		shop.status = nil
		if _, err := gw.Gateway().Resend(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if b := gw.Callbacks()[0]; b.State != gateway.CallbackDelivered || len(b.Attempts) != 7 {
			t.Errorf("%+v", b)
		}
	})
}

// TestTheClockWaitsForFirstAttempts alone: not for those that have to be tried again, nor for those
// behind them.
func TestTheClockWaitsForFirstAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shop := &receiver{status: func(_ int, form url.Values) int {
			if form.Get("client-orderid") == "bad" {
				return 500
			}
			time.Sleep(time.Second)
			return 200
		}}
		gw := receiving(t, gatewaytest.Options{Pauses: []time.Duration{time.Hour}}, shop)
		s := newSender(t, gw)
		s.create(
			values{"client-orderid": "good", "period": "day", "start-date": "02.01.2026", "notify_url": "https://shop.example/cb"},
			values{"client-orderid": "bad", "period": "day", "start-date": "02.01.2026", "notify_url": "https://shop.example/cb"},
		)
		began := time.Now()
		a, err := gw.Gateway().Advance(t.Context(), calendar.MustParse("2026-01-04"))
		if err != nil || a.Callbacks != 6 {
			t.Fatalf("%+v %v", a, err)
		}
		if waited := time.Since(began); waited < 3*time.Second || waited > time.Minute {
			t.Errorf("it took %s", waited)
		}
		states := map[gateway.CallbackState]int{}
		for _, b := range gw.Callbacks() {
			states[b.State]++
		}
		if states[gateway.CallbackDelivered] != 3 || states[gateway.CallbackPending] != 3 {
			t.Errorf("%v", states)
		}
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestTheClockWaitsForNoLaterCreate: callbacks that are made once it is there hold nobody up,
// however many they are.
func TestTheClockWaitsForNoLaterCreate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shop := &receiver{status: func(int, url.Values) int {
			time.Sleep(time.Second)
			return 200
		}}
		gw := receiving(t, gatewaytest.Options{}, shop)
		s := newSender(t, gw)
		order := func(id, start string) {
			s.create(values{"client-orderid": id, "start-date": start, "max-repeats-number": "3", "period": "day", "notify_url": "https://shop.example"})
		}
		order("first", "02.01.2026")
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for n := 0; ctx.Err() == nil; n++ { // more than one is always under way
				order(fmt.Sprint("later ", n), "04.01.2026")
				time.Sleep(100 * time.Millisecond)
			}
		}()
		began := time.Now()
		ask(t, gw, 200, "POST", "clock", `{"to":"2026-01-04"}`)
		waited := time.Since(began)
		stop()
		<-done
		if waited < 3*time.Second || waited > 6*time.Second {
			t.Errorf("it took %s", waited)
		}
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestTheClockWaitsForNoRetry, also of a receiver that hangs: the pause begins when an attempt has
// ended, and what is tried again at once holds nobody up.
func TestTheClockWaitsForNoRetry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profiles int
		pause    time.Duration
		want     string // how long the clock waited, and when the first receiver was called
	}{
		{1, 2 * time.Second, "10s [0s 12s 24s]"},
		{1, 0, "10s [0s 10s 20s]"},
		{40, time.Second, "30s"}, // 16 at a time; the last 8 of them beside retries
	} {
		synctest.Test(t, func(t *testing.T) {
			shop := &receiver{status: func(int, url.Values) int {
				time.Sleep(10 * time.Second)
				return 504
			}}
			gw := receiving(t, gatewaytest.Options{Pauses: []time.Duration{c.pause, c.pause}}, shop)
			s := newSender(t, gw)
			rows := make([]values, c.profiles)
			for i := range rows {
				rows[i] = values{"client-orderid": fmt.Sprint(i), "start-date": "02.01.2026", "notify_url": "https://shop.example"}
			}
			s.create(rows...)
			began := time.Now()
			if _, err := gw.Gateway().Advance(t.Context(), calendar.MustParse("2026-01-02")); err != nil {
				t.Fatal(err)
			}
			got := time.Since(began).String()
			if err := gw.Gateway().Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			if c.profiles == 1 {
				var at []time.Duration
				for _, called := range shop.at {
					at = append(at, called.Sub(began))
				}
				got += fmt.Sprint(" ", at)
			}
			if got != c.want {
				t.Errorf("%d profiles, a pause of %s: %s, not %s", c.profiles, c.pause, got, c.want)
			}
		})
	}
}

// TestCallbacksComeInOrder per profile, whatever fails in between, each at least once.
func TestCallbacksComeInOrder(t *testing.T) {
	t.Parallel()
	shop := &receiver{status: func(n int, _ url.Values) int {
		if n%3 == 0 {
			return 500
		}
		return 204
	}}
	gw := receiving(t, gatewaytest.Options{Pauses: []time.Duration{1, 1, 1, 1, 1, 1}}, shop)
	s := newSender(t, gw)
	var rows []values
	for i := range 20 {
		rows = append(rows, values{"client-orderid": fmt.Sprint("p", i), "period": "day", "start-date": "02.01.2026", "notify_url": "https://shop.example/cb"})
	}
	s.create(rows...)
	ask(t, gw, 201, "POST", "outcomes", `{"profile":"p7","repeat":2,"outcome":"declined"}`)
	gw.Advance(calendar.MustParse("2026-01-09"))
	last, seen, declined := map[string]string{}, map[string]bool{}, 0
	for _, body := range shop.list() {
		form, err := url.ParseQuery(body)
		if err != nil {
			t.Fatal(err)
		}
		id, repeat := form.Get("client-orderid"), form.Get("repeat")
		if repeat < last[id] {
			t.Errorf("%s: %s after %s", id, repeat, last[id])
		}
		last[id], seen[id+"/"+repeat] = repeat, true
		if form.Get("status") == "declined" {
			declined++
		}
	}
	if len(seen) != 160 || declined == 0 {
		t.Errorf("%d of 160, %d declined", len(seen), declined)
	}
}

// TestCallbacksOverSockets: to this machine alone, judged where it is connected to, and without
// following redirects.
func TestCallbacksOverSockets(t *testing.T) {
	t.Parallel()
	shop := &receiver{}
	server := httptest.NewServer(shop)
	t.Cleanup(server.Close)
	moved := httptest.NewServer(http.RedirectHandler(server.URL, http.StatusTemporaryRedirect))
	t.Cleanup(moved.Close)
	busy, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	silent := busy.LocalAddr().String() // where nobody listens, nor can begin to
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	gw := gatewaytest.Options{Pauses: []time.Duration{}}.New(t)
	s := newSender(t, gw)
	for i, c := range []struct{ url, state, attempt string }{
		{server.URL + "/a?token=secret", "delivered", "200 "},
		{"http://user:secret@127.0.0.1:" + port + "/a", "delivered", "200 "},
		{moved.URL, "failed", "307 "},
		{"http://" + silent, "failed", "0 connection"},
		{"http://192.0.2.1/a", "failed", "0 not-loopback"},
		{"http://[::ffff:192.0.2.1]/a", "failed", "0 not-loopback"},
		{"http://0.0.0.0:" + port, "failed", "0 not-loopback"},
		{"http://169.254.169.254/latest", "failed", "0 not-loopback"},
	} {
		s.create(values{"start-date": "01.01.2026", "client-orderid": fmt.Sprint("o", i), "notify_url": c.url})
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		list := gw.Callbacks()
		b := list[len(list)-1]
		if b.State.String() != c.state || fmt.Sprint(b.Attempts[0].Status, " ", b.Attempts[0].Error) != c.attempt {
			t.Errorf("%s: %s %+v", c.url, b.State, b.Attempts)
		}
	}
	if n := len(shop.list()); n != 2 {
		t.Errorf("%d callbacks arrived", n)
	}
	_, text := admin(t, gw, "GET", "callbacks", "")
	if strings.Contains(text, "secret") || !strings.Contains(text, "token=***") {
		t.Error(text)
	}
}

// TestCallbackTemplates: a merchant's own content, with the parameters filled in.
func TestCallbackTemplates(t *testing.T) {
	t.Parallel()
	shop := &receiver{}
	gw := receiving(t, gatewaytest.Options{}, shop)
	s := newSender(t, gw)
	register := func(login, endpoint, contentType, body string) (int, string) {
		t.Helper()
		quoted, err := json.Marshal(map[string]any{
			"login": login, "endpoint": endpoint, "control_key": "k", "callback": map[string]string{"content_type": contentType, "body": body},
		})
		if err != nil {
			t.Fatal(err)
		}
		return admin(t, gw, "POST", "merchants", string(quoted))
	}
	for i, c := range []struct{ contentType, body, want string }{
		{"application/json", `{"id":"{client-orderid}","sum":{amount}}`, `{"id":"tm\"x\\ &ü","sum":9.90}`},
		{"", `["{client-orderid}"]`, `["tm\"x\\ &ü"]`},
		{"application/x-www-form-urlencoded; charset=utf-8", `id={client-orderid}&sum={amount}`, `id=tm%22x%5C%20%26%C3%BC&sum=9.90`},
		{"text/plain", `{client-orderid} {status} {}{ }`, `tm"x\ &ü approved {}{ }`},
	} {
		name := fmt.Sprint("x", i)
		if status, text := register(name, name, c.contentType, c.body); status != http.StatusCreated {
			t.Fatal(text)
		}
		s.m.Login, s.m.ControlKey, s.m.URL = name, "k", gw.URL+"/paynet/api/v4/create-recurring-payments/"+name
		s.create(values{"client-orderid": `tm"x\ &ü`, "start-date": "01.01.2026", "notify_url": "https://shop.example"})
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := shop.list(); len(got) != i+1 || got[i] != c.want {
			t.Errorf("%s: %s", c.body, got)
		}
	}
	for _, c := range []struct{ contentType, body string }{{"a\nb", "x"}, {"application/json", `{"x":"{nope}"}`}, {"", "{Amount}"}} {
		if status, text := register("y", "8", c.contentType, c.body); status != http.StatusBadRequest || !strings.Contains(text, `"field":"callback"`) {
			t.Errorf("%s: %d %s", c.body, status, text)
		}
	}
}

// TestCallbacksSurviveARestart: what is pending is taken up again, and nothing twice.
func TestCallbacksSurviveARestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := unclosed{gateway.NewMemory()}
		down, up := &receiver{status: func(int, url.Values) int { return 500 }}, &receiver{}
		first := receiving(t, gatewaytest.Options{Store: store, Pauses: []time.Duration{time.Hour}}, down)
		s := newSender(t, first)
		s.create(values{"period": "day", "start-date": "02.01.2026", "notify_url": "https://shop.example"})
		if _, err := first.Gateway().Advance(t.Context(), calendar.MustParse("2026-01-05")); err != nil {
			t.Fatal(err)
		}
		if err := first.Gateway().Close(); err != nil {
			t.Fatal(err)
		}
		second := receiving(t, gatewaytest.Options{Store: store, Pauses: []time.Duration{time.Hour}}, up)
		synctest.Wait()
		if n := len(up.list()); n != 0 {
			t.Errorf("%d callbacks before their time", n)
		}
		if b, err := second.Gateway().Resend(t.Context(), 1); err != nil || b.State != gateway.CallbackPending {
			t.Fatal(b, err)
		}
		if err := second.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := up.list(); len(got) != 4 || len(down.list()) != 1 {
			t.Errorf("%v after %v", got, down.list())
		}
	})
}

// TestCallbacksOfADroppedPast: what was on its way when everything was reset does not come back.
func TestCallbacksOfADroppedPast(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}, 2), make(chan struct{})
	shop := &receiver{status: func(int, url.Values) int { entered <- struct{}{}; <-leave; return 200 }}
	gw := receiving(t, gatewaytest.Options{}, shop)
	s := newSender(t, gw)
	s.create(values{"start-date": "01.01.2026", "notify_url": "https://shop.example"})
	<-entered
	ask(t, gw, 200, "POST", "reset", "")
	s.create(values{"client-orderid": "new", "start-date": "01.01.2026", "notify_url": "https://shop.example"})
	<-entered
	close(leave)
	if err := gw.Gateway().Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := gw.Callbacks(); len(list) != 1 || list[0].ID != 1 || len(list[0].Attempts) != 1 {
		t.Errorf("%+v", list)
	}
	if p := gw.Profiles(); len(p) != 1 || p[0].ID != 1 || p[0].ClientOrderID != "new" {
		t.Errorf("%+v", p)
	}
}

// A moody store refuses every change while fail is set.
type moody struct {
	gateway.Store
	mu   sync.Mutex
	fail bool
}

func (m *moody) Update(ctx context.Context, do func(gateway.Tx) error) error {
	m.mu.Lock()
	fail := m.fail
	m.mu.Unlock()
	if fail {
		return errCut
	}
	return m.Store.Update(ctx, do)
}

func (m *moody) set(fail bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = fail
}

// TestCallbacksWhileTheStoreFails: an attempt that cannot be recorded is recorded later, before
// anything else of its profile is sent, without a restart.
func TestCallbacksWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &moody{Store: gateway.NewMemory()}
		shop := &receiver{status: func(n int, _ url.Values) int {
			if n == 1 {
				store.set(true)
				time.AfterFunc(time.Minute, func() { store.set(false) })
			}
			return 200
		}}
		gw := receiving(t, gatewaytest.Options{Store: store}, shop)
		s := newSender(t, gw)
		s.create(values{"period": "day", "start-date": "02.01.2026", "notify_url": "https://shop.example"})
		gw.Advance(calendar.MustParse("2026-01-04"))
		var repeats []string
		for _, body := range shop.list() {
			form, _ := url.ParseQuery(body)
			repeats = append(repeats, form.Get("repeat"))
		}
		if got := strings.Join(repeats, " "); got != "0 1 2" {
			t.Error(got)
		}
		for _, b := range gw.Callbacks() {
			if b.State != gateway.CallbackDelivered || len(b.Attempts) != 1 {
				t.Errorf("%+v", b)
			}
		}
	})
}

// TestAHungReceiver holds up its own merchant alone.
func TestAHungReceiver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var good time.Duration
		shop := &receiver{status: func(_ int, form url.Values) int {
			if form.Get("client-orderid") == "good" {
				good = time.Since(began)
			} else {
				time.Sleep(time.Hour)
			}
			return 200
		}}
		gw := receiving(t, gatewaytest.Options{Pauses: []time.Duration{}}, shop)
		hung := newSender(t, gw)
		for i := range 100 {
			hung.create(values{"client-orderid": fmt.Sprint("bad", i), "start-date": "02.01.2026", "notify_url": "https://shop.example"})
		}
		newSender(t, gw).create(values{"client-orderid": "good", "start-date": "02.01.2026", "notify_url": "https://other.example"})
		if _, err := gw.Gateway().Advance(t.Context(), calendar.MustParse("2026-01-02")); err != nil {
			t.Fatal(err)
		}
		if good > time.Second {
			t.Errorf("the callback of the other merchant came after %s", good)
		}
	})
}
