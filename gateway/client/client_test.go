package client_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/chargecast/chargecast/gateway/client"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

func key(t *testing.T) *signature.HMACKey {
	t.Helper()
	k, err := signature.NewHMACKey("s3cret")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestAnswers: which answers say that profiles were created, that none were, and that nobody knows. Each is asked for once.
func TestAnswers(t *testing.T) {
	const created = "type=create-recurring-payment-response\n&recurring-payment-id=1\n&status=active\n"
	const refused = "type=error\n&error-message=no\n&error-code=403\n"
	for _, c := range []struct {
		name    string
		answer  http.HandlerFunc
		want    error // nil: created
		records int
	}{
		{"200", status(200, ""), nil, 0},
		{"200 with a record", status(200, created), nil, 1},
		{"200 with two records", status(200, created+created), nil, 2},
		{"200 with a page of a proxy", status(200, "<html>Log in</html>"), client.ErrUnknown, 0},
		{"200 with a record that says no", status(200, refused), client.ErrRejected, 1},
		{"200 with records that disagree", status(200, created+refused), client.ErrUnknown, 2},
		{"403", status(403, ""), client.ErrRejected, 0},
		{"403 with a record", status(403, refused), client.ErrRejected, 1},
		{"403 with a page of a proxy", status(403, "<html>No</html>"), client.ErrRejected, 0},
		{"403 with a record that says yes", status(403, created), client.ErrUnknown, 1},
		{"500", status(500, ""), client.ErrUnknown, 0},
		{"204", status(204, ""), client.ErrUnknown, 0},
		{"404", status(404, ""), client.ErrUnknown, 0},
		{"302", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) }, client.ErrUnknown, 0},
		{"307", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, client.ErrUnknown, 0},
		{"a connection that is cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, client.ErrUnknown, 0},
		{"an answer that is cut", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(created))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, client.ErrUnknown, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			count, payload := 0, ""
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				count++
				request, err := oauthhttp.FromHTTP(r, "", 0)
				if err == nil {
					_, err = signature.Verify(request, signature.Options{Window: time.Minute, Now: time.Now()}, key(t))
				}
				if err != nil {
					t.Error(err)
				}
				form, _ := url.ParseQuery(string(request.Body()))
				text, _ := base64.StdEncoding.DecodeString(form.Get("payload"))
				payload = string(text)
				c.answer(w, r)
			}))
			defer server.Close()
			m := client.New(client.Merchant{URL: server.URL + "/paynet/api/v4/create-recurring-payments/1", Login: "m", Key: key(t)})
			answer, err := m.Create(t.Context(), strings.NewReader("a;b\nc+/;d\n"))
			if !errors.Is(err, c.want) || c.want == nil && err != nil || len(answer.Records) != c.records {
				t.Errorf("%+v %v, want %v", answer, err, c.want)
			}
			mu.Lock()
			defer mu.Unlock()
			if both := errors.Is(err, client.ErrRejected) && errors.Is(err, client.ErrUnknown); both || count != 1 || payload != "a;b\nc+/;d\n" {
				t.Errorf("both %v, %d requests, payload %q", both, count, payload)
			}
			if err != nil && strings.Contains(err.Error(), "paynet") {
				t.Errorf("it shows the URL: %v", err)
			}
		})
	}
}

func status(n int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(n)
		_, _ = io.WriteString(w, body)
	}
}

