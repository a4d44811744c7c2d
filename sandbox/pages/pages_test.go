package pages_test

import (
	"encoding/base64"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/internal/testpayload"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/sandbox/pages"
	"github.com/chargecast/chargecast/signature"
)

const (
	host       = "127.0.0.1:8043"
	controlKey = "a-control-key-for-tests"
	cardNumber = "4111111111111111"
	cvv        = "7391"
	formType   = "application/x-www-form-urlencoded"
	createPath = "/paynet/api/v4/create-recurring-payments/1001"
)

// A browser is the pages of a gateway in memory, and who looks at them.
type browser struct {
	t       *testing.T
	gw      *gateway.Gateway
	handler http.Handler
}

func open(t *testing.T) *browser {
	t.Helper()
	gw, err := gateway.New(t.Context(), gateway.Config{
		AsOf: calendar.MustParse("2026-01-15"), Hosts: []string{host}, Key: make([]byte, 32), Transport: refusing{},
	})
	check(t, err)
	t.Cleanup(func() { check(t, gw.Close()) })
	_, err = gw.Register(t.Context(), gateway.Registration{Login: "m1", Endpoint: "1001", Currency: "EUR", ControlKey: controlKey})
	check(t, err)
	return &browser{t, gw, pages.New(gw, pages.Options{URL: "http://" + host, Demo: "curl -K demo.curl"})}
}

// refusing is a receiver of callbacks that cannot be reached.
type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) { return nil, http.ErrServerClosed }

func check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

func (b *browser) send(r *http.Request) *httptest.ResponseRecorder {
	b.t.Helper()
	if r.Host == "example.com" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	return w
}

// get returns a page, which must be there.
func (b *browser) get(path string) string {
	b.t.Helper()
	w := b.send(httptest.NewRequest("GET", path, nil))
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		b.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

// post sends a form with the token of the first page.
func (b *browser) post(path string, form url.Values) *httptest.ResponseRecorder {
	b.t.Helper()
	if !form.Has("token") {
		form.Set("token", tokenField.FindStringSubmatch(b.get("/"))[1])
	}
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r)
}

// act posts a form, which must succeed, and returns the page behind it.
func (b *browser) act(path string, form url.Values) string {
	b.t.Helper()
	w := b.post(path, form)
	if w.Code != http.StatusSeeOther {
		b.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return b.get(w.Header().Get("Location"))
}

// create sends rows, signed, and checks the status.
func (b *browser) create(status int, rows ...map[string]string) {
	b.t.Helper()
	if got := b.signed(bodyOf(rows...), "http://"+host+createPath); got != status {
		b.t.Fatalf("%d, not %d: %s", got, status, text(b.get("/_sandbox/requests/1")))
	}
}

// bodyOf is the form body of rows; what is left out of one is that of a valid row.
func bodyOf(rows ...map[string]string) string { return testpayload.Body(csvOf(rows...)) }

func csvOf(rows ...map[string]string) []byte {
	return testpayload.Payload(map[string]string{
		"credit-card-number": cardNumber, "cvv2": cvv, "expire-year": "2030", "period": "month", "interval": "1", "start-date": "31.01.2026",
	}, rows...)
}

// signed sends a body signed for a URL, and returns the status.
func (b *browser) signed(body, target string) int {
	b.t.Helper()
	secret, err := signature.NewHMACKey(controlKey)
	check(b.t, err)
	s, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body),
		signature.OAuth{ConsumerKey: "m1", Nonce: "n", Timestamp: "1"}, secret)
	check(b.t, err)
	r := httptest.NewRequest("POST", createPath, strings.NewReader(body))
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", s.Authorization())
	return b.send(r).Code
}

func (b *browser) advance(to string) {
	b.t.Helper()
	_, err := b.gw.Advance(b.t.Context(), calendar.MustParse(to))
	check(b.t, err)
}

// text is what a page says: without its elements, entities decoded by half, spaces joined.
func text(page string) string {
	page = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")
	return strings.Join(strings.Fields(page), " ")
}

// wants checks that a page says each of some texts, in this order.
func wants(t *testing.T, page string, parts ...string) {
	t.Helper()
	rest := text(page)
	for _, part := range parts {
		before, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Fatalf("the page does not say %q behind %q:\n%s", part, before[:min(len(before), 200)], text(page))
		}
		rest = after
	}
}

// all are the pages of a gateway with a profile, a request and a callback.
var all = []string{
	"/", "/_sandbox/", "/_sandbox/profiles", "/_sandbox/profiles/1", "/_sandbox/requests",
	"/_sandbox/requests/1", "/_sandbox/requests/2", "/_sandbox/callbacks", "/_sandbox/merchants",
}

