package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

var pageOptions = report.Options{Form: report.FormHTML}

// mostPageBytes is what a page may take, whatever is in it.
const mostPageBytes = 300_000

// A node is an element of a page.
type node struct {
	name  string
	attrs map[string]string
	text  string // directly in it
	inner []*node
	up    *node
}

// The elements and attributes that pages consist of; nothing else may come from anywhere.
var (
	pageElements = strings.Fields("html head meta link title style script body a header h1 p ul li nav main section h2 dl div dt dd span table thead tbody tr th td b i br figure figcaption svg desc path rect text label input output footer")
	voidElements = strings.Fields("meta link input br")
	pageAttrs    = strings.Fields("lang charset http-equiv content name rel href class id aria-label aria-labelledby aria-hidden role tabindex scope rowspan hidden for type autocomplete spellcheck viewBox preserveAspectRatio d x y width height rx")
)

// parsePage reads a page strictly: every element is closed, every attribute quoted, every ampersand
// begins a reference, and only known elements and attributes are there.
func parsePage(t *testing.T, page string) *node {
	t.Helper()
	rest, ok := strings.CutPrefix(page, "<!doctype html>\n")
	if !ok {
		t.Fatal("no doctype")
	}
	root := &node{name: "#root"}
	at := root
	for rest != "" {
		text, tag, found := strings.Cut(rest, "<")
		if strings.ContainsRune(text, '>') || badReference(text) {
			t.Fatalf("in %s: text %q", at.name, text)
		}
		at.text += html.UnescapeString(text)
		if !found {
			break
		}
		tag, rest, ok = strings.Cut(tag, ">")
		if !ok {
			t.Fatal("a tag does not end")
		}
		if name, closes := strings.CutPrefix(tag, "/"); closes {
			if name != at.name {
				t.Fatalf("</%s> closes <%s>", name, at.name)
			}
			at = at.up
			continue
		}
		n := openTag(t, strings.TrimSuffix(tag, "/"))
		n.up = at
		at.inner = append(at.inner, n)
		switch {
		case n.name == "style" || n.name == "script":
			raw, after, ok := strings.Cut(rest, "</"+n.name+">")
			if !ok || strings.Contains(raw, "</") {
				t.Fatalf("%s does not end", n.name)
			}
			n.text, rest = raw, after
		case slices.Contains(voidElements, n.name):
		case strings.HasSuffix(tag, "/"):
			if n.name != "path" && n.name != "rect" {
				t.Fatalf("<%s>", tag)
			}
		default:
			at = n
		}
	}
	if at != root {
		t.Fatalf("<%s> is not closed", at.name)
	}
	return root
}

var reference = regexp.MustCompile(`&(#[0-9]+|amp|lt|gt|quot);`)

func badReference(s string) bool { return strings.Contains(reference.ReplaceAllString(s, ""), "&") }

var attribute = regexp.MustCompile(`^ ([a-zA-Z-]+)(?:="([^"]*)")?`)

func openTag(t *testing.T, tag string) *node {
	t.Helper()
	name, _, _ := strings.Cut(tag, " ")
	n := &node{name: name, attrs: map[string]string{}}
	if !slices.Contains(pageElements, name) {
		t.Fatalf("an element %q", name)
	}
	for tag = tag[len(name):]; tag != ""; {
		m := attribute.FindStringSubmatch(tag)
		if m == nil || !slices.Contains(pageAttrs, m[1]) || badReference(m[2]) || strings.Contains(m[2], "<") {
			t.Fatalf("<%s%s", name, tag)
		}
		if _, twice := n.attrs[m[1]]; twice {
			t.Fatalf("<%s> has %s twice", name, m[1])
		}
		n.attrs[m[1]] = html.UnescapeString(m[2])
		tag = tag[len(m[0]):]
	}
	return n
}

// all returns the elements of a name, in order.
func (n *node) all(name string) []*node {
	var list []*node
	for _, c := range n.inner {
		if c.name == name {
			list = append(list, c)
		}
		list = append(list, c.all(name)...)
	}
	return list
}

// whole returns the text of an element and of those in it.
func (n *node) whole() string {
	var s strings.Builder
	s.WriteString(n.text)
	for _, c := range n.inner {
		s.WriteString(c.whole())
	}
	return s.String()
}

func (n *node) byID(id string) *node {
	for _, c := range n.inner {
		if c.attrs["id"] == id {
			return c
		}
		if found := c.byID(id); found != nil {
			return found
		}
	}
	return nil
}

