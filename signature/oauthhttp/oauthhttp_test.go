package oauthhttp_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

const form = "application/x-www-form-urlencoded"

func secret(tb testing.TB) *signature.HMACKey {
	tb.Helper()
	s, err := signature.NewHMACKey("s3cret")
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// A gate is a server that reads each request and verifies it, and what came through or was refused.
type gate struct {
	*httptest.Server
	t       *testing.T
	mu      sync.Mutex
	callers []string
	bodies  []string
	protos  []string
	errs    []error
}

func newGate(t *testing.T, start func(http.Handler) *httptest.Server) *gate {
	t.Helper()
	g := &gate{t: t}
	g.Server = start(g)
	t.Cleanup(g.Close)
	return g
}

// ServeHTTP answers 200 to an acceptable request and 403 to all others.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var v signature.Verified
	request, err := oauthhttp.FromHTTP(r, "", 0)
	if err == nil {
		v, err = signature.Verify(request, signature.Options{Window: 30 * time.Minute, Now: time.Now()}, secret(g.t))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		g.errs = append(g.errs, err)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	g.callers, g.bodies, g.protos = append(g.callers, v.ConsumerKey), append(g.bodies, string(request.Body())), append(g.protos, r.Proto)
}

// count is how many requests were judged.
func (g *gate) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.callers) + len(g.errs)
}

func (g *gate) client(t *testing.T, change func(*oauthhttp.Transport)) *http.Client {
	t.Helper()
	transport := &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t), Base: g.Client().Transport}
	if change != nil {
		change(transport)
	}
	return &http.Client{Transport: transport}
}

func send(t *testing.T, client *http.Client, r *http.Request) int {
	t.Helper()
	response, err := client.Do(r)
	if err != nil {
		t.Errorf("%v", err)
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func request(t *testing.T, method, url string, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", form)
	}
	return r
}

// TestSignedRequestsPass: what the transport signs verifies, over HTTP and TLS, HTTP/1 and HTTP/2, with
// every kind of body and path.
func TestSignedRequestsPass(t *testing.T) {
	starts := map[string]func(http.Handler) *httptest.Server{"http": httptest.NewServer, "tls": httptest.NewTLSServer,
		"http/2": func(h http.Handler) *httptest.Server {
			s := httptest.NewUnstartedServer(h)
			s.EnableHTTP2 = true
			s.StartTLS()
			return s
		}}
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			g := newGate(t, start)
			client := g.client(t, func(t *oauthhttp.Transport) { t.Realm = new("r") })
			paths := []string{"", "/", "/p/77", "/a%2Fb//c/../d;x=1", "/é", "/a b+c~"}
			bodies := map[string]func() io.Reader{
				"none": func() io.Reader { return nil }, "text": func() io.Reader { return strings.NewReader("payload=a%2Bb&x=1") },
				"stream": func() io.Reader { return io.MultiReader(strings.NewReader("payload="), strings.NewReader("x")) },
				"bytes":  func() io.Reader { return iotest.OneByteReader(strings.NewReader("payload=abc")) },
			}
			count := 0
			for _, path := range paths {
				for kind, body := range bodies {
					if got := send(t, client, request(t, "POST", g.URL+path, body())); got != 200 {
						t.Errorf("%q with %s: %d, %v", path, kind, got, g.errs)
					}
					count++
				}
			}
			if len(g.callers) != count || slices.ContainsFunc(g.callers, func(c string) bool { return c != "m" }) {
				t.Errorf("%d of %d came through", len(g.callers), count)
			}
		})
	}
}

// A recorder has the header of the last request.
type recorder struct {
	base    http.RoundTripper
	header  string
	request *http.Request
}

func (k *recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	k.header, k.request = r.Header.Get("Authorization"), r
	return k.base.RoundTrip(r)
}