// TestForecastBesideActual: the life of a profile as its page tells it.
func TestForecastBesideActual(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"max-repeats-number": "5"})
	_, err := b.gw.AddOutcome(t.Context(), gateway.Outcome{ClientOrderID: "order-1", Times: 1, Outcome: engine.OutcomeDeclined})
	check(t, err)
	b.advance("2026-02-10")
	page := b.act("/_sandbox/profiles/1/charge", url.Values{})
	wants(t, page, "The profile was charged.", "2026-01-31", "9.90", "9.90", "declined", "2026-02-10", "–", "9.90", "approved", "manual", "2026-02-28", "9.90", "9.90", "expected")
	page = b.act("/_sandbox/profiles/1/update", url.Values{"amount": {"5.00"}, "was-amount": {"9.90"}, "period": {"month"}, "was-period": {"month"}})
	wants(t, page, "The profile was updated.", "2026-02-28", "9.90", "5.00", "expected")
	page = b.act("/_sandbox/clock", url.Values{"to": {"2026-03-01"}, "back": {"/_sandbox/profiles/1"}})
	wants(t, page, "The clock was moved: 1 charge, 0 stops, 0 callbacks.", "2026-02-28", "9.90", "5.00", "approved", "2.2.1")
	page = b.act("/_sandbox/profiles/1/stop", url.Values{})
	wants(t, page, "The profile was stopped.", "stopped", "2026-03-01", "2026-03-31", "9.90", "–", "not expected")
	b.advance("2026-04-02")
	wants(t, b.get("/_sandbox/profiles/1"), "2026-03-31", "9.90", "–", "not charged")
	page = b.act("/_sandbox/profiles/1/resume", url.Values{})
	wants(t, page, "The profile was resumed.", "active", "2026-04-30", "expected")
}

// TestRefusalsAreShown: what the gateway refuses is said with its reason, and nothing is done.
func TestRefusalsAreShown(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"max-repeats-number": "1"})
	b.advance("2026-02-10")
	for _, c := range []struct {
		reason, path string
		form         url.Values
		status       int
		want         string
	}{
		{"a charge of a stopped profile", "/_sandbox/profiles/1/charge", url.Values{}, 409, "Based on"},
		{"nothing changed", "/_sandbox/profiles/1/update", url.Values{"amount": {"9.90"}, "was-amount": {"9.90"}}, 400, "no value was changed"},
		{"a date that is none", "/_sandbox/profiles/1/update", url.Values{"finish-date": {"2026-31-12"}}, 409, "finish-date"},
		{"no such profile", "/_sandbox/profiles/99/stop", url.Values{}, 404, "no such"},
		{"the clock does not go back", "/_sandbox/clock", url.Values{"to": {"2026-02-09"}}, 409, "What to do"},
		{"not a date", "/_sandbox/clock", url.Values{"date": {"tomorrow"}}, 400, "date"},
		{"no such callback", "/_sandbox/callbacks/7/resend", url.Values{}, 404, "no such"},
	} {
		w := b.post(c.path, c.form)
		if w.Code != c.status || !strings.Contains(text(w.Body.String()), c.want) {
			t.Errorf("%s: %d %s", c.reason, w.Code, text(w.Body.String()))
		}
	}
	if now, err := b.gw.Now(t.Context()); err != nil || now.String() != "2026-02-10" {
		t.Error(now, err)
	}
}

// TestTheClockKeepsWhatWasTyped: a day that is refused stays in the field, on the page that the
// form was on.
func TestTheClockKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{})
	for _, c := range []struct{ back, typed, field, on string }{
		{"/_sandbox/profiles/1", "2026-01-14", `type="date" value="2026-01-14"`, `action="/_sandbox/profiles/1/stop"`},
		{"/_sandbox/callbacks", "\"tomorrow", `type="text" value="&#34;tomorrow"`, "<h1>Callbacks"},
		{"/_sandbox/nope", "2026-02-30", `type="text" value="2026-02-30"`, "<h1>"},
	} {
		w := b.post("/_sandbox/clock", url.Values{"date": {c.typed}, "back": {c.back}})
		page := w.Body.String()
		if w.Code != 400 && w.Code != 409 || !strings.Contains(page, `id="date" name="date" `+c.field) || !strings.Contains(page, c.on) || !strings.Contains(page, `role="alert"`) {
			t.Errorf("%s typed on %s: %d\n%s", c.typed, c.back, w.Code, page)
		}
	}
	if page := b.get("/"); !strings.Contains(page, `type="date" value=""`) {
		t.Errorf("the next page keeps it, too:\n%s", page)
	}
	w := b.post("/_sandbox/profiles/1/charge", url.Values{"back": {"/_sandbox/requests/1"}, "token": {"none"}})
	if w.Code != 403 || !strings.Contains(w.Body.String(), "<h1>Request 1") {
		t.Errorf("another form: %d\n%s", w.Code, w.Body)
	}
}

