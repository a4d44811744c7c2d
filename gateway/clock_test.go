package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// dates are the days of the charges, in order.
func dates(gw *gatewaytest.Gateway) string {
	var list []string
	for _, c := range gw.Charges() {
		list = append(list, c.Charge.Date.String()[5:])
	}
	return strings.Join(list, " ")
}

// TestTheDayOfTheClock: its run has taken place, except for profiles that are created on it.
func TestTheDayOfTheClock(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.Options{AsOf: "2026-01-31"}.New(t)
	s := newSender(t, gw)
	s.create(nil) // due today (2.2.4)
	if got := dates(gw); got != "01-31" {
		t.Errorf("on the day of creation: %s", got)
	}
	ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"start-date":"05.02.2026"}}`)
	gw.Advance(calendar.MustParse("2026-02-05"))
	ask(t, gw, 200, "POST", "profiles/1/stop", "") // after the run of its day
	gw.Advance(calendar.MustParse("2026-03-05"))
	ask(t, gw, 200, "POST", "profiles/1/resume", `{"via":"ui"}`) // after the run that found it stopped
	gw.Advance(calendar.MustParse("2026-04-05"))
	if got := dates(gw); got != "01-31 02-05 04-05" {
		t.Error(got)
	}
}

// TestOrderOfADay: by day, then by profile id, whenever they were created.
func TestOrderOfADay(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	for i := range 5 {
		s.create(values{"client-orderid": fmt.Sprint(i), "period": "week", "start-date": fmt.Sprintf("%02d.01.2026", 9-i)})
	}
	gw.Advance(calendar.MustParse("2026-03-01"))
	before := ""
	for _, c := range gw.Charges() {
		at := fmt.Sprintf("%s %03d", c.Charge.Date, c.Profile)
		if at <= before {
			t.Errorf("%s after %s", at, before)
		}
		before = at
	}
}

// TestTheEndOfTheCalendar: the clock can be taken to its last day and stays there.
func TestTheEndOfTheCalendar(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.Options{AsOf: "9990-01-01"}.New(t)
	s := newSender(t, gw)
	s.create(values{"start-date": "31.12.9990", "expire-year": "9999", "interval": "12"})
	if a := gw.Advance(calendar.MustParse("9999-12-31")); a.Charges != 10 || a.Now != calendar.MaxDate() {
		t.Errorf("%+v", a)
	}
	s.create(values{"start-date": "31.12.9999", "expire-year": "9999"})
	if a := gw.Advance(calendar.MustParse("9999-12-31")); a.Charges != 0 {
		t.Errorf("%+v", a)
	}
	if n := len(gw.Charges()); n != 11 {
		t.Errorf("%d charges", n)
	}
	for _, path := range []string{"profiles/1", "profiles"} {
		ask(t, gw, 200, "GET", path, "")
	}
	ask(t, gw, 200, "POST", "profiles/2/charge", "")
}

// A cut store lets a number of transactions through, and fails then: as if the power went.
type cut struct {
	gateway.Store
	mu   sync.Mutex
	left int
}

var errCut = errors.New("the power went")

func (c *cut) Update(ctx context.Context, do func(gateway.Tx) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return errCut
	}
	return c.Store.Update(ctx, do)
}

func (c *cut) Close() error { return nil }

// TestAnAdvanceGoesOnAtTheNextStart: wherever it was cut, no day is left half and none is run
// twice.
func TestAnAdvanceGoesOnAtTheNextStart(t *testing.T) {
	t.Parallel()
	rows := make([]values, 60)
	for i := range rows {
		rows[i] = values{"client-orderid": fmt.Sprint(i), "period": "day", "start-date": "01.01.2026", "max-repeats-number": fmt.Sprint(90 + i)}
	}
	create := func(store gateway.Store) *gatewaytest.Gateway {
		gw := gatewaytest.Options{Store: store}.New(t)
		newSender(t, gw).create(rows...)
		return gw
	}
	whole := create(nil)
	whole.Advance(calendar.MustParse("2026-05-01"))
	want, days := fmt.Sprint(whole.Charges()), perDay(whole)
	for cutAt := range 12 {
		store := &cut{Store: gateway.NewMemory(), left: 1000}
		gw := create(store)
		store.left = cutAt
		_, err := gw.Gateway().Advance(t.Context(), calendar.MustParse("2026-05-01"))
		if err != nil && !errors.Is(err, errCut) {
			t.Fatal(err)
		}
		for day, n := range perDay(gw) {
			if n != days[day] {
				t.Errorf("cut after %d: %d of %d charges on %s", cutAt, n, days[day], day)
			}
		}
		store.left = 1000
		again := gatewaytest.Options{Store: store}.New(t)
		if cutAt > 0 {
			if now, err := again.Gateway().Now(t.Context()); err != nil || now.String() != "2026-05-01" {
				t.Errorf("cut after %d: the clock shows %s, %v", cutAt, now, err)
			}
		}
		again.Advance(calendar.MustParse("2026-05-01"))
		if got := fmt.Sprint(again.Charges()); got != want {
			t.Errorf("cut after %d: other charges", cutAt)
		}
	}
}

// TestAResetForgetsAnAdvance that a failure of the store ended: the next start does not go on with
// it.
func TestAResetForgetsAnAdvance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, to, want string }{
		{"the clock goes to a day", "2025-06-01", "2025-06-01"},
		{"the clock stays", "", "2026-01-01"},
	} {
		store := &cut{Store: gateway.NewMemory(), left: 1000}
		gw := gatewaytest.Options{Store: store}.New(t)
		store.left = 1 // the transaction that notes the day to go to
		if _, err := gw.Gateway().Advance(t.Context(), calendar.MustParse("2026-05-01")); !errors.Is(err, errCut) {
			t.Fatalf("%s: %v", c.reason, err)
		}
		store.left = 1000
		var to calendar.Date
		if c.to != "" {
			to = calendar.MustParse(c.to)
		}
		if _, err := gw.Gateway().Reset(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		again := gatewaytest.Options{Store: store}.New(t)
		if now, err := again.Gateway().Now(t.Context()); err != nil || now.String() != c.want {
			t.Errorf("%s: after a start the clock shows %s, %v", c.reason, now, err)
		}
	}
}

// perDay counts charges by day.
func perDay(gw *gatewaytest.Gateway) map[calendar.Date]int {
	days := map[calendar.Date]int{}
	for _, c := range gw.Charges() {
		days[c.Charge.Date]++
	}
	return days
}

// TestTheSameRequestsGiveTheSameBytes, ids and random amounts included, also after a reset.
func TestTheSameRequestsGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	play := func(gw *gatewaytest.Gateway, s *sender) string {
		s.create(values{"amount": "", "amount-from": "1.00", "amount-to": "99.99"}, values{"client-orderid": "b", "period": "day"})
		ask(t, gw, 201, "POST", "outcomes", `{"times":3,"outcome":"declined"}`)
		gw.Advance(calendar.MustParse("2026-04-01"))
		ask(t, gw, 200, "POST", "profiles/1/charge", "")
		var text strings.Builder
		for _, path := range []string{"profiles", "profiles/1", "charges?limit=1000", "outcomes"} {
			_, answer := admin(t, gw, "GET", path, "")
			text.WriteString(answer)
		}
		return text.String()
	}
	one, two := gatewaytest.New(t), gatewaytest.New(t)
	s := newSender(t, one)
	first := play(one, s)
	if second := play(two, newSender(t, two)); second != first {
		t.Error("another gateway has other bytes")
	}
	ask(t, one, 200, "POST", "reset", `{"to":"2026-01-01"}`)
	if second := play(one, s); second != first {
		t.Error("after a reset there are other bytes")
	}
}

// machineTime is what differs each time.
var machineTime = regexp.MustCompile(`"at":"[^"]*",`)

