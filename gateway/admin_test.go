package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// names are the members of an object, in order of name.
func names(v map[string]any) string {
	list := []string{}
	for name := range v {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func items(t *testing.T, v map[string]any, name string) []map[string]any {
	t.Helper()
	var list []map[string]any
	for _, item := range v[name].([]any) {
		list = append(list, item.(map[string]any))
	}
	return list
}

// TestFixedNames walks through the interface once, with the names that others rely on.
func TestFixedNames(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.Options{AsOf: "2026-01-15"}.New(t)
	const registration = `{"login":"shop","endpoint":"1234","currency":"EUR","control_key":"very-secret","window_s":0,"check_replays":false,"response":"empty"}`
	m := ask(t, gw, 201, "POST", "merchants", registration)
	if m["login"] != "shop" || m["endpoint"] != "1234" || m["currency"] != "EUR" || m["public_key"] != nil || m["response"] != "empty" {
		t.Errorf("%v", m)
	}
	if _, shown := m["control_key"]; shown {
		t.Error("the control key is given back")
	}
	ask(t, gw, 409, "POST", "merchants", registration)
	ask(t, gw, 409, "POST", "merchants", strings.Replace(registration, "shop", "shop2", 1))
	withKey := ask(t, gw, 200, "POST", "merchants/shop/keys", fmt.Sprintf(`{"public_key":%q}`, testPublicKey(t, gw)))
	if key, _ := withKey["public_key"].(string); !strings.HasPrefix(key, "SHA256:") {
		t.Errorf("%v", withKey)
	}
	ask(t, gw, 404, "POST", "merchants/nobody/keys", `{"control_key":"x"}`)

	s := &sender{t: t, gw: gw, m: gatewaytest.Merchant{Login: "shop", Endpoint: "1234", ControlKey: "very-secret", URL: gw.URL + "/paynet/api/v4/create-recurring-payments/1234"}}
	s.create(values{"client-orderid": "a", "start-date": "31.01.2026", "max-repeats-number": "2"}, values{"client-orderid": "b", "start-date": "15.01.2026"})
	outcome := ask(t, gw, 201, "POST", "outcomes", `{"profile":"a","login":"shop","repeat":1,"last4":"1111","amount":"9.90","outcome":"declined","times":1}`)
	if outcome["id"] != "1" || outcome["profile"] != "a" || outcome["amount"] != "9.90" || outcome["times"] != 1.0 {
		t.Errorf("%v", outcome)
	}
	if now := ask(t, gw, 200, "GET", "clock", ""); names(now) != "now" || now["now"] != "2026-01-15" {
		t.Errorf("%v", now)
	}
	if a := ask(t, gw, 200, "POST", "clock", `{"to":"2026-03-01"}`); fmt.Sprint(a) != "map[callbacks:0 charges:3 now:2026-03-01 stops:1]" {
		t.Errorf("%v", a)
	}
	if a := ask(t, gw, 200, "POST", "clock", `{"to":"2026-03-01"}`); a["charges"] != 0.0 {
		t.Errorf("%v", a)
	}
	ask(t, gw, 409, "POST", "clock", `{"to":"2026-02-28"}`)

	profiles := items(t, ask(t, gw, 200, "GET", "profiles", ""), "profiles")
	if len(profiles) != 2 || names(profiles[0]) != "client_orderid id login next repeat status stop" {
		t.Fatalf("%v", profiles)
	}
	if b := profiles[0]; b["id"] != "2" || b["client_orderid"] != "b" || b["status"] != "active" || b["repeat"] != 2.0 || b["next"] != "2026-03-15" || b["stop"] != nil {
		t.Errorf("%v", b)
	}
	if a := profiles[1]; a["status"] != "stopped" || a["next"] != nil || fmt.Sprint(a["stop"]) != "map[date:2026-02-28 reasons:[max-repeats]]" {
		t.Errorf("%v", a)
	}
	charges := items(t, ask(t, gw, 200, "GET", "charges?login=shop", ""), "charges")
	if len(charges) != 4 {
		t.Fatalf("%v", charges)
	}
	last := charges[0]
	if fmt.Sprint(last) != "map[amount:9.90 currency:EUR date:2026-02-28 id:4 kind:automatic login:shop outcome:declined profile:a profile_id:1 repeat:1 type:charge]" {
		t.Errorf("%v", last)
	}
	requests := items(t, ask(t, gw, 200, "GET", "requests?status=200", ""), "requests")
	if len(requests) != 1 || requests[0]["id"] != "1" || requests[0]["status"] != 200.0 || requests[0]["reason"] != nil || requests[0]["findings"] == nil {
		t.Errorf("%v", requests)
	}

	stop := ask(t, gw, 200, "POST", "profiles/2/stop", `{}`)
	if names(stop) != "effects profile" || stop["profile"].(map[string]any)["status"] != "stopped" {
		t.Errorf("%v", stop)
	}
	if kinds := typesOf(t, stop); kinds != "event:accepted end" {
		t.Error(kinds)
	}
	refusal := ask(t, gw, 409, "POST", "profiles/2/charge", ``)
	if refusal["code"] == "" || len(refusal["because"].([]any)) == 0 || refusal["status"] != 409.0 || refusal["type"] != "about:blank" {
		t.Errorf("%v", refusal)
	}
	if kinds := typesOf(t, ask(t, gw, 200, "POST", "profiles/2/stop", ``)); kinds != "event:ignored" {
		t.Error(kinds)
	}
	ask(t, gw, 400, "POST", "profiles/2/resume", `{}`)
	ask(t, gw, 409, "POST", "profiles/2/resume", `{"via":"api"}`)
	ask(t, gw, 200, "POST", "profiles/2/resume", `{"via":"ui"}`)
	if kinds := typesOf(t, ask(t, gw, 200, "POST", "profiles/2/charge", `{}`)); kinds != "event:accepted charge" {
		t.Error(kinds)
	}
	ask(t, gw, 200, "POST", "profiles/2/update", `{"set":{"finish-date":"20.04.2026"}}`)
	if p := ask(t, gw, 409, "POST", "profiles/2/update", `{"set":{"interval":"x"}}`); p["code"] != "integer-syntax" {
		t.Errorf("%v", p)
	}
	ask(t, gw, 400, "POST", "profiles/2/update", `{"set":{}}`)
	ask(t, gw, 404, "POST", "profiles/3/stop", ``)
	ask(t, gw, 404, "POST", "profiles/x/stop", ``)

	detail := ask(t, gw, 200, "GET", "profiles/2", "")
	if detail["columns"].(map[string]any)["credit-card-number"] != "411111******1111" || len(detail["charges"].([]any)) != 3 || len(detail["upcoming"].([]any)) != 2 {
		t.Errorf("%v", detail)
	}
	var state engine.State
	text, _ := json.Marshal(detail["state"])
	if err := json.Unmarshal(text, &state); err != nil || state.Repeat != 3 || state.RanThrough.String() != "2026-03-01" {
		t.Errorf("%+v %v", state, err)
	}

	snapshot := ask(t, gw, 201, "POST", "snapshots", "")
	if names(snapshot) != "id now" || snapshot["now"] != "2026-03-01" {
		t.Errorf("%v", snapshot)
	}
	ask(t, gw, 204, "DELETE", "outcomes/1", "")
	ask(t, gw, 404, "DELETE", "outcomes/1", "")
	if d := ask(t, gw, 200, "POST", "reset", `{"to":"2025-06-01"}`); names(d) != "now" || d["now"] != "2025-06-01" {
		t.Errorf("%v", d)
	}
	if v := ask(t, gw, 200, "GET", "profiles", ""); fmt.Sprint(v) != "map[cursor:<nil> profiles:[]]" {
		t.Errorf("%v", v)
	}
	if d := ask(t, gw, 200, "POST", "snapshots/1/restore", ""); d["now"] != "2026-03-01" {
		t.Errorf("%v", d)
	}
	if v := ask(t, gw, 200, "GET", "profiles/2", ""); fmt.Sprint(v) != fmt.Sprint(detail) {
		t.Errorf("%v is not %v", v, detail)
	}
}

func testPublicKey(t *testing.T, gw *gatewaytest.Gateway) string {
	t.Helper()
	return gw.Merchant().PublicKey
}

// typesOf are the types of the records that an event gave.
func typesOf(t *testing.T, applied map[string]any) string {
	t.Helper()
	var list []string
	for _, e := range items(t, applied, "effects") {
		text := fmt.Sprint(e["type"])
		if e["result"] != nil {
			text += ":" + fmt.Sprint(e["result"])
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// TestChargesAreRecordsOfTheCommand: a charge is the record of a simulation without row, with three
// ids.
func TestChargesAreRecordsOfTheCommand(t *testing.T) {
	t.Parallel()
	policy, err := engine.ParsePolicy("start-past=catch-up")
	if err != nil {
		t.Fatal(err)
	}
	gw := gatewaytest.Options{AsOf: "2026-03-10", Policy: policy}.New(t)
	s := newSender(t, gw)
	s.create(values{"client-orderid": "<a&b>", "start-date": "31.01.2026", "expire-year": "2026", "expire-month": "02", "notify_url": "https://u:p@shop.example/cb?token=abc"})
	ask(t, gw, 200, "POST", "profiles/1/charge", "")
	listed := items(t, ask(t, gw, 200, "GET", "charges", ""), "charges")
	made := gw.Charges()
	if len(made) != 3 {
		t.Fatal(len(made))
	}
	for i, c := range made {
		got := listed[len(made)-1-i]
		var want map[string]any
		c.Charge.Because = ledger.Because{} // without reasons
		r := record.Charge{Subject: record.Subject{Profile: c.ClientOrderID, Row: 1, Currency: c.Currency, Callback: c.Callback}, Charge: c.Charge}
		if err := json.Unmarshal(r.AppendJSON(nil), &want); err != nil {
			t.Fatal(err)
		}
		delete(want, "row")
		want["id"], want["profile_id"], want["login"] = c.ID.String(), "1", s.m.Login
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v\nnot\n%v", got, want)
		}
	}
	if listed[0]["callback"] != "https://shop.example/cb?token=***" {
		t.Error(listed[0]["callback"])
	}
}

// TestARefusedUpdateSaysWhy: which clause is behind it, and what can be done.
func TestARefusedUpdateSaysWhy(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(values{"notify_url": "https://shop.example"})
	const others = "it may set every column but rp_card_type, client-orderid, credit-card-number, cvv2, card-printed-name, expire-year, expire-month, currency"
	for _, c := range []struct{ name, value, code, clause, detail string }{
		{"cvv2", "999", "event-refused", "X9", others},
		{"currency", "USD", "event-refused", "X9", others},
		{"finnish-date", "20.04.2026", "event-refused", "L42", "did you mean finish-date? names must agree exactly"},
		{"server_callback_url", "file:///x", "event-refused", "L54", ""},
		{"server_callback_url", "https://other.example", "event-refused", "L55", "set one of the two columns, and the other to an empty text"},
		{"city", "", "event-refused", "2.1", "set it to a value, or leave it out"},
		{"interval", "x", "integer-syntax", "", ""},
	} {
		p := ask(t, gw, 409, "POST", "profiles/1/update", `{"set":{"`+c.name+`":"`+c.value+`"}}`)
		list, _ := p["because"].([]any)
		if len(list) == 0 || p["code"] != c.code || c.detail != "" && p["detail"] != c.detail {
			t.Errorf("%s: %v", c.name, p)
			continue
		}
		if first := list[0].(map[string]any); c.clause != "" && first["clause"] != c.clause {
			t.Errorf("%s: %v", c.name, first)
		}
	}
}

// TestWordsOfRefusedMerchants: each limit has one name, and a message is about what was sent.
func TestWordsOfRefusedMerchants(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	ask(t, gw, 201, "POST", "merchants", `{"login":"a","endpoint":"1","currency":"EUR"}`)
	ask(t, gw, 201, "POST", "merchants", `{"login":"b","endpoint":"2"}`)
	for _, s := range []string{"-1", "1073741825", strconv.Itoa(math.MaxInt)} {
		p := ask(t, gw, 400, "PATCH", "merchants/a", `{"window_s":`+s+`}`)
		if p["detail"] != "send seconds from 0 to 1073741824; 0 switches the check off" || p["field"] != "window_s" {
			t.Errorf("%s: %v", s, p)
		}
	}
	if p := ask(t, gw, 409, "PATCH", "merchants/a", `{"endpoint":"2"}`); p["title"] != "another merchant has this endpoint" {
		t.Error(p)
	}
	for _, c := range []struct {
		set  string
		want any
	}{{`{"window_s":0}`, "EUR"}, {`{"currency":null}`, nil}, {`{"currency":"USD"}`, "USD"}} {
		if m := ask(t, gw, 200, "PATCH", "merchants/a", c.set); m["currency"] != c.want {
			t.Errorf("%s: %v", c.set, m)
		}
	}
	for _, where := range []string{`{"profile":"a"}`, `{"request":null}`, `null`} {
		if f := ask(t, gw, 201, "POST", "faults", `{"kind":"cut","where":`+where+`}`); strings.Contains(fmt.Sprint(f), "request:-1") {
			t.Error(f)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	for i := range 7 {
		s.create(values{"client-orderid": fmt.Sprint("order-", i)})
	}
	seen, path := "", "profiles?limit=3"
	for path != "" {
		page := ask(t, gw, 200, "GET", path, "")
		for _, p := range items(t, page, "profiles") {
			seen += p["id"].(string)
		}
		seen += " "
		path = ""
		if cursor, ok := page["cursor"].(string); ok {
			path = "profiles?limit=3&cursor=" + cursor
		}
	}
	if seen != "765 432 1 " {
		t.Error(seen)
	}
	if page := ask(t, gw, 200, "GET", "profiles?q=order-4", ""); len(items(t, page, "profiles")) != 1 {
		t.Error(page)
	}
	s.create(values{"client-orderid": "ÄÖ-Order_1"})
	if page := ask(t, gw, 200, "GET", "profiles?q=%C3%A4%C3%B6", ""); len(items(t, page, "profiles")) != 1 {
		t.Error(page)
	}
	if page := ask(t, gw, 200, "GET", "profiles?limit=8", ""); page["cursor"] != nil {
		t.Error("a cursor behind the last record")
	}
}

// TestBadCalls: every error is a problem document with a code, and changes nothing.
func TestBadCalls(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(nil)
	for _, c := range []struct {
		status             int
		method, path, body string
	}{
		{404, "GET", "", ""},
		{404, "GET", "nothing", ""},
		{404, "GET", "clock/", ""},
		{404, "GET", "/clock", ""},
		{404, "GET", "../v1/clock", ""},
		{404, "GET", "profiles/", ""},
		{404, "GET", "profiles/01", ""},
		{404, "GET", "profiles/-1", ""},
		{404, "GET", "profiles/0", ""},
		{404, "GET", "profiles/99999999999999999999", ""},
		{404, "GET", "requests/7", ""},
		{404, "POST", "callbacks/1/resend", ""},
		{404, "POST", "snapshots/1/restore", ""},
		{400, "POST", "snapshots", `{"login":"m1"}`},
		{400, "POST", "reset", `{"login":"m1"}`},
		{404, "POST", "outcomes", `{"outcome":"declined","login":"nobody"}`},
		{405, "PUT", "clock", ""},
		{405, "DELETE", "profiles/1", ""},
		{400, "GET", "profiles?status=none", ""},
		{400, "GET", "profiles?state=active", ""},
		{400, "GET", "profiles?limit=0", ""},
		{400, "GET", "profiles?limit=1001", ""},
		{400, "GET", "profiles?limit=1&limit=2", ""},
		{400, "GET", "profiles?cursor=x", ""},
		{400, "GET", "profiles?a=%zz", ""},
		{400, "GET", "clock?a=b", ""},
		{400, "POST", "clock", `{}`},
		{400, "POST", "clock", `{"to":"2026-02-30"}`},
		{400, "POST", "clock", `{"to":20260101}`},
		{400, "POST", "clock", `{"to":"2026-01-01","to":"2026-01-02"}`},
		{400, "POST", "clock", `{"To":"2026-01-01"}`},
		{400, "POST", "clock", `{"to":"2026-01-01"} {}`},
		{400, "POST", "clock", `[]`},
		{400, "POST", "clock", "\xff"},
		{400, "POST", "clock", strings.Repeat("[", 100_000)},
		{413, "POST", "clock", strings.Repeat(" ", 1<<20+1)},
		{400, "POST", "profiles/1/stop", `{"a":1}`},
		{400, "POST", "profiles/1/resume", `{"via":"phone"}`},
		{400, "POST", "profiles/1/update", `{"set":{"amount":5}}`},
		{409, "POST", "profiles/1/update", `{"set":{"credit-card-number":"4111111111111111"}}`},
		{409, "POST", "profiles/1/update", `{"set":{"amount":"-5"}}`},
		{409, "POST", "profiles/1/update", `{"set":{"interval":""}}`},
		{400, "POST", "outcomes", `{"outcome":"lost"}`},
		{400, "POST", "outcomes", `{"last4":"12","outcome":"declined"}`},
		{400, "POST", "outcomes", `{"amount":"0","outcome":"declined"}`},
		{400, "POST", "outcomes", `{"amount":9.9,"outcome":"declined"}`},
		{400, "POST", "outcomes", `{"times":-1,"outcome":"declined"}`},
		{400, "POST", "outcomes", `{"times":4294967296,"outcome":"declined"}`},
		{400, "POST", "merchants", `{"login":"","endpoint":"1"}`},
		{400, "POST", "merchants", `{"login":"a/b","endpoint":"1"}`},
		{400, "POST", "merchants", `{"login":"a"}`},
		{400, "POST", "merchants", `{"login":"a","endpoint":"1/2"}`},
		{400, "POST", "merchants", `{"login":"a","endpoint":".."}`},
		{400, "POST", "merchants", `{"login":"a","endpoint":"1","currency":"eur"}`},
		{400, "POST", "merchants", `{"login":"a","endpoint":"1","window_s":-1}`},
		{400, "POST", "merchants", `{"login":"a","endpoint":"1","response":"text"}`},
		{400, "POST", "faults", `{"kind":"cut","where":{"request":0}}`},
		{422, "POST", "merchants", `{"login":"a","endpoint":"1","public_key":"x"}`},
	} {
		status, text := admin(t, gw, c.method, c.path, c.body)
		var p map[string]any
		if err := json.Unmarshal([]byte(text), &p); err != nil || status != c.status || p["code"] == "" || p["title"] == "" || p["status"] != float64(c.status) {
			t.Errorf("%s %s %.60s: %d %s", c.method, c.path, c.body, status, text)
		}
		if strings.Contains(text, cardNumber) {
			t.Errorf("%s %s echoes the input: %s", c.method, c.path, text)
		}
	}
	if n := len(gw.Profiles()); n != 1 || gw.Profiles()[0].Stored.State.Repeat != 0 {
		t.Error("something was changed")
	}
}

func TestPrivateKeysAreRefused(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	text, err := json.Marshal(map[string]string{"login": "a", "endpoint": "1", "public_key": m.PrivateKey})
	if err != nil {
		t.Fatal(err)
	}
	p := ask(t, gw, 422, "POST", "merchants", string(text))
	if p["code"] != "key-unusable" || strings.Contains(fmt.Sprint(p), "MII") {
		t.Error(p)
	}
}

func TestHealthAndMetrics(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	s.create(values{"start-date": "01.01.2026"})
	s.post("payload=")
	if status, _ := admin(t, gw, "GET", "/healthz", ""); status != 200 {
		t.Error(status)
	}
	_, text := admin(t, gw, "GET", "/metrics", "")
	for _, line := range []string{
		`chargecast_requests_total{status="200",reason=""} 1`, `chargecast_requests_total{status="403",reason="payload-invalid"} 1`, "chargecast_charges_total 1",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	if err := gw.Gateway().Close(); err != nil {
		t.Fatal(err)
	}
	if status, _ := admin(t, gw, "GET", "/healthz", ""); status != 503 {
		t.Error(status)
	}
	if status, _ := s.post(bodyOf(payloadOf(nil))); status != 403 {
		t.Error("a closed gateway creates profiles")
	}
}

// TestForeignCallers: a page of another site reaches nothing, by its own name or by ours.
func TestForeignCallers(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	for _, c := range []struct {
		host, site, origin string
		status             int
	}{
		{"evil.example", "", "", 421},
		{"", "cross-site", "", 403},
		{"", "", "http://evil.example", 403},
		{"", "same-origin", gw.URL, 200},
		{"", "", "", 200},
	} {
		r, err := http.NewRequest("POST", gw.URL+"/_sandbox/v1/clock", strings.NewReader(`{"to":"2026-01-01"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if status, text := do(t, gw.Client(), r); status != c.status {
			t.Errorf("%+v: %d %s", c, status, text)
		}
	}
	requests := items(t, ask(t, gw, 200, "GET", "requests?status=421", ""), "requests")
	if len(requests) != 1 || requests[0]["reason"] != "host" {
		t.Error(requests)
	}
}

// TestDiagnosisOfARequest: it is made when it is first read, and names the mistake.
func TestDiagnosisOfARequest(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	body := bodyOf(payloadOf(nil))
	target := s.m.URL
	r, err := http.NewRequest("POST", target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", s.authorization(strings.Replace(target, "http:", "https:", 1), body))
	do(t, gw.Client(), r)
	kept := func() (is bool) {
		err := gw.Gateway().View(t.Context(), func(tx gateway.Tx) error {
			r, err := tx.Requests().Get(1)
			is = r.Diagnosis != nil
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return is
	}
	if kept() {
		t.Error("the diagnosis is there before it was asked for")
	}
	var texts [2]string
	for i := range texts {
		_, texts[i] = admin(t, gw, "GET", "requests/1", "")
	}
	var v struct {
		Reason    gateway.Reason
		Headers   []map[string]string
		Diagnosis struct {
			Match  bool
			Causes []struct{ IDs []string }
		}
	}
	if err := json.Unmarshal([]byte(texts[0]), &v); err != nil {
		t.Fatal(err)
	}
	if v.Reason != "signature-mismatch" || v.Diagnosis.Match || len(v.Diagnosis.Causes) == 0 || texts[0] != texts[1] {
		t.Errorf("%s", texts[0])
	}
	if !kept() {
		t.Error("the diagnosis is not kept")
	}
	// Many later ones push a request out, and that is said.
	for range 70 {
		r.Body = io.NopCloser(strings.NewReader(body))
		do(t, gw.Client(), r)
	}
	if d := ask(t, gw, 200, "GET", "requests/2", "")["diagnosis"].(map[string]any); d["unavailable"] == nil {
		t.Error(d)
	}
	if d := ask(t, gw, 200, "GET", "requests/71", "")["diagnosis"].(map[string]any); d["unavailable"] != nil || len(d["causes"].([]any)) == 0 {
		t.Error(d)
	}
}

// TestForecastAtCreation: a profile has what was forecast for it when it was created, whatever was
// declined, charged, updated or stopped since.
func TestForecastAtCreation(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.Options{AsOf: "2026-01-15"}.New(t)
	newSender(t, gw).create(values{"start-date": "31.01.2026", "max-repeats-number": "6"})
	forecast := func() string {
		v := ask(t, gw, 200, "GET", "profiles/1", "")
		var b strings.Builder
		for _, c := range items(t, v, "forecast") {
			b.WriteString(fmt.Sprint(c["date"], " ", c["amount"], "; "))
		}
		return b.String()
	}
	const want = "2026-01-31 9.90; 2026-02-28 9.90; 2026-03-31 9.90; 2026-04-30 9.90; 2026-05-31 9.90; 2026-06-30 9.90; "
	for _, step := range []func(){
		func() {},
		func() { gw.Advance(calendar.MustParse("2026-03-01")) },
		func() { ask(t, gw, 200, "POST", "profiles/1/charge", "") },
		func() { ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"amount":"5.00"}}`) },
		func() { ask(t, gw, 200, "POST", "profiles/1/update", `{"set":{"max-repeats-number":"4"}}`) },
		func() { gw.Advance(calendar.MustParse("2026-04-30")) },
	} {
		if step(); forecast() != want {
			t.Errorf("%s\nnot\n%s", forecast(), want)
		}
	}
	if v := ask(t, gw, 200, "GET", "profiles/1", ""); v["charges"].([]any)[0].(map[string]any)["amount"] != "5.00" {
		t.Error(v["charges"])
	}
}

// TestBaseStringsOfADiagnosis: both are shown with their first difference, and nothing of the
// payload but its length and punctuation.
func TestBaseStringsOfADiagnosis(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	body := bodyOf(payloadOf(values{"city": "~~~~~~"})) // whose base64 has a +
	if !strings.Contains(body, "%2B") {
		t.Fatal(body)
	}
	send := func(body, authorization string) map[string]any {
		t.Helper()
		r, err := http.NewRequest("POST", s.m.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", formType)
		r.Header.Set("Authorization", authorization)
		do(t, gw.Client(), r)
		requests := gw.Requests()
		v := ask(t, gw, 200, "GET", "requests/"+requests[len(requests)-1].ID.String(), "")
		b, ok := v["diagnosis"].(map[string]any)["base_strings"].(map[string]any)
		if !ok {
			t.Fatal(v)
		}
		return b
	}
	for _, c := range []struct {
		reason, authorization, right, signed string // the texts at the first difference
	}{
		{"the other scheme", s.authorization(strings.Replace(s.m.URL, "http:", "https:", 1), body), "%3A%2F%2F127", "s%3A%2F%2F127"},
		{"the body was left out", s.authorization(s.m.URL, ""), "%26payload%3Dxxxx", ""},
		{"+ became a space", s.authorization(s.m.URL, strings.ReplaceAll(body, "%2B", "+")), "B", "0"},
		{"nothing that is known", strings.Replace(s.authorization(s.m.URL, body), "nonce-", "other-", 1), "POST&", ""},
	} {
		b := send(body, c.authorization)
		right, signed, at := b["right"].(string), b["signed"].(string), int(b["offset"].(float64))
		if !strings.HasPrefix(right[at:], c.right) || signed != "" && !strings.HasPrefix(signed[at:], c.signed) || (c.reason != "nothing that is known") != (b["text"] != "") {
			t.Errorf("%s: at %d, %v\n%s\n%s", c.reason, at, b["text"], right[at:min(len(right), at+30)], signed[min(len(signed), at):])
		}
		if signed != "" && right[:at] != signed[:at] {
			t.Errorf("%s: they differ before %d", c.reason, at)
		}
		_, value, _ := strings.Cut(right, "payload%3D")
		if rest := strings.Trim(regexp.MustCompile(`%25(2B|2F|3D)`).ReplaceAllString(value, ""), "x"); rest != "" && b["start"] == 0.0 {
			t.Errorf("%s: the payload is shown: %s", c.reason, rest)
		}
	}
	// A card number as a nonce is masked in both, as it is in the header.
	authorization := regexp.MustCompile(`oauth_nonce="[^"]*"`).ReplaceAllString(s.authorization(s.m.URL, body), `oauth_nonce="4000%200566%205566%205556"`)
	send(body, authorization)
	requests := gw.Requests()
	if _, text := admin(t, gw, "GET", "requests/"+requests[len(requests)-1].ID.String(), ""); strings.Contains(text, "0566") || strings.Contains(text, "5566") {
		t.Errorf("a card number is shown: %s", text)
	}
	// A long one is cut around the difference.
	var rows []values
	for i := range 40 {
		rows = append(rows, values{"client-orderid": fmt.Sprint("order-", i)})
	}
	long := bodyOf(payloadOf(rows...))
	b := send(long, s.authorization(s.m.URL, long[:len(long)-4]+"AAAA"))
	if len(b["right"].(string)) > 4096 {
		t.Errorf("%d bytes", len(b["right"].(string)))
	}
}