// TestAFormThatIsSentTwice moves the clock once: its button names a day.
func TestAFormThatIsSentTwice(t *testing.T) {
	t.Parallel()
	b := open(t)
	button := regexp.MustCompile(`name="to" value="([^"]+)">\+1 month`).FindStringSubmatch(b.get("/"))
	for range 2 {
		b.act("/_sandbox/clock", url.Values{"to": {button[1]}})
	}
	if now, err := b.gw.Now(t.Context()); err != nil || now.String() != "2026-02-15" {
		t.Error(now, err)
	}
}

// TestWhyARequestWasRefused: the reason in a sentence, the diagnosis with both base strings, or the
// findings with their places.
func TestWhyARequestWasRefused(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.signed("payload=YQ%3D%3D", "https://"+host+createPath)
	page := b.get("/_sandbox/requests/1")
	wants(t, page, "403:", "signature-mismatch", "Diagnosis", "What was done: the other scheme of http and https was signed", "What to do:",
		"The first difference is marked", "What must be signed:", "POST&amp;http", "What was signed:", "POST&amp;http")
	if marks := regexp.MustCompile(`<mark>[^<]*</mark>`).FindAllString(page, -1); len(marks) != 2 || marks[0] != "<mark>%</mark>" || marks[1] != "<mark>s</mark>" {
		t.Errorf("%q", marks)
	}
	b.create(403, nil, map[string]string{"amount": "x"})
	wants(t, b.get("/_sandbox/requests/2"), "payload-invalid", "Findings", "row 2", "amount")
	wants(t, b.get("/"), "Last refused requests", "2", "403", "1", "403")
	wants(t, b.get("/_sandbox/requests?status=200"), "No request was answered with 200.")
}

// TestNothingSecretOnAnyPage: neither the card, its cvv2, a name, a key nor a signature.
func TestNothingSecretOnAnyPage(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"notify_url": "https://user:pass@shop.example/cb?token=abcdef"})
	b.signed("payload="+url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(cardNumber+";"+cvv))), "https://"+host+createPath)
	b.advance("2026-03-31")
	for _, path := range all {
		page := b.get(path)
		for _, secret := range []string{
			cardNumber, cvv, "ANNA MUSTER", "anna@example.com", controlKey, "pass@", "abcdef", base64.StdEncoding.EncodeToString([]byte(cardNumber))[:12],
		} {
			if strings.Contains(page, secret) {
				t.Errorf("%s shows %s", path, secret)
			}
		}
	}
}

// markup would do harm, or add an element, if it were obeyed.
const markup = `<b data-harm>'"&lt;{{.}}`