// TestSnapshotsAreExact: what comes after a restore is what came after the snapshot.
func TestSnapshotsAreExact(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	s.create(values{"amount": "", "amount-from": "1.00", "amount-to": "99.99"})
	ask(t, gw, 201, "POST", "outcomes", `{"times":2,"outcome":"declined"}`)
	gw.Advance(calendar.MustParse("2026-02-01"))
	all := func() string {
		var text strings.Builder
		for _, path := range []string{"clock", "profiles/1", "profiles", "charges", "outcomes", "requests", "merchants"} {
			_, answer := admin(t, gw, "GET", path, "")
			text.WriteString(machineTime.ReplaceAllString(answer, ""))
		}
		return text.String()
	}
	id := ask(t, gw, 201, "POST", "snapshots", "")["id"].(string)
	at := all()
	after := func() string {
		gw.Advance(calendar.MustParse("2026-05-01"))
		s.create(values{"client-orderid": "later"})
		gw.Advance(calendar.MustParse("2026-06-01"))
		return all()
	}
	first := after()
	for range 2 {
		ask(t, gw, 200, "POST", "snapshots/"+id+"/restore", "")
		if got := all(); got != at {
			t.Errorf("%s\nnot\n%s", got, at)
		}
		if got := after(); got != first {
			t.Errorf("%s\nnot\n%s", got, first)
		}
	}
}

