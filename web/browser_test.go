package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The page of all tests.
var thePage = sync.OnceValues(func() (string, error) {
	page, err := Page()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "chargecast-page-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "chargecast.html")
	return path, os.WriteFile(path, page, 0o644)
})

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
	if path, err := thePage(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// A tab is the page in a browser, with what the browser said and asked for.
type tab struct {
	*testing.T
	ctx context.Context

	mu          sync.Mutex
	said, asked []string
}

// open opens the page in a tab.
func open(t *testing.T, width int, dark bool) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser is slow")
	}
	browser := theBrowser()
	if browser.reason != "" {
		t.Skip(browser.reason)
	}
	path, err := thePage()
	if err != nil {
		t.Fatal(err)
	}
	b := &tab{T: t}
	ctx, end := chromedp.NewContext(browser.ctx, chromedp.WithListener(b.see))
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(func() { cancel(); end() })
	b.ctx = ctx
	b.run(chromedp.EmulateViewport(int64(width), 900), scheme(dark), chromedp.Navigate("file://"+path))
	b.settle()
	return b
}

// printed shows the page as it is printed.
func printed() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	})
}

func scheme(dark bool) chromedp.Action[chromedp.Void] {
	name := "light"
	if dark {
		name = "dark"
	}
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
		})
		return err
	})
}

func (b *tab) see(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			b.said = append(b.said, string(a.Value)+a.Description)
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		b.said = append(b.said, text)
	case *log.EventEntryAdded:
		b.said = append(b.said, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	}
}

// quiet wants silence, and no request but for the page itself and what it made of its own parts.
func (b *tab) quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.said) > 0 {
		b.Errorf("the browser says %q", b.said)
	}
	for _, url := range b.asked {
		if !strings.HasPrefix(url, "file://") && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") {
			b.Errorf("the page asks for %.80s", url)
		}
	}
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// settle waits until nothing is under way.
func (b *tab) settle() {
	b.Helper()
	b.until(`!document.body.dataset.busy`)
}

// until waits until an expression holds for a while.
func (b *tab) until(expression string) {
	b.Helper()
	held := 0
	for range 1200 {
		if b.is(expression) {
			if held++; held == 3 {
				return
			}
		} else {
			held = 0
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Fatalf("this does not come: %s; the browser says %q", expression, b.said)
}

func (b *tab) is(expression string) bool {
	b.Helper()
	return eval[bool](b, `Boolean(`+expression+`)`)
}

// value is the value of an expression, as text.
func (b *tab) value(expression string) string {
	b.Helper()
	return eval[string](b, `String(`+expression+`)`)
}

// eval returns the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// do runs statements in the page.
func (b *tab) do(statements string) {
	b.Helper()
	eval[bool](b, `(() => { `+statements+`; return true })()`)
}

// put types into a field as a paste does.
func (b *tab) put(id, text string) {
	b.Helper()
	b.do(fmt.Sprintf(`const e = document.getElementById(%s); e.value = %s; for (const of of ['input', 'change']) e.dispatchEvent(new Event(of, {bubbles: true}))`, quoted(id), quoted(text)))
	time.Sleep(250 * time.Millisecond)
	b.settle()
}

// click presses what a selector finds.
func (b *tab) click(selector string) {
	b.Helper()
	b.do(fmt.Sprintf(`document.querySelector(%s).click()`, quoted(selector)))
	time.Sleep(100 * time.Millisecond)
	b.settle()
}

// quoted is a text in JavaScript.
func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// job goes to one of the three jobs.
func (b *tab) job(name string) {
	b.Helper()
	b.click("#" + name)
}

// picture writes a picture of the whole page where CHARGECAST_PICTURES says.
func (b *tab) picture(name string) {
	b.Helper()
	dir := os.Getenv("CHARGECAST_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		b.Fatal(err)
	}
}

var widths = []int{390, 1280}

// TestForecastJob: the demo payload is answered at once; a day says why; a stop moves what comes
// after it.
func TestForecastJob(t *testing.T) {
	for _, width := range widths {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := open(t, width, false)
			b.click("#example-demo")
			b.until(`document.querySelectorAll('#charges tr[data-profile]').length > 20`)
			b.picture(fmt.Sprint("forecast-", width))
			if got := b.value(`[...document.querySelectorAll('#charges tr[data-profile="rent-31"]')].slice(0, 3).map(r => r.dataset.repeat + ' ' + r.dataset.date + ' ' + r.dataset.amount + ' ' + r.dataset.currency).join(', ')`); got != "0 2026-01-31 850.00 EUR, 1 2026-02-28 850.00 EUR, 2 2026-03-31 850.00 EUR" {
				t.Errorf("rent-31 is charged %s", got)
			}
			if !b.is(`document.querySelector('#totals tr[data-month="2026-01"][data-currency="EUR"]').dataset.min`) {
				t.Error("no total of January")
			}
			b.put("profile", "rent-31")
			b.click(`button.day[data-date="2026-02-28"]`)
			b.until(`document.getElementById('why').textContent.includes('31')`)
			if b.is(`document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("the page is wider than %d pixels", width)
			}
			b.picture(fmt.Sprint("why-", width))
			b.quiet()
		})
	}
}

// TestCheckJob: the refused request has one verdict and its cause.
func TestCheckJob(t *testing.T) {
	for _, width := range widths {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := open(t, width, false)
			b.job("check")
			b.click("#example-request")
			b.until(`document.getElementById('verdict').dataset.ok === 'false' && document.getElementById('verdict').dataset.causes !== ''`)
			b.picture(fmt.Sprint("check-", width))
			if b.is(`document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("the page is wider than %d pixels", width)
			}
			b.quiet()
		})
	}
}

// TestLookUpJob: a code and a clause are found.
func TestLookUpJob(t *testing.T) {
	for _, width := range widths {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := open(t, width, false)
			b.job("explain")
			b.put("lookup", "date-syntax")
			b.until(`document.querySelector('#found article.exact h3').textContent.startsWith('date-syntax')`)
			b.picture(fmt.Sprint("lookup-", width))
			b.quiet()
		})
	}
}

// TestExportJob: an export asks for what only its owner knows, and is then forecast.
func TestExportJob(t *testing.T) {
	for _, width := range widths {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := open(t, width, false)
			b.click("#example-export")
			b.until(`!document.getElementById('repair').hidden`)
			b.picture(fmt.Sprint("export-", width))
			if b.is(`document.getElementById('take-all')`) {
				b.click("#take-all")
			}
			for range 5 {
				if b.is(`document.getElementById('drop-unknown')`) {
					b.click("#drop-unknown")
				}
				if b.is(`document.getElementById('take-all')`) {
					b.click("#take-all")
				}
			}
			b.picture(fmt.Sprint("export-decided-", width))
			b.until(`document.querySelectorAll('#charges tr[data-profile]').length > 0`)
			b.quiet()
		})
	}
}
