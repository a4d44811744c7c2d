package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/ledger"
)

// far lets the clock of a gateway move on while the test does something else, and returns what
// waits for the end.
func far(t *testing.T, gw *gatewaytest.Gateway) (wait func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := gw.Gateway().Advance(t.Context(), calendar.MaxDate()); err != nil {
			t.Error(err)
		}
	}()
	for len(gw.Charges()) == 0 {
		time.Sleep(time.Millisecond)
	}
	return func() { <-done }
}

// TestSnapshotsWhileTheClockMoves take their turn between two days, and a restored one does not go
// on moving.
func TestSnapshotsWhileTheClockMoves(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(values{"period": "day", "start-date": "02.01.2026", "expire-year": "9999"})
	wait := far(t, gw)
	began := time.Now()
	taken := ask(t, gw, 201, "POST", "snapshots", "")
	ask(t, gw, 404, "POST", "snapshots/99/restore", "")
	restored := ask(t, gw, 200, "POST", "snapshots/"+taken["id"].(string)+"/restore", "")
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("a snapshot and a restore took %s", took)
	}
	day := taken["now"].(string)
	if restored["now"] != day || day == "9999-12-31" {
		t.Errorf("%v, taken %v", restored, taken)
	}
	wait()
	if v, n := ask(t, gw, 200, "GET", "clock", ""), len(gw.Charges()); v["now"] != day || n != calendar.MustParse(day).Sub(calendar.MustParse("2026-01-01")) {
		t.Errorf("it goes on after %s: %v, %d charges", day, v, n)
	}
}

// TestANearerDayDoesNotCutAnAdvanceShort: an advance that is under way to a later day is completed.
func TestANearerDayDoesNotCutAnAdvanceShort(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(values{"period": "month", "start-date": "02.01.2026", "expire-year": "9999"})
	wait := far(t, gw)
	if a, err := gw.Gateway().Advance(t.Context(), calendar.MustParse("9000-01-01")); err != nil || a.Now != calendar.MaxDate() {
		if !errors.Is(err, gateway.ClockBack) { // it was there already
			t.Error(a, err)
		}
	}
	wait()
	if v := ask(t, gw, 200, "GET", "clock", ""); v["now"] != "9999-12-31" {
		t.Error(v)
	}
}

// TestOneCallMovesTheClockAYearAtMost: a later day is refused with the limit, and nothing happens.
func TestOneCallMovesTheClockAYearAtMost(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	if v := ask(t, gw, 400, "POST", "clock", `{"to":"2027-01-03"}`); v["field"] != "to" || !strings.Contains(fmt.Sprint(v["title"]), "366") || !strings.Contains(fmt.Sprint(v["detail"]), "2027-01-02") {
		t.Error(v)
	}
	if v := ask(t, gw, 200, "GET", "clock", ""); v["now"] != "2026-01-01" || len(v) != 1 {
		t.Error(v)
	}
	if v := ask(t, gw, 200, "POST", "clock", `{"to":"2027-01-02"}`); v["now"] != "2027-01-02" {
		t.Error(v)
	}
	ask(t, gw, 400, "POST", "clock", `{"to":"2027-01-04","wait":false}`)
	ask(t, gw, 405, "DELETE", "clock", "")
	ask(t, gw, 404, "GET", "totals", "")
	ask(t, gw, 404, "GET", "forecast?until=2027-02-01", "")
}

