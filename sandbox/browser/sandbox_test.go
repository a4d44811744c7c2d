package browser

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/sandbox/pages"
	"github.com/chargecast/chargecast/signature"
)

// A sandbox is a running gateway with pages, in which much has happened.
type sandbox struct {
	t   *testing.T
	gw  *gateway.Gateway
	url string
}

const endpoint = "/paynet/api/v4/create-recurring-payments/1001"

// startSandbox starts a gateway and lets it live: profiles of all kinds, declines, refused requests,
// callbacks that fail, texts that would do harm.
func startSandbox(t *testing.T) *sandbox {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := &sandbox{t: t, url: "http://" + l.Addr().String()}
	s.gw, err = gateway.New(t.Context(), gateway.Config{AsOf: calendar.MustParse("2026-01-10"), Hosts: []string{l.Addr().String()}, Transport: nobody{}})
	must(t, err)
	server := gateway.NewServer(pages.New(s.gw, pages.Options{URL: s.url, Demo: "curl -sS -i -K chargecast-sandbox.db.demo.curl"}))
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
		must(t, s.gw.Close())
	})
	_, err = s.gw.Register(t.Context(), gateway.Registration{Login: "m1", Endpoint: "1001", ControlKey: "a-control-key-for-tests"})
	must(t, err)
	s.live()
	return s
}

// nobody is a receiver that answers no callback.
type nobody struct{}

func (nobody) RoundTrip(*http.Request) (*http.Response, error) { return nil, http.ErrServerClosed }

