package storetest

import (
	"fmt"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
)

// RunDay checks that a gateway with a store charges many profiles that are due on the same days: each once a
// day, in order of id, also on the day after the store was opened again.
func RunDay(t *testing.T, m Maker, profiles int) {
	start := calendar.MustParse("2026-01-01")
	p := &player{T: t, maker: m, now: start, config: gateway.Config{
		Store: m.New(t), AsOf: start, Key: make([]byte, 32), Callbacks: gateway.CallbacksOff,
	}}
	p.open()
	defer func() { _ = p.gw.Close() }()
	_, err := p.gw.Register(t.Context(), gateway.Registration{Login: "m1", Endpoint: "1001", ControlKey: lawKey})
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]map[string]string, profiles)
	for i := range rows {
		rows[i] = map[string]string{"client-orderid": fmt.Sprintf("order-%06d", i), "start-date": "02.01.2026", "period": "day", "interval": "1"}
	}
	p.post(rows...)
	for day := range 2 {
		to := start.AddDays(day + 1)
		a, err := p.gw.Advance(t.Context(), to)
		if err != nil || a.Charges != profiles || a.Stops != 0 || a.Now != to {
			t.Fatalf("the run of %s: %+v, %v", to, a, err)
		}
		charges := p.charges()
		if len(charges) != (day+1)*profiles {
			t.Fatalf("%d charges up to %s, not %d", len(charges), to, (day+1)*profiles)
		}
		for i, c := range charges[day*profiles:] {
			id := gateway.ID(i + 1)
			if c.Profile != id || c.Date != to || c.Repeat != uint64(day) || c.ID != gateway.ID(day*profiles)+id {
				t.Fatalf("charge %d of %s is %+v", i, to, c)
			}
		}
		if day == 0 && m.Reopen != nil {
			if err := p.gw.Close(); err != nil {
				t.Fatal(err)
			}
			p.config.Store = m.Reopen(t, p.config.Store)
			p.open()
		}
	}
}
