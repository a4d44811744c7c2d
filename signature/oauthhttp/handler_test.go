package oauthhttp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// A message is a request before a Handler gets it, signed unless authorization is set.
type message struct {
	method, url, contentType, body string
	consumer                       string
	key                            signature.SigningKey
	profile                        signature.Profile
	at                             time.Time
}

func (m message) signed(t *testing.T) *http.Request {
	t.Helper()
	o := signature.OAuth{ConsumerKey: m.consumer, Nonce: rand(t), Timestamp: signature.Timestamp(m.at)}
	signed, err := signature.Sign(signature.NewRequest(m.method, m.url).WithBody(m.contentType, m.body), o, m.key, m.profile)
	if err != nil {
		t.Fatal(err)
	}
	return m.request(signed.Authorization())
}

func (m message) request(authorization string) *http.Request {
	r := httptest.NewRequest(m.method, m.url, strings.NewReader(m.body))
	r.Header.Set("Authorization", authorization)
	if m.contentType != "" {
		r.Header.Set("Content-Type", m.contentType)
	}
	return r
}

var nonces struct {
	sync.Mutex
	n int
}

func rand(t *testing.T) string {
	t.Helper()
	nonces.Lock()
	defer nonces.Unlock()
	nonces.n++
	return fmt.Sprint("nonce-", nonces.n)
}

func usual(t *testing.T) message {
	t.Helper()
	return message{method: "POST", url: "http://h.example/p", contentType: form, body: "payload=x", consumer: "m", key: secret(t), at: time.Now()}
}

// serve sends a request to a Handler for the consumer m, and returns the status, the body that came through and the error.
func serve(t *testing.T, change func(*oauthhttp.Handler), r *http.Request) (status int, passed *string, refused error) {
	t.Helper()
	h := &oauthhttp.Handler{
		Next: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			passed = new(string(text))
		}),
		Keys: lookup(func(consumer string) (signature.VerifyingKey, error) {
			if consumer == "m" {
				return secret(t), nil
			}
			return nil, nil
		}),
		Window: 5 * time.Minute, Replays: signature.NewMemoryReplays(100),
	}
	if change != nil {
		change(h)
	}
	refuse := h.Refuse
	h.Refuse = func(w http.ResponseWriter, r *http.Request, err error) {
		refused = err
		if refuse != nil {
			refuse(w, r, err)
			return
		}
		bare := *r
		(&oauthhttp.Handler{}).ServeHTTP(httptest.NewRecorder(), &bare)
		w.WriteHeader(http.StatusForbidden)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, passed, refused
}

// TestClosedUnlessOpened: a handler without window or store compiled, ran, and let old and repeated requests through. It refuses
// everything unless it says that it wants none, and a window written without a unit is refused.
func TestClosedUnlessOpened(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(*oauthhttp.Handler)
		want   ledger.Code // empty: serves
	}{
		{"as it is", func(*oauthhttp.Handler) {}, ""},
		{"no window", func(h *oauthhttp.Handler) { h.Window = 0 }, oauthhttp.HandlerIncomplete},
		{"no window, and it says so", func(h *oauthhttp.Handler) { h.Window, h.AllowAnyTime = 0, true }, ""},
		{"a window, and it says that there is none", func(h *oauthhttp.Handler) { h.AllowAnyTime = true }, oauthhttp.HandlerIncomplete},
		{"300 without a unit, which is nanoseconds", func(h *oauthhttp.Handler) { h.Window = 300 }, signature.OptionValue},
		{"no store", func(h *oauthhttp.Handler) { h.Replays = nil }, oauthhttp.HandlerIncomplete},
		{"no store, and it says so", func(h *oauthhttp.Handler) { h.Replays, h.AllowReplays = nil, true }, ""},
		{"a store, and it says that there is none", func(h *oauthhttp.Handler) { h.AllowReplays = true }, oauthhttp.HandlerIncomplete},
		{"no keys", func(h *oauthhttp.Handler) { h.Keys = nil }, oauthhttp.HandlerIncomplete},
		{"room for less than a body", func(h *oauthhttp.Handler) { h.MaxBody, h.MaxBodies = 100, 99 }, oauthhttp.HandlerIncomplete},
		{"a negative limit", func(h *oauthhttp.Handler) { h.MaxBody = -1 }, oauthhttp.HandlerIncomplete},
		{"room for one body", func(h *oauthhttp.Handler) { h.MaxBody, h.MaxBodies = 100, 100 }, ""},
	} {
		var checked error
		_, passed, err := serve(t, func(h *oauthhttp.Handler) { c.change(h); checked = h.Check() }, usual(t).signed(t))
		if c.want == "" && (err != nil || passed == nil || checked != nil) ||
			c.want != "" && (!errors.Is(err, c.want) || !oauthhttp.Unavailable(err) || passed != nil || !errors.Is(checked, c.want)) {
			t.Errorf("%s: %v, checked %v, want %q", c.reason, errors.Unwrap(err), checked, c.want)
		}
	}
}