// TestAnInterruptedAdvanceIsInTheLog, with where it goes to.
func TestAnInterruptedAdvanceIsInTheLog(t *testing.T) {
	t.Parallel()
	store := gateway.NewMemory()
	if err := store.Update(t.Context(), func(tx gateway.Tx) error {
		return tx.SetClock(gateway.Clock{Now: calendar.MustParse("2026-01-01"), Began: calendar.MustParse("2026-01-01"), Target: calendar.MustParse("2026-02-01")})
	}); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	gw, err := gateway.New(t.Context(), gateway.Config{Store: store, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = gw.Close() }()
	if text := log.String(); !strings.Contains(text, "goes on") || !strings.Contains(text, "now=2026-01-01 to=2026-02-01") {
		t.Error(text)
	}
}

// TestAnUpdateAppliesEveryColumn that the rules let be updated, callbacks too, and nothing of one
// that is refused.
func TestAnUpdateAppliesEveryColumn(t *testing.T) {
	t.Parallel()
	shop := &receiver{}
	gw := receiving(t, gatewaytest.Options{AsOf: "2026-01-15"}, shop)
	newSender(t, gw).create(values{"notify_url": "http://old.test/cb"})
	columns := func() map[string]any {
		return ask(t, gw, 200, "GET", "profiles/1", "")["columns"].(map[string]any)
	}
	ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"order_desc":"new words","city":"Köln","amount":"5.00","purpose":"p"}}`)
	if c := columns(); c["order_desc"] != "new words" || c["city"] != "Köln" || c["purpose"] != "p" || c["amount"] != "5.00" {
		t.Error(c)
	}
	ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"purpose":"","notify_url":"","server_callback_url":"http://new.test/cb?token=s"}}`)
	if c := columns(); c["purpose"] != nil || c["notify_url"] != nil || c["server_callback_url"] != "http://new.test/cb?token=***" {
		t.Error(c)
	}
	if p := gw.Profiles()[0]; p.Callback != "http://new.test/cb?token=***" {
		t.Errorf("%+v", p)
	}
	before := fmt.Sprint(gw.Profiles())
	for _, set := range []string{
		`{"server_callback_url":"file:///etc/passwd"}`, `{"notify_url":"http://other.test"}`, `{"currency":"USD"}`, `{"client-orderid":"x"}`, `{"cvv2":"999"}`,
		`{"city":""}`, `{"amount":"9.00","city":""}`, `{"finish-date":"soon"}`,
	} {
		v := ask(t, gw, 409, "POST", "profiles/1/update", `{"set":`+set+`}`)
		if v["title"] == "" || v["detail"] == "" || fmt.Sprint(gw.Profiles()) != before {
			t.Errorf("%s: %v", set, v)
		}
	}
	gw.Advance(calendar.MustParse("2026-02-01"))
	if b := gw.Callbacks()[0]; b.URL != "http://new.test/cb?token=***" || len(shop.list()) != 1 {
		t.Errorf("%+v", b)
	}
}

// TestOwnTextHidesWhatTheRowKeepsSecret: the card's code and the address of the customer, where
// they stand in order_desc or purpose.
func TestOwnTextHidesWhatTheRowKeepsSecret(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(values{"order_desc": "code 7391, order 73915, by ANNA@example.com", "purpose": "anna@example.com/7391-7391"})
	c := ask(t, gw, 200, "GET", "profiles/1", "")["columns"].(map[string]any)
	if c["order_desc"] != "code ***, order 73915, by ***" || c["purpose"] != "***/***-***" {
		t.Errorf("%q %q", c["order_desc"], c["purpose"])
	}
	ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"email":"new@example.com","order_desc":"for NEW@example.com"}}`)
	c = ask(t, gw, 200, "GET", "profiles/1", "")["columns"].(map[string]any)
	if c["order_desc"] != "for ***" || c["email"] != "***" {
		t.Errorf("%q %q", c["order_desc"], c["email"])
	}
}

// TestNoHashOfTheCode: the cvv2 is checked and dropped. A text of an update hides every number that
// can be one.
func TestNoHashOfTheCode(t *testing.T) {
	t.Parallel()
	kept := func(code string) string {
		gw := gatewaytest.New(t)
		newSender(t, gw).create(values{"cvv2": code})
		return gw.Profiles()[0].Private
	}
	if strings.Count(kept("7391"), " ") != strings.Count(kept(""), " ") {
		t.Error("a hash of the cvv2 is kept")
	}
	gw := gatewaytest.New(t)
	newSender(t, gw).create(nil)
	ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"order_desc":"code 7391, 391 of 12345, in 12","zip-code":"1011"}}`)
	c := ask(t, gw, 200, "GET", "profiles/1", "")["columns"].(map[string]any)
	if c["order_desc"] != "code ***, *** of 12345, in 12" || c["zip-code"] != "1011" {
		t.Errorf("%q %q", c["order_desc"], c["zip-code"])
	}
}

