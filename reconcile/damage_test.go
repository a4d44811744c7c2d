package reconcile_test

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// trueActuals is an export of what a gateway with some policy charged: cells by line, in the order
// of columns.
type trueActuals struct {
	rows    []*reconcile.Row
	columns []string
	lines   []map[string]string
	through calendar.Date
}

var exportIDs = []string{"m", "m2", "rent-31", "Müller 7", "a,b", "=x", "2026", "end", "10.00"}

// newActuals draws profiles whose charges tell readings apart, and what a policy charges them.
func newActuals(r *rand.Rand) trueActuals {
	asOf := day("2026-01-10")
	x := trueActuals{columns: []string{"profile", "date", "amount", "outcome", "created", "note"}, through: day("2026-06-30")}
	if r.IntN(2) == 0 {
		r.Shuffle(len(x.columns), func(i, k int) { x.columns[i], x.columns[k] = x.columns[k], x.columns[i] })
	}
	policy := engine.Policy{}
	for c := range engine.Keys() {
		policy = policy.WithReading(c, r.IntN(len(c.Entry().Readings)))
	}
	for _, i := range r.Perm(len(exportIDs))[:2+r.IntN(4)] {
		p := row(exportIDs[i], "2026-01-31")
		p.Row = len(x.rows) + 1
		switch r.IntN(4) {
		case 0:
			p.Stored.Profile.MaxRepeats = engine.AtMost(3)
		case 1:
			p.Stored.Profile.Start, p.Stored.Profile.Finish = day("2026-01-15"), day("2026-04-15")
		case 2:
			p.Stored.Profile.Start = day("2025-12-20") // before it is created
		}
		x.rows = append(x.rows, p)
		sim := engine.Simulation{Stored: p.Stored.Under(policy), AsOf: asOf, Until: x.through, Undrawn: true}
		_, _ = engine.New(policy).Simulate(sim, func(e engine.Effect) bool { // one that is refused has no charges
			if e.Kind == engine.EffectCharge {
				x.lines = append(x.lines, map[string]string{"profile": p.ID, "date": e.Date.String(), "amount": "10.00", "created": asOf.String(), "note": `say "hi"`})
			}
			return true
		})
	}
	return x
}

