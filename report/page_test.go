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
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

var pageOptions = report.Options{Form: report.FormHTML}

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
	pageElements = strings.Fields("html head meta link title style script body a header h1 p ul li nav main section h2 dl div dt dd span table thead tbody tr th td b i br svg desc path rect text label input output footer")
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
		{"2026-01 from 01-10", "EUR", "7", "867.30", "", "inferred"},
		{"JPY", "2", "3\u202f000", "", "stated"},
		{"USD", "1", "5.00 to 15.00", "", "assumed"},
	}) {
		t.Errorf("months: %s", got)
	}
	if got := fmt.Sprint(months[9:12]); got != fmt.Sprint([][]string{
		{"2026-Q1", "EUR", "11", "2\u202f576.90", "", "assumed"}, {"JPY", "4", "6\u202f000", "", "stated"}, {"USD", "3", "15.00 to 45.00", "", "assumed"},
	}) {
		t.Errorf("the first quarter: %s", got)
	}
	cards := rows(root.byID("cards").up.all("table")[0])
	if got := fmt.Sprint(cards[1:]); got != "[[card row 5 2026-03-28 4 19.20 EUR]]" {
		t.Errorf("cards: %s", got)
	}
	if got := rows(root.byID("list")); len(got) != 7 || fmt.Sprint(got[5]) != "[card row 5 6 28.80 EUR 2026-01-28 2026-06-28 active assumed]" {
		t.Errorf("profiles: %q", got)
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
		w.Start(record.Profile{Subject: record.Subject{Profile: s, File: s, Row: 1, Currency: s, Callback: s}, NoCharge: s})
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
		w.Start(record.Profile{Subject: record.Subject{Profile: s, Currency: s}, NoCharge: s})
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

// TestPageLimits: of more profiles, cards, problems, days and months than the page shows it says
// how many are left, and which command lists all; its totals stay those of all.
func TestPageLimits(t *testing.T) {
	h := header("2026-01-10", "2037-12-31")
	var b bytes.Buffer
	w := report.NewWriter(&b, h, pageOptions)
	price := amount.MustParse("1.00")
	for i := range 2101 {
		w.Start(record.Profile{Subject: record.Subject{Profile: fmt.Sprint("order-", i), Row: i + 1, Currency: "EUR"}})
		for _, d := range []string{"2026-02-01", "2037-12-01"} {
			_ = w.Charge(&engine.Charge{Date: date(d), Slot: date(d), Min: price, Max: price, CardExpired: true})
		}
		_ = w.End(&engine.End{Status: engine.StatusActive})
		_ = w.Write(record.Problem{Finding: ledger.Finding{Code: "some-code", Message: "wrong", Place: ledger.Place{Row: i + 1}}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	root := checkPage(t, b.Bytes())
	for id, want := range map[string]string{
		"heat-map": "3\u202f974 later days are not shown: chargecast forecast --by day lists all.",
		"months":   "Outside the 120 months shown: 2\u202f101 charges, 2\u202f101.00 EUR. chargecast forecast --by month lists all.",
		"profiles": "1\u202f601 more profiles are not shown: chargecast forecast --by profile lists all.",
		"cards":    "101 more cards are not shown: chargecast forecast --by profile -o csv lists all.",
		"problems": "101 more problems are not shown: chargecast validate -o ndjson lists all.",
		"totals":   "4\u202f202.00",
	} {
		if text := root.byID(id).up.whole(); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %.3000s", id, want, text)
		}
	}
	for id, want := range map[string]int{"cards": 2001, "problems": 2001, "profiles": 501} {
		if n := len(root.byID(id).up.all("tr")); n != want {
			t.Errorf("%s: %d rows, want %d", id, n, want)
		}
	}
}

// TestPageAmounts: the amounts of a currency had no, one or two decimals, and groups of three
// digits or none.
func TestPageAmounts(t *testing.T) {
	list := []engine.Profile{
		profile("a", "EUR", fixed("5"), calendar.UnitMonth, 1, "2026-01-31"), profile("b", "EUR", fixed("1012.5"), calendar.UnitMonth, 1, "2026-01-31"),
		profile("c", "XXX", fixed("7.125"), calendar.UnitMonth, 1, "2026-01-31"), profile("d", "XXX", fixed("8"), calendar.UnitMonth, 1, "2026-03-31"),
	}
	root := checkPage(t, write(t, header("2026-01-10", "2026-03-31"), pageOptions, list...))
	text := root.all("main")[0].whole()
	for _, cell := range root.all("td") {
		m := regexp.MustCompile(`^[−+]?[0-9\x{202f}]+(?:\.([0-9]+))? (EUR|XXX)`).FindStringSubmatch(cell.text)
		if m != nil && !strings.HasPrefix(cell.text, "0 ") && len(m[1]) != map[string]int{"EUR": 2, "XXX": 3}[m[2]] {
			t.Errorf("%q has %d decimals", cell.text, len(m[1]))
		}
	}
	for _, want := range []string{"15.00 EUR", "3\u202f037.50 EUR", "8.000 XXX"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
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
			w.Start(record.Profile{Subject: record.Subject{Profile: fmt.Sprintf("order-%d", i), Row: i, Currency: fmt.Sprintf("C%d", i)}})
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

// TestPagePartOfMonth: a month of which a part is in the window says which, so that its sum is not
// taken for a collapse.
func TestPagePartOfMonth(t *testing.T) {
	daily := profile("d", "EUR", fixed("1.00"), calendar.UnitDay, 1, "2026-01-01")
	for _, c := range []struct{ asOf, until, first, last string }{
		{"2026-01-10", "2026-03-20", "2026-01 from 01-10", "2026-03 to 03-20"},
		{"2026-01-01", "2026-02-28", "2026-01", "2026-02"},
		{"2026-01-01", "2026-02-27", "2026-01", "2026-02 to 02-27"},
		{"2026-01-10", "2026-01-20", "2026-01 01-10 to 01-20", "2026-01 01-10 to 01-20"},
	} {
		got := rows(checkPage(t, write(t, header(c.asOf, c.until), pageOptions, daily)).byID("months").up.all("table")[0])
		if first, last := got[1][0], got[len(got)-2][0]; first != c.first || last != c.last {
			t.Errorf("%s to %s: %q, %q", c.asOf, c.until, first, last)
		}
	}
}

// TestPageOneMoreCurrency: one currency that is not listed is not "1 more currencies".
func TestPageOneMoreCurrency(t *testing.T) {
	var list []engine.Profile
	for i := range 101 {
		list = append(list, profile(fmt.Sprint("order-", i), "C"+fmt.Sprint(100+i), fixed("1.00"), calendar.UnitMonth, 1, "2026-01-31"))
	}
	got := string(write(t, header("2026-01-10", "2026-12-31"), pageOptions, list...))
	if !strings.Contains(got, "The first 100 currencies are shown; others have 12 charges.") || strings.Contains(got, "1 more currencies") {
		t.Error("currencies are counted wrong")
	}
	if got := string(write(t, header("2026-01-10", "2026-12-31"), pageOptions, list[:4]...)); !strings.Contains(got, "and 1 more currency") {
		t.Error("one more currency is not said")
	}
}
