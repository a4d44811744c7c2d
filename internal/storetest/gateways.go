package storetest

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
)

// A listener takes callbacks in memory, and notes their repeats by profile.
type listener struct {
	mu  sync.Mutex
	got map[string][]string
}

func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := form.Get("client-orderid")
	l.got[id] = append(l.got[id], form.Get("repeat"))
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
}

// callbacksInOrder: those of one profile come in the order of its charges, however many writers
// there are.
func callbacksInOrder(t *testing.T, x *tester) {
	const writers, each = 16, 10
	l := &listener{got: map[string][]string{}}
	p := &player{T: t, maker: x.maker, login: "m1", endpoint: "1001", config: gateway.Config{
		Store: x.store, AsOf: calendar.MustParse("2026-01-31"), Key: make([]byte, 32), Transport: l,
	}}
	p.open()
	defer func() { _ = p.gw.Close() }()
	_, err := p.gw.Register(t.Context(), gateway.Registration{Login: "m1", Endpoint: "1001", ControlKey: lawKey})
	x.check(err)
	for n := range 2 {
		p.post(map[string]string{"client-orderid": fmt.Sprint("p", n), "start-date": "28.02.2026", "period": "month", "interval": "1", "notify_url": "http://shop.test"})
	}
	var wg sync.WaitGroup
	for n := range writers {
		wg.Go(func() {
			for range each {
				if _, err := p.gw.Apply(t.Context(), gateway.ID(1+n%2), engine.Event{Kind: engine.EventCharge}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	x.check(p.gw.Settle(t.Context()))
	var want strings.Builder
	for n := range writers / 2 * each {
		want.WriteString(fmt.Sprint(n, " "))
	}
	for id, repeats := range l.got {
		x.equal(id+": "+strings.Join(repeats, " ")+" ", id+": "+want.String())
	}
	x.equal(len(l.got), 2)
}
