package browser

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// hostile are client-orderids that would do harm if they were obeyed.
var hostile = []string{
	`</script><script>window.harm=1</script>`, `"><img src=x onerror=window.harm=1>`, `' onmouseover='window.harm=1`, `<svg onload=window.harm=1>`, "order-1",
}

// book are profiles of many kinds.
func book() []engine.Profile {
	var list []engine.Profile
	for i := range 60 {
		p := engine.Profile{
			ID: fmt.Sprint(hostile[i%len(hostile)], i), Kind: engine.KindSource, Currency: [...]string{"EUR", "USD", "<b>"}[i%3],
			Amounts: amount.Fixed(amount.MustParse("9.90")), Unit: calendar.UnitMonth, Interval: 1,
			Start: calendar.MustParse("2025-12-31").AddDays(i),
		}
		if i%5 == 0 {
			p.MaxRepeats = engine.AtMost(4)
		}
		if i%7 == 0 {
			p.CardExpires = calendar.MustParse("2026-03-31")
		}
		list = append(list, p)
	}
	return list
}

// writePage writes a page and returns where it is.
func writePage(t *testing.T, until string) string {
	t.Helper()
	h := record.Header{Schema: record.SchemaForecast, AsOf: calendar.MustParse("2026-01-10"), Until: calendar.MustParse(until), Zone: "UTC"}
	var b bytes.Buffer
	w := report.NewWriter(&b, h, report.Options{Form: report.FormHTML})
	for i, p := range book() {
		stored := engine.Stored{Profile: p}
		plan, err := engine.New(h.Policy).Compile(stored, h.AsOf)
		if err != nil {
			t.Fatal(err)
		}
		w.Start(record.Profile{Subject: record.Subject{Profile: p.ID, Row: i + 1, Currency: p.Currency}})
		changes, _, err := engine.New(h.Policy).Sensitivities(nil, stored, h.AsOf, calendar.Through(h.AsOf, h.Until))
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Compare(changes)
		for c := range plan.Charges(calendar.Through(h.AsOf, h.Until)) {
			_ = w.Charge(&c)
		}
		end := plan.End(h.Until)
		_ = w.End(&end)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// A witness notes what the browser says and asks for.
type witness struct {
	sync.Mutex
	said, asked []string
}

func (w *witness) see(event any) {
	w.Lock()
	defer w.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		w.said = append(w.said, string(e.Type))
	case *runtime.EventExceptionThrown:
		w.said = append(w.said, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		w.said = append(w.said, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		w.asked = append(w.asked, e.Request.URL)
	}
}

// check wants silence, and no request but for the page.
func (w *witness) check(t *testing.T, page string) {
	t.Helper()
	w.Lock()
	defer w.Unlock()
	if len(w.said) > 0 {
		t.Errorf("the browser says %q", w.said)
	}
	for _, url := range w.asked {
		if url != page && !strings.HasPrefix(url, "data:") {
			t.Errorf("the page asks for %s", url)
		}
	}
	if len(w.asked) == 0 {
		t.Error("the browser requested nothing, not even the page")
	}
}

// A chromium is the one browser of all tests.
type chromium struct {
	ctx    context.Context
	end    func()
	reason string // why there is none; empty if there is one
}

var theBrowser = sync.OnceValue(func() chromium {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
		allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, endTab := chromedp.NewContext(allocator)
		c := chromium{ctx: ctx, end: func() { endTab(); end() }}
		if err := chromedp.Do(ctx); err != nil {
			c.reason = fmt.Sprintf("%s does not start here, so no page is opened in it: %v", name, err)
		}
		return c
	}
	return chromium{end: func() {}, reason: "no Chromium here: no page is opened in a browser"}
})

func TestMain(m *testing.M) {
	code := m.Run()
	theBrowser().end()
	os.Exit(code)
}

// openTab opens a tab, of which see hears the events, if it is not nil; without a browser the test is skipped. Tests with tabs run side by
// side.
func openTab(t *testing.T, see func(any)) context.Context {
	t.Helper()
	c := theBrowser()
	if c.reason != "" {
		t.Skip(c.reason)
	}
	var options []chromedp.ContextOption
	if see != nil {
		options = append(options, chromedp.WithListener(see))
	}
	tab, end := chromedp.NewContext(c.ctx, options...)
	t.Cleanup(end)
	return tab
}

// A form is how a page is shown.
type form struct {
	width   int64
	colours string // light or dark
}

// inEachForm looks at the page of a tab in two windows, in light and dark, which must differ in colours alone.
func inEachForm(t *testing.T, tab context.Context, look func(form)) {
	t.Helper()
	const layout = `JSON.stringify(Array.from(document.querySelectorAll("body *")).map(e => { const r = e.getBoundingClientRect(), s = getComputedStyle(e);
		return [r.x, r.y, r.width, r.height, s.visibility, s.fontSize, s.fontWeight] }))`
	for _, width := range [...]int64{390, 1280} {
		do(t, tab, chromedp.EmulateViewport(width, 900), scheme("light"))
		light := eval[string](t, tab, layout)
		look(form{width, "light"})
		do(t, tab, scheme("dark"))
		if eval[string](t, tab, layout) != light {
			t.Errorf("%d wide: the layout is another in dark", width)
		}
		look(form{width, "dark"})
	}
}

func scheme(name string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
		})
		return err
	})
}