// TestTransportLeavesTheRequestAlone: the caller's request is as it was, and its body closed.
func TestTransportLeavesTheRequestAlone(t *testing.T) {
	g := newGate(t, httptest.NewServer)
	keep := &recorder{base: g.Client().Transport}
	body := &closing{Reader: strings.NewReader("payload=x")}
	r := request(t, "POST", g.URL+"/p", body)
	before := r.Header.Clone()
	if got := send(t, g.client(t, func(t *oauthhttp.Transport) { t.Base, t.InBody = keep, true }), r); got != 200 {
		t.Fatalf("%d, %v", got, g.errs)
	}
	if !body.closed || r.Body != io.ReadCloser(body) || r.ContentLength != 0 || fmt.Sprint(r.Header) != fmt.Sprint(before) || r.URL.String() != g.URL+"/p" {
		t.Errorf("closed %v, length %d, header %v", body.closed, r.ContentLength, r.Header)
	}
	if text := g.bodies[0]; !strings.HasPrefix(text, "payload=x&oauth_consumer_key=m&") || int64(len(text)) != keep.request.ContentLength {
		t.Errorf("received %q, of %d bytes", text, keep.request.ContentLength)
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

// TestTransportErrors: what cannot be signed is not sent, and its body is closed.
func TestTransportErrors(t *testing.T) {
	sent := 0
	base := roundTrip(func(*http.Request) (*http.Response, error) { sent++; return nil, errors.New("sent") })
	for _, c := range []struct {
		name      string
		want      ledger.Code
		request   func(*http.Request)
		transport func(*oauthhttp.Transport)
	}{
		{"an Authorization header", oauthhttp.HeaderPresent, func(r *http.Request) { r.Header.Set("Authorization", "x") }, nil},
		{"two content types", oauthhttp.HeaderSeveral, func(r *http.Request) { r.Header.Add("Content-Type", "x") }, nil},
		{"no host", oauthhttp.TargetForm, func(r *http.Request) { r.URL.Host, r.Host = "", "" }, nil},
		{"a host with a path", oauthhttp.TargetForm, func(r *http.Request) { r.Host = "h/x" }, nil},
		{"a host that is not ASCII", oauthhttp.TargetForm, func(r *http.Request) { r.Host = "bücher.example" }, nil},
		{"a zone", oauthhttp.TargetForm, func(r *http.Request) { r.Host = "[fe80::1%25eth0]" }, nil},
		{"an opaque URL", oauthhttp.TargetForm, func(r *http.Request) { r.URL.Opaque = "//other/p" }, nil},
		{"no URL", oauthhttp.TargetForm, func(r *http.Request) { r.URL = nil }, nil},
		{"another scheme", signature.URLForm, func(r *http.Request) { r.URL.Scheme = "ftp" }, nil},
		{"a query", signature.URLQuery, func(r *http.Request) { r.URL.RawQuery = "a=1" }, nil},
		{"GET", signature.MethodNotPost, func(r *http.Request) { r.Method = "" }, nil},
		{"no key", signature.KeyMissing, nil, func(t *oauthhttp.Transport) { t.Key = nil }},
		{"no consumer", signature.OAuthMissing, nil, func(t *oauthhttp.Transport) { t.ConsumerKey = "" }},
		{"no entropy", signature.NonceEntropy, nil, func(t *oauthhttp.Transport) { t.Entropy = strings.NewReader("short") }},
		{"a clock before 1970", signature.TimestampSyntax, nil, func(t *oauthhttp.Transport) { t.Clock = func() time.Time { return time.Time{} } }},
		{"too long a body", oauthhttp.BodyLimit, nil, func(t *oauthhttp.Transport) { t.MaxBody = 3 }},
		{"shorter than declared", oauthhttp.BodyLength, func(r *http.Request) { r.ContentLength = 10 }, nil},
		{"longer than declared", oauthhttp.BodyLength, func(r *http.Request) { r.ContentLength = 8 }, nil},
	} {
		body := &closing{Reader: strings.NewReader("payload=x")}
		r := request(t, "POST", "https://h.example/p", body)
		transport := &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t), Base: base}
		if c.request != nil {
			c.request(r)
		}
		if c.transport != nil {
			c.transport(transport)
		}
		response, err := transport.RoundTrip(r)
		if !errors.Is(err, c.want) || response != nil || sent > 0 || !body.closed {
			t.Errorf("%s: %v, want %s; sent %d, closed %v", c.name, err, c.want, sent, body.closed)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A flaky source gives a text up to a place, in pieces, and then an error.
type flaky struct {
	text   string
	piece  int
	err    error
	silent int // empty reads before each piece
	idle   int
}

func (f *flaky) Read(p []byte) (int, error) {
	if f.idle < f.silent {
		f.idle++
		return 0, nil
	}
	f.idle = 0
	if f.text == "" {
		return 0, f.err
	}
	n := copy(p, f.text[:min(f.piece, len(f.text))])
	f.text = f.text[n:]
	return n, nil
}

func (*flaky) Close() error { return nil }

// TestBodiesAreWholeOrAnError: a body that is cut at any byte, or whose source fails with any error, is neither signed nor
// let through; one that comes in small pieces is.
func TestBodiesAreWholeOrAnError(t *testing.T) {
	const whole = "payload=YWJj&x=1"
	key := secret(t)
	signed, _, err := signature.Sign(signature.NewRequest("POST", "http://h.example/p").WithBody(form, whole),
		signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key)
	if err != nil {
		t.Fatal(err)
	}
	read := func(body io.Reader, length int64) (string, error) {
		r := httptest.NewRequest("POST", "/p", nil)
		r.Host, r.Body, r.ContentLength = "h.example", io.NopCloser(body), length
		r.Header.Set("Content-Type", form)
		r.Header.Set("Authorization", signed.Authorization())
		got, err := oauthhttp.FromHTTP(r, "", 0)
		if err != nil {
			return "", err
		}
		_, err = signature.Verify(got, signature.Options{}, key)
		return string(got.Body()), err
	}
	causes := []error{io.ErrUnexpectedEOF, fmt.Errorf("wrapped: %w", io.EOF), fmt.Errorf("wrapped: %w", io.ErrUnexpectedEOF), errors.Join(io.EOF), net.ErrClosed, context.Canceled, io.ErrClosedPipe, &net.OpError{Err: io.EOF}, http.ErrBodyReadAfterClose}
	for _, piece := range []int{1, 2, 7, 100} {
		for cut := range len(whole) + 1 {
			for _, length := range []int64{-1, int64(len(whole))} {
				for _, cause := range causes {
					got, err := read(&flaky{text: whole[:cut], piece: piece, err: cause, silent: cut % 3}, length)
					if got != "" || !errors.Is(err, oauthhttp.BodyRead) || !errors.Is(err, cause) || strings.Contains(err.Error(), cause.Error()) {
						t.Fatalf("cut at %d with %v: %q, %v", cut, cause, got, err)
					}
				}
				got, err := read(&flaky{text: whole[:cut], piece: piece, err: io.EOF, silent: cut % 3}, length)
				switch {
				case cut == len(whole):
					if err != nil || got != whole {
						t.Fatalf("whole, in pieces of %d: %q, %v", piece, got, err)
					}
				case length > 0:
					if got != "" || !errors.Is(err, oauthhttp.BodyLength) {
						t.Fatalf("cut at %d: %q, %v", cut, got, err)
					}
				case err == nil:
					t.Fatalf("cut at %d, and verified: %q", cut, got)
				}
			}
		}
	}
	if _, err := read(&flaky{text: whole, silent: 1 << 30}, -1); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a source that never reads: %v", err)
	}
	for _, bad := range []int{-1, 1 << 20} {
		if _, err := read(lying(bad), -1); !errors.Is(err, oauthhttp.BodyRead) {
			t.Errorf("a source that reads %d bytes: %v", bad, err)
		}
	}
	if got, err := read(iotest.DataErrReader(strings.NewReader(whole)), -1); err != nil || got != whole {
		t.Errorf("data beside the end: %q, %v", got, err)
	}
	// The same sources, to be signed.
	for _, cause := range causes {
		transport := &oauthhttp.Transport{ConsumerKey: "m", Key: key, Base: roundTrip(func(*http.Request) (*http.Response, error) {
			t.Error("sent")
			return nil, io.EOF
		})}
		r := request(t, "POST", "http://h.example/p", &flaky{text: whole, piece: 3, err: cause})
		if _, err := transport.RoundTrip(r); !errors.Is(err, oauthhttp.BodyRead) {
			t.Errorf("%v: %v", cause, err)
		}
	}
}

type lying int

func (l lying) Read([]byte) (int, error) { return int(l), nil }

// TestLimits: a body is read up to the limit and not one byte on; a length beyond it is refused unread.
func TestLimits(t *testing.T) {
	for size, ok := range map[int]bool{99: true, 100: true, 101: false, 5000: false} {
		for _, declared := range []int64{-1, int64(size)} {
			r := httptest.NewRequest("POST", "/p", nil)
			source := &counting{Reader: strings.NewReader(strings.Repeat("x", size))}
			r.Body, r.ContentLength = io.NopCloser(source), declared
			got, err := oauthhttp.FromHTTP(r, "", 100)
			if (err == nil) != ok || !ok && !errors.Is(err, oauthhttp.BodyLimit) || ok && len(got.Body()) != size {
				t.Errorf("%d bytes, declared %d: %v", size, declared, err)
			}
			if !ok && declared > 0 && source.n > 0 || source.n > 1100 {
				t.Errorf("%d bytes were read", source.n)
			}
		}
	}
}

type counting struct {
	io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// TestFromHTTPTargets: the raw target and the Host header make the URL, or are refused.
func TestFromHTTPTargets(t *testing.T) {
	for _, c := range []struct {
		host, target, origin string
		secure               bool
		want                 string // empty: refused
	}{
		{"h.example", "/p", "", false, "http://h.example/p"},
		{"h.example:8443", "/a%2Fb//c/..;x?q=%2B;1", "", true, "https://h.example:8443/a%2Fb//c/..;x?q=%2B;1"},
		{"[2001:db8::1]:80", "/", "", false, "http://[2001:db8::1]:80/"},
		{"inside:80", "/p", "https://gate.example.com", false, "https://gate.example.com/p"},
		{"inside:80", "/p", "https://gate.example.com/", false, "https://gate.example.com/p"},
		{"h.example", "http://h.example/p", "", false, "http://h.example/p"},
		{"h.example", "http://h.example", "", false, "http://h.example/"},
		{"h.example", "http://other/p", "", false, ""},
		{"h.example", "http://h.example.evil/p", "", false, ""},
		{"gate.example/a", "/p", "", false, ""},
		{"gate.example#", "/p", "", false, ""},
		{"good@evil", "/p", "", false, ""},
		{"x/a?", "/p", "", false, ""},
		{"", "/p", "", false, ""},
		{"h.example", "/p#f", "", false, ""},
		{"h.example", "/p q", "", false, ""},
		{"h.example", "/p\\q", "", false, ""},
		{"h.example", "*", "", false, ""},
		{"h.example", "", "", false, ""},
		{"h.example", "h.example:443", "", false, ""},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Host, r.RequestURI = c.host, c.target
		if c.secure {
			r.TLS = &tls.ConnectionState{}
		}
		got, err := oauthhttp.FromHTTP(r, c.origin, 0)
		if got.URL() != c.want || c.want == "" && !errors.Is(err, oauthhttp.TargetForm) || c.want != "" && err != nil {
			t.Errorf("%q %q: %q, %v", c.host, c.target, got.URL(), err)
		}
	}
}

// TestTransportIsSafeForManyGoroutines: each request has a nonce of its own.
func TestTransportIsSafeForManyGoroutines(t *testing.T) {
	g := newGate(t, httptest.NewServer)
	client := g.client(t, nil)
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			body := fmt.Sprintf("payload=%d", i)
			if got := send(t, client, request(t, "POST", g.URL+"/p", strings.NewReader(body))); got != 200 {
				t.Errorf("%d", got)
			}
		})
	}
	wait.Wait()
	slices.Sort(g.bodies)
	if len(slices.Compact(g.bodies)) != 50 {
		t.Errorf("%d bodies", len(g.bodies))
	}
}