// TestJudgedBeforeTheBody: whatever can be judged without the body was judged behind it, so that a stranger had each of them read
// and hashed.
func TestJudgedBeforeTheBody(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(m *message)
		edit   func(r *http.Request)
		want   ledger.Code
	}{
		{"an old timestamp", func(m *message) { m.at = m.at.Add(-time.Hour) }, nil, signature.TimestampStale},
		{"no header", nil, func(r *http.Request) { r.Header.Del("Authorization") }, signature.HeaderScheme},
		{"another scheme", nil, func(r *http.Request) { r.Header.Set("Authorization", "Basic eDp5") }, signature.HeaderScheme},
		{"no consumer", nil, func(r *http.Request) { r.Header.Set("Authorization", `OAuth oauth_nonce="n"`) }, signature.OAuthMissing},
		{"another method", nil, func(r *http.Request) { r.Method = "PUT" }, signature.MethodNotPost},
		{"another type", nil, func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }, signature.ContentType},
		{"a query", nil, func(r *http.Request) { r.RequestURI = "/p?a=1" }, signature.URLQuery},
		{"a signature that is too short", nil, func(r *http.Request) { withSignature(t, r, base64.StdEncoding.EncodeToString(make([]byte, 19))) }, signature.SignatureLength},
		{"one that is not base64", nil, func(r *http.Request) { withSignature(t, r, "***") }, signature.SignatureText},
		{"a length beyond the limit", nil, func(r *http.Request) { r.ContentLength = 1<<20 + 1 }, oauthhttp.BodyLimit},
	} {
		m := usual(t)
		if c.change != nil {
			c.change(&m)
		}
		r := m.signed(t)
		if c.edit != nil {
			c.edit(r)
		}
		read := false
		r.Body = io.NopCloser(readerFunc(func([]byte) (int, error) { read = true; return 0, io.EOF }))
		_, passed, err := serve(t, nil, r)
		if !errors.Is(err, c.want) || read || passed != nil {
			t.Errorf("%s: %v, read %v, want %s", c.reason, err, read, c.want)
		}
	}
}

// withSignature replaces the signature of a header.
func withSignature(t *testing.T, r *http.Request, text string) {
	t.Helper()
	before, rest, ok := strings.Cut(r.Header.Get("Authorization"), `oauth_signature="`)
	_, after, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		t.Fatal("the header has no signature")
	}
	r.Header.Set("Authorization", before+`oauth_signature="`+signature.Encode(text)+`"`+after)
}