// TestNoTextShowsWhatTheProfileKeepsPrivate: at creation and by an update, of the row's own values
// and of the update's; the address of callbacks is sealed where it is kept.
func TestNoTextShowsWhatTheProfileKeepsPrivate(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(values{
		"email": "anna@example.com", "phone": "+49 170 5551234", "ssn": "078051120", "order_desc": "Anna Muster, +49 170 5551234", "purpose": "ssn 078051120",
		"address1": "c/o anna@example.com", "city": "at Muster 7391", "notify_url": "http://u:PWCANARY@127.0.0.1:1/4012888888881881?token=CANARY",
	})
	ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"order_desc":"mail Anna@Example.com code 7391, 4111_1111_1111_1111","purpose":"MUSTER, +49 170 5551234"}}`)
	ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"phone":"030 1234567","city":"call 030 1234567"}}`)
	ask(t, gw, 200, "POST", "profiles/1/charge", "")
	_, shown := admin(t, gw, "GET", "profiles/1", "")
	kept := fmt.Sprintf("%+v %+v", gw.Profiles(), gw.Callbacks())
	for _, secret := range []string{"example.com", "7391", "5551234", "078051120", "1234567", "PWCANARY", "CANARY", "4012888888881881", "4111_1111_1111_1111"} {
		if strings.Contains(strings.ToLower(shown), strings.ToLower(secret)) {
			t.Errorf("%s is shown: %s", secret, shown)
		}
		if strings.Contains(strings.ToLower(kept), strings.ToLower(secret)) {
			t.Errorf("%s is kept: %s", secret, kept)
		}
	}
	c := ask(t, gw, 200, "GET", "profiles/1", "")["columns"].(map[string]any)
	if !strings.HasPrefix(c["order_desc"].(string), "mail *** code ***, ") || c["purpose"] != "***, ***" || c["city"] != "call ***" {
		t.Errorf("%v", c)
	}
}

// TestMerchantsChangeAndGo: what is left out stays; an endpoint that another has is refused, also
// when it comes back.
func TestMerchantsChangeAndGo(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	one, two := newSender(t, gw), newSender(t, gw)
	v := ask(t, gw, 200, "PATCH", "merchants/m1", `{"currency":"USD","window_s":60,"check_replays":true,"response":"parameters"}`)
	if v["endpoint"] != "1001" || v["currency"] != "USD" || v["window_s"] != 60.0 || v["check_replays"] != true || v["response"] != "parameters" || len(v["methods"].([]any)) != 2 {
		t.Error(v)
	}
	if v := ask(t, gw, 200, "PATCH", "merchants/m1", `{"currency":null}`); v["currency"] != nil || v["window_s"] != 60.0 {
		t.Error(v) // null is what it shows without one
	}
	ask(t, gw, 409, "PATCH", "merchants/m1", `{"endpoint":"1002"}`)
	ask(t, gw, 400, "PATCH", "merchants/m1", `{"window_s":-1}`)
	ask(t, gw, 400, "PATCH", "merchants/m1", `{"control_key":"k"}`)
	ask(t, gw, 404, "PATCH", "merchants/nobody", `{}`)
	ask(t, gw, 200, "PATCH", "merchants/m1", `{"endpoint":"7"}`)
	ask(t, gw, 200, "PATCH", "merchants/m2", `{"endpoint":"1001"}`)
	two.m.URL = strings.Replace(two.m.URL, "1002", "1001", 1)
	two.create(nil)
	ask(t, gw, 409, "DELETE", "merchants/m2", "")
	ask(t, gw, 204, "DELETE", "merchants/m1", "")
	ask(t, gw, 404, "DELETE", "merchants/m1", "")
	if status, _ := one.post(bodyOf(payloadOf(nil))); status != http.StatusForbidden || lastReason(gw) != gateway.ReasonUnknownMerchant {
		t.Error(status, lastReason(gw))
	}
}