// TestStoredMarkupIsEscaped in every column, header and name that a client or a merchant can store.
func TestStoredMarkupIsEscaped(t *testing.T) {
	t.Parallel()
	b := open(t)
	free := 0
	for spec := range rules.Columns() {
		id := "order-" + spec.Name
		row := map[string]string{"client-orderid": id, spec.Name: markup, "notify_url": "http://192.0.2.1/?<b data-harm>=1"}
		if spec.Name == "notify_url" || spec.Name == "server_callback_url" {
			row = map[string]string{"client-orderid": id, spec.Name: "http://192.0.2.1/<b data-harm>?<b data-harm>"}
		}
		before := len(profilesOf(t, b))
		b.signed(bodyOf(row), "http://"+host+createPath) // which may be refused
		if len(profilesOf(t, b)) > before {
			free++
		}
	}
	if free < 5 {
		t.Fatalf("%d columns take markup: that says little", free)
	}
	r := httptest.NewRequest("POST", createPath+"?<b%20data-harm>", strings.NewReader("<b data-harm>=1&payload=<b data-harm>"))
	r.RequestURI = createPath + "/<b data-harm>"
	r.Header.Set("User-Agent", markup)
	r.Header.Set("Content-Type", formType)
	r.Header["<B data-harm>"] = []string{markup}
	r.Header.Set("Authorization", `OAuth oauth_consumer_key="%3Cb%20data-harm%3E", oauth_nonce="<b data-harm>"`)
	b.send(r)
	r = httptest.NewRequest("POST", createPath, strings.NewReader("<b data-harm>=1&payload=<b data-harm>"))
	r.Method = "<b"
	r.Header.Set("Authorization", `OAuth oauth_consumer_key="m1", oauth_nonce="<b data-harm>", oauth_signature_method="HMAC-SHA1", oauth_signature="YQ%3D%3D", oauth_timestamp="1"`)
	b.send(r)
	r = httptest.NewRequest("POST", createPath, strings.NewReader("<b data-harm>=1&payload=<b data-harm>"))
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", `OAuth oauth_consumer_key="m1", oauth_nonce="<b data-harm>", oauth_signature_method="HMAC-SHA1", oauth_signature="YWFhYWFhYWFhYWFhYWFhYWFhYWE%3D", oauth_timestamp="1"`)
	b.send(r)
	_, err := b.gw.Register(t.Context(), gateway.Registration{
		Login: `<b/data-harm>'"`, Endpoint: "1002", ControlKey: "x", Callback: gateway.CallbackTemplate{ContentType: "<b data-harm>", Body: "<b data-harm>"},
	})
	if err == nil {
		t.Error("a login has a slash")
	}
	_, err = b.gw.Register(t.Context(), gateway.Registration{
		Login: `<b>'"$(id)` + "`", Endpoint: "1002", ControlKey: "x", Callback: gateway.CallbackTemplate{ContentType: "<b data-harm>", Body: "<b data-harm>"},
	})
	check(t, err)
	b.advance("2026-02-28")
	paths := append([]string{"/_sandbox/profiles?q=" + url.QueryEscape(markup), "/_sandbox/profiles?done=" + url.QueryEscape(markup), "/?done=clock&charges=" + url.QueryEscape(markup)}, all...)
	for id := range profilesOf(t, b) {
		paths = append(paths, "/_sandbox/profiles/"+id)
	}
	for n := range 60 {
		paths = append(paths, "/_sandbox/requests/"+strings.TrimLeft(string(rune('0'+n/10)), "0")+string(rune('0'+n%10)))
	}
	seen := 0
	for _, path := range paths {
		page := b.send(httptest.NewRequest("GET", path, nil)).Body.String()
		if i := strings.Index(page, "<b data-harm"); i >= 0 {
			t.Errorf("%s obeys stored markup: %s", path, page[max(0, i-200):min(len(page), i+100)])
		}
		if strings.Contains(page, "<b>'") || strings.Contains(page, `onmouseover`) {
			t.Errorf("%s obeys a login", path)
		}
		if strings.Contains(page, "&lt;b") {
			seen++
		}
	}
	if seen < 10 {
		t.Errorf("the markup is on %d pages: that says little", seen)
	}
}

// profilesOf are the ids of all profiles.
func profilesOf(t *testing.T, b *browser) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	check(t, b.gw.View(t.Context(), func(tx gateway.Tx) error {
		list, err := tx.Profiles().List(gateway.Query{})
		for _, p := range list {
			ids[p.ID.String()] = true
		}
		return err
	}))
	return ids
}

// TestFormsOfOtherSites do nothing: not without the token, not from another origin, not under
// another Host, and not by GET.
func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := tokenField.FindStringSubmatch(b.get("/"))[1]
	for _, c := range []struct {
		reason string
		change func(*http.Request)
		token  string
		status int
	}{
		{"no token", func(*http.Request) {}, "", 403},
		{"another token", func(*http.Request) {}, strings.Repeat("A", 26), 403},
		{"from another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, token, 403},
		{"from another origin", func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "http://evil.example")
		}, token, 403},
		{"under another name", func(r *http.Request) { r.Host = "evil.example:8043" }, token, 421},
		{"by GET", func(r *http.Request) { r.Method = "GET" }, token, 405},
		{"the token in the query", func(r *http.Request) { r.RequestURI += "?token=" + token }, "", 403},
		{"a form that is too long", func(r *http.Request) {
			r.Body = httptest.NewRequest("POST", "/", strings.NewReader("token="+token+"&to="+strings.Repeat("x", 1<<17))).Body
		}, token, 400},
	} {
		form := url.Values{"to": {"2026-03-01"}}
		if c.token != "" {
			form.Set("token", c.token)
		}
		r := httptest.NewRequest("POST", "/_sandbox/clock", strings.NewReader(form.Encode()))
		r.Host = host
		r.Header.Set("Content-Type", formType)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		c.change(r)
		if w := b.send(r); w.Code != c.status {
			t.Errorf("%s: %d %s", c.reason, w.Code, text(w.Body.String()))
		}
	}
	if now, err := b.gw.Now(t.Context()); err != nil || now.String() != "2026-01-15" {
		t.Errorf("the clock shows %s, %v", now, err)
	}
	for _, path := range append([]string{"/_sandbox/style.css"}, all...) {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "evil.example"
		if w := b.send(r); w.Code != 421 || w.Body.Len() > 0 {
			t.Errorf("%s under another Host: %d %q", path, w.Code, w.Body)
		}
	}
}

