package gateway_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// tryOn sends one signed create request over a client, and says how it ended.
func (s *sender) tryOn(c *http.Client, row values) string {
	s.t.Helper()
	body := bodyOf(payloadOf(row))
	r, err := http.NewRequestWithContext(s.t.Context(), "POST", s.m.URL, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", s.authorization(s.m.URL, body))
	began := time.Now()
	response, err := c.Do(r)
	if err != nil {
		return "cut"
	}
	_ = response.Body.Close()
	return fmt.Sprint(response.StatusCode, " after ", time.Since(began).Round(time.Second))
}

// TestFaultsOfRequests: what the client sees, what is created, and what is recorded, in a bubble
// where seconds pass at once.
func TestFaultsOfRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault    string
		client   string
		profiles int
		record   string // status, reason and fault of the request
	}{
		{`{"kind":"answer-lost"}`, "cut", 1, "200  answer-lost"},
		{`{"kind":"answer-late","ms":7000}`, "200 after 7s", 1, "200  answer-late"},
		{`{"kind":"refused-late","ms":3000}`, "403 after 3s", 0, "403 fault refused-late"},
		{`{"kind":"cut"}`, "cut", 0, "403 fault cut"},
		{`{"kind":"slow","bytes_s":100}`, "200 after 9s", 1, "200  slow"},
		{`{"kind":"cut","login":"m2"}`, "200 after 0s", 1, "200  "},
		{`{"kind":"cut","where":{"profile":"other"}}`, "200 after 0s", 1, "200  "},
		{`{"kind":"cut","where":{"request":2}}`, "200 after 0s", 1, "200  "},
		{`{"kind":"cut","where":{"request":1,"profile":"order-1"},"login":"m1"}`, "cut", 0, "403 fault cut"},
	} {
		synctest.Test(t, func(t *testing.T) {
			gw := gatewaytest.New(t)
			s := newSender(t, gw)
			newSender(t, gw)
			ask(t, gw, 201, "POST", "faults", c.fault)
			if got := s.tryOn(gw.Client(), nil); got != c.client {
				t.Errorf("%s: %s", c.fault, got)
			}
			r := gw.Requests()[0]
			if got := fmt.Sprint(r.Status, " ", r.Reason, " ", r.Fault); got != c.record || len(gw.Profiles()) != c.profiles || r.Profiles != c.profiles {
				t.Errorf("%s: %s, %d profiles", c.fault, got, len(gw.Profiles()))
			}
			if got := s.tryOn(gw.Client(), values{"client-orderid": "second"}); got != "200 after 0s" && !strings.Contains(c.fault, `"request":2`) {
				t.Errorf("%s: the second request: %s", c.fault, got)
			}
		})
	}
}

// TestACutConnection is one for clients of a socket, too.
func TestACutConnection(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	ask(t, gw, 201, "POST", "faults", `{"kind":"answer-lost"}`)
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if got := s.tryOn(c, nil); got != "cut" || len(gw.Profiles()) != 1 {
		t.Errorf("%s, %d profiles", got, len(gw.Profiles()))
	}
	if got := s.tryOn(c, values{"client-orderid": "b"}); got != "200 after 0s" {
		t.Error(got)
	}
}

// TestFaultsOfCallbacks: what arrives, in which order and on which day.
func TestFaultsOfCallbacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fault, want string }{
		{"", "a0@05 b0@05 a1@06 b1@06 a2@07 b2@07"},
		{`{"kind":"callback-twice","where":{"profile":"a"}}`, "a0@05 b0@05 a0@05 a1@06 b1@06 a2@07 b2@07"},
		{`{"kind":"callback-lost","where":{"profile":"a"}}`, "b0@05 a1@06 b1@06 a2@07 b2@07"},
		{`{"kind":"callback-late","where":{"profile":"a"},"days":2}`, "b0@05 a1@06 b1@06 a0@07 b2@07 a2@07"},
		{`{"kind":"callback-late","where":{"profile":"a"},"days":4,"times":0}`, "b0@05 b1@06 b2@07 a0@09 a1@10 a2@11"},
		{`{"kind":"callback-reordered","where":{"profile":"a"}}`, "b0@05 a0@05 a1@06 b1@06 a2@07 b2@07"},
		{`{"kind":"callback-reordered","where":{"profile":"b"}}`, "a0@05 b0@05 a1@06 b1@06 a2@07 b2@07"}, // no next one: at the end of the advance
		{`{"kind":"decline","where":{"profile":"b"}}`, "a0@05 b0!@05 a1@06 b1@06 a2@07 b2@07"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var got []string
			var gw *gatewaytest.Gateway
			shop := &receiver{status: func(_ int, form url.Values) int {
				now, err := gw.Gateway().Now(t.Context())
				if err != nil {
					t.Error(err)
				}
				mark := ""
				if form.Get("status") == "declined" {
					mark = "!"
				}
				got = append(got, form.Get("client-orderid")+form.Get("repeat")+mark+"@"+now.String()[8:])
				return 200
			}}
			gw = receiving(t, gatewaytest.Options{}, turns{shop})
			s := newSender(t, gw)
			for _, id := range []string{"a", "b"} {
				s.create(values{"client-orderid": id, "period": "day", "start-date": "05.01.2026", "max-repeats-number": "3", "notify_url": "http://shop.test"})
			}
			if c.fault != "" {
				ask(t, gw, 201, "POST", "faults", c.fault)
			}
			for day := 2; day < 20; day++ {
				gw.Advance(calendar.MustParse(fmt.Sprintf("2026-01-%02d", day)))
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%s:\n%s\nnot\n%s", c.fault, text, c.want)
			}
		})
	}
}