// checkPage holds a page to what every page keeps.
func checkPage(t *testing.T, b []byte) *node {
	t.Helper()
	if len(b) > mostPageBytes {
		t.Errorf("%d bytes", len(b))
	}
	root := parsePage(t, string(b))
	checkPolicy(t, root)
	checkIDs(t, root)
	checkNames(t, root)
	return root
}

// checkPolicy: the page may run its own style and script, known by their hashes, and nothing else.
func checkPolicy(t *testing.T, root *node) {
	t.Helper()
	policy := ""
	for _, m := range root.all("meta") {
		if m.attrs["http-equiv"] == "Content-Security-Policy" {
			policy = m.attrs["content"]
		}
	}
	hash := func(n *node) string {
		sum := sha256.Sum256([]byte(n.text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	styles, scripts := root.all("style"), root.all("script")
	if len(styles) != 1 || len(scripts) != 1 {
		t.Fatalf("%d styles, %d scripts", len(styles), len(scripts))
	}
	want := "default-src 'none'; img-src data:; style-src " + hash(styles[0]) + "; script-src " + hash(scripts[0]) + "; base-uri 'none'; form-action 'none'"
	if policy != want {
		t.Errorf("the policy is %q, want %q", policy, want)
	}
	for _, name := range []string{"a", "link"} {
		for _, n := range root.all(name) {
			if href := n.attrs["href"]; href != "data:," && (!strings.HasPrefix(href, "#") || root.byID(href[1:]) == nil) {
				t.Errorf("<%s href=%q>", name, href)
			}
		}
	}
}

// checkIDs: ids are there once, and what refers to one finds it.
func checkIDs(t *testing.T, root *node) {
	t.Helper()
	seen := map[string]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if id := n.attrs["id"]; id != "" {
			if seen[id] {
				t.Errorf("the id %s is there twice", id)
			}
			seen[id] = true
		}
		for _, c := range n.inner {
			walk(c)
		}
	}
	walk(root)
	var refer func(n *node)
	refer = func(n *node) {
		for id := range strings.FieldsSeq(n.attrs["aria-labelledby"] + " " + n.attrs["for"]) {
			if !seen[id] {
				t.Errorf("<%s> refers to %q", n.name, id)
			}
		}
		for _, c := range n.inner {
			refer(c)
		}
	}
	refer(root)
}

// checkNames: drawings have a name or are left out, headings come in order, heads of tables say
// what they are for.
func checkNames(t *testing.T, root *node) {
	t.Helper()
	for _, svg := range root.all("svg") {
		if svg.attrs["aria-hidden"] == "true" {
			continue
		}
		if svg.attrs["role"] != "img" || len(svg.inner) == 0 || svg.inner[0].name != "title" || svg.inner[0].text == "" {
			t.Errorf("a drawing without a name: %v", svg.attrs)
		}
	}
	for _, th := range root.all("th") {
		if th.attrs["scope"] == "" || th.whole() == "" {
			t.Errorf("a head without scope or text: %v %q", th.attrs, th.whole())
		}
	}
	if h1 := root.all("h1"); len(h1) != 1 || root.all("html")[0].attrs["lang"] != "en" || len(root.all("main")) != 1 {
		t.Error("no h1, lang or main")
	}
}

// TestPage: totals, months and the other parts say what an own sum of the charges says.
func TestPage(t *testing.T) {
	h := header("2026-01-10", "2026-06-30")
	out := write(t, h, pageOptions, demo()...)
	golden(t, "page.html", out)
	root := checkPage(t, out)
	table := rows(root.byID("totals").up.all("table")[0])
	want := [][]string{
		{"Currency", "Charges", "Sum", "Stated", "Inferred", "Assumed", "After the card’s expiry"},
		{"EUR", "17", "5\u202f141.30", "19.60", "5\u202f102.50", "19.20", "19.20"},
		{"JPY", "4", "6\u202f000", "6\u202f000", "–", "–", "–"},
		{"USD", "6", "30.00 to 90.00 mean 60.00", "–", "–", "30.00 to 90.00", "–"},
	}
	if fmt.Sprint(table) != fmt.Sprint(want) {
		t.Errorf("totals: %q", table)
	}
	months := rows(root.byID("months").up.all("table")[0])
	if got := fmt.Sprint(months[1:4]); got != fmt.Sprint([][]string{
		{"2026-01 from 01-10", "EUR", "7", "867.30", "", "867.30", "inferred"},
		{"JPY", "2", "3\u202f000", "", "3\u202f000", "stated"},
		{"USD", "1", "5.00 to 15.00", "", "5.00 to 15.00", "assumed"},
	}) {
		t.Errorf("months: %s", got)
	}
	cards := rows(root.byID("cards").up.all("table")[0])
	if got := fmt.Sprint(cards[1:]); got != "[[card 5 2026-03-28 4 19.20 EUR]]" {
		t.Errorf("cards: %s", got)
	}
	if got := rows(root.byID("list")); len(got) != 7 || !strings.HasPrefix(got[1][0], "parking") || !strings.HasPrefix(got[3][0], "card") {
		t.Errorf("those that stop do not come first: %q", got)
	}
	if got := root.byID("other").up.whole(); !strings.Contains(got, "month-end=skip") || !strings.Contains(got, "−2\u202f550.00 EUR, 3 fewer charges") {
		t.Errorf("other readings: %s", got)
	}
	if got := root.byID("heat-map").up.whole(); !strings.Contains(got, "The most is charged on 2026-01-16 Fri: 2 charges.") {
		t.Errorf("days: %s", got)
	}
}

// rows are the cells of a table as text.
func rows(table *node) [][]string {
	var list [][]string
	for _, tr := range table.all("tr") {
		var cells []string
		for _, c := range tr.inner {
			s := c.text
			for _, in := range c.inner {
				if in.name == "span" {
					s = strings.TrimSpace(s) + " " + in.text
				}
			}
			cells = append(cells, strings.TrimSpace(s))
		}
		list = append(list, cells)
	}
	return list
}

// hostile are texts that would do harm where they are not escaped.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `<b>`, `&lt;b&gt;`, `{{.}}`, `javascript:alert(1)`,
	`</title></svg><svg onload=alert(1)>`, `]]>`, `%`, `{title}`, `{script}{sections}`, `<!--`, "a\x00b", "\u202egnp.exe", `</style>`, strings.Repeat("+", 200), strings.Repeat("e\u0301\u0301", 500), "a\xff<\xfe",
}

// TestPageIsInert: markup in ids, currencies, files and addresses is text.
func TestPageIsInert(t *testing.T) {
	for _, s := range hostile {
		var b bytes.Buffer
		h := header("2026-01-10", "2026-06-30")
		h.Zone = s
		h.Input = s
		w := report.NewWriter(&b, h, pageOptions)
		p := demo()[0]
		p.CardExpires = date("2026-02-28")
		plan, err := engine.New(h.Policy).Compile(engine.Stored{Profile: p}, h.AsOf)
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Start(report.Profile{Subject: record.Subject{Profile: s, File: s, Row: 1, Currency: s, Callback: s}, NoCharge: s})
		for c := range plan.Charges(calendar.Through(h.AsOf, h.Until)) {
			_ = w.Charge(&c)
		}
		changes, _, err := engine.New(h.Policy).Sensitivities(nil, engine.Stored{Profile: p}, h.AsOf, calendar.Through(h.AsOf, h.Until))
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Compare(changes)
		end := plan.End(h.Until)
		_ = w.End(&end)
		_ = w.Start(report.Profile{Subject: record.Subject{Profile: s, Currency: s}, NoCharge: s})
		_ = w.End(&end)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		root := checkPage(t, b.Bytes())
		if s == `<b>` && !strings.Contains(root.byID("list").whole(), s) {
			t.Errorf("the text is lost: %q", root.byID("list").whole())
		}
	}
}

// manyProfiles feeds a writer with n profiles of all kinds.
func manyProfiles(t testing.TB, w *report.Writer, n int, h record.Header) {
	t.Helper()
	for i := range n {
		p := demo()[i%6]
		p.ID = strings.ReplaceAll(strings.ToValidUTF8(hostile[i%len(hostile)], "?"), "\x00", "") + fmt.Sprint(i) // what can be a client-orderid
		p.Currency = fmt.Sprintf("%c%c%c", 'A'+i%26, 'A'+i/26%26, '<')
		if low, high := p.Amounts.Bounds(0); p.Amounts.Kind() == amount.KindRange {
			p.Amounts = between(low.String(), high.String(), p.Currency)
		}
		p.Start = p.Start.AddDays(i % 300)
		if i%4 == 0 {
			p.CardExpires = p.Start.AddDays(40)
		}
		forecast(t, w, h, &p, i+1)
	}
}

// TestPageSize: a page is no larger for many profiles, currencies and years, and its totals stay
// those of all.
func TestPageSize(t *testing.T) {
	for _, until := range []string{"2026-06-30", "2026-12-31", "2031-12-31", "2099-12-31"} {
		h := header("2026-01-10", until)
		var b bytes.Buffer
		w := report.NewWriter(&b, h, pageOptions)
		n := 1500
		if until > "2032" {
			n = 900
		}
		manyProfiles(t, w, n, h)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		root := checkPage(t, b.Bytes())
		if b.Len() < mostPageBytes/2 {
			t.Errorf("%s: only %d bytes", until, b.Len())
		}
		text := root.byID("profiles").up.whole()
		if shown := len(root.byID("list").all("tr")) - 1; !strings.Contains(text, fmt.Sprintf("%d of %s profiles are shown", shown, strings.Replace(fmt.Sprint(n), "1500", "1\u202f500", 1))) || shown < 100 {
			t.Errorf("%s: %d rows: %.300s", until, shown, text)
		}
	}
}

// TestPageMemory: what a page keeps does not grow with the profiles.
func TestPageMemory(t *testing.T) {
	h := header("2026-01-10", "2026-12-31")
	w := report.NewWriter(&bytes.Buffer{}, h, pageOptions)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	feed := func(from, n int) {
		c := engine.Charge{Min: amount.MustParse("1.00"), Max: amount.MustParse("1.00")}
		for i := from; i < from+n; i++ {
			_ = w.Start(report.Profile{Subject: record.Subject{Profile: fmt.Sprintf("order-%d", i), Row: i, Currency: fmt.Sprintf("C%d", i)}})
			for k := range 3 {
				c.Date = h.AsOf.AddDays((i*7 + 100*k) % 5000)
				c.CardExpired = i%3 == 0
				_ = w.Charge(&c)
			}
			e := engine.End{Status: engine.StatusActive}
			if i%2 == 0 {
				e = engine.End{Status: engine.StatusStopped, Stop: engine.Stop{Date: h.Until, Reasons: engine.ReasonFinishDate}}
			}
			_ = w.End(&e)
		}
	}
	feed(0, 10_000)
	before := heap()
	feed(10_000, 40_000)
	if after := heap(); after > before+1<<20 || after > 40<<20 {
		t.Errorf("%d bytes, then %d", before, after)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPageOfTotals: a page of totals by day has the sums of one of charges, and no profiles.
func TestPageOfTotals(t *testing.T) {
	h := header("2026-01-10", "2026-06-30")
	charges := checkPage(t, write(t, h, pageOptions, demo()...))
	h.By = engine.ByDay
	var b bytes.Buffer
	w := report.NewWriter(&b, h, pageOptions)
	for _, p := range demo() {
		plan, err := engine.New(h.Policy).Compile(engine.Stored{Profile: p}, h.AsOf)
		if err != nil {
			t.Fatal(err)
		}
		for c := range plan.Charges(calendar.Through(h.AsOf, h.Until)) {
			total := &record.Total{By: engine.ByDay, Value: c.Date.String(), Currency: p.Currency, Because: c.Because}
			c.AddTo(&total.Tally)
			if err := w.Total(total); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	totals := checkPage(t, b.Bytes())
	for _, id := range []string{"totals", "months"} {
		a, b := rows(charges.byID(id).up.all("table")[0]), rows(totals.byID(id).up.all("table")[0])
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: %q and %q", id, a, b)
		}
	}
	if totals.byID("list") != nil {
		t.Error("profiles from nowhere")
	}
}

// TestPageOfSimulation shows declined attempts and events.
func TestPageOfSimulation(t *testing.T) {
	root := checkPage(t, simulate(t, header("2026-01-10", "2026-06-30"), pageOptions, steps(), demo()...))
	facts := root.all("dl")[0].whole()
	if !strings.Contains(facts, "Events") || !strings.Contains(facts, "refused") || !strings.Contains(facts, "6 declined") {
		t.Errorf("%q", facts)
	}
	if head := rows(root.byID("totals").up.all("table")[0])[0]; !slices.Contains(head, "Declined") {
		t.Errorf("%q", head)
	}
}

// TestPageOfNothing is a page, too.
func TestPageOfNothing(t *testing.T) {
	for _, profiles := range [][]engine.Profile{nil, demo()[5:]} {
		root := checkPage(t, write(t, header("2026-01-10", "2026-06-30"), pageOptions, profiles...))
		if got := root.byID("totals").up.whole(); !strings.Contains(got, "No charge in this window.") {
			t.Errorf("%q", got)
		}
	}
}

// TestPageFirstToStop: those that stop are in order of the stop, not of the file, also where more stop than are kept,
// and the mark of a stop does not cover that of the last charge, which is often on the same day.
func TestPageFirstToStop(t *testing.T) {
	var list []engine.Profile
	for i := range 1200 {
		p := profile(fmt.Sprint("order-", i), "EUR", fixed("1.00"), calendar.UnitDay, 1, date("2026-01-10").AddDays(1300-i).String())
		p.MaxRepeats = engine.AtMost(1)
		list = append(list, p)
	}
	got := rows(checkPage(t, write(t, header("2026-01-10", "2031-12-31"), pageOptions, list...)).byID("list"))
	for i, cells := range got[1:] {
		if want := fmt.Sprintf("order-%d row %d", 1199-i, 1200-i); cells[0] != want {
			t.Fatalf("row %d is %q, want %q", i+1, cells[0], want)
		}
	}
	one := string(write(t, header("2026-01-10", "2026-12-31"), pageOptions, list[1100]))
	if !strings.Contains(one, `<path class="c" d="M0 4m`) || !strings.Contains(one, `<path class="x" d="M0 10m`) {
		t.Error("charge and stop are drawn at the same height")
	}
}

// TestPagePartOfMonth: a month of which a part is in the window says which, so that its sum is not taken for a collapse.
func TestPagePartOfMonth(t *testing.T) {
	daily := profile("d", "EUR", fixed("1.00"), calendar.UnitDay, 1, "2026-01-01")
	for _, c := range []struct{ asOf, until, first, last string }{
		{"2026-01-10", "2026-03-20", "2026-01 from 01-10", "2026-03 to 03-20"},
		{"2026-01-01", "2026-02-28", "2026-01", "2026-02"},
		{"2026-01-01", "2026-02-27", "2026-01", "2026-02 to 02-27"},
		{"2026-01-10", "2026-01-20", "2026-01 01-10 to 01-20", "2026-01 01-10 to 01-20"},
		{"2026-01-02", "2050-12-30", "2026 from 01-02", "2050 to 12-30"},
		{"2026-01-01", "2050-12-31", "2026", "2050"},
	} {
		got := rows(checkPage(t, write(t, header(c.asOf, c.until), pageOptions, daily)).byID("months").up.all("table")[0])
		if first, last := got[1][0], got[len(got)-1][0]; first != c.first || last != c.last {
			t.Errorf("%s to %s: %q, %q", c.asOf, c.until, first, last)
		}
	}
}

// TestPageOfManyCards: of the cards that expire the first are shown, and the charges of the others are counted.
func TestPageOfManyCards(t *testing.T) {
	var list []engine.Profile
	for i := range 829 {
		p := profile(fmt.Sprint("order-", i), "EUR", fixed("1.00"), calendar.UnitMonth, 1, "2026-01-15")
		p.CardExpires = date("2026-11-30").AddDays(-i % 7)
		list = append(list, p)
	}
	root := checkPage(t, write(t, header("2026-01-10", "2026-12-31"), pageOptions, list...))
	if got := root.byID("cards").up.whole(); !strings.Contains(got, "40 of 829 are shown, the first by the day of that charge. The others have 789 charges after the expiry.") {
		t.Errorf("%.300s", got)
	}
}

// TestPageOneMoreCurrency: one currency that is not listed is not "1 more currencies".
func TestPageOneMoreCurrency(t *testing.T) {
	var list []engine.Profile
	for i := range 51 {
		list = append(list, profile(fmt.Sprint("order-", i), "C"+fmt.Sprint(10+i), fixed("1.00"), calendar.UnitMonth, 1, "2026-01-31"))
	}
	got := string(write(t, header("2026-01-10", "2026-12-31"), pageOptions, list...))
	if !strings.Contains(got, "there are charges in 1 more currency.") || strings.Contains(got, "1 more currencies") {
		t.Error("currencies are counted wrong")
	}
	if got := string(write(t, header("2026-01-10", "2026-12-31"), pageOptions, list[:4]...)); !strings.Contains(got, "and 1 more currency") {
		t.Error("one more currency is not said")
	}
}
