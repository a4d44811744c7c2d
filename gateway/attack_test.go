package gateway_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/signature"
)

// TestAddressesOfCallbacksInDisguise: what looks like this machine and is another one is not
// connected to.
func TestAddressesOfCallbacksInDisguise(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.Options{Pauses: []time.Duration{}}.New(t)
	s := newSender(t, gw)
	tried := 0
	for i, url := range []string{
		"http://127.0.0.1@192.0.2.1/", "http://192.0.2.1/?@127.0.0.1", "http://192.0.2.1/127.0.0.1", "http://[::ffff:c000:201]/", "http://[64:ff9b::c000:201]/",
		"http://[2002:c000:201::]/", "http://[::192.0.2.1]/", "http://[::]/", "http://0/", "https://192.0.2.1/", "http://192.0.2.1:0/",
	} {
		status, _ := s.post(bodyOf(payloadOf(values{"start-date": "01.01.2026", "client-orderid": fmt.Sprint("o", i), "notify_url": url})))
		if status != 200 {
			continue // the payload's rules refuse it already
		}
		tried++
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		list := gw.Callbacks()
		if b := list[len(list)-1]; b.State != gateway.CallbackFailed || b.Attempts[0].Status != 0 {
			t.Errorf("%s: %s %+v", url, b.State, b.Attempts)
		}
	}
	if tried < 5 {
		t.Errorf("%d addresses were tried: that says little", tried)
	}
}

// TestCallbacksToTheGatewayItself: a payload names the admin interface as its callback address, so
// that the gateway itself would drop what it accepted, or send callbacks to itself for ever.
func TestCallbacksToTheGatewayItself(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.Options{Pauses: []time.Duration{}}.New(t)
	s := newSender(t, gw)
	ask(t, gw, 201, "POST", "snapshots", "")
	targets := []string{"snapshots/1/restore", "callbacks/1/resend", "callbacks/4/resend", "callbacks/3/resend", "reset", "profiles/1/stop", "clock"}
	for i, target := range targets {
		s.create(values{"start-date": "01.01.2026", "client-orderid": fmt.Sprint("o", i), "notify_url": gw.URL + "/_sandbox/v1/" + target})
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(gw.Profiles()); n != len(targets) {
		t.Errorf("%d of %d profiles are left", n, len(targets))
	}
	for i, b := range gw.Callbacks() {
		if b.State != gateway.CallbackFailed || len(b.Attempts) != 1 || b.Attempts[0].Status != 403 {
			t.Errorf("%s: %s %+v", targets[i], b.State, b.Attempts)
		}
	}
}

// TestHeaderInjection: no value that a client sends or a merchant registers begins a line of a
// header, neither in an answer nor in a callback.
func TestHeaderInjection(t *testing.T) {
	t.Parallel()
	heads := make(chan string, 16)
	shop := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		_ = r.Header.Write(&b)
		heads <- b.String()
	})
	gw := receiving(t, gatewaytest.Options{Response: gateway.ResponseParameters}, shop)
	s := newSender(t, gw)
	const evil = "a\r\nInjected: 1\r\n\r\n<b>"
	body := bodyOf(payloadOf(nil))
	answers := []string{}
	for _, request := range []string{
		s.message(body, map[string]string{"": "POST /paynet/api/v4/create-recurring-payments/1001%0d%0aInjected:%201 HTTP/1.1"}),
		s.message(body, map[string]string{"Authorization": `Authorization: OAuth oauth_consumer_key="m1%0D%0AInjected%3A%201"`}),
		s.message(bodyOf(payloadOf(values{"client-orderid": evil, "notify_url": "http://127.0.0.1/"})), nil),
		s.message(bodyOf(payloadOf(values{"client-orderid": "ok", "start-date": "01.01.2026", "city": evil, "notify_url": "http://127.0.0.1/%0d%0aInjected:%201"})), nil),
		"GET /_sandbox/v1/profiles?q=%0d%0aInjected:%201 HTTP/1.1\r\nHost: " + host(gw) + "\r\n\r\n",
		"GET /_sandbox/v1/%0d%0aInjected:%201 HTTP/1.1\r\nHost: " + host(gw) + "\r\n\r\n",
	} {
		response, _ := exchange(t, gw, request)
		var b bytes.Buffer
		_ = response.Header.Write(&b)
		answers = append(answers, b.String())
	}
	for _, template := range []string{"text/plain\r\nInjected: 1", "text/plain\nInjected: 1", "text/plain\x00"} {
		_, err := gw.Gateway().Register(t.Context(), gateway.Registration{Login: "x", Endpoint: "9", Callback: gateway.CallbackTemplate{ContentType: template, Body: "a"}})
		if !errors.Is(err, gateway.InputForm) {
			t.Errorf("%q is taken: %v", template, err)
		}
	}
	if err := gw.Gateway().Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(heads)
	for head := range heads {
		answers = append(answers, head)
	}
	if len(answers) < 7 {
		t.Errorf("no callback arrived")
	}
	for _, head := range answers {
		if strings.Contains(head, "\nInjected") || strings.HasPrefix(head, "Injected") {
			t.Errorf("%q", head)
		}
	}
}