// turns lets the callbacks of several profiles come one after the other.
type turns struct{ http.Handler }

func (h turns) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		panic(err)
	}
	id := r.PostForm.Get("recurring-payment-id")
	time.Sleep(time.Duration(id[0]) * time.Millisecond)
	r.Body = http.NoBody
	if c, ok := h.Handler.(*receiver); ok && c.status != nil {
		w.WriteHeader(c.status(0, r.PostForm))
	}
}

// TestEarlyCallbacks come before the answer of the request that created the profile, and only with
// the fault.
func TestEarlyCallbacks(t *testing.T) {
	t.Parallel()
	for _, fault := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			answered := false
			early := false
			shop := &receiver{status: func(int, url.Values) int { early = !answered; return 200 }}
			gw := receiving(t, gatewaytest.Options{AsOf: "2026-01-31"}, slowly{shop})
			s := newSender(t, gw)
			if fault {
				ask(t, gw, 201, "POST", "faults", `{"kind":"callback-early"}`)
			}
			s.create(values{"notify_url": "http://shop.test"})
			answered = true
			if err := gw.Gateway().Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			if early != fault || len(shop.list()) != 1 {
				t.Errorf("with the fault %t: early %t, %d callbacks", fault, early, len(shop.list()))
			}
		})
	}
}

// slowly delivers after a second.
type slowly struct{ http.Handler }

func (h slowly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	time.Sleep(time.Second)
	h.Handler.ServeHTTP(w, r)
}