// quote quotes a value where it has to be, or always.
func quote(s string, always bool) string {
	if always || strings.ContainsAny(s, ",\"\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// line is a line of the export, without its end.
func (x *trueActuals) line(cells map[string]string, always bool) string {
	var list []string
	for _, c := range x.columns {
		list = append(list, quote(cells[c], always))
	}
	return strings.Join(list, ",")
}

// damages are what becomes of a line on its way: of one of its cells, or of its text. None keeps
// what the line says, unless it can still be read.
var damages = map[string]struct {
	column string
	cell   func(s string) string
	text   func(s string, r *rand.Rand) string
}{
	"a time":                   {column: "date", cell: func(s string) string { return s + " 06:00:01" }},
	"a time with a zone":       {column: "date", cell: func(s string) string { return s + "T23:00:01.5+02:00" }},
	"no time":                  {column: "date", cell: func(s string) string { return s + " 25:61" }},
	"a month by name":          {column: "date", cell: func(s string) string { return s[8:] + " Feb " + s[:4] }},
	"a year of two digits":     {column: "date", cell: func(s string) string { return s[8:] + "." + s[5:7] + "." + s[2:4] }},
	"a date without marks":     {column: "date", cell: func(s string) string { return strings.ReplaceAll(s, "-", "") }},
	"no such day":              {column: "date", cell: func(s string) string { return s[:8] + "32" }},
	"a date twice":             {column: "date", cell: func(s string) string { return s + " " + s }},
	"no date":                  {column: "date", cell: func(string) string { return "" }},
	"parentheses":              {column: "amount", cell: func(s string) string { return "(" + s + ")" }},
	"a sign":                   {column: "amount", cell: func(s string) string { return s + " €" }},
	"a code":                   {column: "amount", cell: func(s string) string { return "EUR" + s }},
	"two signs":                {column: "amount", cell: func(s string) string { return "€" + s + "€" }},
	"letters":                  {column: "amount", cell: func(s string) string { return s + " CR" }},
	"two minus signs":          {column: "amount", cell: func(s string) string { return "--" + s }},
	"a comma":                  {column: "amount", cell: func(s string) string { return strings.Replace(s, ".", ",", 1) }},
	"thousands":                {column: "amount", cell: func(string) string { return "10.000,00" }},
	"an exponent":              {column: "amount", cell: func(string) string { return "1e1" }},
	"a card number":            {column: "amount", cell: func(string) string { return "4012888888881881" }},
	"no amount":                {column: "amount", cell: func(string) string { return "" }},
	"a word for the outcome":   {column: "outcome", cell: func(string) string { return "paid" }},
	"none with an amount":      {column: "outcome", cell: func(string) string { return "none" }},
	"another day of creation":  {column: "created", cell: func(string) string { return "soon" }},
	"no profile":               {column: "profile", cell: func(string) string { return "" }},
	"a profile of spaces":      {column: "profile", cell: func(string) string { return " \u00a0" }},
	"a mark before the id":     {column: "profile", cell: func(s string) string { return "\ufeff" + s }},
	"a mark inside the id":     {column: "profile", cell: func(s string) string { return s[:1] + "\u200b" + s[1:] }},
	"a soft hyphen":            {column: "profile", cell: func(s string) string { return s + "\u00ad" }},
	"a space inside the id":    {column: "profile", cell: func(s string) string { return s[:1] + " " + s[1:] }},
	"a space behind the id":    {column: "profile", cell: func(s string) string { return s + "\u00a0" }},
	"capitals":                 {column: "profile", cell: func(s string) string { return strings.ToUpper(s) }},
	"an apostrophe":            {column: "profile", cell: func(s string) string { return "'" + s }},
	"a lost character":         {column: "profile", cell: func(s string) string { return s + "\ufffd" }},
	"bytes of another charset": {column: "profile", cell: func(s string) string { return s + "\xfc" }},
	"a NUL":                    {column: "profile", cell: func(s string) string { return s + "\x00" }},
	"bytes in the amount":      {column: "amount", cell: func(s string) string { return s + "\xa0\x80" }},
	"bytes in the date":        {column: "date", cell: func(s string) string { return "\xff" + s }},
	"cut off":                  {text: func(s string, r *rand.Rand) string { return s[:1+r.IntN(len(s)/2)] }},
	"a value missing": {text: func(s string, r *rand.Rand) string {
		cells := strings.Split(s, ",")
		i := r.IntN(len(cells))
		return strings.Join(slices.Delete(cells, i, i+1), ",")
	}},
	"a separator more": {text: func(s string, r *rand.Rand) string { i := r.IntN(len(s)); return s[:i] + "," + s[i:] }},
	"a separator less": {text: func(s string, r *rand.Rand) string { return without(s, ",", r) }},
	"a quote less":     {text: func(s string, r *rand.Rand) string { return without(s, `"`, r) }},
	"a quote more":     {text: func(s string, r *rand.Rand) string { i := r.IntN(len(s)); return s[:i] + `"` + s[i:] }},
	"a line end inside": {text: func(s string, r *rand.Rand) string {
		i := 1 + r.IntN(len(s)-1)
		return s[:i] + "\n" + s[i:]
	}},
	"a long line": {text: func(s string, _ *rand.Rand) string { return s + strings.Repeat(" x", 1<<20) }},
}

// without returns a text without one of the places where it has a part.
func without(s, part string, r *rand.Rand) string {
	n := strings.Count(s, part)
	if n == 0 {
		return s
	}
	i := 0
	for range 1 + r.IntN(n) {
		i += strings.Index(s[i:], part) + len(part)
	}
	return s[:i-len(part)] + s[i:]
}

// reconciled reconciles an export with some of its rows.
func (x *trueActuals) reconciled(t *testing.T, text string, rows []*reconcile.Row) (reconcile.Result, []ledger.Finding) {
	t.Helper()
	var s sheet
	return s.run(t, reconcile.Options{AsOf: day("2026-01-10"), Through: x.through, Wants: func(id string) bool {
		return slices.ContainsFunc(rows, func(r *reconcile.Row) bool { return r.ID == id }) || !slices.Contains(exportIDs, id)
	}}, text, rows...)
}

// TestDamagedLines: whatever becomes of a line, nothing is observed or refuted that the intact
// lines do not prove: those of the profiles of which no line is damaged. A line that can be read
// all the same changes nothing.
func TestDamagedLines(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 11))
	shown := 0
	for n := range 40 {
		x := newActuals(r)
		if len(x.lines) == 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(damages)) {
			if d := damages[name]; d.text != nil && strings.HasPrefix(name, "a long") && n > 2 {
				continue
			}
			at, always := r.IntN(len(x.lines)), r.IntN(2) == 0
			if strings.HasPrefix(name, "a separator") && (always || x.lines[at]["profile"] == "a,b") {
				continue // in quotes it makes another id
			}
			var whole, text strings.Builder
			head := strings.Join(x.columns, ",") + "\n"
			whole.WriteString(head)
			text.WriteString(head)
			for i, cells := range x.lines {
				line := x.line(cells, always)
				whole.WriteString(line + "\n")
				if i == at {
					line = x.damaged(name, cells, always, r)
				}
				text.WriteString(line + "\n")
			}
			all, _ := x.reconciled(t, whole.String(), x.rows)
			got, _ := x.reconciled(t, text.String(), x.rows)
			want := all
			if got.Summary.Unreadable > 0 {
				intact := slices.DeleteFunc(slices.Clone(x.rows), func(p *reconcile.Row) bool { return p.ID == x.lines[at]["profile"] })
				want, _ = x.reconciled(t, whole.String(), intact)
			}
			for i, of := range got.Verdicts {
				if of.Verdict != record.VerdictOpen && of.Verdict != record.VerdictContradicted && of.Verdict != want.Verdicts[i].Verdict {
					t.Errorf("%s: %s=%s is %s, and by the intact lines %s:\n%s", name, of.Key, of.Value, of.Verdict, want.Verdicts[i].Verdict, text.String())
				}
				if of.Verdict == record.VerdictObserved {
					shown++
				}
			}
		}
	}
	if shown < 500 {
		t.Errorf("only %d readings are observed", shown)
	}
}