// TestUnsignedBytes: bytes that no signature covers were let through: a parameter oauth_signature, and under RFC 5849 a body of any
// type once the signed parameters had been moved into the query. A body whose content type was taken away was verified as a form
// and read as none.
func TestUnsignedBytes(t *testing.T) {
	rfc := func(m message) message { m.profile = signature.ProfileRFC5849; return m }
	for _, c := range []struct {
		reason string
		signed message
		edit   func(r *http.Request)
		body   string // as it is sent
		want   ledger.Code
		opens  bool // AllowUnsigned lets it through
	}{
		{"a form", usual(t), func(*http.Request) {}, "payload=x", "", true},
		{"a signature behind the form", usual(t), func(*http.Request) {}, "payload=x&oauth_signature=evil", signature.SignatureInBody, true},
		{"the form in the query, and JSON", rfc(usual(t)), func(r *http.Request) {
			r.RequestURI = "/p?payload=x"
			r.Header.Set("Content-Type", "application/json")
		}, `{"evil":1}`, signature.BodyNotSigned, true},
		{"the form in the query, and a body without a type", rfc(usual(t)), func(r *http.Request) {
			r.RequestURI = "/p?payload=x"
			r.Header.Del("Content-Type")
		}, `{"evil":1}`, signature.BodyNotSigned, true},
		{"a signature in the query", rfc(usual(t)), func(r *http.Request) { r.RequestURI = "/p?oauth_signature=evil" }, "payload=x", signature.OAuthUnknown, true},
		{"the content type taken away", usual(t), func(r *http.Request) { r.Header.Del("Content-Type") }, "payload=x", signature.ContentTypeMissing, false},
	} {
		for _, allowed := range []bool{false, true} {
			r := c.signed.signed(t)
			c.edit(r)
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(c.body)), int64(len(c.body))
			_, passed, err := serve(t, func(h *oauthhttp.Handler) { h.Profile, h.AllowUnsigned = c.signed.profile, allowed }, r)
			if c.want == "" || allowed && c.opens {
				if err != nil || passed == nil || *passed != c.body {
					t.Errorf("%s, allowed %v: %v", c.reason, allowed, err)
				}
			} else if !errors.Is(err, c.want) || passed != nil {
				t.Errorf("%s, allowed %v: %v, want %s", c.reason, allowed, err, c.want)
			}
		}
	}
}