// TestOutcomes: the newest that applies and has uses left decides; each selector selects.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ outcomes, want string }{
		{``, "aaaa"},
		{`{"outcome":"declined"}`, "dddd"},
		{`{"outcome":"declined","times":0}`, "dddd"},
		{`{"outcome":"declined","times":2}`, "ddaa"},
		{`{"outcome":"declined"} {"outcome":"approved","times":1}`, "addd"},
		{`{"outcome":"declined","times":1} {"outcome":"approved","times":1}`, "adaa"},
		{`{"outcome":"declined","repeat":2}`, "aada"},
		{`{"outcome":"declined","profile":"order-1"}`, "dddd"},
		{`{"outcome":"declined","profile":"order-2"}`, "aaaa"},
		{`{"outcome":"declined","profile":"order"}`, "aaaa"},
		{`{"outcome":"declined","login":"m1"}`, "dddd"},
		{`{"outcome":"declined","login":"m2"}`, "aaaa"},
		{`{"outcome":"declined","last4":"1111"}`, "dddd"},
		{`{"outcome":"declined","last4":"1112"}`, "aaaa"},
		{`{"outcome":"declined","amount":"2.5"}`, "adaa"},
		{`{"outcome":"declined","amount":"3.000"}`, "aadd"},
		{`{"outcome":"declined","amount":"3","repeat":3,"login":"m1","profile":"order-1","last4":"1111"}`, "aaad"},
		{`{"outcome":"declined","amount":"3","repeat":1}`, "aaaa"},
	} {
		gw := gatewaytest.New(t)
		s := newSender(t, gw)
		newSender(t, gw)
		for text := range strings.SplitSeq(c.outcomes, " ") {
			if text != "" {
				ask(t, gw, 201, "POST", "outcomes", text)
			}
		}
		s.create(values{"amount": "", "amount-sequence": "1.00,2.50,3.00", "max-repeats-number": "4"})
		gw.Advance(calendar.MustParse("2026-12-01"))
		var got strings.Builder
		for _, charge := range gw.Charges() {
			got.WriteString(charge.Charge.Outcome.String()[:1])
		}
		if got.String() != c.want {
			t.Errorf("%s: %s, not %s", c.outcomes, got.String(), c.want)
		}
	}
	declined := gatewaytest.Options{Outcomes: []gateway.Outcome{{Outcome: engine.OutcomeDeclined}}}.New(t)
	newSender(t, declined).create(values{"start-date": "01.01.2026"})
	if c := declined.Charges(); len(c) != 1 || c[0].Charge.Outcome != engine.OutcomeDeclined {
		t.Errorf("%+v", c)
	}
}