// endless is a body without an end.
type endless struct {
	piece []byte
	sent  int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.piece)
	e.sent += n
	return n, nil
}

// TestEndlessBodies are refused once the limit is passed: what is behind it is not read, and
// nothing of it is held.
func TestEndlessBodies(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	g := plain(t, gateway.Config{MaxBody: limit}, gateway.Registration{})
	for _, c := range []struct {
		reason, path string
		status       int
	}{
		{"a create request", "/paynet/api/v4/create-recurring-payments/1001", 403},
		{"the admin interface", "/_sandbox/v1/outcomes", 413},
	} {
		body := &endless{piece: bytes.Repeat([]byte("payload=aaaa&"), 1000)}
		r := request(t, plainURL, "payload=YQ%3D%3D", now("endless"))
		r.URL.Path, r.RequestURI = c.path, c.path
		r.Body, r.ContentLength = io.NopCloser(body), -1
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != c.status || body.sent > 2*limit {
			t.Errorf("%s: %d after %d bytes", c.reason, w.Code, body.sent)
		}
	}
	// Over a socket, headers without an end and a body that promises no length.
	gw := gatewaytest.New(t)
	for _, start := range []string{"POST /paynet/x HTTP/1.1\r\nHost: " + host(gw) + "\r\nX: ", "POST /"} {
		c := dial(t, gw)
		piece := strings.Repeat("x", 64<<10)
		_, err := io.WriteString(c, start)
		for n := 0; err == nil && n < 1000; n++ {
			_, err = io.WriteString(c, piece)
		}
		if err == nil {
			t.Errorf("%.10q: 64 MB of it are read", start)
		}
	}
}

// TestPathTricksInTheAdminInterface: an id is one segment of digits, whatever it is written as.
func TestPathTricksInTheAdminInterface(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(nil)
	for _, target := range []string{
		"/_sandbox/v1/profiles/1/../1", "/_sandbox/v1/profiles/..%2f1", "/_sandbox/v1/profiles/%2e%2e/clock", "/_sandbox/v1/profiles/1%00", "/_sandbox/v1//profiles/1",
		"/_sandbox/v1/profiles/1/", "/_sandbox/v1/profiles/01", "/_sandbox/v1/profiles/+1", "/_sandbox/v1/profiles/-1", "/_sandbox/v1/profiles/1;a", "/_sandbox/v1/profiles/%zz",
		"/_sandbox/v1/profiles/99999999999999999999", "/_sandbox/v1/../v1/clock", "/_sandbox/v1/./clock", "/_sandbox/V1/clock", "/_sandbox%2fv1/clock", "//_sandbox/v1/clock", "/paynet/../_sandbox/v1/clock",
	} {
		response, text := exchange(t, gw, "GET "+target+" HTTP/1.1\r\nHost: "+host(gw)+"\r\n\r\n")
		if response.StatusCode != 400 && response.StatusCode != 403 && response.StatusCode != 404 || strings.Contains(text, "order-1") || strings.Contains(text, "now") {
			t.Errorf("%s: %d %s", target, response.StatusCode, text)
		}
	}
}