// TestRestarts: the gateway is made again from its store in the middle of an advance; nothing is
// charged twice or left out.
func TestRestarts(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{`{"kind":"restart","times":0}`, `{"kind":"restart","where":{"day":"2026-01-04"}}`} {
		gw := gatewaytest.New(t)
		s := newSender(t, gw)
		s.create(values{"period": "day", "start-date": "02.01.2026"})
		ask(t, gw, 201, "POST", "faults", fault)
		gw.Advance(calendar.MustParse("2026-01-08"))
		if got := dates(gw); got != "01-02 01-03 01-04 01-05 01-06 01-07 01-08" {
			t.Errorf("%s: %s", fault, got)
		}
		if list := ask(t, gw, 200, "GET", "faults", "")["faults"].([]any); list[0].(map[string]any)["used"] == 0.0 {
			t.Errorf("%s was not used", fault)
		}
	}
	called := 0
	gw, err := gateway.New(t.Context(), gateway.Config{AsOf: calendar.MustParse("2026-01-01"), Restart: func() { called++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = gw.Close() }()
	if _, err := gw.AddFault(t.Context(), gateway.Fault{Kind: gateway.FaultRestart, Times: 1, Where: gateway.FaultWhere{Day: calendar.MustParse("2026-01-05")}}); err != nil {
		t.Fatal(err)
	}
	a, err := gw.Advance(t.Context(), calendar.MustParse("2026-01-10"))
	if called != 1 || err == nil || a.Now.String() != "2026-01-05" {
		t.Errorf("%d calls, %+v, %v", called, a, err)
	}
	// Each day is a run, also where nothing is due.
	if _, err := gw.AddFault(t.Context(), gateway.Fault{Kind: gateway.FaultRestart, Times: 1}); err != nil {
		t.Fatal(err)
	}
	a, err = gw.Advance(t.Context(), calendar.MustParse("2026-03-01"))
	if called != 2 || !errors.Is(err, gateway.Restarting) || !a.Now.After(calendar.MustParse("2026-01-05")) || !a.Now.Before(calendar.MustParse("2026-03-01")) {
		t.Errorf("%d calls, %+v, %v", called, a, err)
	}
}

// TestBadFaults: what could select nothing, or what its kind has no use for, is refused with a
// remedy.
func TestBadFaults(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	for _, body := range []string{
		`{}`, `{"kind":"flood"}`, `{"kind":"cut","chance":1}`, `{"kind":"decline","where":{"day":"2026-01-02"}}`,
		`{"kind":"cut","ms":5}`, `{"kind":"answer-late","ms":86400001}`, `{"kind":"callback-late"}`, `{"kind":"cut","days":1}`,
		`{"kind":"slow"}`, `{"kind":"cut","bytes_s":1}`, `{"kind":"decline","where":{"request":1}}`, `{"kind":"slow","bytes_s":1,"where":{"profile":"a"}}`,
		`{"kind":"restart","login":"m1"}`, `{"kind":"cut","where":{"dey":"2026-01-01"}}`, `{"kind":"cut","where":{"day":"soon"}}`,
	} {
		if v := ask(t, gw, 400, "POST", "faults", body); v["detail"] == "" || v["code"] != "input-form" {
			t.Errorf("%s: %v", body, v)
		}
	}
}

// TestTheNthRequestCountsWhateverItsAnswer: a request that is refused is counted too, and the one
// that a fault names meets it.
func TestTheNthRequestCountsWhateverItsAnswer(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	ask(t, gw, 201, "POST", "faults", `{"kind":"refused-late","login":"m1","where":{"request":4}}`)
	bad := func(change func(*http.Request)) {
		t.Helper()
		body := bodyOf("nothing")
		r, err := http.NewRequest("POST", s.m.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", formType)
		r.Header.Set("Authorization", s.authorization(s.m.URL, body))
		change(r)
		if status, _ := do(t, gw.Client(), r); status != 403 {
			t.Errorf("%d", status)
		}
	}
	bad(func(*http.Request) {})
	bad(func(r *http.Request) { r.Header.Set("Authorization", s.authorization(s.m.URL, "other")) })
	bad(func(r *http.Request) { r.URL.Path += "9" })
	other := newSender(t, gw)
	other.create(nil)
	if status, _ := s.post(bodyOf(payloadOf(nil))); status != 403 || lastReason(gw) != gateway.ReasonFault {
		t.Errorf("the fourth request of the merchant: %d %s", status, lastReason(gw))
	}
	s.create(nil)
	if v := ask(t, gw, 200, "GET", "faults", "")["faults"].([]any)[0].(map[string]any); v["used"] != 1.0 {
		t.Error(v)
	}
}

// TestADelayedCallbackSurvivesARestore: one that a fault delays is sent however the state comes
// back, and at once when it is sent again.
func TestADelayedCallbackSurvivesARestore(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{`{"kind":"callback-reordered"}`, `{"kind":"callback-late","days":40}`} {
		gw := receiving(t, gatewaytest.Options{}, &receiver{})
		s := newSender(t, gw)
		s.create(values{"start-date": "02.01.2026", "notify_url": "http://shop.test"}, values{"client-orderid": "other", "start-date": "04.01.2026", "notify_url": "http://shop.test"})
		ask(t, gw, 201, "POST", "faults", fault)
		if _, err := gw.Gateway().Advance(t.Context(), calendar.MustParse("2026-01-02")); err != nil {
			t.Fatal(err)
		}
		id := ask(t, gw, 201, "POST", "snapshots", "")["id"].(string)
		gw.Advance(calendar.MustParse("2026-03-10"))
		ask(t, gw, 200, "POST", "snapshots/"+id+"/restore", "")
		gw.Advance(calendar.MustParse("2026-06-10"))
		for _, b := range gw.Callbacks() {
			if b.State != gateway.CallbackDelivered || len(b.Attempts) != 1 {
				t.Errorf("%s: callback %s is %s after %d attempts", fault, b.ID, b.State, len(b.Attempts))
			}
		}
		// What is delayed now is sent at once when somebody asks for it.
		ask(t, gw, 201, "POST", "faults", `{"kind":"callback-late","days":400}`)
		ask(t, gw, 200, "POST", "profiles/1/charge", "")
		list := gw.Callbacks()
		last := list[len(list)-1]
		if last.HeldBy == 0 || len(last.Attempts) != 0 {
			t.Errorf("%s: it is not delayed: %+v", fault, last)
		}
		ask(t, gw, 200, "POST", "callbacks/"+last.ID.String()+"/resend", "")
		if err := gw.Gateway().Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		list = gw.Callbacks()
		if last := list[len(list)-1]; last.State != gateway.CallbackDelivered {
			t.Errorf("%s: sent again it is %s", fault, last.State)
		}
	}
}
