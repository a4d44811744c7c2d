package main

import (
	"context"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/client"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// open makes a shop that sends to a gateway and receives its callbacks.
func open(gw *gatewaytest.Gateway) *shop {
	m := gw.Merchant()
	key, err := signature.NewHMACKey(m.ControlKey)
	if err != nil {
		panic(err)
	}
	s := newShop(client.Merchant{URL: m.URL, Login: m.Login, Key: key, Transport: gw}, func() calendar.Date {
		now, err := gw.Gateway().Now(context.Background())
		if err != nil {
			panic(err)
		}
		return now
	})
	gw.Receive(s.callbacks())
	return s
}

// TestExampleMerchant: an order is created, the clock goes on for two months, and what the gateway
// charged is in the books.
func TestExampleMerchant(t *testing.T) {
	gw := gatewaytest.New(t)
	s := open(gw)
	if err := s.sell(t.Context(), subscription("rent-31", "http://shop.test")); err != nil {
		t.Fatal(err, gw.Requests())
	}
	gw.Advance(calendar.MustParse("2026-02-28"))
	charges := gw.Charges()
	if len(charges) != 2 || len(s.booked) != len(charges) {
		t.Errorf("%d charges, %d booked", len(charges), len(s.booked))
	}
	for _, c := range charges {
		if b := s.booked[slot{c.ClientOrderID, c.Charge.Repeat}]; b.Date != c.Charge.Date || !b.Amount.Equal(c.Charge.Min) {
			t.Errorf("%+v, booked %+v", c.Charge, b)
		}
	}
}

// books are the shop as package gatewaytest wants it.
type books struct{ *shop }

func (b books) Create(ctx context.Context, o gatewaytest.Order) error {
	order := rules.Values{}
	for name, text := range o.Columns {
		if column, ok := rules.ColumnOf(name); ok {
			order[column] = text
		}
	}
	return b.sell(ctx, order)
}

func (b books) Booked() (list []gatewaytest.Booking) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.booked {
		list = append(list, gatewaytest.Booking{Profile: c.ClientOrderID, Date: c.Date.String(), Amount: c.Amount.String(), Outcome: c.Status, Repeat: int(c.Repeat)})
	}
	return list
}

// TestFaults: whatever goes wrong, each charge is booked once. A callback that is lost is left out:
// this shop never asks the gateway what was charged.
func TestFaults(t *testing.T) {
	isLost := func(k gateway.FaultKind) bool { return k == gateway.FaultCallbackLost }
	plan := gatewaytest.Plan{Seeds: 50, Faults: slices.DeleteFunc(slices.Clone(gatewaytest.AllFaults), isLost)}
	gatewaytest.Simulate(t, plan, func(gw *gatewaytest.Gateway) gatewaytest.Books { return books{open(gw)} })
}