// TestWrongSignaturesLookAlike: the check of a signature that is wrong in its first byte, in its
// last byte or in all of them takes the same steps, as far as allocations show them, and gives the
// same answer and record.
func TestWrongSignaturesLookAlike(t *testing.T) {
	g := plain(t, gateway.Config{}, gateway.Registration{})
	body := bodyOf(payloadOf(nil))
	// One signature for all times: a byte that is changed may need escapes, and a longer text another
	// allocation.
	signed := signature.OAuth{ConsumerKey: "m1", Nonce: "alike", Timestamp: "1800000000"}
	r := request(t, plainURL, body, signed)
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), `oauth_signature="`)
	right, _, _ := strings.Cut(rest, `"`)
	text, err := url.QueryUnescape(right)
	if err != nil {
		t.Fatal(err)
	}
	mac, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	flip := func(i int) string {
		wrong := bytes.Clone(mac)
		wrong[i] ^= 1
		return url.QueryEscape(base64.StdEncoding.EncodeToString(wrong))
	}
	last := len(mac) - 1
	var first string
	for _, c := range []struct{ reason, signature string }{
		{"the first byte", flip(0)}, {"the last byte", flip(last)}, {"one in the middle", flip(last / 2)},
	} {
		send := func() string {
			r := request(t, plainURL, body, signed)
			r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), right, c.signature, 1))
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			return fmt.Sprint(w.Code, w.Header(), w.Body.Len())
		}
		if answer := send(); first == "" {
			first = answer
		} else if answer != first || !strings.HasPrefix(answer, "403 ") {
			t.Errorf("%s: %s, not %s", c.reason, answer, first)
		}
	}
	var records []string
	if err := g.View(t.Context(), func(tx gateway.Tx) error {
		list, err := tx.Requests().List(gateway.Query{})
		for _, r := range list {
			r.ID, r.At = 0, time.Time{}
			records = append(records, fmt.Sprintf("%+v", r))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		if record != records[0] || !strings.Contains(record, string(gateway.ReasonMismatch)) {
			t.Errorf("%s\nnot\n%s", record, records[0])
		}
	}
	secret, err := signature.NewHMACKey("secret-of-m1")
	if err != nil {
		t.Fatal(err)
	}
	steps := func(text string) float64 {
		signed := signature.NewRequest("POST", plainURL).WithBody(formType, body).
			WithAuthorization(strings.Replace(r.Header.Get("Authorization"), right, text, 1))
		least := math.Inf(1)
		for range 50 { // others allocate meanwhile, and the race detector empties pools
			least = min(least, testing.AllocsPerRun(1, func() { _, _ = signature.Verify(signed, signature.Options{}, secret) }))
		}
		return least
	}
	a, b := steps(flip(0)), steps(flip(last))
	if a != b {
		t.Errorf("%v allocations for a wrong first byte, %v for a wrong last one", a, b)
	}
}

// TestReceiversThatMisbehave: whatever a receiver does, its callback fails or is delivered by the
// status of its answer, and those of other profiles are not held up.
func TestReceiversThatMisbehave(t *testing.T) {
	t.Parallel()
	good := &receiver{}
	fine := httptest.NewServer(good)
	t.Cleanup(fine.Close)
	raw := func(answer func(net.Conn)) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go func() {
					_, _ = bufio.NewReader(c).ReadString('\n')
					answer(c)
					_ = c.Close()
				}()
			}
		}()
		return "http://" + l.Addr().String()
	}
	write := func(text string) func(net.Conn) { return func(c net.Conn) { _, _ = io.WriteString(c, text) } }
	gw := gatewaytest.Options{Pauses: []time.Duration{time.Millisecond}}.New(t)
	s := newSender(t, gw)
	for i, c := range []struct{ reason, url, state, attempt string }{
		{"closes without an answer", raw(func(net.Conn) {}), "failed", "0 connection"},
		{"resets", raw(func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }), "failed", "0 connection"},
		{"answers garbage", raw(write("garbage\r\n\r\n\x00\xff")), "failed", "0 connection"},
		{"answers half a header", raw(write("HTTP/1.1 200 OK\r\nContent-")), "failed", "0 connection"},
		{"answers headers without an end", raw(func(c net.Conn) {
			_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nX: ")
			for n := 0; err == nil && n < 1000; n++ {
				_, err = io.WriteString(c, strings.Repeat("x", 1<<10))
			}
		}), "failed", "0 connection"},
		{"answers a status that is none", raw(write("HTTP/1.1 abc OK\r\n\r\n")), "failed", "0 connection"},
		{"answers a body without an end", raw(func(c net.Conn) {
			_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
			for n := 0; err == nil && n < 1000; n++ {
				_, err = io.WriteString(c, strings.Repeat("x", 1<<10))
			}
		}), "delivered", "200 "},
		{"redirects to itself", raw(write("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")), "failed", "302 "},
		{"answers 500", raw(write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")), "failed", "500 "},
	} {
		s.create(values{"start-date": "01.01.2026", "client-orderid": fmt.Sprint("bad-", i), "notify_url": c.url},
			values{"start-date": "01.01.2026", "client-orderid": fmt.Sprint("good-", i), "notify_url": fine.URL})
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		list := gw.Callbacks()
		b := list[len(list)-2]
		if b.State.String() != c.state || fmt.Sprint(b.Attempts[0].Status, " ", b.Attempts[0].Error) != c.attempt {
			t.Errorf("%s: %s %+v", c.reason, b.State, b.Attempts)
		}
		if n := len(good.list()); n != i+1 {
			t.Errorf("%s: %d callbacks of the others arrived", c.reason, n)
		}
	}
}