// TestMethodsAreCaseSensitive: under RFC 5849 a request that was signed as POST was let through as post, which is another method.
func TestMethodsAreCaseSensitive(t *testing.T) {
	m := usual(t)
	m.profile = signature.ProfileRFC5849
	for method, want := range map[string]ledger.Code{"POST": "", "post": signature.MethodForm, "Post": signature.MethodForm, "PUT": signature.SignatureWrong} {
		r := m.signed(t)
		r.Method = method
		_, passed, err := serve(t, func(h *oauthhttp.Handler) { h.Profile = signature.ProfileRFC5849 }, r)
		if (passed != nil) != (want == "") || want != "" && !errors.Is(err, want) {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// TestKeysThatMayServe: a consumer had one key, so that changing it locked out who had the other one, and the lookup was not told the
// signature method.
func TestKeysThatMayServe(t *testing.T) {
	older, err := signature.NewSecret("older", "")
	if err != nil {
		t.Fatal(err)
	}
	newer := secret(t)
	file, err := os.ReadFile("../../internal/testkeys/pkcs1.pem")
	if err != nil {
		t.Fatal(err)
	}
	private, _, err := signature.LoadPrivateKey(file, signature.KeyRules{})
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := signature.NewSecret("stranger", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason string
		key    signature.SigningKey
		want   ledger.Code
	}{{"the older key", older, ""}, {"the newer key", newer, ""}, {"the key of the other method", private, ""}, {"another key", stranger, signature.SignatureWrong}} {
		m := usual(t)
		m.key = c.key
		asked := signature.Method(0)
		_, passed, err := serve(t, func(h *oauthhttp.Handler) {
			h.Keys = func(_ context.Context, _ string, method signature.Method) ([]signature.VerifyingKey, error) {
				asked = method
				if method == signature.MethodRSASHA256 {
					return []signature.VerifyingKey{private.Public()}, nil
				}
				return []signature.VerifyingKey{(*signature.Secret)(nil), older, newer}, nil
			}
		}, m.signed(t))
		if (passed != nil) != (c.want == "") || c.want != "" && !errors.Is(err, c.want) || asked != c.key.SignatureMethod() {
			t.Errorf("%s: asked for %v, %v", c.reason, asked, err)
		}
	}
}

// TestConsumersAreAlike: the body of a known consumer was read and hashed, and that of an unknown one not, so that a stranger could
// find out who is registered: by what is read, by Expect: 100-continue, by time. The work of HMAC is counted in package signature.
func TestConsumersAreAlike(t *testing.T) {
	file, err := os.ReadFile("../../internal/testkeys/rsa4096.pem")
	if err != nil {
		t.Fatal(err)
	}
	private, _, err := signature.LoadPrivateKey(file, signature.KeyRules{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := signature.NewSecret("other", "")
	if err != nil {
		t.Fatal(err)
	}
	public, shared := private.Public(), secret(t)
	keys := func(_ context.Context, consumer string, method signature.Method) ([]signature.VerifyingKey, error) {
		switch {
		case consumer == "unknown" || consumer == "hmac only" && method == signature.MethodRSASHA256:
			return nil, nil
		case consumer == "two keys" && method == signature.MethodHMACSHA1:
			return []signature.VerifyingKey{shared, shared}, nil
		case method == signature.MethodRSASHA256:
			return []signature.VerifyingKey{public}, nil
		}
		return []signature.VerifyingKey{shared}, nil
	}
	consumers := []string{"known", "unknown", "hmac only", "two keys"}
	h := &oauthhttp.Handler{Next: http.NotFoundHandler(), Keys: keys, Window: time.Hour, Replays: signature.NewMemoryReplays(9)}
	rsaRequest := func(consumer string, size int) *http.Request {
		m := usual(t)
		m.key, m.consumer = other, consumer
		r := m.signed(t)
		r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), "HMAC-SHA1", "RSA-SHA256", 1))
		withSignature(t, r, base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, size)))
		return r
	}
	for kind, make := range map[string]func(consumer string) *http.Request{
		"HMAC": func(consumer string) *http.Request {
			m := usual(t)
			m.key, m.consumer = other, consumer
			return m.signed(t)
		},
		"RSA":                         func(consumer string) *http.Request { return rsaRequest(consumer, 512) },
		"RSA of another key's length": func(consumer string) *http.Request { return rsaRequest(consumer, 256) },
	} {
		var first string
		for _, consumer := range consumers {
			r := make(consumer)
			source := &counting{Reader: strings.NewReader("payload=x")}
			r.Body = io.NopCloser(source)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			answer := fmt.Sprint(w.Code, w.Header(), w.Body.Len(), source.n)
			if first == "" {
				first = answer
			}
			if answer != first || !strings.HasPrefix(answer, "403 ") || source.n != 9 {
				t.Errorf("%s, %s: %s, not %s", kind, consumer, answer, first)
			}
		}
	}

	// Over a socket, a client that waits before it sends its body sees the same.
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	for _, consumer := range consumers {
		o := signature.OAuth{ConsumerKey: consumer, Nonce: "n", Timestamp: signature.Timestamp(time.Now())}
		signed, err := signature.Sign(signature.NewRequest("POST", server.URL+"/p").WithBody(form, "payload=x"), o, other, signature.ProfileGateway)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /p HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nAuthorization: %s\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n", host, form, signed.Authorization())
		line, err := bufio.NewReader(conn).ReadString('\n')
		_ = conn.Close()
		if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") {
			t.Errorf("%s: %q, %v", consumer, line, err)
		}
	}

	// Two signatures are verified for each of them, which shows in what is allocated: crypto/rsa takes a third of it for one.
	if raceEnabled {
		return // the race detector allocates
	}
	allocations := func(consumer string) float64 {
		r := rsaRequest(consumer, 512)
		least := math.Inf(1)
		for range 10 { // the server of before allocates until it is gone
			least = min(least, testing.AllocsPerRun(1, func() {
				r.Body = io.NopCloser(strings.NewReader("payload=x"))
				h.ServeHTTP(httptest.NewRecorder(), r)
			}))
		}
		return least
	}
	known := allocations("known")
	for _, consumer := range consumers {
		if ratio := allocations(consumer) / known; ratio < 0.9 || ratio > 1.1 {
			t.Errorf("%s: %.2f times the allocations of a known consumer", consumer, ratio)
		}
	}
}