// TestTheHeadersOfPages keep scripts, frames and other sites away, and no page has a script or a
// style of its own.
func TestTheHeadersOfPages(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"notify_url": "http://192.0.2.1/"})
	b.signed("payload=YQ%3D%3D", "https://"+host+createPath)
	b.advance("2026-02-01")
	forbidden := regexp.MustCompile(`(?i)<script|<style|<iframe|<object|<base|javascript:|\son[a-z]+=|\sstyle=|https?://[^\s<]*\.(js|css|png)`)
	for _, path := range all {
		w := b.send(httptest.NewRequest("GET", path, nil))
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
			"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s: %q", path, name, got)
			}
		}
		if found := forbidden.FindString(w.Body.String()); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		head := b.send(httptest.NewRequest("HEAD", path, nil))
		if head.Code != 200 || head.Body.Len() > 0 {
			t.Errorf("HEAD %s: %d %q", path, head.Code, head.Body)
		}
	}
}

// TestWhatIsNotAPageBelongsToTheGateway: nothing below the document's path changes, nor in the
// admin interface, and paths are not cleaned or decoded.
func TestWhatIsNotAPageBelongsToTheGateway(t *testing.T) {
	t.Parallel()
	b := open(t)
	for target, status := range map[string]int{
		"/paynet/": 403, "/index.html": 403, "//": 403, "/_sandbox": 404, "/_sandbox/nothing": 404, "/_sandbox/profiles/x": 404, "/_sandbox/profiles/1/": 404,
		"/_sandbox/%70rofiles": 404, "/_sandbox/../_sandbox/profiles": 404, "/_sandbox//profiles": 404, "/_sandbox/profiles/1%2F2": 404, "/_sandbox/v1": 404,
		"/_sandboxes": 403, "/%5fsandbox/": 403,
		"/_sandbox/v1/clock": 200, "/healthz": 200, "/metrics": 200, "/favicon.ico": 403, "/_sandbox/style.css": 200, "/_sandbox/profiles/77": 404,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RequestURI = target
		if w := b.send(r); w.Code != status || status == 403 && w.Body.Len() > 0 {
			t.Errorf("%s: %d %s", target, w.Code, text(w.Body.String()))
		}
	}
	if w := b.send(httptest.NewRequest("POST", "/", nil)); w.Code != 403 {
		t.Errorf("POST /: %d", w.Code)
	}
}

// TestAPathWithoutAPage: a page says so and leads on, and the merchants' requests have no record of it.
func TestAPathWithoutAPage(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/_sandbox", 404, ""}, {"GET", "/_sandbox/profiles/", 404, ""}, {"HEAD", "/_sandbox/nope", 404, ""}, {"POST", "/_sandbox/nope", 404, ""},
		{"POST", "/_sandbox/profiles", 405, "GET"}, {"GET", "/_sandbox/profiles/1/stop", 405, "POST"}, {"DELETE", "/_sandbox/merchants", 405, "GET"},
	} {
		w := b.send(httptest.NewRequest(c.method, c.path, nil))
		page := w.Body.String()
		if w.Code != c.status || w.Header().Get("Allow") != c.allow || w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s: %d %q", c.method, c.path, w.Code, w.Header())
		}
		if c.method != "HEAD" && (!strings.Contains(page, `href="/_sandbox/profiles"`) || !strings.Contains(page, `role="alert"`)) {
			t.Errorf("%s %s leads nowhere:\n%s", c.method, c.path, page)
		}
	}
	check(t, b.gw.View(t.Context(), func(tx gateway.Tx) error {
		list, err := tx.Requests().List(gateway.Query{})
		if len(list) > 0 {
			t.Errorf("recorded: %v", list)
		}
		return err
	}))
	r := httptest.NewRequest("GET", "/_sandbox/nope", nil)
	r.Host = "evil.example"
	if w := b.send(r); w.Code != 421 || w.Body.Len() > 0 {
		t.Errorf("under another name: %d %s", w.Code, w.Body)
	}
}