func must(t *testing.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

func (s *sandbox) live() {
	var rows []map[string]string
	for i := range 60 {
		row := map[string]string{"client-orderid": fmt.Sprint(hostile[i%len(hostile)], i), "currency": [...]string{"EUR", "USD", "GBP"}[i%3], "start-date": fmt.Sprintf("%02d.01.2026", 10+i%20)}
		switch i % 6 {
		case 1:
			row["period"], row["max-repeats-number"] = "week", "9"
		case 2:
			row["amount"], row["amount-from"], row["amount-to"] = "", "1.00", "25.00"
		case 3:
			row["notify_url"] = "http://192.0.2.1/a/rather/long/path/that/does/not/fit/on/a/phone?<b>=1"
		case 4:
			row["expire-year"], row["expire-month"] = "2026", "03"
		}
		rows = append(rows, row)
	}
	s.send(s.url, 200, rows...)
	for _, id := range []string{fmt.Sprint(hostile[0], 0), fmt.Sprint(hostile[1], 1)} {
		_, err := s.gw.AddOutcome(s.t.Context(), gateway.Outcome{ClientOrderID: id, Times: 2, Outcome: engine.OutcomeDeclined})
		must(s.t, err)
	}
	s.advance("2026-04-11")
	apply := func(id gateway.ID, e engine.Event) {
		_, err := s.gw.Apply(s.t.Context(), id, e)
		must(s.t, err)
	}
	apply(1, engine.Event{Kind: engine.EventCharge})
	apply(3, engine.Event{Kind: engine.EventStop})
	s.advance("2026-05-20")
	s.send(strings.Replace(s.url, "http:", "https:", 1), 403, nil)                                   // request 2
	s.send(s.url, 403, nil, map[string]string{"amount": "<b>", "period": "year", "start-date": "x"}) // request 3
	for _, f := range []gateway.Fault{
		{Kind: gateway.FaultCallbackLate, Where: gateway.FaultWhere{Profile: fmt.Sprint(hostile[2], 2)}, Days: 3, Times: 1},
		{Kind: gateway.FaultAnswerLost, Login: "m1", Times: 1},
	} {
		_, err := s.gw.AddFault(s.t.Context(), f)
		must(s.t, err)
	}
	_, err := s.gw.Snapshot(s.t.Context())
	must(s.t, err)
}

func (s *sandbox) advance(to string) {
	_, err := s.gw.Advance(s.t.Context(), calendar.MustParse(to))
	must(s.t, err)
}

// send sends rows, signed for a URL.
func (s *sandbox) send(target string, want int, rows ...map[string]string) {
	s.t.Helper()
	csv := rules.AppendHeader(nil)
	for _, row := range rows {
		all := map[string]string{
			"rp_card_type": "SRC", "client-orderid": "order", "credit-card-number": "4111111111111111", "cvv2": "123", "card-printed-name": "ANNA MUSTER",
			"expire-year": "2030", "expire-month": "12", "amount": "9.90", "currency": "EUR", "country": "DE", "city": "Berlin", "zip-code": "10115",
			"address1": "<script>window.harm=1</script>", "first-name": "Anna", "last-name": "Muster", "email": "anna@example.com", "period": "month", "interval": "1",
		}
		maps.Copy(all, row)
		var cells []string
		for spec := range rules.Columns() {
			cells = append(cells, all[spec.Name])
		}
		csv = rules.AppendRecord(csv, cells...)
	}
	const formType = "application/x-www-form-urlencoded"
	body := "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString(csv))
	secret, err := signature.NewHMACKey("a-control-key-for-tests")
	must(s.t, err)
	signed, _, err := signature.Sign(signature.NewRequest("POST", target+endpoint).WithBody(formType, body),
		signature.OAuth{ConsumerKey: "m1", Nonce: "n", Timestamp: "1"}, secret)
	must(s.t, err)
	r, err := http.NewRequest("POST", s.url+endpoint, strings.NewReader(body))
	must(s.t, err)
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", signed.Authorization())
	response, err := http.DefaultClient.Do(r)
	must(s.t, err)
	_ = response.Body.Close()
	if response.StatusCode != want {
		s.t.Fatalf("%d, not %d", response.StatusCode, want)
	}
}

// sandboxPages are all pages, by name.
var sandboxPages = map[string]string{
	"start": "/", "profiles": "/_sandbox/profiles", "profile": "/_sandbox/profiles/1", "stopped": "/_sandbox/profiles/3", "random": "/_sandbox/profiles/9",
	"called": "/_sandbox/profiles/4", "search": "/_sandbox/profiles?q=ORDER", "nothing": "/_sandbox/profiles?q=nothing-has-this",
	"day": "/_sandbox/day?on=2026-04-11", "empty": "/_sandbox/day?on=2026-01-01",
	"requests": "/_sandbox/requests", "mismatch": "/_sandbox/requests/2", "payload": "/_sandbox/requests/3", "accepted": "/_sandbox/requests/1",
	"callbacks": "/_sandbox/callbacks", "timeline": "/_sandbox/timeline", "declines": "/_sandbox/outcomes", "faults": "/_sandbox/faults",
	"snapshots": "/_sandbox/snapshots", "merchants": "/_sandbox/merchants", "none": "/_sandbox/profiles/777",
}

// TestSandboxPages opens every page at two widths, in light and dark, with everything unfolded that can
// be: nothing is said, nothing requested elsewhere, nothing is wider than the window, and axe-core has
// nothing to object to. With CHARGECAST_SCREENSHOTS=DIR it keeps pictures of them.
func TestSandboxPages(t *testing.T) {
	t.Parallel()
	s := startSandbox(t)
	names := slices.Sorted(maps.Keys(sandboxPages))
	tabs := runtime.GOMAXPROCS(0)
	for n := range tabs {
		t.Run(fmt.Sprint("tab ", n+1), func(t *testing.T) {
			t.Parallel()
			var seen witness
			tab := openTab(t, seen.see)
			for i := n; i < len(names); i += tabs {
				seen.forget()
				t.Run(names[i], func(t *testing.T) { s.look(t, tab, names[i], &seen) })
			}
		})
	}
}

// look opens a page in a tab.
func (s *sandbox) look(t *testing.T, tab context.Context, name string, seen *witness) {
	do(t, tab, chromedp.Navigate(s.url+sandboxPages[name]))
	if n := eval[int](t, tab, `document.scripts.length`); n != 0 || eval[bool](t, tab, `"harm" in window`) {
		t.Errorf("a stored text was obeyed; %d scripts", n)
	}
	keepPictures(t, tab, name)
	isAxe := addAxe(t, tab)
	do(t, tab, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
	inEachForm(t, tab, func(f form) {
		if eval[bool](t, tab, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%v: the page is wider than the window: %s", f, eval[string](t, tab, wide))
		}
		checkAccess(t, tab, isAxe, f)
	})
	seen.checkSite(t, s.url, name == "none")
}

// keepPictures keeps pictures of a whole page where CHARGECAST_SCREENSHOTS names a directory.
func keepPictures(t *testing.T, tab context.Context, name string) {
	t.Helper()
	dir := os.Getenv("CHARGECAST_SCREENSHOTS")
	if dir == "" {
		return
	}
	inEachForm(t, tab, func(f form) {
		picture, err := chromedp.Run(tab, chromedp.FullScreenshot(100))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, f.width, f.colours)), picture, 0o600))
	})
}

