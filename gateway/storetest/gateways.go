package storetest

import (
	"errors"
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

// idsAgain: a profile of a snapshot and one that came after it are never one, whatever was reset in between.
func idsAgain(t *testing.T, x *tester) {
	p := &player{T: t, maker: x.maker, config: gateway.Config{
		Store: x.store, AsOf: calendar.MustParse("2026-01-31"), Key: make([]byte, 32), Callbacks: gateway.CallbacksOff,
	}}
	p.open()
	defer func() { _ = p.gw.Close() }()
	for _, m := range []gateway.Registration{{Login: "m1", Endpoint: "1001", ControlKey: lawKey}, {Login: "m2", Endpoint: "1002", ControlKey: lawKey}} {
		_, err := p.gw.Register(t.Context(), m)
		x.check(err)
	}
	p.login, p.endpoint = "m1", "1001"
	p.post(map[string]string{"client-orderid": "first"})
	s, err := p.gw.Snapshot(t.Context(), "m1")
	x.check(err)
	_, err = p.gw.Reset(t.Context(), "", calendar.Date{})
	x.check(err)
	p.login, p.endpoint = "m2", "1002"
	p.post(map[string]string{"client-orderid": "second"})
	_, err = p.gw.Restore(t.Context(), s.ID)
	x.check(err)
	var got []string
	for _, profile := range p.profiles() {
		got = append(got, profile.ID.String()+" "+profile.Login+" "+profile.ClientOrderID)
	}
	x.equal(strings.Join(got, ", "), "1 m1 first, 2 m2 second")
	x.check(p.gw.DropSnapshot(t.Context(), s.ID))
	x.equal(errors.Is(p.gw.DropSnapshot(t.Context(), s.ID), gateway.NotFound), true)
}

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

// callbacksInOrder: those of one profile come in the order of its charges, however many writers there are.
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