// TestListsArePaged: the newest first, and links lead to the others.
func TestListsArePaged(t *testing.T) {
	t.Parallel()
	b := open(t)
	var rows []map[string]string
	for i := range 120 {
		rows = append(rows, map[string]string{"client-orderid": "order-" + strings.Repeat("i", i+1)})
	}
	b.create(200, rows...)
	link := regexp.MustCompile(`href="([^"]+)">Older`)
	seen, path := 0, "/_sandbox/profiles?status=active"
	for path != "" {
		page := b.get(path)
		seen += strings.Count(page, `<th scope="row"`)
		next := link.FindStringSubmatch(page)
		if path = ""; next != nil {
			path = strings.ReplaceAll(next[1], "&amp;", "&")
		}
	}
	if seen != 120 {
		t.Errorf("%d profiles", seen)
	}
	wants(t, b.get("/_sandbox/profiles?q="+strings.Repeat("i", 119)), "order-")
	wants(t, b.get("/_sandbox/profiles?q=nothing"), "No profile is like that.")
}

// TestTheEndOfTheCalendar: the last day has no next one, and the pages say so.
func TestTheEndOfTheCalendar(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"max-repeats-number": "2"})
	page := b.act("/_sandbox/reset", url.Values{"to": {"9999-12-30"}})
	if !strings.Contains(page, "+1 day") || strings.Contains(page, "+1 month") || strings.Contains(page, "+1 year") {
		t.Error("the last day is reached by a day, and not by a month")
	}
	page = b.act("/_sandbox/clock", url.Values{"date": {"9999-12-31"}})
	if strings.Contains(page, "+1 day") {
		t.Error("there is a day behind the last one")
	}
}

// TestTheClockGoesAYearAtATime: further is refused, with the day up to which it can go.
func TestTheClockGoesAYearAtATime(t *testing.T) {
	t.Parallel()
	b := open(t)
	if w := b.post("/_sandbox/clock", url.Values{"date": {"2027-01-17"}}); w.Code != 400 || !strings.Contains(text(w.Body.String()), "2027-01-16") {
		t.Errorf("%d %s", w.Code, text(w.Body.String()))
	}
	if page := b.get("/"); !strings.Contains(page, `value="2027-01-15">+1 year`) || !strings.Contains(page, `max="2027-01-16"`) {
		t.Error("no button for a year, or no limit of the field")
	}
}

// TestTheListOfRequestsSaysTheCause: which mistake was made, not only that the signature is wrong.
func TestTheListOfRequestsSaysTheCause(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(403, map[string]string{"amount": "x"})
	page := text(b.get("/_sandbox/requests"))
	if !strings.Contains(page, "row 1, amount: ") || strings.Contains(page, "a row of the payload has an error") {
		t.Error(page)
	}
}

// TestTrials: declines, faults, snapshots and merchants have pages: what is added is listed and can be removed, and what is refused
// keeps what was typed.
func TestTrials(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"notify_url": "http://127.0.0.1:1/cb"})
	for _, c := range []struct {
		list   string
		form   url.Values
		listed string
		bad    url.Values // with which the form is refused
		kept   string
	}{
		{"outcomes", url.Values{"outcome": {"declined"}, "times": {"2"}, "profile": {"order-1"}}, "0 of 2", url.Values{"outcome": {"declined"}, "last4": {"12"}}, `value="12"`},
		{"faults", url.Values{"kind": {"callback-late"}, "days": {"3"}, "profile": {"order-1"}}, "profile order-1, 3 days", url.Values{"kind": {"slow"}, "bytes_s": {"x"}}, `value="x"`},
		{"snapshots", url.Values{}, "2026-01-15", nil, ""},
	} {
		page := b.act("/_sandbox/"+c.list, c.form)
		wants(t, page, "It was added.", c.listed)
		if c.bad == nil {
			wants(t, b.act("/_sandbox/snapshots/1/restore", url.Values{}), "The snapshot was restored.")
		} else if w := b.post("/_sandbox/"+c.list, c.bad); w.Code < 400 || !strings.Contains(w.Body.String(), c.kept) || !strings.Contains(text(w.Body.String()), "What to do") {
			t.Errorf("%s: %d %s", c.list, w.Code, text(w.Body.String()))
		}
		page = b.act("/_sandbox/"+c.list+"/1/remove", url.Values{})
		wants(t, page, "It was removed.")
		if strings.Contains(text(page), c.listed) && c.list != "snapshots" {
			t.Errorf("%s: it is still there", c.list)
		}
	}
	wants(t, b.act("/_sandbox/merchants", url.Values{"login": {"m2"}, "endpoint": {"7"}, "control_key": {"a-secret"}}), "The merchant was saved.", "HMAC-SHA1")
	w := b.post("/_sandbox/merchants", url.Values{"login": {"m3"}, "endpoint": {"7"}, "control_key": {"a-secret"}})
	if w.Code != 409 || !strings.Contains(w.Body.String(), `value="m3"`) || strings.Contains(w.Body.String(), "a-secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	wants(t, b.act("/_sandbox/merchants/change", url.Values{"login": {"m2"}, "endpoint": {"8"}, "window_s": {"60"}}), "within 60 s")
	w = b.post("/_sandbox/merchants/change", url.Values{"login": {"m2"}, "endpoint": {"1001"}, "currency": {"XAU"}, "window_s": {"77"}, "response": {"parameters"}, "check_replays": {"on"}})
	page := w.Body.String()
	for _, kept := range []string{`<details open><summary>Change m2`, `value="XAU"`, `value="77"`, `<option selected>parameters`, `name="check_replays" checked`} {
		if w.Code != 409 || strings.Count(page, kept) != 1 {
			t.Errorf("%d, and %s is there %d times", w.Code, kept, strings.Count(page, kept))
		}
	}
	page = b.get("/_sandbox/merchants")
	if strings.Contains(page, `aria-label="Remove m1"`) || !strings.Contains(page, `aria-label="Remove m2"`) {
		t.Error("what can be removed is offered, and nothing else")
	}
	if w := b.post("/_sandbox/merchants/remove", url.Values{"login": {"m1"}}); w.Code != 409 || !strings.Contains(text(w.Body.String()), "has profiles") {
		t.Errorf("%d", w.Code)
	}
	if page := b.act("/_sandbox/merchants/remove", url.Values{"login": {"m2"}}); strings.Contains(page, `aria-label="m2"`) {
		t.Error("the merchant is still there")
	}
	wants(t, b.act("/_sandbox/reset", url.Values{"to": {"2026-01-01"}}), "dropped", "2026-01-01")
}

