package storetest

import (
	"context"
	"errors"

	"github.com/chargecast/chargecast/gateway"
)

// A mortal is a store whose process is killed after some transactions: no other one takes place.
type mortal struct {
	gateway.Store
	left int
}

var errKilled = errors.New("storetest: killed")

// Update lets one of the transactions that are left take place.
func (m *mortal) Update(ctx context.Context, do func(gateway.Tx) error) error {
	if m.left == 0 {
		return errKilled
	}
	m.left--
	return m.Store.Update(ctx, do)
}

// kill now and then kills the gateway while it moves the clock. The next one goes on with the move, unless
// it had not begun.
func (p *player) kill() {
	if p.maker.Kill == nil || p.r.IntN(12) > 0 {
		return
	}
	config := p.config
	m := &mortal{config.Store, 100} // more than a start needs
	config.Store = m
	dying, err := gateway.New(p.Context(), config)
	if err != nil {
		p.Fatal(err)
	}
	m.left = p.r.IntN(8)
	to := p.now.AddDays(1 + p.r.IntN(15))
	_, err = dying.Advance(p.Context(), to)
	if err != nil && !errors.Is(err, errKilled) && !errors.Is(err, gateway.Restarting) {
		p.Fatal(err)
	}
	p.config.Store = p.maker.Kill(p.T, p.config.Store)
	p.open()
	now, err := p.gw.Now(p.Context())
	if err != nil || now != p.now && now != to {
		p.Fatalf("killed on the way from %s to %s, the clock is at %s, %v", p.now, to, now, err)
	}
	p.now = now
}