// forget lets the witness begin anew.
func (w *witness) forget() {
	w.Lock()
	defer w.Unlock()
	w.said, w.asked = nil, nil
}

// wide names what is wider than the window.
const wide = `Array.from(document.querySelectorAll("main *")).filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll, pre")).map(e => e.outerHTML.slice(0, 80)).join("\n")`

// checkSite wants silence, and no request but to the server itself. That a page is not there may be said.
func (w *witness) checkSite(t *testing.T, site string, isMissing bool) {
	t.Helper()
	w.Lock()
	defer w.Unlock()
	for _, text := range w.said {
		if !isMissing || !strings.Contains(text, "404") {
			t.Errorf("the browser says %q", text)
		}
	}
	for _, url := range w.asked {
		if !strings.HasPrefix(url, site+"/") && !strings.HasPrefix(url, "data:") {
			t.Errorf("the page requests %s", url)
		}
	}
	if len(w.asked) < 2 {
		t.Errorf("the browser requested only %q: the style sheet is missing", w.asked)
	}
}

// TestSandboxWithoutScripts works as with them: every page shows what it has, and a day passes, a profile is stopped and resumed, by
// keyboard where one would use it.
func TestSandboxWithoutScripts(t *testing.T) {
	t.Parallel()
	ctx := openTab(t, nil)
	s := startSandbox(t)
	said := func() string {
		return eval[string](t, ctx, `document.querySelector("[role=status]")?.textContent ?? ""`)
	}
	do(t, ctx, chromedp.Func(scriptsOff))
	for name, path := range sandboxPages { // axe-core, itself a script, judged them: they have no scripts
		do(t, ctx, chromedp.EmulateViewport(420, 900), chromedp.Navigate(s.url+path))
		if eval[string](t, ctx, `document.querySelector("main").innerText.trim()`) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	do(t, ctx, chromedp.Navigate(s.url+"/_sandbox/profiles/1"), chromedp.KeyEvent("\t"))
	if first := eval[string](t, ctx, `document.activeElement.className`); first != "skip" {
		t.Errorf("the first stop of the keyboard is %q", first)
	}
	submit := func(selector string) {
		t.Helper()
		if _, err := chromedp.RunResponse(ctx, chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent("\r")); err != nil {
			t.Fatal(err)
		}
	}
	submit(`form[action$="/profiles/1/stop"] button`)
	if got := said(); got != "The profile was stopped." {
		t.Errorf("%q", got)
	}
	submit(`form[action$="/profiles/1/resume"] button`)
	if got := said(); got != "The profile was resumed." {
		t.Errorf("%q", got)
	}
	submit(`.clock button[value="2026-05-21"]`)
	if got := said(); !strings.HasPrefix(got, "The clock was moved: ") || !strings.Contains(eval[string](t, ctx, `document.querySelector(".clock b").textContent`), "2026-05-21") {
		t.Errorf("%q", got)
	}
	if path := eval[string](t, ctx, `location.pathname`); path != "/_sandbox/profiles/1" {
		t.Errorf("the clock leads to %s", path)
	}
}

// TestSandboxFormsWithoutScripts uses each form and each kind of link that TestSandboxWithoutScripts leaves out: none
// needs a script, and each shows its result.
func TestSandboxFormsWithoutScripts(t *testing.T) {
	t.Parallel()
	ctx := openTab(t, nil)
	s := startSandbox(t)
	do(t, ctx, chromedp.Func(scriptsOff))
	open := func(path string) { t.Helper(); do(t, ctx, chromedp.Navigate(s.url+path)) }
	press := func(selector string) {
		t.Helper()
		if _, err := chromedp.RunResponse(ctx, chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent("\r")); err != nil {
			t.Fatal(selector, err)
		}
	}
	// fill is what a user types or chooses; no event tells the page.
	fill := func(selector, text string) {
		t.Helper()
		if got := eval[string](t, ctx, fmt.Sprintf(`document.querySelector(%q).value = %q, document.querySelector(%[1]q).value`, selector, text)); got != text {
			t.Fatalf("%s takes %q, not %q", selector, got, text)
		}
	}
	text := func(selector string) string {
		t.Helper()
		return eval[string](t, ctx, fmt.Sprintf(`document.querySelector(%q)?.textContent ?? ""`, selector))
	}
	rows := func() int { return eval[int](t, ctx, `document.querySelectorAll("tbody tr").length`) }
	expect := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}

	open("/_sandbox/profiles/6")
	press(`form[action$="/profiles/6/charge"] button`)
	expect("charge", text("[role=status]"), "The profile was charged.")
	fill(`input[name=max-repeats-number]`, "90")
	fill(`input[name=finish-date]`, "31.12.2026")
	press(`form[action$="/update"] button`)
	expect("update", text("[role=status]"), "The profile was updated.")
	expect("today's value", eval[string](t, ctx, `document.querySelector("input[name=finish-date]").value`), "31.12.2026")
	fill(`input[name=finish-date]`, "31.02.2026")
	press(`form[action$="/update"] button`)
	expect("an update that is refused", strings.Contains(text("[role=alert]"), "the day does not exist"), true)
	expect("what was typed", eval[string](t, ctx, `document.querySelector("input[name=finish-date]").value`), "31.02.2026")

	open("/_sandbox/profiles")
	fill(`input[name=q]`, "17")
	press(`form[role=search] button`)
	found := rows()
	expect("search", found > 0 && found == eval[int](t, ctx, `Array.from(document.querySelectorAll("tbody tr")).filter(r => r.textContent.includes("17")).length`), true)
	expect("the text of the search", eval[string](t, ctx, `document.querySelector("#q").value`), "17")
	open("/_sandbox/profiles")
	press(`.filters li:nth-child(3) a`)
	stopped := rows()
	expect("filter", stopped > 0 && stopped == eval[int](t, ctx, `document.querySelectorAll("tbody td.stopped").length`), true)
	open("/_sandbox/profiles")
	press(`nav.turn a`)
	expect("older profiles", rows(), 10)

	open("/_sandbox/day?on=2026-04-11")
	press(`nav.turn a`)
	expect("the day before", text("h1"), "2026-04-10")

	fill(`#date`, "2026-06-30")
	press(`.clock form:nth-of-type(2) button`)
	expect("the clock to a day", strings.HasPrefix(text("[role=status]"), "The clock was moved: "), true)
	expect("the day of the clock", text(".clock b"), "2026-06-30")
	expect("the page behind the clock", eval[string](t, ctx, `location.pathname`), "/_sandbox/day")
	press(`.clock form:nth-of-type(1) button:nth-of-type(2)`)
	expect("one month later", text(".clock b"), "2026-07-30")
}