// undated are the dates that pages show as a text: what a client sent, and the sentences and keys of charts.
var undated = regexp.MustCompile(`(?s)<title>.*?</title>|<svg.*?</svg>|<p class="legend">.*?</p>|<input[^>]*>|<button[^>]*>|<pre.*?</pre>|<time.*?</time>|<h1>.*?</h1>|<td class="id">.*?</td>|<th scope="row" class="when">.*?</th>|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|<a [^>]*>[^<]*</a>`)

// TestEveryDateIsALink to the page of its day.
func TestEveryDateIsALink(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"client-orderid": "a", "max-repeats-number": "2", "notify_url": "http://127.0.0.1:1/cb"})
	b.create(403, map[string]string{"amount": "x"})
	b.act("/_sandbox/clock", url.Values{"date": {"2026-03-31"}})
	b.act("/_sandbox/snapshots", url.Values{})
	for _, path := range []string{"/", "profiles", "profiles/1", "requests", "requests/1", "requests/2", "callbacks", "timeline", "day?on=2026-01-31", "snapshots", "outcomes", "faults", "merchants"} {
		if path != "/" {
			path = "/_sandbox/" + path
		}
		page := b.get(path)
		if !strings.Contains(page, `href="/_sandbox/day?on=2026-03-31"`) {
			t.Errorf("%s: the day of the clock is no link", path)
		}
		_, page, _ = strings.Cut(page, "<main")
		if date := regexp.MustCompile(`.{60}\b\d{4}-\d\d-\d\d\b`).FindString(undated.ReplaceAllString(page, "")); date != "" {
			t.Errorf("%s: a date is no link: %s", path, date)
		}
	}
}

// TestTheExport: the pages lead to the charges as the command reads them, of all merchants and of one.
func TestTheExport(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"client-orderid": "a"})
	b.act("/_sandbox/clock", url.Values{"date": {"2026-02-28"}})
	for path, link := range map[string]string{"/": "", "/_sandbox/merchants": "&amp;login=m1"} {
		if !strings.Contains(b.get(path), `<a href="/_sandbox/v1/charges?format=actuals`+link+`" download="actuals.csv">`) {
			t.Errorf("%s has no link", path)
		}
		want := "profile,date,amount,currency,outcome,created,id\na,2026-01-31,9.90,EUR,approved,2026-01-15,1\na,2026-02-28,9.90,EUR,approved,2026-01-15,2\n"
		if got := b.send(httptest.NewRequest("GET", "/_sandbox/v1/charges?format=actuals"+html.UnescapeString(link), nil)).Body.String(); got != want {
			t.Errorf("%q", got)
		}
	}
}