// TestRequestsBySelection: by reason and by days, with the machine's time, over several pages.
func TestRequestsBySelection(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	for day := 1; day <= 4; day++ {
		gw.Advance(calendar.MustParse(fmt.Sprintf("2026-01-%02d", day)))
		s.create(values{"client-orderid": fmt.Sprint("a", day)})
		s.post(bodyOf(payloadOf(values{"currency": "USD"})))
	}
	read := func(query string) (ids string) {
		cursor := ""
		for {
			v := ask(t, gw, 200, "GET", "requests?limit=1&"+query+cursor, "")
			for _, r := range v["requests"].([]any) {
				m := r.(map[string]any)
				if at, err := time.Parse(time.RFC3339Nano, m["at"].(string)); err != nil || time.Since(at) > time.Minute {
					t.Error(m["at"], err)
				}
				ids += m["id"].(string) + "@" + m["day"].(string)[8:] + " "
			}
			next, more := v["cursor"].(string)
			if !more {
				return ids
			}
			cursor = "&cursor=" + next
		}
	}
	for query, want := range map[string]string{
		"reason=currency": "8@04 6@03 4@02 2@01 ", "from=2026-01-02&until=2026-01-03": "6@03 5@03 4@02 3@02 ",
		"reason=currency&until=2026-01-01": "2@01 ", "status=200&from=2026-01-04": "7@04 ", "reason=path": "",
	} {
		if got := read(query); got != want {
			t.Errorf("%s: %s, not %s", query, got, want)
		}
	}
	ask(t, gw, 400, "GET", "requests?reason=bad-luck", "")
	ask(t, gw, 400, "GET", "requests?from=soon", "")
}

// TestActuals are what happened, as the command reads it: in the order in which the profiles were
// created, then by date.
func TestActuals(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	s.create(values{"client-orderid": "b;1", "start-date": "05.01.2026"}, values{"client-orderid": "a", "start-date": "03.01.2026"})
	ask(t, gw, 201, "POST", "outcomes", `{"outcome":"declined","times":0,"profile":"a"}`)
	gw.Advance(calendar.MustParse("2026-02-05"))
	_, text := admin(t, gw, "GET", "charges?format=actuals", "")
	const want = "profile,date,amount,currency,outcome,created,id\nb;1,2026-01-05,9.90,EUR,approved,2026-01-01,2\nb;1,2026-02-05,9.90,EUR,approved,2026-01-01,4\n" +
		"a,2026-01-03,9.90,EUR,declined,2026-01-01,1\na,2026-02-03,9.90,EUR,declined,2026-01-01,3\n"
	if text != want {
		t.Errorf("%s\nnot\n%s", text, want)
	}
	if v := ask(t, gw, 200, "GET", "outcomes", "")["outcomes"].([]any)[0].(map[string]any); v["used"] != 2.0 {
		t.Errorf("an outcome that decides until it is removed was used %v times", v["used"])
	}
	ask(t, gw, 400, "GET", "charges?format=csv", "")
}

// A reader notes how long the pieces of an answer are, and does something once it has the first
// one.
type reader struct {
	*httptest.ResponseRecorder
	longest int
	then    func()
}