// TestReceiversThatHang are given up after ten seconds, of a bubble's own time. The pause counts
// from the end of an attempt: the receiver has that long to recover.
func TestReceiversThatHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		gw := receiving(t, gatewaytest.Options{Pauses: []time.Duration{time.Second}}, hangs)
		s := newSender(t, gw)
		began := time.Now()
		s.create(values{"start-date": "01.01.2026", "notify_url": "http://127.0.0.1/"})
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		b := gw.Callbacks()[0]
		if b.State != gateway.CallbackFailed || len(b.Attempts) != 2 || b.Attempts[0].Error != "timeout" {
			t.Errorf("%+v", b)
		}
		if took := time.Since(began); took != 21*time.Second {
			t.Errorf("two attempts took %s", took)
		}
	})
}

// TestManyRequestsAtOnce: thousands of signed requests over sockets, from many clients; each
// creates one profile, no id is given twice, and the day charges all of them once.
func TestManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	clients, each := 32, 64
	if testing.Short() {
		each = 8
	}
	gw := gatewaytest.New(t)
	merchants := make([]*sender, clients)
	for i := range merchants {
		merchants[i] = newSender(t, gw)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	var wg sync.WaitGroup
	for i, s := range merchants {
		var messages []*http.Request
		for n := range each {
			body := bodyOf(payloadOf(values{"client-orderid": fmt.Sprintf("c%d-%d", i, n), "start-date": "02.01.2026"}))
			r, err := http.NewRequest("POST", s.m.URL, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", formType)
			r.Header.Set("Authorization", s.authorization(s.m.URL, body))
			messages = append(messages, r)
		}
		wg.Go(func() {
			for _, r := range messages {
				response, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_ = response.Body.Close()
				if response.StatusCode != 200 {
					t.Errorf("%d", response.StatusCode)
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	a := gw.Advance(calendar.MustParse("2026-01-02"))
	ids := map[gateway.ID]bool{}
	for _, p := range gw.Profiles() {
		ids[p.ID] = true
	}
	if want := clients * each; a.Charges != want || len(ids) != want || len(gw.Charges()) != want {
		t.Errorf("%d requests: %+v, %d profiles", want, a, len(ids))
	}
}