// TestADayAndTheTimeline: a day has its charges, their number and sum; the timeline has what came, with the faults.
func TestADayAndTheTimeline(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.act("/_sandbox/faults", url.Values{"kind": {"callback-lost"}})
	b.create(200, map[string]string{"client-orderid": "a", "notify_url": "http://127.0.0.1:1/cb"}, map[string]string{"client-orderid": "b", "amount": "1.25"})
	b.act("/_sandbox/outcomes", url.Values{"outcome": {"declined"}, "profile": {"b"}})
	b.act("/_sandbox/clock", url.Values{"date": {"2026-02-28"}})
	wants(t, b.get("/_sandbox/day?on=2026-01-31"), "2026-02-01", "approved, EUR 9.90 1", "declined, EUR 1.25 1")
	wants(t, b.get("/_sandbox/day"), "approved, EUR 9.90 1", "declined, EUR 1.25 1")
	wants(t, b.get("/_sandbox/day?on=2026-02-27"), "No charges on this day.")
	wants(t, b.get("/_sandbox/day?on=2026-03-31"), "The clock has not come to this day.")
	wants(t, b.get("/_sandbox/timeline"), "request 1: 200, 2 profiles created")
	wants(t, b.get("/_sandbox/timeline"), "callback 1 of profile 1: made", "callback-lost")
	wants(t, b.get("/_sandbox/profiles/1"), "Callbacks", "callback-lost")
	if w := b.send(httptest.NewRequest("GET", "/_sandbox/day?on=soon", nil)); w.Code != 400 {
		t.Error(w.Code)
	}
}

// TestADayOfManyCharges: the sums are of all, also of those that are not shown.
func TestADayOfManyCharges(t *testing.T) {
	t.Parallel()
	b := open(t)
	rows := make([]map[string]string, 1001)
	for i := range rows {
		rows[i] = map[string]string{"client-orderid": "order-" + strconv.Itoa(i), "start-date": "15.01.2026"}
	}
	b.create(200, rows...)
	wants(t, b.get("/_sandbox/day"), "approved, EUR 9909.90 1001", "the sums are of all")
}

// TestWhatCannotSucceedIsNotOffered: a charge of a stopped profile, unless the policy has it.
func TestWhatCannotSucceedIsNotOffered(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, nil)
	if !strings.Contains(b.get("/_sandbox/profiles/1"), "Charge now") {
		t.Error("an active profile cannot be charged")
	}
	if page := b.act("/_sandbox/profiles/1/stop", url.Values{}); strings.Contains(page, "Charge now") {
		t.Error("a stopped profile can be charged")
	}
	w := b.post("/_sandbox/profiles/1/update", url.Values{"amount": {"nine"}, "was-amount": {"9.90"}})
	if w.Code != 409 || !strings.Contains(w.Body.String(), `value="nine"`) {
		t.Errorf("%d: what was typed is lost", w.Code)
	}
	wants(t, b.get("/_sandbox/profiles?q=ORDER-1"), "order-1")
}

// TestNothingSecretComesBackInAForm: a private key that was pasted for a public one, and a card number, are not in the page that refuses them.
func TestNothingSecretComesBackInAForm(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, nil)
	private := testkeys.PKCS1
	w := b.post("/_sandbox/merchants", url.Values{"login": {"m9"}, "endpoint": {"9"}, "public_key": {private}, "control_key": {"a-secret"}})
	if page := w.Body.String(); w.Code != 422 || strings.Contains(page, "PRIVATE") || strings.Contains(page, private[40:80]) || !strings.Contains(page, `value="m9"`) {
		t.Errorf("%d %s", w.Code, page)
	}
	w = b.post("/_sandbox/outcomes", url.Values{"outcome": {"declined"}, "profile": {"4012888888881881"}, "last4": {"x"}})
	if page := w.Body.String(); w.Code != 400 || strings.Contains(page, "4012888888881881") {
		t.Errorf("%d %s", w.Code, page)
	}
}

// TestPagesShowWhatHides: control characters, and what changes the direction of text, are shown as escapes.
func TestPagesShowWhatHides(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.create(200, map[string]string{"client-orderid": "a\u202eb\u2028c", "order_desc": "1\\u0041"})
	for _, path := range []string{"/_sandbox/profiles", "/_sandbox/profiles/1", "/"} {
		page := b.get(path)
		if strings.ContainsAny(page, "\u202e\u2028\x1b") {
			t.Errorf("%s hides something", path)
		}
		if path != "/" && !strings.Contains(page, `a\u202eb\u2028c`) {
			t.Errorf("%s does not show it", path)
		}
	}
	wants(t, b.get("/_sandbox/profiles/1"), `1\u0041`)
}