// TestStoreThatIsFull: a busy consumer made the store forget what another one had used, so that it was let through again. A full
// store cannot tell, which is 503 and not 403, and forgets only by age.
func TestStoreThatIsFull(t *testing.T) {
	store := signature.NewMemoryReplays(3)
	start := time.Now()
	clock := start
	h := &oauthhttp.Handler{Next: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), Window: time.Minute, Replays: store,
		Clock: func() time.Time { return clock },
		Keys:  lookup(func(string) (signature.VerifyingKey, error) { return secret(t), nil })}
	status := func(r *http.Request) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	quiet := usual(t)
	once := quiet.signed(t).Header.Get("Authorization")
	if got := status(quiet.request(once)); got != 200 {
		t.Fatal(got)
	}
	for i, want := range []int{200, 200, 503, 503} {
		busy := usual(t)
		busy.consumer, busy.at = "busy", start
		if got := status(busy.signed(t)); got != want {
			t.Errorf("busy request %d: %d", i, got)
		}
	}
	if got := status(quiet.request(once)); got != 403 {
		t.Errorf("sent again: %d", got)
	}
	clock = start.Add(time.Minute + 2*time.Second)
	later := usual(t)
	later.at = clock
	if got := status(later.signed(t)); got != 200 {
		t.Errorf("once the others are too old: %d", got)
	}
	if got := status(quiet.request(once)); got != 403 {
		t.Errorf("sent again, and too old: %d", got)
	}
}

// TestReplayWithASlowBody: the time was taken before the body was read. A request that was sent again in the last second of the
// window, with a body that ended later, was let through: the store had forgotten it by then.
func TestReplayWithASlowBody(t *testing.T) {
	start := time.Now().Truncate(time.Second)
	clock := start
	store := signature.NewMemoryReplays(9)
	h := &oauthhttp.Handler{Next: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), Window: time.Minute, Replays: store,
		Clock: func() time.Time { return clock },
		Keys:  lookup(func(string) (signature.VerifyingKey, error) { return secret(t), nil })}
	status := func(r *http.Request) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	m := usual(t)
	m.at = start
	once := m.signed(t).Header.Get("Authorization")
	if got := status(m.request(once)); got != 200 {
		t.Fatal(got)
	}
	clock = start.Add(time.Minute)
	slow := m.request(once)
	slow.Body = io.NopCloser(io.MultiReader(strings.NewReader("payload"), readerFunc(func([]byte) (int, error) {
		clock = start.Add(time.Minute + 5*time.Second)
		other := usual(t)
		other.at = clock
		if got := status(other.signed(t)); got != 200 {
			t.Errorf("another request meanwhile: %d", got)
		}
		return 0, io.EOF
	}), strings.NewReader("=x")))
	if got := status(slow); got != 403 {
		t.Errorf("sent again with a slow body: %d", got)
	}

	// A store of one's own need not know that.
	clock, h.Replays = start, forgetful{}
	slow = m.request(once)
	slow.Body = io.NopCloser(io.MultiReader(readerFunc(func([]byte) (int, error) {
		clock = start.Add(time.Minute + time.Second)
		return 0, io.EOF
	}), strings.NewReader("payload=x")))
	if got := status(slow); got != 403 {
		t.Errorf("a body that ends after the window: %d", got)
	}

	// The same between the clock and the store: it has forgotten what ended before the time of others.
	use := signature.Use{ConsumerKey: "m", Timestamp: "1", Nonce: "n", Until: start}
	if err := store.Remember(t.Context(), use, start.Add(-time.Second)); !errors.Is(err, signature.TimestampStale) {
		t.Errorf("a use of the past: %v", err)
	}
}

// A forgetful store takes every use for new.
type forgetful struct{}

func (forgetful) Remember(context.Context, signature.Use, time.Time) error { return nil }