// peerClient signs with oauthlib and prints the status of each answer.
const peerClient = `
import sys, urllib.request, urllib.error
from oauthlib.oauth1 import Client
url = sys.argv[1]
form = {"Content-Type": "application/x-www-form-urlencoded"}
for path, body, secret in (("/p", "payload=YWI%2Bw%3D%3D", "s3cret"), ("/a%2Fb", "payload=x&note=a%20b~c", "s3cret"), ("/p", "payload=x", "other")):
    uri, headers, data = Client("m", client_secret=secret).sign(url + path, "POST", body, form)
    request = urllib.request.Request(uri, data.encode(), headers, method="POST")
    try:
        print(urllib.request.urlopen(request).status)
    except urllib.error.HTTPError as e:
        print(e.code)
`

// TestOAuthlibClient: requests that another library signs come through, and those under another secret do not.
func TestOAuthlibClient(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), name, "-c", "import oauthlib").Run() == nil {
			python = name
		}
	}
	if python == "" {
		t.Skip("python3-oauthlib is not installed")
	}
	g := newGate(t, httptest.NewServer)
	cmd := exec.CommandContext(t.Context(), python, "-c", peerClient, g.URL)
	cmd.Env = append(os.Environ(), "no_proxy=*")
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil || strings.Join(strings.Fields(string(out)), " ") != "200 200 403" {
		t.Errorf("%q, %v, refused %v\n%s", out, err, g.errs, messages.String())
	}
}