// damaged is a damaged line.
func (x *trueActuals) damaged(name string, cells map[string]string, always bool, r *rand.Rand) string {
	d := damages[name]
	if d.text != nil {
		return d.text(x.line(cells, always), r)
	}
	cells = maps.Clone(cells)
	cells[d.column] = d.cell(cells[d.column])
	return x.line(cells, always)
}

// TestJoinedLines: two lines that became one block the profiles of both.
func TestJoinedLines(t *testing.T) {
	x := trueActuals{rows: []*reconcile.Row{row("a", "2026-01-31"), row("b", "2026-01-31")}, through: day("2026-03-31")}
	for _, text := range []string{
		"profile,date,amount\na,2026-01-31,10.00\na,2026-02-28,10.00\na,2026-03-31,10.00b,2026-01-31,10.00\nb,2026-03-31,10.00\n",
		"profile,date,amount\n\"a\",\"2026-01-31\",\"10.00\"\n\"a\",\"2026-02-28\",\"10.00\"\n\"a\",\"2026-03-31\",\"10.00\"\"b\",\"2026-01-31\",\"10.00\"\n\"b\",\"2026-03-31\",\"10.00\"\n",
		"profile,date,amount,note\na,2026-01-31,10.00,\na,2026-02-28,10.00,\na,2026-03-31,10.00,\"x\nb,2026-01-31,10.00,\"\nb,2026-03-31,10.00,\n",
	} {
		if r, found := x.reconciled(t, text, x.rows); r.Summary.Policy != "" || len(found) == 0 {
			t.Errorf("%q is observed of\n%s%v", r.Summary.Policy, text, found)
		}
	}
}