// TestFormsAreWhatWasVerified: whoever passes a request on can write %3B as a semicolon, with which net/http drops the parameter, or
// add parameters to the Content-Type with which it reads no form at all; the signature stays right. Next saw fewer parameters
// than were signed.
func TestFormsAreWhatWasVerified(t *testing.T) {
	signed := usual(t)
	signed.body = "payload=x&limit=a%3Bb"
	authorization := signed.signed(t).Header.Get("Authorization")
	for name, c := range map[string]struct{ contentType, body string }{
		"as it was signed":         {form, signed.body},
		"semicolon":                {form, "payload=x&limit=a;b"},
		"parameters of the type":   {form + "; a=1; a=2", signed.body},
		"a parameter with nothing": {form + ";;", signed.body},
		"another case, spaces":     {"Application/X-WWW-Form-URLEncoded ;charset=utf-8", signed.body},
	} {
		m := signed
		m.contentType, m.body = c.contentType, c.body
		status, _, refused := serve(t, func(h *oauthhttp.Handler) {
			h.Next = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				all, _ := io.ReadAll(r.Body)
				if err := r.ParseForm(); err != nil || r.PostForm.Get("limit") != "a;b" || r.FormValue("payload") != "x" || len(r.Form) != 2 || string(all) != c.body {
					t.Errorf("%s: %v, %v, %q", name, r.Form, err, all)
				}
			})
		}, m.request(authorization))
		if status != 200 || refused != nil {
			t.Errorf("%s: %d, %v", name, status, refused)
		}
	}
	m := usual(t)
	m.method, m.profile, m.url = "PUT", signature.ProfileRFC5849, "http://h.example/p?payload=y;z&q=1"
	status, _, refused := serve(t, func(h *oauthhttp.Handler) {
		h.Profile = signature.ProfileRFC5849
		h.Next = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if got := r.FormValue("q"); got != "1" || !slices.Equal(r.Form["payload"], []string{"x", "y;z"}) || len(r.PostForm) != 1 {
				t.Errorf("%v, %v", r.Form, r.PostForm)
			}
		})
	}, m.signed(t))
	if status != 200 {
		t.Errorf("%d, %v", status, refused)
	}
}

// TestManyLongBodies: a body of a stranger took up to 17 times its length, and four of 10 MiB took 685 MiB. However many come together,
// what all of them take is bounded, with the limits as they are and with a body of 10 MiB allowed.
func TestManyLongBodies(t *testing.T) {
	const most = 64 << 20
	requests, size := 1000, int64(10<<20)
	if testing.Short() || raceEnabled {
		requests = 60
	}
	other, err := signature.NewSecret("other", "")
	if err != nil {
		t.Fatal(err)
	}
	m := usual(t)
	m.key = other
	authorization := m.signed(t).Header.Get("Authorization")
	for reason, c := range map[string]struct {
		maxBody, length int64
	}{"the limits as they are, a length": {0, size}, "the limits as they are, no length": {0, -1}, "bodies of 10 MiB": {size, size}} {
		h := &oauthhttp.Handler{Next: http.NotFoundHandler(), Window: time.Hour, Replays: signature.NewMemoryReplays(9), MaxBody: c.maxBody,
			Keys: lookup(func(string) (signature.VerifyingKey, error) { return secret(t), nil })}
		var peak uint64
		done := make(chan struct{})
		runtime.GC()
		var start runtime.MemStats
		runtime.ReadMemStats(&start)
		var watch, wait sync.WaitGroup
		watch.Go(func() {
			for {
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc+now.StackInuse)
				select {
				case <-done:
					return
				case <-time.After(2 * time.Millisecond):
				}
			}
		})
		var counts sync.Map
		for range requests {
			wait.Go(func() {
				r := httptest.NewRequest("POST", m.url, nil)
				r.Header.Set("Authorization", authorization)
				r.Header.Set("Content-Type", form)
				r.Body, r.ContentLength = io.NopCloser(io.LimitReader(raw{}, size)), c.length
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				counts.Store(w.Code, true)
			})
		}
		wait.Wait()
		close(done)
		watch.Wait()
		for status := range counts.Range {
			if status != 403 && status != 503 {
				t.Errorf("%s: %v", reason, status)
			}
		}
		if took := int64(peak) - int64(start.HeapAlloc+start.StackInuse); took > most {
			t.Errorf("%s: %d MiB", reason, took>>20)
		} else {
			t.Logf("%s: %d MiB", reason, took>>20)
		}
	}
}

// raw is a body of bytes that take five times their length in a base string.
type raw struct{}

func (raw) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0xff
	}
	return len(p), nil
}

