package oauthhttp_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// A breaker is a server that reads every second request of a connection whole, and closes the connection
// without an answer, as one does whose patience with idle connections ends. It keeps the headers that it got.
type breaker struct {
	*httptest.Server
	mu    sync.Mutex
	seen  []string
	broke int // how many had come when it first closed a connection, 0 before
}

func newBreaker(t *testing.T) *breaker {
	t.Helper()
	b := &breaker{}
	warm := map[string]bool{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.seen = append(b.seen, r.Header.Get("Authorization"))
		if !warm[r.RemoteAddr] {
			warm[r.RemoteAddr] = true
			return
		}
		if b.broke == 0 {
			b.broke = len(b.seen)
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.Close()
	}))
	t.Cleanup(b.Close)
	return b
}

// headers are those of the requests that arrived before a connection was closed, and from the one on that closed it.
func (b *breaker) headers() (before, after []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broke == 0 {
		return b.seen, nil
	}
	return b.seen[:b.broke-1], b.seen[b.broke-1:]
}

// TestBrokenConnectionRepeatsNoNonce: net/http sends a request again that it takes for idempotent when a
// connection breaks before the answer. A signed request is not sent again: the error is the caller's to judge.
func TestBrokenConnectionRepeatsNoNonce(t *testing.T) {
	for _, c := range []struct {
		reason, method, body, header string
	}{
		{"a POST is never idempotent", "POST", "payload=x", ""},
		{"a key makes a POST idempotent for net/http", "POST", "payload=x", "Idempotency-Key"},
		{"the same, in its other spelling", "POST", "payload=x", "X-Idempotency-Key"},
	} {
		// net/http need not use a connection again, and does not on a busy machine: there the third request is the second.
		second := func(sign bool) (before, after []string, failed error) {
			b := newBreaker(t)
			client := b.Client()
			if sign {
				client = &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t), Base: client.Transport}}
			}
			for len(after) == 0 && failed == nil {
				r := request(t, c.method, b.URL+"/p", strings.NewReader(c.body))
				if c.header != "" {
					r.Header.Set(c.header, "1")
				}
				var response *http.Response
				if response, failed = client.Do(r); failed == nil {
					_, _ = io.Copy(io.Discard, response.Body)
					_ = response.Body.Close()
				}
				before, after = b.headers()
			}
			return before, after, failed
		}
		before, after, failed := second(true)
		if failed == nil || len(after) != 1 || slices.Contains(before, after[0]) || after[0] == "" {
			t.Errorf("%s: %d requests, %v", c.reason, len(after), failed)
		}
		// Without the transport net/http does repeat it, so that the server above can tell.
		if _, after, failed := second(false); c.reason != "a POST is never idempotent" && (failed != nil || len(after) != 2) {
			t.Errorf("%s: the server does not show a repetition: %d requests, %v", c.reason, len(after), failed)
		}
	}
}

// TestRedirectsAreSignedAgain: a redirect that keeps the body is a request of its own.
func TestRedirectsAreSignedAgain(t *testing.T) {
	for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		var first string
		g := &gate{t: t}
		g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/p" {
				g.ServeHTTP(w, r)
				return
			}
			first = r.Header.Get("Authorization")
			http.Redirect(w, r, "/p", status)
		}))
		t.Cleanup(g.Close)
		keep := &recorder{base: g.Client().Transport}
		got := send(t, g.client(t, func(t *oauthhttp.Transport) { t.Base = keep }), request(t, "POST", g.URL+"/from", strings.NewReader("payload=x")))
		second := keep.request.Header.Get("Authorization")
		if got != 200 || len(g.bodies) != 1 || g.bodies[0] != "payload=x" || first == "" || nonce(t, first) == nonce(t, second) {
			t.Errorf("%d: answered %d, bodies %q, errors %v", status, got, g.bodies, g.errs)
		}
	}
}

// TestRedirectToAnotherHostIsAnError: a signed payload goes to the host that it was written for, whatever an answer says. The
// transport signed it anew for any host, with its body.
func TestRedirectToAnotherHostIsAnError(t *testing.T) {
	for to, refused := range map[string]bool{
		"https://elsewhere.example/p": true, "https://gate.example:8443/p": true, "http://gate.example/p": true, "https://GATE.example/q": false, "/q": false,
	} {
		sent := 0
		client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t), Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			sent++
			answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}
			if sent == 1 {
				answer.StatusCode = http.StatusTemporaryRedirect
				answer.Header.Set("Location", to)
			}
			return answer, nil
		})}}
		answer, err := client.Post("https://gate.example/p", form, strings.NewReader("payload=x"))
		if err == nil {
			_ = answer.Body.Close()
		}
		if errors.Is(err, oauthhttp.RedirectHost) != refused || (sent == 1) != refused {
			t.Errorf("to %s: %v, sent %d times", to, err, sent)
		}
	}
}

// nonce is that of an Authorization header.
func nonce(t *testing.T, header string) string {
	t.Helper()
	h, err := signature.ParseHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range h.Params {
		if p.Name() == "oauth_nonce" {
			return p.Value()
		}
	}
	t.Fatal("the header has no nonce")
	return ""
}
