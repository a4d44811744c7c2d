package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFixSaysWhatComesNext: a draft is named only where it decides something that was refused, what no map decides has its
// rows, and rows that can be forecast but not sent are not sent on to validate.
func TestFixSaysWhatComesNext(t *testing.T) {
	const header = "client-orderid;rp_card_type;amount;currency;period;interval\n"
	for _, c := range []struct {
		name, in string
		want     []string
		not      string
	}{
		{"by hand alone", header + "a;SRC;1.2.x;EUR;month;1\nb;SRC;1;EUR;month;1e3\nc;SRC;1 $;EUR;month;1\n",
			[]string{"Left: 1 currency-sign, 1 amount-form, 1 number-form.", "Correct these by hand: <stdin> line 2 (a), line 3 (b), line 4 (c).", "Next: chargecast payload fix"}, "draft"},
		{"a draft, and by hand", header + "a;SRC;1.2.x;EUR;month;1\nb;SRC;1;EUR;Jahr;1\n",
			[]string{"Write a draft of a map, which lists each decision that is left. Correct these by hand: <stdin> line 2 (a).", "--draft fix.map"}, ""},
		{"many rows", header + strings.Repeat("a;SRC;1x;EUR;month;1\n", 12),
			[]string{"Correct these by hand: <stdin> line 2 (a), line 3 (a), ", "line 11 (a), and 2 more."}, "line 12"},
		{"a currency to be given", "client-orderid;amount\na;5 $\n", []string{"Write a draft of a map"}, "by hand"},
		{"no card data", header + "a;SRC;1;EUR;every 2 weeks;1\n", []string{"| chargecast forecast --until +1y"}, "validate"},
		{"a period alone", header + "a;SRC;1;EUR;monatlich;\nb;SRC;1;EUR;month;1\n", []string{"1 row has a period and no interval: --set interval=1", "| chargecast validate"}, ""},
		{"periods alone", "client-orderid;rp_card_type;amount;currency;period\na;SRC;1;EUR;monatlich\nb;SRC;1;EUR;week\n", []string{"2 rows have a period and no interval: --set interval=1", "| chargecast validate"}, ""},
		{"no card data, and no forecast", "client-orderid;amount\na;5\n", []string{"| chargecast validate"}, "forecast --until"},
	} {
		var out, messages bytes.Buffer
		run([]string{"payload", "fix", "--quiet", "--decimal", "comma", "-"}, strings.NewReader(c.in), &out, &messages)
		for _, want := range c.want {
			if !strings.Contains(messages.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, messages.String())
			}
		}
		last := messages.String()[max(strings.LastIndex(messages.String(), " refused\n"), 0):]
		if c.not != "" && strings.Contains(last, c.not) {
			t.Errorf("%s: %q in\n%s", c.name, c.not, last)
		}
	}
}

// TestFixTakesExpiryInOneColumn: by a flag and by a map, which the next draft repeats.
func TestFixTakesExpiryInOneColumn(t *testing.T) {
	dir := t.TempDir()
	first, next := filepath.Join(dir, "first.map"), filepath.Join(dir, "next.map")
	if err := os.WriteFile(first, []byte("column Karte bis = expire-month/expire-year\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--rename", "Karte bis=expire-month/expire-year"}, {"--map", first, "--draft", next}} {
		var out, messages bytes.Buffer
		code := run(append([]string{"payload", "fix", "-"}, flags...), strings.NewReader("client-orderid;Karte bis\na;08.27\n"), &out, &messages)
		if want := "\"client-orderid\";\"expire-month\";\"expire-year\"\n\"a\";\"08\";\"2027\"\n"; code != 0 || out.String() != want {
			t.Errorf("%v: exit %d\n%s%s", flags, code, out.String(), messages.String())
		}
	}
	text, err := os.ReadFile(next)
	if err != nil || !strings.Contains(string(text), "\ncolumn Karte bis = expire-month/expire-year\n") {
		t.Errorf("%v\n%s", err, text)
	}
}