func (r *reader) Write(b []byte) (int, error) {
	r.longest = max(r.longest, len(b))
	n, err := r.ResponseRecorder.Write(b)
	if then := r.then; then != nil {
		r.then = nil
		then()
	}
	return n, err
}

// TestActualsHaveNoFormulas: what a spreadsheet would obey is written as the command writes it.
func TestActualsHaveNoFormulas(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	var want strings.Builder
	for id, shown := range map[string]string{`=HYPERLINK("http://evil","x")`: `"'=HYPERLINK(""http://evil"",""x"")"`, "@SUM(1)": "'@SUM(1)", "+1+1": "'+1+1", "a\u202eb": `a\u202eb`, "plain": "plain"} {
		s.create(values{"client-orderid": id, "start-date": "01.01.2026"})
		want.WriteString(shown + "\n")
	}
	_, text := admin(t, gw, "GET", "charges?format=actuals", "")
	for line := range strings.Lines(want.String()) {
		if !strings.Contains(text, "\n"+strings.TrimSpace(line)+",2026-01-01,") {
			t.Errorf("%s is not in\n%s", line, text)
		}
	}
}

// TestActualsInPieces: they take little memory and hold up nobody, and are those of the moment at
// which they were asked for; if their past is replaced meanwhile, they end without an end.
func TestActualsInPieces(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	for _, id := range []string{"a", "b", "c"} {
		s.create(values{"client-orderid": id, "start-date": "02.01.2026", "period": "day"})
	}
	gw.Advance(calendar.MustParse("2029-01-01"))
	_, before := admin(t, gw, "GET", "charges?format=actuals", "")
	if n := strings.Count(before, "\n"); n != 3*1096+1 {
		t.Fatalf("%d lines", n)
	}
	read := func(then func()) (text string, longest int, cut bool) {
		w := &reader{httptest.NewRecorder(), 0, then}
		defer func() {
			if v := recover(); v != nil && v != http.ErrAbortHandler {
				panic(v)
			} else if v != nil {
				cut = true
			}
		}()
		r := httptest.NewRequest("GET", "/_sandbox/v1/charges?format=actuals", nil)
		r.Host = strings.TrimPrefix(gw.URL, "http://")
		gw.Gateway().ServeHTTP(w, r)
		return w.Body.String(), w.longest, false
	}
	text, longest, cut := read(func() {
		s.create(values{"client-orderid": "d", "start-date": "01.01.2029"})
		gw.Advance(calendar.MustParse("2029-02-01"))
	})
	if cut || text != before || longest > 128<<10 {
		t.Errorf("cut: %v, %d bytes, not %d, the longest piece %d", cut, len(text), len(before), longest)
	}
	_, _, cut = read(func() { ask(t, gw, 200, "POST", "reset", "{}") })
	if !cut {
		t.Error("the past was replaced, and the answer looks whole")
	}
}

// A store that counts the lists of profiles that are read.
type counting struct {
	gateway.Store
	lists int
}

func (c *counting) View(ctx context.Context, do func(gateway.Tx) error) error {
	return c.Store.View(ctx, func(tx gateway.Tx) error { return do(countingTx{tx, c}) })
}

type countingTx struct {
	gateway.Tx
	of *counting
}

func (t countingTx) Profiles() gateway.ProfileTable {
	return countingProfiles{t.Tx.Profiles(), t.of}
}

type countingProfiles struct {
	gateway.ProfileTable
	of *counting
}

func (p countingProfiles) List(q gateway.Query) ([]gateway.Profile, error) {
	p.of.lists++
	return p.ProfileTable.List(q)
}