// TestUnreadableBlocks: the profile that a line with a problem names decides nothing, and every one
// where it names none; one of nobody, and a line after the last day, block nothing.
func TestUnreadableBlocks(t *testing.T) {
	lines := func(id string) (s string) {
		for _, d := range []string{"2026-01-31", "2026-03-31"} {
			s += id + "," + d + ",10.00\n"
		}
		return s
	}
	for _, test := range []struct {
		line   string
		shows  int // profiles for month-end=skip
		unread uint64
	}{
		{"", 2, 0},
		{"a,2026-02-28,(10.00)", 1, 1},
		{"A,2026-02-28,10.00", 1, 1},
		{"'A,2026-02-28,10.00", 1, 1},
		{"aa,2026-02-28,10.00", 2, 0}, // nobody's: unknown
		{"a,2026-02-28", 1, 1},
		{"a,2026-02-28,10,00", 1, 1},
		{",2026-02-28,10.00", 0, 1},
		{"\xff,2026-02-28,10.00", 0, 1},
		{"c,2026-02-28,(10.00)", 2, 1},
		{"a,2026-04-01,(10.00)", 2, 1},
		{"a,2026-02-28,10.00,,", 1, 0}, // clamp
		{`{"profile":"a"}`, 0, 1},
	} {
		var s sheet
		r, found := s.run(t, reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-03-31")}, "profile,date,amount\n"+lines("a")+lines("b")+test.line, row("a", "2026-01-31"), row("b", "2026-01-31"))
		got := 0
		for _, v := range r.Verdicts {
			if v.Value == "skip" && v.Key == "month-end" {
				got = v.For
			}
		}
		if got != test.shows || r.Summary.Unreadable != test.unread || uint64(len(found)) != test.unread {
			t.Errorf("%q: %d profiles for skip, %d lines with a problem, %v", test.line, got, r.Summary.Unreadable, found)
		}
		if r.Summary.Unexplained > 0 {
			t.Errorf("%q: a profile is unexplained", test.line)
		}
	}
}

// TestIDsOfExports: an id is found as the command and the gateway write it in CSV, and by itself.
func TestIDsOfExports(t *testing.T) {
	for id, lines := range map[string][]string{
		"=x":    {"=x", "'=x", `"=x"`},
		"'=x":   {"'=x", "'=x"},
		"a\nb":  {"\"a\nb\"", `a\u000ab`},
		"\t=x":  {"\"\t=x\"", `\u0009=x`},
		" a":    {`" a"`},
		"@\r\n": {"\"@\r\n\"", `'@\u000d\u000a`},
	} {
		for _, line := range lines {
			var s sheet
			r, found := s.run(t, reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-02-10")}, "profile,date,amount\n"+line+",2026-01-31,10.00\n", row(id, "2026-01-31"))
			if r.Summary.Matched != 1 || len(found) > 0 {
				t.Errorf("%q is not %q: %+v, %v", line, id, r.Summary, found)
			}
		}
	}
}

// TestOthers: with IgnoreOthers, lines without a profile and those of nobody without an amount are
// counted and nothing more.
func TestOthers(t *testing.T) {
	text := "profile,date,amount,outcome\n,2026-02-01,5.00,\n,soon,,\nx,2026-02-01,,\nx,soon,,\nx,2026-02-02,,none\nx,2026-02-01,5.00,\na,2026-02-01,,\n"
	for _, test := range []struct {
		ignore                     bool
		other, unreadable, unknown uint64
	}{{false, 0, 5, 2}, {true, 5, 1, 1}} {
		var s sheet
		r, _ := s.run(t, reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-03-31"), IgnoreOthers: test.ignore}, text, row("a", "2026-01-31"))
		if n := r.Summary; n.Other != test.other || n.Unreadable != test.unreadable || n.Unknown != test.unknown {
			t.Errorf("%v: %+v", test, n)
		}
	}
}

// TestExports: what banks and providers write.
func TestExports(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		o    reconcile.ReadOptions
		want string
	}{
		"CR alone":              {"profile,date,amount,note\ra,2026-01-31,10.00,a\ra,2026-02-28,10.00,\r", reconcile.ReadOptions{}, "a 2026-01-31 10.00 @2, a 2026-02-28 10.00 @3"},
		"all line ends":         {"profile,date,amount\r\na,2026-01-31,1\n\ra,2026-02-28,2\r\r\na,2026-03-31,3", reconcile.ReadOptions{}, "a 2026-01-31 1 @2, a 2026-02-28 2 @4, a 2026-03-31 3 @6"},
		"sep=;":                 {"\ufeffsep=;\r\nprofile,x;profile;date;amount\r\nz;a;2026-01-31;1,50\r\n", reconcile.ReadOptions{}, "a 2026-01-31 1.50 @3"},
		"spaces before quotes":  {"profile, \"date\", amount\n\"a\" , \"2026-01-31\",\t\"1\"\n", reconcile.ReadOptions{}, "a 2026-01-31 1 @2"},
		"a space before {":      {"  {\"profile\":\" a\",\"date\":\"2026-01-31T10:00:00Z\",\"amount\":1}\n", reconcile.ReadOptions{}, " a 2026-01-31 1 @1"},
		"a joined file":         {"profile,date,amount\na,2026-01-31,1\n\ufeffprofile,date,amount\n\ufeffb,2026-01-31,2\n", reconcile.ReadOptions{}, "a 2026-01-31 1 @2, b 2026-01-31 2 @4"},
		"rows of separators":    {"profile;date;amount\na;2026-01-31;1\n;;\n\"\";;\"\"\n", reconcile.ReadOptions{}, "a 2026-01-31 1 @2"},
		"a quoted profile":      {"profile;date;amount\n\" a\r\n\";2026-01-31;1\n a ;2026-01-31;1\n", reconcile.ReadOptions{}, " a\r\n 2026-01-31 1 @2, a 2026-01-31 1 @4"},
		"compact dates":         {"profile;date;amount\na;20260131;1\na;20260131 06:00;1\n", reconcile.ReadOptions{Forms: reconcile.Forms{Dates: 3}}, "a 2026-01-31 1 @2, a 2026-01-31 1 @3"},
		"compact dates, unsaid": {"profile;date;amount\na;20260131;1\n", reconcile.ReadOptions{}, "actual-date @2"},
		"times":                 {"profile;date;amount\na;31.01.2026 6:00 PM;1\na;2026-01-31\u00a023:59:59 +0100;1\na;2026-01-31 24:00;1\n", reconcile.ReadOptions{}, "a 2026-01-31 1 @2, a 2026-01-31 1 @3, actual-date @4"},
		"signs and codes": {"profile;date;amount\na;2026-01-31;10,00 EUR\na;2026-01-31;€ -10.00\na;2026-01-31;-US$10\na;2026-01-31;$10\na;2026-01-31;(10.00)\na;2026-01-31;+10 usd\n", reconcile.ReadOptions{},
			"a 2026-01-31 10.00EUR @2, a 2026-01-31 -10.00EUR @3, a 2026-01-31 -10USD @4, a 2026-01-31 10$ @5, actual-amount @6, a 2026-01-31 10USD @7"},
		"card numbers": {"profile;date;amount;currency\na;2026-01-31;4012888888881881;EUR\na;2026-01-31;1;4012888888881881\na;2026-01-31;40128888.888818811;\na;2026-01-31;12345678.90;eur\n", reconcile.ReadOptions{},
			"actual-amount @2, actual-currency @3, actual-amount @4, a 2026-01-31 12345678.90EUR @5"},
		"outcomes": {"profile;date;amount;outcome\na;2026-01-31;1;Succeeded\na;2026-01-31;1;DECLINED\na;2026-01-31;;nichts\na;2026-01-31;1;paid\n",
			reconcile.ReadOptions{Outcomes: map[string]record.ActualOutcome{"succeeded": record.ActualApproved, "nichts": record.ActualNone}},
			"a 2026-01-31 1approved @2, a 2026-01-31 1declined @3, a 2026-01-31 0none @4, actual-outcome @5"},
		"lines before and after": {"Konto 1\n\"open\n\nprofile;date;amount\na;2026-01-31;1\nb;2026-01-31;2\nSaldo;\"3\n\n", reconcile.ReadOptions{Skip: 3, SkipLast: 2},
			"a 2026-01-31 1 @5, b 2026-01-31 2 @6"},
		"a last line without an end": {"profile;date;amount\r\na;2026-01-31;1\r\nSaldo", reconcile.ReadOptions{SkipLast: 1}, "a 2026-01-31 1 @2"},
		"last lines with CR alone":   {"profile;date;amount\ra;2026-01-31;1\rx\ry\r", reconcile.ReadOptions{SkipLast: 2}, "a 2026-01-31 1 @2"},
		"all lines skipped":          {"profile;date;amount\na;2026-01-31;1\n", reconcile.ReadOptions{SkipLast: 2}, "actual-empty @1"},
		"a JSON array":               {"[{\"profile\":\"a\"}]", reconcile.ReadOptions{}, "actual-header @1"},
		"UTF-16 without a mark":      {"p\x00r\x00o\x00", reconcile.ReadOptions{}, "actual-header @1"},
		"another separator":          {"sep=|\nprofile|date|amount\n", reconcile.ReadOptions{}, "actual-header @1"},
		"an open quote far away":     {"profile;date;amount;x\na;2026-01-31;1;\"\nb;2026-01-31;2;" + strings.Repeat("y", 70<<10) + "\"\n", reconcile.ReadOptions{}, "actual-line @2, b 2026-01-31 2 @3"},
	} {
		var got []string
		for a, err := range reconcile.Actuals(oneByte{strings.NewReader(test.text)}, test.o) {
			if f, ok := err.(ledger.Finding); ok {
				got = append(got, fmt.Sprint(f.Code, " @", f.Place.Line))
				continue
			}
			sign := ""
			if a.Negative {
				sign = "-"
			}
			got = append(got, fmt.Sprint(a.Profile, " ", a.Date, " ", sign, a.Amount, a.Currency, a.Outcome, " @", a.Line))
		}
		if s := strings.Join(got, ", "); s != test.want {
			t.Errorf("%s:\n got %q\nwant %q", name, s, test.want)
		}
	}
}

// oneByte reads a byte at a time, if there are few, so that a line end may be in two parts.
type oneByte struct{ r *strings.Reader }

func (o oneByte) Read(p []byte) (int, error) {
	if o.r.Size() < 1000 && len(p) > 1 {
		p = p[:1]
	}
	return o.r.Read(p)
}

var _ io.Reader = oneByte{}