// TestAtTheSameTime: creates, events, readers and the clock, all at once; then the charges are
// still those of the engine's grid.
func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	senders := []*sender{newSender(t, gw), newSender(t, gw), newSender(t, gw)}
	var wg sync.WaitGroup
	for n, s := range senders {
		wg.Go(func() {
			for i := range 15 {
				s.create(values{"client-orderid": fmt.Sprintf("s%d-%d", n, i), "period": "day", "start-date": "01.01.2026"}, values{"client-orderid": fmt.Sprintf("t%d-%d", n, i)})
			}
		})
	}
	wg.Go(func() {
		for day := 2; day <= 25; day++ {
			gw.Advance(calendar.MustParse(fmt.Sprintf("2026-01-%02d", day)))
		}
	})
	wg.Go(func() {
		for range 20 {
			for _, path := range []string{"profiles", "charges", "requests", "clock"} {
				if status, text := admin(t, gw, "GET", path, ""); status != 200 {
					t.Error(path, status, text)
				}
			}
		}
	})
	wg.Go(func() {
		for range 10 {
			ask(t, gw, 201, "POST", "snapshots", "")
		}
	})
	wg.Wait()
	gw.Advance(calendar.MustParse("2026-01-25"))
	byProfile := map[gateway.ID][]string{}
	for _, c := range gw.Charges() {
		byProfile[c.Profile] = append(byProfile[c.Profile], c.Charge.Date.String())
	}
	for _, p := range gw.Profiles() {
		var want []string
		if p.ClientOrderID[0] == 's' {
			for d := p.Created; !d.After(calendar.MustParse("2026-01-25")); d = d.AddDays(1) {
				want = append(want, d.String())
			}
		}
		if got := byProfile[p.ID]; !slices.Equal(got, want) {
			t.Errorf("%s created %s: %v", p.ClientOrderID, p.Created, got)
		}
	}
	if n := len(gw.Profiles()); n != 90 {
		t.Errorf("%d profiles", n)
	}
}

func TestConfigurationsThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]gateway.Config{
		"a short key":        {Key: []byte("short")},
		"a negative limit":   {MaxBody: -1},
		"a negative pause":   {CallbackPauses: []time.Duration{-1}},
		"an unknown mode":    {Callbacks: 9},
		"an unknown reading": {Policy: engine.Policy{MaxZero: 9}},
		"a URL with a query": {PublicURL: "https://a.example/?x=y"},
		"a URL with a user":  {PublicURL: "https://u:p@a.example"},
		"no URL":             {PublicURL: "a.example"},
	} {
		if _, err := gateway.New(t.Context(), c); !errors.Is(err, gateway.InputForm) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPolicyAndSeedAreTheStores: a start without them goes on as the store was made; one with
// others is refused, and says what to do.
func TestPolicyAndSeedAreTheStores(t *testing.T) {
	t.Parallel()
	skip, err := engine.ParsePolicy("month-end=skip")
	if err != nil {
		t.Fatal(err)
	}
	store := unclosed{gateway.NewMemory()}
	first := gatewaytest.Options{Store: store, AsOf: "2026-01-31", Policy: skip, Seed: 7}.New(t)
	newSender(t, first).create(values{"amount": "", "amount-from": "1.00", "amount-to": "99.00"})
	first.Advance(calendar.MustParse("2026-02-10"))
	if err := first.Gateway().Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []gateway.Config{{Store: store, Policy: engine.Policy{RunMissed: engine.MissedCatchUp}}, {Store: store, Seed: 8}} {
		if _, err := gateway.New(t.Context(), c); !errors.Is(err, gateway.InputForm) || !strings.Contains(err.Error(), "another") {
			t.Errorf("%v", err)
		}
	}
	second := gatewaytest.Options{Store: store}.New(t)
	if second.Gateway().Policy() != skip || second.Gateway().Seed() != 7 {
		t.Errorf("%s %d", second.Gateway().Policy(), second.Gateway().Seed())
	}
	second.Advance(calendar.MustParse("2026-04-01"))
	if got := dates(second); got != "01-31 03-31" {
		t.Error(got)
	}
}