// TestDeclaredLengthTakesNoMemory: a Content-Length is believed only as its bytes arrive, however large MaxBody is.
func TestDeclaredLengthTakesNoMemory(t *testing.T) {
	for _, declared := range []int64{1 << 40, math.MaxInt64 - 1, math.MaxInt64} {
		r := httptest.NewRequest(http.MethodPost, "/p", strings.NewReader("payload=x"))
		r.ContentLength = declared
		if _, err := oauthhttp.FromHTTP(r, "", math.MaxInt64); !errors.Is(err, oauthhttp.BodyLength) {
			t.Errorf("%d bytes declared: %v", declared, err)
		}
	}
	long := strings.Repeat("x", 200<<10)
	r, err := oauthhttp.FromHTTP(httptest.NewRequest(http.MethodPost, "/p", strings.NewReader(long)), "", 0)
	if err != nil || string(r.Body()) != long {
		t.Errorf("a body longer than the first room: %d bytes, %v", len(r.Body()), err)
	}
}

// TestHeaderNamesInAnyCase: net/http sends the keys of a header map as they are, so the transport reads them in any case.
func TestHeaderNamesInAnyCase(t *testing.T) {
	sent := 0
	transport := &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t), Base: roundTrip(func(r *http.Request) (*http.Response, error) {
		sent++
		types := 0
		for name, values := range r.Header {
			if strings.EqualFold(name, "Content-Type") {
				types += len(values)
			}
		}
		if types != 1 {
			t.Errorf("%d headers Content-Type are sent", types)
		}
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
	})}
	for _, c := range []struct {
		name   string
		want   error
		inBody bool
		header http.Header
	}{
		{"an Authorization", oauthhttp.HeaderPresent, false, http.Header{"authorization": {"OAuth x"}, "Content-Type": {form}}},
		{"an Authorization without values", oauthhttp.HeaderPresent, false, http.Header{"AUTHORIZATION": nil, "Content-Type": {form}}},
		{"a Content-Type", nil, false, http.Header{"content-type": {form}}},
		{"a Content-Type that is replaced", nil, true, http.Header{"content-type": {form}}},
		{"a Content-Type that is not a form", signature.ContentType, false, http.Header{"content-TYPE": {"application/json"}}},
		{"two of them", oauthhttp.HeaderSeveral, false, http.Header{"content-type": {form}, "Content-Type": {form}}},
	} {
		transport.InBody = c.inBody
		before := sent
		r := request(t, http.MethodPost, "https://h.example/p", strings.NewReader("payload=x"))
		r.Header = c.header
		response, err := transport.RoundTrip(r)
		if err == nil {
			_ = response.Body.Close()
		}
		if c.want == nil && err != nil || !errors.Is(err, c.want) || (sent > before) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
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