func scriptsOff(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	return err
}

// eval returns the value of an expression in the page.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// addAxe adds axe-core to the page, and reports whether it is installed.
func addAxe(t *testing.T, tab context.Context) bool {
	t.Helper()
	source, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Log("axe-core is not installed (npm ci): accessibility is not checked")
		return false
	}
	do(t, tab, chromedp.Evaluate[chromedp.Void](string(source)))
	return true
}

// checkAccess wants axe-core, where it is installed, to have nothing to object to in a form of the page; in dark, which inEachForm
// compares with light, to its colours.
func checkAccess(t *testing.T, tab context.Context, isAxe bool, f form) {
	t.Helper()
	if !isAxe {
		return
	}
	rules := ""
	if f.colours == "dark" {
		rules = `, runOnly: ["color-contrast", "link-in-text-block"]`
	}
	if found := eval[string](t, tab, fmt.Sprintf(violations, rules)); found != "" {
		t.Errorf("%v: axe-core:\n%s", f, found)
	}
}

// violations runs axe-core with rules, or with all, and lists what it finds, one finding a line.
const violations = `axe.run(document, {resultTypes: ["violations"], preload: false%s}).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.target + " " + n.failureSummary).join("; ")).join("\n"))`

// TestPage opens pages at two widths, in light and dark: nothing is said, nothing asked for, nothing is
// wider than the window, and axe-core has nothing to object to.
func TestPage(t *testing.T) {
	t.Parallel()
	for _, until := range []string{"2026-12-31", "2031-12-31"} {
		t.Run(until, func(t *testing.T) { checkForms(t, writePage(t, until)) })
	}
}

// checkForms opens a page, in a tab of its own, and looks at each of its forms.
func checkForms(t *testing.T, page string) {
	t.Helper()
	t.Parallel()
	var seen witness
	tab := openTab(t, seen.see)
	do(t, tab, chromedp.Navigate(page))
	if n := eval[int](t, tab, `document.scripts.length`); n != 1 || eval[bool](t, tab, `"harm" in window`) {
		t.Errorf("a client-orderid was obeyed; %d scripts", n)
	}
	isAxe := addAxe(t, tab)
	inEachForm(t, tab, func(f form) {
		if eval[bool](t, tab, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%v: the page is wider than the window", f)
		}
		checkAccess(t, tab, isAxe, f)
	})
	seen.check(t, page)
}

// TestSearch: the box hides the profiles that do not match, and the keyboard reaches the page.
func TestSearch(t *testing.T) {
	t.Parallel()
	ctx := openTab(t, nil)
	do(t, ctx, chromedp.Navigate(writePage(t, "2026-12-31")), chromedp.KeyEvent("\t"))
	if first := eval[string](t, ctx, `document.activeElement.className`); first != "skip" {
		t.Errorf("the first stop of the keyboard is %q", first)
	}
	do(t, ctx, chromedp.SendKeys(chromedp.ID("find"), "ORDER-149"))
	shown := eval[int](t, ctx, `document.querySelectorAll("#list tbody tr:not([hidden])").length`)
	if found := eval[string](t, ctx, `document.getElementById("found").textContent`); shown != 1 || found != "1 of 60" {
		t.Errorf("%d rows, said as %q", shown, found)
	}
}

// TestWithoutScripts: the page says the same with scripts off; only the search is gone.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	ctx := openTab(t, nil)
	do(t, ctx, chromedp.Func(scriptsOff), chromedp.Navigate(writePage(t, "2026-12-31")))
	if eval[bool](t, ctx, `document.getElementById("finder").offsetHeight > 0`) {
		t.Error("there is a search box that does nothing")
	}
	if n := eval[int](t, ctx, `Array.from(document.querySelectorAll("#list tbody tr")).filter(e => e.offsetHeight > 0).length`); n != 60 {
		t.Errorf("%d profiles are shown", n)
	}
}