// TestAuthorityInTheHostHeader: a request of HTTP/2 without :authority has the header Host in its place, and was refused. Method: the
// frames are written by hand, since the client of net/http always sends :authority.
func TestAuthorityInTheHostHeader(t *testing.T) {
	passed := make(chan string, 1)
	h := &oauthhttp.Handler{
		Next:   http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { passed <- r.Proto }),
		Keys:   lookup(func(string) (signature.VerifyingKey, error) { return secret(t), nil }),
		Window: time.Minute, Replays: signature.NewMemoryReplays(9),
	}
	server := httptest.NewUnstartedServer(h)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	m := usual(t)
	m.url = "http://gate.example/p"
	var block []byte
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":path", "/p"}, {"host", "gate.example"}, {"content-type", form},
		{"content-length", "9"}, {"authorization", m.signed(t).Header.Get("Authorization")}} {
		block = append(block, 0) // a literal without an index
		for _, text := range field {
			block = append(hpackLength(block, len(text)), text...)
		}
	}
	out := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	out = append(out, frame(4, 0, 0, nil)...)            // SETTINGS
	out = append(out, frame(1, 4, 1, block)...)          // HEADERS, whole
	out = append(out, frame(0, 1, 1, []byte(m.body))...) // DATA, the last
	if _, err := conn.Write(out); err != nil {
		t.Fatal(err)
	}
	select {
	case proto := <-passed:
		if proto != "HTTP/2.0" {
			t.Error(proto)
		}
	case <-time.After(10 * time.Second):
		t.Error("refused")
	}
	// Another one beside the host of the request stays refused.
	for _, hosts := range [][]string{{"gate.example", "gate.example"}, {"other.example"}} {
		r := m.signed(t)
		r.Host, r.Header["Host"] = "gate.example", hosts
		if _, _, err := serve(t, nil, r); !errors.Is(err, oauthhttp.TargetForm) {
			t.Errorf("%v: %v", hosts, err)
		}
	}
}

func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	return append(binary.BigEndian.AppendUint32(append(head, flags), stream), payload...)
}

// hpackLength appends a length of HPACK, of a text without Huffman coding.
func hpackLength(dst []byte, n int) []byte {
	if n < 127 {
		return append(dst, byte(n))
	}
	dst = append(dst, 127)
	return binary.AppendUvarint(dst, uint64(n-127))
}

// TestIdleConnectionsClose: http.Client.CloseIdleConnections did nothing behind a Transport.
func TestIdleConnectionsClose(t *testing.T) {
	var states []http.ConnState
	var mu sync.Mutex
	closed := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		if states = append(states, s); s == http.StateClosed {
			close(closed)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t), Base: &http.Transport{}}}
	response, err := client.Post(server.URL, form, strings.NewReader("payload=x"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	client.CloseIdleConnections()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Errorf("%v", states)
	}
	// A base that cannot do it is left alone.
	(&oauthhttp.Transport{Base: roundTrip(nil)}).CloseIdleConnections()
}

// TestNoRoomForBodies: bodies that do not fit together are answered 503, nothing of them is counted afterwards, and one that fits is
// let through.
func TestNoRoomForBodies(t *testing.T) {
	var refused []error
	h := &oauthhttp.Handler{Next: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), Window: time.Minute, Replays: signature.NewMemoryReplays(99),
		MaxBody: 9, MaxBodies: 9, Keys: lookup(func(string) (signature.VerifyingKey, error) { return secret(t), nil }),
		Refuse: func(w http.ResponseWriter, _ *http.Request, err error) {
			refused = append(refused, err)
			w.WriteHeader(http.StatusTeapot)
		}}
	waits, letGo := make(chan struct{}), make(chan struct{})
	slow := usual(t).signed(t)
	text := strings.NewReader("payload=x")
	once := sync.Once{}
	slow.Body = io.NopCloser(readerFunc(func(p []byte) (int, error) {
		if text.Len() == 0 {
			once.Do(func() { close(waits) })
			<-letGo
		}
		return text.Read(p)
	}))
	var wait sync.WaitGroup
	wait.Go(func() { h.ServeHTTP(httptest.NewRecorder(), slow) })
	<-waits
	for _, length := range []int64{9, -1} {
		r := usual(t).signed(t)
		r.ContentLength = length
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	close(letGo)
	wait.Wait()
	if len(refused) != 2 || slices.ContainsFunc(refused, func(err error) bool { return !errors.Is(err, oauthhttp.BodiesLimit) || !oauthhttp.Unavailable(err) }) {
		t.Errorf("%v", refused)
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, usual(t).signed(t)); w.Code != 200 {
		t.Errorf("%d, %v", w.Code, refused)
	}
}