// TestActualsOfOneProfile are read without the other profiles, and those of another merchant's
// profile are none.
func TestActualsOfOneProfile(t *testing.T) {
	t.Parallel()
	store := &counting{Store: gateway.NewMemory()}
	gw := gatewaytest.Options{Store: store}.New(t)
	s, _ := newSender(t, gw), newSender(t, gw)
	s.create(values{"client-orderid": "a", "start-date": "03.01.2026"}, values{"client-orderid": "b", "start-date": "04.01.2026", "period": "day"})
	gw.Advance(calendar.MustParse("2029-01-01"))
	for query, want := range map[string]int{"profile_id=2": 1094, "login=m1&profile_id=1": 36, "login=m2&profile_id=1": 0, "profile_id=3": 0} {
		_, text := admin(t, gw, "GET", "charges?format=actuals&"+query, "")
		if n := strings.Count(text, "\n") - 1; n != want || store.lists > 0 {
			t.Errorf("%s: %d charges, not %d; %d lists of profiles were read", query, n, want, store.lists)
		}
	}
}

// A full store takes no change.
type full struct {
	gateway.Store
	full bool
}

func (f *full) Update(ctx context.Context, do func(gateway.Tx) error) error {
	if err := f.Writable(ctx); err != nil {
		return err
	}
	return f.Store.Update(ctx, do)
}

func (f *full) Writable(context.Context) error {
	if f.full {
		return ledger.Finding{Code: gateway.StoreFailed, Severity: ledger.SeverityError, Message: "the disk is full"}
	}
	return nil
}

// TestHealthOfAFullDisk: it says what could not be written, until something can be.
func TestHealthOfAFullDisk(t *testing.T) {
	t.Parallel()
	store := &full{Store: gateway.NewMemory()}
	gw := gatewaytest.Options{Store: store}.New(t)
	ask(t, gw, 200, "GET", "/healthz", "")
	store.full = true
	ask(t, gw, 500, "POST", "clock", `{"to":"2026-01-02"}`)
	if v := ask(t, gw, 503, "GET", "/healthz", ""); v["title"] != "the store cannot be written" {
		t.Error(v)
	}
	store.full = false
	ask(t, gw, 200, "GET", "/healthz", "")
}

// TestACallbackShowsWhatWasSaid, in both directions, and no card number.
func TestACallbackShowsWhatWasSaid(t *testing.T) {
	t.Parallel()
	shop := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("thanks for " + cardNumber + strings.Repeat(".", 500)))
	})
	gw := receiving(t, gatewaytest.Options{}, shop)
	newSender(t, gw).create(values{"start-date": "01.01.2026", "notify_url": "http://shop.test"})
	if err := gw.Gateway().Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, text := admin(t, gw, "GET", "callbacks", "")
	if !strings.Contains(text, `"body":"client-orderid=order-1&`) || !strings.Contains(text, `"answer":"thanks for `) || strings.Contains(text, cardNumber) || len(text) > 1000 {
		t.Error(text)
	}
}

// TestEventsSayWhen: requests, callbacks and events have the machine's time, and requests the day
// of the clock.
func TestEventsSayWhen(t *testing.T) {
	t.Parallel()
	gw := receiving(t, gatewaytest.Options{AsOf: "2026-01-31", Pauses: []time.Duration{}}, http.NotFoundHandler())
	before := time.Now()
	newSender(t, gw).create(values{"server_callback_url": "http://shop.test/"})
	effects := items(t, ask(t, gw, 200, "POST", "profiles/1/stop", ""), "effects")
	if effects[0]["type"] != "event" || len(effects) != 2 || effects[1]["at"] != nil {
		t.Fatal(effects)
	}
	request := items(t, ask(t, gw, 200, "GET", "requests", ""), "requests")[0]
	if request["day"] != "2026-01-31" {
		t.Error(request)
	}
	for _, record := range []map[string]any{effects[0], request, items(t, ask(t, gw, 200, "GET", "callbacks", ""), "callbacks")[0]} {
		at, err := time.Parse(time.RFC3339Nano, record["at"].(string))
		if err != nil || at.Before(before.Add(-time.Second)) || at.After(time.Now().Add(time.Second)) {
			t.Errorf("%v: %v %v", record, at, err)
		}
	}
}
