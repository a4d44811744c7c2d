package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// TestManyRows: one request creates all of them, in order, and a day charges all of them.
// CHARGECAST_PROFILES sets another number.
func TestManyRows(t *testing.T) {
	t.Parallel()
	n := numberOf(t, "CHARGECAST_PROFILES", 5_000)
	rows := make([]values, n)
	for i := range rows {
		rows[i] = values{"client-orderid": fmt.Sprintf("order-%05d", i), "start-date": "02.01.2026"}
	}
	gw := gatewaytest.New(t)
	newSender(t, gw).create(rows...)
	if a := gw.Advance(calendar.MustParse("2026-01-02")); a.Charges != n {
		t.Errorf("%+v", a)
	}
	for i, c := range gw.Charges() {
		if want := fmt.Sprintf("order-%05d", i); c.ClientOrderID != want || c.ID != gateway.ID(i+1) || c.Profile != gateway.ID(i+1) {
			t.Fatalf("charge %d is %+v", i, c)
		}
	}
	if r := gw.Requests()[0]; r.Profiles != n || r.First != 1 {
		t.Errorf("%+v", r)
	}
}

// TestTheLogIsBounded: the oldest requests go first, and what is kept of one has a limit.
func TestTheLogIsBounded(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	client := gw.Client()
	for range 10_020 {
		r, err := http.NewRequest("GET", gw.URL+"/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		do(t, client, r)
	}
	if list := gw.Requests(); len(list) != 10_000 || list[0].ID != 21 {
		t.Errorf("%d requests, the first is %s", len(list), list[0].ID)
	}
	r, err := http.NewRequest("POST", gw.URL+"/"+strings.Repeat("x", 10_000), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		r.Header.Set(fmt.Sprintf("X-Header-%03d", i), strings.Repeat("y", 5_000))
	}
	r.Header.Set("User-Agent", strings.Repeat("é", 5_000))
	do(t, client, r)
	list := gw.Requests()
	last := list[len(list)-1]
	if len(last.URI) > 512 || len(last.Headers) > 64 {
		t.Errorf("%d bytes of the target and %d headers are kept", len(last.URI), len(last.Headers))
	}
	for _, h := range last.Headers {
		if len(h.Value) > 520 {
			t.Errorf("%d bytes of %s", len(h.Value), h.Name)
		}
	}
}

// TestIdleConnections: hundreds of clients that say nothing keep nobody from being served.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	for i := range 200 {
		c := dial(t, gw)
		if i%2 == 0 {
			if _, err := io.WriteString(c, "POST /paynet/"); err != nil {
				t.Fatal(err)
			}
		}
	}
	conn, err := net.Dial("tcp", host(gw))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, s.message(bodyOf(payloadOf(nil)), nil)); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Error(response, err)
	}
}

// TestALongPayloadIsReadAgain: more rows than are held until the transaction are created as few
// are, in their order, and a fault finds one among them.
func TestALongPayloadIsReadAgain(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.Options{Response: gateway.ResponseParameters}.New(t)
	s := newSender(t, gw)
	for _, n := range []int{1000, 1001, 2500} {
		var rows []values
		for i := range n {
			rows = append(rows, values{"client-orderid": fmt.Sprint("of", n, "-", i), "start-date": "01.01.2026"})
		}
		last := fmt.Sprint("of", n, "-", n-1)
		ask(t, gw, 201, "POST", "faults", `{"kind":"refused-late","where":{"profile":"`+last+`"}}`)
		before := len(gw.Profiles())
		if status, _ := s.post(bodyOf(payloadOf(rows...))); status != http.StatusForbidden || len(gw.Profiles()) != before {
			t.Errorf("%d rows with a fault: %d", n, status)
		}
		status, text := s.post(bodyOf(payloadOf(rows...)))
		profiles, charges := gw.Profiles()[before:], gw.Charges()[before:]
		if status != http.StatusOK || strings.Count(text, "create-recurring-payment-response") != n || len(profiles) != n || len(charges) != n {
			t.Fatalf("%d rows: %d, %d profiles, %d charges", n, status, len(profiles), len(charges))
		}
		for i, p := range profiles {
			if id := fmt.Sprint("of", n, "-", i); p.ClientOrderID != id || p.Row != i+1 || charges[i].ClientOrderID != id || p.Card.Last4 != "1111" {
				t.Fatalf("profile %d of %d: %+v", i, n, p)
			}
		}
		rows[n-1]["amount"] = "x"
		if status, _ := s.post(bodyOf(payloadOf(rows...))); status != http.StatusForbidden || len(gw.Profiles()) != before+n {
			t.Errorf("%d rows with a wrong one: %d", n, status)
		}
	}
}