// TestNothingWasSent: what fails before anything is sent is known to have created nothing, and says what to set.
func TestNothingWasSent(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	good := client.Merchant{URL: "http://" + closed.Addr().String() + "/x", Login: "m", Key: key(t)}
	with := func(change func(*client.Merchant)) client.Merchant { m := good; change(&m); return m }
	for name, c := range map[string]struct {
		ctx     context.Context
		m       client.Merchant
		payload io.Reader
		says    string
	}{
		"nobody listens":       {t.Context(), good, strings.NewReader("x"), "connection refused"},
		"the context ended":    {ended, good, strings.NewReader("x"), "context canceled"},
		"no URL":               {t.Context(), with(func(m *client.Merchant) { m.URL = "" }), strings.NewReader("x"), "Merchant.URL"},
		"no login":             {t.Context(), with(func(m *client.Merchant) { m.Login = "" }), strings.NewReader("x"), "Merchant.Login"},
		"no key":               {t.Context(), with(func(m *client.Merchant) { m.Key = nil }), strings.NewReader("x"), "Merchant.Key"},
		"a typed nil key":      {t.Context(), with(func(m *client.Merchant) { m.Key = (*signature.HMACKey)(nil) }), strings.NewReader("x"), "key"},
		"a URL without a host": {t.Context(), with(func(m *client.Merchant) { m.URL = "/paynet" }), strings.NewReader("x"), ""},
		"a URL with a query":   {t.Context(), with(func(m *client.Merchant) { m.URL += "?a=1" }), strings.NewReader("x"), "query"},
		"a payload that fails": {t.Context(), good, iotest.ErrReader(errors.New("disk")), "disk"},
		"a transport that signs, too": {t.Context(), with(func(m *client.Merchant) {
			m.Transport = &oauthhttp.Transport{ConsumerKey: "m", Key: m.Key, Base: roundTrip(nil)}
		}), strings.NewReader("x"), "Authorization"},
		"too long a payload": {t.Context(), good, io.LimitReader(zeros{}, 33<<20), "32 MiB"},
	} {
		_, err := client.New(c.m).Create(c.ctx, c.payload)
		if !errors.Is(err, client.ErrRejected) || errors.Is(err, client.ErrUnknown) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	failing := with(func(m *client.Merchant) {
		m.Transport = roundTrip(func(*http.Request) (*http.Response, error) { return nil, errors.New("who knows") })
	})
	if _, err := client.New(failing).Create(t.Context(), strings.NewReader("x")); !errors.Is(err, client.ErrUnknown) {
		t.Errorf("a transport of somebody else: %v", err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// TestCallbacks: a callback is read into its types, and what is none is refused before anybody hears of it.
func TestCallbacks(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	const good = "client-orderid=rent-31&recurring-payment-id=7&status=declined&amount=9.90&currency=EUR&repeat=3&date=2026-03-31"
	for _, c := range []struct {
		name, method, contentType, body string
		fails                           error
		want                            int
		called                          bool
	}{
		{"good", "POST", form, good, nil, 200, true},
		{"with a charset", "POST", form + "; charset=utf-8", good, nil, 200, true},
		{"more than is known", "POST", form, good + "&more=1", nil, 200, true},
		{"the receiver fails", "POST", form, good, errors.New("disk"), 500, true},
		{"GET", "GET", "", "", nil, 405, false},
		{"in the query alone", "POST", form, "", nil, 400, false},
		{"JSON", "POST", "application/json", "{}", nil, 400, false},
		{"no content type", "POST", "", good, nil, 400, false},
		{"no order", "POST", form, strings.Replace(good, "rent-31", "", 1), nil, 400, false},
		{"no amount", "POST", form, strings.Replace(good, "9.90", "", 1), nil, 400, false},
		{"another status", "POST", form, strings.Replace(good, "declined", "maybe", 1), nil, 400, false},
		{"a repeat below zero", "POST", form, strings.Replace(good, "repeat=3", "repeat=-3", 1), nil, 400, false},
		{"a day that is none", "POST", form, strings.Replace(good, "03-31", "02-31", 1), nil, 400, false},
		{"an order twice", "POST", form, good + "&client-orderid=gym", nil, 400, false},
		{"a bad escape", "POST", form, good + "&x=%zz", nil, 400, false},
		{"too long", "POST", form, good + "&x=" + strings.Repeat("x", 64<<10), nil, 400, false},
	} {
		var got *client.Callback
		h := client.Callbacks(func(_ context.Context, b client.Callback) error { got = &b; return c.fails })
		r := httptest.NewRequest(c.method, "/callbacks?"+good, strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.contentType)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want || (got != nil) != c.called {
			t.Errorf("%s: %d, called %v", c.name, w.Code, got != nil)
		}
		if got != nil && fmt.Sprintf("%+v", *got) != "{ClientOrderID:rent-31 RecurringPaymentID:7 Repeat:3 Date:2026-03-31 Amount:9.90 Currency:EUR Status:declined}" {
			t.Errorf("%+v", *got)
		}
	}
}
